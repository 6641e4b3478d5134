"""Where a race is run: on a bench with an exported program, or live with a worker.

    Track.launch() -> Launch    fresh processes, and everything compiled
    Launch.deal(n, m)           fresh inputs for one pair, made and sent before any clock starts
    Launch.baseline(n)          seconds of n calls of the baseline
    Launch.student(m)           seconds of m calls of the student's, and how many it were
    Launch.witness()            one of the calls just timed: its arguments and its result

Both are timed by the judge, around an exchange that ends when every result is there. On the
bench a sample is one exchange: "call it m times", on inputs that lie there already; programs
remember nothing, so a few inputs serve in turn. Live, every call is an exchange of its own with
an input that no call ever had, and its whole result comes back: nothing can be deferred, merged
or replayed. Whoever owes no answer is stopped: no thread of a student's runs beside the baseline.

Noise that sticks to a process doesn't cancel when the halves of a pair change places: a scheduler
that leaves one of two processes on the crowded core for a second would decide a race. So both
share one core, another one in each pair (unless the exercise is about several devices).
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import jax
import numpy as np

from grader.errors import BrokenSuiteError
from grader.judge.exported import Program
from grader.judge.proxy import Codec, Function
from grader.judge.seat import Racer, RemoteSeat

# How many inputs a bench takes in turn.
POOL = 8
# What answers for a baseline in a live race: a module that gives a function back as a handle.
_KEEPER = "def keep(function):\n    return function\n"
# The order of halves and the calls that are looked at: nobody's to predict.
_CHANCE = random.SystemRandom()

Args = tuple[Any, ...]


class Launch(Protocol):
    """One go of a race, in processes of its own."""

    def deal(self, baseline: int, student: int) -> None: ...

    def baseline(self, calls: int) -> float: ...

    def student(self, calls: int, seconds: float) -> tuple[float, int]: ...

    def witness(self) -> tuple[Args, Any]: ...


class Track(Protocol):
    """A place to race."""

    live: bool

    def launch(self) -> AbstractContextManager[Launch]: ...


class Inputs:
    """What `args` of a suite makes: always the same shapes, and never the same values."""

    def __init__(self, make: Callable[[Any], Any], rng: np.random.Generator) -> None:
        self._make = make
        self._rng = rng
        self._kind: Any = None

    def fresh(self) -> Args:
        """Raises `BrokenSuiteError` if it can't be called alike with every draw."""
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


class BenchTrack:
    """An exported program against a baseline, in a process without any student Python."""

    live = False

    def __init__(
        self,
        seat: RemoteSeat,
        codec: Codec,
        program: Program,
        baseline: Callable[..., Any],
        inputs: Inputs,
    ) -> None:
        self._seat = seat
        self._codec = codec
        self._program = program
        self._baseline = baseline
        self._inputs = inputs

    @contextmanager
    def launch(self) -> Iterator[Launch]:
        with self._seat.racing("bench") as (bench,):
            race = {
                "program": self._program.exported,
                "baseline": self._codec.encode(self._baseline),
            }
            bench.ask("enter", race)
            yield _BenchLaunch(bench, self._codec, self._program, self._inputs)


class _BenchLaunch:
    def __init__(self, bench: Racer, codec: Codec, program: Program, inputs: Inputs) -> None:
        self._bench = bench
        self._codec = codec
        self._program = program
        self._inputs = inputs
        self._dealt: list[Args] = []
        self._answered = 0

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


class LiveTrack:
    """A function in a worker against a baseline in another, call by call."""

    live = True

    def __init__(
        self,
        seat: RemoteSeat,
        function: Function,
        baseline: Callable[..., Any],
        inputs: Inputs,
    ) -> None:
        self._seat = seat
        self._function = function
        self._baseline = baseline
        self._inputs = inputs

    @contextmanager
    def launch(self) -> Iterator[Launch]:
        with self._seat.racing("student", "baseline") as (student, baseline):
            baseline.ask("load", {"source": _KEEPER, "path": "baseline"})
            kept = {"target": "keep", "stack": [], "kwargs": {}}
            codec = self._function.codec
            handle = baseline.ask("call", {**kept, "args": (codec.encode(self._baseline),)})
            question = {"target": handle.number, "stack": [], "kwargs": {}}
            cores = sorted(os.sched_getaffinity(0)) if self._seat.exercise.devices == 1 else []
            sides = _Sides(student, baseline, cores)
            yield _LiveLaunch(sides, self._function, question, self._inputs)


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


class _LiveLaunch:
    def __init__(
        self, sides: _Sides, function: Function, question: dict[str, Any], inputs: Inputs
    ) -> None:
        self._sides = sides
        self._function = function
        self._question = question
        self._inputs = inputs
        self._asked: list[dict[str, Any]] = []
        self._dealt: list[Args] = []
        self._questions: list[dict[str, Any]] = []
        self._answers: list[Any] = []

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
