"""`grader watch`: its decisions, its screen, and a real terminal with a user who types."""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyte
import pytest
from rich.console import Console

from grader.course import Course, find, load
from grader.model import CheckResult, Exercise, Finding, Status
from grader.screens.watch import KEYS, SHORT_KEYS, Printing, screen
from grader.student import guidance, progress, terminal, workspace
from grader.student.check import check_one
from grader.student.example_pool import ExamplePool, _compiled
from grader.student.guidance import Hint
from grader.student.start import start
from grader.student.watch import EMPTY, QUIET, Checker, Saves
from grader.student.watch_state import PATIENCE, Answer, Event, Request, Session, reset

PATIENT = 60.0
"""Seconds that a test waits for what takes one: the machine may be busy."""

STEMS = ("set_row", "hist", "pairwise_sqdist")
TODO = "raise NotImplementedError"
RIGHT = "return x.at[i].set(row)"
WRONG = "return x.at[i].add(row)"


@pytest.fixture
def mine(tmp_path: Path) -> Course:
    """Three exercises of the course as a student has them, with a limit of one second."""
    return laid_out(tmp_path / "mine")


def laid_out(folder: Path) -> Course:
    ours = find(start=Path(__file__).parents[1])
    entries = ""
    for exercise in ours.select(STEMS):
        entries += f'[[exercise]]\nid = "{exercise.id}"\ntitle = "{exercise.title}"\n'
        place = folder / exercise.topic / f"{exercise.stem}.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ours.stub(exercise), place)
    catalog = f'schema = 1\nname = "{ours.name}"\n[limits]\nseconds = 3\noutput_kb = 16\n{entries}'
    (folder / "catalog.toml").write_text(catalog)
    return load(folder / "catalog.toml")


def solve(course: Course, body: str, stem: str = "set_row", *, rename: bool = True) -> None:
    """Saves the stub with another body, as many editors do: beside it, and renamed."""
    stub = workspace.pristine(course, course[stem])
    assert stub is not None
    text = stub.read_text().replace(TODO, body)
    place = course.stub(course[stem])
    if rename:
        beside = place.with_name(f".{place.name}.new")
        beside.write_text(text)
        os.replace(beside, place)
    else:
        place.write_text(text)


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


# What is decided


class Recorder:
    """Stands in for the checker: remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def ask(self, exercises: Sequence[Exercise]) -> int:
        self.asked.append([exercise.stem for exercise in exercises])
        return len(self.asked)


@dataclasses.dataclass
class Sitting:
    """A session with a clock that is set by hand, and a stand-in for the checker."""

    course: Course
    time: float = 0.0

    def __post_init__(self) -> None:
        self.recorder = Recorder()
        first = self.course.exercises[0]
        self.session = Session(self.course, self.recorder.ask, first, now=lambda: self.time)
        self.session.begin()

    @property
    def asked(self) -> list[list[str]]:
        return self.recorder.asked

    def save(self, stem: str = "set_row") -> None:
        self.session.saved(self.course.stub(self.course[stem]))

    def answer(self, stem: str, status: Status, ticket: int | None = None) -> None:
        exercise = self.course[stem]
        found = CheckResult(exercise.id, f"{stem}.py", status, 1)
        answer = Answer(found, workspace.digest(self.course, exercise), 0.1)
        self.session.heard(Event("begun", exercise, ticket or len(self.asked)))
        self.session.heard(Event("result", answer, ticket or len(self.asked)))


@pytest.fixture
def sitting(mine: Course) -> Sitting:
    return Sitting(mine)


def test_a_save_of_another_file_turns_to_that_exercise(sitting: Sitting) -> None:
    sitting.answer("set_row", Status.TO_FIX)
    sitting.save("pairwise_sqdist")
    assert sitting.session.exercise.stem == "pairwise_sqdist"
    assert sitting.asked == [["set_row"], ["pairwise_sqdist"]]


def test_what_passes_is_praised_and_the_next_comes_by_itself(sitting: Sitting) -> None:
    sitting.answer("set_row", Status.PASSED)
    assert sitting.session.said == (
        "The examples of `set_row` pass. The tests ask for more. On to `hist`.",
    )
    assert sitting.session.exercise.stem == "hist"
    assert sitting.asked[-1] == ["hist"]
    assert progress.load(sitting.course).entries["01_arrays/set_row"].status is Status.PASSED


def test_when_all_pass_the_way_to_hand_in_is_shown(sitting: Sitting) -> None:
    for stem in STEMS:
        sitting.answer(stem, Status.PASSED)
    assert sitting.session.said[-1] == (
        "The examples of `pairwise_sqdist` pass. Now the examples of all 3 exercises pass. "
        "The tests ask for more. `grader submit` packs your work."
    )
    assert len(sitting.asked) == len(STEMS)


def test_a_newer_save_waits_a_moment_and_then_ends_the_older_check(sitting: Sitting) -> None:
    sitting.save()
    sitting.session.tick()
    assert len(sitting.asked) == 1
    sitting.time = PATIENCE + 0.1
    sitting.session.tick()
    assert sitting.asked == [["set_row"], ["set_row"]]


def test_a_pass_is_not_praised_when_a_newer_save_waits(sitting: Sitting) -> None:
    sitting.save()
    sitting.answer("set_row", Status.PASSED)
    sitting.session.tick()
    assert sitting.session.exercise.stem == "set_row"
    assert sitting.asked == [["set_row"], ["set_row"]]


def test_an_answer_to_an_older_request_is_not_shown(sitting: Sitting) -> None:
    sitting.answer("set_row", Status.TO_FIX)
    sitting.save()
    sitting.answer("set_row", Status.PASSED, ticket=1)
    assert sitting.session.exercise.stem == "set_row"
    assert sitting.session.said == ()


def test_hints_come_one_after_another(sitting: Sitting) -> None:
    numbers = []
    for _ in range(4):
        sitting.session.key("h")
        newest = sitting.session.hints[0]
        numbers.append((newest.number, newest.again))
    assert numbers == [(1, False), (2, False), (3, False), (3, True)]
    assert [hint.number for hint in sitting.session.hints] == [3, 2, 1]


def test_a_reset_is_asked_twice_and_keeps_a_backup(sitting: Sitting) -> None:
    solve(sitting.course, WRONG)
    stub = sitting.course.stub(sitting.course["set_row"])
    own = stub.read_bytes()
    sitting.session.key("r")
    assert stub.read_bytes() == own
    sitting.session.key("x")
    assert sitting.session.said == ("Nothing was reset.",)
    sitting.session.key("r")
    sitting.session.key("r")
    original = workspace.pristine(sitting.course, sitting.course["set_row"])
    assert original is not None
    assert stub.read_bytes() == original.read_bytes()
    (backup,) = (sitting.course.stubs / ".grader" / "backups").iterdir()
    assert backup.read_bytes() == own
    assert f"Yours is kept in `.grader/backups/{backup.name}`." in sitting.session.said[0]
    sitting.save()  # our own write must not clear the message
    assert "is a stub again" in sitting.session.said[0]


def test_a_reset_that_cannot_be_written_says_so(mine: Course) -> None:
    (mine.stubs / ".grader").write_text("in the way")
    solve(mine, WRONG)
    place, stub = mine.stub(mine["set_row"]), workspace.pristine(mine, mine["set_row"])
    assert stub is not None
    assert "was not reset" in reset(place, stub, progress.folder(mine))
    assert WRONG in place.read_text()


def test_skipping_goes_around_and_leaves_out_what_passes(sitting: Sitting) -> None:
    sitting.answer("set_row", Status.PASSED)
    for expected in ("pairwise_sqdist", "hist", "pairwise_sqdist"):
        sitting.session.key("s")
        assert sitting.session.exercise.stem == expected


def test_of_a_course_that_nothing_remembers_no_exercise_comes_twice(mine: Course) -> None:
    (mine.stubs / ".grader").write_text("in the way")
    sitting = Sitting(mine)
    for stem in STEMS:
        sitting.answer(stem, Status.PASSED)
    assert "`grader submit` packs your work." in sitting.session.said[-1]
    assert len(sitting.asked) == len(STEMS)


def test_in_a_notebook_the_cell_that_was_changed_is_checked(tmp_path: Path) -> None:
    course = start(tmp_path, as_notebooks=True).course
    sitting = Sitting(course)
    book = workspace.notebook_path(course, "01_arrays")
    sitting.session.saved(book)
    assert sitting.session.exercise.stem == "set_row"
    cells = json.loads(book.read_text(encoding="utf-8"))
    for cell in cells["cells"]:
        if cell["id"] == "pairwise_sqdist-code":
            cell["source"].append("\nx = 1\n")
    book.write_text(json.dumps(cells), encoding="utf-8")
    sitting.session.saved(book)
    assert sitting.session.exercise.stem == "pairwise_sqdist"


def test_a_notebook_that_is_saved_is_checked_at_what_does_not_pass_yet(tmp_path: Path) -> None:
    course = start(tmp_path, as_notebooks=True).course
    sitting = Sitting(course)
    sitting.session.saved(workspace.notebook_path(course, "02_random"))
    assert sitting.session.exercise.stem == "split_many"
    sitting.answer("split_many", Status.TO_FIX)
    sitting.session.saved(workspace.notebook_path(course, "01_arrays"))
    assert sitting.session.exercise.stem == "set_row"


def test_a_note_on_this_machine_is_shown_at_first(mine: Course) -> None:
    recorder = Recorder()
    session = Session(mine, recorder.ask, mine.exercises[0])
    session.begin("This is JAX 9.")
    assert session.said == ("This is JAX 9.",)


def test_run_all_shows_the_list_and_the_first_to_do(sitting: Sitting) -> None:
    sitting.session.key("a")
    assert sitting.asked[-1] == list(STEMS)
    ticket = len(sitting.asked)
    for stem, status in zip(STEMS, (Status.PASSED, Status.TO_FIX, Status.PASSED), strict=True):
        sitting.answer(stem, status, ticket)
    assert sitting.session.said == ("All were checked: 2 of 3 pass.",)
    assert sitting.session.lists
    assert sitting.session.exercise.stem == "hist"


def test_a_save_ends_a_run_of_all_and_is_not_forgotten_at_its_end(sitting: Sitting) -> None:
    sitting.session.key("a")
    ticket = len(sitting.asked)
    sitting.save("hist")
    for number, stem in enumerate(STEMS[:2]):
        sitting.time = 0.4 * (number + 1)
        sitting.answer(stem, Status.TO_FIX, ticket)
        sitting.session.tick()
    assert sitting.asked[-1] == ["hist"]
    assert sitting.session.exercise.stem == "hist"
    sitting.session.key("a")
    ticket = len(sitting.asked)
    sitting.save("set_row")
    for stem in STEMS:
        sitting.answer(stem, Status.TO_FIX, ticket)
    sitting.session.tick()
    assert sitting.asked[-1] == ["set_row"]
    assert sitting.session.exercise.stem == "set_row"


# What is shown


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
    assert text[-1] == KEYS
    assert any("more: grader check set_row" in line for line in text)
    assert len(screen(a_session(mine), 80, 2)) == 2
    narrow = bare(screen(a_session(mine), 40, 12))
    assert len(narrow) == 12
    assert narrow[-1] == SHORT_KEYS
    assert narrow[0] == f"{'jax-by-exercises':<34}0 of 3"


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
    assert "checking for 3 s at `f(x)`; a save starts it again" in longer
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


# Processes that stay warm


@pytest.fixture(scope="module")
def pool() -> Iterator[ExamplePool]:
    with ExamplePool(reserve=True) as found:
        yield found


@pytest.mark.parametrize(
    ("leaves", "sees"),
    [
        ("global left; left = 1", "assert 'left' not in globals()"),
        ("import sys; sys.path.append('/')", "import sys; assert '/' not in sys.path"),
        ("import os; os.environ['LEFT'] = '1'", "import os; assert 'LEFT' not in os.environ"),
        ("import os; os.chdir('/')", "import os; assert os.getcwd() != '/'"),
        ("jax.numpy.sum = len", "assert jax.numpy.sum is not len"),
        ("jax.config.update('jax_enable_x64', True)", "assert not jax.config.jax_enable_x64"),
    ],
)
def test_nothing_reaches_the_next_check(
    mine: Course, pool: ExamplePool, leaves: str, sees: str
) -> None:
    for first in (leaves, sees):
        # It fails in the function, because a failure while loading is tried again in a new child.
        solve(mine, f"import jax.numpy\n    {first}\n    {RIGHT}")
        found = check_one(mine, mine["set_row"], pool)
        assert found.passed, (first, found.findings)


def test_a_name_that_a_library_takes_once_can_be_saved_twice(
    mine: Course, pool: ExamplePool
) -> None:
    solve(mine, RIGHT)
    place = mine.stub(mine["set_row"])
    once = "import collections\njax.tree_util.register_pytree_node(collections.UserDict, id, id)\n"
    place.write_text(f"{place.read_text()}\n{once}")
    for _ in range(3):
        assert check_one(mine, mine["set_row"], pool).passed


def test_two_checks_in_a_row_meet_the_same_child(mine: Course, pool: ExamplePool) -> None:
    solve(mine, RIGHT)
    check_one(mine, mine["set_row"], pool)
    (before,) = pool._running.values()
    assert check_one(mine, mine["set_row"], pool).passed
    assert list(pool._running.values()) == [before]


@pytest.mark.slow
@pytest.mark.parametrize("usable", [True, False])
def test_a_new_child_finds_compiled_programs_where_they_can_be_kept(
    mine: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, usable: bool
) -> None:
    place = tmp_path / "kept"
    if not usable:
        place.write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(place))
    _compiled.cache_clear()
    solve(mine, RIGHT)
    with ExamplePool() as found:
        assert check_one(mine, mine["set_row"], found).passed
    _compiled.cache_clear()
    assert usable == any(path.is_file() for path in place.rglob("*"))


@pytest.mark.slow
def test_a_check_that_nobody_wants_any_more_ends_soon(mine: Course) -> None:
    heard: list[Event] = []
    place = mine.stub(mine["set_row"])
    slow = load(_patient(mine))
    solve(mine, "while True: pass")
    with Checker(slow, heard.append) as checker:
        checker.ask([slow["set_row"]])
        _until(lambda: any(event.kind == "place" and event.value for event in heard))
        place.write_text(place.read_text().replace("while True: pass", RIGHT))
        last = checker.ask([slow["set_row"]])
        _until(lambda: any(event.kind == "result" and event.ticket == last for event in heard))
    (answer,) = (e.value for e in heard if e.kind == "result" and e.ticket == last)
    assert isinstance(answer, Answer)
    assert answer.result.passed
    assert answer.seconds < 1000


def _patient(course: Course) -> Path:
    """The catalogue with a limit that no test waits for."""
    catalog = course.stubs / "catalog.toml"
    catalog.write_text(catalog.read_text().replace("seconds = 3", "seconds = 3000"))
    return catalog


def _until(holds: Callable[[], bool], seconds: float = PATIENT) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
def test_a_child_in_an_endless_loop_ends_with_whoever_asked(mine: Course) -> None:
    solve(mine, "while True: pass")
    script = (
        "import sys; from pathlib import Path; from grader.student.check import check_one;"
        "from grader.student.example_pool import ExamplePool; from grader.course import load\n"
        "course = load(Path(sys.argv[1]))\n"
        "pool = ExamplePool()\n"
        "def tell(at):\n"
        "    if at.startswith('set_row('):\n"
        "        print([c._process.pid for c in pool._running.values()][0], flush=True)\n"
        "check_one(course, course['set_row'], pool, on_place=tell)\n"
    )
    command = [sys.executable, "-c", script, str(_patient(mine))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        child = int(asking.stdout.readline())
        time.sleep(0.5)  # until the loop runs; before that, a closed pipe ends it
        asking.kill()
    _until(lambda: not _is_running(child))


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


# A real terminal


class Terminal:
    """`grader watch` in a pseudo-terminal, and what it shows."""

    def __init__(self, course: Course, *arguments: str, **environment: str) -> None:
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self._ours, theirs = pty.openpty()
        self.resize(80, 24)
        self.before = termios.tcgetattr(theirs)
        # This makes it the new session's controlling terminal, so that Ctrl-C reaches it.
        own = (
            "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
            "os.execv(sys.executable, [sys.executable, '-m', 'grader.cli', *sys.argv[1:]])"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", own, "watch", *arguments],
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

        _until(has_ended)
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


@pytest.mark.parametrize(
    ("columns", "lines"),
    [(60, 15), *(pytest.param(*size, marks=pytest.mark.slow) for size in ((80, 24), (120, 40)))],
)
def test_a_hint_is_seen_on_any_screen(
    mine: Course, desk: Terminal, columns: int, lines: int
) -> None:
    desk.resize(columns, lines)
    solve(mine, WRONG)
    desk.see("to fix", "A known mistake gives your results")
    for hint in guidance.hints(mine, mine["set_row"]):
        desk.type("h")
        desk.see(hint[:30])


def test_a_student_works_through_an_exercise(mine: Course, desk: Terminal) -> None:
    desk.see("0 of 3 pass", "not started 01_arrays/set_row", "replace line 38", KEYS)
    solve(mine, WRONG)
    desk.see("to fix", "A known mistake gives your results", "expected [[1, 2, 3], [7, 8, 9]]")
    desk.type("h")
    desk.see("hint 1 of 3", guidance.hints(mine, mine["set_row"])[0][:40])
    solve(mine, "return x.at[i].set(row", rename=False)
    desk.see("Line 38 is not Python", "return x.at[i].set(row")
    desk.type("l")
    desk.see("> to fix set_row", "01_arrays 0 of 3")
    desk.resize(120, 30)
    solve(mine, RIGHT)
    shown = desk.see(
        "The examples of `set_row` pass. The tests ask for more. On to `hist`.",
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


@pytest.mark.slow
def test_an_endless_loop_is_ended_and_the_next_save_works(mine: Course, desk: Terminal) -> None:
    desk.see("not started")
    solve(mine, "while True: pass")
    desk.see("checking for 2 s at `set_row(x, 1, row).tolist()`; a save starts it again")
    desk.see("The example at line 29 was stopped after 3 s. Is there a loop that never ends")
    solve(mine, RIGHT)
    desk.see("The examples of `set_row` pass.")
    desk.type("rr")
    desk.see("`hist` is a stub again. Yours is kept in")
    desk.type("\x03")
    assert desk.ended() == 0
    assert desk.raw.endswith(b"1 of 3 exercises pass.\r\n")


def test_a_file_that_is_saved_in_two_steps_is_checked_when_it_is_whole(
    mine: Course, desk: Terminal
) -> None:
    desk.see("not started")
    solve(mine, RIGHT, "set_row")
    whole = mine.stub(mine["set_row"]).read_text()
    desk.see("The examples of `set_row` pass.")
    desk.type("s")
    place = mine.stub(mine["set_row"])
    place.write_text("")
    time.sleep(0.1)
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
    time.sleep(0.5)  # otherwise the next key is part of the sequence
    desk.type("l")
    desk.see("> not started set_row")
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
    desk.see("not started", KEYS)
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
        _until(lambda: any("not started  01_arrays/set_row" in line for line in lines))
        solve(mine, RIGHT)
        _until(lambda: any("not started  01_arrays/hist" in line for line in lines))
        process.send_signal(signal.SIGINT)
        reading.join()
    text = "".join(lines)
    assert "The examples of `set_row` pass. The tests ask for more. On to `hist`." in text
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
