"""Where judges run: one Protocol.

serial   one judge, one submission after another
lanes    a judge for each core, with the exercises dealt out between them
process  a judge process, as whoever started it sees it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from grader.model import Environment, ExerciseResult, Job


class Executor(Protocol):
    """Turns jobs into results, in any order; a context manager that ends its judges."""

    @property
    def environment(self) -> Environment: ...

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, tuple[ExerciseResult, ...]]]: ...
