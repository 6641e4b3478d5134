"""A course on disk: its catalogue, and where each of its files lies.

    COURSE/exercises/catalog.toml            order, titles, devices, limits
    COURSE/exercises/TOPIC/STEM.py           stub
    COURSE/solutions/TOPIC/STEM.py           reference solution
    COURSE/tests/hidden/TOPIC/test_STEM.py   hidden suite
    COURSE/tests/mutants/TOPIC/STEM/*.py     suffixes that make the solution wrong
    COURSE/tests/variants/TOPIC/STEM/*.py    suffixes that make it another right one
    COURSE/tests/attacks/*.py                hostile submissions

A handout is the folder `exercises/` alone: it has a catalogue and stubs, and nothing else.
This is the only module that knows these paths.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.errors import CourseError, UsageError
from grader.model import Exercise, Limits

CATALOG_SCHEMA = 1
ID = re.compile(r"[a-z0-9][a-z0-9_]*/[a-z_][a-z0-9_]*")
_ENTRY_KEYS = {"id", "title", "defines", "devices", "limits"}


@dataclass(frozen=True)
class Course:
    """A catalogue and the folders around it. `root` is None in a handout."""

    name: str
    stubs: Path
    root: Path | None
    exercises: tuple[Exercise, ...]

    def __getitem__(self, exercise: str) -> Exercise:
        """The exercise of that id or stem. Raises `UsageError` with what there is."""
        for candidate in self.exercises:
            if exercise in (candidate.id, candidate.stem):
                return candidate
        known = ", ".join(e.stem for e in self.exercises)
        raise UsageError(f"no exercise `{exercise}` in the course `{self.name}`; it has: {known}")

    def select(self, names: Iterable[str]) -> tuple[Exercise, ...]:
        """The named exercises in the order of the course; all of them where none is named."""
        wanted = {self[name].id for name in names}
        return tuple(e for e in self.exercises if not wanted or e.id in wanted)

    def stub(self, exercise: Exercise) -> Path:
        return self.stubs / exercise.topic / f"{exercise.stem}.py"

    def solution(self, exercise: Exercise) -> Path:
        return self._secret("solutions") / exercise.topic / f"{exercise.stem}.py"

    def suite(self, exercise: Exercise) -> Path:
        return self._secret("tests") / "hidden" / exercise.topic / f"test_{exercise.stem}.py"

    def mutants(self, exercise: Exercise) -> Path:
        return self._secret("tests") / "mutants" / exercise.topic / exercise.stem

    def variants(self, exercise: Exercise) -> Path:
        return self._secret("tests") / "variants" / exercise.topic / exercise.stem

    def attacks(self) -> Path:
        return self._secret("tests") / "attacks"

    def secrets(self) -> tuple[Path, ...]:
        """The folders that no submission may ever read."""
        return (self._secret("solutions"), self._secret("tests"))

    def layout(self) -> Iterator[tuple[list[Path], set[Path]]]:
        """For each kind of file: what lies there, and what the catalogue accounts for."""
        stubs = {self.stub(e) for e in self.exercises}
        yield sorted(self.stubs.glob("*/*.py")), stubs
        yield (
            sorted(self._secret("solutions").glob("**/*.py")),
            {self.solution(e) for e in self.exercises},
        )
        hidden = self._secret("tests") / "hidden"
        yield sorted(hidden.glob("**/test_*.py")), {self.suite(e) for e in self.exercises}
        for kind, folder in (("mutants", self.mutants), ("variants", self.variants)):
            lying = sorted((self._secret("tests") / kind).glob("**/*.py"))
            yield lying, {path for e in self.exercises for path in folder(e).glob("*.py")}

    def require_suites(self, exercises: Iterable[Exercise]) -> None:
        """Raises `CourseError` naming every suite and solution that grading would miss."""
        missing = [
            str(path)
            for exercise in exercises
            for path in (self.suite(exercise), self.solution(exercise))
            if not path.is_file()
        ]
        if missing:
            raise CourseError(
                f"the course `{self.name}` can't be graded; missing: `{'`, `'.join(missing)}`. "
                "Write the file, or take the entry out of `exercises/catalog.toml`; "
                "`grader verify` lists everything that a course lacks."
            )

    def _secret(self, folder: str) -> Path:
        if self.root is None:
            raise CourseError(
                f"`{self.stubs}` is a handout: it holds no hidden suites and no solutions. "
                "Point `--course` at the course itself to grade or to verify."
            )
        return self.root / folder


def find(course: Path | None = None, start: Path | None = None) -> Course:
    """The course at `course`; without one, the first upward from `start`, else the installed one.

    Raises `CourseError` if there is none, or if its catalogue can't be read.
    """
    if course is not None:
        found = _at(course)
        if found is None:
            raise CourseError(
                f"`{course}` is not a course: it has neither `exercises/catalog.toml` nor "
                "`catalog.toml`. `grader new --course DIR` starts one."
            )
        return load(found)
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        found = _at(folder)
        if found is not None:
            return load(found)
    course_installed = installed()
    if course_installed is None:
        raise CourseError(
            f"no course at `{here}` or above it, and none is installed. Go to the folder "
            "of your course, or name it with `--course DIR`."
        )
    return course_installed


def installed() -> Course | None:
    """The course that came with the grader: beside the package, or the stubs inside it."""
    package = Path(__file__).resolve().parent
    catalog = _at(package.parent) or _at(package / "_course")
    return None if catalog is None else load(catalog)


def load(catalog: Path) -> Course:
    """Reads a catalogue. Raises `CourseError` listing everything that is wrong with it."""
    try:
        data = tomllib.loads(catalog.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"`{catalog}` can't be read as a catalogue: {error}") from error
    wrong: list[str] = []
    if data.get("schema") != CATALOG_SCHEMA:
        wrong.append(f"`schema` is {data.get('schema')!r}; this grader reads {CATALOG_SCHEMA}")
    defaults = _limits(data.get("limits", {}), Limits(), "limits", wrong)
    exercises = [_exercise(entry, defaults, wrong) for entry in data.get("exercise", [])]
    stems: dict[str, str] = {}
    for exercise in exercises:
        if exercise.stem in stems:
            wrong.append(f"`{exercise.id}` and `{stems[exercise.stem]}` share a stem")
        stems[exercise.stem] = exercise.id
    if wrong:
        raise CourseError(f"`{catalog}` is not a valid catalogue: " + "; ".join(wrong))
    stubs = catalog.resolve().parent
    is_course = stubs.name == "exercises" and (stubs.parent / "solutions").is_dir()
    return Course(
        name=str(data.get("name", stubs.parent.name)),
        stubs=stubs,
        root=stubs.parent if is_course else None,
        exercises=tuple(exercises),
    )


def _exercise(entry: Mapping[str, Any], defaults: Limits, wrong: list[str]) -> Exercise:
    name = str(entry.get("id", ""))
    if not ID.fullmatch(name):
        wrong.append(f"exercise id {name!r} is not of the form `topic/stem`")
        name = "unknown/unknown"
    for key in sorted(set(entry) - _ENTRY_KEYS):
        wrong.append(f"`{name}` has an unknown key `{key}`")
    devices = entry.get("devices", 1)
    if not isinstance(devices, int) or not 1 <= devices <= 64:
        wrong.append(f"`{name}` asks for devices = {devices!r}; 1 to 64 are possible")
        devices = 1
    return Exercise(
        id=name,
        title=str(entry.get("title", name)),
        defines=tuple(entry.get("defines", [name.split("/")[-1]])),
        devices=devices,
        limits=_limits(entry.get("limits", {}), defaults, name, wrong),
    )


def _limits(given: Mapping[str, Any], defaults: Limits, where: str, wrong: list[str]) -> Limits:
    good: dict[str, Any] = {}
    for key, value in given.items():
        if not hasattr(defaults, key):
            wrong.append(f"`{where}` has an unknown limit `{key}`")
        elif isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            wrong.append(f"`{where}` sets the limit `{key}` to {value!r}; a number is needed")
        else:
            good[key] = value
    return dataclasses.replace(defaults, **good)


def _at(folder: Path) -> Path | None:
    for candidate in (folder / "exercises" / "catalog.toml", folder / "catalog.toml"):
        if candidate.is_file():
            return candidate
    return None
