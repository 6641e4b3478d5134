"""A command in a pseudo-terminal, and its screen as SVG.

Terminal(command)  --pyte-->  Screen  --rich-->  draw(screen, picture)
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pyte
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0
"""Seconds that a screen may take to show what it has to: the machine may be busy."""


class Screen(pyte.Screen):
    """A screen that also knows faint text, as a colour."""

    def select_graphic_rendition(self, *attributes: int, **more: bool) -> None:
        super().select_graphic_rendition(*attributes, **more)
        if attributes[:1] == (2,) or attributes[:2] == (1, 2):
            self.cursor.attrs = self.cursor.attrs._replace(fg=FAINT)


class Terminal:
    """A command in a pseudo-terminal."""

    def __init__(self, command: Sequence[str], cwd: Path, columns: int, lines: int) -> None:
        self.screen = Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
        self._process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=cwd,
            env=kept | {"TERM": "xterm-256color", "COLORTERM": ""},
            start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def feed(self, text: str) -> None:
        self._stream.feed(text.encode())

    def see(self, *wanted: str) -> None:
        """Waits until all of it is on the screen, and the rest of the screen with it."""
        self._read_until(lambda: all(text in " ".join(self.text.split()) for text in wanted))
        self._read_rest()

    def ended(self) -> None:
        """Waits until the command ends. Raises `SystemExit` if it ends with an error."""
        self._read_until(lambda: self._process.poll() is not None)
        self._read_rest()
        if self._process.returncode:
            raise SystemExit(f"the command ended with {self._process.returncode}:\n{self.text}")

    def _read_until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                raise SystemExit(f"the screen never came to its end:\n{self.text}")
            self._read(0.05)

    def _read_rest(self) -> None:
        while self._read(0.1):
            pass

    def _read(self, seconds: float) -> bool:
        if not select.select([self._ours], [], [], seconds)[0]:
            return False
        try:
            said = os.read(self._ours, 1 << 16)
        except OSError:  # the command has ended
            return False
        # The path of this checkout differs from machine to machine.
        self._stream.feed(said.replace(str(ROOT).encode(), b"~/course"))
        return True


# An address of a page of JAX fits into one line.
COLUMNS = 92
FAINT = "9aa0aa"
THEME = TerminalTheme(
    (30, 32, 36),
    (220, 223, 228),
    [
        (92, 99, 112),
        (240, 113, 120),
        (152, 195, 121),
        (229, 192, 123),
        (97, 175, 239),
        (198, 120, 221),
        (86, 182, 194),
        (220, 223, 228),
    ],
)
# Like rich's own, without its font from the network.
FORMAT = """\
<svg viewBox="0 0 {width} {height:.1f}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
  font: {char_height}px "DejaVu Sans Mono", Menlo, Consolas, monospace;
  line-height: {line_height}px;
}}
.{unique_id}-title {{ font: bold 18px "DejaVu Sans", Verdana, Arial, sans-serif; }}
{styles}
</style>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def draw(screen: pyte.Screen, picture: Path, title: str) -> None:
    """The screen as SVG, without the empty lines at its end."""
    lines = [_line(screen, number) for number in range(screen.lines)]
    while lines and not lines[-1].plain.strip():
        lines.pop()
    console = Console(
        record=True, file=io.StringIO(), width=screen.columns, highlight=False, emoji=False
    )
    console.print(Text("\n").join(lines), soft_wrap=True)
    drawn = console.export_svg(
        title=title,
        theme=THEME,
        code_format=FORMAT,
        font_aspect_ratio=0.602,  # of DejaVu Sans Mono
        unique_id=picture.stem,
    )
    # Rich cuts each line off at the edges of its row, and draws the ends of lines as texts, too.
    drawn = re.sub(r' clip-path="[^"]*"', "", drawn)
    drawn = re.sub(r"<text [^>]*>\n</text>", "\n", drawn)
    # An editor would take out spaces at the ends of lines, and empty lines.
    drawn = re.sub(r"\s*\n\s*", "\n", drawn)
    picture.write_text(drawn, encoding="utf-8")


def _line(screen: pyte.Screen, number: int) -> Text:
    """One text for each run of equal style."""
    row = screen.buffer[number]
    text = Text()
    for style, run in groupby((row[n] for n in range(screen.columns)), _style):
        text.append("".join(cell.data for cell in run), style)
    text.rstrip()
    return text


def _style(cell: Any) -> Style:
    return Style(
        color=_colour(cell.fg),
        bgcolor=_colour(cell.bg),
        bold=cell.bold,
        italic=cell.italics,
        underline=cell.underscore,
        reverse=cell.reverse,
    )


def _colour(name: str) -> str | None:
    if name == "default":
        return None
    if re.fullmatch(r"[0-9a-f]{6}", name):
        return f"#{name}"
    return {"brown": "yellow"}.get(name, name.replace("bright", "bright_"))
