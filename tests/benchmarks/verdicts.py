"""Whether noise can flip a verdict: `python -m tests.benchmarks.verdicts [--quick] [--races N]`.

Races a program against itself, so the true ratio is 1 on every machine. The suite asks for 1/T:
T is the true ratio over the threshold. It runs on the bench and live, first on this machine as it
is, then with every core kept busy by another process. In the same processes, just after the first
pair, it also does what is usual: five runs of each, and the ratio of the means.

Prints how many races passed, failed and stayed undecided after two more tries, the median of pairs
and of seconds, and how many would have passed in the usual way. Exits with 1 if a verdict is worse
than claimed. Takes under a minute with `--quick` (3 races at each of three T). The 300 races of the
claims take about three hours, of which the busy ones take two and a half.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import jax
import numpy as np

from grader.engine.judge.runs import RACED_AGAIN
from grader.engine.processes.host import Host
from grader.engine.processes.seat import Benches, RemoteSeat
from grader.engine.race.races import run
from grader.engine.race.track import BenchTrack, Inputs, Launch, LiveTrack, Track
from grader.engine.sandbox.locked import Locked
from grader.engine.suite.submission import SubmissionProxy
from grader.records.evidence import Tally
from grader.records.model import Exercise, Limits, Outcome, Source

WORK = """
import jax
import jax.numpy as jnp

@jax.jit
def work(x):
    return jax.lax.fori_loop(0, 40, lambda i, y: jnp.tanh(x @ y), x)
"""
RATIOS = (2.0, 1.25, 1.0, 0.8, 0.5)
RUNS = 5


@dataclass
class Cell:
    """The races at one T, on one track, under one load."""

    verdicts: list[Outcome] = field(default_factory=list)
    pairs: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    usual: list[bool] = field(default_factory=list)

    def count(self, outcome: Outcome) -> int:
        return self.verdicts.count(outcome)

    def is_as_it_must_be(self, ratio: float, busy: bool) -> bool:
        """Whether the claims hold: of 300 races, 1 may go wrong where errors are allowed."""
        races = len(self.verdicts)
        allowed = max(1, races // 300)
        if ratio >= 1.25:
            return races - self.count(Outcome.PASSED) <= allowed and not self.count(Outcome.FAILED)
        if ratio >= 1.0:
            return not self.count(Outcome.FAILED)
        if ratio > 0.5:
            return self.count(Outcome.PASSED) <= (allowed if busy else 0)
        return races - self.count(Outcome.FAILED) <= allowed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few races, none near the line")
    parser.add_argument("--races", type=int, default=300, metavar="N")
    parser.add_argument("--only", choices=("bench-idle", "bench-busy", "live-idle", "live-busy"))
    options = parser.parse_args()
    races = 3 if options.quick else options.races
    ratios = (2.0, 1.25, 0.5) if options.quick else RATIOS
    wrong = 0
    host = Host(Locked())
    try:
        for busy in (False, True):
            for live in (False, True):
                name = f"{'live' if live else 'bench'}-{'busy' if busy else 'idle'}"
                if options.only in (None, name):
                    with kept_busy(busy):
                        wrong += table(name, host, ratios, live, busy, races)
    finally:
        host.close()
    sys.exit(1 if wrong else 0)


def table(
    name: str, host: Host, ratios: tuple[float, ...], live: bool, busy: bool, races: int
) -> int:
    """Runs and prints the cells of one track under one load. Returns how many break the claims."""
    print(f"\n{name}, {races} races for each T, on {os.cpu_count()} cores")
    print("   T   passed  failed  undecided   pairs  seconds   the usual way passes")
    seat = new_seat(host)
    track = new_track(seat, live)
    wrong = 0
    for ratio in ratios:
        cell = Cell()
        for _ in range(races):
            judge(track, ratio, cell)
        fine = cell.is_as_it_must_be(ratio, busy)
        wrong += not fine
        counts = [cell.count(o) for o in (Outcome.PASSED, Outcome.FAILED, Outcome.UNDECIDED)]
        print(
            f"{ratio:5}  {counts[0]:6}  {counts[1]:6}  {counts[2]:9}  "
            f"{statistics.median(cell.pairs):6.0f}  {statistics.median(cell.seconds):7.2f}   "
            f"{sum(cell.usual)} ({100 * statistics.mean(cell.usual):.0f} %)"
            + ("" if fine else "   NOT AS CLAIMED"),
            flush=True,
        )
    seat.close()
    return wrong


def judge(track: Track, ratio: float, cell: Cell) -> None:
    """One verdict as the judge reaches it, with its further tries; and the usual one."""
    usual: list[bool] = []
    aside = 0.0

    def on_pair(_: Tally, launch: Launch) -> None:
        nonlocal aside
        if not usual:
            started = time.perf_counter()
            usual.append(mean_over_mean(launch) >= 1 / ratio)
            aside = time.perf_counter() - started

    started = time.perf_counter()
    tally = run(track, 1 / ratio, on_pair)
    pairs = sum(map(len, tally.launches))
    for _ in range(RACED_AGAIN):
        if tally.verdict is Outcome.UNDECIDED:
            tally = run(track, 1 / ratio)
            pairs += sum(map(len, tally.launches))
    cell.verdicts.append(tally.verdict)
    cell.pairs.append(pairs)
    cell.seconds.append(time.perf_counter() - started - aside)
    cell.usual += usual


def mean_over_mean(launch: Launch) -> float:
    """Times both and divides, as tests of speed usually do."""
    launch.deal(RUNS, RUNS)
    ours = statistics.mean(launch.baseline(1) for _ in range(RUNS))
    theirs = statistics.mean(launch.student(1, 60.0)[0] for _ in range(RUNS))
    return ours / theirs


def new_seat(host: Host) -> RemoteSeat:
    exercise = Exercise("benchmark/work", "Work", ("work",), limits=Limits(seconds=300))
    return RemoteSeat(host, exercise, Source(exercise.id, "work.py", WORK), Benches(host))


def new_track(seat: RemoteSeat, live: bool) -> Track:
    own: dict[str, object] = {}
    exec(WORK, own)
    baseline = own["work"]
    assert callable(baseline)
    function = SubmissionProxy(seat).work
    inputs = Inputs(draw, np.random.default_rng())
    if live:
        return LiveTrack(seat, function, baseline, inputs)
    return BenchTrack(seat, function.codec, function.program(*inputs.fresh()), baseline, inputs)


def draw(rng: np.random.Generator) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    return ((rng.normal(size=(48, 48)) / 7).astype(np.float32),)


@contextmanager
def kept_busy(busy: bool) -> Iterator[None]:
    """Keeps every core busy with another process."""
    burners = [
        multiprocessing.get_context("spawn").Process(target=burn, daemon=True)
        for _ in range(busy * (os.cpu_count() or 1))
    ]
    for burner in burners:
        burner.start()
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.join()


def burn() -> None:
    while True:
        sum(range(100_000))


if __name__ == "__main__":
    jax.config.update("jax_platforms", "cpu")
    main()
