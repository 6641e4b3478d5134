"""predict_sizes(): twelve predictions, compared with derivatives that are taken during the test.

The answer is a list of tuples, so no program is judged. A report names the case that is wrong, and
not the right shape.
"""

import jax
import jax.numpy as jnp
import pytest

from grader.suite import case

MATRIX = jnp.ones((2, 3))
VECTOR = jnp.ones(3)
BATCH = jnp.ones((5, 3))


def linear(vector):
    return MATRIX @ vector


def cubes(vector):
    return jnp.sum(vector**3)


CASES = {
    0: lambda: jax.jacfwd(linear)(VECTOR),
    1: lambda: jax.jacrev(linear)(VECTOR),
    2: lambda: jax.jacfwd(jnp.sum)(VECTOR),
    3: lambda: jax.jacfwd(jnp.sin)(VECTOR),
    4: lambda: jax.jacrev(lambda matrix: matrix @ VECTOR)(MATRIX),
    5: lambda: jax.hessian(linear)(VECTOR),
    6: lambda: jax.hessian(jnp.sum)(MATRIX),
    7: lambda: jax.jvp(linear, (VECTOR,), (VECTOR,))[1],
    8: lambda: jax.vjp(linear, VECTOR)[1](linear(VECTOR))[0],
    9: lambda: jax.jvp(jax.grad(cubes), (VECTOR,), (VECTOR,))[1],
    10: lambda: jax.vmap(jax.jacrev(linear))(BATCH),
    11: lambda: jax.jacrev(jax.vmap(linear))(BATCH),
}

HINTS = {
    0: "Which axes come first, those of the output or those of the input?",
    1: "Does the mode change what is computed, or only how?",
    2: "Which axes does a scalar have?",
    3: "How many outputs does the function have, and how many inputs?",
    4: "Which argument is the derivative taken in? Which axes does it have?",
    5: "Take the derivative of the Jacobian of case 0.",
    6: "Which axes does the gradient of this sum have? Take its derivative.",
    7: "Is it a change of the input or of the output?",
    8: "Does `vjp` go from the input to the output, or back?",
    9: "Which axes do the gradient and its change have?",
    10: "What does one example give? Where does `vmap` put the batch?",
    11: "Here, the function gets the whole batch. What are its output and its input?",
}


def check(submission, *numbers):
    predicted = submission.predict_sizes()
    for number in numbers:
        with case(f"in case {number}", hint=HINTS[number]):
            shape = predicted[number]
            assert type(shape) is tuple, f"Your entry isn't a tuple, but a {type(shape).__name__}."
            right = shape == CASES[number]().shape
            assert right, "The derivative has another shape than you predict."


@pytest.mark.words
@pytest.mark.hint("Return a list with one tuple per case, from case 0 to case 11.")
def test_there_is_a_shape_for_each_case(submission):
    """The result is a list of twelve tuples of ints."""
    predicted = submission.predict_sizes()
    assert type(predicted) is list and len(predicted) == len(CASES), "It isn't a list of twelve."
    assert all(type(shape) is tuple for shape in predicted), "An entry of the list isn't a tuple."
    ints = all(type(length) is int for shape in predicted for length in shape)
    assert ints, "A shape contains something that isn't a Python int."


@pytest.mark.words
@pytest.mark.points(3)
def test_outputs_come_before_inputs(submission):
    """Cases 0 and 1: the Jacobian of a linear function, in both modes."""
    check(submission, 0, 1)


@pytest.mark.words
def test_all_axes_are_kept(submission):
    """Cases 2 to 4: the output or the input is a scalar, a vector or a matrix."""
    check(submission, 2, 3, 4)


@pytest.mark.words
@pytest.mark.points(2)
def test_second_derivatives(submission):
    """Cases 5 and 6: the Hessians of a vector and of a scalar."""
    check(submission, 5, 6)


@pytest.mark.words
@pytest.mark.points(2)
def test_products_are_small(submission):
    """Cases 7 to 9: products of a derivative and a vector."""
    check(submission, 7, 8, 9)


@pytest.mark.words
def test_a_batch_inside_or_outside(submission):
    """Cases 10 and 11: a Jacobian of a batch, and a batch of Jacobians."""
    check(submission, 10, 11)
