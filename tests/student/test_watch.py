"""`grader watch`: which file was saved, and a real terminal with a user who types."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
import types
from collections.abc import Iterator
from pathlib import Path

import pyte
import pytest

from grader.course.course import Course
from grader.student import guidance, terminal
from grader.student.watch import EMPTY, QUIET, Checker, Saves
from grader.student.watch_state import Answer, Event
from tests.student.conftest import PATIENT, RIGHT, WRONG, solve, until

# Which file was saved


def test_a_save_is_told_once_when_it_is_over(tmp_path: Path) -> None:
    a, b = tmp_path / "a.py", tmp_path / "b.py"
    a.write_text("1")
    saves = Saves([a, b])
    assert saves.changed(0.0) == []
    a.write_text("22")
    assert saves.changed(1.0) == []
    a.write_text("333")
    assert saves.changed(1.0 + QUIET) == []  # it changed again: a moment more
    assert saves.changed(1.0 + 2 * QUIET) == [a]
    assert saves.changed(9.0) == []


def test_a_file_that_is_emptied_and_then_filled_is_one_save(tmp_path: Path) -> None:
    a = tmp_path / "a.py"
    a.write_text("1")
    saves = Saves([a])
    a.write_text("")
    assert saves.changed(1.0) == []
    assert saves.changed(1.0 + 2 * QUIET) == []
    a.write_text("22")
    assert saves.changed(1.0 + 3 * QUIET) == []
    assert saves.changed(1.0 + 4.5 * QUIET) == [a]


def test_a_rename_into_place_a_new_file_and_a_deleted_one_are_saves(tmp_path: Path) -> None:
    a, b, c = tmp_path / "a.py", tmp_path / "b.py", tmp_path / "c.py"
    a.write_text("1")
    c.write_text("1")
    saves = Saves([a, b, c])
    (tmp_path / "new").write_text("2")
    os.replace(tmp_path / "new", a)
    b.write_text("x")
    c.unlink()
    assert saves.changed(1.0) == []
    assert saves.changed(1.0 + QUIET) == [a, b]
    assert saves.changed(1.0 + EMPTY) == [c]


# Processes that stay warm


@pytest.mark.slow
def test_a_check_that_nobody_wants_any_more_ends_soon(mine: Course) -> None:
    heard: list[Event] = []
    place = mine.stub(mine["set_row"])
    solve(mine, "while True: pass")
    with Checker(mine, heard.append) as checker:
        checker.ask([mine["set_row"]])
        until(lambda: any(event.kind == "place" and event.value for event in heard))
        place.write_text(place.read_text().replace("while True: pass", RIGHT))
        last = checker.ask([mine["set_row"]])
        until(lambda: any(event.kind == "result" and event.ticket == last for event in heard))
    (answer,) = (e.value for e in heard if e.kind == "result" and e.ticket == last)
    assert isinstance(answer, Answer)
    assert answer.result.passed


# A real terminal


class Terminal:
    """`grader watch` in a pseudo-terminal, and what it shows."""

    def __init__(self, course: Course, before: str = "", **environment: str) -> None:
        """`before` is code that the process runs first."""
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self._ours, theirs = pty.openpty()
        self.resize(80, 24)
        self.before = termios.tcgetattr(theirs)
        # This makes it the new session's controlling terminal, so that Ctrl-C reaches it.
        own = (
            "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
            "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
        )
        watch = f"{before}\nfrom grader.cli import main\nmain(['watch'])"
        self.process = subprocess.Popen(
            [sys.executable, "-c", own, "-c", watch],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=course.stubs,
            env=os.environ | {"TERM": "xterm-256color"} | environment,
            start_new_session=True,
        )
        self._theirs = theirs

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.screen.resize(lines, columns)

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def type_until(self, key: str, wanted: str) -> None:
        """Types a key again and again, which may be taken for a part of what was typed before."""
        end = time.monotonic() + PATIENT
        while wanted not in self.text:
            assert time.monotonic() < end
            self.type(key)
            self._read(0.5)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def see(self, *wanted: str) -> str:
        """Waits until all of it is on the screen."""
        end = time.monotonic() + PATIENT
        flat = ""
        while time.monotonic() < end:
            self._read(0.05)
            flat = " ".join(self.text.split())
            if all(" ".join(text.split()) in flat for text in wanted):
                return self.text
        raise AssertionError(f"{wanted} not on the screen:\n{self.text}")

    def _read(self, seconds: float) -> None:
        if select.select([self._ours], [], [], seconds)[0]:
            with contextlib.suppress(OSError):
                data = os.read(self._ours, 1 << 16)
                self.raw += data
                self._stream.feed(data)

    def ended(self) -> int:
        """Waits for its exit code. Checks that the terminal has its old settings again."""

        def has_ended() -> bool:
            self._read(0.05)
            return self.process.poll() is not None

        until(has_ended)
        self._read(0.05)
        assert termios.tcgetattr(self._theirs) == self.before
        shown, hidden = self.raw.rfind(b"\x1b[?1049l"), self.raw.rfind(b"\x1b[?1049h")
        assert shown > hidden >= 0
        assert self.raw.rfind(b"\x1b[?25h") > self.raw.rfind(b"\x1b[?25l")
        return int(self.process.returncode)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)
        os.close(self._theirs)


@pytest.fixture
def desk(mine: Course) -> Iterator[Terminal]:
    found = Terminal(mine)
    yield found
    found.close()


@pytest.fixture
def leaping(mine: Course, tmp_path: Path) -> Iterator[Terminal]:
    found = Terminal(mine, LEAP.format(str(tmp_path / "leap")))
    yield found
    found.close()


@pytest.fixture
def waiting(mine: Course) -> Iterator[Terminal]:
    """One for which an empty file is always a save that isn't over."""
    found = Terminal(mine, "from grader.student import watch; watch.EMPTY = 1e9")
    yield found
    found.close()


@pytest.mark.parametrize(
    ("columns", "lines"),
    [(60, 15), *(pytest.param(*size, marks=pytest.mark.slow) for size in ((80, 24), (120, 40)))],
)
def test_a_hint_is_seen_on_any_screen(
    mine: Course, desk: Terminal, columns: int, lines: int
) -> None:
    desk.resize(columns, lines)
    solve(mine, WRONG)
    desk.see("to fix", "gives the same results as this mistake")
    for hint in guidance.hints(mine, mine["set_row"]):
        desk.type("h")
        desk.see(hint[:30])


def test_a_student_works_through_an_exercise(mine: Course, desk: Terminal) -> None:
    desk.see("0 of 3 pass", "not started 01_arrays/set_row", "replace line 41", "[l] list")
    solve(mine, WRONG)
    desk.see("to fix", "gives the same results as this mistake", "expected [[1, 2, 3], [7, 8, 9]]")
    desk.type("h")
    desk.see("hint 1 of 3", guidance.hints(mine, mine["set_row"])[0][:40])
    solve(mine, "return x.at[i].set(row", rename=False)
    desk.see("Line 41 is not Python", "return x.at[i].set(row")
    desk.type("l")
    desk.see("> to fix set_row", "01_arrays 0 of 3")
    desk.resize(120, 30)
    solve(mine, RIGHT)
    shown = desk.see(
        "The examples of `set_row` pass. The tests require more. On to `hist`.",
        "not started 01_arrays/hist",
    )
    assert shown.splitlines()[0].endswith("1 of 3 pass  [######..............]")
    assert len(shown.splitlines()[0]) == 120
    desk.type("s")
    desk.see("Skipped `hist`", "01_arrays/pairwise_sqdist")
    desk.type("a")
    desk.see("All were checked: 1 of 3 pass.", "01_arrays 1 of 3")
    desk.type("q")
    assert desk.ended() == 0


LEAP = """
import os, time, types
from grader.student import example_pool
leap = lambda: 1e6 if os.path.exists({!r}) else 0.0
example_pool.time = types.SimpleNamespace(monotonic=lambda: time.monotonic() + leap())
"""
"""The clock of the limits leaps ahead when there is such a file."""


@pytest.mark.slow
def test_an_endless_loop_is_ended_and_the_next_save_works(
    mine: Course, leaping: Terminal, tmp_path: Path
) -> None:
    desk = leaping
    desk.see("not started")
    solve(mine, "while True: pass")
    desk.see("checking for", "s at `set_row(x, 1, row).tolist()`; a save restarts it")
    (tmp_path / "leap").touch()
    desk.see("was stopped after 3000 s. Is there a loop that never ends")
    solve(mine, RIGHT)
    desk.see("The examples of `set_row` pass.")
    desk.type("rr")
    desk.see("`hist` is a stub again. Your version is kept in")
    desk.type("\x03")
    assert desk.ended() == 0
    assert desk.raw.endswith(b"1 of 3 exercises pass.\r\n")


def test_a_file_that_is_saved_in_two_steps_is_checked_when_it_is_whole(
    mine: Course, waiting: Terminal
) -> None:
    desk = waiting
    desk.see("not started")
    solve(mine, RIGHT, "set_row")
    whole = mine.stub(mine["set_row"]).read_text()
    desk.see("The examples of `set_row` pass.")
    place = mine.stub(mine["set_row"])
    place.write_text("")
    solve(mine, "return 1 +", "hist")
    desk.see("is not Python")  # both files have been looked at
    place.write_text(whole)
    desk.see("The examples of `set_row` pass.")
    assert b"empty file" not in desk.raw
    os.kill(desk.process.pid, signal.SIGTERM)
    assert desk.ended() == 128 + signal.SIGTERM


SEQUENCES = ("\x1bOB", "\x1bq", "\x1b[5;9q", "\x1b[<0;1;1q")


@pytest.mark.parametrize(
    "keys", ["\x1b[A", *(pytest.param(keys, marks=pytest.mark.slow) for keys in SEQUENCES)]
)
def test_a_key_that_sends_a_sequence_is_no_letter(keys: str, desk: Terminal) -> None:
    desk.see("not started")
    desk.type(keys)
    desk.type_until("s", "Skipped `")
    assert "> not started set_row" not in desk.text
    desk.type("q")
    assert desk.ended() == 0


def test_a_screen_is_never_left_in_the_middle(desk: Terminal) -> None:
    desk.see("not started")
    desk.type("\x1a")  # Ctrl-Z is ignored
    desk.type("l")
    desk.see("> not started set_row")
    os.kill(desk.process.pid, signal.SIGHUP)
    assert desk.ended() == 128 + signal.SIGHUP


def test_no_color_still_has_a_screen(mine: Course) -> None:
    desk = Terminal(mine, NO_COLOR="1")
    desk.see("not started", "[l] list")
    desk.type("q")
    assert desk.ended() == 0
    assert not re.search(rb"\x1b\[[0-9;]*3[0-9]", desk.raw)
    desk.close()


def test_it_ends_with_its_terminal(mine: Course) -> None:
    desk = Terminal(mine)
    desk.see("not started")
    os.close(desk._ours)
    assert desk.process.wait(PATIENT) != 0
    os.close(desk._theirs)


@pytest.mark.parametrize("dumb", [True, False])
def test_where_there_is_no_screen_it_tells_in_lines(mine: Course, dumb: bool) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "grader.cli", "watch"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        cwd=mine.stubs,
        env=os.environ | {"PYTHONUNBUFFERED": "1"} | ({"TERM": "dumb"} if dumb else {}),
        text=True,
    ) as process:
        assert process.stdout is not None
        lines: list[str] = []
        pipe = process.stdout
        reading = threading.Thread(target=lambda: lines.extend(iter(pipe.readline, "")))
        reading.start()
        until(lambda: any("not started  01_arrays/set_row" in line for line in lines))
        solve(mine, RIGHT)
        until(lambda: any("not started  01_arrays/hist" in line for line in lines))
        process.send_signal(signal.SIGINT)
        reading.join()
    text = "".join(lines)
    assert "The examples of `set_row` pass. The tests require more. On to `hist`." in text
    assert text.endswith("1 of 3 exercises pass.\n")
    assert "\x1b" not in text


def test_a_dumb_terminal_is_not_drawn_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout"):
        stream = types.SimpleNamespace(closed=False, isatty=lambda: True)
        monkeypatch.setattr(sys, name, stream)
    monkeypatch.setenv("TERM", "dumb")
    assert not terminal.is_capable()
    monkeypatch.setenv("TERM", "xterm")
    assert terminal.is_capable()
