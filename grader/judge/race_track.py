"""Where a race is run: on a bench with an exported program, or live with a worker.

    Track.launch() -> Launch    fresh processes, and everything compiled
    Launch.deal(n, m)           fresh inputs for one pair, made and sent before any clock starts
    Launch.baseline(n)          seconds of n calls of the baseline
    Launch.student(m)           seconds of the student's calls, and their number (m at most)
    Launch.witness()            one of the calls just timed: its arguments and its result

The judge times both around an exchange, which ends when every result is ready. On the bench a
sample is one exchange, "call it m times", on inputs that the bench already has. Programs have no
state, so a few inputs are used in turn. In a live race each call is its own exchange with a new
input, and the whole result comes back: so no call can be deferred, merged with another or
replayed. A process that owes no answer is stopped, so no student's thread runs beside the baseline.

Noise can slow one of the two: a scheduler may leave it on a busy core for a second. The
random order of a pair's halves doesn't cancel that. So both processes share one core, a new one
for each pair (except where the exercise is about several devices).
"""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import jax
import numpy as np

from grader.errors import BrokenSuiteError
from grader.judge.program import Program
from grader.judge.proxy import Codec, Function
from grader.judge.seat import Racer, RemoteSeat

# A bench uses this many inputs in turn.
POOL = 8
# The module of a live race's baseline: it returns the function as a handle.
_KEEPER = "def keep(function):\n    return function\n"
# System randomness, so that a submission can't predict the order or which call is verified.
_CHANCE = random.SystemRandom()

Args = tuple[Any, ...]


class Launch(Protocol):
    """One attempt at a race, in new processes."""

    def deal(self, baseline: int, student: int) -> None: ...

    def baseline(self, calls: int) -> float: ...

    def student(self, calls: int, seconds: float) -> tuple[float, int]: ...

    def witness(self) -> tuple[Args, Any]: ...


class Track(Protocol):
    """A way to run a race."""

    @property
    def live(self) -> bool: ...

    def launch(self) -> AbstractContextManager[Launch]: ...


@dataclass
class Inputs:
    """Draws from a suite's `args`: the same shapes and new values each time."""

    _make: Callable[[Any], Any]
    _rng: np.random.Generator
    _kind: Any = None

    def fresh(self) -> Args:
        """One call's arguments. Raises `BrokenSuiteError` if shapes or dtypes changed."""
        made = self._make(self._rng)
        args = made if isinstance(made, tuple) and not hasattr(made, "_fields") else (made,)
        kind = jax.tree.structure(args), [_kind(leaf) for leaf in jax.tree.leaves(args)]
        if self._kind is None:
            self._kind = kind
        if kind != self._kind:
            raise BrokenSuiteError(
                f"`args` of a race made {kind} and before that {self._kind}; let it draw new "
                "values of the same shapes and dtypes"
            )
        return args


def _kind(leaf: Any) -> Any:
    is_array = isinstance(leaf, np.ndarray | np.generic | jax.Array)
    return (leaf.shape, str(leaf.dtype)) if is_array else leaf


@dataclass(frozen=True)
class BenchTrack:
    """An exported program against a baseline, in a process without any student Python."""

    seat: RemoteSeat
    codec: Codec
    program: Program
    baseline: Callable[..., Any]
    inputs: Inputs
    live: ClassVar[bool] = False

    @contextmanager
    def launch(self) -> Iterator[Launch]:
        with self.seat.racing("bench") as (bench,):
            baseline = self.codec.encode(self.baseline)
            bench.ask("enter", {"program": self.program.exported, "baseline": baseline})
            yield _BenchLaunch(bench, self.codec, self.program, self.inputs)


@dataclass
class _BenchLaunch:
    _bench: Racer
    _codec: Codec
    _program: Program
    _inputs: Inputs
    _dealt: list[Args] = field(default_factory=list)
    _answered: int = 0

    def deal(self, baseline: int, student: int) -> None:
        count = min(POOL, max(baseline, student))
        self._dealt = [self._inputs.fresh() for _ in range(count)]
        self._answered = 0
        args = [self._codec.encode(given) for given in self._dealt]
        self._bench.converse("deal", [{"args": args}], ours=True)

    def baseline(self, calls: int) -> float:
        sample = {"side": "baseline", "calls": calls, "seconds": 3600.0}
        return self._bench.converse("sample", [sample], ours=True).seconds

    def student(self, calls: int, seconds: float) -> tuple[float, int]:
        sample = {"side": "student", "calls": calls, "seconds": seconds}
        (frame,), taken = self._bench.converse("sample", [sample])
        done = min(max(1, int(frame.value)), calls)
        self._answered = max(self._answered, min(done, len(self._dealt)))
        return taken, done

    def witness(self) -> tuple[Args, Any]:
        number = _CHANCE.randrange(self._answered)
        outputs = self._codec.decode(self._bench.ask("output", {"number": number}))
        return self._dealt[number], self._program.restored(outputs)


@dataclass(frozen=True)
class LiveTrack:
    """A function in a worker against a baseline in another, call by call."""

    seat: RemoteSeat
    function: Function
    baseline: Callable[..., Any]
    inputs: Inputs
    live: ClassVar[bool] = True

    @contextmanager
    def launch(self) -> Iterator[Launch]:
        with self.seat.racing("student", "baseline") as (student, baseline):
            baseline.ask("load", {"source": _KEEPER, "path": "baseline"})
            kept = {"target": "keep", "stack": [], "kwargs": {}}
            given = (self.function.codec.encode(self.baseline),)
            handle = baseline.ask("call", {**kept, "args": given})
            question = {"target": handle.number, "stack": [], "kwargs": {}}
            cores = sorted(os.sched_getaffinity(0)) if self.seat.exercise.devices == 1 else []
            sides = _Sides(student, baseline, cores)
            yield _LiveLaunch(sides, self.function, question, self.inputs)


@dataclass(frozen=True)
class _Sides:
    """The two processes of a live launch, and the cores that they may share."""

    student: Racer
    baseline: Racer
    cores: list[int]

    def share_a_core(self) -> None:
        if self.cores:
            core = _CHANCE.choice(self.cores)
            self.student.pin(core)
            self.baseline.pin(core)


@dataclass
class _LiveLaunch:
    _sides: _Sides
    _function: Function
    _question: dict[str, Any]
    _inputs: Inputs
    _asked: list[dict[str, Any]] = field(default_factory=list)
    _dealt: list[Args] = field(default_factory=list)
    _questions: list[dict[str, Any]] = field(default_factory=list)
    _answers: list[Any] = field(default_factory=list)

    def deal(self, baseline: int, student: int) -> None:
        codec = self._function.codec
        own = [codec.encode(self._inputs.fresh()) for _ in range(baseline)]
        self._asked = [{**self._question, "args": args} for args in own]
        self._dealt = [self._inputs.fresh() for _ in range(student)]
        self._questions = [self._function.question(args) for args in self._dealt]
        self._answers = []
        self._sides.share_a_core()

    def baseline(self, calls: int) -> float:
        self._sides.student.rest()
        return self._sides.baseline.converse("call", self._asked[:calls]).seconds

    def student(self, calls: int, seconds: float) -> tuple[float, int]:
        first = len(self._answers)
        asked = self._questions[first : first + calls]
        frames, taken = self._sides.student.converse("call", asked, until=seconds)
        self._answers += [frame.value for frame in frames]
        return taken, len(frames)

    def witness(self) -> tuple[Args, Any]:
        number = _CHANCE.randrange(len(self._answers))
        return self._dealt[number], self._function.codec.decode(self._answers[number])
