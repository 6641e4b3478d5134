"""What learners get wrong in halo_exchange; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


# %% all_gather
# Each device gathers the whole sequence, and then takes its few missing rows.
# Do: Let each device send its last r rows to the right and its first r rows to the left, by
# `ppermute`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_only_neighbours_exchange_rows, test_only_the_rows_at_the_edges_travel
def with_halo(rows, r):
    own = len(rows)
    whole = lax.all_gather(rows, "time", tiled=True)
    wide = jnp.pad(whole, ((r, r), (0, 0)))
    return lax.dynamic_slice_in_dim(wide, lax.axis_index("time") * own, own + 2 * r)


def halo_exchange(x, weights, mesh):
    def part(rows, weights):
        wide = with_halo(rows, len(weights) // 2)
        return sum(weights[k] * wide[k : k + len(rows)] for k in range(len(weights)))

    specs = P("time"), P()
    return jax.shard_map(part, mesh=mesh, in_specs=specs, out_specs=P("time"))(x, weights)


# %% no_exchange
# Each device pads its own rows with zeros, so the sums at the edges lack rows.
# Do: Replace these zeros by the rows of the two neighbours.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_each_result_has_its_rows_from_both_sides, test_only_neighbours_exchange_rows,
# test_only_the_rows_at_the_edges_travel, test_each_device_does_its_share,
# test_gradients_travel_back, test_details
def with_halo(rows, r):
    return jnp.pad(rows, ((r, r), (0, 0)))


# %% around_the_ring
# The devices are a ring, so the first rows get the last rows as their neighbours.
# Do: Leave out the pairs between the last device and the first one. Then the ends get zeros.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_each_result_has_its_rows_from_both_sides, test_only_neighbours_exchange_rows,
# test_only_the_rows_at_the_edges_travel, test_each_device_does_its_share,
# test_gradients_travel_back, test_details
def with_halo(rows, r):
    n, own = lax.axis_size("time"), len(rows)
    to_next = [(i, (i + 1) % n) for i in range(n)]
    to_previous = [((i + 1) % n, i) for i in range(n)]
    before = lax.ppermute(rows[own - r :], "time", to_next)
    after = lax.ppermute(rows[:r], "time", to_previous)
    return jnp.concatenate([before, rows, after])


# %% all_rows_travel
# A device sends all its rows, and its neighbour takes the few that it needs.
# Do: First take the r rows, and send only these.
# Breaks: Returns 2
# Fails: test_only_neighbours_exchange_rows, test_only_the_rows_at_the_edges_travel
def with_halo(rows, r):
    n, own = lax.axis_size("time"), len(rows)
    before = lax.ppermute(rows, "time", [(i, i + 1) for i in range(n - 1)])
    after = lax.ppermute(rows, "time", [(i + 1, i) for i in range(n - 1)])
    return jnp.concatenate([before[own - r :], rows, after[:r]])


# %% sides_swapped
# The rows from the left are put on the right.
# Do: Rows from the previous device go before the device's own rows.
# Breaks: Returns 1
# Fails: test_each_result_has_its_rows_from_both_sides, test_only_neighbours_exchange_rows,
# test_only_the_rows_at_the_edges_travel, test_each_device_does_its_share,
# test_gradients_travel_back, test_details
def with_halo(rows, r):
    n, own = lax.axis_size("time"), len(rows)
    before = lax.ppermute(rows[own - r :], "time", [(i + 1, i) for i in range(n - 1)])
    after = lax.ppermute(rows[:r], "time", [(i, i + 1) for i in range(n - 1)])
    return jnp.concatenate([before, rows, after])


# %% wrong_ends
# Each device sends its first rows to the right, and its last rows to the left.
# Do: Send the last rows to the right, and the first rows to the left.
# Breaks: Returns 1
# Fails: test_each_result_has_its_rows_from_both_sides, test_only_neighbours_exchange_rows,
# test_only_the_rows_at_the_edges_travel, test_each_device_does_its_share,
# test_gradients_travel_back, test_details
def with_halo(rows, r):
    n, own = lax.axis_size("time"), len(rows)
    before = lax.ppermute(rows[:r], "time", [(i, i + 1) for i in range(n - 1)])
    after = lax.ppermute(rows[own - r :], "time", [(i + 1, i) for i in range(n - 1)])
    return jnp.concatenate([before, rows, after])


# %% minus_zero
# `rows[-r:]` is the whole array if r is 0.
# Do: Count from the front: `rows[len(rows) - r:]` is empty if r is 0.
# Breaks: Returns 1
# Fails: test_details
def with_halo(rows, r):
    n = lax.axis_size("time")
    before = lax.ppermute(rows[-r:], "time", [(i, i + 1) for i in range(n - 1)])
    after = lax.ppermute(rows[:r], "time", [(i + 1, i) for i in range(n - 1)])
    return jnp.concatenate([before, rows, after])


# %% masked_by_a_product
# The two ends are set to 0 by a product, and NaN times 0 is NaN.
# Do: Use `jnp.where`, or leave out the pairs at the ends.
# Breaks: Details 1
# Fails: test_details
def with_halo(rows, r):
    n, me, own = lax.axis_size("time"), lax.axis_index("time"), len(rows)
    before = lax.ppermute(rows[own - r :], "time", [(i, (i + 1) % n) for i in range(n)])
    after = lax.ppermute(rows[:r], "time", [((i + 1) % n, i) for i in range(n)])
    first, last = (me > 0).astype(rows.dtype), (me < n - 1).astype(rows.dtype)
    return jnp.concatenate([before * first, rows, after * last])


# %% eight_devices
# The number of devices is hard-coded.
# Do: Use the number of devices: `jax.lax.axis_size("time")`.
# Breaks: Returns 3
# Fails: test_each_device_does_its_share
def with_halo(rows, r):
    before = lax.ppermute(rows[len(rows) - r :], "time", [(i, i + 1) for i in range(7)])
    after = lax.ppermute(rows[:r], "time", [(i + 1, i) for i in range(7)])
    return jnp.concatenate([before, rows, after])


# %% weights_reversed
# This is a mathematical convolution: the weights run backwards.
# Do: Weight 0 belongs to the row r places earlier.
# Breaks: Returns 1
# Fails: test_each_result_has_its_rows_from_both_sides, test_only_neighbours_exchange_rows,
# test_only_the_rows_at_the_edges_travel, test_each_device_does_its_share,
# test_gradients_travel_back, test_details
def halo_exchange(x, weights, mesh, solution=halo_exchange):
    return solution(x, weights[::-1], mesh)


# %% every_device_does_all
# Nothing is sharded, so each device computes the whole result, and the result is sharded afterwards.
# Do: Shard the sequence over "time" by `in_specs`.
# Breaks: Returns 3
# Fails: test_only_neighbours_exchange_rows, test_only_the_rows_at_the_edges_travel,
# test_each_device_does_its_share
def halo_exchange(x, weights, mesh):
    r = len(weights) // 2
    wide = jnp.pad(x, ((r, r), (0, 0)))

    def part(wide, weights):
        length = len(wide) - 2 * r
        out = sum(weights[k] * wide[k : k + length] for k in range(len(weights)))
        own = length // lax.axis_size("time")
        return lax.dynamic_slice_in_dim(out, lax.axis_index("time") * own, own)

    return jax.shard_map(part, mesh=mesh, in_specs=P(), out_specs=P("time"), check_vma=False)(
        wide, weights
    )


# %% sums_in_float32
# The sums become float32, whatever the dtype of the sequence is.
# Do: Compute in the dtype of x.
# Breaks: Details 2
# Fails: test_details
def halo_exchange(x, weights, mesh, solution=halo_exchange):
    return solution(x.astype(jnp.float32), weights.astype(jnp.float32), mesh)


# %% compiler_slices
# The compiler makes the exchange. The padded array is split differently from x, so more rows travel.
# Do: Say what each device sends: `ppermute` of its first and of its last r rows, in `shard_map`.
# Breaks: Returns 2
# Fails: test_only_neighbours_exchange_rows, test_only_the_rows_at_the_edges_travel
@jax.jit(static_argnums=2)
def halo_exchange(x, weights, mesh):
    cut, r = NamedSharding(mesh, P("time")), len(weights) // 2
    wide = jnp.pad(lax.with_sharding_constraint(x, cut), ((r, r), (0, 0)))
    terms = [w * lax.slice_in_dim(wide, k, k + len(x)) for k, w in enumerate(weights)]
    return lax.with_sharding_constraint(sum(terms), cut)


# %% gathered_by_permutations
# Permutations bring all rows to each device, around a ring.
# Do: Send r rows to each of two neighbours.
# Breaks: Returns 2
# Fails: test_only_neighbours_exchange_rows, test_only_the_rows_at_the_edges_travel
def with_halo(rows, r):
    n, me, own, found = lax.axis_size("time"), lax.axis_index("time"), len(rows), [rows]
    for _ in range(n - 1):
        found.append(lax.ppermute(found[-1], "time", [(i, (i + 1) % n) for i in range(n)]))
    whole = jnp.roll(jnp.concatenate(found[::-1]), (me + 1) * own, axis=0)
    wide = jnp.pad(whole, ((r, r), (0, 0)))
    return lax.dynamic_slice_in_dim(wide, me * own, own + 2 * r)


# %% once missed


# %% halo_has_no_gradient
# The gradient stops at the halo, so a row gets no gradient from neighbouring devices.
# Breaks: Returns 4
# Fails: test_gradients_travel_back
def with_halo(rows, r, solution=with_halo):
    wide = solution(rows, r)
    own = lax.stop_gradient(wide)
    return own.at[r : r + len(rows)].set(rows)


# %% new_mesh
# A new mesh of as many devices takes the place of the argument: its devices have another order.
# Breaks: Returns 1
# Fails: test_details
def halo_exchange(x, weights, mesh, solution=halo_exchange):
    kinds, devices = (jax.sharding.AxisType.Auto,), jax.devices()[: mesh.size]
    mesh = jax.make_mesh((mesh.size,), ("time",), axis_types=kinds, devices=devices)
    return solution(x, weights, mesh)


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_never_empty of `x`": "T and d are at least 1.",
    "argument_no_integers": "The text asks for floats.",
    "result_int_as_float": "The text asks for floats.",
}
