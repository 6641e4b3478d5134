"""Reading in a process of its own, with a budget for each submission.

    call ──pickle──> python -m grader.intake ──pickle──> a value, or an error
                     over its budget: replaced by another one, and `OverBudgetError`

One text of a student can keep a parser busy for minutes, in one call of C that no signal ends. So
whoever reads other people's files calls functions here. The process lives on for the next
submission. It runs only this package's code, and is no sandbox: nothing of a student is executed.
So its answers are as trusted as if they were made here, and pickle may carry them.
"""

import atexit
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from grader.records.errors import HostError, SubmissionError
from grader.records.model import MOST_CROWDED

P = ParamSpec("P")
T = TypeVar("T")

SECONDS = 10
"""Of processor time, for one submission. The largest homework of our course takes 0.1."""
DEADLINE = MOST_CROWDED * SECONDS
"""Seconds of wall time: on a busy machine, or waiting for a disk. On Windows, the only limit."""
MEMORY = 2 << 30


class OverBudgetError(SubmissionError):
    """Reading takes too much. The text continues a sentence that starts with a path."""


class _Reader:
    """The process, started when it is needed. One thread at a time uses it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._owner = 0  # what a fork inherits isn't its own
        self._has_read = False
        self._is_late = False
        self.used = 0.0
        atexit.register(self.end)

    def call(self, request: bytes) -> Any:
        with self._lock:
            if self._has_read:
                # What it keeps of others may be why it fails.
                with suppress(EOFError, MemoryError):
                    return self._answer(request)
            try:
                return self._answer(request)
            except EOFError:
                why = "the process that reads it crashes"
            except MemoryError:
                why = f"reading it takes more than {MEMORY >> 20:,} MiB of memory"
        raise OverBudgetError(f"can't be read: {why}. Submit only your exercises")

    def end(self) -> int | None:
        """Ends the process, if there is one; returns its exit code."""
        process, self._process, self._has_read = self._process, None, False
        if process is None or self._owner != os.getpid():
            return None
        process.kill()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                stream.close()  # type: ignore[union-attr]
        return process.wait()

    def _answer(self, request: bytes) -> Any:
        """Raises what the function raises, `OverBudgetError`, or `EOFError` after a crash."""
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        self._is_late = False
        before = _seconds(process.pid)
        timer = threading.Timer(DEADLINE, self._expire, [process])
        timer.start()
        try:
            with suppress(BrokenPipeError):  # it has ended, and then there is no answer
                process.stdin.write(request)
                process.stdin.flush()
            is_value, answer = pickle.load(process.stdout)
        except (EOFError, pickle.UnpicklingError):
            self._raise_late(self.end())
            raise EOFError from None
        except BaseException:  # Ctrl-C: its answer would be taken for the next one
            self.end()
            raise
        finally:
            timer.cancel()
            self.used += max(0.0, _seconds(process.pid) - before)
        self._has_read = True
        if is_value:
            return answer
        if isinstance(answer, MemoryError):
            self.end()
        raise answer

    def _expire(self, process: "subprocess.Popen[bytes]") -> None:
        self._is_late = True
        process.kill()

    def _raise_late(self, code: int | None) -> None:
        is_spent = code == -getattr(signal, "SIGXCPU", 0) != 0
        if is_spent or self._is_late:
            seconds = SECONDS if is_spent else DEADLINE
            self.used += SECONDS
            raise OverBudgetError(
                f"can't be read: reading it takes longer than {seconds} seconds. "
                "Submit only your exercises"
            ) from None

    def _started(self) -> "subprocess.Popen[bytes]":
        if self._process is not None and self._owner == os.getpid():
            return self._process
        self._has_read = False
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "grader.intake"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C doesn't reach a process group of its own: its owner ends it.
            process_group=0,
        )
        self._process, self._owner = process, os.getpid()
        assert process.stdout is not None
        try:
            pickle.load(process.stdout)
        except BaseException as error:
            code = self.end()
            if not isinstance(error, EOFError):
                raise
            raise HostError(
                f"the process that reads submissions can't be started (exit code {code}). Its "
                "output is above. Check the installation with `grader doctor`."
            ) from error
        return process


_reader = _Reader()


def call(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What a function of this package returns or raises, within the budget of one submission.

    Raises `OverBudgetError` if it takes more.
    """
    answer: T = _reader.call(pickle.dumps(((SECONDS, MEMORY), function, args, kwargs)))
    return answer


def used() -> float:
    """Processor seconds of all calls so far, as far as the system tells."""
    return _reader.used


def _seconds(pid: int) -> float:
    with suppress(OSError, AttributeError):
        return time.clock_gettime((~pid << 3) | 2)  # as `clock_getcpuclockid` of the C library
    return 0.0


def serve() -> None:
    """The process itself: answers until its input ends."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed is no answer
    _send(answers, pickle.dumps(True))
    with suppress(EOFError):
        while True:
            budget, function, args, kwargs = pickle.load(requests)
            _bound(*budget)
            try:
                answer = pickle.dumps((True, function(*args, **kwargs)))
            except Exception as error:
                answer = pickle.dumps((False, error))
            _send(answers, answer)
            # What one text leaves behind would be taken from the next one's memory.
            if _held() > budget[1] // 4:
                return


def _send(stream: Any, data: bytes) -> None:
    stream.write(data)
    stream.flush()


def _held() -> int:
    """The address space of this process in bytes, which the limit counts; 0 where nothing tells."""
    with suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _bound(seconds: int, memory: int) -> None:
    """Lets this process spend one budget more. Where no `resource` is, the deadline alone holds."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = math.ceil(used.ru_utime + used.ru_stime)
    for kind, most in (
        (resource.RLIMIT_CPU, spent + seconds),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        with suppress(ValueError, OSError):  # macOS refuses some of them
            resource.setrlimit(
                kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
            )
