"""A run as files: `results.json`, which may be shown to students, and `details.json`.

Only `details.json` holds a hidden test's inputs and expected values, and a failed judge's message.
"""

import json
from pathlib import Path
from typing import Any, NoReturn

from grader import files
from grader.errors import HostError, UsageError
from grader.model import SCHEMA, Grade, Outcome, Run
from grader.records import DamagedError, from_plain, to_plain
from grader.reports.redaction import public

NAMES = ("results.json", "details.json")


def render(run: Run) -> str:
    """`results.json` as text."""
    return _as_text(results(run))


def results(run: Run) -> dict[str, Any]:
    """The run as a student may read it."""
    whole = to_plain(public(run))
    for submission in whole["submissions"]:
        for exercise in submission["exercises"]:
            for test in exercise["tests"]:
                # Empty in the public run, and not in the file's schema.
                del test["detail"]
    return {"schema": whole.pop("schema"), **whole}


def details(run: Run) -> dict[str, Any]:
    """For the teacher: the details of each test that was not passed, and of each fault."""
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
        files.require_writable(folder)
    except OSError as error:
        raise UsageError(
            f"results can't be written to `{folder}`: {error.strerror}. Name another folder."
        ) from error


def write(run: Run, folder: Path) -> list[Path]:
    """Writes both files into `folder`, which is made if it isn't there."""
    # Both become text before either is written: they belong together.
    texts = [_as_text(results(run)), _as_text(details(run))]
    try:
        return [files.write(folder / name, text) for name, text in zip(NAMES, texts, strict=True)]
    except OSError as error:
        raise HostError(
            f"`{folder}` can't take `{'` and `'.join(NAMES)}`: {error.strerror}. Every mark is "
            "kept in `run.db` there; make room, and run the same command again."
        ) from error


def _details(grade: Grade) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for exercise in grade.exercises:
        seen = [(test.id, test.outcome, test.detail) for test in exercise.tests if test.detail]
        if exercise.outcome is Outcome.BROKEN and not exercise.tests:
            seen.append(("", exercise.outcome, exercise.message))
        found += [
            {"exercise": exercise.id, "test": test, "outcome": outcome, "detail": detail}
            for test, outcome, detail in seen
        ]
    return found


def _as_text(content: dict[str, Any]) -> str:
    """JSON with a line for each submission: quick to write, and to compare."""
    head = {name: value for name, value in content.items() if name != "submissions"}
    # ASCII with escapes: a lone surrogate in a student's text must not block others' marks.
    rows = ",\n".join(json.dumps(row, allow_nan=False) for row in content["submissions"])
    return json.dumps(head, indent=1)[:-2] + f',\n "submissions": [\n{rows}\n ]\n}}\n'


def read(path: Path) -> Run:
    """The run in `path`, a results.json or a folder that holds one. Raises `UsageError`."""
    file = path / NAMES[0] if path.is_dir() else path
    try:
        data = json.loads(file.read_text(encoding="utf-8"), parse_constant=_no_number)
        _require_schema(file, data)
        return from_plain(data, Run)
    except OSError as error:
        raise UsageError(
            f"`{file}` can't be read: {error.strerror}. Name the folder that was given to `--out`."
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"`{file}` is no results.json: it is not text in UTF-8.") from error
    except (ValueError, RecursionError, DamagedError) as error:
        raise UsageError(f"`{file}` is damaged: {error}. Grade again to get a new one.") from error


def _require_schema(file: Path, data: object) -> None:
    schema = data.get("schema") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(schema, int) or "submissions" not in data:
        raise UsageError(
            f"`{file}` is no results.json of this grader: it has no `schema` and `submissions`."
        )
    if schema > SCHEMA:
        raise UsageError(
            f"`{file}` has schema {schema} and this grader knows {SCHEMA}: use a newer grader."
        )


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
