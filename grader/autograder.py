"""One submission, graded by itself: in a Gradescope container, and by `grader ci`.

    python -m grader.autograder prove SOURCE                      when the image is built
    python -m grader.autograder run SOURCE SUBMISSION RESULTS     for each submission

SOURCE is an unpacked zip of `grader.bundle`. What is printed is for the staff. The results are
renamed into place when they are whole: what lies there until then says that there is no mark.
"""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from grader import course as courses
from grader import intake, pipeline, scoring
from grader.course import Course
from grader.errors import GraderError
from grader.model import Exercise, Outcome, Run, Submission, Terms
from grader.reports import formats, gradescope
from grader.store import Store

SETTINGS = "autograder.json"
COURSE = "course"
# A container may have a fraction of one core, and less memory than its machine tells.
_SLOTS = 1


def grade(
    course: Course,
    exercises: tuple[Exercise, ...],
    submission: Submission,
    *,
    isolation: str,
    seed: str | None = None,
    slots: int | None = None,
) -> Run:
    """Judges one submission, and remembers nothing of it."""
    terms = Terms(isolation, seed or secrets.token_hex(8))
    with Store(None) as store:
        return pipeline.grade(
            course,
            exercises,
            [submission],
            terms=terms,
            store=store,
            start=pipeline.executor("local", slots),
        )


def prove(source: Path) -> str:
    """Proves every suite on this machine; says what isolates a submission here.

    Raises `BrokenSuiteError` for a suite that fails its own solution, so that no image is built.
    """
    course, exercises, isolation = _settings(source)
    terms = Terms(isolation, secrets.token_hex(8))
    with pipeline.executor("local", _SLOTS)(course, exercises, terms, False) as executor:
        return _isolation(executor.environment.isolation)


def run(source: Path, handed_in: Path, results: Path) -> str:
    """Grades a submission into `results`; what the staff should know about it."""
    course, exercises, isolation = _settings(source)
    submission = intake.read(handed_in, course)
    graded = grade(course, exercises, submission, isolation=isolation, slots=_SLOTS)
    formats.write(results, gradescope.render(formats.public(graded)))
    said = [_isolation(graded.environment.isolation), f"Seed: {graded.environment.seed}"]
    return "\n".join([*said, *_faults(graded)])


def _settings(source: Path) -> tuple[Course, tuple[Exercise, ...], str]:
    settings = json.loads((source / SETTINGS).read_text(encoding="utf-8"))
    course = courses.find(source / COURSE)
    return course, course.select(settings["exercises"]), settings["isolation"]


def _isolation(layers: Iterable[str]) -> str:
    held = ", ".join(layers)
    if held:
        return f"Isolation here: {held}."
    return (
        "Isolation here: NONE. This machine gives no sandbox, so a submission could read the "
        "hidden suites and write its own mark. `grader gradescope --isolation required` makes an "
        "autograder that gives no mark on such a machine."
    )


def _faults(run: Run) -> list[str]:
    """What broke, for whoever has to mend it."""
    if not any(map(scoring.is_broken, run.submissions)):
        return []
    return [
        "NO MARK: something of ours is broken.",
        *(
            f"{exercise.id} {test.id}: {test.detail or test.message}"
            for grade in run.submissions
            for exercise in grade.exercises
            for test in exercise.tests
            if test.outcome is Outcome.BROKEN
        ),
        *(
            f"{exercise.id}: {exercise.message}"
            for grade in run.submissions
            for exercise in grade.exercises
            if exercise.outcome is Outcome.BROKEN and not exercise.tests
        ),
    ]


def main(arguments: list[str]) -> int:
    """Ends with the exit code of what went wrong."""
    verb, *paths = arguments
    verbs: dict[str, Callable[..., str]] = {"prove": prove, "run": run}
    try:
        print(verbs[verb](*map(Path, paths)))
    except GraderError as error:
        print(f"NO MARK: {error}")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
