"""predict_faster(): twelve predictions, compared with operations that are counted in the test.

The answer is a list of strings, so no program of a student's is judged. XLA counts the operations
of each compiled program, so no clock is asked. Nowhere is the ratio near the limit of 4: it is
below 2.1, or above 15. A report names the pair that is wrong, and not the right answer.
"""

import jax
import jax.numpy as jnp
import pytest

from grader.suite import case

FIRST, SECOND = jnp.ones((100, 100)), jnp.ones((100, 100))
FEW, ROWS = jnp.ones((3, 100)), jnp.ones((20, 100))
POINT, WAY = jnp.ones(100), jnp.ones(100)


def scalar(m, v):
    return jnp.sum(jnp.sin(m @ v))


def three(m, w, v):
    return jnp.sin(w @ jnp.sin(m @ v))


def chosen(x):
    return jax.lax.cond(x > 0, jnp.sin, jnp.cos, x)


def along(m, v, u):
    return jax.jvp(lambda at: jax.grad(scalar, 1)(m, at), (v,), (u,))[1]


PRODUCT = (FIRST, SECOND)
CASES = {
    0: (lambda m, n, v: (m @ n) @ v, lambda m, n, v: m @ (n @ v), *PRODUCT, POINT),
    1: (lambda m, n: jnp.sum(m * n.T), lambda m, n: jnp.trace(m @ n), *PRODUCT),
    2: (lambda m, n: (m @ n)[0], lambda m, n: m[0] @ n, *PRODUCT),
    3: (lambda m, v: v[:, None] * m, lambda m, v: jnp.diag(v) @ m, FIRST, POINT),
    4: (lambda v: jnp.sin(v) * jnp.sin(v), lambda v: jnp.sin(v) ** 2, POINT),
    5: (lambda m, n: (m @ n, m + n)[1], lambda m, n: m + n, *PRODUCT),
    6: (
        lambda m, v: (scalar(m, v), jax.grad(scalar, 1)(m, v)),
        jax.value_and_grad(scalar, 1),
        FIRST,
        POINT,
    ),
    7: (lambda m, x: jnp.stack([m @ row for row in x]), lambda m, x: x @ m.T, FIRST, ROWS),
    8: (jax.vmap(chosen), lambda v: jnp.where(v > 0, jnp.sin(v), jnp.cos(v)), POINT),
    9: (jax.jacrev(three, 2), jax.jacfwd(three, 2), FIRST, FEW, POINT),
    10: (lambda m, v, u: jax.hessian(scalar, 1)(m, v) @ u, along, FIRST, POINT, WAY),
    11: (scalar, jax.grad(scalar, 1), FIRST, POINT),
}

HINTS = {
    0: "How many numbers does the first product of each way have?",
    1: "How many numbers of the product does the trace need?",
    2: "How many numbers are computed and then thrown away? Does the compiler know it?",
    3: "How many zeros are multiplied?",
    4: "What does the compiler do with one operation that is written twice?",
    5: "What does the compiler do with a result that nobody needs?",
    6: "What of the gradient is also needed for the value?",
    7: "Count the sums of products on both sides.",
    8: "What becomes of `cond` if each element has a condition of its own?",
    9: "How many outputs does `h` have, and how many inputs?",
    10: "How many numbers does the Hessian have? Are all of them needed?",
    11: "How often does reverse mode do the work of the function, if there is one output?",
}


def work(function, *args):
    counts = jax.jit(function).lower(*args).compile().cost_analysis()
    return counts.get("flops", 0) + counts.get("transcendentals", 0)


def less(first, second, *args):
    a, b = work(first, *args), work(second, *args)
    return "A" if 4 * a < b else "B" if 4 * b < a else "same"


def check(submission, *numbers):
    predicted = submission.predict_faster()
    for number in numbers:
        with case(f"in pair {number}", hint=HINTS[number]):
            right = predicted[number] == less(*CASES[number])
            assert right, "The operations of the two ways are not as you predict."


@pytest.mark.words
@pytest.mark.hint('Return a list with "A", "B" or "same" for each pair, from pair 0 to pair 11.')
def test_there_is_an_answer_for_each_pair(submission):
    """The result is a list of twelve strings, each of them "A", "B" or "same"."""
    predicted = submission.predict_faster()
    assert type(predicted) is list and len(predicted) == len(CASES), "It is no list of twelve."
    known = all(type(answer) is str and answer in ("A", "B", "same") for answer in predicted)
    assert known, 'An entry of the list is none of "A", "B" and "same".'


@pytest.mark.words
@pytest.mark.points(3)
def test_products_of_matrices(submission):
    """Pairs 0 to 3: a product of two matrices is computed, or avoided."""
    check(submission, 0, 1, 2, 3)


@pytest.mark.words
@pytest.mark.points(2)
def test_what_the_compiler_does(submission):
    """Pairs 4 to 6: something is written twice, or is not needed."""
    check(submission, 4, 5, 6)


@pytest.mark.words
@pytest.mark.points(2)
def test_many_at_once(submission):
    """Pairs 7 and 8: one function of many rows or numbers."""
    check(submission, 7, 8)


@pytest.mark.words
@pytest.mark.points(2)
def test_derivatives(submission):
    """Pairs 9 to 11: derivatives in two modes, and of two orders."""
    check(submission, 9, 10, 11)
