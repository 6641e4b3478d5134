"""Judges one job with its suites. Each suite is proved before a failure costs points.

    job -> grade -> SuiteRuns.results -> ExerciseResult
                        a lost test -> the solution, same inputs -> lost too? again, with others
                                                                 -> lost too? broken

A failed test costs points only if the reference solution passes it with the same inputs, in the
same run, on the same machine. A race has the same inputs for everybody, and is proved once. The
first proof of a suite on a machine also fills the compile cache. Only trusted code writes that
cache.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from grader.course.course import Course
from grader.engine.judge import naming, outcome, trial
from grader.engine.judge.naming import Loss
from grader.engine.judge.recorder import Setting
from grader.engine.judge.runs import SuiteRuns
from grader.engine.processes.host import Host
from grader.engine.sandbox import Plain
from grader.intake import cells
from grader.records import cache, digests, inputs, scoring
from grader.records.cache import Cache
from grader.records.errors import BrokenSuiteError, UsageError
from grader.records.model import (
    PATIENCE,
    Exercise,
    ExerciseResult,
    Job,
    Judging,
    Outcome,
    Purpose,
    Race,
    Source,
    Terms,
    TestResult,
    Treatment,
)

# The share of a student's limits that strict code gets.
STRICT = 0.5
# The share that a known mistake gets, while a student waits for its name.
NAMING = 0.25
OF_LIMITS = (Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY, Outcome.CRASHED)
# Up to this many submissions, preparing costs more than it saves.
FEW = 8


class Judge:
    """Grades submissions one after another, and stays warm in between."""

    def __init__(
        self,
        course: Course,
        exercises: tuple[Exercise, ...],
        host: Host,
        terms: Terms,
        submissions: int = 1,
        *,
        warn: Callable[[str], None] = lambda _: None,
        waits: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """Before many `submissions`, what they will have in common is prepared.

        `warn` gets what the operator has to know at once. `waits` is called with True when a test
        waits for the races of other judges, and then with False.

        Raises `BrokenSuiteError` for a suite that can't be imported.
        """
        self._course, self._warn = course, warn
        self._exercises = {exercise.id: exercise for exercise in exercises}
        self._purpose = terms.purpose
        self._runs = SuiteRuns(course, exercises, terms, warn, waits)
        self._runs.on_lost = self._will_prove
        self._suites = self._runs.suites
        self._submissions = submissions
        if submissions > FEW or terms.purpose is not Purpose.MARKS:
            host.modules = self._suites.modules()
        self._students = Setting(
            host,
            keeps_verdicts=terms.purpose is Purpose.MARKS,
            hasty=terms.purpose is Purpose.STRENGTH,
            on_test=lambda event: self._on_test(event),
        )
        self._trusted: Setting | None = None
        self._on_test: Callable[[Judging], None] = lambda _: None
        self._seed = terms.seed
        self._mistakes: dict[str, tuple[cells.Cell, ...]] = {}  # without those beyond a limit
        self._losses: Mapping[str, Mapping[str, Loss]] = {}
        self._seeds: Mapping[str, str] = {}
        # By exercise, seed and test; the seed of a race is "".
        self._references: dict[tuple[str, str, str], TestResult] = {}
        self._runs.collect(self._students)

    def prove(self, exercise: str) -> None:
        """Runs a suite on its solution, unless it has passed on this machine before.

        Raises `BrokenSuiteError` for a suite that fails.
        """
        self._prove_once_on_this_machine(self._exercises[exercise])
        if self._submissions > FEW:
            self._warm_up(exercise)

    def grade(
        self, job: Job, on_test: Callable[[Judging], None] = lambda _: None
    ) -> tuple[ExerciseResult, ...]:
        """A result for each exercise of the job, in their order; `on_test` hears of each test."""
        self._on_test = on_test
        self._losses = {}
        sources = {s.exercise: s for s in job.submission.sources if s.exercise in job.exercises}
        self._runs.forget()
        if job.expression:
            return tuple(self._tried(source, job.expression) for source in sources.values())
        if self._purpose is Purpose.MARKS:  # nobody else has the inputs of this program
            self._references = {key: test for key, test in self._references.items() if not key[1]}
        only = {
            name: self._runs.calm(name) | (self._runs.racing[name] & set(named))
            for name, named in job.raced_tests.items()
        }
        tests = self._runs.results(self._setting(job.treatment), sources, only)
        self._losses, self._runs.losses = self._runs.losses, {}
        self._seeds = {name: inputs.seed(self._seed, source) for name, source in sources.items()}
        return tuple(
            self._judged(self._exercises[name], sources[name], tests[name], job.treatment)
            if name in sources
            else self._missing(self._exercises[name])
            for name in job.exercises
        )

    def _tried(self, source: Source, expression: str) -> ExerciseResult:
        host, exercise = self._students.host, self._exercises[source.exercise]
        result = trial.tried(host, exercise, source, expression, self._on_test)
        if change := host.changed():
            self._warn(f"the zygote changed in a trial ({change}). It was replaced.")
        return result

    def named(self, results: Sequence[ExerciseResult]) -> tuple[ExerciseResult, ...]:
        """The last results, with the known mistakes that lose tests in the same way."""
        if self._purpose is not Purpose.MARKS:
            return tuple(results)
        return tuple(self._named(self._exercises[result.id], result) for result in results)

    def _named(self, exercise: Exercise, result: ExerciseResult) -> ExerciseResult:
        lost = {
            t.id
            for t in result.tests
            if t.outcome.is_lost and not t.detail.startswith(inputs.AGAIN)
        }
        losses = {
            test: loss for test, loss in self._losses.get(exercise.id, {}).items() if test in lost
        }
        if not losses:
            return result
        if exercise.id not in self._mistakes:
            self._mistakes[exercise.id] = cells.read(self._course.wrong(exercise)).cells
        known, solution = self._mistakes[exercise.id], self._suites.solution(exercise).text

        def run(cell: cells.Cell, tests: Iterable[str]) -> Mapping[str, Loss]:
            name, seed = exercise.id, self._seeds[exercise.id]
            source = Source(name, f"{exercise.stem}.py", cell.after(solution), seed)
            setting, self._runs.losses = replace(self._ours(), patience=NAMING), {}
            found = self._runs.results(setting, {name: source}, {name: [*tests]}, tries=0)
            if any(test.outcome in OF_LIMITS for test in found[name]):
                self._mistakes[name] = tuple(c for c in self._mistakes[name] if c != cell)
            return self._runs.losses.get(name, {})

        return naming.named(result, losses, known, run)

    def race(self, job: Job, on_pair: Callable[[Race], None]) -> tuple[TestResult, ...]:
        """Runs only the races of its one exercise. Raises `UsageError` if there are none."""
        (exercise,) = job.exercises
        racing = {exercise: self._runs.racing[exercise]}
        if not racing[exercise]:
            raise UsageError(
                f"the suite of `{exercise}` has no race, so it measures no time. Name an exercise "
                "whose suite uses the `race` fixture."
            )
        sources = {s.exercise: s for s in job.submission.sources if s.exercise == exercise}
        self._runs.on_pair = on_pair
        return self._runs.results(self._students, sources, racing, tries=0)[exercise]

    def points(self) -> dict[str, float]:
        """The points of each exercise."""
        return {name: self._missing(e).max_score for name, e in self._exercises.items()}

    def close(self) -> None:
        for setting in (self._students, self._trusted):
            if setting is not None:
                setting.host.close()

    def _setting(self, treatment: Treatment) -> Setting:
        match treatment:
            case Treatment.STRICT:
                return replace(self._students, patience=STRICT)
            case Treatment.OURS | Treatment.BLANK:
                blanks = treatment is Treatment.BLANK
                return replace(self._students, host=self._ours().host, blanks=blanks)
        return self._students

    def _ours(self) -> Setting:
        """Where the course's own code runs: without a sandbox, and it fills the compile cache."""
        if self._trusted is None:
            host = Host(Plain(), cache.programs())
            host.modules = self._students.host.modules
            self._trusted = Setting(host, PATIENCE, whose="a solution")
        return self._trusted

    def _judged(
        self,
        exercise: Exercise,
        source: Source,
        tests: tuple[TestResult, ...],
        treatment: Treatment,
    ) -> ExerciseResult:
        """The result of a source: what it lost counts only if the solution passes that."""
        seed = inputs.seed(self._seed, source)
        tests, broken = self._proved(exercise, seed, tests)
        # A race has one draw for everybody.
        broken = [name for name in broken if name not in self._runs.racing[exercise.id]]
        if broken and self._purpose is Purpose.MARKS:
            # An unlucky draw would stay with this program for ever.
            seed = inputs.second(seed)
            again = {exercise.id: replace(source, seed=seed)}
            redone = self._runs.results(self._setting(treatment), again, {exercise.id: broken})
            proved, _ = self._proved(exercise, seed, redone[exercise.id])
            new = {t.id: replace(t, detail=f"{inputs.AGAIN}\n{t.detail}") for t in proved}
            tests = tuple(new.get(test.id, test) for test in tests)
        result = scoring.exercise_result(exercise.id, tests)
        result = replace(result, path=source.path)
        if self._purpose is Purpose.MARKS:
            result = outcome.advised(result, source.text)
        # It explains a loss, and nothing else.
        left_out = () if result.outcome.keeps_points else self._runs.left_out.get(exercise.id, ())
        return replace(result, findings=(*left_out, *result.findings))

    def _proved(
        self, exercise: Exercise, seed: str, tests: tuple[TestResult, ...]
    ) -> tuple[tuple[TestResult, ...], list[str]]:
        """The tests as they count, and the names of those that the solution loses, too."""
        lost = [test.id for test in tests if test.outcome is not Outcome.PASSED]
        if not lost:
            return tests, []
        proof = self._reference(exercise, seed, lost)
        unproven = {t.id: t for t in proof if t.outcome is not Outcome.PASSED}
        counted = tuple(outcome.blamed(test, unproven.get(test.id)) for test in tests)
        broken = [t.id for t in unproven.values() if t.outcome is not Outcome.UNDECIDED]
        return counted, broken

    def _missing(self, exercise: Exercise) -> ExerciseResult:
        missing = (
            replace(t, outcome=Outcome.MISSING, points=0.0, message="Not submitted.")
            for t in self._runs.tests[exercise.id]
        )
        return scoring.exercise_result(exercise.id, tuple(missing))

    def _prove_once_on_this_machine(self, exercise: Exercise) -> None:
        proved, key = Cache("proved"), self._suites.fingerprint(exercise)
        if proved.has(key):
            return
        every = [test.id for test in self._runs.tests[exercise.id]]
        # One seed may ask for more digits than there are. If two seeds do, the suite is at fault.
        first = inputs.seed(self._seed, self._suites.solution(exercise))
        for seed in (first, inputs.second(first)):
            proof = self._reference(exercise, seed, every)
            lost = [test for test in proof if not test.outcome.keeps_points]
            if not lost:
                proved.touch(key)
            if not lost or self._purpose is not Purpose.MARKS:
                return
        raise BrokenSuiteError(
            f"the suite `{self._course.suite(exercise)}` fails its own reference solution at "
            f"`{lost[0].id}` ({lost[0].outcome}), so it can't judge anybody. Fix the suite or the "
            f"solution; `grader verify {exercise.stem}` repeats this.\n{lost[0].detail}"
        )

    def _warm_up(self, name: str) -> None:
        """Fills the compile cache with the course's answers: students write the same programs.

        Running one takes about as long as it saves for two submissions. So half as many are run
        as there are submissions, right ones first. Each runs once on a machine, without a sandbox,
        since it is the course's code. Its results are not used.
        """
        exercise = self._exercises[name]
        files = (self._course.right(exercise), self._course.wrong(exercise))
        corpus = [cell for path in files for cell in cells.read(path).common]
        for cell in corpus[: (self._submissions - FEW) // 2]:
            text = cell.after(self._suites.solution(exercise).text)
            warm, key = Cache("warm"), digests.of(self._suites.fingerprint(exercise), text)
            if not warm.has(key):
                sources = {name: Source(name, f"{cell.name}.py", text)}
                calm = {name: self._runs.calm(name)}
                self._runs.results(self._ours(), sources, calm, tries=0)
                warm.touch(key)

    def _reference(self, exercise: Exercise, seed: str, tests: Collection[str]) -> list[TestResult]:
        """The reference solution's results in these tests, with the inputs of a seed."""
        racing = self._runs.racing[exercise.id]
        keys = {test: (exercise.id, "" if test in racing else seed, test) for test in tests}
        if new := {test for test, key in keys.items() if key not in self._references}:
            sources = {exercise.id: replace(self._suites.solution(exercise), seed=seed)}
            results = self._runs.results(self._ours(), sources, {exercise.id: new})
            self._references |= {keys[test.id]: test for test in results[exercise.id]}
        return [self._references[key] for key in keys.values()]

    def _will_prove(self) -> None:
        """Launches the zygote of the proofs, while other tests still run."""
        with suppress(OSError):  # the proof launches it again, and raises
            self._ours().host.launch()
