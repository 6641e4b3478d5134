"""One submission, graded by itself: in a Gradescope container, and by `grader ci`.

    python -m grader.delivery.autograder prove SOURCE                      when the image is built
    python -m grader.delivery.autograder run SOURCE SUBMISSION RESULTS     for each submission

SOURCE is an unpacked zip of `grader.delivery.gradescope_bundle`. The staff reads what is printed.
RESULTS holds a text without a mark until the complete results are renamed into its place.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from grader.api import Grader
from grader.course import course as courses
from grader.course.course import Course
from grader.delivery import formats
from grader.engine.executors.client import JudgeClient
from grader.intake import reader
from grader.output.screens import grades
from grader.records import inputs, scoring
from grader.records.errors import GraderError
from grader.records.model import (
    Assignment,
    Environment,
    Exercise,
    Run,
    Submission,
    Terms,
    unpack,
)
from grader.records.safe_text import counted

SETTINGS = "autograder.json"
COURSE = "course"
# A container may have a fraction of one core, and less memory than its machine reports.
_SLOTS = 1


@dataclass(frozen=True)
class Settings:
    """The content of `autograder.json`: what the teacher chose."""

    schema: Literal[1]  #: the version of the file's format
    exercises: tuple[str, ...]  #: the graded exercises
    isolation: str  #: what to do on a machine without a sandbox, as in `grader gradescope`
    assignment: Assignment | None = None  #: whose rules apply; Gradescope has its own due date


def grade(
    course: Course,
    exercises: tuple[Exercise, ...],
    submission: Submission,
    *,
    isolation: str,
    seed: str | None = None,
    slots: int | None = None,
    rule: Assignment | None = None,
) -> Run:
    """Judges one submission by an assignment's rule but its dates, and stores nothing."""
    names = [exercise.id for exercise in exercises]
    if rule is not None:
        rule = replace(rule, exercises=tuple(names), due="")
        course = replace(course, assignments=(rule,))
    asked = "" if rule is None else rule.name
    with Grader(
        course, names, seed=seed, jobs=slots, isolation=isolation, assignment=asked
    ) as grader:
        return grader.grade_class([submission])


def prove(source: Path) -> str:
    """Proves every suite on this machine; returns a sentence on the isolation here.

    Raises `BrokenSuiteError` for a suite that fails its own solution, so that no image is built.
    """
    settings, course, exercises = _settings(source)
    terms = Terms(settings.isolation, inputs.secret())
    with JudgeClient.ready(course.stubs, exercises, terms) as judge:
        return _isolation(judge.environment)


def run(source: Path, path: Path, results: Path) -> str:
    """Grades a submission into `results`; returns what the staff should know about it."""
    settings, course, exercises = _settings(source)
    submission = reader.read(path, course)
    how, rule = settings.isolation, settings.assignment
    graded = grade(course, exercises, submission, isolation=how, slots=_SLOTS, rule=rule)
    formats.target(f"gradescope={results}").deliver(graded)
    said = [
        f"Course: {course.name}, {counted(len(exercises), 'exercise')}, from {course.root}",
        _isolation(graded.environment),
        f"Seed: {graded.environment.seed}",
    ]
    if any(map(scoring.is_broken, graded.submissions)):
        said.append("NO MARK: something in the course or on this machine is broken.")
        said.append(grades.printed(lambda console: grades.broken(graded, console)))
    return "\n".join(said)


def _settings(source: Path) -> tuple[Settings, Course, tuple[Exercise, ...]]:
    settings = unpack((source / SETTINGS).read_text(encoding="utf-8"), Settings)
    course = courses.find(source / COURSE)
    return settings, course, course.select(settings.exercises)


def _isolation(environment: Environment) -> str:
    missing = ", ".join(environment.missing_layers)
    held = f"Isolation here: {', '.join(environment.isolation) or 'NONE'}."
    if not missing:
        return held
    return (
        f"{held} MISSING: {missing}. A submission could read the hidden suites or change its own "
        "mark. `grader gradescope --isolation required` makes an autograder that gives no mark on "
        "such a machine."
    )


def main(arguments: list[str]) -> int:
    """Runs one verb; the exit code is that of the error."""
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
