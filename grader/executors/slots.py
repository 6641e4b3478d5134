"""Judges side by side, each warm, until no work is left.

    jobs --cut--> pieces, a queue for each slot --> slot, slot, ... --> (piece, results), as done

Every exercise has a home: the slot that has compiled its references, and that takes its pieces
first. A slot whose own queue is empty takes from the longest other one, so that a class with a
single exercise keeps all of them busy.
"""

from __future__ import annotations

import os
import queue
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from grader.executors.serial import Serial
from grader.model import Environment, Exercise, ExerciseResult, Job, Terms

# A piece is written down as a whole: big enough to keep a judge busy, small enough to lose.
IN_ONE_PIECE = 10
# What a judge, its zygote, and the workers and benches of one exercise take together.
BYTES_PER_SLOT = 1500 << 20
_Done = queue.SimpleQueue[tuple[Job, tuple[ExerciseResult, ...]] | BaseException]


def cut(job: Job, names: Sequence[str]) -> Iterator[Job]:
    """The job's share of some exercises, as jobs of a good size."""
    for start in range(0, len(names), IN_ONE_PIECE):
        part = tuple(names[start : start + IN_ONE_PIECE])
        yield replace(job, submission=job.submission.only(part), exercises=part)


def default_slots() -> int:
    """As many as cores that we may use, and fewer where memory is short."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(cores or 1, _free_memory() // BYTES_PER_SLOT))


def _free_memory() -> int:
    with suppress(OSError, ValueError, IndexError), open("/proc/meminfo") as file:
        sizes = dict(line.split(":", 1) for line in file)
        return int(sizes["MemAvailable"].split()[0]) << 10
    return 1 << 40


class Slots:
    """An executor on this machine; as many judges at once as it has slots."""

    environment: Environment

    def __init__(
        self,
        catalog: Path,
        exercises: tuple[Exercise, ...],
        terms: Terms,
        slots: int | None = None,
        *,
        submissions: int = 1,
    ) -> None:
        """Many `submissions` to come are worth some minutes of compiling before the first one."""
        count = slots or default_slots()
        self._slots = [Serial(catalog, exercises, terms) for _ in range(count)]
        self._homes = {e.id: number % count for number, e in enumerate(exercises)}
        self._open = ExitStack()
        self._submissions = submissions
        self._running: dict[int, str] = {}

    def __enter__(self) -> Slots:
        """Starts every judge, and lets each prove the suites that are at home with it."""
        with ThreadPoolExecutor(len(self._slots)) as pool:
            started = [pool.submit(slot.start) for slot in self._slots]
            for slot, future in zip(self._slots, started, strict=True):
                if future.exception() is None:
                    self._open.push(slot)
            try:
                self.environment = next(future.result() for future in started)
                homes = [
                    [name for name, home in self._homes.items() if home == number]
                    for number in range(len(self._slots))
                ]
                for proved in [
                    pool.submit(slot.prove, names, submissions=self._submissions)
                    for slot, names in zip(self._slots, homes, strict=True)
                ]:
                    proved.result()
            except BaseException:
                self._abort()
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

    @property
    def running(self) -> tuple[str, ...]:
        return tuple(sorted(self._running.values()))

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, tuple[ExerciseResult, ...]]]:
        """Results of pieces of the jobs, as they are done."""
        work = _Work(self._homes, len(self._slots))
        total = work.add(jobs)
        done: _Done = queue.SimpleQueue()
        with ThreadPoolExecutor(len(self._slots)) as pool:
            for number, slot in enumerate(self._slots):
                pool.submit(self._serve, slot, number, work, done)
            try:
                for _ in range(total):
                    part = done.get()
                    if isinstance(part, BaseException):
                        raise part
                    yield part
            except BaseException:
                work.stop()
                self._abort()
                raise

    def _serve(self, slot: Serial, number: int, work: _Work, done: _Done) -> None:
        """One slot's share, until nothing is left."""
        try:
            while (piece := work.take(number)) is not None:
                self._running[number] = piece.submission.id
                for result in slot.run([piece]):
                    done.put(result)
        except BaseException as error:
            work.stop()
            done.put(error)
        finally:
            self._running.pop(number, None)

    def _abort(self) -> None:
        for slot in self._slots:
            slot.abort()


class _Work:
    """The pieces that nobody has taken yet."""

    def __init__(self, homes: dict[str, int], slots: int) -> None:
        self._homes = homes
        self._queues: list[deque[Job]] = [deque() for _ in range(slots)]
        self._lock = threading.Lock()

    def add(self, jobs: Iterable[Job]) -> int:
        """Cuts jobs into pieces; says how many."""
        for job in jobs:
            for home, own in enumerate(self._queues):
                names = [name for name in job.exercises if self._homes[name] == home]
                own.extend(cut(job, names))
        return sum(map(len, self._queues))

    def take(self, slot: int) -> Job | None:
        """The next piece for a slot: one of its own, or the last one of who has most to do."""
        with self._lock:
            if self._queues[slot]:
                return self._queues[slot].popleft()
            longest = max(self._queues, key=len)
            return longest.pop() if longest else None

    def stop(self) -> None:
        with self._lock:
            for own in self._queues:
                own.clear()
