"""`grader check`: runs the examples of a stub on the student's own code, and says what is wrong.

    stub files --source--> process: JAX and the student's code --facts--> words --> CheckResult

A student's own code needs no sandbox on the student's own machine, and macOS and Windows have
none. So an ordinary process runs it (`grader.student.example_pool`) and answers in lines of JSON
(`grader.student.examples`).
"""

import dataclasses
import signal
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from grader.checked import CheckResult, Finding, Status
from grader.course import Course
from grader.errors import SubmissionError
from grader.feedback import first_nan, lessons, silent
from grader.feedback.explain import explain
from grader.feedback.syntax import Spot
from grader.model import Advice, Exercise
from grader.student import cell_lines, cures, workspace
from grader.student.example_pool import ExamplePool

SAVED = " If you have done so, save the notebook: the check reads the file on the disk."
MAX_GOT = 1500


def check(
    course: Course,
    exercises: Iterable[Exercise],
    *,
    on_result: Callable[[CheckResult], None] = lambda _: None,
) -> list[CheckResult]:
    """Runs the examples of each exercise. Raises `HostError` if this machine can't import JAX."""
    results = []
    with ExamplePool() as pool:
        for exercise in exercises:
            results.append(check_one(course, exercise, pool))
            on_result(results[-1])
    return results


def check_one(
    course: Course,
    exercise: Exercise,
    pool: ExamplePool,
    *,
    drawn: bool = False,
    on_place: Callable[[str], None] = lambda _: None,
    wanted: Callable[[], bool] = lambda: True,
) -> CheckResult:
    """Runs the examples of the work on disk; calls `on_place` with each before it runs.

    Returns soon, with a useless result, once the result is no longer `wanted`.
    """
    place = workspace.path(course, exercise)
    path = _shown(place)
    try:
        work = workspace.read(course, exercise)
    except FileNotFoundError:
        finding = Finding(_not_there(course, place, path))
        return CheckResult(exercise.id, path, Status.MISSING, findings=(finding,))
    except (OSError, SubmissionError) as error:
        why = f"can't be read: {error.strerror}" if isinstance(error, OSError) else str(error)
        finding = Finding(f"`{path}` {why}.")
        return CheckResult(exercise.id, path, Status.TO_FIX, findings=(finding,))
    found = check_work(
        course, exercise, pool, work, place, path, drawn=drawn, on_place=on_place, wanted=wanted
    )
    return cell_lines.told(found, work.cells)


def check_work(
    course: Course,
    exercise: Exercise,
    pool: ExamplePool,
    work: workspace.Work,
    place: Path,
    path: str,
    *,
    drawn: bool = False,
    on_place: Callable[[str], None] = lambda _: None,
    wanted: Callable[[], bool] = lambda: True,
) -> CheckResult:
    """Runs the examples of a text. It comes from `place`; sentences call that `path`.

    If it is `drawn`, the result holds what a picture of it shows.
    """
    question = questioned(exercise, work.text, place, _pristine(course, exercise)) | {
        "prelude": work.prelude,
        "mistakes": str(workspace.beside(course, exercise, ".mistakes")),
        "picture": _picture(course, exercise) if drawn else None,
    }
    answer = pool.ask(exercise, question, lambda at: on_place(str(at["example"])), wanted)
    facts = answer["facts"]
    known = answer.get("known", "")
    findings = tuple(_finding(fact, path, place, exercise, work.text, known) for fact in facts)
    if facts and all(fact["kind"] == "to do" for fact in facts):
        return CheckResult(exercise.id, path, Status.NOT_STARTED, answer["examples"], findings)
    status = Status.TO_FIX if facts else Status.PASSED
    if findings and (changed := _cured(findings[0], work.text)) is not None:
        tried = pool.ask(exercise, question | {"source": changed}, lambda _: None, wanted)
        findings = (_tried(findings[0], facts[0], tried["facts"]), *findings[1:])
    causes = {finding.cause for finding in findings}
    hints = tuple(h for h in silent.findings(work.text) if (h.cause, h.line) not in causes)
    picture: dict[str, Any] = {key: answer[key] for key in ("calls", "lines") if key in answer}
    return CheckResult(exercise.id, path, status, answer["examples"], findings, hints, picture)


def _cured(finding: Finding, text: str) -> str | None:
    advice = finding.advice
    return None if advice is None else cures.cured(text, advice.cause, advice.line)


def _tried(finding: Finding, before: dict[str, Any], after: list[dict[str, Any]]) -> Finding:
    """The finding with what became of its cure on a copy of the file."""
    same = ("kind", "line", "classes")
    if not after:
        said = f"{finding.todo} Tried on a copy of your file: with this change, its examples pass."
    elif all(before.get(key) == after[0].get(key) for key in same):
        said = f"Perhaps: {finding.todo} On a copy of your file, this alone did not help."
    else:
        said = f"{finding.todo} Tried on a copy of your file: with this change, the line works."
    return dataclasses.replace(finding, todo=said)


def _picture(course: Course, exercise: Exercise) -> str:
    """The course's picture of the exercise; empty if there is none."""
    place = workspace.beside(course, exercise, ".picture")
    return place.read_text(encoding="utf-8") if place.is_file() else ""


def questioned(exercise: Exercise, source: str, path: Path, pristine: str | None) -> dict[str, Any]:
    """What a process of the pool is asked about a file."""
    return {
        "source": source,
        "path": str(path),
        "pristine": pristine,
        "defines": list(exercise.defines),
        "output_kb": exercise.limits.output_kb,
    }


def _shown(path: Path) -> str:
    """The path as a student would type it here."""
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)


def _not_there(course: Course, stub: Path, path: str) -> str:
    known = set(workspace.files(course))
    beside = sorted(stub.parent.glob(f"*{stub.suffix}"))
    alike = [p for p in beside if stub.stem in p.stem.lower() and p not in known]
    if alike:
        return (
            f"There is no `{path}`, but there is `{alike[0].name}` beside it. "
            f"Rename that to `{stub.name}`: a file is known by its name."
        )
    original = workspace.installed()
    if original is not None and original.name == course.name:
        todo = "Give it its name back, or get a fresh one with `grader start`."
    else:
        todo = "Take it from the folder that you were given, and keep its name."
    return f"There is no `{path}`. Was it renamed or deleted? {todo}"


def _pristine(course: Course, exercise: Exercise) -> str | None:
    stub = workspace.pristine(course, exercise)
    try:
        return None if stub is None else stub.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _finding(
    fact: dict[str, Any], path: str, stub: Path, exercise: Exercise, text: str, known: str
) -> Finding:
    advice = None
    if fact["kind"] == "raised":
        spots = [Spot(*place) for place in fact["places"] if place[0] is not None]
        advice = explain(fact["classes"], spots, text, text=fact["text"])
    elif fact["kind"] == "wrong" and known:
        advice = Advice("known-mistake", f"Your results are those of a known mistake: {known}")
    elif "nan" in fact:
        advice = first_nan.advice(fact["line"], fact["code"].strip(), **fact["nan"])
    elif fact.get("relation"):
        cause, times = fact["relation"]
        lesson = lessons.RELATIONS[cause]
        advice = lesson.advice(cause, f"{_example(fact)} gives a result that", times=times)
    return Finding(
        sentence=advice.sentence if advice else _sentence(fact, path, stub, exercise),
        todo=advice.todo if advice else "",
        line=fact.get("line") or fact.get("at"),
        code=fact.get("code", "").strip(),
        text="" if advice or fact.get("is_claim") else _told(fact),
        example=fact.get("example", ""),
        expected=fact.get("expected", ""),
        got=_cut(fact.get("got", "").rstrip(), MAX_GOT),
        printed="" if fact["kind"] == "flood" else _cut(fact.get("printed", "").rstrip(), MAX_GOT),
        error=_error(fact, stub, is_new=advice is not None),
        advice=advice,
    )


def _told(fact: dict[str, Any]) -> str:
    """The sentence above a wrong example, which says what it shows."""
    text = str(fact.get("text_before", ""))
    is_sentence = text.endswith(":") and " " in text
    return text if fact["kind"] == "wrong" and is_sentence else ""


def _error(fact: dict[str, Any], stub: Path, *, is_new: bool) -> str:
    """JAX's or Python's own words, if the sentence shows less."""
    text = str(fact.get("text", "")).strip().replace(str(stub), stub.name)
    if fact["kind"] != "raised" or (text == _first_line(text) and not is_new):
        return ""
    # A page is named beside the advice.
    rows = [row for row in text.splitlines() if row.strip() and not row.startswith("See http")]
    return _cut("\n".join([f"{fact['error']}: {rows[0]}", *rows[1:]]) if rows else text, MAX_GOT)


def _sentence(fact: dict[str, Any], path: str, stub: Path, exercise: Exercise) -> str:
    line = fact.get("line")
    match fact["kind"]:
        case "to do":
            return (
                f"Not started: open `{path}` and replace line {line}, "
                "`raise NotImplementedError`, with your own code."
                f"{SAVED if stub.suffix == '.ipynb' else ''}"
            )
        case "syntax":
            return f"{f'Line {line}' if line else f'`{path}`'} is not Python: {fact['text']}."
        case "undefined":
            names = " and ".join(f"`{name}`" for name in fact["names"])
            return f"`{path}` does not define {names}. Keep the names that the stub came with."
        case "no examples":
            return (
                f"`{path}` has no examples left to run: its docstring is gone. Copy the docstring "
                "back from the folder that you were given."
            )
    return _about_an_example(fact, stub, exercise)


def _example(fact: dict[str, Any]) -> str:
    return f"The example at line {fact['at']}" if fact.get("at") else "An example of the stub"


def _about_an_example(fact: dict[str, Any], stub: Path, exercise: Exercise) -> str:
    limits = exercise.limits
    example = _example(fact)
    where = example if fact.get("example") else "Loading the file"
    place = f"Line {fact['line']}" if fact.get("line") else where
    if fact.get("none"):
        return f"`{fact['none']}` returns None: is a `return` missing?"
    match fact["kind"]:
        case "wrong":
            said = fact.get("difference")
            if fact.get("is_claim") and (text := _told(fact)):
                return f"{example} asks for this, and it isn't so yet: {text[:-1]}."
            return f"{example} is wrong: {said}." if said else f"{example} shows another result."
        case "nothing":
            return f"{example} gives None, where a result is expected."
        case "quiet":
            return f"{example} should raise an exception, and raises none."
        case "stopped":
            return f"{where} was stopped."
        case "hung":
            return (
                f"{where} was stopped after {limits.seconds:g} s. Is there a loop that never "
                "ends, or one that JAX has to unroll?"
            )
        case "died":
            return f"{where} ended the Python process ({_exit(fact['exit'])})."
        case "flood":
            return f"{place} prints too much: more than {limits.output_kb} KB in one example."
    name, returned = fact.get("returned") or ("", "")
    if fact.get("by_example") and returned:
        text = _first_line(fact["text"]).rstrip(".")
        return f"{example} can't use what `{name}` returned, {returned}: {text}."
    sentence = f"{place} raises {fact['error']}: {_first_line(fact['text'])}".rstrip(": ")
    sentence += "" if sentence.endswith((".", "!", "?")) else "."
    if returned:
        sentence += f" `{name}` returned {returned}."
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


def _first_line(text: str) -> str:
    return _cut(text.strip().partition("\n")[0], 300)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "..."
