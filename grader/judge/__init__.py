"""TRUSTED process: pytest, the hidden suites, the solutions, every expected value.

    __main__   serves jobs to the pipeline
    service    one job: which suites, which seats, results; proves a suite before it blames
    plugin     pytest: fixtures, markers, and what an exception means
    recorder   that plugin in one run of the judge: seats in, results out
    seat       where a submission sits: its worker and its bench   (debug: without the seam)
    child      one process: a question, an answer, limits
    host       a sandbox, its zygote, and the children's birth and end
    proxy      `submission` as a suite sees it   (exported: a function of it as a program)
    race       `race` as a suite sees it: a verdict on speed
               (track: where it runs; memory: verdicts of earlier runs)
    oracle     the reference solution, with its own rounding error
    compare    assert_close and its relatives
    faults     whose fault it was, and what a student may read of it
    isolation  which layers hold on this machine, by trying

What a suite imports is re-exported here:

    from grader.judge import assert_close, assert_no_key_reuse, key, raises
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.judge.compare import assert_close, assert_no_key_reuse, key, raises

__all__ = ["assert_close", "assert_no_key_reuse", "key", "raises"]


def __getattr__(name: str) -> Any:
    # pytest loads this package for its plugin in every run; jax is for those that judge.
    if name in __all__:
        from grader.judge import compare

        return getattr(compare, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
