"""One digest of everything that decides a result. If any of it changes, work is judged again.

the student's text, the name of its file, and the number of the attempt
+ the exercise: suite, solution, limits, what suites share        ---> key
+ the code that judges, jax, Python, machine; isolation and seed

Code that only serves `grader check`, a screen or a report is in no key: after an edit there,
nothing is judged again. No list names the code that judges: the judge and the worker import it.
"""

import hashlib
import json
import platform
import re
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from itertools import accumulate
from pathlib import Path

from grader.course import Course
from grader.model import Exercise, Source, Terms, to_plain

_PACKAGE = Path(__file__).parents[1]
_LIBRARIES = ("jax", "jaxlib", "numpy")
_IMPORT = re.compile(r"^ *(?:from ([\w.]+) )?import (\([^)]*\)|[^(\n#]+)", re.MULTILINE)
_NAME = re.compile(r"[\w.]+")


class Keys:
    """The keys of one course under one set of terms."""

    def __init__(self, course: Course, exercises: Iterable[Exercise], terms: Terms) -> None:
        self.machine = {
            "grader": _grader()[:12],
            **{name: metadata.version(name) for name in _LIBRARIES},
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
                "limits": _digest([to_plain(e.limits), e.devices, e.runs_long, e.numpy, e.weight]),
                "shared": shared,
            }
            for e in exercises
        }
        """For each exercise the digests of its suite, solution, limits and shared files."""
        common = json.dumps([self.machine, to_plain(terms)], sort_keys=True)
        self._of = {name: _digest([common, name, own]) for name, own in self.exercises.items()}

    def of(self, exercise: str, source: Source | None) -> str:
        """The key of one exercise of one submission, which may have no `source` for it."""
        given = None if source is None else [source.path, source.text, source.attempt]
        return _digest([self._of[exercise], given])


def _grader() -> str:
    """The digest of the code that judges."""
    return _files(judging(_PACKAGE))


@cache
def judging(package: Path) -> frozenset[Path]:
    """Every module that the judge and the worker import, also indirectly or in a function.

    `grader/__init__.py` decides nothing: it holds the map, the version and the library's names.
    """
    modules: dict[str, Path] = {}
    for path in package.rglob("*.py"):
        name = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        modules[name.removesuffix(".__init__")] = path
    found = {package.name}
    new = {"grader.judge.__main__", "grader.worker.__main__"}
    while new:
        found |= new
        new = {name for known in new for name in _imported(modules[known])} & set(modules) - found
    return frozenset(modules[name] for name in found - {package.name})


def _imported(path: Path) -> set[str]:
    """The names that one module imports, and the names of their packages.

    Every line that begins as an import counts, also one in a text: a name too many does no harm,
    and to parse all modules takes a fifth of a second.
    """
    names: set[str] = set()
    for package, named in _IMPORT.findall(path.read_text(encoding="utf-8")):
        start = f"{package}." if package else ""
        names |= {start + name for name in _NAME.findall(named)}
    return {each for name in names for each in accumulate(name.split("."), "{}.{}".format)}


def _files(paths: Iterable[Path]) -> str:
    """One digest of the files' names and contents, in the order of their paths."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        for part in (path.name.encode(), path.read_bytes()):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()
