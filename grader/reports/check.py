"""What `grader check` found, for the student who sits in front of it.

Words rather than signs and colours: it has to be legible in any terminal, and in 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from grader.reports.text import clean, counted

if TYPE_CHECKING:
    from rich.console import Console

    from grader.check import CheckResult, Finding
    from grader.model import Advice

STYLES = {"passed": "green", "to fix": "red", "not started": "yellow", "missing": "yellow"}
# The others often follow from the first ones.
MOST_FINDINGS = 3


def render(results: Iterable[CheckResult], console: Console) -> None:
    """All results, and what they come to."""
    results = list(results)
    for found in results:
        result(found, console)
    summary(results, console)


def result(found: CheckResult, console: Console) -> None:
    """One exercise: how far it is, and the first things that are wrong."""
    from rich.padding import Padding
    from rich.text import Text

    title = Text.assemble((f"{found.status:<13}", STYLES[found.status]), (found.exercise, "bold"))
    if found.passed:
        title.append(f"  ({counted(found.examples, 'example')})")
    console.print(title)
    told: set[Advice | None] = {None}
    for finding in found.findings[:MOST_FINDINGS]:
        console.print(Padding(Text(clean(finding.sentence)), (0, 0, 0, 4), expand=False))
        if found.status == "to fix":
            _evidence(finding, console)
        if finding.advice is not None and finding.advice not in told:
            _advice(finding.advice, console)
        told.add(finding.advice)
    if (more := len(found.findings) - MOST_FINDINGS) > 0:
        console.print(
            Padding(Text(f"And {counted(more, 'example')} more."), (0, 0, 0, 4), expand=False)
        )
    for hint in found.hints:
        console.print(Padding(Text("Perhaps it is this:"), (0, 0, 0, 4), expand=False))
        _advice(hint, console)


def summary(results: Iterable[CheckResult], console: Console) -> None:
    """How many are how far."""
    from rich.text import Text

    counts = dict.fromkeys(STYLES, 0)
    for found in results:
        counts[found.status] += 1
    said = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    console.print(Text(f"\n{said or 'nothing to check'}"))
    if counts["passed"] and counts["passed"] == sum(counts.values()):
        console.print(
            Text("All examples hold. Your teacher's tests ask for more than the examples show.")
        )


def _evidence(finding: Finding, console: Console) -> None:
    """The line, the example, what it should give and what it gave."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    for label, text in (
        (f"line {finding.line}", finding.code),
        ("example", finding.example),
        ("expected", finding.expected),
        ("got", finding.got),
        ("printed", finding.printed),
    ):
        if text:
            table.add_row(label, Text(clean(text)))
    if table.row_count:
        console.print(Padding(table, (0, 0, 0, 6), expand=False))


def _advice(advice: Advice, console: Console) -> None:
    """What it means, what to change, and where that is explained."""
    from rich.padding import Padding
    from rich.text import Text

    for text in (advice.sentence, advice.todo, advice.page and f"More: {advice.page}"):
        if text:
            console.print(Padding(Text(clean(text)), (0, 0, 0, 6), expand=False))
