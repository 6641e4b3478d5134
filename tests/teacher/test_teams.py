"""Pairs: one member's work is that of all; marks, decisions and extensions are each person's."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli import main
from grader.course.course import Course, load
from grader.records.errors import UsageError
from grader.records.model import Assignment, Grade, Person
from grader.teacher import teams
from grader.teacher.decisions import Decision
from grader.teacher.settle import settled
from tests.conftest import CourseMaker
from tests.teacher.test_attempts import IN_TIME, LATE, RULE, attempt, steps

PAIRS = {"ada": "red", "ben": "red", "cleo": "blue"}
TEAMED = replace(RULE, teams="roster", team_of=PAIRS)


def of(name: str, grade: Grade) -> Grade:
    return replace(grade, id=name, student=Person(name))


def marks(
    *grades: Grade, rule: Assignment = TEAMED, decided: list[Decision] | None = None
) -> dict[str, Grade]:
    return {mark.grade.id: mark.grade for mark in settled(grades, rule, decided or [])}


def decision(student: str, kind: str, value: float | str) -> Decision:
    return Decision(student, kind, value, why="Because.", by="Kim", on="2026-10-01")


def test_the_work_of_one_member_is_the_mark_of_each() -> None:
    found = marks(of("ada", attempt(IN_TIME, x=5)), of("ben", attempt()), of("cleo", attempt()))
    assert {name: grade.score for name, grade in found.items()} == {"ada": 5, "ben": 5, "cleo": 0}
    assert steps(found["ada"], "team") == []
    assert steps(found["ben"], "team") == [(0.0, "Submitted by ada, of the same team.")]
    assert found["ben"].student == Person("ben")


def test_the_last_of_all_members_counts_for_each_exercise() -> None:
    work = (
        of("ada", attempt(IN_TIME, x=5, y=1)),
        of("ben", attempt("2026-10-07T21:30:00+00:00", x=2)),
    )
    assert {name: grade.score for name, grade in marks(*work).items()} == {"ada": 3, "ben": 3}
    best = replace(TEAMED, attempts="best")
    assert {name: g.score for name, g in marks(*work, rule=best).items()} == {"ada": 6, "ben": 6}


def test_an_extension_is_one_members_own() -> None:
    work = of("ada", attempt(LATE, x=5)), of("ben", attempt())
    extended = [decision("ben", "extension", "2026-10-10")]
    found = marks(*work, decided=extended)
    assert {name: grade.score for name, grade in found.items()} == {"ada": 4.5, "ben": 5}


def test_a_decision_about_a_team_is_about_each_member() -> None:
    work = of("ada", attempt(IN_TIME, x=5)), of("ben", attempt()), of("cleo", attempt())
    found = marks(*work, decided=[decision("team:red", "bonus", 1.0)])
    assert {name: grade.score for name, grade in found.items()} == {"ada": 6, "ben": 6, "cleo": 0}


def test_a_team_of_before_gives_nothing() -> None:
    """Who left the team has their own work alone, and who joins it has the team's."""
    work = of("ada", attempt(IN_TIME, x=5)), of("ben", attempt()), of("cleo", attempt())
    moved = replace(TEAMED, team_of={"ada": "red", "cleo": "red"})
    found = marks(*work, rule=moved)
    assert {name: grade.score for name, grade in found.items()} == {"ada": 5, "ben": 0, "cleo": 5}


def test_a_csv_names_the_teams_of_an_assignment(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("id,team\nada,one\nben,one\nnobody,two\n", encoding="utf-8")
    people = [Person("ada", team="red"), Person("ben"), Person("cleo", team="red")]
    told: list[str] = []
    rule = teams.resolved(replace(RULE, teams=str(path)), people, told)
    assert rule.team_of == {"ada": "one", "ben": "one"}
    assert told == [f"`nobody` in `{path}` is not in the class. Correct the row."]
    assert teams.resolved(replace(RULE, teams="roster"), people, told).team_of == {
        "ada": "red",
        "cleo": "red",
    }
    with pytest.raises(UsageError, match="can't be read"):
        teams.resolved(replace(RULE, teams=str(tmp_path / "none.csv")), people, told)


CATALOG = """
[[assignment]]
name = "hw1"
title = "Homework 1"
exercises = ["double"]
teams = "roster"
"""
RIGHT, WRONG = "def double(x):\n    return 2 * x\n", "def double(x):\n    return x\n"


def run(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(main, [str(one) for one in arguments])


def test_a_class_in_folders(make_course: CourseMaker, tmp_path: Path) -> None:
    course: Course = make_course(tmp_path / "course", catalog=CATALOG)
    roster = tmp_path / "people.csv"
    roster.write_text("id,name,team\nada,Ada,red\nben,Ben,red\ncleo,Cleo,\n", encoding="utf-8")
    for name, text in (("ada", RIGHT), ("cleo", WRONG)):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "double.py").write_text(text, encoding="utf-8")
    out = tmp_path / "results"
    given = "--class", tmp_path / "class", "--roster", roster, "--assignment", "hw1", "--out", out
    assert run("grade", *given, "--course", course.root).exit_code in (0, 1)

    def scores() -> dict[str, str]:
        printed = run("report", out, "csv").stdout
        return {row["student"]: row["mark"] for row in csv.DictReader(io.StringIO(printed))}

    right = scores()
    assert right["ada"] == right["ben"] != right["cleo"]
    text = " ".join(run("report", out, "text").stdout.split())
    assert "Submitted by Ada (ada), of the same team." in text
    told = run("decide", out, "team:red", "--bonus", "1", "--why", "Neat.", "--by", "Kim")
    assert told.exit_code == 0, told.output
    assert {name: float(mark) for name, mark in scores().items()} == {
        "ada": float(right["ada"]) + 1,
        "ben": float(right["ben"]) + 1,
        "cleo": float(right["cleo"]),
    }
    unknown = run("decide", out, "team:rde", "--bonus", "1", "--why", "Neat.", "--by", "Kim")
    assert "no `team:rde` is in this run. It has `team:red`." in unknown.output
    assert "note" not in run("report", out, "csv").stderr


def test_a_team_is_not_compared_with_itself(make_course: CourseMaker, tmp_path: Path) -> None:
    course: Course = make_course(tmp_path / "course", catalog=CATALOG)
    roster = tmp_path / "people.csv"
    roster.write_text("id,name,team\nada,Ada,red\nben,Ben,red\ncleo,Cleo,\n", encoding="utf-8")
    for name in ("ada", "ben", "cleo"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "double.py").write_text(RIGHT, encoding="utf-8")
    given = "--class", tmp_path / "class", "--roster", roster, "--assignment", "hw1"
    done = run("similar", *given, "--export", tmp_path / "out", "--course", course.root)
    assert done.exit_code == 0, done.output
    work = tmp_path / "out" / "01_first" / "double" / "work"
    assert sorted(path.name for path in work.iterdir()) == ["cleo", "red"]


def test_a_handout_has_no_teams(make_course: CourseMaker, tmp_path: Path) -> None:
    course: Course = make_course(tmp_path / "course", catalog=CATALOG)
    assert course.assignment("hw1").teams == "roster"
    done = run("handout", "--assignment", "hw1", "--course", course.root, tmp_path / "given")
    assert done.exit_code == 0, done.output
    assert load(tmp_path / "given" / "catalog.toml").assignment("hw1").teams == ""
