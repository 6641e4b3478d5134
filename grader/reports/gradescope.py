"""One submission as Gradescope's `results.json`.

    Run --> score, a word on the whole, and a case for each test --> JSON

Every case is `visible`: it says in a student's terms what was lost and nothing of a hidden test,
and Gradescope keeps the total from students as soon as a case with points is hidden from them. What
the run prints is the staff's alone. A mark that can't be known is none: no `score` is anywhere,
which Gradescope's format asks for, so it has nothing to add up to a mark that nobody gave.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from grader.errors import UsageError
from grader.model import ExerciseResult, Grade, Outcome, Run
from grader.reports import told
from grader.reports.text import clean, line

NO_MARK = (
    "NO MARK: this submission could not be graded, by a fault that is not the student's. "
    "Staff: the output of the run says more; mend that, and regrade."
)
_SETTINGS = {
    "output_format": "text",
    "test_output_format": "text",
    "test_name_format": "text",
    "visibility": "visible",
    "stdout_visibility": "hidden",
}
_RIGHT = (Outcome.PASSED, Outcome.UNDECIDED)


def render(run: Run) -> str:
    """The only submission of a run. Raises `UsageError` for a class: Gradescope takes one."""
    if len(run.submissions) != 1:
        raise UsageError(
            f"this run holds {len(run.submissions)} submissions, and Gradescope's results.json "
            "is about one. Grade them one by one; `grader gradescope` makes an autograder of the "
            "course, so that Gradescope does."
        )
    return _text(_results(run, run.submissions[0]))


def no_mark(why: str = "") -> str:
    """What stands in for results when grading itself failed: a word, and no mark."""
    return _text({"output": f"{NO_MARK}\n{clean(why)}".strip(), **_SETTINGS, "tests": []})


def _results(run: Run, grade: Grade) -> dict[str, Any]:
    known = grade.score is not None
    cases = [
        case
        for place, exercise in enumerate(grade.exercises, 1)
        for case in _cases(exercise, place, known)
    ]
    environment = run.environment
    return {
        **({"score": grade.score} if known else {}),
        "execution_time": round(sum(t.seconds for e in grade.exercises for t in e.tests), 3),
        "output": "\n\n".join(_words(grade)),
        **_SETTINGS,
        "extra_data": {
            "course": run.course,
            "grader": run.grader,
            "digest": grade.digest,
            "max_score": grade.max_score,
            "isolation": list(environment.isolation),
            "jax": environment.jax,
            "python": environment.python,
            "seed": environment.seed,
        },
        "tests": cases,
    }


def _words(grade: Grade) -> Iterator[str]:
    """What is said about the submission as a whole."""
    if grade.score is None:
        yield NO_MARK
    if grade.problem:
        yield clean(grade.problem)
    for exercise in grade.exercises:
        for finding in exercise.findings:
            yield f"A likely mistake in {exercise.id}; it costs no point:\n{told.advice(finding)}"
    notes = [f"{line(note.path)}: {line(note.reason, 600)}" for note in grade.notes]
    if notes:
        yield "\n".join(["Not graded:", *notes])


def _cases(exercise: ExerciseResult, place: int, known: bool) -> Iterator[dict[str, Any]]:
    """A case for each test; one for the whole exercise where there is nothing to tell apart."""
    if exercise.outcome is Outcome.MISSING or not exercise.tests:
        score = exercise.score or 0.0
        outcome = exercise.outcome
        why = "Not handed in." if outcome is Outcome.MISSING else "This can't be scored."
        yield _case(exercise, f"{place}", "", outcome, score, exercise.max_score, why, known)
        return
    for number, test in enumerate(exercise.tests, 1):
        yield _case(
            exercise,
            f"{place}.{number}",
            test.title,
            test.outcome,
            test.points,
            test.max_points,
            told.test(test),
            known,
        )


def _case(
    exercise: ExerciseResult,
    number: str,
    title: str,
    outcome: Outcome,
    score: float,
    max_score: float,
    output: str,
    known: bool,
) -> dict[str, Any]:
    return {
        **({"score": score} if known else {}),
        "max_score": max_score,
        "status": "passed" if outcome in _RIGHT else "failed",
        "name": line(f"{exercise.id}: {title}" if title else exercise.id),
        "number": number,
        "output": output,
        "tags": [exercise.id, str(outcome)],
        "visibility": "visible",
    }


def _text(content: dict[str, Any]) -> str:
    # ASCII with escapes, as in every other file: nothing of a student's can keep a mark away.
    return json.dumps(content, indent=1, allow_nan=False) + "\n"
