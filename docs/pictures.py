"""Makes the pictures of the documents from the real thing: `python docs/pictures.py [--out DIR]`.

    a small class --grader grade--> results --grader report, feedback--> pages --Chromium--> *.png
    grader watch, grader race --terminal--> screen --rich--> *.svg

Run it after a change of what a reader sees, and look at the pictures. A test marked `slow` compares
their words with those of a new run. It takes a minute or two, and needs the extra `dev` and a
Chromium with its chromedriver.
"""

from __future__ import annotations

import argparse
import base64
import fcntl
import io
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyte
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from grader.course import Course, load
from grader.intake import cells
from grader.model import Exercise

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from tests.browser import NONE_HERE, find_browser, started  # noqa: E402  (the path comes first)

FOLDER = ROOT / "docs" / "pictures"
MOST_BYTES = 150_000
PATIENCE = 120.0
"""Seconds that a screen may take to show what it has to: the machine may be busy."""

PICTURES = {
    "class-page.png": (
        "The report of a class in a browser: a histogram of the marks, their median, the "
        "submissions that need attention, the most frequent misconceptions, and a bar of "
        "outcomes for each exercise."
    ),
    "class-page-dark.png": "The same report of a class in dark mode.",
    "student-page.png": (
        "A student's page in a browser: the mark, and for each exercise the tests that lost "
        "points, with the line of the student's file, what is wrong in it and what to change."
    ),
    "student-page-phone.png": "The same student's page on a phone, in one column.",
    "watch.svg": (
        "A terminal with grader watch: the progress in the course, an example that fails, the "
        "student's line, the reason, what to change, and a first hint."
    ),
    "race.svg": (
        "A terminal with grader race: a histogram of the measured ratios left of the needed "
        "factor, bars for the evidence of each launch, and the verdict that the answer fails."
    ),
    "race.png": (
        "A plot of a race: the ratio of each pair of measurements in two launches, on a "
        "logarithmic axis. Their median is far below the line of the needed factor."
    ),
}
"""Every picture, with the text for a reader who can't see it."""

# What students hand in

TOO_SLOW = '''\
"""One program for every n: it always computes as many terms as anybody may ask for."""

import jax
import jax.numpy as jnp
from jax import lax

LONGEST = 200_000


def fib_like(a0: float | jax.Array, n: int) -> jax.Array:
    def next_term(pair, _):
        older, newer = pair
        return (newer, older + newer), older

    first = jnp.asarray(a0, jnp.float32)
    _, terms = lax.scan(next_term, (first, 2 * first), length=LONGEST)
    return terms[:n]
'''
EXERCISES = "set_row split_many masked_mean fib_like sum_logistic apply_batch sgd".split()
CLASS: dict[str, dict[str, str]] = {
    "Amara Okafor": {},
    "Ben Fischer": {"masked_mean": "boolean_index"},
    "Chen Wei": {},
    "Daniela Rossi": {"split_many": "unpacked_array", "sum_logistic": "textbook"},
    "Elif Kaya": {"masked_mean": "float_mask", "sgd": "plain_tuples"},
    "Felix Novak": {"fib_like": "too slow", "apply_batch": "python_loop"},
    "Grace Kim": {"set_row": "numpy_copy", "masked_mean": "numpy_mean"},
    "Hiro Tanaka": {},
    "Ines Moreau": {
        "masked_mean": "boolean_index",
        "fib_like": "too slow",
        "sum_logistic": "missing",
        "sgd": "plain_tuples",
    },
    "Jonas Berg": dict.fromkeys(EXERCISES[3:], "missing") | {"set_row": "numpy_copy"},
    "Kavya Nair": {"sum_logistic": "textbook"},
    "Liam Byrne": {"apply_batch": "python_loop", "sum_logistic": "quotient"},
    "Mina Haddad": {},
    "Noah Jansen": {"masked_mean": "float_mask", "sum_logistic": "numpy_exp"},
    "Olga Petrova": {"split_many": "unpacked_array"},
    "Pablo Ortiz": {"masked_mean": "boolean_index", "sgd": "none_dropped"},
    "Quinn Taylor": {"fib_like": "unrolled"},
    "Rania Saleh": {},
    "Samuel Mensah": {"set_row": "numpy_copy", "sgd": "missing"},
    "Tara Lindgren": {
        "masked_mean": "numpy_mean",
        "fib_like": "too slow",
        "sum_logistic": "textbook",
        "sgd": "missing",
    },
    "Viktor Horvat": {"sum_logistic": "quotient", "apply_batch": "missing", "sgd": "missing"},
    "Yuki Sato": {"masked_mean": "boolean_index"},
    "Zoe Martin": {"fib_like": "missing", "sum_logistic": "numpy_exp"},
}
"""What isn't right, by student and exercise: a cell of the mutants, TOO_SLOW, or no file at all."""
# An upload that was cut short.
CUT_SHORT = "Will Evans.zip"
SHOWN = "Ines Moreau"


def make_class(course: Course, folder: Path) -> None:
    for student, answers in CLASS.items():
        for exercise in course.select(EXERCISES):
            answer = answers.get(exercise.stem, "")
            if answer != "missing":
                save(folder / student / f"{exercise.id}.py", text_of(course, exercise, answer))
    save(folder / CUT_SHORT, "PK\x03\x04")


def text_of(course: Course, exercise: Exercise, answer: str) -> str:
    if answer == "too slow":
        return TOO_SLOW
    solution = course.solution(exercise).read_text(encoding="utf-8")
    return cells.read(course.mutants(exercise))[answer].after(solution) if answer else solution


def save(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def grader(*arguments: str, cwd: Path) -> None:
    command = [sys.executable, "-m", "grader.cli", *arguments]
    # With a cache of its own, no verdict on speed is one that was "measured in an earlier run".
    own = os.environ | {"XDG_CACHE_HOME": str(cwd / "cache")}
    # `check` ends with 1 if something is left to do.
    done = subprocess.run(command, cwd=cwd, env=own, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"`{' '.join(command)}` ended with {done.returncode}:\n{done.stderr}")


# Pages

# Less than there is between two cards.
MARGIN = 12
TEXTS = """
const bottom = arguments[0], found = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const range = document.createRange();
  range.selectNode(walk.currentNode);
  const box = range.getBoundingClientRect();
  const isShown = walk.currentNode.parentElement.checkVisibility();
  if (isShown && box.height && box.bottom <= bottom) found.push(walk.currentNode.textContent);
}
return found.join(" ");
"""


@contextmanager
def a_browser(profile: Path) -> Iterator[Any]:
    if (found := find_browser()) is None:
        raise SystemExit(NONE_HERE)
    with started(found, profile, "--hide-scrollbars --force-color-profile=srgb") as browser:
        yield browser


def photograph(
    browser: Any,
    page: Path,
    picture: Path,
    *,
    width: int,
    last: str,
    scheme: str = "light",
    scale: float = 1.0,
) -> None:
    """A page from its top to the end of the element that the selector `last` finds."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    def send(command: str, **arguments: object) -> Any:
        return browser.execute_cdp_cmd(command, arguments)

    features = [{"name": "prefers-color-scheme", "value": scheme}]
    send("Emulation.setEmulatedMedia", features=features)
    send(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=900,
        deviceScaleFactor=scale,
        mobile=width < 600,
    )
    browser.get(page.as_uri())
    end = "return Math.ceil(document.querySelector(arguments[0]).getBoundingClientRect().bottom)"
    height = browser.execute_script(end, last) + MARGIN
    taken = send(
        "Page.captureScreenshot",
        captureBeyondViewport=True,
        clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
    )
    image = Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGB")
    about = PngInfo()
    about.add_itxt("Words", " ".join(sorted(_words(browser.execute_script(TEXTS, height)))))
    # With fewer colours, small signs would lose theirs.
    few = image.quantize(256, kmeans=3, dither=Image.Dither.NONE)
    few.save(picture, optimize=True, pnginfo=about)


# Terminals


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


# What is in a picture


def words(picture: Path) -> set[str]:
    """The words on a picture; none on one that matplotlib drew."""
    if picture.suffix == ".svg":
        texts = ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")
        return _words(" ".join(text.text or "" for text in texts))
    from PIL import Image

    with Image.open(picture) as image:
        return _words(str(image.info.get("Words", "")))


def _words(text: str) -> set[str]:
    """Without numbers and single letters, which may differ from run to run."""
    return set(re.findall(r"[^\W\d_]{2,}", text))


# The pictures

WRONG = """\
if not mask.any():
        return 0.0
    return x[mask].mean()"""


def pages(folder: Path, out: Path) -> None:
    course = load(ROOT / "exercises" / "catalog.toml")
    make_class(course, folder / "homework")
    chosen = [word for stem in EXERCISES for word in ("--exercise", stem)]
    where = ("--course", str(ROOT), "--seed", "1")
    grader("grade", "--class", "homework", "--out", "results", *chosen, *where, cwd=folder)
    grader("report", "results", "html=class.html", cwd=folder)
    grader("feedback", "results", "pages", cwd=folder)
    (student,) = (folder / "pages").glob(f"{SHOWN.split()[0]}*.html")
    with a_browser(folder / "profile") as browser:
        for scheme, name in (("light", "class-page.png"), ("dark", "class-page-dark.png")):
            photograph(
                browser,
                folder / "class.html",
                out / name,
                width=1200,
                last=".exercises",
                scheme=scheme,
            )
        photograph(browser, student, out / "student-page.png", width=1000, last="article")
        photograph(
            browser,
            student,
            out / "student-page-phone.png",
            width=390,
            last=".exercise:nth-of-type(2)",
            scale=2,
        )


def watch(folder: Path, out: Path) -> None:
    grader("start", cwd=folder)
    mine = load(folder / "jax-by-exercises" / "catalog.toml")
    ours = load(ROOT / "exercises" / "catalog.toml")
    stuck = mine["masked_mean"]
    done = mine.exercises[: mine.exercises.index(stuck)]
    for exercise in done:
        shutil.copyfile(ours.solution(exercise), mine.stub(exercise))
    grader("check", *(exercise.stem for exercise in done), cwd=mine.stubs)
    command = [sys.executable, "-m", "grader.cli", "watch"]
    with Terminal(command, mine.stubs, COLUMNS, 26) as terminal:
        terminal.see("not started", "checked at")
        stub = mine.stub(stuck)
        text = stub.read_text(encoding="utf-8")
        save(stub, text.replace("raise NotImplementedError", WRONG))
        terminal.see("to fix", "checked at")
        terminal.type("h")
        terminal.see("hint 1 of 3")
        draw(terminal.screen, out / "watch.svg", "grader watch")
        terminal.type("q")
        terminal.ended()


def race(folder: Path, out: Path) -> None:
    save(folder / "attempt.py", TOO_SLOW)
    typed = "race fib_like --against attempt.py --plot race.png"
    command = [sys.executable, "-m", "grader.cli", *typed.split(), "--course", str(ROOT)]
    with Terminal(command, folder, COLUMNS, 26) as terminal:
        terminal.feed(f"$ grader {typed}\r\n")
        terminal.ended()
        draw(terminal.screen, out / "race.svg", "grader race")
    shutil.copyfile(folder / "race.png", out / "race.png")


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Makes the pictures of the documents.")
    parser.add_argument("--out", type=Path, default=FOLDER, help="default: docs/pictures")
    out = parser.parse_args(None if arguments is None else list(arguments)).out.resolve()
    if find_browser() is None:
        raise SystemExit(NONE_HERE)
    out.mkdir(parents=True, exist_ok=True)
    for make in (race, watch, pages):
        with tempfile.TemporaryDirectory(prefix="grader-pictures-") as folder:
            make(Path(folder), out)
    for name in PICTURES:
        print(f"{(out / name).stat().st_size:7} {out / name}")


if __name__ == "__main__":
    main()
