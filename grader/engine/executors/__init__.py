"""Where judges run.

executor         what all of them can do
slots            judges side by side on this machine
client           one judge: starts its process, and talks to it
cluster          judges on the workers of a Dask cluster
doctor           what this machine can isolate
dask_connection  to the scheduler of such a cluster, with TLS or without
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from grader.records.errors import UsageError
from grader.records.model import ISOLATION_MODES

# A command launches a judge (`client`) before it imports more, since a judge takes longest.
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from grader.course.course import Course
    from grader.engine.executors.client import JudgeClient
    from grader.engine.executors.executor import Executor
    from grader.records.model import Exercise, Job, Terms

Start: TypeAlias = "Callable[[Course, tuple[Exercise, ...], Terms, Sequence[Job]], Executor]"
"""Makes an executor that is good for these jobs; it doesn't begin with them."""


def choose(where: str, slots: int | None, ahead: JudgeClient | None = None) -> Start:
    """Judges on this machine ("local") or on a Dask cluster.

    A cluster is "tls://HOST:PORT", or "dask://HOST:PORT" without encryption and certificates.

    `slots` judges work at once here, by default as many as cores and memory allow and the jobs
    are worth. `ahead` is the first of them, if it has been launched already.

    Raises `UsageError` for any other place, and for a cluster if the extra `dask` isn't installed.
    """
    if where == "local":
        from grader.engine.executors.slots import Slots, worth

        return lambda course, exercises, terms, jobs: Slots(
            course.stubs, exercises, terms, slots or worth(jobs), submissions=len(jobs), ahead=ahead
        )
    if where.startswith(("tls://", "dask://")):
        try:
            from grader.engine.executors.cluster import Cluster
        except ImportError as error:
            raise UsageError(
                "a cluster needs Dask: run `pip install -e '.[dask]'` in the grader's clone, here "
                "and on every worker"
            ) from error
        return lambda course, exercises, terms, _: Cluster(course, exercises, terms, where)
    raise UsageError(
        f"no executor `{where}`; choose `local`, `tls://HOST:PORT` or `dask://HOST:PORT`"
    )


def require_usable(isolation: object, slots: object) -> None:
    """Raises `UsageError` for an unknown mode of isolation, or an impossible number of judges."""
    if isolation not in ISOLATION_MODES:
        modes = ", ".join(f"`{mode}`" for mode in ISOLATION_MODES)
        raise UsageError(f"no isolation {isolation!r}; choose one of {modes}")
    if slots is not None and (not isinstance(slots, int) or slots < 1):
        raise UsageError(f"`jobs`, the number of judges at once, is 1 or more, not {slots!r}")
