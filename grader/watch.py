"""`grader watch`: a check on every save, on one calm screen.

    saves  --+                +--> Checker: children, one warm and one in reserve
    keys   --+--> Session <---+    results
    ticks  --+       |
                     +--> View --> draw: a screen, or lines where there is none

Threads tell what happens through one queue; the loop is the only place where anything is decided
or drawn. It ends with `q`, and in order with Ctrl-C.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from grader import terminal, work
from grader.check import check_one
from grader.children import Children
from grader.course import Course
from grader.errors import GraderError, HostError
from grader.model import Exercise
from grader.saves import INTERVAL, Saves
from grader.session import Answer, Event, Session, View

# So often the screen is looked over when nothing happens: for seconds that pass, and for its size.
TICK = 0.1


def watch(
    course: Course,
    exercise: Exercise,
    draw: Callable[[View], None],
    *,
    with_keys: bool,
    note: str | None = None,
) -> None:
    """Watches until somebody ends it, and shows a `note` at first.

    Raises `HostError` if JAX can't be used here.
    """
    events: queue.Queue[Event] = queue.Queue()
    stopped = threading.Event()
    threading.Thread(target=look_for_saves, args=(course, events.put, stopped), daemon=True).start()
    if with_keys:
        threading.Thread(
            target=terminal.listen,
            args=(lambda key: events.put(Event("key", key)), stopped),
            daemon=True,
        ).start()
    try:
        with Checker(course, events.put) as checker:
            session = Session(course, checker, exercise)
            session.begin(note)
            while not session.ended:
                draw(session.view())
                _hear(session, events)
    except KeyboardInterrupt:
        pass
    finally:
        stopped.set()


def _hear(session: Session, events: queue.Queue[Event]) -> None:
    """Waits for something to happen, or a moment."""
    try:
        event = events.get(timeout=TICK)
        while not session.ended:
            if event.kind == "saved":
                session.saved(Path(str(event.value)))
            elif event.kind == "key":
                session.key(str(event.value))
            else:
                session.told(event)
            event = events.get_nowait()
    except queue.Empty:
        pass
    session.tick()


class Checker:
    """Runs checks in a thread, one after another; the newest wish is the one that counts."""

    def __init__(self, course: Course, tell: Callable[[Event], None]) -> None:
        self._course, self._tell = course, tell
        self._children = Children(reserve=True)
        self._wishes: queue.Queue[tuple[int, Sequence[Exercise]] | None] = queue.Queue()
        self._newest = 0
        self._thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self) -> Checker:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._newest += 1
        self._wishes.put(None)
        self._thread.join(5)
        self._children.__exit__()

    def wish(self, exercises: Sequence[Exercise]) -> int:
        """Asks for checks in place of all that was asked before; their answers bear the ticket."""
        self._newest += 1
        self._wishes.put((self._newest, exercises))
        return self._newest

    def _work(self) -> None:
        while (wish := self._wishes.get()) is not None:
            ticket, exercises = wish
            for exercise in exercises:
                if ticket == self._newest:
                    self._check(ticket, exercise)

    def _check(self, ticket: int, exercise: Exercise) -> None:
        digest = work.digest(self._course, exercise)
        start = time.monotonic()
        self._tell(Event("begun", exercise, ticket))

        def at(place: str) -> None:
            self._tell(Event("place", place, ticket))

        def wanted() -> bool:
            return ticket == self._newest

        try:
            found = check_one(self._course, exercise, self._children, on_place=at, wanted=wanted)
        except GraderError as error:
            self._tell(Event("failed", error, ticket))
            return
        except Exception as error:  # a thread that ends unheard would leave everybody waiting
            said = f"`{exercise.stem}` could not be checked: {type(error).__name__}: {error}"
            self._tell(Event("failed", HostError(said), ticket))
            return
        self._tell(Event("result", Answer(found, digest, time.monotonic() - start), ticket))


def look_for_saves(course: Course, tell: Callable[[Event], None], stopped: threading.Event) -> None:
    """Tells of every file that was saved. For a thread of its own."""
    saves = Saves(work.files(course))
    while not stopped.wait(INTERVAL):
        # Of many at once, as a change of branches makes them, the first counts.
        for path in saves.changed(time.monotonic())[:1]:
            tell(Event("saved", path))
