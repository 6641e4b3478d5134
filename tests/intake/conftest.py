"""A course of three exercises, and what students submit for it."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.records.model import Exercise, Submission

SET_ROW = "def set_row(x, i, row):\n    return x.at[i].set(row)\n"
SPLIT_MANY = "def split_many(key, n):\n    return key\n"
STUB = '"""Set one row."""\n\n\ndef set_row(x, i, row):\n    raise NotImplementedError  # TODO\n'
needs_posix = pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")


@pytest.fixture
def course(tmp_path: Path) -> Course:
    stubs = tmp_path / "course" / "exercises"
    (stubs / "01_arrays").mkdir(parents=True)
    (stubs / "01_arrays" / "set_row.py").write_text(STUB)
    return Course(
        name="tiny",
        stubs=stubs,
        root=None,
        exercises=(
            Exercise("01_arrays/set_row", "Set one row", ("set_row",)),
            Exercise("02_random/split_many", "Split a key", ("split_many",)),
            Exercise("05_training/sgd", "SGD", ("sgd_init", "sgd_update")),
        ),
    )


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """The folder of students' files."""
    folder = tmp_path / "in"
    folder.mkdir()
    return folder


def pack(path: Path, members: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return path


def cells(*sources: object, **more: object) -> str:
    code = [{"cell_type": "code", "outputs": [], "source": one, **more} for one in sources]
    return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def taken(submission: Submission) -> dict[str, str]:
    """Exercise -> the path that counts for it."""
    return {one.exercise: one.path for one in submission.sources}


def notes(submission: Submission) -> dict[str, str]:
    return {note.path: note.reason for note in submission.notes}


def text_of(submission: Submission) -> str:
    return submission.sources[0].text
