"""A term: sixty people in four layouts, late and second attempts, decisions, a fixed suite.

Every mark in every report is compared with a table that is written out here. No part of the table
is computed by the grader.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import random
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import lxml.html
import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.course.course import Course
from grader.teacher import runs
from tests.conftest import CourseMaker

RIGHT = "def double(x):\n    return 2 * x\n"
ONE_ONLY = "def double(x):\n    return 2 * x if getattr(x, 'ndim', 0) == 0 else x\n"
NO_GRADIENT = "import jax\ndef double(x):\n    return x + jax.lax.stop_gradient(x)\n"
WRONG_BY_ROW = "def double(x):\n    return 2 * x if getattr(x, 'ndim', 0) == 0 else x + 1\n"
ANSWERS = (RIGHT, ONE_ONLY, NO_GRADIENT)
# What they earn: the test of arrays has two of the four points, that of the gradient one.
EARNED = (4.0, 2.0, 3.0)
ASSIGNMENTS = """
[[assignment]]
name = "hw1"
title = "Homework 1"
exercises = ["double"]
due = 2026-10-07T22:00:00+00:00
late = 10
late_days = 3

[[assignment]]
name = "hw2"
title = "Homework 2"
exercises = ["01_first"]
due = 2026-11-01
late = 25
attempts = "best"

[[assignment]]
name = "hw3"
title = "Homework 3"
exercises = ["double"]
weights = { double = 2.5 }
"""
IN_TIME = "2026-10-07 21:00:00.0 UTC"


def person(n: int) -> str:
    return f"p{n:02d}"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def make_roster(path: Path) -> None:
    lines = ["id,name,login,email,section,canvas,moodle"]
    lines += [
        f"{person(n)},Ada Nr{n},login{n},a{n}@x.edu,{'AB'[n % 2]},{4000 + n},{5000 + n}"
        for n in range(60)
    ]
    path.write_text("\n".join(lines) + "\n")


def make_class(folder: Path) -> list[Path]:
    """Four platforms with fifteen people each; the answer goes round, and p03, p13 ... are out."""
    canvas, moodle, plain = (folder / n for n in ("c.zip", "moodle", "plain"))
    collected, again = folder / "submitted", folder / "submitted-again"
    with zipfile.ZipFile(canvas, "w") as packed:
        for n in there(range(15)):
            late = "LATE_" * (n == 6)
            packed.writestr(f"nr{n}ada_{late}{4000 + n}_{9000 + n}_double.py", ANSWERS[n % 3])
        packed.writestr("nobodyknown_7_8_double.py", RIGHT)
    for n in there(range(15, 30)):
        write(moodle / f"Ada Nr{n}_{5000 + n}_assignsubmission_file" / "double.py", ANSWERS[n % 3])
    for n in there(range(30, 45)):
        at = {31: "2026-10-08 12:00:00.0 UTC", 32: "2026-10-12 12:00:00.0 UTC"}.get(n, IN_TIME)
        at = "2026-10-12 12:00:00.0 UTC" if n == 34 else at
        collect(collected / f"login{n}" / "hw1", at, ANSWERS[n % 3])
    collect(again / "login30" / "hw1", "2026-10-07 21:30:00.0 UTC", NO_GRADIENT)
    for n in there(range(45, 60)):
        write(plain / f"login{n}" / "double.py", ANSWERS[n % 3])
    write(plain / "login46.py", RIGHT)
    write(plain / "login47" / "double.py", "\xff\0")
    return [canvas, moodle, collected, again, plain]


def collect(folder: Path, at: str, text: str) -> None:
    """As `nbgrader collect` does."""
    write(folder / "double.py", text)
    write(folder / "timestamp.txt", at)


def there(numbers: range) -> list[int]:
    return [n for n in numbers if n % 10 != 3]


# By hand. Who isn't named earns what the answer earns: p00 4, p01 2, p02 3, p03 nothing, p04 2 ...
HW1: dict[int, str] = {
    0: "3.5",  # an override
    1: "3",  # 2, and a bonus of 1
    5: "EX",  # excused
    6: "4",  # late, and Canvas doesn't say how late
    7: "2",  # a comment
    10: "2.5",  # an override of its only exercise
    30: "3",  # 4 in the first attempt, 3 in the last
    31: "1.6",  # 2, less a tenth of 4 for one day
    32: "0",  # five days late; three are accepted
    34: "2",  # five days late, with an extension
    46: "4",  # 2 and 4, and nothing tells which was the last
    47: "0",  # can't be read
}
WITHOUT_ANSWER = "0"
DECISIONS = (
    ("p00", "--override", "3.5", "--why", "Two tests were unclear."),
    ("p01", "--bonus", "1", "--why", "Found a mistake in the text."),
    ("p05", "--excuse", "--why", "Ill."),
    ("p07", "--comment", "See me."),
    ("p10", "--override", "2.5", "--exercise", "double", "--why", "The text was unclear."),
    ("p34", "--extension", "2026-10-12T22:00:00+00:00", "--why", "Ill for a week."),
)


def table(changes: dict[int, str]) -> dict[str, str]:
    marks = {
        n: WITHOUT_ANSWER if n % 10 == 3 else f"{EARNED[n % 3]:g}" for n in range(60)
    } | changes
    return {person(n): mark for n, mark in marks.items()}


def grader(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(main, list(map(str, arguments)), catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.output


def marks_in(folder: str, course: Course) -> dict[str, dict[str, str]]:
    """The mark of each person in each report, as that report writes it."""
    book = {name: rows(grader("report", folder, name)) for name in ("csv", "canvas", "moodle")}
    known = {f"login{n}": person(n) for n in range(60)}
    told = json.loads(grader("report", folder, "json"))
    text = grader("report", folder, "text")
    return {
        "csv": {row["student"]: shown(row["mark"]) for row in book["csv"]},
        "canvas": {
            known[row["SIS Login ID"]]: shown(row[list(row)[-1]])
            for row in book["canvas"]
            if row["SIS Login ID"] in known
        },
        "moodle": {
            known[row["Username"]]: shown(row["Grade"], "EX")
            for row in book["moodle"]
            if row["Username"] in known
        },
        "json": {one["id"]: shown(one["score"], "EX") for one in told["submissions"]},
        "text": dict(re.findall(r"^Ada Nr\d+ \((p\d\d)\)  (\S+)", text, re.MULTILINE)),
        "junit": junit(grader("report", folder, "junit")),
    }


def rows(text: str) -> list[dict[str, str]]:
    found = [*csv.DictReader(io.StringIO(text))]
    return [row for row in found if "Points Possible" not in str(row.get("Student"))]


def shown(mark: object, empty: str = "") -> str:
    return empty if mark in ("", None) else "EX" if mark == "EX" else f"{float(str(mark)):g}"


def junit(text: str) -> dict[str, str]:
    suites = re.findall(r'<testsuite name="(p\d\d)".*?</properties>', text, re.DOTALL)
    scores = re.findall(
        r'<testsuite name="(p\d\d)"(?:(?!</properties>).)*?name="score" value="([^"]*)"',
        text,
        re.DOTALL,
    )
    return dict.fromkeys(suites, "EX") | dict(scores)


def require(folder: str, course: Course, expected: dict[str, str]) -> None:
    for report, marks in marks_in(folder, course).items():
        found = {name: mark for name, mark in marks.items() if re.fullmatch(r"p\d\d", name)}
        found = {n: "EX" if mark == "excused" else mark for n, mark in found.items()}
        assert found == expected, report


@pytest.fixture(scope="module")
def course(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    return make_course(tmp_path_factory.mktemp("course"), catalog=ASSIGNMENTS)


@pytest.mark.slow
def test_every_mark_of_a_term_is_that_of_the_table(course: Course, tmp_path: Path) -> None:
    classes = make_class(tmp_path)
    people, out = tmp_path / "roster.csv", tmp_path / "hw1"
    make_roster(people)
    common = ["--roster", people, "--assignment", "hw1", "--course", course.root, "--seed", "5"]
    whole = ["grade", *(a for one in classes for a in ("--class", one)), *common, "--out", out]

    said = grader(*whole)
    assert "nobodyknown_7: is not on the roster" in said
    for student, *decided in DECISIONS:
        grader("decide", out, student, *decided, "--by", "Dr. N")
    require(str(out), course, table(HW1))
    # The heading for the gradebook, a step in words, and what a teacher decided.
    assert "Homework 1" in grader("report", out, "canvas").splitlines()[0]
    text = " ".join(grader("report", out, "text").split())
    assert (
        "late -0.4: 1 day late by the student's own clock: 10 % of 4 points are deducted." in text
    )
    assert "bonus +1: Found a mistake in the text. (Dr. N, 2" in text
    assert "Attempt 2 of 2 counts." in text

    # A regrade of everybody loses no decision, and one of a single student loses nobody.
    assert grader(*whole).count("is not on the roster") == 1
    require(str(out), course, table(HW1))
    again = tmp_path / "again" / "login4.py"
    write(again, RIGHT)
    grader("grade", again, *common[2:], "--out", out)
    require(str(out), course, table(HW1 | {4: "4"}))
    require(f"{out}@1", course, table(HW1))

    # A fixed suite: the gradient has three points now, so the maximum is another one.
    suite = course.suite(course["double"])
    before = suite.read_text()
    suite.write_text(
        before.replace("def test_gradient", "@pytest.mark.points(3)\ndef test_gradient")
    )
    try:
        said = grader("grade", again, *common[2:], "--out", out)
    finally:
        suite.write_text(before)
    assert "judged again, since the course changed: `01_first/double` (suite)." in said
    changed = grader("diff", out)
    assert re.search(r"p08  3 of 4 → 3 of 6", changed)
    assert re.search(r"p09  4 of 4 → 6 of 6", changed)
    require(f"{out}@2", course, table(HW1 | {4: "4"}))


@pytest.mark.slow
def test_the_second_assignment_takes_the_best_attempt(course: Course, tmp_path: Path) -> None:
    """Due at the end of a day, a quarter of the points for each day: 4 - 2 is less than 3."""
    collect(tmp_path / "one" / "ada" / "hw2", "2026-11-01 23:00:00.0 UTC", NO_GRADIENT)
    collect(tmp_path / "two" / "ada" / "hw2", "2026-11-03 01:00:00 UTC", RIGHT)
    classes = ("--class", tmp_path / "one", "--class", tmp_path / "two")
    arguments = ["--assignment", "hw2", "--course", course.root, "--out", tmp_path / "out"]
    grader("grade", *classes, *arguments)
    (one,) = runs.read(str(tmp_path / "out")).submissions
    assert (one.score, one.attempt, one.attempts, one.adjustments) == (3.0, 1, 2, ())
    (row,) = {row["mark"] for row in rows(grader("report", tmp_path / "out", "csv"))}
    assert row == "3.0"


@pytest.mark.slow
def test_the_third_assignment_has_weights(course: Course, tmp_path: Path) -> None:
    write(tmp_path / "class" / "ada.py", NO_GRADIENT)
    arguments = ["--assignment", "hw3", "--course", course.root, "--out", tmp_path / "out"]
    grader("grade", "--class", tmp_path / "class", *arguments)
    (one,) = runs.read(str(tmp_path / "out")).submissions
    assert (one.score, one.max_score) == (7.5, 10.0)
    other = ["--assignment", "hw1", "--course", course.root, "--out", tmp_path / "out"]
    grader("grade", tmp_path / "class" / "ada.py", *other)
    (one,) = runs.read(f"{tmp_path / 'out'}@hw3").submissions
    assert (one.score, one.max_score) == (7.5, 10.0)


@pytest.mark.slow
def test_a_failure_is_repeated_with_the_same_inputs(course: Course, tmp_path: Path) -> None:
    """Of the second attempt, which had inputs of its own."""
    out, work = tmp_path / "out", tmp_path / "ada.py"
    for text in (WRONG_BY_ROW, ONE_ONLY):
        write(work, text)
        grader("grade", work, "--course", course.root, "--out", out)
    (detail,) = json.loads((out / "details.json").read_text())["submissions"][0]["tests"]
    grader("report", out, f"html={tmp_path / 'class.html'}")
    page = lxml.html.fromstring((tmp_path / "class.html").read_text())
    (line,) = page.xpath("//p[@class='again']/code/text()")
    root = course.suite(course["double"]).parents[3]
    copy = root / "double.py"
    copy.write_text(ONE_ONLY)
    try:
        command = [sys.executable, "-m", *shlex.split(line)]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    finally:
        copy.unlink()
    assert done.returncode == 1
    _, _, values = detail["detail"].partition("got:\n")
    lines = [line.strip() for line in values.splitlines()]
    assert len(lines) == 7
    assert [line for line in lines if line not in done.stdout] == []
    assert "1 failed" in done.stdout


@pytest.mark.slow
def test_a_roster_that_comes_later_makes_no_second_row(course: Course, tmp_path: Path) -> None:
    out, people = tmp_path / "out", tmp_path / "roster.csv"
    for name in ("login1", "login2"):
        write(tmp_path / "class" / f"{name}.py", RIGHT)
    grader("grade", "--class", tmp_path / "class", "--course", course.root, "--out", out)
    people.write_text("id,login\n1001,login1\n1002,login2\n1003,login3\n")
    write(tmp_path / "login1.py", ONE_ONLY)
    arguments = ["--roster", people, "--course", course.root, "--out", out]
    grader("grade", tmp_path / "login1.py", *arguments)
    marks = {one.id: one.score for one in runs.read(str(out)).submissions}
    assert marks == {"1001": 2.0, "1002": 4.0, "1003": 0.0}


@pytest.mark.slow
def test_a_class_whose_texts_were_not_kept_is_not_lost(course: Course, tmp_path: Path) -> None:
    """As in a folder of a grader from before this version."""
    out = tmp_path / "out"
    for name in ("ada", "ben"):
        write(tmp_path / "class" / f"{name}.py", RIGHT)
    grader("grade", "--class", tmp_path / "class", "--course", course.root, "--out", out)
    with contextlib.closing(sqlite3.connect(out / "run.db")) as db, db:
        ((grade,),) = db.execute("SELECT grade FROM marks WHERE place = 1").fetchall()
        old = json.dumps({**json.loads(grade), "sources": []})
        db.execute("UPDATE marks SET grade = ? WHERE place = 1", (old,))
    arguments = ["--course", course.root, "--out", out]
    said = grader("grade", tmp_path / "class" / "ada.py", *arguments, code=2)
    assert "didn't store the others' work. Grade the whole class once" in said
    assert [one.score for one in runs.read(str(out)).submissions] == [4.0, 4.0]


@pytest.mark.slow
def test_a_teacher_hears_what_changed_since_the_last_run(course: Course, tmp_path: Path) -> None:
    out, folder = tmp_path / "out", tmp_path / "class"
    arguments = ["--course", course.root, "--out", out]
    for name in ("ada", "ben"):
        write(folder / f"{name}.py", RIGHT)
    assert "since the last run" not in grader("grade", "--class", folder, *arguments)
    write(folder / "ben.py", ONE_ONLY)
    said = " ".join(grader("grade", "--class", folder, *arguments).split())
    assert "since the last run, 1 mark fell: ben 4 → 2." in said
    write(tmp_path / "eve.py", RIGHT)
    said = " ".join(grader("grade", tmp_path / "eve.py", *arguments).split())
    assert "not in the last run: eve." in said
    said = grader("grade", "--class", folder, "--assignment", "hw1", *arguments)
    assert "since the last run" not in said


@pytest.mark.slow
def test_a_folder_may_hold_many_assignments(course: Course, tmp_path: Path) -> None:
    out, folder = tmp_path / "out", tmp_path / "class"
    write(folder / "ada.py", RIGHT)
    arguments = ["--class", folder, "--course", course.root, "--out", out]
    grader("grade", *arguments)
    grader("grade", "--assignment", "hw1", *arguments)
    said = " ".join(grader("report", out, "csv", code=2).split())
    assert f"contains runs of `no assignment`, `hw1`. Name one, such as `{out}@hw1`" in said
    grader("decide", f"{out}@hw1", "ada", "--bonus", "1", "--why", "neat")
    assert [one.score for one in runs.read(f"{out}@hw1").submissions] == [5.0]
    assert [one.score for one in runs.read(f"{out}@1").submissions] == [4.0]
    said = " ".join(grader("report", f"{out}@hw2", "csv", code=2).split())
    assert "contains no run of the assignment `hw2`" in said


def test_a_person_is_called_by_any_name_that_is_theirs_alone(
    course: Course, tmp_path: Path
) -> None:
    out, people = tmp_path / "out", tmp_path / "roster.csv"
    people.write_text("id,name,login\n2,Vera Vogt,vv7\n1,Ada Vogt,av8\n3,Ada Vogt,av9\n")
    write(tmp_path / "class" / "vv7.py", RIGHT)
    arguments = ["--class", tmp_path / "class", "--roster", people, "--course", course.root]
    grader("grade", *arguments, "--out", out)
    assert [one.id for one in runs.read(str(out)).submissions] == ["2", "1", "3"]
    why = ["--why", "So.", "--by", "N"]
    for name in ("2", "Vera Vogt", "VV7"):
        assert grader("decide", out, name, "--bonus", "1", *why).startswith(f"{name}  ")
    assert "there is no student `Ada Vogt`" in grader(
        "decide", out, "Ada Vogt", "--excuse", *why, code=2
    )
    assert "outside the points possible" in grader("decide", out, "2", "--bonus", "9", *why)


def test_what_can_not_be_read_stays_so_in_every_report(course: Course, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write(tmp_path / "class" / "ada" / "double.py", "\0")
    write(tmp_path / "class" / "ben" / "double.rar", "Rar!")
    write(tmp_path / "class" / "cleo" / "notes.txt", "Sorry.")
    grader("grade", "--class", tmp_path / "class", "--course", course.root, "--out", out)
    stored = {row["student"]: row["outcome"] for row in rows(grader("report", out, "csv"))}
    written = {
        row["student"]: row["outcome"]
        for row in rows(grader("report", out / "results.json", "csv"))
    }
    assert stored == written == {"ada": "unreadable", "ben": "unreadable", "cleo": "missing"}


@pytest.mark.slow
def test_a_run_that_is_killed_ten_times_has_every_mark(course: Course, tmp_path: Path) -> None:
    classes, people = make_class(tmp_path), tmp_path / "roster.csv"
    make_roster(people)
    # Every answer is another one, so that there is something to kill.
    for n, path in enumerate(sorted(tmp_path.rglob("double.py"))):
        if "\0" not in (text := path.read_text()):
            path.write_text(f"{text}\nNUMBER = {n}\n")
    named = [a for one in classes for a in ("--class", str(one))]
    rest = ["--roster", people, "--assignment", "hw1", "--course", course.root]
    out = tmp_path / "out"
    command = [sys.executable, "-m", "grader.cli", "grade", *named, *rest, "--out", out]
    dice = random.Random(7)
    for _ in range(10):
        running = subprocess.Popen(
            list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(dice.uniform(0.5, 8))
        running.send_signal(signal.SIGKILL)
        running.wait()
        time.sleep(0.5)
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    late = {31: "1.6", 32: "0", 34: "0", 30: "3", 46: "4", 47: "0"}
    require(str(out), course, table(late))
