"""A run as plain text, for a file or a pipe: what a terminal shows, without its colours."""

from __future__ import annotations

import io

from grader.model import Run
from grader.reports import text

WIDTH = 100


def render(run: Run) -> str:
    """The class as a table, and then every submission by itself."""
    from rich.console import Console

    console = Console(file=io.StringIO(), width=WIDTH, highlight=False, color_system=None)
    if len(run.submissions) > 1:
        text.class_table(run, console)
    for graded in run.submissions:
        console.print()
        text.submission(graded, console)
    text.undecided(run, console)
    assert isinstance(console.file, io.StringIO)
    lines = (line.rstrip() for line in console.file.getvalue().splitlines())
    return "\n".join(lines).strip("\n") + "\n"
