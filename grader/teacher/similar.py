"""Equal and nearly equal programs of a class, by exercise. Nothing is executed or judged.

    Submission --normal_form--> NormalForm --equal--> Twins --nearly equal--> Kin, in an Alike
               --excerpt--> ExportedProgram --> files for Dolos and compare50

Equal programs are no proof of anything, so nothing here is a verdict.
"""

import functools
import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from grader.course import Course
from grader.intake import cells
from grader.model import Exercise, Person, Source, Submission
from grader.reports.html import file_names
from grader.reports.safe_text import table
from grader.teacher.normal_form import NormalForm, ParsedFile, Stub

LEAST_SHARE = 0.7
"""Of equal pieces, from which on two programs are nearly equal.

Among the right answers of our course with 40 tokens or more, which are meant to differ, no two have
over 59 % in common.
"""
INFO, INFO_COLUMNS = "info.csv", ("filename", "full_name", "label", "created_at")
"""Dolos reads the programs that this file names. Its columns are documented as "metadata"."""
STUB = "stub.py"
"""Dolos and compare50 leave out what stands in it, if they are told to."""


@dataclass(slots=True)
class Twins:
    """Programs that are equal up to names, comments and layout, with their authors by text."""

    form: NormalForm
    texts: dict[bytes, list[str]] = field(default_factory=dict)

    @property
    def students(self) -> list[str]:
        return sorted({name for names in self.texts.values() for name in names})


@dataclass(frozen=True, slots=True)
class Kin:
    """Equal programs, and with which share of their pieces others are nearly equal to them."""

    twins: Twins
    near: tuple[tuple[float, Twins], ...] = ()
    near_course: bool = False  #: one of them is nearly equal to an answer of the course


@dataclass(frozen=True, slots=True)
class Alike:
    """What is alike in one exercise."""

    exercise: Exercise
    students: int  #: who handed something in for it
    kin: tuple[Kin, ...]  #: the largest programs first
    short: int  #: groups of equal programs that are too short to be listed
    untouched: int  #: students with the unedited stub
    as_course: tuple[str, ...]  #: students whose program is an answer of the course, if not short


@dataclass(frozen=True, slots=True)
class ExportedProgram:
    """A program for other tools that compare."""

    who: str
    name: str  #: of the student, if it is known
    section: str
    at: str  #: when it was handed in, if that is known
    text: str


# A file with many exercises is taken apart once, and only one file is in the memory at a time.
_module = functools.lru_cache(maxsize=1)(ParsedFile)


class SimilarWork:
    """Takes the work of a class, one submission after the other, and finds what is alike in it.

    Programs with less than `least_tokens` are counted, not listed: short answers are alike.
    """

    def __init__(
        self,
        course: Course,
        exercises: Iterable[Exercise],
        least_tokens: int,
        *,
        keep_answers: bool = False,
    ) -> None:
        self._exercises = {exercise.id: exercise for exercise in exercises}
        self._least = least_tokens
        self._stub_texts = {n: _stub_text(course, e) for n, e in self._exercises.items()}
        self._stubs = {name: Stub(text) for name, text in self._stub_texts.items()}
        self._known = {n: self._of_course(course, e) for n, e in self._exercises.items()}
        self._twins: dict[str, dict[bytes, Twins]] = {name: {} for name in self._exercises}
        self._students: dict[str, set[str]] = defaultdict(set)
        self._untouched: dict[str, set[str]] = defaultdict(set)
        # Many programs of a class are the same text.
        self._seen: dict[tuple[str, bytes], tuple[Twins, bytes] | None] = {}
        self._answers: dict[str, list[ExportedProgram]] | None = (
            defaultdict(list) if keep_answers else None
        )

    def add(self, submission: Submission) -> None:
        """Submissions with the same id are attempts of one person: alike, they are no sign."""
        for one in sorted(submission.sources, key=lambda one: (one.path, one.text)):
            if one.exercise in self._exercises:
                is_work = self._compare(submission.id, one)
                if is_work and self._answers is not None:
                    self._answers[one.exercise].append(self._answer(submission, one))

    def _compare(self, who: str, one: Source) -> bool:
        """Files a program with its equals; False if it is the stub."""
        self._students[one.exercise].add(who)
        key = one.exercise, hashlib.blake2b(one.text.encode("utf-8", "surrogatepass")).digest()
        if key not in self._seen:
            self._seen[key] = self._twins_of(one)
        if (seen := self._seen[key]) is None:
            self._untouched[one.exercise].add(who)
            return False
        twins, text = seen
        twins.texts.setdefault(text, []).append(who)
        return True

    def _twins_of(self, one: Source) -> tuple[Twins, bytes] | None:
        """The equals of a program, and the digest of its text."""
        defines = self._exercises[one.exercise].defines
        if (form := self._stubs[one.exercise].normal(_module(one.text), defines)) is None:
            return None
        return self._twins[one.exercise].setdefault(form.form, Twins(form)), form.text

    def _answer(self, submission: Submission, one: Source) -> ExportedProgram:
        """With the whole file, if it answers nothing else."""
        is_shared = sum(other.path == one.path for other in submission.sources) > 1
        defines = self._exercises[one.exercise].defines
        student = submission.student or Person(submission.id)
        text = _module(one.text).excerpt(defines) if is_shared else one.text
        name = student.name or submission.id
        return ExportedProgram(submission.id, name, student.section, submission.at, text)

    def exported(self) -> Iterator[tuple[str, str]]:
        """Paths and texts of files that Dolos and compare50 read."""
        for name, answers in (self._answers or {}).items():
            folders = [page.removesuffix(".html") for page in file_names([a.who for a in answers])]
            places = [f"work/{folder}/{self._exercises[name].stem}.py" for folder in folders]
            rows = [
                (place, answer.name, answer.section, answer.at)
                for place, answer in zip(places, answers, strict=True)
            ]
            yield f"{name}/{INFO}", table([INFO_COLUMNS, *rows])
            yield f"{name}/{STUB}", self._stub_texts[name]
            for place, answer in zip(places, answers, strict=True):
                yield f"{name}/{place}", answer.text

    def found(self) -> Iterator[Alike]:
        """What is alike, by exercise, in the order of the course."""
        for name, exercise in self._exercises.items():
            answers, every = self._known[name], self._twins[name]
            large = [t for t in every.values() if t.form.tokens >= self._least]
            small = [t for t in every.values() if t.form.tokens < self._least]
            theirs = [t for t in large if t.form.form not in answers]
            as_course = {s for t in large if t.form.form in answers for s in t.students}
            yield Alike(
                exercise,
                len(self._students[name]),
                tuple(_kin(theirs, [Twins(form) for form in answers.values()])),
                sum(len(twins.students) > 1 for twins in small),
                len(self._untouched[name]),
                tuple(sorted(as_course)),
            )

    def _of_course(self, course: Course, exercise: Exercise) -> dict[bytes, NormalForm]:
        """The course's own answers: its solution and the variants. A handout has none."""
        if course.root is None or not (place := course.solution(exercise)).is_file():
            return {}
        solution = place.read_text(encoding="utf-8", errors="replace")
        others = cells.read(course.variants(exercise)).cells
        texts = [solution, *(cell.after(solution) for cell in others)]
        stub = self._stubs[exercise.id]
        forms = (stub.normal(ParsedFile(text), exercise.defines) for text in texts)
        return {form.form: form for form in forms if form}


def _stub_text(course: Course, exercise: Exercise) -> str:
    """What students are given; nothing if there is no such file."""
    try:
        return course.stub(exercise).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def nearly_equal(
    pieces: Sequence[Collection[int]], least: float
) -> Iterator[tuple[int, int, float]]:
    """The pairs whose share of equal pieces (of all pieces of the larger one) is `least` or more.

    Not all pairs are compared. If x and y share `least` of |x|, and each is sorted from the rarest
    piece on, then they share one of the first |x| - least |x| + 1 (Chaudhuri, Ganti, Kaushik: "A
    primitive operator for similarity joins in data cleaning", ICDE 2006).
    """
    often = Counter(piece for one in pieces for piece in one)
    sets = [frozenset(one) for one in pieces]
    index: dict[int, list[int]] = defaultdict(list)
    for this in sorted(range(len(sets)), key=lambda number: len(sets[number])):
        mine = sets[this]
        rare = sorted(mine, key=lambda piece: (often[piece], piece))
        first = rare[: len(mine) - math.ceil(least * len(mine)) + 1]
        for other in sorted({other for piece in first for other in index[piece]}):
            if len(sets[other]) >= least * len(mine):
                share = len(mine & sets[other]) / len(mine)
                if share >= least:
                    yield min(this, other), max(this, other), share
        for piece in first:
            index[piece].append(this)


def _kin(theirs: Sequence[Twins], of_course: Sequence[Twins]) -> list[Kin]:
    """Groups: whoever has most that are nearly equal comes first, with all of these."""
    every = [*theirs, *of_course]
    near: list[dict[int, float]] = [{} for _ in every]
    close_to_course = set[int]()
    for one, other, share in nearly_equal([t.form.pieces for t in every], LEAST_SHARE):
        if other >= len(theirs):
            close_to_course.add(one)
        elif len({*every[one].students, *every[other].students}) > 1:
            near[one][other] = near[other][one] = share
    groups, placed = list[Kin](), set[int]()
    for hub in sorted(range(len(theirs)), key=lambda n: (-len(near[n]), theirs[n].students)):
        found = sorted(near[hub].items(), key=lambda pair: (-pair[1], theirs[pair[0]].students))
        members = {hub, *near[hub]}
        if not found and (hub in placed or len(theirs[hub].students) == 1):
            continue
        for member in members:  # their pairs are in this group
            near[member] = {n: share for n, share in near[member].items() if n not in members}
        placed |= members
        others = tuple((share, theirs[number]) for number, share in found)
        groups.append(Kin(theirs[hub], others, bool(members & close_to_course)))
    return sorted(groups, key=lambda kin: (-kin.twins.form.tokens, kin.twins.students))
