"""What `verify` has proved on this machine, so that a second run proves only what changed.

    proofs = ProofCache(course, exercises, kind, type, again=False)
    proofs.known                               by exercise: what was kept
    proofs.keep(exercise, found, problems)

A proof holds for the files of an exercise, what all suites share, its entry in the catalogue, the
grader's own code, and the versions of JAX and Python.
"""

import functools
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from grader import files
from grader.course import Course
from grader.model import Exercise, Problem

Found = TypeVar("Found")


class ProofCache(Generic[Found]):
    """Proofs of one kind, of exercises as they are now. With `again`, none is known."""

    def __init__(
        self,
        course: Course,
        exercises: tuple[Exercise, ...],
        kind: str,
        what: type[Found],
        *,
        again: bool,
    ) -> None:
        self._course = course
        self._kind = kind
        self._places = {exercise.id: _place(course, exercise, kind) for exercise in exercises}
        recalled = {} if again else {name: _recall(p, what) for name, p in self._places.items()}
        self._files = {
            each.id: tuple(course.relative(path) for path in _files_of(course, each))
            for each in course.exercises
        }
        self.known: dict[str, Found] = {
            name: found for name, found in recalled.items() if found is not None
        }

    def keep(self, exercise: Exercise, found: Found, problems: Iterable[Problem]) -> None:
        """Keeps it, unless a problem is in the exercise, or a file was edited in the meantime."""
        place = self._places[exercise.id]
        same = place == _place(self._course, exercise, self._kind)
        if same and not any(self._concerns(exercise, problem) for problem in problems):
            _keep(place, found)

    def _concerns(self, exercise: Exercise, problem: Problem) -> bool:
        """Whether it is in a file of the exercise, or in none of one exercise alone."""
        owners = {name for name, own in self._files.items() if problem.where.startswith(own)}
        return not owners or exercise.id in owners


def _recall(place: Path, what: Any) -> Any:
    try:
        return msgspec.json.decode(place.read_bytes(), type=what)
    except (OSError, msgspec.MsgspecError):
        return None


def _keep(place: Path, found: Any) -> None:
    """Nothing is lost if it can't be written: the exercise is proved again."""
    try:
        files.make_private_folder(place.parent)
        files.write(place, msgspec.json.encode(found))
    except OSError:
        return


def _files_of(course: Course, exercise: Exercise) -> list[Path]:
    places = (course.stub, course.solution, course.suite, course.mutants, course.variants)
    return [place(exercise) for place in places]


def _place(course: Course, exercise: Exercise, kind: str) -> Path:
    """The place where such a proof of the exercise is kept, with its files as they are now."""
    digest = hashlib.sha256(f"{kind} {_own_code()} {exercise!r}".encode())
    for path in (*_files_of(course, exercise), *course.shared_by_suites()):
        digest.update(hashlib.sha256(path.read_bytes()).digest() if path.exists() else b"none")
    return files.cache_folder() / "verified" / digest.hexdigest()


@functools.cache
def _own_code() -> str:
    package = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
