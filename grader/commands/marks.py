"""Commands for teachers beside `grade`: reports, decisions, comparisons and exports."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.commands import options
from grader.records.errors import UsageError

if TYPE_CHECKING:
    from grader.records.model import Run


def _user() -> str:
    """The name of the user, also where the environment has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a uid without a name
        return ""


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
def diff(old: str, new: str | None) -> None:
    """Show whose marks changed between two runs, and why.

    OLD and NEW are folders that `grade --out` wrote, or one run in them as DIR@NUMBER. With a
    single folder, its last run is compared with the run before.
    """
    from grader.output.screens import diff as screen
    from grader.teacher import diff as diffs

    screen.changes(diffs.between(*diffs.stored_runs(old, new)), options.terminal())


@click.command()
@click.argument("results")
@click.argument("reports", nargs=-1, required=True, metavar="FORMAT[=PATH]...")
def report(results: str, reports: tuple[str, ...]) -> None:
    """Write a graded run in other formats.

    RESULTS is the folder that was given to --out, one run in it as DIR@NUMBER, the last run of an
    assignment as DIR@ASSIGNMENT, or a results.json. A FORMAT is text, json, csv, canvas, moodle,
    junit, gradescope, github or html; without a PATH it goes to standard output (html: to
    report.html, here).
    """
    from grader.delivery import formats

    targets = formats.targets(reports)
    run = _run(results)
    for target in targets:
        if path := target.deliver(run):
            click.echo(f"wrote {path}", err=True)
        for sentence in target.format.told(run):
            click.echo(f"note: {sentence}", err=True)


@click.command()
@click.argument("results")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--upload",
    "downloads",
    metavar="DOWNLOAD",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="The graded zip or folder from Canvas or Moodle: packs the pages for it. Repeatable.",
)
def feedback(results: str, folder: Path, downloads: tuple[Path, ...]) -> None:
    """Write an HTML page for each student.

    RESULTS is the folder that was given to --out, one run in it as DIR@NUMBER, the last run of an
    assignment as DIR@ASSIGNMENT, or a results.json. With --upload, FOLDER/upload-DOWNLOAD.zip
    contains the pages under the names that the platform accepts in bulk.
    """
    from grader.delivery import formats, handed_back
    from grader.output.reports import results as result_files
    from grader.records.safe_text import counted

    run = _run(results)
    result_files.prepare(folder)
    written = formats.write_feedback(run, folder)
    click.echo(f"wrote {counted(len(written), 'page')} to {folder}", err=True)
    for packed in handed_back.pack(run, written, downloads, folder):
        click.echo(f"packed {packed.pages} in {packed.path}", err=True)
        if packed.left_out:
            click.echo(f"without a file in this download: {', '.join(packed.left_out)}", err=True)


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.argument("student")
@click.option("--override", type=float, metavar="POINTS", help="The mark, or an exercise's points.")
@click.option("--exercise", metavar="NAME", help="What the override applies to. Default: all.")
@click.option("--bonus", type=float, metavar="POINTS", help="Points to add; negative to subtract.")
@click.option("--extension", metavar="TIME", help="A new due date, such as 2026-12-01T18:00+01:00.")
@click.option("--excuse", is_flag=True, default=None, help="The work doesn't count: no mark.")
@click.option("--comment", metavar="TEXT", help="A comment that the student reads.")
@click.option("--why", default="", help="The reason, which the student reads.")
@click.option("--by", default=_user, help="Your name. Default: your user name.")
def decide(
    results: Path, student: str, why: str, by: str, exercise: str | None, **decided: object
) -> None:
    """Decide about a mark; regrading doesn't change that.

    RESULTS is the folder that was given to --out; if it contains several assignments, one of them
    as DIR@ASSIGNMENT. The decision is added to decisions.toml there, and is in every report from
    then on. STUDENT is an id from a report, or `team:NAME` for each member of a team.
    """
    import datetime

    from grader.teacher import decisions, runs

    chosen = {kind: value for kind, value in decided.items() if value is not None}
    if len(chosen) != 1:
        raise UsageError(
            "a decision is one of `--override`, `--bonus`, `--extension`, `--excuse` and "
            "`--comment`: give one"
        )
    ((kind, value),) = chosen.items()
    if not why and kind != "comment":
        raise UsageError(f"`--{kind}` needs a reason: add `--why TEXT`. The student reads it.")
    if not by:
        raise UsageError("the decision needs your name: add `--by NAME`")
    folder, which = runs.parsed(str(results))
    stored = runs.stored_run(folder, which)
    run = runs.of_today(stored)
    people = runs.people(run, stored.rule, student)
    made = decisions.made(
        kind,
        value,
        student if len(people) > 1 else people[0],
        why=why,
        by=by,
        on=datetime.date.today().isoformat(),
        exercise=exercise or "",
        assignment=stored.rule.name,
    )
    path = decisions.add(folder, made)
    now = runs.read(str(results))
    for person in people:
        _say_mark(run, now, person, student if len(people) == 1 else person)
    click.echo(f"wrote {path}", err=True)


@click.command()
@click.argument("submissions", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--class",
    "classes",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Export each file or folder in this folder as one student's submission. Repeatable.",
)
@click.option(
    "--exercise", "exercises", multiple=True, help="Only this exercise or topic. Repeatable."
)
@options.ASSIGNMENT
@options.ROSTER
@click.option(
    "--export",
    type=click.Path(path_type=Path),
    metavar="DIR",
    required=True,
    help="Write the programs into DIR, a new folder.",
)
@options.JUDGING_COURSE
def similar(
    submissions: tuple[Path, ...],
    classes: tuple[Path, ...],
    exercises: tuple[str, ...],
    assignment: str | None,
    roster: Path | None,
    export: Path,
    course: Path | None,
) -> None:
    """Export a class for Dolos and compare50.

    Both programs list similar work and show it side by side. Nothing is executed or judged.
    """
    from grader.records.files import write
    from grader.records.safe_text import counted
    from grader.teacher import similar as programs
    from grader.teacher import teams
    from grader.teacher.settle import NO_RULE

    people = options.people_of(roster) if roster else None
    loaded = options.judging_course(course, [*submissions, *classes])
    loaded, assignment = options.for_assignment(loaded, assignment)
    chosen = options.chosen_exercises(loaded, exercises, assignment)
    if not submissions and not classes:
        raise UsageError("nothing to compare: name submissions, or a class with `--class DIR`")
    _require_new(export, classes)
    works = options.handed_in(submissions, classes, loaded, assignment)
    works = people.known(works) if people else works
    rule = loaded.assignment(assignment) if assignment else NO_RULE
    told: list[str] = []
    team_of = teams.resolved(rule, (one.student for one in works if one.student), told).team_of
    exported = programs.exported(loaded, chosen, works, team_of)
    written = [write(export / path, text) for path, text in exported]
    for said in told:
        click.echo(f"note: {said}", err=True)
    click.echo(f"wrote {counted(len(written), 'file')} to {export}", err=True)


def _run(results: str) -> Run:
    from grader.teacher import runs

    run = runs.read(results)
    for sentence in runs.unknown_people(results):
        click.echo(f"note: {sentence}", err=True)
    return run


def _say_mark(old: Run, new: Run, student: str, called: str) -> None:
    """Under the name that was given."""
    from rich.text import Text

    from grader.output.reports import sentences
    from grader.records.safe_text import line, mark

    before, after = ({g.id: g for g in run.submissions}[student] for run in (old, new))
    sentence = f"{line(called, 60)}  {mark(before)} → {mark(after)}"
    if after.attempt_of:
        sentence += f"\n{sentences.which_attempt(after)}"
    options.terminal().print(Text(sentence), soft_wrap=True)
    if after.score is not None and not 0 <= after.score <= after.max_score:
        click.echo("note: this is outside the points possible", err=True)


def _require_new(folder: Path, classes: Sequence[Path]) -> None:
    """Files of an earlier export would be compared, too, and those in a class would be graded."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"`{folder}` isn't an empty folder. Name a new one with `--export DIR`.")
    for parent in classes:
        if folder.resolve().is_relative_to(parent.resolve()):
            raise UsageError(
                f"`{folder}` is in the class folder `{parent}`, where it would be taken for a "
                "student's work. Name a folder outside it with `--export DIR`."
            )
