"""One run after another in a SQLite file: what was judged once is never judged again.

    key --has, add--> results      each in a transaction of its own: a kill loses none, doubles none
    rows + header --finish--> runs   what each submission got, as keys: old runs can still be read

Nothing that is `broken` is kept: it is ours, and the next run tries it again.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from grader.errors import HostError, UsageError
from grader.model import Environment, ExerciseResult, Grade, Outcome, Run, Terms
from grader.records import (
    environment_from_json,
    exercise_result_from_json,
    grade_from_json,
    to_json,
)

SCHEMA = 1
NAME = "run.db"
LOCK = ".run.lock"
_TABLES = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY, exercise TEXT NOT NULL, result BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (number INTEGER PRIMARY KEY, ended TEXT, header TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS marks (
    run INTEGER NOT NULL, place INTEGER NOT NULL, grade TEXT NOT NULL, keys TEXT NOT NULL,
    PRIMARY KEY (run, place)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Record:
    """One run as it was kept: its marks, and what decided them.

    `keys` holds, for each place in `run.submissions`, the key of every exercise. `judged` is
    `keys.Keys.exercises` of that time, `machine` is `keys.Keys.machine`.
    """

    number: int
    ended: str
    run: Run
    keys: tuple[Mapping[str, str], ...]
    judged: Mapping[str, Mapping[str, str]]
    machine: Mapping[str, str]


class Store:
    """The file, for one process at a time; a context manager. `None` keeps all in memory."""

    def __init__(self, folder: Path | None) -> None:
        """Raises `UsageError` for a file that is no store, or that another grader writes to."""
        self._path = ":memory:" if folder is None else str(folder / NAME)
        self._parsed: dict[str, ExerciseResult] = {}
        self._lock: TextIO | None = None
        with self._errors():
            self._db = sqlite3.connect(self._path, timeout=10.0, isolation_level=None)
        try:
            if folder is not None:
                self._lock = _locked(folder)
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        with self._errors():
            self._db.execute("PRAGMA synchronous=FULL")
            for statement in _TABLES.split(";"):
                self._db.execute(statement)
        schema = int(self.about("schema") or 0)
        if schema > SCHEMA:
            raise UsageError(
                f"`{self._path}` was written by a newer grader (schema {schema}; this one knows "
                f"{SCHEMA}). Update the grader, or name another folder with `--out`."
            )
        if schema == 0:
            self.tell("schema", str(SCHEMA))

    def close(self) -> None:
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def about(self, name: str) -> str | None:
        """Something that the store remembers about itself, such as its seed."""
        with self._errors():
            row = self._db.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def tell(self, name: str, value: str) -> None:
        with self._errors():
            self._db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))

    def environment(self, terms: Terms) -> Environment | None:
        """Where results under these terms were judged, if any were."""
        text = self.about(f"environment, {_named(terms)}")
        return None if text is None else environment_from_json(json.loads(text))

    def tell_environment(self, terms: Terms, environment: Environment) -> None:
        self.tell(f"environment, {_named(terms)}", json.dumps(to_json(environment)))

    def has(self, keys: Iterable[str]) -> set[str]:
        """Those of the keys whose results are here."""
        wanted = set(keys)
        with self._errors():
            # One scan rather than a query for each of 50,000.
            return {key for (key,) in self._db.execute("SELECT key FROM results") if key in wanted}

    def add(self, results: Iterable[tuple[str, ExerciseResult]]) -> None:
        """Keeps results, all of them or none. What is broken is remembered by this process only."""
        results = list(results)
        rows = [
            (key, result.id, zlib.compress(json.dumps(to_json(result)).encode()))
            for key, result in results
            if result.outcome is not Outcome.BROKEN
        ]
        with self._transaction():
            self._db.executemany("INSERT OR IGNORE INTO results VALUES (?, ?, ?)", rows)
        self._parsed.update(results)

    def result(self, key: str) -> ExerciseResult:
        """The result under a key that is here; the same record for the same key."""
        if key not in self._parsed:
            with self._errors():
                select = "SELECT result FROM results WHERE key = ?"
                (packed,) = self._db.execute(select, (key,)).fetchone()
            self._parsed[key] = exercise_result_from_json(json.loads(zlib.decompress(packed)))
        return self._parsed[key]

    def finish(
        self,
        run: Run,
        keys: Sequence[Mapping[str, str]],
        judged: Mapping[str, Mapping[str, str]],
        machine: Mapping[str, str],
    ) -> int:
        """Keeps a run that is whole. Returns its number: the last one's, if nothing changed."""
        header = {
            "course": run.course,
            "grader": run.grader,
            "environment": to_json(run.environment),
            "judged": judged,
            "machine": machine,
        }
        grades = [_bare(grade) for grade in run.submissions]
        marks = [
            (place, json.dumps(grade), json.dumps(own))
            for place, (grade, own) in enumerate(zip(grades, keys, strict=True))
        ]
        with self._errors():
            last = self._db.execute("SELECT max(number) FROM runs").fetchone()[0] or 0
            before = self._db.execute(
                "SELECT place, grade, keys FROM marks WHERE run = ? ORDER BY place", (last,)
            ).fetchall()
        if before == marks:
            return int(last)
        ended = time.strftime("%Y-%m-%d %H:%M:%S")
        with self._transaction():
            self._db.execute(
                "INSERT INTO runs VALUES (?, ?, ?)", (last + 1, ended, json.dumps(header))
            )
            self._db.executemany(
                "INSERT INTO marks VALUES (?, ?, ?, ?)", [(last + 1, *mark) for mark in marks]
            )
        return int(last) + 1

    def record(self, number: int | None = None) -> Record:
        """A run that was kept, by default the last one. Raises `UsageError` if it isn't there."""
        with self._errors():
            numbers = [n for (n,) in self._db.execute("SELECT number FROM runs ORDER BY number")]
            if not numbers or (number is not None and number not in numbers):
                there = f"runs 1 to {numbers[-1]}" if numbers else "no finished run"
                raise UsageError(f"`{self._path}` holds {there}; asked for: {number or 'the last'}")
            number = number or numbers[-1]
            ended, text = self._db.execute(
                "SELECT ended, header FROM runs WHERE number = ?", (number,)
            ).fetchone()
            marks = self._db.execute(
                "SELECT grade, keys FROM marks WHERE run = ? ORDER BY place", (number,)
            ).fetchall()
        header = json.loads(text)
        keys = [json.loads(own) for _, own in marks]
        grades = tuple(
            self._whole(json.loads(grade), own) for (grade, _), own in zip(marks, keys, strict=True)
        )
        environment = environment_from_json(header["environment"])
        run = Run(header["course"], header["grader"], environment, grades)
        return Record(number, ended, run, tuple(keys), header["judged"], header["machine"])

    def _whole(self, grade: dict[str, Any], keys: Mapping[str, str]) -> Grade:
        exercises = tuple(self.result(key) for key in keys.values())
        return replace(grade_from_json({**grade, "exercises": []}), exercises=exercises)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All of it or nothing."""
        with self._errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """SQLite's errors as ours: what is wrong with the file, and what to do."""
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise UsageError(
                    f"`{self._path}` is damaged, or no file of the grader ({error}). Move it away "
                    "to start anew, or name another folder with `--out`."
                ) from error
            raise HostError(
                f"`{self._path}` can't be written or read: {error}. What was graded before is "
                "kept; make room, and run the same command again."
            ) from error


def _locked(folder: Path) -> TextIO:
    """A file that this process holds until it ends, however it ends. Others may read the store."""
    file = open(folder / LOCK, "a")  # noqa: SIM115  (held as long as the store is open)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise UsageError(
            f"`{folder / NAME}` is in use: another grader writes its results there. Wait for it, "
            "or name another folder with `--out`."
        ) from error
    return file


def _named(terms: Terms) -> str:
    return json.dumps(to_json(terms), sort_keys=True)


def _bare(grade: Grade) -> Any:
    """A grade without its exercises, which are kept under their keys."""
    return to_json(replace(grade, exercises=()))
