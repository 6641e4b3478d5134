"""A stopped run continues where it was: no result is lost, repeated or wrong."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.course.course import Course, load
from tests.conftest import CourseMaker, kept, marks

RIGHT = "def double(x):\n    return 2 * x\n"
WRONG = "def double(x):\n    return x + 2\n"
KILLS = 5  # at moments that differ in each run of the tests


@pytest.fixture(scope="module")
def course(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    return make_course(tmp_path_factory.mktemp("taught"))


def patient(course: Course, folder: Path) -> Course:
    """A copy with a limit that no test waits for."""
    assert course.root is not None
    shutil.copytree(course.root, folder / "patient")
    catalog = folder / "patient" / "exercises" / "catalog.toml"
    limits = re.sub(r"^(\w*seconds) = .*$", r"\1 = 3000", catalog.read_text(), flags=re.M)
    catalog.write_text(limits)
    return load(catalog)


@pytest.fixture(scope="module")
def homework(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine students: right, wrong, damaged, and three who submit the same but for comments."""
    folder = tmp_path_factory.mktemp("class")
    texts = {f"s{n}": (RIGHT if n % 2 else WRONG) + f"number = {n}\n" for n in range(5)}
    commented = RIGHT.replace("\n", "  # as in the book\n", 1)
    texts |= {"same1": RIGHT, "same2": RIGHT, "same3": f"{commented}\n# Done!\n"}
    texts["damaged"] = "def double(:\n"
    for name, text in texts.items():
        (folder / name).mkdir()
        (folder / name / "double.py").write_text(text)
    return folder


def command(course: Course, homework: Path, out: Path, jobs: str = "2") -> list[str]:
    where = ["--class", str(homework), "--course", str(course.root), "--out", str(out)]
    return [sys.executable, "-m", "grader.cli", "grade", *where, "--seed", "3", "--jobs", jobs]


def grade(
    course: Course, homework: Path, out: Path, jobs: str = "2"
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(course, homework, out, jobs), capture_output=True, text=True)


@pytest.fixture(scope="module")
def undisturbed(course: Course, homework: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("undisturbed")
    done = grade(course, homework, out, jobs="1")  # another judge costs more than seven answers
    assert done.returncode == 0, done.stderr
    return out


def test_a_second_run_judges_nothing(
    course: Course, homework: Path, undisturbed: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(undisturbed, out)
    before = marks(out)
    # Without any judge: none could be started.
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    (tmp_path / "sitecustomize.py").write_text(
        "import grader.engine.executors.client as c\nc.JudgeClient = None\n"
    )
    done = subprocess.run(
        command(course, homework, out), capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert marks(out) == before


def test_only_what_is_new_is_judged(
    course: Course, homework: Path, undisturbed: Path, tmp_path: Path
) -> None:
    out, changed = tmp_path / "out", tmp_path / "class"
    shutil.copytree(undisturbed, out)
    shutil.copytree(homework, changed)
    (changed / "s0" / "double.py").write_text(RIGHT + "at_last = True\n")
    before = kept(out)
    done = grade(course, changed, out)
    assert "0 of 1 results; 8 were there before" in done.stderr.replace("\n", " ")
    assert kept(out) == before + 1
    moved = subprocess.run(
        [sys.executable, "-m", "grader.cli", "diff", str(out)], capture_output=True, text=True
    ).stdout
    assert re.search(r"s0 +0 → 4 +\+4", moved)
    assert "another submission" in moved
    assert "0 marks fell, 1 rose, 8 unchanged" in moved


def test_equal_work_is_judged_once(undisturbed: Path) -> None:
    assert kept(undisturbed) == 7


@pytest.mark.slow
def test_ctrl_c_says_how_to_continue(course: Course, homework: Path, tmp_path: Path) -> None:
    out, endless = tmp_path / "out", tmp_path / "class"
    shutil.copytree(homework, endless)
    (endless / "s0" / "double.py").write_text("while True:\n    pass\n")
    running = subprocess.Popen(
        command(patient(course, tmp_path), endless, out),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while kept(out) == 0:
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    said, errors = running.communicate(timeout=240)
    assert running.returncode == 130, errors
    assert f"What was graded is kept in `{out}`; the same command continues there" in said
    assert "Traceback" not in errors
    assert kept(out) >= 1


@pytest.mark.slow
def test_a_run_that_is_killed_anywhere_ends_as_if_it_had_not_been(
    course: Course, homework: Path, undisturbed: Path, tmp_path: Path
) -> None:
    expected = marks(undisturbed)
    started = time.monotonic()
    grade(course, homework, tmp_path / "timed")  # the suite is proved already
    seconds = time.monotonic() - started
    chance = random.Random(time.time_ns())
    kills = ended = 0
    while kills < KILLS:
        out = tmp_path / str(ended)
        while not (out / "results.json").exists():
            before = kept(out)
            running = subprocess.Popen(
                command(course, homework, out),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            try:
                _, errors = running.communicate(timeout=chance.uniform(0, 1.2 * seconds))
                assert running.returncode == 0, errors
            except subprocess.TimeoutExpired:
                running.kill()
                running.communicate()
                kills += 1
            assert kept(out) >= before
        assert marks(out) == expected
        assert kept(out) == 7
        ended += 1


@pytest.mark.slow
def test_a_full_disk_ends_a_run_and_with_room_it_continues(
    course: Course, homework: Path, undisturbed: Path, tmp_path: Path
) -> None:
    out = tmp_path / "small"
    out.mkdir()
    again = " ".join(f"'{word}'" for word in command(course, homework, out))
    # A separate disk, first with space for little more than the empty store, then with more.
    script = f"""
        mount -t tmpfs -o size=36k tmpfs '{out}' || exit 77
        {again} > '{tmp_path}/first' 2>&1; echo $? > '{tmp_path}/code'
        mount -o remount,size=4m '{out}' || exit 77
        {again} > '{tmp_path}/second' 2>&1; code=$?
        cp -r '{out}' '{tmp_path}/saved'; exit $code
    """
    alone = ["unshare", "--mount", *(["--user", "--map-root-user"] if os.getuid() else [])]
    done = subprocess.run([*alone, "sh", "-c", script], capture_output=True, text=True)
    if done.returncode == 77:
        pytest.skip("no right to mount a small disk on this machine")
    first = (tmp_path / "first").read_text()
    assert (tmp_path / "code").read_text() == "4\n", first
    assert "free some space" in first
    assert "Traceback" not in first
    assert done.returncode == 0, (tmp_path / "second").read_text()
    assert marks(tmp_path / "saved") == marks(undisturbed)
