"""What learners get wrong in ref_smooth; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% carried_reference
# The reference is the carry of the loop, so its body returns it, which JAX refuses.
# Do: Let the body use the reference that is outside it, and carry nothing.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_array_is_smoothed, test_each_sweep_has_its_change, test_the_function_may_loop,
# test_it_can_be_transformed, test_the_program_does_not_grow
def ref_smooth(relax, u, sweeps):
    def sweep(ref, _):
        before = ref[...]
        relax(ref)
        return ref, jnp.max(jnp.abs(ref[...] - before))

    ref, changes = lax.scan(sweep, jax.new_ref(u), length=sweeps)
    return ref[...], changes


# %% returned_reference
# The result is the reference and not its array.
# Do: Return `ref[...]`, or `jax.freeze(ref)`.
# Breaks: Returns 2
# Fails: test_the_array_is_smoothed, test_each_sweep_has_its_change, test_the_function_may_loop,
# test_it_can_be_transformed, test_the_program_does_not_grow
@jax.jit(static_argnums=(0, 2))
def ref_smooth(relax, u, sweeps):
    ref = jax.new_ref(u)

    def sweep(carry, _):
        before = ref[...]
        relax(ref)
        return carry, jnp.max(jnp.abs(ref[...] - before))

    return ref, lax.scan(sweep, None, length=sweeps)[1]


# %% second_name
# `before` is a second name for the reference, so it changes as well, and each difference is 0.
# Do: Read the array before the sweep: `ref[...]`.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_each_sweep_has_its_change, test_it_can_be_transformed,
# test_the_program_does_not_grow
def ref_smooth(relax, u, sweeps):
    ref = jax.new_ref(u)

    def sweep(carry, _):
        before = ref
        relax(ref)
        return carry, jnp.max(jnp.abs(ref[...] - before[...]))

    changes = lax.scan(sweep, None, length=sweeps)[1]
    return ref[...], changes


# %% from_the_start
# Each sweep is compared with the array that came in.
# Do: Compare with the array before the sweep.
# Breaks: Returns 3
# Fails: test_each_sweep_has_its_change, test_it_can_be_transformed,
# test_the_program_does_not_grow
def ref_smooth(relax, u, sweeps):
    ref = jax.new_ref(u)

    def sweep(carry, _):
        relax(ref)
        return carry, jnp.max(jnp.abs(ref[...] - u))

    changes = lax.scan(sweep, None, length=sweeps)[1]
    return ref[...], changes


# %% without_absolute_values
# The largest difference is looked for without absolute values.
# Do: Let an element become smaller.
# Breaks: Returns 3
# Fails: test_each_sweep_has_its_change, test_it_can_be_transformed,
# test_the_program_does_not_grow
def ref_smooth(relax, u, sweeps):
    ref = jax.new_ref(u)

    def sweep(carry, _):
        before = ref[...]
        relax(ref)
        return carry, jnp.max(ref[...] - before)

    changes = lax.scan(sweep, None, length=sweeps)[1]
    return ref[...], changes


# %% kept_reference
# The reference of an array is kept for later calls, which go on where the first one ended.
# Do: Make a new reference in each call.
# Breaks: Returns 4
# Fails: test_the_array_is_smoothed
_KEPT = {}


def ref_smooth(relax, u, sweeps):
    # The array is kept, too, so that no other one gets its id.
    _, ref = _KEPT.setdefault(id(u), (u, jax.new_ref(u)))

    def sweep(carry, _):
        before = ref[...]
        relax(ref)
        return carry, jnp.max(jnp.abs(ref[...] - before))

    changes = lax.scan(sweep, None, length=sweeps)[1]
    return ref[...], changes


# %% read_too_early
# The array is read before the sweeps, and that array never changes.
# Do: Read the reference at the end.
# Breaks: Returns 2
# Fails: test_the_array_is_smoothed, test_the_function_may_loop, test_it_can_be_transformed,
# test_the_program_does_not_grow
def ref_smooth(relax, u, sweeps):
    ref = jax.new_ref(u)
    array = ref[...]

    def sweep(carry, _):
        before = ref[...]
        relax(ref)
        return carry, jnp.max(jnp.abs(ref[...] - before))

    return array, lax.scan(sweep, None, length=sweeps)[1]


# %% own_class
# A class of Python takes the place of the reference, and a loop in `relax` leaves a tracer in it.
# Do: Give a reference of JAX's to `relax`.
# Breaks: Returns 5
# Fails: test_the_function_may_loop, test_it_can_be_transformed
class _Place:
    def __init__(self, array):
        self.array = array

    shape = property(lambda self: self.array.shape)

    def __getitem__(self, index):
        return self.array[index]

    def __setitem__(self, index, new):
        self.array = self.array.at[index].set(new)


def ref_smooth(relax, u, sweeps):
    def sweep(before, _):
        place = _Place(before)
        relax(place)
        return place.array, jnp.max(jnp.abs(place.array - before))

    return lax.scan(sweep, u, length=sweeps)


# %% array_in_place_of_a_reference
# `relax` gets an array, which can't be written.
# Do: Give it a reference, made with `jax.new_ref`.
# Breaks: Returns 1
# Fails: test_the_array_is_smoothed, test_each_sweep_has_its_change, test_the_function_may_loop,
# test_it_can_be_transformed, test_the_program_does_not_grow
def ref_smooth(relax, u, sweeps):
    def sweep(u, _):
        new = relax(u)
        return new, jnp.max(jnp.abs(new - u))

    return lax.scan(sweep, u, length=sweeps)


# %% python_loop
# A Python loop writes each sweep into the program.
# Do: Use a loop of `jax.lax`.
# Breaks: Returns 6
# Fails: test_the_program_does_not_grow
def ref_smooth(relax, u, sweeps):
    ref, changes = jax.new_ref(u), []
    for _ in range(sweeps):
        before = ref[...]
        relax(ref)
        changes.append(jnp.max(jnp.abs(ref[...] - before)))
    return ref[...], jnp.stack(changes)


# %% loop_without_a_gradient
# A `while_loop` has no gradient in reverse mode.
# Do: Use a loop whose number of rounds is known.
# Breaks: Returns 5
# Fails: test_it_can_be_transformed
def ref_smooth(relax, u, sweeps):
    ref, changes = jax.new_ref(u), jax.new_ref(jnp.zeros(sweeps))

    def sweep(i):
        before = ref[...]
        relax(ref)
        changes[i] = jnp.max(jnp.abs(ref[...] - before))
        return i + 1

    _ = lax.while_loop(lambda i: i < sweeps, sweep, 0)
    return ref[...], changes[...]


# %% one_sweep_more
# The array is smoothed once more than asked for.
# Do: Count the calls of `relax`.
# Breaks: Returns 2
# Fails: test_the_array_is_smoothed, test_the_function_may_loop, test_it_can_be_transformed,
# test_the_program_does_not_grow
def ref_smooth(relax, u, sweeps, solution=ref_smooth):
    array, changes = solution(relax, u, sweeps + 1)
    return array, changes[:sweeps]


# %% once missed


# %% norm_of_a_matrix
# The norm of a matrix for infinity isn't its largest number, but the largest sum of a row.
# Breaks: Returns 3
# Fails: test_each_sweep_has_its_change
def ref_smooth(relax, u, sweeps):
    ref = jax.new_ref(u)

    def sweep(carry, _):
        before = ref[...]
        relax(ref)
        return carry, jnp.linalg.norm(ref[...] - before, jnp.inf)

    _, changes = lax.scan(sweep, None, length=sweeps)
    return jax.freeze(ref), changes
