"""Commands of whoever runs the machines."""

from __future__ import annotations

from pathlib import Path

import click

from grader.commands.options import COURSE, course_at, terminal
from grader.errors import HostError


@click.command()
@COURSE
def doctor(course: Path | None) -> None:
    """Say which layers of isolation this machine gives, by trying to break each one."""
    from grader import doctor as doctors
    from grader.reports import text

    ways = doctors.examine(course_at(course))
    text.isolation(ways, doctors.ADVICE, terminal())
    if any(ways.values()):
        raise HostError(
            "this machine can't grade with `--isolation required`. Mend what is listed above, or "
            "grade code that you trust with `--isolation available`."
        )
