"""The commands of authors, who write exercises."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.commands.options import (
    ASSIGNMENT,
    COURSE,
    ISOLATION,
    JUDGING_COURSE,
    SEED,
    course_at,
    judging_course,
    say_course,
    show_step,
    terminal,
)
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.course import Course
    from grader.model import Exercise


@click.command()
@click.argument("exercises", nargs=-1)
@click.option(
    "--mutate", is_flag=True, help="Instead, list small changes that no test of a suite notices."
)
@click.option(
    "--sabotage",
    is_flag=True,
    help="Instead, list general faults (another dtype, a clamp, ...) that no test notices.",
)
@click.option(
    "--promises", is_flag=True, help="Instead, list what each text promises, and the tests for it."
)
@click.option(
    "--skip-mutants", is_flag=True, help="Skip the wrong answers. This takes a third of the time."
)
@click.option(
    "--again", is_flag=True, help="Also prove what was proved on this machine and didn't change."
)
@SEED
@JUDGING_COURSE
def verify(
    exercises: tuple[str, ...],
    mutate: bool,
    sabotage: bool,
    promises: bool,
    skip_mutants: bool,
    again: bool,
    seed: str | None,
    course: Path | None,
) -> None:
    """Prove a course: solutions get all points, mutants fail where they should.

    For authors. Checks the named EXERCISES, or all, and prints every problem at once.
    """
    from grader.author import verify as verifying
    from grader.author.promises import promises as found_in
    from grader.reports.safe_text import counted
    from grader.screens import course as screen

    if mutate + sabotage + promises > 1:
        raise UsageError(
            "`--mutate`, `--sabotage` and `--promises` are three runs. Give one of them at a time."
        )
    loaded = judging_course(course)
    chosen = loaded.select(exercises)
    say_course(loaded, chosen)
    if mutate or sabotage:
        _strength(loaded, chosen, seed, again=again or seed is not None, sabotage=sabotage)
        return
    console = terminal()
    if promises:
        sys.exit(0 if screen.promises(map(partial(found_in, loaded), chosen), console) else 1)
    proof = verifying.verify(
        loaded,
        chosen,
        seed=seed,
        mutants=not skip_mutants,
        again=again or seed is not None,
        on_step=partial(show_step, console),
    )
    screen.problems(proof.problems, console)
    screen.basis(proof.basis, console)
    screen.remembered(proof.remembered, console)
    tried = counted(len(chosen) - proof.remembered, "exercise")
    graded = counted(proof.runs, "submission")
    console.print(
        f"{tried}, {graded} graded in {proof.seconds:.0f} s: "
        + (counted(len(proof.problems), "problem") if proof.problems else "no problem")
    )
    sys.exit(1 if proof.problems else 0)


@click.command()
@click.argument("exercises", nargs=-1)
@JUDGING_COURSE
def mistakes(exercises: tuple[str, ...], course: Path | None) -> None:
    """Write what known wrong answers show, so that `grader check` names them.

    For authors. Runs the examples of each stub on the wrong answers of `tests/mutants`, and writes
    `exercises/TOPIC/STEM.mistakes`. Skips the EXERCISES whose file is of today.
    """
    from grader.author import known_mistakes
    from grader.reports.safe_text import counted

    loaded = judging_course(course)
    console = terminal()
    chosen = loaded.select(exercises)
    written = known_mistakes.write(loaded, chosen, on_step=partial(show_step, console))
    console.print(f"{counted(written, 'file')} written, {len(chosen) - written} were of today")


def _strength(
    course: Course,
    exercises: tuple[Exercise, ...],
    seed: str | None,
    *,
    again: bool,
    sabotage: bool,
) -> None:
    from grader.author import strength as strengths
    from grader.reports.safe_text import counted
    from grader.screens import course as screen

    console = terminal()
    judged = strengths.sabotage if sabotage else strengths.mutate
    found = judged(course, exercises, seed=seed, again=again, on_step=partial(show_step, console))
    screen.strengths(found.exercises, console)
    screen.problems(found.problems, console)
    screen.remembered(found.remembered, console)
    total = sum(strength.mutants for strength in found.exercises)
    changes = counted(total, "fault" if sabotage else "mutation")
    console.print(
        f"{changes} that matter, {100 * found.share:.1f} % killed, "
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
@ISOLATION
@SEED
@JUDGING_COURSE
def race(exercise: str, against: Path | None, course: Path | None, **options: Any) -> None:
    """Run the race of one exercise, and watch how its verdict is reached.

    For authors who look for a threshold, and for teachers who doubt a verdict.
    """
    from rich.live import Live

    from grader.author import race as racing
    from grader.screens import grades
    from grader.screens import race as report

    loaded = judging_course(course, () if against is None else [against])
    (chosen,) = loaded.select([exercise])
    say_course(loaded, [chosen])
    raced = "the reference solution; `--against FILE` races another" if against is None else against
    terminal(stderr=True).print(f"racing    {raced}", markup=False, soft_wrap=True)
    console = terminal()
    with Live(console=console, transient=True, auto_refresh=False) as screen:
        tests, environment = racing.race(
            loaded,
            chosen,
            against,
            on_pair=lambda race: screen.update(report.picture(race, console.width), refresh=True),
            **options,
        )
    grades.isolation(environment, console)
    report.verdicts(tests, console)


@click.command()
@click.argument("name", required=False, metavar="[TOPIC/NAME]")
@COURSE
def new(name: str | None, course: Path | None) -> None:
    """Scaffold an exercise, or a course if only --course DIR is given.

    Stub, solution, suite, mutants and variants are small, and `verify` finds no problem in them.
    """
    from grader.author import scaffold

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
@ASSIGNMENT
@COURSE
def handout(folder: Path, assignment: str | None, course: Path | None) -> None:
    """Write into FOLDER only the files that a student may have."""
    from grader.author import handout as handouts

    loaded = course_at(course)
    if assignment is not None:
        loaded = loaded.part(loaded.assignment(assignment).exercises)
    written = handouts.write_handout(loaded, folder)
    click.echo(f"{len(written)} files in `{folder}`; not one line of a suite or a solution.")
