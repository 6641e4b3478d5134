"""Where judges run.

executor    what all of them can do
slots       judges side by side on this machine
cluster     the same on the workers of a Dask cluster
connection  to the scheduler of such a cluster, with TLS or without
serial      one judge, one submission after another
process     starts a judge process, and talks to it
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from grader.errors import UsageError
from grader.model import ISOLATION_MODES

# A command starts a judge (`process`) before it imports more, since a judge takes longest.
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from grader.course import Course
    from grader.executors.executor import Executor
    from grader.model import Exercise, Job, Terms

Start: TypeAlias = "Callable[[Course, tuple[Exercise, ...], Terms, Sequence[Job]], Executor]"
"""Makes an executor that is good for these jobs; it doesn't begin with them."""


def choose(where: str, slots: int | None) -> Start:
    """Judges on this machine ("local") or on a Dask cluster.

    A cluster is "tls://HOST:PORT", or "dask://HOST:PORT" without encryption and certificates.

    `slots` judges work at once here, by default as many as cores and memory allow and the jobs
    are worth. Raises `UsageError` for any other place, and for a cluster if the extra `dask` isn't
    installed.
    """
    if where == "local":
        from grader.executors.slots import Slots, worth

        return lambda course, exercises, terms, jobs: Slots(
            course.stubs, exercises, terms, slots or worth(jobs), submissions=len(jobs)
        )
    if where.startswith(("tls://", "dask://")):
        try:
            from grader.executors.cluster import Cluster
        except ImportError as error:
            raise UsageError(
                "a cluster needs Dask: `pip install 'jax-grader[dask]'`, here and on every worker"
            ) from error
        return lambda course, exercises, terms, _: Cluster(course, exercises, terms, where)
    raise UsageError(
        f"no executor `{where}`; choose `local`, `tls://HOST:PORT` or `dask://HOST:PORT`"
    )


def require_usable(isolation: object, slots: object) -> None:
    """Raises `UsageError` for an isolation that is none, or a number of judges that can't be."""
    if isolation not in ISOLATION_MODES:
        modes = ", ".join(f"`{mode}`" for mode in ISOLATION_MODES)
        raise UsageError(f"no isolation {isolation!r}; choose one of {modes}")
    if slots is not None and (not isinstance(slots, int) or slots < 1):
        raise UsageError(f"`jobs` is how many judges work at once, 1 or more, and not {slots!r}")
