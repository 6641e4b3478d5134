"""Equal and nearly equal programs, for a teacher who reads them before any decision."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.reports.safe_text import counted, line
from grader.teacher.similar import Alike, Kin, Twins

MOST_NAMES = 30
MOST_ROWS = 12
CAUTION = (
    "Equal programs prove nothing: short answers are alike, and so is what students learned "
    "together, so read the programs and speak with the students before you decide anything."
)
WORDS = (
    "same text: equal to the letter. equal: up to names, comments and layout. 80 % equal: so much "
    "of the larger program, counted in runs of tokens."
)


def similar(found: Iterable[Alike], least_tokens: int, console: Console) -> None:
    """Each exercise with its groups, the largest programs first, and a caution."""
    groups = 0
    for one in found:
        groups += len(one.kin)
        if one.kin or one.short or one.as_course:
            _exercise(one, least_tokens, console)
    if groups:
        console.print(Text(WORDS, "dim"))
    else:
        console.print(f"No equal or nearly equal programs of {least_tokens} tokens or more.")
    console.print(Text(CAUTION, "bold"))


def unread(names: Sequence[str], console: Console) -> None:
    """Who handed in nothing that can be compared."""
    if names:
        many = counted(len(names), "submission")
        said = f"{many} without a program that can be compared: {_names(names)}"
        console.print(Text(said), soft_wrap=True)


def exported(folder: str, count: int, console: Console) -> None:
    console.print(f"wrote     {counted(count, 'file')} to {folder}", markup=False, soft_wrap=True)


def _exercise(one: Alike, least_tokens: int, console: Console) -> None:
    stubs = f", {one.untouched} with the unedited stub" if one.untouched else ""
    console.print(
        Text.assemble((one.exercise.id, "bold"), f"  {counted(one.students, 'student')}{stubs}")
    )
    for kin in one.kin:
        form = kin.twins.form
        size = f"{counted(form.tokens, 'token')}, {counted(form.lines, 'line')}"
        note = "  nearly an answer of the course" if kin.near_course else ""
        console.print(Text.assemble("  ", size, (note, "dim")))
        _rows(_labelled(kin), console)
    if one.as_course:
        _rows([("as the course", _names(one.as_course))], console)
    if one.short:
        many = counted(one.short, "group")
        said = f"  {many} of programs under {least_tokens} tokens: short answers are alike"
        console.print(Text(said, "dim"))
    console.print()


def _labelled(kin: Kin) -> Iterator[tuple[str, str]]:
    """Labels and names: those with equal programs, then the nearly equal ones."""
    yield from _equal(kin.twins)
    for share, twins in kin.near[:MOST_ROWS]:
        # Rounded down: 100 % stands for all.
        yield f"{int(100 * share)} % equal", _names(twins.students)
    if len(kin.near) > MOST_ROWS:
        yield "", f"and {len(kin.near) - MOST_ROWS} more programs that are nearly equal"


def _equal(twins: Twins) -> Iterator[tuple[str, str]]:
    if len(twins.students) == 1:
        yield "program of", _names(twins.students)
        return
    if len(twins.texts) > 1:
        yield "equal", _names(twins.students)
    for students in sorted(sorted(set(students)) for students in twins.texts.values()):
        if len(students) > 1:
            yield "same text", _names(students)


def _rows(rows: Iterable[tuple[str, str]], console: Console) -> None:
    """Names start at the same column, however long a row is."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=17, no_wrap=True)
    table.add_column()
    for label, names in rows:
        table.add_row(Text(f"    {label}"), Text(names))
    console.print(table)


def _names(students: Sequence[str]) -> str:
    more = f" and {len(students) - MOST_NAMES} more" if len(students) > MOST_NAMES else ""
    return ", ".join(line(name, 60) for name in students[:MOST_NAMES]) + more
