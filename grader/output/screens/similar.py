"""Equal programs, for a teacher who reads them before any decision."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.records.safe_text import counted, line, some
from grader.teacher.similar import Alike, EqualPrograms

MOST_NAMES = 30
CAUTION = (
    "Equal programs prove nothing: short answers are alike, and students learn together. Read the "
    "programs and speak with the students before you decide anything."
)
WORDS = "same text: equal to the letter. equal: up to names, comments and layout."


def similar(exercises: Iterable[Alike], least_tokens: int, console: Console) -> None:
    """Each exercise with its groups, the largest programs first, and a caution."""
    groups = 0
    for exercise in exercises:
        groups += len(exercise.groups)
        if exercise.groups or exercise.short or exercise.as_course:
            _exercise(exercise, least_tokens, console)
    if groups:
        console.print(Text(WORDS, "dim"))
    else:
        console.print(f"No equal programs of {least_tokens} tokens or more.")
    console.print(Text(CAUTION, "bold"))


def unread(names: Sequence[str], console: Console) -> None:
    """Who handed in nothing that can be compared."""
    if names:
        many = counted(len(names), "submission")
        text = f"{many} without a program that can be compared: {_names(names)}"
        console.print(Text(text), soft_wrap=True)


def left_out(names: Sequence[str], console: Console) -> None:
    """Whose work takes too long or too much memory."""
    if names:
        many = counted(len(names), "submission")
        why = "since reading it takes too long or too much memory"
        text = f"{many} left out, {why}: {_names(names)}"
        console.print(Text(text), soft_wrap=True)


def exported(folder: str, count: int, console: Console) -> None:
    console.print(f"wrote     {counted(count, 'file')} to {folder}", markup=False, soft_wrap=True)


def _exercise(alike: Alike, least_tokens: int, console: Console) -> None:
    stubs = f", {alike.untouched} with the unedited stub" if alike.untouched else ""
    students = f"  {counted(alike.students, 'student')}{stubs}"
    console.print(Text.assemble((alike.exercise.id, "bold"), students))
    for group in alike.groups:
        size = f"{counted(group.form.tokens, 'token')}, {counted(group.form.lines, 'line')}"
        console.print(Text(f"  {size}"))
        _rows(_labelled(group), console)
    if alike.as_course:
        _rows([("as the course", alike.as_course)], console)
    if alike.short:
        many = counted(alike.short, "group")
        text = f"  {many} of programs under {least_tokens} tokens: short answers are alike"
        console.print(Text(text, "dim"))
    console.print()


def _labelled(group: EqualPrograms) -> Iterator[tuple[str, Sequence[str]]]:
    if len(group.texts) > 1:
        yield "equal", group.students
    for students in sorted(map(sorted, group.texts.values())):
        if len(students) > 1:
            yield "same text", students


def _rows(rows: Iterable[tuple[str, Sequence[str]]], console: Console) -> None:
    """Names start at the same column, however long a row is."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=17, no_wrap=True)
    table.add_column()
    for label, names in rows:
        table.add_row(Text(f"    {label}"), Text(_names(names)))
    console.print(table)


def _names(students: Sequence[str]) -> str:
    return some([line(name, 60) for name in students], MOST_NAMES)
