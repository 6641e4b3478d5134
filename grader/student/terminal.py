"""The terminal that a student sits at: single keys, its size, and a screen of our own.

`blessed` knows the systems: Unix, and Windows by `jinxed`. Its own styling stays off. Styling
gives no screen if `NO_COLOR` is set. It also asks the terminal questions first, and waits for
seconds if nothing answers. So the few sequences for a screen are written here.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, TextIO

import blessed

_OWN_SCREEN, _BACK = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_HOME, _REST_OF_LINE, _REST = "\x1b[H", "\x1b[K", "\x1b[J"


def is_capable() -> bool:
    """Whether a person sits at a terminal that can draw at any place."""
    dumb = os.environ.get("TERM", "").lower() in ("dumb", "unknown")
    streams: tuple[TextIO | None, ...] = (sys.stdin, sys.stdout)
    return not dumb and all(s is not None and not s.closed and s.isatty() for s in streams)


class Screen:
    """A screen that is always drawn whole."""

    def __init__(self, terminal: blessed.Terminal) -> None:
        self.terminal = terminal

    def size(self) -> tuple[int, int]:
        """Columns and lines, as they are now."""
        return self.terminal.width or 80, self.terminal.height or 24

    def draw(self, lines: list[str]) -> None:
        """Replaces what is shown. Nothing is cleared first, so nothing flickers."""
        _write(_HOME + "\r\n".join(line + _REST_OF_LINE for line in lines) + _REST)

    def listen(self, on_key: Callable[[str], None], stopped: threading.Event) -> None:
        """Calls `on_key` with every letter until `stopped` is set. Runs in its own thread."""
        with contextlib.suppress(OSError, ValueError, EOFError):  # the terminal is gone
            while not stopped.is_set():
                key = self.terminal.inkey(timeout=0.1)
                if key.startswith("\x1b"):
                    # The rest of a sequence would come as letters.
                    while self.terminal.inkey(timeout=0):
                        pass
                elif key:
                    on_key(str(key))


@contextlib.contextmanager
def own_screen() -> Iterator[Screen]:
    """A screen beside the shell's. The terminal is put back as it was in any case."""
    if os.name == "nt":
        os.system("")  # from here on, this console obeys escape sequences
    screen = Screen(blessed.Terminal(force_styling=None))
    with _orderly_end(), screen.terminal.cbreak():
        try:
            _write(_OWN_SCREEN)
            yield screen
        finally:
            _write(_BACK)


def _write(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # the window may be closed
        sys.stdout.write(text)
        sys.stdout.flush()


@contextlib.contextmanager
def _orderly_end() -> Iterator[None]:
    """A request to end becomes an exception, so that everything is put back."""
    # SIGTSTP (Ctrl-Z) would leave the terminal to the shell with our screen on it.
    handlers: dict[str, Any] = {"SIGTERM": _leave, "SIGHUP": _leave, "SIGTSTP": signal.SIG_IGN}
    with contextlib.ExitStack() as end:
        for name, handler in handlers.items():
            if number := getattr(signal, name, None):
                end.callback(signal.signal, number, signal.signal(number, handler))
        yield


def _leave(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)
