"""What commands share: options, the course that is meant, the terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console

    from grader.course import Course

COURSE = click.option(
    "--course",
    type=click.Path(path_type=Path),
    help="The course's folder. Default: found upward from here, else the installed one.",
)
ISOLATION = click.option(
    "--isolation",
    type=click.Choice(["required", "available", "none"]),
    default="required",
    show_default=True,
    help="What to do where this machine lacks a layer: refuse, use what there is, or use none.",
)
SEED = click.option("--seed", metavar="N", help="Repeat a run's inputs. Default: random.")


def course_at(path: Path | None, *, or_installed: bool = True) -> Course:
    from grader import course as courses

    return courses.find(path, or_installed=or_installed)


def terminal(*, stderr: bool = False) -> Console:
    from rich.console import Console

    # A terminal without a sign for "passed" is no reason to lose an hour of grading.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False, stderr=stderr)


def stepper(console: Console) -> Callable[[str], None]:
    return (
        (lambda line: console.print(line, style="dim", markup=False))
        if console.is_terminal
        else (lambda _: None)
    )
