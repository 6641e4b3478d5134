"""How a name, a number or a student's text is shown: no markup, no control characters."""

from __future__ import annotations

import csv
import functools
import io
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from grader.records.model import ExerciseResult, Grade, Note
from grader.records.scoring import is_excused, is_practice

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

PRACTICE = "practice"
"""In place of the points of an exercise that doesn't count."""
# A text that begins so is a formula to a spreadsheet, also with the full-width variants. A quote is
# doubled in the file, and may be an empty cell's to a reader with another separator.
_FORMULA = re.compile(r"""(^|[;|\t\n])([\s"']*)([=+\-@＝＋－＠])""")
# A cell of a spreadsheet holds at most 32,767.
MOST_LETTERS = 4000
MOST_OF_A_PAGE = 20_000
"""Letters of an explanation."""


def clean(text: str, most: int = 2000) -> str:
    """Text that can't move the cursor, ring the bell, or hide the text before it."""
    shown = text[:most].expandtabs(4)
    if not shown.replace("\n", "").isprintable():
        shown = "".join(c if c.isprintable() or c == "\n" else "�" for c in shown)
    return shown + ("…" if len(text) > most else "")


@functools.lru_cache(maxsize=256)
def markdown(text: str) -> str:
    """A course's own text as HTML. HTML in it stays text, and only links to pages become links.

    A class reads the same few texts on every page.
    """
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark", {"html": False}).render(clean(text, MOST_OF_A_PAGE)))


def line(text: str, most: int = 200) -> str:
    """The same on one line, so that no part of it looks like another line."""
    return clean(text, most).replace("\n", "�")


def number(value: float | None) -> str:
    return "?" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def signed(value: float) -> str:
    """Such as "+2" or "-0.5"."""
    return f"{value:+.2f}".rstrip("0").rstrip(".")


def mark(part: Grade | ExerciseResult) -> str:
    """ "2 of 4", "? of 4" where the points can't be known, "excused", or "practice"."""
    if isinstance(part, Grade) and is_excused(part):
        return "excused"
    results = (part,) if isinstance(part, ExerciseResult) else part.exercises
    if is_practice(results):
        return PRACTICE
    return f"{number(part.score)} of {number(part.max_score)}"


def student_name(grade: Grade) -> str:
    """The student's name as people write it, else the id."""
    written = grade.student.name if grade.student else ""
    return written if written.strip() else grade.id


def called(grade: Grade) -> str:
    """The student for people: a name and the id, or the id alone."""
    return grade.id if student_name(grade) in grade.id else f"{student_name(grade)} ({grade.id})"


def name_line(name: str, most: int) -> str:
    """A name on one line, or something to click if it is blank."""
    return line(name, most) if name.strip() else "(no name)"


def note(given: Note) -> str:
    """What was not graded, and why, on one line."""
    return f"{line(given.path)}: {line(given.reason, 600)}"


def some(names: Sequence[str], most: int) -> str:
    """The first of them, and how many more there are: "ada, ben and 3 more"."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")


def block(
    text: str, indent: int, console: Console, style: str = "", sign: tuple[str, str] | None = None
) -> None:
    """Text whose lines all start at the same column, after a sign or a label in its own style."""
    from rich.text import Text

    if not text:
        return
    label, label_style = sign or ("", "")
    head = " " * indent + (f"{label} " if label else "")
    lines = wrapped(clean(text), console.width - len(head))
    if is_plain(console):
        between = "\n" + " " * len(head)
        console.file.write(f"{head}{between.join(lines)}\n")
        return
    for number, line in enumerate(lines):
        first = (head, label_style) if number == 0 else " " * len(head)
        console.print(Text.assemble(first, (line, style)))


def is_plain(console: Console) -> bool:
    """Whether it is a report in memory. Rich would take a minute for a large class."""
    return isinstance(console.file, io.StringIO)


@functools.lru_cache(maxsize=4096)
def wrapped(text: str, width: int) -> tuple[str, ...]:
    """The lines of a text at that width; a class repeats most of them."""
    from rich.console import Console
    from rich.text import Text

    lines = text.split("\n")
    if text.isascii() and max(map(len, lines)) <= width:
        return tuple(lines)
    return tuple(line.plain for line in Text(text).wrap(Console(width=width), max(1, width)))


def put(text: Text, console: Console) -> None:
    """One line, which may wrap."""
    if is_plain(console) and text.cell_len <= console.width:
        console.file.write(f"{text.plain}\n")
    else:
        console.print(text)


def table(rows: Iterable[Sequence[str | float | None]]) -> str:
    """Rows as CSV: None becomes an empty cell, and a text is never a formula.

    Students choose names and messages, and a teacher opens the file. A text that begins like a
    formula gets an apostrophe, which spreadsheets show as text. So does one after a `;`, which
    separates cells in countries that write decimals with a comma.
    """
    shown = io.StringIO()
    writer = csv.writer(shown, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return shown.getvalue()


def _cell(value: str | float | None) -> str | float:
    if isinstance(value, str):
        return _FORMULA.sub(r"\1\2'\3", clean(value, MOST_LETTERS))
    return "" if value is None else value


def clock(grade: Grade) -> str:
    """The words for a time that the student's own clock tells; empty for any other clock."""
    return " by the student's own clock" if grade.own_clock else ""
