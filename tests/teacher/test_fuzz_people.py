"""Whatever a class folder, a roster and decisions hold: no traceback, and nobody is lost.

names of any kind --of_class--> Submission --matched--> settled --> every report
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import tempfile
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.course import Course
from grader.delivery import formats
from grader.intake import archive, layouts, reader
from grader.records import scoring
from grader.records.errors import GraderError
from grader.records.model import (
    LAYERS,
    Assignment,
    Environment,
    Exercise,
    ExerciseResult,
    Outcome,
    Run,
    TestResult,
)
from grader.teacher import decisions, roster
from grader.teacher.runs import of_today
from grader.teacher.settle import settled
from grader.teacher.store import StoredRun
from tests.fuzzing import bounded, cases

# `GRADER_FUZZ` says how long they take.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(0)]

COURSE = Course(
    name="tiny",
    stubs=Path("/nonexistent/exercises"),
    root=None,
    exercises=(Exercise("01_arrays/double", "Double", ("double",)),),
)
ENVIRONMENT = Environment("0.10", "3.11", "Linux", LAYERS, "7")
REPORTS = ("text", "json", "csv", "canvas", "moodle", "junit", "html")
WORDS = st.sampled_from(
    "Jane Doe,doejane,LATE,late,anon,hw1,ada,1234,5678,_,-,+,assignsubmission_file,double,"
    "2026-10-07 21:14:03.5 UTC,Zoë,O'Neil,=1,\u202e".split(",")
)
PIECES = st.lists(st.one_of(WORDS, st.text(max_size=4)), min_size=1, max_size=6)
NAMES = st.one_of(
    st.tuples(PIECES, st.sampled_from("_-+ ")).map(lambda pair: pair[1].join(pair[0])),
    st.builds("{}_{}_{}_double.py".format, WORDS, st.integers(0, 99), st.integers(0, 99)),
    st.builds("{}_{}_assignsubmission_file".format, WORDS, st.integers(0, 99)),
    st.builds("{}+hw1+2026-10-0{} 21:00:00.0 UTC".format, WORDS, st.integers(1, 9)),
)
CELLS = st.one_of(WORDS, st.text(max_size=12), st.integers(0, 99).map(str))
HEADINGS = st.sampled_from(
    "id,name,login,email,section,sis,canvas,moodle,github,Student,ID,Identifier,Full name,"
    "SIS Login ID,First name,Last name,submission_timestamp,Points Possible,x".split(",")
)
TABLES = st.tuples(
    st.lists(HEADINGS, min_size=1, max_size=6), st.lists(st.lists(CELLS, max_size=7), max_size=6)
)
TIMES = st.sampled_from(
    ["", "2026-10-07T21:00:00+00:00", "2026-10-09T00:00:00+02:00", "2026-12-01T00:00:00-11:30"]
)
RULES = st.builds(
    Assignment,
    name=st.just("hw1"),
    title=st.just("Homework 1"),
    exercises=st.just(("01_arrays/double",)),
    due=st.sampled_from(["", "2026-10-07", "2026-10-08T22:00:00+00:00"]),
    late=st.sampled_from([0.0, 10.0, 100.0]),
    late_days=st.sampled_from([None, 0, 3]),
    attempts=st.sampled_from(["last", "best"]),
    by=st.sampled_from(["exercise", "submission"]),
    weights=st.sampled_from([{}, {"01_arrays/double": 2.5}]),
)
OUTCOMES = st.sampled_from(list(Outcome))
KINDS = st.one_of(
    st.tuples(st.just("override"), st.sampled_from([1.5, float("nan")])),
    st.tuples(st.just("bonus"), st.sampled_from([-3.0, "1"])),
    st.tuples(st.just("extension"), st.sampled_from(["2026-10-12", "soon"])),
    st.sampled_from([("excuse", True), ("comment", "x\ny")]),
)


@cases(150, share=0.1)
@given(
    st.lists(NAMES, max_size=6, unique=True), TABLES, RULES, st.lists(TIMES, min_size=6), st.data()
)
def test_everybody_is_in_every_report(
    names: list[str],
    table: tuple[list[str], list[list[str]]],
    rule: Assignment,
    times: list[str],
    data: st.DataObject,
) -> None:
    with tempfile.TemporaryDirectory() as folder, bounded():
        laid = lay_out(Path(folder) / "class", names)
        try:
            found = list(reader.read_class(Path(folder) / "class", COURSE, assignment="hw1"))
        except GraderError as error:
            why = str(error)
            assert not laid or "Run `nbgrader collect`" in why
            return
        assert len(found) >= len({layouts.of_path(Path(name), name).student.id for name in laid})
        people = read_roster(Path(folder) / "roster.csv", *table)
        matched = found if people is None else people.matched(found)
        assert len(matched) >= len(found)
        grades = [
            replace(scoring.grade(one, [a_result(data.draw(OUTCOMES))]), at=at)
            for one, at in zip(matched, [*times, *[""] * len(matched)], strict=False)
        ]
        made = [
            decision
            for name in {grade.id for grade in grades}
            if (decision := decide(name, *data.draw(KINDS), Path(folder))) is not None
        ]
        assert list(decisions.read(Path(folder))) == made
        whole = Run("tiny", "0", ENVIRONMENT, tuple(grades))
        run = of_today(StoredRun(1, "", whole, (), {}, {}, rule, Path(folder)))
        ids = [grade.id for grade in run.submissions]
        assert sorted(ids) == sorted({grade.id for grade in grades})
        for one in settled(grades, rule, made):
            assert {grades[place].id for place in one.places.values()} <= {one.grade.id}
        check_reports(run)


def lay_out(folder: Path, names: list[str]) -> list[str]:
    folder.mkdir()
    laid = []
    for name in names:
        with contextlib.suppress(OSError, ValueError):
            path = folder / name
            if path.parent != folder or name in (".", ".."):
                continue
            path.mkdir() if "." not in name else path.write_text("def double(x): return x\n")
            if not archive.skipped(name):
                laid.append(name)
    return laid


def read_roster(path: Path, headings: list[str], rows: list[list[str]]) -> roster.Roster | None:
    with open(path, "w", newline="", encoding="utf-8", errors="replace") as file:
        csv.writer(file).writerows([headings, *rows])
    try:
        return roster.read(path)
    except GraderError:
        return None


def a_result(outcome: Outcome) -> ExerciseResult:
    points = 2.0 if outcome.keeps_points else 0.0
    return scoring.exercise_result(
        "01_arrays/double", (TestResult("t", "T.", outcome, points, 2.0),)
    )


def decide(name: str, kind: str, value: object, folder: Path) -> decisions.Decision | None:
    try:
        made = decisions.made(kind, value, name, why="So.", by="N", on="2026-10-09")
    except GraderError:
        return None
    decisions.add(folder, made)
    tomllib.loads((folder / decisions.NAME).read_text(encoding="utf-8"))
    return made


def check_reports(run: Run) -> None:
    rendered = {name: formats.FORMATS[name].render(run) for name in REPORTS}
    told = json.loads(rendered["json"])["submissions"]
    assert [one["id"] for one in told] == [grade.id for grade in run.submissions]
    rows = list(csv.DictReader(io.StringIO(rendered["csv"])))
    assert len({row["student"] for row in rows}) == len(run.submissions)
    known = [g for g in run.submissions if g.score is not None or scoring.is_excused(g)]
    assert len(list(csv.reader(io.StringIO(rendered["canvas"])))) == 2 + len(known)
    assert len(list(csv.reader(io.StringIO(rendered["moodle"])))) == 1 + len(run.submissions)
    assert rendered["junit"].count("<testsuite ") == len(run.submissions)
