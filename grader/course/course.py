"""A course on disk: how it is found, and where each of its files lies.

    COURSE/exercises/catalog.toml            order, titles, devices, limits, ...
    COURSE/exercises/known_mistakes.jsonl    what wrong answers show in the examples
    COURSE/exercises/TOPIC/STEM.py           stub
    COURSE/exercises/TOPIC/STEM.md           hints and explanation (see `notes.py`)
    COURSE/solutions/TOPIC/STEM.py           reference solution
    COURSE/solutions/TOPIC/STEM.right.py     other right answers, a cell each (`intake/cells.py`)
    COURSE/solutions/TOPIC/STEM.wrong.py     wrong answers, a cell each
    COURSE/tests/hidden/TOPIC/test_STEM.py   hidden suite
    COURSE/tests/attacks/*.py                hostile submissions

A handout is a part of the folder `exercises/`: it has a catalogue and stubs.
Only this module knows these paths.
"""

import difflib
import functools
import importlib.metadata
import os
import re
import shlex
import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from grader import IN_PACKAGE
from grader.course import catalog as catalogs
from grader.course import notes
from grader.records.errors import CourseError, NoCourseError, UsageError, listed
from grader.records.model import Assignment, Exercise

CATALOG = "catalog.toml"
MISTAKES = "known_mistakes.jsonl"
NEW_PLACES = (
    "mutants to `solutions/TOPIC/STEM.wrong.py`, regressions below `# %% once missed` in the same "
    "file, variants to `solutions/TOPIC/STEM.right.py`, hints and pictures into "
    "`exercises/TOPIC/STEM.md`; `grader mistakes` writes `exercises/known_mistakes.jsonl`"
)
"""For each file of the layout before the first release."""
MOST_NAMED = 3
"""Names in an error, where none is like the given one."""


@dataclass(frozen=True)
class Course:
    """A catalogue and the folders around it."""

    name: str
    stubs: Path
    root: Path | None  # None in a handout
    exercises: tuple[Exercise, ...]
    assignments: tuple[Assignment, ...] = ()
    proved_jax: tuple[str, str] | None = None  # the oldest and the newest JAX, as "0.10"
    explanations: str = "after_suite"  # when a student reads them; see `CATALOG_KEYS`
    shows_solutions: bool = False  # once the examples pass, where they are
    catalogued: tuple[Exercise, ...] = ()  # also those for which packages are missing here
    waiting: tuple[Assignment, ...] = ()  # the assignments with one of these

    def __getitem__(self, name: str) -> Exercise:
        """The exercise of that name, or the first of that topic. Raises `UsageError`."""
        return self.named(name)[0]

    def named(self, name: str) -> tuple[Exercise, ...]:
        """The exercises of a name: an id, a stem, a topic, an assignment, or the path of a file.

        Raises `UsageError` with the names that are most like it.
        """
        path = PurePath(name.replace("\\", "/"))
        if path.suffix in (".py", ".ipynb", ".md"):
            path = path.with_name(path.name.partition(".")[0])
        last, both = path.name, "/".join(path.parts[-2:])
        exercises = [e for e in self.exercises if both in (e.id, e.stem) or last == e.topic]
        if not exercises and len(path.parts) > 2:
            exercises = [e for e in self.exercises if last == e.stem]
        if exercises:
            return tuple(exercises)
        if assigned := next((a.exercises for a in self.assignments if a.name == name), ()):
            return tuple(e for e in self.exercises if e.id in assigned)
        self._require_packages(last)
        names = list(dict.fromkeys(n for e in self.exercises for n in (e.stem, e.topic)))
        names += [assignment.name for assignment in self.assignments]
        close = difflib.get_close_matches(last, names, n=3) or names[:MOST_NAMED]
        raise UsageError(
            f"no exercise or topic `{name}` in the course `{self.name}`. Did you mean "
            f"{listed(close)}? `grader list` shows all."
        )

    def select(self, names: Iterable[str] | str) -> tuple[Exercise, ...]:
        """The named exercises in the order of the course; all of them if none is named."""
        names = [names] if isinstance(names, str) else names
        wanted = {exercise.id for name in names for exercise in self.named(name)}
        return tuple(e for e in self.exercises if not wanted or e.id in wanted)

    def part(self, exercises: Iterable[str]) -> "Course":
        """The course with these exercises only, named as `select` knows them."""
        names = tuple(exercises)
        catalogued = () if names else self.catalogued
        return replace(self, exercises=self.select(names), catalogued=catalogued)

    def assignment(self, name: str) -> Assignment:
        """The assignment of that name. Raises `UsageError`."""
        if assignment := next((a for a in self.assignments if a.name == name), None):
            return assignment
        self._require_packages(name)
        names = listed(a.name for a in self.assignments)
        todo = f"It has {names}." if names else "Its catalogue has no `[[assignment]]`."
        raise UsageError(f"no assignment `{name}` in the course `{self.name}`. {todo}")

    def assigned(self, name: str) -> "tuple[Course, str]":
        """The course with an assignment of its own, or with one that a file `hw1.toml` describes.

        And the assignment's name. The file has the keys of an `[[assignment]]`, with or without
        this heading; the default of `name` is the file's own. Raises `UsageError` listing
        everything that is wrong with it.
        """
        if not name.endswith(".toml"):
            return self, self.assignment(name).name
        file = Path(name)
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise UsageError(f"`{file}` can't be read as an assignment: {why}") from error
        match data:
            case {"assignment": [dict() as keys]} if len(data) == 1:
                data = keys
        entry, wrong = {"name": file.stem, **data}, list[str]()
        made = catalogs.assignment(entry, self.known, wrong)
        made = made and _with_teams(made, file.parent)
        if made and any(one.name == made.name for one in self.assignments):
            wrong.append(f"the course has an assignment `{made.name}`: choose another `name`")
        if wrong or made is None:
            faults = "\n  ".join(wrong)
            raise UsageError(f"`{file}` is not a valid assignment; fix all of this:\n  {faults}")
        if absent := [e for e in self.absent if e.id in made.exercises]:
            raise UsageError(_lacks(absent))
        kept = (one for one in self.assignments if one.counts or made.paths)
        return replace(self, assignments=(*kept, made)), made.name

    def _require_packages(self, name: str) -> None:
        """Raises `UsageError` if that is the name of what this environment lacks packages for."""
        assigned = {n for a in self.waiting if a.name == name for n in a.exercises}
        asked = [e for e in self.absent if name in (e.stem, e.topic) or e.id in assigned]
        if asked:
            raise UsageError(_lacks(asked))

    @property
    def absent(self) -> tuple[Exercise, ...]:
        """The exercises of the catalogue for which packages are missing here."""
        return tuple(e for e in self.catalogued if missing(e.packages))

    @property
    def known(self) -> tuple[Exercise, ...]:
        """The exercises, and after them those that are absent."""
        return (*self.exercises, *self.absent)

    @property
    def lacks(self) -> str:
        """Which exercises can't run here, and why; empty if all can."""
        return _lacks(self.absent) if self.absent else ""

    @property
    def catalog(self) -> Path:
        return self.stubs / CATALOG

    @property
    def known_mistakes(self) -> Path:
        """Of all exercises; it may not exist. See `grader.student.mistakes`."""
        return self.stubs / MISTAKES

    @property
    def readme(self) -> Path:
        return self.stubs / "README.md"

    @property
    def hidden(self) -> Path:
        return self._secret("tests") / "hidden"

    def stub(self, exercise: Exercise) -> Path:
        return self.stubs / exercise.topic / f"{exercise.stem}.py"

    def notes(self, exercise: Exercise) -> Path:
        """Hints, picture and explanation; it may not exist. See `notes.read`."""
        return self.stub(exercise).with_suffix(".md")

    def solution(self, exercise: Exercise) -> Path:
        return self._secret("solutions") / exercise.topic / f"{exercise.stem}.py"

    def stub_text(self, exercise: Exercise) -> str:
        return self.stub(exercise).read_text(encoding="utf-8")

    def solution_text(self, exercise: Exercise) -> str:
        return self.solution(exercise).read_text(encoding="utf-8")

    def explained(self, exercises: Iterable[str]) -> dict[str, str]:
        """The explanations that are written, of the exercises with these ids."""
        texts = {name: notes.read(self.notes(self[name])).explanation for name in exercises}
        return {name: text for name, text in texts.items() if text}

    def suite(self, exercise: Exercise) -> Path:
        return self.hidden / exercise.topic / f"test_{exercise.stem}.py"

    def suite_files(self, exercise: Exercise) -> list[Path]:
        """The suite, and the stub if the suite asks it for the terms of a race."""
        return [self.suite(exercise), *[self.stub(exercise)] * (exercise.kind == "fast")]

    def right(self, exercise: Exercise) -> Path:
        """Other right answers."""
        return self.solution(exercise).with_suffix(_RIGHT)

    def wrong(self, exercise: Exercise) -> Path:
        """Wrong answers: what learners write, and what the suite once missed."""
        return self.solution(exercise).with_suffix(_WRONG)

    def attacks(self) -> Path:
        return self._secret("tests") / "attacks"

    def secrets(self) -> tuple[Path, ...]:
        """The folders that no submission may ever read."""
        return (self._secret("solutions"), self._secret("tests"))

    def relative(self, path: Path) -> str:
        """A file's name in reports: its path from the root of the course."""
        return path.relative_to(self.root or self.stubs).as_posix()

    def shared_by_suites(self) -> list[Path]:
        """The files that suites may load: all files beside them that are no suites, also data."""
        return [path for path in written(self.hidden) if not path.match("test_*.*")]

    def bundle(self, exercises: Iterable[Exercise]) -> dict[str, bytes]:
        """The course's files that judges need, by name. Files of other exercises are left out."""
        left_out = {
            place(e).with_suffix("")
            for e in set(self.known) - set(exercises)
            for place in (self.stub, self.solution, self.suite)
        }
        unread = (self.notes, self.right, self.wrong)
        for_others = {self.known_mistakes, *(place(e) for e in self.known for place in unread)}
        folders = (self.stubs, self._secret("solutions"), self.hidden)
        paths = (path for folder in folders for path in written(folder))
        return {
            self.relative(path): path.read_bytes()
            for path in paths
            if path.with_suffix("") not in left_out and path not in for_others
        }

    def stray_files(self) -> list[Path]:
        """Python files that lie in a folder for exercises, but belong to no exercise."""
        places = (self.stub, self.solution, self.right, self.wrong, self.suite)
        expected = {place(exercise) for exercise in self.known for place in places}
        kinds = {self.stubs: "*.py", self._secret("solutions"): "*.py", self.hidden: "test_*.py"}
        lying = [path for folder, name in kinds.items() for path in sorted(folder.rglob(name))]
        return [p for p in lying if p not in expected and "__pycache__" not in p.parts]

    def catalog_text(self) -> str:
        """The catalogue, of this part of the course if it is one."""
        text = self.catalog.read_text(encoding="utf-8")
        whole = load(self.catalog)
        if self == whole:
            return text
        return catalogs.excerpt(text, [e.id for e in self.exercises], self.assignments)

    def handout(self, *, explained: bool = False) -> dict[str, bytes]:
        """The files that a student may have, by name, with explanations only if `explained`.

        Raises `CourseError` if one is missing or a link.
        """
        needed = [self.catalog, *map(self.stub, self.known)]
        optional = [self.readme, self.known_mistakes, *map(self.notes, self.known)]
        paths = needed + [path for path in optional if path.exists() or path.is_symlink()]
        wrong = [f"`{path}` is missing" for path in needed if not path.exists()]
        for path in paths:
            # A link may lead to a solution. The folders above the file may be links, too.
            real = self.stubs.resolve() / path.relative_to(self.stubs)
            if path.is_symlink() or (path.exists() and path.resolve() != real):
                wrong.append(f"`{path}` is a link, or is behind one")
            elif path.exists() and not path.is_file():
                wrong.append(f"`{path}` is not a file")
        if wrong:
            raise CourseError(
                f"the course `{self.name}` can't be handed out: {'; '.join(wrong)}. Put real files "
                "in these places, or remove the entries from `catalog.toml`."
            )
        files = {p.relative_to(self.stubs).as_posix(): p.read_bytes() for p in sorted(paths)}
        files[CATALOG] = self.catalog_text().encode()
        if MISTAKES in files:
            files[MISTAKES] = mistakes_of(files[MISTAKES], [e.id for e in self.known])
        for exercise in () if explained else self.known:
            if (name := f"{exercise.id}.md") in files:
                text = files.pop(name).decode(errors="replace")
                if above := notes.without_explanation(text):
                    files[name] = above.encode()
        return files

    def require_suites(self, exercises: Iterable[Exercise]) -> None:
        """Raises `CourseError` naming every suite and solution that grading would miss."""
        needed = [path(e) for e in exercises for path in (self.suite, self.solution)]
        if not needed:
            raise CourseError(
                f"the course `{self.name}` at `{self.stubs}` has no exercises yet. `grader new "
                "TOPIC/NAME` creates the first."
            )
        missing = [str(path) for path in needed if not path.is_file()]
        if missing:
            raise CourseError(
                f"the course `{self.name}` can't be graded; missing: `{'`, `'.join(missing)}`. "
                "Write the file, or remove the entry from `exercises/catalog.toml`; `grader "
                "verify` lists everything that a course lacks."
            )

    def _secret(self, folder: str) -> Path:
        if self.root is None:
            raise CourseError(
                f"`{self.stubs}` is a handout: it contains no hidden suites or solutions. Point "
                "`--course` at the course itself to grade or to verify."
            )
        return self.root / folder


_RIGHT, _WRONG = ".right.py", ".wrong.py"


def stub_of(suite: Path) -> Path:
    """The stub of the exercise that the suite at this path judges."""
    place = suite.parent.name, suite.name.removeprefix("test_")
    return suite.parents[3].joinpath("exercises", *place)


def mistakes_of(lines: bytes, exercises: Iterable[str]) -> bytes:
    """Those of the known mistakes that are mistakes in these exercises."""
    begins = tuple(f'{{"exercise": "{name}",'.encode() for name in exercises)
    return b"".join(row for row in lines.splitlines(keepends=True) if row.startswith(begins))


def written(folder: Path) -> list[Path]:
    """Every file below a folder in the order of the names, without hidden ones and caches."""

    def is_kept(path: Path) -> bool:
        parts = path.relative_to(folder).parts
        is_hidden = any(part.startswith(".") for part in parts)
        is_cache = "__pycache__" in parts or path.suffix == ".pyc"
        return path.is_file() and not is_hidden and not is_cache

    return sorted(filter(is_kept, folder.rglob("*")))


def find(
    course: Path | None = None, start: Path | None = None, *, or_installed: bool = True
) -> Course:
    """The course at `course`; by default, the first at or above `start`, else the installed one.

    Raises `NoCourseError` if there is none, `CourseError` for a faulty catalogue. To write to a
    course, use `or_installed=False`: the installed one must not be changed by accident. To run
    suites, use `find_judging`.
    """
    if course is not None:
        if (catalog := _at(course)) is None:
            raise CourseError(
                f"`{course}` is not a course: it has neither `exercises/catalog.toml` nor "
                "`catalog.toml`. `grader new --course DIR` starts one."
            )
        return load(catalog)
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (catalog := _at(folder)) is not None:
            return load(catalog)
    if or_installed and (ours := installed()) is not None:
        return ours
    none_installed = ", and none is installed" if or_installed else ""
    raise NoCourseError(
        f"no course at `{here}` or above it{none_installed}. Go to your course's folder, or name "
        "it with `--course DIR`."
    )


def find_judging(
    course: Path | None = None, graded: Iterable[Path] = (), start: Path | None = None
) -> Course:
    """The course whose suites may run: the one at `course`, by default the installed one.

    Suites run outside the sandbox, and what is submitted can hold a course. So a course around
    `start` that isn't installed is only taken by its name, and so is one that contains a path in
    `graded` or lies in it. Raises `UsageError` that says how to name it.
    """
    if course is not None:
        return find(course)
    here = (start or Path.cwd()).resolve()
    ours = installed()
    around = next((folder for folder in (here, *here.parents) if _at(folder)), None)
    if around is not None and not (ours and ours.catalog.samefile(_at(around) or around)):
        raise UsageError(
            f"`{around}` contains a course that isn't the installed one. A submission can also "
            "contain a course, and suites run outside the sandbox. So name the course that judges: "
            f"`--course {shell_path(around)}`, if this one is yours."
        )
    if ours is None:
        raise NoCourseError("no course is installed. Name the course that judges: `--course DIR`.")
    for path in graded:
        require_apart(ours, path)
    return ours


def require_apart(course: Course, graded: Path) -> None:
    """Raises `UsageError` for a course that contains what is graded, or lies in it."""
    root = course.root or course.stubs
    real = Path(os.path.realpath(graded))
    if real.is_relative_to(root) or root.is_relative_to(real):
        inside, outside = (real, root) if real.is_relative_to(root) else (root, real)
        raise UsageError(
            f"`{inside}` is in `{outside}`: a course isn't used automatically for work that it "
            "contains, or that contains it, since such work could contain its own suites. If the "
            f"course is yours, add `--course {shell_path(root)}`."
        )


def _with_teams(assignment: Assignment, folder: Path) -> Assignment:
    """The path of its CSV of teams is relative to the folder of the file that names it."""
    is_file = assignment.teams.endswith(".csv")
    return replace(assignment, teams=str(folder / assignment.teams)) if is_file else assignment


def shell_path(folder: Path) -> str:
    """The folder for a command line: from the current folder if that is shorter."""
    return shlex.quote(min(os.path.relpath(folder), str(folder), key=len))


def installed() -> Course | None:
    """The course that came with the grader: beside the package, or the stubs inside it."""
    package = Path(__file__).resolve().parents[1]
    catalog = _at(package.parent) or _at(package / IN_PACKAGE)
    return None if catalog is None else load(catalog)


def load(catalog: Path) -> Course:
    """Reads a catalogue. Raises `CourseError` listing everything that is wrong with it."""
    try:
        data = tomllib.loads(catalog.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"`{catalog}` can't be read as a catalogue: {error}") from error
    parsed = catalogs.parse(data)
    if parsed.wrong:
        faults = "\n  ".join(parsed.wrong)
        raise CourseError(f"`{catalog}` is not a valid catalogue; fix all of this:\n  {faults}")
    stubs = catalog.resolve().parent
    is_course = stubs.name == "exercises" and (stubs.parent / "solutions").is_dir()
    if is_course and (old := _former(stubs.parent)):
        raise CourseError(
            f"the course `{stubs.parent}` has a layout from before the first release: "
            f"{listed(old)}. Move its files: {NEW_PLACES}."
        )
    values = parsed.values
    absent = tuple(e for e in parsed.exercises if missing(e.packages))
    waiting = tuple(a for a in parsed.assignments if {e.id for e in absent} & {*a.exercises})
    return Course(
        name=str(values.get("name", stubs.parent.name)),
        stubs=stubs,
        root=stubs.parent if is_course else None,
        exercises=tuple(e for e in parsed.exercises if e not in absent),
        assignments=tuple(_with_teams(a, stubs) for a in parsed.assignments if a not in waiting),
        proved_jax=values.get("proved_jax"),
        explanations=values.get("explanations", "after_suite"),
        shows_solutions=values.get("solutions") == "after_success",
        catalogued=parsed.exercises,
        waiting=waiting,
    )


def _former(root: Path) -> list[str]:
    """The places of a former layout that are there."""
    folders = [f"tests/{kind}/" for kind in ("mutants", "regressions", "variants")]
    suffixes = {path.suffix for path in (root / "exercises").glob("*/*")}
    suffixes &= {".hints", ".mistakes", ".picture"}
    there = [folder for folder in folders if (root / folder).is_dir()]
    return [*there, *(f"*{suffix}" for suffix in sorted(suffixes))]


def _lacks(absent: Collection[Exercise]) -> str:
    stems, packages = {e.stem for e in absent}, {p for e in absent for p in missing(e.packages)}
    return (
        f"{listed(sorted(stems))} can't run here, because packages are missing: `pip install "
        f"{shlex.join(sorted(packages))}`."
    )


def missing(packages: Iterable[str]) -> list[str]:
    """Those of the packages that this environment lacks, or has in another version."""
    return [package for package in packages if not _is_here(package)]


@functools.cache
def _is_here(package: str) -> bool:
    name, *wanted = re.split(r"(?=[>=~])", package, maxsplit=1)
    try:
        there = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    if not wanted:
        return True
    from packaging.specifiers import SpecifierSet  # here: its import takes 30 ms

    return SpecifierSet(wanted[0]).contains(there, prereleases=True)


def lay_out(folder: Path) -> tuple[Path, Path]:
    """Makes the folders of a new course; returns the paths for its catalogue and README."""
    stubs = folder.resolve() / "exercises"
    stubs.mkdir(parents=True)
    (stubs.parent / "solutions").mkdir()
    return stubs / CATALOG, stubs / "README.md"


def _at(folder: Path) -> Path | None:
    places = (folder / "exercises" / CATALOG, folder / CATALOG)
    return next((path for path in places if path.is_file()), None)
