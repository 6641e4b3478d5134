"""predict_traces(): twelve predictions, compared with counts that are made during the test.

The answer is a list of Python ints, so no program is judged.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

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


def check(submission, *cases):
    predicted = submission.predict_traces()
    for case in cases:
        assert predicted[case] == CASES[case]()


@pytest.mark.words
@pytest.mark.hint("Return a list with one int per case, from case 0 to case 11.")
def test_there_is_a_number_for_each_case(submission):
    """The result is a list of twelve positive ints, and a second call returns the same."""
    predicted = submission.predict_traces()
    assert type(predicted) is list and len(predicted) == len(CASES)
    assert all(type(number) is int and number > 0 for number in predicted)
    # Traces that are counted may be kept from the first call.
    assert submission.predict_traces() == predicted


@pytest.mark.words
@pytest.mark.hint(
    "Cases 0, 3 and 4: a tracer has no value, and doesn't know which library made the array."
)
def test_values_do_not_matter(submission):
    """Cases 0, 3 and 4: the calls differ in values, or in the library that made the arrays."""
    check(submission, 0, 3, 4)


@pytest.mark.words
@pytest.mark.hint("Cases 1 and 2: write down the shape and the dtype of every argument.")
def test_shapes_and_dtypes_matter(submission):
    """Cases 1 and 2: the calls differ in shapes and dtypes."""
    check(submission, 1, 2)


@pytest.mark.words
@pytest.mark.hint("Cases 5 and 6: look up weak types. What is the dtype of True?")
def test_python_numbers_have_types_of_their_own(submission):
    """Cases 5 and 6: Python numbers of several types, and scalars that have a dtype."""
    check(submission, 5, 6)


@pytest.mark.words
@pytest.mark.hint("Case 7: for which arguments does a value count?")
def test_static_values_matter(submission):
    """Case 7: an argument is static."""
    check(submission, 7)


@pytest.mark.words
@pytest.mark.hint("Case 8: is a default value traced, and is a keyword the same as a position?")
def test_the_way_of_passing_matters(submission):
    """Case 8: one argument is left out, passed by position, or passed by keyword."""
    check(submission, 8)


@pytest.mark.words
@pytest.mark.hint("Case 9: tracing also sees the structure of a pytree.")
def test_containers_matter(submission):
    """Case 9: the arrays come in containers."""
    check(submission, 9)


@pytest.mark.words
@pytest.mark.points(3)
@pytest.mark.hint("Cases 10 and 11: by what does jit find a stored trace again?")
def test_traces_belong_to_the_function(submission):
    """Cases 10 and 11: `jit` is called again."""
    check(submission, 10, 11)
