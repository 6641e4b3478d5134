"""A run, or what `grader check` found, for GitHub Actions. Whatever a student wrote is data.

    Run | CheckResults --> Annotations --commands--> standard output, which the runner reads
                       --> Markdown ---------------> the file $GITHUB_STEP_SUMMARY
                       --> outputs ----------------> the file $GITHUB_OUTPUT

The runner takes a line for a command that starts with `::`, or holds `##[` anywhere; it shows ten
errors and ten warnings of a step, so the dearest come first and the summary holds all. In Markdown
a student's text stands in code alone, where GitHub sees neither markup nor a mention.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.check import CheckResult, Finding, Status
from grader.model import Advice, ExerciseResult, Grade, Outcome, Run, TestResult
from grader.reports import told
from grader.reports.text import LOOKS, clean, counted, line, number

MOST_ANNOTATIONS = 10
"""Of each level in a step; the runner drops what comes after."""
SUMMARY_BYTES = 1 << 20
"""The runner refuses a longer summary as a whole."""
UNKNOWN = "unknown"
_NOT_LOST = (Outcome.PASSED, Outcome.UNDECIDED, Outcome.BROKEN, Outcome.MISSING)
_MOST_TEXT = 4000


@dataclass(frozen=True)
class Annotation:
    """A sentence beside a student's line. `level` is error, warning or notice; `cost` in points."""

    level: str
    title: str
    message: str
    path: str = ""
    line: int | None = None
    cost: float = 0.0


def render(run: Run) -> str:
    """The annotations of a run as commands to the runner, a line each."""
    return commands(annotated(run))


def deliver(run: Run, path: Path | None) -> None:
    """Commands to `path` or standard output; summary and outputs where the runner wants them."""
    said = render(run)
    if path is None:
        print(said, end="", flush=True)
    else:
        path.write_text(said, encoding="utf-8")
    publish(summary(run), outputs(run), os.environ)


def publish(markdown: str, values: Mapping[str, str], environ: Mapping[str, str]) -> None:
    """Appends a summary and outputs to the files that the runner names, if it names any."""
    if where := environ.get("GITHUB_STEP_SUMMARY"):
        _append(Path(where), markdown)
    if where := environ.get("GITHUB_OUTPUT"):
        _append(Path(where), "".join(_output(name, value) for name, value in values.items()))


def guarded(text: str) -> str:
    """Text for the log, between lines that keep the runner from looking for commands in it."""
    token = secrets.token_hex(16)
    return f"::stop-commands::{token}\n{text.rstrip()}\n::{token}::\n"


def commands(found: Iterable[Annotation]) -> str:
    """As many annotations of each level as a step may have, and a notice about the others."""
    found = sorted(found, key=lambda annotation: -annotation.cost)
    shown: list[Annotation] = []
    left: list[str] = []
    for level in ("error", "warning", "notice"):
        of_level = [annotation for annotation in found if annotation.level == level]
        shown += of_level[:MOST_ANNOTATIONS]
        if (more := len(of_level) - MOST_ANNOTATIONS) > 0:
            left.append(counted(more, level))
    if left:
        more_told = f"{' and '.join(left)} more: the summary of this run holds everything."
        shown.append(Annotation("notice", "More in the summary", more_told))
    return "".join(map(_command, shown))


def annotated(run: Run, folder: str = "") -> list[Annotation]:
    """What was lost, and where. `folder` is the submission's own, as the repository knows it.

    In a class the files are not of this repository, so there a title names the student instead.
    """
    is_class = len(run.submissions) > 1
    found = []
    for grade in run.submissions:
        who = f"{line(grade.id, 60)}: " if is_class else ""
        if grade.problem:
            title = f"{who}not graded"
            found.append(Annotation("error", title, grade.problem, cost=grade.max_score))
            continue
        for exercise in grade.exercises:
            path = "" if is_class else _joined(folder, exercise.path)
            found += _of_exercise(exercise, f"{who}{exercise.id}", path)
    return found


def summary(run: Run) -> str:
    """The whole run in Markdown: a student's work in full, a class as a table."""
    if len(run.submissions) == 1:
        return _fitting(_of_grade(run.submissions[0]))
    return _fitting(_of_class(run))


def outputs(run: Run) -> dict[str, str]:
    """What later steps of a workflow can ask for. What can't be known is `unknown`, never 0."""
    known = all(grade.score is not None for grade in run.submissions)
    passed = all(_is_passed(e) for grade in run.submissions for e in grade.exercises)
    values = {"passed": str(passed).lower() if known else UNKNOWN}
    if len(run.submissions) == 1:
        (grade,) = run.submissions
        score = UNKNOWN if grade.score is None else number(grade.score)
        values |= {"score": score, "max_score": number(grade.max_score)}
    return values


def check_annotated(results: Iterable[CheckResult]) -> list[Annotation]:
    """What `grader check` found, as annotations; what nobody has started is no mistake."""
    found = []
    for result in results:
        name, path, has_lines = result.exercise, result.path, _has_lines(result.path)
        if result.status in (Status.TO_FIX, Status.MISSING):
            for finding in result.findings:
                at = finding.line if has_lines else None
                found.append(Annotation("error", name, _told(finding), path, at))
        for hint in result.hints:
            at = hint.line if has_lines else None
            found.append(Annotation("warning", name, _advice(hint), path, at))
    return found


def check_summary(results: Iterable[CheckResult]) -> str:
    """What `grader check` found, in Markdown."""
    results = list(results)
    counts = [(status, sum(r.status is status for r in results)) for status in Status]
    said = ", ".join(f"{count} {status}" for status, count in counts if count)
    blocks = [f"## {said or 'Nothing to check'}"]
    blocks.append(_table(("", "exercise"), [(r.status, code(r.exercise)) for r in results]))
    for result in results:
        if result.status in (Status.TO_FIX, Status.MISSING):
            blocks.append(f"### {code(result.exercise)}")
            told_of = [*map(_told, result.findings), *map(told.advice, result.hints)]
            blocks.append(fenced("\n\n".join(told_of)))
    if results and all(result.passed for result in results):
        blocks.append("All examples hold. The hidden tests ask for more than the examples show.")
    return _fitting(blocks)


def check_outputs(results: Iterable[CheckResult]) -> dict[str, str]:
    """Whether all that was started holds."""
    fine = (Status.PASSED, Status.NOT_STARTED)
    return {"passed": str(all(result.status in fine for result in results)).lower()}


def code(text: str) -> str:
    """Text on one line of Markdown, in a table too, that is nothing but text."""
    inert = (c if c.isalnum() or c == " " else f"&#{ord(c)};" for c in line(text, 300))
    return f"<code>{''.join(inert)}</code>"


def fenced(text: str) -> str:
    """Text of many lines, between fences that are longer than any in it."""
    text = clean(text, _MOST_TEXT)
    fence = "`" * (1 + max(2, *map(len, re.findall("`+", text)), 2))
    return f"{fence}text\n{text}\n{fence}"


def _of_exercise(exercise: ExerciseResult, title: str, path: str) -> Iterator[Annotation]:
    """An error for each cause, however many tests it broke, and a warning for each finding."""
    if exercise.outcome is Outcome.BROKEN:
        message = "This can't be scored, by a fault that is not yours."
        yield Annotation("warning", title, message, path, cost=exercise.max_score)
    causes: dict[object, list[TestResult]] = {}
    for test in exercise.tests:
        if test.outcome not in _NOT_LOST:
            known = test.advice and (test.advice.cause, test.advice.line)
            # A test whose inputs may be seen says more in the lines that follow.
            causes.setdefault(known or test.message.partition("\n")[0], []).append(test)
    for tests in causes.values():
        cost = sum(test.max_points - test.points for test in tests)
        at = next((at for test in tests if (at := _line(test, exercise.path)) is not None), None)
        yield Annotation("error", f"{title} (-{number(cost)})", _cause(tests), path, at, cost)
    for finding in exercise.findings:
        at = finding.line if _has_lines(exercise.path) else None
        yield Annotation("warning", title, _advice(finding), path, at)


def _cause(tests: list[TestResult]) -> str:
    """What went wrong, what to do about it, and which tests it lost."""
    parts = [max((test.message for test in tests), key=len)]
    for test in tests:
        if test.advice is not None:
            parts.append(_advice(test.advice))
    cause = "\n".join(dict.fromkeys(row for part in parts for row in part.splitlines()))
    lost = [f"- {test.title}{f' Hint: {test.hint}' if test.hint else ''}" for test in tests]
    return "\n".join([cause, "Lost by this:", *lost]).strip()


def _advice(advice: Advice) -> str:
    return "\n".join(part for part in (advice.sentence, advice.todo, advice.page) if part)


def _line(test: TestResult, path: str) -> int | None:
    """The student's own line that a test names."""
    if not _has_lines(path):
        return None
    if test.advice is not None and test.advice.line is not None:
        return test.advice.line
    named = re.search(rf"\bline (\d{{1,7}}) of `{re.escape(path)}`", test.message)
    return int(named[1]) if named else None


def _has_lines(path: str) -> bool:
    """Whether lines of the file are those that were graded: a notebook's are not."""
    return path.endswith(".py")


def _told(finding: Finding) -> str:
    shown = (
        ("example ", finding.example),
        ("expected", finding.expected),
        ("got     ", finding.got),
        ("printed ", finding.printed),
    )
    rows = [f"{label}  {clean(text)}" for label, text in shown if text]
    rows += [told.advice(finding.advice)] if finding.advice is not None else []
    return "\n".join([finding.sentence, *rows])


def _joined(folder: str, path: str) -> str:
    return f"{folder}/{path}" if path and folder not in ("", ".") else path


def _of_grade(grade: Grade) -> Iterator[str]:
    yield f"## {code(grade.id)}: {number(grade.score)} of {number(grade.max_score)}"
    if grade.score is None:
        yield (
            "**The mark is not known**, by a fault of the course or of the machine: "
            "not by one of the student's. Grade again when it is mended."
        )
    if grade.problem:
        yield fenced(grade.problem)
        return
    seen = [e for e in grade.exercises if e.outcome is not Outcome.MISSING]
    if seen:
        yield _table(("", "exercise", "", "points"), [_row(exercise) for exercise in seen])
    if missing := [e.id for e in grade.exercises if e.outcome is Outcome.MISSING]:
        yield f"Missing: {', '.join(map(code, missing))}"
    for exercise in seen:
        if not _is_passed(exercise) or exercise.findings:
            yield f"### {LOOKS[exercise.outcome][1]} {code(exercise.id)}"
            yield fenced(_feedback(exercise))
    if grade.notes:
        notes = "\n".join(f"{line(note.path)}: {line(note.reason, 600)}" for note in grade.notes)
        yield "Not graded:"
        yield fenced(notes)


def _feedback(exercise: ExerciseResult) -> str:
    """What a student reads about an exercise, cause by cause."""
    rows = [f"in {line(exercise.path)}"] if exercise.path else []
    for found in _of_exercise(exercise, "", ""):
        is_named = found.line is None or f"line {found.line}" in found.message.lower()
        rows.append(f"\n{'' if is_named else f'Line {found.line}: '}{clean(found.message)}")
    rows += [
        f"\n{line(test.title)}\n{clean(test.message)}\nNo verdict: you keep the points."
        for test in exercise.tests
        if test.outcome is Outcome.UNDECIDED
    ]
    return "\n".join(rows).strip()


def _of_class(run: Run) -> Iterator[str]:
    yield f"## {code(run.course)}: {counted(len(run.submissions), 'submission')}"
    unknown = sum(grade.score is None for grade in run.submissions)
    if unknown:
        yield f"**{counted(unknown, 'mark')} not known**, by a fault of the course or the machine."
    rows = []
    for grade in run.submissions:
        passed = sum(map(_is_passed, grade.exercises))
        marks = f"{number(grade.score)} of {number(grade.max_score)}"
        why = code(grade.problem) if grade.problem else ""
        rows.append((code(grade.id), marks, f"{passed} of {len(grade.exercises)}", why))
    for start in range(0, len(rows), 200):
        yield _table(("submission", "mark", "passed", ""), rows[start : start + 200])


def _row(exercise: ExerciseResult) -> tuple[str, ...]:
    word, sign, _ = LOOKS[exercise.outcome]
    points = f"{number(exercise.score)} of {number(exercise.max_score)}"
    return sign, code(exercise.id), word.lower(), points


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [headings, ("---",) * len(headings), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _is_passed(exercise: ExerciseResult) -> bool:
    return exercise.outcome in (Outcome.PASSED, Outcome.UNDECIDED)


def _fitting(blocks: Iterable[str]) -> str:
    """As many blocks as the runner takes, and a word on the others."""
    kept, left, size = [], 0, 200
    for block in blocks:
        size += len(block.encode(errors="replace")) + 2
        if size > SUMMARY_BYTES:
            left += 1
        else:
            kept.append(block)
    if left:
        kept.append(f"{counted(left, 'part')} more: too long for a summary.")
    return "\n\n".join(kept) + "\n"


def _command(annotation: Annotation) -> str:
    """One line to the runner, escaped by its own rules."""
    properties = {
        "file": annotation.path,
        "line": str(annotation.line or "") if annotation.path else "",
        "title": line(annotation.title, 200),
    }
    given = ",".join(f"{key}={_property(value)}" for key, value in properties.items() if value)
    return f"::{annotation.level} {given}::{_data(clean(annotation.message, _MOST_TEXT))}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(line(text)).replace(":", "%3A").replace(",", "%2C")


def _output(name: str, value: str) -> str:
    """A value of any number of lines, between delimiters that nobody can foresee."""
    delimiter = f"grader-{secrets.token_hex(16)}"
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


def _append(path: Path, text: str) -> None:
    with open(path, "a", encoding="utf-8", errors="replace") as file:
        file.write(text)
