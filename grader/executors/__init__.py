"""Where judges run: one Protocol.

serial   one judge, one submission after another
slots    judges side by side on this machine, until no work is left
cluster  the same on the workers of a Dask cluster
process  a judge process, as whoever started it sees it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Protocol

from grader.model import Environment, ExerciseResult, Job


class Executor(Protocol):
    """Turns jobs into results, piece by piece, in any order; ends its judges when it is left.

    A piece is a job with some of its exercises. Whoever stops listening to `run` ends the rest.
    """

    @property
    def environment(self) -> Environment: ...

    @property
    def running(self) -> tuple[str, ...]:
        """The submissions that are being judged at this moment, as far as is known."""

    def __enter__(self) -> Executor: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, tuple[ExerciseResult, ...]]]: ...
