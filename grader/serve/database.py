"""`serve.db`: people, keys, attempts, drafts and hints. What was accepted is on the disk.

    people    who may come in, as the roster says, and teachers
    roles     what a person may do, for each place that says so: this server, a Hub, a course
    keys      links, sessions and tokens: their digests only, so a copy of the file gives no access
    attempts  every text that was submitted, with its time, its state and its result
    published decisions in the marks that students read
    drafts    the newest text of each exercise; hints: which were opened

SQLite in WAL mode, every commit synchronous. One lock: a statement takes less than a millisecond.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from grader.output.reports.sentences import advice_on
from grader.records import files
from grader.records.errors import UsageError
from grader.records.model import ExerciseResult, Person, pack, unpack

NAME = "serve.db"
SCHEMA = 1
LAST = 1 << 62
"""Later than any number or time."""
_TABLES = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS people (
    id TEXT PRIMARY KEY, is_teacher INTEGER NOT NULL, person TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS roles (
    id TEXT PRIMARY KEY, person TEXT NOT NULL, place TEXT NOT NULL, is_teacher INTEGER NOT NULL,
    UNIQUE (person, place)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS keys (
    digest TEXT PRIMARY KEY, kind TEXT NOT NULL, person TEXT NOT NULL, until REAL NOT NULL,
    label TEXT NOT NULL, role TEXT NOT NULL REFERENCES roles (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS keys_of_roles ON keys (role);
CREATE TABLE IF NOT EXISTS attempts (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, person TEXT NOT NULL,
    assignment TEXT NOT NULL, exercise TEXT NOT NULL, path TEXT NOT NULL, text BLOB NOT NULL,
    at REAL NOT NULL, state TEXT NOT NULL, outcome TEXT NOT NULL, causes TEXT NOT NULL,
    request TEXT, result BLOB, score REAL
);
CREATE UNIQUE INDEX IF NOT EXISTS requests ON attempts (person, request)
    WHERE request IS NOT NULL;
CREATE INDEX IF NOT EXISTS recent ON attempts (person, exercise, at);
CREATE INDEX IF NOT EXISTS of_assignments ON attempts (assignment, at);
CREATE INDEX IF NOT EXISTS open_ones ON attempts (person, assignment, exercise)
    WHERE state != 'done';
CREATE TABLE IF NOT EXISTS teams (
    person TEXT NOT NULL, assignment TEXT NOT NULL, team TEXT NOT NULL,
    PRIMARY KEY (person, assignment)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS members ON teams (assignment, team);
CREATE TABLE IF NOT EXISTS published (
    person TEXT NOT NULL, assignment TEXT NOT NULL, decision TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS published_of ON published (assignment, person);
CREATE TABLE IF NOT EXISTS drafts (
    person TEXT NOT NULL, assignment TEXT NOT NULL, exercise TEXT NOT NULL, text BLOB NOT NULL,
    PRIMARY KEY (person, assignment, exercise)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hints (
    person TEXT NOT NULL, assignment TEXT NOT NULL, exercise TEXT NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (person, assignment, exercise)
) WITHOUT ROWID;
"""
# Of these people, whose ids are one value, in JSON.
_OF = "person IN (SELECT value FROM json_each(?))"
_PLACE = "printf('%020.6f %012d', at, number)"  # in the order of times, and of equal ones by number
_LIMITED = f"(person = ? OR {_OF} AND assignment = ?)"
# What pages ask of a whole history is in this index, so that no text and no result is read for it.
_TALLY = """
CREATE INDEX IF NOT EXISTS tally
    ON attempts (assignment, person, exercise, outcome, number, id, at, score);
DROP INDEX IF EXISTS histories;
DROP INDEX IF EXISTS unjudged;
"""


class Equals(NamedTuple):
    """Equal attempts of one person: `number`, `id` and `at` are of the newest."""

    person: str
    exercise: str
    outcome: str  #: "" for those that wait
    days: int  #: begun after the due date
    score: float | None
    tries: int
    number: int
    id: str
    at: float


@dataclass(frozen=True)
class StoredAttempt:
    number: int
    id: str  #: random, so that nobody guesses it
    person: str
    assignment: str
    exercise: str
    path: str  #: the name of the file
    at: float  #: when its last byte was here, in seconds since 1970
    state: str  #: `WAITING`, `LATER` or `DONE`
    outcome: str = ""  #: once it is judged
    causes: str = "{}"  #: what was misunderstood: sentences by cause, as JSON
    result: ExerciseResult | None = None

    @property
    def is_done(self) -> bool:
        return self.state == DONE


WAITING, LATER, DONE = "waiting", "later", "done"
"""States. `LATER`: when nobody else waits, since a newer one came or it took long."""
_COLUMNS = "number, id, person, assignment, exercise, path, at, state, outcome, causes"
_KEY = (
    "SELECT digest, kind, keys.person, until, label, role, place, is_teacher "
    "FROM keys JOIN roles ON roles.id = role WHERE"
)


@dataclass(frozen=True)
class AccessKey:
    """A link, a session or a token, whose it is, and the role that it was issued for."""

    kind: str
    person: str
    until: float
    label: str
    role: str  #: its id: a role that ends ends its keys, and comes back under another id
    place: str = ""  #: who says so: this server, a Hub or a course
    is_teacher: bool = False


class Database:
    """The file. Every method may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        """Makes the file if it isn't there. Raises `UsageError` for one that can't be used."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / NAME
        self._lock = threading.RLock()
        try:
            files.make_private(path)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            if self.rows("SELECT max(name = 'role') FROM pragma_table_info('keys')") == [(0,)]:
                self.rows("DROP TABLE keys")  # which don't tell the role that they are for
            self._db.executescript(_TABLES)
            self._add_scores()
            self._db.executescript(_TALLY)
            self._db.execute("PRAGMA foreign_keys=ON")
            schema = int(self.about("schema") or SCHEMA)
        except (sqlite3.Error, OSError) as error:
            raise UsageError(f"`{path}` can't be used: {error}. Name another folder.") from error
        if schema > SCHEMA:
            raise UsageError(f"`{path}` was written by a newer grader. Update the grader.")
        self.remember("schema", str(SCHEMA))

    def _add_scores(self) -> None:
        """To a file of an earlier version, whose scores are only in the results."""
        if "score" not in {row[1] for row in self.rows("PRAGMA table_info(attempts)")}:
            with self.whole():
                self.rows("ALTER TABLE attempts ADD COLUMN score REAL")
                for number, packed in self.rows("SELECT number, result FROM attempts"):
                    score = getattr(_result(packed), "score", None)
                    self.rows("UPDATE attempts SET score = ? WHERE number = ?", score, number)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def about(self, name: str) -> str:
        """What `remember` stored under that name, or ""."""
        rows = self.rows("SELECT value FROM about WHERE name = ?", name)
        return str(rows[0][0]) if rows else ""

    def remember(self, name: str, value: str) -> None:
        self.rows("INSERT OR REPLACE INTO about VALUES (?, ?)", name, value)

    # People and keys

    def add_people(self, people: Iterable[Person], *, teachers: bool = False) -> None:
        """Adds people, or renews what is known about them. A teacher stays one."""
        with self.whole():
            for person in people:
                self.rows(
                    "INSERT INTO people VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET "
                    "person = excluded.person, is_teacher = max(is_teacher, excluded.is_teacher)",
                    *(person.id, teachers, pack(person).decode()),
                )

    def set_person(self, person: Person) -> None:
        """Adds or renews somebody with a role: a student, unless they teach wherever they are."""
        row = "SELECT ?, min(is_teacher), ? FROM roles WHERE person = ?"
        about = person.id, pack(person).decode(), person.id
        self.rows(f"INSERT OR REPLACE INTO people {row}", *about)

    def is_unused(self) -> bool:
        """Whether nobody is known here yet, and nothing was submitted."""
        return not self.rows("SELECT 1 FROM people UNION SELECT 1 FROM attempts LIMIT 1")

    def people(self, *, teachers: bool = False) -> list[Person]:
        """In the order of their ids."""
        rows = self.rows("SELECT person FROM people WHERE is_teacher = ? ORDER BY id", teachers)
        return [unpack(text, Person) for (text,) in rows]

    def person(self, name: str) -> tuple[Person, bool] | None:
        """Somebody by their id, and whether they teach."""
        rows = self.rows("SELECT person, is_teacher FROM people WHERE id = ?", name)
        return (unpack(rows[0][0], Person), bool(rows[0][1])) if rows else None

    def forget(self, name: str) -> int:
        """Deletes everything of a person. Returns how many attempts that were."""
        with self.whole():
            ((count,),) = self.rows("SELECT count(*) FROM attempts WHERE person = ?", name)
            self.rows("DELETE FROM people WHERE id = ?", name)
            for table in self._of_a_person():
                self.rows(f"DELETE FROM {table} WHERE person = ?", name)
        # What SQLite deletes stays in the file until it is written anew.
        self.rows("VACUUM")
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return int(count)

    def move(self, name: str, to: str) -> None:
        """Gives everything of a person to another, whose own drafts stay. The first one is gone."""
        with self.whole():
            # Programs name their requests anew for each person.
            self.rows("UPDATE attempts SET request = NULL WHERE person = ?", name)
            for table in self._of_a_person():
                self.rows(f"UPDATE OR IGNORE {table} SET person = ? WHERE person = ?", to, name)
                self.rows(f"DELETE FROM {table} WHERE person = ?", name)
            self.rows("DELETE FROM people WHERE id = ?", name)

    def _of_a_person(self) -> list[str]:
        """Every table whose rows belong to people."""
        found = self.rows(
            "SELECT t.name FROM sqlite_master t JOIN pragma_table_info(t.name) c "
            "WHERE t.type = 'table' AND t.name != 'people' AND c.name = 'person'"
        )
        return [name for (name,) in found]

    def role(self, person: str, place: str, *, is_teacher: bool) -> str:
        """The id of what somebody may do, as a place says it now. Another role ends."""
        where, key = "FROM roles WHERE person = ? AND place = ?", (person, place)
        with self.whole():
            self.rows(f"DELETE {where} AND is_teacher != ?", *key, is_teacher)
            row = secrets.token_hex(16), *key, is_teacher
            self.rows("INSERT INTO roles VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", *row)
            ((found,),) = self.rows(f"SELECT id {where}", *key)
        return str(found)

    def end_roles(self, *, place: str = "", person: str = "") -> None:
        """Ends those that a place has given, or those of a person; their keys end with them."""
        self.rows("DELETE FROM roles WHERE person = ? OR place != '' AND place = ?", person, place)

    def add_key(self, digest: str, key: AccessKey) -> None:
        """Nothing, if its role has ended meanwhile."""
        row = (digest, key.kind, key.person, key.until, key.label, key.role)
        self.rows("INSERT INTO keys SELECT ?, ?, ?, ?, ?, id FROM roles WHERE id = ?", *row)

    def key(self, digest: str) -> AccessKey | None:
        rows = self.rows(f"{_KEY} digest = ?", digest)
        return AccessKey(*rows[0][1:]) if rows else None

    def keys(self, person: str) -> dict[str, AccessKey]:
        """All of a person's, by their digests."""
        rows = self.rows(f"{_KEY} keys.person = ?", person)
        return {row[0]: AccessKey(*row[1:]) for row in rows}

    def take_key(self, digest: str, kind: str, now: float) -> AccessKey | None:
        """Deletes a key of that kind and returns it: two who come at once don't both get it."""
        with self.whole():
            key = self.key(digest)
            if key is None or key.kind != kind or key.until <= now:
                return None
            self.drop_keys([digest])
        return key

    def drop_keys(self, digests: Sequence[str]) -> None:
        marks = ", ".join("?" * len(digests))
        self.rows(f"DELETE FROM keys WHERE digest IN ({marks})", *digests)

    def drop_old_keys(self, now: float) -> None:
        self.rows("DELETE FROM keys WHERE until < ?", now)

    # Teams

    def set_teams(self, assignment: str, team_of: Mapping[str, str]) -> None:
        """Who works together on an assignment, by the ids of people."""
        with self.whole():
            self.rows("DELETE FROM teams WHERE assignment = ?", assignment)
            for person, team in team_of.items():
                self.rows("INSERT INTO teams VALUES (?, ?, ?)", person, assignment, team)

    def teams(self, assignment: str) -> dict[str, str]:
        """The team of each person who has one."""
        return dict(self.rows("SELECT person, team FROM teams WHERE assignment = ?", assignment))

    def mates(self, person: str, assignment: str) -> list[str]:
        """The members of a person's team in the order of their ids, or the person alone."""
        rows = self.rows(
            "SELECT b.person FROM teams a JOIN teams b USING (assignment, team) "
            "WHERE a.person = ? AND a.assignment = ? ORDER BY b.person",
            *(person, assignment),
        )
        return [name for (name,) in rows] or [person]

    # Attempts

    def accept(self, attempt: StoredAttempt, text: str, request: str | None) -> StoredAttempt:
        """Stores an attempt, which a program may have named by its `request`."""
        with self.whole():
            # A newer one for the same exercise takes the place of one that waits.
            self.rows(
                "UPDATE attempts SET state = 'later' WHERE state = 'waiting' AND state != 'done' "
                f"AND {_OF} AND assignment = ? AND exercise = ?",
                self._mates(attempt.person, attempt.assignment),
                *(attempt.assignment, attempt.exercise),
            )
            self.rows(
                f"INSERT INTO attempts ({_COLUMNS}, text, request) "
                "VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, '', '{}', ?, ?)",
                *(*astuple(attempt)[1:8], _packed(text), request),
            )
            (stored,) = self._attempts("id = ?", attempt.id)
            return stored

    def requested(self, person: str, request: str) -> StoredAttempt | None:
        """What a program has sent before under this name."""
        known = self._attempts("person = ? AND request = ?", person, request)
        return known[0] if known else None

    def attempt(self, name: str) -> StoredAttempt | None:
        """An attempt by its id, with its result."""
        found = self._attempts("id = ?", name, with_result=True)
        return found[0] if found else None

    def text(self, attempt: StoredAttempt) -> str:
        ((packed,),) = self.rows("SELECT text FROM attempts WHERE id = ?", attempt.id)
        return _unpacked(packed)

    def history(
        self,
        person: str,
        assignment: str,
        exercise: str = "",
        *,
        with_results: bool = True,
        most: int = -1,
        until: int = LAST,
    ) -> list[StoredAttempt]:
        """The attempts of a person's team up to number `until`, the oldest first; at `most` the
        newest ones."""
        where = f"{_OF} AND assignment = ?" + " AND exercise = ?" * bool(exercise)
        mates = self._mates(person, assignment)
        given = (mates, assignment, *([exercise] if exercise else ()), until, most)
        found = f"SELECT number FROM attempts WHERE {where} AND number <= ?"
        where = f"number IN ({found} ORDER BY number DESC LIMIT ?)"
        return self._attempts(where, *given, with_result=with_results)

    def numbered(self, numbers: Iterable[int]) -> list[StoredAttempt]:
        """Attempts by their numbers, with results, the oldest first."""
        return self._attempts(
            "number IN (SELECT value FROM json_each(?))", json.dumps([*numbers]), with_result=True
        )

    def tally(
        self,
        assignment: str,
        person: str = "",
        exercise: str = "",
        *,
        until: int = LAST,
        due: float = LAST,
        each: bool = False,
    ) -> list[Equals]:
        """Everybody's attempts, or those of a person's team, the oldest first: equal ones are one
        row.

        Of an attempt in time, and of one a day late, `due` makes two rows. `each` is one.
        """
        mates = self._mates(person, assignment) if person else ""
        given = [value for value in (assignment, mates, exercise) if value]
        where = f" AND {_OF}" * bool(person) + " AND exercise = ?" * bool(exercise)
        late = "max(0, CAST(at * 1000 AS INTEGER) - ?)"  # in milliseconds, as reports have it
        rows = self.rows(
            f"SELECT person, exercise, outcome, ({late} + 86399999) / 86400000 AS days, score, "
            f"count(*), number, id, at, max({_PLACE}) FROM attempts WHERE assignment = ?{where} "
            f"AND number <= ? GROUP BY person, exercise, outcome, days, score{', number' * each} "
            "ORDER BY 10",
            *(int(min(due * 1000, LAST)), *given, until),
        )
        return [Equals(*row[:9]) for row in rows]

    def newest(self) -> int:
        """The number of the newest attempt; 0 if there is none."""
        return self.rows("SELECT max(number) FROM attempts")[0][0] or 0

    def of_assignment(
        self, assignment: str, until: int = LAST, since: float = 0.0
    ) -> list[StoredAttempt]:
        """Everybody's attempts without their results, the oldest first."""
        where = "assignment = ? AND number <= ? AND at >= ?"
        return self._attempts(where, assignment, until, since)

    def unjudged(self) -> list[StoredAttempt]:
        """The oldest first."""
        return self._attempts("state != 'done'")

    def later(self, name: str) -> None:
        """An attempt took long: it is judged when nobody else waits."""
        self.rows("UPDATE attempts SET state = 'later' WHERE id = ? AND state = 'waiting'", name)

    def finish(self, name: str, result: ExerciseResult) -> None:
        causes = json.dumps({attempt.cause: attempt.sentence for attempt in advice_on(result)})
        self.rows(
            "UPDATE attempts SET state = 'done', outcome = ?, causes = ?, score = ?, result = ? "
            "WHERE id = ?",
            *(result.outcome.value, causes, result.score, zlib.compress(pack(result)), name),
        )

    def open_count(self, person: str, team: Sequence[str], assignment: str) -> int:
        """How many attempts of a person, and of the team at this assignment, aren't judged yet."""
        select = f"SELECT count(*) FROM attempts WHERE state != 'done' AND {_LIMITED}"
        return int(self.rows(select, person, json.dumps(team), assignment)[0][0])

    def count(
        self, person: str, team: Sequence[str], assignment: str, exercise: str, since: float
    ) -> tuple[int, float]:
        """How many of the same were made at an exercise since then, and when the first was."""
        ((number, first),) = self.rows(
            f"SELECT count(*), min(at) FROM attempts WHERE {_LIMITED} AND exercise = ? AND at > ?",
            *(person, json.dumps(team), assignment, exercise, since),
        )
        return int(number), float(first or since)

    # Drafts and hints

    def save_draft(self, person: str, assignment: str, exercise: str, text: str) -> None:
        row = (person, assignment, exercise, _packed(text))
        self.rows("INSERT OR REPLACE INTO drafts VALUES (?, ?, ?, ?)", *row)

    def draft(self, person: str, assignment: str, exercise: str) -> str | None:
        rows = self.rows(
            "SELECT text FROM drafts WHERE person = ? AND assignment = ? AND exercise = ?",
            *(person, assignment, exercise),
        )
        return _unpacked(rows[0][0]) if rows else None

    def open_hint(self, person: str, assignment: str, exercise: str, most: int) -> None:
        """One more of `most` hints is open."""
        self.rows(
            "INSERT INTO hints VALUES (?, ?, ?, 1) "
            "ON CONFLICT DO UPDATE SET number = min(number + 1, ?)",
            *(person, assignment, exercise, most),
        )

    def hints(self, person: str, assignment: str, exercise: str) -> int:
        """How many hints are open."""
        rows = self.rows(
            "SELECT number FROM hints WHERE person = ? AND assignment = ? AND exercise = ?",
            *(person, assignment, exercise),
        )
        return int(rows[0][0]) if rows else 0

    def is_alive(self) -> bool:
        return bool(self.rows("SELECT 1"))

    def _mates(self, person: str, assignment: str) -> str:
        """For `_OF`."""
        return json.dumps(self.mates(person, assignment))

    def _attempts(self, where: str, *given: Any, with_result: bool = False) -> list[StoredAttempt]:
        columns = f"{_COLUMNS}, result" if with_result else f"{_COLUMNS}, NULL"
        rows = self.rows(
            f"SELECT {columns} FROM attempts WHERE {where} ORDER BY at, number", *given
        )
        return [StoredAttempt(*(*row[:10], _result(row[10]))) for row in rows]

    def add_tables(self, statements: str) -> None:
        """Tables of an extension. What belongs to a person there has a column `person`."""
        with self._lock:
            self._db.executescript(statements)

    def rows(self, statement: str, *values: Any) -> list[Any]:
        with self._lock:
            return self._db.execute(statement, values).fetchall()

    @contextmanager
    def whole(self) -> Iterator[None]:
        """All statements are stored, or none. One within another is part of it."""
        with self._lock:
            if self._db.in_transaction:
                yield
                return
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                yield


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode(errors="surrogatepass"))


def _unpacked(packed: bytes) -> str:
    return zlib.decompress(packed).decode(errors="surrogatepass")


def _result(packed: bytes | None) -> ExerciseResult | None:
    return None if packed is None else unpack(zlib.decompress(packed), ExerciseResult)
