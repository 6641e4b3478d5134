"""How far a student is, the next hint, what was laid out and what was handed in: in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from grader.reports.text import clean, counted, line

if TYPE_CHECKING:
    from rich.console import Console

    from grader.handin import HandIn
    from grader.hints import Hint
    from grader.model import Exercise
    from grader.progress import Standing
    from grader.start import Layout

STYLES = {
    "passed": "green",
    "to fix": "red",
    "not started": "yellow",
    "missing": "yellow",
    "changed": "cyan",
    "not checked": "cyan",
}
MOST_NAMES = 6


def listing(standings: Iterable[Standing], console: Console, *, damaged: bool = False) -> None:
    """Every topic and exercise, and the points so far."""
    from rich.text import Text

    standings = list(standings)
    for topic in dict.fromkeys(one.exercise.topic for one in standings):
        group = [one for one in standings if one.exercise.topic == topic]
        passed = sum(one.passed for one in group)
        console.print(Text.assemble((topic, "bold"), f"  {passed} of {len(group)}"))
        for one in group:
            row = Text.assemble(
                "  ", (f"{one!s:<13}", STYLES[str(one)]), f"{one.exercise.stem:<22}"
            )
            row.append(f" {line(one.exercise.title)}", "dim")
            row.truncate(console.width, overflow="ellipsis")
            console.print(row)
    console.print(Text(f"\n{points(standings)}"))
    changed = sum(str(one) in ("changed", "not checked") for one in standings)
    if changed:
        said = f"{counted(changed, 'file')} changed since the last check; `grader check` looks."
        console.print(Text(said))
    following = next((one.exercise for one in standings if not one.passed), None)
    if following is not None:
        console.print(Text(f"Next: `grader watch {following.stem}`"))
    if damaged:
        console.print(Text(DAMAGED))


DAMAGED = (
    "What was remembered in `.grader/progress.json` could not be read, so it starts anew. Your "
    "files are as they were; `grader check` finds out how far they are."
)


def points(standings: Iterable[Standing]) -> str:
    """How far it is, and how that is counted."""
    standings = list(standings)
    passed = sum(one.passed for one in standings)
    return (
        f"{passed} of {counted(len(standings), 'point')}: one for each exercise whose own examples "
        "hold. Your teacher's tests ask for more."
    )


def hint(found: Hint, exercise: Exercise, console: Console) -> None:
    """The hint, and whether there is another."""
    from rich.text import Text

    console.print(Text.assemble((exercise.id, "bold"), f"  hint {found.number} of {found.count}"))
    console.print()
    console.print(Text(clean(found.text)))
    console.print()
    if found.again:
        said = "This was the last hint: there is no other. The rest is the docstring's and yours."
    elif found.number == found.count:
        said = "This is the last hint."
    else:
        said = f"`grader hint {exercise.stem}` gives the next one."
    console.print(Text(said, style="dim"))


def layout(laid: Layout, console: Console) -> None:
    """What was laid out, and what to do first."""
    from rich.text import Text

    course, where = laid.course, line(str(laid.folder))
    if not laid.kept:
        said = f"Laid out {counted(len(course.exercises), 'exercise')} in `{where}`."
    elif laid.added:
        said = f"Added to `{where}` what was missing: {names(laid.added)}. Nothing else changed."
    else:
        said = f"Nothing is missing in `{where}`, and nothing was changed."
    if laid.renewed:
        said += " `catalog.toml`, the list of exercises, is that of this grader now."
    console.print(Text(said))
    console.print(Text("\nWhat to do first:"))
    if str(laid.folder) not in (".", ""):
        console.print(Text(f"  cd {where}"))
    if any(name.endswith(".ipynb") for name in (*laid.added, *laid.kept)):
        first = next(n for n in sorted((*laid.added, *laid.kept)) if n.endswith(".ipynb"))
        console.print(Text(f"  open `{first}` in Jupyter; save, and run the cell below each task"))
    else:
        console.print(Text("  grader watch"))
        first = f"{course.exercises[0].topic}/{course.exercises[0].stem}.py"
        console.print(Text(f"\nIt begins with `{first}`: open that in your editor, and save."))
    console.print(Text("`README.md` is the map of the course."))


def handed_in(handed: HandIn, console: Console) -> None:
    """What is in the zip, what isn't, and the receipt."""
    from rich.text import Text

    size = handed.out.stat().st_size if handed.out.exists() else 0
    kilobytes = f"{max(1, round(size / 1000))} kB"
    files = counted(len(handed.files), "file")
    console.print(Text(f"Packed {files} into `{line(str(handed.out))}` ({kilobytes})."))
    groups: dict[str, list[str]] = {}
    for one in handed.standings:
        groups.setdefault(str(one), []).append(one.exercise.stem)
    for state in STYLES:
        if state in groups:
            group = groups[state]
            listed = "" if state == "passed" and len(group) > MOST_NAMES else names(group)
            console.print(
                Text.assemble("  ", (f"{state:<13}", STYLES[state]), f"{len(group):>3}  {listed}")
            )
    if groups.get("changed") or groups.get("not checked"):
        console.print(Text("Not checked as it is now: run `grader check` before you hand it in."))
    for note in handed.notes:
        console.print(Text(f"`{line(note.path)}` {line(note.reason, 400)}."))
    if handed.strays:
        console.print(Text(f"Left out, since no exercise is called so: {names(handed.strays)}."))
    console.print(Text(f"\n{points(handed.standings)}"))
    console.print(Text("\nYour receipt, also in `.grader/receipts.txt`:"))
    console.print(Text(f"  {handed.time}\n  {handed.submission.digest}"))
    console.print(Text("Hand in the zip. Your teacher's results show the same number."))


def names(given: Iterable[str]) -> str:
    """The first few."""
    given = list(given)
    listed = ", ".join(f"`{line(name)}`" for name in given[:MOST_NAMES])
    more = len(given) - MOST_NAMES
    return f"{listed} and {more} more" if more > 0 else listed
