"""predict_slopes(): twelve predictions, compared with derivatives that are taken during the test.

The answer is a list of numbers, so no program is judged. A report names the case that is wrong, and
not the right slope.
"""

import math

import jax
import jax.numpy as jnp
import pytest

from grader.suite import case

stop = jax.lax.stop_gradient


def chosen_twice(x):
    safe = jnp.where(x > 0, x, 1.0)
    return jnp.where(x > 0, jnp.sqrt(safe), 0.0)


CASES = {
    0: (jnp.abs, 0.0),
    1: (jax.nn.relu, 0.0),
    2: (lambda x: jnp.maximum(x, 0.0), 0.0),
    3: (lambda x: jnp.maximum(3 * x, x * x), 3.0),
    4: (lambda x: jnp.where(x > 0, x * x, -x), 0.0),
    5: (lambda x: jnp.round(x) * x, 2.6),
    6: (lambda x: stop(x) * x, 3.0),
    7: (lambda x: x + stop(jnp.round(x) - x), 2.6),
    8: (jnp.sqrt, 0.0),
    9: (lambda x: jnp.where(x > 0, jnp.sqrt(x), 0.0), 0.0),
    10: (chosen_twice, 0.0),
    11: (lambda x: x + jnp.nan, 1.0),
}

HINTS = {
    0: (
        "Which slopes does this function have on the two sides of 0? Try out which one the rule "
        "takes."
    ),
    1: "This function has its own derivative. Try it out at 0.",
    2: "Both sides are equal here. Is one preferred?",
    3: "Both sides are equal here. Which slopes do they have?",
    4: "Which side does the condition choose at 0?",
    5: "What is the slope of a step function? The rest is a product.",
    6: "Write down a number for what is stopped, and differentiate the product.",
    7: "Write down a number for what is stopped, and differentiate the sum.",
    8: "Write down the derivative of a root, and put the number in.",
    9: "What weight does the slope of the other side get? Multiply.",
    10: "Which number's root is taken here? Does its slope count?",
    11: "Does the slope of a sum depend on its value?",
}


def check(submission, *numbers):
    predicted = submission.predict_slopes()
    for number in numbers:
        with case(f"in case {number}", hint=HINTS[number]):
            function, x = CASES[number]
            slope, yours = float(jax.grad(function)(x)), float(predicted[number])
            right = math.isclose(yours, slope, rel_tol=1e-6) or str(yours) == str(slope)
            assert right, "The slope differs from your prediction."


@pytest.mark.words
@pytest.mark.hint("Return a list with one number or string per case, from case 0 to case 11.")
def test_there_is_a_slope_for_each_case(submission):
    """The result is a list of twelve floats, with "inf" and "nan" as strings."""
    predicted = submission.predict_slopes()
    assert type(predicted) is list and len(predicted) == len(CASES), "It isn't a list of twelve."
    for slope in predicted:
        fine = slope in ("inf", "nan") if type(slope) is str else type(slope) in (int, float)
        assert fine, 'An entry is neither a Python float nor one of the strings "inf" and "nan".'


@pytest.mark.words
@pytest.mark.points(3)
def test_kinks_and_ties(submission):
    """Cases 0 to 4: a function has two slopes at one place."""
    check(submission, 0, 1, 2, 3, 4)


@pytest.mark.words
@pytest.mark.points(2)
def test_what_has_no_slope(submission):
    """Cases 5 to 7: part of the function is a constant for derivatives."""
    check(submission, 5, 6, 7)


@pytest.mark.words
@pytest.mark.points(3)
def test_a_slope_that_is_not_chosen(submission):
    """Cases 8 to 10: a slope is infinite, and `where` chooses."""
    check(submission, 8, 9, 10)


@pytest.mark.words
def test_a_value_that_is_nan(submission):
    """Case 11: the value of a function is NaN."""
    check(submission, 11)
