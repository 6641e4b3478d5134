"""A student's folder with three exercises, and a session of `grader watch` on it."""

from __future__ import annotations

import dataclasses
import os
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from grader.course.course import Course, find, load
from grader.records.model import Assignment, CheckResult, Exercise, Status
from grader.student import progress, workspace
from grader.student.watch_state import Answer, Event, Session

PATIENT = 120.0
"""Seconds that a test waits for what takes one: the machine may be busy."""
STEMS = ("set_row", "hist", "pairwise_sqdist")
TODO = "raise NotImplementedError"
RIGHT = "return x.at[i].set(row)"
WRONG = "return x.at[i].add(row)"


@pytest.fixture
def mine(tmp_path: Path) -> Course:
    """Three exercises of the course as a student has them, with a limit that no test waits for."""
    return laid_out(tmp_path / "mine")


def laid_out(folder: Path) -> Course:
    ours = find(start=Path(__file__).parents[1])
    entries = ""
    for exercise in ours.select(STEMS):
        entries += f'[[exercise]]\nid = "{exercise.id}"\ntitle = "{exercise.title}"\n'
        place = folder / exercise.topic / f"{exercise.stem}.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ours.stub(exercise), place)
    limits = "[limits]\nseconds = 3000\noutput_kb = 16\n"
    catalog = f'schema = 1\nname = "{ours.name}"\n{limits}{entries}'
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
    assignment: Assignment | None = None

    def __post_init__(self) -> None:
        self.recorder = Recorder()
        first = progress.on(self.course, self.assignment)[0]
        ask = self.recorder.ask
        self.session = Session(self.course, ask, first, self.assignment, now=lambda: self.time)
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


def until(holds: Callable[[], bool], seconds: float = PATIENT) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
