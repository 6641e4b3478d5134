"""Who is judged next: a fair order in front of the judges, and in front of the reader of files.

    accepted --> waiting --least served person first, of a person the newest--> in flight
       |            |                                                             | took long
       |            +--- a newer one at that exercise --> later <-----------------+ and others wait
       `--> the verdict is known: at once

A person has one attempt in flight, and more only where a judge is idle. What the marks wait for is
nobody's: it has a place of its own in the order, which no newer attempt takes. Nothing is dropped.

A trial is a ticket, too, behind every attempt of its person; the database doesn't know it.

If the course's files change, judging stops until the server starts again; the work stays.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from grader.api import Grader
from grader.engine.executors.slots import default_slots
from grader.records.errors import BrokenSuiteError, CourseError, UsageError
from grader.records.model import ExerciseResult, Judging, Outcome
from grader.serve.database import LAST, LATER, WAITING, Database, StoredAttempt
from grader.serve.marks import submission
from grader.teacher.pending import Attempt

log = logging.getLogger(__name__)
MOST_WAITING = 200
"""Beside the first one of each person."""
# All seconds of judging are those that the limits of an exercise charge: a busy machine adds none.
# After so many, an attempt gives way to others, once; and to a newer one of the same person.
LONG, SOON = 5.0, 1.0
# Who has used so many in the last minutes waits for others.
MUCH = 15.0
# What every attempt uses, beside what the limits charge.
LEAST = 0.1
# What a person used counts half as much after so many seconds.
HALF = 300.0
# The last idle judge waits so many seconds for somebody who has used little.
QUIET = 10.0
# Seconds between two tries of what the machine failed at: more each time, up to the second.
PAUSE, MOST_PAUSE = 5.0, 30.0
MARKS = ""
"""Owns what the marks wait for, in place of a person."""


class NotYet(Exception):
    """Somebody asks for too much at once: a sentence, and the seconds to wait."""


@dataclass(frozen=True)
class Trial:
    """An expression to compute on a text."""

    text: str
    expression: str


@dataclass(eq=False)
class Ticket:
    """An attempt that isn't judged yet."""

    attempt: StoredAttempt
    state: str
    owner: str  #: the person, or `MARKS`
    is_known: bool = False  #: its verdict is there already, so it needs no judge
    is_slow: bool = False  #: in flight, in the share of the judges that slow ones have
    is_extra: bool = False  #: in flight, and gives way as soon as a judge is missing
    trial: Trial | None = None
    result: ExerciseResult | None = None  #: of a trial; nobody else keeps it
    payer: str = ""  #: the person who is charged, one for a whole team, also if `MARKS` owns it
    place: int = 0  #: how many are before it, when that was last computed
    begun: Attempt[Any] | None = None
    judging: Judging | None = None
    task: asyncio.Task[None] | None = None
    stops: int = 0  #: how often it gave way to others
    is_stopping: bool = False
    faults: int = 0  #: of the machine
    not_before: float = 0.0  #: after a fault of the machine
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Is set when something of this changes. Then a new one takes its place."""

    @property
    def waits(self) -> bool:
        return self.task is None and self.state == WAITING

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
        self._readers: dict[str, asyncio.Event] = {}
        self._used: dict[str, float] = {}
        self._aged = time.monotonic()
        self._quiet_since = self._aged
        self._turn = asyncio.Event()

    @property
    def waiting(self) -> int:
        """How many attempts wait, also those for later."""
        return sum(ticket.task is None for ticket in list(self._tickets.values()))

    def is_full(self, person: str) -> bool:
        """Whether a person has to come again later: everybody may have one attempt that waits."""
        tickets = [ticket for ticket in list(self._tickets.values()) if ticket.waits]
        return (
            any(ticket.owner == person for ticket in tickets)
            and sum(not self._is_slow(ticket) for ticket in tickets) >= MOST_WAITING
        )

    @asynccontextmanager
    async def reading(self, person: str) -> AsyncIterator[Callable[[float], None]]:
        """Waits for the reader, which reads one file at a time; of a person, one waits.

        The least served person is next. Gives what is to be called with the seconds of reading:
        they count as judging does. Raises `NotYet`.
        """
        own = f"{person}\nfiles"

        def used(seconds: float) -> None:
            for account in (person, own):
                self.use(account, seconds)

        if person in self._readers:
            raise NotYet("Another file of yours is being read. Wait for it.", 5.0)
        if (much := self._used.get(own, 0.0) / MUCH) > 1:
            wait = HALF * math.log2(much)
            said = f"Your last files took a long time to read. Send the next one in {wait:.0f} s."
            raise NotYet(said, wait)
        turn = self._readers[person] = asyncio.Event()
        try:
            if len(self._readers) == 1:
                turn.set()
            await turn.wait()
            yield used
        finally:
            del self._readers[person]
            if turn.is_set() and self._readers:
                self._readers[min(self._readers, key=lambda w: self._used.get(w, 0.0))].set()

    def want(self, attempts: Iterable[StoredAttempt]) -> None:
        """The marks wait for these. If they are judged already, their results stay until then."""
        for attempt in attempts:
            ticket = Ticket(attempt, WAITING, MARKS, payer=attempt.person)
            self._tickets.setdefault(attempt.id, ticket).owner = MARKS
        self._turn.set()

    def wanted(self, assignment: str) -> int:
        """How many attempts the marks of an assignment wait for."""
        own = (t for t in self._tickets.values() if t.attempt.assignment == assignment)
        return sum(ticket.owner == MARKS for ticket in own)

    def ticket(self, name: str) -> Ticket | None:
        """Of an attempt by its id; None if it is judged."""
        return self._tickets.get(name)

    def put(
        self, attempt: StoredAttempt, team: Sequence[str] = (), *, is_known: bool = False
    ) -> None:
        """Queues what the database has accepted. A newer one at the same exercise goes first.

        The first of the `team` is charged for it; without one, its own person is.
        """
        mates = team or [attempt.person]
        place = attempt.assignment, attempt.exercise
        for other in self._tickets.values():
            of = other.attempt
            if (of.assignment, of.exercise) == place and of.person in mates:
                other.state = LATER
        ticket = Ticket(attempt, attempt.state, mates[0], is_known, payer=mates[0])
        self._tickets[attempt.id] = ticket
        if not self._is_slow(ticket):
            self._quiet_since = time.monotonic()
        self._turn.set()

    async def tried(self, attempt: StoredAttempt, trial: Trial, payer: str) -> ExerciseResult:
        """What a trial gives, when it is its payer's turn. Raises `NotYet`: a person has one."""
        if any(t.trial and t.attempt.person == attempt.person for t in self._tickets.values()):
            raise NotYet("Another call of yours is running. Wait for it.", 2.0)
        number = min([0, *(t.attempt.number for t in self._tickets.values())]) - 1
        attempt = replace(attempt, number=number)  # every attempt is newer
        ticket = Ticket(attempt, WAITING, payer, payer=payer, trial=trial)
        self._tickets[attempt.id] = ticket
        self._turn.set()
        try:
            while ticket.result is None:
                await ticket.changed.wait()
                if ticket.result is None and attempt.id not in self._tickets:
                    raise NotYet("Nothing can be computed for this exercise now.", 60.0)
            return ticket.result
        finally:
            self._tickets.pop(attempt.id, None)
            if ticket.task is not None:
                ticket.task.cancel()

    async def run(self) -> None:
        """Judges until it is cancelled; begins with what was accepted before."""
        for attempt in self._db.unjudged():
            payer = self._db.mates(attempt.person, attempt.assignment)[0]
            self._tickets[attempt.id] = Ticket(attempt, attempt.state, payer, payer=payer)
        try:
            self.is_running = True
            while True:
                self._turn.clear()
                self._fill()
                self._count()
                self._give_way()
                with suppress(TimeoutError):  # `wait_for` of Python 3.11 can lose a cancellation
                    async with asyncio.timeout(SOON if self.waiting else None):
                        await self._turn.wait()
        finally:
            self.is_running = False
            for ticket in self._tickets.values():
                if ticket.task is not None:
                    ticket.task.cancel()

    @property
    def _flying(self) -> list[Ticket]:
        """Those that a judge has."""
        return [t for t in self._tickets.values() if t.task is not None and not t.is_known]

    def _fill(self) -> None:
        """Sends as many as there are judges for, and what needs none."""
        if self._is_halted:
            return
        flying, now = self._flying, time.monotonic()
        is_quiet = now - self._quiet_since > QUIET
        for ticket, is_slow, is_second in self._ordered():
            if not ticket.is_known:
                left = self._jobs - len(flying)
                slow = sum(other.is_slow for other in flying)
                # One judge stays free for who has used little, unless nobody came for a while.
                has_room = not (is_second and left < 2)
                has_room &= not is_slow or slow < max(1, self._jobs - 1)
                if now < ticket.not_before or left < 1 or not (has_room or is_quiet):
                    continue
                for other in flying:  # a newer one of that person begins
                    other.is_extra |= other.owner == ticket.owner and not is_second
                flying.append(ticket)
                ticket.is_slow, ticket.is_extra = is_slow, not has_room
            ticket.task = asyncio.create_task(self._judge(ticket))

    def _is_slow(self, ticket: Ticket) -> bool:
        """It is for later, or its owner has used much: then it is stopped and ordered likewise."""
        is_long = ticket.state == LATER or self._used.get(ticket.owner, 0.0) > MUCH
        return is_long and ticket.owner != MARKS

    def _ordered(self) -> list[tuple[Ticket, bool, bool]]:
        """What waits: the first one of each owner, then the second ones, and so on.

        Of a person's attempts, the first one is the newest that isn't for later. With each comes
        whether it is slow, and whether it is a second one: not the newest that its owner has here.
        """
        left: dict[str, list[Ticket]] = defaultdict(list)
        waiting = (ticket for ticket in self._tickets.values() if ticket.task is None)
        for ticket in sorted(waiting, key=lambda t: (t.state == LATER, -t.attempt.number)):
            left[ticket.owner].append(ticket)
        newest: dict[str, float] = defaultdict(lambda: -math.inf)
        for ticket in self._flying:
            # Of what the marks wait for, each one is as good as another.
            number = LAST if ticket.owner == MARKS else ticket.attempt.number
            newest[ticket.owner] = max(newest[ticket.owner], number)
        ranked = []
        for owner, own in left.items():
            for place, ticket in enumerate(own):
                is_slow, number = self._is_slow(ticket), ticket.attempt.number
                is_second = place > 0 or number < newest[owner]
                by = not ticket.is_known, is_slow or is_second, place, self._used.get(owner, 0.0)
                ranked.append((*by, number, (ticket, is_slow, is_second)))  # no two numbers are one
        return [entry[-1] for entry in sorted(ranked)]

    def _count(self) -> None:
        """Who waits learns how many are before."""
        for place, (ticket, *_) in enumerate(self._ordered(), len(self._flying)):
            if ticket.place != place:
                ticket.place = place
                ticket.notify()

    def _give_way(self) -> None:
        """Stops one that runs long, if somebody waits for a judge, or its owner has a newer one.

        Each stop for others doubles what it may run without one, so that it ends at last.
        """
        flying, now = self._flying, time.monotonic()
        if self._is_halted or any(ticket.is_stopping for ticket in flying):
            return
        waiting = [t for t in self._tickets.values() if t.waits and t.not_before <= now]
        busy = {ticket.owner for ticket in flying}
        is_crowded = any(t.owner not in busy and not self._is_slow(t) for t in waiting)
        for ticket in sorted(flying, key=self._seconds, reverse=True):
            number, seconds = ticket.attempt.number, self._seconds(ticket)
            newer = (t for t in waiting if t.owner == ticket.owner and t.attempt.number > number)
            is_own = seconds >= SOON and ticket.owner != MARKS and any(newer)
            most = LONG * (2**ticket.stops - ticket.is_extra)
            if ticket.task is None or ticket.begun is None:
                continue  # there is nothing yet that could be ended
            if is_own or (is_crowded and seconds >= most):
                ticket.is_stopping = True
                if not is_own:
                    ticket.stops, ticket.state = ticket.stops + 1, LATER
                ticket.task.cancel()
                return

    def _seconds(self, ticket: Ticket) -> float:
        """What it was charged so far."""
        return 0.0 if ticket.begun is None else ticket.begun.seconds

    async def _judge(self, ticket: Ticket) -> None:
        """One attempt, to its result, or until it gives way."""
        attempt, loop = ticket.attempt, asyncio.get_running_loop()
        seconds = 0.0

        def tell(event: Judging) -> None:  # in a thread of the judge's
            loop.call_soon_threadsafe(self._tell, ticket, event)

        try:
            begun = await asyncio.to_thread(self._begin, ticket)
            ticket.begun = begun
            begun.listen(tell)
            result: Any = await asyncio.wrap_future(begun.result)
            if not ticket.is_known:  # judges of a cluster say nothing before the end
                seconds = self._seconds(ticket) or sum(test.seconds for test in result.tests)
            await self._finish(ticket, result)
            self.trouble = ""
        except asyncio.CancelledError:
            seconds = self._seconds(ticket)
            if not ticket.is_stopping:
                raise
            if ticket.state == LATER and ticket.trial is None:
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
            if self.trouble != str(error):
                log.exception("an attempt at %s can't be judged now", attempt.exercise)
            self.trouble = str(error)
            ticket.not_before = time.monotonic() + min(PAUSE * 2**ticket.faults, MOST_PAUSE)
            ticket.faults += 1
        finally:
            ticket.task, ticket.judging, ticket.begun = None, None, None
            ticket.is_known = ticket.is_stopping = False
            ticket.notify()
            self._turn.set()
            for owner in {ticket.owner, *([] if attempt.outcome else [ticket.payer])}:
                self.use(owner, seconds + LEAST)  # a teacher asks for judging anew

    def _begin(self, ticket: Ticket) -> Attempt[Any]:
        attempt, trial = ticket.attempt, ticket.trial
        if trial is not None:
            return self._grader.try_out(trial.text, attempt.exercise, trial.expression)
        return self._grader.submit(submission(self._db, [attempt]), attempt.exercise)

    async def _finish(self, ticket: Ticket, result: ExerciseResult) -> None:
        if ticket.trial is not None:
            ticket.result = result
        else:
            await asyncio.to_thread(self._db.finish, ticket.attempt.id, result)
            await asyncio.to_thread(self._judged, ticket.attempt)
        self._tickets.pop(ticket.attempt.id, None)

    def _tell(self, ticket: Ticket, event: Judging) -> None:
        if ticket.task is not None:
            ticket.judging = event
            ticket.notify()

    def use(self, person: str, seconds: float) -> None:
        """Work costs a place in the order for a while: half as much after each `HALF`."""
        now = time.monotonic()
        if (halves := (now - self._aged) / HALF) > 0.1:
            less = ((who, used * 0.5**halves) for who, used in self._used.items())
            self._used = {who: used for who, used in less if used > 0.01}
            self._aged = now
        self._used[person] = self._used.get(person, 0.0) + seconds
