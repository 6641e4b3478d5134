"""predict_traces(): twelve predictions, compared with counts that are made during the test.

The answer is a list of Python ints, so no program is judged. A report names the case that is wrong,
and not the right number.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import case

X = jnp.arange(3.0)


def counted(*calls, renew=None, **keywords):
    """How often `g` is traced when it is compiled and called on each tuple of arguments.

    A dict at the end of a tuple holds keyword arguments. With `renew`, each call uses a new
    function `renew(g)`.
    """
    count = 0

    def g(x, scale=2.0):
        nonlocal count
        count += 1
        return jax.tree.map(lambda leaf: scale * leaf, x)

    compiled = jax.jit(g, **keywords)
    for call in calls:
        f = renew(g) if renew else compiled
        named = call[-1] if isinstance(call[-1], dict) else {}
        f(*call[: len(call) - bool(named)], **named)
    return count


CASES = {
    0: lambda: counted((X,), (X + 1,), (-X,)),
    1: lambda: counted((X,), (X[:2],), (X[1:],), (X[None],)),
    2: lambda: counted((X,), (X > 1,), (X.astype(int),), (X + 1,)),
    3: lambda: counted((X,), (np.asarray(X),), (X,)),
    4: lambda: counted((1.5,), (-2.5,), (4.5,)),
    5: lambda: counted((1.0,), (1,), (True,), (2,)),
    6: lambda: counted((2.0,), (jnp.float32(2.0),), (np.float32(3.0),)),
    7: lambda: counted((X, 2), (X, 3), (X, 2), static_argnums=1),
    8: lambda: counted((X,), (X, 2.0), (X, {"scale": 2.0})),
    9: lambda: counted(([X, X],), ((X, X),), ([X + 1, X],), ([X, X, X],)),
    10: lambda: counted((X,), (X,), (X,), renew=jax.jit),
    11: lambda: counted((X,), (X,), (X,), renew=lambda g: jax.jit(lambda x: g(x))),
}

HINTS = {
    0: "What does a tracer know about the array that it stands for?",
    1: "Write down the shape of each argument. Which of them are equal?",
    2: "Write down the dtype of each argument. Which of them are equal?",
    3: "What shape and dtype does the NumPy array have?",
    4: "Is a Python float an argument like any other, or part of the program?",
    5: "What are the dtypes of a Python int and of True?",
    6: "Look up weak types. Which of these numbers have a dtype of their own?",
    7: "For which argument does the value matter?",
    8: "Is a default value traced, and is a keyword the same as a position?",
    9: "Tracing also sees the structure of a pytree. Write it down for each argument.",
    10: "What does `jit` use to look up a stored trace?",
    11: "Which function does `jit` get in each round?",
}


def check(submission, *numbers):
    predicted = submission.predict_traces()
    for number in numbers:
        with case(f"in case {number}", hint=HINTS[number]):
            right = predicted[number] == CASES[number]()
            assert right, "`g` is traced more often or less often than you predict."


@pytest.mark.words
@pytest.mark.hint("Return a list with one int per case, from case 0 to case 11.")
def test_there_is_a_number_for_each_case(submission):
    """The result is a list of twelve positive ints."""
    predicted = submission.predict_traces()
    assert type(predicted) is list and len(predicted) == len(CASES), "It isn't a list of twelve."
    ints = all(type(number) is int and number > 0 for number in predicted)
    assert ints, "An entry of the list isn't a positive Python int."


@pytest.mark.words
@pytest.mark.points(2)
def test_values_do_not_matter(submission):
    """Cases 0, 3 and 4: the calls differ in values, or in the library that made the arrays."""
    check(submission, 0, 3, 4)


@pytest.mark.words
@pytest.mark.points(2)
def test_shapes_dtypes_and_containers_matter(submission):
    """Cases 1, 2 and 9: the calls differ in shapes, dtypes or containers."""
    check(submission, 1, 2, 9)


@pytest.mark.words
def test_python_numbers_have_types_of_their_own(submission):
    """Cases 5 and 6: Python numbers of several types, and scalars that have a dtype."""
    check(submission, 5, 6)


@pytest.mark.words
def test_the_way_of_passing_matters(submission):
    """Cases 7 and 8: an argument is static, is left out, or is passed by keyword."""
    check(submission, 7, 8)


@pytest.mark.words
@pytest.mark.points(3)
def test_traces_belong_to_the_function(submission):
    """Cases 10 and 11: `jit` is called again."""
    check(submission, 10, 11)
