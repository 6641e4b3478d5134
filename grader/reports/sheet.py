"""Rows for a spreadsheet, which takes a cell that starts like a formula for one.

A student chooses names and messages, and a teacher opens the file: so such text gets an
apostrophe before it, which spreadsheets show as text. Every text is in quotation marks, and what
stands behind a `;` is looked at, too, since that separates cells where the comma is decimal.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from grader.reports.text import clean

# With their full-width twins: spreadsheets take these for the same.
_FORMULA = re.compile(r"(^|[;\t\n])(\s*)([=+\-@＝＋－＠])")
# What a cell of a spreadsheet holds is 32,767.
MOST_LETTERS = 4000


def table(rows: Iterable[Sequence[str | float | None]]) -> str:
    """Rows as CSV: what is None is an empty cell, and a text is never a formula."""
    shown = io.StringIO()
    writer = csv.writer(shown, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return shown.getvalue()


def text(value: str) -> str:
    """A text that no spreadsheet runs and that hides nothing."""
    return _FORMULA.sub(r"\1\2'\3", clean(value, MOST_LETTERS))


def _cell(value: str | float | None) -> str | float:
    if value is None:
        return ""
    return text(value) if isinstance(value, str) else value
