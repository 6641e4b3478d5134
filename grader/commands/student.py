"""Commands of a student's day."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.commands.options import COURSE, course_at, terminal


@click.command()
@click.argument("exercises", nargs=-1)
@COURSE
def check(exercises: tuple[str, ...], course: Path | None) -> None:
    """Run the examples of your stubs on your own code.

    For students: in a folder of stubs, all EXERCISES or the named ones. Needs no hidden tests
    and no sandbox.
    """
    from grader import check as checking
    from grader.reports import check as report

    loaded = course_at(course)
    console = terminal()
    results = checking.check(
        loaded, loaded.select(exercises), on_result=lambda r: report.result(r, console)
    )
    report.summary(results, console)
    sys.exit(0 if all(result.passed for result in results) else 1)
