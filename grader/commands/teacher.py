"""Commands for teachers: mark a class, and compare two runs."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.commands.options import (
    ASSIGNMENT,
    ISOLATION,
    JUDGING_COURSE,
    SEED,
    judging_course,
    say_course,
    terminal,
)
from grader.errors import HostError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from grader.course import Course
    from grader.model import Exercise, Run, Submission

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
    help="Store results in DIR: run.db, results.json and details.json. After a stop, the same "
    "command continues there. It judges only what is new.",
)
_JOBS = click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="How many judges run at once. Default: one for each core, or fewer for little work.",
)


@click.command()
@click.argument("submissions", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--class",
    "class_folder",
    type=click.Path(path_type=Path),
    help="Grade each file or folder in this folder as one student's submission.",
)
@click.option(
    "--exercise", "exercises", multiple=True, help="Grade only this exercise or topic. Repeatable."
)
@ASSIGNMENT
@_OUT
@_REPORT
@_JOBS
@click.option(
    "--executor",
    metavar="WHERE",
    default="local",
    show_default=True,
    help="Where judges run: here, or on a Dask cluster as dask://HOST:PORT (extra `dask`).",
)
@ISOLATION
@SEED
@JUDGING_COURSE
def grade(
    submissions: tuple[Path, ...],
    class_folder: Path | None,
    exercises: tuple[str, ...],
    assignment: str | None,
    out: Path | None,
    course: Path | None,
    **options: Any,
) -> None:
    """Grade submissions with the hidden suites.

    A submission is a .py file, a notebook, a zip or a folder.
    """
    handed_in = [*submissions, *([class_folder] if class_folder else [])]
    loaded = judging_course(course, handed_in)
    if assignment and exercises:
        raise UsageError("`--assignment` names the exercises already: leave `--exercise` out.")
    chosen = loaded.select(exercises if not assignment else loaded.assignment(assignment).exercises)
    found = _read(submissions, class_folder, loaded, out)
    _graded(loaded, chosen, found, out, assignment=assignment or "", **options)


@click.command()
@_OUT
@_JOBS
@ISOLATION
@SEED
@JUDGING_COURSE
def demo(out: Path | None, course: Path | None, **options: Any) -> None:
    """Make a class of right, wrong and hostile submissions, and grade it."""
    import tempfile

    from grader.teacher import demo as demos

    loaded = demos.excerpt(judging_course(course))
    with tempfile.TemporaryDirectory(prefix="grader-demo-") as folder:
        terminal().print(f"{demos.make_class(loaded, Path(folder))}\n", markup=False)
        found = _read((), Path(folder), loaded)
        _graded(loaded, loaded.exercises, found, out, **options)


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
def diff(old: str, new: str | None) -> None:
    """Show whose marks changed between two runs, and why.

    OLD and NEW are folders that `grade --out` wrote, or one run in them as DIR@NUMBER. With a
    single folder, its last run is compared with the run before.
    """
    from grader.screens import diff as screen
    from grader.teacher import diff as diffs

    screen.changes(diffs.between(*diffs.stored_runs(old, new)), terminal())


def _read(
    paths: Sequence[Path], class_folder: Path | None, course: Course, out: Path | None = None
) -> list[Submission]:
    """Reads all submissions. `out`, the folder for results, is never one of them."""
    from grader.intake import reader

    found = [reader.read(path, course) for path in paths]
    if class_folder is not None:
        skipped = out.name if out and out.resolve().parent == class_folder.resolve() else None
        found += [s for s in reader.read_class(class_folder, course) if s.id != skipped]
    if not found:
        raise UsageError("nothing to grade: name a submission, or a class with `--class DIR`")
    return found


def _graded(
    course: Course,
    exercises: tuple[Exercise, ...],
    submissions: list[Submission],
    out: Path | None,
    *,
    jobs: int | None,
    isolation: str,
    seed: str | None,
    executor: str = "local",
    assignment: str = "",
    reports: tuple[str, ...] = (),
) -> None:
    """Grades, shows progress and marks, writes reports, and ends with the run's exit code."""
    import time

    from grader.reports import formats, results, text
    from grader.screens.live import Live
    from grader.teacher.grader import Grader

    ours = [] if out is None else [out / name for name in results.NAMES]
    targets = formats.targets(reports, ours)
    if out is not None:
        results.prepare(out)
    # A report on standard output is for a program, so people read on the other stream.
    console = terminal(stderr=any(target.path is None for target in targets))
    say_course(course, exercises)
    started = time.monotonic()
    grader = Grader(
        course,
        [exercise.id for exercise in exercises],
        seed=seed,
        jobs=jobs,
        isolation=isolation,
        store=out,
        executor=executor,
        assignment=assignment,
    )
    with _interruptible(out, console), grader, Live(terminal(stderr=True)) as live:
        run = grader.grade_class(submissions, live.show)
    # Files are written first, so that an error of the terminal loses no mark.
    written = [] if out is None else results.write(run, out)
    written += [path for target in targets if (path := target.deliver(run))]
    _show(run, console)
    text.footer(run, time.monotonic() - started, console)
    for path in written:
        console.print(f"wrote     {path}", markup=False, soft_wrap=True)
    _fail_if_unknown(run, console)


def _show(run: Run, console: Console) -> None:
    from grader.reports import text

    if len(run.submissions) == 1:
        text.submission(run.submissions[0], console)
    else:
        text.class_table(run, console)
        for graded in run.submissions:
            text.notes(graded, console)
    text.undecided(run, console)


def _fail_if_unknown(run: Run, console: Console) -> None:
    from grader import scoring
    from grader.reports import text
    from grader.reports.safe_text import counted

    unknown = sum(scoring.is_broken(graded) for graded in run.submissions)
    if unknown:
        text.broken(run, console)
        raise HostError(
            f"{unknown} of {counted(len(run.submissions), 'mark')} can't be known, by a fault "
            "of the course or of this machine. The others are final. Mend what is listed above, "
            "and grade again."
        )


@contextlib.contextmanager
def _interruptible(out: Path | None, console: Console) -> Iterator[None]:
    """Ends a run cleanly after Ctrl-C or SIGTERM, and says how to continue."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        kept = (
            f"What was graded is kept in `{out}`; the same command continues there."
            if out is not None
            else "Nothing was kept. With `--out DIR` the same command continues where it stopped."
        )
        console.print(f"Stopped. {kept}", markup=False, soft_wrap=True)
        sys.exit(128 + signal.SIGINT)
    finally:
        signal.signal(signal.SIGTERM, before)


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.argument("reports", nargs=-1, required=True, metavar="FORMAT[=PATH]...")
def report(results: Path, reports: tuple[str, ...]) -> None:
    """Write a graded run in other formats.

    RESULTS is a results.json, or the folder that was given to --out. A FORMAT is text, json, csv,
    canvas, moodle, junit, gradescope, github or html; without a PATH it goes to standard output
    (html: to report.html, here).
    """
    from grader.reports import formats
    from grader.reports import results as result_files

    targets = formats.targets(reports)
    run = result_files.read(results)
    for target in targets:
        if path := target.deliver(run):
            click.echo(f"wrote {path}", err=True)


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
def feedback(results: Path, folder: Path) -> None:
    """Write one HTML page per student, with nothing of any other student.

    RESULTS is a results.json, or the folder that was given to --out.
    """
    from grader.reports import html
    from grader.reports import results as result_files
    from grader.reports.safe_text import counted

    run = result_files.read(results)
    result_files.prepare(folder)
    written = html.write_feedback(run, folder)
    click.echo(f"wrote {counted(len(written), 'page')} to {folder}", err=True)
