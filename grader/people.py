"""Who handed in, and what a teacher decided about a mark. Records only, as in `grader.model`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """A person, as far as a roster or a learning platform tells. Unknown fields are empty."""

    id: str  #: the key of their row in every report
    name: str = ""  #: as people write it
    login: str = ""  #: on the course's platform
    email: str = ""  #: their address
    section: str = ""  #: the group of the class
    sis: str = ""  #: the number that the school gives
    canvas: str = ""  #: their number in Canvas
    moodle: str = ""  #: their number as a participant in Moodle
    github: str = ""  #: their login on GitHub


@dataclass(frozen=True, slots=True)
class Adjustment:
    """One step from the points of the tests to the mark, or a teacher's comment."""

    kind: str  #: `late`, `attempts`, `extension`, `override`, `bonus`, `excuse` or `comment`
    points: float  #: that it adds; below 0 if it takes some
    why: str  #: in words that the student reads
    by: str = ""  #: who decided it; empty for the rule of the catalogue
    on: str = ""  #: when it was decided, a date
