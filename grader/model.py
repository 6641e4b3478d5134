"""The nouns: frozen records that travel between modules, processes and files.

    Exercise  what a course asks for, with its Limits
    Submission = Sources + Notes  what somebody handed in; text only, nothing executed
    Job       one submission for one judge
    TestResult (with its Races) -> ExerciseResult -> Grade -> Run
    Problem   one finding of `grader verify`; Strength  what its mutations say of a suite

Records know nothing of how others are made; `grader.records` turns them into JSON and back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

SCHEMA = 1
# Waiting for a core that others keep busy is not a student's time; but no call, and no exercise,
# lasts longer than so many of its limits.
MOST_CROWDED = 4


class Outcome(StrEnum):
    """What became of a test or an exercise.

    All but the last two are the student's. `undecided` is the machine's and never costs a
    point; `broken` is ours, can't be scored, and stops a run with exit code 4.
    """

    PASSED = "passed"
    FAILED = "failed"
    RAISED = "raised"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"
    MISSING = "missing"
    UNDECIDED = "undecided"
    BROKEN = "broken"


class Status(StrEnum):
    """How far a student is with an exercise, by its own examples."""

    PASSED = "passed"
    TO_FIX = "to fix"
    NOT_STARTED = "not started"
    MISSING = "missing"


@dataclass(frozen=True)
class Limits:
    """What one exercise of one submission may use. The catalogue can set each."""

    seconds: float = 20.0
    """Wall time of the student's code in one test."""
    total_seconds: float = 60.0
    """Wall time of the student's code in all tests of one exercise."""
    memory_mb: int = 3072
    """Resident memory of the worker (JAX itself takes about 300)."""
    threads: int = 256
    """Threads of the worker (XLA takes about 20, with 8 devices about 120)."""
    processes: int = 0
    """Processes that the student's code may start."""
    output_kb: int = 256
    """What it may print."""
    message_mb: int = 64
    """One value that it returns."""
    disk_mb: int = 64
    """What it may write to its scratch folder."""

    def scaled(self, factor: float) -> Limits:
        """The same with `factor` times the seconds, and the memory beyond JAX's own."""
        return dataclasses.replace(
            self,
            seconds=self.seconds * factor,
            total_seconds=self.total_seconds * factor,
            memory_mb=500 + int((self.memory_mb - 500) * factor),
        )


@dataclass(frozen=True)
class Exercise:
    """One task of a course. `id` is "topic/stem"; `defines` are the names that it asks for."""

    id: str
    title: str
    defines: tuple[str, ...]
    devices: int = 1
    limits: Limits = field(default_factory=Limits)
    runs_long: bool = False
    """Whether its programs run for longer than it takes to compile them, as a training does."""

    @property
    def topic(self) -> str:
        return self.id.split("/")[0]

    @property
    def stem(self) -> str:
        return self.id.split("/")[-1]


@dataclass(frozen=True)
class Source:
    """The Python text that a submission holds for one exercise; `path` as the student knows it."""

    exercise: str
    path: str
    text: str


@dataclass(frozen=True)
class Note:
    """Something in a submission that was not graded, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class Submission:
    """What somebody handed in. `problem` says why it could not be read, if it couldn't."""

    id: str
    digest: str
    sources: tuple[Source, ...] = ()
    notes: tuple[Note, ...] = ()
    problem: str | None = None

    def only(self, exercises: Collection[str]) -> Submission:
        """The same with the sources of these exercises alone."""
        sources = tuple(source for source in self.sources if source.exercise in exercises)
        return dataclasses.replace(self, sources=sources)


@dataclass(frozen=True)
class Job:
    """One submission to be judged at the given exercises; `number` is its place in a run.

    Of an exercise in `races` only the tests named there race; the others that would are left out.
    """

    submission: Submission
    exercises: tuple[str, ...]
    number: int = 0
    races: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Terms:
    """How judges judge.

    `scale` multiplies the limits. A `proving` judge is about suites rather than students: it goes
    on with one that fails its own solution, and remembers no verdict on speed. A `hasty` one runs
    each suite to the first test that is lost; the others are `missing`. Without `races` the tests
    that need a clock are left out, as if no suite had them.
    """

    isolation: str
    seed: str
    scale: float = 1.0
    proving: bool = False
    hasty: bool = False
    races: bool = True


@dataclass(frozen=True)
class Race:
    """A verdict on speed, with all that it rests on.

    `ratio` is the median over all pairs of the baseline's seconds over the student's, `low` and
    `high` its interval (95 %); `launches` holds the ratio of each pair, launch by launch.
    """

    name: str
    at_least: float
    live: bool
    verdict: Outcome
    ratio: float
    low: float
    high: float
    launches: tuple[tuple[float, ...], ...]
    remembered: bool = False
    """Whether an earlier run on this machine decided it, for the same file and suite."""
    wrong: bool = False
    """Whether it ended with a result that was timed and wrong."""

    def __str__(self) -> str:
        measured = f"{self.ratio:.3g}x ({self.low:.3g} to {self.high:.3g})"
        return f"{measured}, needed {self.at_least:g}x"


@dataclass(frozen=True)
class Advice:
    """What went wrong, in a student's terms, and what to do: nothing of a hidden test is in it.

    `cause` names the misconception for machines ("tracer-bool", "transposed"): equal causes are
    counted together. `line` and `code` are of the student's own file, `page` explains more.
    """

    cause: str
    sentence: str
    todo: str = ""
    line: int | None = None
    code: str = ""
    page: str = ""


@dataclass(frozen=True)
class TestResult:
    """One claim about one submission.

    `message` and `hint` are for the student and hold nothing of a hidden test; `detail` is
    for the teacher and holds everything.
    """

    __test__ = False

    id: str
    title: str
    outcome: Outcome
    points: float
    max_points: float
    seconds: float = 0.0
    message: str = ""
    hint: str = ""
    detail: str = ""
    races: tuple[Race, ...] = ()
    advice: Advice | None = None


@dataclass(frozen=True)
class ExerciseResult:
    """All tests of one exercise. `score` is None when it can't be scored.

    `findings` are likely mistakes that were seen in the code: hints, which cost no point. `path`
    is the graded file as the student knows it; messages name lines of it.
    """

    id: str
    outcome: Outcome
    score: float | None
    max_score: float
    tests: tuple[TestResult, ...] = ()
    message: str = ""
    findings: tuple[Advice, ...] = ()
    path: str = ""


@dataclass(frozen=True)
class Grade:
    """The mark of one submission. `score` is None when an exercise of it can't be scored."""

    id: str
    digest: str
    score: float | None
    max_score: float
    exercises: tuple[ExerciseResult, ...] = ()
    notes: tuple[Note, ...] = ()
    problem: str | None = None


@dataclass(frozen=True)
class Environment:
    """Where a run was graded. `isolation` lists the layers in force; `seed` repeats the run."""

    jax: str
    python: str
    platform: str
    isolation: tuple[str, ...]
    seed: str


@dataclass(frozen=True)
class Run:
    """Everything that one `grade` found out."""

    course: str
    grader: str
    environment: Environment
    submissions: tuple[Grade, ...]
    schema: int = SCHEMA


@dataclass(frozen=True)
class Progress:
    """Where a run is: results that were there before, to be judged, and judged since."""

    kept: int
    todo: int
    done: int = 0
    running: tuple[str, ...] = ()
    student: str = ""
    results: tuple[ExerciseResult, ...] = ()
    """The newest, all of one student."""
    preparing: bool = False
    """Whether judges are still starting and compiling."""


@dataclass(frozen=True)
class Problem:
    """One finding about a course: where, what, and what to do."""

    where: str
    what: str
    todo: str

    def __str__(self) -> str:
        return f"`{self.where}`: {self.what}\n    {self.todo}"


@dataclass(frozen=True)
class Survivor:
    """A mutation that no test notices."""

    line: int
    change: str


@dataclass(frozen=True)
class Strength:
    """What became of the mutations of one exercise; `equivalent` maps changes to reasons."""

    exercise: str
    killed: int
    survivors: tuple[Survivor, ...]
    equivalent: tuple[tuple[str, str], ...]

    @property
    def mutants(self) -> int:
        """All that could have been noticed."""
        return self.killed + len(self.survivors)
