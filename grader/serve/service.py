"""One course, its grader, and what people may do: every rule that a page or a program meets.

submit --refused?--> Database.accept --> Queue --> Grader
seen: what is on a page about an exercise;  board: what a teacher sees of an assignment
"""

from __future__ import annotations

import ast
import asyncio
import itertools
import logging
import re
import secrets
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from grader.api import Grader
from grader.course.course import Course
from grader.intake import apart, reader
from grader.records.errors import (
    BrokenSuiteError,
    CourseError,
    GraderError,
    SubmissionError,
    UsageError,
)
from grader.records.model import Assignment, Exercise, ExerciseResult, Outcome, Source, Submission
from grader.serve.database import WAITING, Database, StoredAttempt
from grader.serve.marks import Marks, submission
from grader.serve.people import People, Who
from grader.serve.queue import NotYet, Queue, Trial
from grader.serve.receipts import Signer
from grader.student import guidance
from grader.teacher import decisions
from grader.teacher.settle import moment

log = logging.getLogger(__name__)
MOST_LETTERS = 64_000
"""Of an answer's text, in bytes of UTF-8."""
MOST_OPEN = 10
"""Of a person: attempts that aren't judged yet, before another one or a file is accepted."""
MOST_KEY = 200
"""Letters of an `Idempotency-Key`."""
MOST_EXPRESSION = 1000
READ_SECONDS, TRIED_SECONDS = 60.0, 120.0
"""So long a file waits to be read, and a trial for its result."""
LIMITS = ((6, 60.0), (60, 3600.0))
"""How many attempts at one exercise a person may make in how many seconds."""
KEPT = "Nothing was accepted. Your text is kept."
Answer = tuple[Exercise, str, str]
"""With the path of its file, and the text."""


class NotDone(Exception):
    """What isn't done, as a status of HTTP and a sentence that says what to do."""

    def __init__(self, status: int, text: str, retry_after: float = 0.0) -> None:
        super().__init__(text)
        self.status, self.text, self.retry_after = status, text, retry_after


@dataclass(frozen=True)
class Seen:
    """An exercise as one person sees it."""

    exercise: Exercise
    intro: str  #: what its file says at the top
    function: str  #: its first line of code
    docstring: str
    text: str  #: what the editor begins with
    hints: tuple[str, ...]  #: that are open
    hints_left: int
    explanation: str = ""


@dataclass
class Service:
    """Made by `grader.serve.server.opened`; `run` judges what comes in."""

    folder: Path
    course: Course
    grader: Grader
    database: Database
    address: str
    jobs: int | None = None
    has_hub: bool = False
    has_lti: bool = False
    is_proved: bool = False
    """Whether every suite was tried since the start."""
    broken: dict[str, str] = field(default_factory=dict)
    """Exercises whose suites can't judge, each with the reason."""
    streams: Counter[str] = field(default_factory=Counter)
    """How many streams of events each person reads."""
    changed: Callable[[str, str, bool], None] = lambda person, assignment, is_decision: None
    """Is told in a thread when what counts of a person may have changed, and never raises."""
    unsent: Callable[[Assignment], int] = lambda rule: 0
    """How many marks another place would get, if a teacher sent them."""

    def __post_init__(self) -> None:
        self.people = People(self.database)
        self.queue = Queue(self.grader, self.database, self.jobs, self._judged)
        self.marks = Marks(self.grader, self.database, self.folder)
        self.signer = Signer(self.database)
        self._accepting = threading.Lock()

    @property
    def is_https(self) -> bool:
        return self.address.startswith("https:")

    @property
    def cookie(self) -> str:
        """The name of the session's cookie. With `__Host-` no other host can set it."""
        return "__Host-grader" if self.is_https else "grader"

    async def run(self) -> None:
        """Judges until it is cancelled. Proves suites beside that, the first exercises first."""
        proving = asyncio.create_task(self._prove())
        try:
            await self.queue.run()
        finally:
            proving.cancel()

    def _judged(self, attempt: StoredAttempt) -> None:
        # Whose it is may have changed since it was submitted. A regrade is the teacher's to send.
        if not attempt.outcome and (stored := self.database.attempt(attempt.id)) is not None:
            for name in self.database.mates(stored.person, stored.assignment):
                self.changed(name, stored.assignment, False)

    def decide(
        self, rule: Assignment, student: str, kind: str, value: object, **about: str
    ) -> None:
        """Adds a decision. Raises `UsageError` for a value that is none, and for nobody."""
        people = self.marks.people(rule, student)
        if not people:
            raise UsageError(f"nobody here is called `{student}`")
        made = decisions.made(kind, value, student, assignment=rule.name, **about)
        decisions.add(self.folder, made)
        for name in people:
            self.changed(name, rule.name, True)

    async def _prove(self) -> None:
        try:
            await self._prove_all()
        finally:
            self.is_proved = True

    async def _prove_all(self) -> None:
        """In the order in which exercises are due."""
        dated = sorted(self.course.assignments, key=lambda rule: rule.due or "9")
        for name in dict.fromkeys(name for rule in dated for name in rule.exercises):
            try:
                self.marks.points |= await asyncio.to_thread(self.grader.ready, name)
            except BrokenSuiteError as error:
                self.broken[name] = str(error)
                log.error("%s", error)
            except GraderError as error:
                log.error("no suite can be proved now: %s", error)
                return

    def assignments(self, who: Who) -> list[Assignment]:
        """Those that somebody may see, the next due first: students no earlier than they open."""
        seen = [rule for rule in self.course.assignments if who.is_teacher or is_open(rule)]
        return sorted(seen, key=lambda rule: rule.due or "9")

    def assignment(self, who: Who, name: str) -> Assignment:
        found = next((attempt for attempt in self.assignments(who) if attempt.name == name), None)
        if found is None:
            raise NotDone(404, "There is no such assignment, or it isn't open yet.")
        return found

    def exercise(self, who: Who, assignment: str, name: str) -> tuple[Assignment, Exercise]:
        rule = self.assignment(who, assignment)
        found = [e for e in rule.exercises if name in (e, e.rpartition("/")[2])]
        if not found:
            raise NotDone(404, f"`{name}` is not an exercise of {rule.title}.")
        return rule, self.course[found[0]]

    # Students

    def submit(
        self,
        who: Who,
        assignment: str,
        answers: Sequence[Answer],
        request: str = "",
        at: float = 0.0,
    ) -> list[StoredAttempt]:
        """Accepts all of them, which were here `at` a time, or none: then they are on the disk.

        The same `request` again gives the same attempt, and another one under its name is refused.
        Raises `NotDone`.
        """
        at = at or time.time()
        rule = self.assignment(who, assignment)
        for exercise, _, text in answers:
            self.require_short(text)
            if not text.strip():
                raise NotDone(422, f"There is no code for {exercise.title}. Write it first.")
        attempts = [
            StoredAttempt(
                number=0,
                id=secrets.token_urlsafe(16),
                person=who.id,
                assignment=rule.name,
                exercise=exercise.id,
                path=Source(exercise.id, path, "").file,
                at=at,
                state=WAITING,
            )
            for exercise, path, _ in answers
        ]
        texts = [text for _, _, text in answers]
        with self._accepting, self.database.whole():  # two at once are counted one after the other
            if self.people.named(who.id) is None:
                raise NotDone(401, "You have another name here now. Sign in again.")
            known = self.database.requested(who.id, request) if request else None
            if known is None:
                mates = self.database.mates(who.id, rule.name)
                self._require_free(who.id, mates, rule, [one[0] for one in answers], at)
                return [
                    self.database.accept(attempt, text, request or None)
                    for attempt, text in zip(attempts, texts, strict=True)
                ]
        wanted = attempts[0]
        pairs = [(one.assignment, one.exercise, one.path) for one in (known, wanted)]
        if pairs[0] != pairs[1] or self.database.text(known) != texts[0]:
            said = "This `Idempotency-Key` was used for a different text, exercise or file name."
            raise NotDone(422, f"{said} Use a new one.")
        return [known]

    def is_known(self, attempt: StoredAttempt) -> bool:
        """Whether its verdict is there, from an equal text, so that no judge is needed."""
        with suppress(GraderError):
            work = submission(self.database, [attempt])
            return self.grader.known([(work, attempt.exercise)])[0]
        return False

    def require_short(self, text: str) -> None:
        if len(text.encode(errors="surrogatepass")) > MOST_LETTERS:
            raise NotDone(413, f"An answer has at most {MOST_LETTERS // 1000} kB. Shorten it.")

    def _require_free(
        self,
        person: str,
        team: Sequence[str],
        rule: Assignment,
        exercises: Sequence[Exercise],
        at: float,
    ) -> None:
        """Counts all attempts of the person, and the team's at this assignment."""
        of = person, team, rule.name
        for exercise, (most, seconds) in itertools.product(exercises, LIMITS):
            number, first = self.database.count(*of, exercise.id, at - seconds)
            if number >= most:
                wait = max(1.0, first + seconds - at)
                raise NotDone(
                    429,
                    f"You made {number} attempts at {exercise.title} in {seconds / 60:g} min. Read "
                    f"what the last one says; you can try again in {wait:.0f} s. {KEPT}",
                    wait,
                )
        if self.database.open_count(*of) >= MOST_OPEN:
            said = f"{MOST_OPEN} of your attempts are waiting. Wait for their verdicts. {KEPT}"
            raise NotDone(429, said, 10.0)
        if self.queue.is_full(team[0]):
            said = f"Too many attempts are waiting now. Try again in a minute. {KEPT}"
            raise NotDone(503, said, 60.0)

    async def tried(
        self, who: Who, rule: Assignment, exercise: Exercise, text: str, expression: str
    ) -> ExerciseResult:
        """What an expression gives on a text: see `Grader.try_out`. Raises `NotDone`."""
        self.require_short(text)
        try:
            ast.parse(expression if len(expression) <= MOST_EXPRESSION else "", mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            said = f"Write one Python expression of at most {MOST_EXPRESSION} characters."
            raise NotDone(422, said) from None
        payer = (await asyncio.to_thread(self.database.mates, who.id, rule.name))[0]
        about = who.id, rule.name, exercise.id, "", time.time(), WAITING
        attempt = StoredAttempt(0, secrets.token_urlsafe(16), *about)
        try:
            async with asyncio.timeout(TRIED_SECONDS):
                return await self.queue.tried(attempt, Trial(text, expression), payer)
        except NotYet as error:
            raise NotDone(429, *error.args) from error
        except TimeoutError:
            raise NotDone(503, "No judge is free. Try again in a minute.", 60.0) from None

    async def read_file(self, who: Who, rule: Assignment, name: str, data: bytes) -> Submission:
        """What a file holds for an assignment. Raises `NotDone`.

        The file is read by a process of its own, as the command line does.
        """
        try:
            async with asyncio.timeout(READ_SECONDS) as waiting, self.queue.reading(who.id) as use:
                waiting.reschedule(None)
                before = apart.used()
                part = self.course.part(rule.exercises)
                try:
                    read = await asyncio.to_thread(_read, part, name, data)
                finally:
                    use(apart.used() - before)
        except NotYet as error:
            raise NotDone(429, *error.args) from error
        except TimeoutError:
            raise NotDone(503, "Other files are being read. Send yours again.", 5.0) from None
        if not read.sources:
            why = read.problem or "; ".join(f"{n.path}: {n.reason}" for n in read.notes)
            raise NotDone(422, f"That file contains no exercise of {rule.title}. {why}")
        return read

    def seen(self, who: Who, rule: Assignment, exercise: Exercise) -> Seen:
        """What the page of an exercise shows."""
        stub = self.course.stub_text(exercise)
        intro, function, docstring, start = taken_apart(stub)
        texts: list[str] = []
        with suppress(CourseError):
            texts = guidance.hints(self.course, exercise)
        count = min(self.database.hints(who.id, rule.name, exercise.id), len(texts))
        draft = self.database.draft(who.id, rule.name, exercise.id)
        return Seen(
            exercise=exercise,
            intro=intro,
            function=function,
            docstring=docstring,
            text=start if draft is None else draft,
            hints=tuple(texts[:count]),
            hints_left=len(texts) - count,
            explanation=self._explanation(who, rule, exercise, count == len(texts)),
        )

    def open_hint(self, who: Who, rule: Assignment, exercise: Exercise) -> None:
        with suppress(CourseError):
            most = len(guidance.hints(self.course, exercise))
            self.database.open_hint(who.id, rule.name, exercise.id, most)

    def _explanation(self, who: Who, rule: Assignment, exercise: Exercise, all_hints: bool) -> str:
        """Once somebody has passed, or already after the last hint, as the catalogue says."""
        own = self.database.tally(rule.name, who.id, exercise.id)
        passed = any(one.outcome == Outcome.PASSED for one in own)
        is_early = self.course.explanations == "after_hints" and all_hints
        if not (passed or is_early or who.is_teacher):
            return ""
        return self.course.explained([exercise.id]).get(exercise.id, "")

    def owned(self, who: Who, name: str) -> StoredAttempt:
        """An attempt of one's own team; a teacher may see all. What isn't there looks the same."""
        attempt = self.database.attempt(name)
        if attempt is None or not (
            who.is_teacher or who.id in self.database.mates(attempt.person, attempt.assignment)
        ):
            raise NotDone(404, "There is no such attempt.")
        return attempt


def _read(course: Course, name: str, data: bytes) -> Submission:
    with tempfile.TemporaryDirectory(prefix="grader-upload-") as folder:
        safe = re.sub(r"[^A-Za-z0-9._-]", "_", name)[-100:].lstrip(".")
        path = Path(folder) / (safe or "upload")
        path.write_bytes(data)
        try:
            return reader.read(path, course)
        except SubmissionError as error:
            raise NotDone(422, str(error)) from error


def is_open(rule: Assignment, now: datetime | None = None) -> bool:
    return not rule.opens or _begin(rule.opens) <= (now or datetime.now(UTC))


def _begin(opens: str) -> datetime:
    """A day opens with its first second."""
    return moment(f"{opens}T00:00:00" if len(opens) == len("2026-12-01") else opens)


def taken_apart(stub: str) -> tuple[str, str, str, str]:
    """Intro, first line of the function, its docstring, and the code with a short docstring.

    The task is text beside the code, not forty lines above it. What can't be taken apart stays.
    """
    try:
        tree = ast.parse(stub)
    except SyntaxError:
        return "", "", "", stub
    intro = ast.get_docstring(tree) or ""
    lines = stub.splitlines(keepends=True)
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef) and ast.get_docstring(n)]
    if not functions:
        return intro, "", "", stub
    first = functions[0]
    docstring = ast.get_docstring(first) or ""
    signature = "".join(lines[first.lineno - 1 : first.body[0].lineno - 1]).strip()
    for node in reversed(functions):
        place = node.body[0]
        head = (ast.get_docstring(node) or "").partition("\n")[0]
        assert place.end_lineno is not None
        lines[place.lineno - 1 : place.end_lineno] = [f'{" " * place.col_offset}"""{head}"""\n']
    if intro:
        place = tree.body[0]
        assert place.end_lineno is not None
        del lines[: place.end_lineno]
    return intro, signature, docstring, "".join(lines).lstrip("\n")
