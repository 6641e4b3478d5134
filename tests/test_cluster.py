"""A class on a Dask cluster: a real scheduler, real workers, and one that dies in the middle."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.course import Course, find
from grader.files import zipped

from .conftest import CourseMaker, kept, marks

TEXTS = {"right": "def double(x):\n    return 2 * x\n", "wrong": "def double(x):\n    return x\n"}


@pytest.fixture(scope="module")
def course(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    return make_course(tmp_path_factory.mktemp("taught"))


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers, all of them processes of their own."""
    folder = tmp_path_factory.mktemp("cluster")
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(open(folder / "log", "a"))

        def start(*arguments: str) -> None:
            environment = {**os.environ, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error"}
            process = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]],
                cwd=folder,
                env=environment,
                stdout=log,
                stderr=log,
            )
            stack.callback(_end, process)

        contact = folder / "scheduler.json"
        common = ("--scheduler-file", str(contact), "--no-dashboard")
        start("scheduler", "--host", "127.0.0.1", "--port", "0", *common)
        for _ in range(2):
            start("worker", "--nthreads", "1", "--local-directory", str(folder), *common)
        deadline = time.monotonic() + 60
        while not contact.exists():
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.1)
        yield json.loads(contact.read_text())["address"].removeprefix("tcp://")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def test_a_course_travels_with_its_suites_and_without_what_judges_dont_need(
    course: Course, tmp_path: Path
) -> None:
    beside = course.suite(course.exercises[0]).with_name("digits.csv")
    beside.write_text("1,2\n")
    with zipfile.ZipFile(io.BytesIO(zipped(course.bundle(course.exercises)))) as archive:
        archive.extractall(tmp_path)
    there = find(tmp_path)
    assert there.suite(there.exercises[0]).with_name(beside.name).read_text() == "1,2\n"
    assert (
        there.suite(there.exercises[0]).read_bytes()
        == course.suite(course.exercises[0]).read_bytes()
    )
    assert not (tmp_path / "tests" / "mutants").exists()
    assert zipped(course.bundle(course.exercises)) == zipped(course.bundle(course.exercises))


@pytest.mark.slow
def test_without_a_cluster_it_says_what_to_start(course: Course, tmp_path: Path) -> None:
    (tmp_path / "double.py").write_text(TEXTS["right"])
    done = subprocess.run(
        [
            *(sys.executable, "-m", "grader.cli", "grade", str(tmp_path / "double.py")),
            *("--course", str(course.root), "--executor", "dask://127.0.0.1:9"),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 4
    assert "no Dask worker answers at `127.0.0.1:9`" in done.stderr


@pytest.mark.slow
def test_a_cluster_gives_the_same_marks_though_a_worker_dies(
    course: Course, scheduler: str, tmp_path: Path
) -> None:
    homework = tmp_path / "class"
    for number in range(12):
        folder = homework / f"s{number:02d}"
        folder.mkdir(parents=True)
        text = TEXTS["right" if number % 2 else "wrong"]
        (folder / "double.py").write_text(f"{text}number = {number}\n")

    def command(out: Path, *more: str) -> list[str]:
        where = ["--class", str(homework), "--course", str(course.root), "--out", str(out)]
        return [sys.executable, "-m", "grader.cli", "grade", *where, "--seed", "3", *more]

    here = subprocess.run(command(tmp_path / "here"), capture_output=True, text=True)
    assert here.returncode == 0, here.stderr
    far = tmp_path / "far"
    running = subprocess.Popen(
        command(far, "--executor", f"dask://{scheduler}"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while kept(far) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    _kill_one_worker(scheduler)
    out, errors = running.communicate(timeout=300)
    assert running.returncode == 0, out + errors
    assert marks(far) == marks(tmp_path / "here")


def _kill_one_worker(scheduler: str) -> None:
    """The process that computes, not the nanny that starts it again."""
    from distributed import Client

    with Client(scheduler) as client:
        pids: dict[str, int] = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)
