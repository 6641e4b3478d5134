"""A judge process: `ask` sends it a verb, and returns its data or raises a GraderError.

    with started_ahead(isolation):     a judge starts, while a command still reads what to judge
        judge_process(isolation)       this judge for the first caller, and a new one for others

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
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from grader.errors import BrokenSuiteError, CourseError, GraderError, HostError, UsageError

if TYPE_CHECKING:
    from grader.wire import Frame

Warn = Callable[[str], None]
_ERRORS = {kind.exit_code: kind for kind in (UsageError, CourseError, HostError)}


class JudgeProcess:
    """Starts `python -m grader.judge` and speaks to it."""

    def __init__(self, isolation: str = "") -> None:
        """For submissions, the judge needs a mode of `isolation`."""
        self.isolation = isolation
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `close`)
        # Under CI, pytest shows whole values, and a student's can be very long.
        left_out = ("PYTEST", "CI", "BUILD_NUMBER")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(left_out)}
        # The judge needs no accelerator: it compares, and students' code runs elsewhere.
        environment.update(JAX_PLATFORMS="cpu", PYTHONUNBUFFERED="1", OPENBLAS_NUM_THREADS="1")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "grader.judge", *filter(None, [isolation])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
            # Ctrl-C doesn't reach a process group of its own: the judge's owner closes the judge.
            process_group=0,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        # Not before the judge is started: its imports take longest.
        from grader import wire

        self._encode = wire.encode
        self._decoder = wire.Decoder(max_bytes=1 << 30)
        self._seq = 0

    def ask(
        self,
        verb: str,
        seconds: float,
        on_event: Callable[[Any], None] = lambda _: None,
        on_warning: Warn = lambda _: None,
        **value: Any,
    ) -> Any:
        """The judge's answer. `on_event` gets each event that comes before the answer, and
        `on_warning` each warning.

        Raises the error that the judge reports, or `HostError` if the judge is gone.
        """
        self._seq += 1
        try:
            self._to.write(self._encode(self._seq, verb, value))
            self._to.flush()
        except OSError as error:
            raise self._lost("ended") from error
        handlers = {"event": on_event, "warning": on_warning}
        frame = self._answer(seconds, handlers)
        if frame.kind == "ok":
            return frame.value
        kind = _ERRORS.get(frame.value["exit_code"], GraderError)
        if kind is HostError and frame.value.get("broken"):
            kind = BrokenSuiteError
        raise kind(frame.value["text"])

    def kill(self) -> None:
        """Ends the judge now; a thread that waits for an answer gets `HostError`."""
        self._process.kill()

    def close(self) -> None:
        """Closes the judge's input, so that it ends its children; kills it after 10 seconds."""
        with contextlib.suppress(OSError):
            self._to.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._from.close()
        self._log.close()

    def _answer(self, seconds: float, handlers: dict[str, Callable[[Any], None]]) -> Frame:
        descriptor, waits = self._from.fileno(), False
        while True:
            began = time.monotonic()
            limit = None if waits else max(0.0, seconds)
            if not select.select([descriptor], [], [], limit)[0]:
                raise self._lost("did not answer in time and was ended")
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
        self._process.kill()
        self._process.wait()
        self._log.seek(0)
        said = self._log.read().decode(errors="replace").strip().splitlines()[-12:]
        return HostError(f"the judge {how}; it gave no mark. Its last output:\n" + "\n".join(said))


_ahead: list[JudgeProcess] = []


@contextlib.contextmanager
def started_ahead(isolation: str) -> Iterator[None]:
    """Starts a judge. The first call of `judge_process` in this block gets it.

    Most of what a judge does at its start doesn't depend on what it will judge. If nobody takes
    the judge, it ends by itself.
    """
    judge = JudgeProcess(isolation)
    _ahead.append(judge)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # it was taken
            _ahead.remove(judge)
            threading.Thread(target=judge.close, daemon=True).start()


def judge_process(isolation: str) -> JudgeProcess:
    """The judge that was started ahead, if its isolation is this one; or a new one."""
    for judge in _ahead:
        if judge.isolation == isolation:
            with contextlib.suppress(ValueError):  # another thread was faster
                _ahead.remove(judge)
                return judge
    return JudgeProcess(isolation)
