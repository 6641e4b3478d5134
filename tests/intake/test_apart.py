"""Reading has a budget for each submission: what takes more costs nobody else anything."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from grader.course.course import Course
from grader.intake import apart, reader
from grader.records import scoring
from grader.records.model import Outcome, TestResult
from tests.conftest import write
from tests.intake.conftest import SET_ROW, needs_posix, pack, taken

T = TypeVar("T")


def identity(value: T) -> T:
    return value


def spin(*_: object) -> None:
    """Reads without an end."""
    while True:
        pass


def wait() -> None:
    """The same, and takes no time of the processor."""
    while True:
        time.sleep(60)


def interrupt(process: int) -> None:
    os.kill(process, signal.SIGINT)
    wait()


@pytest.fixture(autouse=True)
def _no_reader_is_left() -> Iterator[None]:
    yield
    apart._reader.end()


@needs_posix
def test_what_is_too_slow_to_read_is_one_students_fault(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    for who in ("ada", "zoe"):
        write(here / who, {"set_row.py": SET_ROW})
    pack(here / "eve.zip", {"set_row.py": SET_ROW})
    call: Any = apart.call

    def slow_for_eve(function: Callable[..., T], *args: Any) -> T:
        is_eve = "eve.zip" in repr(args)
        # Her budget will be spent, and no other.
        monkeypatch.setattr(apart, "SECONDS", 1 if is_eve else 600)
        return call(spin if is_eve else function, *args)  # type: ignore[no-any-return]

    monkeypatch.setattr(apart, "DEADLINE", 6000)
    monkeypatch.setattr(apart, "call", slow_for_eve)
    ada, eve, zoe = reader.read_class(here, course)
    assert taken(ada) == taken(zoe) == {"01_arrays/set_row": "set_row.py"}
    assert eve.sources == (), eve.notes
    assert eve.problem == (
        "`eve.zip` can't be read: reading it takes longer than 1 seconds. "
        "Submit only your exercises."
    )
    test = TestResult("test_x", "X.", Outcome.MISSING, 0.0, 2.0, message="Not submitted.")
    grade = scoring.grade(eve, [scoring.exercise_result("01_arrays/set_row", (test,))])
    assert grade.exercises[0].outcome is Outcome.UNREADABLE
    assert grade.score == 0.0


@needs_posix
@pytest.mark.parametrize("kind", ["notebook", "zip"])
def test_what_takes_too_much_memory_is_one_students_fault(
    here: Path, course: Course, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "MEMORY", 300 << 20)
    if kind == "notebook":
        write(here, {"eve.ipynb": "[" + "[]," * 8_000_000 + "[]]"})
    else:
        table = b"PK\x01\x02" + bytes(500 << 20)
        end = b"PK\x05\x06" + bytes(8) + len(table).to_bytes(4, "little") + bytes(6)
        (here / "eve.zip").write_bytes(table + end)
    write(here, {"zoe.py": SET_ROW})
    eve, zoe = reader.read_class(here, course)
    assert eve.problem is not None
    assert "reading it takes more than 300 MiB of memory" in eve.problem
    assert len(zoe.sources) == 1


def test_a_deadline_holds_where_no_processor_time_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "DEADLINE", 0.2)
    with pytest.raises(apart.OverBudgetError, match=r"takes longer than 0\.2 seconds"):
        apart.call(wait)
    monkeypatch.undo()
    assert apart.call(identity, 1) == 1


@needs_posix
def test_ctrl_c_ends_reading_and_its_answer_is_nobody_elses() -> None:
    with pytest.raises(KeyboardInterrupt):
        apart.call(interrupt, os.getpid())
    assert apart.call(identity, 2) == 2


def test_a_crash_is_tried_again_in_a_new_process_and_then_told() -> None:
    assert apart.call(identity, 3) == 3
    with pytest.raises(apart.OverBudgetError, match="the process that reads it crashes"):
        apart.call(os._exit, 3)
    assert apart.call(identity, 4) == 4


KEPT: list[bytes] = []


def keep(size: int) -> int:
    """Takes so many bytes, and never gives them back."""
    KEPT.append(b"x" * size)
    return os.getpid()


@needs_posix
def test_memory_that_a_text_leaves_behind_is_not_taken_from_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(apart, "MEMORY", 1 << 30)
    first = apart.call(keep, 1)
    assert apart.call(keep, 400 << 20) == first
    assert apart.call(keep, 1) != first


def test_what_is_printed_is_no_answer(capfd: pytest.CaptureFixture[str]) -> None:
    assert apart.call(print, "hello") is None
    assert apart.call(identity, 5) == 5
    apart._reader.end()
    assert capfd.readouterr().err == "hello\n"


def test_an_error_of_reading_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        apart.call(divmod, 1, 0)


@needs_posix
def test_a_forked_program_reads_in_a_process_of_its_own() -> None:
    code = (
        "import os\nfrom grader.intake import apart\n"
        "first = apart.call(os.getpid)\n"
        "if (forked := os.fork()) == 0:\n"
        "    os._exit(apart.call(os.getpid) == first)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1]) == 0\n"
        "assert apart.call(os.getpid) == first\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_students_own_files_are_read_without_another_process(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(here, {"set_row.py": SET_ROW})
    wanted = reader.read(here / "set_row.py", course)
    monkeypatch.setattr(apart, "call", None)
    assert reader.read_own(here / "set_row.py", course) == wanted


def test_a_folder_that_nobody_may_open_is_one_persons_problem(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("eve", "ben"):
        write(tmp_path / "class" / name, {"set_row.py": "def set_row(x, i, row):\n    return x\n"})
    whole = os.listdir

    def listed(path: Path) -> list[str]:
        if Path(path).name == "eve":
            raise PermissionError(13, "Permission denied")
        return whole(path)

    monkeypatch.setattr(os, "listdir", listed)
    monkeypatch.setattr(apart, "call", lambda function, *args: function(*args))
    read = list(reader.read_class(tmp_path / "class", course, assignment="hw1"))
    assert [one.id for one in read] == ["ben", "eve"]
    assert len(read[0].sources) == 1
    assert read[1].problem is not None and "Permission denied" in read[1].problem
