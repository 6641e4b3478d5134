"""A run in every format: how it is requested, where it goes, and how other programs read it."""

from __future__ import annotations

import csv
import dataclasses
import errno
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import lxml.etree
import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.delivery import formats
from grader.intake import layouts
from grader.output.reports import github, html
from grader.output.reports import results as result_files
from grader.output.reports.redaction import public
from grader.records import scoring
from grader.records.errors import UsageError
from grader.records.model import (
    LAYERS,
    Adjustment,
    Advice,
    Environment,
    ExerciseResult,
    Grade,
    Note,
    Outcome,
    Person,
    Run,
    Submission,
    TestResult,
    to_plain,
)
from grader.teacher import runs

SCHEMAS = Path(__file__).parents[2] / "schemas"
SECRET = "SECRET inputs and expected values"
HOSTILE = "\x1b[2A\x1b]0;owned\x07<script>alert(1)</script>\r\u202e\x9b31m\ud800\x00\ufffe"
ENVIRONMENT = Environment("0.10", "3.11", "Linux x86_64", LAYERS, "7")
ADVICE = Advice("transposed", "The result is transposed.", "Swap the axes.", 3, "return x.T")


def a_test(outcome: Outcome, name: str = "test_x", message: str = "Wrong.") -> TestResult:
    points = 2.0 if outcome is Outcome.PASSED else 0.0
    detail = "" if outcome is Outcome.PASSED else SECRET
    said = "" if outcome is Outcome.PASSED else message
    return TestResult(name, "X holds.", outcome, points, 2.0, 0.25, said, "Try.", detail)


def a_grade(name: str, *tests: TestResult, notes: tuple[Note, ...] = ()) -> Grade:
    result = scoring.exercise_result("01_first/double", tests)
    return scoring.grade(Submission(name, "d1", notes=notes), [result])


def a_run(*grades: Grade) -> Run:
    return Run("foreign", "0.1.0", ENVIRONMENT, grades)


def every_outcome() -> Run:
    """A student for each outcome, one whose name is an attack, and one who could not be read."""
    told = dataclasses.replace(a_test(Outcome.FAILED), advice=ADVICE)
    dead = ExerciseResult("01_first/double", Outcome.BROKEN, None, 2.0, message=SECRET)
    unreadable = Submission("fred", "d", problem="`fred` is an empty folder.")
    missing = ExerciseResult("01_first/double", Outcome.MISSING, 0.0, 2.0)
    return a_run(
        *(a_grade(str(outcome), a_test(outcome)) for outcome in Outcome),
        a_grade("told", told, a_test(Outcome.PASSED, "test_y")),
        a_grade(HOSTILE, a_test(Outcome.RAISED, message=HOSTILE), notes=(Note(HOSTILE, HOSTILE),)),
        scoring.grade(Submission("dead", "d"), [dead]),
        scoring.grade(unreadable, [missing]),
    )


def saved_run(folder: Path, run: Run | None = None) -> Path:
    result_files.write(run or every_outcome(), folder)
    return folder


def rendered(name: str, run: Run | None = None) -> str:
    return formats.FORMATS[name].render(run or every_outcome())


def read_csv(name: str, run: Run | None = None) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(rendered(name, run))))


def report(*arguments: object) -> Any:
    return CliRunner().invoke(main, ["report", *map(str, arguments)])


# Requested formats


def test_a_format_without_a_path_goes_to_standard_output(tmp_path: Path) -> None:
    done = report(saved_run(tmp_path), "json")
    assert done.stdout == (tmp_path / "results.json").read_text()


def test_a_format_with_a_path_becomes_that_file(tmp_path: Path) -> None:
    results = saved_run(tmp_path / "out")
    made = tmp_path / "deep" / "copy.json"
    done = report(results / "results.json", f"json={made}", f"text={tmp_path}/deep/")
    assert made.read_bytes() == (results / "results.json").read_bytes()
    assert (tmp_path / "deep" / "report.txt").read_text().count("told") == 2
    assert done.stdout == ""
    assert sorted(os.listdir(tmp_path / "deep")) == ["copy.json", "report.txt"]


@pytest.mark.parametrize(
    ("specs", "said"),
    [
        (["xml"], "`xml` is not a report format; there are: text, json, csv"),
        (["csv="], "`csv=` names no file after `=`"),
        (["json", "csv"], "`json` and `csv` can't both go to standard output"),
        (["json=a", "csv=./a"], "`csv` and `json` would both be `a`; rename one"),
        (["csv=results.json"], "`csv` and another file of this run would both be `results.json`"),
        (["csv=/proc/none/a.csv"], "`/proc/none/a.csv` can't be written: No such file"),
        (["csv=file/a.csv"], "`file/a.csv` can't be written: "),
    ],
)
def test_what_can_not_be_done_is_said_before_anything_is_done(
    specs: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(UsageError) as caught:
        formats.targets(specs, taken=[Path("results.json")])
    assert str(caught.value).startswith(said)
    assert os.listdir(tmp_path) == ["file"]


def test_a_report_that_fails_leaves_the_last_one_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "a.csv"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="can't be written: No space left"):
        formats.write(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.csv"]


# GitHub's report names no student, and Gradescope's is about one. The class page is a teacher's.
PUBLIC = [n for n in formats.FORMATS if n not in ("github", "gradescope", "html")]


@pytest.mark.parametrize("name", PUBLIC)
def test_no_format_says_what_a_hidden_test_keeps_to_itself(name: str) -> None:
    assert "SECRET" not in rendered(name)
    assert "told" in rendered(name)


def test_what_is_left_for_a_format_is_what_the_file_holds() -> None:
    shown = to_plain(public(every_outcome()))
    for submission in shown["submissions"]:
        assert submission.pop("sources") == ()
        for exercise in submission["exercises"]:
            for test in exercise["tests"]:
                assert test.pop("detail") == ""
    assert shown == result_files.results(every_outcome())


# Results read back


def damaged(change: Any) -> str:
    content = result_files.results(every_outcome())
    change(content)
    return json.dumps(content)


def first(content: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = dict.__getitem__(content, "submissions")[0]
    return found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is damaged: "),
        ("[" * 100_000, "is damaged: "),
        ("[]", "is not a results.json of this grader"),
        ('{"schema": 1}', "is not a results.json of this grader"),
        (damaged(lambda c: c.update(schema=99)), "has schema 99, but this grader knows 1: use a "),
        (damaged(lambda c: c.pop("course")), "is damaged: Object missing required field `course`"),
        (damaged(lambda c: first(c).update(exercises=2)), "at `$.submissions[0].exercises`"),
        (damaged(lambda c: first(c).update(score="9")), "at `$.submissions[0].score`"),
        (damaged(lambda c: first(c).update(score=True)), "at `$.submissions[0].score`"),
        (damaged(lambda c: first(c).update(score=float("nan"))), "NaN is not a number"),
        (damaged(lambda c: first(c).update(exercises=[1])), "at `$.submissions[0].exercises[0]`"),
        (damaged(lambda c: c["environment"].update(isolation=[{}])), "at `$.environment.isol"),
    ],
)
def test_results_that_can_not_be_read_say_why(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text(text)
    with pytest.raises(UsageError) as caught:
        runs.read_file(tmp_path)
    assert said in str(caught.value)
    assert str(tmp_path / "results.json") in str(caught.value)


def test_results_that_are_not_there_are_a_clear_error(tmp_path: Path) -> None:
    done = report(tmp_path, "json")
    assert done.exit_code == 2
    assert f"`{tmp_path}/results.json` can't be read: No such file or directory" in done.stderr
    (tmp_path / "results.json").write_bytes(b"\xff\xfe")
    assert "is not UTF-8 text" in report(tmp_path, "json").stderr


def test_results_come_back_as_they_were(tmp_path: Path) -> None:
    assert runs.read_file(saved_run(tmp_path)) == public(every_outcome())


# json


def test_json_has_no_details() -> None:
    for submission in json.loads(rendered("json"))["submissions"]:
        for exercise in submission["exercises"]:
            assert [test for test in exercise["tests"] if "detail" in test] == []


# What did not protect the marks


def isolated_by(*layers: str) -> Run:
    run = a_run(a_grade("ada", a_test(Outcome.PASSED)))
    return dataclasses.replace(run, environment=dataclasses.replace(ENVIRONMENT, isolation=layers))


NONE = "Graded without isolation: submissions could do anything, including to their marks."
SOME = "Graded without isolation of network, privileges: a submission could have changed its mark."
# What a format says if no layer held, and if two are missing. A sentence where one fits.
SAYS = dict.fromkeys(formats.FORMATS, (NONE, SOME)) | {
    "json": ('"isolation": []', '"isolation": [\n   "files",\n   "processes",\n   "memory"\n  ]'),
    "csv": ('"","none",', '"","without network, privileges",'),
    "canvas": (
        '"foreign (isolation: none)"',
        '"foreign (isolation: without network, privileges)"',
    ),
}


@pytest.mark.parametrize("name", formats.FORMATS)
def test_every_format_says_which_layers_did_not_protect_the_marks(name: str) -> None:
    none, some = SAYS[name]
    assert none in rendered(name, isolated_by())
    assert some in rendered(name, isolated_by("files", "processes", "memory"))
    for said in (none, some, NONE, SOME):
        assert said not in rendered(name, isolated_by(*LAYERS))


def test_a_students_page_and_the_summary_on_github_say_it_too() -> None:
    run = isolated_by()
    (grade,) = run.submissions
    assert NONE in html.page(run, grade)
    assert NONE not in html.page(isolated_by(*LAYERS), grade)
    assert github.summary(run).startswith(f"**{NONE}**\n")
    assert NONE not in github.summary(isolated_by(*LAYERS))


def test_of_many_warnings_on_github_the_isolation_is_first() -> None:
    broken = [a_grade(str(number), a_test(Outcome.BROKEN)) for number in range(20)]
    run = dataclasses.replace(isolated_by(), submissions=tuple(broken))
    first, *_ = rendered("github", run).splitlines()
    assert first == f"::warning title=Isolation::{NONE}"


# csv


def test_csv_is_a_row_for_each_student_and_exercise() -> None:
    rows = {row["student"]: row for row in read_csv("csv")}
    assert len(rows) == len(every_outcome().submissions)
    assert rows["passed"] == {
        "student": "passed",
        "exercise": "01_first/double",
        "outcome": "passed",
        "score": "2.0",
        "max_score": "2.0",
        "tests_passed": "1",
        "tests": "1",
        "seconds": "1.0",
        "causes": "",
        "message": "",
        "isolation": "all",
        "name": "",
        "login": "",
        "email": "",
        "section": "",
        "attempt": "1",
        "attempts": "1",
        "handed_in": "",
        "mark": "2.0",
        "max_mark": "2.0",
        "adjustments": "",
        "counts": "yes",
    }
    assert (rows["told"]["outcome"], rows["told"]["causes"]) == ("failed", "transposed")
    assert rows["fred"]["message"] == "`fred` is an empty folder."


@pytest.mark.parametrize("name", ["csv", "canvas", "moodle"])
def test_a_mark_that_is_not_known_is_an_empty_cell_and_no_zero(name: str) -> None:
    column = {"csv": "score", "canvas": "foreign", "moodle": "Grade"}[name]
    student = {"csv": "student", "canvas": "Student", "moodle": "Username"}[name]
    marks = {row[student]: row[column] for row in read_csv(name)}
    # An empty cell would take a mark out of Canvas that is there.
    unknown = None if name == "canvas" else ""
    assert (marks.get("broken"), marks.get("dead")) == (unknown, unknown)
    assert marks["failed"] == "0.0"


@pytest.mark.parametrize("name", ["csv", "canvas", "moodle"])
@pytest.mark.parametrize(
    "attack",
    [
        "=HYPERLINK(1)",
        "+1",
        "-1",
        "@SUM(1)",
        "\t=1",
        "\r=1",
        "  =1",
        "＝1",
        "a;=1",
        'a",=1',
        "a\n=1",
        "x\u202e=1",
    ],
)
def test_no_cell_is_a_formula(name: str, attack: str) -> None:
    run = a_run(a_grade(attack, a_test(Outcome.FAILED, message=attack)))
    shown = formats.FORMATS[name].render(run)
    for delimiter in ",;\t":
        for row in csv.reader(io.StringIO(shown), delimiter=delimiter):
            for cell in row:
                assert not re.match(r"\s*[=+\-@＝＋－＠\u202e]", cell), cell


def test_rows_of_a_sheet_can_not_be_forged() -> None:
    forged = 'x"\n"ada","01_first/double","passed",2.0\n'
    run = a_run(a_grade(forged, a_test(Outcome.FAILED, message=forged)))
    assert [row["outcome"] for row in read_csv("csv", run)] == ["failed"]


# canvas and moodle


def test_canvas_reads_its_own_columns_and_the_points_possible() -> None:
    rows = list(csv.reader(io.StringIO(rendered("canvas"))))
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "foreign"]
    assert rows[1] == ["    Points Possible", "", "", "", "", "4.0"]
    assert ["passed", "", "", "passed", "", "2.0"] in rows
    assert {len(row) for row in rows} == {6}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("doejane_1234_5678_hw.zip", ["doejane", "1234", "", "", "", "2.0"]),
        ("doejane_LATE_1234_5678_hw.py", ["doejane", "1234", "", "", "", "2.0"]),
        ("jd42.ipynb", ["jd42", "", "", "jd42", "", "2.0"]),
        ("j.doe", ["j.doe", "", "", "j.doe", "", "2.0"]),
    ],
)
def test_canvas_finds_students_by_what_it_called_them(name: str, found: list[str]) -> None:
    run = a_run(by_platform(name, a_test(Outcome.PASSED)))
    assert list(csv.reader(io.StringIO(rendered("canvas", run))))[2] == found


def test_canvas_knows_who_is_excused() -> None:
    excused = dataclasses.replace(
        a_grade("ada", a_test(Outcome.FAILED)),
        score=None,
        student=Person("1", "Ada", "ada7", section="B", sis="77", canvas="41"),
        adjustments=(Adjustment("excuse", 0.0, "ill", "Dr. N", "2026-10-05"),),
    )
    rows = list(csv.reader(io.StringIO(rendered("canvas", a_run(excused)))))
    assert rows[2] == ["Ada", "41", "77", "ada7", "B", "EX"]


def by_platform(name: str, *tests: TestResult) -> Grade:
    """A grade of what a platform calls so."""
    person = layouts.of_path(Path(name), name).student
    known = person if person != Person(person.id) else None
    return dataclasses.replace(a_grade(person.id, *tests), student=known)


def test_moodle_gets_grades_and_comments() -> None:
    name = "Jane Doe_1234_assignsubmission_file_"
    tests = (a_test(Outcome.FAILED), a_test(Outcome.PASSED, "test_y"))
    run = a_run(by_platform(name, *tests), by_platform("jd42.py", *tests))
    first, second = read_csv("moodle", run)
    assert first == {
        "Identifier": "Participant 1234",
        "Full name": "Jane Doe",
        "Username": "",
        "Email address": "",
        "ID number": "",
        "Grade": "2.0",
        "Maximum Grade": "4.0",
        "Last modified (grade)": "",
        "Feedback comments": "01_first/double: failed, 2 of 4\n  X holds. Wrong.",
    }
    assert (second["Identifier"], second["Username"]) == ("", "jd42")


def test_no_file_has_the_number_of_another_participant() -> None:
    """Moodle puts the student first. The rest is the name of a file, which the student chooses."""
    name = "Zoe Roe_789_assignsubmission_file_x_456_assignsubmission_file_hw.py"
    (row,) = read_csv("moodle", a_run(by_platform(name, a_test(Outcome.PASSED))))
    assert (row["Identifier"], row["Full name"]) == ("Participant 789", "Zoe Roe")


# junit


def junit_schema() -> lxml.etree.XMLSchema:
    return lxml.etree.XMLSchema(lxml.etree.parse(str(SCHEMAS / "junit.xsd")))


def test_junit_is_what_its_schema_says() -> None:
    document = lxml.etree.fromstring(rendered("junit").encode())
    junit_schema().assertValid(document)
    assert len(document.findall("testsuite")) == len(every_outcome().submissions)


def test_the_schema_of_junit_is_the_one_that_pytest_writes_by(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(
        "import pytest\ndef test_a(): assert 0\ndef test_b(): pytest.skip('x')\n"
        "def test_c(capsys): print(1)\n@pytest.fixture\ndef f(): 1/0\ndef test_d(f): pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "--junitxml=a.xml", "-p", "no:cacheprovider"]
    subprocess.run(command, cwd=tmp_path, capture_output=True)
    junit_schema().assertValid(lxml.etree.parse(str(tmp_path / "a.xml")))


def test_junit_counts_each_outcome_as_what_it_is() -> None:
    document = lxml.etree.fromstring(rendered("junit").encode())
    suites = {suite.get("name"): suite for suite in document.findall("testsuite")}
    said = {
        name: (suite.get("failures"), suite.get("errors"), suite.get("skipped"))
        for name, suite in suites.items()
    }
    students = [o for o in Outcome if o not in (Outcome.PASSED, Outcome.BROKEN, Outcome.UNDECIDED)]
    assert said["passed"] == ("0", "0", "0")
    assert {said[name] for name in students} == {("1", "0", "0")}
    assert (said["broken"], said["undecided"]) == (("0", "1", "0"), ("0", "0", "1"))
    failure = suites["told"].find("testcase/failure")
    assert (failure.get("type"), failure.get("message")) == ("failed", "Wrong.")
    assert failure.text.splitlines() == [
        "X holds.",
        "Wrong.",
        "The result is transposed.",
        "line 3: return x.T",
        "Swap the axes.",
        "Hint: Try.",
    ]
    points = {p.get("name"): p.get("value") for p in suites["told"].iter("property")}
    assert points == {"score": "2", "max_score": "4", "isolation": "all"}
    assert [p.get("name") for p in suites["broken"].iter("property")] == ["max_score", "isolation"]
    assert suites["fred"].findtext("system-out") == "`fred` is an empty folder."


def test_junit_keeps_what_xml_has_no_place_for_out() -> None:
    everything = "".join(map(chr, [*range(0x300), *range(0xD7F0, 0xE010), 0xFFFE, 0xFFFF, 0x1F600]))
    for start in range(0, len(everything), 100):
        part = everything[start : start + 100] + "]]></failure>"
        run = a_run(a_grade(part, a_test(Outcome.FAILED, message=part)))
        document = lxml.etree.fromstring(rendered("junit", run).encode())
        assert len(document.findall(".//testcase")) == 1


# Practice


def a_run_with_practice() -> Run:
    """An exercise that counts and is passed, and one for practice that lost everything."""
    counts = scoring.exercise_result("01_first/double", (a_test(Outcome.PASSED),))
    practice = scoring.exercise_result("01_first/half", (a_test(Outcome.FAILED),))
    results = [counts, dataclasses.replace(practice, counts=False)]
    return a_run(scoring.grade(Submission("ada", "d1"), results))


def test_practice_is_in_no_column_of_a_gradebook() -> None:
    run = a_run_with_practice()
    rows = read_csv("csv", run)
    assert [(row["score"], row["max_score"], row["counts"]) for row in rows] == [
        ("2.0", "2.0", "yes"),
        ("", "0.0", "practice"),
    ]
    assert {(row["mark"], row["max_mark"]) for row in rows} == {("2.0", "2.0")}
    assert [row["Maximum Grade"] for row in read_csv("moodle", run)] == ["2.0"]
    points, ada = read_csv("canvas", run)
    assert (points["foreign"], ada["foreign"]) == ("2.0", "2.0")


def test_practice_has_no_points_on_gradescope_and_is_called_so() -> None:
    results = json.loads(rendered("gradescope", a_run_with_practice()))
    assert (results["score"], results["extra_data"]["max_score"]) == (2.0, 2.0)
    double, half = results["tests"]
    assert (double["score"], double["max_score"]) == (2.0, 2.0)
    assert {"score", "max_score"}.isdisjoint(half)
    assert (half["name"], half["status"]) == ("01_first/half (practice): X holds.", "failed")


def test_a_workflow_passes_without_practice_and_says_what_was_lost_there() -> None:
    run = a_run_with_practice()
    assert github.outputs(run) == {"passed": "true", "score": "2", "max_score": "2"}
    (said,) = github.annotated(run)
    assert (said.level, said.title, said.cost) == ("warning", "01_first/half (practice)", 0.0)
    assert "</code> | failed | practice |" in github.summary(run)


def test_pages_and_texts_say_practice_in_place_of_points() -> None:
    run = a_run_with_practice()
    (grade,) = run.submissions
    assert "01_first/half    failed   practice" in rendered("text", run)
    assert "(-" not in rendered("text", run)
    (_, practice) = grade.exercises
    alone = scoring.grade(Submission("ada", "d1"), [practice])
    assert rendered("text", a_run(alone)).startswith("ada  practice\n")
    page = html.page(run, grade)
    assert "The points of an exercise for practice are in no mark." in page
    assert "<small>practice</small>" in page
    assert 'class="cost"' not in page
