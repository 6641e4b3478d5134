"""Who is judged next: a fair order in front of the judges.

    accepted --> waiting --least served person first--> in flight: one for each judge
                    |                                         | took long, and others wait
                    +--- a newer one came --> later <---------+
                                                `--> judged when nobody else waits

If the course's files change, judging stops until the server starts again; the work stays.

A person has one attempt in flight. Nothing is dropped: what is `later` is judged, too, and counts
for the mark. Of several judges, these never hold all.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from grader.api import Grader
from grader.engine.executors.slots import default_slots
from grader.records.errors import BrokenSuiteError, CourseError, UsageError
from grader.records.model import ExerciseResult, Judging, Outcome
from grader.serve.database import LATER, WAITING, Database, StoredAttempt
from grader.serve.marks import submission

log = logging.getLogger(__name__)
MOST_WAITING = 200
# Seconds after which an attempt gives way to others, once.
LONG = 5.0
# Who has used so many seconds in the last minutes waits for others.
MUCH = 15.0
# What a person used counts half as much after so many seconds.
HALF = 300.0
# Seconds between two tries of what the machine failed at.
PAUSE = 5.0


@dataclass(eq=False)
class Ticket:
    """An attempt that isn't judged yet."""

    attempt: StoredAttempt
    state: str
    place: int = 0  #: how many are before it, when that was last computed
    judging: Judging | None = None
    began: float = 0.0
    task: asyncio.Task[None] | None = None
    stops: int = 0  #: how often it gave way to others
    is_stopping: bool = False
    not_before: float = 0.0  #: after a fault of the machine
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Is set when something of this changes. Then a new one takes its place."""

    def notify(self) -> None:
        before, self.changed = self.changed, asyncio.Event()
        before.set()


class Queue:
    """Lives in one event loop; every method is called there."""

    def __init__(
        self,
        grader: Grader,
        database: Database,
        jobs: int | None = None,
        judged: Callable[[StoredAttempt], None] = lambda _: None,
    ) -> None:
        """`judged` is told of every attempt that has its result, in a thread."""
        self._grader, self._db, self._judged = grader, database, judged
        self._jobs = jobs or default_slots()
        self.trouble = ""
        """Why nothing can be judged now: the machine's fault, or the course has changed."""
        self._is_halted = False
        self.is_running = False
        self._tickets: dict[str, Ticket] = {}
        self._flying: dict[str, Ticket] = {}  # by person
        self._used: dict[str, float] = {}
        self._aged = time.monotonic()
        self._turn = asyncio.Event()

    @property
    def waiting(self) -> int:
        """How many attempts wait, also those for later."""
        return len(self._tickets) - len(self._flying)

    @property
    def is_full(self) -> bool:
        """What is for later keeps nobody out."""
        return sum(map(self._waits, list(self._tickets.values()))) >= MOST_WAITING

    def is_busy(self, assignment: str) -> bool:
        """Whether attempts of an assignment aren't judged yet."""
        return any(t.attempt.assignment == assignment for t in self._tickets.values())

    def ticket(self, name: str) -> Ticket | None:
        """Of an attempt by its id; None if it is judged."""
        return self._tickets.get(name)

    def put(self, attempt: StoredAttempt) -> None:
        """Queues what the database has accepted. A newer one at the same exercise goes first."""
        for other in self._tickets.values():
            same = _place(other.attempt) == _place(attempt)
            if same and other.task is None:
                other.state = LATER
        self._tickets[attempt.id] = Ticket(attempt, attempt.state)
        self._turn.set()

    def again(self, attempts: Iterable[StoredAttempt]) -> None:
        """Judges these anew, when nobody else waits. Their results stay until then."""
        for attempt in attempts:
            self._tickets.setdefault(attempt.id, Ticket(attempt, LATER))
        self._turn.set()

    async def run(self) -> None:
        """Judges until it is cancelled; begins with what was accepted before."""
        for attempt in self._db.unjudged():
            self._tickets[attempt.id] = Ticket(attempt, attempt.state)
        try:
            self.is_running = True
            while True:
                self._turn.clear()
                self._fill()
                self._count()
                soon = LONG / 5 if self.waiting else None
                try:
                    await asyncio.wait_for(self._turn.wait(), soon)
                except TimeoutError:
                    self._give_way()
        finally:
            self.is_running = False
            for ticket in self._flying.values():
                if ticket.task is not None:
                    ticket.task.cancel()

    def _fill(self) -> None:
        """Sends as many as there are judges for."""
        while len(self._flying) < self._jobs and not self._is_halted:
            ready = [t for t in self._tickets.values() if self._may_begin(t)]
            if not ready:
                return
            ticket = min(ready, key=self._rank)
            self._flying[ticket.attempt.person] = ticket
            ticket.task = asyncio.create_task(self._judge(ticket))

    def _may_begin(self, ticket: Ticket) -> bool:
        is_late = time.monotonic() < ticket.not_before
        if ticket.task is not None or ticket.attempt.person in self._flying or is_late:
            return False
        slow = sum(map(self._is_slow, self._flying.values()))
        return not self._is_slow(ticket) or slow < max(1, self._jobs - 1)

    def _is_slow(self, ticket: Ticket) -> bool:
        """It is for later, or its owner has used much: then it is stopped and ordered likewise."""
        return ticket.state == LATER or self._used.get(ticket.attempt.person, 0.0) > MUCH

    def _rank(self, ticket: Ticket) -> tuple[bool, float, int]:
        return (
            self._is_slow(ticket),
            self._used.get(ticket.attempt.person, 0.0),
            ticket.attempt.number,
        )

    def _count(self) -> None:
        """Who waits learns how many are before."""
        left = (t for t in self._tickets.values() if t.task is None)
        for place, ticket in enumerate(sorted(left, key=self._rank), len(self._flying)):
            if ticket.place != place:
                ticket.place = place
                ticket.notify()

    def _give_way(self) -> None:
        """Stops one that runs long, if somebody waits for a judge, or its owner has a newer one.

        Each stop doubles what it may run without one, so that it ends at last.
        """
        if any(ticket.is_stopping for ticket in self._flying.values()):
            return
        waiting = [t for t in self._tickets.values() if self._waits(t)]
        others = {t.attempt.person for t in waiting if not self._is_slow(t)}
        is_crowded = len(self._flying) >= self._jobs and bool(others - self._flying.keys())
        newer = {t.attempt.person for t in waiting}
        for ticket in sorted(self._flying.values(), key=self._seconds, reverse=True):
            is_long = self._seconds(ticket) > LONG * 2**ticket.stops
            if is_long and (is_crowded or ticket.attempt.person in newer):
                ticket.is_stopping = True
                ticket.stops += 1
                if ticket.task is not None:
                    ticket.task.cancel()
                return

    def _waits(self, ticket: Ticket) -> bool:
        return ticket.task is None and ticket.state == WAITING

    def _seconds(self, ticket: Ticket) -> float:
        return time.monotonic() - ticket.began if ticket.began else 0.0

    async def _judge(self, ticket: Ticket) -> None:
        """One attempt, to its result, or until it gives way."""
        attempt, loop = ticket.attempt, asyncio.get_running_loop()
        started = time.monotonic()

        def tell(event: Judging) -> None:  # in a thread of the judge's
            loop.call_soon_threadsafe(self._tell, ticket, event)

        try:
            work = await asyncio.to_thread(submission, self._db, [attempt])
            begun = await asyncio.to_thread(self._grader.submit, work, attempt.exercise)
            begun.listen(tell)
            result: Any = await asyncio.wrap_future(begun.result)
            await self._finish(ticket, result)
            self.trouble = ""
        except asyncio.CancelledError:
            if not ticket.is_stopping:
                raise
            ticket.state = LATER
            await asyncio.to_thread(self._db.later, attempt.id)
        except BrokenSuiteError as error:
            log.error("%s", error)
            name, counts = attempt.exercise, self._grader.course[attempt.exercise].counts
            broken = ExerciseResult(
                name, Outcome.BROKEN, None, 0.0, message=str(error), counts=counts
            )
            await self._finish(ticket, broken)
        except CourseError as error:
            self.trouble, self._is_halted = str(error), True
            log.error("%s", error)
        except UsageError as error:  # its assignment is gone: it stays in the database
            log.error("%s", error)
            self._tickets.pop(attempt.id, None)
        except Exception as error:  # the machine's fault: the attempt stays, and is tried again
            self.trouble = str(error)
            ticket.not_before = time.monotonic() + PAUSE
            log.exception("an attempt at %s can't be judged now", attempt.exercise)
        finally:
            self._flying.pop(attempt.person, None)
            ticket.task, ticket.began, ticket.judging = None, 0.0, None
            ticket.is_stopping = False
            ticket.notify()
            self._turn.set()
            self._use(attempt.person, time.monotonic() - started)

    async def _finish(self, ticket: Ticket, result: ExerciseResult) -> None:
        await asyncio.to_thread(self._db.finish, ticket.attempt.id, result)
        await asyncio.to_thread(self._judged, ticket.attempt)
        self._tickets.pop(ticket.attempt.id, None)

    def _tell(self, ticket: Ticket, event: Judging) -> None:
        if ticket.task is not None:
            ticket.began = ticket.began or time.monotonic()
            ticket.judging = event
            ticket.notify()

    def _use(self, person: str, seconds: float) -> None:
        """Judging costs a place in the order for a while: half as much after each `HALF`."""
        now = time.monotonic()
        if (halves := (now - self._aged) / HALF) > 0.1:
            less = ((who, used * 0.5**halves) for who, used in self._used.items())
            self._used = {who: used for who, used in less if used > 0.01}
            self._aged = now
        self._used[person] = self._used.get(person, 0.0) + seconds


def _place(attempt: StoredAttempt) -> tuple[str, str, str]:
    return attempt.person, attempt.assignment, attempt.exercise
