"""What learners get wrong in heat_grid; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def edges(u, axis):
    """The first and the last row or column."""
    own = u.shape[axis]
    return tuple(lax.slice_in_dim(u, i, i + 1, axis=axis) for i in (0, own - 1))


def forth_and_back(n):
    return [(i, i + 1) for i in range(n - 1)], [(i + 1, i) for i in range(n - 1)]


def update(u, tall, wide, rate):
    around = tall[:-2] + tall[2:] + wide[:, :-2] + wide[:, 2:]
    return u + rate * (around - 4 * u)


def cut(part, mesh):
    """A function of the parts."""
    spec = P("y", "x")
    return jax.shard_map(part, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False)


# %% all_gather
# Each device gathers the whole grid in each step, and takes its part.
# Do: Let each device send its edges to its neighbours, with `ppermute`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_only_neighbours_exchange_edges, test_only_edges_travel
def with_halo(u, name, axis):
    own = u.shape[axis]
    whole = lax.all_gather(u, name, axis=axis, tiled=True)
    width = [(1, 1) if each == axis else (0, 0) for each in (0, 1)]
    wide = jnp.pad(whole, width)
    return lax.dynamic_slice_in_dim(wide, lax.axis_index(name) * own, own + 2, axis=axis)


# %% no_exchange
# Each device puts zeros around its own part, so heat is lost at its edges.
# Do: Replace the zeros by the neighbours' edges.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_temperatures_follow_the_formula, test_only_neighbours_exchange_edges,
# test_the_program_does_not_grow, test_only_edges_travel, test_meshes_of_other_sizes,
# test_gradients_travel_back, test_details
def with_halo(u, name, axis):
    return jnp.pad(u, [(1, 1) if each == axis else (0, 0) for each in (0, 1)])


# %% exchanged_once
# The edges are fetched before the loop, and are out of date after the first step.
# Do: Fetch the edges in each step, inside the loop.
# Breaks: Returns 1
# Fails: test_the_temperatures_follow_the_formula, test_only_neighbours_exchange_edges,
# test_the_program_does_not_grow, test_only_edges_travel, test_meshes_of_other_sizes,
# test_gradients_travel_back, test_details
def heat_grid(u, rate, steps, mesh):
    def part(u):
        tall, wide = with_halo(u, "y", 0), with_halo(u, "x", 1)

        def step(_, u):
            high = jnp.concatenate([tall[:1], u, tall[-1:]])
            broad = jnp.concatenate([wide[:, :1], u, wide[:, -1:]], axis=1)
            return update(u, high, broad, rate)

        return lax.fori_loop(0, steps, step, u)

    return cut(part, mesh)(u)


# %% around_the_ring
# The devices form rings, so the upper edge of the grid meets the lower one.
# Do: Leave out the pairs between the last device and the first one. Then the ends get zeros.
# Breaks: Returns 1
# Fails: test_the_temperatures_follow_the_formula, test_only_neighbours_exchange_edges,
# test_the_program_does_not_grow, test_only_edges_travel, test_meshes_of_other_sizes,
# test_gradients_travel_back, test_details
def with_halo(u, name, axis):
    n, (first, last) = lax.axis_size(name), edges(u, axis)
    before = lax.ppermute(last, name, [(i, (i + 1) % n) for i in range(n)])
    after = lax.ppermute(first, name, [((i + 1) % n, i) for i in range(n)])
    return jnp.concatenate([before, u, after], axis=axis)


# %% all_travels
# A device sends its whole part, and its neighbour takes only the edge.
# Do: First take the row or column, and send only this.
# Breaks: Returns 3
# Fails: test_only_neighbours_exchange_edges, test_only_edges_travel
def with_halo(u, name, axis):
    forth, back = forth_and_back(lax.axis_size(name))
    before = edges(lax.ppermute(u, name, forth), axis)[1]
    after = edges(lax.ppermute(u, name, back), axis)[0]
    return jnp.concatenate([before, u, after], axis=axis)


# %% sides_swapped
# Rows from below are put above, and columns from the right are put on the left.
# Do: Edges from the previous device go before the device's own part.
# Breaks: Returns 1
# Fails: test_the_temperatures_follow_the_formula, test_only_neighbours_exchange_edges,
# test_the_program_does_not_grow, test_only_edges_travel, test_meshes_of_other_sizes,
# test_gradients_travel_back, test_details
def with_halo(u, name, axis):
    (forth, back), (first, last) = forth_and_back(lax.axis_size(name)), edges(u, axis)
    before, after = lax.ppermute(last, name, forth), lax.ppermute(first, name, back)
    return jnp.concatenate([after, u, before], axis=axis)


# %% wrong_edges
# A device sends its first row down, and its last row up.
# Do: Send the last row down, and the first row up.
# Breaks: Returns 1
# Fails: test_the_temperatures_follow_the_formula, test_only_neighbours_exchange_edges,
# test_the_program_does_not_grow, test_only_edges_travel, test_meshes_of_other_sizes,
# test_gradients_travel_back, test_details
def with_halo(u, name, axis):
    (forth, back), (first, last) = forth_and_back(lax.axis_size(name)), edges(u, axis)
    before, after = lax.ppermute(first, name, forth), lax.ppermute(last, name, back)
    return jnp.concatenate([before, u, after], axis=axis)


# %% axes_swapped
# Rows travel along "x", and columns along "y".
# Do: Rows come from the devices above and below, along "y".
# Breaks: Returns 1
# Fails: test_the_temperatures_follow_the_formula, test_only_neighbours_exchange_edges,
# test_the_program_does_not_grow, test_only_edges_travel, test_meshes_of_other_sizes,
# test_gradients_travel_back, test_details
def with_halo(u, name, axis, solution=with_halo):
    return solution(u, "x" if name == "y" else "y", axis)


# %% one_direction
# Only the rows are exchanged. To the left and to the right, each device has zeros.
# Do: Also exchange columns along "x".
# Breaks: Returns 1
# Fails: test_the_temperatures_follow_the_formula, test_only_neighbours_exchange_edges,
# test_the_program_does_not_grow, test_only_edges_travel, test_meshes_of_other_sizes,
# test_gradients_travel_back, test_details
def with_halo(u, name, axis, solution=with_halo):
    if name == "y":
        return solution(u, name, axis)
    return jnp.pad(u, ((0, 0), (1, 1)))


# %% edges_repeated
# Outside the grid is a copy of its edge, so no heat escapes.
# Do: Outside the grid the temperature is 0.
# Breaks: Returns 1
# Fails: test_the_temperatures_follow_the_formula, test_only_neighbours_exchange_edges,
# test_the_program_does_not_grow, test_only_edges_travel, test_meshes_of_other_sizes,
# test_gradients_travel_back, test_details
def with_halo(u, name, axis, solution=with_halo):
    n, me, (first, last) = lax.axis_size(name), lax.axis_index(name), edges(u, axis)
    before, after = edges(solution(u, name, axis), axis)
    before, after = jnp.where(me == 0, first, before), jnp.where(me == n - 1, last, after)
    return jnp.concatenate([before, u, after], axis=axis)


# %% rows_before_columns
# The rows are updated first, so the columns see new numbers.
# Do: Compute the sum of all four neighbours from the same step.
# Breaks: Returns 1
# Fails: test_the_temperatures_follow_the_formula, test_only_neighbours_exchange_edges,
# test_the_program_does_not_grow, test_only_edges_travel, test_meshes_of_other_sizes,
# test_gradients_travel_back, test_details
def heat_grid(u, rate, steps, mesh):
    def step(_, u):
        tall = with_halo(u, "y", 0)
        u = u + rate * (tall[:-2] + tall[2:] - 2 * u)
        wide = with_halo(u, "x", 1)
        return u + rate * (wide[:, :-2] + wide[:, 2:] - 2 * u)

    return cut(lambda u: lax.fori_loop(0, steps, step, u), mesh)(u)


# %% masked_by_a_product
# The border is multiplied by 0, and NaN times 0 is NaN.
# Do: Use `jnp.where`, or leave out the pairs at the ends.
# Breaks: Details 1
# Fails: test_details
def with_halo(u, name, axis):
    n, me, (first, last) = lax.axis_size(name), lax.axis_index(name), edges(u, axis)
    before = lax.ppermute(last, name, [(i, (i + 1) % n) for i in range(n)])
    after = lax.ppermute(first, name, [((i + 1) % n, i) for i in range(n)])
    has_before, has_after = (me > 0).astype(u.dtype), (me < n - 1).astype(u.dtype)
    return jnp.concatenate([before * has_before, u, after * has_after], axis=axis)


# %% convolution
# A step is a convolution with zeros in the corners, and NaN times 0 is NaN.
# Do: Add the four neighbours as shifted arrays.
# Breaks: Details 1
# Fails: test_only_edges_travel, test_details
def heat_grid(u, rate, steps, mesh):
    kernel = jnp.zeros((3, 3)).at[jnp.array([0, 1, 1, 2]), jnp.array([1, 0, 2, 1])].set(rate)
    kernel = kernel.at[1, 1].set(1 - 4 * rate)

    def step(_, u):
        padded = with_halo(with_halo(u, "y", 0), "x", 1)
        return jax.scipy.signal.convolve2d(padded, kernel, mode="valid")

    return cut(lambda u: lax.fori_loop(0, steps, step, u), mesh)(u)


# %% four_by_two
# The mesh sizes are hard-coded.
# Do: Use the number of devices along an axis: `jax.lax.axis_size("y")`.
# Breaks: Returns 1
# Fails: test_meshes_of_other_sizes
def with_halo(u, name, axis):
    (forth, back), (first, last) = forth_and_back(4 if name == "y" else 2), edges(u, axis)
    before, after = lax.ppermute(last, name, forth), lax.ppermute(first, name, back)
    return jnp.concatenate([before, u, after], axis=axis)


# %% python_loop
# A Python loop: the program has a copy of the step for each step.
# Do: Use `jax.lax.fori_loop` inside `shard_map`.
# Breaks: Returns 4
# Fails: test_the_program_does_not_grow
def heat_grid(u, rate, steps, mesh):
    def part(u):
        for _ in range(steps):
            u = update(u, with_halo(u, "y", 0), with_halo(u, "x", 1), rate)
        return u

    return cut(part, mesh)(u)


# %% while_loop
# The number of steps is traced by `jit`, so the loop has no reverse mode.
# Do: Keep the number of steps a Python int.
# Breaks: Returns 5
# Fails: test_gradients_travel_back
def heat_grid(u, rate, steps, mesh, solution=heat_grid):
    return jax.jit(lambda u, steps: solution(u, rate, steps, mesh))(u, steps)


# %% rows_only
# The grid is sharded only by rows, over both axes of the mesh.
# Do: Shard the grid along both axes: P("y", "x").
# Breaks: Returns 1
# Fails: test_only_neighbours_exchange_edges, test_only_edges_travel, test_meshes_of_other_sizes,
# test_details
def heat_grid(u, rate, steps, mesh):
    def step(_, u):
        n, (first, last) = lax.axis_size(("y", "x")), edges(u, 0)
        forth, back = forth_and_back(n)
        above = lax.ppermute(last, ("y", "x"), forth)
        below = lax.ppermute(first, ("y", "x"), back)
        return update(u, jnp.concatenate([above, u, below]), jnp.pad(u, ((0, 0), (1, 1))), rate)

    def part(u):
        return lax.fori_loop(0, steps, step, u)

    spec = P(("y", "x"))
    return jax.shard_map(part, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False)(u)


# %% compiler
# The compiler makes the exchange. The padded array is split differently from u, so more numbers travel.
# Do: Say what each device sends: `ppermute` of its edges in `shard_map`.
# Breaks: Returns 3
# Fails: test_only_neighbours_exchange_edges, test_only_edges_travel
def heat_grid(u, rate, steps, mesh):
    cut = NamedSharding(mesh, P("y", "x"))

    def step(_, u):
        wide = jnp.pad(u, 1)
        around = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
        return lax.with_sharding_constraint(u + rate * (around - 4 * u), cut)

    return lax.fori_loop(0, steps, step, lax.with_sharding_constraint(u, cut))


# %% gathered_by_permutations
# Permutations bring the whole grid to each device, which then computes all steps.
# Do: Fetch four edges in each step, and compute a device's own part.
# Breaks: Returns 3
# Fails: test_only_neighbours_exchange_edges, test_only_edges_travel
def heat_grid(u, rate, steps, mesh):
    def ring(piece, name, axis):
        n, me, found = lax.axis_size(name), lax.axis_index(name), [piece]
        for _ in range(n - 1):
            found.append(lax.ppermute(found[-1], name, [(i, (i + 1) % n) for i in range(n)]))
        return jnp.concatenate(list(jnp.roll(jnp.stack(found[::-1]), me + 1, axis=0)), axis=axis)

    def step(_, u):
        wide = jnp.pad(u, 1)
        around = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
        return u + rate * (around - 4 * u)

    def part(own):
        whole = lax.fori_loop(0, steps, step, ring(ring(own, "y", 0), "x", 1))
        places = [lax.axis_index(name) * size for name, size in zip("yx", own.shape, strict=True)]
        return lax.dynamic_slice(whole, places, own.shape)

    spec = P("y", "x")
    return jax.shard_map(part, mesh=mesh, in_specs=spec, out_specs=spec)(u)
