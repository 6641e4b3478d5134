"""Prints what `grader check` found: words without signs, for any terminal of 80 columns."""

from collections.abc import Iterable

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.model import Advice, CheckResult, Finding
from grader.reports.safe_text import clean, counted

STYLES = {"passed": "green", "to fix": "red", "not started": "yellow", "missing": "yellow"}
# Later findings often follow from the first ones.
MOST_FINDINGS = 3


def render(results: Iterable[CheckResult], console: Console) -> None:
    """All results, and how many there are of each kind."""
    results = list(results)
    for found in results:
        result(found, console)
    summary(results, console)


def result(found: CheckResult, console: Console) -> None:
    """One exercise: its status, and the first things that are wrong."""
    title = Text.assemble((f"{found.status:<13}", STYLES[found.status]), (found.exercise, "bold"))
    if found.passed:
        title.append(f"  ({counted(found.examples, 'example')})")
    console.print(title)
    shown: set[Advice | None] = {None}
    for finding in found.findings[:MOST_FINDINGS]:
        indented(finding.sentence, 4, console)
        if found.status == "to fix":
            _evidence(finding, console)
        if finding.advice is not None and finding.advice not in shown:
            _advice(finding.advice, console)
        shown.add(finding.advice)
    if (more := len(found.findings) - MOST_FINDINGS) > 0:
        indented(f"And {counted(more, 'example')} more.", 4, console)
    for hint in found.hints:
        indented("This may be the cause:", 4, console)
        _advice(hint, console)


def summary(results: Iterable[CheckResult], console: Console) -> None:
    """How many exercises have each status."""
    counts = dict.fromkeys(STYLES, 0)
    for found in results:
        counts[found.status] += 1
    said = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    console.print(Text(f"\n{said or 'nothing to check'}"))
    if 0 < counts["passed"] == sum(counts.values()):
        console.print(
            Text("All examples hold. Your teacher's tests ask for more than the examples show.")
        )


def indented(text: str, indent: int, console: Console) -> None:
    """Text whose lines all start at the same column."""
    console.print(Padding(Text(clean(text)), (0, 0, 0, indent), expand=False))


def _evidence(finding: Finding, console: Console) -> None:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    place = ((f"line {finding.line}", finding.code),) if finding.code else ()
    for label, text in (*place, *finding.evidence):
        table.add_row(label, Text(clean(text)))
    if table.row_count:
        console.print(Padding(table, (0, 0, 0, 6), expand=False))


def _advice(advice: Advice, console: Console) -> None:
    for text in (advice.sentence, advice.todo, advice.page and f"More: {advice.page}"):
        if text:
            indented(text, 6, console)
