"""A judge for each core, with the exercises dealt out between them.

    job --its exercises, lane by lane--> Serial, Serial, ... --results--> the job's, in order

So a single submission is judged on every core, and each judge proves and warms its own suites
only. Lanes don't wait for each other: one may be a submission ahead.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from grader.executors.serial import Serial
from grader.model import Environment, Exercise, ExerciseResult, Job

MOST_LANES = 8
_Part = tuple[int, tuple[ExerciseResult, ...]]


class Lanes:
    """Judges that live as long as the `with` block. The keywords are those of `Serial`."""

    environment: Environment

    def __init__(
        self,
        catalog: Path,
        exercises: tuple[Exercise, ...],
        isolation: str,
        seed: str,
        *,
        scale: float = 1.0,
        proving: bool = False,
        hasty: bool = False,
        races: bool = True,
    ) -> None:
        count = max(1, min(os.cpu_count() or 1, MOST_LANES, len(exercises)))
        self._dealt = [exercises[start::count] for start in range(count)]
        self._lanes = [
            Serial(
                catalog,
                dealt,
                isolation,
                seed,
                scale=scale,
                proving=proving,
                hasty=hasty,
                races=races,
            )
            for dealt in self._dealt
        ]
        self._open = ExitStack()

    def __enter__(self) -> Lanes:
        with ThreadPoolExecutor(len(self._lanes)) as pool:
            started = [pool.submit(lane.__enter__) for lane in self._lanes]
        for lane, future in zip(self._lanes, started, strict=True):
            if future.exception() is None:
                self._open.push(lane)
        try:
            environments = [future.result().environment for future in started]
            self.environment = environments[0]
        except BaseException:
            self._open.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._open.close()

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, tuple[ExerciseResult, ...]]]:
        """Results in the order of the jobs, each as soon as it and those before it are done."""
        jobs = list(jobs)
        done: queue.SimpleQueue[_Part | BaseException] = queue.SimpleQueue()
        found: list[dict[str, ExerciseResult]] = [{} for _ in jobs]
        stop = threading.Event()
        with ThreadPoolExecutor(len(self._lanes)) as pool:
            for lane, dealt in zip(self._lanes, self._dealt, strict=True):
                pool.submit(_run_lane, lane, {e.id for e in dealt}, jobs, done, stop)
            try:
                for job, results in zip(jobs, found, strict=True):
                    while len(results) < len(job.exercises):
                        part = done.get()
                        if isinstance(part, BaseException):
                            raise part
                        results_of = found[part[0]]
                        results_of.update({result.id: result for result in part[1]})
                    yield job, tuple(results[name] for name in job.exercises)
            finally:
                # Whoever stops listening waits for what is being judged, and for no more.
                stop.set()


def _run_lane(
    lane: Serial,
    own: set[str],
    jobs: list[Job],
    done: queue.SimpleQueue[_Part | BaseException],
    stop: threading.Event,
) -> None:
    """One lane's part of every job, until it is told to stop."""
    try:
        for number, job in enumerate(jobs):
            names = tuple(name for name in job.exercises if name in own)
            if stop.is_set():
                return
            if names:
                ((_, results),) = lane.run([Job(job.submission.only(names), names)])
                done.put((number, results))
    except BaseException as error:
        done.put(error)
