"""Judges work side by side, each warm, until no work is left.

    jobs --cut--> pieces, a queue for each slot --> slot, slot, ... --> (piece, results), as done

Every exercise has a home: the slot that has compiled its references, and takes its pieces first.
A slot whose own queue is empty takes a piece from the longest queue. So even a class with a single
exercise keeps all slots busy.
"""

from __future__ import annotations

import os
import queue
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from grader.executors.serial import Serial
from grader.model import Environment, Exercise, ExerciseResult, Job, Terms

# A piece is stored as a whole. It keeps a judge busy, and little is lost if a run stops.
IN_ONE_PIECE = 10
# To start another judge takes as long as to judge some answers.
ANSWERS_PER_START = 4
# What a judge, its zygote, and the workers and benches of one exercise take together.
BYTES_PER_SLOT = 1500 << 20
_Done = queue.SimpleQueue[tuple[Job, tuple[ExerciseResult, ...]] | BaseException]


def cut(job: Job, names: Sequence[str]) -> Iterator[Job]:
    """The part of a job that has these exercises, as jobs of a good size."""
    for start in range(0, len(names), IN_ONE_PIECE):
        part = tuple(names[start : start + IN_ONE_PIECE])
        yield replace(job, submission=job.submission.only(part), exercises=part)


def default_slots() -> int:
    """One for each core that this process may use, or fewer if memory is short."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(cores or 1, _free_memory() // BYTES_PER_SLOT))


def worth(jobs: Sequence[Job]) -> int:
    """How many judges to start for these jobs."""
    answers = sum(len(job.submission.sources) for job in jobs)
    return max(1, min(default_slots(), answers // ANSWERS_PER_START))


def _free_memory() -> int:
    with suppress(OSError, ValueError, IndexError), open("/proc/meminfo") as file:
        sizes = dict(line.split(":", 1) for line in file)
        return int(sizes["MemAvailable"].split()[0]) << 10
    return 1 << 40


class Slots(AbstractContextManager["Slots"]):
    """An executor on this machine; as many judges at once as it has slots."""

    environment: Environment

    def __init__(
        self,
        stubs: Path,
        exercises: tuple[Exercise, ...],
        terms: Terms,
        slots: int | None = None,
        *,
        submissions: int = 1,
    ) -> None:
        """If many `submissions` are to come, judges compile for some minutes before the first."""
        count = slots or default_slots()
        self._slots = [Serial(stubs, exercises, terms) for _ in range(count)]
        self._homes = {e.id: number % count for number, e in enumerate(exercises)}
        self._submissions = submissions
        self._running: dict[int, str] = {}

    def __enter__(self) -> Slots:
        """Starts every judge, and lets each prove the suites of the exercises whose home it is."""
        with ExitStack() as started:
            for slot in self._slots:
                started.push(slot)
            with ThreadPoolExecutor(len(self._slots)) as pool:
                try:
                    self.environment, *_ = pool.map(lambda slot: slot.start(), self._slots)
                    list(pool.map(self._prove, range(len(self._slots))))
                except BaseException:
                    self._abort()
                    raise
            self._started = started.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._started.close()

    @property
    def running(self) -> tuple[str, ...]:
        return tuple(sorted(self._running.values()))

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, tuple[ExerciseResult, ...]]]:
        """Results of pieces of the jobs, as they are done."""
        work = _Work(jobs, self._homes, len(self._slots))
        done: _Done = queue.SimpleQueue()
        with ThreadPoolExecutor(len(self._slots)) as pool:
            for number, slot in enumerate(self._slots):
                pool.submit(self._serve, slot, number, work, done)
            try:
                for _ in range(work.pieces):
                    part = done.get()
                    if isinstance(part, BaseException):
                        raise part
                    yield part
            except BaseException:
                work.stop()
                self._abort()
                raise

    def _prove(self, number: int) -> None:
        names = [name for name, home in self._homes.items() if home == number]
        self._slots[number].prove(names, submissions=self._submissions)

    def _serve(self, slot: Serial, number: int, work: _Work, done: _Done) -> None:
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
    """The pieces that no slot has taken yet."""

    def __init__(self, jobs: Iterable[Job], homes: dict[str, int], slots: int) -> None:
        self._queues: list[deque[Job]] = [deque() for _ in range(slots)]
        self._lock = threading.Lock()
        for job in jobs:
            for home, own in enumerate(self._queues):
                own.extend(cut(job, [name for name in job.exercises if homes[name] == home]))
        self.pieces = sum(map(len, self._queues))

    def take(self, slot: int) -> Job | None:
        """The next piece for a slot: its own first one, or the last one of the longest queue."""
        with self._lock:
            if self._queues[slot]:
                return self._queues[slot].popleft()
            longest = max(self._queues, key=len)
            return longest.pop() if longest else None

    def stop(self) -> None:
        with self._lock:
            for own in self._queues:
                own.clear()
