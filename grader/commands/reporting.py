"""Commands for what becomes of a run afterwards: other formats, and a page for each student."""

from __future__ import annotations

from pathlib import Path

import click

REPORT = click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT[=PATH]",
    help="text, json, csv, canvas, moodle, junit, gradescope, github or html. Repeatable.",
)


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.argument("reports", nargs=-1, required=True, metavar="FORMAT[=PATH]...")
def report(results: Path, reports: tuple[str, ...]) -> None:
    """Write a graded run in other formats.

    RESULTS is a results.json, or the folder that was given to --out. A FORMAT is text, json, csv,
    canvas, moodle, junit, gradescope, github or html; without a PATH it goes to standard output
    (html: to report.html, here).
    """
    from grader.reports import formats, saved

    targets = formats.targets(reports)
    run = saved.read(results)
    for target in targets:
        path = target.deliver(run)
        if path is not None:
            click.echo(f"wrote {path}", err=True)


@click.command()
@click.argument("results", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
def feedback(results: Path, folder: Path) -> None:
    """Write one HTML page per student, with nothing of any other.

    RESULTS is a results.json, or the folder that was given to --out.
    """
    from grader.reports import files, html, saved
    from grader.reports.text import counted

    run = saved.read(results)
    files.prepare(folder)
    written = html.write_feedback(run, folder)
    click.echo(f"wrote {counted(len(written), 'page')} to {folder}", err=True)
