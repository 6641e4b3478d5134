"""One judge: a process that is started, asked, and replaced if it fails.

    JudgeClient() --launches--> python -m grader.engine.judge      its imports take longest
    start, prove, grade, race, examine --frame--> judge --frames--> warnings, events, the answer

The judge is trusted, but a suite can hang it, and the machine can kill it. So every question has
a deadline. A judge that misses it is killed, which costs no student a point. The time in which it
waits for other judges doesn't count.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.intake.source import printable
from grader.records.errors import BrokenSuiteError, CourseError, GraderError, HostError, UsageError
from grader.records.model import (
    MOST_CROWDED,
    PATIENCE,
    Environment,
    Exercise,
    ExerciseResult,
    Job,
    Judging,
    Outcome,
    Race,
    Terms,
    TestResult,
    pack,
    unpack,
)

if TYPE_CHECKING:
    from grader.engine.wire import Frame

Warn = Callable[[str], None]
# The first proof of a suite on a machine compiles everything.
START_SECONDS = 900
# To try all ways out of the sandbox.
EXAMINE_SECONDS = 300
# For the judge's own work on an exercise, on top of the student's and the solution's seconds.
OWN_SECONDS = 120
# To run some known mistakes.
NAME_SECONDS = 120
# For a judge whose input is closed.
END_SECONDS = 10
MAX_BYTES = 1 << 30
_ERRORS = {kind.exit_code: kind for kind in (UsageError, CourseError, HostError)}


def print_warning(text: str) -> None:
    """Tells the operator at once. Only some of it is also in a report."""
    print(text, file=sys.stderr, flush=True)


class JudgeClient(AbstractContextManager["JudgeClient"]):
    """A judge that lives until `close`, and gets another process if it fails."""

    environment: Environment

    def __init__(self, isolation: str = "", warn: Warn = print_warning) -> None:
        """Launches the judge at once. To judge submissions, it needs a mode of `isolation`.

        `warn` gets what the operator has to know before the end of the run.
        """
        self.isolation = isolation
        self._warn = warn
        self._start: dict[str, Any] = {}
        self._seconds: dict[str, float] = {}
        self._points: dict[str, float] = {}
        self._interrupted = False
        self._process: subprocess.Popen[bytes] | None = None
        self._launch()

    @classmethod
    def ready(
        cls,
        stubs: Path,
        exercises: tuple[Exercise, ...],
        terms: Terms,
        warn: Warn = print_warning,
        *,
        submissions: int = 1,
    ) -> JudgeClient:
        """A judge that has started and proved its suites. Raises what `start` and `prove` raise."""
        judge = cls(terms.isolation, warn)
        try:
            judge.start(stubs, exercises, terms, submissions=submissions)
            judge.prove([exercise.id for exercise in exercises])
        except BaseException:
            judge.close()
            raise
        return judge

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(
        self, stubs: Path, exercises: tuple[Exercise, ...], terms: Terms, *, submissions: int = 1
    ) -> Environment:
        """Says what will be judged; `stubs` is the course's folder. Imports suites that are new.

        Before many `submissions`, the judge prepares what they will have in common. Raises
        `BrokenSuiteError` for a suite that can't be imported.
        """
        self._start = {
            "course": str(stubs),
            "exercises": [exercise.id for exercise in exercises],
            "terms": pack(terms),
            "submissions": submissions,
        }
        for e in exercises:
            most = (MOST_CROWDED + PATIENCE) * e.limits.total_seconds
            self._seconds[e.id] = most + OWN_SECONDS
        self._begin()
        return self.environment

    def prove(self, exercises: list[str]) -> None:
        """Lets the judge prove suites on their solutions, where this machine hasn't done so yet.

        Before many submissions, the judge also compiles what they will have in common.
        Raises `BrokenSuiteError` for a suite that can't judge.
        """
        for name in exercises:
            self._ask("prove", START_SECONDS, on_warning=self._about(name), exercise=name)

    def grade(
        self, job: Job, on_test: Callable[[Judging], None] = lambda _: None
    ) -> tuple[ExerciseResult, ...]:
        """The results of a job. If the judge fails twice, they are broken.

        `on_test` hears of each test before it runs.
        """
        seconds = sum(self._seconds[name] for name in job.exercises)
        about = self._about(job.submission.id)
        why = ""
        for _ in range(2):
            try:
                answer = self._ask(
                    "grade",
                    seconds,
                    on_event=lambda event: on_test(unpack(event, Judging)),
                    on_warning=about,
                    job=pack(job),
                )
                return unpack(answer, tuple[ExerciseResult, ...])
            except HostError as error:
                if self._interrupted:
                    raise
                why = str(error)
        return tuple(
            ExerciseResult(name, Outcome.BROKEN, None, self._points[name], message=why)
            for name in job.exercises
        )

    def name(self, results: Sequence[ExerciseResult]) -> tuple[ExerciseResult, ...]:
        """The results of the last job, with the known mistakes that give the same.

        If the judge fails, they come back as they are: a name changes no mark.
        """
        if not any(result.outcome.is_lost for result in results):
            return tuple(results)
        try:
            named = self._ask("name", NAME_SECONDS * len(results), results=pack(tuple(results)))
            return unpack(named, tuple[ExerciseResult, ...])
        except HostError:
            if self._interrupted:
                raise
            return tuple(results)

    def race(self, job: Job, on_pair: Callable[[Race], None]) -> tuple[TestResult, ...]:
        """The tests with races, of a job's only exercise. `on_pair` gets a race after each pair."""
        (name,) = job.exercises
        answer = self._ask(
            "race",
            self._seconds[name],
            on_event=lambda race: on_pair(unpack(race, Race)),
            on_warning=self._about(job.submission.id),
            job=pack(job),
        )
        return unpack(answer, tuple[TestResult, ...])

    def examine(self, stubs: Path) -> dict[str, Any]:
        """What a probe can do in a sandbox here: see `grader.engine.processes.isolation.probed`."""
        answer: dict[str, Any] = self._ask("examine", EXAMINE_SECONDS, course=str(stubs))
        return answer

    def interrupt(self) -> None:
        """Ends the judge in the middle of its work, from another thread: that work raises.

        So does all other work, until `go_on` is called. Then a new judge starts.
        """
        self._interrupted = True
        if (process := self._process) is not None:
            process.kill()

    def go_on(self) -> None:
        """Launches a new judge at once: its imports take longest."""
        if self._interrupted:
            self.close()
            self._interrupted = False
            self._launch()

    def close(self) -> None:
        """Closes the judge's input, so that it ends its children; kills it after `END_SECONDS`."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            self._to.close()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._from.close()
        self._log.close()

    def _launch(self) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `close`)
        # Under CI, pytest shows whole values, and a student's can be very long.
        left_out = ("PYTEST", "CI", "BUILD_NUMBER")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
        # The judge needs no accelerator: references are small, and students' code runs elsewhere.
        environment.update(JAX_PLATFORMS="cpu", PYTHONUNBUFFERED="1", OPENBLAS_NUM_THREADS="1")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "grader.engine.judge", *filter(None, [self.isolation])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
            # Ctrl-C doesn't reach a process group of its own: the judge's owner closes the judge.
            process_group=0,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        # Not before the judge is launched: its imports take longest.
        from grader.engine import wire

        self._has_begun = False
        self._encode = wire.encode
        self._decoder = wire.Decoder(MAX_BYTES)
        self._seq = 0

    def _begin(self) -> None:
        """The first question to a process that judges."""
        answer = self._ask("start", START_SECONDS, **self._start)
        self._has_begun = True
        self._points = answer["points"]
        self.environment = unpack(answer["environment"], Environment)

    def _about(self, name: str) -> Warn:
        """Says of each warning what was judged."""
        return lambda text: self._warn(f"warning   `{printable(name, 200)}`: {text}")

    def _ask(
        self,
        verb: str,
        seconds: float,
        *,
        on_event: Callable[[Any], None] = lambda _: None,
        on_warning: Warn = lambda _: None,
        **question: Any,
    ) -> Any:
        """Asks the judge, or a new one if the last one has failed.

        Raises the error that the judge reports, or `HostError` if the judge is gone.
        """
        if self._process is None:
            self._launch()
        if self._start and not self._has_begun and verb != "start":
            self._begin()
        self._seq += 1
        handlers = {"event": on_event, "warning": on_warning}
        try:
            if self._interrupted:
                raise HostError("the judge was stopped in the middle of its work")
            frame = self._exchange(self._encode(self._seq, verb, question), seconds, handlers)
            if frame.kind != "ok":
                raise _error(frame.value)
        except BrokenSuiteError:
            raise
        except BaseException:
            self.close()
            raise
        return frame.value

    def _exchange(
        self, question: bytes, seconds: float, handlers: dict[str, Callable[[Any], None]]
    ) -> Frame:
        """The answer to a question, after the events and warnings that come before it."""
        try:
            self._to.write(question)
            self._to.flush()
        except OSError as error:
            raise self._lost("ended") from error
        descriptor, waits = self._from.fileno(), False
        while True:
            began = time.monotonic()
            limit = None if waits else max(0.0, seconds)
            if not select.select([descriptor], [], [], limit)[0]:
                raise self._lost("did not answer in time and was stopped")
            if not waits:
                seconds -= time.monotonic() - began
            data = os.read(descriptor, 1 << 18)
            if not data:
                raise self._lost("ended")
            for frame in self._decoder.feed(data):
                if frame.kind == "waits":
                    waits = frame.value
                elif frame.kind in handlers:
                    handlers[frame.kind](frame.value)
                else:
                    return frame

    def _lost(self, how: str) -> HostError:
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._log.seek(0)
        output = self._log.read().decode(errors="replace").strip().splitlines()[-12:]
        return HostError(
            f"the judge {how}; it gave no mark. Its last output:\n" + "\n".join(output)
        )


def _error(report: dict[str, Any]) -> GraderError:
    """What a judge reports, as the error that it was there."""
    kind: type[GraderError] = _ERRORS.get(report["exit_code"], GraderError)
    if kind is HostError and report.get("broken"):
        kind = BrokenSuiteError
    return kind(report["text"])


@contextlib.contextmanager
def launched_ahead(isolation: str) -> Iterator[JudgeClient]:
    """A judge that is launched while a command still reads what to judge.

    If nobody has started it at the end of the block, it ends by itself.
    """
    judge = JudgeClient(isolation)
    try:
        yield judge
    finally:
        threading.Thread(target=judge.close, daemon=True).start()
