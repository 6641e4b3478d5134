"""Wrong answers to spring_energy; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _steps(points, ends):
    return points[ends[:, 1]] - points[ends[:, 0]]


# %% as_it_was
# The root is differentiated at 0.
# Do: Take the gradient of each part separately, for two points in one place.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_a_spring_without_length_pulls_nobody, test_it_holds_in_a_batch
def spring_energy(points, ends, rest):
    lengths = jnp.sqrt(jnp.sum(_steps(points, ends) ** 2, axis=-1))
    return jnp.sum((lengths - rest) ** 2) / 2


# %% norm
# The library's norm also has no derivative at 0.
# Do: Ask what the norm's gradient is for a zero vector.
# Breaks: Returns 3
# Fails: test_a_spring_without_length_pulls_nobody, test_it_holds_in_a_batch
def spring_energy(points, ends, rest):
    lengths = jnp.linalg.norm(_steps(points, ends), axis=-1)
    return jnp.sum((lengths - rest) ** 2) / 2


# %% where_after
# The choice comes only after the root, which is still differentiated.
# Do: Also choose before the root.
# Breaks: Returns 3
# Fails: test_a_spring_without_length_pulls_nobody, test_it_holds_in_a_batch
def spring_energy(points, ends, rest):
    squares = jnp.sum(_steps(points, ends) ** 2, axis=-1)
    lengths = jnp.where(squares > 0, jnp.sqrt(squares), 0)
    return jnp.sum((lengths - rest) ** 2) / 2


# %% epsilon
# A small number under the root changes every length.
# Do: Compare a short spring with its exact length.
# Breaks: Returns 1
# Fails: test_short_springs_keep_their_length
def spring_energy(points, ends, rest):
    lengths = jnp.sqrt(jnp.sum(_steps(points, ends) ** 2, axis=-1) + 1e-12)
    return jnp.sum((lengths - rest) ** 2) / 2


# %% length_of_one
# The number put under the root isn't removed again.
# Do: Choose again, after the root.
# Breaks: Returns 1
# Fails: test_the_energy_is_right
def spring_energy(points, ends, rest):
    squares = jnp.sum(_steps(points, ends) ** 2, axis=-1)
    lengths = jnp.sqrt(jnp.where(squares > 0, squares, 1))
    return jnp.sum((lengths - rest) ** 2) / 2


# %% forgets_the_energy
# A spring of length 0 no longer has energy, although it is compressed.
# Do: Compute the energy of a spring of length 0 on paper.
# Breaks: Returns 1
# Fails: test_the_energy_is_right
def spring_energy(points, ends, rest):
    squares = jnp.sum(_steps(points, ends) ** 2, axis=-1)
    lengths = jnp.sqrt(jnp.where(squares > 0, squares, 1))
    return jnp.sum(jnp.where(squares > 0, (lengths - rest) ** 2, 0)) / 2


# %% nan_to_num
# The NaN is removed after the root, when its derivative has already become NaN.
# Do: Ask where the NaN appears first: it is in the backward pass.
# Breaks: Returns 3
# Fails: test_a_spring_without_length_pulls_nobody, test_it_holds_in_a_batch
def spring_energy(points, ends, rest):
    lengths = jnp.sqrt(jnp.sum(_steps(points, ends) ** 2, axis=-1))
    return jnp.nan_to_num(jnp.sum((lengths - rest) ** 2) / 2)


# %% stopped
# No gradient flows through the lengths at all.
# Do: Compare the gradient where no points meet.
# Breaks: Returns 2
# Fails: test_the_gradient_is_right_where_nobody_meets, test_a_spring_without_length_pulls_nobody,
# test_it_holds_in_a_batch, test_short_springs_keep_their_length
def spring_energy(points, ends, rest):
    lengths = jnp.sqrt(jnp.sum(_steps(points, ends) ** 2, axis=-1))
    return jnp.sum((jax.lax.stop_gradient(lengths) - rest) ** 2) / 2


# %% rule_for_points_alone
# A hand-written derivative covers the points but omits the rest length.
# Do: Ask what else the energy depends on.
# Breaks: Returns 2
# Fails: test_the_gradient_is_right_where_nobody_meets
@jax.custom_vjp
def _energy(points, ends, rest):
    lengths = jnp.sqrt(jnp.sum(_steps(points, ends) ** 2, axis=-1))
    return jnp.sum((lengths - rest) ** 2) / 2


def _forward(points, ends, rest):
    return _energy(points, ends, rest), (points, ends, rest)


def _backward(kept, g):
    points, ends, rest = kept
    steps = _steps(points, ends)
    lengths = jnp.sqrt(jnp.sum(steps**2, axis=-1, keepdims=True))
    pull = g * (1 - rest / jnp.where(lengths > 0, lengths, jnp.inf)) * steps
    moved = jnp.zeros_like(points).at[ends[:, 1]].add(pull).at[ends[:, 0]].add(-pull)
    return moved, None, jnp.zeros_like(rest)


_energy.defvjp(_forward, _backward)


def spring_energy(points, ends, rest):
    return _energy(points, ends, rest)


# %% once missed
# %% asks_for_a_length
# A Python `if` skips springs of length 0, but a traced length has no value.
# Breaks: Returns 4
# Fails: test_the_gradient_is_right_where_nobody_meets, test_a_spring_without_length_pulls_nobody,
# test_it_holds_in_a_batch, test_short_springs_keep_their_length
def spring_energy(points, ends, rest):
    total = 0.0
    for step in _steps(points, ends):
        square = jnp.sum(step**2)
        length = jnp.sqrt(square) if square > 0 else 0.0
        total = total + (length - rest) ** 2 / 2
    return jnp.float32(total)
