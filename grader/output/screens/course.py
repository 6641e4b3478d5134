"""What authors and operators see: problems and strengths of a course, layers of isolation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.records.model import Basis, Exercise, Problem
from grader.records.safe_text import block, counted, line

if TYPE_CHECKING:
    # The author's tools take JAX, which no other command has to wait for.
    from grader.author.strength import Strength
    from grader.course.course import Course
    from grader.engine.executors.doctor import Examination


def judging(course: Course, exercises: Sequence[Exercise], console: Console) -> None:
    """Which course judges, how many of its exercises, and from which folder."""
    total = len(course.known)
    of = "" if len(exercises) == total else f"{len(exercises)} of "
    many = counted(total, "exercise")
    said = f"course    {line(course.name)}, {of}{many}, from {course.root or course.stubs}"
    console.print(line(said, 4000), markup=False, soft_wrap=True)
    if course.lacks and len(exercises) == len(course.exercises):
        block(course.lacks, 0, console, sign=("note", "yellow"))


def problems(found: Iterable[Problem], console: Console) -> None:
    """Every finding about a course: where, what, and what to do."""
    for problem in found:
        block(problem.where, 0, console, "bold")
        block(problem.what, 4, console)
        block(problem.todo, 4, console, "italic")


def notes(found: Iterable[Problem], console: Console) -> None:
    """What is no problem, and worth a change."""
    for each in found:
        block(f"{each.where} {each.what}. {each.todo}", 0, console, sign=("note", "yellow"))


def remembered(results: int, console: Console) -> None:
    """How many results earlier runs have kept."""
    if results:
        console.print(
            f"{counted(results, 'result')} from earlier runs; `--again` judges everything"
        )


def basis(points: Mapping[str, Mapping[Basis, float]], course: Course, console: Console) -> None:
    """How many points of a mark rest on what a student's process says, and what is for practice."""
    in_marks = {name: kinds for name, kinds in points.items() if course[name].counts}
    reported = {name: kinds[Basis.REPORT] for name, kinds in in_marks.items()}
    exercises = [f"{name} {given:g}" for name, given in reported.items() if given]
    if exercises:
        total = sum(given for kinds in in_marks.values() for given in kinds.values())
        said = f"{sum(reported.values()):g} of {total:g} points rest on what a student's process "
        block(f"{said}reports: {', '.join(exercises)}.", 0, console)
    if practice := [name for name in points if name not in in_marks]:
        block(f"For practice, not in any mark: {', '.join(practice)}.", 0, console)


def in_numpy(exercises: Sequence[str], word: str, console: Console) -> None:
    """What wasn't tried, since these changes are those of code in JAX."""
    if exercises:
        said = f"Not tried, since each {word} is for JAX code, and these use NumPy: "
        block(f"{said}{', '.join(exercises)}.", 0, console)


def strengths(found: Iterable[Strength], console: Console) -> None:
    """A row for each exercise; below, the changes that no test noticed."""
    found = list(found)
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("exercise")
    for heading in ("killed", "survived", "declared"):
        table.add_column(heading, justify="right")
    for strength in found:
        counts = (strength.killed, len(strength.survivors), len(strength.declared))
        table.add_row(strength.exercise, *map(str, counts))
    console.print(table)
    for strength in found:
        if strength.survivors:
            block(f"{strength.exercise}: no test notices", 0, console, "bold")
        for survivor in strength.survivors:
            block(survivor.change, 4, console, sign=(survivor.note, "dim"))


def isolation(found: Examination, console: Console) -> None:
    """Which layers hold and what carries them, and for each that doesn't what to do."""
    for layer in found.layers:
        if not layer.open:
            console.print(Text.assemble(("✓ ", "green"), f"{layer.name:<12} holds"))
            continue
        console.print(Text.assemble(("✗ ", "red"), f"{layer.name:<12} does not hold"))
        block(f"A worker could {', '.join(layer.open)}.", 4, console)
        block(layer.advice, 4, console)
    if found.error:
        console.print(Text.assemble(("✗ ", "red"), "no sandbox starts"))
        block(found.error, 4, console)
        block(found.advice, 4, console)
    where = "on a machine" if found.place == "machine" else f"in {found.place}"
    block(f"{found.kernel}, {found.processor}, as {found.user} {where}.", 0, console)
    if found.layers:
        carriers = dict.fromkeys(name for layer in found.layers for name in layer.carried_by)
        block(f"Carried by {', '.join(carriers)}.", 0, console)
        _names(found, console)


def _names(found: Examination, console: Console) -> None:
    """Landlock hides what is in a file, not that it exists."""
    if not found.named:
        return
    block(f"A worker can't read `{found.named[0]}`, but can see that it exists.", 0, console)
    if found.user == "root":
        todo = "To hide it, let only root enter its folder (`chmod 700`)."
        if found.uid:
            todo = f"Workers have no uid of their own, which would hide it: {found.uid}."
        block(todo, 4, console, "italic")
