"""The data types: frozen records that modules, processes and files exchange.

    Exercise      what a course asks for, with its Limits
    Submission    one student's work as text, in Sources and Notes; nothing is executed
    Job           one submission for one judge; Terms say how to judge
    TestResult (with its Races) -> ExerciseResult -> Grade -> Run
    Person        who submitted; an Adjustment is what a teacher decided about a mark
    CheckResult   what a student's own check found out, in Findings; like results, these hold Advice
    Problem       one fault of a course

    record --to_plain--> dicts and tuples --from_plain--> record    pack, unpack: the same as bytes

Records have slots: without them msgspec fills in no defaults.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

T = TypeVar("T")
RESULTS = "results.json"
"""The run as a student may read it; `details.json` is beside it."""
SCHEMA = 1
LAYERS = ("files", "network", "processes", "memory", "privileges")
"""Of isolation, as `grader doctor` lists them."""
ISOLATION_MODES = ("required", "available", "none")
"""What a machine must have of them: all, what there is but at least one, or none."""
# Waiting for a busy core is free, but nothing lasts longer than this many times its limit.
MOST_CROWDED = 10
# Multiplies the limits for a solution: it compiles what students then find in the cache.
PATIENCE = 10


class Outcome(StrEnum):
    """The result of a test or an exercise, from the gravest to the best.

    Each has a letter (in HTML), a symbol that is clear without colour, and a style in a terminal.
    `broken` is a fault of the grader or the course: it can't be scored, and the exit code is 4.
    `undecided`: the machine was too noisy for a verdict. All others depend on the student's work.
    """

    letter: str
    sign: str
    style: str

    BROKEN = "broken", "b", "#", "bold yellow"
    CRASHED = "crashed", "c", "×", "magenta"
    OUT_OF_MEMORY = "out_of_memory", "o", "▲", "magenta"
    TIMED_OUT = "timed_out", "t", "⧗", "magenta"
    RAISED = "raised", "r", "!", "red"
    FAILED = "failed", "f", "✗", "red"
    UNREADABLE = "unreadable", "x", "∅", "yellow"
    MISSING = "missing", "m", "·", "dim"
    UNDECIDED = "undecided", "u", "?", "yellow"
    PASSED = "passed", "p", "✓", "green"

    def __new__(cls, value: str, letter: str, sign: str, style: str) -> Outcome:
        made = str.__new__(cls, value)
        made._value_, made.letter, made.sign, made.style = value, letter, sign, style
        return made

    @property
    def gravity(self) -> int:
        """0 for the gravest."""
        return list(Outcome).index(self)

    @property
    def word(self) -> str:
        """For people, such as "timed out". `BROKEN` stands out."""
        return "BROKEN" if self is Outcome.BROKEN else self.value.replace("_", " ")

    @property
    def keeps_points(self) -> bool:
        """Whether the student gets all points."""
        return self in (Outcome.PASSED, Outcome.UNDECIDED)

    @property
    def is_lost(self) -> bool:
        """Whether a submitted answer lost points, and the student caused it."""
        return not self.keeps_points and self not in (Outcome.BROKEN, *NOT_JUDGED)


NOT_JUDGED = (Outcome.MISSING, Outcome.UNREADABLE)  # nothing was there, or nothing readable


class Basis(StrEnum):
    """What the verdict of a test rests on. If on several, the first of these counts."""

    REPORT = "report"  #: what the student's process says of itself, which could lie
    PROGRAM = "program"  #: an exported program, run on values that the process never saw
    CALL = "call"  #: calls in the student's process: it knew the values, and computed others


@dataclass(frozen=True, slots=True)
class Limits:
    """What a submission may use in one exercise. The catalogue can set each limit."""

    seconds: float = 20.0  #: wall time of the student's code in one test
    total_seconds: float = 60.0  #: the same in all tests of one exercise
    memory_mb: int = 3072  #: resident memory of the worker (JAX alone takes about 300)
    threads: int = 256  #: in the worker (XLA takes about 20, or with 8 devices about 120)
    output_kb: int = 256  #: what it may print
    message_mb: int = 64  #: size of one returned value
    disk_mb: int = 64  #: what it may write to its scratch folder

    def scaled(self, factor: float) -> Limits:
        """The same with the seconds, and the memory beyond JAX's own, times `factor`."""
        return dataclasses.replace(
            self,
            seconds=self.seconds * factor,
            total_seconds=self.total_seconds * factor,
            memory_mb=500 + int((self.memory_mb - 500) * factor),
        )


XLA_THREADS_FOR_DEVICES = "32"
"""For XLA's variable `NPROC`, where there is more than one device: with fewer threads than devices,
collectives wait for each other for ever."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """One task of a course."""

    id: str  #: "topic/stem"
    title: str
    defines: tuple[str, ...]  #: the names that it asks for
    devices: int = 1
    limits: Limits = field(default_factory=Limits)
    runs_long: bool = False  #: its programs take longer to run than to compile, as in training
    numpy: bool = False  #: its functions get NumPy arrays, and know nothing of JAX
    packages: tuple[str, ...] = ()  #: that only some exercises need, as pip names them
    counts: bool = True  #: if not, it is for practice: judged, and in no mark
    after: tuple[str, ...] = ()  #: the stems of those whose ideas it needs
    difficulty: int | None = None  #: 1 to 3
    minutes: int | None = None  #: that a student needs
    kind: str = "write"  #: `write`, or `fix`, `predict` or `fast`

    @property
    def has_program(self) -> bool:
        """Whether its stub is a program that runs, and has to be changed."""
        return self.kind in ("fix", "fast")

    @property
    def topic(self) -> str:
        return self.id.split("/")[0]

    @property
    def stem(self) -> str:
        return self.id.split("/")[-1]

    @property
    def names(self) -> tuple[str, str]:
        """What an author may call it."""
        return self.id, self.stem


@dataclass(frozen=True, slots=True)
class Assignment:
    """Exercises that are submitted together."""

    name: str  #: as in `--assignment hw2`
    title: str  #: the heading of its column in a gradebook
    exercises: tuple[str, ...]  #: their ids
    opens: str = ""  #: a date or a time, ISO 8601
    due: str = ""  #: the same
    late: float = 0.0  #: the share of an exercise's points, in percent, taken for each day begun
    late_days: int | None = None  #: after this many days, work earns nothing
    attempts: str = "last"  #: which attempt counts: `last` or `best`
    by: str = "exercise"  #: an attempt counts for each `exercise` alone, or a whole `submission`
    show: str = "examples"  #: of a failed test: `examples`, or `words` only
    mistakes: bool = False  #: whether known mistakes are also named with `words`
    weights: Mapping[str, float] = field(default_factory=dict)  #: exercise weights, by id
    teams: str = ""  #: `roster`, or the CSV that names them; empty if all work alone
    team_of: Mapping[str, str] = field(default_factory=dict)  #: by the ids of the people in a run

    counts: bool = True  #: if not, it is a practice path, not homework
    paths: bool = True  #: whether its course's paths are also shown


@dataclass(frozen=True, slots=True)
class Person:
    """A person, as far as a roster or a learning platform tells. Unknown fields are empty."""

    id: str  #: the key of their row in every report
    name: str = ""  #: as people write it
    login: str = ""  #: on the course's platform
    email: str = ""  #: their email address
    section: str = ""  #: their group in the class
    sis: str = ""  #: the number from the school
    canvas: str = ""  #: their number in Canvas
    moodle: str = ""  #: their number as a participant in Moodle
    github: str = ""  #: their login on GitHub
    team: str = ""  #: their team, if an assignment says `teams = "roster"`


@dataclass(frozen=True, slots=True)
class Source:
    """The Python text of a submission for one exercise; `path` as the student knows it."""

    exercise: str
    path: str
    text: str
    seed: str = ""  #: of its random inputs; if it is empty, they follow from the text

    @property
    def file(self) -> str:
        """The name of the file as its code sees it: the same one, however the file was called.

        So a text that is judged again under another name can't know that.
        """
        kind = ".ipynb" if self.path.endswith(".ipynb") else ".py"
        return self.exercise.rpartition("/")[2] + kind


@dataclass(frozen=True, slots=True)
class Note:
    """Something in a submission that was not graded, and why."""

    path: str  #: of the file, as the student knows it
    reason: str  #: why it was not graded
    unreadable: bool = False  #: it may contain an answer that can't be read


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's work."""

    id: str
    digest: str
    sources: tuple[Source, ...] = ()
    notes: tuple[Note, ...] = ()
    problem: str | None = None  #: why it could not be read, if it couldn't
    student: Person | None = None  #: whose it is, if more than a name is known
    at: str = ""  #: when it was submitted, ISO 8601 with an offset; empty if nothing tells
    late: bool = False  #: whether the platform marks it as late
    own_clock: bool = False  #: whether the student's own program wrote `at`, as in nbgrader

    def only(self, exercises: Collection[str]) -> Submission:
        """The same with the sources of these exercises only."""
        sources = tuple(source for source in self.sources if source.exercise in exercises)
        return dataclasses.replace(self, sources=sources)


class Treatment(StrEnum):
    """Whose code a job holds, and so what it may use."""

    STUDENT = "student"  #: a student's limits, in the sandbox
    STRICT = "strict"  #: half of them, so that limits which are nearly too small are seen
    OURS = "ours"  #: the course's own code: no sandbox, and the programs that it compiles are kept
    BLANK = "blank"  #: the same, and a suite gets zeros in place of the numbers that come back


@dataclass(frozen=True, slots=True)
class Job:
    """One submission, to be judged in some exercises."""

    submission: Submission
    exercises: tuple[str, ...]
    number: int = 0  #: its place in the run
    raced_tests: Mapping[str, frozenset[str]] = field(default_factory=dict)  #: no others run
    treatment: Treatment = Treatment.STUDENT
    expression: str = ""  #: if there is one, its value is shown, and no suite takes part


class Purpose(StrEnum):
    """What judges judge for."""

    MARKS = "marks"  #: students: a suite that fails its own solution judges nobody
    PROOF = "proof"  #: suites: such a suite is judged as well, and no verdict on speed is stored
    STRENGTH = "strength"  #: as a proof, and a suite stops at its first lost test


@dataclass(frozen=True, slots=True)
class Terms:
    """How judges judge."""

    isolation: str  #: one of `ISOLATION_MODES`
    seed: str
    purpose: Purpose = Purpose.MARKS
    with_races: bool = True  #: if not, tests that need a clock are left out


@dataclass(frozen=True, slots=True)
class Race:
    """A verdict on speed, with its measurements: ratios of the baseline's to the student's time."""

    name: str  #: of the raced function
    at_least: float  #: the ratio that the test requires
    live: bool  #: the student's callable itself was timed, not its exported program
    verdict: Outcome  #: `passed`, `failed` or `undecided`
    ratio: float  #: the median over all pairs
    low: float  #: the lower end of the median's 95% confidence interval
    high: float  #: its upper end
    launches: tuple[tuple[float, ...], ...]  #: the ratio of each pair, launch by launch
    remembered: bool = False  #: from an earlier run on this machine, for the same file and suite
    wrong: bool = False  #: a result was timed and wrong, which ended the race
    call: float = 0.0  #: seconds of one baseline call, on the machine of the race

    def __str__(self) -> str:
        measured = f"{self.ratio:.3g}x ({self.low:.3g} to {self.high:.3g})"
        return f"{measured}, needed {self.at_least:g}x"

    @property
    def times(self) -> str:
        """How long a call takes on either side; empty if nothing was timed."""
        if not self.call:
            return ""
        theirs = f"{1e3 * self.call / self.ratio:.3g}"
        return (
            f"A call of the baseline takes {1e3 * self.call:.3g} ms, and of this code {theirs} ms."
        )


@dataclass(frozen=True, slots=True)
class Advice:
    """What went wrong, in a student's terms, and what to do."""

    cause: str  #: the misconception, as "tracer-bool"; equal causes are counted together
    sentence: str  #: what went wrong
    todo: str = ""  #: what to do
    line: int | None = None  #: with `code`, the place in the student's file
    code: str = ""  #: that line
    page: str = ""  #: the URL of a page that explains more
    title: str = ""  #: of that page, to find it if its URL has changed

    @property
    def more(self) -> str:
        """The page by its title and its address; empty if there is none."""
        return ": ".join(part for part in (self.title, self.page) if part)


CELL_LEFT_OUT = "cell-left-out"
"""The cause that is a notebook's cell, and no exercise's code."""
NOT_PYTHON = "not-python"
"""The cause that is a line for which a whole file waits, with every test on it."""


@dataclass(frozen=True, slots=True)
class TestResult:
    """What one test found out about one submission."""

    __test__ = False

    id: str  #: the name of the test function, with its parameters
    title: str  #: the first line of its docstring
    outcome: Outcome  #: its result
    points: float  #: points earned
    max_points: float  #: points possible
    seconds: float = 0.0  #: its duration; for students an equal share of 1, 10 or 100
    message: str = ""  #: the problem in one line; then the call, expected and actual result
    hint: str = ""  #: the suite's hint, if the test lost points
    detail: str = ""  #: everything, for the teacher
    races: tuple[Race, ...] = ()  #: its verdicts on speed
    advice: Advice | None = None  #: what it means in JAX, if that is known
    basis: Basis | None = None  #: what its outcome rests on; for students only if it passed

    def __repr__(self) -> str:
        """For logs: nothing of what a suite hides."""
        earned = f"{self.points:g} of {self.max_points:g}"
        return f"<TestResult {self.id}: {self.outcome.value}, {earned} points>"

    @property
    def is_named(self) -> bool:
        """Whether its advice is a known mistake, whose cause is `STEM/CELL`. It needs no hint."""
        return self.advice is not None and "/" in self.advice.cause


@dataclass(frozen=True, slots=True)
class ExerciseResult:
    """All tests of one exercise."""

    id: str  #: "topic/stem"
    outcome: Outcome  #: the most serious of its tests
    score: float | None  #: None if it can't be scored
    max_score: float  #: the points of all its tests
    tests: tuple[TestResult, ...] = ()  #: in the order of the suite
    message: str = ""  #: its tests' message, if all have the same; or why there are none
    findings: tuple[Advice, ...] = ()  #: likely mistakes in the code: hints, which cost no point
    path: str = ""  #: the graded file as the student knows it; messages name lines of it
    counts: bool = True  #: whether its points are part of a mark; if not, it is for practice

    def __repr__(self) -> str:
        score = "no score" if self.score is None else f"{self.score:g} of {self.max_score:g} points"
        return f"<ExerciseResult {self.id}: {self.outcome.value}, {score}, {[*self.tests]}>"


@dataclass(frozen=True, slots=True)
class Adjustment:
    """One step from the points of the tests to the mark, or a teacher's comment."""

    kind: str  #: `late`, `attempts`, `team`, `extension`, `override`, `bonus`, `excuse`, `comment`
    points: float  #: points added; below 0 if some are deducted
    why: str  #: the reason, in words for the student
    by: str = ""  #: who decided it; empty for a rule of the catalogue
    on: str = ""  #: the date of the decision


@dataclass(frozen=True, slots=True)
class Grade:
    """The mark of one submission. `score` is None if one of its exercises can't be scored."""

    id: str  #: the student: from the roster, or else the name of the file or folder
    digest: str  #: digest of the submitted work; equal for equal work
    score: float | None  #: with all adjustments; None if an exercise can't be scored, or excused
    max_score: float  #: the points of all exercises that count
    exercises: tuple[ExerciseResult, ...] = ()  #: in the order of the course
    notes: tuple[Note, ...] = ()  #: files that were not graded
    problem: str | None = None  #: why the work could not be read, if applicable
    student: Person | None = None  #: whose it is, if more than a name is known
    at: str = ""  #: when it was submitted, ISO 8601 with an offset; empty if nothing tells
    late: bool = False  #: whether the platform marks it as late
    own_clock: bool = False  #: whether the student's own program wrote `at`, as in nbgrader
    attempt: int = 1  #: which of the student's attempts counts for most exercises
    attempt_of: Mapping[str, int] = field(default_factory=dict)  #: where another attempt counts
    attempts: int = 1  #: how many attempts there are; 0 if nothing was submitted
    adjustments: tuple[Adjustment, ...] = ()  #: steps from the points of the tests to `score`
    sources: tuple[Source, ...] = ()  #: what was graded; for the teacher alone


@dataclass(frozen=True, slots=True)
class Environment:
    """Where a run was graded. `isolation` lists its layers; `seed` gives the same inputs again."""

    jax: str  #: JAX's version
    python: str  #: Python's version
    platform: str  #: the operating system and the machine
    isolation: tuple[str, ...]  #: the layers that held
    seed: str  #: seed of all random inputs; empty in files for students

    @property
    def missing_layers(self) -> tuple[str, ...]:
        """The layers that did not hold."""
        return tuple(layer for layer in LAYERS if layer not in self.isolation)


@dataclass(frozen=True, slots=True)
class Run:
    """All marks of one run of `grader grade`."""

    course: str  #: the course's name in the catalogue
    grader: str  #: the version of the grader
    environment: Environment  #: where it was graded
    submissions: tuple[Grade, ...]  #: one for each student
    assignment: str = ""  #: the title of what was graded, if it is one assignment
    due: str = ""  #: the assignment's due date, ISO 8601
    explanations: Mapping[str, str] = field(default_factory=dict)  #: by exercise, in Markdown
    show: str = "examples"  #: of a failed test: `examples`, or `words` only
    mistakes: bool = False  #: whether known mistakes are also named with `words`
    schema: int = SCHEMA  #: the version of the file's format


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is, counted in results of what was submitted."""

    kept: int  #: from earlier runs
    todo: int
    done: int = 0
    running: tuple[str, ...] = ()  #: the students being judged
    student: str = ""
    results: tuple[ExerciseResult, ...] = ()  #: the newest, all of that student
    preparing: bool = False  #: judges still start and compile


@dataclass(frozen=True, slots=True)
class Judging:
    """How far a judge is with one exercise of a submission. It has begun when the first comes."""

    exercise: str  #: its id
    done: int  #: tests that have run
    of: int  #: tests to run
    seconds: float = field(default=0.0, compare=False)  #: that the code was charged so far


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about a course: where, what, and what to do."""

    where: str
    what: str
    todo: str

    def __str__(self) -> str:
        return f"`{self.where}`: {self.what}\n    {self.todo}"


# A student's own check


class Status(StrEnum):
    """How far a student is with an exercise, judged by the examples in it."""

    PASSED = "passed"
    UNJUDGED = "not judged"  #: predictions of a course that withholds their answers
    FLAWED = "flawed"  #: the examples pass, with a mistake that they don't show
    TO_FIX = "to fix"
    NOT_STARTED = "not started"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: a sentence with the cause, what to do, and the evidence."""

    sentence: str
    todo: str = ""
    line: int | None = None  #: with `code`, the place in the student's file
    code: str = ""
    text: str = ""  #: what the docstring says before the example
    example: str = ""
    expected: str = ""
    got: str = ""
    printed: str = ""  #: by the code, besides its answer
    error: str = ""  #: its class and text
    advice: Advice | None = None  #: where `sentence` and `todo` are from, if the cause is known

    @property
    def cause(self) -> tuple[str, int | None] | None:
        """Equal for findings that one mistake makes; None if no cause is known."""
        return None if self.advice is None else (self.advice.cause, self.advice.line)

    @property
    def evidence(self) -> tuple[tuple[str, str], ...]:
        labels = ("text", "example", "expected", "got", "printed", "error")
        return tuple((label, text) for label in labels if (text := getattr(self, label)))


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a student's own check found out about one exercise."""

    exercise: str
    path: str
    status: Status
    examples: int = 0  #: how many its docstring holds; 0 if the code didn't load
    findings: tuple[Finding, ...] = ()
    hints: tuple[Advice, ...] = ()  #: likely mistakes in the code, also if all examples pass
    picture: Mapping[str, Any] = field(default_factory=dict)  #: see `grader.student.pictures`

    @property
    def passed(self) -> bool:
        return self.status is Status.PASSED

    @property
    def is_wrong(self) -> bool:
        """Whether there is a mistake. An exercise that is not started has none."""
        return self.status in (Status.TO_FIX, Status.MISSING)


# Records as plain data or as bytes, for pipes, for files, for the store


def to_plain(record: Any) -> Any:
    """A record as dicts, tuples and strings, keys in the order of the fields."""
    import msgspec  # here and below, since it would slow down the start of every command

    return msgspec.to_builtins(record)


def from_plain(data: Any, kind: type[T]) -> T:
    """Plain data as a record of that kind. Raises `ValueError`, which names the place."""
    import msgspec

    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


def pack(record: Any) -> bytes:
    """A record, or a tuple of records, as bytes."""
    # msgspec doesn't write characters that UTF-8 can't encode, and `json` escapes them.
    return json.dumps(to_plain(record)).encode()


def unpack(data: bytes | str, kind: type[T]) -> T:
    """The inverse of `pack`. Raises `ValueError` if this is no such record."""
    return from_plain(json.loads(data), kind)


FACTS = {
    "size": "Your program has {} operations",
    "elements": "The arrays that your program creates have {} numbers in total",
    "constants": "The constants in your program have {} numbers in total",
    "flops": "Your program does {} arithmetic operations",
    "bytes": "Your program reads and writes {} bytes",
    "depth": "In your program, {} operations wait for one another",
    "devices": "Your program runs on a number of devices of {}",
    "flops_of_a_device": "On one device, your program does {} arithmetic operations",
    "sent_by_a_device": "On one device, your program sends {} bytes to others",
    "received_by_a_device": "On one device, your program receives {} bytes from others",
    "kept": "For the backward pass, your program keeps {} bytes",
}
"""The facts that a suite can ask about a program, each as a sentence."""
