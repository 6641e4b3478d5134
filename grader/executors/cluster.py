"""The same judges on the workers of a Dask cluster (extra `dask`).

    course --zip--> plugin --scheduler--> every worker, also those that join later
    job --pieces--> task --> a worker's own warm judge --> results, home

A worker that dies has its pieces run elsewhere: Dask sees to that. What a worker keeps between
two pieces is its judge, one for each thread that Dask gives it.
"""

from __future__ import annotations

import hashlib
import io
import queue
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from distributed import Client, WorkerPlugin, as_completed, get_worker

from grader import __version__
from grader.course import Course, find
from grader.errors import HostError
from grader.executors.serial import Serial
from grader.executors.slots import cut
from grader.model import Environment, Exercise, ExerciseResult, Job, Terms
from grader.records import exercise_result_from_json, submission_from_json, to_json

CONNECT_SECONDS = 20
# How many workers may die under one piece before it is given up.
LIVES = 3


class Cluster:
    """An executor on the cluster whose scheduler is at `address` (HOST:PORT)."""

    environment: Environment

    def __init__(
        self, course: Course, exercises: tuple[Exercise, ...], terms: Terms, address: str
    ) -> None:
        self._address = address
        self._names = [exercise.id for exercise in exercises]
        self._plugin = _Judges(bundle(course, exercises), self._names, terms)
        self._client: Any = None

    def __enter__(self) -> Cluster:
        """Connects, and brings the course to the workers. Raises `HostError` for no cluster."""
        try:
            self._client = Client(self._address, timeout=CONNECT_SECONDS)
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except (OSError, TimeoutError) as error:
            self._close()
            raise HostError(
                f"no Dask worker answers at `{self._address}` ({error}). Start the cluster "
                "(`dask scheduler`, `dask worker`), or name another address."
            ) from error
        try:
            self._client.register_plugin(self._plugin, name=self._plugin.name)
            self.environment = self._client.submit(
                _environment, self._plugin.name, pure=False
            ).result()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.unregister_worker_plugin(self._plugin.name)
        self._close()

    @property
    def running(self) -> tuple[str, ...]:
        """Unknown here: the scheduler's own page shows it."""
        return ()

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, tuple[ExerciseResult, ...]]]:
        """Results of pieces of the jobs, as they come home."""
        pieces = [piece for job in jobs for piece in cut(job, job.exercises)]
        futures = {
            self._client.submit(
                _judge, self._plugin.name, to_json(piece), pure=False, retries=LIVES
            ): piece
            for piece in pieces
        }
        try:
            for future in as_completed(list(futures)):
                results = tuple(exercise_result_from_json(told) for told in future.result())
                yield futures.pop(future), results
        finally:
            self._client.cancel(list(futures))

    def _close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def bundle(course: Course, exercises: Iterable[Exercise]) -> bytes:
    """What a judge needs of a course, as a zip: nothing that depends on where it lies."""
    assert course.root is not None
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in course.needed_to_judge(exercises):
            member = zipfile.ZipInfo(path.relative_to(course.root).as_posix())
            archive.writestr(member, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


class _Judges(WorkerPlugin):
    """What every worker of the cluster holds: the course, and judges that stay warm."""

    def __init__(self, packed: bytes, names: list[str], terms: Terms) -> None:
        self._packed = packed
        self._exercises = names
        self._terms = terms
        self._version = __version__
        digest = hashlib.sha256(packed + repr((names, terms)).encode()).hexdigest()
        self.name = f"grader-{digest[:16]}"

    def setup(self, worker: Any) -> None:
        """Called by Dask on each worker, as soon as it is there."""
        if self._version != __version__:
            raise HostError(
                f"the Dask worker `{worker.address}` has jax-grader {__version__}, and the class "
                f"is graded with {self._version}. Install the same version everywhere."
            )
        self._folder = Path(worker.local_directory) / self.name
        with zipfile.ZipFile(io.BytesIO(self._packed)) as archive:
            archive.extractall(self._folder)
        self._idle: queue.LifoQueue[Serial] = queue.LifoQueue()

    def teardown(self, worker: Any) -> None:
        while not self._idle.empty():
            self._idle.get().__exit__(None, None, None)

    def take(self) -> Serial:
        """A judge that nobody uses, or a new one."""
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            course = find(self._folder)
            return Serial(course.stubs, course.select(self._exercises), self._terms).__enter__()

    def give_back(self, judge: Serial) -> None:
        self._idle.put(judge)


def _judges(name: str) -> _Judges:
    found = get_worker().plugins[name]
    assert isinstance(found, _Judges)
    return found


def _environment(name: str) -> Environment:
    judges = _judges(name)
    judge = judges.take()
    judges.give_back(judge)
    return judge.environment


def _judge(name: str, told: dict[str, Any]) -> Any:
    """One piece, on a worker."""
    judges = _judges(name)
    submission = submission_from_json(told["submission"])
    piece = Job(submission, tuple(told["exercises"]), told["number"])
    judge = judges.take()
    try:
        ((_, results),) = judge.run([piece])
    finally:
        judges.give_back(judge)
    return [to_json(result) for result in results]
