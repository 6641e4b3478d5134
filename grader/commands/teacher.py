"""Commands for teachers that grade: `grade` and `demo`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.commands import options
from grader.records.errors import HostError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from grader.course.course import Course
    from grader.records.model import Exercise, Run, Submission
    from grader.teacher.roster import Roster

_REPORT = click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT[=PATH]",
    help="text, json, csv, canvas, moodle, junit, gradescope, github or html. Repeatable.",
)
_OUT = click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Store results in DIR: run.db, results.json and details.json. If stopped, the same "
    "command continues there. It judges only what is new.",
)
_JOBS = click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="How many judges run in parallel. Default: one per core, or fewer for little work.",
)


@click.command()
@click.argument("submissions", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--class",
    "classes",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Grade each file or folder in this folder as one student's submission. Also a download "
    "from Canvas (or its zip), Moodle, nbgrader, GitHub Classroom or Gradescope. Repeatable.",
)
@options.ROSTER
@click.option(
    "--exercise", "exercises", multiple=True, help="Grade only this exercise or topic. Repeatable."
)
@options.ASSIGNMENT
@_OUT
@_REPORT
@_JOBS
@click.option("--no-races", is_flag=True, help="Skip tests that measure speed.")
@click.option(
    "--executor",
    metavar="WHERE",
    default="local",
    show_default=True,
    help="Where judges run: here, or on a Dask cluster as tls://HOST:PORT, or dask://HOST:PORT "
    "without encryption (extra `dask`).",
)
@options.ISOLATION
@options.SEED
@options.JUDGING_COURSE
def grade(
    submissions: tuple[Path, ...],
    classes: tuple[Path, ...],
    roster: Path | None,
    exercises: tuple[str, ...],
    assignment: str | None,
    out: Path | None,
    course: Path | None,
    **terms: Any,
) -> None:
    """Grade submissions with the hidden suites.

    A submission is a .py file, a notebook, a zip or a folder. With `--out`, students who aren't
    named keep their marks from the last run there, all reports show the whole class, and the last
    roster is used until you give another.
    """
    from grader.engine.executors.client import launched_ahead

    ahead = None
    # Where results are stored, there may be nothing left to judge.
    if out is None and terms["executor"] == "local":
        ahead = click.get_current_context().with_resource(launched_ahead(terms["isolation"]))

    loaded = options.judging_course(course, [*submissions, *classes])
    loaded, assignment = options.for_assignment(loaded, assignment)
    chosen = options.chosen_exercises(loaded, exercises, assignment)
    people = options.people_of(roster) if roster else None
    work = options.handed_in(submissions, classes, loaded, assignment, skipped=out)
    if not work:
        raise UsageError("nothing to grade: name a submission, or a class with `--class DIR`")
    _graded(
        loaded,
        chosen,
        work,
        out,
        assignment=assignment or "",
        people=people,
        keeps_others=not classes,
        ahead=ahead,
        **terms,
    )


@click.command()
@_OUT
@_JOBS
@options.ISOLATION
@options.SEED
@options.JUDGING_COURSE
def demo(out: Path | None, course: Path | None, **terms: Any) -> None:
    """Grade a small class that comes with the course."""
    import tempfile

    from grader.engine.executors.client import launched_ahead
    from grader.teacher import demo as demos

    ahead = click.get_current_context().with_resource(launched_ahead(terms["isolation"]))
    loaded = demos.excerpt(options.judging_course(course))
    with tempfile.TemporaryDirectory(prefix="grader-demo-") as folder:
        options.terminal().print(f"{demos.make_class(loaded, Path(folder))}\n", markup=False)
        work = options.handed_in((), [Path(folder)], loaded, None)
        _graded(loaded, loaded.exercises, work, out, ahead=ahead, **terms)


def _graded(
    course: Course,
    exercises: tuple[Exercise, ...],
    submissions: list[Submission],
    out: Path | None,
    *,
    people: Roster | None = None,
    keeps_others: bool = False,
    no_races: bool = False,
    reports: tuple[str, ...] = (),
    **terms: Any,
) -> None:
    """Grades, shows progress and marks, writes reports, and ends with the run's exit code.

    The other `terms` are those of `Grader`.
    """
    import time

    from grader.api import Grader
    from grader.delivery import formats
    from grader.output.reports import results
    from grader.output.screens import grades
    from grader.output.screens.run_progress import Live

    ours = [] if out is None else [out / name for name in results.NAMES]
    targets = formats.targets(reports, ours)
    if out is not None:
        results.prepare(out)
    # A report on standard output is for a program, so people read on the other stream.
    console = options.terminal(stderr=any(target.path is None for target in targets))
    options.say_course(course, exercises)
    started = time.monotonic()
    names = [exercise.id for exercise in exercises]
    grader = Grader(course, names, store=out, races=not no_races, **terms)
    with options.interruptible(_kept(out), console), grader:
        submissions = grader.of_class(submissions, people, keeps_others=keeps_others)
        with Live(options.terminal(stderr=True)) as live:
            run = grader.grade_class(submissions, live.show)
        # Files are written first, so that an error of the terminal loses no mark.
        written = [] if out is None else results.write(run, out)
        written += [path for target in targets if (path := target.deliver(run))]
        _show(run, console)
        grades.told(grader.told, console)
        for target in targets:
            grades.told(target.format.told(run), console)
        grades.footer(run, time.monotonic() - started, console, out)
        for path in written:
            console.print(f"wrote     {path}", markup=False, soft_wrap=True)
        _fail_if_unknown(run, console)


def _show(run: Run, console: Console) -> None:
    from grader.output.screens import grades

    if len(run.submissions) == 1:
        grades.submission(run.submissions[0], console)
        grades.only_some(run.submissions[0], console)
    else:
        grades.class_table(run, console)
        grades.notes(run.submissions, console)
    grades.undecided(run, console)


def _fail_if_unknown(run: Run, console: Console) -> None:
    from grader.output.screens import grades
    from grader.records import scoring
    from grader.records.safe_text import counted

    unknown = sum(scoring.is_broken(graded) for graded in run.submissions)
    grades.broken(run, console)
    if unknown:
        raise HostError(
            f"{unknown} of {counted(len(run.submissions), 'mark')} can't be known, because of a "
            "fault in the course or this machine. The others are final. Fix what is listed above, "
            "and grade again."
        )


def _kept(out: Path | None) -> str:
    if out is None:
        return "Nothing was kept. With `--out DIR`, the same command continues where it stopped."
    return f"What was graded is kept in `{out}`; the same command continues there."
