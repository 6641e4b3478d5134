"""The plugin of one pytest run in the judge: seats for the fixtures, results from the report.

pytest --collected--> static facts of each test      (title, points, hint)
pytest --ran--> outcome --JSON report--> TestResult

The report (pytest-json-report) is where results come from, since it alone has every test once, with
the seconds of all its phases, whichever of them failed.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from grader.engine.judge import outcome, plugin
from grader.engine.judge.budget import OwnWork
from grader.engine.judge.naming import Loss
from grader.engine.judge.suites import Collected, CourseSuites, unknown_markers
from grader.engine.processes.faults import Fault
from grader.engine.processes.host import Host
from grader.engine.processes.seat import RemoteSeat
from grader.engine.race.floor import Floor
from grader.engine.race.races import Verdicts
from grader.engine.suite import plain_asserts
from grader.records import inputs
from grader.records.errors import HostError
from grader.records.model import Judging, Outcome, Race, Terms, TestResult, pack, unpack


@dataclass(frozen=True)
class Setting:
    """Where sources run, and for what purpose."""

    host: Host
    patience: float = 1.0  # multiplies the limits
    keeps_verdicts: bool = False  # whether verdicts on speed are stored
    hasty: bool = False  # whether a suite stops at its first lost test
    blanks: bool = False  # whether suites get zeros in place of all numbers
    on_test: Callable[[Judging], None] = lambda _: None  # before each test
    whose: str = "this submission"  # in a warning


@dataclass
class Recorder(plugin.Suites):
    """The plugin of one pytest run: gives the fixtures their seats, and takes the report."""

    suites: CourseSuites
    terms: Terms
    seats: dict[Path, RemoteSeat]
    setting: Setting
    tell: Callable[[Race], None] = lambda _: None
    floor: Floor | None = None
    """Where races run alone; without it, they run beside the tests of other judges."""
    on_lost: Callable[[], None] = lambda: None
    """Called for each test that isn't passed."""
    left_out: set[tuple[Path, str]] = field(default_factory=set)
    """The tests that a hasty run left out, by suite."""
    holding_tests: set[Path] = field(default_factory=set)
    """The suites with a test. It may be a race, and not run."""
    errors: list[str] = field(default_factory=list)
    host_error: str = ""
    internal_error: str = ""
    """What ended pytest in the middle of its tests, with a traceback: a fault of the grader."""
    _known_markers: list[str] = field(default_factory=list)
    _items: dict[Path, list[pytest.Item]] = field(default_factory=dict)
    losses: dict[Path, dict[str, Loss]] = field(default_factory=lambda: defaultdict(dict))
    """How each suite's tests were lost."""
    _report: dict[str, Any] = field(default_factory=dict)
    _lost: set[Path] = field(default_factory=set)
    _ways: dict[Path, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """How earlier tests of a suite were lost."""
    _compared: tuple[object, str, object] | None = None
    _current: RemoteSeat | None = None
    _own_work: dict[Path, OwnWork] = field(default_factory=lambda: defaultdict(OwnWork))

    def seed(self, item: pytest.Item) -> str:
        # A race has the same inputs for everybody: its proof takes long, and runs alone.
        if plugin.is_race(item):
            return self.terms.seed
        return inputs.seed(self.terms.seed, self.seats[item.path.resolve()].source)

    def seat(self, suite: Path) -> RemoteSeat:
        seat = self.seats[suite.resolve()]
        if seat is not self._current:
            self.close()
            self._current = seat
            # The worker of the next seat starts at the same time.
            places = list(self.seats.values())
            for following in places[places.index(seat) + 1 :][:1]:
                following.prepare()
        return seat

    def race_verdicts(self, suite: Path, test: str) -> Verdicts | None:
        if not self.setting.keeps_verdicts:
            return None
        seat = self.seats[suite.resolve()]
        fingerprint = self.suites.fingerprint(self.suites.exercise(suite))
        parts = (seat.source.text, fingerprint, test)
        return Verdicts(parts, self.setting.host.is_unchanged)

    def on_pair(self, race: Race) -> None:
        self.tell(race)

    def alone(self) -> AbstractContextManager[None]:
        return self.floor.alone() if self.floor is not None else nullcontext()

    def close(self) -> None:
        if self._current is not None:
            self._current.close()
            self._current = None

    def close_all(self) -> None:
        self.close()
        for seat in self.seats.values():
            seat.close()

    def collected(self, suite: Path) -> Collected:
        own = self._items.get(suite.resolve(), ())
        racing = tuple(item.name for item in own if plugin.is_race(item))
        return Collected(tuple(map(outcome.unjudged, own)), racing)

    def results(self, suite: Path) -> tuple[TestResult, ...]:
        """Read from the JSON report, in which tests have the node ids of the items."""
        own = {item.nodeid for item in self._items.get(suite.resolve(), ())}
        tests = (t for t in self._report.get("tests", ()) if t["nodeid"] in own)
        # A test has no result if pytest ended in the middle of it.
        return tuple(_timed(test) for test in tests if "metadata" in test)

    # Hooks. pytest finds them by name.

    def pytest_configure(self, config: pytest.Config) -> None:
        plugin.provide(config, lambda: self)
        self._known_markers = config.getini("markers")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.holding_tests = {item.path.resolve() for item in items}
        if not self.terms.with_races:
            items[:] = [item for item in items if not plugin.is_race(item)]
        for item in items:
            self._items.setdefault(item.path.resolve(), []).append(item)

    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> bool | None:
        """True leaves a test out: a hasty run does so after a failed test of the same suite."""
        self._tell(item, self._items[item.path.resolve()].index(item))
        if not (self.setting.hasty and item.path in self._lost):
            return None
        self.left_out.add((item.path.resolve(), item.name))
        # The failed test left its suite set up, since this one would have been the next.
        item.ihook.pytest_runtest_teardown(item=item, nextitem=nextitem)
        return True

    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        if nextitem is None or nextitem.path != item.path:
            self._tell(item, len(self._items[item.path.resolve()]))

    def _tell(self, item: pytest.Item, done: int) -> None:
        """How far the judge is, now and whenever the student's code was charged."""
        seat, of = self.seats[item.path.resolve()], len(self._items[item.path.resolve()])
        place = seat.exercise.id, done, of
        seat.on_charge = lambda: self.setting.on_test(Judging(*place, seat.seconds))
        seat.tell()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self._compared = None
        with self._own_work[item.path].bounded():
            try:
                return (yield)
            except AssertionError as error:
                mismatch = plain_asserts.understood(error, self._compared)
                if mismatch is None:
                    vars(error)["compared"] = self._compared
                    raise
                mismatch.__dict__ |= {k: v for k, v in vars(error).items() if k == "case"}
                raise mismatch.with_traceback(error.__traceback__) from None

    def pytest_internalerror(self, excrepr: object) -> None:
        """pytest calls this for an error outside tests, and then ends."""
        self.internal_error = str(excrepr)

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        """pytest calls this for a comparison that failed an `assert`."""
        self._compared = (left, op, right)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors += self._unknown_markers(report) or [
                f"`{report.nodeid}` can't be imported:\n{report.longreprtext}"
            ]

    def _unknown_markers(self, report: pytest.CollectReport) -> list[str]:
        suite, known = self.suites.course.hidden / report.fspath, self._known_markers
        found: list[str] = []
        with suppress(OSError, ValueError, SyntaxError):
            found += unknown_markers(suite.read_text(encoding="utf-8"), known)
        ours = "; ".join(plugin.MARKERS)
        return [f"`{report.nodeid}`: {' '.join(found)} There are: {ours}."] if found else []

    def pytest_json_runtest_metadata(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> dict[str, Any]:
        if call.when != "call" and call.excinfo is None:
            return {}
        result = outcome.result(item, call)
        error = call.excinfo.value if call.excinfo is not None else None
        # A full disk, or no descriptors left, is the machine's fault.
        if type(error) is HostError or isinstance(error, OSError):
            self.host_error = str(error)
        if result.outcome is not Outcome.PASSED:
            self._lost.add(item.path)
            self.on_lost()
        if error is not None and (loss := outcome.loss(item, call)):
            self.losses[item.path.resolve()][item.name] = loss
        # Nothing of this, if it would take the judge too much.
        with suppress(Fault, MemoryError), self._own_work[item.path].bounded():
            if error is not None:
                result = outcome.with_example(item, error, result)
        result = replace(result, hint=self._hint(item, error, result))
        # The report can hold only JSON values.
        return {"result": pack(result).decode()}

    def _hint(self, item: pytest.Item, error: BaseException | None, test: TestResult) -> str:
        """Nothing where an exception is explained.

        Where an earlier test met NaN, or another shape, the hint of a later one that meets the same
        would lead away from that. Numbers are wrong in many ways. So there this holds only after
        the first test of the suite, which asks for ordinary values. After another one, the hint
        stands behind a question. The first test's own hint would lead away from a list where an
        array is expected. A hint may be about a shape or a dtype.
        """
        if test.outcome is Outcome.RAISED and test.advice:
            return ""
        way = outcome.way(error)
        is_first = item is self._items[item.path.resolve()][0]
        earlier = self._ways[item.path].get(way, "")
        if way and not earlier:
            is_sure = is_first or way != "value"
            self._ways[item.path][way] = outcome.SAME if is_sure else outcome.PERHAPS
        if is_first and outcome.is_no_array(error):
            return ""
        return earlier.format(test.hint) if earlier and test.hint else test.hint

    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        self._report = dict(json_report)


def _timed(test: dict[str, Any]) -> TestResult:
    """A test of the JSON report, with the seconds that pytest measured."""
    seconds = sum(test.get(stage, {}).get("duration", 0.0) for stage in ("setup", "call"))
    return replace(unpack(test["metadata"]["result"], TestResult), seconds=seconds)
