"""Prints a student's progress, the next hint, and what `start` and `submit` did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from grader.output.screens.check import STYLES as OF_CHECKS
from grader.records.model import Assignment, Exercise
from grader.records.safe_text import MOST_OF_A_PAGE, PRACTICE, block, clean, counted, line, some

if TYPE_CHECKING:
    from grader.student.guidance import Explanation, Hint
    from grader.student.progress import Standing
    from grader.student.start import Layout
    from grader.student.submit import PackedSubmission

STYLES = OF_CHECKS | {"changed": "cyan", "not checked": "cyan"}
MOST_NAMES = 6
_OF_A_DIFF = {"+": "green", "-": "red"}
LAST_HINT = "That was the last hint."
READ_AGAIN = "Read the docstring again."
DAMAGED = (
    "Your progress in `.grader/progress.json` could not be read, so it starts over. Your own files "
    "are unchanged: run `grader check` to see your progress."
)


def by_topic(standings: Iterable[Standing]) -> Iterator[tuple[str, list[Standing]]]:
    """The topics in the order of the course, each with its exercises."""
    groups: dict[str, list[Standing]] = {}
    for one in standings:
        groups.setdefault(one.exercise.topic, []).append(one)
    yield from groups.items()


def listing(
    groups: Iterable[tuple[str, list[Standing]]],
    console: Console,
    assignments: Iterable[Assignment] = (),
    following: Exercise | None = None,
    *,
    damaged: bool = False,
    lacks: str = "",
) -> None:
    """Every topic (or path) and exercise, the assignments, the points, and what is absent."""
    standings: list[Standing] = []
    for name, group in groups:
        standings += group
        passed = sum(one.passed for one in group)
        console.print(Text.assemble((name, "bold"), f"  {passed} of {len(group)}"))
        for one in group:
            row(one, " ", console)
    for assignment in assignments:
        console.print(_assignment(assignment, standings))
    console.print(Text(f"\n{points(standings)}"))
    changed = sum(str(one) in ("changed", "not checked") for one in standings)
    if changed:
        said = f"{counted(changed, 'file')} changed since the last check: run `grader check`."
        console.print(Text(said))
    if following is not None:
        console.print(Text(f"Next: `grader watch {following.stem}`"))
    if lacks:
        console.print(Text(lacks))
    if damaged:
        console.print(Text(DAMAGED))


def _assignment(one: Assignment, standings: Sequence[Standing]) -> Text:
    group = [standing for standing in standings if standing.exercise.id in one.exercises]
    said = f"  {sum(standing.passed for standing in group)} of {len(group)}"
    said += f", opens {one.opens}" if one.opens else ""
    said += f", due {one.due}" if one.due else ""
    return Text.assemble((one.name, "bold"), f"{said}  ", (line(one.title), "dim"))


def row(one: Standing, sign: str, console: Console) -> None:
    said = Text.assemble(f" {sign}", (f"{one!s:<13}", STYLES[str(one)]))
    said.append(f"{one.exercise.stem:<22}").append(f" {line(one.exercise.title)}", "dim")
    if one.exercise.minutes and not one.passed:
        said.append(f", {one.exercise.minutes} min", "dim")
    if one.exercise.kind != "write" and not one.passed:
        said.append(f", {one.exercise.kind}", "dim")
    if not one.exercise.counts:
        said.append(f", {PRACTICE}", "dim")
    said.truncate(console.width, overflow="ellipsis")
    console.print(said)


def points(standings: Iterable[Standing]) -> str:
    """How many exercises pass their own examples."""
    passed = [one.passed for one in standings]
    return (
        f"{sum(passed)} of {counted(len(passed), 'exercise')} pass their own examples. The hidden "
        "tests require more."
    )


def hint(found: Hint, exercise: Exercise, console: Console, *, is_explained: bool = False) -> None:
    """The hint, and what comes after it: the next one, or the explanation if that is allowed."""
    hints_again((found,), exercise, console)
    if found.number < found.count:
        said = f"`grader hint {exercise.stem}` gives the next one."
    elif is_explained:
        said = f"{LAST_HINT} `grader explain {exercise.stem}` says how it works."
    else:
        said = f"{LAST_HINT} {READ_AGAIN}"
    console.print(Text(said, style="dim"))


def hints_again(shown: Iterable[Hint], exercise: Exercise, console: Console) -> None:
    """The hints that were shown before, newest first."""
    for found in shown:
        where = f"  hint {found.number} of {found.count}"
        console.print(Text.assemble((exercise.id, "bold"), where))
        console.print(Text(f"\n{clean(found.text)}\n"))


def explanation(found: Explanation, console: Console) -> None:
    """Why the reference works; below, what it does in another way."""
    console.print(Text("This is about the course's own solution. Yours may differ.\n", "dim"))
    for row in clean(found.text, MOST_OF_A_PAGE).splitlines():
        if row.startswith("## "):
            console.print(Text(row.removeprefix("## "), style="bold"))
        elif row.startswith("- "):
            block(row.removeprefix("- "), 0, console, sign=("-", ""))
        else:
            console.print(Text(row))
    if found.difference:
        console.print(Text("\nYour code (-) and the reference (+), without docstrings\n", "bold"))
    for row in clean(found.difference, MOST_OF_A_PAGE).splitlines():
        console.print(Text(row, style=_OF_A_DIFF.get(row[:1], "")))


def layout(laid: Layout, console: Console) -> None:
    """What was laid out, and what to do first."""
    course, where = laid.course, line(str(laid.folder))
    if not laid.kept:
        said = f"Laid out {counted(len(course.known), 'exercise')} in `{where}`."
    elif laid.added:
        said = f"Added what was missing in `{where}`: {names(laid.added)}. Nothing else changed."
    else:
        said = f"Nothing is missing in `{where}`, and nothing was changed."
    if laid.renewed:
        said += f" {names(laid.renewed)} came from an older grader, and was replaced."
    lines = [said, "", "What to do first:"]
    if str(laid.folder) not in (".", ""):
        lines.append(f"  cd {where}")
    notebooks = sorted(name for name in (*laid.added, *laid.kept) if name.endswith(".ipynb"))
    if notebooks:
        lines.append(f"  open `{notebooks[0]}` in Jupyter; save, and run the cell below each task")
    else:
        assignment = next(iter(course.assignments), None)
        first = course[assignment.exercises[0]] if assignment else course.exercises[0]
        lines += ["  grader watch", ""]
        lines += [f"It starts with `{first.id}.py`: open that in your editor, and save."]
        if assignment is not None:
            own = [course[name] for name in assignment.exercises]
            minutes = sum(exercise.minutes or 0 for exercise in own)
            takes = f", about {minutes} minutes" if minutes else ""
            lines.append(
                f"This is the first of `{assignment.name}`, {counted(len(own), 'exercise')}{takes}"
                + (". `grader list` shows the other paths." if course.assignments[1:] else ".")
            )
    lines.append("`README.md` is the map of the course.")
    if course.lacks:
        lines.append(course.lacks)
    console.print(Text("\n".join(lines)))


def submission(packed: PackedSubmission, console: Console) -> None:
    """What is in the zip, what isn't, and the receipt."""
    size = f"{max(1, round(packed.out.stat().st_size / 1000))} kB"
    files = counted(len(packed.files), "file")
    console.print(Text(f"Packed {files} into `{line(str(packed.out))}` ({size})."))
    for state, style in STYLES.items():
        stems = [one.exercise.stem for one in packed.standings if str(one) == state]
        if stems:
            listed = "" if state == "passed" and len(stems) > MOST_NAMES else names(stems)
            console.print(
                Text.assemble("  ", (f"{state:<13}", style), f"{len(stems):>3}  {listed}")
            )
    lines = []
    if any(str(one) in ("changed", "not checked") for one in packed.standings):
        lines.append("Not everything is checked: run `grader check` before you submit.")
    lines += [f"`{line(note.path)}` {line(note.reason, 400)}." for note in packed.notes]
    if packed.strays:
        lines.append(f"Left out, since no exercise has this name: {names(packed.strays)}.")
    lines += ["", points(packed.standings), "", "Your receipt, also in `.grader/receipts.txt`:"]
    lines += [f"  {packed.time}", f"  {packed.submission.digest}"]
    lines.append("Submit the zip. Your teacher's results show the same number.")
    console.print(Text("\n".join(lines)))


def names(given: Iterable[str]) -> str:
    """The first names, and how many more there are."""
    return some([f"`{line(name)}`" for name in given], MOST_NAMES)
