"""What a text promises, and which tests hold it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner

from grader.author.promises import promises, write
from grader.cli import main
from grader.course.course import Course

Maker = Callable[..., Course]
STUB = '''
    """Twice a number. Or an array."""


    def double(x):
        """Return `2 * x`.

        Arrays of any
        length are fine.

        Args:
            x: a number, or an array of
                numbers. It may be empty.
            y: nothing.

        Returns:
            The same kind as `x`.

            NaN stays NaN.

        Examples:
            >>> double(3)
            6

        Details:
            It is slow.
        """
        raise NotImplementedError
'''
SUITE = '''
    def test_arrays(submission):
        """Arrays."""

    def test_numbers(submission):
        """Numbers."""

    def test_more(submission):
        """More."""
'''
HELD = """\
x: a number, or an array of numbers.
    test_arrays, test_numbers
It may be empty.
    test_numbers, test_gone
y: something.
    test_numbers
The same kind as `x`.
Arrays of any length
    test_arrays
"""
NAME = "tests/hidden/01_first/test_double"


def course_with(make_course: Maker, folder: Path, held: str) -> Course:
    files = {"exercises/01_first/double.py": STUB, f"{NAME}.py": SUITE}
    return make_course(folder, files | ({f"{NAME}.promises": held} if held else {}))


def test_each_sentence_has_the_tests_that_hold_it(make_course: Maker, tmp_path: Path) -> None:
    course = course_with(make_course, tmp_path, HELD)
    assert promises(course, course["double"]).held == (
        ("x: a number, or an array of numbers.", ("test_arrays", "test_numbers")),
        ("It may be empty.", ("test_numbers", "test_gone")),
        ("y: nothing.", ()),
        ("The same kind as `x`.", ()),
        ("NaN stays NaN.", ()),
        ("It is slow.", ()),
        ("y: something.", ("test_numbers",)),
        ("Arrays of any length", ("test_arrays",)),
    )


def test_what_is_not_promised_or_not_held_is_a_problem(make_course: Maker, tmp_path: Path) -> None:
    course = course_with(make_course, tmp_path, HELD)
    found = promises(course, course["double"]).problems
    assert [(problem.where, problem.what) for problem in found] == [
        (f"{NAME}.promises", "no test holds `y: nothing.`"),
        (f"{NAME}.promises", "no test holds `The same kind as `x`.`"),
        (f"{NAME}.promises", "no test holds `NaN stays NaN.`"),
        (f"{NAME}.promises", "no test holds `It is slow.`"),
        (f"{NAME}.promises", "holds `y: something.`, and the stub doesn't say so"),
        (f"{NAME}.promises", "names `test_gone`, which is no test of the suite"),
        (f"{NAME}.py::test_more", "holds no sentence of the text"),
    ]


def test_a_sentence_that_changed_a_little_keeps_its_tests(
    make_course: Maker, tmp_path: Path
) -> None:
    course = course_with(make_course, tmp_path, HELD.replace("y: something", "y: nothing more"))
    exercise = course["double"]
    assert write(course, exercise)
    assert course.promises(exercise).read_text() == (
        "x: a number, or an array of numbers.\n    test_arrays, test_numbers\n"
        "It may be empty.\n    test_numbers\n"
        "y: nothing.\n    test_numbers\n"
        "The same kind as `x`.\n\nNaN stays NaN.\n\nIt is slow.\n\n"
        "Arrays of any length\n    test_arrays\n"
    )
    assert not write(course, exercise)


def test_without_a_file_nothing_is_asked(make_course: Maker, tmp_path: Path) -> None:
    course = course_with(make_course, tmp_path, "")
    assert promises(course, course["double"]).problems == ()


def test_the_command_writes_lists_and_names_problems(make_course: Maker, tmp_path: Path) -> None:
    course = course_with(make_course, tmp_path, HELD)
    command = ["promises", "--write", "--course", str(course.root)]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 1
    assert done.stdout.startswith(
        "01_first/double\n    x: a number, or an array of numbers.\n"
        "        test_arrays, test_numbers\n    It may be empty.\n        test_numbers\n"
    )
    assert "no test holds `NaN stays NaN.`" in done.stdout
