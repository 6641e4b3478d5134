"""One child process as the judge sees it: a socket, a pipe of output, a pid, and limits.

    ask(kind, value)         --frame--> child --frame--> value, or a Fault
    on_callback              child --frame--> a function of the suite's --frame--> child
    converse(kind, values)   the same for many questions in turn, timed by the judge

While it waits, the judge watches the clock, the child's memory, threads, output and disk, and
ends the child when one passes its limit. Between two questions the child is stopped, so it can't
work ahead or take more memory unseen. Each frame from it is checked: it has to be the one answer
to the last question.
"""

import math
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from grader.engine import wire
from grader.engine.processes import faults
from grader.engine.processes.clock import Budget, Clock
from grader.engine.processes.usage import disk_used, is_stopped, tasks, usage_of
from grader.records.model import Limits

# An author's own pytest shows the suite's line, and none of this file.
__tracebackhide__ = True

POLL_SECONDS = 0.025
KEEP_OUTPUT = 8192
REST_SECONDS = 10.0  # a thread that is to stop needs a core for a moment, which may be busy
# A suite may catch what ends its function, so it is raised again.
AGAIN_SECONDS = 0.5
# What may be written and not yet read (a pipe and a socket hold this much), and the file system's
# own blocks of a file that is as large as it may be.
ON_THE_WAY = 1 << 20
# So many calls may each write the same full file anew.
MOST_REWRITTEN = 8


class Timed(NamedTuple):
    """Answers, and the seconds from before the first question to the end of the last answer."""

    frames: list[wire.Frame]
    seconds: float


class Child:
    """A forked worker or bench. After a fault it is dead and only has to be reaped."""

    def __init__(
        self, pid: int, channel: socket.socket, output: int, scratch: Path, limits: Limits
    ) -> None:
        self.pid = pid
        self.scratch = scratch
        self.limits = limits
        self.alive = True
        self.printed = b""
        self._channel = channel
        self._output = output
        self._printed_bytes = 0
        self._received = 0
        self._written_before: int | None = None  # when the present call began
        self._seq = 0
        self._clock = Clock(pid)
        self._channel.setblocking(False)
        os.set_blocking(self._output, False)

    def ask(
        self,
        kind: str,
        value: Any,
        budgets: tuple[Budget, ...],
        on_callback: Callable[[Any], Any] | None = None,
    ) -> wire.Frame:
        """Sends one question and waits for its answer; charges the time to every budget.

        In between, the child may call functions of the suite's: `on_callback` answers.
        """
        return self.converse(kind, (value,), budgets, on_callback=on_callback).frames[0]

    def converse(
        self,
        kind: str,
        values: Sequence[Any],
        budgets: tuple[Budget, ...],
        *,
        until: float = math.inf,
        on_callback: Callable[[Any], Any] | None = None,
    ) -> Timed:
        """Asks one question after another, each when the one before it has been answered.

        Stops asking when `until` seconds have passed, but asks at least once. The child is
        stopped until the time begins. The time ends with the last byte of the last answer.
        """
        if not self.alive:
            raise faults.Crashed("Your code's process had ended before this call.")
        first = self._seq + 1
        messages = [wire.encode(n, kind, value) for n, value in enumerate(values, first)]
        frames: list[wire.Frame] = []

        def is_over() -> bool:
            return self._clock.is_over(budgets)

        self._clock.start()
        started = time.perf_counter()
        os.kill(self.pid, signal.SIGCONT)
        try:
            for message in messages:
                self._seq += 1
                before = self._received
                frame = self._exchange(message, is_over)
                while frame.kind == wire.CALLS_BACK and on_callback is not None:
                    if self._received - before > self.limits.message_mb << 20:
                        # A callback may keep what it gets, and the judge has one memory for all.
                        raise faults.Crashed(
                            "Your code passed the test's own functions more than "
                            f"{self.limits.message_mb} MB."
                        )
                    # A callback may wait, and a child may call it again and again.
                    left = min(budget.seconds for budget in budgets) - self._clock.seconds()
                    with _ended_after(left, is_over, self._timed_out()):
                        answer = wire.encode(self._seq, "ok", on_callback(frame.value))
                    frame = self._exchange(answer, is_over)
                if frame.kind not in ("ok", "raised"):
                    raise faults.Crashed(faults.LIES, f"an answer of kind {frame.kind[:40]!r}")
                frames.append(frame)
                seconds = time.perf_counter() - started
                if seconds > until:
                    break
            os.kill(self.pid, signal.SIGSTOP)
            return Timed(frames, seconds)
        except BaseException:
            self.kill()
            raise
        finally:
            self._clock.charge(budgets)

    def pin(self, core: int) -> None:
        """Keeps all its threads, and those that they start, on one core."""
        self._clock.cores = 1
        for task in tasks(self.pid):
            with suppress(OSError):
                os.sched_setaffinity(int(task), {core})

    def rest(self) -> None:
        """Waits until every thread is stopped. A system call can delay that."""
        end = time.monotonic() + REST_SECONDS
        while not all(is_stopped(self.pid, task) for task in tasks(self.pid)):
            if time.monotonic() > end:
                self.kill()
                raise faults.Crashed("Your code kept working after it had answered.")
            time.sleep(0.0005)

    def kill(self) -> None:
        """Ends it. The zygote hasn't reaped it yet, so the pid can't belong to another process."""
        if self.alive:
            self.alive = False
            os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        self._drain()
        self._channel.close()
        os.close(self._output)

    def _exchange(self, message: bytes, is_over: Callable[[], bool]) -> wire.Frame:
        if self._has_spoken():
            raise faults.Crashed(faults.LIES, "an answer before its question")
        self._written_before = None
        decoder = wire.Decoder(self.limits.message_mb << 20, wire.MAX_HOSTILE_HEADER)
        unsent = memoryview(message)
        with selectors.DefaultSelector() as selector:
            selector.register(self._channel, selectors.EVENT_READ | selectors.EVENT_WRITE)
            selector.register(self._output, selectors.EVENT_READ)
            watched = 0.0
            while True:
                for ready, events in selector.select(POLL_SECONDS):
                    if ready.fileobj is not self._channel:
                        if not self._drain():
                            selector.unregister(self._output)
                        continue
                    if events & selectors.EVENT_READ:
                        frame = self._receive(decoder, bool(unsent))
                        if frame is not None:
                            return frame
                    if events & selectors.EVENT_WRITE and unsent:
                        unsent = unsent[self._send(unsent) :]
                        if not unsent:
                            selector.modify(self._channel, selectors.EVENT_READ)
                now = time.monotonic()
                if is_over():
                    raise self._timed_out()
                if now - watched > POLL_SECONDS:
                    watched = now
                    self._watch()

    def _has_spoken(self) -> bool:
        """Whether it has sent something without a question."""
        try:
            return bool(self._channel.recv(1, socket.MSG_PEEK))
        except OSError:  # no data, or the child has ended: `_exchange` reports that
            return False

    def _send(self, data: memoryview) -> int:
        try:
            return self._channel.send(data[: 1 << 18])
        except BlockingIOError:
            return 0
        except OSError:
            raise self._ended() from None

    def _receive(self, decoder: wire.Decoder, early: bool) -> wire.Frame | None:
        try:
            data = self._channel.recv(1 << 18)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            raise self._ended()
        self._received += len(data)
        try:
            frames = list(decoder.feed(data))
        except wire.TooLargeError as error:
            limit = f"{self.limits.message_mb} MB"
            raise faults.Crashed(
                f"Your code returned more than {limit}, or a container with too many parts.",
                str(error),
            ) from error
        except wire.WireError as error:
            raise faults.Crashed(faults.LIES, str(error)) from error
        if not frames:
            return None
        frame = frames[0]
        if early or len(frames) > 1 or len(decoder) or frame.seq != self._seq:
            raise faults.Crashed(faults.LIES, "an answer that belongs to no question")
        return frame

    def _drain(self) -> bool:
        """Reads what the child printed; False at the end of it."""
        while True:
            try:
                data = os.read(self._output, 1 << 16)
            except BlockingIOError:
                return True
            if not data:
                return False
            self._printed_bytes += len(data)
            self.printed += data[: max(0, KEEP_OUTPUT - len(self.printed))]
            if self._printed_bytes > self.limits.output_kb << 10 and self.alive:
                raise faults.Crashed(
                    f"Your code printed more than {self.limits.output_kb} kB. Remove the prints "
                    "from your functions."
                )

    def _watch(self) -> None:
        usage = usage_of(self.pid)
        if usage is None:
            raise self._ended()
        if usage.memory > self.limits.memory_mb << 20:
            raise faults.OutOfMemory(
                f"Your code used more than {self.limits.memory_mb} MB of memory."
            )
        if usage.threads > self.limits.threads:
            raise faults.Crashed(f"Your code started more than {self.limits.threads} threads.")
        # Bytes written to a deleted file take room, too; answers and prints don't.
        written = usage.written - self._received - self._printed_bytes
        if self._written_before is None:
            self._written_before = written
        taken = max(
            disk_used(self.scratch), written - self._written_before, written / MOST_REWRITTEN
        )
        if taken > (self.limits.disk_mb << 20) + ON_THE_WAY:
            raise faults.Crashed(
                f"Your code wrote more than {self.limits.disk_mb} MB to its scratch folder."
            )

    def _timed_out(self) -> faults.Fault:
        return faults.TimedOut(
            f"Your code took longer than the {self.limits.seconds:g} seconds allowed for a test, "
            f"or the {self.limits.total_seconds:g} for all tests together."
        )

    def _ended(self) -> faults.Fault:
        return faults.Crashed(
            "Your code's process ended in the middle of a call (os._exit, a fatal signal, or a "
            "crash inside a library)."
        )


@contextmanager
def _ended_after(
    seconds: float, is_over: Callable[[], bool], fault: faults.Fault
) -> Iterator[None]:
    """Raises the fault in the main thread when its time is over, also while that thread sleeps."""

    def end(*_: object) -> None:
        again = AGAIN_SECONDS
        try:
            if is_over():
                raise fault
            again = POLL_SECONDS
        finally:  # not before, or a slow look could be interrupted by the next one
            signal.setitimer(signal.ITIMER_REAL, again)

    before = signal.signal(signal.SIGALRM, end)
    try:
        # Zero would switch the timer off.
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
