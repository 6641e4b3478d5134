"""One job: run its suites against it, and prove a suite before anybody is blamed by it.

    grade(submission) -> pytest over the suites -> JSON report -> ExerciseResult
                              a failure -> the solution, same inputs -> fails too? broken
                              undecided -> that race once more, when all else is done

No mark is lost at a test that the reference solution does not pass with the same inputs, in the
same run, on the same machine. The first proof of a suite on a machine also fills the compile
cache, which only trusted code ever writes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_jsonreport import plugin as jsonreport

from grader import scoring
from grader.course import Course
from grader.errors import BrokenSuiteError, HostError, UsageError
from grader.feedback import advising
from grader.judge import plugin
from grader.judge.host import FLAGS, Host
from grader.judge.oracle import Oracle
from grader.judge.quiet import Floor
from grader.judge.recorder import Recorder
from grader.judge.seat import Benches, RemoteSeat
from grader.model import (
    Exercise,
    ExerciseResult,
    Outcome,
    Race,
    Source,
    Submission,
    Terms,
    TestResult,
)
from grader.sandbox.plain import Plain

_ARGUMENTS = (
    "--import-mode=importlib --json-report --json-report-file=none -q --no-header --no-summary "
    "-p no:cacheprovider -p no:logging -p no:faulthandler -p no:unraisableexception "
    "-p no:threadexception --tb=no "
    "--capture=sys -W ignore"
).split()


# How many times a student's limits the reference has: it compiles what they find in the cache.
PATIENCE = 4.0
# So many submissions are judged sooner without any preparation.
FEW = 8
# How often a race without a verdict is tried again.
RACED_AGAIN = 2
TOO_NOISY = "This machine is too noisy to judge anybody's speed. You keep the points."
_Tests = dict[str, tuple[TestResult, ...]]


class Judge:
    """Grades submissions one after another, and stays warm in between."""

    def __init__(
        self,
        course: Course,
        exercises: tuple[Exercise, ...],
        host: Host,
        cache: Path,
        terms: Terms,
    ) -> None:
        """Raises `BrokenSuiteError` for a suite that can't be imported."""
        self._course = course
        self._exercises = {exercise.id: exercise for exercise in exercises}
        self._host = host
        self._cache = cache
        self.terms = terms
        self.on_pair: Callable[[Race], None] = lambda _: None
        """Told of every race after each of its pairs."""
        self._trusted: Host | None = None
        self._oracles: dict[Path, Oracle] = {}
        self._proofs: dict[str, tuple[TestResult, ...]] = {}
        self._racing: dict[str, set[str]] = {}
        self._related: advising.Related = {}
        self._tests = self._collect()

    def prove(self, exercises: Iterable[str]) -> None:
        """Tries suites on their solutions, unless this machine has seen them pass before.

        Raises `BrokenSuiteError` for one that can't judge.
        """
        for name in exercises:
            self._prove_once_on_this_machine(self._exercises[name])

    def warm_up(self, exercises: Iterable[str], submissions: int) -> None:
        """Compiles what so many submissions will need: students write what is in the corpus.

        A file costs about as much as two submissions gain by it: half as many, variants before
        mutants, and none for a few. Once on a machine; what a suite says of them is not asked. They
        are the course's own code, and run as such.
        """
        for name in exercises:
            exercise = self._exercises[name]
            calm = self._calm(name)
            folders = (self._course.variants(exercise), self._course.mutants(exercise))
            corpus = [path for folder in folders for path in sorted(folder.glob("*.py"))]
            for path in corpus[: max(0, submissions - FEW) // 2]:
                text = f"{self._solution(exercise).text}\n\n{path.read_text(encoding='utf-8')}"
                digest = hashlib.sha256((self.fingerprint(exercise) + text).encode()).hexdigest()
                marker = self._cache / "warm" / digest
                if not marker.exists():
                    source = Source(name, path.name, text)
                    self._run(self._trust(), {name: source}, {name: calm}, 1.0)
                    _touch(marker)

    def grade(
        self,
        submission: Submission,
        exercises: Iterable[str],
        races: Mapping[str, Collection[str]],
    ) -> list[ExerciseResult]:
        """A result for each exercise, in the order given; `races` as in `Job`."""
        sources = {s.exercise: s for s in submission.sources}
        asked = [self._exercises[name] for name in exercises]
        handed_in = [e for e in asked if e.id in sources]
        self._related.clear()
        only = {
            name: self._calm(name) | (self._racing[name] & set(named))
            for name, named in races.items()
        }
        tests = self._decide(self._host, {e.id: sources[e.id] for e in handed_in}, only)
        results = [
            replace(self._judged(e, tests[e.id]), path=sources[e.id].path)
            if e.id in tests
            else self._missing(e)
            for e in asked
        ]
        if self.terms.proving or self.terms.hasty:
            return results
        return [
            advising.advised(result, sources[result.id].text, self._related)
            if result.id in sources
            else result
            for result in results
        ]

    def race(self, submission: Submission, exercise: str) -> tuple[TestResult, ...]:
        """The tests of one exercise that race, and nothing else. Raises `UsageError` for none."""
        if not self._racing[exercise]:
            raise UsageError(
                f"the suite of `{exercise}` holds no race: it decides without a clock. Name an "
                "exercise whose suite asks for the fixture `race`."
            )
        sources = {s.exercise: s for s in submission.sources if s.exercise == exercise}
        racing = {exercise: self._racing[exercise]}
        return self._run(self._host, sources, racing, 1.0)[exercise]

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
            tests = tuple(_blamed(test, unproven.get(test.id)) for test in tests)
        return scoring.exercise_result(exercise.id, tests)

    def _missing(self, exercise: Exercise) -> ExerciseResult:
        tests = self._tests[exercise.id]
        missing = (
            replace(t, outcome=Outcome.MISSING, points=0.0, message="Not handed in.") for t in tests
        )
        return scoring.exercise_result(exercise.id, tuple(missing))

    def _prove_once_on_this_machine(self, exercise: Exercise) -> None:
        marker = self._cache / "proved" / self.fingerprint(exercise)
        if marker.exists():
            return
        for test in self._prove(exercise):
            if test.outcome not in (Outcome.PASSED, Outcome.UNDECIDED):
                if self.terms.proving:
                    return
                raise BrokenSuiteError(
                    f"the suite `{self._course.suite(exercise)}` fails its own reference solution "
                    f"at `{test.id}` ({test.outcome}), so it can't judge anybody. Mend one or "
                    f"the other; `grader verify {exercise.stem}` repeats this.\n{test.detail}"
                )
        _touch(marker)

    def _prove(self, exercise: Exercise) -> tuple[TestResult, ...]:
        """The reference solution's results with this run's inputs."""
        if exercise.id not in self._proofs:
            source = self._solution(exercise)
            proof = self._decide(self._trust(), {exercise.id: source}, {}, patience=PATIENCE)
            self._proofs[exercise.id] = proof[exercise.id]
        return self._proofs[exercise.id]

    def _solution(self, exercise: Exercise) -> Source:
        path = self._course.solution(exercise)
        return Source(exercise.id, path.name, path.read_text(encoding="utf-8"))

    def _trust(self) -> Host:
        """Where our own code runs: it fills the compile cache."""
        if self._trusted is None:
            self._trusted = Host(Plain(), self._cache / "xla")
        return self._trusted

    def fingerprint(self, exercise: Exercise) -> str:
        """Of everything that decides what its tests do."""
        digest = hashlib.sha256(repr([FLAGS, exercise.runs_long]).encode())
        for path in (self._course.suite(exercise), self._course.solution(exercise)):
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def _collect(self) -> dict[str, tuple[TestResult, ...]]:
        """Every test of every suite, with its points; imports the suites once and for all."""
        recorder = Recorder(self, {})
        _pytest(
            ["--collect-only", "--tb=short", *map(str, self._suites(self._exercises))],
            self._course,
            recorder,
        )
        if recorder.errors:
            raise BrokenSuiteError(
                "a suite can't be imported, so it can't judge anybody. Mend it and run again.\n"
                + "\n".join(recorder.errors)
            )
        found = {
            name: recorder.collected(self._course.suite(e)) for name, e in self._exercises.items()
        }
        self._racing = {
            name: recorder.racing(self._course.suite(e)) for name, e in self._exercises.items()
        }
        for name, tests in found.items():
            if not tests:
                suite = self._course.suite(self._exercises[name])
                raise BrokenSuiteError(f"the suite `{suite}` holds no test")
        return found

    def _calm(self, name: str) -> set[str]:
        """The tests of an exercise that need no clock."""
        return {test.id for test in self._tests[name]} - self._racing[name]

    def _decide(
        self,
        host: Host,
        sources: dict[str, Source],
        only: Mapping[str, Collection[str]],
        *,
        patience: float = 1.0,
    ) -> _Tests:
        """The tests that `_run` runs; what noise left undecided is tried again."""
        tests = self._run(host, sources, only, patience)
        for _ in range(RACED_AGAIN):
            open_tests = {
                name: {test.id for test in found if test.outcome is Outcome.UNDECIDED}
                for name, found in tests.items()
            }
            left = {name: source for name, source in sources.items() if open_tests[name]}
            again = self._run(host, left, open_tests, patience)
            for name, found in again.items():
                new = {test.id: test for test in found}
                tests[name] = tuple(new.get(test.id, test) for test in tests[name])
        return tests

    def _run(
        self,
        host: Host,
        sources: dict[str, Source],
        only: Mapping[str, Collection[str]],
        patience: float,
    ) -> _Tests:
        """Every test of the sources' suites, or `only` some; `patience` multiplies the limits."""
        selected = self._selected(sources, only)
        if not selected:  # pytest would collect the folder that it is in
            return dict.fromkeys(sources, ())
        benches = Benches(host)
        seats = {}
        for name, source in sources.items():
            exercise = self._exercises[name]
            exercise = replace(exercise, limits=exercise.limits.scaled(patience))
            suite = self._course.suite(exercise).resolve()
            seats[suite] = RemoteSeat(host, exercise, source, benches)
        remembers = not self.terms.proving and host is self._host
        hasty = self.terms.hasty and host is self._host
        verdicts = self._cache / "verdicts" if remembers else None
        recorder = Recorder(self, seats, verdicts, hasty)
        # An author's proof of a suite wants to be done; verdicts can stand some noise.
        others = [] if self.terms.proving else [Floor(self._cache)]
        first = next(iter(seats.values()))
        first.prepare()
        benches.prepare(first.exercise)
        try:
            _pytest(selected, self._course, recorder, *others)
        finally:
            recorder.close_all()
            benches.close()
            host.settle()
        if recorder.host_error:
            raise HostError(recorder.host_error)
        if host is self._host:
            for (suite, test), pairs in recorder.related.items():
                self._related[self.exercise_of(suite).id, test] = pairs
        return {name: self._complete(name, recorder, only.get(name)) for name in sources}

    def _selected(self, names: Iterable[str], only: Mapping[str, Collection[str]]) -> list[str]:
        """What pytest is asked to run."""
        chosen = []
        for name in names:
            suite = str(self._course.suite(self._exercises[name]))
            if name in only:
                asked = [test.id for test in self._tests[name] if test.id in only[name]]
                chosen += [f"{suite}::{test}" for test in asked]
            else:
                chosen.append(suite)
        return chosen

    def _complete(
        self, name: str, recorder: Recorder, only: Collection[str] | None
    ) -> tuple[TestResult, ...]:
        """A result for every test that was to run: one that is missing is our fault."""
        suite = self._course.suite(self._exercises[name])
        tests = [test for test in self._tests[name] if only is None or test.id in only]
        absent = {
            test.id: replace(test, outcome=Outcome.BROKEN, detail="the test did not run")
            for test in tests
        }
        left_out = {test.id: test for test in tests if recorder.left_out(suite, test.id)}
        done = {test.id: test for test in recorder.results(suite)}
        return tuple({**absent, **left_out, **done}[test.id] for test in tests)

    def _suites(self, names: Iterable[str]) -> list[Path]:
        return [self._course.suite(self._exercises[name]) for name in names]

    def oracle(self, suite: Path) -> Oracle:
        if suite not in self._oracles:
            self._oracles[suite] = Oracle(self._course.solution(self.exercise_of(suite)))
        return self._oracles[suite]

    def exercise_of(self, suite: Path) -> Exercise:
        (found,) = (e for e in self._exercises.values() if self._course.suite(e).resolve() == suite)
        return found


def _touch(marker: Path) -> None:
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.touch()


def _blamed(test: TestResult, unproven: TestResult | None) -> TestResult:
    """The test as it counts, by what became of the reference solution at it."""
    if unproven is None:
        return _blame_the_student(test)
    if unproven.outcome is not Outcome.UNDECIDED:
        return _blame_the_suite(test, unproven)
    # Where not even the solution gets a verdict on its speed, nobody loses by being too slow.
    if any(race.verdict is Outcome.FAILED for race in test.races):
        return replace(test, outcome=Outcome.UNDECIDED, hint="", message=TOO_NOISY)
    return _blame_the_student(test)


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


def _pytest(arguments: list[str], course: Course, *plugins: object) -> None:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    assert course.root is not None
    hidden = course.root / "tests" / "hidden"
    where = [f"--rootdir={hidden}", f"--confcutdir={hidden}", "-c", os.devnull]
    # As a module, not with `-p`: for a name pytest reads the metadata of every package.
    pytest.main([*where, *_ARGUMENTS, *arguments], plugins=[plugin, jsonreport, *plugins])
