"""What `verify` has proved on this machine, so that a second run proves only what changed.

    place = marker(course, exercise)      of the files as they are
    basis = recall(place)                 None if anything changed since
    keep(place, basis)

A proof holds for the files of an exercise, what all suites share, its entry in the catalogue, the
grader's own code, and the versions of JAX and Python.
"""

import functools
import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from grader import files
from grader.course import Course
from grader.model import Basis, Exercise


def recall(place: Path) -> dict[Basis, float] | None:
    """The points of a proved exercise, by what they rest on."""
    try:
        return msgspec.json.decode(place.read_bytes(), type=dict[Basis, float])
    except (OSError, msgspec.MsgspecError):
        return None


def keep(place: Path, basis: Mapping[Basis, float]) -> None:
    """Nothing is lost if it can't be written: the exercise is proved again."""
    try:
        files.make_private_folder(place.parent)
        files.write(place, msgspec.json.encode(basis))
    except OSError:
        return


def files_of(course: Course, exercise: Exercise) -> list[Path]:
    """What belongs to one exercise."""
    places = (course.stub, course.solution, course.suite, course.mutants, course.variants)
    return [place(exercise) for place in places]


def marker(course: Course, exercise: Exercise) -> Path:
    """The place where a proof of the exercise is kept, with its files as they are now."""
    digest = hashlib.sha256(f"{_own_code()} {exercise!r}".encode())
    for path in (*files_of(course, exercise), *course.shared_by_suites()):
        digest.update(hashlib.sha256(path.read_bytes()).digest() if path.exists() else b"none")
    return files.cache_folder() / "verified" / digest.hexdigest()


@functools.cache
def _own_code() -> str:
    package = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
