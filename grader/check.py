"""`grader check`: the examples of a stub, run on the student's own code, and what is wrong.

    stub files --source--> child: JAX and the student's code --facts--> words --> CheckResult

A student's machine needs no sandbox for the student's own code, and may have none (macOS,
Windows): the child is an ordinary process, and its pipes carry lines of JSON (see
`grader.worker.examples`). One child serves all exercises with the same number of devices, so
that JAX is imported once (`grader.children`). A child that hangs, dies or floods costs its own
exercise: the next one gets another.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader import work
from grader.children import Children
from grader.course import Course
from grader.errors import SubmissionError
from grader.feedback import errors, silent
from grader.feedback.syntax import Spot
from grader.model import Advice, Exercise
from grader.model import Status as Status

SAVED = " If you have, save the notebook: what is checked lies on the disk."
MAX_GOT = 1500


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
    """One exercise. `examples` is how many its docstring holds, 0 if that was never found out.

    `hints` are likely mistakes that were seen in the code of one that isn't right yet.
    """

    exercise: str
    path: str
    status: Status
    examples: int = 0
    findings: tuple[Finding, ...] = ()
    hints: tuple[Advice, ...] = ()

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
    with Children() as children:
        for exercise in exercises:
            results.append(check_one(course, exercise, children))
            on_result(results[-1])
    return results


def check_one(
    course: Course,
    exercise: Exercise,
    children: Children,
    *,
    on_place: Callable[[str], None] = lambda _: None,
    wanted: Callable[[], bool] = lambda: True,
) -> CheckResult:
    """One exercise, by children that stay warm from one check to the next.

    `on_place` hears of each example as it begins. Nothing useful comes back once it isn't
    `wanted` any more, but soon.
    """
    place = work.path(course, exercise)
    path = _shown(place)
    try:
        found = work.read(course, exercise)
    except FileNotFoundError:
        finding = Finding(_not_there(course, place, path))
        return CheckResult(exercise.id, path, Status.MISSING, findings=(finding,))
    except (OSError, SubmissionError) as error:
        why = f"can't be read: {error.strerror}" if isinstance(error, OSError) else str(error)
        finding = Finding(f"`{path}` {why}.")
        return CheckResult(exercise.id, path, Status.TO_FIX, findings=(finding,))
    question = {
        "source": found.text,
        "prelude": found.prelude,
        "path": str(place),
        "pristine": pristine(course, exercise),
        "defines": list(exercise.defines),
        "output_kb": exercise.limits.output_kb,
    }
    answer = children.ask(
        exercise, question, on_place=lambda at: on_place(str(at["example"])), wanted=wanted
    )
    facts = answer["facts"]
    findings = tuple(
        _finding(fact, path, place, exercise, _advice(fact, found.text)) for fact in facts
    )
    hints: tuple[Advice, ...] = ()
    if not facts:
        status = Status.PASSED
    elif all(fact["kind"] == "to do" for fact in facts):
        status = Status.NOT_STARTED
    else:
        status = Status.TO_FIX
        known = {(f.advice.cause, f.advice.line) for f in findings if f.advice is not None}
        seen = silent.findings(found.text)
        hints = tuple(hint for hint in seen if (hint.cause, hint.line) not in known)
    return CheckResult(exercise.id, path, status, answer["examples"], findings, hints)


def _advice(fact: dict[str, Any], text: str) -> Advice | None:
    """What an exception means in JAX."""
    if fact["kind"] != "raised":
        return None
    spots = [Spot(*place) for place in fact["places"] if place[0] is not None]
    return errors.explain(fact["classes"], spots, text)


def _shown(path: Path) -> str:
    """The path as a student would type it here."""
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)


def _not_there(course: Course, stub: Path, path: str) -> str:
    known = set(work.files(course))
    beside = sorted(stub.parent.glob(f"*{stub.suffix}")) if stub.parent.is_dir() else []
    alike = [p for p in beside if stub.stem in p.stem.lower() and p not in known]
    if alike:
        return (
            f"There is no `{path}`, but a `{alike[0].name}` beside it. "
            f"Rename that to `{stub.name}`: a file is known by its name."
        )
    todo = "Take it from the folder that you were given, and keep its name."
    original = work.installed()
    if original is not None and course.name == original.name:
        todo = "Give it its name back; or `grader start` puts a fresh one there."
    return f"There is no `{path}`. Was it renamed or deleted? {todo}"


def pristine(course: Course, exercise: Exercise) -> str | None:
    """The stub as the installed course has it, if that is the same course."""
    stub = work.pristine(course, exercise)
    try:
        return None if stub is None else stub.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _finding(
    fact: dict[str, Any], path: str, stub: Path, exercise: Exercise, advice: Advice | None
) -> Finding:
    """A fact in words. With advice, the rest of JAX's own message would only be in its way."""
    got = fact.get("got", "").rstrip() or ("" if advice else _long_message(fact))
    return Finding(
        sentence=_sentence(fact, path, stub, exercise),
        line=fact.get("line") or fact.get("at"),
        code=fact.get("code", "").strip(),
        example=fact.get("example", ""),
        expected=fact.get("expected", ""),
        got=_cut(got),
        printed="" if fact["kind"] == "flood" else _cut(fact.get("printed", "").rstrip()),
        advice=advice,
    )


def _sentence(fact: dict[str, Any], path: str, stub: Path, exercise: Exercise) -> str:
    line, kind = fact.get("line"), fact["kind"]
    if kind == "to do":
        return (
            f"Not started: open `{path}` and replace line {line}, `raise NotImplementedError`, "
            f"with your own code.{SAVED if stub.suffix == '.ipynb' else ''}"
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
    if kind == "stopped":
        return f"{where} was stopped."
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
