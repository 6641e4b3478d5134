"""Grades in a terminal: the class as a table, a submission as a list of what is wrong.

Everything that comes from a student is shown as text: no markup, no control characters. All of it
has to be legible without colour, and in 80 columns.
"""

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.course.course import shell_path
from grader.feedback.causes import Cause, causes
from grader.output.reports import sentences
from grader.records import scoring
from grader.records.model import Advice, Environment, ExerciseResult, Grade, Outcome, Run
from grader.records.safe_text import (
    PRACTICE,
    block,
    called,
    counted,
    line,
    mark,
    note,
    number,
    put,
    some,
)
from grader.records.scoring import is_excused

# Above points that a cheat could earn.
REPORTED = "points that rest on the student's word"
# With more exercises than this, a class has a column for each topic instead.
MOST_COLUMNS = 10
# A terminal shows at most so many students; the last row still counts all.
MOST_ROWS = 200
# The names of more missing exercises than this are left out.
MOST_MISSING = 12
# A sentence about many people names so many.
MOST_NAMED = 6
# If there is less room for a submission's name, headings become numbers.
NAME_WIDTH = 16


def class_table(run: Run, console: Console) -> None:
    """A row for each submission, a column for each exercise (for each topic if they are many)."""
    rows = [_columns(grade) for grade in run.submissions]
    names = list(rows[0])
    cells = [[_cell(group) for group in row.values()] for row in rows]
    last = f"mark\nof {number(max(grade.max_score for grade in run.submissions))}"
    headings, numbered = [*(name.replace("_", "\n") for name in names), last], ""
    left = console.width - _width(headings, cells)
    if left < NAME_WIDTH:
        headings = [*(str(place) for place, _ in enumerate(names, 1)), last]
        numbered = "  ".join(f"{place}={name}" for place, name in enumerate(names, 1))
        left = console.width - _width(headings, cells)
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("submission", no_wrap=True, overflow="ellipsis", max_width=max(left, 4))
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for grade, row in zip(run.submissions[:MOST_ROWS], cells, strict=False):
        score = Text("–" if is_excused(grade) else number(grade.score), style="bold")
        table.add_row(Text(line(called(grade), 60)), *row, score)
    table.add_section()
    right = [sum(all(e.outcome is Outcome.PASSED for e in row[n]) for row in rows) for n in names]
    table.add_row("passed", *map(str, right), f"of {len(rows)}", style="dim")
    console.print(table)
    if len(rows) > MOST_ROWS:
        more = f"the first {MOST_ROWS} of {len(rows)}; all of them: `grader report DIR html csv`"
        console.print(Text(more), style="dim")
    if numbered:
        console.print(Text(f"\n{numbered}"))
    console.print(_legend(run.submissions))
    words = [
        f"{name} {number(own)} of {number(most)}"
        for name, (own, most) in scoring.reported(run.submissions).items()
    ]
    if words:
        block(f"{REPORTED}: {', '.join(words)}", 0, console)


def _columns(grade: Grade) -> dict[str, list[ExerciseResult]]:
    """The exercises of each column, by its heading."""
    many = len(grade.exercises) > MOST_COLUMNS
    columns: dict[str, list[ExerciseResult]] = {}
    for exercise in grade.exercises:
        columns.setdefault(exercise.id.split("/")[0 if many else 1], []).append(exercise)
    return columns


def _width(headings: Sequence[str], cells: Sequence[Sequence[Text]]) -> int:
    """The width of all columns but the first, with the space before and between them."""
    columns = zip(headings, *([*map(str, row), ""] for row in cells), strict=True)
    words = ([word for text in column for word in text.split("\n")] for column in columns)
    return 2 + sum(2 + max(map(len, column)) for column in words)


def _cell(group: Sequence[ExerciseResult]) -> Text:
    gravest = min((exercise.outcome for exercise in group), key=lambda o: o.gravity)
    if all(exercise.outcome is Outcome.MISSING for exercise in group):
        return Text(gravest.sign, style=gravest.style)
    points = PRACTICE if scoring.is_practice(group) else number(scoring.total(group))
    return Text(f"{gravest.sign} {points}", style=gravest.style)


def _legend(grades: Iterable[Grade]) -> Text:
    """The signs that occur, best first."""
    used = {exercise.outcome for grade in grades for exercise in grade.exercises}
    ordered = sorted(used, key=lambda o: -o.gravity)
    return Text("   ").join(Text(f"{o.sign} {o.word}", style=o.style) for o in ordered)


def submission(grade: Grade, console: Console) -> None:
    """What was right, what was wrong, and why, in the words that the student gets."""
    put(Text.assemble((line(called(grade), 100), "bold"), f"  {mark(grade)}"), console)
    for step in sentences.handed_in(grade):
        block(step, 2, console)
    if grade.problem:
        block(grade.problem, 2, console, "yellow")
        return
    width = max((len(exercise.id) for exercise in grade.exercises), default=0)
    for result in grade.exercises:
        if result.outcome is not Outcome.MISSING:
            exercise(result, console, width)
    if missing := _missing(grade):
        sign, style = Outcome.MISSING.sign, Outcome.MISSING.style
        of = counted(len(grade.exercises), "exercise")
        few = len(missing) <= MOST_MISSING
        named = ", ".join(missing) if few else f"{len(missing)} of {of}"
        block(f"missing: {named}", 2, console, style, sign=(sign, style))
    for given in grade.notes:
        block(note(given), 2, console, sign=("note", "yellow"))


def exercise(result: ExerciseResult, console: Console, width: int = 0) -> None:
    """One exercise; its id takes up so much `width`."""
    outcome = result.outcome
    head = (f"  {outcome.sign} {result.id:<{width}}  {outcome.word:<7}", outcome.style)
    put(Text.assemble(head, f"  {mark(result)}"), console)
    _tests(result, console)


def only_some(grade: Grade, console: Console) -> None:
    """How to grade few exercises, where most of the course is missing."""
    if len(_missing(grade)) > MOST_MISSING:
        said = "To grade only some exercises, name them with `--exercise` or `--assignment`."
        block(said, 2, console, sign=("note", "yellow"))


def _missing(grade: Grade) -> list[str]:
    return [e.id for e in grade.exercises if e.outcome is Outcome.MISSING]


def _tests(exercise: ExerciseResult, console: Console) -> None:
    found = causes(exercise)
    if not found:
        block(exercise.message, 6, console)
    for cause in found:
        _cause(cause, exercise, console)
    for finding in exercise.findings:
        block(f"This may be the cause: {line(finding.code)}", 6, console, sign=("?", "yellow"))
        _advice(finding, 10, console)


def _cause(cause: Cause, exercise: ExerciseResult, console: Console) -> None:
    """The tests that one mistake breaks, with its message and advice once.

    Where values are wrong, each test's title says what to look for.
    """
    is_whole = len(cause.tests) == len(exercise.tests) > 1
    is_whole = is_whole and all(test.outcome is not Outcome.FAILED for test in cause.tests)
    indent, titled = (6, ()) if is_whole else (10, cause.tests)
    if is_whole:
        block(cause.extent(exercise), indent, console)
    for test in titled:
        outcome = test.outcome
        cost = test.max_points - test.points
        costs = cost and exercise.counts and outcome is not Outcome.BROKEN
        said = f" (-{number(cost)})" if costs else ""
        block(f"{line(test.title)}{said}", 6, console, sign=(outcome.sign, outcome.style))
    if cause.is_named:
        _advice(cause.advice, indent, console)
    block(cause.example.message, indent, console)
    if not cause.is_named:
        _advice(cause.advice, indent, console)
    for hint in () if is_whole else cause.hints:
        block(f"Hint: {hint}", indent, console, "italic")


def _advice(advice: Advice | None, indent: int, console: Console) -> None:
    if advice is not None:
        block(advice.sentence, indent, console)
        block(advice.todo, indent, console)
        block(f"More: {advice.more}" if advice.page else "", indent, console, "dim")


def notes(graded: Iterable[Grade], console: Console) -> None:
    """What was not graded, and what changed a mark; each sentence once, with all its people."""
    whose: dict[tuple[str, str], list[str]] = {}
    for grade in graded:
        for said in _said_of(grade):
            whose.setdefault(said, []).append(line(called(grade), 60))
    for (sentence, style), people in whose.items():
        block(f"{some(people, MOST_NAMED)}: {sentence}", 0, console, style)


def _said_of(grade: Grade) -> Iterator[tuple[str, str]]:
    """Sentences, each with its style."""
    if grade.problem:
        yield line(grade.problem, 600), "yellow"
    for given in () if grade.problem else grade.notes:
        is_own = given.path in (grade.id, called(grade))  # this stands before the sentence
        yield line(given.reason, 600) if is_own else note(given), "yellow"
    if grade.attempt_of:
        yield sentences.which_attempt(grade), ""
    for step in grade.adjustments:
        yield sentences.adjustment(step), ""


def footer(run: Run, seconds: float, console: Console, out: Path | None = None) -> None:
    """What isolated the submissions, how long grading took, and what to do next.

    `out` is where the results are.
    """
    held, missing = run.environment.isolation, ", ".join(run.environment.missing_layers)
    layers = ", ".join(held) or "NONE: submissions could do anything"
    layers += f"; MISSING: {missing}" if held and missing else ""
    done = f"{counted(len(run.submissions), 'submission')} in {seconds:.0f} s"
    again = f"{run.environment.seed} (the same inputs again with `--seed`)"
    rows = {"isolation": layers, "graded": done}
    if len(run.submissions) > 1:  # a table, which has no reasons
        folder = shell_path(out) if out else "DIR"
        shows = f"`grader report {folder} text` shows why points were lost"
        rows["reasons"] = shows if out else f"grade with `--out DIR`, then {shows}"
    console.print()
    for label, said in (rows | {"seed": again}).items():
        block(said, 0, console, sign=(f"{label:<9}", ""))


def told(said: Iterable[str], console: Console) -> None:
    """What a teacher should know about a run as a whole."""
    for each in said:
        block(each, 0, console, sign=("note", "yellow"))


def isolation(environment: Environment, console: Console) -> None:
    """For a report without a footer: what did not protect the marks."""
    block(sentences.isolation(environment), 0, console, "bold red")


def undecided(run: Run, console: Console) -> None:
    """For the teacher: the races without a verdict, because of noise. They earned full points."""
    for grade in run.submissions:
        for exercise in grade.exercises:
            for test in exercise.tests:
                if test.outcome is Outcome.UNDECIDED:
                    measured = "; ".join(map(str, test.races))
                    said = f"{line(grade.id, 60)}: {exercise.id} {test.id}: {measured}"
                    block(f"{said}: no verdict, full points", 0, console, sign=("?", "yellow"))


def broken(run: Run, console: Console) -> None:
    """Each fault of ours once, with its details."""
    faults: dict[str, str] = {}
    for exercise in (exercise for grade in run.submissions for exercise in grade.exercises):
        if exercise.outcome is Outcome.BROKEN and not exercise.tests:
            faults.setdefault(exercise.id, exercise.message)
        for test in exercise.tests:
            if test.outcome is Outcome.BROKEN:
                name = f"{exercise.id} {line(test.id)}"
                faults.setdefault(name, test.detail or test.message)
    for name, said in faults.items():
        console.print(Text(f"BROKEN {name}", style="bold yellow"))
        block(said, 2, console)


def render(run: Run) -> str:
    """The class as a table, and then every submission by itself."""

    def show(console: Console) -> None:
        isolation(run.environment, console)
        if len(run.submissions) > 1:
            class_table(run, console)
        for graded in run.submissions:
            console.print()
            submission(graded, console)
        undecided(run, console)

    return printed(show)


def printed(show: Callable[[Console], None], width: int = 100) -> str:
    """What `show` prints into a terminal of that width."""
    paper = io.StringIO()
    # With a height, and told that it is none, rich doesn't look for a terminal at each line.
    show(
        Console(
            file=paper,
            width=width,
            height=100,
            highlight=False,
            color_system=None,
            force_terminal=False,
        )
    )
    lines = (line.rstrip() for line in paper.getvalue().splitlines())
    return "\n".join(lines).strip("\n") + "\n"
