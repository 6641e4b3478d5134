"""Commands of whoever writes exercises."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.commands.options import COURSE, ISOLATION, SEED, course_at, stepper, terminal

if TYPE_CHECKING:
    from rich.console import Console

    from grader.course import Course
    from grader.model import Exercise


@click.command()
@click.argument("exercises", nargs=-1)
@click.option(
    "--mutate", is_flag=True, help="Instead, change the solutions bit by bit: who notices?"
)
@click.option(
    "--skip-mutants", is_flag=True, help="Try right answers and stubs only: a third of the time."
)
@SEED
@COURSE
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

    loaded = course_at(course)
    console = terminal()
    chosen = loaded.select(exercises)
    if mutate:
        _mutate(loaded, chosen, seed, console)
        return
    proof = verifying.verify(
        loaded, chosen, seed=seed, mutants=not skip_mutants, on_step=stepper(console)
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

    found = strengths.strength(course, exercises, seed=seed, on_step=stepper(console))
    text.strengths(found.exercises, console)
    text.problems(found.problems, console)
    total = sum(strength.mutants for strength in found.exercises)
    console.print(
        f"{text.counted(total, 'mutation')} that matter, {100 * found.share:.1f} % killed, "
        f"in {found.seconds:.0f} s; a course should kill {100 * strengths.ENOUGH:.0f} %"
    )
    sys.exit(1 if found.problems or found.share < strengths.ENOUGH else 0)


@click.command()
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
@ISOLATION
@SEED
@COURSE
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
    loaded = course_at(course)
    (chosen,) = loaded.select([exercise])
    console = terminal()
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


@click.command()
@click.argument("name", required=False, metavar="[TOPIC/NAME]")
@COURSE
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
        written = scaffold.new_exercise(course_at(course, or_installed=False), name)
    for path in written:
        click.echo(path)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@COURSE
def handout(folder: Path, course: Path | None) -> None:
    """Write exactly what a student may have to FOLDER."""
    from grader import handout as handouts

    written = handouts.write_handout(course_at(course), folder)
    click.echo(f"{len(written)} files in `{folder}`; not one line of a suite or a solution.")
