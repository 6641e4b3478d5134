"""The commands of authors, who write exercises."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.commands import options
from grader.records import inputs
from grader.records.errors import NoCourseError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.author.strength import Search
    from grader.course.course import Course
    from grader.records.model import Environment, Exercise, Problem, Race, TestResult

TRY_AGAIN = click.option("--again", is_flag=True, help="Judge everything, including kept results.")
_KEPT = "What was judged is kept; the same command continues there."


@click.command()
@click.argument("exercises", nargs=-1)
@click.option(
    "--skip-wrong", is_flag=True, help="Skip the wrong answers. This takes a third of the time."
)
@click.option("--again", is_flag=True, help="Judge everything, including kept results.")
@click.option("--write", is_flag=True, help="Write which tests a wrong answer loses (`Fails:`).")
@options.SEED
@options.JUDGING_COURSE
def verify(
    exercises: tuple[str, ...],
    skip_wrong: bool,
    again: bool,
    write: bool,
    seed: str | None,
    course: Path | None,
) -> None:
    """Prove that exercises judge well.

    Right answers get all points, and wrong ones lose what they should.

    For authors. Checks the named EXERCISES, or all, and prints all problems together. Keeps each
    result: if stopped, the same command continues; after an edit, it judges what the edit affects.
    """
    from grader.author import verify as verifying
    from grader.output.screens import course as screen
    from grader.records.safe_text import counted

    loaded, chosen = _chosen(course, exercises)
    console = options.terminal()
    with options.interruptible(_KEPT, console):
        proof = verifying.verify(
            loaded,
            chosen,
            seed=seed,
            wrong=not skip_wrong,
            again=again or seed is not None,
            write=write,
            on_step=options.Steps(),
        )
    screen.notes(proof.notes, console)
    screen.problems(proof.problems, console)
    screen.basis(proof.basis, loaded, console)
    screen.remembered(proof.remembered, console)
    graded = counted(proof.runs - proof.remembered, "answer")
    console.print(
        f"{counted(len(chosen), 'exercise')}, {graded} judged in {proof.seconds:.0f} s: "
        + (counted(len(proof.problems), "problem") if proof.problems else "no problem")
    )
    sys.exit(1 if proof.problems else 0)


@click.command()
@click.argument("exercises", nargs=-1)
@TRY_AGAIN
@options.SEED
@options.JUDGING_COURSE
def mutate(exercises: tuple[str, ...], course: Path | None, **terms: Any) -> None:
    """List small changes that no test notices.

    For authors. Changes the solutions of the named EXERCISES, or of all, in one place at a time:
    a different operator, axis or constant, two swapped arguments, no `jit`. Grades each changed
    solution. Exits with 1 if the tests notice fewer than 95 % of the changes, or if there
    is a problem.
    """
    from grader.author.strength import MUTATIONS

    _strength(MUTATIONS, course, exercises, **terms)


@click.command()
@click.argument("exercises", nargs=-1)
@TRY_AGAIN
@options.SEED
@options.JUDGING_COURSE
def sabotage(exercises: tuple[str, ...], course: Path | None, **terms: Any) -> None:
    """List general faults that no test notices.

    For authors. Adds faults to the solutions of the named EXERCISES, or of all, one at a time: a
    different dtype, a lost sign, an ignored argument. Grades each solution with a fault that makes
    a difference. These are faults in JAX code, so NumPy exercises aren't tried. Exits with 1 if the
    tests notice fewer than 95 % of the faults, or if there is a problem.
    """
    from grader.author.strength import FAULTS

    _strength(FAULTS, course, exercises, **terms)


def _strength(
    search: Search,
    course: Path | None,
    exercises: tuple[str, ...],
    *,
    again: bool,
    seed: str | None,
) -> None:
    from grader.author.strength import ENOUGH, measure
    from grader.output.screens import course as screen
    from grader.records.safe_text import counted

    loaded, chosen = _chosen(course, exercises)
    console = options.terminal()
    with options.interruptible(_KEPT, console):
        strengths = measure(
            search,
            loaded,
            chosen,
            seed=seed,
            again=again or seed is not None,
            on_step=options.Steps(),
        )
    screen.in_numpy(strengths.in_numpy, search.word, console)
    if not strengths.exercises:
        sys.exit(0)
    screen.strengths(strengths.exercises, console)
    screen.problems(strengths.problems, console)
    screen.remembered(strengths.remembered, console)
    total = sum(strength.changes for strength in strengths.exercises)
    console.print(
        f"{counted(total, search.word)} that matter, {100 * strengths.share:.1f} % killed, "
        f"in {strengths.seconds:.0f} s; a course should kill {100 * ENOUGH:.0f} %"
    )
    sys.exit(1 if strengths.problems or strengths.share < ENOUGH else 0)


def _chosen(course: Path | None, exercises: tuple[str, ...]) -> tuple[Course, tuple[Exercise, ...]]:
    """The course that judges, and its exercises of these names, by default all."""
    loaded = options.judging_course(course)
    chosen = loaded.select(exercises)
    options.say_course(loaded, chosen)
    return loaded, chosen


@click.command()
@click.argument("exercises", nargs=-1)
@click.option("--again", is_flag=True, help="Run everything, including what is up to date.")
@click.option(
    "--learn",
    "results",
    metavar="RESULTS",
    help="Write equal wrong answers of a graded class as known mistakes that need a sentence.",
)
@options.ISOLATION
@options.JUDGING_COURSE
def mistakes(
    exercises: tuple[str, ...], again: bool, results: str, isolation: str, course: Path | None
) -> None:
    """Write known mistakes for `grader check`.

    With --learn, compare the answers of a class that no known mistake explains: RESULTS is as for
    `grader report`.

    For authors. Runs the examples of each stub on its wrong answers, and writes what they show into
    `exercises/known_mistakes.jsonl`. Skips the EXERCISES that are up to date there. Exits with 1 if
    a solution fails an example, or the examples of an answer hit a limit: then that exercise's
    lines stay unchanged.
    """
    from grader.author import known_mistakes
    from grader.output.screens import course as screen
    from grader.records.safe_text import counted

    loaded = options.judging_course(course)
    console = options.terminal()
    chosen = loaded.select(exercises)
    if results:
        _learn(loaded, chosen, results, isolation)
        return
    fresh = 0 if again else sum(known_mistakes.is_fresh(loaded, e) for e in chosen)
    wrong: list[Problem] = []
    with options.interruptible("The lines that were written stay.", console):
        written = known_mistakes.write(loaded, chosen, wrong, again=again, on_step=options.Steps())
    screen.problems(wrong, console)
    console.print(
        f"{counted(written, 'exercise')} with new lines; {fresh} of {len(chosen)} were up to date"
    )
    sys.exit(1 if wrong else 0)


def _learn(course: Course, chosen: tuple[Exercise, ...], results: str, isolation: str) -> None:
    """Adds a cell for each group of equal wrong answers of a class."""
    from grader.api import Grader
    from grader.author import learn
    from grader.teacher import runs

    run = runs.read(results)
    seed = run.environment.seed
    if not seed:
        raise UsageError(
            f"`{results}` contains no code and no seed: name the folder that was given to `--out`"
        )
    answers = {e: own for e in chosen if len(own := learn.unnamed(run, e)) > 1}
    names = [exercise.id for exercise in answers]
    with Grader(course, names or (), seed=seed, races=False, isolation=isolation) as grader:
        found = {e: [*learn.groups(own, seed, grader.grade)] for e, own in answers.items()}
    for exercise, groups in found.items():
        where = course.relative(course.wrong(exercise))
        for group in groups:
            cell = learn.write(course, exercise, group)
            click.echo(f"{where}: `{cell}`, the mistake of {len(group)} answers")
    click.echo("Write the sentences of new cells, and run `grader verify`.")


@click.command()
@click.argument("exercise")
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What races against the suite's baseline. Default: the reference solution.",
)
@options.ISOLATION
@options.SEED
@options.JUDGING_COURSE
def race(exercise: str, against: Path | None, course: Path | None, **terms: Any) -> None:
    """Run one exercise's race, and watch it.

    In a folder of stubs: time your own program for a `fast` exercise against the original.
    The ratio is not a mark.

    In a course: for authors who look for a threshold, and for teachers who doubt a verdict.
    """
    from rich.live import Live

    from grader.output.screens import grades
    from grader.output.screens import race as report

    with contextlib.suppress(NoCourseError):
        around = options.course_at(course, or_installed=False)
        if around.root is None and against is None:
            _race_here(around, around[exercise])
            return

    loaded = options.judging_course(course, () if against is None else [against])
    (chosen,) = loaded.select([exercise])
    options.say_course(loaded, [chosen])
    raced = "the reference solution; `--against FILE` races another" if against is None else against
    options.terminal(stderr=True).print(f"racing    {raced}", markup=False, soft_wrap=True)
    console = options.terminal()
    with Live(console=console, transient=True, auto_refresh=False) as screen:
        tests, environment = _raced(
            loaded,
            chosen,
            against,
            on_pair=lambda race: screen.update(report.picture(race, console.width), refresh=True),
            **terms,
        )
    grades.isolation(environment, console)
    report.verdicts(tests, console)
    report.advice(tests, console, of_solution=against is None)


def _race_here(course: Course, exercise: Exercise) -> None:
    from grader.records.evidence import median_interval
    from grader.student.race import race

    at_least, ratios = race(course, exercise)
    ratio, low, high = median_interval(ratios)
    click.echo(
        f"`{exercise.stem}` is {ratio:.1f}x as fast as the original program ({low:.1f} to "
        f"{high:.1f}, {len(ratios)} pairs). The text requires {at_least:g}x.\nThis is not a mark: "
        "the hidden test measures again, between two processes, and often finds less."
    )


def _raced(
    course: Course,
    exercise: Exercise,
    against: Path | None,
    *,
    isolation: str,
    seed: str | None,
    on_pair: Callable[[Race], None],
) -> tuple[tuple[TestResult, ...], Environment]:
    """Runs the races anew, by default of the reference solution."""
    from grader.engine.executors.client import JudgeClient
    from grader.intake import reader
    from grader.records.model import Job, Purpose, Terms

    course.require_suites((exercise,))
    path = against or course.solution(exercise)
    submission = reader.read(path, course).only({exercise.id})
    if not submission.sources:
        raise UsageError(f"`{path}` contains nothing for the exercise `{exercise.id}`")
    terms = Terms(isolation, seed or inputs.secret(), Purpose.PROOF)
    with JudgeClient.ready(course.stubs, (exercise,), terms) as judge:
        return judge.race(Job(submission, (exercise.id,)), on_pair), judge.environment


@click.command()
@click.argument("name", required=False, metavar="[TOPIC/NAME]")
@click.option("--numpy", is_flag=True, help="Its students write NumPy, not JAX.")
@click.option(
    "--kind",
    type=click.Choice(["write", "fix", "predict", "fast"]),
    default="write",
    help="A program to fix or to make fast, or questions, instead of a function to write.",
)
@options.COURSE
def new(name: str | None, numpy: bool, kind: str, course: Path | None) -> None:
    """Start an exercise or a course.

    The stub, notes, solution, answers and suite are small, and `verify` finds no problem in them.
    """
    from grader.author import scaffold
    from grader.course.course import shell_path

    if name is None:
        if course is None:
            raise click.UsageError("name an exercise as TOPIC/NAME, or a new course with --course")
        written = scaffold.new_course(course, numpy=numpy)
    else:
        found = options.course_at(course, or_installed=False)
        written = scaffold.new_exercise(found, name, numpy=numpy, kind=kind)
    for path in written:
        click.echo(path)
    *_, catalog = written
    stem = (name or scaffold.FIRST_EXERCISE).partition("/")[2]
    proof = f"grader verify {stem} --course {shell_path(catalog.parent.parent)}"
    click.echo(f"Change them step by step. After each step, prove it: `{proof}`", err=True)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@options.ASSIGNMENT
@options.ANY_COURSE
def handout(folder: Path, assignment: str | None, course: Path | None) -> None:
    """Write the files that students may have to FOLDER."""
    from grader.author import handout as handouts

    loaded = options.course_at(course)
    loaded, assignment = options.for_assignment(loaded, assignment)
    if assignment is not None:
        loaded = loaded.part(loaded.assignment(assignment).exercises)
    written = handouts.write_handout(loaded, folder)
    click.echo(f"{len(written)} files in `{folder}`; not one line of a suite or a solution.")
    if loaded.explanations != "after_suite":
        click.echo(
            "They include explanations, which say how it is done. To leave these out, write "
            f'`explanations = "after_suite"` in `{loaded.catalog}`.'
        )
