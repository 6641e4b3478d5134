"""A `results.json` read back: a file that somebody may have cut, edited or mistaken.

path --find--> file --json--> dict, schema checked --model--> Run, types checked
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from grader.errors import UsageError
from grader.model import SCHEMA, Run
from grader.records import run_from_json

NAME = "results.json"


def read(path: Path) -> Run:
    """The run in `path`, a results.json or a folder that holds one. Raises `UsageError`."""
    file = path / NAME if path.is_dir() else path
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"`{file}` can't be read: {error.strerror}. Name the folder that was given to `--out`."
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"`{file}` is no results.json: it is not text in UTF-8.") from error
    return _run(file, text)


def _run(file: Path, text: str) -> Run:
    again = "Grade again to get a new one."
    try:
        data = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"`{file}` is damaged, or no JSON: {error}. {again}") from error
    schema = data.get("schema") if isinstance(data, dict) else None
    if not isinstance(schema, int) or not isinstance(data.get("submissions"), list):
        raise UsageError(
            f"`{file}` is no results.json of this grader: it has no `schema` and `submissions`."
        )
    if schema > SCHEMA:
        raise UsageError(
            f"`{file}` has schema {schema} and this grader knows {SCHEMA}: use a newer grader."
        )
    try:
        run = run_from_json(data)
        _check(run, "")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"`{file}` is damaged at {_place(error)}. {again}") from error
    return run


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _place(error: Exception) -> str:
    return f"a missing {error}" if isinstance(error, KeyError) else str(error)


def _check(value: Any, place: str) -> None:
    """Raises `TypeError` where a record holds something of another type than it declares."""
    for name, kinds in _fields(type(value)):  # type: ignore[arg-type] # a class is hashable
        given = getattr(value, name)
        if not isinstance(given, kinds) or (isinstance(given, bool) and bool not in kinds):
            raise TypeError(f"`{place}{name}`: {str(given)[:60]!r}")
        if dataclasses.is_dataclass(given):
            _check(given, f"{place}{name}.")
        elif isinstance(given, tuple):
            for number, item in enumerate(given):
                if dataclasses.is_dataclass(item):
                    _check(item, f"{place}{name}[{number}].")
                elif not isinstance(item, str | tuple):
                    raise TypeError(f"`{place}{name}[{number}]`: {str(item)[:60]!r}")


@cache
def _fields(record: type) -> tuple[tuple[str, tuple[type, ...]], ...]:
    """Of each field the types that it may hold, the innards of tuples aside."""
    hints = typing.get_type_hints(record)
    return tuple((field.name, _kinds(hints[field.name])) for field in dataclasses.fields(record))


def _kinds(hint: Any) -> tuple[type, ...]:
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        return tuple(kind for part in typing.get_args(hint) for kind in _kinds(part))
    if hint is float:
        return (float, int)
    return (typing.get_origin(hint) or hint,)
