"""The command `similar`: which programs of a class are equal, or nearly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.commands.options import (
    ASSIGNMENT,
    JUDGING_COURSE,
    ROSTER,
    chosen_exercises,
    handed_in,
    judging_course,
    terminal,
)
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.teacher.similar import SimilarWork


@click.command()
@click.argument("submissions", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--class",
    "classes",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Compare each file or folder in this folder as one student's submission. Repeatable.",
)
@click.option(
    "--exercise", "exercises", multiple=True, help="Only this exercise or topic. Repeatable."
)
@ASSIGNMENT
@ROSTER
@click.option(
    "--tokens",
    type=click.IntRange(1),
    metavar="N",
    default=40,
    show_default=True,
    help="List programs with N tokens or more. Shorter ones are counted: they are often alike.",
)
@click.option(
    "--export",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also write the programs into DIR, a new folder, as Dolos and compare50 read them.",
)
@JUDGING_COURSE
def similar(
    submissions: tuple[Path, ...],
    classes: tuple[Path, ...],
    exercises: tuple[str, ...],
    assignment: str | None,
    roster: Path | None,
    tokens: int,
    export: Path | None,
    course: Path | None,
) -> None:
    """List equal and nearly equal programs of a class.

    Nothing is executed, and nothing is judged: this is a list of what to read, not of who copied.
    """
    from grader.screens import similar as screen
    from grader.teacher import roster as rosters
    from grader.teacher.similar import SimilarWork

    people = rosters.read(roster) if roster else rosters.Roster(())
    loaded = judging_course(course, [*submissions, *classes])
    chosen = chosen_exercises(loaded, exercises, assignment)
    if not submissions and not classes:
        raise UsageError("nothing to compare: name submissions, or a class with `--class DIR`")
    if export is not None:
        _require_new(export, classes)
    work = SimilarWork(loaded, chosen, tokens, keep_answers=export is not None)
    unread = []
    for read in handed_in(submissions, classes, loaded, assignment):
        (one,) = people.known([read])
        work.add(one)
        unread += [] if one.sources else [one.id]
    console = terminal()
    screen.similar(work.found(), tokens, console)
    screen.unread(unread, console)
    if export is not None:
        screen.exported(str(export), _write(work, export), console)


def _require_new(folder: Path, classes: Sequence[Path]) -> None:
    """Files of an earlier export would be compared, too, and those in a class would be graded."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"`{folder}` isn't an empty folder. Name a new one with `--export DIR`.")
    for one in classes:
        if folder.resolve().is_relative_to(one.resolve()):
            raise UsageError(
                f"`{folder}` lies in the class folder `{one}`, where it would be taken for a "
                "student's work. Name a folder outside of it with `--export DIR`."
            )


def _write(work: SimilarWork, folder: Path) -> int:
    """Returns how many files were written."""
    from grader.files import write

    return len([write(folder / place, text) for place, text in work.exported()])
