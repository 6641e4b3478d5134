"""Lines as Jupyter counts them: from the top of a cell, and not of an exercise's text.

    "Line 12 raises ..."  --the lines before each cell-->  "Line 2 of cell 3 raises ..."

An exercise that has its code in its first cell alone needs none of this.
"""

import bisect
import dataclasses
import re
from typing import TypeVar

from grader.records.model import Advice, CheckResult, Finding

_LINE = re.compile(r"\b(line) (\d+)\b", re.IGNORECASE)
_Advice = TypeVar("_Advice", Advice, Finding)


def told(result: CheckResult, cells: tuple[int, ...]) -> CheckResult:
    """The result with each line as a line of its cell. `cells` are the lines before each cell."""
    every: tuple[Advice | Finding, ...] = (*result.findings, *result.hints)
    lines = [advice.line for advice in every if advice.line is not None]
    if len(cells) < 2 or all(line <= cells[1] for line in lines):
        return result
    findings = tuple(_in_cell(advice, cells) for advice in result.findings)
    hints = tuple(_in_cell(advice, cells) for advice in result.hints)
    return dataclasses.replace(result, findings=findings, hints=hints)


def _in_cell(advice: _Advice, cells: tuple[int, ...]) -> _Advice:
    # What follows a colon may be the words of an exception.
    ours, colon, rest = advice.sentence.partition(":")
    named = _LINE.sub(lambda found: f"{found[1]} {_named(int(found[2]), cells)}", ours)
    line = None if advice.line is None else _place(advice.line, cells)[0]
    return dataclasses.replace(advice, sentence=f"{named}{colon}{rest}", line=line)


def _named(line: int, cells: tuple[int, ...]) -> str:
    return "{} of cell {}".format(*_place(line, cells))


def _place(line: int, cells: tuple[int, ...]) -> tuple[int, int]:
    """The line in its cell, and the number of the cell, from 1."""
    cell = bisect.bisect_left(cells, line)
    return line - cells[max(0, cell - 1)], max(1, cell)
