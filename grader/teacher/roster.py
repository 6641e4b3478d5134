"""The people of a class: a CSV -> students, and whose a submission is.

    our own columns | a gradebook of Canvas | a worksheet of Moodle | a roster or the grades
    of GitHub Classroom | Gradescope's roster --read--> Roster --matched--> Submission with its
                                                                            student and their id

Columns are found by their headings, in any order; those with other headings are left alone.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from grader.errors import UsageError
from grader.intake.layouts import time_of
from grader.intake.source import printable
from grader.model import Note, Submission
from grader.people import Person

MAX_BYTES = 16 << 20
UNKNOWN = "is not on the roster. Check the name, or add a row to the roster"
# The headings of each field, without capitals and signs. In Canvas's own file, "ID" is its number.
_HEADINGS = {
    "id": ("id", "student", "student id", "roster identifier"),
    "identifier": ("identifier",),
    "name": ("name", "full name", "student name"),
    "login": ("login", "username", "user name", "sis login id", "login id"),
    "email": ("email", "e mail", "email address", "mail"),
    "section": ("section", "sections", "group", "groups"),
    "sis": ("sis user id", "sis id", "id number", "sid", "matriculation number"),
    "canvas": ("canvas", "canvas id"),
    "moodle": ("moodle", "participant"),
    "github": ("github", "github username", "github login"),
    "at": ("submission timestamp",),
    "repository": ("student repository name",),
    "first": ("first name", "firstname", "given name"),
    "last": ("last name", "lastname", "surname", "family name"),
}
_OF_CANVAS = {"id": "canvas", "student": "name"}
# Rows of Canvas's that are no people's.
_NO_PERSON = re.compile(r"\s*(points possible|manual posting|student, test\b)", re.IGNORECASE)
# "Participant 1234" in the language of the teacher's Moodle.
_PARTICIPANT = re.compile(r"[^\d@]+\s(\d+)")
# What tells a person, from the surest on.
_TELLING = ("canvas", "moodle", "email", "sis", "github", "login", "id")


@dataclass(frozen=True)
class Roster:
    """The people of a class, and when they handed in if the roster says that."""

    students: tuple[Person, ...]
    times: Mapping[str, str] = field(default_factory=dict)
    """By the student's id."""

    def find(self, submission: Submission) -> Person | None:
        """Whose it is: by a number, an address or a login; else by the name, if only one has it."""
        claimed = submission.student or Person(submission.id)
        for key in _TELLING:
            said = getattr(claimed, key).casefold()
            if said and (found := [s for s in self.students if _has(s, key, said)]):
                return found[0] if len(found) == 1 else None
        # A clone is called `hw1-LOGIN`.
        ends = [s for s in self.students if _is_end(submission.id, s.github or s.login)]
        if len(ends) == 1:
            return ends[0]
        names = set(_spellings(claimed.name or claimed.id))
        alike = [s for s in self.students if s.name and names & set(_spellings(s.name))]
        return alike[0] if len(alike) == 1 else None

    def matched(self, submissions: Iterable[Submission]) -> list[Submission]:
        """Each with its student, and one without work for everybody else, as the roster goes."""
        found = [self._matched(submission) for submission in submissions]
        here = {one.id for one in found}
        absent = (s for s in self.students if s.id not in here)
        found += [Submission(s.id, digest="", student=s) for s in absent]
        order = {student.id: place for place, student in enumerate(self.students)}
        return sorted(found, key=lambda one: order.get(one.id, len(order)))

    def known(self, submissions: Iterable[Submission]) -> list[Submission]:
        """Each with its student, if that is known; the others as they are."""
        pairs = ((submission, self.find(submission)) for submission in submissions)
        return [one if student is None else self._of(one, student) for one, student in pairs]

    def _matched(self, submission: Submission) -> Submission:
        student = self.find(submission)
        if student is None:
            notes = (*submission.notes, Note(submission.id, UNKNOWN))
            return replace(submission, notes=notes)
        return self._of(submission, student)

    def _of(self, submission: Submission, student: Person) -> Submission:
        claimed = submission.student or Person("")
        known = replace(student, **{n: v for n, v in _fields(claimed) if not getattr(student, n)})
        at = submission.at or self.times.get(student.id, "")
        return replace(submission, id=student.id, student=known, at=at)


def read(path: Path) -> Roster:
    """The people in a CSV file. Raises `UsageError` where it can't say who is meant."""
    text = _text(path)
    lines = text.splitlines()
    separator = max(",;\t", key=lines[0].count) if lines else ","
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    places = _places(rows[0] if rows else [], path)
    students: dict[str, Person] = {}
    times: dict[str, str] = {}
    for number, row in enumerate(rows[1:], 2):
        given = {name: row[n].strip() for name, n in places.items() if n < len(row)}
        if not any(given.values()) or _NO_PERSON.match(given.get("name", "")):
            continue
        student = _student(given, f"line {number} of `{path}`")
        if students.setdefault(student.id, student) != student:
            raise UsageError(
                f"line {number} of `{path}`: two people are `{student.id}`. Give each an id of "
                "their own in a column `id`."
            )
        if at := time_of(given.get("at", "")):
            times[student.id] = max(at, times.get(student.id, ""))
    if not students:
        raise UsageError(f"the roster `{path}` names nobody. It needs a row for each person.")
    return Roster(tuple(students.values()), times)


def _text(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"the roster `{path}` can't be read: {error.strerror}.") from error
    if len(data) > MAX_BYTES or b"\0" in data:
        raise UsageError(
            f"the roster `{path}` is no CSV in UTF-8. Export it as CSV, not as a workbook."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"the roster `{path}` is not in UTF-8: byte {error.start}. Save it as CSV in UTF-8."
        ) from error


def _places(headings: Sequence[str], path: Path) -> dict[str, int]:
    """The number of each field's column."""
    plain = [re.sub(r"[^a-z0-9]+", " ", heading.casefold()).strip() for heading in headings]
    is_canvas = "sis login id" in plain or ("student" in plain and "section" in plain)
    found: dict[str, int] = {}
    for number, heading in enumerate(plain):
        names = [name for name, known in _HEADINGS.items() if heading in known]
        if is_canvas and heading in _OF_CANVAS:
            names = [_OF_CANVAS[heading]]
        for name in names:
            found.setdefault(name, number)
    if not found.keys() & {
        "id",
        "identifier",
        "name",
        "login",
        "email",
        "sis",
        "canvas",
        "github",
        "last",
    }:
        raise UsageError(
            f"the first line of the roster `{path}` names no column that tells a person; it has "
            f"{', '.join(f'`{printable(h, 40)}`' for h in headings[:8]) or 'nothing'}. Call one "
            "`id`, `name`, `login` or `email`."
        )
    return found


def _student(given: Mapping[str, str], where: str) -> Person:
    known = {f.name: printable(given.get(f.name, ""), 160) for f in fields(Person)}
    identifier = given.get("identifier", "")
    if found := _PARTICIPANT.fullmatch(identifier):
        known["moodle"] = found[1]
    else:
        known["id"] = known["id"] or printable(identifier, 160)
    if not known["name"]:
        known["name"] = printable(f"{given.get('first', '')} {given.get('last', '')}".strip(), 160)
    order = ("id", "sis", "login", "github", "email", "name", "canvas", "moodle")
    known["id"] = next((known[name] for name in order if known[name]), "")
    if not known["id"]:
        raise UsageError(f"{where} names nobody. Fill in an id, a name, a login or an address.")
    return Person(**known)


def _fields(student: Person) -> Iterator[tuple[str, str]]:
    return ((f.name, getattr(student, f.name)) for f in fields(student))


def _has(student: Person, key: str, said: str) -> bool:
    """Whether it is theirs. A name of a file or folder may be any of those that are unique."""
    if key != "id":
        return bool(getattr(student, key).casefold() == said)
    mail = student.email.partition("@")[0]
    unique = (student.id, student.login, student.github, student.sis, student.email, mail)
    return said in (one.casefold() for one in unique if one)


def _is_end(name: str, login: str) -> bool:
    return bool(login) and name.casefold().endswith(f"-{login.casefold()}")


def _spellings(name: str) -> Iterator[str]:
    """A name as platforms write it: its letters in small, from each of its words on."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    words = re.findall(r"[^\W_]+", "".join(c for c in plain if not unicodedata.combining(c)))
    for first in range(len(words)):
        yield "".join(words[first:] + words[:first])
