"""The results of all runs in one SQLite file, so that no work is judged twice.

    key --has, add--> results        in transactions: a killed run loses or doubles no result
    marks + header --finish--> runs  what was submitted, with the keys of its results, for each
                                     attempt of each person; old runs are kept

A `broken` result is stored with its run only: it is no fault of the student's, and the next run
tries again.
"""

import fcntl
import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from grader.records import digests, files
from grader.records.errors import HostError, UsageError
from grader.records.model import (
    Assignment,
    Environment,
    ExerciseResult,
    Grade,
    Outcome,
    Run,
    Terms,
    from_plain,
    pack,
    to_plain,
    unpack,
)
from grader.records.scoring import as_read
from grader.teacher.settle import NO_RULE

SCHEMA = 1
NAME = "run.db"
MANY = 100
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
CREATE TABLE IF NOT EXISTS texts (digest TEXT PRIMARY KEY, text BLOB NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class StoredRun:
    """One run as it was stored: what every attempt earned, and what decided that."""

    number: int
    ended: str
    run: Run
    keys: tuple[Mapping[str, str], ...]  # by exercise, in the order of `run.submissions`
    judged: Mapping[str, Mapping[str, str]]  # `Keys.exercises` of that time
    machine: Mapping[str, str]  # `Keys.machine` of that time
    rule: Assignment = NO_RULE  # how attempts become marks
    folder: Path | None = None


class Store(AbstractContextManager["Store"]):
    """The file, for one process and one thread at a time. Without a folder it is in memory."""

    def __init__(self, folder: Path | None, *, to_read: bool = False) -> None:
        """Raises `UsageError` for a file that is no store, or that another grader writes to.

        If it is opened `to_read`, another grader may write to it.
        """
        self._folder = folder
        self._path = ":memory:" if folder is None else str(folder / NAME)
        self._parsed: dict[str, ExerciseResult] = {}
        with ExitStack() as opened, self._errors():
            if folder is not None:
                if not to_read:
                    folder.mkdir(parents=True, exist_ok=True)
                _make_private(folder)
            db = sqlite3.connect(
                self._path, timeout=10.0, isolation_level=None, check_same_thread=False
            )
            self._db = opened.enter_context(closing(db))
            if folder is not None and not to_read:
                opened.enter_context(_locked(folder))
            self._prepare()
            self._opened = opened.pop_all()

    def _prepare(self) -> None:
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.executescript(_TABLES)
        schema = int(self.about("schema") or 0)
        if schema > SCHEMA:
            raise UsageError(
                f"`{self._path}` was written by a newer grader (schema {schema}; this one knows "
                f"{SCHEMA}). Update the grader, or name another folder with `--out`."
            )
        if schema == 0:
            self.remember("schema", str(SCHEMA))

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def about(self, name: str) -> str | None:
        """What `remember` stored under that name."""
        rows = self._rows("SELECT value FROM about WHERE name = ?", name)
        return rows[0][0] if rows else None

    def remember(self, name: str, value: str) -> None:
        """Stores a fact about all runs, such as their seed."""
        self._rows("INSERT OR REPLACE INTO about VALUES (?, ?)", name, value)

    def environment(self, terms: Terms) -> Environment | None:
        """The environment of the results that were judged under these terms, if there are any."""
        text = self.about(_environment(terms))
        return None if text is None else unpack(text, Environment)

    def remember_environment(self, terms: Terms, environment: Environment) -> None:
        self.remember(_environment(terms), pack(environment).decode())

    def has(self, keys: Iterable[str]) -> set[str]:
        """The keys among these whose results are stored."""
        asked = set(keys)
        if len(asked) > MANY:  # then one scan is faster
            return {key for (key,) in self._rows("SELECT key FROM results")} & asked
        places = ", ".join("?" * len(asked))
        return {
            key for (key,) in self._rows(f"SELECT key FROM results WHERE key IN ({places})", *asked)
        }

    def add(self, results: Iterable[tuple[str, ExerciseResult]]) -> None:
        """Stores results, all or none. A broken one is remembered by this process only."""
        rows = []
        for key, result in results:
            if result.outcome is Outcome.BROKEN:
                self._parsed[key] = result
            else:
                rows.append((key, result.id, zlib.compress(pack(result))))
                self._parsed.pop(key, None)
        with self._transaction():
            self._db.executemany("INSERT OR IGNORE INTO results VALUES (?, ?, ?)", rows)

    def result(self, key: str) -> ExerciseResult:
        """The stored result of a key. Returns the same object for the same key."""
        if key not in self._parsed:
            with self._errors():
                ((packed,),) = self._rows("SELECT result FROM results WHERE key = ?", key)
                self._parsed[key] = unpack(zlib.decompress(packed), ExerciseResult)
        return self._parsed[key]

    def drop_damaged(self, keys: Iterable[str]) -> set[str]:
        """Takes out those results that can't be read any more, so that they are judged again."""
        damaged = set()
        for key in keys:
            try:
                self.result(key)
            except UsageError:
                damaged.add(key)
        if damaged:
            with self._transaction():
                self._db.executemany("DELETE FROM results WHERE key = ?", [(k,) for k in damaged])
        return damaged

    def finish(
        self,
        run: Run,
        keys: Sequence[Mapping[str, str]],
        judged: Mapping[str, Mapping[str, str]],
        machine: Mapping[str, str],
        rule: Assignment = NO_RULE,
    ) -> StoredRun:
        """Stores a complete run, unless the last one is the same. Returns it as it is stored."""
        about = {**to_plain(replace(run, submissions=())), "rule": rule}
        header = pack({**about, "judged": judged, "machine": machine}).decode()
        marks = [
            (place, pack(_bare(grade)).decode(), json.dumps(own))
            for place, (grade, own) in enumerate(zip(run.submissions, keys, strict=True))
        ]
        texts = {
            digests.plain(s.text).hex(): s.text for grade in run.submissions for s in grade.sources
        }
        last = self.assignments().get(rule.name, 0)
        select = "SELECT place, grade, keys FROM marks WHERE run = ? ORDER BY place"
        about_it = (run, tuple(keys), judged, machine, rule, self._folder)
        if last and self._rows(select, last) == marks and self.rule(last) == rule:
            return StoredRun(last, self.runs()[last], *about_it)
        number = max(self.runs(), default=0) + 1
        ended = time.strftime("%Y-%m-%d %H:%M:%S")
        with self._transaction():
            self._db.execute("INSERT INTO runs VALUES (?, ?, ?)", (number, ended, header))
            rows = [(number, *mark) for mark in marks]
            self._db.executemany("INSERT INTO marks VALUES (?, ?, ?, ?)", rows)
            packed = ((d, zlib.compress(_encoded(text))) for d, text in texts.items())
            self._db.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", packed)
        return StoredRun(number, ended, *about_it)

    def forget(self, person: str) -> None:
        """Deletes a person's marks in all runs, and the texts and results that nobody else has."""
        with self._transaction():
            self._db.execute("DELETE FROM marks WHERE json_extract(grade, '$.id') = ?", (person,))
            rows = self._db.execute("SELECT grade, keys FROM marks").fetchall()
            kept = {s.text for grade, _ in rows for s in unpack(grade, Grade).sources}
            keys = {key for _, own in rows for key in json.loads(own).values()}
            for table, column, left in (("texts", "digest", kept), ("results", "key", keys)):
                there = {row[0] for row in self._db.execute(f"SELECT {column} FROM {table}")}
                gone = [(one,) for one in there - left]
                self._db.executemany(f"DELETE FROM {table} WHERE {column} = ?", gone)
        self._rows("VACUUM")  # what SQLite deletes stays in the file until it is written anew

    def runs(self) -> dict[int, str]:
        """When each run ended, by its number."""
        return dict(self._rows("SELECT number, ended FROM runs ORDER BY number"))

    def assignments(self, below: int = 1 << 62) -> dict[str, int]:
        """The number of the last run of each assignment; "" is the name of none.

        Of the runs whose numbers are `below` that one.
        """
        select = "SELECT coalesce(json_extract(header, '$.rule.name'), ''), max(number) FROM runs"
        return dict(self._rows(f"{select} WHERE number < ? GROUP BY 1", below))

    def stored_run(self, number: int | None = None) -> StoredRun:
        """A run by its number, by default the last one. Raises `UsageError` if it isn't there."""
        runs = self.runs()
        wanted = max(runs, default=0) if number is None else number
        if wanted not in runs:
            there = f"runs 1 to {max(runs)}" if runs else "no finished run"
            raise UsageError(f"`{self._path}` contains {there}; requested: {number or 'the last'}")
        ended = runs[wanted]
        header = self._header(wanted)
        rows = self._rows("SELECT grade, keys FROM marks WHERE run = ? ORDER BY place", wanted)
        keys = tuple(json.loads(own) for _, own in rows)
        texts = dict(self._rows("SELECT digest, text FROM texts"))
        grades = tuple(
            self._whole(unpack(grade, Grade), own, texts)
            for (grade, _), own in zip(rows, keys, strict=True)
        )
        run = replace(from_plain({"submissions": [], **header}, Run), submissions=grades)
        judged, machine = header["judged"], header["machine"]
        return StoredRun(wanted, ended, run, keys, judged, machine, _rule(header), self._folder)

    def _whole(self, grade: Grade, own: Mapping[str, str], texts: Mapping[str, bytes]) -> Grade:
        broken = {result.id: result for result in grade.exercises}
        sources = tuple(replace(s, text=_decoded(texts[s.text])) for s in grade.sources)
        whole = replace(grade, sources=sources)
        results = (broken.get(e) or self._readable(e, key) for e, key in own.items())
        return replace(whole, exercises=tuple(as_read(result, whole) for result in results))

    def _readable(self, exercise: str, key: str) -> ExerciseResult:
        try:
            return self.result(key)
        except UsageError:
            said = "Its stored result is damaged. Grade into this folder again: it is judged again."
            return ExerciseResult(exercise, Outcome.BROKEN, None, 0.0, message=said)

    def rule(self, number: int) -> Assignment:
        """How the attempts of a run became marks."""
        return _rule(self._header(number))

    def _header(self, number: int) -> dict[str, Any]:
        ((text,),) = self._rows("SELECT header FROM runs WHERE number = ?", number)
        found: dict[str, Any] = json.loads(text)
        return found

    def _rows(self, statement: str, *values: Any) -> list[Any]:
        with self._errors():
            return self._db.execute(statement, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._errors(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turns SQLite's errors into ours: what is wrong with the file, and what to do."""
        try:
            yield
        except OSError as error:
            raise HostError(
                f"`{self._path}` can't be written or read: {error.strerror}. It contains hidden "
                "inputs, so only its owner may open it. Name another folder with `--out`."
            ) from error
        except (zlib.error, ValueError) as error:
            raise UsageError(
                f"`{self._path}` is damaged: a stored result can't be read ({error}). Grade into "
                "it again: what is damaged is judged again."
            ) from error
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise UsageError(
                    f"`{self._path}` is damaged, or not a file of the grader ({error}). Move it "
                    "away to start again, or name another folder with `--out`."
                ) from error
            raise HostError(
                f"`{self._path}` can't be written or read: {error}. What was graded before is "
                "kept; free some space, and run the same command again."
            ) from error


def _rule(header: Mapping[str, Any]) -> Assignment:
    # Older graders stored none, or one without `by`: a whole submission was an attempt.
    given = header.get("rule") or to_plain(replace(NO_RULE, by="submission"))
    return from_plain({"by": "submission", **given}, Assignment)


def _bare(grade: Grade) -> Grade:
    """With broken results only, and the digests of its texts in their place."""
    sources = tuple(replace(s, text=digests.plain(s.text).hex()) for s in grade.sources)
    broken = tuple(e for e in grade.exercises if e.outcome is Outcome.BROKEN)
    return replace(grade, exercises=broken, sources=sources)


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _decoded(packed: bytes) -> str:
    return zlib.decompress(packed).decode(errors="surrogatepass")


def _make_private(folder: Path) -> None:
    """The file, and what SQLite keeps beside it: new ones get their permissions from the file."""
    files.make_private(folder / NAME)
    for path in folder.glob(f"{NAME}-*"):
        files.make_private(path)


def _locked(folder: Path) -> TextIO:
    """Locks a file until this process ends in any way. Other processes may read the store."""
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


def _environment(terms: Terms) -> str:
    return f"environment, {pack(terms).decode()}"
