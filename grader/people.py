"""Whose a submission is, by the name that a learning platform gives to its download.

Canvas ("Download Submissions") writes `doejane_1234_5678_hw.zip`, where 1234 is the student, and
5678 changes with each upload. Moodle ("Download all submissions") writes
`Jane Doe_1234_assignsubmission_file_hw.py`. The student chooses what stands behind that.
"""

import re
from pathlib import PurePath
from typing import NamedTuple

_CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<number>\d+)_\d+_.")
# As few characters as possible: a file's name may hold the same words again.
_MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_[a-z]+_?")
_SUFFIXES = {".py", ".ipynb", ".zip"}


class Person(NamedTuple):
    """A student as a platform knows them."""

    platform: str
    """`canvas`, `moodle`, or "" for any other name."""
    name: str
    number: str
    """The platform's number of the student; "" if there is none."""
    login: str
    """The name of the submission, without the ending of its file."""

    @property
    def key(self) -> str:
        """The same for all that one student hands in."""
        return f"{self.platform} {self.number or self.name}".strip()


def person(submission: str) -> Person:
    """Who handed in what has this name: that of a file or folder."""
    path = PurePath(submission)
    login = path.stem if path.suffix in _SUFFIXES else submission
    for platform, pattern in (("canvas", _CANVAS), ("moodle", _MOODLE)):
        if found := pattern.match(submission):
            return Person(platform, found["name"], found["number"], login)
    return Person("", login, "", login)
