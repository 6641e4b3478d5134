"""What `grader watch` decides: saves, keys and results in, requests for checks out.

    saved, key, tick, heard --Session--> enqueue(exercises)

It draws nothing: `screens/watch` shows its fields. A new request to the queue ends the last one.
If a file is saved while a check runs, that check gets a moment to end by itself.
"""

import datetime
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.course.course import Course
from grader.records import files
from grader.records.errors import CourseError, GraderError, listed
from grader.records.model import Assignment, CheckResult, Exercise
from grader.student import guidance, progress, workspace
from grader.student.guidance import Explanation, Hint
from grader.student.progress import Standing

# A check that has run for this many seconds is ended by a newer save.
PATIENCE = 0.7


@dataclass(frozen=True)
class Event:
    """What a thread reports: a saved file, a key, how far a check is, or an error."""

    kind: str
    value: object = None
    ticket: int = 0


@dataclass(frozen=True)
class Answer:
    """One result, for the work with that digest."""

    result: CheckResult
    digest: str | None
    seconds: float


@dataclass
class Request:
    """The last request to the queue, and its progress."""

    ticket: int = 0
    left: int = 0  # how many exercises are still to check
    is_all: bool = False
    started: float | None = None  # when the running check began; None once all have ended
    place: str = ""  # the example that runs now


@dataclass
class Session:
    """The state of `grader watch`. Each public method handles one kind of event."""

    course: Course
    enqueue: Callable[[Sequence[Exercise]], int]  # returns the ticket of these checks' events
    exercise: Exercise
    assignment: Assignment | None = None  # whose exercises come one after another; else all do
    edit: Callable[[Path], None] = lambda _: None  # opens a file in the student's editor
    now: Callable[[], float] = time.monotonic
    ended: bool = False

    result: CheckResult | None = None
    checked: str = ""  # when the last check ended, and how long it took
    said: tuple[str, ...] = ()
    done: Exercise | None = None  # that passed last, and can be explained
    explanation: Explanation | None = None  # of it, if that was asked for
    hints: tuple[Hint, ...] = ()  # that were asked for here, with those before them; newest first
    is_stuck: bool = False  # whether all hints were shown, and the course explains it now
    task_page: int = 0  # of the task, which is shown in place of the result; 0 shows none
    lists: bool = False  # whether the list is shown in place of the exercise
    standings: tuple[Standing, ...] = ()
    digests: dict[str, str | None] = field(default_factory=dict)  # of the work, by exercise

    request: Request = field(default_factory=Request)
    waiting: tuple[Exercise, float] | None = None  # what was saved while a check ran, and when
    asked_to_reset: bool = False  # whether the last key was `r`: the second one resets
    own_save: Path | None = None  # a file that was just reset: that save is not the student's
    praised: set[str] = field(default_factory=set)  # what has passed since the last save

    def begin(self, note: str | None = None) -> None:
        """Checks the first exercise, before any save."""
        self._look()
        self._changed(self.course.exercises)
        self.said = (note,) if note else ()
        self._ask([self.exercise])

    @property
    def order(self) -> tuple[Exercise, ...]:
        """The exercises that come one after another."""
        return progress.on(self.course, self.assignment)

    @property
    def explained(self) -> Exercise | None:
        """What the key `e` explains."""
        return self.exercise if self.is_stuck else self.done

    @property
    def running(self) -> float | None:
        """How many seconds the check has run; None if none runs."""
        return None if self.request.started is None else self.now() - self.request.started

    def saved(self, path: Path) -> None:
        """Checks the saved file; in a notebook, the exercise whose cells were changed."""
        matching = [
            e
            for e in self.course.exercises
            if path in (workspace.path(self.course, e), self.course.stub(e))
        ]
        if not matching:
            return
        self.praised.clear()
        # Some editors save what is unchanged.
        matching = self._changed(matching) or matching
        if self.exercise not in matching:
            done = {standing.exercise.id for standing in self.standings if standing.is_done}
            self._turn_to(next((e for e in matching if e.id not in done), matching[0]))
        if path != self.own_save:
            self.said, self.lists, self.explanation = (), False, None
        self.own_save = None
        if self.request.started is None:
            self._ask([self.exercise])
        else:
            self.waiting = self.exercise, self.now()

    def _changed(self, exercises: Sequence[Exercise]) -> list[Exercise]:
        """The exercises whose work has changed since the last look."""
        before = self.digests
        now = {e.id: workspace.digest(self.course, e) for e in exercises}
        self.digests = before | now
        return [e for e in exercises if now[e.id] != before.get(e.id)]

    def tick(self) -> None:
        """Ends a check when a newer save has waited long enough."""
        if self.waiting is None:
            return
        exercise, since = self.waiting
        started = self.request.started
        # When all are checked, `started` is renewed for each: then the wait counts.
        if started is None or self.now() - min(started, since) > PATIENCE:
            if self.exercise != exercise:
                self._turn_to(exercise)
            self._ask([exercise])

    def heard(self, event: Event) -> None:
        """Handles a report, except on an older request. Raises a reported `GraderError`."""
        if event.ticket != self.request.ticket:
            return
        if event.kind == "begun" and isinstance(event.value, Exercise):
            self.request.started, self.request.place = self.now(), ""
            if self.request.is_all:
                self.exercise, self.result = event.value, None
        elif event.kind == "place":
            self.request.place = str(event.value)
        elif event.kind == "failed" and isinstance(event.value, GraderError):
            raise event.value
        elif event.kind == "result" and isinstance(event.value, Answer):
            self._answered(event.value)

    def key(self, key: str) -> None:
        """One of t o h e l a s r q. Any other key leaves the list, and cancels a reset."""
        asked_to_reset, self.asked_to_reset = self.asked_to_reset, False
        listed, self.lists = self.lists, False
        page, self.task_page = self.task_page, 0
        self.explanation = None
        match key.lower():
            case "t":
                self.task_page = page + 1
            case "o":
                self.edit(workspace.path(self.course, self.exercise))
            case "q":
                self.ended = True
            case "h":
                self._show_hint()
            case "e":
                self._explain()
            case "l":
                self.lists = not listed
                self._look()
            case "a":
                self.said = ()
                self._ask(self.order, is_all=True)
            case "s":
                self._skip()
            case "r":
                self._reset(sure=asked_to_reset)
            case _ if asked_to_reset:
                self.said = ("Nothing was reset.",)

    def _look(self) -> None:
        self.standings = tuple(progress.standings(self.course))

    def _ask(self, exercises: Sequence[Exercise], *, is_all: bool = False) -> None:
        self.waiting = None
        self.request = Request(self.enqueue(exercises), len(exercises), is_all, self.now())

    def _turn_to(self, exercise: Exercise) -> None:
        self.exercise, self.result, self.hints, self.is_stuck = exercise, None, (), False

    def _answered(self, answer: Answer) -> None:
        progress.remember(self.course, answer.result, answer.digest)
        now = datetime.datetime.now().strftime("%H:%M:%S")
        self.checked = f"checked at {now} in {answer.seconds:.2f} s"
        self.request.left -= 1
        if self.request.left == 0:
            self.request.started = None
        elif self.request.is_all:
            return
        self._look()
        if self.request.is_all:
            self._finish_all()
            return
        self.result = answer.result
        if answer.result.status in progress.DONE and self.waiting is None:
            self._celebrate(self.exercise, answer.result)

    def _finish_all(self) -> None:
        passed, total = self.count()
        self.said = (f"All were checked: {passed} of {total} pass.",)
        self.lists = True
        self.request.is_all = False
        if self.waiting is None:
            following = progress.next_exercise(self.course, assignment=self.assignment)
            self._turn_to(following or self.exercise)
            self._ask([self.exercise])

    def _celebrate(self, done: Exercise, result: CheckResult) -> None:
        following = progress.next_exercise(self.course, done, self.assignment)
        self.praised.add(done.id)
        self.done = done if guidance.is_explained(self.course, done) else None
        # Where progress can't be stored, an exercise that has passed would come again and again.
        praise = f"The examples of `{done.stem}` pass."
        praise += " The list is judged when you submit." * (not result.passed)
        if following is None or following.id in self.praised:
            praise += f" {self._end_of_the_road()}"
        else:
            praise += " The tests require more." * result.passed + f" On to `{following.stem}`."
            self._turn_to(following)
            self._ask([following])
        more = [f"Press e to read why `{done.stem}` works."] if self.done else []
        self.said = (*self.said[-2:], praise, *more)

    def _end_of_the_road(self) -> str:
        where = f" of `{self.assignment.name}`" if self.assignment else ""
        said = f"Now the examples of all {self.count()[1]} exercises{where} pass."
        if others := progress.assignments(self.course):
            names = listed(f"grader watch {one.name}" for one in others)
            return f"{said} Continue with {names}."
        return f"{said} The tests require more. `grader submit` packs your work."

    def count(self) -> tuple[int, int]:
        """How many exercises pass, and how many there are, on the assignment."""
        own = {exercise.id for exercise in self.order}
        passed = [one.passed for one in self.standings if one.exercise.id in own]
        return sum(passed), len(passed)

    def _skip(self) -> None:
        following = progress.next_exercise(self.course, self.exercise, self.assignment)
        if following is None or following == self.exercise:
            self.said = ("No other exercise is left.",)
            return
        self.said = (f"Skipped `{self.exercise.stem}`. `grader list` still shows it.",)
        self._turn_to(following)
        self._ask([following])

    def _show_hint(self) -> None:
        try:
            newest = guidance.next_hint(self.course, self.exercise)
            self.hints = (newest, *guidance.shown_hints(self.course, self.exercise)[1:])
            self.is_stuck = guidance.is_for_the_stuck(self.course, self.exercise)
        except CourseError as error:
            self.said = (str(error),)

    def _explain(self) -> None:
        try:
            self.explanation = guidance.explanation(self.course, self.explained or self.exercise)
        except GraderError as error:
            self.said = (str(error),)

    def _reset(self, *, sure: bool) -> None:
        path = workspace.path(self.course, self.exercise)
        name = path.relative_to(self.course.stubs).as_posix()
        if path.suffix == ".ipynb":
            self.said = (f"`{name}` is a notebook: undo your changes in Jupyter.",)
        elif (stub := workspace.pristine(self.course, self.exercise)) is None:
            self.said = (f"`{name}` can't be reset: its stub is not in the installed course.",)
        elif not sure:
            self.asked_to_reset = True
            self.said = (f"Press r again to reset `{name}` to its stub. Your file is kept.",)
        else:
            self.said, self.own_save = (reset(path, stub, progress.folder(self.course)),), path


def reset(path: Path, stub: Path, folder: Path) -> str:
    """Replaces a student's file by its stub, and says where in `folder` the old one is kept."""
    now = datetime.datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    backup = folder / "backups" / f"{path.stem}-{now}.py"
    try:
        if path.exists():
            files.write(backup, path.read_bytes())
        files.write(path, stub.read_bytes())
    except OSError as error:
        return f"`{path.name}` was not reset: {(error.strerror or 'unknown error').lower()}."
    kept = backup.relative_to(folder.parent).as_posix()
    return f"`{path.stem}` is a stub again. Your version is kept in `{kept}`."
