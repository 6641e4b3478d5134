"""The command for operators of machines that grade."""

from pathlib import Path

import click

from grader.commands.options import ANY_COURSE, course_at, terminal
from grader.records.errors import HostError


@click.command()
@ANY_COURSE
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def doctor(course: Path | None, as_json: bool) -> None:
    """Try to break each layer of isolation here."""
    from grader.engine.executors import doctor as doctors
    from grader.output.screens import course as screen
    from grader.records.model import pack

    examination = doctors.examine(course_at(course))
    if as_json:
        click.echo(pack(examination).decode())
    else:
        screen.isolation(examination, terminal())
    if not examination.layers:
        raise HostError("no sandbox starts on this machine, so it can't grade other people's code.")
    if not examination.holds:
        raise HostError(
            "this machine can't grade with `--isolation required`. Fix what is listed above, or "
            "grade code that you trust with `--isolation available`."
        )
