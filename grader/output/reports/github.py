"""A run, or the results of `grader check`, for GitHub Actions. A student's text is only data.

    Run | CheckResults --> Annotations --commands--> standard output, which the runner reads
                       --> Markdown ---------------> the file $GITHUB_STEP_SUMMARY
                       --> outputs ----------------> the file $GITHUB_OUTPUT

The runner reads a line as a command if it starts with `::`, or contains `##[`. It shows at most ten
errors and ten warnings of a step. So those that cost the most points come first, and the summary
holds all. In Markdown, a student's text is always code: no markup and no mention works there.
"""

import math
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from grader.feedback.causes import Cause, causes
from grader.output.reports import sentences
from grader.records import scoring
from grader.records.model import (
    Advice,
    CheckResult,
    ExerciseResult,
    Finding,
    Grade,
    Outcome,
    Run,
    TestResult,
)
from grader.records.safe_text import PRACTICE, clean, counted, line, mark, note, number

MOST_ANNOTATIONS = 10
"""Of each level in a step; the runner drops the others."""
SUMMARY_BYTES = 1 << 20
"""The runner refuses a longer summary as a whole."""
UNKNOWN = "unknown"
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


def publish(run: Run) -> None:
    """Summary and outputs of a run, where the runner wants them."""
    append(summary(run), outputs(run), os.environ)


def append(markdown: str, values: Mapping[str, str], environ: Mapping[str, str]) -> None:
    """Appends a summary and outputs to the files that the runner names, if it names any."""
    if where := environ.get("GITHUB_STEP_SUMMARY"):
        _append(Path(where), markdown)
    if where := environ.get("GITHUB_OUTPUT"):
        _append(Path(where), "".join(_output(name, value) for name, value in values.items()))


def guarded(text: str) -> str:
    """Text for the log, between lines that keep the runner from looking for commands in it."""
    token = secrets.token_hex(16)
    return f"::stop-commands::{token}\n{text.rstrip()}\n::{token}::\n"


def commands(annotations: Iterable[Annotation]) -> str:
    """As many annotations of each level as a step may have, and a notice about the others."""
    costliest = sorted(annotations, key=lambda annotation: -annotation.cost)
    shown: list[Annotation] = []
    left: list[str] = []
    for level in ("error", "warning", "notice"):
        of_level = [annotation for annotation in costliest if annotation.level == level]
        shown += of_level[:MOST_ANNOTATIONS]
        if (more := len(of_level) - MOST_ANNOTATIONS) > 0:
            left.append(counted(more, level))
    if left:
        message = f"{' and '.join(left)} more: the summary of this run contains everything."
        shown.append(Annotation("notice", "More in the summary", message))
    return "".join(map(_command, shown))


def annotated(run: Run, folder: str = "") -> list[Annotation]:
    """An annotation for each loss. `folder` is the submission's path in the repository.

    The files of a class are not in this repository, so its titles name the student instead.
    """
    is_class = len(run.submissions) > 1
    made = []
    if sentence := sentences.isolation(run.environment):
        made.append(Annotation("warning", "Isolation", sentence, cost=math.inf))
    for grade in run.submissions:
        who = f"{line(grade.id, 60)}: " if is_class else ""
        if grade.problem:
            title = f"{who}not graded"
            made.append(Annotation("error", title, grade.problem, cost=grade.max_score))
            continue
        for exercise in grade.exercises:
            path = "" if is_class else _joined(folder, exercise.path)
            made += _of_exercise(exercise, f"{who}{exercise.id}", path)
    return made


def summary(run: Run) -> str:
    """The whole run in Markdown: a student's work in full, a class as a table."""
    isolation = sentences.isolation(run.environment)
    blocks = _of_grade(run.submissions[0]) if len(run.submissions) == 1 else _of_class(run)
    return _fitting(chain([f"**{isolation}**"] if isolation else [], blocks))


def outputs(run: Run) -> dict[str, str]:
    """Values for later steps of a workflow. An unknown value is `unknown`, never 0."""
    known = all(grade.score is not None for grade in run.submissions)
    passed = all(map(scoring.keeps_points, run.submissions))
    values = {"passed": str(passed).lower() if known else UNKNOWN}
    if len(run.submissions) == 1:
        (grade,) = run.submissions
        score = UNKNOWN if grade.score is None else number(grade.score)
        values |= {"score": score, "max_score": number(grade.max_score)}
    return values


def check_annotated(results: Iterable[CheckResult]) -> list[Annotation]:
    """What `grader check` found, as annotations."""
    made = []
    for result in results:
        name, path = result.exercise, result.path
        for finding in result.findings if result.is_wrong else ():
            at = _at(finding.line, path)
            made.append(Annotation("error", name, _evidence(finding), path, at))
        for hint in result.hints:
            made.append(Annotation("warning", name, _advice(hint), path, _at(hint.line, path)))
    return made


def check_outputs(results: Iterable[CheckResult]) -> dict[str, str]:
    """`passed`: whether no exercise is wrong."""
    return {"passed": str(not any(result.is_wrong for result in results)).lower()}


def code(text: str) -> str:
    """Text as one line of code in Markdown, without any markup; it may be in a table."""
    inert = (c if c.isalnum() or c == " " else f"&#{ord(c)};" for c in line(text, 300))
    return f"<code>{''.join(inert)}</code>"


def fenced(text: str, most: int = _MOST_TEXT) -> str:
    """Text of many lines, between fences that are longer than any in it."""
    text = clean(text, most)
    fence = "`" * (1 + max(2, *map(len, re.findall("`+", text)), 2))
    return f"{fence}text\n{text}\n{fence}"


def _of_exercise(exercise: ExerciseResult, title: str, path: str) -> Iterator[Annotation]:
    """An error for each cause, however many tests it broke, and a warning for each finding."""
    if exercise.outcome is Outcome.BROKEN:
        message = "This can't be scored, because of a fault that is not yours."
        most = scoring.most([exercise])
        yield Annotation("warning", title, message, path, cost=most)
    for cause in causes(exercise):
        if cause.is_lost:
            lines = (_line(test, exercise.path) for test in cause.tests)
            at = next((at for at in lines if at is not None), None)
            cost = f"{title} ({f'-{number(cause.cost)}' if exercise.counts else PRACTICE})"
            level, points = ("error", cause.cost) if exercise.counts else ("warning", 0.0)
            yield Annotation(level, cost, _lost(cause), path, at, points)
    for finding in exercise.findings:
        at = _at(finding.line, exercise.path)
        yield Annotation("warning", title, _advice(finding), path, at)


def _lost(cause: Cause) -> str:
    """The message, the advice, and the tests that were lost."""
    message = cause.example.message.splitlines()
    advice = (_advice(test.advice).splitlines() for test in cause.tests if test.advice is not None)
    # Advice may repeat the message. Lines of the message itself may be equal, as rows of a matrix.
    more = [row for row in dict.fromkeys(chain.from_iterable(advice)) if row not in message]
    hint = {t.id: f" Hint: {t.hint}" for t in cause.tests if t.hint in cause.hints}
    tests = [f"- {t.title}{hint.get(t.id, '')}" for t in cause.tests]
    told = [*more, *message] if cause.is_named else [*message, *more]
    return "\n".join([*told, "Lost because of this:", *tests]).strip()


def _advice(advice: Advice) -> str:
    return "\n".join(part for part in (advice.sentence, advice.todo, advice.more) if part)


def _line(test: TestResult, path: str) -> int | None:
    """The line of the student's file that a test names."""
    if test.advice is not None and test.advice.line is not None:
        return _at(test.advice.line, path)
    named = re.search(rf"\bline (\d{{1,7}}) of `{re.escape(path)}`", test.message)
    return _at(int(named[1]), path) if named else None


def _at(line: int | None, path: str) -> int | None:
    """The line, or None for a notebook: its lines are not those that were graded."""
    return line if path.endswith(".py") else None


def _evidence(finding: Finding) -> str:
    rows = [f"{label:<8}  {clean(text)}" for label, text in finding.evidence]
    page = finding.advice.more if finding.advice is not None else ""
    said = (finding.sentence, finding.todo, *rows, page)
    return "\n".join(part for part in said if part)


def _joined(folder: str, path: str) -> str:
    return f"{folder}/{path}" if path and folder not in ("", ".") else path


def _of_grade(grade: Grade) -> Iterator[str]:
    yield f"## {code(grade.id)}: {mark(grade)}"
    if grade.score is None:
        yield (
            "**The mark is not known**: the course or the machine has a fault, not the "
            "student. Grade again when the fault is fixed."
        )
    if grade.problem:
        yield fenced(grade.problem)
        return
    seen = [e for e in grade.exercises if e.outcome is not Outcome.MISSING]
    if seen:
        rows = [(e.outcome.sign, code(e.id), e.outcome.word.lower(), mark(e)) for e in seen]
        yield _table(("", "exercise", "", "points"), rows)
    if missing := [e.id for e in grade.exercises if e.outcome is Outcome.MISSING]:
        yield f"Missing: {', '.join(map(code, missing))}"
    for exercise in seen:
        if not exercise.outcome.keeps_points or exercise.findings:
            yield f"### {exercise.outcome.sign} {code(exercise.id)}"
            yield fenced(_feedback(exercise))
    if grade.notes:
        yield "Not graded:"
        yield fenced("\n".join(map(note, grade.notes)))


def _feedback(exercise: ExerciseResult) -> str:
    rows = [f"in {line(exercise.path)}"] if exercise.path else []
    for loss in _of_exercise(exercise, "", ""):
        is_named = loss.line is None or f"line {loss.line}" in loss.message.lower()
        rows.append(f"\n{'' if is_named else f'Line {loss.line}: '}{clean(loss.message)}")
    rows += [
        f"\n{line(test.title)}\n{clean(test.message)}\nNo verdict: you keep the points."
        for test in exercise.tests
        if test.outcome is Outcome.UNDECIDED
    ]
    return "\n".join(rows).strip()


def _of_class(run: Run) -> Iterator[str]:
    yield f"## {code(run.course)}: {counted(len(run.submissions), 'submission')}"
    if unknown := sum(grade.score is None for grade in run.submissions):
        yield f"**{counted(unknown, 'mark')} not known**, due to a fault in the course or machine."
    rows = []
    for grade in run.submissions:
        passed = sum(exercise.outcome.keeps_points for exercise in grade.exercises)
        why = code(grade.problem) if grade.problem else ""
        rows.append((code(grade.id), mark(grade), f"{passed} of {len(grade.exercises)}", why))
    for start in range(0, len(rows), 200):
        yield _table(("submission", "mark", "passed", ""), rows[start : start + 200])


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [headings, ("---",) * len(headings), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _fitting(blocks: Iterable[str]) -> str:
    """As many blocks as the runner takes, and how many are left out."""
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
    given = ",".join(
        f"{key}={_data(line(value)).replace(':', '%3A').replace(',', '%2C')}"
        for key, value in properties.items()
        if value
    )
    return f"::{annotation.level} {given}::{_data(clean(annotation.message, _MOST_TEXT))}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _output(name: str, value: str) -> str:
    """A value of any number of lines, between delimiters that can't be predicted."""
    delimiter = f"grader-{secrets.token_hex(16)}"
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


def _append(path: Path, text: str) -> None:
    with open(path, "a", encoding="utf-8", errors="replace") as file:
        file.write(text)
