"""The entry point `pytest11`: `pytest tests/hidden/TOPIC/test_STEM.py` judges the solution.

`--submission PATH[::CELL]` judges that file instead. Its long name is `--grader-submission`, for
suites that belong to no course. `--seed N` repeats the inputs of a run, and `--debug-in-process`
starts no processes.
"""

import pytest

from grader.engine.judge import plugin


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("grader", "judging a submission with a hidden suite")
    group.addoption(
        "--submission",
        "--grader-submission",
        dest="submission",
        metavar="PATH[::CELL]",
        help="judge this file, not the solution; for a suite without a course, also a folder",
    )
    group.addoption("--seed", metavar="N", help="the seed of the fixture `rng` (default: random)")
    group.addoption(
        "--debug-in-process",
        action="store_true",
        help="run the submission in this process, without limits or protection, for a debugger",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Adds fixtures and markers; the suite is looked up at the first use of a fixture."""
    config.pluginmanager.register(plugin, "grader-fixtures")
    plugin.provide(config, lambda: _author_suites(config))


def _author_suites(config: pytest.Config) -> plugin.Suites:
    # This imports jax, which would slow down pytest runs without hidden suites.
    from grader.engine.judge.standalone import AuthorSuites

    return AuthorSuites(config)
