"""The commands of students."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.commands.options import ASSIGNMENT, COURSE, for_assignment, terminal

if TYPE_CHECKING:
    from grader.course.course import Course
    from grader.records.model import CheckResult, Exercise, Submission
    from grader.student.watch_state import Session


def own_course(path: Path | None, names: Iterable[str | None] = ()) -> Course:
    """The course that a student works in. If there is none, the error says how to get one.

    Raises `UsageError` if one of the `names` is a file outside it: that one isn't read.
    """
    from grader.course.course import find
    from grader.records.errors import NoCourseError

    try:
        course = find(path, or_installed=False)
    except NoCourseError:
        raise NoCourseError(f"there is no course in `{Path.cwd()}` or above it. {_way()}") from None
    for name in filter(None, names):
        _require_own(course, Path(name))
    return course


def _way() -> str:
    """To a course below this folder, or to a new one."""
    from grader.course.course import CATALOG

    below = next((path.parent for path in Path().glob(f"*/{CATALOG}")), None)
    if below is not None:
        return f"There is one below: `cd {shlex.quote(str(below))}`."
    return "Go to the folder that `grader start` made, or run it here."


def _require_own(course: Course, file: Path) -> None:
    from grader.records.errors import UsageError
    from grader.student.workspace import files

    if file.suffix not in (".py", ".ipynb") or not file.is_file():
        return
    if not any(own.exists() and own.samefile(file) for own in files(course)):
        raise UsageError(
            f"`{file}` is not a file of the course in `{course.stubs}`, and only that course's own "
            "files are read. Go to the folder where you ran `grader start`, without `--course`, "
            "or copy your file over the stub there."
        )


def advise(course: Course) -> None:
    """Prints advice on the installed JAX to standard error."""
    from grader.student.guidance import unproved

    if (advice := unproved(course)) is not None:
        click.echo(f"Note: {advice}", err=True)


@click.command()
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--notebooks", is_flag=True, help="One notebook for each topic, instead of files.")
@ASSIGNMENT
def start(folder: Path | None, notebooks: bool, assignment: str | None) -> None:
    """Lay out the course in DIR, and show what to do first.

    Your files are never overwritten. Run it again to add what is missing.
    """
    from grader.output.screens import progress as report
    from grader.student import start as starting

    laid = starting.start(folder, as_notebooks=notebooks, assignment=assignment)
    report.layout(laid, terminal())
    advise(laid.course)


@click.command()
@click.argument("exercise", required=False)
@COURSE
def watch(exercise: str | None, course: Path | None) -> None:
    """Check on every save, and move on to the next exercise.

    Starts with EXERCISE, or with the first that doesn't pass yet. With the name of a path, it stays
    on that path; without one, on the first path that isn't done. It also checks any other file of
    the course that you save. Keys: t task, o open in `$EDITOR`, h hint, e why it works, l list,
    a check all, s skip, r reset, q quit.
    """
    from grader.output.screens import watch as report
    from grader.records.errors import CourseError
    from grader.student import progress
    from grader.student import watch as watching
    from grader.student.guidance import unproved
    from grader.student.terminal import is_capable, own_screen

    loaded = own_course(course, [exercise])
    note = unproved(loaded)
    if not loaded.exercises:
        raise CourseError(f"the course `{loaded.name}` has no exercises yet")
    assignment = next(iter(progress.assignments(loaded, exercise)), None)
    if exercise and exercise != (assignment and assignment.name):
        chosen: Exercise | None = loaded[exercise]
    else:
        chosen = progress.next_exercise(loaded, assignment=assignment)
    first = chosen or progress.on(loaded, assignment)[0]
    if is_capable():
        with own_screen() as screen:

            def draw(session: Session) -> None:
                screen.draw(report.screen(session, *screen.size()))

            watching.watch(
                loaded,
                first,
                draw,
                assignment=assignment,
                listen=screen.listen,
                edit=screen.edit,
                note=note,
            )
    else:
        console = terminal()
        console.print("Watching; Ctrl-C ends it.", markup=False)
        watching.watch(
            loaded, first, report.Printing(console).draw, assignment=assignment, note=note
        )
    standings = progress.standings(loaded)
    click.echo(f"{sum(s.passed for s in standings)} of {len(standings)} exercises pass.")


@click.command()
@click.argument("exercises", nargs=-1)
@COURSE
def check(exercises: tuple[str, ...], course: Path | None) -> None:
    """Run the examples of your stubs on your own code.

    Checks the named EXERCISES, or all, in a folder of stubs. Needs no hidden tests and no sandbox.
    """
    from grader.output.screens import check as report
    from grader.records.model import Status
    from grader.student import check as checking
    from grader.student import guidance, progress, workspace

    loaded = own_course(course, exercises)
    advise(loaded)
    console = terminal()
    before = {e.id: workspace.digest(loaded, e) for e in loaded.exercises}

    def on_result(result: CheckResult) -> None:
        if exercises or result.status is not Status.NOT_STARTED:
            report.result(result, console)
        progress.remember(loaded, result, before[result.exercise])

    results = checking.check(loaded, loaded.select(exercises), on_result=on_result)
    report.summary(results, console)
    passed = [loaded[result.exercise] for result in results if result.passed]
    if passed and guidance.is_explained(loaded, passed[0]):
        name = passed[0].stem if len(passed) == 1 else "NAME"
        console.print(f"`grader explain {name}` says why it works.", markup=False)
    good = Status.PASSED, Status.UNJUDGED, Status.FLAWED
    sys.exit(0 if all(result.status in good for result in results) else 1)


@click.command()
@click.argument("exercise", required=False)
@click.option("--again", is_flag=True, help="Show the hints that you have had, and no new one.")
@COURSE
def hint(exercise: str | None, again: bool, course: Path | None) -> None:
    """Give the next of three hints for EXERCISE.

    Without a name, for the first exercise that doesn't pass yet.
    """
    from grader.output.screens import progress as report
    from grader.records.errors import UsageError
    from grader.student import guidance, progress

    loaded = own_course(course, [exercise])
    assignment = next(iter(progress.assignments(loaded)), None)
    chosen = loaded[exercise] if exercise else progress.next_exercise(loaded, assignment=assignment)
    if chosen is None:
        raise UsageError("every exercise passes: name the one that you want a hint for")
    if not again:
        found = guidance.next_hint(loaded, chosen)
        explained = guidance.is_for_the_stuck(loaded, chosen)
        report.hint(found, chosen, terminal(), is_explained=explained)
    elif shown := guidance.shown_hints(loaded, chosen):
        report.hints_again(shown, chosen, terminal())
    else:
        raise UsageError(f"you have no hint for `{chosen.stem}` yet: `grader hint {chosen.stem}`")


@click.command()
@click.argument("exercise")
@COURSE
def explain(exercise: str, course: Path | None) -> None:
    """Explain why EXERCISE works, once its examples pass.

    If the course allows it, the reference solution follows, as a diff from your own code.
    """
    from grader.output.screens import progress as report
    from grader.student import guidance

    loaded = own_course(course, [exercise])
    report.explanation(guidance.explanation(loaded, loaded[exercise]), terminal())


@click.command()
@click.argument("exercise")
@COURSE
def show(exercise: str, course: Path | None) -> None:
    """Draw what goes into EXERCISE and what comes out.

    With your own code.
    The shapes come from its examples. Some exercises have their own picture, such as a curve.
    """
    from grader.output.screens import check as report
    from grader.output.screens import pictures
    from grader.student.check import check_one
    from grader.student.example_pool import ExamplePool

    loaded = own_course(course, [exercise])
    console = terminal()
    with ExamplePool() as pool:
        result = check_one(loaded, loaded[exercise], pool, drawn=True)
    report.result(result, console)
    console.print()
    pictures.show(result.picture, console)


@click.command(name="list")
@click.argument("names", nargs=-1)
@COURSE
def list_(names: tuple[str, ...], course: Path | None) -> None:
    """Show the exercises and your progress.

    All of them, or only some: NAMES of exercises, topics or paths.

    Runs nothing: it shows what the last check of each file found, and which files changed since.
    """
    from grader.output.screens import progress as report
    from grader.student import progress

    loaded = own_course(course, names)
    damaged = progress.load(loaded).damaged
    path = next((a for a in loaded.assignments if (a.name,) == tuple(names)), None)
    chosen = progress.on(loaded, path) if path else loaded.select(names)
    standing = {one.exercise: one for one in progress.standings(loaded)}
    standings = [standing[exercise] for exercise in chosen]
    assignment = path if names else next(iter(progress.assignments(loaded)), None)
    following = progress.next_exercise(loaded.part(e.id for e in chosen), assignment=assignment)
    report.listing(
        [(path.name, standings)] if path else report.by_topic(standings),
        terminal(),
        () if names else loaded.assignments,
        following,
        damaged=damaged,
        lacks="" if names else loaded.lacks,
    )


@click.command()
@click.option("--out", type=click.Path(path_type=Path), help="The zip. Default: COURSE.zip, here.")
@ASSIGNMENT
@click.option("--to", "address", metavar="URL", help="Submit to your teacher's server instead.")
@COURSE
def submit(
    out: Path | None, assignment: str | None, address: str | None, course: Path | None
) -> None:
    """Pack your work into a zip to submit.

    It takes the files of the course, and nothing else in your folder. It shows what is in the zip
    and what is missing, and gives you a receipt. With `--to`, it submits what you have started to a
    server, and shows what the hidden tests say.
    """
    from grader.output.screens import progress as report
    from grader.student import submit as packing

    own = own_course(course)
    if address is not None:  # the server knows its own assignments
        _submit_to(address, packing.started(own), assignment)
        return
    own, assignment = for_assignment(own, assignment)
    packed = packing.submit(own, out, assignment=assignment)
    report.submission(packed, terminal())


def _submit_to(address: str, work: Submission, assignment: str | None) -> None:
    from grader.output.screens import grades
    from grader.records.errors import SubmissionError
    from grader.student.remote import Server

    if not work.sources:
        raise SubmissionError("you haven't started any exercise, so there is nothing to submit")
    server = Server(address)
    name, asked = server.assignment((source.exercise for source in work.sources), assignment)
    console = terminal()
    for _, result in server.results(name, work.only(asked).sources):
        grades.exercise(result, console)
