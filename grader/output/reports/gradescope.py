"""One submission as Gradescope's `results.json`.

    Run --> score, a text about the whole, and a case for each test --> JSON

Every case is `visible`: it tells the student what was lost. One of an exercise for practice has no
points.
Gradescope hides the total from students as soon as a case with points is hidden from them. Only
the staff sees what the run prints. If the mark can't be known, there is no `score` anywhere,
although the format asks for one: Gradescope must find nothing that it could add up to a mark.
"""

import json
from collections.abc import Iterator
from typing import Any

from grader.output.reports import sentences
from grader.records.errors import UsageError
from grader.records.model import NOT_JUDGED, ExerciseResult, Grade, Outcome, Run, TestResult
from grader.records.safe_text import MOST_OF_A_PAGE, PRACTICE, clean, line, note

NO_MARK = (
    "NO MARK: this submission could not be graded, because of a fault that is not the student's. "
    "Staff: see the run's output; fix the fault, and regrade."
)
_SETTINGS = {
    "output_format": "text",
    "test_output_format": "text",
    "test_name_format": "text",
    "visibility": "visible",
    "stdout_visibility": "hidden",
}


def render(run: Run) -> str:
    """The only submission of a run. Raises `UsageError` for a class: Gradescope takes one."""
    if len(run.submissions) != 1:
        raise UsageError(
            f"this run contains {len(run.submissions)} submissions, but Gradescope's results.json "
            "is about one. Grade them one by one; `grader gradescope` builds an autograder for the "
            "course, so Gradescope grades them."
        )
    return _text(_results(run, run.submissions[0]))


def no_mark(why: str = "") -> str:
    """The results when grading itself failed: a text, and no mark."""
    return _text({"output": f"{NO_MARK}\n{clean(why)}".strip(), **_SETTINGS, "tests": []})


def _results(run: Run, grade: Grade) -> dict[str, Any]:
    cases = [
        case
        for place, exercise in enumerate(grade.exercises, 1)
        for case in _cases(exercise, str(place))
    ]
    results: dict[str, Any] = {
        "score": grade.score,
        "execution_time": round(sum(t.seconds for e in grade.exercises for t in e.tests), 3),
        "output": "\n\n".join(_words(run, grade)),
        **_SETTINGS,
        "extra_data": {
            "course": run.course,
            "grader": run.grader,
            "digest": grade.digest,
            "max_score": grade.max_score,
            "isolation": list(run.environment.isolation),
            "jax": run.environment.jax,
            "python": run.environment.python,
        },
        "tests": cases,
    }
    if grade.score is None:
        for part in (results, *cases):
            part.pop("score", None)
    return results


def _words(run: Run, grade: Grade) -> Iterator[str]:
    if grade.score is None:
        yield NO_MARK
    if said := sentences.isolation(run.environment):
        yield said
    if grade.problem:
        yield clean(grade.problem)
    for exercise in grade.exercises:
        for finding in exercise.findings:
            said = sentences.advice(finding)
            yield f"A likely mistake in {exercise.id}; it costs no point:\n{said}"
    for exercise in grade.exercises:
        text = run.explanations.get(exercise.id, "")
        if text and exercise.outcome is Outcome.PASSED:
            yield f"Why {exercise.id} works\n\n{clean(text, MOST_OF_A_PAGE)}"
    if steps := list(sentences.handed_in(grade)):
        yield "\n".join(steps)
    if grade.notes:
        yield "\n".join(["Not graded:", *map(note, grade.notes)])


def _cases(exercise: ExerciseResult, place: str) -> Iterator[dict[str, Any]]:
    """A case for each test; one for the whole exercise if it is missing or has no tests."""
    outcome = exercise.outcome
    if outcome in NOT_JUDGED or not exercise.tests:
        known = {Outcome.MISSING: "Not submitted.", Outcome.UNREADABLE: exercise.message}
        why = known.get(outcome, "This can't be scored.")
        score, most = exercise.score or 0.0, exercise.max_score
        yield _case(exercise, place, TestResult("", "", outcome, score, most, message=why))
        return
    for number, test in enumerate(exercise.tests, 1):
        yield _case(exercise, f"{place}.{number}", test)


def _case(exercise: ExerciseResult, number: str, test: TestResult) -> dict[str, Any]:
    points = {"score": test.points, "max_score": test.max_points}
    name = exercise.id if exercise.counts else f"{exercise.id} ({PRACTICE})"
    return {
        **(points if exercise.counts else {}),
        "status": "passed" if test.outcome.keeps_points else "failed",
        "name": line(f"{name}: {test.title}" if test.title else name),
        "number": number,
        "output": sentences.test(test),
        "tags": [exercise.id, str(test.outcome)],
        "visibility": "visible",
    }


def _text(content: dict[str, Any]) -> str:
    # ASCII with escapes, so that no character from a student can make the file unreadable.
    return json.dumps(content, indent=1, allow_nan=False) + "\n"
