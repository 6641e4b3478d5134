"""A wrong answer that the course knows is recognised by what it shows in the examples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.author import known_mistakes, static
from grader.cli import main
from grader.course.course import Course
from grader.intake import cells
from grader.student.check import check
from grader.student.mistakes import Mistake, Mistakes, read, recognised
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
MUTANTS = """
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
        "tests/mutants/01_first/double.py": MUTANTS,
    }
    return make_course(tmp_path, files)


def written(course: Course) -> Mistakes:
    assert known_mistakes.write(course, course.exercises, [], on_step=lambda _: None) == 1
    return read(course.mistakes(course["double"]))


def first_sentence(course: Course, answer: str) -> str:
    stub = course.stub(course["double"])
    stub.write_text(STUB.replace("raise NotImplementedError", answer), encoding="utf-8")
    return check(course, course.exercises)[0].findings[0].sentence


@pytest.mark.slow
def test_a_mistake_that_comes_out_the_same_is_named(course: Course) -> None:
    found = written(course)
    assert [mistake.says for mistake in found.mistakes] == [
        "The number is multiplied by itself.",
        "The number is divided by two.",
        "Nothing comes out.",
        "A number is expected, and a text is taken.",
    ]
    assert found.mistakes[0].shows == (("double(3)", "9"), ("double(0.5)", "0.25"))
    said = "A known mistake gives your results: The number is multiplied by itself."
    assert first_sentence(course, "return x**2") == said
    # Zero comes out of many mistakes, and so does a TypeError.
    assert first_sentence(course, "return 0") != said
    assert "known mistake" not in first_sentence(course, "return 0 * x")
    assert "known mistake" not in first_sentence(course, "return 2 * x + 1")


def test_a_mistake_that_is_left_out_is_named(course: Course) -> None:
    ending = "\n\n# %% ends\n# It ends.\n# Fails: test_one\ndef double(x):\n    "
    with course.mutants(course["double"]).open("a") as mutants:
        mutants.write(f"{ending}__import__('os')._exit(1)\n")
    told: list[str] = []
    known_mistakes.write(course, course.exercises, [], on_step=told.append)
    assert told[0].startswith("01_first/double: `ends` is left out, since its examples died. ")
    assert len(read(course.mistakes(course["double"])).mistakes) == 4
    assert not known_mistakes.is_stale(course, course["double"])

    def edit(said: str) -> None:
        if "left out" in said:
            with course.solution(course["double"]).open("a") as solution:
                solution.write("# Edited while it is tried.\n")

    edit("left out")
    known_mistakes.write(course, course.exercises, [], on_step=edit)
    assert known_mistakes.is_stale(course, course["double"])


def test_two_mistakes_that_look_alike_are_not_told_apart() -> None:
    shows = (("f(1)", "2.0"),)
    alike = Mistakes(
        "", (Mistake("One.", shows, "Do it."), Mistake("Two.", (("f(1)", "2.0000001"),)))
    )
    assert recognised(shows, alike, "") == ("", "")
    assert recognised(shows, Mistakes("", alike.mistakes[:1]), "") == ("One.", "Do it.")
    assert recognised((*shows, ("f(2)", "4.0")), alike, "") == ("", "")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"digest": 3}', "\0"])
def test_a_damaged_file_names_nothing(course: Course, text: str) -> None:
    course.mistakes(course["double"]).write_text(text, encoding="utf-8")
    assert read(course.mistakes(course["double"])) == Mistakes()
    assert "known mistake" not in first_sentence(course, "return x**2")


@pytest.mark.slow
def test_the_file_is_written_anew_when_a_wrong_answer_has_changed(course: Course) -> None:
    command = ["mistakes", "--course", str(course.root)]
    runner = CliRunner()
    assert runner.invoke(main, command).output == "1 file written, 0 were up to date\n"
    assert runner.invoke(main, command).output == "0 files written, 1 were up to date\n"
    assert "mistakes" not in str(list(static.of_exercise(course, course["double"])))
    mutants = course.mutants(course["double"])
    mutants.write_text(MUTANTS.replace("by itself", "with itself"), encoding="utf-8")
    (problem,) = (p for p in static.of_exercise(course, course["double"]) if "is older" in p.what)
    assert problem.where == "exercises/01_first/double.mistakes"
    assert problem.todo == "Write it anew: `grader mistakes double`."
    assert runner.invoke(main, command).output == "1 file written, 0 were up to date\n"


@pytest.mark.slow
def test_nothing_is_learned_from_an_example_that_the_solution_fails(course: Course) -> None:
    """Its author may have meant the mutant's result, or have mistyped a number."""
    stub = course.stub(course["double"])
    stub.write_text(STUB.replace("1.0", "1.5"), encoding="utf-8")
    done = CliRunner().invoke(main, ["mistakes", "--course", str(course.root)])
    assert done.exit_code == 1
    assert "exercises/01_first/double.py:7" in done.output
    assert "the solution fails the example `double(0.5)`" in done.output
    assert "0 files written, 0 were up to date" in done.output
    assert not course.mistakes(course["double"]).exists()


def test_the_file_holds_no_code(course: Course) -> None:
    written(course)
    text = course.mistakes(course["double"]).read_text(encoding="utf-8")
    assert json.loads(text).keys() == {"digest", "mistakes"}
    assert not any(
        cell.suffix in text for cell in cells.read(course.mutants(course["double"])).cells
    )
    assert course.mistakes(course["double"]) in course.handout()


def test_a_sentence_about_other_code_is_not_told() -> None:
    """Who never called `jnp.histogram` isn't told about it, though the numbers are the same."""
    shows = (("f(1)", "3.0"),)
    known = Mistakes("", (Mistake("`jnp.histogram` gives floats.", shows),))
    assert recognised(shows, known, "def f(x):\n    return jnp.bincount(x)") == ("", "")
    assert recognised(shows, known, "jnp.histogram(x)")[0] == "`jnp.histogram` gives floats."
