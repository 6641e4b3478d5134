"""The class of `grader demo`: right, wrong, unfinished and hostile work."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.course import Course, find
from grader.intake import cells, reader
from grader.records.model import Exercise, Submission
from grader.teacher.demo import MOST_ATTACKS, MOST_EXERCISES, excerpt, make_class

Maker = Callable[..., Course]
PEOPLE = ["ada", "blaise", "carl", "dora", "emil", "fay", "gustav"]
OUR_OWN = Path(__file__).parents[1]


def taken(course: Course, folder: Path) -> dict[str, Submission]:
    folder.mkdir(exist_ok=True)
    make_class(course, folder)
    return {submission.id: submission for submission in reader.read_class(folder, course)}


def texts(submission: Submission) -> dict[str, str]:
    return {source.exercise: source.text for source in submission.sources}


def suffix_of(text: str, course: Course, exercise: Exercise) -> str:
    """The kind of the answer that follows the reference solution; "" if none does."""
    solution = course.solution(exercise).read_text(encoding="utf-8")
    # A notebook adds a line for its cell, and may end in another way.
    text = text.removeprefix("# cell 1\n").rstrip()
    assert text.startswith(solution.rstrip())
    for kind, path in (("right", course.right), ("wrong", course.wrong)):
        for cell in cells.read(path(exercise)).cells:
            if text.endswith(cell.suffix.rstrip()):
                return kind
    assert text == solution.rstrip()
    return ""


def kinds(submission: Submission, course: Course) -> list[str]:
    given = texts(submission)
    return [suffix_of(given[e.id], course, e) for e in course.exercises if e.id in given]


@pytest.fixture
def three(make_course: Maker, tmp_path: Path) -> Course:
    """The small course with two more exercises, and attacks."""
    changes = {}
    for stem in ("halve", "triple"):
        for path in (
            f"exercises/02_more/{stem}.py",
            f"solutions/02_more/{stem}.py",
            f"solutions/02_more/{stem}.wrong.py",
            f"solutions/02_more/{stem}.right.py",
        ):
            code = f"def {stem}(x):\n    return {path!r}\n"
            changes[path] = f'"""A file."""\n\n\n# %% one\n{code}'
    for number in range(9):
        changes[f"tests/attacks/quick_{number}.py"] = attack("01_first/double", "crashed")
    changes["tests/attacks/hangs.py"] = attack("01_first/double", "crashed | timed_out")
    changes["tests/attacks/bomb.py"] = attack("01_first/double", "out_of_memory")
    changes["tests/attacks/zip.py"] = attack("01_first/double", "missing", "Kind: intake\n")
    changes["tests/attacks/elsewhere.py"] = attack("09_none/nothing", "crashed")
    changes["tests/attacks/no_python.py"] = "def double(:\n"
    changes["tests/attacks/shared.py"] = "x = 1\n"
    entries = "".join(f'[[exercise]]\nid = "02_more/{stem}"\n' for stem in ("halve", "triple"))
    return make_course(tmp_path / "course", changes, catalog=entries)


def attack(exercise: str, outcome: str, more: str = "") -> str:
    return textwrap.dedent('"""Cheats.\n\nExercise: {}\nOutcome: {}\n{}"""\n').format(
        exercise, outcome, more
    )


def test_a_class_has_right_wrong_half_and_hostile_submissions(
    three: Course, tmp_path: Path
) -> None:
    found = taken(three, tmp_path / "class")
    hostile = [name for name in found if name.startswith("mallory-")]
    assert list(found) == [*PEOPLE, *hostile]
    assert all(s.problem is None and s.notes == () for s in found.values())
    assert {name: kinds(found[name], three) for name in PEOPLE} == {
        "ada": ["", "", ""],
        "blaise": ["right"] * 3,
        "carl": ["right"] * 3,
        "dora": ["wrong", "", ""],
        "emil": ["", "", "wrong"],
        "fay": ["", "wrong", ""],
        "gustav": ["", ""],
    }
    assert len(hostile) == MOST_ATTACKS
    assert all(name.startswith("mallory-quick_") for name in hostile)
    assert all("Cheats." in texts(found[name])["01_first/double"] for name in hostile)


def test_a_course_says_which_attacks_are_shown(three: Course, tmp_path: Path) -> None:
    shown = three.attacks() / "zz_shown.py"
    shown.write_text(attack("01_first/double", "failed", "Demo: it is short\n"))
    try:
        hostile = [name for name in taken(three, tmp_path / "class") if name not in PEOPLE]
    finally:
        shown.unlink()
    assert hostile == ["mallory-zz_shown"]


def test_a_course_of_one_exercise_without_attacks_makes_a_class(
    foreign: Course, tmp_path: Path
) -> None:
    found = taken(foreign, tmp_path / "class")
    assert list(found) == PEOPLE
    assert [kinds(submission, foreign) for submission in found.values()] == [
        [""],
        ["right"],
        ["right"],
        ["wrong"],
        ["wrong"],
        ["wrong"],
        [""],
    ]
    wrong = {texts(found[name])["01_first/double"] for name in ("dora", "emil", "fay")}
    assert len(wrong) == 3


@pytest.mark.slow
def test_our_own_course_makes_a_class(tmp_path: Path) -> None:
    course = find(start=OUR_OWN)
    found = taken(course, tmp_path / "class")
    number = len(course.exercises)
    assert kinds(found["ada"], course) == [""] * number
    assert kinds(found["blaise"], course) == kinds(found["carl"], course)
    assert kinds(found["carl"], course) == ["right"] * number
    for name in ("dora", "emil", "fay"):
        assert set(kinds(found[name], course)) == {"", "wrong"}
    assert len(found["gustav"].sources) == (number + 1) // 2
    hostile = [found[name] for name in found if name.startswith("mallory-")]
    assert len(hostile) == MOST_ATTACKS
    assert all(len(submission.sources) == 1 for submission in hostile)


@pytest.mark.slow
def test_a_demo_can_be_repeated(tmp_path: Path) -> None:
    course = find(start=OUR_OWN)
    assert taken(course, tmp_path / "one") == taken(course, tmp_path / "two")


def test_it_says_who_is_who(three: Course, foreign: Course, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    people = (
        "ada, blaise and carl submit correct solutions. dora, emil and fay make some mistakes. "
        "gustav submits half of the exercises"
    )
    assert make_class(foreign, tmp_path / "a") == f"{people}."
    assert make_class(three, tmp_path / "b") == f"{people}. 4 `mallory` submissions try to cheat."


def test_a_demo_takes_one_exercise_of_each_topic_and_not_too_many() -> None:
    shown = excerpt(find(Path(__file__).resolve().parents[2])).exercises
    assert len(shown) == MOST_EXERCISES
    assert len({exercise.topic for exercise in shown}) == len(shown)
