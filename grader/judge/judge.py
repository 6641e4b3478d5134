"""Judges one job with its suites. Each suite is proved before a failure costs points.

    grade(submission) -> pytest over the suites -> JSON report -> ExerciseResult
                              a failure -> the solution, same inputs -> fails too? broken
                              undecided -> that race again, when everything else is done
                              a changed zygote -> a new one, and each exercise again alone

A failed test costs points only if the reference solution passes it with the same inputs, in the
same run, on the same machine. The first proof of a suite on a machine also fills the compile
cache. Only trusted code writes that cache.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from grader import cache, digests, scoring
from grader.cache import Cache
from grader.course import Course
from grader.errors import BrokenSuiteError, HostError, UsageError
from grader.intake import cells
from grader.judge import pytest_run, verdict
from grader.judge.host import Host
from grader.judge.recorder import Floor, Recorder, Setting
from grader.judge.seat import Benches, RemoteSeat
from grader.judge.suites import Collected, CourseSuites
from grader.model import (
    Advice,
    Exercise,
    ExerciseResult,
    Job,
    Outcome,
    Race,
    Source,
    Terms,
    TestResult,
)
from grader.sandbox import Plain

# Multiplies the limits for the reference: it compiles programs that students find in the cache.
PATIENCE = 4.0
# Up to this many submissions, preparing costs more than it saves.
FEW = 8
# How often a race without a verdict is tried again.
RACED_AGAIN = 2
CHANGED = (
    "Your code changed the process that starts all workers, in two runs out of two. So none of its "
    "results counts."
)
_Tests = dict[str, tuple[TestResult, ...]]


class Judge:
    """Grades submissions one after another, and stays warm in between."""

    def __init__(
        self,
        course: Course,
        exercises: tuple[Exercise, ...],
        host: Host,
        terms: Terms,
        submissions: int = 1,
    ) -> None:
        """Before many `submissions`, what they will have in common is prepared.

        Raises `BrokenSuiteError` for a suite that can't be imported.
        """
        self._course = course
        self._exercises = {exercise.id: exercise for exercise in exercises}
        self._terms = terms
        is_feedback = not (terms.proving or terms.hasty)
        self._students = Setting(host, 1.0, not terms.proving, terms.hasty, is_feedback)
        self._trusted: Setting | None = None
        self.on_pair: Callable[[Race], None] = lambda _: None
        """Called after each pair of every race."""
        self.warn: Callable[[str], None] = lambda _: None
        """Called with what the operator has to know at once."""
        self.waits: Callable[[bool], None] = lambda _: None
        """Called with True when a test waits for the races of other judges, and then with False."""
        self._suites = CourseSuites(course, exercises)
        self._submissions = submissions
        if submissions > FEW or terms.proving:
            host.modules = self._suites.modules()
        self._proofs: dict[tuple[str, int], dict[str, TestResult]] = {}
        self._related: verdict.Related = {}
        self._left_out: dict[str, tuple[Advice, ...]] = {}
        known = self._known(exercises)
        self._tests = {name: found.tests for name, found in known.items()}
        self._racing = {name: set(found.racing) for name, found in known.items()}

    def prove(self, exercises: Iterable[str]) -> None:
        """Runs suites on their solutions, unless they have passed on this machine before.

        Raises `BrokenSuiteError` for a suite that fails.
        """
        for name in exercises:
            self._prove_once_on_this_machine(self._exercises[name])
            self._warm_up(name)

    def _warm_up(self, name: str) -> None:
        """Fills the compile cache with variants and mutants: students write the same programs.

        Running one takes about as long as it saves for two submissions. So half as many are run
        as there are submissions, variants first, and none for a small class. Each runs once on a
        machine, without a sandbox, since it is the course's code. Its results are not used.
        """
        if self._submissions <= FEW:
            return
        exercise = self._exercises[name]
        calm = self._calm(name)
        files = (self._course.variants(exercise), self._course.mutants(exercise))
        corpus = [cell for path in files for cell in cells.read(path).cells]
        for cell in corpus[: (self._submissions - FEW) // 2]:
            text = cell.after(self._suites.solution(exercise).text)
            warm, key = Cache("warm"), digests.of(self._suites.fingerprint(exercise), text)
            if not warm.has(key):
                source = Source(name, f"{cell.name}.py", text)
                self._run(self._ours(), {name: source}, {name: calm})
                warm.touch(key)

    def grade(self, job: Job) -> list[ExerciseResult]:
        """A result for each exercise of the job, in their order."""
        sources = {s.exercise: s for s in job.submission.sources if s.exercise in job.exercises}
        self._related.clear()
        self._left_out.clear()
        only = {
            name: self._calm(name) | (self._racing[name] & set(named))
            for name, named in job.raced_tests.items()
        }
        students = replace(self._students, patience=job.scale)
        if job.is_trusted:
            students = replace(students, host=self._ours().host)
        tests = self._decide(students, sources, only)
        results = []
        for exercise in (self._exercises[name] for name in job.exercises):
            if exercise.id not in sources:
                results.append(self._missing(exercise))
                continue
            source = sources[exercise.id]
            self._note_proof(exercise, source, tests[exercise.id])
            result = self._judged(exercise, source.attempt, tests[exercise.id])
            result = replace(result, path=source.path, attempt=source.attempt)
            if self._students.explains:
                result = verdict.advised(result, source.text, self._related)
            left_out = self._left_out.get(exercise.id, ())
            result = replace(result, findings=(*left_out, *result.findings))
            results.append(result)
        return results

    def race(self, job: Job) -> tuple[TestResult, ...]:
        """Runs only the races of its one exercise. Raises `UsageError` if there are none."""
        (exercise,) = job.exercises
        racing = {exercise: self._racing[exercise]}
        if not racing[exercise]:
            raise UsageError(
                f"the suite of `{exercise}` holds no race, so it measures no time. Name an "
                "exercise whose suite asks for the fixture `race`."
            )
        sources = {s.exercise: s for s in job.submission.sources if s.exercise == exercise}
        return self._run(self._students, sources, racing)[exercise]

    def points(self) -> dict[str, float]:
        """The points of each exercise."""
        return {name: self._missing(e).max_score for name, e in self._exercises.items()}

    def close(self) -> None:
        for setting in (self._students, self._trusted):
            if setting is not None:
                setting.host.close()

    def _judged(
        self, exercise: Exercise, attempt: int, tests: tuple[TestResult, ...]
    ) -> ExerciseResult:
        lost = [test.id for test in tests if test.outcome is not Outcome.PASSED]
        if lost:
            proof = self._prove(exercise, attempt, lost)
            unproven = {t.id: t for t in proof if t.outcome is not Outcome.PASSED}
            tests = tuple(verdict.blamed(test, unproven.get(test.id)) for test in tests)
        return scoring.exercise_result(exercise.id, tests, exercise.weight)

    def _missing(self, exercise: Exercise) -> ExerciseResult:
        tests = self._tests[exercise.id]
        missing = (
            replace(t, outcome=Outcome.MISSING, points=0.0, message="Not handed in.") for t in tests
        )
        return scoring.exercise_result(exercise.id, tuple(missing), exercise.weight)

    def _prove_once_on_this_machine(self, exercise: Exercise) -> None:
        proved, key = Cache("proved"), self._suites.fingerprint(exercise)
        if proved.has(key):
            return
        # By chance, one seed may ask for more digits than there are. Two of two are no chance.
        for attempt in (0, 1):
            every = [test.id for test in self._tests[exercise.id]]
            proof = self._prove(exercise, attempt, every)
            lost = [test for test in proof if not test.outcome.keeps_points]
            if not lost:
                proved.touch(key)
            if not lost or self._terms.proving:
                return
        raise BrokenSuiteError(
            f"the suite `{self._course.suite(exercise)}` fails its own reference solution at "
            f"`{lost[0].id}` ({lost[0].outcome}), so it can't judge anybody. Mend the suite or the "
            f"solution; `grader verify {exercise.stem}` repeats this.\n{lost[0].detail}"
        )

    def _prove(self, exercise: Exercise, attempt: int, tests: Collection[str]) -> list[TestResult]:
        """The reference solution's results in these tests, with an attempt's inputs in this run."""
        name = exercise.id
        known = self._proofs.setdefault((name, attempt), {})
        if new := set(tests) - known.keys():
            source = replace(self._suites.solution(exercise), attempt=attempt)
            found = self._decide(self._ours(), {name: source}, {name: new})[name]
            known |= {test.id: test for test in found}
        return [known[test] for test in tests]

    def _will_prove(self) -> None:
        """Launches the zygote of the proofs, while other tests still run."""
        with suppress(OSError):  # the proof launches it again, and raises
            self._ours().host.launch()

    def _note_proof(
        self, exercise: Exercise, source: Source, tests: tuple[TestResult, ...]
    ) -> None:
        """Tests that were passed by a submission equal to the solution need no other proof."""
        if source.text == self._suites.solution(exercise).text:
            known = self._proofs.setdefault((exercise.id, source.attempt), {})
            known |= {test.id: test for test in tests if test.outcome is Outcome.PASSED}

    def _ours(self) -> Setting:
        """Where the course's own code runs: without a sandbox, and it fills the compile cache."""
        if self._trusted is None:
            host = Host(Plain(), cache.programs())
            host.modules = self._students.host.modules
            self._trusted = Setting(host, PATIENCE)
        return self._trusted

    def _known(self, exercises: tuple[Exercise, ...]) -> dict[str, Collected]:
        """Every test of every suite. Imports the suites that this machine doesn't know yet."""
        code = digests.of_files(Path(__file__).parent.glob("*.py"))  # what reads a suite
        common = digests.of(self._terms.with_races, pytest.__version__, code)
        kept = Cache("collected")
        keys = {e.id: digests.of(common, self._suites.fingerprint(e)) for e in exercises}
        known = {name: kept.get(key, Collected) for name, key in keys.items()}
        new = [exercise for exercise in exercises if known[exercise.id] is None]
        collected = self._collect(new) if new else {}
        for name, own in collected.items():
            kept.put(keys[name], own)
        return {name: own or collected[name] for name, own in known.items()}

    def _collect(self, exercises: Iterable[Exercise]) -> dict[str, Collected]:
        suites = {exercise.id: self._course.suite(exercise) for exercise in exercises}
        recorder = Recorder(self._suites, self._terms, {}, self._students)
        arguments = ["--collect-only", "--tb=short", *map(str, suites.values())]
        pytest_run.run(arguments, self._course, recorder)
        if recorder.errors:
            raise BrokenSuiteError(
                "a suite can't be imported, so it can't judge anybody. Mend it and run again.\n"
                + "\n".join(recorder.errors)
            )
        for suite in suites.values():
            if not recorder.holds_tests(suite):
                raise BrokenSuiteError(f"the suite `{suite}` holds no test")
        return {name: recorder.collected(suite) for name, suite in suites.items()}

    def _calm(self, name: str) -> set[str]:
        """The tests of an exercise without a race."""
        return {test.id for test in self._tests[name]} - self._racing[name]

    def _decide(
        self, setting: Setting, sources: dict[str, Source], only: Mapping[str, Collection[str]]
    ) -> _Tests:
        """The results of `_run`, after another try of each test that noise left undecided."""
        tests = self._run(setting, sources, only)
        for _ in range(RACED_AGAIN):
            open_tests = {
                name: {test.id for test in found if test.outcome is Outcome.UNDECIDED}
                for name, found in tests.items()
            }
            left = {name: source for name, source in sources.items() if open_tests[name]}
            for name, found in self._run(setting, left, open_tests).items():
                new = {test.id: test for test in found}
                tests[name] = tuple(new.get(test.id, test) for test in tests[name])
        return tests

    def _run(
        self, setting: Setting, sources: dict[str, Source], only: Mapping[str, Collection[str]]
    ) -> _Tests:
        """Runs every test of the sources' suites; for an exercise in `only`, just those tests.

        If the zygote changes meanwhile, no result counts, and each exercise is run again alone.
        """
        whose = "a solution" if setting is self._trusted else "this submission"
        if change := setting.host.changed():
            self.warn(f"the zygote changed before {whose} was judged, and was replaced: {change}")
        tests = self._run_once(setting, sources, only)
        if not (change := setting.host.changed()):
            return tests
        self.warn(
            f"the zygote changed while {whose} was judged ({change}). It was replaced, and each "
            "exercise is judged again alone."
        )
        return {name: self._run_alone(setting, source, only) for name, source in sources.items()}

    def _run_alone(
        self, setting: Setting, source: Source, only: Mapping[str, Collection[str]]
    ) -> tuple[TestResult, ...]:
        """Runs one exercise again. If the zygote changes again, the exercise's code did it."""
        name = source.exercise
        tests = self._run_once(setting, {name: source}, only)[name]
        if not (change := setting.host.changed()):
            return tests
        self.warn(f"the zygote changed again, by `{name}`, which gets no points: {change}")
        static = {test.id: test for test in self._tests[name]}
        return tuple(
            replace(static[t.id], outcome=Outcome.CRASHED, message=CHANGED, detail=change)
            for t in tests
        )

    def _run_once(
        self, setting: Setting, sources: dict[str, Source], only: Mapping[str, Collection[str]]
    ) -> _Tests:
        """One run of pytest."""
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
        # A proof of a course runs races beside other tests, since a verdict allows for some noise.
        floor = None if self._terms.proving else Floor(cache.folder(), self.waits)
        recorder = Recorder(self._suites, self._terms, seats, setting, self.on_pair, floor)
        if not any(self._racing[name] for name in sources):  # it would disturb a race
            recorder.on_lost = self._will_prove
        first = next(iter(seats.values()))
        first.prepare()
        benches.prepare(first.exercise)
        try:
            pytest_run.run(selected, self._course, recorder, *([floor] if floor else ()))
        finally:
            recorder.close_all()
            # A proof of the exercise leaves nothing out, and must not replace what is told.
            self._left_out |= {s.exercise.id: s.left_out for s in seats.values() if s.left_out}
            benches.close()
            host.settle()
        if recorder.host_error:
            raise HostError(recorder.host_error)
        for (suite, test), pairs in recorder.related.items():
            self._related[self._suites.exercise(suite).id, test] = pairs
        return {name: self._complete(name, recorder, only.get(name)) for name in sources}

    def _selected(self, names: Iterable[str], only: Mapping[str, Collection[str]]) -> list[str]:
        """The tests to run, as arguments of pytest."""
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
        """A result for every test that should run: a missing one counts as broken."""
        suite = self._course.suite(self._exercises[name])
        tests = [test for test in self._tests[name] if only is None or test.id in only]
        absent = {test.id: verdict.absent(test, recorder.internal_error) for test in tests}
        left_out = {test.id: test for test in tests if recorder.left_out(suite, test.id)}
        done = {test.id: test for test in recorder.results(suite)}
        return tuple({**absent, **left_out, **done}[test.id] for test in tests)
