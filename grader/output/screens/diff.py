"""What changed between two runs, for a teacher who hasn't published the second one yet."""

from rich.console import Console
from rich.text import Text

from grader.records.safe_text import PRACTICE, counted, line, number, some
from grader.teacher.diff import Change, MarkChanges, Moved

MOST_NAMES = 20


def changes(found: MarkChanges, console: Console) -> None:
    """Each submission whose mark changed, with the exercises and tests that changed it."""
    old, new = found.old, found.new
    console.print(Text(f"run {old.number} ({old.ended}) → run {new.number} ({new.ended})\n"))
    for change in sorted(found.changes, key=lambda change: _gain(change.old, change.new)):
        console.print(_head(change))
        for moved in change.moved:
            console.print(_moved(moved))
    for names, said in ((found.came, "only in the new run"), (found.went, "only in the old run")):
        if names:
            shown = some([line(name, 40) for name in names], MOST_NAMES)
            console.print(Text(f"{said}: {shown}"), soft_wrap=True)
    fell = sum(_gain(change.old, change.new) < 0 for change in found.changes)
    rose = sum(_gain(change.old, change.new) > 0 for change in found.changes)
    console.print(
        Text(f"{counted(fell, 'mark')} fell, {rose} rose, {found.unchanged} unchanged"),
        soft_wrap=True,
    )


def _gain(old: float | None, new: float | None) -> float:
    return (new or 0.0) - (old or 0.0)


def _head(change: Change) -> Text:
    gain = _gain(change.old, change.new)
    style = "red" if gain < 0 else "green" if gain > 0 else ""
    marks = f"{number(change.old)} → {number(change.new)}"
    if change.maxima[0] != change.maxima[1]:
        was, now = map(number, change.maxima)
        marks = f"{number(change.old)} of {was} → {number(change.new)} of {now}"
    return Text.assemble((line(change.id, 60), "bold"), f"  {marks}  ", (f"{gain:+g}", style))


def _moved(moved: Moved) -> Text:
    marks = f"{number(moved.old)} → {number(moved.new)}" if moved.counts else PRACTICE
    said = Text(f"  {moved.exercise}  {marks}  ({', '.join(moved.why)})")
    for test, (was, now) in moved.tests.items():
        said.append(f"\n      {line(test, 100)}: {was} → {now}", style="dim")
    return said
