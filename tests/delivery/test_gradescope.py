"""What Gradescope reads: results by its documentation, and the autograder that writes them."""

from __future__ import annotations

import base64
import csv
import dataclasses
import hashlib
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.course.course import Course
from grader.delivery import autograder, gradescope_bundle
from grader.output.reports import gradescope, redaction
from grader.records import scoring
from grader.records.errors import UsageError
from grader.records.model import (
    LAYERS,
    Advice,
    Assignment,
    Environment,
    ExerciseResult,
    Note,
    Outcome,
    Run,
    Submission,
    TestResult,
)

# From https://gradescope-autograders.readthedocs.io/en/latest/specs/: what a field may hold, and
# that there is a score on top or else one on every test.
_VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
_FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
_TEST = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number"},
        "max_score": {"type": "number", "minimum": 0},
        "status": {"enum": ["passed", "failed"]},
        "name": {"type": "string", "minLength": 1},
        "name_format": _FORMAT,
        "number": {"type": "string", "minLength": 1},
        "output": {"type": "string"},
        "output_format": _FORMAT,
        "tags": {"type": "array", "items": {"type": "string"}},
        "visibility": _VISIBILITY,
        "extra_data": {"type": "object"},
    },
}
FIELDS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number", "minimum": 0},
        "output": {"type": "string"},
        "output_format": _FORMAT,
        "test_output_format": _FORMAT,
        "test_name_format": _FORMAT,
        "visibility": _VISIBILITY,
        "stdout_visibility": _VISIBILITY,
        "extra_data": {"type": "object"},
        "tests": {"type": "array", "items": _TEST},
        "leaderboard": {"type": "array"},
    },
}
SCHEMA = {
    **FIELDS,
    "anyOf": [
        {"required": ["score"]},
        {
            "required": ["tests"],
            "properties": {"tests": {"minItems": 1, "items": {"required": ["score"]}}},
        },
    ],
}
HOSTILE = '"},{"score": 99, "x": "\x1b[2A\x00\ud800</pre><script>alert(1)</script>\u202e\r\n'


def a_test(outcome: Outcome, message: str = "", **more: object) -> TestResult:
    earned = 2.0 if outcome is Outcome.PASSED else 0.0
    made = TestResult("test_x", "X holds.", outcome, earned, 2.0, 0.25, message)
    return dataclasses.replace(made, **more)  # type: ignore[arg-type]


def an_exercise(*tests: TestResult, name: str = "03_jit/f") -> ExerciseResult:
    return scoring.exercise_result(name, tests)


def a_run(*exercises: ExerciseResult, **more: object) -> Run:
    submission = dataclasses.replace(Submission("ada", "d1"), **more)  # type: ignore[arg-type]
    environment = Environment("0.10", "3.11", "Linux", LAYERS, "7")
    return Run("c", "0.1", environment, (scoring.grade(submission, exercises),))


def read(text: str, schema: dict[str, Any] = SCHEMA) -> dict[str, Any]:
    """The text as Gradescope reads it."""
    import jsonschema  # here, since it may import for seconds

    found: dict[str, Any] = json.loads(text, parse_constant=pytest.fail)
    jsonschema.Draft202012Validator.check_schema(schema)
    errors = jsonschema.Draft202012Validator(schema).iter_errors(found)
    if problem := jsonschema.exceptions.best_match(errors):
        raise ValueError(problem.message)
    return found


def test_a_submission_is_a_score_and_a_case_for_each_test() -> None:
    advice = Advice("transposed", "Its axes are swapped.", "Swap them.", 3)
    lost = a_test(Outcome.FAILED, "Wrong shape.", hint="Try.", advice=advice)
    found = read(gradescope.render(a_run(an_exercise(a_test(Outcome.PASSED), lost))))
    assert (found["score"], found["execution_time"]) == (2.0, 0.5)
    assert (found["visibility"], found["stdout_visibility"]) == ("visible", "hidden")
    assert found["tests"] == [
        {
            "score": 2.0,
            "max_score": 2.0,
            "status": "passed",
            "name": "03_jit/f: X holds.",
            "number": "1.1",
            "output": "",
            "tags": ["03_jit/f", "passed"],
            "visibility": "visible",
        },
        {
            "score": 0.0,
            "max_score": 2.0,
            "status": "failed",
            "name": "03_jit/f: X holds.",
            "number": "1.2",
            "output": "Wrong shape.\nIts axes are swapped.\nline 3\nSwap them.\nHint: Try.",
            "tags": ["03_jit/f", "failed"],
            "visibility": "visible",
        },
    ]


def test_the_cases_add_up_to_the_score() -> None:
    late = dataclasses.replace(a_test(Outcome.UNDECIDED, "Too noisy."))
    exercises = (
        an_exercise(a_test(Outcome.PASSED), late),
        an_exercise(a_test(Outcome.MISSING), a_test(Outcome.MISSING), name="03_jit/g"),
    )
    found = read(gradescope.render(a_run(*exercises)))
    assert sum(case["score"] for case in found["tests"]) == found["score"] == 4.0
    assert sum(case["max_score"] for case in found["tests"]) == 8.0
    assert [case["status"] for case in found["tests"]] == ["passed", "passed", "failed"]
    assert found["tests"][2]["output"] == "Not submitted."


def test_an_unknown_mark_has_no_score_anywhere_and_says_so_first() -> None:
    broken = an_exercise(a_test(Outcome.BROKEN), name="03_jit/g")
    text = gradescope.render(a_run(an_exercise(a_test(Outcome.PASSED)), broken))
    found = read(text, FIELDS)
    assert '"score"' not in text
    assert found["output"].startswith("NO MARK: ")
    # It breaks one rule of the format, on purpose.
    with pytest.raises(ValueError, match="'score' is a required property"):
        read(text)


def test_an_exercise_without_tests_is_no_zero() -> None:
    lost = ExerciseResult("03_jit/f", Outcome.BROKEN, None, 3.0, message="a judge's own words")
    text = gradescope.render(a_run(lost))
    assert '"score"' not in text
    assert "judge" not in text


def test_what_stands_in_when_grading_fails_has_no_mark() -> None:
    text = gradescope.no_mark("The suite is broken.")
    assert '"score"' not in text
    assert read(text, FIELDS)["output"] == f"{gradescope.NO_MARK}\nThe suite is broken."


def test_what_a_hidden_test_saw_is_not_told() -> None:
    lost = a_test(Outcome.FAILED, "Wrong.", detail="SECRET")
    assert "SECRET" not in gradescope.render(a_run(an_exercise(lost)))


def test_whatever_a_student_writes_is_text_in_its_place() -> None:
    advice = Advice(HOSTILE, HOSTILE, HOSTILE, 3, HOSTILE, HOSTILE)
    lost = a_test(Outcome.RAISED, HOSTILE, title=HOSTILE, hint=HOSTILE, advice=advice)
    exercise = dataclasses.replace(an_exercise(lost), findings=(advice,))
    run = a_run(exercise, id=HOSTILE, notes=(Note(HOSTILE, HOSTILE),), problem=HOSTILE)
    text = gradescope.render(run)
    found = read(text)
    assert (found["score"], len(found["tests"])) == (0.0, 1)
    assert all(byte in range(32, 127) or byte == 10 for byte in text.encode())
    shown = found["output"] + found["tests"][0]["output"] + found["tests"][0]["name"]
    assert all(c.isprintable() or c == "\n" for c in shown)
    # As text and never as HTML or Markdown.
    assert {found[key] for key in found if key.endswith("_format")} == {"text"}


def test_a_finding_is_told_and_costs_nothing() -> None:
    finding = Advice("dropped-set", "The result of `.set` is dropped.", "Assign it.", 4)
    exercise = dataclasses.replace(an_exercise(a_test(Outcome.PASSED)), findings=(finding,))
    found = read(gradescope.render(a_run(exercise)))
    assert found["score"] == 2.0
    assert found["output"] == (
        "A likely mistake in 03_jit/f; it costs no point:\n"
        "The result of `.set` is dropped.\nline 4\nAssign it."
    )


def test_a_class_is_refused_with_what_to_do() -> None:
    run = a_run(an_exercise(a_test(Outcome.PASSED)))
    with pytest.raises(UsageError) as caught:
        gradescope.render(dataclasses.replace(run, submissions=run.submissions * 2))
    assert str(caught.value) == (
        "this run contains 2 submissions, but Gradescope's results.json is about one. Grade them "
        "one by one; `grader gradescope` builds an autograder for the course, so Gradescope grades "
        "them."
    )


# The autograder


def built(course: Course, target: Path, **more: Any) -> Path:
    settings = {"minutes": 10, "isolation": "available", **more}
    return gradescope_bundle.build(course, course.exercises, target, **settings)


def unpacked(course: Course, root: Path, **more: Any) -> dict[str, str]:
    """A container's folder with the autograder in it, and the environment that leads there."""
    with zipfile.ZipFile(built(course, root / "zip", **more)) as archive:
        archive.extractall(root / "source")
    shutil.copy(root / "source" / "run_autograder", root / "run_autograder")
    (root / "submission").mkdir()
    # The cache of this machine serves the small course, too; an image makes its own.
    (root / "cache").symlink_to(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"))
    return {**os.environ, "AUTOGRADER_ROOT": str(root), "AUTOGRADER_PYTHON": sys.executable}


def graded(environ: dict[str, str]) -> tuple[str, str]:
    """What `run_autograder` prints for the staff, and what it leaves for Gradescope."""
    root = Path(environ["AUTOGRADER_ROOT"])
    done = subprocess.run(
        ["bash", str(root / "run_autograder")],
        env=environ,
        cwd="/",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout, (root / "results" / "results.json").read_text()


def test_the_zip_holds_all_that_gradescope_asks_for(foreign: Course, tmp_path: Path) -> None:
    path = built(foreign, tmp_path / "new")
    assert path == tmp_path / "new" / "autograder.zip"
    with zipfile.ZipFile(path) as archive:
        modes = {member.filename: member.external_attr >> 16 for member in archive.infolist()}
        scripts = {name: archive.read(name) for name in ("setup.sh", "run_autograder")}
    assert all(stat.S_ISREG(mode) for mode in modes.values())
    assert {name for name, mode in modes.items() if mode & 0o111} == set(scripts)
    assert sorted(name for name in modes if not name.endswith(".whl")) == [
        "autograder.json",
        "course/exercises/01_first/double.py",
        "course/exercises/README.md",
        "course/exercises/catalog.toml",
        "course/solutions/01_first/double.py",
        "course/tests/hidden/01_first/test_double.py",
        "no_mark.json",
        "requirements.txt",
        "run_autograder",
        "setup.sh",
    ]
    for script in scripts.values():
        assert script.startswith(b"#!/usr/bin/env bash\n")
        assert b"\r" not in script
        # Every placeholder is filled in.
        assert re.search(rb"@[A-Z]+@", script) is None
        subprocess.run(["bash", "-n"], input=script, check=True)


@pytest.mark.slow
def test_the_same_course_makes_the_same_zip(foreign: Course, tmp_path: Path) -> None:
    one, two = built(foreign, tmp_path / "one.zip"), built(foreign, tmp_path / "two.zip")
    assert one.read_bytes() == two.read_bytes()


def test_only_what_was_chosen_is_in_the_zip(make_course: Any, tmp_path: Path) -> None:
    more = {
        "exercises/02_more/negate.py": '"""The other sign."""\n',
        "exercises/02_more/negate.md": "One.\n",
        "solutions/02_more/negate.py": "def negate(x):\n    return -x\n",
        "tests/hidden/02_more/test_negate.py": "def test_x(submission):\n    pass\n",
        "tests/hidden/conftest.py": "SHARED = 1\n",
    }
    entry = '\n[[exercise]]\nid = "02_more/negate"\ntitle = "Negate"\n'
    course = make_course(tmp_path / "course", more, entry)
    path = gradescope_bundle.build(
        course, course.select(["double"]), tmp_path / "a.zip", minutes=10, isolation="required"
    )
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        settings = json.loads(archive.read("autograder.json"))
    assert not [name for name in names if "negate" in name]
    assert "course/tests/hidden/conftest.py" in names
    assert settings == {
        "schema": 1,
        "exercises": ["01_first/double"],
        "isolation": "required",
        "assignment": None,
    }


def test_the_wheel_is_this_package_and_every_record_of_it_holds() -> None:
    with zipfile.ZipFile(io.BytesIO(gradescope_bundle.wheel())) as wheel:
        about = next(n for n in wheel.namelist() if n.endswith(".dist-info/RECORD"))
        rows = list(csv.reader(wheel.read(about).decode().splitlines()))
        assert sorted(row[0] for row in rows) == sorted(wheel.namelist())
        for name, digest, size in rows:
            if name != about:
                data = wheel.read(name)
                algorithm, _, said = digest.partition("=")
                assert int(size) == len(data)
                found = hashlib.new(algorithm, data).digest()
                assert base64.urlsafe_b64decode(said + "==") == found
        names = wheel.namelist()
        assert "grader/engine/judge/plugin.py" in names
        assert "grader/delivery/templates/setup.sh" in names
        assert not [name for name in names if "__pycache__" in name or "_course" in name]
        entry_points = wheel.read(about.replace("RECORD", "entry_points.txt")).decode()
    assert "grader = grader.cli:main" in entry_points


def test_every_requirement_is_pinned_and_nothing_is_missing() -> None:
    pins = dict(pin.split("==") for pin in gradescope_bundle.requirements())
    assert {"jax", "jaxlib", "numpy", "pytest", "click", "msgpack"} <= set(pins)
    # The dependencies of those.
    assert {"scipy", "opt-einsum", "pluggy", "markdown-it-py"} <= set(pins)
    assert pins["jax"] == metadata.version("jax").partition("+")[0]
    assert not {"mypy", "ruff", "selenium"} & set(pins)


@pytest.mark.parametrize(
    "isolation", ["available", pytest.param("required", marks=pytest.mark.slow)]
)
def test_a_submission_becomes_a_score(foreign: Course, tmp_path: Path, isolation: str) -> None:
    environ = unpacked(foreign, tmp_path, isolation=isolation)
    (tmp_path / "submission" / "double.py").write_text("def double(x):\n    return x + x + 0 * x\n")
    said, text = graded(environ)
    found = read(text)
    assert (found["score"], len(found["tests"])) == (4.0, 3)
    assert said.startswith(f"Course: foreign, 1 exercise, from {tmp_path}/source/course\n")
    assert f"\nIsolation here: {', '.join(LAYERS)}.\nSeed: " in said
    # Only the owner may read it.
    assert stat.S_IMODE((tmp_path / "source").stat().st_mode) & 0o77 == 0
    assert [p for p in (tmp_path / "source").rglob("*") if p.stat().st_mode & 0o77] == []


def test_an_exam_is_graded_by_the_rules_of_its_assignment(foreign: Course, tmp_path: Path) -> None:
    weights = {"01_first/double": 2.0}
    ids = tuple(e.id for e in foreign.exercises)
    exam = Assignment("exam", "Exam", ids, due="2026-01-01", show="words", weights=weights)
    unpacked(foreign, tmp_path, rule=exam)
    (tmp_path / "submission" / "double.py").write_text("def double(x):\n    return 3 * x\n")
    results = tmp_path / "results.json"
    autograder.run(tmp_path / "source", tmp_path / "submission", results)
    found = read(results.read_text())
    assert found["extra_data"]["max_score"] == 8.0
    outputs = {case["output"].partition("\n")[0] for case in found["tests"] if not case["score"]}
    assert "Values are wrong." in outputs <= {said for _, said in redaction.KINDS}


def test_a_submission_neither_reads_a_solution_nor_writes_its_mark(
    foreign: Course, tmp_path: Path
) -> None:
    environ = unpacked(foreign, tmp_path)
    solution = tmp_path / "source" / "course" / "solutions" / "01_first" / "double.py"
    assert solution.is_file()
    (tmp_path / "submission" / "double.py").write_text(f"""
for path in ({str(tmp_path / "results")!r}, {str(tmp_path)!r}):
    try:
        open(path + "/results.json", "w").write('{{"score": 99}}')
    except OSError:
        pass
try:
    exec(open({str(solution)!r}).read())
except OSError:
    def double(x):
        return None
""")
    found = read(graded(environ)[1])
    assert found["score"] == 0.0
    assert not (tmp_path / "results.json").exists()


@pytest.mark.slow
def test_what_is_not_python_is_the_students_zero(foreign: Course, tmp_path: Path) -> None:
    environ = unpacked(foreign, tmp_path)
    (tmp_path / "submission" / "essay.txt").write_text("I was ill.")
    found = read(graded(environ)[1])
    assert found["score"] == 0.0
    assert "essay.txt" in found["output"]
    assert [case["output"] for case in found["tests"]] == ["Not submitted."]


@pytest.mark.parametrize(
    "what", [pytest.param("suite", marks=pytest.mark.slow), "settings", "python", "slow"]
)
def test_whatever_breaks_there_are_results_without_a_mark(
    make_course: Any, tmp_path: Path, what: str
) -> None:
    environ = unpacked(make_course(tmp_path / "course"), tmp_path)
    source = tmp_path / "source"
    if what == "suite":
        suite = source / "course" / "tests" / "hidden" / "01_first" / "test_double.py"
        suite.write_text("SECRET = 1\nraise RuntimeError(SECRET)\n")
    elif what == "settings":
        (source / "autograder.json").write_text("{")
    elif what == "python":
        environ["AUTOGRADER_PYTHON"] = "/nowhere/python"
    else:
        endless = tmp_path / "endless"
        endless.write_text("#!/bin/sh\nexec sleep 1000\n")
        endless.chmod(0o700)
        environ["AUTOGRADER_PYTHON"] = str(endless)
        script = tmp_path / "run_autograder"
        script.write_text(script.read_text().replace("570", "0.2"))
    (tmp_path / "submission" / "double.py").write_text("def double(x):\n    return 2 * x\n")
    said, text = graded(environ)
    assert '"score"' not in text
    assert "SECRET" not in text
    assert read(text, FIELDS)["output"] == gradescope.NO_MARK
    assert "STAFF: no mark: " in said


def test_without_a_sandbox_the_staff_is_told() -> None:
    def told(*layers: str) -> str:
        return autograder._isolation(Environment("0.10", "3.11", "Linux", layers, "3"))

    assert told().startswith("Isolation here: NONE. MISSING: files, network, processes, ")
    said = "Isolation here: files, memory. MISSING: network, processes, privileges. "
    assert told("files", "memory").startswith(said)
    assert told(*LAYERS) == f"Isolation here: {', '.join(LAYERS)}."


@pytest.mark.slow
def test_the_image_is_built_from_a_registry_alone_and_grades(
    foreign: Course, tmp_path: Path
) -> None:
    environ = unpacked(foreign, tmp_path)
    del environ["AUTOGRADER_PYTHON"]
    (tmp_path / "cache").unlink()
    kept = {"PATH", "HOME", "AUTOGRADER_ROOT", "LANG"} | {
        k for k in environ if k.startswith("PIP_")
    }
    environ = {key: value for key, value in environ.items() if key in kept}
    done = subprocess.run(
        ["bash", str(tmp_path / "source" / "setup.sh")], env=environ, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Isolation here: files" in done.stdout
    (tmp_path / "submission" / "double.py").write_text("def double(x):\n    return 3 * x\n")
    found = read(graded(environ)[1])
    assert found["score"] == 0.0
    assert len(found["tests"]) == 3


def test_the_command_says_what_to_do_with_the_zip(foreign: Course, tmp_path: Path) -> None:
    arguments = ["gradescope", str(tmp_path / "out"), "--course", str(foreign.root)]
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"wrote {tmp_path}/out/autograder.zip: 1 exercise, ")
    assert "Set the time limit to 10 minutes" in done.output


def test_a_handout_makes_no_autograder(foreign: Course, tmp_path: Path) -> None:
    shutil.copytree(foreign.stubs, tmp_path / "handout")
    arguments = ["gradescope", str(tmp_path / "a.zip"), "--course", str(tmp_path / "handout")]
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert done.exit_code == 3
    assert "is a handout" in done.output
    assert not (tmp_path / "a.zip").exists()
