"""TRUSTED process: pytest, the hidden suites, the solutions, every expected value.

    __main__       launches the sandbox, then answers the executor
    service        the executor's questions
    judge          one job: suites, seats, results; each suite is proved on its solution
    suites         the suites of the course: solutions, runs of pytest, remembered tests
    plugin         pytest: fixtures and markers
    verdict        the result of a test, with the texts for student and teacher
    recorder       uses the plugin in one run of the judge: seats, results, locks for races
    pytest_entry   uses the plugin in an author's own pytest
    standalone     the seats of an author's own pytest; one has no processes, for a debugger
    seat           the processes of one submission
    child          talks to one hostile process and enforces its limits
    clock          the time that is charged to its code, on a busy machine, too
    processes      what the kernel tells of a child: threads, memory, disk
    host           a sandbox, its zygote, and how children start and end
    zygote_state   what children inherit of the zygote, so that a change is seen
    proxy          `submission` as a suite sees it
    codec          the suite's values as records of the wire, and back; classes for suites
    suite_code     a suite's function as bytes for a worker, without its path
    program        a function of a submission as an exported program
    race           the fixture `race`: a verdict on speed
    race_track     the processes of a race
    race_verdicts  verdicts of earlier runs, in the cache
    compare        assert_close and similar checks
    plain_asserts  the same of a plain `assert` or `numpy.testing`
    own_work       what the judge itself may spend on one submission
    bounded        how much a message about a hidden test may tell
    faults         whose fault a failure is, and what a student may read about it
    isolation      tries to break each layer of isolation on this machine

Suites import these names from here:

    from grader.judge import Callback, assert_close, assert_no_key_reuse, key, raises
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.judge.codec import Callback
    from grader.judge.compare import assert_close, assert_no_key_reuse, key, raises

__all__ = ["Callback", "assert_close", "assert_no_key_reuse", "key", "raises"]


def __getattr__(name: str) -> Any:
    # pytest loads this package in every run, for its plugin. Only runs that judge need jax.
    if name in __all__:
        from grader.judge import codec, compare

        return codec.Callback if name == "Callback" else getattr(compare, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
