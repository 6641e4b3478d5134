"""The pytest plugin: fixtures and markers of a suite.

Loaded in two ways. In the judge, each run provides a `Recorder` with a seat for each suite. In an
author's own pytest, `pytest_entry` provides `AuthorSuites`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.records import inputs

if TYPE_CHECKING:
    import numpy as np

    from grader.engine.race.races import Races, Verdicts
    from grader.engine.suite.submission import SubmissionProxy
    from grader.records.model import Race


class Suites:
    """The interface for the fixtures; the judge and an author's own pytest have subclasses."""

    def seed(self, item: pytest.Item) -> str:
        """The seed of the random inputs of a test."""
        raise NotImplementedError

    def seat(self, suite: Path) -> Any:
        """The seat of the submission that the suite at this path judges."""
        raise NotImplementedError

    def race_verdicts(self, suite: Path, test: str) -> Verdicts | None:
        """The stored verdicts on the speed of a test; None if they are not stored."""
        return None

    def on_pair(self, race: Race) -> None:
        """Called after each pair of a race."""

    def alone(self) -> AbstractContextManager[None]:
        """Inside it, a race has the machine for itself."""
        return nullcontext()

    def close(self) -> None:
        """Ends every process."""


MARKERS = (
    "points(n): the points of the test (default: 1)",
    "hint(text): what the student reads when it fails",
    "words: no message shows a value, since the expected ones are the answer",
)
_MAKE = pytest.StashKey[Callable[[], Suites]]()
_SUITES = pytest.StashKey[Suites]()
SEAT = pytest.StashKey[Any]()
RACES = pytest.StashKey[Any]()


def pytest_configure(config: pytest.Config) -> None:
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the processes of this run."""
    if _SUITES in config.stash:
        config.stash[_SUITES].close()


def provide(config: pytest.Config, make: Callable[[], Suites]) -> None:
    """Registers `make` for this run; the first use of a fixture calls it."""
    config.stash[_MAKE] = make


def is_race(item: pytest.Item) -> bool:
    """Whether a test asks for the fixture `race`."""
    return "race" in getattr(item, "fixturenames", ())


def suites_of(config: pytest.Config) -> Suites:
    """The `Suites` of this run, made at the first call."""
    if _SUITES not in config.stash:
        config.stash[_SUITES] = config.stash[_MAKE]()
    return config.stash[_SUITES]


@pytest.fixture
def submission(request: pytest.FixtureRequest) -> SubmissionProxy:
    """The student's module, in a process of its own: `submission.f(x)`."""
    from grader.engine.suite.submission import SubmissionProxy

    seat = suites_of(request.config).seat(request.path)
    seat.new_test()
    request.node.stash[SEAT] = seat
    return SubmissionProxy(seat)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """A NumPy generator of its own for each program and each test.

    Its seed follows from the seed of the run, the program's text, and the names of the suite's file
    and of the test. In a race it is the same for all programs.
    """
    return generator(request.node)


@pytest.fixture
def race(request: pytest.FixtureRequest, submission: SubmissionProxy) -> Races:
    """A verdict on speed: see `grader.engine.race.races.Races.__call__`."""
    from grader.course import raced
    from grader.course.course import stub_of
    from grader.engine.race.races import Races

    suites, seat = suites_of(request.config), request.node.stash[SEAT]
    stub = stub_of(request.path) if seat.exercise.kind == "fast" else None
    races = Races(
        seat,
        generator(request.node, ":race"),
        suites.race_verdicts(request.path, request.node.name),
        suites.on_pair,
        suites.alone,
        raced.read(stub)[0],
    )
    request.node.stash[RACES] = races
    return races


def generator(item: pytest.Item, use: str = "") -> np.random.Generator:
    """Random numbers of one test, for one use."""
    return inputs.generator(suites_of(item.config).seed(item), item.path.name, item.name, use)
