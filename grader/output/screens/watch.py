"""The screen of `grader watch`: a Session -> lines of text for a terminal of a given size.

    header     course, progress, exercise
    body       messages, hints, the result with its findings; the top of it, if it is long
    footer     the keys

Words say everything. Colours only help, and every sign is one that a plain terminal has.
"""

import io
import re
from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from grader.output.screens import check as check_report
from grader.output.screens import progress as progress_report
from grader.output.screens.check import STYLES
from grader.output.screens.progress import LAST_HINT, READ_AGAIN, by_topic, row
from grader.records.model import CheckResult, Status
from grader.records.safe_text import MOST_OF_A_PAGE, PRACTICE, clean, counted, line
from grader.student import workspace
from grader.student.watch_state import Session

KEYS = (
    "[t] task",
    "[o] open",
    "[h] hint",
    "[e] why",
    "[l] list",
    "[a] all",
    "[s] skip",
    "[r] reset",
    "[q] quit",
)
# What is asked for, if it isn't to write a function.
KINDS = {
    "fix": "a program to fix",
    "predict": "questions to predict",
    "fast": "a program to make fast",
}
_BAR = 20
# More would leave no room for the topics.
MOST_TO_FIX = 9
_LINK_ID = re.compile(r"\x1b\]8;id=[^;]*;")
# While a check runs, the last result stays this long. Most checks are faster: nothing flickers.
MOMENT = 0.4


def screen(session: Session, width: int, height: int, *, colour: bool = True) -> list[str]:
    """The whole screen, no longer than `height` lines."""
    console = Console(
        file=io.StringIO(),
        width=max(20, width),
        force_terminal=colour,
        color_system="auto" if colour else None,
        highlight=False,
        legacy_windows=False,
    )
    header = [*_lines(_header, session, console), ""]
    footer = ["", _keys(session, console.width)]
    room = max(1, height - len(header) - len(footer))
    if session.task_page:
        body = _page(session, max(1, room - 2))
    else:
        body = _lines(_list if session.lists else _body, session, console)
    if len(body) > room:
        more = f"... {counted(len(body) - room + 1, 'line')} more: {_whole(session)}"
        body = [*body[: room - 1], more[: console.width]]
    return [*header, *body, *footer][:height]


def _keys(session: Session, width: int) -> str:
    """What can be done now: an explanation is named where there is one."""
    keys = [key for key in KEYS if session.explained or not key.startswith("[e]")]
    lines = "  ".join(keys), " ".join(keys)
    return next((row for row in lines if len(row) <= width), " ".join(key[:3] for key in keys))


def _whole(session: Session) -> str:
    """The command that shows all of what the screen has no room for."""
    if session.lists:
        return "grader list"
    if session.explanation is not None:
        return f"grader explain {(session.explained or session.exercise).stem}"
    return f"grader check {session.exercise.stem}"


def _page(session: Session, height: int) -> list[str]:
    """A page of the stub as it was, which holds the task, and how to go on."""
    place = workspace.place(session.course, session.exercise)
    task = place.stub_text or session.course.stub_text(session.exercise)
    rows = clean(task, MOST_OF_A_PAGE).splitlines()
    pages = max(1, -(-len(rows) // height))
    first = (session.task_page - 1) % pages
    said = f"page {first + 1} of {pages}: [t] shows the next, any other key goes back"
    return [*rows[first * height :][:height], "", said]


class Printing:
    """Prints what is new in a session, for a pipe or a terminal that can't be drawn on."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._said: tuple[str, ...] = ()
        self._result: CheckResult | None = None

    def draw(self, session: Session) -> None:
        if session.said != self._said:
            for said in session.said:
                self._console.print(Text(clean(said)))
        if session.result is not None and session.result is not self._result:
            check_report.result(session.result, self._console)
        self._said, self._result = session.said, session.result


def _lines(
    draw: Callable[[Session, Console], None], session: Session, console: Console
) -> list[str]:
    console.file = io.StringIO()
    draw(session, console)
    # Rich gives a link another id in each drawing, so the screen would be drawn again and again.
    return _LINK_ID.sub("\x1b]8;;", console.file.getvalue()).rstrip("\n").split("\n")


def _header(session: Session, console: Console) -> None:
    passed, total = session.count()
    filled = passed * _BAR // total if total else 0
    far = f"{passed} of {total} pass  [{'#' * filled}{'.' * (_BAR - filled)}]"
    if len(far) > console.width - 12:
        far = f"{passed} of {total}"
    name = (
        f"{session.course.name}  {session.assignment.name if session.assignment else ''}".rstrip()
    )
    name = line(name, max(8, console.width - len(far) - 2))
    top = Text.assemble((name, "bold"), " " * max(2, console.width - len(name) - len(far)), far)
    exercise, order = session.exercise, session.order
    title = Text.assemble((exercise.id, "bold"), f"  {line(exercise.title)}")
    said = [f"{order.index(exercise) + 1} of {total}"] if exercise in order else []
    said += [f"about {exercise.minutes} min"] if exercise.minutes else []
    said += [KINDS[exercise.kind]] if exercise.kind in KINDS else []
    said += [] if exercise.counts else [PRACTICE]
    title.append(f"  ({', '.join(said)})" if said else "", "dim")
    for text in (top, Text(), title):
        text.truncate(console.width, overflow="ellipsis")
        console.print(text)


def _body(session: Session, console: Console) -> None:
    if session.explanation is not None:
        console.print(Text((session.explained or session.exercise).id, style="bold"))
        progress_report.explanation(session.explanation, console)
        return
    for said in session.said:
        console.print(Text(clean(said), style="green" if said.startswith("The examples") else ""))
    if session.said:
        console.print()
    # First what was just asked for: a hint is counted, so it has to be seen.
    for number, hint in enumerate(session.hints):
        console.print(Text(f"hint {hint.number} of {hint.count}", style="bold"))
        check_report.indented(hint.text, 4, console)
        if hint.number == hint.count and not number:
            then = "Press e to read how it works." if session.is_stuck else READ_AGAIN
            check_report.indented(f"{LAST_HINT} {then}", 4, console)
        console.print()
    if session.running is not None and (session.result is None or session.running > MOMENT):
        console.print(Text(_running(session, session.running), style="cyan"))
    elif session.result is not None:
        check_report.result(session.result, console)
        console.print(Text(f"\n{session.checked}", style="dim"))


def _running(session: Session, seconds: float) -> str:
    if session.request.left > 1:
        return f"checking: {counted(session.request.left, 'exercise')} to go"
    if seconds < 2:
        return "checking"
    where = f" at `{line(session.request.place, 60)}`" if session.request.place else ""
    return f"checking for {seconds:.0f} s{where}; a save restarts it"


def _list(session: Session, console: Console) -> None:
    for said in session.said:
        console.print(Text(f"{clean(said)}\n"))
    to_fix = [one.exercise for one in session.standings if one.status is Status.TO_FIX]
    for exercise in to_fix[:MOST_TO_FIX]:
        console.print(Text(f"to fix  {exercise.id}", STYLES["to fix"]))
    if to_fix:
        console.print()
    if session.assignment is not None:
        known = {one.exercise.id: one for one in session.standings}
        for exercise in session.order:
            row(known[exercise.id], " > " if exercise == session.exercise else "   ", console)
        return
    for topic, group in by_topic(session.standings):
        passed = sum(one.passed for one in group)
        style = "green" if passed == len(group) else ""
        console.print(Text(f"{topic:<20} {passed} of {len(group)}", style))
        for one in group if topic == session.exercise.topic else ():
            row(one, " > " if one.exercise == session.exercise else "   ", console)
