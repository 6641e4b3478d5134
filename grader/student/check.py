"""`grader check`: runs the examples of a stub on the student's own code, and says what is wrong.

    file --workspace--> Question --example_pool--> process: JAX and the student's code (examples)
                                                                     |
    CheckResult <--notebooks--- Findings <--words, autofix-- Facts <-+

A student's own code needs no sandbox on the student's own machine, and macOS and Windows have
none. So an ordinary process runs it, and answers in records (`grader.student.facts`).
"""

import dataclasses
import signal
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from grader.course.course import Course
from grader.feedback import first_nan, lessons, silent
from grader.feedback.explain import explain
from grader.records.errors import SubmissionError
from grader.records.model import Advice, CheckResult, Exercise, Finding, Status
from grader.student import autofix, facts, notebooks, workspace
from grader.student.example_pool import ExamplePool

SAVED = " If you have done so, save the notebook: the check reads the file on disk."
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
    place = workspace.place(course, exercise)
    path = _shown(place.file)
    try:
        work = workspace.read(place.file, exercise)
    except FileNotFoundError:
        finding = Finding(_not_there(course, place.file, path))
        return CheckResult(exercise.id, path, Status.MISSING, findings=(finding,))
    except (OSError, SubmissionError) as error:
        why = f"can't be read: {error.strerror}" if isinstance(error, OSError) else str(error)
        finding = Finding(f"`{path}` {why}.")
        return CheckResult(exercise.id, path, Status.TO_FIX, findings=(finding,))
    result = check_work(place, pool, work, path, drawn=drawn, on_place=on_place, wanted=wanted)
    return notebooks.in_cells(result, work.cells)


def check_work(
    place: workspace.Place,
    pool: ExamplePool,
    work: workspace.Work,
    path: str,
    *,
    drawn: bool = False,
    on_place: Callable[[str], None] = lambda _: None,
    wanted: Callable[[], bool] = lambda: True,
) -> CheckResult:
    """Runs the examples of a text that is at `place`; sentences call its file `path`.

    If it is `drawn`, the result holds what a picture of it shows.
    """
    exercise = place.exercise
    picture = place.picture if drawn else None
    question = questioned(exercise, work, place.file, place.stub_text, str(place.mistakes), picture)
    question = replace(question, answers=place.answers or None)
    answer = pool.ask(exercise, question, lambda at: on_place(at.example.source), wanted)
    stub = place.stub_text or work.text
    file = _File(path, place.file, exercise, work.text, answer.known, stub)
    findings = tuple(_finding(fact, file) for fact in answer.facts)
    if findings and all(isinstance(fact, facts.ToDo) for fact in answer.facts):
        is_begun = any(_is_begun(fact, file) for fact in answer.facts)
        status = Status.TO_FIX if is_begun else Status.NOT_STARTED
        return CheckResult(exercise.id, path, status, answer.examples, findings)
    if not findings and exercise.has_program and place.is_untouched:
        as_it_was = Finding(f"`{path}` is still the original program.")
        return CheckResult(exercise.id, path, Status.NOT_STARTED, answer.examples, (as_it_was,))
    if findings and (changed := _cured(findings[0], work.text)) is not None:
        tried = pool.ask(exercise, replace(question, source=changed), lambda _: None, wanted)
        findings = (_tried(findings[0], answer.facts[0], tried.facts), *findings[1:])
    hints = silent.findings(work.text, (finding.advice for finding in findings))
    green = Status.UNJUDGED if exercise.kind == "predict" and not place.answers else Status.PASSED
    status = Status.TO_FIX if findings else Status.FLAWED if hints else green
    return CheckResult(exercise.id, path, status, answer.examples, findings, hints, answer.picture)


def _cured(finding: Finding, text: str) -> str | None:
    advice = finding.advice
    return None if advice is None else autofix.cured(text, advice.cause, advice.line)


def _tried(finding: Finding, before: facts.Fact, after: Sequence[facts.Fact]) -> Finding:
    """The finding with what became of its cure on a copy of the file."""
    if not after:
        said = f"{finding.todo} Tried on a copy of your file: with this change, its examples pass."
    elif _place_and_kind(before) == _place_and_kind(after[0]):
        said = f"Perhaps: {finding.todo} On a copy of your file, this alone did not help."
    else:
        said = f"{finding.todo} Tried on a copy of your file: with this change, the line works."
    return dataclasses.replace(finding, todo=said)


def _place_and_kind(fact: facts.Fact) -> tuple[object, ...]:
    return type(fact), fact.line, isinstance(fact, facts.Uncaught) and fact.classes


def questioned(
    exercise: Exercise,
    work: workspace.Work,
    path: Path,
    pristine: str | None,
    mistakes: str = "",
    picture: str | None = None,
) -> facts.Question:
    """What a process of the pool is asked about a text."""
    return facts.Question(
        work.text,
        work.prelude,
        str(path),
        pristine,
        exercise.defines,
        exercise.limits.output_kb,
        exercise.id,
        mistakes,
        picture,
    )


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
            f"There is no `{path}`, but there is `{alike[0].name}` next to it. Rename that to "
            f"`{stub.name}`: a file is identified by its name."
        )
    original = workspace.installed()
    if original is not None and original.name == course.name:
        todo = "Restore its name, or get a fresh one with `grader start`."
    else:
        todo = "Copy it from the folder that you were given, and keep its name."
    return f"There is no `{path}`. Was it renamed or deleted? {todo}"


# From a fact to words


@dataclass(frozen=True)
class _File:
    """A file that was checked, and the known mistake that its examples show."""

    path: str
    place: Path
    exercise: Exercise
    text: str
    known: tuple[str, str]
    stub: str


def _finding(fact: facts.Fact, file: _File) -> Finding:
    about = fact.example
    advice = _advice(fact, file)
    return Finding(
        sentence=advice.sentence if advice else _sentence(fact, file),
        todo=advice.todo if advice else "",
        line=fact.line or about.line,
        code=fact.code.strip(),
        text=_promise(fact)
        if isinstance(fact, facts.Wrong) and not (advice or fact.is_claim)
        else "",
        example=about.source,
        expected=about.expected,
        got=_cut(fact.got.rstrip(), MAX_GOT) if isinstance(fact, facts.Wrong | facts.Quiet) else "",
        printed="" if isinstance(fact, facts.Flood) else _cut(about.printed.rstrip(), MAX_GOT),
        error=_error(fact, file, has_advice=advice is not None),
        advice=advice,
    )


def _advice(fact: facts.Fact, file: _File) -> Advice | None:
    match fact:
        case facts.Uncaught():
            return explain(fact.classes, fact.spots, file.text, text=fact.text)
        case facts.Wrong() if file.known[0]:
            says, todo = file.known
            return Advice("known-mistake", f"{lessons.SAME_RESULTS}{says}", todo)
        case facts.Wrong(line=int(line), nan=facts.FirstNan(given, backwards)):
            return first_nan.advice(line, fact.code.strip(), backwards=backwards, given=given)
        case facts.Wrong(relation=(cause, times)):
            subject = f"{_example(fact)} gives a result that"
            return lessons.RELATIONS[cause].advice(cause, subject, times=times)
    return None


def _is_begun(fact: facts.Fact, file: _File) -> bool:
    """Whether the line above the `raise` of a stub is the student's own."""
    rows = (row.strip() for row in file.text.splitlines()[: (fact.line or 1) - 1])
    code = [row for row in rows if row and not row.startswith("#")]
    return bool(code) and code[-1] not in file.stub


def _promise(fact: facts.Wrong) -> str:
    """The sentence above a wrong example, which says what it shows."""
    text = fact.example.text_before
    return text if text.endswith(":") and " " in text else ""


def _error(fact: facts.Fact, file: _File, *, has_advice: bool) -> str:
    """JAX's or Python's own words, if the sentence shows less."""
    if not isinstance(fact, facts.Uncaught):
        return ""
    text = fact.text.strip().replace(str(file.place), file.place.name)
    if text == _first_line(text) and not has_advice:
        return ""
    # A page is named beside the advice.
    rows = [row for row in text.splitlines() if row.strip() and not row.startswith("See http")]
    return _cut("\n".join([f"{fact.classes[0]}: {rows[0]}", *rows[1:]]) if rows else text, MAX_GOT)


def _example(fact: facts.Fact) -> str:
    line = fact.example.line
    return f"The example at line {line}" if line else "An example of the stub"


def _where(fact: facts.Fact) -> str:
    return _example(fact) if fact.example.source else "Loading the file"


def _sentence(fact: facts.Fact, file: _File) -> str:
    path, limits = file.path, file.exercise.limits
    match fact:
        case facts.ToDo() if _is_begun(fact, file):
            return (
                f"Line {fact.line} still raises NotImplementedError. Replace it with your code, "
                "or delete it if your code is above it."
            )
        case facts.ToDo():
            return (
                f"Not started: open `{path}` and replace line {fact.line}, "
                "`raise NotImplementedError`, with your own code."
                f"{SAVED if file.place.suffix == '.ipynb' else ''}"
            )
        case facts.NotPython():
            where = f"Line {fact.line}" if fact.line else f"`{path}`"
            return f"{where} is not Python: {fact.text}."
        case facts.Undefined():
            names = " and ".join(f"`{name}`" for name in fact.names)
            return f"`{path}` does not define {names}. Keep the names that the stub came with."
        case facts.NoExamples():
            return (
                f"`{path}` has no examples left to run: its docstring is gone. Copy the docstring "
                "back from the folder that you were given."
            )
        case facts.Wrong():
            return _result(fact)
        case facts.Mispredicted():
            wrong = ", ".join(map(str, fact.entries))
            return f"Wrong entries, counted from 0: {wrong}. Try them out, and find the reason."
        case facts.Nothing() | facts.Uncaught() if fact.none:
            return f"`{fact.none}` returns None: is a `return` missing?"
        case facts.Nothing():
            return f"{_example(fact)} gives None, where a result is expected."
        case facts.Quiet():
            return f"{_example(fact)} should raise an exception, but raises none."
        case facts.Uncaught():
            return _exception(fact, file)
        case facts.Flood():
            place = f"Line {fact.line}" if fact.line else _where(fact)
            return f"{place} prints too much: more than {limits.output_kb} KB in one example."
        case facts.Stopped():
            return f"{_where(fact)} was stopped."
        case facts.Hung():
            return (
                f"{_where(fact)} was stopped after {limits.seconds:g} s. Is there a loop that "
                "never ends, or one that JAX has to unroll?"
            )
        case facts.Died():
            return f"{_where(fact)} ended the Python process ({_exit(fact.exit)})."


def _result(fact: facts.Wrong) -> str:
    if fact.is_claim and (text := _promise(fact)):
        return f"{_example(fact)} requires this, but it isn't true yet: {text[:-1]}."
    is_wrong = f"is wrong: {fact.difference}." if fact.difference else "shows a different result."
    return f"{_example(fact)} {is_wrong}"


def _exception(fact: facts.Uncaught, file: _File) -> str:
    text = _first_line(fact.text)
    name, returned = fact.returned or ("", "")
    if fact.by_example and returned == "a function":
        return f"`{name}` returned an uncalled function: call it, and return the result."
    if fact.by_example and returned:
        return f"{_example(fact)} can't use what `{name}` returned, {returned}: {text.rstrip('.')}."
    place = f"Line {fact.line}" if fact.line else _where(fact)
    sentence = f"{place} raises {fact.classes[0]}: {text}".rstrip(": ")
    sentence += "" if sentence.endswith((".", "!", "?")) else "."
    if returned:
        sentence += f" `{name}` returned {returned}."
    if not fact.example.source:
        sentence += " So the file can't be loaded."
    module = fact.module.partition(".")[0]
    if module and (file.place.parent / f"{module}.py").is_file():
        sentence += f" Each file is graded alone: copy what you need from `{module}.py` into it."
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
