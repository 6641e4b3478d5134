"""Commands of whoever gives marks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.commands.options import COURSE, ISOLATION, SEED, course_at, terminal
from grader.errors import HostError

if TYPE_CHECKING:
    from grader.model import Run


@click.command()
@click.argument("submissions", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--class",
    "class_folder",
    type=click.Path(path_type=Path),
    help="Grade every child of this folder as one student's submission.",
)
@click.option("--exercise", "exercises", multiple=True, help="Grade this one only. Repeatable.")
@click.option("--out", type=click.Path(path_type=Path), help="Write results.json and details.json.")
@ISOLATION
@SEED
@COURSE
def grade(
    submissions: tuple[Path, ...],
    class_folder: Path | None,
    exercises: tuple[str, ...],
    out: Path | None,
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
    _graded(
        lambda on_grade: pipeline.grade(
            loaded, chosen, handed_in, isolation=isolation, seed=seed, on_grade=on_grade
        ),
        len(handed_in),
        out,
    )


@click.command()
@click.option("--out", type=click.Path(path_type=Path), help="Write results.json and details.json.")
@ISOLATION
@SEED
@COURSE
def demo(out: Path | None, isolation: str, seed: str | None, course: Path | None) -> None:
    """Make a class of right, wrong and hostile submissions, and grade it."""
    import tempfile

    from grader import demo as demos
    from grader import pipeline

    loaded = demos.excerpt(course_at(course))
    with tempfile.TemporaryDirectory(prefix="grader-demo-") as folder:
        terminal().print(f"{demos.make_class(loaded, Path(folder))}\n", markup=False)
        handed_in = pipeline.submissions((), Path(folder), loaded)
        _graded(
            lambda on_grade: pipeline.grade(
                loaded,
                loaded.exercises,
                handed_in,
                isolation=isolation,
                seed=seed,
                on_grade=on_grade,
            ),
            len(handed_in),
            out,
        )


def _graded(run_with: Callable[[Any], Run], total: int, out: Path | None) -> None:
    """Runs a grading with a line of progress, shows it, writes it, and ends with its exit code."""
    import time

    from grader import scoring
    from grader.reports import files, text

    if out is not None:
        files.prepare(out)
    console = terminal()
    started = time.monotonic()
    with console.status("starting the judge") as status:
        done = 0

        def on_grade(_: Any) -> None:
            nonlocal done
            done += 1
            status.update(f"graded {done} of {total}")

        run = run_with(on_grade)
    # First of all, since nothing that happens to a terminal may cost a mark.
    written = [] if out is None else files.write(run, out)
    if total == 1:
        text.submission(run.submissions[0], console)
    else:
        text.class_table(run, console)
        for graded in run.submissions:
            text.notes(graded, console)
    text.undecided(run, console)
    text.footer(run, time.monotonic() - started, console)
    for path in written:
        console.print(f"wrote     {path}", markup=False, soft_wrap=True)
    unknown = sum(scoring.is_broken(graded) for graded in run.submissions)
    if unknown:
        text.broken(run, console)
        raise HostError(
            f"{unknown} of {text.counted(total, 'mark')} can't be known, by a fault of the course "
            "or of this machine; the others stand. Mend what is listed above, and grade again."
        )
