"""The command for operators of machines that grade."""

from pathlib import Path

import click

from grader.commands.options import COURSE, course_at, terminal
from grader.errors import HostError


@click.command()
@COURSE
def doctor(course: Path | None) -> None:
    """Say which layers of isolation hold on this machine, by trying to break each one."""
    from grader import doctor as doctors
    from grader.screens import course as screen

    ways = doctors.examine(course_at(course))
    screen.isolation(ways, doctors.ADVICE, terminal())
    if any(ways.values()):
        weaker = "none" if all(ways.values()) else "available"
        raise HostError(
            "this machine can't grade with `--isolation required`. Mend what is listed above, or "
            f"grade code that you trust with `--isolation {weaker}`."
        )
