"""Nothing that is submitted crashes, stops or fills intake, and nothing is written.

files of any kind and name --folder, zip, tar--> changed bytes --> reader.read_own --> Submission
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import tarfile
import tempfile
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.course import Course
from grader.intake import reader, source
from grader.records.errors import SubmissionError
from grader.records.model import Exercise, Submission, pack, unpack
from tests.fuzzing import bounded, cases

# `GRADER_FUZZ` says how long they take.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(0)]

COURSE = Course(
    name="tiny",
    stubs=Path("/nonexistent/exercises"),
    root=None,
    exercises=(
        Exercise("01_arrays/set_row", "Set one row", ("set_row",)),
        Exercise("05_training/sgd", "SGD", ("sgd_init", "sgd_update")),
    ),
)
MOST = 250 * 1024

# Python, as people write it and as nobody would.
UNITS = [
    "def set_row(x, i, row):\n    return x.at[i].set(row)\n",
    "def sgd_init(p): return p\n",
    "def sgd_update(g, s): return g\n",
    "import jax\n",
    "from jax import numpy as jnp\n",
    "from __future__ import annotations\n",
    "if a:\n ",
    *("x = 1\n", "# note\n", "%time\n", "!pip install jax\n", "x?\n", "%%bash\n", "%%time\n"),
    *("'''", '"""', "'", '"', "(", "[", "{", ")", "]", "}", "\\\n", ":", ";", ",", ".", "=", "@"),
    *("lambda a:", "not ", "-", "await ", "f'{", 'f"{a!r:{b}}"', "\t", " ", "\f", "\r", "\0", "\n"),
    *("else:\n", "try:\n", "class A:\n", "global a\n", "nonlocal a\n", "yield ", "*a,", ":=", "1_"),
    *("# coding: latin-1\n", "# coding: rot13\n", "\ufeff", "\u202e", "\xe9", "\U0001d400", "0x"),
]
TEXTS = st.one_of(
    st.lists(st.sampled_from(UNITS), max_size=30).map("".join),
    st.text(max_size=60),
    st.tuples(st.sampled_from(UNITS), st.integers(1, 3000)).map(lambda pair: pair[0] * pair[1]),
    st.integers(1, 17_000).map(lambda n: "".join(f"def f{k}(): 0\n" for k in range(n))),
)
PYTHON = st.one_of(TEXTS.map(lambda text: text.encode("utf-8", "replace")[:MOST]), st.binary())

LINES = st.one_of(TEXTS, st.lists(TEXTS, max_size=3), st.none(), st.integers(), st.floats())
CELLS: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["code", "markdown", "", None])},
    optional={
        "source": LINES,
        "input": LINES,
        "outputs": st.just([{"text": "1"}]),
        "metadata": st.sampled_from(
            [{}, None, {"grader": {"exercise": "01_arrays/set_row"}}, {"grader": {"exercise": []}}]
        ),
    },
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)
BOOKS = st.one_of(
    st.fixed_dictionaries({"cells": st.lists(st.one_of(CELLS, JSON), max_size=6)}),
    st.fixed_dictionaries({"worksheets": st.lists(st.one_of(CELLS, JSON), max_size=3)}),
    JSON,
).map(lambda book: json.dumps(book).encode())

STEMS = ("set_row", "sgd", "__init__", "SET_ROW", ".hidden", "a" * 200, "é", "\u202e", "a\nb", " ")
ENDINGS = (".py", ".ipynb", ".zip", ".tar", ".py.txt", "", ".PY", ".pyc", ".tar.gz")
FOLDERS = ("", "", "01_arrays/", "../", "/", "C:\\", "a\\", "x/" * 40, "./", "__pycache__/")
PARTS = (FOLDERS, STEMS, ENDINGS)
NAMES = st.one_of(
    st.tuples(*map(st.sampled_from, PARTS)).map("".join), st.text(min_size=1, max_size=12)
)
FILES = st.dictionaries(NAMES, st.one_of(PYTHON, BOOKS), max_size=5)


KINDS = (0, 0o100644, 0o120777, 0o010644)
ARCHIVES = st.sampled_from((".zip", ".zip", ".zip", ".tar", ".py"))


def zipped(files: Mapping[str, bytes], noise: random.Random) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name.encode("utf-8", "replace").decode() or "x")
            info.compress_type = noise.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
            info.external_attr = noise.choice(KINDS) << 16
            with warnings.catch_warnings():  # what follows a NUL is cut off, so names may be equal
                warnings.simplefilter("ignore", UserWarning)
                archive.writestr(info, data)
    return held.getvalue()


def tarred(files: Mapping[str, bytes]) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name.encode("utf-8", "replace").decode())
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return held.getvalue()


def changed(data: bytes, noise: random.Random) -> bytes:
    """The bytes after some accidents, most of them near the end, where a zip has its table."""
    held = bytearray(data)
    for _ in range(noise.choice([0, 1, 1, 2, 5])):
        near = noise.choice([len(held), min(len(held), 150)])
        at, size = len(held) - noise.randrange(near + 1), noise.choice([1, 2, 4, 20])
        match noise.randrange(3):
            case 0:
                held[at : at + size] = noise.randbytes(len(held[at : at + size]))
            case 1:
                del held[at : at + size]
            case 2:
                held[at:at] = held[at : at + size]
    return bytes(held)


def laid_out(root: Path, files: Mapping[str, bytes], noise: random.Random) -> None:
    """The files in a folder, with a link, a pipe or a folder in the place of some.

    Nothing is written through a link or into a pipe that is already there.
    """
    for name, data in files.items():
        path = root / name.replace("..", "_").replace("\0", "_").lstrip("/")
        try:
            if not path.parent.resolve().is_relative_to(root.resolve()):
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            match noise.randrange(8):
                case 0:
                    path.symlink_to(noise.choice(["/", "/etc/passwd", ".", path.name, "nothing"]))
                case 1:
                    os.mkfifo(path)
                case 2:
                    path.mkdir()
                case _:
                    with open(path, "xb") as file:
                        file.write(data)
        except (OSError, ValueError):  # no file can have this name
            continue


def read(path: Path) -> None:
    """Reads it as a submission and as a class, under the limits of one case."""
    before = sorted(path.parent.rglob("*"))
    found: list[Submission] = []
    with bounded():
        found.append(reader.read_own(path, COURSE))
        if path.is_dir():
            with contextlib.suppress(SubmissionError):  # nothing in it is a student's
                found += reader.read_class(path, COURSE)
        for one in found:
            check(one)
    assert sorted(path.parent.rglob("*")) == before, "reading it wrote files"


def check(submission: Submission) -> None:
    assert unpack(pack(submission), Submission) == submission
    said = [submission.id, submission.problem or "", *(note.path for note in submission.notes)]
    assert all(text.isprintable() for text in said)
    assert bool(submission.problem) != bool(submission.sources)
    for one in submission.sources:
        assert "\0" not in one.text
        source.without_comments(one.text)


@pytest.fixture(scope="module")
def folder() -> Any:
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


# Short to submit, and once long to read.
WORST = {
    "functions": "def f{}():0\n",
    "classes": "class f{}:0\n",
    "lambdas": "f{}=lambda:0\n",
    "imports": "import f{}\n",
    "dots": "f{}.a.a.a\n",
}


@pytest.mark.parametrize("name", WORST)
def test_the_worst_known_texts_cost_little(folder: Path, name: str) -> None:
    text = "".join(WORST[name].format(number) for number in range(30_000))
    with zipfile.ZipFile(folder / "work.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("set_row.py", text[:MOST].rpartition("\n")[0])
    read(folder / "work.zip")


@cases(100, 0.4)
@given(st.sampled_from(("set_row.py", "sgd.py", "other.py")), PYTHON)
def test_no_python_file_upsets_intake(folder: Path, name: str, data: bytes) -> None:
    (folder / name).write_bytes(data)
    read(folder / name)


@cases(100, 0.2)
@given(BOOKS, st.randoms(use_true_random=False))
def test_no_notebook_upsets_intake(folder: Path, data: bytes, noise: random.Random) -> None:
    (folder / "set_row.ipynb").write_bytes(changed(data, noise))
    read(folder / "set_row.ipynb")


@cases(100, 0.2)
@given(FILES, ARCHIVES, st.randoms(use_true_random=False))
def test_no_archive_upsets_intake(
    folder: Path, files: dict[str, bytes], ending: str, noise: random.Random
) -> None:
    packed = tarred(files) if ending == ".tar" else zipped(files, noise)
    path = folder / f"work{ending}"
    path.write_bytes(changed(packed, noise))
    read(path)


@cases(100, 0.2)
@given(FILES, st.randoms(use_true_random=False))
def test_no_folder_upsets_intake(files: dict[str, bytes], noise: random.Random) -> None:
    with tempfile.TemporaryDirectory() as made:
        root = Path(made) / "ada"
        root.mkdir()
        laid_out(root, {**files, "in.zip": zipped(files, noise)}, noise)
        read(root)
