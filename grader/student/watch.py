"""`grader watch`: a check on every save, on one calm screen.

    saves  --+                +--> Checker: example processes, one warm and one in reserve
    keys   --+--> Session <---+    results
    ticks  --+       |
                     +--> draw: a screen, or lines without a terminal

Threads report events to one queue. Only the loop decides and draws. `q` and Ctrl-C end it.
"""

import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Self

from grader.course.course import Course
from grader.records.errors import GraderError, HostError
from grader.records.model import Assignment, Exercise
from grader.student import workspace
from grader.student.check import check_one
from grader.student.example_pool import ExamplePool
from grader.student.watch_state import Answer, Event, Session

# Seconds between two drawings when nothing happens: the time and the screen's size change.
TICK = 0.1
# Seconds between two looks at the files, and how long a file has to stay as it is: longer for an
# empty one, since some editors empty a file before they write it.
INTERVAL = 0.01
QUIET = 0.02
EMPTY = 0.5

_Look = tuple[int, int, int] | None  # at a file; None if it isn't there


def watch(
    course: Course,
    exercise: Exercise,
    draw: Callable[[Session], None],
    *,
    assignment: Assignment | None = None,
    listen: Callable[[Callable[[str], None], threading.Event], None] | None = None,
    edit: Callable[[Path], None] = lambda _: None,
    note: str | None = None,
) -> None:
    """Watches until the student ends it, and shows a `note` at first.

    `listen` calls its first argument with every key until its second is set; `edit` opens a file in
    an editor. Raises `HostError`
    if JAX can't be used here.
    """
    events: queue.Queue[Event] = queue.Queue()
    stopped = threading.Event()
    _in_a_thread(look_for_saves, course, events.put, stopped)
    if listen is not None:
        _in_a_thread(listen, lambda key: events.put(Event("key", key)), stopped)
    try:
        with contextlib.suppress(KeyboardInterrupt), Checker(course, events.put) as checker:
            session = Session(course, checker.ask, exercise, assignment, edit)
            session.begin(note)
            while not session.ended:
                draw(session)
                _handle(session, events)
    finally:
        stopped.set()


def _in_a_thread(function: Callable[..., None], *args: object) -> None:
    threading.Thread(target=function, args=args, daemon=True).start()


def _handle(session: Session, events: queue.Queue[Event]) -> None:
    """Waits at most a tick for something to happen, and handles all that has happened."""
    with contextlib.suppress(queue.Empty):
        event = events.get(timeout=TICK)
        while not session.ended:
            if event.kind == "saved":
                session.saved(Path(str(event.value)))
            elif event.kind == "key":
                session.key(str(event.value))
            else:
                session.heard(event)
            event = events.get_nowait()
    session.tick()


class Checker:
    """Runs checks in a thread, one after another. Only the newest request counts."""

    def __init__(self, course: Course, report: Callable[[Event], None]) -> None:
        self._course, self._report = course, report
        self._pool = ExamplePool(reserve=True)
        self._requests: queue.Queue[tuple[int, Sequence[Exercise]] | None] = queue.Queue()
        self._newest = 0
        self._thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._newest += 1
        self._requests.put(None)
        self._thread.join(5)
        self._pool.__exit__()

    def ask(self, exercises: Sequence[Exercise]) -> int:
        """Replaces all earlier requests; events about these checks have the returned ticket."""
        self._newest += 1
        self._requests.put((self._newest, exercises))
        return self._newest

    def _work(self) -> None:
        while (request := self._requests.get()) is not None:
            ticket, exercises = request
            for exercise in exercises:
                if ticket == self._newest:
                    self._report(Event("begun", exercise, ticket))
                    self._report(self._check(ticket, exercise))

    def _check(self, ticket: int, exercise: Exercise) -> Event:
        digest = workspace.digest(self._course, exercise)
        start = time.monotonic()
        try:
            result = check_one(
                self._course,
                exercise,
                self._pool,
                on_place=lambda place: self._report(Event("place", place, ticket)),
                wanted=lambda: ticket == self._newest,
            )
        except GraderError as error:
            return Event("failed", error, ticket)
        except Exception as error:  # reported, or the screen would wait for ever
            what = f"`{exercise.stem}` could not be checked: {type(error).__name__}: {error}"
            return Event("failed", HostError(what), ticket)
        return Event("result", Answer(result, digest, time.monotonic() - start), ticket)


def look_for_saves(
    course: Course, report: Callable[[Event], None], stopped: threading.Event
) -> None:
    """Reports every file that was saved. Runs in a thread of its own."""
    saves = Saves(workspace.files(course))
    while not stopped.wait(INTERVAL):
        # A change of branches saves many files at once: only the first counts.
        for path in saves.changed(time.monotonic())[:1]:
            report(Event("saved", path))


class Saves:
    """Finds saved files by polling, which works on every system and file system.

    An editor may write in place, or write another file and rename it, or empty the file and then
    fill it. So a save is over once two looks in a row find the same, and an empty file gets more
    time. Looking at a hundred files takes a tenth of a millisecond.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._reported = {path: _look(path) for path in paths}
        self._seen = dict(self._reported)
        self._since: dict[Path, float] = {}

    def changed(self, now: float) -> list[Path]:
        """The files whose save ended since the last call, in order of change; `now` in seconds."""
        for path, before in self._seen.items():
            look = _look(path)
            if look != before:
                self._seen[path] = look
                self._since[path] = now
            elif look == self._reported[path]:
                self._since.pop(path, None)
        over = [path for path, t in self._since.items() if now - t >= _patience(self._seen[path])]
        for path in over:
            self._reported[path] = self._seen[path]
            del self._since[path]
        return over


def _patience(look: _Look) -> float:
    # In the middle of a save a file can be gone, or empty.
    return EMPTY if look is None or look[1] == 0 else QUIET


def _look(path: Path) -> _Look:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
