"""`Grader`: judges that start once and stay, and everything that they have judged.

    source --intake--> submission --keys--> what is neither stored nor being judged --executor-->
                                                                                          |
    ExerciseResult, Grade or Run <-- the results of every key, old and new <-- store <----+

The inputs follow from the class's secret and the text (see `records/inputs`). A file is judged
without its comments, so answers that differ only in comments are judged once.
Each result is stored as it comes, so a run that was stopped continues where it stopped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from grader.course import course as courses
from grader.course.course import Course
from grader.engine import executors
from grader.engine.executors.client import JudgeClient
from grader.engine.executors.executor import Executor
from grader.engine.executors.slots import default_slots
from grader.intake import reader
from grader.records import digests, inputs, scoring
from grader.records.errors import UsageError
from grader.records.model import (
    Assignment,
    Environment,
    ExerciseResult,
    Grade,
    Job,
    Outcome,
    Run,
    RunProgress,
    Source,
    Submission,
    Terms,
)
from grader.teacher import decisions
from grader.teacher.grading import ClassGrading, bare
from grader.teacher.pending import Attempt, Pending, Wanted, when_all
from grader.teacher.result_keys import Keys
from grader.teacher.roster import Roster
from grader.teacher.settle import NO_RULE
from grader.teacher.store import Store

if TYPE_CHECKING:
    import asyncio

Work = str | os.PathLike[str] | Submission
"""What can be graded: the text of an answer, the path of a .py file, notebook, zip or folder, or
work that has been read already."""
Item = tuple[Work, str | None]
"""Work, and the exercise that it answers; None for all that it holds."""
# So many items for each judge are read ahead, so that no judge waits for the next one.
AHEAD = 4


class Grader(AbstractContextManager["Grader"]):
    """Grades answers with a course's hidden suites, as the command line does.

    A judge starts at the first call, others when there is more work, and all stay until the end of
    the `with` block. Work that was judged before, or is being judged, isn't judged again. Every
    method may be called from any thread, and `grade_async` from a task.
    """

    def __init__(
        self,
        course: Course | str | os.PathLike[str] | None = None,
        exercises: Iterable[str] | str = (),
        *,
        seed: str | int | None = None,
        jobs: int | None = None,
        isolation: str = "required",
        races: bool = True,
        store: str | os.PathLike[str] | None = None,
        executor: str = "local",
        assignment: str = "",
        ahead: JudgeClient | None = None,
    ) -> None:
        """Starts no judge yet.

        Args:
            course: the folder of a course, by default the installed one.
            exercises: names of the gradable exercises, or one name; by default all of the course.
            seed: decides all inputs. By default that of the store, or a new one.
            jobs: how many judges work in parallel, by default one for each core.
            isolation: what to do on a machine without a sandbox: `required` (raise `HostError`),
                `available` (use what there is) or `none`.
            races: whether to run tests that need a clock. Without them, their points are left out.
            store: the folder in which results are stored. By default they are in memory.
            executor: where judges run; `local`, `tls://HOST:PORT` or `dask://HOST:PORT`.
            assignment: the name of one; then its exercises are graded, and reports name it.
            ahead: a judge that has been launched already: see `executors.client.launched_ahead`.

        Raises:
            CourseError: no course is there, or it is incomplete.
            UsageError: an argument, or the store, can't be used.
        """
        executors.require_usable(isolation, jobs)
        self._is_named = course is not None
        if isinstance(course, Course):
            self.course = course
        else:
            self.course = courses.find_judging(None if course is None else Path(course))
        asked = self.course.assignment(assignment) if assignment else None
        self._rule = asked or NO_RULE
        self.exercises = self.course.select(asked.exercises if asked else exercises)
        self.course.require_suites(self.exercises)
        self._known = {exercise.id: exercise for exercise in self.exercises}
        self._where, self._jobs, self._first_judge = executor, jobs, ahead
        self._items_ahead = AHEAD * (jobs or default_slots())
        self._executor: Executor | None = None
        self._is_closed = False
        self._folder = None if store is None else Path(store)
        if self._folder is not None:
            decisions.read(self._folder)  # before an hour of grading, if it can't be read
        with ExitStack() as opened:
            self._store = opened.enter_context(Store(self._folder))
            given = "" if seed is None else str(seed)
            given = given or self._store.about("seed") or inputs.secret()
            self._store.remember("seed", given)
            self._terms = Terms(isolation, given, with_races=bool(races))
            self._keys = Keys(self.course, self.exercises, self._terms)
            practice = {exercise.id for exercise in self.exercises if not exercise.counts}
            self._pending = Pending(
                self._store, self._judges, self._keys.require_unchanged, practice
            )
            self._class = ClassGrading(
                self.course, self._store, self._terms, self._keys, self._pending, self._judges
            )
            self._opened = opened.pop_all()

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the judges, even in the middle of their work. Finished results are stored."""
        with self._pending.lock:
            self._is_closed = True
        self._opened.close()  # the judges first: what they have just judged can still be stored

    @property
    def seed(self) -> str:
        """It decides all inputs. A person who knows it can compute them: keep it from students."""
        return self._terms.seed

    def _require_open(self) -> None:
        if self._is_closed:
            raise UsageError("this Grader is closed, so it can't grade; create a new one")

    @property
    def environment(self) -> Environment:
        """The machine, the versions and the layers of isolation. Starts the judges.

        Raises `HostError` if this machine has no sandbox and one is required.
        """
        return self._judges().environment

    @overload
    def grade(
        self, work: Work, exercise: str, *, student: str = "", timeout: float | None = None
    ) -> ExerciseResult: ...

    @overload
    def grade(
        self, work: Work, exercise: None = None, *, student: str = "", timeout: float | None = None
    ) -> Grade: ...

    def grade(
        self,
        work: Work,
        exercise: str | None = None,
        *,
        student: str = "",
        timeout: float | None = None,
    ) -> ExerciseResult | Grade:
        """The result of one exercise, or the mark of a whole submission.

        Args:
            work: the text of an answer as a `str`, which needs an `exercise`; or the path of a .py
                file, a notebook, a zip or a folder as a `Path`.
            exercise: its name, such as `03_jit/masked_mean` or `masked_mean`. Without it, all
                exercises of this grader are graded, and those that the work lacks are `missing`.
            student: whose work it is. It changes no result.
            timeout: seconds to wait.

        Returns:
            Records with `score`, `max_score` and more. `score` is None where no mark can be known,
            because the course or the machine failed; a message says why.

        Raises:
            UsageError: the exercise is unknown, or a text comes without one.
            SubmissionError: the path doesn't exist.
            BrokenSuiteError: the suite fails its own solution.
            CourseError: files of the exercise have changed since this Grader was made.
            HostError: no judge can start here.
            TimeoutError: the result didn't come in time. Nobody judges it any more.
        """
        answer = self.submit(work, exercise, student=student).result
        try:
            return answer.result(timeout)
        finally:
            answer.cancel()  # without an effect on one that is there

    def submit(
        self, work: Work, exercise: str | None = None, *, student: str = ""
    ) -> Attempt[ExerciseResult | Grade]:
        """Starts what `grade` does, and immediately returns an `Attempt`: `result` is a future.

        Its `listen` reports when judging begins, and each test. Raises what `grade` raises before
        anything is judged; the other errors are in the future.
        """
        submission, names = self._read(work, exercise, student)
        self._require_open()
        wanted = self._pending.ask(submission, self._keys.of_work(submission, names))
        answer: Future[ExerciseResult | Grade] = Future()
        answer.add_done_callback(lambda _: self._pending.release(wanted))

        def conclude(results: Sequence[ExerciseResult]) -> ExerciseResult | Grade:
            if exercise is None:
                return scoring.grade(submission, results)
            problem = submission.problem
            return results[0] if problem is None else replace(results[0], message=problem)

        when_all([result.result for result in wanted], answer, conclude)
        return Attempt(answer, wanted)

    def try_out(self, text: str, exercise: str, expression: str) -> Attempt[ExerciseResult]:
        """Begins to compute what an expression gives on an answer's code, in a worker's sandbox.

        No suite takes part, and nothing is stored. The result has one test without points; its
        message is the value as a text, or why there is none. Raises what `submit` raises.
        """
        submission, names = self._read(text, exercise, "")
        (piece,) = self._judges().submit(Job(submission, names, expression=expression))
        answer: Future[ExerciseResult] = Future()
        answer.add_done_callback(lambda _: answer.cancelled() and self._judges().cancel(piece))
        when_all([piece.result], answer, lambda results: results[0][0])
        return Attempt(answer, [Wanted("", piece=piece)])

    def ready(self, exercises: Iterable[str] | str = ()) -> dict[str, float]:
        """Starts a judge, and lets it judge these exercises' solutions, by default all of them.

        The first answer to each is then judged as fast as later ones, and a suite that can't judge
        is found before that. Races are left out. Returns each exercise's maximum points.
        Raises `BrokenSuiteError`, `CourseError` and `HostError`.
        """
        wanted = [e for e in self.course.select(exercises) if e.id in self._known]
        self._keys.require_unchanged(e.id for e in wanted)
        solutions = (Source(e.id, f"{e.stem}.py", self.course.solution_text(e)) for e in wanted)
        jobs = [
            Job(Submission("", "", (own,)), (name,), raced_tests={name: frozenset()})
            for own in solutions
            for name in [own.exercise]
        ]
        # The points are those of work that is missing, which has every test.
        jobs.append(Job(Submission("", ""), tuple(e.id for e in wanted)))
        results = [one for _, own in self._judges().run(jobs) for one in own]
        return {one.id: one.max_score for one in results if one.outcome is Outcome.MISSING}

    @overload
    async def grade_async(
        self, work: Work, exercise: str, *, student: str = ""
    ) -> ExerciseResult: ...

    @overload
    async def grade_async(
        self, work: Work, exercise: None = None, *, student: str = ""
    ) -> Grade: ...

    @overload
    async def grade_async(
        self, work: Work, exercise: str | None, *, student: str = ""
    ) -> ExerciseResult | Grade: ...

    async def grade_async(
        self, work: Work, exercise: str | None = None, *, student: str = ""
    ) -> ExerciseResult | Grade:
        """Like `grade`, for asyncio. If the task is cancelled, the judging ends."""
        import asyncio  # the command line can do without

        # To read the work, and the store, may take longer than an event loop should wait.
        begun = asyncio.ensure_future(
            asyncio.to_thread(self.submit, work, exercise, student=student)
        )
        try:
            attempt = await asyncio.shield(begun)
        except asyncio.CancelledError:
            begun.add_done_callback(_cancel)
            raise
        return await asyncio.wrap_future(attempt.result)

    def grade_many(self, items: Iterable[Item]) -> Iterator[tuple[Item, ExerciseResult | Grade]]:
        """Grades pairs of work and exercise. Yields each with its result, as they are done.

        Reads only a few items ahead, so `items` may be endless. Raises what `grade` raises.
        """
        items, ahead = iter(items), self._items_ahead
        waiting: dict[Future[ExerciseResult | Grade], Item] = {}
        try:
            while True:
                for item in items:
                    waiting[self.submit(*item).result] = item
                    if len(waiting) >= ahead:
                        break
                if not waiting:
                    return
                for done in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(done), done.result()
        finally:
            for answer in waiting:
                answer.cancel()

    def known(self, items: Iterable[tuple[Submission, str]]) -> list[bool]:
        """Whether each is judged already, and would not be judged again today."""
        keys = [self._keys.of_work(bare(work), [name])[name] for work, name in items]
        with self._pending.lock:
            stored = self._store.has(keys)
        return [key in stored for key in keys]

    def grade_class(
        self,
        submissions: Sequence[Submission],
        on_progress: Callable[[RunProgress], None] = lambda _: None,
        *,
        assignment: str = "",
    ) -> Run:
        """Gives every person a mark: the flow of `grader grade`.

        Submissions with the same id are attempts of one person. The assignment's rule and the
        decisions in the store's folder are applied; by default it is the assignment of this Grader.
        Work that can't be read becomes a row with a reason. Raises `BrokenSuiteError` and
        `HostError`; what was judged until then is stored.
        """
        rule = self._ruled(assignment)
        names = [name for name in self._known if not rule.exercises or name in rule.exercises]
        return self._class.grade(submissions, names, rule, on_progress)

    def of_class(
        self,
        submissions: Sequence[Submission],
        people: Roster | None = None,
        *,
        keeps_others: bool = False,
    ) -> list[Submission]:
        """These, each with its person as the roster says; without one, as the last one said.

        If it `keeps_others`, what everybody else submitted is there, too, as the store has it.
        """
        return self._class.of_class(submissions, people, self._rule.name, keeps_others=keeps_others)

    @property
    def told(self) -> list[str]:
        """What a teacher should know about the last run of a class."""
        return self._class.told

    def _ruled(self, assignment: str) -> Assignment:
        """The rule of a run. Raises `UsageError` if this Grader wasn't made for its exercises."""
        if not assignment:
            return self._rule
        asked = self.course.assignment(assignment)
        if others := [name for name in asked.exercises if name not in self._known]:
            raise UsageError(
                f"this Grader wasn't made for `{others[0]}` of the assignment `{assignment}`: "
                "`Grader(exercises=[...])` names it"
            )
        return asked

    def _judges(self, jobs: Sequence[Job] | None = None) -> Executor:
        """The executor, which is started for these jobs, or for any number of them."""
        with self._pending.lock:
            if self._executor is None:
                self._require_open()
                slots = default_slots() if jobs is None and self._jobs is None else self._jobs
                start = executors.choose(self._where, slots, self._first_judge)
                executor = start(self.course, self.exercises, self._terms, jobs or [])
                self._executor = self._opened.enter_context(executor)
            return self._executor

    def _read(
        self, work: Work, exercise: str | None, student: str
    ) -> tuple[Submission, tuple[str, ...]]:
        """What is submitted, and the exercises to grade it in."""
        names = tuple(self._known)
        if exercise is not None:
            (asked,) = self.course.select([exercise])
            if asked.id not in self._known:
                raise UsageError(
                    f"this Grader wasn't made for `{asked.id}`: `Grader(exercises=[...])` names it"
                )
            names = (asked.id,)
        if isinstance(work, str):
            if exercise is None:
                raise UsageError(
                    f"name the exercise of the text {work[:40]!r}, or give a file as a `Path`"
                )
            source = Source(asked.id, f"{asked.stem}.py", work)
            return bare(Submission(student, digests.plain(work).hex(), (source,))), names
        if isinstance(work, Submission):
            return bare(work), names
        if not isinstance(work, Path):
            raise UsageError(f"`{type(work).__name__}` is not work: give a string, or a `Path`")
        if not self._is_named:
            courses.require_apart(self.course, work)
        submission = bare(reader.read(work, self.course))
        return replace(submission, id=student or submission.id), names


def _cancel(begun: asyncio.Task[Attempt[Any]]) -> None:
    """Cancels what was begun in another thread, when it is there."""
    if not begun.cancelled() and begun.exception() is None:
        begun.result().result.cancel()
