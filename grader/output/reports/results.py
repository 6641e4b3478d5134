"""A run as files for the teacher: `results.json` and `details.json`.

A student's part of `results.json` may be shown to that student: it has passed `redaction`.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.output.reports import redaction
from grader.records import files
from grader.records.errors import HostError, UsageError
from grader.records.model import RESULTS, SCHEMA, Grade, Outcome, Run, to_plain

NAMES = (RESULTS, "details.json")


@dataclass(frozen=True, slots=True)
class TestDetail:
    """One test that was not passed, or one exercise that can't be scored."""

    __test__ = False

    exercise: str  #: "topic/stem"
    test: str  #: the name of the test; empty if the exercise broke before its first test
    outcome: Outcome  #: what came of it
    detail: str  #: inputs, expected and returned values, or what a failed judge said


@dataclass(frozen=True, slots=True)
class SubmissionDetails:
    """What the teacher alone may read of one submission."""

    id: str  #: as in `results.json`
    digest: str  #: as in `results.json`
    tests: tuple[TestDetail, ...]  #: in the order of the course


@dataclass(frozen=True, slots=True)
class Details:
    """The content of `details.json`."""

    schema: int  #: the version of the file's format
    course: str  #: its name in the catalogue
    seed: str  #: of all random inputs
    submissions: tuple[SubmissionDetails, ...]  #: one for each student


def render(run: Run) -> str:
    """`results.json` as text."""
    return _as_text(results(run))


def results(run: Run) -> dict[str, Any]:
    """The run as a student may read it."""
    whole = to_plain(redaction.public(run))
    for submission in whole["submissions"]:
        # These are empty in the public run, and not in the file's schema.
        del submission["sources"]
        for exercise in submission["exercises"]:
            for test in exercise["tests"]:
                del test["detail"]
    return {"schema": whole.pop("schema"), **whole}


def details(run: Run) -> Details:
    """For the teacher: the details of each test that was not passed, and of each fault."""
    submissions = (
        SubmissionDetails(grade.id, grade.digest, tuple(_details(grade)))
        for grade in run.submissions
    )
    return Details(SCHEMA, run.course, run.environment.seed, tuple(submissions))


def prepare(folder: Path) -> None:
    """Makes the folder. Raises `UsageError` if it can't be written to: better now than later."""
    try:
        files.require_writable(folder)
    except OSError as error:
        raise UsageError(
            f"results can't be written to `{folder}`: {error.strerror}. Name another folder."
        ) from error


def write(run: Run, folder: Path) -> list[Path]:
    """Writes both files into `folder`, which is made if it isn't there."""
    # Both become text before either is written: they belong together.
    texts = (_as_text(results(run)), _as_text(to_plain(details(run))))
    paths = (folder / name for name in NAMES)
    try:
        return [files.write(p, t, secret=True) for p, t in zip(paths, texts, strict=True)]
    except OSError as error:
        raise HostError(
            f"`{folder}` can't take `{'` and `'.join(NAMES)}`: {error.strerror}. Every mark is "
            "kept in `run.db` there; free some space, and run the same command again."
        ) from error


def _details(grade: Grade) -> Iterator[TestDetail]:
    for exercise in grade.exercises:
        for test in exercise.tests:
            if test.detail:
                yield TestDetail(exercise.id, test.id, test.outcome, test.detail)
        if exercise.outcome is Outcome.BROKEN and not exercise.tests:
            yield TestDetail(exercise.id, "", exercise.outcome, exercise.message)


def _as_text(content: dict[str, Any]) -> str:
    """JSON with a line for each submission: quick to write, and to compare."""
    head = {name: value for name, value in content.items() if name != "submissions"}
    # ASCII with escapes: a lone surrogate in a student's text must not block others' marks.
    rows = ",\n".join(json.dumps(row, allow_nan=False) for row in content["submissions"])
    return json.dumps(head, indent=1)[:-2] + f',\n "submissions": [\n{rows}\n ]\n}}\n'
