"""The commands `grade` and `demo`: output, files and exit codes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from grader import __version__
from grader.course.course import Course
from tests.commands.conftest import Maker, Session, grader, said, session

# The teacher


def test_a_class_is_graded_whatever_is_in_it(graded: Session) -> None:
    rows = {
        s["id"]: (s["score"], *(e["outcome"] for e in s["exercises"]))
        for s in graded.results["submissions"]
    }
    assert rows == {
        "ada": (6, "passed", "passed"),
        "ben": (6, "passed", "passed"),
        "cleo": (2, "failed", "passed"),
        "dan": (4, "passed", "missing"),
        "eve": (0, "missing", "missing"),
        "fred": (0, "missing", "missing"),
        "gina": (0, "missing", "missing"),
        "hal": (0, "unreadable", "unreadable"),
        "ivy": (0, "unreadable", "unreadable"),
        "joe": (0, "raised", "missing"),
        "kim": (0, "unreadable", "unreadable"),
    }
    assert graded.exit_code == 0


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "fred",
            "`fred` is an empty folder. Submit Python files or notebooks named like their stubs, "
            "such as `double.py`.",
        ),
        (
            "gina",
            "`gina.py` matches no exercise by its name, and is not valid Python (line 1: invalid "
            "syntax). Fix it, and give it the name of its stub.",
        ),
        (
            "kim",
            "nothing in `kim` can be graded: `double.py` is not Python: it contains NUL bytes. "
            "Save it as plain UTF-8 text.",
        ),
        (
            "hal",
            "`hal.ipynb` is not a notebook: it isn't JSON (line 1: Expecting property name "
            "enclosed in double quotes). Save it again in Jupyter.",
        ),
        ("ivy", "`ivy.zip` is not a zip, or is damaged. Pack your files again."),
        (
            "eve",
            "nothing in `eve` can be graded: `my_double.py` matches no exercise. If it is "
            "`01_first/double`, name it `double.py` and define `double` in it.",
        ),
    ],
)
def test_what_can_not_be_graded_says_why(graded: Session, name: str, problem: str) -> None:
    assert graded.submission(name)["problem"] == problem
    assert f"\n{name}: {problem}\n" in graded.output


def test_a_file_that_is_not_python_says_in_which_line(graded: Session) -> None:
    tests = graded.submission("joe")["exercises"][0]["tests"]
    assert {test["message"] for test in tests} == {
        "Your code raised SyntaxError at line 1 of `double.py`: `def double(x)`."
    }
    (todo,) = {test["advice"]["todo"] for test in tests}
    assert todo.startswith("Fix it: nothing in this file works until then. Python says: expected")


def test_what_matches_nothing_is_reported_and_ignored(graded: Session) -> None:
    reason = "matches no exercise, either by its name or by a function that it defines"
    note = {"path": "holiday.py", "reason": reason, "unreadable": False}
    assert graded.submission("ada")["notes"] == [note]
    assert f"\nada: holiday.py: {reason}\n" in graded.output
    assert "dan: dan/notes.txt: is not a Python file, a notebook or a zip" in (graded.output)
    assert graded.output.count("\nben") == 1


def test_a_class_ends_with_what_isolated_it_and_where_the_files_are(graded: Session) -> None:
    *_, isolation, how_many, reasons, seed, results, details = graded.output.splitlines()
    assert isolation == "isolation files, network, processes, memory, privileges"
    assert how_many.startswith("graded    11 submissions in ")
    assert reasons == "reasons   `grader report out text` shows why points were lost"
    assert seed == "seed      3 (the same inputs again with `--seed`)"
    assert (results, details) == ("wrote     out/results.json", "wrote     out/details.json")


def test_results_say_where_and_by_what_they_were_made(graded: Session) -> None:
    keys = "schema course grader environment assignment due explanations show mistakes submissions"
    assert list(graded.results) == keys.split()
    assert (graded.results["schema"], graded.results["course"]) == (1, "foreign")
    assert graded.results["grader"] == __version__
    environment = graded.results["environment"]
    assert list(environment) == ["jax", "python", "platform", "isolation", "seed"]
    assert environment["isolation"] == ["files", "network", "processes", "memory", "privileges"]
    assert environment["seed"] == "", "it could draw hidden inputs"
    assert environment["python"] == ".".join(map(str, sys.version_info[:3]))


def test_a_student_may_read_the_results_and_a_teacher_the_details(graded: Session) -> None:
    (hidden,) = (
        test
        for test in graded.submission("cleo")["exercises"][0]["tests"]
        if test["id"] == "test_arrays"
    )
    assert hidden["message"].splitlines()[:2] == ["12 of 12 values are wrong.", "double(x) with"]
    assert hidden["hint"] == "Works for one number, and for many?"
    (detail,) = graded.details_of("cleo", {"test_arrays"})
    assert "expected:" in detail
    assert not any(word in json.dumps(graded.results) for word in ("assert_close", "rng."))


def test_a_broken_suite_is_our_fault_and_other_marks_are_kept(
    graded: Session, taught: Course, room: Path, tmp_path: Path
) -> None:
    storm = taught.stubs.parent / "storm"
    storm.touch()
    try:
        done = session(
            tmp_path, room / "ada", room / "dan.zip", "--course", taught.root, "--isolation", "none"
        )
    finally:
        storm.unlink()
    assert done.exit_code == 4
    ada, dan = done.results["submissions"]
    assert [(e["outcome"], e["score"]) for e in ada["exercises"]] == [
        ("passed", 4),
        ("broken", None),
    ]
    assert (ada["score"], ada["max_score"]) == (None, 6)
    assert (dan["score"], dan["exercises"][1]["outcome"]) == (4, "missing")
    assert done.output.count("BROKEN 02_more/negate test_sign") == 1
    assert done.output.endswith(
        "Error: 1 of 2 marks can't be known, because of a fault in the course or this machine. The "
        "others are final. Fix what is listed above, and grade again.\n"
    )
    assert "storm" not in json.dumps(done.results)
    assert "storm" in json.dumps(done.details)


def test_a_course_with_a_missing_suite_is_not_graded(
    make_course: Maker, tmp_path: Path, room: Path
) -> None:
    course = make_course(tmp_path, {"tests/hidden/01_first/test_double.py": None})
    assert said(grader("grade", room / "ada", "--course", tmp_path), 3) == (
        f"the course `foreign` can't be graded; missing: `{course.suite(course['double'])}`. Write "
        "the file, or remove the entry from `exercises/catalog.toml`; `grader verify` lists "
        "everything that a course lacks."
    )


def test_a_handout_can_not_grade(foreign: Course, room: Path, tmp_path: Path) -> None:
    assert grader("handout", tmp_path / "out", "--course", foreign.root).exit_code == 0
    assert said(grader("grade", room / "ada", "--course", tmp_path / "out"), 3) == (
        f"`{tmp_path}/out` is a handout: it contains no hidden suites or solutions. Point "
        "`--course` at the course itself to grade or to verify."
    )


def test_a_path_that_is_not_there_ends_the_run(taught: Course, room: Path) -> None:
    arguments = ("grade", room / "ada", room / "zoe.py", "--course", taught.root)
    assert said(grader(*arguments), 2) == (
        f"there is nothing at `{room}/zoe.py`. Check the spelling, and name a Python file, a "
        "notebook, a zip or a folder."
    )


def test_a_class_without_anybody_is_an_error(taught: Course, tmp_path: Path, room: Path) -> None:
    assert said(grader("grade", "--class", tmp_path, "--course", taught.root), 2) == (
        f"`{tmp_path}` is an empty folder, without a submission. Put one file or folder for each "
        "student there."
    )
    assert said(grader("grade", "--class", room / "ben.py", "--course", taught.root), 2) == (
        f"`{room}/ben.py` is not a folder or a zip, so it can't contain a class. Name the folder "
        "with one file or folder for each student, or grade it without `--class`."
    )


def test_nothing_to_grade_is_an_error(taught: Course) -> None:
    assert said(grader("grade", "--course", taught.root), 2) == (
        "nothing to grade: name a submission, or a class with `--class DIR`"
    )


def test_a_place_for_results_that_is_none_is_known_before_grading(
    taught: Course, room: Path
) -> None:
    taken = room / "ben.py"
    arguments = ("grade", room / "ada", "--course", taught.root, "--out", taken)
    assert said(grader(*arguments), 2) == (
        f"results can't be written to `{taken}`: File exists. Name another folder."
    )


# The author


@pytest.mark.slow
def test_a_demo_makes_a_class_and_grades_it(
    foreign: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ("demo", "--course", foreign.root, "--out", ".", "--isolation", "none")
    result = grader(*arguments, env={"COLUMNS": "80"})
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("ada, blaise and carl submit correct solutions. ")
    scores = {
        s["id"]: s["score"]
        for s in json.loads((tmp_path / "results.json").read_text())["submissions"]
    }
    assert scores == {
        "ada": 4,
        "blaise": 4,
        "carl": 4,
        "dora": 0,
        "emil": 2,
        "fay": 3,
        "gustav": 4,
    }
    assert len(result.stdout.splitlines()) <= 24
