"""Commands of whoever gives marks."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.commands.options import COURSE, ISOLATION, SEED, course_at, terminal
from grader.commands.reporting import REPORT
from grader.errors import HostError

if TYPE_CHECKING:
    from rich.console import Console

    from grader.course import Course
    from grader.model import Exercise, Run, Submission

INTERRUPTED = 130
_OUT = click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep results in DIR: run.db, results.json and details.json. The same command goes on "
    "where it stopped, and judges only what is new.",
)
_JOBS = click.option(
    "--jobs", type=click.IntRange(1), metavar="N", help="Judges at once. Default: one a core."
)


@click.command()
@click.argument("submissions", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--class",
    "class_folder",
    type=click.Path(path_type=Path),
    help="Grade every child of this folder as one student's submission.",
)
@click.option("--exercise", "exercises", multiple=True, help="Grade this one only. Repeatable.")
@_OUT
@REPORT
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
@COURSE
def grade(
    submissions: tuple[Path, ...],
    class_folder: Path | None,
    exercises: tuple[str, ...],
    out: Path | None,
    reports: tuple[str, ...],
    jobs: int | None,
    executor: str,
    isolation: str,
    seed: str | None,
    course: Path | None,
) -> None:
    """Grade submissions with the hidden suites.

    A submission is a .py file, a notebook, a zip or a folder.
    """
    from grader import pipeline

    loaded = course_at(course)
    chosen = loaded.select(exercises)
    handed_in = pipeline.submissions(submissions, class_folder, loaded, out)
    _graded(loaded, chosen, handed_in, out, reports, isolation, seed, jobs, executor)


@click.command()
@_OUT
@_JOBS
@ISOLATION
@SEED
@COURSE
def demo(
    out: Path | None, jobs: int | None, isolation: str, seed: str | None, course: Path | None
) -> None:
    """Make a class of right, wrong and hostile submissions, and grade it."""
    import tempfile

    from grader import demo as demos
    from grader import pipeline

    loaded = demos.excerpt(course_at(course))
    with tempfile.TemporaryDirectory(prefix="grader-demo-") as folder:
        terminal().print(f"{demos.make_class(loaded, Path(folder))}\n", markup=False)
        handed_in = pipeline.submissions((), Path(folder), loaded)
        _graded(loaded, loaded.exercises, handed_in, out, (), isolation, seed, jobs, "local")


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
def diff(old: str, new: str | None) -> None:
    """Show whose marks moved between two runs, and why.

    OLD and NEW are folders that were given to `grade --out`, or one run of them as DIR@NUMBER.
    With a single folder: its last run against the one before it.
    """
    from grader import diff as diffs
    from grader.reports import diff as report

    report.changes(diffs.between(*diffs.records(old, new)), terminal())


def _graded(
    course: Course,
    exercises: tuple[Exercise, ...],
    handed_in: list[Submission],
    out: Path | None,
    reports: tuple[str, ...],
    isolation: str,
    seed: str | None,
    jobs: int | None,
    executor: str,
) -> None:
    """Runs a grading under everybody's eyes, shows it, writes it, and ends with its exit code."""
    import time

    from grader import pipeline
    from grader.reports import files, formats, text
    from grader.reports.live import Live
    from grader.store import Store

    ours = [] if out is None else [out / name for name in files.NAMES]
    targets = formats.targets(reports, ours)
    if out is not None:
        files.prepare(out)
    # What a report writes to standard output is for a program, so people read elsewhere.
    console = terminal(stderr=any(target.path is None for target in targets))
    started = time.monotonic()
    with Store(out) as store, _interruptible(out, console):
        terms = pipeline.terms(store, isolation, seed)
        with Live(terminal(stderr=True)) as live:
            run = pipeline.grade(
                course,
                exercises,
                handed_in,
                terms=terms,
                store=store,
                start=pipeline.executor(executor, jobs),
                on_progress=live.show,
            )
    # First of all, since nothing that happens to a terminal may cost a mark.
    written = [] if out is None else files.write(run, out)
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

    unknown = sum(scoring.is_broken(graded) for graded in run.submissions)
    if unknown:
        text.broken(run, console)
        raise HostError(
            f"{unknown} of {text.counted(len(run.submissions), 'mark')} can't be known, by a fault "
            "of the course or of this machine; the others stand. Mend what is listed above, and "
            "grade again."
        )


@contextlib.contextmanager
def _interruptible(out: Path | None, console: Console) -> Iterator[None]:
    """Ctrl-C, or a polite signal, ends a run in good order and says how to go on."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        kept = (
            f"What was graded is kept in `{out}`; the same command goes on from there."
            if out is not None
            else "Nothing was kept: with `--out DIR` the same command goes on where it stopped."
        )
        console.print(f"Stopped. {kept}", markup=False, soft_wrap=True)
        sys.exit(INTERRUPTED)
    finally:
        signal.signal(signal.SIGTERM, before)
