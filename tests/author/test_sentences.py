"""The sentences of a text, and the wrong answers that break them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.author.sentences import problems, sentences
from grader.course.course import Course

STUB = '''
    """Twice a number. Or an array."""


    def double(x):
        """Return `2 * x`.

        Args:
            x: a number. It may be an array.

        Returns:
            The same kind
            as `x`. NaN stays NaN.

        Raises:
            ValueError: x is a string.
            TypeError: x is None.

        Examples:
            >>> double(3)
            6

        Details:
            It is slow.
        """
        raise NotImplementedError


    def triple(x):
        """Return `3 * x`.

        Returns:
            A number.
        """
        raise NotImplementedError
'''
SUITE = '''
    def test_arrays(submission):
        """Arrays."""

    def test_numbers(submission):
        """Numbers."""
'''
ALL = "Returns 1, Returns 2, Raises 1,\n    # Raises 2, Details 1, Returns 3"


def found(make_course: Callable[..., Course], folder: Path, *cells: tuple[str, str]) -> list[str]:
    wrong = "\n\n".join(
        f"    # %% wrong{n}\n    # Wrong.\n    # Breaks: {breaks}\n    # Fails: {fails}\n    x = 1"
        for n, (breaks, fails) in enumerate(cells)
    )
    files = {
        "exercises/01_first/double.py": STUB,
        "tests/hidden/01_first/test_double.py": SUITE,
        "solutions/01_first/double.wrong.py": wrong.replace("    # Breaks: \n", ""),
    }
    course = make_course(folder, files)
    return [f"{p.where}: {p.what}" for p in problems(course, course.exercises[0])]


def test_sentences_are_counted_in_their_section() -> None:
    assert sentences(STUB.replace("\n    ", "\n")) == {
        "Returns 1": "The same kind as `x`.",
        "Returns 2": "NaN stays NaN.",
        "Raises 1": "ValueError: x is a string.",
        "Raises 2": "TypeError: x is None.",
        "Details 1": "It is slow.",
        "Returns 3": "A number.",
    }


def test_without_a_sentence_nothing_is_compared(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    assert found(make_course, tmp_path, ("", "test_arrays")) == []


def test_every_sentence_is_broken_and_every_test_is_lost(
    make_course: Callable[..., Course], tmp_path: Path
) -> None:
    assert found(make_course, tmp_path, (ALL, "test_arrays, test_numbers")) == []


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        (
            [(ALL.replace("Returns 2, ", ""), "test_arrays, test_numbers")],
            ["exercises/01_first/double.py: no wrong answer breaks `Returns 2`: NaN stays NaN."],
        ),
        (
            [(ALL, "test_arrays"), ("", "test_numbers")],
            [
                "tests/hidden/01_first/test_double.py::test_numbers: is lost by no wrong answer "
                "that breaks a sentence of the text"
            ],
        ),
        (
            [(f"{ALL}, Details 2", "test_arrays, test_numbers")],
            [
                "solutions/01_first/double.wrong.py:1: `wrong0` breaks `Details 2`, but the stub "
                "has no such sentence"
            ],
        ),
    ],
)
def test_what_nothing_holds_is_a_problem(
    make_course: Callable[..., Course],
    tmp_path: Path,
    cells: list[tuple[str, str]],
    wanted: list[str],
) -> None:
    assert found(make_course, tmp_path, *cells) == wanted
