"""Judges work side by side, each warm, as long as the `with` block lasts.

    job --cut--> pieces, a queue for each slot --> slot, slot, ... --> the result of each piece

Every exercise has a home: the slot that has compiled its references, and takes its pieces first.
A slot whose own queue is empty takes a piece from the longest queue. So even a class with a single
exercise keeps all slots busy.

The first judge starts at once. Each other one starts when there is more work than free slots: to
start it takes a core from those that work. If a judge can't start and none is there, what waits
fails. The next work tries again.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from grader.engine.executors.client import JudgeClient
from grader.engine.executors.executor import Executor, Piece, Results, cut
from grader.engine.processes.usage import usable_cores
from grader.records.errors import BrokenSuiteError, HostError
from grader.records.model import Environment, Exercise, Job, Terms

# Seconds between two tries to start one more judge.
PAUSE = 5.0
# To start another judge takes as long as to judge some answers.
ANSWERS_PER_START = 4
# What a judge, its zygote, and the workers and benches of one exercise take together.
BYTES_PER_SLOT = 1500 << 20


def default_slots() -> int:
    """One for each core that this process may use, or fewer if memory is short."""
    return max(1, min(usable_cores(), _free_memory() // BYTES_PER_SLOT))


def worth(jobs: Sequence[Job]) -> int:
    """How many judges to start for these jobs."""
    answers = sum(len(job.submission.sources) for job in jobs)
    return max(1, min(default_slots(), answers // ANSWERS_PER_START))


def _free_memory() -> int:
    with suppress(OSError, ValueError, IndexError), open("/proc/meminfo") as file:
        sizes = dict(line.split(":", 1) for line in file)
        return int(sizes["MemAvailable"].split()[0]) << 10
    return 1 << 40


class Slots(Executor):
    """An executor on this machine; as many judges at once as it has slots."""

    def __init__(
        self,
        stubs: Path,
        exercises: tuple[Exercise, ...],
        terms: Terms,
        slots: int | None = None,
        *,
        submissions: int = 1,
        ahead: JudgeClient | None = None,
    ) -> None:
        """If many `submissions` are to come, judges compile for some minutes before the first.

        `ahead` is a judge that has been launched already; it becomes the first.
        """
        self._about = stubs, exercises, terms
        self._submissions = submissions
        self._ahead = ahead
        count = slots or default_slots()
        self._homes = {e.id: number % count for number, e in enumerate(exercises)}
        self._work = _Work(count)
        self._lock = threading.Lock()
        self._environment: Future[Environment] = Future()
        self._proofs = {e.id: _Proof() for e in exercises}
        self._judges: dict[int, JudgeClient] = {}
        self._running: dict[int, Piece | None] = dict.fromkeys(range(count))
        self._threads = [
            threading.Thread(target=self._serve, args=(number,), daemon=True)
            for number in range(count)
        ]

    def __enter__(self) -> Slots:
        """Starts the first judge, which begins as soon as it is ready. Others follow the work."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Ends everything at once, also what is being judged."""
        for piece in self._work.close(HostError("the judges have been closed")):
            piece.result.cancel()
        with self._lock:
            for number in self._running.keys() & self._judges.keys():
                self._judges[number].interrupt()
        for thread in self._threads:
            thread.join()

    @property
    def environment(self) -> Environment:
        with self._lock:
            failed = self._environment.done() and self._environment.exception() is not None
            if failed and not self._work.is_closed:
                self._environment = Future()
                self._work.ask()
            found = self._environment
        return found.result()

    @property
    def running(self) -> tuple[str, ...]:
        with self._lock:
            pieces = [piece for piece in self._running.values() if piece is not None]
        return tuple(sorted(piece.job.submission.id for piece in pieces))

    def submit(self, job: Job) -> list[Piece]:
        pieces = []
        for home in range(len(self._threads)):
            for part in cut(job, [name for name in job.exercises if self._homes[name] == home]):
                pieces.append(Piece(part, Future()))
                self._work.put(home, pieces[-1])
        return pieces

    def cancel(self, piece: Piece) -> None:
        if piece.result.cancel():
            return
        with self._lock:
            for number, running in self._running.items():
                if running is piece:
                    self._judges[number].interrupt()

    def _serve(self, number: int) -> None:
        """Starts a judge, also after a start that failed. It works until the end."""
        is_first, judge = number == 0, None
        while judge is None:
            if not is_first and not self._work.needs_another():
                return
            try:
                judge = self._started(number)
            except BaseException as error:
                self._fail(error)
                if not (self._work.is_asked() if is_first else self._work.leaves(PAUSE)):
                    return
        with closing(judge):
            while (piece := self._work.take(number)) is not None:
                with self._lock:
                    self._running[number] = piece
                results: Results | BaseException | None = None
                if piece.result.set_running_or_notify_cancel():
                    try:
                        self._prove(judge, piece.job)
                        results = judge.name(judge.grade(piece.job, piece.tell))
                    except BaseException as error:
                        results = error
                with self._lock:  # from now on nobody interrupts the judge
                    del self._running[number]
                    if not self._work.is_closed:
                        judge.go_on()
                self._work.rests()
                if isinstance(results, BaseException):
                    piece.result.set_exception(results)
                elif results is not None:
                    piece.result.set_result(results)

    def _started(self, number: int) -> JudgeClient:
        stubs, exercises, terms = self._about
        ahead = None
        if number == 0:
            ahead, self._ahead = self._ahead, None
        judge = ahead or JudgeClient(terms.isolation)
        with self._lock:
            self._judges[number] = judge
            if self._work.is_closed:
                judge.interrupt()
        try:
            environment = judge.start(stubs, exercises, terms, submissions=self._submissions)
        except BaseException:
            with self._lock:
                del self._judges[number]
            judge.close()
            raise
        with self._lock:
            del self._running[number]
            if self._environment.done():
                self._environment = Future()
            self._environment.set_result(environment)
        return judge

    def _prove(self, judge: JudgeClient, job: Job) -> None:
        """What nobody submitted is not judged, so it needs no proof."""
        handed_in = {source.exercise for source in job.submission.sources}
        for name in handed_in.intersection(job.exercises):
            self._proofs[name].given_by(judge, name)

    def _fail(self, error: BaseException) -> None:
        """What waits fails, unless another judge is there or starts."""
        with self._lock:
            if self._judges:
                return
            if not self._environment.done():
                self._environment.set_exception(error)
        for piece in self._work.drained():
            if piece.result.set_running_or_notify_cancel():
                piece.result.set_exception(error)


@dataclass
class _Proof:
    """That a suite passes its own solution. One slot proves it, and the others wait for that."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    is_given: bool = False
    broken: BrokenSuiteError | None = None

    def given_by(self, judge: JudgeClient, name: str) -> None:
        """Raises `BrokenSuiteError` for a suite that can't judge."""
        with self.lock:
            if self.broken is not None:
                raise self.broken
            if not self.is_given:
                try:
                    judge.prove([name])
                except BrokenSuiteError as error:
                    self.broken = error
                    raise
                self.is_given = True


class _Work:
    """The pieces that no slot has taken yet."""

    def __init__(self, slots: int) -> None:
        self._queues: list[deque[Piece]] = [deque() for _ in range(slots)]
        # Slots that take a piece now, or as soon as their judge has started.
        self._free = 1
        self._changed = threading.Condition()
        self._closed: BaseException | None = None
        self._asked = False

    @property
    def is_closed(self) -> bool:
        return self._closed is not None

    def put(self, home: int, piece: Piece) -> None:
        """Raises what `close` got."""
        with self._changed:
            if self._closed is not None:
                raise self._closed
            self._queues[home].append(piece)
            self._changed.notify_all()

    def needs_another(self) -> bool:
        """Waits until there are more pieces than free slots; then one slot more is free.

        False if there will be no more pieces.
        """
        with self._changed:
            while self._closed is None:
                if sum(map(len, self._queues)) > self._free:
                    self._free += 1
                    return True
                self._changed.wait()
            return False

    def take(self, slot: int) -> Piece | None:
        """The next piece for a free slot: its own first one, or the first of the longest queue.

        Waits for one. None if there will be no more.
        """
        with self._changed:
            while self._closed is None:
                own, longest = self._queues[slot], max(self._queues, key=len)
                if longest:
                    self._free -= 1
                    return (own or longest).popleft()
                self._changed.wait()
            return None

    def ask(self) -> None:
        """Asks for a judge, although there may be no piece."""
        with self._changed:
            self._asked = True
            self._changed.notify_all()

    def is_asked(self) -> bool:
        """Waits until there is a piece, or somebody asks. False if there will be none."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._asked or any(self._queues))
            self._asked = False
            return self._closed is None

    def leaves(self, seconds: float) -> bool:
        """A slot that got no judge isn't free, and waits. False if there will be no more pieces."""
        with self._changed:
            self._free -= 1
            return not self._changed.wait_for(lambda: self._closed, seconds)

    def rests(self) -> None:
        """A slot has done its piece, and is free again."""
        with self._changed:
            self._free += 1

    def close(self, error: BaseException) -> list[Piece]:
        """Ends every slot's work. Returns the pieces that nobody has taken."""
        with self._changed:
            self._closed = self._closed or error
            self._changed.notify_all()
        return self.drained()

    def drained(self) -> list[Piece]:
        """Takes the pieces that nobody has taken."""
        with self._changed:
            left = [piece for queue in self._queues for piece in queue]
            for queue in self._queues:
                queue.clear()
            return left
