"""The people of a class: a CSV -> students, and whose a submission is.

    our own columns | a gradebook of Canvas | a worksheet of Moodle | a roster or the grades
    of GitHub Classroom | Gradescope's roster --read--> Roster --matched--> Submission with its
                                                                            student and their id

Columns are found by their headings, in any order. Those with other headings are left alone, and
named if the file is no platform's.
"""

import csv
import difflib
import io
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path

from grader.intake.layouts import time_of
from grader.intake.source import printable
from grader.records.errors import UsageError
from grader.records.model import Note, Person, Submission

MAX_BYTES = 16 << 20
UNKNOWN = "is not on the roster. Check the name, or add a row to the roster"
NAMESAKES = (
    "has the name of several people on the roster. Give the roster a column that identifies them, "
    "such as `email`, `canvas` or `moodle`"
)
# The headings of each field besides its own name, without capitals and signs. In Canvas's own file,
# "ID" is its number.
_HEADINGS = {
    "id": ("student", "student id", "roster identifier"),
    "name": ("full name", "student name"),
    "login": ("username", "user name", "sis login id", "login id"),
    "email": ("e mail", "email address", "mail"),
    "section": ("sections", "group", "groups"),
    "team": ("pair", "team name"),
    "sis": ("sis user id", "sis id", "id number", "sid", "matriculation number"),
    "canvas": ("canvas id",),
    "moodle": ("participant",),
    "github": ("github username", "github login"),
    "identifier": (),
    "first": ("first name", "firstname", "given name"),
    "last": ("last name", "lastname", "surname", "family name"),
    "at": ("submission timestamp",),
}
_FIELDS = {heading: name for name, more in _HEADINGS.items() for heading in (name, *more)}
# These alone tell nobody.
_NO_ONE = {"section", "team", "first", "at"}
# Each is in one export of a platform only, which has other columns that we don't need.
_EXPORTED = {"maximum grade", "github id", "assignment name", "submission id"}
_OF_CANVAS = {"id": "canvas", "student": "name"}
# Rows of Canvas's that are no people's.
_NO_PERSON = re.compile(r"\s*(points possible|manual posting|student, test\b)", re.IGNORECASE)
# "Participant 1234" in the language of the teacher's Moodle.
_PARTICIPANT = re.compile(r"[^\d@]+\s(\d+)")
# If one of these is known of both and differs, they are two people.
_SURE = ("canvas", "moodle", "github", "email", "sis")
# What tells a person, from the surest on.
_TELLING = ("canvas", "moodle", "email", "sis", "github", "login", "id")


@dataclass(frozen=True)
class Roster:
    """The people of a class, and when they submitted if the roster says that."""

    students: tuple[Person, ...]
    times: Mapping[str, str] = field(default_factory=dict)
    """By the student's id."""
    told: tuple[str, ...] = ()
    """What a teacher should know about the file."""

    def matched(self, submissions: Iterable[Submission]) -> list[Submission]:
        """Each with its student, and one without work for everybody else, as the roster goes."""
        given = list(submissions)
        found = [
            self._unknown(one) if student is None else self._of(one, student)
            for one, student in zip(given, self.find(given), strict=True)
        ]
        here = {one.id for one in found}
        absent = (s for s in self.students if s.id not in here)
        found += [Submission(s.id, digest="", student=s) for s in absent]
        order = {student.id: place for place, student in enumerate(self.students)}
        return sorted(found, key=lambda one: order.get(one.id, len(order)))

    def known(self, submissions: Iterable[Submission]) -> list[Submission]:
        """Each with its student, if that is known; the others as they are."""
        given = list(submissions)
        pairs = zip(given, self.find(given), strict=True)
        return [one if student is None else self._of(one, student) for one, student in pairs]

    def find(self, submissions: Sequence[Submission]) -> list[Person | None]:
        """Whose each is: by a number, an address or a login; else by the name.

        A name tells only if one person has it: a display name can be changed to another's.
        """
        sure = [self._surely(one) for one in submissions]
        found = [
            student or self._by_name(one) for one, student in zip(submissions, sure, strict=True)
        ]
        numbers = {
            (student.id, platform, number)
            for one, student in zip(submissions, found, strict=True)
            for platform, number in _numbers(one)
            if student is not None
        }
        several = {key for key, count in Counter(n[:2] for n in numbers).items() if count > 1}
        return [
            student
            if student is None
            or by is not None
            or not any((student.id, platform) in several for platform, _ in _numbers(one))
            else None
            for one, by, student in zip(submissions, sure, found, strict=True)
        ]

    def _surely(self, submission: Submission) -> Person | None:
        claimed = submission.student or Person(submission.id)
        # Students choose their logins on GitHub: one may be called as another's login elsewhere.
        is_chosen = claimed.github and self._has_github
        for key in _SURE if is_chosen else _TELLING:
            found = self._index.get((key, getattr(claimed, key).casefold()), ())
            if len(found) == 1 and not _is_another(claimed, found[0]):
                return found[0]
        return None

    @cached_property
    def _has_github(self) -> bool:
        return any(student.github for student in self.students)

    @cached_property
    def _index(self) -> dict[tuple[str, str], list[Person]]:
        """People by what tells them, and by the spellings of their names."""
        index: dict[tuple[str, str], list[Person]] = defaultdict(list)
        for student in self.students:
            told = {(key, value) for key in _TELLING for value in _values(student, key)}
            told |= {("name", spelling) for spelling in _spellings(student.name)}
            for key in told:
                index[key].append(student)
        return index

    def _by_name(self, submission: Submission) -> Person | None:
        """The only person of that name: what Canvas and Moodle tell a roster without numbers."""
        claimed = submission.student or Person(submission.id)
        alike = set() if claimed.github else self._alike(claimed)  # a login is no name
        return alike.pop() if len(alike) == 1 else None

    def _alike(self, claimed: Person) -> set[Person]:
        """The people of that name."""
        alike = {
            student
            for spelling in _spellings(claimed.name or claimed.id)
            for student in self._index.get(("name", spelling), ())
        }
        return {student for student in alike if not _is_another(claimed, student)}

    def _unknown(self, one: Submission) -> Submission:
        """Who is on no roster has no login that Canvas and Moodle know."""
        claimed = one.student or Person(one.id)
        why = NAMESAKES if len(self._alike(claimed)) > 1 else UNKNOWN
        notes = (*one.notes, Note(one.id, why))
        return replace(one, notes=notes, student=replace(claimed, login=""))

    def _of(self, submission: Submission, student: Person) -> Submission:
        claimed = submission.student or Person("")
        # Canvas and Moodle would find somebody else by a login of another platform.
        known = filled(student, replace(claimed, login=""))
        # A platform's own table is surer than a file that came with the work.
        if at := self.times.get(student.id, ""):
            submission = replace(submission, at=at, own_clock=False)
        return replace(submission, id=student.id, student=known)


def filled(student: Person, claimed: Person) -> Person:
    """The student, and what is claimed where nothing is known."""
    return replace(student, **{n: v for n, v in _fields(claimed) if not getattr(student, n)})


def read(path: Path) -> Roster:
    """The people in a CSV file. Raises `UsageError` where it can't say who is meant."""
    text = _text(path)
    lines = text.splitlines()
    separator = max(",;\t", key=lines[0].count) if lines else ","
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    headings = rows[0] if rows else []
    places = _places(headings, path)
    students: dict[str, Person] = {}
    times: dict[str, str] = {}
    for number, row in enumerate(rows[1:], 2):
        given = {name: row[n].strip() for name, n in places.items() if n < len(row)}
        if not any(given.values()) or _NO_PERSON.match(given.get("name", "")):
            continue
        student = _student(given, f"line {number} of `{path}`")
        if students.setdefault(student.id, student) != student:
            raise UsageError(
                f"line {number} of `{path}`: two people are `{student.id}`. Give each their own id "
                "in a column `id`."
            )
        if at := time_of(given.get("at", "")):
            times[student.id] = max(at, times.get(student.id, ""))
    if not students:
        raise UsageError(f"the roster `{path}` names nobody. It needs a row for each person.")
    return Roster(tuple(students.values()), times, tuple(_unused(headings, places, path)))


def _text(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"the roster `{path}` can't be read: {error.strerror}.") from error
    if len(data) > MAX_BYTES or b"\0" in data:
        raise UsageError(
            f"the roster `{path}` is not a CSV in UTF-8. Export it as CSV, not as a workbook."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"the roster `{path}` is not in UTF-8: byte {error.start}. Save it as CSV in UTF-8."
        ) from error


def _places(headings: Sequence[str], path: Path) -> dict[str, int]:
    """The number of each field's column."""
    plain = list(map(_plain, headings))
    names = _FIELDS | (_OF_CANVAS if _is_canvas(plain) else {})
    found: dict[str, int] = {}
    for number, heading in enumerate(plain):
        if heading in names:
            found.setdefault(names[heading], number)
    if not found.keys() - _NO_ONE:
        raise UsageError(
            f"the first line of the roster `{path}` names no column that identifies a person; it "
            f"has {', '.join(f'`{printable(h, 40)}`' for h in headings[:8]) or 'nothing'}. Name "
            "one `id`, `name`, `login` or `email`."
        )
    return found


def _unused(headings: Sequence[str], places: Mapping[str, int], path: Path) -> Iterator[str]:
    """The columns that nothing reads, each with what to do."""
    plain = list(map(_plain, headings))
    if _is_canvas(plain) or _EXPORTED & set(plain):
        return
    known = ", ".join(f"`{name}`" for name in Person.__annotations__)
    for number, heading in enumerate(plain):
        if not heading or number in places.values():
            continue
        why = f"Known columns: {known}."
        if heading in _FIELDS:
            why = f"`{printable(headings[places[_FIELDS[heading]]], 40)}` says the same."
        elif close := difflib.get_close_matches(heading, _FIELDS, n=1, cutoff=0.75):
            why = f"Did you mean `{close[0]}`? {why}"
        column = printable(headings[number], 40)
        yield f"the column `{column}` of the roster `{path}` isn't used. {why}"


def _is_canvas(plain: Sequence[str]) -> bool:
    return "sis login id" in plain or ("student" in plain and "section" in plain)


def _plain(heading: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", heading.casefold()).strip()


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
        raise UsageError(f"{where} names nobody. Fill in an id, name, login or email address.")
    return Person(**known)


def _fields(student: Person) -> Iterator[tuple[str, str]]:
    return ((f.name, getattr(student, f.name)) for f in fields(student))


def _values(student: Person, key: str) -> set[str]:
    """What may stand for them. A file or folder may be called by anything that is theirs."""
    values = {getattr(student, key)}
    if key == "id":
        mail = student.email.partition("@")[0]
        values |= {student.login, student.github, student.sis, student.email, mail}
    return {value.casefold() for value in values if value}


def _is_another(claimed: Person, student: Person) -> bool:
    """Whether something sure is known of both, and differs."""
    pairs = ((getattr(claimed, key), getattr(student, key)) for key in _SURE)
    return any(one and other and one.casefold() != other.casefold() for one, other in pairs)


def _numbers(submission: Submission) -> list[tuple[str, str]]:
    """The identifiers of its student on platforms, each with the name of the platform."""
    claimed = submission.student or Person("")
    pairs = ((name, getattr(claimed, name)) for name in _SURE)
    return [(platform, number) for platform, number in pairs if number]


def plain(name: str) -> str:
    """In small letters without accents."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in letters if not unicodedata.combining(c))


def _spellings(name: str) -> Iterator[str]:
    """A name as platforms write it: its letters in small, from each of its words on."""
    words = re.findall(r"[^\W_]+", plain(name))
    for first in range(len(words)):
        yield "".join(words[first:] + words[:first])
