"""The command line: commands in groups, errors as text. It imports neither jax nor numpy."""

import errno
import os
import sys
from typing import Any

# Before all other imports, which fail on an older Python.
if sys.version_info < (3, 11):  # noqa: UP036  (for users of an older Python)
    sys.exit(
        "Error: this is Python {}.{}, but the course needs 3.11 or newer. Install a newer Python, "
        "create an environment with it, and install the course there.".format(*sys.version_info)
    )

import click

from grader import __version__
from grader.commands import author, delivery, lti, marks, operator, serve, student, teacher
from grader.records.errors import GraderError, HostError

SECTIONS = {
    "For students": (
        student.start,
        student.watch,
        student.hint,
        student.explain,
        student.show,
        student.list_,
        student.check,
        student.submit,
    ),
    "For teachers": (
        teacher.demo,
        teacher.grade,
        marks.report,
        marks.feedback,
        marks.decide,
        marks.diff,
        marks.similar,
    ),
    "For authors": (
        author.verify,
        author.mutate,
        author.sabotage,
        author.mistakes,
        author.race,
        author.new,
        author.handout,
    ),
    "For CI and platforms": (delivery.ci, delivery.gradescope, serve.serve),
    "For operators": (operator.doctor,),
}

serve.serve.add_command(lti.lti)


class _Group(click.Group):
    """Lists commands by kind of user, and turns a `GraderError` into its text and exit code."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(c.name or "", c.get_short_help_str(60)) for c in commands])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except GraderError as error:
            from grader.records.safe_text import clean

            click.echo(f"Error: {clean(str(error), 20_000)}", err=True)
            sys.exit(error.exit_code)
        except OSError as error:
            if error.errno == errno.EPIPE:  # `| head`
                raise
            click.echo(f"Error: {_refused(error)}", err=True)
            sys.exit(HostError.exit_code)


def _refused(error: OSError) -> str:
    """What this machine didn't do: no room, no permission, a folder that is gone."""
    try:
        os.getcwd()
    except OSError:
        return "the current folder is gone. Change to a folder that exists, and run this again."
    where = f" at `{error.filename}`" if error.filename else ""
    return (
        f"the operating system refused an operation{where}: {error.strerror or error}. Free some "
        "space, or grant permission, and run this again. Stored results are kept."
    )


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grader")
def main() -> None:
    """Grade JAX exercises in a sandbox, so that no submission can touch its mark."""


for section in SECTIONS.values():
    for command in section:
        main.add_command(command)


if __name__ == "__main__":
    main()
