"""A judge process as its owner sees it: `ask` a verb, get data or a GraderError.

The judge is trusted, but a suite can hang it and a machine can kill it: every question has a
deadline, and a judge that misses one is ended and its fault is ours, never a student's.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from grader import wire
from grader.errors import BrokenSuiteError, CourseError, GraderError, HostError, UsageError

_MAX_BYTES = 1 << 30
_ERRORS: dict[int, type[GraderError]] = {
    UsageError.exit_code: UsageError,
    CourseError.exit_code: CourseError,
    HostError.exit_code: HostError,
}


class JudgeProcess:
    """Starts `python -m grader.judge` and speaks to it."""

    def __init__(self) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `close`)
        # pytest shows whole values under CI, however long a student makes them.
        strange = ("PYTEST", "CI", "BUILD_NUMBER")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(strange)}
        # The judge needs no accelerator: oracles are small, and students' code runs elsewhere.
        environment.update(JAX_PLATFORMS="cpu", PYTHONUNBUFFERED="1")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "grader.judge"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
            # Ctrl-C is for whoever started it, who ends it in good order.
            process_group=0,
        )
        self._decoder = wire.Decoder(_MAX_BYTES)
        self._seq = 0

    def ask(
        self,
        verb: str,
        seconds: float,
        on_event: Callable[[Any], None] = lambda _: None,
        **value: Any,
    ) -> Any:
        """The judge's answer; `on_event` gets what it tells before that.

        Raises the error that it reports, or `HostError` if it is gone.
        """
        assert self._process.stdin is not None
        self._seq += 1
        try:
            self._process.stdin.write(wire.encode(self._seq, verb, value))
            self._process.stdin.flush()
        except OSError as error:
            raise self._lost("ended") from error
        frame = self._answer(time.monotonic() + seconds, on_event)
        if frame.kind == "ok":
            return frame.value
        kind = _ERRORS.get(frame.value["exit_code"], GraderError)
        if kind is HostError and frame.value.get("broken"):
            kind = BrokenSuiteError
        raise kind(frame.value["text"])

    def kill(self) -> None:
        """Ends the judge now; whoever waits for an answer gets `HostError`."""
        self._process.kill()

    def close(self) -> None:
        """Ends the judge: politely, since it has children, and then not."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._log.close()

    def _answer(self, deadline: float, on_event: Callable[[Any], None]) -> wire.Frame:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                raise self._lost("did not answer in time and was ended")
            data = os.read(descriptor, 1 << 18)
            if not data:
                raise self._lost("ended")
            for frame in self._decoder.feed(data):
                if frame.kind != "event":
                    return frame
                on_event(frame.value)

    def _lost(self, how: str) -> HostError:
        self._process.kill()
        self._process.wait()
        self._log.seek(0)
        said = self._log.read().decode(errors="replace").strip().splitlines()[-12:]
        return HostError(f"the judge {how}; no mark was given. It said:\n" + "\n".join(said))
