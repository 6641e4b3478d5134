"""The handout: everything that a student may have, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader.author.handout import leaks, write_handout
from grader.course.course import Course, find, load
from grader.course.notes import read, with_answers
from grader.records.errors import CourseError, UsageError
from grader.records.model import Problem
from tests.conftest import notes

Maker = Callable[..., Course]
ONE_LINE_SOLUTION = '''
    """The reference."""


    def double(x):
        return x.at[:].add(x)
'''
NOTES = "exercises/01_first/double.md"
STUB = "exercises/01_first/double.py"


def stub_with(line: str) -> str:
    return f'"""Task."""\n\n\ndef double(x):\n    {line}\n    raise NotImplementedError\n'


def files(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if not p.is_dir()}


def test_a_handout_holds_what_the_catalogue_lists_and_nothing_else(
    make_course: Maker, tmp_path: Path
) -> None:
    strays = ("01_first/double_solution.py", "01_first/notes.txt", ".env", "02_x/y.py")
    course = make_course(
        tmp_path / "course",
        {f"exercises/{stray}": "not for students" for stray in strays}
        | {"exercises/01_first/double.md": notes("Twice.")},
    )
    (course.stubs / "01_first" / "link.py").symlink_to(course.solution(course["double"]))
    written = write_handout(course, tmp_path / "deep" / "out")
    expected = {"README.md", "catalog.toml", "01_first/double.py", "01_first/double.md"}
    assert files(tmp_path / "deep" / "out") == expected
    assert {path.relative_to(tmp_path / "deep" / "out").as_posix() for path in written} == expected
    assert not any(path.is_symlink() for path in written)


def test_a_handout_is_a_course_for_students(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path / "course")
    write_handout(course, tmp_path / "out")
    handed = load(tmp_path / "out" / "catalog.toml")
    assert handed.root is None
    assert handed.exercises == course.exercises


def test_an_empty_folder_may_be_filled(make_course: Maker, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_handout(make_course(tmp_path / "course"), tmp_path / "out")
    assert (tmp_path / "out" / "catalog.toml").is_file()


def test_nothing_is_overwritten(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path / "course")
    write_handout(course, tmp_path / "out")
    mine = tmp_path / "out" / "01_first" / "double.py"
    mine.write_text("def double(x):\n    return 2 * x\n")
    with pytest.raises(UsageError) as caught:
        write_handout(course, tmp_path / "out")
    assert str(caught.value) == (
        f"`{tmp_path / 'out'}` is not empty, and a handout overwrites nothing. Name a new "
        "folder, or remove that one first."
    )
    assert mine.read_text() == "def double(x):\n    return 2 * x\n"


def test_a_file_is_no_target(make_course: Maker, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(UsageError):
        write_handout(make_course(tmp_path / "course"), tmp_path / "out")


def test_a_handout_cannot_be_made_from_a_handout(make_course: Maker, tmp_path: Path) -> None:
    write_handout(make_course(tmp_path / "course"), tmp_path / "out")
    with pytest.raises(CourseError, match="is a handout"):
        write_handout(load(tmp_path / "out" / "catalog.toml"), tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_stub_that_is_missing_is_named(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path / "course", {STUB: None})
    with pytest.raises(CourseError) as caught:
        write_handout(course, tmp_path / "out")
    assert str(caught.value) == (
        f"the course `foreign` can't be handed out: `{course.stub(course['double'])}` is missing. "
        "Put real files in these places, or remove the entries from `catalog.toml`."
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["README.md", "01_first/double.py", "01_first/double.md"])
def test_a_link_is_never_followed(name: str, make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path / "course")
    (course.stubs / name).unlink(missing_ok=True)
    (course.stubs / name).symlink_to(course.solution(course["double"]))
    with pytest.raises(CourseError, match=r"(double\.(py|md)|README.md)` is a link, or"):
        write_handout(course, tmp_path / "out")


def test_a_topic_that_is_a_link_is_not_followed(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path / "course")
    (course.stubs / "01_first").rename(tmp_path / "elsewhere")
    (course.stubs / "01_first").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CourseError, match="is a link, or is behind one"):
        write_handout(course, tmp_path / "out")


def test_a_stub_that_still_holds_the_solution_stops_the_handout(
    make_course: Maker, tmp_path: Path
) -> None:
    changes = {
        "solutions/01_first/double.py": ONE_LINE_SOLUTION,
        STUB: stub_with("#   return  x.at[:].add(x)"),
    }
    course = make_course(tmp_path / "course", changes)
    with pytest.raises(CourseError) as caught:
        write_handout(course, tmp_path / "out")
    assert str(caught.value).startswith("no handout was written, since it would leak:\n")
    assert "`01_first/double.py:5`: contains a line of `solutions/01_first/double.py`" in str(
        caught.value
    )
    assert not (tmp_path / "out").exists()


def test_a_leak_leaves_a_folder_that_was_there_empty(make_course: Maker, tmp_path: Path) -> None:
    changes = {
        "solutions/01_first/double.py": ONE_LINE_SOLUTION,
        "exercises/README.md": "The answer is `return x.at[:].add(x)`.",
    }
    (tmp_path / "out").mkdir()
    with pytest.raises(CourseError, match=r"README\.md:1"):
        write_handout(make_course(tmp_path / "course", changes), tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("line", "origin"),
    [
        ("x = rng.normal(size=(3, 4)).astype(np.float32)", "tests/hidden/01_first/test_double.py"),
        (
            "assert_close(submission.double.grad()(1.5), np.float64(2.0))",
            "tests/hidden/01_first/test_double.py",
        ),
        ("return _times(x, 2)", "solutions/01_first/double.right.py"),
    ],
)
def test_lines_of_suites_and_right_answers_are_secret_too(
    line: str, origin: str, make_course: Maker, tmp_path: Path
) -> None:
    course = make_course(tmp_path / "course", {STUB: stub_with(f"# {line}")})
    (found,) = leaks(course, course.stubs)
    assert isinstance(found, Problem)
    assert found.where == "01_first/double.py:5"
    assert found.what == f"contains a line of `{origin}`: `{line}`"


@pytest.mark.parametrize(("kind", "count"), [("write", 1), ("fix", 0), ("fast", 0)])
def test_a_program_that_is_given_is_no_secret(
    kind: str, count: int, make_course: Maker, tmp_path: Path
) -> None:
    """Most of its lines are right."""
    line = "    doubled = [2 * one for one in x.tolist()]\n"
    changes = {
        STUB: f'def double(x):\n    """Twice `x`."""\n{line}    return doubled[1:]\n',
        "solutions/01_first/double.py": f"def double(x):\n{line}    return type(x)(doubled)\n",
    }
    course = make_course(tmp_path / "course", changes)
    of_kind = tuple(replace(one, kind=kind) for one in course.exercises)
    assert len(leaks(replace(course, exercises=of_kind), course.stubs)) == count


def test_what_a_stub_may_say_is_no_leak(make_course: Maker, tmp_path: Path) -> None:
    shared = '''
        """One and the same long docstring."""

        import functools
        from collections.abc import Callable, Sequence
        from typing import NamedTuple


        class Parameters(NamedTuple):
            """{doc}"""

            a_weight_of_some_kind: float
            a_bias_of_another_kind: float


        def predict(parameters, x):
            # the same long comment in both
            return parameters.a_weight_of_some_kind * x


        def double(
            x: int | float, another_argument: Callable[[int], int] | None = None
        ) -> int | float | Sequence[int]:
            """The same long sentence in both docstrings."""
            {body}
    '''
    changes = {
        STUB: shared.replace("{doc}", "For students.").replace("{body}", "raise ValueError"),
        "solutions/01_first/double.py": shared.replace("{doc}", "For authors.").replace(
            "{body}", "return functools.reduce(lambda a, b: a + b, [x, x])"
        ),
    }
    course = make_course(tmp_path / "course", changes)
    assert leaks(course, course.stubs) == []


def test_an_idiom_that_solves_another_exercise_is_no_leak(
    make_course: Maker, tmp_path: Path
) -> None:
    line = "key, subkey = jax.random.split(key)"
    body = f"\n\ndef other(key):\n    {line}\n    return subkey\n"
    changes = {
        "exercises/01_first/other.py": '"""Other."""\n',
        "solutions/01_first/other.py": body,
        "tests/hidden/01_first/test_other.py": "",
        STUB: stub_with(f"# {line}"),
    }
    catalog = '[[exercise]]\nid = "01_first/other"\n'
    course = make_course(tmp_path / "course", changes, catalog=catalog)
    assert leaks(course, course.stubs) == []
    (course.stubs / "README.md").write_text(line)
    assert [problem.where for problem in leaks(course, course.stubs)] == ["README.md:1"]


def test_a_course_that_is_not_whole_can_still_be_searched(
    make_course: Maker, tmp_path: Path
) -> None:
    changes = {"solutions/01_first/double.py": "def double(x:\n", STUB: None}
    assert leaks(make_course(tmp_path / "course", changes), tmp_path / "course/exercises") == []


KINDS = (".py", ".md", ".jsonl", ".toml")


def test_a_handout_ends_the_notes_before_the_explanation(
    make_course: Maker, tmp_path: Path
) -> None:
    text = notes("Twice.", explanation="## Why it works\n\nA sum of two.\n")
    course = make_course(tmp_path / "course", {NOTES: text})
    write_handout(course, tmp_path / "out")
    assert (tmp_path / "out" / "01_first" / "double.md").read_text() == notes("Twice.")
    # An author may allow it. The explanation may hold a line of the solution, and a hint may not.
    line = "return _times(x, 2)"
    text = notes("Twice.", explanation=f"## Why it works\n\n    {line}\n")
    course = make_course(tmp_path / "open", {NOTES: text})
    course.catalog.write_text(f'explanations = "after_examples"\n{course.catalog.read_text()}')
    course = load(course.catalog)
    write_handout(course, tmp_path / "open_out")
    assert (tmp_path / "open_out" / "01_first" / "double.md").read_text() == text
    course.notes(course["double"]).write_text(notes(f"Write `{line}`.") + text)
    with pytest.raises(CourseError, match=r"01_first/double\.md:\d+`: contains a line of"):
        write_handout(course, tmp_path / "refused")


def test_digests_of_predictions_are_where_the_explanation_is(
    make_course: Maker, tmp_path: Path
) -> None:
    """Small answers are guessed from their digests."""
    text = with_answers(notes("Twice.", explanation="## Why it works\n\nIt is.\n"), ["12ab34cd"])
    course = make_course(tmp_path / "course", {NOTES: text})
    assert read(course.notes(course["double"])).answers == ("12ab34cd",)
    assert course.explained(["01_first/double"]) == {
        "01_first/double": "## Why it works\n\nIt is.\n"
    }
    for explained in (True, False):
        handed = course.handout(explained=explained)["01_first/double.md"].decode()
        assert ("12ab34cd" in handed) == explained


def test_text_between_the_hints_and_the_explanation_stops_the_handout(
    make_course: Maker, tmp_path: Path
) -> None:
    """It may be an explanation, with a heading that isn't quite the right one."""
    text = notes("Twice.", explanation="## Why It Works\n\nA sum of two.\n")
    course = make_course(tmp_path / "course", {NOTES: text})
    with pytest.raises(CourseError, match="neither a hint nor a picture: `## Why It Works`"):
        write_handout(course, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_handout_has_the_known_mistakes_of_its_own_exercises(
    make_course: Maker, tmp_path: Path
) -> None:
    course = make_course(tmp_path / "course")
    own, other = (
        f'{{"exercise": "{name}", "says": "It is wrong.", "todo": "", "shows": []}}\n'
        for name in ("01_first/double", "01_first/double_again")
    )
    course.known_mistakes.write_text(own + other)
    write_handout(course, tmp_path / "out")
    assert (tmp_path / "out" / "known_mistakes.jsonl").read_text() == own
    line = "return _times(x, 2)"
    course.known_mistakes.write_text(own.replace("It is wrong.", line))
    with pytest.raises(CourseError, match=r"mistakes\.jsonl \(01_first/double\):1`: contains a"):
        write_handout(course, tmp_path / "refused")


@pytest.mark.slow
def test_our_own_course_can_be_handed_out(tmp_path: Path) -> None:
    course = find(start=Path(__file__).parents[1])
    written = write_handout(course, tmp_path / "out")
    assert {course.stub(e).name for e in course.exercises} <= {path.name for path in written}
    assert not [path for path in written if path.suffix not in KINDS]
