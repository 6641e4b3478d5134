"""What commands share: options, the course, the terminal."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console

    from grader.course import Course

COURSE = click.option(
    "--course",
    type=click.Path(path_type=Path),
    help="The course's folder. Default: the one around this folder, else the installed course.",
)
ISOLATION = click.option(
    "--isolation",
    type=click.Choice(["required", "available", "none"]),
    default="required",
    show_default=True,
    help="If this machine lacks a layer of isolation: refuse, use the layers it has, or use none.",
)
SEED = click.option(
    "--seed", metavar="N", help="Use the same random inputs as an earlier run. Default: random."
)


def course_at(path: Path | None, *, or_installed: bool = True) -> Course:
    from grader import course as courses

    return courses.find(path, or_installed=or_installed)


def terminal(*, stderr: bool = False) -> Console:
    from rich.console import Console

    # If the terminal can't show a sign, an hour of grading must not end with an error.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False, stderr=stderr)


def show_step(console: Console, line: str) -> None:
    """Shows the current step, in a terminal only."""
    if console.is_terminal:
        console.print(line, style="dim", markup=False)
