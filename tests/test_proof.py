"""`verify` finds no problem in the repository's own course."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.author.verify import Proof, verify
from grader.course import course as courses
from grader.records.model import Basis

ROOT = Path(__file__).resolve().parents[1]
COURSE = courses.find(ROOT)


@pytest.fixture
def busy() -> Iterator[None]:
    """Other processes keep every core busy."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(os.cpu_count() or 1)]
    yield
    for process in processes:
        process.kill()
        process.wait()


def judged(*names: str, wrong: bool = True) -> Proof:
    # A fixed seed, so a failure comes from a change. `grader verify` draws a new one.
    return verify(COURSE, COURSE.select(names), seed="one", wrong=wrong)


def without_a_program(proof: Proof) -> list[str]:
    """The exercises in which no test judges a program, and whose suite doesn't say why."""
    lacking = [COURSE[name] for name, points in proof.basis.items() if not points[Basis.PROGRAM]]
    suites = {exercise.id: COURSE.suite(exercise).read_text() for exercise in lacking}
    said = re.compile(r"no\s+program is judged")
    return [name for name, text in suites.items() if not said.search(text.split('"""')[1])]


@pytest.mark.slow
def test_an_exercise_holds() -> None:
    assert judged("flatten_batch", wrong=False).problems == ()


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_course_holds() -> None:
    """With `GRADER_EXERCISES`, names between spaces, only these: CI proves a few at a time."""
    proof = judged(*os.environ.get("GRADER_EXERCISES", "").split())
    assert proof.problems == ()
    assert without_a_program(proof) == []


@pytest.mark.slow
def test_the_course_holds_with_every_core_busy(busy: None) -> None:
    # Noise could only cost a right answer its marks. So no wrong one is tried.
    assert judged("masked_mean", "pmap_train", wrong=False).problems == ()
