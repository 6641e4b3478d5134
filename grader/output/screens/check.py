"""Prints what `grader check` found: words without signs, for any terminal of 80 columns."""

import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.records.model import Advice, CheckResult, Finding
from grader.records.safe_text import clean, counted

STYLES = {"passed": "green", "not judged": "green", "flawed": "yellow", "to fix": "red"}
STYLES |= {"not started": "yellow", "missing": "yellow"}
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
    elif found.status == "not judged":
        title.append("  (judged when you submit)")
    console.print(title)
    to_fix = found.status == "to fix"
    # What stands in the code is nearer to the cause than a value. An exception has its own line.
    first = found.hints if to_fix and not found.findings[0].error else ()
    for hint in first:
        _advice(hint, console)
    known: set[tuple[str, int | None]] = set()
    for finding in found.findings[:MOST_FINDINGS]:
        _finding(finding, found.path, console, is_known=finding.cause in known, to_fix=to_fix)
        known |= {finding.cause} if finding.cause else set()
    if (more := len(found.findings) - MOST_FINDINGS) > 0:
        indented(f"And {counted(more, 'example')} more.", 4, console)
    if found.hints and not first:
        said = (
            "Its examples pass, but your code has a mistake that they don't show:"
            if found.status == "flawed"
            else "Your code has another mistake:"
        )
        indented(said, 4, console)
        for hint in found.hints:
            _advice(hint, console)


def summary(results: Iterable[CheckResult], console: Console) -> None:
    """How many exercises have each status, and which ones to fix."""
    results = list(results)
    counts = {status: sum(one.status == status for one in results) for status in STYLES}
    said = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    console.print(Text(f"\n{said or 'nothing to check'}"))
    if names := [found.exercise.rpartition("/")[2] for found in results if found.is_wrong]:
        console.print(Text(f"To fix: {', '.join(f'`{name}`' for name in names)}"))
    if counts["passed"]:
        console.print(
            Text("Passed means the examples are right. Hidden tests check the whole docstring.")
        )


def indented(text: str, indent: int, console: Console) -> None:
    """Text whose lines all start at the same column."""
    console.print(Padding(Text(clean(text)), (0, 0, 0, indent), expand=False))


def _link(path: str, line: int | None) -> str:
    """The style of a text that opens the editor at a line, where the terminal knows links."""
    place = Path(path).absolute()
    if line is None or place.suffix != ".py" or not place.is_file():
        return ""
    if os.environ.get("TERM_PROGRAM") == "vscode":
        return f"link vscode://file{quote(place.as_posix())}:{line}"
    return f"link {place.as_uri()}#{line}"


def _finding(
    finding: Finding, path: str, console: Console, *, is_known: bool, to_fix: bool
) -> None:
    """The cause, what to do, and the evidence."""
    if is_known:
        # With code, the line is that of the code.
        is_its_line = finding.line and not finding.code
        example = f"The example at line {finding.line}" if is_its_line else "Another example"
        indented(f"{example} fails the same way.", 4, console)
        return
    sentence = Text(clean(finding.sentence))
    sentence.highlight_regex(rf"[Ll]ine {finding.line}\b", _link(path, finding.line))
    console.print(Padding(sentence, (0, 0, 0, 4), expand=False))
    if finding.todo:
        indented(finding.todo, 4, console)
    if to_fix:
        _evidence(finding, console)
    if finding.advice is not None and finding.advice.page:
        _more(finding.advice, 6, console)


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
    for text in (advice.sentence, advice.todo):
        if text:
            indented(text, 4, console)
    _more(advice, 4, console)


def _more(advice: Advice, indent: int, console: Console) -> None:
    """The page, with its address in one piece: a terminal opens no half of one."""
    if not advice.page:
        return
    said = f"More: {advice.more}"
    if indent + len(said) > console.width:
        indented(f"More: {advice.title}".rstrip(": "), indent, console)
        said = advice.page
    address = Text(" " * indent + clean(said), no_wrap=True, overflow="ignore")
    console.print(address, crop=False, soft_wrap=True)
