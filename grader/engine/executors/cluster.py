"""The same judges on the workers of a Dask cluster (extra `dask`).

    course --zip--> plugin --scheduler--> every worker, also those that join later
    job --pieces--> task --> a worker's own warm judge --> results

If a worker dies, Dask runs its pieces on another one. If the scheduler dies, what it had fails, and
later work waits for the next one. Between two pieces a worker keeps its judges, one for each thread
that Dask gives it.
"""

from __future__ import annotations

import io
import queue
import sys
import zipfile
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import distributed
from distributed import WorkerPlugin, get_worker

from grader import __version__
from grader.course.course import Course, find
from grader.engine.executors.client import JudgeClient
from grader.engine.executors.dask_connection import close, connect, explained
from grader.engine.executors.executor import Executor, Piece, Results, cut
from grader.records import digests
from grader.records.errors import HostError
from grader.records.files import make_private_folder, zipped
from grader.records.model import Environment, Exercise, Job, Terms, pack, unpack

# How many workers may die while they judge one piece, before the run fails.
LIVES = 3
# Seconds between two looks whether the scheduler is there.
WATCH_SECONDS = 1.0


class Cluster(Executor):
    """An executor on the cluster whose scheduler is at `where` (dask:// or tls://HOST:PORT)."""

    _client: Any
    _environment: Environment

    def __init__(
        self, course: Course, exercises: tuple[Exercise, ...], terms: Terms, where: str
    ) -> None:
        self._where = where
        names = [exercise.id for exercise in exercises]
        self._plugin = _Judges(zipped(course.bundle(exercises)), names, terms)
        self._tasks: dict[Future[Results], Any] = {}
        self._lost = False
        self._ended = Event()

    def __enter__(self) -> Cluster:
        """Connects, and sends the course to the workers. Raises `HostError` if none answers."""
        self._connect()
        Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._opened.close()

    def _connect(self) -> None:
        name = self._plugin.name
        with ExitStack() as opened, explained(self._where):
            client = connect(self._where)
            opened.callback(close, client)
            client.register_plugin(self._plugin, name=name)
            opened.callback(self._unregister, client)
            self._environment = client.submit(_environment, name, pure=False).result()
            if not self._ended.is_set():
                self._client, self._lost, self._opened = client, False, opened.pop_all()

    def _watch(self) -> None:
        """Connects again after the scheduler is lost, as often as that takes."""
        while not self._ended.wait(WATCH_SECONDS):
            if self._client.status == "running" and not self._lost:
                continue
            self._lost = True
            for result, task in list(self._tasks.items()):
                self._tasks.pop(result, None)
                task.release()
                if result.set_running_or_notify_cancel():
                    result.set_exception(self._gone())
            with suppress(Exception):  # no scheduler yet, or no worker
                self._opened.close()
                self._connect()

    def _gone(self) -> HostError:
        return HostError(
            f"the Dask cluster at `{self._where}` doesn't answer. Check that its scheduler and "
            "workers are running; work continues when they are."
        )

    def _unregister(self, client: Any) -> None:
        """Lets the workers end their judges, if the scheduler is still there."""
        if client.status == "running":
            with suppress(OSError):
                client.unregister_worker_plugin(self._plugin.name)

    @property
    def environment(self) -> Environment:
        return self._environment

    @property
    def running(self) -> tuple[str, ...]:
        """Unknown here: the scheduler's own page shows it."""
        return ()

    def submit(self, job: Job) -> list[Piece]:
        pieces = []
        if self._lost or self._client.status != "running":
            raise self._gone()
        for part in cut(job, job.exercises):
            task = self._client.submit(
                _judge, self._plugin.name, pack(part), pure=False, retries=LIVES
            )
            piece = Piece(part, Future())
            self._tasks[piece.result] = task
            task.add_done_callback(partial(self._deliver, piece))
            pieces.append(piece)
        return pieces

    def cancel(self, piece: Piece) -> None:
        """A piece that has begun is judged to its end, and its result is dropped."""
        piece.result.cancel()
        if (task := self._tasks.pop(piece.result, None)) is not None:
            task.cancel()

    def _deliver(self, piece: Piece, task: Any) -> None:
        """Called in a thread of Dask's, for each task that ends."""
        known = self._tasks.pop(piece.result, None)
        if known is None or not piece.result.set_running_or_notify_cancel():
            return
        try:
            with explained(self._where):
                packed = task.result()
            piece.result.set_result(unpack(packed, Results))
        except BaseException as error:
            # A scheduler that came back within seconds knows neither the task nor the course.
            self._lost |= isinstance(error, KeyError) or isinstance(
                error.__cause__, CancelledError | OSError
            )
            piece.result.set_exception(self._gone() if isinstance(error, KeyError) else error)


class _Judges(WorkerPlugin):
    """What every worker of the cluster holds: the course, and judges that stay warm."""

    def __init__(self, packed: bytes, names: list[str], terms: Terms) -> None:
        self._packed, self._exercises, self._terms = packed, names, terms
        self._version = __version__
        self.name = f"grader-{digests.of(packed, names, pack(terms))[:16]}"

    def setup(self, worker: Any) -> None:
        """Called by Dask on each worker, as soon as it joins."""
        if self._version != __version__:
            raise HostError(
                f"the Dask worker `{worker.address}` has jax-grader {__version__}, but the class "
                f"is graded with {self._version}. Install the same version everywhere."
            )
        self._folder = Path(worker.local_directory) / self.name
        with zipfile.ZipFile(io.BytesIO(self._packed)) as archive:
            archive.extractall(make_private_folder(self._folder))
        self._idle: queue.LifoQueue[JudgeClient] = queue.LifoQueue()

    def teardown(self, worker: Any) -> None:
        while not self._idle.empty():
            self._idle.get().close()

    @contextmanager
    def borrowed(self) -> Iterator[JudgeClient]:
        """A judge that no other thread uses: one that is idle, or a new one."""
        try:
            judge = self._idle.get_nowait()
        except queue.Empty:
            course = find(self._folder)
            exercises = course.select(self._exercises)
            # Prints a line where the run was started, and in the log of this worker.
            warn = partial(distributed.print, file=sys.stderr)
            judge = JudgeClient.ready(course.stubs, exercises, self._terms, warn)
        try:
            yield judge
        finally:
            self._idle.put(judge)


def _borrowed(name: str) -> AbstractContextManager[JudgeClient]:
    judges = get_worker().plugins[name]
    assert isinstance(judges, _Judges)
    return judges.borrowed()


def _environment(name: str) -> Environment:
    with _borrowed(name) as judge:
        return judge.environment


def _judge(name: str, piece: bytes) -> bytes:
    with _borrowed(name) as judge:
        return pack(judge.name(judge.grade(unpack(piece, Job))))
