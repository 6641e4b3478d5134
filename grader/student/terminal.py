"""The terminal that a student sits at: single keys, and a screen beside the shell's.

`rich` draws, and `blessed` reads the keys: on Unix, and on Windows by `jinxed`. The styling of
`blessed` stays off, since it asks the terminal questions first, and waits for seconds if nothing
answers.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

import blessed
import click
from rich.console import Console, ConsoleDimensions
from rich.live import Live
from rich.text import Text


def is_capable() -> bool:
    """Whether a person sits at a terminal that can draw at any place."""
    dumb = os.environ.get("TERM", "").lower() in ("dumb", "unknown")
    streams: tuple[TextIO | None, ...] = (sys.stdin, sys.stdout)
    return not dumb and all(s is not None and not s.closed and s.isatty() for s in streams)


class Screen:
    """Lines in place of the lines before them, and the keys."""

    def __init__(self, live: Live, terminal: blessed.Terminal) -> None:
        self._live, self._terminal = live, terminal
        self._shown: tuple[tuple[int, int], list[str]] | None = None
        self._reading = threading.Lock()

    def size(self) -> tuple[int, int]:
        """Columns and lines, as they are now."""
        return self._terminal.width or 80, self._terminal.height or 24

    def draw(self, lines: list[str]) -> None:
        """Shows the lines, unless the same ones are shown already."""
        if (shown := (self.size(), lines)) != self._shown:
            # By itself, rich believes the variable `COLUMNS`, which doesn't follow the window.
            self._live.console.size = ConsoleDimensions(*self.size())
            with contextlib.suppress(OSError, ValueError):  # the window may be closed
                self._live.update(Text.from_ansi("\n".join(lines)), refresh=True)
            self._shown = shown

    def edit(self, path: Path) -> None:
        """Leaves the terminal to `$VISUAL` or `$EDITOR` until that ends."""
        with self._reading:
            self._live.stop()
            try:
                click.edit(filename=str(path))
            except click.ClickException as error:
                click.pause(f"{error.format_message()} Set `EDITOR`. Press a key to continue.")
            finally:
                self._live.start()
                self._shown = None

    def listen(self, on_key: Callable[[str], None], stopped: threading.Event) -> None:
        """Calls `on_key` with every letter until `stopped` is set. Runs in its own thread."""
        with contextlib.suppress(OSError, ValueError, EOFError):  # the terminal is gone
            while not stopped.is_set():
                with self._reading:
                    key = self._terminal.inkey(timeout=0.1)
                if key.startswith("\x1b"):
                    # The rest of a sequence would come as letters.
                    while self._terminal.inkey(timeout=0):
                        pass
                elif key:
                    on_key(str(key))


@contextlib.contextmanager
def own_screen() -> Iterator[Screen]:
    """A screen beside the shell's. The terminal is put back as it was in any case."""
    terminal = blessed.Terminal(force_styling=None)
    live = Live(
        console=Console(highlight=False),
        screen=True,
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    with _orderly_end(), terminal.cbreak():
        live.start()
        try:
            yield Screen(live, terminal)
        finally:
            with contextlib.suppress(OSError, ValueError):  # the window may be closed
                live.stop()


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
