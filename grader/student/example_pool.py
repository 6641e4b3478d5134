"""Ordinary processes with JAX in them that run a student's examples (`grader.student.examples`).

    Question --line of JSON--> process --lines of JSON--> RunningExample ... FileFacts

JAX takes longer to import than most exercises take to run, so one process serves one exercise
after another. A process is replaced if it hangs, dies, prints too much, or changes shared
state. With a `reserve`, the next process starts while a student reads the last answer.
"""

from __future__ import annotations

import contextlib
import functools
import os
import platform
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from grader.records.errors import HostError
from grader.records.model import XLA_THREADS_FOR_DEVICES, Exercise, pack, unpack
from grader.student import facts

# The first import of JAX may wait for a slow disk and a virus scanner.
START_SECONDS = 180.0
MAX_LINE = 1 << 24
MAX_MESSAGES = 10_000
MAX_COMPILED = 1 << 28


class ExamplePool:
    """A process for each number of devices, started when it is needed."""

    def __init__(self, *, reserve: bool = False) -> None:
        self._reserve = reserve
        self._running: dict[int, _Process] = {}
        self._spare: _Process | None = None

    def __enter__(self) -> ExamplePool:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self._running.values(), *([self._spare] if self._spare else [])):
            process.end()

    def ask(
        self,
        exercise: Exercise,
        question: facts.Question,
        on_place: Callable[[facts.RunningExample], None],
        wanted: Callable[[], bool],
    ) -> facts.FileFacts:
        """The facts; only `Stopped` if no longer `wanted`. Raises `HostError` without JAX."""
        while True:
            process = self._process(exercise.devices)
            if not process.start(wanted):
                return _lost(facts.Stopped())
            answer = process.ask(question, exercise.limits.seconds, on_place, wanted)
            # A library may allow something only once in a process (registering a name, say).
            # That is no mistake in the file, so a new process decides.
            loads = not any(
                isinstance(f, facts.Broken) and not f.example.source for f in answer.facts
            )
            is_final = process.asked == 1 or loads
            if answer.spoiled or not is_final:
                self._running.pop(exercise.devices).end()
            if self._reserve and self._spare is None:
                self._spare = _Process(exercise.devices)
            if is_final:
                return answer

    def _process(self, devices: int) -> _Process:
        if devices not in self._running:
            spare, self._spare = self._spare, None
            if spare is not None and spare.devices != devices:
                spare.end()
                spare = None
            self._running[devices] = spare or _Process(devices)
        return self._running[devices]


class _Process:
    """A process with JAX in it. A thread reads its messages: Windows can't poll a pipe."""

    def __init__(self, devices: int) -> None:
        self.devices = devices
        self.asked = 0
        self._is_ready = False
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the process)
        self._process = subprocess.Popen(
            # `-P`: no module is looked for in this folder or in the student's.
            [sys.executable, "-P", "-m", "grader.student.examples", str(devices)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment(devices),
            start_new_session=True,
        )
        self._messages: queue.Queue[facts.Message] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def start(self, wanted: Callable[[], bool]) -> bool:
        """Waits for JAX. False if no longer `wanted`; `HostError` if it can't be imported."""
        if self._is_ready:
            return True
        message = self._hear(START_SECONDS, wanted)
        if message is None and not wanted():
            return False
        self._is_ready = isinstance(message, facts.Ready)
        if self._is_ready:
            return True
        self._log.seek(0)
        log = self._log.read().decode(errors="replace").strip().splitlines()[-1:]
        told = message.why if isinstance(message, facts.Ended) else ""
        why = told or " ".join(log) or "no answer"
        raise HostError(
            f"JAX can't be used by `{sys.executable}`: {why}. "
            'Install it there, with `python -m pip install "jax[cpu]"`, and check again.'
        )

    def ask(
        self,
        question: facts.Question,
        seconds: float,
        on_place: Callable[[facts.RunningExample], None],
        wanted: Callable[[], bool],
    ) -> facts.FileFacts:
        """The answer. If there is none, the reason in the same form."""
        assert self._process.stdin is not None
        self.asked += 1
        place = facts.RunningExample()
        with contextlib.suppress(OSError):  # it has ended, and its messages will say so
            self._process.stdin.write(pack(question) + b"\n")
            self._process.stdin.flush()
        while (message := self._hear(seconds, wanted)) is not None:
            if isinstance(message, facts.FileFacts):
                return message
            if not isinstance(message, facts.RunningExample):
                return _lost(
                    facts.Died(example=place.example, exit=self._exit_code()), place.examples
                )
            place = message
            on_place(place)
        lost = facts.Hung if wanted() else facts.Stopped
        return _lost(lost(example=place.example), place.examples)

    def end(self) -> None:
        """Ends the process, and all that the process has started."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._log.close()

    def _exit_code(self) -> int | None:
        """The exit code, or None if the process has closed its pipe and still runs."""
        try:
            return self._process.wait(5)
        except subprocess.TimeoutExpired:
            return None

    def _hear(self, seconds: float, wanted: Callable[[], bool]) -> facts.Message | None:
        """The next message; `Ended` after the last; None if none comes in time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and wanted():
            with contextlib.suppress(queue.Empty):
                return self._messages.get(timeout=min(left, 0.05))
        return None

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as pipe:
            # A student's code isn't given the pipe. If it floods the pipe anyway, we stop reading.
            while self._messages.qsize() < MAX_MESSAGES:
                line = pipe.readline(MAX_LINE)
                if not line.endswith(b"\n"):
                    break
                self._messages.put(_message(line))
        self._messages.put(facts.Ended())


def _message(line: bytes) -> facts.Message:
    try:
        # For mypy, a union is no type.
        return unpack(line, facts.Message)  # type: ignore[arg-type]
    except (ValueError, RecursionError):
        return facts.Ended()


def _lost(fact: facts.Lost, examples: int = 0) -> facts.FileFacts:
    return facts.FileFacts((fact,), examples, spoiled=True)


def environment(devices: int) -> dict[str, str]:
    """Our variables, without those that would make JAX compute differently from the grader.

    JAX keeps what it compiles, for the next process that is started so.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_"))}
    kept |= {"JAX_PLATFORMS": "cpu", "PYTHONUTF8": "1"}
    if devices > 1:
        kept["NPROC"] = XLA_THREADS_FOR_DEVICES
    if (compiled := _compiled()) is not None:
        kept |= {
            "JAX_COMPILATION_CACHE_DIR": str(compiled),
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        }
    return kept


@functools.cache
def _compiled() -> Path | None:
    """The folder of compiled programs. A new process's first answers take a third as long.

    One folder for each user and machine, since programs fit one processor. The judge has another
    one, because a student's code can write to this one.
    """
    try:
        base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
        home = Path(base) if base else Path.home() / ".cache"
        folder = home / "jax-grader-examples" / (platform.node() or "here")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sum(entry.stat().st_size for entry in os.scandir(folder)) > MAX_COMPILED:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(mode=0o700, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder
