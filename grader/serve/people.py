"""Who comes in: by a personal link once, then by a session; programs by a token. No passwords.

    link --GET--> a button --POST--> session (a cookie), and the link is gone
    signed in --> a link for another device (ten minutes), a token for programs (shown once)

What somebody may do is the key's: the role that it was issued for, and that still holds. A key
made with another one has the same role. No record of a person gives any right.

A GET consumes nothing: mail scanners and previews of chats open links. Keys are random, of 192
bits, and only their digests are stored. Logging out deletes the session.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

from grader.records import digests
from grader.records.errors import UsageError
from grader.records.model import Person
from grader.records.safe_text import table
from grader.serve.database import AccessKey, Database

LINK, SESSION, TOKEN, BUTTON = "link", "session", "token", "button"
HERE, HUB = "", "hub"
"""Places that say who somebody is. Each course of a learning platform is one, too."""
PLATFORMS = "lti-"  # begins the ids of people of platforms, which no other place names
DAY = 86_400.0
SECONDS = {LINK: 14 * DAY, SESSION: 14 * DAY, TOKEN: 180 * DAY}
# Links for another device, and those of teachers, who can do more.
SHORT = 600.0
OF_TEACHERS = 2 * DAY
# The session of a platform's teacher, who launches each day and makes no other key.
OF_A_DAY = DAY / 2
MOST_KEYS = 30
"""Of a person. Those that end first give way."""


@dataclass(frozen=True)
class Who:
    """Somebody who is signed in."""

    person: Person
    is_teacher: bool
    key: str = ""  #: the digest of the session or the token
    role: str = ""  #: its id
    place: str = HERE  #: who says so

    @property
    def id(self) -> str:
        return self.person.id

    @property
    def name(self) -> str:
        return self.person.name or self.person.id

    @property
    def sign(self) -> str:
        """What forms on this person's pages hold."""
        return fingerprint(self.id)[:16]


class People:
    """Keys of the people in a database."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def issue(
        self, kind: str, person: str, label: str = "", seconds: float | None = None, role: str = ""
    ) -> str:
        """A new key, for a `role` or for the one here. It is known only to who gets this text."""
        if not role:
            found = self._db.person(person)
            role = self._db.role(person, HERE, is_teacher=found is not None and found[1])
        own = sorted(self._db.keys(person).items(), key=lambda pair: pair[1].until)
        self._db.drop_keys([digest for digest, _ in own[: max(0, len(own) - MOST_KEYS + 1)]])
        secret = secrets.token_urlsafe(24)
        until = time.time() + (SECONDS[kind] if seconds is None else seconds)
        self._db.add_key(fingerprint(secret), AccessKey(kind, person, until, label, role))
        return secret

    def known(self, secret: str, kind: str) -> Who | None:
        """Whose key this is, if it is one of that kind and still good."""
        key = self._db.key(digest := fingerprint(secret))
        if key is None or key.kind != kind or key.until < time.time():
            return None
        found = self._db.person(key.person)
        return found and Who(found[0], bool(key.is_teacher), digest, key.role, key.place)

    def is_in(self, who: Who) -> bool:
        """Whether the session or token by which somebody came is still good."""
        key = self._db.key(who.key)
        return not who.key or (key is not None and key.until > time.time())

    def named(self, person: str) -> Who | None:
        """Somebody, without any right."""
        found = self._db.person(person)
        return found and Who(found[0], is_teacher=False)

    def joined(self, person: Person) -> Who | None:
        """Somebody whom a Hub knows: by the id or the login, or as a new student.

        None if it tells nobody: the login of one and the id of another, or an id of a platform.
        """
        if person.id.startswith(PLATFORMS):
            return None
        everybody = [(p, t) for t in (False, True) for p in self._db.people(teachers=t)]
        found = [entry for entry in everybody if person.id in (entry[0].id, entry[0].login)]
        if not found:
            self._db.add_people([person])
            found = [(person, False)]
        if len(found) > 1:
            return None
        who, teaches = found[0]
        return Who(who, teaches, role=self._db.role(who.id, HUB, is_teacher=teaches), place=HUB)

    def enter(self, link: str, kind: str = LINK) -> tuple[AccessKey, str] | None:
        """Uses up a link. Returns it, and the secret of the new session with its role."""
        key = self._db.take_key(fingerprint(link), kind, time.time())
        if key is None or self._db.person(key.person) is None:
            return None
        seconds = OF_A_DAY if key.is_teacher and key.place not in (HERE, HUB) else None
        return key, self.issue(SESSION, key.person, "", seconds, key.role)

    def leave(self, who: Who) -> None:
        self._db.drop_keys([who.key])

    def drop(self, who: Who, place: str) -> None:
        """One of a person's own sessions or tokens, by its name in `access_keys`."""
        self._db.drop_keys([d for d in self._db.keys(who.id) if d[:16] == place])

    def access_keys(self, who: Who) -> list[tuple[str, AccessKey]]:
        """A person's sessions and tokens, by the first letters of their digests."""
        own = self._db.keys(who.id).items()
        return [(digest[:16], key) for digest, key in own if key.kind in (SESSION, TOKEN)]

    def links(self, address: str, names: list[str], *, teachers: bool = False) -> str:
        """A CSV for a mail merge, with a new link for each. Older links of theirs are void."""
        people = {person.id: person for person in self._db.people(teachers=teachers)}
        if unknown := [name for name in names if name not in people]:
            raise UsageError(f"nobody here is called `{unknown[0]}`. `people.csv` names all.")
        rows: list[list[str]] = [["id", "name", "email", "link"]]
        for person in [people[name] for name in names] or people.values():
            old = [d for d, key in self._db.keys(person.id).items() if key.kind == LINK]
            self._db.drop_keys(old)
            secret = self.issue(LINK, person.id, seconds=OF_TEACHERS if teachers else None)
            rows.append([person.id, person.name, person.email, f"{address}/enter/{secret}"])
        return table(rows)


def fingerprint(secret: str) -> str:
    """What is kept of a secret, so that a copy of the file opens no dispatcher."""
    return digests.plain(secret).hex()
