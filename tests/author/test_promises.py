"""What a text promises, and which tests quote it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner

from grader.author.promises import marked_tests, promises
from grader.cli import main
from grader.course import Course

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
        """
        raise NotImplementedError
'''
SUITE = '''
    import pytest

    @pytest.mark.promise("an array of numbers", "The same kind")
    def test_arrays(submission):
        """Arrays."""

    @pytest.mark.points(2)
    @pytest.mark.promise(
        "an array of numbers. It may be empty."
    )
    @pytest.mark.promise("Arrays of any length")
    def test_numbers(submission):
        """Numbers."""

    @pytest.mark.promise("It is fast.")
    def test_speed(submission):
        """Speed."""

    def test_more(submission):
        """More."""
'''


def course_with(make_course: Maker, folder: Path, suite: str) -> Course:
    files = {"exercises/01_first/double.py": STUB, "tests/hidden/01_first/test_double.py": suite}
    return make_course(folder, files)


def test_each_sentence_has_the_tests_that_quote_it(make_course: Maker, tmp_path: Path) -> None:
    course = course_with(make_course, tmp_path, SUITE)
    assert promises(course, course["double"]).held == (
        ("x: a number, or an array of numbers.", ("test_arrays", "test_numbers")),
        ("It may be empty.", ("test_numbers",)),
        ("y: nothing.", ()),
        ("The same kind as `x`.", ("test_arrays",)),
        ("NaN stays NaN.", ()),
    )


def test_what_is_not_promised_or_not_held_is_a_problem(make_course: Maker, tmp_path: Path) -> None:
    course = course_with(make_course, tmp_path, SUITE)
    suite, stub = "tests/hidden/01_first/test_double.py", "exercises/01_first/double.py"
    found = promises(course, course["double"]).problems
    assert [(problem.where, problem.what) for problem in found] == [
        (f"{suite}::test_speed", "quotes `It is fast.`, and no docstring of the stub says so"),
        (f"{suite}::test_more", "quotes no promise of the text, as other tests of the suite do"),
        (stub, "promises `y: nothing.`, and no test quotes it"),
        (stub, "promises `NaN stays NaN.`, and no test quotes it"),
    ]


def test_a_suite_that_quotes_nothing_has_no_problem(make_course: Maker, tmp_path: Path) -> None:
    course = course_with(make_course, tmp_path, "def test_it(submission): pass")
    assert promises(course, course["double"]).problems == ()


def test_a_test_in_a_class_is_left_out(tmp_path: Path) -> None:
    suite = tmp_path / "test_double.py"
    suite.write_text("class TestKinds:\n    def test_in(self): pass\ndef test_out(): pass\n")
    assert [test.name for test in marked_tests(suite)] == ["test_out"]


def test_the_command_lists_sentences_and_problems(make_course: Maker, tmp_path: Path) -> None:
    course = course_with(make_course, tmp_path, SUITE)
    command = ["promises", "--course", str(course.root)]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 1
    assert done.stdout.startswith(
        "01_first/double\n    x: a number, or an array of numbers.\n"
        "        test_arrays, test_numbers\n    It may be empty.\n        test_numbers\n"
    )
    assert "Copy a part of a sentence." in done.stdout
