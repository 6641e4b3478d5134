"""Ordinary processes with JAX in them that run a student's examples (`grader.worker.examples`).

    question --line of JSON--> child --lines of JSON--> where it is ... its facts

JAX takes longer to import than most exercises take to run, so a child serves one exercise after
another. One that hangs, dies, floods or has changed what the next would see is replaced; where
somebody waits for each answer (`reserve`), the next one is warmed meanwhile.
"""

from __future__ import annotations

import contextlib
import functools
import json
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
from typing import Any

from grader.errors import HostError
from grader.model import Exercise

# The first import of JAX on a cold disk, with a virus scanner that reads along.
START_SECONDS = 180.0
MAX_LINE = 1 << 24
MAX_LINES = 10_000
MAX_COMPILED = 1 << 28

Place = dict[str, Any]


class Children:
    """A child for each number of devices, started when it is needed and replaced when spoiled."""

    def __init__(self, *, reserve: bool = False) -> None:
        self._reserve = reserve
        self._running: dict[int, _Child] = {}
        self._spare: tuple[int, _Child] | None = None

    def __enter__(self) -> Children:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._running.values():
            child.end()
        if self._spare is not None:
            self._spare[1].end()

    def ask(
        self,
        exercise: Exercise,
        question: dict[str, Any],
        *,
        on_place: Callable[[Place], None] = lambda _: None,
        wanted: Callable[[], bool] = lambda: True,
    ) -> dict[str, Any]:
        """The facts on one exercise; "stopped" is one of them when it isn't `wanted` any more.

        Raises `HostError` if this machine can't import JAX.
        """
        answer = self._ask(exercise, question, on_place, wanted)
        if answer["served"] > 1 and any(fact.get("loading") for fact in answer["facts"]):
            # What a library allows once in a process is no mistake in a file: a name that it
            # registers, say. A new child knows.
            self._retire(exercise.devices)
            answer = self._ask(exercise, question, on_place, wanted)
        return answer

    def _ask(
        self,
        exercise: Exercise,
        question: dict[str, Any],
        on_place: Callable[[Place], None],
        wanted: Callable[[], bool],
    ) -> dict[str, Any]:
        child = self._child(exercise.devices)
        if not child.start(wanted):
            return _lost({"examples": 0}, kind="stopped") | {"served": 0}
        answer = child.ask(question, exercise.limits.seconds, on_place, wanted)
        if answer["spoiled"]:
            self._retire(exercise.devices)
        if self._reserve and self._spare is None:
            self._spare = exercise.devices, _Child(exercise.devices)
        return answer | {"served": child.served}

    def _child(self, devices: int) -> _Child:
        if devices not in self._running:
            self._running[devices] = self._taken(devices) or _Child(devices)
        return self._running[devices]

    def _taken(self, devices: int) -> _Child | None:
        """The one in reserve if it fits; it makes room for one that does, if it doesn't."""
        if self._spare is None:
            return None
        (its, child), self._spare = self._spare, None
        if its == devices:
            return child
        child.end()
        return None

    def _retire(self, devices: int) -> None:
        if devices in self._running:
            self._running.pop(devices).end()


class _Child:
    """A process with JAX in it. What it says is read by a thread: Windows can't poll a pipe."""

    def __init__(self, devices: int) -> None:
        self.served = 0
        self._is_ready = False
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the child)
        self._process = subprocess.Popen(
            # `-P`: neither this folder nor the student's is where modules are looked for.
            [sys.executable, "-P", "-m", "grader.worker.examples", str(devices)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=_environment(devices),
            start_new_session=True,
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def start(self, wanted: Callable[[], bool]) -> bool:
        """Waits until JAX is there, and says if it is: False where nobody `wanted` to wait.

        Raises `HostError` if it never is.
        """
        if self._is_ready:
            return True
        said = self._hear(START_SECONDS, wanted)
        if said is not None and "ready" in said:
            self._is_ready = True
            return True
        if said is None and not wanted():
            return False
        self._log.seek(0)
        log = self._log.read().decode(errors="replace").strip().splitlines()[-1:]
        why = (said or {}).get("failed") or " ".join(log) or "no answer"
        raise HostError(
            f"JAX can't be used by `{sys.executable}`: {why}. "
            'Install it there, with `python -m pip install "jax[cpu]"`, and check again.'
        )

    def ask(
        self,
        question: dict[str, Any],
        seconds: float,
        on_place: Callable[[Place], None],
        wanted: Callable[[], bool],
    ) -> dict[str, Any]:
        """The child's answer, or in the same form what became of it."""
        assert self._process.stdin is not None
        self.served += 1
        place: Place = {"examples": 0}
        with contextlib.suppress(OSError):  # it has ended, which the next lines find out
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
        while (said := self._hear(seconds, wanted)) is not None:
            if "at" in said:
                place = said
                on_place(place)
            elif "facts" in said:
                return said
            else:
                return _lost(place, kind="died", exit=self._exit_code())
        if not wanted():
            return _lost(place, kind="stopped")
        return _lost(place, kind="hung", seconds=seconds)

    def end(self) -> None:
        """Ends it and all that it has started."""
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
        """How it ended, once its pipe is closed; None if it lives on."""
        try:
            return self._process.wait(5)
        except subprocess.TimeoutExpired:
            return None

    def _hear(self, seconds: float, wanted: Callable[[], bool]) -> dict[str, Any] | None:
        """The next message; an empty one if there will be no other; None after `seconds`."""
        line = self._line(time.monotonic() + seconds, wanted)
        if line is None:
            return None
        try:
            said = json.loads(line or b"{}")
        except ValueError:
            return {}
        return said if isinstance(said, dict) else {}

    def _line(self, end: float, wanted: Callable[[], bool]) -> bytes | None:
        while (left := end - time.monotonic()) > 0 and wanted():
            with contextlib.suppress(queue.Empty):
                return self._lines.get(timeout=min(left, 0.05))
        return None

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as pipe:
            # Nobody but us knows the pipe; if it is flooded all the same, it is left alone.
            while self._lines.qsize() < MAX_LINES:
                line = pipe.readline(MAX_LINE)
                if not line.endswith(b"\n"):
                    break
                self._lines.put(line)
        self._lines.put(b"")


def _lost(place: Place, **fact: Any) -> dict[str, Any]:
    return {"facts": [place | fact], "examples": place["examples"], "spoiled": True}


def _environment(devices: int) -> dict[str, str]:
    """Ours, without what would make JAX compute otherwise than it does for the grader."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_"))}
    kept |= {"JAX_PLATFORMS": "cpu", "PYTHONUTF8": "1"}
    if devices > 1:
        # With fewer threads than devices, collectives wait for each other for ever.
        kept["NPROC"] = "32"
    if (compiled := _compiled()) is not None:
        kept |= {
            "JAX_COMPILATION_CACHE_DIR": str(compiled),
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        }
    return kept


@functools.cache
def _compiled() -> Path | None:
    """Where compiled programs stay for the next child: its first answers take a third as long.

    For this user and this machine, since programs fit one processor; and apart from what the
    judge keeps, since here a student's code can write.
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
