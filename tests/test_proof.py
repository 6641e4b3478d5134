"""`verify` finds no problem in the repository's own course."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import course as courses
from grader.author.verify import verify

COURSE = courses.find(Path(__file__).resolve().parents[1])


@pytest.fixture
def busy() -> Iterator[None]:
    """Other processes keep every core busy."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(os.cpu_count() or 1)]
    yield
    for process in processes:
        process.kill()
        process.wait()


def problems(*names: str, mutants: bool = True) -> list[str]:
    # A fixed seed, so a failure comes from a change. `grader verify` draws a new one.
    found = verify(COURSE, COURSE.select(names), seed="one", mutants=mutants).problems
    return [str(problem) for problem in found]


def test_an_exercise_holds() -> None:
    assert problems("flatten_batch") == []


@pytest.mark.slow
@pytest.mark.parametrize("half", [0, 1])
def test_half_of_the_course_holds(half: int) -> None:
    assert problems(*(exercise.id for exercise in COURSE.exercises[half::2])) == []


@pytest.mark.slow
def test_the_course_holds_with_every_core_busy(busy: None) -> None:
    # Noise could only cost a right answer its marks. So no wrong one is tried.
    assert problems("masked_mean", "pmap_train", mutants=False) == []
