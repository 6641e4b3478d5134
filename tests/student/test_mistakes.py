"""A wrong answer that the course knows is recognised by what it shows in the examples."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.author import known_mistakes, static
from grader.cli import main
from grader.course.course import Course
from grader.intake import cells
from grader.records.model import Exercise, Problem
from grader.student.check import check
from grader.student.mistakes import Mistake, read, recognised
from tests.conftest import CourseMaker

STUB = '''
def double(x):
    """Return twice `x`.

    >>> double(3)
    6
    >>> double(0.5)
    1.0
    """
    raise NotImplementedError
'''
WRONG = """
# %% squared
# The number is multiplied by itself.
# Fails: test_one
def double(x):
    return x * x


# %% halved
# The number is divided by two.
# Fails: test_one
def double(x):
    return x / 2


# %% zero
# Nothing comes out.
# Fails: test_one
def double(x):
    return 0


# %% text
# A number is expected, and a text is taken.
# Fails: test_one
def double(x):
    return x + "x"
"""


@pytest.fixture
def course(make_course: CourseMaker, tmp_path: Path) -> Course:
    files = {
        "exercises/01_first/double.py": STUB,
        "solutions/01_first/double.py": "def double(x):\n    return 2 * x\n",
        "solutions/01_first/double.wrong.py": WRONG,
    }
    return make_course(tmp_path, files)


EXERCISE = "01_first/double"
WRITTEN = "1 exercise with new lines; 0 of 1 were up to date\n"
UP_TO_DATE = "0 exercises with new lines; 1 of 1 were up to date\n"


def written(course: Course) -> tuple[Mistake, ...]:
    assert known_mistakes.write(course, course.exercises, [], on_step=lambda _: None) == 1
    return read(course.known_mistakes, EXERCISE)


def mistake(says: str, *shows: tuple[str, str], todo: str = "") -> Mistake:
    return Mistake(EXERCISE, says, todo, shows)


def first_sentence(course: Course, answer: str) -> str:
    stub = course.stub(course["double"])
    stub.write_text(STUB.replace("raise NotImplementedError", answer), encoding="utf-8")
    return check(course, course.exercises)[0].findings[0].sentence


@pytest.mark.slow
def test_a_mistake_that_comes_out_the_same_is_named(course: Course) -> None:
    found = written(course)
    assert [mistake.says for mistake in found] == [
        "A number is expected, and a text is taken.",
        "Nothing comes out.",
        "The number is divided by two.",
        "The number is multiplied by itself.",
    ]
    assert found[-1].shows == (("double(3)", "9"), ("double(0.5)", "0.25"))
    said = (
        "Your function gives the same results as this mistake: The number is multiplied by itself."
    )
    assert first_sentence(course, "return x**2") == said
    # Zero comes out of many mistakes, and so does a TypeError.
    assert first_sentence(course, "return 0") != said
    assert "known mistake" not in first_sentence(course, "return 0 * x")
    assert "known mistake" not in first_sentence(course, "return 2 * x + 1")


def test_what_depends_on_the_machine_is_declared_and_left_out(course: Course) -> None:
    """Else a busy machine would write another file than a quiet one."""
    ending = "\n\n# %% ends\n# It ends.\n{}# Fails: test_one\ndef double(x):\n    "
    before, place = course.wrong(course["double"]).read_text(), course.wrong(course["double"])
    place.write_text(f"{before}{ending.format('')}__import__('os')._exit(1)\n")
    wrong: list[Problem] = []
    assert known_mistakes.write(course, course.exercises, wrong, on_step=lambda _: None) == 0
    (problem,) = wrong
    assert problem.where == "solutions/01_first/double.wrong.py::ends"
    assert problem.what == "its examples died, so what they show depends on the machine"
    assert not course.known_mistakes.exists()
    declared = ending.format(f"# {cells.UNSTEADY}\n")
    place.write_text(f"{before}{declared}__import__('os')._exit(1)\n")
    assert len(written(course)) == 4
    assert known_mistakes.is_fresh(course, course["double"])


def test_what_another_machine_has_rounded_stays_as_it_is(course: Course) -> None:
    written(course)
    rounded = course.known_mistakes.read_text().replace('"0.25"', '"0.25000001"')
    course.known_mistakes.write_text(rounded)
    done = known_mistakes.write(course, course.exercises, [], again=True, on_step=lambda _: None)
    assert (done, course.known_mistakes.read_text()) == (0, rounded)
    course.known_mistakes.write_text(rounded.replace('"0.25000001"', '"0.26"'))
    assert (
        known_mistakes.write(course, course.exercises, [], again=True, on_step=lambda _: None) == 1
    )


def test_the_tests_that_an_answer_loses_make_nothing_stale(course: Course) -> None:
    written(course)
    wrong = course.wrong(course["double"])
    wrong.write_text(WRONG.replace("# Fails: test_one", "# Fails: test_one,\n# test_two"))
    assert known_mistakes.is_fresh(course, course["double"])


def test_a_file_that_is_edited_meanwhile_makes_the_lines_stale(course: Course) -> None:
    def edit(_: str) -> None:
        with course.solution(course["double"]).open("a") as solution:
            solution.write("# Edited while it is tried.\n")

    known_mistakes.write(course, course.exercises, [], on_step=edit)
    assert known_mistakes.is_stale(course, course["double"])


def test_lines_are_sorted_and_those_of_other_exercises_stay(course: Course) -> None:
    others = [f'{{"exercise": "01_first/{name}", "says": ""}}\n' for name in ("zeta", "alpha")]
    course = replace(
        course,
        exercises=(*course.exercises, Exercise("01_first/zeta", "", ())),
        catalogued=(*course.exercises, Exercise("01_first/zeta", "", ())),
    )
    course.known_mistakes.write_text("".join(others))
    known_mistakes.write(course, course.exercises[:1], [], on_step=lambda _: None)
    lines = course.known_mistakes.read_text().splitlines(keepends=True)
    assert len(lines) == 5
    assert lines == sorted(lines)
    assert lines[-1] == others[0], "an exercise that the catalogue doesn't know has no lines"


def test_a_few_mistakes_that_look_alike_are_all_told() -> None:
    shows = (("f(1)", "2.0"),)
    alike = mistake("One.", *shows, todo="Do it."), mistake("Two.", ("f(1)", "2.0000001"))
    assert recognised(shows, alike, "") == ("One. Or: Two.", "")
    many = [mistake(f"{number}.", *shows) for number in range(4)]
    assert recognised(shows, many, "") == ("", "")
    assert recognised(shows, alike[:1], "") == ("One.", "Do it.")
    assert recognised((*shows, ("f(2)", "4.0")), alike, "") == ("", "")


@pytest.mark.parametrize("text", ["", "[]", "{", '"says": 3}', "\0"])
def test_a_damaged_file_names_nothing(course: Course, text: str) -> None:
    course.known_mistakes.write_text(f'{{"exercise": "{EXERCISE}", {text}\n', encoding="utf-8")
    assert read(course.known_mistakes, EXERCISE) == ()
    assert "known mistake" not in first_sentence(course, "return x**2")


@pytest.mark.slow
def test_the_file_is_written_anew_when_a_wrong_answer_has_changed(course: Course) -> None:
    command = ["mistakes", "--course", str(course.root)]
    runner = CliRunner()
    assert runner.invoke(main, command).stdout == WRITTEN
    assert runner.invoke(main, command).stdout == UP_TO_DATE
    assert "older" not in str(list(static.of_exercise(course, course["double"])))
    wrong = course.wrong(course["double"])
    wrong.write_text(WRONG.replace("by itself", "with itself"), encoding="utf-8")
    (problem,) = (p for p in static.of_exercise(course, course["double"]) if "older" in p.what)
    assert problem.where == "exercises/known_mistakes.jsonl"
    assert problem.todo == "Write them again: `grader mistakes double`."
    assert runner.invoke(main, command).stdout == WRITTEN


@pytest.mark.slow
def test_nothing_is_learned_from_an_example_that_the_solution_fails(course: Course) -> None:
    """Its author may have meant the wrong answer's result, or have mistyped a number."""
    stub = course.stub(course["double"])
    stub.write_text(STUB.replace("1.0", "1.5"), encoding="utf-8")
    done = CliRunner().invoke(main, ["mistakes", "--course", str(course.root)])
    assert done.exit_code == 1
    assert "exercises/01_first/double.py:7" in done.output
    assert "the solution fails the example `double(0.5)`" in done.output
    assert "0 exercises with new lines; 0 of 1 were up to date" in done.output
    assert not course.known_mistakes.exists()


def test_the_file_holds_no_code(course: Course) -> None:
    written(course)
    text = course.known_mistakes.read_text(encoding="utf-8")
    keys = {key for line in text.splitlines() for key in json.loads(line)}
    assert keys == {"exercise", "says", "todo", "shows", "digest"}
    assert not any(cell.suffix in text for cell in cells.read(course.wrong(course["double"])).cells)
    assert course.handout()["known_mistakes.jsonl"].decode() == text


def test_a_sentence_about_other_code_is_not_told() -> None:
    """Who never called `jnp.histogram` isn't told about it, though the numbers are the same."""
    shows = (("f(1)", "3.0"),)
    known = [mistake("`jnp.histogram` gives floats.", *shows)]
    assert recognised(shows, known, "def f(x):\n    return jnp.bincount(x)") == ("", "")
    assert recognised(shows, known, "jnp.histogram(x)")[0] == "`jnp.histogram` gives floats."
