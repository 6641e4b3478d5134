"""A course on disk: its catalogue, and where each of its files lies.

    COURSE/exercises/catalog.toml            order, titles, devices, limits, ...
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
import math
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
_RELEASE = re.compile(r"\d{1,4}(\.\d{1,4}){1,2}")
_CATALOG_KEYS = {"schema", "name", "proved_jax", "limits", "exercise"}
_ENTRY_KEYS = {"id", "title", "defines", "devices", "limits", "runs_long"}


@dataclass(frozen=True)
class Course:
    """A catalogue and the folders around it. `root` is None in a handout.

    `proved_jax` are the oldest and the newest JAX that the course was proved on, as "0.10".
    """

    name: str
    stubs: Path
    root: Path | None
    exercises: tuple[Exercise, ...]
    proved_jax: tuple[str, str] | None = None

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

    def shared_by_suites(self) -> list[Path]:
        """What suites may load besides themselves: every other file beside them, data too."""
        found = written(self._secret("tests") / "hidden")
        return [
            path for path in found if not (path.name.startswith("test_") and path.suffix == ".py")
        ]

    def needed_to_judge(self, exercises: Iterable[Exercise]) -> list[Path]:
        """What judges need of the course: its files without those of other exercises."""
        chosen = set(exercises)
        places = (self.stub, self.solution, self.suite)
        others = [e for e in self.exercises if e not in chosen]
        left_out = {place(e).with_suffix("") for e in others for place in places}
        folders = (self.stubs, self._secret("solutions"), self._secret("tests") / "hidden")
        found = [path for folder in folders for path in written(folder)]
        return [path for path in found if path.with_suffix("") not in left_out]

    def layout(self) -> Iterator[tuple[list[Path], set[Path]]]:
        """For each kind of file: what lies there, and what the catalogue accounts for."""
        stubs = {self.stub(e) for e in self.exercises}
        yield sorted(self.stubs.glob("**/*.py")), stubs
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
        needed = [path(e) for e in exercises for path in (self.suite, self.solution)]
        if not needed:
            raise CourseError(
                f"the course `{self.name}` at `{self.stubs}` has no exercises yet. "
                "`grader new TOPIC/NAME` writes the first."
            )
        missing = [str(path) for path in needed if not path.is_file()]
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


def written(folder: Path) -> list[Path]:
    """Everything below a folder that somebody wrote, in the order of the names."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not any(map(_is_nobodys, path.relative_to(folder).parts))
    )


def _is_nobodys(part: str) -> bool:
    return part.startswith(".") or part == "__pycache__" or part.endswith(".pyc")


def find(
    course: Path | None = None, start: Path | None = None, *, or_installed: bool = True
) -> Course:
    """The course at `course`; without one, the first upward from `start`, else the installed one.

    Raises `CourseError` if there is none, or if its catalogue can't be read. Who writes to a
    course wants it found on purpose: `or_installed=False`.
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
    if or_installed and (found_installed := installed()) is not None:
        return found_installed
    none_installed = ", and none is installed" if or_installed else ""
    raise CourseError(
        f"no course at `{here}` or above it{none_installed}. Go to the folder of your course, "
        "or name it with `--course DIR`."
    )


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
    wrong += [f"it has an unknown key `{key}`" for key in sorted(set(data) - _CATALOG_KEYS)]
    defaults = _limits(data.get("limits", {}), Limits(), "limits", wrong)
    exercises = _exercises(data.get("exercise", []), defaults, wrong)
    proved_jax = _releases(data.get("proved_jax"), wrong)
    if wrong:
        listed = "".join(f"\n  {one}" for one in wrong)
        raise CourseError(f"`{catalog}` is not a valid catalogue; mend all of this:{listed}")
    stubs = catalog.resolve().parent
    is_course = stubs.name == "exercises" and (stubs.parent / "solutions").is_dir()
    return Course(
        name=str(data.get("name", stubs.parent.name)),
        stubs=stubs,
        root=stubs.parent if is_course else None,
        exercises=exercises,
        proved_jax=proved_jax,
    )


def _releases(given: Any, wrong: list[str]) -> tuple[str, str] | None:
    if given is None:
        return None
    match given:
        case [str(oldest), str(newest)] if all(map(_RELEASE.fullmatch, (oldest, newest))):
            return oldest, newest
    wrong.append(f'`proved_jax` is {given!r}; two releases are needed, as in `["0.10", "0.12"]`')
    return None


def _exercises(entries: Any, defaults: Limits, wrong: list[str]) -> tuple[Exercise, ...]:
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        wrong.append("`exercise` is not a list of tables; each is written under `[[exercise]]`")
        return ()
    stems: dict[str, str] = {}
    exercises = []
    for entry in entries:
        name = entry.get("id")
        if not isinstance(name, str) or not ID.fullmatch(name):
            wrong.append(f"exercise id {name!r} is not of the form `topic/stem`")
            continue
        exercises.append(_exercise(name, entry, defaults, wrong))
        stem = exercises[-1].stem
        if stem in stems:
            wrong.append(f"`{name}` and `{stems[stem]}` share a stem")
        stems[stem] = name
    return tuple(exercises)


def _exercise(name: str, entry: Mapping[str, Any], defaults: Limits, wrong: list[str]) -> Exercise:
    for key in sorted(set(entry) - _ENTRY_KEYS):
        wrong.append(f"`{name}` has an unknown key `{key}`")
    devices = entry.get("devices", 1)
    if not _is_whole(devices) or not 1 <= devices <= 64:
        wrong.append(f"`{name}` asks for devices = {devices!r}; 1 to 64 are possible")
        devices = 1
    runs_long = entry.get("runs_long", False)
    if not isinstance(runs_long, bool):
        wrong.append(f"`{name}` sets runs_long = {runs_long!r}; it is true or false")
        runs_long = False
    defines = entry.get("defines", [name.split("/")[-1]])
    if not isinstance(defines, list) or not defines or not all(map(_is_name, defines)):
        wrong.append(f"`{name}` sets defines = {defines!r}; a list of Python names is needed")
        defines = []
    return Exercise(
        id=name,
        title=str(entry.get("title", name)),
        defines=tuple(defines),
        devices=devices,
        limits=_limits(entry.get("limits", {}), defaults, name, wrong),
        runs_long=runs_long,
    )


def _limits(given: Any, defaults: Limits, where: str, wrong: list[str]) -> Limits:
    if not isinstance(given, dict):
        wrong.append(f"`{where}` sets limits to {given!r}; a table is needed")
        return defaults
    known = {field.name: field.type for field in dataclasses.fields(Limits)}
    good: dict[str, Any] = {}
    for key, value in given.items():
        if key not in known:
            wrong.append(f"`{where}` has an unknown limit `{key}`")
        elif known[key] == "int" and (not _is_whole(value) or value < 0):
            wrong.append(f"`{where}` sets the limit `{key}` to {value!r}; it takes a whole number")
        elif known[key] == "float" and not _is_positive(value):
            wrong.append(f"`{where}` sets the limit `{key}` to {value!r}; it takes seconds above 0")
        else:
            good[key] = value
    return dataclasses.replace(defaults, **good)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_positive(value: Any) -> bool:
    # TOML knows `inf` and `nan`, too.
    return (_is_whole(value) or isinstance(value, float)) and 0 < float(value) < math.inf


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isidentifier()


def _at(folder: Path) -> Path | None:
    for candidate in (folder / "exercises" / "catalog.toml", folder / "catalog.toml"):
        if candidate.is_file():
            return candidate
    return None
