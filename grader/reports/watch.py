"""The screen of `grader watch`: a View -> lines of text for a terminal of a given size.

    header     course, how far, which exercise
    body       what was said, the verdict with its findings, a hint; cut where the screen ends
    footer     the keys

Words carry everything: colours only help, and no sign is needed that a plain terminal lacks.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from grader.reports import check as check_report
from grader.reports.progress import STYLES
from grader.reports.text import clean, counted, line

if TYPE_CHECKING:
    from rich.console import Console

    from grader.session import View

KEYS = "[h] hint  [l] list  [a] run all  [s] skip  [r] reset  [q] quit"
SHORT_KEYS = "[h] [l] [a] [s] [r] [q]"
_BAR = 20
# What was shown before stays for so long: most checks take less, and nothing flickers.
MOMENT = 0.4


def screen(view: View, width: int, height: int, *, colour: bool = True) -> list[str]:
    """The whole screen, no longer than `height` lines."""
    console = _console(width, colour)
    header = _header(view, console)
    footer = _lines(console, "", KEYS if len(KEYS) <= console.width else SHORT_KEYS)
    body = _list(view, console) if view.lists else _body(view, console)
    room = max(1, height - len(header) - len(footer))
    if len(body) > room:
        hidden = len(body) - room + 1
        said = f"... {counted(hidden, 'line')} more: `grader check {view.exercise.stem}` shows all"
        body = [*body[: room - 1], *_lines(console, said[: console.width])]
    return [*header, *body, *footer][:height]


def news(before: View | None, now: View, console: Console) -> None:
    """What is new, as lines for a terminal that can't be drawn on, or for a pipe."""
    from rich.text import Text

    if before is None or now.said != before.said:
        for said in now.said:
            console.print(Text(clean(said)))
    if now.result is not None and (before is None or now.result is not before.result):
        check_report.result(now.result, console)


class Drawing:
    """Draws a View when the screen would look different: something is new, or its size is."""

    def __init__(
        self, show: Callable[[list[str]], None], size: Callable[[], tuple[int, int]]
    ) -> None:
        self._show, self._size = show, size
        self._shown: tuple[tuple[int, int], list[str]] | None = None

    def draw(self, view: View) -> None:
        size = self._size()
        lines = screen(view, *size)
        if (size, lines) != self._shown:
            self._show(lines)
            self._shown = size, lines


class Telling:
    """Prints what is new in a View, where there is no screen."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._before: View | None = None

    def draw(self, view: View) -> None:
        news(self._before, view, self._console)
        self._before = view


def _header(view: View, console: Console) -> list[str]:
    from rich.text import Text

    passed, total = sum(one.passed for one in view.standings), len(view.standings)
    filled = passed * _BAR // total if total else 0
    far = f"{passed} of {total} pass  [{'#' * filled}{'.' * (_BAR - filled)}]"
    if len(far) > console.width - 12:
        far = f"{passed} of {total}"
    name = line(view.course, max(8, console.width - len(far) - 2))
    top = Text.assemble((name, "bold"), " " * max(2, console.width - len(name) - len(far)), far)
    title = Text.assemble((view.exercise.id, "bold"), f"  {line(view.exercise.title)}")
    title.append(f"  ({view.number} of {total})", "dim")
    for text in (top, title):
        text.truncate(console.width, overflow="ellipsis")
    return [*_lines(console, top), *_lines(console, "", title), *_lines(console, "")]


def _body(view: View, console: Console) -> list[str]:
    from rich.padding import Padding
    from rich.text import Text

    with console.capture() as captured:
        for said in view.said:
            console.print(Text(clean(said), style="green" if "passes" in said else ""))
        if view.said:
            console.print()
        if view.running is not None and (view.result is None or view.running > MOMENT):
            console.print(Text(_running(view), style="cyan"))
        elif view.result is not None:
            check_report.result(view.result, console)
            checked = f"\nchecked at {view.time} in {view.seconds:.2f} s"
            console.print(Text(checked, style="dim"))
        if view.hint is not None:
            console.print(Text(f"\nhint {view.hint.number} of {view.hint.count}", style="bold"))
            console.print(Padding(Text(clean(view.hint.text)), (0, 0, 0, 4), expand=False))
            if view.hint.again:
                console.print(Padding(Text("That is the last one.", "dim"), (0, 0, 0, 4)))
    return captured.get().rstrip("\n").split("\n")


def _running(view: View) -> str:
    seconds = view.running or 0.0
    if view.left > 1:
        return f"checking: {counted(view.left, 'exercise')} to go"
    if seconds < 2:
        return "checking"
    where = f" at `{line(view.place, 60)}`" if view.place else ""
    return f"checking for {seconds:.0f} s{where}; a save begins anew"


def _list(view: View, console: Console) -> list[str]:
    """Every topic, and the exercises of the one at hand."""
    from rich.text import Text

    found: list[str] = []
    for said in view.said:
        found += _lines(console, Text(clean(said)), "")
    for topic in dict.fromkeys(one.exercise.topic for one in view.standings):
        group = [one for one in view.standings if one.exercise.topic == topic]
        passed = sum(one.passed for one in group)
        style = "green" if passed == len(group) else ""
        found += _lines(console, Text(f"{topic:<20} {passed} of {len(group)}", style))
        if topic != view.exercise.topic:
            continue
        for one in group:
            here = ">" if one.exercise == view.exercise else " "
            row = Text.assemble(f"  {here} ", (f"{one!s:<13}", STYLES[str(one)]))
            row.append(f"{one.exercise.stem:<22} {line(one.exercise.title)}")
            row.truncate(console.width, overflow="ellipsis")
            found += _lines(console, row)
    return found


def _lines(console: Console, *texts: object) -> list[str]:
    with console.capture() as captured:
        for text in texts:
            console.print(text, markup=False)
    return captured.get().rstrip("\n").split("\n") if any(map(str, texts)) else [""] * len(texts)


def _console(width: int, colour: bool) -> Console:
    from rich.console import Console

    return Console(
        file=io.StringIO(),
        width=max(20, width),
        force_terminal=colour,
        color_system="auto" if colour else None,
        highlight=False,
        legacy_windows=False,
    )
