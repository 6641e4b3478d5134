"""What can turn jobs into results: one class for this machine, and one for a cluster."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, field, replace
from threading import Lock

from grader.records.model import Environment, ExerciseResult, Job, Judging

Results = tuple[ExerciseResult, ...]
# A piece is stored as a whole. It keeps a judge busy, and little is lost if a run stops.
IN_ONE_PIECE = 10


@dataclass(eq=False)
class Piece:
    """A job with some of its exercises, and its results when they are there.

    Where a judge says how far it is (on this machine), those who listen are told. `seconds` is what
    the code was charged so far.
    """

    job: Job
    result: Future[Results]
    _last: Judging | None = None
    _listeners: list[Callable[[Judging], None]] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def listen(self, listener: Callable[[Judging], None]) -> None:
        """Calls it with the newest event, if there is one, and with each later one."""
        with self._lock:
            self._listeners.append(listener)
            if self._last is not None:
                listener(self._last)

    def tell(self, event: Judging) -> None:
        with self._lock:
            is_new, self._last = event != self._last, event
            for listener in self._listeners if is_new else ():
                listener(event)

    @property
    def seconds(self) -> float:
        return 0.0 if self._last is None else self._last.seconds


def cut(job: Job, names: Sequence[str]) -> Iterator[Job]:
    """The part of a job that has these exercises, as jobs of a good size."""
    for start in range(0, len(names), IN_ONE_PIECE):
        part = tuple(names[start : start + IN_ONE_PIECE])
        yield replace(job, submission=job.submission.only(part), exercises=part)


class Executor(ABC):
    """Judges jobs, piece by piece, in any order. Ends its judges at the end of the `with` block.

    Every method may be called from any thread.
    """

    @abstractmethod
    def __enter__(self) -> Executor: ...

    @abstractmethod
    def __exit__(self, *_: object) -> None: ...

    @property
    @abstractmethod
    def environment(self) -> Environment:
        """What the judges have found here. Waits for the first one, and raises if none starts."""

    @property
    @abstractmethod
    def running(self) -> tuple[str, ...]:
        """The submissions that are being judged at this moment, as far as is known."""

    @abstractmethod
    def submit(self, job: Job) -> list[Piece]:
        """Begins with a job. The result of a piece may be a `GraderError`."""

    @abstractmethod
    def cancel(self, piece: Piece) -> None:
        """Ends a piece, also in the middle."""

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Results]]:
        """The results of all pieces of the jobs, as they are done.

        Closing the iterator, or an error in one piece, ends all others.
        """
        begun = {piece.result: piece for job in jobs for piece in self.submit(job)}
        yield from self.finished(begun)

    def finished(self, pieces: Mapping[Future[Results], Piece]) -> Iterator[tuple[Job, Results]]:
        """The job and the results of each piece, as its future is done; ends like `run`."""
        left = dict(pieces)
        try:
            for done in as_completed(pieces):
                yield left.pop(done).job, done.result()
        finally:
            for piece in left.values():
                self.cancel(piece)
