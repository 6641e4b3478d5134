"""The command line: parse, call, print, exit code. No decisions, and no jax or numpy.

Everything but click is imported by the command that needs it, so that `grader --help` is
instant.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader import __version__
from grader.errors import GraderError, HostError

if TYPE_CHECKING:
    from rich.console import Console

    from grader.course import Course
    from grader.model import Exercise, Run

_COURSE = click.option(
    "--course",
    type=click.Path(path_type=Path),
    help="The course's folder. Default: found upward from here, else the installed one.",
)
_ISOLATION = click.option(
    "--isolation",
    type=click.Choice(["required", "available", "none"]),
    default="required",
    show_default=True,
    help="What to do where this machine lacks a layer: refuse, use what there is, or use none.",
)
_SEED = click.option("--seed", metavar="N", help="Repeat a run's inputs. Default: random.")


class _Group(click.Group):
    """Turns a `GraderError` into its text and its exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except GraderError as error:
            from grader.reports.text import clean

            click.echo(f"Error: {clean(str(error), 20_000)}", err=True)
            sys.exit(error.exit_code)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grader")
def main() -> None:
    """Grade JAX exercises, in a sandbox, so that no submission can touch its mark."""


@main.command()
@click.argument("exercises", nargs=-1)
@_COURSE
def check(exercises: tuple[str, ...], course: Path | None) -> None:
    """Run the examples of your stubs on your own code.

    For students: in a folder of stubs, all EXERCISES or the named ones. Needs no hidden tests
    and no sandbox.
    """
    from grader import check as checking
    from grader.reports import check as report

    loaded = _course(course)
    console = _console()
    results = checking.check(
        loaded, loaded.select(exercises), on_result=lambda r: report.result(r, console)
    )
    report.summary(results, console)
    sys.exit(0 if all(result.passed for result in results) else 1)


@main.command()
@click.argument("submissions", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--class",
    "class_folder",
    type=click.Path(path_type=Path),
    help="Grade every child of this folder as one student's submission.",
)
@click.option("--exercise", "exercises", multiple=True, help="Grade this one only. Repeatable.")
@click.option("--out", type=click.Path(path_type=Path), help="Write results.json and details.json.")
@_ISOLATION
@_SEED
@_COURSE
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

    loaded = _course(course)
    chosen = loaded.select(exercises)
    handed_in = pipeline.submissions(submissions, class_folder, loaded, out)
    _graded(
        lambda on_grade: pipeline.grade(
            loaded, chosen, handed_in, isolation=isolation, seed=seed, on_grade=on_grade
        ),
        len(handed_in),
        out,
    )


@main.command()
@click.argument("exercises", nargs=-1)
@click.option(
    "--mutate", is_flag=True, help="Instead, change the solutions bit by bit: who notices?"
)
@click.option(
    "--skip-mutants", is_flag=True, help="Try right answers and stubs only: a third of the time."
)
@_SEED
@_COURSE
def verify(
    exercises: tuple[str, ...],
    mutate: bool,
    skip_mutants: bool,
    seed: str | None,
    course: Path | None,
) -> None:
    """Prove a course: solutions earn everything, mutants lose where they should.

    For authors: all EXERCISES or the named ones; prints every problem at once.
    """
    from grader import verify as verifying
    from grader.reports import text

    loaded = _course(course)
    console = _console()
    chosen = loaded.select(exercises)
    if mutate:
        _mutate(loaded, chosen, seed, console)
        return
    proof = verifying.verify(
        loaded, chosen, seed=seed, mutants=not skip_mutants, on_step=_stepper(console)
    )
    text.problems(proof.problems, console)
    graded = text.counted(proof.runs, "submission")
    console.print(
        f"{text.counted(len(chosen), 'exercise')}, {graded} graded in {proof.seconds:.0f} s: "
        + (text.counted(len(proof.problems), "problem") if proof.problems else "no problem")
    )
    sys.exit(1 if proof.problems else 0)


def _mutate(
    course: Course, exercises: tuple[Exercise, ...], seed: str | None, console: Console
) -> None:
    from grader import strength as strengths
    from grader.reports import text

    found = strengths.strength(course, exercises, seed=seed, on_step=_stepper(console))
    text.strengths(found.exercises, console)
    text.problems(found.problems, console)
    total = sum(strength.mutants for strength in found.exercises)
    console.print(
        f"{text.counted(total, 'mutation')} that matter, {100 * found.share:.1f} % killed, "
        f"in {found.seconds:.0f} s; a course should kill {100 * strengths.ENOUGH:.0f} %"
    )
    sys.exit(1 if found.problems or found.share < strengths.ENOUGH else 0)


@main.command()
@click.argument("exercise")
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What races against the suite's baseline. Default: the reference solution.",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the ratios and the line (.png, .svg, .pdf). Needs the extra `plot`.",
)
@_ISOLATION
@_SEED
@_COURSE
def race(
    exercise: str,
    against: Path | None,
    plot: Path | None,
    isolation: str,
    seed: str | None,
    course: Path | None,
) -> None:
    """Run the race of one exercise, and watch how its verdict comes about.

    For authors who look for a threshold, and for whoever doubts a verdict.
    """
    from rich.live import Live

    from grader import pipeline
    from grader.reports import race as report

    if plot is not None:
        report.require_plot(plot)
    loaded = _course(course)
    (chosen,) = loaded.select([exercise])
    console = _console()
    with Live(console=console, transient=True, auto_refresh=False) as screen:
        tests = pipeline.race(
            loaded,
            chosen,
            against,
            isolation=isolation,
            seed=seed,
            on_pair=lambda race: screen.update(report.picture(race, console.width), refresh=True),
        )
    report.verdicts(tests, console)
    if plot is not None:
        for path in report.plot(tests, plot):
            console.print(f"wrote {path}", markup=False, soft_wrap=True)


@main.command()
@click.argument("name", required=False, metavar="[TOPIC/NAME]")
@_COURSE
def new(name: str | None, course: Path | None) -> None:
    """Scaffold an exercise, or with --course DIR alone a course.

    Stub, solution, suite, mutants and variants: small, and green from the start.
    """
    from grader import scaffold

    if name is None:
        if course is None:
            raise click.UsageError("name an exercise as TOPIC/NAME, or a new course with --course")
        written = scaffold.new_course(course)
    else:
        written = scaffold.new_exercise(_course(course, or_installed=False), name)
    for path in written:
        click.echo(path)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@_COURSE
def handout(folder: Path, course: Path | None) -> None:
    """Write exactly what a student may have to FOLDER."""
    from grader import handout as handouts

    written = handouts.write_handout(_course(course), folder)
    click.echo(f"{len(written)} files in `{folder}`; not one line of a suite or a solution.")


@main.command()
@_COURSE
def doctor(course: Path | None) -> None:
    """Say which layers of isolation this machine gives, by trying to break each one."""
    from grader import doctor as doctors
    from grader.reports import text

    ways = doctors.examine(_course(course))
    text.isolation(ways, doctors.ADVICE, _console())
    if any(ways.values()):
        raise HostError(
            "this machine can't grade with `--isolation required`. Mend what is listed above, or "
            "grade code that you trust with `--isolation available`."
        )


@main.command()
@click.option("--out", type=click.Path(path_type=Path), help="Write results.json and details.json.")
@_ISOLATION
@_SEED
@_COURSE
def demo(out: Path | None, isolation: str, seed: str | None, course: Path | None) -> None:
    """Make a class of right, wrong and hostile submissions, and grade it."""
    import tempfile

    from grader import demo as demos
    from grader import pipeline

    loaded = demos.excerpt(_course(course))
    with tempfile.TemporaryDirectory(prefix="grader-demo-") as folder:
        _console().print(f"{demos.make_class(loaded, Path(folder))}\n", markup=False)
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
    console = _console()
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


def _course(path: Path | None, *, or_installed: bool = True) -> Course:
    from grader import course as courses

    return courses.find(path, or_installed=or_installed)


def _console() -> Console:
    from rich.console import Console

    # A terminal without a sign for "passed" is no reason to lose an hour of grading.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False)


def _stepper(console: Console) -> Callable[[str], None]:
    return (
        (lambda line: console.print(line, style="dim", markup=False))
        if console.is_terminal
        else (lambda _: None)
    )


if __name__ == "__main__":
    main()
