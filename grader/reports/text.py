"""Grades in a terminal: the class as a table, a submission as a list of what is wrong.

Everything that comes from a student is shown as text: no markup, no control characters. It has
to be legible without colour, and in 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from grader.feedback import told
from grader.feedback.told import Told
from grader.model import Advice, ExerciseResult, Grade, Outcome, Problem, Run, Strength

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
# A terminal shows no more; the last row still counts all.
MOST_ROWS = 200
# Where a submission's name would get less, headings give way to numbers.
NAME_WIDTH = 16


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
    mark = f"mark\nof {number(max(grade.max_score for grade in run.submissions))}"
    headings, numbered = [*(name.replace("_", "\n") for name in names), mark], ""
    left = console.width - _width(headings, cells)
    if left < NAME_WIDTH:
        headings = [*(str(place) for place, _ in enumerate(names, 1)), mark]
        numbered = "  ".join(f"{place}={name}" for place, name in enumerate(names, 1))
        left = console.width - _width(headings, cells)
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("submission", no_wrap=True, overflow="ellipsis", max_width=max(left, 4))
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for grade, row in zip(run.submissions[:MOST_ROWS], cells, strict=False):
        score = Text(number(grade.score), style="bold")
        table.add_row(Text(line(grade.id, 60)), *row, score)
    table.add_section()
    right = [sum(all(_passed(e) for e in row[name]) for row in rows) for name in names]
    table.add_row("passed", *map(str, right), f"of {len(rows)}", style="dim")
    console.print(table)
    if len(rows) > MOST_ROWS:
        more = f"the first {MOST_ROWS} of {len(rows)}; all of them: `grader report DIR html csv`"
        console.print(Text(more), style="dim")
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


def _width(headings: Sequence[str], cells: Sequence[Sequence[Text]]) -> int:
    """What all columns but the first take, the space between them and before them included."""
    columns = zip(headings, *([*map(str, row), ""] for row in cells), strict=True)
    words = ([word for text in column for word in text.split("\n")] for column in columns)
    return 2 + sum(2 + max(map(len, column)) for column in words)


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
        _, sign, style = LOOKS[Outcome.MISSING]
        _block(f"missing: {', '.join(missing)}", 2, console, style, sign=(sign, style))
    for note in grade.notes:
        _block(f"{line(note.path)}: {line(note.reason, 600)}", 2, console, sign=("note", "yellow"))


def _tests(exercise: ExerciseResult, console: Console) -> None:
    """The lost tests, or what they were all lost by."""
    lost = [test for test in exercise.tests if test.outcome is not Outcome.PASSED]
    if not lost or _is_one_fault(exercise):
        _block(max((test.message for test in lost), key=len, default=exercise.message), 6, console)
        for cause in told.causes(exercise)[:1]:
            _advice(cause.advice, 6, console)
    else:
        for cause in told.causes(exercise):
            _cause(cause, console)
    for finding in exercise.findings:
        _block(f"Perhaps it is this: {line(finding.code)}", 6, console, sign=("?", "yellow"))
        _advice(finding, 10, console)


def _cause(cause: Told, console: Console) -> None:
    """The tests that one mistake breaks, and what is to be said of it, once."""
    for test in cause.tests:
        _, sign, style = LOOKS[test.outcome]
        cost = test.max_points - test.points
        said = f" (-{number(cost)})" if cost and test.outcome is not Outcome.BROKEN else ""
        _block(f"{line(test.title)}{said}", 6, console, sign=(sign, style))
        if not cause.message:
            _block(test.message, 10, console)
        if test.hint and cause.advice is not None:
            _block(f"Hint: {test.hint}", 10, console, "italic")
    _block(cause.message, 10, console)
    _advice(cause.advice, 10, console)
    if cause.advice is None and cause.tests[0].hint:
        _block(f"Hint: {cause.tests[0].hint}", 10, console, "italic")


def _advice(advice: Advice | None, indent: int, console: Console) -> None:
    """What it means, what to change, and where that is explained."""
    if advice is not None:
        _block(advice.sentence, indent, console)
        _block(advice.todo, indent, console)
        _block(f"More: {advice.page}" if advice.page else "", indent, console, "dim")


def _is_one_fault(exercise: ExerciseResult) -> bool:
    """Whether every test was lost in the same way, as by a file that can't be loaded.

    Where values are wrong, each title says what to look for.
    """
    outcomes = {test.outcome for test in exercise.tests}
    # A visible test says more in the lines that follow.
    messages = {test.message.partition("\n")[0] for test in exercise.tests}
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
    layers = ", ".join(run.environment.isolation) or "NONE: what was handed in could do anything"
    done = f"{counted(len(run.submissions), 'submission')} in {seconds:.0f} s"
    again = f"{run.environment.seed} (the same inputs again with `--seed`)"
    console.print()
    for label, said in (("isolation", layers), ("graded", done), ("seed", again)):
        _block(said, 0, console, sign=(f"{label:<9}", ""))


def undecided(run: Run, console: Console) -> None:
    """The races that noise left open, for the teacher: they earned full points."""
    for grade in run.submissions:
        for exercise in grade.exercises:
            for test in exercise.tests:
                if test.outcome is Outcome.UNDECIDED:
                    measured = "; ".join(map(str, test.races))
                    said = f"{line(grade.id, 60)}: {exercise.id} {test.id}: {measured}"
                    _block(f"{said}: no verdict, full points", 0, console, sign=("?", "yellow"))


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


def strengths(found: Iterable[Strength], console: Console) -> None:
    """A row for each exercise, and below it what nobody noticed."""
    from rich import box
    from rich.table import Table

    found = list(found)
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("exercise")
    for heading in ("killed", "survived", "equivalent"):
        table.add_column(heading, justify="right")
    for strength in found:
        counts = (strength.killed, len(strength.survivors), len(strength.equivalent))
        table.add_row(strength.exercise, *map(str, counts))
    console.print(table)
    for strength in found:
        if strength.survivors:
            _block(f"{strength.exercise}: nobody notices", 0, console, "bold")
        for survivor in strength.survivors:
            _block(survivor.change, 4, console, sign=(f"line {survivor.line}", "dim"))


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
        _block(f"A worker could {', '.join(open_ways)}.", 4, console)
        _block(f"It takes {advice[layer]}.", 4, console)


def _block(
    text: str, indent: int, console: Console, style: str = "", sign: tuple[str, str] | None = None
) -> None:
    """Text whose lines all start at the same column, after a sign or a label in its own style."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    if not text:
        return
    block = Table.grid(padding=(0, 1, 0, 0))
    cells = [Text(clean(text), style)]
    if sign is not None:
        cells.insert(0, Text(*sign))
        block.add_column(no_wrap=True)
    block.add_row(*cells)
    console.print(Padding(block, (0, 0, 0, indent), expand=False))
