"""A race as a picture in a terminal, while it runs and when it has ended.

It shows the ratios of all pairs on a logarithmic axis, with the needed factor and the lower line.
It also shows the evidence for each verdict, and how much evidence is enough.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain

from rich.console import Console
from rich.text import Text

from grader.records import evidence
from grader.records.evidence import FAIL_LEVEL, FAIL_VOTES, PASS_LEVEL, PASS_LINE, Tally
from grader.records.model import Outcome, Race, TestResult
from grader.records.safe_text import block, clean, line

_HEIGHTS = " ▁▂▃▄▅▆▇█"
_LABEL = 14


def picture(race: Race, width: int) -> Text:
    """What is known so far, in at most `width` columns."""
    tally = Tally(race.at_least, race.launches)
    room = max(20, min(width, 100) - _LABEL - 14)
    where = "live, call by call" if race.live else "as programs, on the bench"
    pairs = sum(map(len, race.launches))
    lines = [
        Text(f"{line(race.name)}  {where}", style="bold"),
        Text(f"{'ratios':<{_LABEL}}{_histogram(tally, room)}"),
        Text(f"{'':<{_LABEL}}{_axis(tally, room)}", style="dim"),
        _bar("for passing", tally.for_passing, 1 / PASS_LEVEL, room, "green"),
    ]
    for number in range(len(race.launches)):
        label = f"for failing {number + 1}"
        lines.append(_bar(label, tally.for_failing(number), 1 / FAIL_LEVEL, room, "red"))
    launches = f"launch {len(race.launches)} (failing takes {FAIL_VOTES} that agree)"
    lines.append(Text(f"{race} after {pairs} pairs, {launches}"))
    lines += [Text(race.times)] if race.times else []
    return Text("\n").join(lines)


def verdicts(tests: Iterable[TestResult], console: Console) -> None:
    """How each race ended, with its last picture."""
    for test in tests:
        outcome = test.outcome
        for race in test.races:
            console.print(picture(race, console.width))
        title = f"{outcome.sign} {outcome.word}  {line(test.title)}"
        console.print(Text(title, style=outcome.style))
        detail = "" if test.races else test.detail
        if test.message not in detail and (not test.races or test.outcome is not Outcome.PASSED):
            console.print(Text(clean(test.message)))
        if detail:
            console.print(Text(clean(detail), style="dim"))


def advice(tests: Iterable[TestResult], console: Console, *, of_solution: bool) -> None:
    """What an author should change: the baseline, or the factor where the solution loses."""
    asked = (evidence.of_baseline, evidence.of_solution)[: 1 + of_solution]
    for race in (race for test in tests for race in test.races):
        for said in filter(None, (ask(race) for ask in asked)):
            block(said, 0, console, sign=("note", "yellow"))


def _columns(tally: Tally, room: int) -> Callable[[float], int]:
    """The column of a ratio on a logarithmic axis for all ratios, both lines and a margin."""
    shown = [PASS_LINE * tally.at_least, tally.at_least, *chain(*tally.launches)]
    low, high = math.log(min(shown)), math.log(max(shown))
    margin = 0.05 * (high - low)
    scale = room / (high - low + 2 * margin)
    return lambda ratio: min(room - 1, int((math.log(ratio) - low + margin) * scale))


def _histogram(tally: Tally, room: int) -> str:
    counts = Counter(map(_columns(tally, room), chain(*tally.launches)))
    top, most = len(_HEIGHTS) - 1, max(counts.values())
    return "".join(_HEIGHTS[math.ceil(counts[place] / most * top)] for place in range(room))


def _axis(tally: Tally, room: int) -> str:
    """The factor that is needed, and the lower line at which a pass is tested."""
    cells = ["─"] * room
    column = _columns(tally, room)
    place = column(tally.at_least)
    cells[column(PASS_LINE * tally.at_least)] = "┊"
    cells[place] = "┃"
    label = f" {tally.at_least:g}x"
    start = place + 1 if place + 1 + len(label) <= room else place - len(label)
    if start >= 0:
        cells[start : start + len(label)] = label
    return "".join(cells)


def _bar(label: str, value: float, needed: float, room: int, style: str) -> Text:
    share = min(1.0, math.log(max(1.0, value)) / math.log(needed))
    full = round(share * room)
    said = f"{min(value, 9999):4.0f} of {needed:.0f}"
    return Text.assemble(
        f"{label:<{_LABEL}}", ("█" * full, style), ("░" * (room - full), "dim"), f" {said}"
    )
