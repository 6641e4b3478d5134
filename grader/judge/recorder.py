"""The plugin of one pytest run in the judge: seats for the fixtures, results from the report.

pytest --collected--> static facts of each test      (title, points, hint)
pytest --ran--> verdict --JSON report--> TestResult
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.errors import HostError
from grader.judge import plugin
from grader.judge.memory import Verdicts
from grader.judge.oracle import Oracle
from grader.judge.race import Memory
from grader.judge.seat import RemoteSeat
from grader.model import Outcome, Race, TestResult
from grader.records import test_from_json, to_json

if TYPE_CHECKING:
    from grader.feedback.relations import Pair
    from grader.judge.service import Judge


@dataclass
class Recorder(plugin.Suites):
    """The plugin of one pytest run: gives the fixtures their seats, and takes the report."""

    judge: Judge
    seats: dict[Path, RemoteSeat]
    verdicts: Path | None = None
    hasty: bool = False
    related: dict[tuple[Path, str], list[Pair]] = field(default_factory=dict)
    """For a test with a wrong result, how that may follow from the right one, on two inputs."""
    errors: list[str] = field(default_factory=list)
    host_error: str = ""
    _items: list[dict[str, Any]] = field(default_factory=list)
    _report: dict[str, Any] = field(default_factory=dict)
    _lost: set[Path] = field(default_factory=set)
    _explained: list[pytest.Item] = field(default_factory=list)
    _left_out: set[tuple[Path, str]] = field(default_factory=set)
    _current: RemoteSeat | None = None

    @property
    def seed(self) -> str:  # type: ignore[override]
        return self.judge.terms.seed

    def seat(self, suite: Path) -> RemoteSeat:
        seat = self.seats[suite.resolve()]
        if seat is not self._current:
            self.close()
            self._current = seat
            # The next one's worker warms up meanwhile.
            places = list(self.seats.values())
            for following in places[places.index(seat) + 1 :][:1]:
                following.prepare()
        return seat

    def oracle(self, suite: Path) -> Oracle:
        return self.judge.oracle(suite.resolve())

    def memory(self, suite: Path, test: str) -> Memory:
        if self.verdicts is None:
            return super().memory(suite, test)
        seat = self.seats[suite.resolve()]
        fingerprint = self.judge.fingerprint(self.judge.exercise_of(suite.resolve()))
        return Verdicts(self.verdicts, (seat.source.text, fingerprint, test))

    def on_pair(self, race: Race) -> None:
        self.judge.on_pair(race)

    def close(self) -> None:
        if self._current is not None:
            self._see_whether_it_is_chance()
            self._current.close()
            self._current = None

    def _see_whether_it_is_chance(self) -> None:
        """Runs what a relation may explain on other inputs, once. No mark depends on it now."""
        explained, self._explained = self._explained, []
        for item in explained:
            if (pair := plugin.related_again(item)) is not None:
                self.related[item.path.resolve(), item.name].append(pair)

    def close_all(self) -> None:
        self.close()
        for seat in self.seats.values():
            seat.close()

    def collected(self, suite: Path) -> tuple[TestResult, ...]:
        return tuple(
            TestResult(outcome=Outcome.MISSING, points=0.0, **item["test"])
            for item in self._items
            if item["path"] == suite.resolve()
        )

    def racing(self, suite: Path) -> set[str]:
        """The collected tests that ask for the fixture `race`."""
        own = (item for item in self._items if item["path"] == suite.resolve())
        return {item["test"]["id"] for item in own if item["races"]}

    def left_out(self, suite: Path, test: str) -> bool:
        """Whether a test was skipped in haste."""
        return (suite.resolve(), test) in self._left_out

    def results(self, suite: Path) -> tuple[TestResult, ...]:
        """From the JSON report; its node ids are those of the items."""
        paths = {item["nodeid"]: item["path"] for item in self._items}
        return tuple(
            _test_result(test)
            for test in self._report.get("tests", ())
            if paths.get(test["nodeid"]) == suite.resolve()
        )

    # Hooks. pytest finds them by name.

    def pytest_configure(self, config: pytest.Config) -> None:
        plugin.use(config, self)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if not self.judge.terms.races:
            items[:] = [item for item in items if not plugin.is_race(item)]
        # Visible tests first: what a worker remembers of a hidden one must not be spoken by an
        # exception whose text the student reads.
        order = list(dict.fromkeys(item.path for item in items))
        items.sort(key=lambda i: (order.index(i.path), not i.get_closest_marker("visible")))
        for item in items:
            self._items.append(
                {
                    "nodeid": item.nodeid,
                    "path": item.path.resolve(),
                    "test": _static(item),
                    "races": plugin.is_race(item),
                }
            )

    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """True leaves a test out: in haste, after one of the same suite is lost."""
        if not (self.hasty and item.path in self._lost):
            return None
        self._left_out.add((item.path, item.name))
        return True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(f"{report.nodeid}: {report.longreprtext}")

    def pytest_json_runtest_metadata(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> dict[str, Any]:
        if call.when != "call" and call.excinfo is None:
            return {}
        outcome, message, detail = plugin.verdict(item, call)
        # A full disk or a lack of descriptors in the judge is nobody's failure but the machine's.
        if call.excinfo is not None and (
            type(call.excinfo.value) is HostError or isinstance(call.excinfo.value, OSError)
        ):
            self.host_error = str(call.excinfo.value)
        if call.when != "call":
            outcome = Outcome.BROKEN
        error = call.excinfo.value if call.excinfo is not None else None
        explains = not (self.judge.terms.proving or self.judge.terms.hasty)
        if explains and (pair := plugin.related(item, error)) is not None:
            self.related[item.path.resolve(), item.name] = [pair]
            if pair.relations and outcome is Outcome.FAILED and not plugin.is_race(item):
                self._explained.append(item)
        static = _static(item)
        passed = outcome is Outcome.PASSED
        if not passed:
            self._lost.add(item.path)
        if item.get_closest_marker("visible") and not passed:
            message = plugin.visible_message(item, call, message)
        return {
            **static,
            "outcome": outcome.value,
            "points": static["max_points"] if passed else 0.0,
            "message": message,
            "hint": "" if outcome in (Outcome.PASSED, Outcome.UNDECIDED) else static["hint"],
            "detail": detail,
            "races": [to_json(race) for race in plugin.races(item)],
            "advice": to_json(advice) if (advice := plugin.advice(call)) else None,
        }

    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        self._report = dict(json_report)


def _static(item: pytest.Item) -> dict[str, Any]:
    return {
        "id": item.name,
        "title": plugin.title(item),
        "max_points": plugin.points(item),
        "hint": plugin.hint(item),
    }


def _test_result(test: dict[str, Any]) -> TestResult:
    given = test["metadata"]
    seconds = sum(test.get(stage, {}).get("duration", 0.0) for stage in ("setup", "call"))
    return test_from_json({"advice": None, **given, "seconds": seconds})
