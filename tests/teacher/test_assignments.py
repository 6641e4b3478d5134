"""Assignments: exercises that are submitted and graded together."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader import cli
from grader.api import Grader
from grader.course.course import Course, load
from grader.delivery import formats
from grader.intake import reader
from grader.records.errors import CourseError, UsageError
from grader.records.model import Run
from grader.student import workspace
from tests.class_for_reports import ENVIRONMENT

Maker = Callable[..., Course]
HW = """
[[assignment]]
name = "hw1"
title = "Homework 1"
exercises = [{}]
due = 2026-12-01T23:59:00+01:00
"""


def run(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(cli.main, [str(one) for one in arguments])


@pytest.fixture
def course(make_course: Maker, tmp_path: Path) -> Course:
    """A course with three exercises, and an assignment of two of them."""
    made = make_course(tmp_path / "course")
    text = made.catalog.read_text()
    for name in ("triple", "negate"):
        text += f'\n[[exercise]]\nid = "02_more/{name}"\ndefines = ["double"]\n'
        for place in (made.stub, made.solution, made.suite):
            old, new = place(made["double"]), place(made["double"])
            folder = {"01_first": "02_more"}
            new = Path(str(old).replace("01_first", folder["01_first"]).replace("double", name))
            new.parent.mkdir(exist_ok=True, parents=True)
            shutil.copyfile(old, new)
    made.catalog.write_text(text + HW.format('"double", "02_more/negate"'))
    return load(made.catalog)


def test_it_names_exercises_in_the_order_of_the_course(course: Course) -> None:
    found = course.assignment("hw1")
    assert found.exercises == ("01_first/double", "02_more/negate")
    assert (found.title, found.due) == ("Homework 1", "2026-12-01T23:59:00+01:00")
    assert [e.stem for e in course.select(["hw1"])] == ["double", "negate"]


def test_a_topic_stands_for_its_exercises(course: Course) -> None:
    text = course.catalog.read_text().replace('"double", "02_more/negate"', '"02_more"')
    course.catalog.write_text(text)
    found = load(course.catalog).assignment("hw1")
    assert found.exercises == ("02_more/triple", "02_more/negate")


def test_one_that_is_not_there_is_an_error_with_those_that_are(course: Course) -> None:
    with pytest.raises(UsageError, match=r"no assignment `hw9` .* It has `hw1`"):
        course.assignment("hw9")
    asked = run("grade", course.root, "--assignment", "hw9", "--course", course.root)
    assert asked.exit_code == 2
    both = ("--assignment", "hw1", "--exercise", "double")
    assert "leave `--exercise` out" in run("grade", ".", *both, "--course", course.root).output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HW.format('"nothing"'), "there is no exercise or topic `nothing`"),
        (HW.format(""), "`exercises` is []"),
        (HW.format('"double"').replace("hw1", "double"), "has the name of an exercise"),
        (HW.format('"double"') * 2, "two assignments are called `hw1`"),
        ('[[assignment]]\nname = "x"\n', "`exercises` is missing"),
        ('[[assignment]]\nexercises = ["double"]\n', "`name` is missing"),
        (HW.format('"double"').replace("2026-12-01T23:59:00+01:00", '"soon"'), "`due` is"),
        (HW.format('"double"') + "late = 101\n", "`late` is 101; give a number from 0 to 100"),
        (
            "counts = false\n" + HW.format('"double"'),
            "assignment `hw1`: all its exercises are for practice (`counts = false`), so it has no "
            "marks. Name one that counts",
        ),
    ],
)
def test_what_is_wrong_in_the_catalogue_is_said(
    make_course: Maker, tmp_path: Path, text: str, said: str
) -> None:
    made = make_course(tmp_path)
    made.catalog.write_text(made.catalog.read_text() + text)
    with pytest.raises(CourseError) as caught:
        load(made.catalog)
    assert said in str(caught.value)


def test_a_file_of_practice_is_refused_for_a_class_and_for_gradescope(
    make_course: Maker, tmp_path: Path
) -> None:
    made = make_course(tmp_path / "course", catalog="counts = false\n")
    file = tmp_path / "hw1.toml"
    file.write_text('exercises = ["double"]\n')
    for verb in (("grade", made.root, "--assignment", file), ("gradescope", tmp_path / "a.zip")):
        refused = run(*verb, "--course", made.root)
        assert refused.exit_code == 2, refused.output
        assert "for practice (`counts = false`)" in " ".join(refused.output.split())


def ids(run: Run) -> list[str]:
    return [exercise.id for exercise in run.submissions[0].exercises]


@pytest.mark.slow
def test_only_its_exercises_are_graded_and_reports_name_it(course: Course, tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    for name in ("double", "triple"):
        (tmp_path / "ada" / f"{name}.py").write_text("def double(x):\n    return 2 * x\n")
    work = [reader.read(tmp_path / "ada", course)]
    with Grader(course, isolation="none", jobs=1, assignment="hw1") as grader:
        found = grader.grade_class(work)
    assert ids(found) == ["01_first/double", "02_more/negate"]
    with Grader(course, isolation="none", jobs=1, seed=grader.seed) as every:
        assert ids(every.grade_class(work, assignment="hw1")) == ids(found)
        assert len(ids(every.grade_class(work))) == 3
    assert found.assignment == "Homework 1"
    assert ',"Homework 1 (' in formats.FORMATS["canvas"].render(found)


def test_without_one_the_course_is_the_heading() -> None:
    rendered = formats.FORMATS["canvas"].render(Run("foreign", "0", ENVIRONMENT, ()))
    assert rendered.split("\n")[0].endswith(',"foreign"')


def test_only_its_files_are_packed(course: Course, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    shutil.copytree(course.stubs, mine)
    packed = run("submit", "--assignment", "hw1", "--out", tmp_path / "w.zip", "--course", mine)
    assert packed.exit_code == 0, packed.output
    with zipfile.ZipFile(tmp_path / "w.zip") as found:
        assert set(found.namelist()) == {
            "01_first/double.py",
            "02_more/negate.py",
            "manifest.json",
        }
        manifest = json.loads(found.read("manifest.json"))
    assert set(manifest["exercises"]) == {"01_first/double", "02_more/negate"}
    assert "Left out" not in packed.output


def test_the_list_shows_how_far_it_is(course: Course, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    shutil.copytree(course.stubs, mine)
    shown = run("list", "--course", mine).output
    assert "hw1  0 of 2, due 2026-12-01T23:59:00+01:00  Homework 1\n" in shown
    part = run("list", "hw1", "--course", mine).output
    assert part.startswith("hw1  0 of 2\n")
    assert "0 of 2 exercises" in part
    assert "double" in part and "triple" not in part


def test_a_handout_of_an_assignment_is_a_course_of_its_own(course: Course, tmp_path: Path) -> None:
    folder = tmp_path / "handout"
    assert run("handout", folder, "--assignment", "hw1", "--course", course.root).exit_code == 0
    there = load(folder / "catalog.toml")
    assert [e.id for e in there.exercises] == ["01_first/double", "02_more/negate"]
    assert there.assignments == course.assignments
    assert sorted(p.stem for p in folder.rglob("*.py")) == ["double", "negate"]
    checked = run("check", "--course", folder).output
    assert "2 not started" in checked
    assert "triple" not in checked


def test_the_part_of_a_catalogue_names_nothing_that_is_left_out(course: Course) -> None:
    whole = HW.format('"02_more"').replace("hw1", "hw2")
    text = course.catalog.read_text().replace(
        'id = "02_more/negate"', 'id = "02_more/negate"\nafter = ["double", "triple"]'
    )
    course.catalog.write_text(text + whole)
    part = load(course.catalog).part(["double", "negate"])
    course.catalog.write_text(part.catalog_text())
    left = load(course.catalog)
    assert left.exercises[1].after == ("double",)
    # A part of a path would count to another number.
    assert [a.exercises for a in left.assignments] == [("01_first/double", "02_more/negate")]


OF_A_FILE = """
title = "Week 1"
exercises = ["02_more/negate", "double"]
opens = 2026-11-01
due = 2026-12-01T23:59:00+01:00
late = 10
attempts = "best"
weights = { double = 2 }
"""


def test_one_may_stand_in_a_file_outside_of_the_course(course: Course, tmp_path: Path) -> None:
    file, folder = tmp_path / "week1.toml", tmp_path / "handout"
    file.write_text(OF_A_FILE)
    asked = ("--assignment", file, "--course", course.root)
    assert run("handout", folder, *asked).exit_code == 0
    there = load(folder / "catalog.toml")
    with_it, name = course.assigned(str(file))
    assert name == "week1"
    assert there.assignment("week1") == with_it.assignment("week1")
    assert run("grade", tmp_path, *asked, "--exercise", "double").exit_code == 2
    assert len(load(course.catalog).assignments) == 1


TAKE_ONE = [
    name
    for name, command in cli.main.commands.items()
    if any("--assignment" in option.opts for option in command.params)
]


@pytest.mark.parametrize("command", TAKE_ONE)
def test_every_command_with_an_assignment_takes_a_file(
    command: str, course: Course, tmp_path: Path
) -> None:
    place: tuple[object, ...] = () if command == "submit" else (tmp_path / "x.zip",)
    place += () if command == "start" else ("--course", course.root)
    place += ("--export", tmp_path / "new") if command == "similar" else ()
    said = run(command, *place, "--assignment", "nope.toml").output
    assert "`nope.toml` can't be read as an assignment" in said


def test_such_a_file_may_have_the_heading_of_a_catalogue(course: Course, tmp_path: Path) -> None:
    file = tmp_path / "week1.toml"
    file.write_text(f"[[assignment]]\n{OF_A_FILE}")
    assert course.assigned(str(file))[1] == "week1"
    # The paths of the course stay, unless the file leaves them out.
    homework = [one.name for one in course.assignments]
    path = replace(course.assignments[0], name="path", counts=False)
    course = replace(course, assignments=(*course.assignments, path))
    found = course.assigned(str(file))[0]
    assert [one.name for one in found.assignments] == [*homework, "path", "week1"]
    file.write_text(file.read_text() + "paths = false\n")
    found = course.assigned(str(file))[0]
    assert [one.name for one in found.assignments] == [*homework, "week1"]
    with pytest.raises(UsageError, match="assignment: No such file"):
        course.assigned("nope.toml")


def test_what_is_wrong_in_such_a_file_is_said(course: Course, tmp_path: Path) -> None:
    file = tmp_path / "hw1.toml"
    for text, said in [
        ('name = "double"\nexercises = ["triple"]', ["has the name of an exercise"]),
        ('exercises = ["triple", "four"]\ndue = "now"', ["`four`", "`due`", "has an assignment"]),
        ("exercises", ["can't be read"]),
    ]:
        file.write_text(text)
        with pytest.raises(UsageError) as caught:
            course.assigned(str(file))
        assert all(one in str(caught.value) for one in said), caught.value


def test_work_that_is_laid_out_grows_by_assignments(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = course.catalog.read_text() + HW.format('"triple"').replace("hw1", "hw2")
    course.catalog.write_text(text)
    monkeypatch.setattr(workspace, "installed", lambda: load(course.catalog))
    work = tmp_path / "work"
    (stub := work / "01_first" / "double.py").parent.mkdir(parents=True)
    for name, expected in (("hw1", 2), ("hw2", 3)):
        assert run("start", work, "--assignment", name).exit_code == 0
        assert len(load(work / "catalog.toml").exercises) == expected
        stub.write_text("mine")
    assert stub.read_text() == "mine"
    assert run("start", work, "--assignment", "hw9").exit_code == 2
