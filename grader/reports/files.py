"""A run as files: `results.json`, which may be shown to students, and `details.json`.

What a hidden test did with which inputs, what it expected, and what a judge said when it failed,
is in the second only. Both are written beside their place and renamed into it, so that a reader
never sees half a file.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from grader.errors import HostError, UsageError
from grader.model import SCHEMA, Grade, Outcome, Run
from grader.records import to_json

NAMES = ("results.json", "details.json")
UNKNOWN = "This can't be scored, by a fault that is not yours. Your teacher is told."


def results(run: Run) -> dict[str, Any]:
    """The run without anything that a hidden test must keep to itself."""
    whole = to_json(run)
    for submission in whole["submissions"]:
        for exercise in submission["exercises"]:
            if exercise["outcome"] == Outcome.BROKEN:
                exercise["message"] = UNKNOWN
            for test in exercise["tests"]:
                del test["detail"]
    return {"schema": whole.pop("schema"), **whole}


def details(run: Run) -> dict[str, Any]:
    """For the teacher: what each test that was not passed saw, and what broke."""
    return {
        "schema": SCHEMA,
        "course": run.course,
        "seed": run.environment.seed,
        "submissions": [
            {"id": grade.id, "digest": grade.digest, "tests": _details(grade)}
            for grade in run.submissions
        ],
    }


def prepare(folder: Path) -> None:
    """Makes the folder. Raises `UsageError` if it can't be written to: better now than later."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UsageError(
            f"results can't be written to `{folder}`: {error.strerror}. Name another folder."
        ) from error


def write(run: Run, folder: Path) -> list[Path]:
    """Writes both files into `folder`, which is made if it isn't there."""
    # Both as text before either is written: they belong together.
    texts = [as_text(results(run)), as_text(details(run))]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [_write(folder / name, text) for name, text in zip(NAMES, texts, strict=True)]
    except OSError as error:
        raise HostError(
            f"`{folder}` can't take `{'` and `'.join(NAMES)}`: {error.strerror}. Every mark is "
            "kept in `run.db` there; make room, and run the same command again."
        ) from error


def _details(grade: Grade) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for exercise in grade.exercises:
        told = [(test.id, test.outcome, test.detail) for test in exercise.tests if test.detail]
        if exercise.outcome is Outcome.BROKEN and not exercise.tests:
            told.append(("", exercise.outcome, exercise.message))
        found += [
            {"exercise": exercise.id, "test": test, "outcome": outcome, "detail": detail}
            for test, outcome, detail in told
        ]
    return found


def as_text(content: dict[str, Any]) -> str:
    """JSON with a line for each submission: quick to write, and to compare."""
    head = {name: value for name, value in content.items() if name != "submissions"}
    # ASCII with escapes: a lone surrogate in a student's text must not keep others' marks away.
    rows = ",\n".join(json.dumps(row, allow_nan=False) for row in content["submissions"])
    return json.dumps(head, indent=1)[:-2] + f',\n "submissions": [\n{rows}\n ]\n}}\n'


def _write(path: Path, text: str) -> Path:
    beside = path.with_name(f".{path.name}.part")
    with open(beside, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    return path
