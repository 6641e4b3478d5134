"""`race`: is a function at least K times as fast as a baseline? Noise can't flip the verdict.

    right? -> launch: compile -> warm up, n from the baseline -> pairs -> evidence -> a verdict
                |  again, in new processes, until there is one (three times at most)
              one result of each pair is checked

A pair is one sample of n calls of the baseline and one of about n K calls of the student's, in
random order. Both take equally long if the student's true ratio is between the two lines.
`evidence` decides what pairs prove; `track` runs them. The size of a
sample depends on the baseline alone, so a student can't change it by being slow or fast at first.
A student's half is cut short as soon as it has lost. All but the compilation runs alone on the
machine.
"""

from __future__ import annotations

import dataclasses
import math
import os
import platform
import random
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grader import __version__
from grader.course.raced import RaceTerms
from grader.engine.processes import faults
from grader.engine.race.track import BenchTrack, Inputs, Launch, LiveTrack, Track
from grader.engine.suite.submission import Function
from grader.records import digests
from grader.records.cache import Cache
from grader.records.errors import BrokenSuiteError
from grader.records.evidence import MIDDLE, PASS_LINE, Tally
from grader.records.model import Outcome, Race

# An author's own pytest shows the suite's line, and none of this file.
__tracebackhide__ = True

# The seconds of the baseline's half, by launch. A launch without a verdict is followed by one with
# longer samples, in which more noise averages out.
SAMPLE_SECONDS = (0.010, 0.020, 0.040)
LONGEST_SAMPLE = 0.100
WARM_UP = 3
CALIBRATIONS = 3
# The halves of a pair differ by less than this where both sides are equally fast.
UNEVEN = 0.02
# A half is cut when it takes this many times as long as a half that just reaches 0.85 K.
CUT = 1.5
_CHANCE = random.SystemRandom()

Check = Callable[..., None]


class Verdicts:
    """Stored verdicts on the races of one test of one submission.

    (source, suite, solution, test, race, machine, grader) --digest--> cache

    Each race errs with a small probability: the same slow file, submitted a hundred times, would
    pass once. So the same file gets the same verdict again on this machine, except for an undecided
    one. Delete `verdicts` in the cache to race again.
    """

    def __init__(self, parts: Iterable[str], counts: Callable[[], bool] = lambda: True) -> None:
        """`counts` says whether a new verdict may be stored."""
        self._cache = Cache("verdicts")
        self._counts = counts
        self._parts = (*parts, machine(), __version__)

    def recall(self, name: str) -> Race | None:
        """A stored verdict, marked as such, if there is one."""
        kept = self._cache.get(self._key(name), Race)
        return None if kept is None else dataclasses.replace(kept, remembered=True)

    def keep(self, name: str, race: Race) -> None:
        """Stores a verdict, if it counts."""
        if self._counts():
            self._cache.put(self._key(name), race)

    def _key(self, name: str) -> str:
        return digests.of(*self._parts, name)


def machine() -> str:
    """The properties of this machine on which a ratio of two times depends."""
    model = ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line for line in file if line.startswith("model name")), "")
    except OSError:
        pass
    return f"{platform.node()} {platform.machine()} {os.cpu_count()} {model.strip()}"


@dataclass
class Races:
    """The fixture `race` of one test, and every race that it has run. Call it: `race(f, ...)`."""

    seat: Any
    rng: np.random.Generator
    verdicts: Verdicts | None = None
    """Verdicts of earlier runs; None races each time."""
    on_pair: Callable[[Race], None] = lambda _: None
    alone: Callable[[], AbstractContextManager[None]] = nullcontext
    """Inside it, no other judge works on this machine."""
    terms: RaceTerms | None = None
    """Those of the stub."""
    done: list[Race] = field(default_factory=list)

    def __call__(
        self,
        function: Function,
        *,
        baseline: Callable[..., Any],
        check: Check,
        args: Callable[[np.random.Generator], Any] | None = None,
        at_least: float | None = None,
        live: bool = False,
    ) -> Race | None:
        """Checks that a function runs at least `at_least` times as fast as `baseline`.

        Without `args`, the `RACE` of the stub says what `args`, `at_least` and `live` are.

        Args:
            function: of the submission, with any transformations: `submission.f.vmap()`.
            baseline: a suite function, called with the same arguments. It runs as written: wrap
                it in `jax.jit` to compare with a compiled program. One call should take between
                1 and 30 ms.
            args: creates the arguments of one call from a NumPy generator, always with the same
                shapes and dtypes. Draw from the function's whole intended range: otherwise a
                shortcut for your inputs wins. In a live race against an eager baseline, plain
                NumPy may also win, so test that the function can be traced.
            at_least: the published ratio K. Below 0.85 K a function passes in at most 1 of 200
                races; above K it fails in at most 1 of 1000.
            check: `check(result, *args)` raises `AssertionError` for a wrong result. It receives
                a first result, and then the result of one timed call of each pair.
            live: False races the exported program, without the student's Python. True
                races the Python callable itself, to find a forgotten `jit` or a retrace in each
                call. An exchange costs about 0.2 ms on both sides, so a live call
                should take a millisecond or more.

        Returns:
            The verdict with its ratios; None with `--debug-in-process`, which only checks a result.

        Raises:
            TooSlow: the verdict is "failed".
            Mismatch: a result is wrong.
            Undecided: there is no verdict; the judge tries again later.
            BrokenSuiteError: the baseline fails, or `args` changes shapes or is missing.
        """
        if args is None and self.terms is not None:
            args, at_least = self.terms.drawn, self.terms.at_least
            live = not self.terms.compiled
        if args is None or at_least is None:
            raise BrokenSuiteError("a race needs `args` and `at_least`, or `RACE` in the stub")
        inputs = Inputs(args, self.rng)
        name = f"{len(self.done)}:{function.name}:{at_least}"
        first = inputs.fresh()
        if live:
            check(function(*first), *first)
            track: Track = LiveTrack(self.seat, function, baseline, inputs)
        else:
            program = function.program(*first)
            check(program.structured(*first), *first)
            track = BenchTrack(self.seat, function.codec, program, baseline, inputs)
        if not self.seat.can_race:
            return None
        race = self.verdicts.recall(name) if self.verdicts is not None else None
        if race is None:
            race = self._run(name, function, track, at_least, check)
        self._remember(name, race)
        return _concluded(race)

    def _run(
        self, name: str, function: Function, track: Track, at_least: float, check: Check
    ) -> Race:
        def on_pair(tally: Tally, launch: Launch) -> None:
            record = _record(function.name, track, tally)
            args, result = launch.witness()
            try:
                check(result, *args)
            except AssertionError:
                # This is stored, too: a function that is sometimes wrong can't pass by luck.
                wrong = dataclasses.replace(record, verdict=Outcome.FAILED, wrong=True)
                self._remember(name, wrong)
                raise
            self.on_pair(record)

        return _record(function.name, track, run(track, at_least, on_pair, self.alone))

    def _remember(self, name: str, race: Race) -> None:
        self.done.append(race)
        is_new = not race.remembered and race.verdict is not Outcome.UNDECIDED
        if is_new and self.verdicts is not None:
            self.verdicts.keep(name, race)


def run(
    track: Track,
    at_least: float,
    on_pair: Callable[[Tally, Launch], None] = lambda *_: None,
    alone: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Tally:
    """Races until there is a verdict, or until all launches are used.

    The first call of each side compiles, which may take seconds. So it is made beside others. What
    is timed runs `alone`.
    """
    tally = Tally(at_least, ())
    while not tally.is_over:
        with track.launch() as launch:
            launch.deal(1, 1)
            launch.student(1, math.inf)
            launch.baseline(1)
            with alone():
                tally = _race(track, launch, tally, on_pair)
    return tally


def _race(
    track: Track, launch: Launch, tally: Tally, on_pair: Callable[[Tally, Launch], None]
) -> Tally:
    """The tally with the pairs of one more launch."""
    before, at_least = tally.launches, tally.at_least
    without_a_vote = len(before) - tally.votes
    most = max(1, int(track.most_inputs / max(1.0, at_least * MIDDLE)))
    pairing = _Pairing.on(launch, at_least, SAMPLE_SECONDS[without_a_vote], most)
    ratios: tuple[float, ...] = ()
    while not ratios or not tally.launch_is_over:
        ratios = (*ratios, pairing.ratio(launch))
        tally = Tally(at_least, (*before, ratios), pairing.seconds / pairing.baseline)
        on_pair(tally, launch)
    return tally


@dataclass(frozen=True)
class _Pairing:
    """How many calls of each side make a pair, and how long the baseline's take."""

    at_least: float
    baseline: int
    student: int
    seconds: float

    @classmethod
    def on(cls, launch: Launch, at_least: float, sample: float, most: int) -> _Pairing:
        """Warms both sides up; then finds how many baseline calls take `sample` seconds.

        They are at most `most`.
        """
        launch.share_a_core()
        launch.deal(WARM_UP, WARM_UP)
        ours = launch.baseline(WARM_UP)
        # Others wait meanwhile.
        launch.student(WARM_UP, CUT * max(ours, sample))
        calls = 1
        while True:
            launch.share_a_core()
            launch.deal(CALIBRATIONS * calls, 0)
            seconds = min(launch.baseline(calls) for _ in range(CALIBRATIONS))
            if seconds >= sample / 2 or calls == most:
                break
            calls = min(most, math.ceil(calls * min(8, 1.2 * sample / seconds)))
        per_call = seconds / calls
        calls = min(most, math.ceil(sample / per_call))
        longest = min(most, LONGEST_SAMPLE / per_call)
        while _unevenness(calls, at_least) > UNEVEN and calls + 1 < longest:
            calls += 1
        return cls(at_least, calls, _students(calls, at_least), calls * per_call)

    def ratio(self, launch: Launch) -> float:
        """Runs a pair: the baseline's seconds for a call, divided by the student's."""
        launch.share_a_core()
        launch.deal(self.baseline, self.student)
        if _CHANCE.random() < 0.5:
            ours = launch.baseline(self.baseline)
            theirs, calls = launch.student(self.student, self._lost(ours))
        else:
            theirs, calls = launch.student(self.student, self._lost(self.seconds))
            ours = launch.baseline(self.baseline)
            # If the baseline is slow at the moment, too, the half was cut too early.
            while calls < self.student and theirs < self._lost(ours):
                left = self._lost(ours) - theirs
                seconds, more = launch.student(self.student - calls, left)
                theirs, calls = theirs + seconds, calls + more
        return (ours / self.baseline) / (theirs / calls)

    def _lost(self, seconds: float) -> float:
        """The seconds after which the student has lost to a baseline half of `seconds`."""
        even = self.student / (self.baseline * self.at_least)
        return CUT * seconds * even / PASS_LINE


def _students(calls: int, at_least: float) -> int:
    return max(1, round(calls * at_least * MIDDLE))


def _unevenness(calls: int, at_least: float) -> float:
    return abs(_students(calls, at_least) / (calls * at_least * MIDDLE) - 1)


def _record(name: str, track: Track, tally: Tally) -> Race:
    ratio, low, high = tally.interval()
    return Race(
        name=name,
        at_least=tally.at_least,
        live=track.live,
        verdict=tally.verdict,
        ratio=ratio,
        low=low,
        high=high,
        launches=tally.launches,
        call=tally.call,
    )


def _concluded(race: Race) -> Race:
    if race.wrong:
        raise faults.Mismatch("A result is wrong, but an earlier one was right.", f"{race}")
    if race.verdict is Outcome.FAILED:
        raise faults.TooSlow(f"Too slow: {race}.", race.times)
    if race.verdict is Outcome.UNDECIDED:
        raise faults.Undecided(
            f"This machine was too noisy to time your code ({race}). You keep the points."
        )
    return race
