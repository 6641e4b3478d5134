"""Where a race is run: on a bench with an exported program, or live with a worker.

    Track.launch() -> Launch    fresh processes
    Launch.share_a_core()       puts both sides on a random core
    Launch.deal(n, m)           fresh inputs for one pair, made and sent before any clock starts
    Launch.baseline(n)          seconds of n calls of the baseline
    Launch.student(m)           seconds of the student's calls, and their number (m at most)
    Launch.witness()            one of the calls just timed: its arguments and its result

The judge times both around an exchange, which ends when every result is ready. On the bench a
sample is one exchange, "call it m times", on inputs that are there already. In a live race each
call is its own exchange, and the whole result comes back: so no call can be deferred, merged with
another or replayed. No input is timed twice, so it is worth nothing to remember one.

The two sides are two processes. One that owes no answer is stopped, so nothing of a student's runs
beside the baseline. Noise can slow one of the two: a scheduler may leave it on a busy core for a
second. The random order of a pair's halves doesn't cancel that. So both share one core, a new one
for each pair (except where the exercise is about several devices).
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import jax
import numpy as np

from grader.engine.processes import faults
from grader.engine.processes.seat import Racer, RemoteSeat
from grader.engine.suite.codec import Codec
from grader.engine.suite.program import Program
from grader.engine.suite.submission import Function
from grader.engine.wire import arrays
from grader.records.errors import BrokenSuiteError

# No half takes more inputs than this, in number and in bytes, since each is drawn and sent once. So
# a sample is shorter where a call takes microseconds.
MOST_INPUTS, MOST_BYTES = 4096, 64 << 20
# Inputs go to a bench in frames of this many.
IN_A_FRAME = 500
# The module of a live race's baseline: it returns the function as a handle.
_KEEPER = "def keep(function):\n    return function\n"
# System randomness, so that a submission can't predict the order or which call is verified.
_CHANCE = random.SystemRandom()

Args = tuple[Any, ...]


class Launch(Protocol):
    """One attempt at a race, in new processes."""

    def share_a_core(self) -> None: ...

    def deal(self, baseline: int, student: int) -> None: ...

    def baseline(self, calls: int) -> float: ...

    def student(self, calls: int, seconds: float) -> tuple[float, int]: ...

    def witness(self) -> tuple[Args, Any]: ...


class Track(Protocol):
    """A way to run a race."""

    @property
    def live(self) -> bool: ...

    @property
    def most_inputs(self) -> int: ...

    def launch(self) -> AbstractContextManager[Launch]: ...


@dataclass
class Inputs:
    """Draws from a suite's `args`: the same shapes and new values each time."""

    _make: Callable[[Any], Any]
    _rng: np.random.Generator
    _kind: Any = None
    _first: Args = ()

    @property
    def most(self) -> int:
        """How many one half of a pair may take."""
        sizes = [leaf.nbytes for leaf in jax.tree.leaves(self._first) if arrays.is_array(leaf)]
        return min(MOST_INPUTS, int(MOST_BYTES // max(1, sum(sizes))))

    def fresh(self) -> Args:
        """One call's arguments. Raises `BrokenSuiteError` if shapes or dtypes changed."""
        made = self._make(self._rng)
        args = made if isinstance(made, tuple) and not hasattr(made, "_fields") else (made,)
        kind = jax.tree.structure(args), [_kind(leaf) for leaf in jax.tree.leaves(args)]
        if self._kind is None:
            self._kind, self._first = kind, args
        if kind != self._kind:
            raise BrokenSuiteError(
                f"a race's `args` made {kind}, but earlier {self._kind}; it must draw new values "
                "of the same shapes and dtypes"
            )
        return args


def _kind(leaf: Any) -> Any:
    return (leaf.shape, str(leaf.dtype)) if arrays.is_array(leaf) else leaf


@dataclass(frozen=True)
class Sides:
    """The two processes of a launch, and the cores that they may share."""

    student: Racer
    baseline: Racer
    cores: list[int]

    @classmethod
    @contextmanager
    def start(cls, seat: RemoteSeat, role: str) -> Iterator[Sides]:
        cores = sorted(os.sched_getaffinity(0)) if seat.exercise.devices == 1 else []
        with seat.racing(role) as (student, baseline):
            yield cls(student, baseline, cores)


@dataclass
class _OnSides:
    """What launches have in common."""

    _sides: Sides

    def share_a_core(self) -> None:
        if self._sides.cores:
            core = _CHANCE.choice(self._sides.cores)
            self._sides.student.child.pin(core)
            self._sides.baseline.child.pin(core)


@dataclass(frozen=True)
class BenchTrack:
    """An exported program against a baseline, in two processes without any student Python."""

    seat: RemoteSeat
    codec: Codec
    program: Program
    baseline: Callable[..., Any]
    inputs: Inputs
    live: ClassVar[bool] = False

    @property
    def most_inputs(self) -> int:
        return self.inputs.most

    @contextmanager
    def launch(self) -> Iterator[Launch]:
        with Sides.start(self.seat, "bench") as sides:
            sides.student.ask("start", {"program": self.program.exported, "function": None})
            baseline = self.codec.encode(self.baseline)
            sides.baseline.ask("start", {"program": None, "function": baseline})
            yield _BenchLaunch(sides, self.codec, self.program, self.inputs)


@dataclass
class _BenchLaunch(_OnSides):
    _codec: Codec
    _program: Program
    _inputs: Inputs
    _dealt: list[Args] = field(default_factory=list)
    _answered: int = 0

    def deal(self, baseline: int, student: int) -> None:
        self._answered = 0
        self._deal(self._sides.baseline, baseline)
        self._dealt = self._deal(self._sides.student, student)

    def _deal(self, side: Racer, count: int) -> list[Args]:
        dealt = [self._inputs.fresh() for _ in range(count)]
        args = [self._codec.encode(call) for call in dealt]
        starts = range(0, count, IN_A_FRAME)
        frames = [{"args": args[n : n + IN_A_FRAME], "more": n > 0} for n in starts]
        side.converse("deal", frames or [{"args": [], "more": False}], ours=True)
        return dealt

    def baseline(self, calls: int) -> float:
        self._sides.student.child.rest()
        sample = {"calls": calls, "seconds": 3600.0}
        return self._sides.baseline.converse("sample", [sample]).seconds

    def student(self, calls: int, seconds: float) -> tuple[float, int]:
        sample = {"calls": calls, "seconds": seconds}
        (frame,), taken = self._sides.student.converse("sample", [sample])
        done = min(max(1, int(frame.value)), calls)
        self._answered += done
        return taken, done

    def witness(self) -> tuple[Args, Any]:
        answer = self._sides.student.ask("witness", {})
        number, timed = answer["number"], answer["timed"]
        if not 0 <= number < self._answered:
            raise faults.Crashed(faults.LIES, "an answer to a call that was not made")
        if timed != answer["again"]:
            raise faults.Refused(
                "Your exported program can't be judged: it gives a different answer to the same "
                "input the second time.",
                f"call {number}",
            )
        return self._dealt[number], self._program.restored(self._codec.decode(timed))


@dataclass(frozen=True)
class LiveTrack:
    """A function in a worker against a baseline in another, call by call."""

    seat: RemoteSeat
    function: Function
    baseline: Callable[..., Any]
    inputs: Inputs
    live: ClassVar[bool] = True

    @property
    def most_inputs(self) -> int:
        return self.inputs.most

    @contextmanager
    def launch(self) -> Iterator[Launch]:
        with Sides.start(self.seat, "student") as sides:
            keeper = {"source": _KEEPER, "path": "baseline", "numpy": self.seat.exercise.numpy}
            sides.baseline.ask("load", keeper)
            kept = {"target": "keep", "stack": [], "kwargs": {}}
            given = (self.function.codec.encode(self.baseline),)
            handle = sides.baseline.ask("call", {**kept, "args": given})
            question = {"target": handle.number, "stack": [], "kwargs": {}}
            yield _LiveLaunch(sides, self.function, question, self.inputs)


@dataclass
class _LiveLaunch(_OnSides):
    _function: Function
    _question: dict[str, Any]
    _inputs: Inputs
    _asked: list[dict[str, Any]] = field(default_factory=list)
    _used: int = 0
    _dealt: list[Args] = field(default_factory=list)
    _questions: list[dict[str, Any]] = field(default_factory=list)
    _answers: list[Any] = field(default_factory=list)

    def deal(self, baseline: int, student: int) -> None:
        codec = self._function.codec
        own = [codec.encode(self._inputs.fresh()) for _ in range(baseline)]
        self._asked, self._used = [{**self._question, "args": args} for args in own], 0
        self._dealt = [self._inputs.fresh() for _ in range(student)]
        self._questions = [self._function.question(args) for args in self._dealt]
        self._answers = []

    def baseline(self, calls: int) -> float:
        self._sides.student.child.rest()
        asked = self._asked[self._used : self._used + calls]
        self._used += calls
        return self._sides.baseline.converse("call", asked).seconds

    def student(self, calls: int, seconds: float) -> tuple[float, int]:
        first = len(self._answers)
        asked = self._questions[first : first + calls]
        frames, taken = self._sides.student.converse("call", asked, until=seconds)
        self._answers += [frame.value for frame in frames]
        return taken, len(frames)

    def witness(self) -> tuple[Args, Any]:
        number = _CHANCE.randrange(len(self._answers))
        return self._dealt[number], self._function.codec.decode(self._answers[number])
