"""Grades in a terminal: the class as a table, a submission as a list of what is wrong.

Everything that comes from a student is shown as text: no markup, no control characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from grader.model import ExerciseResult, Grade, Outcome, Problem, Run

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# A word, a sign that survives without colour, and a colour; from the gravest on.
LOOKS = {
    Outcome.BROKEN: ("BROKEN", "#", "bold yellow"),
    Outcome.CRASHED: ("crashed", "×", "magenta"),
    Outcome.OUT_OF_MEMORY: ("out of memory", "▲", "magenta"),
    Outcome.TIMED_OUT: ("timed out", "⧗", "magenta"),
    Outcome.RAISED: ("raised", "!", "red"),
    Outcome.FAILED: ("failed", "✗", "red"),
    Outcome.MISSING: ("missing", "·", "dim"),
    Outcome.UNDECIDED: ("undecided", "?", "yellow"),
    Outcome.PASSED: ("passed", "✓", "green"),
}
# A terminal of 100 columns holds so many exercises; more are shown by topic.
MOST_COLUMNS = 10


def clean(text: str, most: int = 2000) -> str:
    """Text that can't move the cursor, ring, or pass for another line."""
    kept = "".join(c if c.isprintable() or c == "\n" else "�" for c in text[:most])
    return kept + ("…" if len(text) > most else "")


def number(value: float | None) -> str:
    return "?" if value is None else f"{value:g}"


def class_table(run: Run, console: Console) -> None:
    """One row a submission, one column an exercise (a topic, where there are many)."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
    table.add_column("submission", no_wrap=True, overflow="ellipsis", min_width=10)
    for name in _columns(run.submissions[0]):
        table.add_column(name.replace("_", "\n_"), justify="right", no_wrap=True)
    table.add_column("mark", justify="right", style="bold", no_wrap=True)
    table.add_column("of", justify="right", no_wrap=True)
    for grade in run.submissions:
        cells = [_cell(group) for group in _columns(grade).values()]
        table.add_row(
            Text(clean(grade.id, 60)), *cells, number(grade.score), number(grade.max_score)
        )
    console.print(table)
    used = {e.outcome for grade in run.submissions for e in grade.exercises}
    legend = Text("  ").join(
        Text(f"{sign} {word}", style=style)
        for outcome, (word, sign, style) in LOOKS.items()
        if outcome in used
    )
    console.print(legend)


def _columns(grade: Grade) -> dict[str, list[ExerciseResult]]:
    """The exercises of each column, by its heading."""
    many = len(grade.exercises) > MOST_COLUMNS
    columns: dict[str, list[ExerciseResult]] = {}
    for exercise in grade.exercises:
        columns.setdefault(exercise.id.split("/")[0 if many else 1], []).append(exercise)
    return columns


def submission(grade: Grade, console: Console) -> None:
    """What was right, and for what wasn't, why: in the words that the student gets."""
    from rich.text import Text

    mark = f"{number(grade.score)} of {number(grade.max_score)}"
    console.print(Text.assemble((clean(grade.id, 100), "bold"), f"  {mark}"))
    if grade.problem:
        console.print(Text(f"  {clean(grade.problem)}", style="yellow"))
    for exercise in grade.exercises:
        word, sign, style = LOOKS[exercise.outcome]
        points = f"{number(exercise.score)}/{number(exercise.max_score)}"
        console.print(Text.assemble((f"  {sign} {exercise.id}  ", style), f"{points}  {word}"))
        _tests(exercise, console)
    for note in grade.notes:
        console.print(Text(f"  note: {clean(note.path, 200)}: {clean(note.reason, 300)}", "dim"))


def notes(grade: Grade, console: Console) -> None:
    """What of a submission was not graded, and why."""
    from rich.text import Text

    if grade.problem:
        reasons = [grade.problem]
    else:
        reasons = [f"{note.path}: {note.reason}" for note in grade.notes]
    for reason in reasons:
        console.print(Text(f"{clean(grade.id, 60)}: {clean(reason, 400)}", style="yellow"))


def broken(run: Run, console: Console) -> None:
    """Each fault of ours once, with what is known about it."""
    from rich.text import Text

    seen = set()
    for grade in run.submissions:
        for exercise in grade.exercises:
            for test in exercise.tests:
                key = (exercise.id, test.id)
                if test.outcome is Outcome.BROKEN and key not in seen:
                    seen.add(key)
                    console.print(Text(f"BROKEN {exercise.id} {test.id}", style="bold yellow"))
                    console.print(Text(_indented(test.detail or test.message, 2)))
            if exercise.outcome is Outcome.BROKEN and not exercise.tests:
                console.print(Text(f"BROKEN {exercise.id}: {clean(exercise.message)}"))


def problems(found: Iterable[Problem], console: Console) -> None:
    """Every finding about a course."""
    for problem in found:
        console.print(f"{problem}", markup=False, highlight=False)


def isolation(
    ways: Mapping[str, Iterable[str]], advice: Mapping[str, str], console: Console
) -> None:
    """Layer by layer: holds, or which way was open and what to do about it."""
    from rich.text import Text

    for layer, open_ways in ways.items():
        open_ways = list(open_ways)
        if not open_ways:
            console.print(Text.assemble(("✓ ", "green"), f"{layer:<12} holds"))
            continue
        said = clean(", ".join(open_ways))
        console.print(Text.assemble(("✗ ", "red"), f"{layer:<12} a worker could {said}"))
        console.print(Text(f"  to mend it: {advice[layer]}"))


def _tests(exercise: ExerciseResult, console: Console) -> None:
    from rich.text import Text

    if exercise.message:
        console.print(Text(_indented(exercise.message, 6)))
    for test in exercise.tests:
        if test.outcome in (Outcome.PASSED, Outcome.MISSING):
            continue
        _, sign, style = LOOKS[test.outcome]
        console.print(
            Text.assemble(
                (f"      {sign} ", style), f"{clean(test.title)} (-{number(test.max_points)})"
            )
        )
        if test.message and test.message != exercise.message:
            console.print(Text(_indented(test.message, 10)))
        if test.hint:
            console.print(Text(_indented(f"Hint: {test.hint}", 10), style="italic"))


def _cell(group: list[ExerciseResult]) -> Text:
    """The gravest outcome of a column, and its points."""
    from rich.text import Text

    gravest = min((exercise.outcome for exercise in group), key=list(LOOKS).index)
    _, sign, style = LOOKS[gravest]
    if all(exercise.outcome is Outcome.MISSING for exercise in group):
        return Text(sign, style=style)
    scores = [exercise.score for exercise in group]
    known = [score for score in scores if score is not None]
    total = sum(known) if len(known) == len(scores) else None
    return Text(f"{sign} {number(total)}", style=style)


def _indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line for line in clean(text).splitlines())
