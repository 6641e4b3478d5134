"""What LTI keeps in `serve.db`: platforms, courses, links, people, scores.

    Platform --deployment--> PlatformCourse (asks, or is in) --> Link: an assignment, and a column
    Member = (platform, deployment, sub): a person           --> Score, for each member and link

Each is a small record under its key. There are some thousands at most, so they are read whole.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from grader.records import digests
from grader.serve.database import Database
from grader.serve.lti.net import is_allowed, origin
from grader.teacher import decisions

_TABLES = """
CREATE TABLE IF NOT EXISTS lti (
    kind TEXT NOT NULL, key TEXT NOT NULL, person TEXT, about TEXT NOT NULL,
    PRIMARY KEY (kind, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lti_used (nonce TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS lti_used_until ON lti_used (until);
CREATE TABLE IF NOT EXISTS lti_news (
    person TEXT NOT NULL, assignment TEXT NOT NULL, is_decision INTEGER NOT NULL);
CREATE TRIGGER IF NOT EXISTS lti_judged AFTER UPDATE OF outcome ON attempts
    WHEN OLD.outcome = '' AND NEW.outcome != ''
    BEGIN INSERT INTO lti_news VALUES (NEW.person, NEW.assignment, 0); END;
"""
EMPTY, WAITING, SENT, REFUSED = "empty", "waiting", "sent", "refused"
"""States of a score. `EMPTY`: no mark is wanted, and none is there."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Its first fields, as many as `KEYS` says, are its key."""

    @property
    def key(self) -> tuple[str, ...]:
        return tuple(msgspec.structs.astuple(self)[: KEYS[type(self)]])

    @property
    def as_text(self) -> str:
        """The key, as forms and the table have it."""
        return json.dumps(self.key)


class Platform(Record, frozen=True, kw_only=True):
    """One registration of this server with a platform."""

    id: str  #: of its issuer and client
    issuer: str
    client: str
    name: str  #: for people: its host
    auth: str  #: where a browser is sent to
    token: str
    jwks: str
    audience: str = ""  #: of what this server signs for a token, if that isn't its address
    origins: tuple[str, ...] = ()  #: where it may keep gradebooks, besides the addresses above
    deployments: tuple[str, ...] = ()  #: the only ones that are accepted; none: all
    claim: str = ""  #: what holds a person's id on the roster: `sourcedid`, or a custom parameter
    is_local: bool = False  #: it is on this machine, for a trial

    def problem(self) -> str:
        """What is wrong with its addresses, or ""."""
        named = {"its URL": self.origins[0], "auth": self.auth}
        for name, url in {**named, "token": self.token, "jwks": self.jwks}.items():
            if not url:
                return f"`{name}` is missing"
            if not is_allowed(url, is_local=self.is_local):
                kind = "an http address on this machine" if self.is_local else "an https address"
                return f"`{name}` is not {kind}: `{url[:200]}`"
        return ""

    def owns(self, url: str) -> bool:
        """Whether an address is one of this platform's."""
        known = (self.issuer, self.auth, self.token, self.jwks, *self.origins)
        try:
            places = {origin(url) for url in known if "://" in url}
            return is_allowed(url, is_local=self.is_local) and origin(url) in places
        except ValueError:
            return False


class PlatformCourse(Record, frozen=True, kw_only=True):
    """A course of a platform. Its people may sign in if `is_in`."""

    platform: str
    deployment: str
    context: str
    title: str
    is_in: bool


class Member(Record, frozen=True, kw_only=True):
    """Somebody of a platform, and who that is here."""

    platform: str
    deployment: str
    sub: str
    person: str
    is_joined: bool  #: to somebody of the roster


class Link(Record, frozen=True, kw_only=True):
    """A link in a course of a platform, and its column in the gradebook."""

    platform: str
    deployment: str
    link: str  #: the platform's id of it
    context: str
    title: str
    assignment: str  #: "" until somebody says
    chosen: str  #: what the platform says: a change of it changes the assignment
    chosen_at: float = 0.0  #: when it first said so; a launch from before changes nothing
    item: str  #: the address of the column; "" until it is known
    items: str  #: where columns are looked for, and made
    scopes: tuple[str, ...]  #: what the platform allows


class Score(Record, frozen=True, kw_only=True):
    """One person's mark in one column: what should be there, and what is."""

    platform: str
    deployment: str
    link: str
    sub: str
    person: str
    wanted: tuple[float | None, float] | None = None  #: points, if known, and maximum; or no mark
    is_new: bool = True  #: nothing was settled yet, or this is a column of another assignment now
    submitted: str = ""  #: when what counts was submitted
    sent: tuple[float | None, float] | None = None  #: what the platform has, likewise
    state: str = EMPTY
    tries: int = 0
    not_before: float = 0.0
    stamp: float = 0.0  #: the time that was sent with it; it only grows
    reason: str = ""  #: why it isn't there, in the platform's words

    def wants(self, mark: tuple[float | None, float] | None, submitted: str = "") -> Score:
        """The record with another mark: it waits, unless the platform has it."""
        # What was tried and not refused may be there, until an answer says so.
        is_there = self.sent == mark and (mark is not None or self.state == EMPTY or not self.stamp)
        state = WAITING if not is_there else EMPTY if mark is None else SENT
        about = {"submitted": submitted if mark else "", "tries": 0, "not_before": 0.0}
        return replace(self, wanted=mark, state=state, reason="", **about)


KEYS: dict[type[Record], int] = {Platform: 1, PlatformCourse: 3, Member: 3, Link: 3, Score: 4}
R = TypeVar("R", bound=Record)


class Records:
    """Every method may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self.database, self.changing = database, database.whole
        database.add_tables(_TABLES)

    def put(self, record: Record) -> None:
        person = getattr(record, "person", None)
        row = (type(record).__name__, record.as_text, person, msgspec.json.encode(record).decode())
        self.database.rows("INSERT OR REPLACE INTO lti VALUES (?, ?, ?, ?)", *row)

    def use(self, nonce: str, now: float, seconds: float) -> bool:
        """Uses up a nonce. False if it was used before. What is too old is forgotten."""
        self.database.rows("DELETE FROM lti_used WHERE until < ?", now)
        return bool(
            self.database.rows(
                "INSERT INTO lti_used VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING 1",
                *(nonce, now + seconds),
            )
        )

    def add_news(self, person: str, assignment: str, is_decision: bool) -> None:
        """Keeps that a mark may have changed until `drop_news`. A trigger adds each verdict."""
        self.database.rows("INSERT INTO lti_news VALUES (?, ?, ?)", person, assignment, is_decision)

    def news(self) -> list[tuple[str, str, int]]:
        return [tuple(row) for row in self.database.rows("SELECT DISTINCT * FROM lti_news")]

    def drop_news(self, person: str, assignment: str, is_decision: bool) -> None:
        where = "person = ? AND assignment = ? AND is_decision = ?"
        self.database.rows(f"DELETE FROM lti_news WHERE {where}", person, assignment, is_decision)

    def waiting(self) -> list[Score]:
        """The scores that are to be sent; of many thousands, only these are read."""
        scores = self._read(Score, f"about LIKE '%\"{WAITING}\"%'")
        return [score for score in scores if score.state == WAITING]

    def get(self, kind: type[R], *key: str) -> R | None:
        records = self._read(kind, "key = ?", json.dumps(key))
        return records[0] if records else None

    def all(self, kind: type[R], person: str = "") -> list[R]:
        """In the order of their keys; of one person alone, if one is named."""
        return self._read(kind, "person = ?", person) if person else self._read(kind, "1")

    def drop(self, record: Record) -> None:
        name = type(record).__name__
        self.database.rows("DELETE FROM lti WHERE kind = ? AND key = ?", name, record.as_text)

    def accept(self, platform: str, context: str) -> None:
        """Accepts a course, also before anybody has launched from it."""
        asked = [c for c in self.all(PlatformCourse) if c.key[::2] == (platform, context)]
        about = {"platform": platform, "deployment": "", "context": context, "title": ""}
        for course in asked or [PlatformCourse(**about, is_in=True)]:
            self.put(replace(course, is_in=True))

    def remove(self, platform: Platform) -> None:
        """Nobody launches from it any more, and it gets no scores. Its people stay who they are."""
        with self.changing():
            for kind in (PlatformCourse, Link, Score):
                for record in self.all(kind):
                    if record.key[0] == platform.id:
                        self.drop(record)
                        self.database.end_roles(place=record.as_text)
            self.drop(platform)

    def join(self, member: Member, to: str, folder: Path) -> Member:
        """A member is somebody of the roster from now on, with all work and all decisions."""
        with self.changing():
            self.put(replace(member, is_joined=True))
            self.database.move(member.person, to)
            for score in self.all(Score, to):
                self.put(replace(score, is_new=True))
            decisions.forget(folder, member.person, to=to)
        return replace(member, person=to, is_joined=True)

    def bind(self, link: Link) -> list[str]:
        """Stores a link. Returns whose marks begin anew, as it is of another assignment now."""
        known = self.get(Link, *link.key)
        self.put(link)
        if known is None or known.assignment == link.assignment:
            return []
        scores = [score for score in self.all(Score) if score.key[:3] == link.key]
        for score in scores:
            self.put(replace(score.wants(None), is_new=True))
        return [score.person for score in scores]

    def _read(self, kind: type[R], where: str, *values: str) -> list[R]:
        select = f"SELECT about, person FROM lti WHERE kind = ? AND {where} ORDER BY key"
        rows = self.database.rows(select, kind.__name__, *values)
        records = [(msgspec.json.decode(about, type=kind), person) for about, person in rows]
        # The column is right: a person may have been joined to another.
        return [r if person is None else replace(r, person=person) for r, person in records]


def platform_id(issuer: str, client: str) -> str:
    return digests.plain(json.dumps([issuer, client])).hex()[:12]
