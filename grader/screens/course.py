"""What authors and operators see: problems and strengths of a course, layers of isolation."""

from collections.abc import Iterable, Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.course import Course
from grader.model import Exercise, Problem, Strength
from grader.reports.safe_text import block, counted, line


def judging(course: Course, exercises: Sequence[Exercise], console: Console) -> None:
    """Which course judges, how many of its exercises, and from which folder."""
    of = "" if len(exercises) == len(course.exercises) else f"{len(exercises)} of "
    many = counted(len(course.exercises), "exercise")
    said = f"course    {line(course.name)}, {of}{many}, from {course.root or course.stubs}"
    console.print(line(said, 4000), markup=False, soft_wrap=True)


def problems(found: Iterable[Problem], console: Console) -> None:
    """Every finding about a course: where, what, and what to do."""
    for problem in found:
        block(problem.where, 0, console, "bold")
        block(problem.what, 4, console)
        block(problem.todo, 4, console, "italic")


def strengths(found: Iterable[Strength], console: Console) -> None:
    """A row for each exercise; below, the mutations that no test noticed."""
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
            block(f"{strength.exercise}: no test notices", 0, console, "bold")
        for survivor in strength.survivors:
            block(survivor.change, 4, console, sign=(f"line {survivor.line}", "dim"))


def isolation(
    ways: Mapping[str, Iterable[str]], advice: Mapping[str, str], console: Console
) -> None:
    """For each layer: that it holds, or which ways out are open, and what to do about them."""
    for layer, open_ways in ways.items():
        open_ways = list(open_ways)
        if not open_ways:
            console.print(Text.assemble(("✓ ", "green"), f"{layer:<12} holds"))
            continue
        console.print(Text.assemble(("✗ ", "red"), f"{layer:<12} does not hold"))
        block(f"A worker could {', '.join(open_ways)}.", 4, console)
        block(f"It needs {advice[layer]}.", 4, console)
