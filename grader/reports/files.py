"""A run as files: `results.json`, which may be shown to students, and `details.json`.

What a hidden test did with which inputs, and what it expected, is in the second only. Both are
written beside their place and renamed into it, so that a reader never sees half a file.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from grader.model import SCHEMA, Grade, Run, to_json


def results(run: Run) -> dict[str, Any]:
    """The run without anything that a hidden test must keep to itself."""
    whole = to_json(run)
    for submission in whole["submissions"]:
        for exercise in submission["exercises"]:
            for test in exercise["tests"]:
                del test["detail"]
    return {"schema": whole.pop("schema"), **whole}


def details(run: Run) -> dict[str, Any]:
    """For the teacher: what each test that was not passed saw."""
    return {
        "schema": SCHEMA,
        "course": run.course,
        "seed": run.environment.seed,
        "submissions": [
            {"id": grade.id, "digest": grade.digest, "tests": _details(grade)}
            for grade in run.submissions
        ],
    }


def write(run: Run, folder: Path) -> list[Path]:
    """Writes both files into `folder`, which is made if it isn't there."""
    folder.mkdir(parents=True, exist_ok=True)
    return [
        _write(folder / "results.json", results(run)),
        _write(folder / "details.json", details(run)),
    ]


def _details(grade: Grade) -> list[dict[str, Any]]:
    return [
        {"exercise": exercise.id, "test": test.id, "outcome": test.outcome, "detail": test.detail}
        for exercise in grade.exercises
        for test in exercise.tests
        if test.detail
    ]


def _write(path: Path, content: dict[str, Any]) -> Path:
    beside = path.with_name(path.name + ".part")
    # ASCII with escapes: a lone surrogate in a student's text must not keep others' marks away.
    with open(beside, "w", encoding="ascii") as file:
        json.dump(content, file, indent=1, allow_nan=False)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    return path
