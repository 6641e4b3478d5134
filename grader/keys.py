"""What decides a result, as one digest: change any of it and the work is judged anew.

the student's text and the name of its file
+ the exercise: suite, solution, limits, what suites share        ---> key
+ this grader, jax, Python, machine; isolation and seed
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from grader import __version__
from grader.course import Course
from grader.model import Exercise, Source, Terms
from grader.records import to_json

# The parts of this package that have a say in a verdict; how it is shown is no part of it.
_JUDGING = (
    "arrays.py evidence.py feedback judge model.py records.py sandbox scoring.py wire.py worker"
).split()
_LIBRARIES = ("jax", "jaxlib", "numpy")


class Keys:
    """The keys of one course under one set of terms."""

    def __init__(self, course: Course, exercises: Iterable[Exercise], terms: Terms) -> None:
        self.machine = {
            "grader": f"{__version__}, {_grader()[:12]}",
            **{name: _version(name) for name in _LIBRARIES},
            "python": platform.python_version(),
            "platform": f"{platform.system()} {platform.machine()}",
            "isolation": terms.isolation,
            "seed": terms.seed,
        }
        """What all results of a run have in common."""
        shared = _files(course.shared_by_suites())
        self.exercises = {
            e.id: {
                "suite": _files([course.suite(e)]),
                "solution": _files([course.solution(e)]),
                "limits": _text(json.dumps([to_json(e.limits), e.devices, e.runs_long])),
                "shared": shared,
            }
            for e in exercises
        }
        """For each exercise the digests of what judges it."""
        common = json.dumps([self.machine, to_json(terms)], sort_keys=True)
        self._of = {
            name: _text(json.dumps([common, name, parts])) for name, parts in self.exercises.items()
        }

    def of(self, exercise: str, source: Source | None) -> str:
        """The key of one exercise of one submission; of an absent one where `source` is None."""
        given = None if source is None else (source.path, source.text)
        return _text(json.dumps([self._of[exercise], given]))


def _grader() -> str:
    package = Path(__file__).parent
    return _files(
        path
        for name in _JUDGING
        for path in ([package / name] if name.endswith(".py") else (package / name).rglob("*.py"))
    )


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _files(paths: Iterable[Path]) -> str:
    """Of names and contents, in the order of the names."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        for part in (path.name.encode(), path.read_bytes()):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
