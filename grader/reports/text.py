"""Grades in a terminal: the class as a table, a submission as a list of what is wrong.

Everything that comes from a student is shown as text: no markup, no control characters. It has
to be legible without colour, and in 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
# With more exercises than these the columns of a class are its topics.
MOST_COLUMNS = 10
# A submission's name gets at least this much; then headings give way to numbers.
NAME_WIDTH = 18


def clean(text: str, most: int = 2000) -> str:
    """Text that can't move the cursor, ring, or hide what stands before it."""
    shown = text[:most].expandtabs(4)
    kept = "".join(c if c.isprintable() or c == "\n" else "�" for c in shown)
    return kept + ("…" if len(text) > most else "")


def line(text: str, most: int = 200) -> str:
    """The same on one line: it can't pass for another one."""
    return clean(text, most).replace("\n", "�")


def number(value: float | None) -> str:
    return "?" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def class_table(run: Run, console: Console) -> None:
    """One row a submission, one column an exercise (a topic, where there are many)."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = [_columns(grade) for grade in run.submissions]
    names = list(rows[0])
    cells = [[_cell(group) for group in row.values()] for row in rows]
    headings, numbered = _headings(names, cells, console.width)
    most = max(grade.max_score for grade in run.submissions)
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("submission", no_wrap=True, overflow="ellipsis", ratio=1)
    for heading in (*headings, f"mark\nof {number(most)}"):
        table.add_column(heading, justify="right", no_wrap=True)
    for grade, row in zip(run.submissions, cells, strict=True):
        mark = Text(number(grade.score), style="bold")
        table.add_row(Text(line(grade.id, 60)), *row, mark)
    table.add_section()
    right = [sum(all(_passed(e) for e in row[name]) for row in rows) for name in names]
    table.add_row(f"passed, of {len(rows)}", *map(str, right), "", style="dim")
    console.print(table)
    if numbered:
        console.print(Text(f"\n{numbered}"))
    console.print(_legend(run.submissions))


def _columns(grade: Grade) -> dict[str, list[ExerciseResult]]:
    """The exercises of each column, by its heading."""
    many = len(grade.exercises) > MOST_COLUMNS
    columns: dict[str, list[ExerciseResult]] = {}
    for exercise in grade.exercises:
        columns.setdefault(exercise.id.split("/")[0 if many else 1], []).append(exercise)
    return columns


def _headings(
    names: Sequence[str], cells: Sequence[Sequence[Text]], width: int
) -> tuple[list[str], str]:
    """The columns' headings, a word a line; numbers and what they stand for if those don't fit."""
    words = [name.replace("_", "\n") for name in names]
    for name, *column in zip(words, *cells, strict=True):
        width -= max(len(part) for part in [*name.split("\n"), *map(str, column)]) + 2
    # The last column is the mark.
    if width >= NAME_WIDTH + 9:
        return words, ""
    numbers = [str(place) for place, _ in enumerate(names, 1)]
    return numbers, "  ".join(f"{n} {name}" for n, name in zip(numbers, names, strict=True))


def _cell(group: Sequence[ExerciseResult]) -> Text:
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


def _passed(exercise: ExerciseResult) -> bool:
    return exercise.outcome is Outcome.PASSED


def _legend(grades: Iterable[Grade]) -> Text:
    """The signs that occur, from the best on."""
    from rich.text import Text

    used = {exercise.outcome for grade in grades for exercise in grade.exercises}
    looks = [LOOKS[outcome] for outcome in reversed(LOOKS) if outcome in used]
    return Text("   ").join(Text(f"{sign} {word}", style=style) for word, sign, style in looks)


def submission(grade: Grade, console: Console) -> None:
    """What was right, and for what wasn't, why: in the words that the student gets."""
    from rich.text import Text

    mark = f"{number(grade.score)} of {number(grade.max_score)}"
    console.print(Text.assemble((line(grade.id, 100), "bold"), f"  {mark}"))
    if grade.problem:
        _block(grade.problem, 2, console, "yellow")
        return
    width = max((len(exercise.id) for exercise in grade.exercises), default=0)
    for exercise in grade.exercises:
        word, sign, style = LOOKS[exercise.outcome]
        if exercise.outcome is not Outcome.MISSING:
            points = f"{number(exercise.score)} of {number(exercise.max_score)}"
            head = (f"  {sign} {exercise.id:<{width}}  {word:<7}", style)
            console.print(Text.assemble(head, f"  {points}"))
            _tests(exercise, console)
    missing = [e.id for e in grade.exercises if e.outcome is Outcome.MISSING]
    if missing:
        _block(f"· missing: {', '.join(missing)}", 2, console, "dim")
    for note in grade.notes:
        _block(f"note: {line(note.path)}: {line(note.reason, 400)}", 2, console, "yellow")


def _tests(exercise: ExerciseResult, console: Console) -> None:
    """The lost tests. A message that they share is said once."""
    from rich.text import Text

    lost = [test for test in exercise.tests if test.outcome is not Outcome.PASSED]
    shared = exercise.message if len(lost) != 1 else ""
    if shared:
        _block(shared, 6, console)
    if shared and _is_one_fault(exercise):
        return
    for test in lost:
        _, sign, style = LOOKS[test.outcome]
        cost = test.max_points - test.points
        said = f" (-{number(cost)})" if cost and test.outcome is not Outcome.BROKEN else ""
        console.print(Text.assemble((f"      {sign} ", style), f"{line(test.title)}{said}"))
        if test.message and test.message != shared:
            _block(test.message, 10, console)
        if test.hint:
            _block(f"Hint: {test.hint}", 10, console, "italic")


def _is_one_fault(exercise: ExerciseResult) -> bool:
    """Whether every test was lost in the same way, as by a file that can't be loaded.

    Wrong values may be wrong for one reason each; then titles and hints are worth reading.
    """
    outcomes = {test.outcome for test in exercise.tests}
    messages = {test.message for test in exercise.tests}
    return len(outcomes) == len(messages) == 1 and Outcome.FAILED not in outcomes


def notes(grade: Grade, console: Console) -> None:
    """What of a submission was not graded, and why."""
    if grade.problem:
        reasons = [grade.problem]
    else:
        reasons = [f"{line(note.path)}: {note.reason}" for note in grade.notes]
    for reason in reasons:
        _block(f"{line(grade.id, 60)}: {line(reason, 600)}", 0, console, "yellow")


def footer(run: Run, seconds: float, console: Console) -> None:
    """What stood between the machine and the submissions, and how to see the same again."""
    from rich.text import Text

    layers = ", ".join(run.environment.isolation) or "NONE: what was handed in could do anything"
    count = counted(len(run.submissions), "submission")
    console.print(Text(f"\nisolation  {layers}"))
    console.print(
        Text(
            f"graded     {count} in {seconds:.0f} s; "
            f"the same inputs again with `--seed {run.environment.seed}`"
        )
    )


def broken(run: Run, console: Console) -> None:
    """Each fault of ours once, with what is known about it."""
    from rich.text import Text

    faults: dict[tuple[str, str], str] = {}
    for grade in run.submissions:
        for exercise in grade.exercises:
            if exercise.outcome is Outcome.BROKEN and not exercise.tests:
                faults.setdefault((exercise.id, ""), exercise.message)
            for test in exercise.tests:
                if test.outcome is Outcome.BROKEN:
                    faults.setdefault((exercise.id, test.id), test.detail or test.message)
    for (exercise_id, test_id), said in faults.items():
        console.print(Text(f"BROKEN {exercise_id} {line(test_id)}".rstrip(), style="bold yellow"))
        _block(said, 2, console)


def problems(found: Iterable[Problem], console: Console) -> None:
    """Every finding about a course: where, what, and what to do."""
    for problem in found:
        _block(problem.where, 0, console, "bold")
        _block(problem.what, 4, console)
        _block(problem.todo, 4, console, "italic")


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
        console.print(Text.assemble(("✗ ", "red"), f"{layer:<12} does not hold"))
        _block(f"a worker could {', '.join(open_ways)}", 15, console)
        _block(f"to mend it: {advice[layer]}", 15, console)


def _block(text: str, indent: int, console: Console, style: str = "") -> None:
    """Text in lines that all start at the same column."""
    from rich.padding import Padding
    from rich.text import Text

    console.print(Padding(Text(clean(text), style), (0, 0, 0, indent), expand=False))
