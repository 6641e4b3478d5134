"""The command line as a whole: its commands, their help, errors as text."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader import __version__
from grader.cli import main
from grader.course.course import Course
from tests.commands.conftest import Maker, grader, said


@pytest.mark.parametrize("command", [[], *([name] for name in sorted(main.commands))])
def test_every_command_has_help(command: list[str]) -> None:
    for flag in ("--help", "-h"):
        result = grader(*command, flag)
        assert result.exit_code == 0
        assert result.output.startswith(f"Usage: main {' '.join([*command, ''])}".rstrip())
        assert len(result.output.splitlines()) > 4


def test_there_is_a_command_for_each_thing_that_people_do() -> None:
    everything = (
        "check ci decide demo diff doctor explain feedback grade gradescope handout hint list "
        "mistakes mutate new race report sabotage serve show similar start "
        "submit verify watch"
    )
    assert sorted(main.commands) == everything.split()


def test_the_version_is_that_of_the_package() -> None:
    assert grader("--version").output == f"grader, version {__version__}\n"


def test_an_error_is_text_on_a_terminal(foreign: Course) -> None:
    result = grader("check", "\x1b[2J[bold]x", "--course", foreign.root)
    assert said(result, 2).startswith("no exercise or topic `�[2J[bold]x` in the course `foreign`")


def test_a_wrong_option_is_a_usage_error() -> None:
    for arguments in (("grade", "--isolation", "some"), ("grade", "--sed", "1"), ("mark",)):
        assert grader(*arguments).exit_code == 2


@pytest.mark.slow
def test_a_terminal_without_our_signs_is_no_reason_to_fail(
    make_course: Maker, tmp_path: Path
) -> None:
    strays = {"solutions/01_first/double.py": None, "solutions/01_first/дубль.py": "x = 1\n"}
    make_course(tmp_path, strays)
    done = subprocess.run(
        [sys.executable, "-m", "grader.cli", "verify", "--course", str(tmp_path)],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == f"course    foreign, 1 exercise, from {tmp_path}\n".encode()
    assert done.stdout.startswith(b"solutions/01_first/?????.py\n")
