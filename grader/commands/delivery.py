"""Commands that bring the grader to where students submit: CI and Gradescope.

tests: tests/delivery/test_ci.py, tests/delivery/test_gradescope.py
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.commands import options
from grader.records.errors import GraderError, UsageError

if TYPE_CHECKING:
    from grader.delivery.ci import CIReport


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option("--exercise", "exercises", multiple=True, help="Grade only this one. Repeatable.")
@options.ASSIGNMENT
@options.ISOLATION
@options.SEED
@click.option(
    "--course",
    type=click.Path(path_type=Path),
    help="Grade with the hidden suites of the course in this folder. Default: check examples.",
)
def ci(
    folder: Path,
    exercises: tuple[str, ...],
    assignment: str | None,
    course: Path | None,
    **terms: Any,
) -> None:
    """Check a student's work in CI.

    FOLDER is the work (default: here). With --course DIR, the work is graded with the hidden suites
    of that course. Annotates lines if GITHUB_ACTIONS is set. Exits with 1 if something fails.
    """
    from grader.delivery import ci as running
    from grader.output.screens import check as report

    try:
        if course is not None:
            loaded = options.judging_course(course)
            loaded, assignment = options.for_assignment(loaded, assignment)
            rule = loaded.assignment(assignment) if assignment else None
            exercises = (*exercises, *(rule.exercises if rule else ()))
            options.say_course(loaded, loaded.select(exercises))
            outcome = running.grade(loaded, folder, exercises, rule=rule, **terms)
        elif exercises or assignment:
            option = "--exercise" if exercises else "--assignment"
            raise UsageError(f"`{option}` is for grading: name the course with `--course DIR`.")
        else:
            outcome = running.check(folder, report.render)
        _say(outcome)
        if outcome.error is not None:
            raise outcome.error
    except GraderError as error:
        if not _in_actions():
            raise
        click.echo(running.error_log(error), nl=False)
        sys.exit(error.exit_code)
    sys.exit(1 if outcome.failed else 0)


def _say(outcome: CIReport) -> None:
    if _in_actions():
        click.echo(outcome.log(), nl=False)
        outcome.publish(os.environ)
        return
    outcome.show(options.terminal())


def _in_actions() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


@click.command()
@click.argument("target", type=click.Path(path_type=Path), metavar="DIR|FILE.zip")
@click.option("--exercise", "exercises", multiple=True, help="Only this one. Repeatable.")
@options.ASSIGNMENT
@click.option(
    "--minutes",
    type=click.IntRange(2, 40),
    default=10,
    show_default=True,
    help="The time limit that is set on Gradescope.",
)
@click.option(
    "--isolation",
    type=click.Choice(["required", "available"]),
    default="available",
    show_default=True,
    help="What to do if Gradescope's machine lacks a layer: give no mark, or use what there is.",
)
@options.JUDGING_COURSE
def gradescope(
    target: Path,
    exercises: tuple[str, ...],
    assignment: str | None,
    course: Path | None,
    **how: Any,
) -> None:
    """Build an autograder for Gradescope: a zip to upload.

    It contains the grader, the stubs, the suites and the solutions: keep it to yourself.
    """
    from grader.delivery import gradescope_bundle
    from grader.records.safe_text import counted

    loaded = options.judging_course(course)
    loaded, assignment = options.for_assignment(loaded, assignment)
    chosen = options.chosen_exercises(loaded, exercises, assignment)
    options.say_course(loaded, chosen)
    rule = loaded.assignment(assignment) if assignment else None
    written = gradescope_bundle.build(loaded, chosen, target, rule=rule, **how)
    size = f"{counted(len(chosen), 'exercise')}, {written.stat().st_size >> 10} KiB"
    click.echo(
        f"wrote {written}: {size}\n"
        "Upload it under Configure Autograder, with the newest Ubuntu as base image and 4.5 GB "
        f"of memory or more. Set the time limit to {how['minutes']} minutes, and the assignment's "
        "points to what the first graded submission is out of."
    )
