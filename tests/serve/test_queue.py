"""The fair order: a judge that never ends is no reason for others to wait, and nothing is lost."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from grader.records.errors import BrokenSuiteError, CourseError, HostError, UsageError
from grader.records.model import Exercise, ExerciseResult, Outcome, Source, Submission
from grader.serve import queue as queues
from grader.serve.database import LATER, WAITING, Database, StoredAttempt
from grader.serve.queue import NotYet, Queue, Trial

NAME = "a/b"
NUMBERS = itertools.count(1)


class FakeAttempt:
    def __init__(self, result: Future[ExerciseResult]) -> None:
        self.result, self.seconds = result, 0.0

    def listen(self, listener: Callable[..., None]) -> None: ...


class FakeGrader:
    """A grader that judges when a test says so. `asked` holds the texts that it got."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.course = {NAME: Exercise(NAME, "B", ("b",), counts=False)}
        self.open: dict[str, Future[ExerciseResult]] = {}
        self.error: BaseException | None = None

    def submit(self, work: Submission, exercise: str) -> Any:
        if self.error is not None:
            raise self.error
        self.asked.append(work.sources[0].text.strip())
        answer: Future[ExerciseResult] = Future()
        self.open[self.asked[-1]] = answer
        return FakeAttempt(answer)

    def try_out(self, text: str, exercise: str, expression: str) -> Any:
        source = Source(exercise, "b.py", f"{expression} on {text}")
        return self.submit(Submission("", "", (source,)), exercise)

    def answer(self, text: str) -> None:
        if not self.open[text].done():
            self.open[text].set_result(ExerciseResult(NAME, Outcome.PASSED, 1.0, 1.0))


class Sitting:
    """A queue of two judges, and what it does."""

    def __init__(self, folder: Path) -> None:
        self.db, self.grader = Database(folder), FakeGrader()
        self.queue = Queue(self.grader, self.db, jobs=2)  # type: ignore[arg-type]

    def put(self, person: str, text: str, exercise: str = NAME) -> StoredAttempt:
        place = next(NUMBERS)
        one = StoredAttempt(0, f"id{place}", person, "hw", exercise, "b.py", float(place), WAITING)
        stored = self.db.accept(one, text, None)
        self.queue.put(stored)
        return stored

    def tries(self, person: str, expression: str) -> asyncio.Task[ExerciseResult]:
        place = f"id{next(NUMBERS)}"
        one = StoredAttempt(0, place, person, "hw", NAME, "b.py", 0.0, WAITING)
        return asyncio.create_task(self.queue.tried(one, Trial("text", expression), person))

    def rests(self) -> bool:
        """Nothing happens by itself any more: every judge that has work waits for the test."""
        judging = sum(not answer.done() for answer in self.grader.open.values())
        return not self.queue._turn.is_set() and len(self.queue._flying) == judging

    async def until(self, *texts: str) -> None:
        """Until these, and no others, have been sent to judges."""
        await true(lambda: len(self.grader.asked) >= len(texts) and self.rests())
        # Two that are sent at once may come in any order.
        assert sorted(self.grader.asked) == sorted(texts)


async def true(condition: Callable[[], bool]) -> None:
    """Waits for it. Only a failure takes so many seconds."""
    async with asyncio.timeout(120):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.fixture
def sitting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sitting]:
    """Nobody uses much time, however long a test takes."""
    monkeypatch.setattr(queues, "MUCH", math.inf)
    made = Sitting(tmp_path)
    yield made
    made.db.close()


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """From 0.2 seconds on an attempt is long, and each one has run so many seconds."""

    def each_has_run(seconds: float) -> None:
        monkeypatch.setattr(queues, "LONG", 0.2)
        monkeypatch.setattr(queues, "SOON", 0.2)
        monkeypatch.setattr(Queue, "_seconds", lambda _, t: seconds if t.task else 0.0)

    return each_has_run


def run(sitting: Sitting, story: Callable[[], Any]) -> None:
    async def whole() -> None:
        judging = asyncio.create_task(sitting.queue.run())
        try:
            await story()
        finally:
            judging.cancel()
            await asyncio.gather(judging, return_exceptions=True)

    asyncio.run(whole())


def states(sitting: Sitting) -> dict[str, str]:
    found = (one for p in ("ada", "ben", "eve") for one in sitting.db.history(p, "hw"))
    return {sitting.db.text(one): one.state for one in found}


def test_a_person_has_one_in_flight_and_the_least_served_goes_first(sitting: Sitting) -> None:
    async def story() -> None:
        for n in range(3):
            sitting.put("ada", f"a{n}", f"a/{n}")
        sitting.put("ben", "b")
        await sitting.until("a2", "b")
        sitting.put("eve", "e")
        await sitting.until("a2", "b")
        sitting.grader.answer("a2")
        await sitting.until("a2", "b", "e")
        sitting.grader.answer("e")
        await sitting.until("a2", "b", "e", "a1")

    run(sitting, story)


def test_a_newer_one_goes_first_and_the_older_one_is_judged_later(sitting: Sitting) -> None:
    async def story() -> None:
        sitting.put("ben", "b")
        sitting.put("eve", "e")
        await sitting.until("b", "e")
        for n in range(3):
            sitting.put("ada", f"a{n}")
        sitting.grader.answer("b")
        await sitting.until("b", "e", "a2")
        assert states(sitting)["a0"] == LATER
        sitting.grader.answer("a2")
        await sitting.until("b", "e", "a2", "a1")
        sitting.grader.answer("a1")
        await sitting.until("b", "e", "a2", "a1", "a0")

    run(sitting, story)


def test_what_takes_long_gives_way_once_and_never_holds_all_judges(
    sitting: Sitting, long: Callable[[float], None]
) -> None:
    long(1.0)

    async def story() -> None:
        sitting.put("ada", "loop a")
        sitting.put("ben", "loop b")
        await sitting.until("loop a", "loop b")
        sitting.put("eve", "e")
        await true(lambda: "e" in sitting.grader.asked)
        assert sitting.grader.asked[2] == "e"
        stopped = [text for text, state in states(sitting).items() if state == LATER]
        assert len(stopped) == 1
        sitting.grader.answer("e")
        await true(lambda: len(sitting.grader.asked) == 4)
        # One loop runs still, and the other one in the slow share, which leaves a judge free.
        sitting.put("eve", "e2")
        await true(lambda: "e2" in sitting.grader.asked)

    run(sitting, story)


def test_after_a_start_everything_is_judged_that_was_accepted(sitting: Sitting) -> None:
    async def nothing() -> None:
        sitting.put("ada", "a")
        sitting.put("ben", "b")
        await sitting.until("a", "b")

    run(sitting, nothing)
    assert set(states(sitting).values()) == {WAITING}
    sitting.queue = Queue(sitting.grader, sitting.db, jobs=2)  # type: ignore[arg-type]
    sitting.grader.asked.clear()

    async def story() -> None:
        await sitting.until("a", "b")
        sitting.grader.answer("a")
        sitting.grader.answer("b")
        await true(lambda: set(states(sitting).values()) == {"done"})

    run(sitting, story)


@pytest.mark.parametrize("error", [HostError("no sandbox"), OSError("no room"), RuntimeError("x")])
def test_a_fault_of_the_machine_costs_no_attempt(
    sitting: Sitting, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "PAUSE", 0.05)

    async def story() -> None:
        sitting.grader.error = error
        one = sitting.put("ada", "a")
        await true(lambda: bool(sitting.queue.trouble))
        assert sitting.queue.trouble == str(error)
        assert states(sitting) == {"a": WAITING}
        sitting.grader.error = None
        await sitting.until("a")
        sitting.grader.answer("a")
        await true(lambda: sitting.queue.ticket(one.id) is None)
        await true(lambda: sitting.queue.trouble == "")

    run(sitting, story)
    assert states(sitting) == {"a": "done"}


def test_a_course_that_changed_stops_judging_and_loses_nothing(sitting: Sitting) -> None:
    async def story() -> None:
        sitting.grader.error = CourseError("the files have changed")
        sitting.put("ada", "a")
        await true(lambda: bool(sitting.queue.trouble))
        sitting.grader.error = None
        sitting.put("ben", "b")
        await sitting.until()
        assert sitting.queue.trouble == "the files have changed"

    run(sitting, story)
    assert states(sitting) == {"a": WAITING, "b": WAITING}


def test_a_suite_that_can_not_judge_gives_no_mark_and_stops_nobody_else(sitting: Sitting) -> None:
    async def story() -> None:
        sitting.grader.error = BrokenSuiteError("fails its solution")
        sitting.put("ada", "a")
        await true(lambda: states(sitting) == {"a": "done"})
        sitting.grader.error = None
        sitting.put("ben", "b")
        await sitting.until("b")

    run(sitting, story)
    (one,) = sitting.db.history("ada", "hw")
    assert one.result is not None
    assert (one.result.outcome, one.result.score) == (Outcome.BROKEN, None)
    assert not one.result.counts


def test_after_quiet_days_judging_goes_on(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        sitting.put("ada", "a")
        await sitting.until("a")
        sitting.queue._aged -= 1e6
        sitting.grader.answer("a")
        await true(lambda: states(sitting) == {"a": "done"})
        sitting.put("ada", "a2")
        await sitting.until("a", "a2")

    run(sitting, story)


def test_an_attempt_of_an_assignment_that_is_gone_holds_nobody(sitting: Sitting) -> None:
    async def story() -> None:
        sitting.grader.error = UsageError("this Grader wasn't made for it")
        one = sitting.put("ada", "a")
        await true(lambda: sitting.queue.ticket(one.id) is None)
        sitting.grader.error = None
        sitting.put("ada", "b")
        await sitting.until("b")
        assert sitting.queue.trouble == ""

    run(sitting, story)
    assert states(sitting)["a"] != "done"  # it is kept


def test_ones_own_loop_gives_way_to_ones_own_correction(
    sitting: Sitting, long: Callable[[float], None]
) -> None:
    long(0.3)

    async def story() -> None:
        sitting.put("ben", "b")
        sitting.put("ada", "loop")
        await sitting.until("b", "loop")
        sitting.put("ada", "fixed", "a/c")
        await true(lambda: "fixed" in sitting.grader.asked)
        assert states(sitting)["loop"] == WAITING  # no slow lane: nobody else was in need
        sitting.grader.answer("fixed")
        await true(lambda: sitting.grader.asked.count("loop") == 2)

    run(sitting, story)


def test_a_loop_never_delays_its_owners_next_answer(
    sitting: Sitting, long: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In any exercise, however many loops wait, and however much their owner has used."""
    long(0.3)
    monkeypatch.setattr(queues, "MUCH", 15.0)
    sitting.queue.use("ada", 1000)

    async def story() -> None:
        sitting.put("ben", "b")
        for n in range(8):
            sitting.put("ada", f"loop {n}", f"a/{n % 4}")
        await true(lambda: len(sitting.grader.asked) == 2)
        begun = set(sitting.grader.asked)
        sitting.put("ada", "answer", "a/9")
        await true(lambda: len(sitting.grader.asked) > 2)
        assert set(sitting.grader.asked) - begun == {"answer"}

    run(sitting, story)


def test_the_seconds_of_a_busy_machine_are_nobodys(sitting: Sitting) -> None:
    """What the limits charge makes an attempt slow, and nothing else."""

    async def story() -> None:
        sitting.put("ada", "a")
        await sitting.until("a")
        sitting.queue._tickets[next(iter(sitting.queue._tickets))].begun.seconds = 3.0  # type: ignore[union-attr, misc]
        sitting.grader.answer("a")
        await true(lambda: states(sitting) == {"a": "done"})

    run(sitting, story)
    assert sitting.queue._used["ada"] == pytest.approx(3.0 + queues.LEAST, abs=0.01)


def test_a_known_verdict_needs_no_judge(sitting: Sitting) -> None:
    """Also while every judge has a loop, and for somebody who has used much."""
    sitting.queue.use("eve", 1000)

    async def story() -> None:
        sitting.put("ada", "loop a")
        sitting.put("ben", "loop b")
        await sitting.until("loop a", "loop b")
        stored = sitting.db.accept(
            StoredAttempt(0, "known", "eve", "hw", NAME, "b.py", 0.0, WAITING), "known", None
        )
        sitting.queue.put(stored, is_known=True)
        await true(lambda: "known" in sitting.grader.asked)
        assert not sitting.grader.open["loop a"].cancelled()

    run(sitting, story)


def test_no_judge_is_idle_while_somebody_waits(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even if only slow ones wait, or only one person's. Who has used little comes first."""
    monkeypatch.setattr(queues, "QUIET", 0.0)
    monkeypatch.setattr(queues, "SOON", 0.05)
    monkeypatch.setattr(queues, "MUCH", 15.0)
    sitting.queue.use("ada", 1000)
    sitting.queue.use("ben", 1000)

    async def story() -> None:
        sitting.put("ada", "loop a")
        sitting.put("ben", "loop b")
        await sitting.until("loop a", "loop b")
        sitting.put("eve", "e")
        await true(lambda: "e" in sitting.grader.asked)

    run(sitting, story)


def test_one_person_alone_uses_all_judges(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while: before that, the last one is for others, and for a newer answer."""
    monkeypatch.setattr(queues, "QUIET", 0.0)

    async def story() -> None:
        for n in range(3):
            sitting.put("ada", f"a{n}", f"a/{n}")
        await sitting.until("a2", "a1")

    run(sitting, story)


def test_a_newer_answer_takes_the_free_judge_and_stops_nothing(
    sitting: Sitting, long: Callable[[float], None]
) -> None:
    """To end a judge takes seconds. If somebody else comes, the older one gives way at once."""
    long(1.0)

    async def story() -> None:
        sitting.put("ada", "loop 1", "a/1")
        await sitting.until("loop 1")
        sitting.put("ada", "loop 2", "a/2")
        await sitting.until("loop 1", "loop 2")
        assert not sitting.grader.open["loop 1"].cancelled()
        sitting.put("ben", "b")
        await true(lambda: "b" in sitting.grader.asked)

    run(sitting, story)


def test_a_loop_gives_way_however_much_happens(
    sitting: Sitting, long: Callable[[float], None]
) -> None:
    """The queue looks after every event, and not only when there is none for a while."""
    long(10.0)

    async def story() -> None:
        sitting.put("ada", "loop a")
        sitting.put("ben", "loop b")
        await sitting.until("loop a", "loop b")
        sitting.put("eve", "e")
        for _ in range(500):
            sitting.queue._turn.set()
            await asyncio.sleep(0.002)
            if "e" in sitting.grader.asked:
                return
        raise AssertionError("the loops still have both judges")

    run(sitting, story)


def test_the_marks_wait_for_what_was_there_and_newer_ones_do_not_stop_that(
    sitting: Sitting, long: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    long(10.0)
    monkeypatch.setattr(queues, "LONG", 100.0)

    async def story() -> None:
        sitting.put("ben", "b")
        old = sitting.put("ada", "old", "a/0")
        await sitting.until("b", "old")
        sitting.queue.want([old])
        for n in range(3):
            sitting.put("ada", f"new {n}", f"a/{n}")
        assert sitting.queue.wanted("hw") == 1
        assert sitting.queue.wanted("other") == 0
        sitting.grader.answer("b")
        await true(lambda: "new 2" in sitting.grader.asked)
        sitting.grader.answer("old")
        await true(lambda: sitting.queue.wanted("hw") == 0)
        assert sitting.grader.asked.count("old") == 1

    run(sitting, story)


def test_the_queues_limit_leaves_everybody_a_place(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "MOST_WAITING", 2)
    monkeypatch.setattr(queues, "MUCH", 15.0)
    for n in range(3):
        sitting.put("ada", f"a{n}", f"a/{n}")
    assert sitting.queue.is_full("ada")
    assert not sitting.queue.is_full("ben")
    sitting.put("ben", "b")
    assert sitting.queue.is_full("ben")
    sitting.queue.use("ada", 1000)  # what is slow keeps nobody out
    assert not sitting.queue.is_full("ben")


def test_a_trial_has_a_place_in_the_order_and_is_not_stored(sitting: Sitting) -> None:
    async def story() -> None:
        trial = sitting.tries("ada", "f(1)")
        await sitting.until("f(1) on text")
        with pytest.raises(NotYet):
            await sitting.tries("ada", "f(2)")
        sitting.put("ada", "a")
        sitting.put("ben", "b")
        # Its person's attempt takes the place of the trial, which comes again.
        await sitting.until("f(1) on text", "a", "b")
        sitting.grader.answer("a")
        await sitting.until("f(1) on text", "a", "b", "f(1) on text")
        sitting.grader.answer("f(1) on text")
        assert (await trial).outcome is Outcome.PASSED

    run(sitting, story)
    assert set(states(sitting)) == {"a", "b"}


def test_an_endless_trial_delays_nobody(sitting: Sitting, long: Callable[[float], None]) -> None:
    long(1.0)

    async def story() -> None:
        trials = [sitting.tries(name, f"loop {name}") for name in ("ada", "ben")]
        await sitting.until("loop ada on text", "loop ben on text")
        sitting.put("eve", "e")
        await true(lambda: "e" in sitting.grader.asked)
        assert sitting.grader.asked[2] == "e"
        sitting.put("ada", "a")
        await true(lambda: "a" in sitting.grader.asked)
        for trial in trials:
            trial.cancel()
        await asyncio.gather(*trials, return_exceptions=True)
        await true(lambda: not any(t.trial for t in sitting.queue._tickets.values()))

    run(sitting, story)


def test_a_trial_that_nobody_can_compute_ends(sitting: Sitting) -> None:
    async def story() -> None:
        sitting.grader.error = UsageError("no such exercise")
        with pytest.raises(NotYet):
            await sitting.tries("ada", "f(1)")

    run(sitting, story)
