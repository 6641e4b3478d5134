"""Commands of a student's day."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.commands.options import COURSE, terminal

if TYPE_CHECKING:
    from grader.course import Course


def own_course(path: Path | None) -> Course:
    """The course that a student works in; where there is none, how to get one."""
    from grader.course import find
    from grader.errors import CourseError

    try:
        return find(path, or_installed=False)
    except CourseError as error:
        if path is not None or "no course at" not in str(error):
            raise
        raise CourseError(
            f"there is no course in `{Path.cwd()}` or above it. Go to the folder where you laid "
            "yours out, or lay one out here: `grader start`."
        ) from None


def advise(course: Course) -> None:
    """A word on the JAX that is installed, beside what a command prints."""
    from grader.conditions import unproved

    if (said := unproved(course)) is not None:
        click.echo(f"Note: {said}", err=True)


@click.command()
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--notebooks", is_flag=True, help="One notebook for each topic, in place of files.")
def start(folder: Path | None, notebooks: bool) -> None:
    """Lay out the course in DIR, and say what to do first.

    Nothing that lies there is overwritten. Run it again and it adds what is missing.
    """
    from grader import start as starting
    from grader.reports import progress as report

    laid = starting.start(folder, as_notebooks=notebooks)
    report.layout(laid, terminal())
    advise(laid.course)


@click.command()
@click.argument("exercise", required=False)
@COURSE
def watch(exercise: str | None, course: Path | None) -> None:
    """Check on every save, and go on to the next exercise.

    Begins with EXERCISE, or with the first that doesn't pass yet; then the file that you save
    counts. Keys: h hint, l list, a run all, s skip, r reset, q quit.
    """
    from grader import progress
    from grader import terminal as screens
    from grader import watch as watching
    from grader.conditions import unproved
    from grader.errors import CourseError
    from grader.reports import watch as report

    loaded = own_course(course)
    note = unproved(loaded)
    if not loaded.exercises:
        raise CourseError(f"the course `{loaded.name}` has no exercises yet")
    first = loaded[exercise] if exercise else progress.next_exercise(loaded)
    first = first or loaded.exercises[0]
    if screens.is_capable():
        with screens.Screen() as screen:
            drawn = report.Drawing(screen.draw, screens.size)
            watching.watch(loaded, first, drawn.draw, with_keys=True, note=note)
    else:
        console = terminal()
        console.print("Watching; Ctrl-C ends it.", markup=False)
        said = report.Telling(console)
        watching.watch(loaded, first, said.draw, with_keys=False, note=note)
    summary = progress.standings(loaded)
    click.echo(f"{sum(one.passed for one in summary)} of {len(summary)} exercises pass.")


@click.command()
@click.argument("exercises", nargs=-1)
@COURSE
def check(exercises: tuple[str, ...], course: Path | None) -> None:
    """Run the examples of your stubs on your own code.

    For students: in a folder of stubs, all EXERCISES or the named ones. Needs no hidden tests
    and no sandbox.
    """
    from grader import check as checking
    from grader import progress, work
    from grader.reports import check as report

    loaded = own_course(course)
    advise(loaded)
    console = terminal()
    before = {e.id: work.digest(loaded, e) for e in loaded.exercises}

    def on_result(result: checking.CheckResult) -> None:
        report.result(result, console)
        progress.remember(loaded, result, before[result.exercise])

    results = checking.check(loaded, loaded.select(exercises), on_result=on_result)
    report.summary(results, console)
    sys.exit(0 if all(result.passed for result in results) else 1)


@click.command()
@click.argument("exercise", required=False)
@COURSE
def hint(exercise: str | None, course: Path | None) -> None:
    """Give the next of three hints for EXERCISE.

    Without a name, for the first exercise that doesn't pass yet.
    """
    from grader import hints, progress
    from grader.errors import UsageError
    from grader.reports import progress as report

    loaded = own_course(course)
    chosen = loaded[exercise] if exercise else progress.next_exercise(loaded)
    if chosen is None:
        raise UsageError("every exercise passes: name the one that you want a hint for")
    report.hint(hints.following(loaded, chosen), chosen, terminal())


@click.command(name="list")
@COURSE
def list_(course: Path | None) -> None:
    """Show topics and exercises, and how far you are.

    Runs nothing: it shows what the last check of each file found, and which files have changed
    since.
    """
    from grader import progress
    from grader.reports import progress as report

    loaded = own_course(course)
    damaged = progress.load(loaded).damaged
    report.listing(progress.standings(loaded), terminal(), damaged=damaged)


@click.command()
@click.option("--out", type=click.Path(path_type=Path), help="The zip. Default: COURSE.zip, here.")
@COURSE
def submit(out: Path | None, course: Path | None) -> None:
    """Pack your work into a zip to hand in.

    Exactly the files of the course, and nothing else that lies in your folder. Says what is in
    it and what is missing, and gives a receipt to keep.
    """
    from grader import handin
    from grader.reports import progress as report

    loaded = own_course(course)
    report.handed_in(handin.submit(loaded, out), terminal())
