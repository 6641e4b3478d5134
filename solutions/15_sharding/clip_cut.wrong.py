"""Wrong answers to clip_cut; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P


def _squares(rows):
    return sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(rows))


def _factor(squares, limit):
    is_long = squares > limit**2
    return jnp.where(is_long, limit / jnp.sqrt(jnp.where(is_long, squares, 1)), 1)


def _with(factor_of, **keywords):
    """Each device scales its rows by this factor of them."""

    def clip_cut(grads, limit, mesh):
        def part(rows, limit):
            factor = factor_of(rows, limit)
            return jax.tree.map(lambda leaf: factor * leaf, rows)

        specs = {"in_specs": (P("data"), P()), "out_specs": P("data")}
        return jax.shard_map(part, mesh=mesh, **specs, **keywords)(grads, limit)

    return clip_cut


# %% as_it_was
# Each device computes the length of its own rows.
# Do: Print the factor of each device.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_all_devices_use_one_factor, test_parts_below_the_limit,
# test_the_rows_stay_where_they_are
clip_cut = _with(lambda rows, limit: _factor(_squares(rows), limit))


# %% mean_of_squares
# The squares are averaged over the devices, so the length is too small.
# Do: Compare the length of the results with the limit.
# Breaks: Returns 2
# Fails: test_all_devices_use_one_factor, test_parts_below_the_limit,
# test_the_rows_stay_where_they_are
clip_cut = _with(lambda rows, limit: _factor(jax.lax.pmean(_squares(rows), "data"), limit))


# %% sum_of_lengths
# The lengths of the devices are added, which is more than the length of the whole.
# Do: Compare the length of the results with the limit.
# Breaks: Returns 2
# Fails: test_short_gradients_stay, test_all_devices_use_one_factor, test_parts_below_the_limit,
# test_the_rows_stay_where_they_are
clip_cut = _with(
    lambda rows, limit: _factor(jax.lax.psum(jnp.sqrt(_squares(rows)), "data") ** 2, limit)
)


# %% mean_of_factors
# The devices average their factors, each of which fits its own rows only.
# Do: Compare the length of the results with the limit.
# Breaks: Returns 3
# Fails: test_all_devices_use_one_factor, test_parts_below_the_limit,
# test_the_rows_stay_where_they_are
clip_cut = _with(lambda rows, limit: jax.lax.pmean(_factor(_squares(rows), limit), "data"))


# %% smallest_factor
# All devices use the factor of the longest part.
# Do: Compare the length of the results with the limit.
# Breaks: Returns 3
# Fails: test_all_devices_use_one_factor, test_parts_below_the_limit,
# test_the_rows_stay_where_they_are
clip_cut = _with(lambda rows, limit: jax.lax.pmin(_factor(_squares(rows), limit), "data"))


# %% own_decision
# The length is that of the whole, but each device checks whether its own part is too long.
# Do: Let each part be shorter than the limit.
# Breaks: Returns 3
# Fails: test_all_devices_use_one_factor, test_parts_below_the_limit,
# test_the_rows_stay_where_they_are
clip_cut = _with(
    lambda rows, limit: jnp.where(
        _squares(rows) > limit**2, _factor(jax.lax.psum(_squares(rows), "data"), limit), 1
    )
)


# %% always_scaled
# Short gradients are made longer, and zeros are divided by 0.
# Do: Give gradients below the limit.
# Breaks: Returns 4
# Fails: test_on_one_device_it_is_right, test_short_gradients_stay
clip_cut = _with(lambda rows, limit: limit / jnp.sqrt(jax.lax.psum(_squares(rows), "data")))


# %% each_leaf
# Each array has a length and a factor of its own.
# Do: Compare the factors of two arrays.
# Breaks: Returns 3
# Fails: test_on_one_device_it_is_right, test_all_devices_use_one_factor,
# test_parts_below_the_limit, test_the_rows_stay_where_they_are
def clip_cut(grads, limit, mesh, solution=clip_cut):
    return {name: solution({name: leaf}, limit, mesh)[name] for name, leaf in grads.items()}


# %% gathered
# Each device gets all rows of all others to compute the length.
# Do: Look for `all_gather` in the traced program.
# Breaks: Returns 5
# Fails: test_the_rows_stay_where_they_are
clip_cut = _with(
    lambda rows, limit: _factor(
        _squares(jax.tree.map(lambda leaf: jax.lax.all_gather(leaf, "data"), rows)), limit
    ),
    check_vma=False,
)


# %% whole_results
# Each device gets all gradients, and scales all of them.
# Do: Look at where the results are placed.
# Breaks: Returns 1, Returns 5
# Fails: test_the_rows_stay_where_they_are
def clip_cut(grads, limit, mesh):
    def part(rows, limit):
        factor = _factor(_squares(rows), limit)
        return jax.tree.map(lambda leaf: factor * leaf, rows)

    return jax.shard_map(part, mesh=mesh, in_specs=(P(), P()), out_specs=P())(grads, limit)


# %% all_rows_for_the_length
# Each device gets all rows to compute the length, and exchanges a number that all devices have.
# Do: Add up the squares of a device's own rows, and only then those of the devices.
# Breaks: Returns 5
# Fails: test_the_rows_stay_where_they_are
def clip_cut(grads, limit, mesh):
    def part(everything, rows, limit):
        squares = jax.lax.pcast(_squares(everything), "data", to="varying")
        factor = _factor(jax.lax.pmax(squares, "data"), limit)
        return jax.tree.map(lambda leaf: factor * leaf, rows)

    specs = {"in_specs": (P(), P("data"), P()), "out_specs": P("data")}
    return jax.shard_map(part, mesh=mesh, **specs)(grads, grads, limit)


# %% once missed


# %% python_decides
# A Python `if` compares the length with the limit, and has no value under `jit`.
# Breaks: Returns 6
# Fails: test_on_one_device_it_is_right, test_short_gradients_stay, test_all_devices_use_one_factor,
# test_parts_below_the_limit, test_the_rows_stay_where_they_are
def clip_cut(grads, limit, mesh):
    length = jnp.sqrt(_squares(grads))
    if length <= limit:
        return grads
    return _with(lambda rows, limit: limit / length)(grads, limit, mesh)
