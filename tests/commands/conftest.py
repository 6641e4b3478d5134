"""Commands in this process, a course of two exercises, and a class that is graded once."""

from __future__ import annotations

import contextlib
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from grader.cli import main
from grader.course.course import Course
from tests.conftest import write

Maker = Callable[..., Course]
DOUBLE = "def double(x):\n    return 2 * x\n"
NEGATE = "def negate(x):\n    return -x\n"
TRIPLE = "def double(x):\n    return 3 * x\n"
WIDE = {"COLUMNS": "500"}
SECOND = '\n[[exercise]]\nid = "02_more/negate"\ntitle = "Negate"\n'
SECOND_FILES = {
    "exercises/02_more/negate.py": '''
        """The other sign."""


        def negate(x):
            """Return `-x`.

            >>> negate(3)
            -3
            """
            raise NotImplementedError
    ''',
    "solutions/02_more/negate.py": NEGATE,
    # As soon as there is a file `storm` in the course, it breaks for the solution, too.
    "tests/hidden/02_more/test_negate.py": '''
        from pathlib import Path


        def test_sign(submission):
            """The sign changes."""
            assert not (Path(__file__).parents[3] / "storm").exists()
            assert submission.negate(2) == -2


        def test_twice(submission):
            """Twice is not at all."""
            assert submission.negate(submission.negate(2)) == 2
    ''',
}


def grader(*arguments: object, env: Mapping[str, str] = WIDE) -> Result:
    """Runs the command in this process, on a terminal so wide that no sentence is wrapped."""
    return CliRunner().invoke(main, [*map(str, arguments)], env=env, catch_exceptions=False)


def said(result: Result, code: int) -> str:
    """The text of an error, after the word `Error`, and after the course if one judges."""
    assert result.exit_code == code, result.output
    output = re.sub(r"\Acourse    .*\n", "", result.output)
    assert output.startswith("Error: ")
    return output.removeprefix("Error: ").rstrip("\n")


def notebook(*cells: str) -> str:
    code = [{"cell_type": "code", "outputs": [], "source": cell} for cell in cells]
    return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture(scope="session")
def taught(make_course: Maker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The small course with one more exercise, outside the repository."""
    return make_course(tmp_path_factory.mktemp("taught"), SECOND_FILES, catalog=SECOND)


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a class submitted."""
    folder = tmp_path_factory.mktemp("submissions")
    write(
        folder,
        {
            "ada/01_first/double.py": DOUBLE,
            "ada/02_more/negate.py": NEGATE,
            "ada/holiday.py": "print('sun')\n",
            "ada/__pycache__/double.cpython-311.pyc": b"\0",
            "ben.py": DOUBLE + NEGATE,
            "cleo.ipynb": notebook("%matplotlib inline", TRIPLE, NEGATE),
            "eve/my_double.py": DOUBLE.replace("double", "doubled"),
            "gina.py": "Dear teacher, my laptop broke.\n",
            "hal.ipynb": "{]",
            "ivy.zip": "no zip",
            "joe/double.py": "def double(x)\n    return 2 * x\n",
            "kim/double.py": b"\x7fELF\0\0",
            ".DS_Store": b"\0",
        },
    )
    (folder / "fred").mkdir()
    with zipfile.ZipFile(folder / "dan.zip", "w") as packed:
        packed.writestr("dan/double.py", DOUBLE)
        packed.writestr("dan/notes.txt", "I had no time for the other one.")
    return folder


class Session(NamedTuple):
    """One graded class: how the command ended, and the files that it wrote."""

    output: str
    exit_code: int
    results: dict[str, Any]
    details: dict[str, Any]

    def submission(self, name: str) -> dict[str, Any]:
        found: dict[str, Any]
        (found,) = (s for s in self.results["submissions"] if s["id"] == name)
        return found

    def details_of(self, name: str, tests: set[str]) -> list[str]:
        (found,) = (s for s in self.details["submissions"] if s["id"] == name)
        return [test["detail"] for test in found["tests"] if test["test"] in tests]


def session(out: Path, *arguments: object) -> Session:
    result = grader("grade", *arguments, "--out", out)
    return Session(result.output, result.exit_code, *written(out))


def written(out: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    results, details = (
        json.loads((out / f"{name}.json").read_text()) for name in ("results", "details")
    )
    return results, details


@pytest.fixture(scope="session")
def graded(taught: Course, room: Path, tmp_path_factory: pytest.TempPathFactory) -> Session:
    """The class, graded from a folder outside any course."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    with contextlib.chdir(elsewhere):
        where = ("--class", room, "--course", taught.root)
        done = session(Path("out"), *where, "--seed", "3", "--jobs", 1)
    assert sorted(path.name for path in (elsewhere / "out").iterdir()) == [
        ".run.lock",
        "details.json",
        "results.json",
        "run.db",
    ]
    return done
