"""What `grader watch` shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from grader.course.course import Course
from grader.output.screens.watch import Printing, screen
from grader.records.model import CheckResult, Finding, Status
from grader.student.guidance import Explanation, Hint
from grader.student.watch_state import Request, Session
from tests.student.conftest import Sitting, laid_out


@pytest.fixture
def mine(tmp_path: Path) -> Course:
    return laid_out(tmp_path / "mine")


def a_session(course: Course, *, running: float | None = None, place: str = "") -> Session:
    """One with a finding and a hint; `running` is how many seconds a check has run."""
    session = Sitting(course, time=100.0).session
    finding = Finding(
        "The example at line 29 gives another result than it should.",
        line=29,
        example="set_row(x, 1, row).tolist()",
        expected="[[1, 2, 3], [7, 8, 9]]",
        got="[[1, 2, 3], [11, 13, 15]]\x1b[2J",
    )
    session.result = CheckResult(
        "01_arrays/set_row", "01_arrays/set_row.py", Status.TO_FIX, 5, (finding,)
    )
    session.checked = "checked at 12:00:00 in 0.25 s"
    session.hints = (Hint("Every array has a property. " * 8, 2, 3),)
    started = None if running is None else 100.0 - running
    session.request = Request(started=started, place=place)
    return session


def bare(lines: Sequence[str]) -> list[str]:
    return [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in lines]


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("colour", [True, False])
def test_the_screen_is_legible(mine: Course, width: int, colour: bool) -> None:
    shown = screen(a_session(mine), width, 40, colour=colour)
    assert colour == any("\x1b[" in line for line in shown)
    text = bare(shown)
    assert max(map(len, text)) <= width
    together = " ".join(" ".join(text).split())
    for said in (
        "jax-by-exercises 0 of 3 pass [....................]",
        "01_arrays/set_row",
        "to fix",
        "The example at line 29 gives another result than it should.",
        "expected [[1, 2, 3], [7, 8, 9]]",
        "hint 2 of 3",
        "checked at 12:00:00 in 0.25 s",
    ):
        if width > 40 or len(said) < 40:
            assert said in together
    assert "\x1b[2J" not in "".join(shown)


def test_no_color_leaves_no_colour(mine: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = "".join(screen(a_session(mine), 80, 40))
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", shown)


def test_a_low_screen_keeps_the_header_and_the_keys(mine: Course) -> None:
    text = bare(screen(a_session(mine), 80, 12))
    assert len(text) <= 12
    assert text[0].startswith("jax-by-exercises")
    assert (
        text[-1] == "[t] task  [o] open  [h] hint  [l] list  [a] all  [s] skip  [r] reset  [q] quit"
    )
    assert any("more: grader check set_row" in line for line in text)
    assert len(screen(a_session(mine), 80, 2)) == 2
    narrow = bare(screen(a_session(mine), 40, 12))
    assert len(narrow) == 12
    assert narrow[-1] == "[t] [o] [h] [l] [a] [s] [r] [q]"
    assert narrow[0] == f"{'jax-by-exercises':<34}0 of 3"


def test_the_task_is_read_page_by_page_and_the_list_of_an_explanation_is_there(
    mine: Course,
) -> None:
    session = a_session(mine)
    pages = []
    for _ in range(3):
        session.key("t")
        pages.append(bare(screen(session, 80, 20)))
    assert pages[0] != pages[1]
    assert "page 1 of" in pages[0][-3]
    stub = mine.stub_text(session.exercise).splitlines()
    assert [row.rstrip() for row in stub[:12]] == pages[0][4:16]
    session.key("x")
    assert "to fix" in " ".join(bare(screen(session, 80, 40)))
    session.explanation = Explanation("## What else works\n\n- Another way, in many words.")
    text = bare(screen(session, 80, 40))
    assert "01_arrays/set_row" in text
    assert "- Another way, in many words." in text


def test_a_long_text_shows_its_top_and_the_command_for_the_rest(mine: Course) -> None:
    session = a_session(mine)
    whole = bare(screen(session, 80, 60))
    text = bare(screen(session, 80, 12))
    shown = text[:-3]
    assert shown == whole[: len(shown)]
    left = len(whole) - 2 - len(shown)
    assert text[-3] == f"... {left} lines more: grader check set_row"
    session.lists = True
    assert re.search(r"lines more: grader list$", "\n".join(bare(screen(session, 80, 7))), re.M)


def test_what_was_shown_stays_while_a_short_check_runs(mine: Course) -> None:
    assert screen(a_session(mine, running=0.1), 80, 24) == screen(a_session(mine), 80, 24)
    longer = " ".join(bare(screen(a_session(mine, running=3.0, place="f(x)"), 80, 24)))
    assert "checking for 3 s at `f(x)`; a save restarts it" in longer
    assert "to fix" not in longer


def test_the_list_shows_where_one_is(mine: Course) -> None:
    session = a_session(mine)
    session.lists = True
    text = bare(screen(session, 80, 24))
    assert "01_arrays            0 of 3" in text
    assert "  > not started  set_row                Replace one row" in text


def test_a_pipe_gets_what_is_new_in_lines(mine: Course) -> None:
    import io

    console = Console(file=io.StringIO(), width=80, highlight=False)
    printing = Printing(console)
    session = a_session(mine)
    session.said = ("Hello.",)
    printing.draw(session)
    session.checked = "checked at 12:00:01 in 3.00 s"
    printing.draw(session)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert text.count("Hello.") == text.count("to fix") == 1
