"""The files at a path -> a `Submission`. Executes nothing.

    path --layouts--> HandIn --apart--> a process with a budget for each submission:
        --archive--> File | Note --source, notebook--> _Module --match--> Source | Note

A file is an answer to the exercise whose stem it has, in any folder, and to every
exercise whose names it defines. If an exercise has several answers, this order decides: one that
defines the names, one with the stem, one in the topic's folder, the one nearest to the top. An
unedited stub comes last, so that it never hides work in another file. A `Note` says why a file
isn't graded. A submission without a source has a `problem`.
"""

import difflib
import functools
import os
import pickle
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath, PurePosixPath

from grader.course.course import Course
from grader.intake import apart, archive, layouts, notebook, source
from grader.intake.archive import TWICE
from grader.intake.layouts import HandIn
from grader.intake.source import Names, UnreadableError, printable
from grader.records import digests
from grader.records.errors import SubmissionError, listed
from grader.records.model import Exercise, Note, Person, Source, Submission

MANIFEST = "manifest.json"
"""The file in which `grader submit` lists what is in its zip. The grader ignores it."""
MAX_NOTES = 40
MAX_PYTHON = 4 * 1024 * 1024
"""Characters of Python in one submission. Of a library among the answers, the rest is not read."""

_MAX_PATH = 160
_MAX_REASON = 400
_GRADABLE = {".py", ".ipynb", ".zip"}
_IS_A_CLASS = "looks like the download of a whole class. If it is, name it with `--class`"
# What browsers and platforms add to a name that is there already: `set_row (1)`, `set_row-1`.
_COPY = re.compile(r"( \(\d+\)|-\d+)$")
# A module that a line imports. A line of a docstring may look alike, which does no harm.
_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+\.*(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class _Module:
    """Python text that may answer exercises; `complete` has a notebook's broken cells, too."""

    path: PurePosixPath
    text: str
    complete: str
    names: Names
    broken: str = ""
    """Of the text, what was to be Python and isn't."""
    book: notebook.Notebook | None = None

    @property
    def shown(self) -> str:
        return shown(self.path)

    def defines(self, exercise: Exercise, *, imports: bool = False) -> bool:
        names = self.names.own | self.names.imported if imports else self.names.own
        return bool(exercise.defines) and names.issuperset(exercise.defines)

    def writes(self, exercise: Exercise) -> bool:
        """Whether it was to define all names, and broken text keeps it from that."""
        names = self.names.own | source.written(self.broken)
        return bool(self.broken and exercise.defines) and names.issuperset(exercise.defines)

    def is_named(self, exercise: Exercise) -> bool:
        return exercise.stem in (self.path.stem, _COPY.sub("", self.path.stem))

    def text_for(self, exercise: Exercise) -> str:
        """The text to grade. Its cells are repeated if later cells redefine its names."""
        if not self.defines(exercise, imports=True):
            return self.complete
        if self.book is None or exercise.id not in self.book.overridden:
            return self.text
        return self.text + self.book.section(exercise.id)

    def claim(self, exercise: Exercise) -> tuple[object, ...] | None:
        """A sort key: the best answer comes first; None if this is no answer to the exercise."""
        named = self.is_named(exercise)
        if self.defines(exercise) or (named and self.names.error):
            certainty = 0
        elif self.defines(exercise, imports=True):
            certainty = 1
        elif named:
            certainty = 2
        elif self.writes(exercise):
            certainty = 3
        else:
            return None
        elsewhere = self.path.parent.name != exercise.topic
        return certainty, not named, elsewhere, len(self.path.parts), self.path


def shown(path: PurePath) -> str:
    """A path in a submission as reports show it, which may not be the path itself."""
    return printable(str(path), _MAX_PATH)


def read(path: Path, course: Course) -> Submission:
    """The submission at `path`: a `.py` file, a notebook, a zip or a folder.

    Raises `SubmissionError` if the path doesn't exist. Any other trouble is its `problem`.
    """
    return _bounded(_named(path), course, pickle.dumps(course))


def read_own(path: Path, course: Course) -> Submission:
    """The same without a budget, for the user's own files: it starts no other process."""
    return _submission(_named(path), course)


def read_class(
    folder: Path,
    course: Course,
    *,
    assignment: str = "",
    skipped: Path | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Iterator[Submission]:
    """Everything that was submitted to a class; each is read when it is needed.

    A person may have several submissions: their `id` is the same. `folder` may be a learning
    platform's download, also a zip that isn't unpacked; of nbgrader's only the folders of
    `assignment` count, if there are any. An entry that is `skipped` isn't a student's. `tell` gets
    what the teacher has to know. Raises `SubmissionError` at once if `folder` can't be a class.
    """
    root = _existing(folder)
    if root.is_file() and root.suffix.lower() == ".zip":
        return _read_packed(root, course, assignment, tell)
    if not root.is_dir():
        raise SubmissionError(
            f"`{folder}` is not a folder or a zip, so it can't contain a class. Name the folder "
            "with one file or folder for each student, or grade it without `--class`."
        )
    stems = [exercise.stem for exercise in course.exercises]
    found = [
        one
        for one in layouts.of_class(root, assignment, tell, stems)
        if skipped is None or all(path != skipped.resolve() for path, _ in one.parts)
    ]
    if not found:
        raise SubmissionError(
            f"`{folder}` is an empty folder, without a submission. Put one file or folder for each "
            "student there."
        )
    if len(found) == 1 and layouts.is_plain(found[0]) and found[0].parts[0][0].is_dir():
        name = printable(found[0].parts[0][0].name, _MAX_PATH)
        tell(
            f"`{folder.name}` contains one folder, `{name}`, which is graded as one student's "
            "work. If it is the class, unpack it and name that folder with `--class`."
        )
    packed = pickle.dumps(course)
    return (_bounded(one, course, packed) for one in found)


def _read_packed(
    file: Path, course: Course, assignment: str, tell: Callable[[str], None]
) -> Iterator[Submission]:
    """A class in a zip, as a platform hands it out: unpacked for as long as it is read."""
    with tempfile.TemporaryDirectory(prefix="grader-class-") as folder:
        archive.unpack(file, Path(folder))
        yield from read_class(Path(folder), course, assignment=assignment, tell=tell)


def _existing(path: Path) -> Path:
    """`path` without links: a user who names a link means its target."""
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise SubmissionError(
            f"there is nothing at `{printable(str(path), _MAX_PATH)}`. Check the spelling, and "
            "name a Python file, a notebook, a zip or a folder."
        ) from error


def _named(path: Path) -> HandIn:
    name = Path(os.path.abspath(path)).name or str(path)
    return layouts.of_path(_existing(path), name)


def _bounded(handed_in: HandIn, course: Course, packed: bytes) -> Submission:
    """Within the budget of one submission. What can't be read ends no other's reading."""
    try:
        return apart.call(_packed_submission, handed_in, packed)
    except SubmissionError as error:
        said = str(error)
    except PermissionError as error:  # any other error of the system is no student's fault
        said = f"can't be read: {error.strerror}. Check its permissions"
    return _made(handed_in, course, (), [Note(handed_in.parts[0][1], said, unreadable=True)])


# A class is read with one course, and to unpack it takes as long as to read a submission.
_unpacked: Callable[[bytes], Course] = functools.lru_cache(maxsize=1)(pickle.loads)


def _packed_submission(handed_in: HandIn, course: bytes) -> Submission:
    return _submission(handed_in, _unpacked(course))


def _submission(handed_in: HandIn, course: Course) -> Submission:
    modules, notes = _modules(handed_in, course)
    sources, unmatched = _match(modules, course)
    if layouts.looks_like_a_class(handed_in.parts[0][0]):
        notes.append(Note(handed_in.parts[0][1], _IS_A_CLASS, unreadable=True))
    return _made(handed_in, course, sources, [*notes, *unmatched])


def _made(
    handed_in: HandIn, course: Course, sources: tuple[Source, ...], notes: Sequence[Note]
) -> Submission:
    name = handed_in.student.id
    printed = _fit_to_print(notes, name)
    id = printable(name)
    return Submission(
        id=id,
        digest=digest(sources),
        sources=sources,
        notes=printed,
        problem=None if sources else _problem(handed_in, printed, course),
        student=_known(replace(handed_in.student, id=id)),
        at=handed_in.at,
        late=handed_in.late,
        own_clock=handed_in.own_clock and bool(handed_in.at),
    )


def _known(student: Person) -> Person | None:
    """The student, if more than the name of the submission is known."""
    fields = {name: printable(getattr(student, name), _MAX_PATH) for name in Person.__slots__}
    return Person(**fields) if any(v for name, v in fields.items() if name != "id") else None


def _modules(handed_in: HandIn, course: Course) -> tuple[list[_Module], list[Note]]:
    """Every module and notebook in it, and a note on each file that can't be read."""
    modules: list[_Module] = []
    notes: list[Note] = []
    left = MAX_PYTHON
    for item in (item for part in handed_in.parts for item in archive.files(*part)):
        if isinstance(item, Note):
            place = PurePosixPath(item.path)
            if not _handed_out(place, course):
                is_answer = place.suffix.lower() in {*_GRADABLE, *archive.PACKED}
                notes.append(replace(item, unreadable=is_answer and item.reason != TWICE))
            continue
        try:
            module, left_out = _module(item, left)
        except UnreadableError as error:
            notes.append(Note(item.path, str(error), unreadable=True))
            continue
        modules.append(module)
        notes.extend(Note(item.path, reason) for reason in left_out)
        left -= len(module.text)
    return modules, notes


def _handed_out(path: PurePosixPath, course: Course) -> bool:
    """Whether a file that isn't graded came with the stubs (hints, README) or `grader submit`."""
    if path.suffix in _GRADABLE:
        return False
    places = {path.name, f"{path.parent.name}/{path.name}".lstrip("/")}
    # Unlike `Path.is_file`, this accepts every name that a zip can hold.
    if path.name in (MANIFEST, *layouts.OF_PLATFORMS):
        return True
    return any(os.path.isfile(course.stubs / place) for place in places)


def _module(file: archive.File, left: int) -> tuple[_Module, tuple[str, ...]]:
    if left <= 0:
        raise UnreadableError(
            f"was not read: the files before it contain {MAX_PYTHON:,} characters of Python or "
            "more, and the rest is not read. Submit only your exercises"
        )
    path = PurePosixPath(file.path)
    if path.suffix.lower() == ".ipynb":
        book = notebook.read(file.data)
        names = source.names(book.text)
        return _Module(path, book.text, book.complete, names, book.broken, book), book.left_out
    text = source.decode(file.data)
    names = source.names(text)
    return _Module(path, text, text, names, text if names.error else ""), ()


def _match(modules: Sequence[_Module], course: Course) -> tuple[tuple[Source, ...], list[Note]]:
    """The best module for each exercise, and a note on each module that isn't graded."""
    sources: list[Source] = []
    graded: set[PurePosixPath] = set()
    beaten: dict[PurePosixPath, str] = {}
    for exercise in course.exercises:
        claims = [(claim, m) for m in modules if (claim := m.claim(exercise)) is not None]
        if not claims:
            continue
        stub = _stub(exercise, course) if len(claims) > 1 else None
        claims.sort(key=lambda claim: (claim[1].text.strip() == stub, claim[0]))
        best, *others = [module for _, module in claims]
        sources.append(Source(exercise.id, best.shown, best.text_for(exercise)))
        graded.add(best.path)
        for other in others:
            is_known = other.text == best.text or other.text.strip() == stub
            reason = f"was not graded: `{exercise.id}` was graded from `{best.shown}`"
            beaten.setdefault(other.path, "" if is_known else f"{reason}. Submit one file for it")
    users = {
        name: module.shown
        for module in modules
        if module.path in graded
        for name in _IMPORT.findall(module.text)
    }
    notes: list[Note] = []
    for module in modules:
        if module.path in graded:
            reason = _waiting(module, sources) or _misnamed(module, course)
        elif module.path in beaten:
            reason = beaten[module.path]
        elif user := users.get(module.path.stem):
            reason = (
                f"is imported by `{user}`, but is not graded: each exercise is graded from its one "
                f"file. Copy what you need from it into `{user}`"
            )
        else:
            reason = _unmatched(module, course, guess=len(notes) < MAX_NOTES)
        if reason:
            notes.append(Note(str(module.path), reason))
    return tuple(sources), notes


def _stub(exercise: Exercise, course: Course) -> str | None:
    try:
        return source.decode(course.stub(exercise).read_bytes()).strip()
    except (OSError, UnreadableError):
        return None


def _waiting(module: _Module, sources: Sequence[Source]) -> str:
    """Why several exercises are lost at once, if a whole file isn't Python."""
    if not module.names.error or sum(one.path == module.shown for one in sources) < 2:
        return ""
    return (
        f"is not valid Python ({module.names.error}). Fix that line: nothing in this file is "
        "graded until then"
    )


def _misnamed(module: _Module, course: Course) -> str:
    """A warning, if a file has the name of one exercise and the function of another."""
    named = next((e for e in course.exercises if module.is_named(e)), None)
    other = next((e for e in course.exercises if module.defines(e)), None)
    if not named or not other or module.names.error or module.defines(named, imports=True):
        return ""
    return (
        f"is named for `{named.id}` but doesn't define {listed(named.defines)}; it defines "
        f"{listed(other.defines)}, for `{other.id}`. If it answers that, rename it "
        f"`{other.stem}{module.path.suffix}`"
    )


def _unmatched(module: _Module, course: Course, *, guess: bool) -> str:
    """Why a module answers no exercise, and which exercise its author may have meant."""
    if module.names.error:
        return (
            f"matches no exercise by its name, and is not valid Python ({module.names.error}). Fix "
            "it, and give it the name of its stub"
        )
    for exercise in course.exercises:
        absent = [name for name in exercise.defines if name not in module.names.own]
        if 0 < len(absent) < len(exercise.defines):
            return (
                f"matches no exercise; for `{exercise.id}` it doesn't define {listed(absent)}. "
                f"Define all of {listed(exercise.defines)}"
            )
    meant = _closest(module, course) if guess else None
    if meant:
        return (
            f"matches no exercise. If it is `{meant.id}`, name it "
            f"`{meant.stem}{module.path.suffix}` and define {listed(meant.defines)} in it"
        )
    return "matches no exercise, either by its name or by a function that it defines"


def _closest(module: _Module, course: Course) -> Exercise | None:
    """The exercise whose name is similar to that of the file or of something that it defines."""
    words = {word: e for e in course.exercises for word in (*e.defines, e.stem)}
    for name in (module.path.stem, *sorted(module.names.own)[:20]):
        if close := difflib.get_close_matches(name[:64], words, n=1, cutoff=0.75):
            return words[close[0]]
    return None


def digest(sources: Sequence[Source]) -> str:
    """Of all graded texts. Names of files don't change it."""
    ordered = sorted(sources, key=lambda source: source.exercise)
    return digests.of(*(part for source in ordered for part in (source.exercise, source.text)))


def _fit_to_print(notes: Sequence[Note], name: str) -> tuple[Note, ...]:
    """The notes with printable paths, the most important first, and not too many."""
    ranked = sorted(notes, key=lambda note: PurePosixPath(note.path).suffix not in _GRADABLE)
    # Everything else that is wrong with a class follows from this.
    ranked.sort(key=lambda note: note.reason != _IS_A_CLASS)
    shown = [
        replace(
            n,
            path=printable(n.path if n.path != "." else name, _MAX_PATH),
            reason=n.reason[:_MAX_REASON],
        )
        for n in ranked[:MAX_NOTES]
    ]
    if len(ranked) > MAX_NOTES:
        rest = f"contains {len(ranked) - MAX_NOTES:,} more things that were not graded"
        shown.append(Note(printable(name, _MAX_PATH), rest))
    return tuple(shown)


def _problem(handed_in: HandIn, notes: Sequence[Note], course: Course) -> str:
    """Why nothing was graded, and what to do about it."""
    path, name = handed_in.parts[0]
    shown = printable(name, _MAX_PATH)
    example = course.exercises[0].stem if course.exercises else "NAME"
    todo = f"Submit Python files or notebooks named like their stubs, such as `{example}.py`"
    if not notes:
        kind = "folder" if path.is_dir() else "zip"
        return f"`{shown}` is an empty {kind}. {todo}."
    first = notes[0]
    where = "" if first.path == shown else f"nothing in `{shown}` can be graded: "
    more = f" (and {len(notes) - 1} more)" if len(notes) > 1 else ""
    reason = first.reason if ". " in first.reason else f"{first.reason}. {todo}"
    return f"{where}`{first.path}` {reason}{more}."
