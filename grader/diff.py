"""Two runs -> whose marks moved, by how much, and why.

DIR | DIR@NUMBER --store--> Record, Record --between--> Change, Change, ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError
from grader.model import ExerciseResult, Grade
from grader.store import NAME, Record, Store


@dataclass(frozen=True)
class Moved:
    """One exercise of one submission whose points changed; None are points that aren't there.

    `tests` maps the tests whose outcome changed to what it was and is; `why` names what is new.
    """

    exercise: str
    old: float | None
    new: float | None
    tests: Mapping[str, tuple[str, str]]
    why: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """One submission whose mark, or what it is made of, changed."""

    id: str
    old: float | None
    new: float | None
    moved: tuple[Moved, ...]


@dataclass(frozen=True)
class Changes:
    """All that moved between two runs, and how many submissions did not."""

    old: Record
    new: Record
    changes: tuple[Change, ...]
    unchanged: int
    came: tuple[str, ...]
    went: tuple[str, ...]


def records(old: str, new: str | None) -> tuple[Record, Record]:
    """The runs that are meant: `DIR@NUMBER`, a folder's last run, or its last two.

    Raises `UsageError` for a folder or a run that isn't there.
    """
    if new is not None:
        return _record(old), _record(new)
    folder, number = _parsed(old)
    with _opened(folder) as store:
        later = store.record(number)
        if later.number == 1:
            raise UsageError(
                f"`{folder}` holds nothing before run 1. Grade into it again, or name two folders"
            )
        return store.record(later.number - 1), later


def between(old: Record, new: Record) -> Changes:
    """What moved. Submissions are matched by their names."""
    before, after = _by_name(old), _by_name(new)
    both = [name for name in after if name in before]
    changes = [_change(name, old, before[name], new, after[name]) for name in both]
    moved = tuple(change for change in changes if change is not None)
    return Changes(
        old,
        new,
        moved,
        len(both) - len(moved),
        tuple(name for name in after if name not in before),
        tuple(name for name in before if name not in after),
    )


def _record(name: str) -> Record:
    folder, number = _parsed(name)
    with _opened(folder) as store:
        return store.record(number)


def _parsed(name: str) -> tuple[Path, int | None]:
    folder, _, number = name.rpartition("@")
    if folder and number.isdecimal() and not Path(name).exists():
        return Path(folder), int(number)
    return Path(name), None


def _opened(folder: Path) -> Store:
    if not (folder / NAME).is_file():
        raise UsageError(
            f"there is no run in `{folder}`: it holds no `{NAME}`. Name a folder that was given to "
            "`grader grade --out`, or one run of it as `DIR@NUMBER`"
        )
    return Store(folder)


def _by_name(record: Record) -> dict[str, int]:
    """Places by name; of several with one name the first, as everywhere."""
    places: dict[str, int] = {}
    for place, grade in enumerate(record.run.submissions):
        places.setdefault(grade.id, place)
    return places


def _change(name: str, old: Record, before: int, new: Record, after: int) -> Change | None:
    was, now = old.run.submissions[before], new.run.submissions[after]
    moved = tuple(_moves(old, was, old.keys[before], new, now, new.keys[after]))
    if not moved and was.score == now.score:
        return None
    return Change(name, was.score, now.score, moved)


def _moves(
    old: Record,
    was: Grade,
    old_keys: Mapping[str, str],
    new: Record,
    now: Grade,
    new_keys: Mapping[str, str],
) -> Iterator[Moved]:
    before = {result.id: result for result in was.exercises}
    after = {result.id: result for result in now.exercises}
    for name in dict.fromkeys([*before, *after]):
        one, other = before.get(name), after.get(name)
        if one is not None and other is not None:
            tests = _tests(one, other)
            if old_keys[name] == new_keys[name] or (one.score == other.score and not tests):
                continue
            why = [] if was.digest == now.digest else ["another submission"]
            why += _why(name, old, new)
            yield Moved(name, one.score, other.score, tests, tuple(why))
        else:
            said = "no longer asked for" if other is None else "asked for since"
            scores = [None if result is None else result.score for result in (one, other)]
            yield Moved(name, scores[0], scores[1], {}, (said,))


def _tests(one: ExerciseResult, other: ExerciseResult) -> dict[str, tuple[str, str]]:
    before = {test.id: str(test.outcome) for test in one.tests}
    after = {test.id: str(test.outcome) for test in other.tests}
    return {
        name: (before.get(name, "not there"), after.get(name, "not there"))
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    }


def _why(exercise: str, old: Record, new: Record) -> Iterable[str]:
    """What is new of all that decides a result, beside the submission."""
    parts = (old.judged[exercise], new.judged[exercise])
    found = [f"new {name}" for name in parts[1] if parts[0].get(name) != parts[1][name]]
    found += [
        f"{name} {old.machine.get(name, '?')} → {value}"
        for name, value in new.machine.items()
        if old.machine.get(name) != value
    ]
    return found
