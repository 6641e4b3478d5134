"""What a teacher decided about marks: `decisions.toml` beside the results.

    [[decision]]
    student = "ben"             # as in the reports
    bonus = 2                   # or override, extension, excuse, comment
    assignment = "hw1"          # left out: all that is graded in this folder
    why = "found a mistake in the text"
    by = "Dr. Noether"
    on = 2026-10-05

`grader decide` appends to the file, and people may edit it. It is read anew for every report.
"""

import datetime
import fcntl
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import tomli_w
from msgspec import Meta

from grader.records import digests, files
from grader.records.errors import UsageError, listed

NAME = "decisions.toml"
LOCK = ".decisions.lock"
_HEAD = "# What was decided about marks. `grader decide` adds to this file; you may edit it.\n"
KINDS: dict[str, Any] = {
    "override": float,
    "bonus": float,
    "extension": datetime.date,
    "excuse": Literal[True],
    "comment": str,
}
_TEXT = Annotated[str, Meta(min_length=1)]
_KEYS: dict[str, Any] = {
    "student": _TEXT,
    "exercise": _TEXT,
    "assignment": _TEXT,
    "why": _TEXT,
    "by": _TEXT,
    "on": datetime.date,
}


@dataclass(frozen=True)
class Decision:
    """One decision about one student. An `override` may be about one `exercise`."""

    student: str
    kind: str
    value: float | str | bool
    """Points; for an extension the new time in ISO 8601; for a comment its text."""
    why: str
    by: str
    on: str
    exercise: str = ""
    assignment: str = ""
    """Its name; empty if it is about every run in the folder."""

    @property
    def key(self) -> str:
        """The same for equal ones."""
        return digests.of(repr(self))


def read(folder: Path, assignment: str | None = None) -> tuple[Decision, ...]:
    """The decisions in a folder of results, in their order. Raises `UsageError`.

    With the name of an `assignment`, or "" for none: those that are about it.
    """
    about = (assignment, "")
    return tuple(d for d in _every(folder) if assignment is None or d.assignment in about)


def _every(folder: Path) -> tuple[Decision, ...]:
    path = folder / NAME
    try:
        about = path.stat()
        return _parsed(path, (about.st_ino, about.st_mtime_ns, about.st_size))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise UsageError(f"`{path}` can't be read: {error.strerror}.") from error


@lru_cache(maxsize=16)
def _parsed(path: Path, _: tuple[int, ...]) -> tuple[Decision, ...]:
    """The decisions of a file, which is read again when it has changed: a server asks often."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"`{path}` is not valid TOML: {error}. Fix that line.") from error
    entries = table.pop("decision", [])
    if table or not isinstance(entries, list):
        raise UsageError(
            f"`{path}` contains something other than decisions: "
            f"{', '.join(table) or '`decision`'}. Start each decision with a line `[[decision]]`."
        )
    return tuple(
        _decision(entry, f"decision {n} in `{path}`") for n, entry in enumerate(entries, 1)
    )


def add(folder: Path, decision: Decision) -> Path:
    """Appends a decision; returns the file. Raises `UsageError` if the file can't be used."""
    with _alone(folder):
        return _add(folder, decision)


def undo(folder: Path, key: str) -> None:
    """Takes out a decision, if it is still there."""
    with _alone(folder):
        kept = list(read(folder))
        if gone := next((one for one in kept if one.key == key), None):
            kept.remove(gone)
            _rewrite(folder, kept)


def forget(folder: Path, student: str, *, to: str = "") -> None:
    """Takes out what was decided about a student, or gives it `to` another."""
    with _alone(folder):
        made = read(folder)
        if any(one.student == student for one in made):
            moved = [replace(one, student=to) if one.student == student else one for one in made]
            _rewrite(folder, [one for one in moved if one.student])


def _rewrite(folder: Path, kept: list[Decision]) -> None:
    """Comments of the file are lost."""
    files.write(folder / NAME, _HEAD + "".join(map(_written, kept)), secret=True)


def _written(decision: Decision) -> str:
    return f"\n[[decision]]\n{tomli_w.dumps(_entry(decision))}"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Two who decide at once do so one after the other."""
    with open(folder / LOCK, "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _add(folder: Path, decision: Decision) -> Path:
    read(folder)  # before something is added to a file that can't be read
    path = folder / NAME
    table = _written(decision)
    try:
        before = path.read_text(encoding="utf-8") if path.exists() else _HEAD
        text = f"{before}{table}"
        tomllib.loads(text)
        return files.write(path, text, secret=True)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"this can't be written down as TOML: {error}.") from error
    except OSError as error:
        raise UsageError(f"`{path}` can't be written: {error.strerror}.") from error


def _entry(decision: Decision) -> dict[str, object]:
    """As it stands in the file."""
    value: object = decision.value
    if decision.kind == "excuse":
        value = True
    elif decision.kind == "extension":
        value = _time(str(value))
    on = datetime.date.fromisoformat(decision.on)
    place = {"assignment": decision.assignment, "exercise": decision.exercise}
    about = {"student": decision.student, **place, decision.kind: value}
    entry = {**about, "why": decision.why, "by": decision.by, "on": on}
    return {k: v for k, v in entry.items() if v != ""}


def made(kind: str, value: object, student: str, **about: str) -> Decision:
    """A decision from a command line. Raises `UsageError` for a time that is none."""
    if kind == "extension":
        try:
            value = _time(str(value))
        except ValueError as error:
            raise UsageError(
                f"`{value}` is not a time. Give a day or a time, such as `2026-12-01` or "
                "`2026-12-01T18:00:00+01:00`"
            ) from error
    on = datetime.date.fromisoformat(about["on"])
    entry = {"student": student, kind: value, **about, "on": on}
    return _decision({k: v for k, v in entry.items() if v != ""}, "this decision")


def _decision(entry: Any, where: str) -> Decision:
    if not isinstance(entry, dict):
        raise UsageError(f"{where} is not a table. Start each decision with a line `[[decision]]`.")
    kinds = [name for name in KINDS if name in entry]
    if len(kinds) != 1:
        raise UsageError(
            f"{where} says {listed(kinds) or 'nothing'}; a decision is one of {listed(KINDS)}."
        )
    needed = ["student", *["why"] * (kinds != ["comment"]), "by", "on"]
    if absent := [name for name in needed if name not in entry]:
        raise UsageError(f"{where} lacks {listed(absent)}. Add it.")
    given = {"why": "", **{name: _value(name, value, where) for name, value in entry.items()}}
    kind, value = kinds[0], given.pop(kinds[0])
    if kind == "extension":
        value = value.isoformat()
    if given.get("exercise") and kind != "override":
        raise UsageError(f"{where} names an `exercise`, which only an `override` can have.")
    return Decision(kind=kind, value=value, **{**given, "on": given["on"].isoformat()})


def _time(text: str) -> datetime.date:
    """A day or a time. Raises `ValueError`."""
    kind = datetime.date if len(text) == len("2026-12-01") else datetime.datetime
    return kind.fromisoformat(text)


def _value(name: str, value: Any, where: str) -> Any:
    known = KINDS | _KEYS
    if name not in known:
        raise UsageError(f"{where} has an unknown key `{name}`. There are {listed(known)}.")
    # A time is a date, too; msgspec would refuse it.
    if known[name] is datetime.date and isinstance(value, datetime.date):
        return value
    try:
        made = msgspec.convert(value, known[name])
    except msgspec.ValidationError as error:
        raise UsageError(f"{where}: `{name}` is {value!r}: {error}.") from error
    if isinstance(made, float) and not abs(made) < 1e9:
        raise UsageError(f"{where}: `{name}` is {value!r}; give a number of points.")
    return made
