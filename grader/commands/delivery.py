"""Commands that bring the grader to where students hand in: CI and Gradescope."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.commands.options import COURSE, ISOLATION, SEED, course_at, terminal
from grader.errors import GraderError, HostError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from grader.changes import Changes
    from grader.course import Course
    from grader.reports.github import Annotation


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option("--base", metavar="REF", help="Compare with this branch, tag or commit.")
@click.option("--exercise", "exercises", multiple=True, help="Grade this one only. Repeatable.")
@ISOLATION
@SEED
@COURSE
def ci(
    folder: Path,
    base: str | None,
    exercises: tuple[str, ...],
    isolation: str,
    seed: str | None,
    course: Path | None,
) -> None:
    """Check what changed in a repository of a student's work.

    FOLDER is the work (default: here). With --course DIR, a course with hidden suites, it is
    graded instead. Annotates the lines where GITHUB_ACTIONS is set. Exits 1 if something fails.
    """
    from grader import changes as asking
    from grader.reports import github

    try:
        if not folder.is_dir():
            raise UsageError(f"there is no folder `{folder}`. Name the folder that holds the work.")
        changed = asking.find(folder, base, os.environ)
        if course is None:
            if exercises:
                raise UsageError(
                    "`--exercise` is for grading: name the course with `--course DIR`."
                )
            failed = _checked(folder, changed)
        else:
            loaded = course_at(course)
            failed = _graded(loaded, folder, changed, exercises, isolation, seed)
    except GraderError as error:
        if not _in_actions():
            raise
        click.echo(github.guarded(f"Error: {error}"), nl=False)
        told = github.Annotation("error", "The grader could not do its work", str(error))
        click.echo(github.commands([told]), nl=False)
        sys.exit(error.exit_code)
    sys.exit(1 if failed else 0)


def _checked(folder: Path, changed: Changes) -> bool:
    """Runs the public examples of what changed; whether one fails."""
    from grader import check, course
    from grader import ci as planning
    from grader.check import Status
    from grader.reports import check as report
    from grader.reports import github

    loaded = course.find(start=folder, or_installed=False)
    chosen = planning.to_check(loaded, changed)
    if not chosen:
        return _nothing(changed)
    results = planning.named_in_repository(check.check(loaded, chosen), changed)
    _tell(
        changed,
        lambda console: report.render(results, console),
        github.check_annotated(results),
        github.check_summary(results),
        github.check_outputs(results),
    )
    return any(result.status in (Status.TO_FIX, Status.MISSING) for result in results)


def _graded(
    course: Course,
    folder: Path,
    changed: Changes,
    names: Iterable[str],
    isolation: str,
    seed: str | None,
) -> bool:
    """Grades what changed with the course's hidden suites; whether something fails."""
    from grader import autograder, scoring
    from grader import ci as planning
    from grader.model import Outcome
    from grader.reports import formats, github, text

    submission, chosen = planning.to_grade(course, folder, changed, names)
    if not chosen:
        return _nothing(changed)
    run = autograder.grade(course, chosen, submission, isolation=isolation, seed=seed)
    (grade,) = run.submissions

    def show(console: Console) -> None:
        text.submission(grade, console)
        text.undecided(run, console)
        text.broken(run, console)

    shown = formats.public(run)
    _tell(
        changed,
        show,
        github.annotated(shown, changed.shown(folder.resolve())),
        github.summary(shown),
        github.outputs(shown),
    )
    if scoring.is_broken(grade):
        raise HostError(
            "the mark can't be known, by a fault of the course or of this machine. Mend what is "
            "listed above, and run again."
        )
    fine = (Outcome.PASSED, Outcome.UNDECIDED)
    return any(exercise.outcome not in fine for exercise in grade.exercises)


def _nothing(changed: Changes) -> bool:
    told = "No exercise of the course is among them: nothing to do."
    _tell(changed, lambda console: console.print(told), (), told, {"passed": "true"})
    return False


def _tell(
    changed: Changes,
    show: Callable[[Console], None],
    annotations: Iterable[Annotation],
    summary: str,
    outputs: dict[str, str],
) -> None:
    """Says it in the terminal; to GitHub's runner in a guard, on the lines and in the summary."""
    from rich.console import Console

    from grader.reports import github
    from grader.reports.text import line

    if not _in_actions():
        console = terminal()
        console.print(line(changed.why, 1000), markup=False, soft_wrap=True)
        console.print()
        show(console)
        return
    paper = io.StringIO()
    show(Console(file=paper, width=120, highlight=False, color_system=None))
    click.echo(github.guarded(f"{line(changed.why, 1000)}\n\n{paper.getvalue()}"), nl=False)
    click.echo(github.commands(annotations), nl=False)
    github.publish(f"{github.code(changed.why)}\n\n{summary}\n", outputs, os.environ)


def _in_actions() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


@click.command()
@click.argument("target", type=click.Path(path_type=Path), metavar="DIR|FILE.zip")
@click.option("--exercise", "exercises", multiple=True, help="Only this one. Repeatable.")
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
    help="What to do where Gradescope's machine lacks a layer: give no mark, or use what there is.",
)
@COURSE
def gradescope(
    target: Path, exercises: tuple[str, ...], minutes: int, isolation: str, course: Path | None
) -> None:
    """Make an autograder for Gradescope: a zip to upload.

    It holds the grader, the stubs, the suites and the solutions: keep it to yourself.
    """
    from grader import bundle
    from grader.reports.text import counted

    loaded = course_at(course)
    chosen = loaded.select(exercises)
    written = bundle.build(loaded, chosen, target, minutes=minutes, isolation=isolation)
    size = f"{counted(len(chosen), 'exercise')}, {written.stat().st_size >> 10} KiB"
    click.echo(
        f"wrote {written}: {size}\n"
        "Upload it under Configure Autograder, with the newest Ubuntu as base image and 3 GB or "
        f"more of memory. Set the time limit to {minutes} minutes, and the assignment's points to "
        "what the first graded submission is out of."
    )
