"""The terminal that a student sits at: single keys, its size, a screen of our own.

    Unix      termios: keys come at once and unseen; Ctrl-C still interrupts
    Windows   msvcrt, which knows keys at once; a call to the shell that turns escapes on

The only module that knows what system this is. The Windows half has never been run by its
authors. Whatever happens, what `Screen` changes is put back when it is left.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

_OWN_SCREEN, _BACK = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_HOME, _REST_OF_LINE, _REST = "\x1b[H", "\x1b[K", "\x1b[J"


def is_capable() -> bool:
    """Whether there is somebody at a screen that can be drawn on, line by line and in place."""
    dumb = os.environ.get("TERM", "").lower() in ("dumb", "unknown")
    return not dumb and _is_terminal(sys.stdin) and _is_terminal(sys.stdout)


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


class Screen:
    """A screen beside the one with the shell, drawn whole; `keys` are read while it stands."""

    def __init__(self) -> None:
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> Screen:
        with contextlib.ExitStack() as undo:
            undo.enter_context(_unseen_keys())
            undo.enter_context(_ending_in_order())
            self._write(_OWN_SCREEN)
            undo.callback(self._write, _BACK)
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()

    def draw(self, lines: list[str]) -> None:
        """Replaces what is shown. Nothing is cleared first, so nothing flickers."""
        self._write(_HOME + "\r\n".join(line + _REST_OF_LINE for line in lines) + _REST)

    @staticmethod
    def _write(text: str) -> None:
        # Whoever looks may have closed the window.
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.write(text)
            sys.stdout.flush()


def size() -> tuple[int, int]:
    """Columns and lines, as they are now."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        found = os.get_terminal_size(sys.stdout.fileno())
        if found.columns > 0 and found.lines > 0:
            return found.columns, found.lines
    found = shutil.get_terminal_size()
    return found.columns, found.lines


def listen(on_key: Callable[[str], None], stopped: threading.Event) -> None:
    """Calls `on_key` with every key, until it is stopped. For a thread of its own."""
    read = _read_windows if os.name == "nt" else _read_unix
    while not stopped.is_set():
        try:
            key = read(0.1)
        except (OSError, ValueError):
            return  # there is no terminal any more
        for letter in key:
            on_key(letter)


def _read_unix(seconds: float) -> str:
    select = importlib.import_module("select")
    if not select.select([sys.stdin], [], [], seconds)[0]:
        return ""
    data = os.read(sys.stdin.fileno(), 64)
    if not data:
        raise OSError
    text = data.decode(errors="ignore")
    # An arrow and its like are several characters; none of them is a key of ours.
    return "" if text.startswith("\x1b") else text


def _read_windows(seconds: float) -> str:
    msvcrt = importlib.import_module("msvcrt")
    end = time.monotonic() + seconds
    while not msvcrt.kbhit():
        if time.monotonic() > end:
            return ""
        time.sleep(0.02)
    key = str(msvcrt.getwch())
    if key in ("\0", "\xe0"):
        msvcrt.getwch()
        return ""
    if key == "\x03":
        signal.raise_signal(signal.SIGINT)
    return key


@contextlib.contextmanager
def _unseen_keys() -> Iterator[None]:
    """Keys come without Enter, and aren't shown."""
    if os.name == "nt":
        os.system("")
        yield
        return
    termios, tty = importlib.import_module("termios"), importlib.import_module("tty")
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, before)


@contextlib.contextmanager
def _ending_in_order() -> Iterator[None]:
    """A request to end is an exception, so that everything is put back."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), _leave) for name in names}
    if hasattr(signal, "SIGTSTP"):  # a screen that is left in the middle is not put back
        before["SIGTSTP"] = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _leave(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)
