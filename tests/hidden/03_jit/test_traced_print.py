"""traced_print(x): what is printed while JAX traces, and what in every call.

The numbers are small and whole, so their sums are printed in one way only. A program that prints
can't be exported, so no program is judged.
"""

import contextlib
import io

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case


def draw(rng, *lengths):
    """A vector of whole numbers for each length."""
    return [rng.integers(-9, 10, size=n).astype(np.float32) for n in lengths]


def printed(traced_print, xs):
    """What each call prints."""
    texts = []
    for x in xs:
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            traced_print(x)
            jax.effects_barrier()
        texts.append(text.getvalue())
    return texts


def lines(submission, xs, start):
    """For each call, its lines that begin with this word."""
    texts = submission.traced_print.used_by(printed).reported()(xs)
    return [[row for row in text.splitlines() if row.startswith(start)] for text in texts]


WRONG = "The line `sum: ...` is missing, printed twice, or has another number."


@pytest.mark.points(2)
@pytest.mark.hint("The sum has a value when the program runs, not while Python does.")
def test_the_sum_is_printed_and_returned(submission, rng):
    """A call prints the sum of the squares, and returns it."""
    for n in (4, 1, 7):
        (x,) = draw(rng, n)
        with case("what is printed", hint="Is it the value, or a placeholder?"):
            assert lines(submission, [x], "sum") == [[f"sum: {(x**2).sum()}"]], WRONG
        with case("what is returned", hint="Square each number, and add up the squares."):
            assert_close(submission.traced_print(x), np.float32((x**2).sum()))


@pytest.mark.points(3)
@pytest.mark.hint("Python's `print` isn't part of the program. Which one is?")
def test_every_call_prints_its_sum(submission, rng):
    """Of four calls with vectors of one length, each prints its own sum."""
    xs = draw(rng, 4, 4, 4, 4)
    for k, (x, rows) in enumerate(zip(xs, lines(submission, xs, "sum"), strict=True), start=1):
        with case(f"in call {k}", hint="What prints in this call: Python, or the program?"):
            assert rows == [f"sum: {(x**2).sum()}"], WRONG


@pytest.mark.points(3)
@pytest.mark.hint("Which kind of `print` runs while JAX traces? And what compiles the function?")
def test_it_is_traced_once(submission, rng):
    """Of four calls with vectors of one length, only the first prints `traced`."""
    found = lines(submission, draw(rng, 5, 5, 5, 5), "traced")
    with case("in the first call", hint="Python's `print` prints while JAX traces."):
        assert found[0] == ["traced"], "The line `traced` is missing, or printed twice."
    with case("in later calls", hint="A compiled function doesn't run Python again."):
        assert not any(found[1:]), "The line `traced` is printed again."


@pytest.mark.points(2)
@pytest.mark.hint("Let `jit` decide when the function is traced. Don't count calls yourself.")
def test_another_length_is_traced_again(submission, rng):
    """The first vector of each length prints `traced`, and the second one doesn't."""
    found = lines(submission, draw(rng, 3, 6, 3, 6), "traced")
    assert found == [["traced"], ["traced"], [], []], "The line is printed in other calls."
