"""What a student's watch is about: saves, keys and answers in, wishes and a View out.

    saved, key, tick, told --Session--> checker.wish(exercises)
                              |
                              +--> View

It decides and draws nothing. A save that comes while an older check runs waits for it a moment,
and then ends it: a new wish ends the one before.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from grader import hints, progress, work
from grader.check import CheckResult
from grader.course import Course
from grader.errors import CourseError, GraderError
from grader.hints import Hint
from grader.model import Exercise
from grader.progress import Standing

# A check that has run for so long is not worth waiting for when there is something newer.
PATIENCE = 0.7


@dataclass(frozen=True)
class View:
    """All that is shown. `running` is since how many seconds, `place` the example it is at.

    The last check ended at `time`, a text, after so many `seconds`.
    """

    course: str
    exercise: Exercise
    number: int
    standings: tuple[Standing, ...]
    result: CheckResult | None
    time: str
    seconds: float
    running: float | None
    place: str
    left: int
    said: tuple[str, ...]
    hint: Hint | None
    lists: bool


@dataclass(frozen=True)
class Event:
    """What a thread tells: a file that was saved, a key, an answer, or what went wrong."""

    kind: str
    value: object = None
    ticket: int = 0


@dataclass(frozen=True)
class Answer:
    """One result, for the work with that digest."""

    result: CheckResult
    digest: str | None
    seconds: float


class Checker(Protocol):
    """Whoever runs the checks, elsewhere."""

    def wish(self, exercises: Sequence[Exercise]) -> int:
        """Asks for checks in place of all that was asked before; their answers bear the ticket."""


@dataclass
class Session:
    """What a student's watch is about just now. Every method answers to one kind of event."""

    course: Course
    checker: Checker
    exercise: Exercise
    now: Callable[[], float] = time.monotonic
    ended: bool = field(default=False, init=False)
    result: CheckResult | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._ticket = 0
        self._started: float | None = None
        self._place = ""
        self._seconds = 0.0
        self._left = 0
        self._all = False
        self._waiting: Exercise | None = None
        self._since = 0.0
        self._said: tuple[str, ...] = ()
        self._hint: Hint | None = None
        self._lists = False
        self._to_reset = False
        self._own_save: Path | None = None
        self._praised: set[str] = set()
        self._time = ""
        self._standings = tuple(progress.standings(self.course))

    def begin(self, note: str | None = None) -> None:
        """Looks at the exercise as it is."""
        self._said = (note,) if note else ()
        self._wish([self.exercise])

    def view(self) -> View:
        """What is to be seen now."""
        ids = [exercise.id for exercise in self.course.exercises]
        return View(
            course=self.course.name,
            exercise=self.exercise,
            number=ids.index(self.exercise.id) + 1,
            standings=self._standings,
            result=self.result,
            time=self._time,
            seconds=self._seconds,
            running=None if self._started is None else self.now() - self._started,
            place=self._place,
            left=self._left,
            said=self._said,
            hint=self._hint,
            lists=self._lists,
        )

    def saved(self, path: Path) -> None:
        """Checks the file that was saved; of a notebook, the exercise at hand if it is in it."""
        matching = [e for e in self.course.exercises if work.path(self.course, e) == path]
        matching += [e for e in self.course.exercises if self.course.stub(e) == path]
        if not matching:
            return
        passed = {one.exercise.id for one in self._standings if one.passed}
        first = next((e for e in matching if e.id not in passed), matching[0])
        exercise = self.exercise if self.exercise in matching else first
        self._praised.clear()
        if exercise != self.exercise:
            self._turn_to(exercise)
        if path != self._own_save:
            self._said, self._lists = (), False
        self._own_save = None
        if self._started is not None:
            self._waiting, self._since = exercise, self.now()
        else:
            self._wish([exercise])

    def tick(self) -> None:
        """Ends a check that keeps a newer save waiting for too long."""
        if self._waiting is None:
            return
        # A run of all begins one check after another: then the wait counts.
        if self._started is None or self.now() - min(self._started, self._since) > PATIENCE:
            if self.exercise != self._waiting:
                self._turn_to(self._waiting)
            self._wish([self._waiting])

    def told(self, event: Event) -> None:
        """Hears from the checker. What it says of an older wish counts for nothing."""
        if event.ticket != self._ticket:
            return
        if event.kind == "begun" and isinstance(event.value, Exercise):
            self._started, self._place = self.now(), ""
            if self._all:
                self.exercise, self.result = event.value, None
        elif event.kind == "place":
            self._place = str(event.value)
        elif event.kind == "failed" and isinstance(event.value, GraderError):
            raise event.value
        elif event.kind == "result" and isinstance(event.value, Answer):
            self._answered(event.value)

    def key(self, key: str) -> None:
        """One of h l a s r q; any other leaves the list, or changes one's mind on a reset."""
        was_to_reset, self._to_reset = self._to_reset, False
        was_listing, self._lists = self._lists, False
        key = key.lower()
        if key == "q":
            self.ended = True
        elif key == "h":
            self._show_hint()
        elif key == "l":
            self._lists = not was_listing
            self._standings = tuple(progress.standings(self.course))
        elif key == "a":
            self._all, self._said = True, ()
            self._wish(self.course.exercises, all_of_them=True)
        elif key == "s":
            self._skip()
        elif key == "r":
            self._reset(sure=was_to_reset)
        elif was_to_reset:
            self._said = ("Nothing was reset.",)

    def _wish(self, exercises: Sequence[Exercise], *, all_of_them: bool = False) -> None:
        self._waiting, self._all, self._left = None, all_of_them, len(exercises)
        self._place, self._started = "", self.now()
        self._ticket = self.checker.wish(exercises)

    def _turn_to(self, exercise: Exercise) -> None:
        self.exercise, self.result, self._hint = exercise, None, None

    def _answered(self, answer: Answer) -> None:
        self._left -= 1
        progress.remember(self.course, answer.result, answer.digest)
        if self._left == 0:
            self._started = None
        self._seconds = answer.seconds
        self._time = datetime.datetime.now().strftime("%H:%M:%S")
        if self._all:
            if self._left == 0:
                self._finish_all()
            return
        self._standings = tuple(progress.standings(self.course))
        self.result = answer.result
        if answer.result.passed and self._waiting is None:
            self._celebrate(self.exercise)

    def _finish_all(self) -> None:
        self._all = False
        self._standings = tuple(progress.standings(self.course))
        passed = sum(one.passed for one in self._standings)
        self._said = (f"All were checked: {passed} of {len(self._standings)} pass.",)
        self._lists = True
        if self._waiting is not None:
            return
        following = progress.next_exercise(self.course)
        self._turn_to(following or self.exercise)
        self._wish([self.exercise])

    def _celebrate(self, done: Exercise) -> None:
        following = progress.next_exercise(self.course, done)
        self._praised.add(done.id)
        # Where nothing can be remembered, what has passed would come again and again.
        if following is None or following.id in self._praised:
            self._said = (
                *self._said[-2:],
                f"`{done.stem}` passes, and with it all {len(self._standings)} exercises. "
                "Well done! `grader submit` packs them.",
            )
            return
        passed = f"`{done.stem}` passes. Well done! On to `{following.stem}`."
        self._said = (*self._said[-2:], passed)
        self._turn_to(following)
        self._wish([following])

    def _skip(self) -> None:
        following = progress.next_exercise(self.course, self.exercise)
        if following is None or following == self.exercise:
            self._said = ("There is no other exercise left.",)
            return
        self._said = (f"Skipped `{self.exercise.stem}`; `grader list` keeps it in mind.",)
        self._turn_to(following)
        self._wish([following])

    def _show_hint(self) -> None:
        try:
            self._hint = hints.following(self.course, self.exercise)
        except CourseError as error:
            self._said = (str(error),)

    def _reset(self, *, sure: bool) -> None:
        path = work.path(self.course, self.exercise)
        name = path.relative_to(self.course.stubs).as_posix()
        if path.suffix == ".ipynb":
            self._said = (f"`{name}` is a notebook: undo your changes in Jupyter.",)
        elif work.pristine(self.course, self.exercise) is None:
            self._said = (f"The stub of `{name}` is not in the installed course.",)
        elif not sure:
            self._to_reset = True
            self._said = (f"Press r again to make `{name}` a stub again; yours is kept.",)
        else:
            self._said, self._own_save = (reset(self.course, self.exercise),), path


def reset(course: Course, exercise: Exercise) -> str:
    """Makes an exercise's file the stub that it was, and says where the student's own is kept."""
    stub, path = work.pristine(course, exercise), course.stub(exercise)
    if stub is None:
        return f"The stub of `{exercise.stem}` is not in the installed course."
    now = datetime.datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    backup = progress.folder(course) / "backups" / f"{exercise.stem}-{now}.py"
    try:
        if path.exists():
            progress.write(backup, path.read_bytes())
        progress.write(path, stub.read_bytes())
    except OSError as error:
        return f"`{path.name}` was not reset: {(error.strerror or 'unknown error').lower()}."
    kept = backup.relative_to(progress.folder(course).parent).as_posix()
    return f"`{exercise.stem}` is a stub again. Yours is kept in `{kept}`."
