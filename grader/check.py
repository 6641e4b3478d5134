"""`grader check`: the examples of a stub, run on the student's own code, and what is wrong.

    stub files --source--> child: JAX and the student's code --facts--> words --> CheckResult

A student's machine needs no sandbox for the student's own code, and may have none (macOS,
Windows): the child is an ordinary process, and its pipes carry lines of JSON (see
`grader.worker.examples`). One child serves all exercises with the same number of devices, so
that JAX is imported once. A child that hangs, dies or floods costs its own exercise: the next
one gets another.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from grader import course as courses
from grader import source
from grader.course import Course
from grader.errors import CourseError, HostError, SubmissionError
from grader.model import Advice, Exercise

# The first import of JAX on a cold disk, with a virus scanner that reads along.
START_SECONDS = 180.0
MAX_LINE = 1 << 24
MAX_LINES = 10_000
MAX_GOT = 1500


class Status(StrEnum):
    """How far an exercise is."""

    PASSED = "passed"
    TO_FIX = "to fix"
    NOT_STARTED = "not started"
    MISSING = "missing"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: a sentence, and what there is to show for it.

    `line` and `code` are the place in the student's file; `printed` is what the code printed
    besides its answer. `advice` says what it means in JAX, where that is known.
    """

    sentence: str
    line: int | None = None
    code: str = ""
    example: str = ""
    expected: str = ""
    got: str = ""
    printed: str = ""
    advice: Advice | None = None


@dataclass(frozen=True)
class CheckResult:
    """One exercise. `examples` is how many its docstring holds, 0 if that was never found out."""

    exercise: str
    path: str
    status: Status
    examples: int = 0
    findings: tuple[Finding, ...] = ()

    @property
    def passed(self) -> bool:
        return self.status is Status.PASSED


def check(
    course: Course,
    exercises: Iterable[Exercise],
    *,
    on_result: Callable[[CheckResult], None] = lambda _: None,
) -> list[CheckResult]:
    """Runs the examples of each exercise's stub, as the student has left it.

    Raises `HostError` if this machine can't import JAX.
    """
    results = []
    with _Children() as children:
        for exercise in exercises:
            results.append(_check(course, exercise, children))
            on_result(results[-1])
    return results


def _check(course: Course, exercise: Exercise, children: _Children) -> CheckResult:
    stub = course.stub(exercise)
    path = _shown(stub)
    try:
        text = source.decode(stub.read_bytes())
    except FileNotFoundError:
        finding = Finding(_not_there(course, stub, path))
        return CheckResult(exercise.id, path, Status.MISSING, findings=(finding,))
    except (OSError, SubmissionError) as error:
        why = f"can't be read: {error.strerror}" if isinstance(error, OSError) else str(error)
        finding = Finding(f"`{path}` {why}.")
        return CheckResult(exercise.id, path, Status.TO_FIX, findings=(finding,))
    question = {
        "source": text,
        "path": str(stub),
        "pristine": _pristine(course.name, exercise),
        "defines": list(exercise.defines),
        "output_kb": exercise.limits.output_kb,
    }
    answer = children.ask(exercise, question)
    facts = answer["facts"]
    findings = tuple(_finding(fact, path, stub, exercise) for fact in facts)
    if not facts:
        status = Status.PASSED
    elif all(fact["kind"] == "to do" for fact in facts):
        status = Status.NOT_STARTED
    else:
        status = Status.TO_FIX
    return CheckResult(exercise.id, path, status, answer["examples"], findings)


def _shown(path: Path) -> str:
    """The path as a student would type it here."""
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)


def _not_there(course: Course, stub: Path, path: str) -> str:
    known = {course.stub(exercise) for exercise in course.exercises}
    beside = sorted(stub.parent.glob("*.py")) if stub.parent.is_dir() else []
    alike = [p for p in beside if stub.stem in p.stem.lower() and p not in known]
    if alike:
        return (
            f"There is no `{path}`, but a `{alike[0].name}` beside it. "
            f"Rename that to `{stub.name}`: a file is known by its name."
        )
    return (
        f"There is no `{path}`. Was it renamed or deleted? Take it from the folder that you "
        "were given, and keep its name."
    )


def _pristine(name: str, exercise: Exercise) -> str | None:
    """The stub as the installed course has it, if that is the same course."""
    installed = _installed()
    known = installed.exercises if installed and installed.name == name else ()
    if installed is None or exercise.id not in [e.id for e in known]:
        return None
    try:
        return installed.stub(exercise).read_text(encoding="utf-8")
    except OSError:
        return None


@functools.cache
def _installed() -> Course | None:
    try:
        return courses.installed()
    except CourseError:
        return None


class _Children:
    """A child for each number of devices, started when it is needed and replaced when spoiled."""

    def __init__(self) -> None:
        self._running: dict[int, _Child] = {}

    def __enter__(self) -> _Children:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self._running.values():
            child.end()

    def ask(self, exercise: Exercise, question: dict[str, Any]) -> dict[str, Any]:
        if exercise.devices not in self._running:
            child = self._running[exercise.devices] = _Child(exercise.devices)
            child.start()
        answer = self._running[exercise.devices].ask(question, exercise.limits.seconds)
        if answer["spoiled"]:
            self._running.pop(exercise.devices).end()
        return answer


class _Child:
    """A process with JAX in it. What it says is read by a thread: Windows can't poll a pipe."""

    def __init__(self, devices: int) -> None:
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

    def start(self) -> None:
        """Waits until JAX is there. Raises `HostError` if it never is."""
        said = self._hear(START_SECONDS)
        if said is not None and "ready" in said:
            return
        self._log.seek(0)
        log = self._log.read().decode(errors="replace").strip().splitlines()[-1:]
        why = (said or {}).get("failed") or " ".join(log) or "no answer"
        raise HostError(
            f"JAX can't be used by `{sys.executable}`: {why}. "
            'Install it there, with `python -m pip install "jax[cpu]"`, and check again.'
        )

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The child's answer, or in the same form what became of it."""
        assert self._process.stdin is not None
        place: dict[str, Any] = {"examples": 0}
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it has ended, which the next line finds out
        while (said := self._hear(seconds)) is not None:
            if "at" in said:
                place = said
            elif "facts" in said:
                return said
            else:
                return _lost(place, kind="died", exit=self._exit_code())
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

    def _hear(self, seconds: float) -> dict[str, Any] | None:
        """The next message; an empty one if there will be no other; None after `seconds`."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        try:
            said = json.loads(line or b"{}")
        except ValueError:
            return {}
        return said if isinstance(said, dict) else {}

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


def _lost(place: dict[str, Any], **fact: Any) -> dict[str, Any]:
    return {"facts": [place | fact], "examples": place["examples"], "spoiled": True}


def _environment(devices: int) -> dict[str, str]:
    """Ours, without what would make JAX compute otherwise than it does for the grader."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_"))}
    kept |= {"JAX_PLATFORMS": "cpu", "PYTHONUTF8": "1"}
    if devices > 1:
        # With fewer threads than devices, collectives wait for each other for ever.
        kept["NPROC"] = "32"
    return kept


def _finding(fact: dict[str, Any], path: str, stub: Path, exercise: Exercise) -> Finding:
    """A fact in words."""
    return Finding(
        sentence=_sentence(fact, path, stub, exercise),
        line=fact.get("line") or fact.get("at"),
        code=fact.get("code", "").strip(),
        example=fact.get("example", ""),
        expected=fact.get("expected", ""),
        got=_cut(fact.get("got", "").rstrip() or _long_message(fact)),
        printed="" if fact["kind"] == "flood" else _cut(fact.get("printed", "").rstrip()),
    )


def _sentence(fact: dict[str, Any], path: str, stub: Path, exercise: Exercise) -> str:
    line, kind = fact.get("line"), fact["kind"]
    if kind == "to do":
        return (
            f"Not started: open `{path}` and replace line {line}, `raise NotImplementedError`, "
            "with your own code."
        )
    if kind == "syntax":
        return f"{f'Line {line}' if line else f'`{path}`'} is not Python: {fact['text']}."
    if kind == "undefined":
        names = " and ".join(f"`{name}`" for name in fact["names"])
        return f"`{path}` does not define {names}. Keep the names that the stub came with."
    if kind == "no examples":
        return (
            f"`{path}` has no examples left to run: its docstring is gone. Copy the docstring "
            "back from the folder that you were given."
        )
    return _in_an_example(fact, stub, exercise)


def _in_an_example(fact: dict[str, Any], stub: Path, exercise: Exercise) -> str:
    kind, limits = fact["kind"], exercise.limits
    example = f"The example at line {fact['at']}" if fact.get("at") else "An example of the stub"
    where = example if fact.get("example") else "Loading the file"
    place = f"Line {fact['line']}" if fact.get("line") else where
    if fact.get("none"):
        return f"`{fact['none']}` returns None: is a `return` missing?"
    if kind == "wrong":
        return f"{example} gives another result than it should."
    if kind == "nothing":
        return f"{example} gives nothing, that is None, where a result is expected."
    if kind == "quiet":
        return f"{example} should raise an exception, and raises none."
    if kind == "hung":
        return (
            f"{where} was stopped after {limits.seconds:g} s. Is there a loop that never ends, "
            "or one that JAX has to unroll?"
        )
    if kind == "died":
        return f"{where} ended Python itself ({_exit(fact['exit'])})."
    if kind == "flood":
        return f"{place} prints too much: more than {limits.output_kb} KB in one example."
    sentence = f"{place} raises {fact['error']}: {_first_line(fact['text'])}".rstrip(": ")
    sentence += "" if sentence.endswith((".", "!", "?")) else "."
    if fact.get("loading"):
        sentence += " So the file can't be loaded."
    module = str(fact.get("module", "")).partition(".")[0]
    if module and (stub.parent / f"{module}.py").is_file():
        sentence += f" Each file is graded alone: copy what you need of `{module}.py` into it."
    return sentence


def _exit(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"{name}; perhaps it ran out of memory" if name == "SIGKILL" else name


def _long_message(fact: dict[str, Any]) -> str:
    """An exception's whole text, where a sentence shows only the beginning."""
    text = str(fact.get("text", "")).strip()
    if fact["kind"] != "raised" or text == _first_line(text):
        return ""
    return f"{fact['error']}: {text}"


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= 300 else line[:300] + "..."


def _cut(text: str) -> str:
    return text if len(text) <= MAX_GOT else text[:MAX_GOT] + "..."
