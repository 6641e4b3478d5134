"""Draws what `grader.student.pictures` recorded, in letters: in a terminal and in a notebook.

f(x, y)  x [3, 2]   y [4]      gives [3, 4]
         o o        o o o o    o o o o       a sign for each element, rows down
         o o                   o o o o
         o o                   o o o o

a grid of signs, or polylines, for lines over x
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.records.safe_text import clean, counted, line

SIGNS = "ox+*"
ROWS, COLUMNS = 8, 12  # of a drawn array; more are left out, and said
WIDE, TALL = 64, 14  # of the lines in a terminal, in signs

Part = Sequence[Any]  # label, shape or None, dtype or text


def show(found: Mapping[str, Any], console: Console) -> None:
    """The calls with their shapes, and the lines."""
    for call in found.get("calls", ()):
        console.print(Text(line(call["name"]), style="bold"))
        drawn = [(head, list(_signs(part))) for head, part in _headed(call)]
        table = Table.grid(padding=(0, 3, 0, 0))
        if sum(max(map(len, (head, *signs))) + 3 for head, signs in drawn) + 4 <= console.width:
            table.add_row(*(head for head, _ in drawn))
            table.add_row(*("\n".join(signs) for _, signs in drawn))
        else:
            for head, _ in drawn:
                table.add_row(head)
        console.print(Padding(table, (0, 0, 1, 4), expand=False))
    if picture := found.get("lines"):
        console.print(Text(clean(picture["title"]), style="bold"))
        for row in _plotted(picture):
            console.print(Text(f"    {row}", no_wrap=True))


def _head(part: Part) -> str:
    label, shape, said = part
    return f"{label} = {said}" if shape is None else f"{label} {shape} {said}"


def _headed(call: dict[str, Any]) -> Iterator[tuple[str, Part]]:
    """What goes in and what comes out, each with its head."""
    yield from ((line(_head(part), 60), part) for part in call["given"])
    yield from ((line(f"gives {_head(part)}", 60), part) for part in call["result"])


def _table(shape: Sequence[int]) -> tuple[int, int, int]:
    """Rows and columns of the last two axes, and how many such tables there are."""
    rows, columns = [1, *shape][-2:]
    return rows, columns, math.prod(shape[:-2])


def _signs(part: Part) -> Iterator[str]:
    if not part[1]:
        return
    rows, columns, many = _table(part[1])
    more = " .." if columns > COLUMNS else ""
    for _ in range(min(rows, ROWS)):
        yield " ".join("o" * min(columns, COLUMNS)) + more
    if rows > ROWS:
        yield ":"
    if len(part[1]) > 2:
        yield counted(many, "such table")


def _plotted(drawn: dict[str, Any]) -> Iterator[str]:
    """The lines as signs; the first one is on top."""
    low, high, left, right = _range(drawn)
    grid = [[" "] * WIDE for _ in range(TALL)]
    for sign, values in reversed(list(zip(SIGNS, drawn["lines"].values(), strict=False))):
        for x, y in zip(drawn["x"], values, strict=False):
            if x is not None and y is not None:
                column = round((x - left) / (right - left) * (WIDE - 1))
                grid[round((high - y) / (high - low) * (TALL - 1))][column] = sign
    for place, row in enumerate(grid):
        at = high if not place else low if place == TALL - 1 else None
        yield f"{'' if at is None else f'{at:.3g}':>8} |{''.join(row)}".rstrip()
    yield f"{'':>8} +{'-' * WIDE}"
    yield f"{'':>9} {left:<{WIDE // 2}.3g}{right:>{WIDE // 2}.3g}"
    yield f"{'':>9} " + "   ".join(
        f"{sign} {line(name, 30)}" for sign, name in zip(SIGNS, drawn["lines"], strict=False)
    )


def _range(drawn: dict[str, Any]) -> tuple[float, float, float, float]:
    """The lowest and the highest value, the first and the last x; never equal."""
    values = [v for row in drawn["lines"].values() for v in row if v is not None] or [0.0]
    xs = [x for x in drawn["x"] if x is not None] or [0.0]
    low, high, left, right = min(values), max(values), min(xs), max(xs)
    return low, high if high > low else low + 1, left, right if right > left else left + 1
