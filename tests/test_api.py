"""`Grader`, for programs: any work in, records out, from any thread and task."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from grader import Grader, reward
from grader.course.course import Course
from grader.engine import executors
from grader.engine.executors.executor import Executor, Piece
from grader.records.errors import (
    BrokenSuiteError,
    CourseError,
    HostError,
    SubmissionError,
    UsageError,
)
from grader.records.model import (
    Advice,
    Environment,
    ExerciseResult,
    Grade,
    Job,
    Judging,
    Outcome,
    RunProgress,
    Source,
    Submission,
    TestResult,
)
from tests.conftest import CourseMaker

RIGHT = "def double(x):\n    return 2 * x\n"
WRONG = "def double(x):\n    return x + 2\n"
NAME = "01_first/double"
SECONDS = 120


class Fake(Executor):
    """Judges at once: right if the text says `2 * x`. Text with "wait" is judged by `go`."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.waiting: list[Piece] = []
        self.cancelled: list[Piece] = []
        self.closed = False
        self._lock = threading.Lock()

    def __enter__(self) -> Fake:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True

    @property
    def environment(self) -> Environment:
        return Environment("0", "3", "Here", (), "1")

    @property
    def running(self) -> tuple[str, ...]:
        return ()

    def submit(self, job: Job) -> list[Piece]:
        piece = Piece(job, Future())
        texts = "".join(source.text for source in job.submission.sources)
        with self._lock:
            self.jobs.append(job)
            if "wait" in texts:
                self.waiting.append(piece)
                return [piece]
        self.answer(piece)
        return [piece]

    def cancel(self, piece: Piece) -> None:
        self.cancelled.append(piece)
        piece.result.cancel()

    def go(self) -> None:
        for piece in self.waiting:
            self.answer(piece)

    def answer(self, piece: Piece) -> None:
        texts = {source.exercise: source.text for source in piece.job.submission.sources}
        piece.result.set_result(tuple(judged(n, texts.get(n)) for n in piece.job.exercises))


def judged(name: str, text: str | None) -> ExerciseResult:
    if text is None:
        return ExerciseResult(name, Outcome.MISSING, 0.0, 4.0)
    if "machine" in text:
        return ExerciseResult(name, Outcome.BROKEN, None, 4.0, message="the judge ended")
    is_right = "2 * x" in text
    outcome = Outcome.PASSED if is_right else Outcome.FAILED
    return ExerciseResult(name, outcome, 4.0 * is_right, 4.0)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    made = Fake()
    monkeypatch.setattr(executors, "choose", lambda *_: lambda *_: made)
    return made


@pytest.fixture
def grader(foreign: Course, fake: Fake) -> Iterator[Grader]:
    with Grader(foreign, jobs=2, seed="1") as made:
        yield made


def text(number: int, *, right: bool = True, more: str = "") -> str:
    """An answer that differs from those with other numbers."""
    return f"{RIGHT if right else WRONG}number = {number}\n{more}"


# What goes in and comes out.


def test_a_text_is_an_answer_to_one_exercise(grader: Grader) -> None:
    result = grader.grade(RIGHT, "double")
    assert (result.id, result.score, result.max_score) == (NAME, 4.0, 4.0)
    assert grader.grade(WRONG, NAME).score == 0.0


def test_a_path_is_a_file_or_a_folder(grader: Grader, tmp_path: Path) -> None:
    (tmp_path / "double.py").write_text(RIGHT)
    for path in (tmp_path / "double.py", tmp_path):
        whole = grader.grade(path)
        assert isinstance(whole, Grade)
        assert (whole.score, [e.id for e in whole.exercises]) == (4.0, [NAME])
        assert grader.grade(path, "double").score == 4.0


def test_work_without_an_answer_is_missing_and_says_why(grader: Grader, tmp_path: Path) -> None:
    (tmp_path / "double.py").write_text("def double(:\n")
    (tmp_path / "empty").mkdir()
    assert grader.grade(tmp_path / "empty", "double").outcome is Outcome.MISSING
    assert "no" in grader.grade(tmp_path / "empty", "double").message.lower()


@pytest.mark.parametrize(
    ("work", "exercise", "error"),
    [
        (RIGHT, None, UsageError),
        (RIGHT, "treble", UsageError),
        (Path("/nowhere.py"), "double", SubmissionError),
    ],
)
def test_what_cannot_be_graded_raises(
    grader: Grader, work: Any, exercise: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        grader.grade(work, exercise)


@pytest.mark.parametrize(
    "wrong",
    [
        {"isolation": "requierd"},
        {"isolation": True},
        {"jobs": 0},
        {"jobs": -1},
        {"jobs": "2"},
        {"exercises": ["treble"]},
        {"assignment": "treble"},
    ],
)
def test_a_value_that_means_nothing_is_refused(foreign: Course, wrong: Any) -> None:
    """A slip in `isolation` must not grade with fewer layers than were asked for."""
    with pytest.raises(UsageError):
        Grader(foreign, **wrong)


def test_a_number_is_a_seed(foreign: Course) -> None:
    for seed in (0, 7):
        with Grader(foreign, seed=seed) as grader:
            assert grader.seed == str(seed)


def test_one_name_is_one_exercise(foreign: Course) -> None:
    with Grader(foreign, "double") as grader:
        assert [exercise.id for exercise in grader.exercises] == [NAME]


def test_a_fault_of_the_machine_is_no_zero(grader: Grader) -> None:
    result = grader.grade(RIGHT + "machine = 1\n", "double")
    assert result.score is None
    assert result.message == "the judge ended"


def test_a_fault_of_the_machine_is_judged_again(grader: Grader, fake: Fake) -> None:
    for _ in range(2):
        assert grader.grade(RIGHT + "machine = 1\n", "double").score is None
    assert len(fake.jobs) == 2


# Equal work is judged once.


def test_equal_work_is_judged_once(grader: Grader, fake: Fake) -> None:
    for comment in ("", "", "# As in the book.\n"):
        assert grader.grade(RIGHT + comment, "double").score == 4.0
    assert len(fake.jobs) == 1


def test_equal_work_is_judged_once_also_at_the_same_time(grader: Grader, fake: Fake) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = [threads.submit(grader.grade, RIGHT + "wait = 1\n", "double") for _ in range(8)]
        while not fake.waiting:
            time.sleep(0.01)
        fake.go()
        assert {answer.result(SECONDS).score for answer in answers} == {4.0}
    assert len(fake.jobs) == 1


def test_a_store_remembers_it_for_the_next_grader(
    foreign: Course, fake: Fake, tmp_path: Path
) -> None:
    seeds = set()
    for _ in range(2):
        with Grader(foreign, store=tmp_path) as grader:
            assert grader.grade(RIGHT, "double").score == 4.0
            seeds.add(grader.seed)
    assert len(fake.jobs) == 1
    assert len(seeds) == 1


def test_a_store_may_lie_where_there_is_no_folder_yet(
    foreign: Course, fake: Fake, tmp_path: Path
) -> None:
    with Grader(foreign, store=tmp_path / "new" / "results") as grader:
        assert grader.grade(RIGHT, "double").score == 4.0


def test_what_a_changed_suite_judged_is_not_kept(
    make_course: CourseMaker, fake: Fake, tmp_path: Path
) -> None:
    """A judge that is replaced takes the suite of today, and the key is that of yesterday."""
    course = make_course(tmp_path / "course")
    suite = course.suite(course.exercises[0])
    before = suite.read_text()
    with Grader(course, store=tmp_path / "results") as grader:
        assert grader.grade(text(1), "double").score == 4.0
        suite.write_text(f"{before}\n# changed\n")
        with pytest.raises(CourseError, match=r"01_first/double.*have changed"):
            grader.grade(text(2), "double")
        assert grader.grade(text(1), "double").score == 4.0
        suite.write_text(before)
        assert grader.grade(text(2), "double").score == 4.0
    assert len(fake.jobs) == 3


# Many calls.


def test_many_threads_get_each_its_own_result(grader: Grader) -> None:
    def score(n: int) -> float | None:
        return grader.grade(text(n, right=n % 3 == 0), NAME).score

    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(score, range(99))) == [4.0 * (n % 3 == 0) for n in range(99)]


def test_many_items_come_back_with_their_results(grader: Grader) -> None:
    items = [(text(n, right=n % 2 == 0), NAME) for n in range(50)]
    found = dict(grader.grade_many(items))
    assert {item: result.score for item, result in found.items()} == {
        item: 4.0 * (n % 2 == 0) for n, item in enumerate(items)
    }


def test_items_are_read_a_few_ahead(grader: Grader, fake: Fake) -> None:
    read = []

    def endless() -> Iterator[tuple[str, str]]:
        for n in itertools.count():
            read.append(n)
            yield text(n, more="wait = 1\n" if n else ""), NAME

    results = grader.grade_many(endless())
    next(results)
    assert len(read) <= 10
    results.close()  # type: ignore[attr-defined]
    assert len(fake.cancelled) == len(read) - 1


def test_tasks_get_each_its_own_result(grader: Grader) -> None:
    async def all_of_them() -> list[float | None]:
        calls = (grader.grade_async(text(n, right=n % 3 == 0), NAME) for n in range(99))
        return [result.score for result in await asyncio.gather(*calls)]

    assert asyncio.run(all_of_them()) == [4.0 * (n % 3 == 0) for n in range(99)]


# Giving up.


def test_a_call_that_takes_too_long_is_ended(grader: Grader, fake: Fake) -> None:
    with pytest.raises(TimeoutError):
        grader.grade(text(1, more="wait = 1\n"), NAME, timeout=0.05)
    assert fake.cancelled == fake.waiting


def test_a_cancelled_task_ends_the_judging(grader: Grader, fake: Fake) -> None:
    async def given_up() -> None:
        task = asyncio.create_task(grader.grade_async(text(1, more="wait = 1\n"), NAME))
        while not fake.waiting:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while not fake.cancelled:
            await asyncio.sleep(0.01)

    asyncio.run(given_up())
    assert fake.cancelled == fake.waiting


def test_work_that_somebody_else_waits_for_goes_on(grader: Grader, fake: Fake) -> None:
    work = text(1, more="wait = 1\n")
    with ThreadPoolExecutor(1) as threads:
        other = threads.submit(grader.grade, work, NAME)
        while not fake.waiting:
            time.sleep(0.01)
        with pytest.raises(TimeoutError):
            grader.grade(work, NAME, timeout=0.05)
        assert fake.cancelled == []
        fake.go()
        assert other.result(SECONDS).score == 4.0


def test_work_that_was_ended_can_be_asked_for_again(grader: Grader, fake: Fake) -> None:
    work = text(1, more="wait = 1\n")
    with pytest.raises(TimeoutError):
        grader.grade(work, NAME, timeout=0.05)
    with ThreadPoolExecutor(1) as threads:
        again = threads.submit(grader.grade, work, NAME)
        while len(fake.waiting) < 2:
            time.sleep(0.01)
        fake.answer(fake.waiting[1])
        assert again.result(SECONDS).score == 4.0


def test_an_error_of_the_executor_reaches_the_caller(
    grader: Grader, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    def submit(job: Job) -> list[Piece]:
        piece = Piece(job, Future())
        piece.result.set_exception(HostError("no sandbox here"))
        return [piece]

    monkeypatch.setattr(fake, "submit", submit)
    with pytest.raises(HostError, match="no sandbox here"):
        grader.grade(RIGHT, NAME)
    monkeypatch.undo()
    assert grader.grade(RIGHT, NAME).score == 4.0


def test_a_closed_grader_says_so(foreign: Course, fake: Fake) -> None:
    with Grader(foreign) as grader:
        pass
    with pytest.raises(UsageError, match="closed"):
        grader.grade(RIGHT, NAME)


# A class.


def test_a_class_gets_marks_and_shares_what_was_judged(grader: Grader, fake: Fake) -> None:
    grader.grade(RIGHT, NAME)
    shown: list[RunProgress] = []
    named = {"ada": RIGHT, "bob": WRONG, "carl": WRONG}
    submissions = [
        Submission(name, "", (Source(NAME, "double.py", code),)) for name, code in named.items()
    ]
    run = grader.grade_class([*submissions, Submission("dora", "")], shown.append)
    assert [grade.score for grade in run.submissions] == [4.0, 0.0, 0.0, 0.0]
    assert len(fake.jobs) == 3
    # What is missing takes no time, and isn't counted.
    assert (shown[-1].kept, shown[-1].done, shown[-1].todo) == (1, 1, 1)


def test_a_result_says_that_it_is_for_practice_and_is_judged_again_when_it_counts(
    make_course: CourseMaker, tmp_path: Path, fake: Fake
) -> None:
    work = [Submission("ada", "", (Source(NAME, "double.py", RIGHT),))]
    marks = []
    for key in ("counts = false\n", ""):
        course = make_course(tmp_path / (key or "c")[0], catalog=key)
        with Grader(course, seed="1", store=tmp_path / "kept") as grader:
            (grade,) = grader.grade_class(work).submissions
            marks.append((grade.score, grade.max_score, grader.grade(RIGHT, NAME).counts))
    assert marks == [(0, 0, False), (4.0, 4.0, True)]
    assert len(fake.jobs) == 2


# With real judges.


def test_the_import_is_light() -> None:
    script = "import sys, grader; print('jax' in sys.modules, 'sqlite3' in sys.modules)"
    # Coverage, where it follows processes, has a database of its own.
    env = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.fixture(scope="module")
def others() -> set[int]:
    """Judges of other tests in this process."""
    return judges()


@pytest.fixture(scope="module")
def real(foreign: Course, others: set[int]) -> Iterator[Grader]:
    with Grader(foreign, jobs=2) as grader:
        grader.grade(RIGHT, "double")  # so a judge has started, whatever test comes first
        yield grader


def test_real_judges_judge(real: Grader) -> None:
    assert real.grade(RIGHT, "double").score == 4.0
    wrong = real.grade(WRONG, "double")
    assert (wrong.score, wrong.outcome) == (0.0, Outcome.FAILED)
    assert "files" in real.environment.isolation


@pytest.fixture(scope="module")
def unconfined(foreign: Course, others: set[int]) -> Iterator[Grader]:
    """One whose submissions can see a test's files."""
    with Grader(foreign, jobs=1, isolation="none") as grader:
        yield grader


def waiting_for(path: Path) -> str:
    """A right answer that can be judged when this file is there."""
    waits = f"while not os.path.exists({str(path)!r}):\n    time.sleep(0.01)\n"
    return f"import os, time\n{waits}{RIGHT}"


def test_a_judge_that_dies_is_replaced_and_its_work_done_again(
    unconfined: Grader, others: set[int], tmp_path: Path
) -> None:
    heard: list[Judging] = []
    attempt = unconfined.submit(waiting_for(tmp_path / "go"), "double")
    attempt.listen(heard.append)
    while not heard:
        time.sleep(0.01)
    for pid in judges() - others:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    (tmp_path / "go").touch()
    result: Any = attempt.result.result(SECONDS)
    assert result.score == 4.0
    assert heard[-1].done == heard[-1].of


def judges() -> set[int]:
    """The judges of this process."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            words = status.read_text().split("PPid:")[1].split()
            command = (status.parent / "cmdline").read_bytes()
            if int(words[0]) == os.getpid() and b"grader.engine.judge" in command:
                found.add(int(status.parent.name))
    return found


@pytest.mark.slow
def test_a_real_call_that_takes_too_long_is_ended_and_the_next_is_judged(real: Grader) -> None:
    with pytest.raises(TimeoutError):
        real.grade("while True:\n    pass\n" + RIGHT, "double", timeout=0.5)
    assert real.grade(text(77), "double").score == 4.0


@pytest.mark.slow
def test_an_attempt_tells_how_far_it_is(unconfined: Grader, tmp_path: Path) -> None:
    """Who listens late hears the newest; what is known already has no events."""
    heard: list[Judging] = []
    assert unconfined.ready() == {NAME: 4.0}
    work = waiting_for(tmp_path / "go")
    attempt = unconfined.submit(work, NAME)
    attempt.listen(heard.append)
    (tmp_path / "go").touch()
    attempt.result.result()
    of = heard[0].of
    assert heard == [Judging(NAME, done, of) for done in range(of + 1)]
    late: list[Judging] = []
    attempt.listen(late.append)
    assert late == heard[-1:]
    again = unconfined.submit(work, NAME)
    again.listen(heard.append)
    assert again.result.done()
    assert len(heard) == of + 1


def test_a_suite_that_fails_its_solution_is_never_ready(
    make_course: CourseMaker, tmp_path: Path
) -> None:
    course = make_course(tmp_path, {f"solutions/{NAME}.py": WRONG})
    with Grader(course, isolation="none") as grader, pytest.raises(BrokenSuiteError):
        grader.ready("double")


def test_no_log_of_a_result_holds_what_a_suite_hides() -> None:
    secret = "expected 7"
    advice = Advice("cause", secret)
    test = TestResult("test_x", secret, Outcome.FAILED, 0, 2, 0, secret, secret, secret, (), advice)
    result = ExerciseResult(NAME, Outcome.FAILED, 0, 2, (test,), secret, (advice,))
    shown = repr(reward.of(result)) + repr(result) + str(test)
    assert secret not in shown
    assert "test_x: failed, 0 of 2 points" in shown


def test_what_is_no_work_is_told(real: Grader) -> None:
    assert real.grade("", NAME).message == "`double.py` contains no code."
    with pytest.raises(UsageError, match="`NoneType` is not work"):
        real.grade(None, NAME)  # type: ignore[call-overload]
