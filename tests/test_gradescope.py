"""What Gradescope reads: results by its documentation, and the autograder that writes them."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import jsonschema
import pytest

from grader import scoring
from grader.errors import UsageError
from grader.model import (
    Advice,
    Environment,
    ExerciseResult,
    Note,
    Outcome,
    Run,
    Submission,
    TestResult,
)
from grader.reports import gradescope

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
    environment = Environment("0.10", "3.11", "Linux", ("files",), "7")
    return Run("c", "0.1", environment, (scoring.grade(submission, exercises),))


def read(text: str, schema: dict[str, Any] = SCHEMA) -> dict[str, Any]:
    """The text as Gradescope reads it."""
    found: dict[str, Any] = json.loads(text, parse_constant=pytest.fail)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(found, schema, jsonschema.Draft202012Validator)
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
            "output": "Wrong shape.\nIts axes are swapped.\nSwap them.\nHint: Try.",
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
    assert found["tests"][2]["output"] == "Not handed in."


def test_an_unknown_mark_has_no_score_anywhere_and_says_so_first() -> None:
    broken = an_exercise(a_test(Outcome.BROKEN), name="03_jit/g")
    text = gradescope.render(a_run(an_exercise(a_test(Outcome.PASSED)), broken))
    found = read(text, FIELDS)
    assert '"score"' not in text
    assert found["output"].startswith("NO MARK: ")
    # The one rule of the format that it breaks, on purpose.
    with pytest.raises(jsonschema.ValidationError) as caught:
        read(text)
    assert caught.value.message == "'score' is a required property"


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
        "A likely mistake in 03_jit/f, line 4 (it costs no point):\n"
        "The result of `.set` is dropped.\nAssign it."
    )


def test_a_class_is_refused_with_what_to_do() -> None:
    run = a_run(an_exercise(a_test(Outcome.PASSED)))
    with pytest.raises(UsageError) as caught:
        gradescope.render(dataclasses.replace(run, submissions=run.submissions * 2))
    assert str(caught.value) == (
        "this run holds 2 submissions, and Gradescope's results.json is about one. Grade them one "
        "by one; `grader gradescope` makes an autograder of the course, so that Gradescope does."
    )
