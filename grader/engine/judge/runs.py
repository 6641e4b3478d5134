"""Runs of pytest over suites, until every test has a result that counts.

sources --results--> run -> pytest -> JSON report -> TestResult
                      undecided -> that race again, when everything else is done
                      a changed zygote -> a new one, and once more; changed again -> broken
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

import pytest

from grader.course.course import Course
from grader.engine.judge import outcome
from grader.engine.judge.naming import Loss
from grader.engine.judge.recorder import Recorder, Setting
from grader.engine.judge.suites import PLUGINS, Collected, CourseSuites, pytest_arguments
from grader.engine.processes.seat import Benches, RemoteSeat
from grader.engine.race.floor import Floor
from grader.records import cache, digests
from grader.records.cache import Cache
from grader.records.errors import BrokenSuiteError, HostError
from grader.records.model import Advice, Exercise, Outcome, Purpose, Race, Source, Terms, TestResult

# How often a race without a verdict is tried again.
RACED_AGAIN = 2
CHANGED = "the process that starts all workers changed in two runs out of two"
Tests = dict[str, tuple[TestResult, ...]]
"""By exercise: the results of its tests, in the order of the suite."""


class SuiteRuns:
    """The suites of some exercises, and what is known of their tests before they run."""

    def __init__(
        self,
        course: Course,
        exercises: tuple[Exercise, ...],
        terms: Terms,
        warn: Callable[[str], None],
        waits: Callable[[bool], None],
    ) -> None:
        self.suites = CourseSuites(course, exercises)
        self.left_out: dict[str, tuple[Advice, ...]] = {}
        """Cells of notebooks that raised, by exercise, since the last `forget`."""
        self.losses: dict[str, dict[str, Loss]] = {}
        """How tests were lost, by exercise, since the last `forget`."""
        self.on_lost: Callable[[], None] = lambda: None
        """Called for each lost test, unless that would disturb a race."""
        self.on_pair: Callable[[Race], None] = lambda _: None
        """Called after each pair of every race."""
        self._course = course
        self._exercises = {exercise.id: exercise for exercise in exercises}
        self._terms = terms
        self._warn = warn
        self._waits = waits

    def collect(self, setting: Setting) -> None:
        """Learns every test of every suite. Imports those that this machine doesn't know yet.

        Raises `BrokenSuiteError` for a suite that can't be imported.
        """
        code = digests.of_code("grader.engine.judge.runs")  # it reads a suite
        common = digests.of(self._terms.with_races, pytest.__version__, code)
        kept = Cache("collected")
        keys = {
            name: digests.of(common, self.suites.fingerprint(exercise))
            for name, exercise in self._exercises.items()
        }
        stored = {name: kept.get(key, Collected) for name, key in keys.items()}
        new = [self._exercises[name] for name, each in stored.items() if each is None]
        imported = self._imported(new, setting) if new else {}
        for name, own in imported.items():
            kept.put(keys[name], own)
        collected = {name: each or imported[name] for name, each in stored.items()}
        self.tests: Tests = {name: each.tests for name, each in collected.items()}
        """Every test without a verdict."""
        self.racing = {name: set(each.racing) for name, each in collected.items()}
        """The ids of those with a race."""

    def calm(self, name: str) -> set[str]:
        """The tests of an exercise without a race."""
        return {test.id for test in self.tests[name]} - self.racing[name]

    def forget(self) -> None:
        """Before another submission."""
        self.left_out.clear()
        self.losses = {}

    def results(
        self,
        setting: Setting,
        sources: Mapping[str, Source],
        only: Mapping[str, Collection[str]],
        tries: int = RACED_AGAIN,
    ) -> Tests:
        """Runs every test of the sources' suites; for an exercise in `only`, just those tests.

        A race that noise left undecided is run again, up to `tries` times.
        """
        tests = self._counted(setting, sources, only)
        undecided = {
            name: {test.id for test in own if test.outcome is Outcome.UNDECIDED}
            for name, own in tests.items()
        }
        left = {name: source for name, source in sources.items() if undecided[name]}
        again = self.results(setting, left, undecided, tries - 1) if left and tries else {}
        for name, own in again.items():
            new = {test.id: test for test in own}
            tests[name] = tuple(new.get(test.id, test) for test in tests[name])
        return tests

    def _counted(
        self, setting: Setting, sources: Mapping[str, Source], only: Mapping[str, Collection[str]]
    ) -> Tests:
        """One run, from a zygote that is the same before and after it; else every test is broken.

        Each child inherits what the zygote is, so a changed one could decide other marks.
        """
        tests = self._run(setting, sources, only)
        if not (change := setting.host.changed()):
            return tests
        self._warn(
            f"the zygote changed while {setting.whose} was judged ({change}). It was replaced, and "
            "the submission is judged again."
        )
        tests = self._run(setting, sources, only)
        if not (change := setting.host.changed()):
            return tests
        self._warn(f"the zygote changed again, so no result of {setting.whose} counts: {change}")
        ran = {name: {test.id for test in own} for name, own in tests.items()}
        return {
            name: tuple(
                outcome.absent(test, f"{CHANGED}: {change}")
                for test in self.tests[name]
                if test.id in ids
            )
            for name, ids in ran.items()
        }

    def _run(
        self, setting: Setting, sources: Mapping[str, Source], only: Mapping[str, Collection[str]]
    ) -> Tests:
        selected = self._selected(sources, only)
        if not selected:  # without an argument pytest would collect the current folder
            return dict.fromkeys(sources, ())
        host = setting.host
        benches = Benches(host)
        seats = {}
        for name, source in sources.items():
            exercise = self._exercises[name]
            exercise = replace(exercise, limits=exercise.limits.scaled(setting.patience))
            suite = self._course.suite(exercise).resolve()
            seats[suite] = RemoteSeat(host, exercise, source, benches)
            if self._terms.purpose is Purpose.PROOF:
                seats[suite].evidence.answers = ""
            seats[suite].evidence.blanks = setting.blanks
        # A proof of a course runs races beside other tests, since a verdict allows for some noise.
        is_proof = self._terms.purpose is not Purpose.MARKS
        floor = None if is_proof else Floor(cache.folder(), self._waits)
        recorder = Recorder(self.suites, self._terms, seats, setting, self.on_pair, floor)
        if not any(self.racing[name] for name in sources):  # it would disturb a race
            recorder.on_lost = self.on_lost
        first = next(iter(seats.values()))
        first.prepare()
        benches.prepare(first.exercise)
        try:
            plugins = [*PLUGINS, recorder, *([floor] if floor else ())]
            pytest.main(pytest_arguments(self._course, selected), plugins)
        finally:
            recorder.close_all()
            for seat in seats.values():
                seat.tell()
            # The solution is no notebook. A run of it must not hide the cells of the submission.
            self.left_out |= {s.exercise.id: s.left_out for s in seats.values() if s.left_out}
            benches.close()
            host.settle()
        for path, seat in seats.items():
            self.losses.setdefault(seat.exercise.id, {}).update(recorder.losses[path])
        if recorder.host_error:
            raise HostError(recorder.host_error)
        return {name: self._complete(name, recorder, only.get(name)) for name in sources}

    def _imported(self, exercises: Iterable[Exercise], setting: Setting) -> dict[str, Collected]:
        suites = {exercise.id: self._course.suite(exercise) for exercise in exercises}
        recorder = Recorder(self.suites, self._terms, {}, setting)
        arguments = ["--collect-only", "--tb=short", *map(str, suites.values())]
        pytest.main(pytest_arguments(self._course, arguments), [*PLUGINS, recorder])
        if recorder.errors:
            raise BrokenSuiteError(
                "a suite can't be used, so it can't judge anybody. Fix it and run again.\n"
                + "\n".join(recorder.errors)
            )
        for suite in suites.values():
            if suite.resolve() not in recorder.holding_tests:
                raise BrokenSuiteError(f"the suite `{suite}` contains no tests")
        return {name: recorder.collected(suite) for name, suite in suites.items()}

    def _selected(self, names: Iterable[str], only: Mapping[str, Collection[str]]) -> list[str]:
        """The tests to run, as arguments of pytest."""
        chosen = []
        for name in names:
            suite = str(self._course.suite(self._exercises[name]))
            if name in only:
                asked = [test.id for test in self.tests[name] if test.id in only[name]]
                chosen += [f"{suite}::{test}" for test in asked]
            else:
                chosen.append(suite)
        return chosen

    def _complete(
        self, name: str, recorder: Recorder, only: Collection[str] | None
    ) -> tuple[TestResult, ...]:
        """A result for every test that should run: a missing one counts as broken."""
        suite = self._course.suite(self._exercises[name])
        tests = [test for test in self.tests[name] if only is None or test.id in only]
        absent = {test.id: outcome.absent(test, recorder.internal_error) for test in tests}
        left_out = {t.id: t for t in tests if (suite.resolve(), t.id) in recorder.left_out}
        done = {test.id: test for test in recorder.results(suite)}
        return tuple({**absent, **left_out, **done}[test.id] for test in tests)
