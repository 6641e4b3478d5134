"""The pytest plugin: fixtures and markers of a suite, and what a failed test means.

Loaded in two ways. In the judge, `service` passes an instance with a seat for each suite. For
an author, the entry point `pytest11` makes `pytest tests/hidden/TOPIC/test_STEM.py` judge the
reference solution, or `--submission PATH`; `--debug-in-process` drops the seam.
"""

from __future__ import annotations

import hashlib
import inspect
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.model import Outcome

if TYPE_CHECKING:
    import numpy as np

    from grader.feedback.relations import Pair
    from grader.judge.oracle import Oracle
    from grader.judge.proxy import Submission
    from grader.judge.race import Memory, Races
    from grader.model import Advice, Race


class Suites:
    """What the fixtures need to know; the judge and the author's pytest each bring their own."""

    seed = "0"

    def seat(self, suite: Path) -> Any:
        """The seat of the submission that the suite at this path judges."""
        raise NotImplementedError

    def oracle(self, suite: Path) -> Oracle:
        raise NotImplementedError

    def memory(self, suite: Path, test: str) -> Memory:
        """Earlier verdicts on speed."""
        from grader.judge.race import Forgetful

        return Forgetful()

    def on_pair(self, race: Race) -> None:
        """Told of a race after each of its pairs."""

    def close(self) -> None:
        """Ends every process."""


_SUITES = pytest.StashKey[Suites]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("grader", "judging a submission with a hidden suite")
    group.addoption("--submission", metavar="PATH", help="judge this file, not the solution")
    group.addoption("--seed", metavar="N", help="the seed of the fixture `rng` (default: random)")
    group.addoption(
        "--debug-in-process",
        action="store_true",
        help="run the submission in this process, without limits or protection, for a debugger",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "points(n): what the test is worth; 1 without it")
    config.addinivalue_line("markers", "hint(text): what the student reads when it fails")
    config.addinivalue_line("markers", "visible: the student sees inputs and expected values")


def pytest_unconfigure(config: pytest.Config) -> None:
    if _SUITES in config.stash:
        config.stash[_SUITES].close()


def use(config: pytest.Config, suites: Suites) -> None:
    """Makes the fixtures of this run ask `suites`."""
    config.stash[_SUITES] = suites


def is_race(item: pytest.Item) -> bool:
    """Whether a test asks for the fixture `race`."""
    return "race" in getattr(item, "fixturenames", ())


def _suites(config: pytest.Config) -> Suites:
    if _SUITES not in config.stash:
        from grader.judge.author import AuthorSuites

        use(config, AuthorSuites(config))
    return config.stash[_SUITES]


@pytest.fixture
def submission(request: pytest.FixtureRequest) -> Submission:
    """The student's module, in a process of its own."""
    from grader.judge.proxy import Submission

    seat = _suites(request.config).seat(request.path)
    seat.new_test()
    request.node.stash[_SEAT] = seat
    return Submission(seat)


@pytest.fixture
def oracle(request: pytest.FixtureRequest) -> Oracle:
    """The reference solution, in this process."""
    return _suites(request.config).oracle(request.path)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Random inputs: fresh in each run, and the same for every submission of a run."""
    return _generator(request.node, "")


@pytest.fixture
def race(request: pytest.FixtureRequest, submission: Submission, oracle: Oracle) -> Races:
    """A verdict on speed: see `grader.judge.race.Races.__call__`."""
    from grader.judge.race import Races

    suites = _suites(request.config)
    races = Races(
        request.node.stash[_SEAT],
        oracle,
        _generator(request.node, ":race"),
        suites.memory(request.path, request.node.name),
        suites.on_pair,
    )
    request.node.stash[_RACES] = races
    return races


def _generator(item: pytest.Item, use: str) -> np.random.Generator:
    import numpy as np

    text = f"{_suites(item.config).seed}:{item.path.name}:{item.name}{use}"
    digest = hashlib.sha256(text.encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


UNUSABLE = "What your code returned can't be used the way it should be."
_SEAT = pytest.StashKey[Any]()
_RACES = pytest.StashKey[Any]()


def title(item: pytest.Item) -> str:
    """The first line of the test's docstring, or its name in words."""
    doc = getattr(getattr(item, "function", None), "__doc__", None)
    words = item.name.removeprefix("test_").replace("_", " ")
    return doc.strip().splitlines()[0] if doc and doc.strip() else words


def points(item: pytest.Item) -> float:
    marker = item.get_closest_marker("points")
    return float(marker.args[0]) if marker and marker.args else 1.0


def hint(item: pytest.Item) -> str:
    marker = item.get_closest_marker("hint")
    return str(marker.args[0]) if marker and marker.args else ""


def races(item: pytest.Item) -> tuple[Race, ...]:
    """Every race that the test has run."""
    return tuple(item.stash[_RACES].done) if _RACES in item.stash else ()


def verdict(item: pytest.Item, call: pytest.CallInfo[None]) -> tuple[Outcome, str, str]:
    """Outcome, what the student may read, and what the teacher may."""
    from grader.errors import GraderError
    from grader.judge.faults import Fault, Mismatch, Undecided

    if call.excinfo is None:
        return Outcome.PASSED, "; ".join(map(str, races(item))), ""
    error = call.excinfo.value
    detail = _detail(item, call.excinfo)
    if isinstance(error, Undecided):
        return Outcome.UNDECIDED, error.public, detail
    if isinstance(error, Fault):
        return error.outcome, error.public, detail
    if isinstance(error, Mismatch):
        return Outcome.FAILED, error.public, detail
    if isinstance(error, AssertionError):
        return Outcome.FAILED, "This does not hold for your code.", detail
    if isinstance(error, GraderError) or not isinstance(error, Exception):
        return Outcome.BROKEN, "", detail
    if isinstance(error, pytest.skip.Exception | pytest.fail.Exception):
        return Outcome.BROKEN, "", detail
    # A suite that holds for the solution can still stumble over what a student returned (a
    # number that was to be unpacked). `service` proves the suite before this stands.
    return Outcome.FAILED, UNUSABLE, detail


def advice(call: pytest.CallInfo[None]) -> Advice | None:
    """What an exception of the student's means."""
    return getattr(call.excinfo.value, "advice", None) if call.excinfo is not None else None


def related(item: pytest.Item, error: BaseException | None) -> Pair | None:
    """How a wrong result may follow from the right one, where each run has inputs of its own."""
    values = getattr(error, "values", None)
    if values is None or "rng" not in getattr(item, "fixturenames", ()):
        return None
    from grader.judge import compare

    seat = item.stash.get(_SEAT, None)
    devices = seat.exercise.devices if seat is not None else 1
    try:
        return compare.related(values, getattr(seat, "inputs", ()), devices)
    except Exception:  # a student's values are anything, and feedback must not cost a mark
        return None


def related_again(item: pytest.Item) -> Pair | None:
    """The same for other inputs: calls the test once more, in the worker that it had."""
    from grader.judge.proxy import Submission

    seat = item.stash[_SEAT]
    test: Any = getattr(item, "function", None)
    given = {
        "submission": Submission(seat),
        "oracle": _suites(item.config).oracle(item.path),
        "rng": _generator(item, ":again"),
    }
    names = set(inspect.signature(test).parameters)
    if not names <= set(given):  # a fixture of the suite's own
        return None
    seat.new_test()
    try:
        test(**{name: given[name] for name in names})
    except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:
        # Whatever went wrong, it costs nobody but us: the marks stand already.
        return related(item, error)
    return None


def visible_message(item: pytest.Item, call: pytest.CallInfo[None], message: str) -> str:
    """What a student reads of a visible test: the call, what came of it, what was expected."""
    from grader.judge.faults import Fault

    seat = item.stash.get(_SEAT, None)
    error = call.excinfo.value if call.excinfo is not None else None
    called = f"It called {seat.last_call}" if seat is not None and seat.last_call else ""
    told = str(error) if isinstance(error, Fault | AssertionError) else ""
    return "\n".join(part for part in (message, called, told.removeprefix(message).strip()) if part)


def _detail(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    """What a teacher reads: the line of the suite, the last call, what came of it, the prints."""
    from grader.errors import GraderError
    from grader.judge.faults import Fault, Mismatch

    seat = item.stash.get(_SEAT, None)
    parts = [_line_of_suite(item, excinfo)]
    if seat is not None and seat.last_call:
        parts.append(f"last call: {seat.last_call}")
    known = isinstance(excinfo.value, Fault | Mismatch | GraderError)
    parts.append(str(excinfo.value) if known else _trace_of_suite(item, excinfo))
    if seat is not None and seat.printed:
        parts.append(f"printed:\n{seat.printed}")
    return "\n".join(part for part in parts if part)


def _trace_of_suite(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    said = traceback.format_list(_frames(item, excinfo))
    return "".join([*said, *traceback.format_exception_only(excinfo.value)]).rstrip()


def _line_of_suite(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    first = _frames(item, excinfo)[:1]
    return "".join(f"{item.path.name}:{frame.lineno}: {frame.line}" for frame in first)


def _frames(
    item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]
) -> list[traceback.FrameSummary]:
    """Where the suite stood. pytest's own way parses the file anew for each frame."""
    frames = traceback.extract_tb(excinfo.tb)
    return [frame for frame in frames if Path(frame.filename) == item.path]
