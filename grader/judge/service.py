"""One job: run its suites against it, and prove a suite before anybody is blamed by it.

    grade(submission) -> pytest over the suites -> JSON report -> ExerciseResult
                              a failure -> the solution, same inputs -> fails too? broken

No mark is lost at a test that the reference solution does not pass with the same inputs, in the
same run, on the same machine. The first proof of a suite on a machine also fills the compile
cache, which only trusted code ever writes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from grader import scoring
from grader.course import Course
from grader.errors import BrokenSuiteError, HostError
from grader.judge import plugin
from grader.judge.host import Host
from grader.judge.oracle import Oracle
from grader.judge.seat import Benches, RemoteSeat
from grader.model import Exercise, ExerciseResult, Outcome, Source, Submission, TestResult
from grader.sandbox.plain import Plain

_ARGUMENTS = (
    "--import-mode=importlib --json-report --json-report-file=none -q --no-header --no-summary "
    "-p no:cacheprovider -p no:logging -p no:faulthandler -p no:unraisableexception "
    "-p no:threadexception -p pytest_jsonreport.plugin "
    "--capture=sys -W ignore"
).split()


# How many times a student's limits the reference has: it compiles what they find in the cache.
PATIENCE = 4.0


class Judge:
    """Grades submissions one after another, and stays warm in between."""

    def __init__(
        self,
        course: Course,
        exercises: tuple[Exercise, ...],
        host: Host,
        cache: Path,
        seed: str,
        *,
        lenient: bool = False,
    ) -> None:
        """Raises `BrokenSuiteError` for a suite that can't judge; a `lenient` one waits with it."""
        self._course = course
        self._exercises = {exercise.id: exercise for exercise in exercises}
        self._host = host
        self._seed = seed
        self._cache = cache
        self._trusted: Host | None = None
        self._oracles: dict[Path, Oracle] = {}
        self._proofs: dict[str, tuple[TestResult, ...]] = {}
        self._tests = self._collect()
        for exercise in exercises:
            self._prove_once_on_this_machine(exercise, lenient)

    def grade(self, submission: Submission, exercises: Iterable[str]) -> list[ExerciseResult]:
        """A result for each exercise, in the order given."""
        sources = {s.exercise: s for s in submission.sources}
        asked = [self._exercises[name] for name in exercises]
        handed_in = [e for e in asked if e.id in sources]
        tests = self._run(self._host, {e.id: sources[e.id] for e in handed_in})
        return [self._judged(e, tests[e.id]) if e.id in tests else self._missing(e) for e in asked]

    def points(self) -> dict[str, float]:
        """What each exercise is worth."""
        return {name: sum(t.max_points for t in tests) for name, tests in self._tests.items()}

    def close(self) -> None:
        self._host.close()
        if self._trusted is not None:
            self._trusted.close()

    def _judged(self, exercise: Exercise, tests: tuple[TestResult, ...]) -> ExerciseResult:
        if any(test.outcome is not Outcome.PASSED for test in tests):
            unproven = {t.id: t for t in self._prove(exercise) if t.outcome is not Outcome.PASSED}
            tests = tuple(
                _blame_the_suite(t, unproven[t.id]) if t.id in unproven else _blame_the_student(t)
                for t in tests
            )
        return scoring.exercise_result(exercise.id, tests)

    def _missing(self, exercise: Exercise) -> ExerciseResult:
        tests = self._tests[exercise.id]
        missing = (
            replace(t, outcome=Outcome.MISSING, points=0.0, message="Not handed in.") for t in tests
        )
        return scoring.exercise_result(exercise.id, tuple(missing))

    def _prove_once_on_this_machine(self, exercise: Exercise, lenient: bool) -> None:
        marker = self._cache / "proved" / self._fingerprint(exercise)
        if marker.exists():
            return
        for test in self._prove(exercise):
            if test.outcome is not Outcome.PASSED:
                if lenient:
                    return
                raise BrokenSuiteError(
                    f"the suite `{self._course.suite(exercise)}` fails its own reference solution "
                    f"at `{test.id}` ({test.outcome}), so it can't judge anybody. Mend one or "
                    f"the other; `grader verify {exercise.stem}` repeats this.\n{test.detail}"
                )
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch()

    def _prove(self, exercise: Exercise) -> tuple[TestResult, ...]:
        """The reference solution's results with this run's inputs."""
        if exercise.id not in self._proofs:
            if self._trusted is None:
                self._trusted = Host(Plain(), self._cache / "xla")
            path = self._course.solution(exercise)
            source = Source(exercise.id, path.name, path.read_text(encoding="utf-8"))
            self._proofs[exercise.id] = self._run(
                self._trusted, {exercise.id: source}, patience=PATIENCE
            )[exercise.id]
        return self._proofs[exercise.id]

    def _fingerprint(self, exercise: Exercise) -> str:
        digest = hashlib.sha256()
        for path in (self._course.suite(exercise), self._course.solution(exercise)):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def _collect(self) -> dict[str, tuple[TestResult, ...]]:
        """Every test of every suite, with its points; imports the suites once and for all."""
        recorder = _Recorder(self, {})
        _pytest(
            ["--collect-only", *map(str, self._suites(self._exercises))], recorder, self._course
        )
        if recorder.errors:
            raise BrokenSuiteError(
                "a suite can't be imported, so it can't judge anybody. Mend it and run again.\n"
                + "\n".join(recorder.errors)
            )
        found = {
            name: recorder.collected(self._course.suite(e)) for name, e in self._exercises.items()
        }
        for name, tests in found.items():
            if not tests:
                suite = self._course.suite(self._exercises[name])
                raise BrokenSuiteError(f"the suite `{suite}` holds no test")
        return found

    def _run(
        self, host: Host, sources: dict[str, Source], *, patience: float = 1.0
    ) -> dict[str, tuple[TestResult, ...]]:
        """Every test of the sources' suites; `patience` multiplies the limits."""
        if not sources:
            return {}
        benches = Benches(host)
        seats = {}
        for name, source in sources.items():
            exercise = self._exercises[name]
            exercise = replace(exercise, limits=exercise.limits.scaled(patience))
            suite = self._course.suite(exercise).resolve()
            seats[suite] = RemoteSeat(host, exercise, source, benches)
        recorder = _Recorder(self, seats)
        first = next(iter(seats.values()))
        first.prepare()
        benches.prepare(first.exercise)
        try:
            _pytest([str(path) for path in self._suites(sources)], recorder, self._course)
        finally:
            recorder.close_all()
            benches.close()
            host.settle()
        if recorder.host_error:
            raise HostError(recorder.host_error)
        return {name: self._complete(name, recorder) for name in sources}

    def _complete(self, name: str, recorder: _Recorder) -> tuple[TestResult, ...]:
        """A result for every test that the suite holds: one that is missing is our fault."""
        done = {
            test.id: test for test in recorder.results(self._course.suite(self._exercises[name]))
        }
        return tuple(
            done.get(test.id, replace(test, outcome=Outcome.BROKEN, detail="the test did not run"))
            for test in self._tests[name]
        )

    def _suites(self, names: Iterable[str]) -> list[Path]:
        return [self._course.suite(self._exercises[name]) for name in names]

    def oracle(self, suite: Path) -> Oracle:
        if suite not in self._oracles:
            (exercise,) = (
                e for e in self._exercises.values() if self._course.suite(e).resolve() == suite
            )
            self._oracles[suite] = Oracle(self._course.solution(exercise))
        return self._oracles[suite]

    @property
    def seed(self) -> str:
        return self._seed


@dataclass
class _Recorder(plugin.Suites):
    """The plugin of one pytest run: gives the fixtures their seats, and takes the report."""

    judge: Judge
    seats: dict[Path, RemoteSeat]
    errors: list[str] = field(default_factory=list)
    host_error: str = ""
    _items: list[dict[str, Any]] = field(default_factory=list)
    _report: dict[str, Any] = field(default_factory=dict)
    _current: RemoteSeat | None = None

    @property
    def seed(self) -> str:  # type: ignore[override]
        return self.judge.seed

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

    def close(self) -> None:
        if self._current is not None:
            self._current.close()
            self._current = None

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
        # Visible tests first: what a worker remembers of a hidden one must not be spoken by an
        # exception whose text the student reads.
        order = list(dict.fromkeys(item.path for item in items))
        items.sort(key=lambda i: (order.index(i.path), not i.get_closest_marker("visible")))
        for item in items:
            self._items.append(
                {"nodeid": item.nodeid, "path": item.path.resolve(), "test": _static(item)}
            )

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
        static = _static(item)
        passed = outcome is Outcome.PASSED
        if item.get_closest_marker("visible") and not passed:
            message = plugin.visible_message(item, call, message)
        return {
            **static,
            "outcome": outcome.value,
            "points": static["max_points"] if passed else 0.0,
            "message": message,
            "hint": "" if passed else static["hint"],
            "detail": detail,
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
    return TestResult(**{**given, "outcome": Outcome(given["outcome"]), "seconds": seconds})


def _blame_the_student(test: TestResult) -> TestResult:
    """A test that only this submission breaks: what it returned can't be used."""
    if test.outcome is not Outcome.BROKEN:
        return test
    return replace(test, outcome=Outcome.FAILED, message=plugin.UNUSABLE)


def _blame_the_suite(test: TestResult, proof: TestResult) -> TestResult:
    return replace(
        test,
        outcome=Outcome.BROKEN,
        points=0.0,
        message="This test can't be scored: it fails on the reference solution, too.",
        detail=f"the solution: {proof.outcome}\n{proof.detail}\n\nthe submission:\n{test.detail}",
    )


def _pytest(arguments: list[str], recorder: _Recorder, course: Course) -> None:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    assert course.root is not None
    hidden = course.root / "tests" / "hidden"
    where = [f"--rootdir={hidden}", f"--confcutdir={hidden}", "-c", os.devnull]
    pytest.main([*where, *_ARGUMENTS, *arguments], plugins=[plugin, recorder])
