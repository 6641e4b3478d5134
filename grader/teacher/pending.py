"""Work that is being judged. All who ask for the same work wait for one result.

ask --> known (in the store) | wanted (being judged) | new --executor--> piece --> store
                                                                           |
all who wait  <-- the result of each exercise <----------------------------+
release --> nobody waits for a piece any more: it is ended
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Generic, TypeVar

from grader.engine.executors.executor import Executor, Piece, Results
from grader.records.model import ExerciseResult, Job, Judging, Submission
from grader.teacher.store import Store

S = TypeVar("S")
T = TypeVar("T")


@dataclass(eq=False)
class Wanted:
    """A result that is known or being judged, and how many wait for it."""

    key: str
    siblings: list[Wanted] = field(default_factory=list)  #: all that come with the same piece
    piece: Piece | None = None
    waiting: int = 0
    result: Future[ExerciseResult] = field(default_factory=Future)


@dataclass(frozen=True)
class Attempt(Generic[T]):
    """Work that is being judged."""

    result: Future[T]
    """What is known in the end. If it is cancelled, nobody judges for it any more."""
    _wanted: Sequence[Wanted] = ()

    @property
    def seconds(self) -> float:
        """What the code was charged so far; 0 for work that is known, and on a cluster."""
        return sum(piece.seconds for piece in self._pieces())

    def _pieces(self) -> list[Piece]:
        return list({id(w.piece): w.piece for w in self._wanted if w.piece is not None}.values())

    def listen(self, listener: Callable[[Judging], None]) -> None:
        """Calls it when judging begins, and for each test. Work that is known has no events.

        It is called from a thread of the judge's, so it must be quick, and must not raise. A judge
        on a cluster says nothing.
        """
        for piece in self._pieces():
            piece.listen(listener)


@dataclass(eq=False)
class Begun:
    """A piece that is being judged: its results one by one, and all of them once stored."""

    piece: Piece
    wanted: list[Wanted] = field(default_factory=list)
    stored: Future[Results] = field(default_factory=Future)


class Pending:
    """What an executor is judging for a store. Every method may be called from any thread."""

    def __init__(
        self,
        store: Store,
        executor: Callable[[], Executor],
        require_unchanged: Callable[[Iterable[str]], None] = lambda _: None,
        practice: Collection[str] = (),
    ) -> None:
        """`executor` is called when there is something to judge, and gives the same each time.

        `require_unchanged` raises if results of these exercises can't be stored under their keys.
        A judge doesn't know which are for `practice`: their results say so from here on.
        """
        self.lock = threading.RLock()
        """Is held while the store is used."""
        self._store = store
        self._executor = executor
        self._require_unchanged, self._practice = require_unchanged, practice
        self._wanted: dict[str, Wanted] = {}

    def ask(self, submission: Submission, keys: Mapping[str, str]) -> list[Wanted]:
        """The result of each exercise in `keys`. `release` them when they are not needed."""
        with self.lock:
            stored = self._store.has(keys.values())
            new = [n for n, key in keys.items() if key not in self._wanted and key not in stored]
            found = {n: self._wanted[key] for n, key in keys.items() if key in self._wanted}
            for name in keys.keys() - found.keys() - set(new):
                found[name] = Wanted(keys[name])
                found[name].result.set_result(self._store.result(keys[name]))
            for begun in self.begin(Job(submission.only(new), tuple(new)), keys) if new else ():
                found.update(zip(begun.piece.job.exercises, begun.wanted, strict=True))
            for wanted in found.values():
                wanted.waiting += 1
            return [found[name] for name in keys]

    def release(self, found: Iterable[Wanted]) -> None:
        """One waits less for each. A piece for which nobody waits is ended."""
        left = []
        with self.lock:
            for wanted in found:
                wanted.waiting -= 1
                is_idle = not any(sibling.waiting for sibling in wanted.siblings)
                if is_idle and wanted.piece is not None and not wanted.piece.result.done():
                    left.append(wanted.piece)
                    self._forget(wanted.siblings)
        for piece in left:
            self._executor().cancel(piece)

    def begin(self, job: Job, keys: Mapping[str, str], waiting: int = 0) -> list[Begun]:
        """Lets a job be judged. Each of its pieces is stored as it comes."""
        all_begun = []
        for piece in self._executor().submit(job):
            begun, names = Begun(piece), piece.job.exercises
            begun.wanted += (Wanted(keys[n], begun.wanted, piece, waiting) for n in names)
            all_begun.append(begun)
            with self.lock:
                self._wanted.update((wanted.key, wanted) for wanted in begun.wanted)
            piece.result.add_done_callback(partial(self._keep, begun))
        return all_begun

    def _keep(self, begun: Begun, done: Future[Results]) -> None:
        """Stores a piece's results, and gives them to all who wait for them."""
        results: Results = ()
        error: BaseException | None = None
        try:
            results = tuple(replace(r, counts=r.id not in self._practice) for r in done.result())
            self._require_unchanged(begun.piece.job.exercises)
            with self.lock:
                self._store.add(zip((w.key for w in begun.wanted), results, strict=True))
        except BaseException as raised:
            error = raised
        with self.lock:
            self._forget(begun.wanted)
        if error is not None:
            for wanted in begun.wanted:
                wanted.result.set_exception(error)
            begun.stored.set_exception(error)
            return
        for wanted, result in zip(begun.wanted, results, strict=True):
            wanted.result.set_result(result)
        begun.stored.set_result(results)

    def _forget(self, found: Iterable[Wanted]) -> None:
        """The next caller who asks for the same gets another piece, or the stored result."""
        for wanted in found:
            if self._wanted.get(wanted.key) is wanted:
                del self._wanted[wanted.key]


def when_all(
    waiting: Sequence[Future[S]], answer: Future[T], conclude: Callable[[Sequence[S]], T]
) -> None:
    """Gives an answer what is concluded from all results, or the first error."""
    left, lock = len(waiting) + 1, threading.Lock()

    def ended(_: object = None) -> None:
        nonlocal left
        with lock:
            left -= 1
            if left:
                return
        if not answer.set_running_or_notify_cancel():
            return
        try:
            answer.set_result(conclude([future.result() for future in waiting]))
        except BaseException as error:
            answer.set_exception(error)

    for future in waiting:
        future.add_done_callback(ended)
    ended()
