"""How the room `intake` reads submissions: honest ones, mistakes and attacks."""

from __future__ import annotations

import json
import os
import random
import stat
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.course import Course
from grader.errors import SubmissionError
from grader.intake import archive, reader, source
from grader.model import Exercise, Submission

SET_ROW = "def set_row(x, i, row):\n    return x.at[i].set(row)\n"
SPLIT_MANY = "def split_many(key, n):\n    return key\n"
SGD = "def sgd_init(params):\n    return ()\n\n\ndef sgd_update(grads, state):\n    return grads\n"
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


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


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


# Error texts


def test_a_path_that_does_not_exist_is_an_error(here: Path, course: Course) -> None:
    with pytest.raises(SubmissionError) as error:
        reader.read(here / "nowhere.py", course)
    assert str(error.value) == (
        f"there is nothing at `{here}/nowhere.py`. Check the spelling, and name a Python file, "
        "a notebook, a zip or a folder."
    )
    assert error.value.exit_code == 2


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000, "file.py/below"])
def test_a_path_that_cannot_exist_is_the_same_error(here: Path, course: Course, path: str) -> None:
    write(here, {"file.py": SET_ROW})
    with pytest.raises(SubmissionError, match="there is nothing at"):
        reader.read(here / path, course)


@needs_posix
def test_a_link_to_itself_is_the_same_error(here: Path, course: Course) -> None:
    (here / "loop").symlink_to("loop")
    with pytest.raises(SubmissionError, match="there is nothing at"):
        reader.read(here / "loop", course)


def test_an_empty_folder_is_a_problem(here: Path, course: Course) -> None:
    (here / "ada").mkdir()
    assert reader.read(here / "ada", course) == Submission(
        id="ada",
        digest="e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        problem=(
            "`ada` is an empty folder. Hand in Python files or notebooks named as their stubs, "
            "such as `set_row.py`."
        ),
    )


def test_an_empty_zip_is_a_problem(here: Path, course: Course) -> None:
    problem = reader.read(pack(here / "ada.zip", {}), course).problem
    assert problem is not None
    assert problem.startswith("`ada.zip` is an empty zip. Hand in Python files")


def test_a_file_of_another_kind_is_a_problem(here: Path, course: Course) -> None:
    write(here, {"report.pdf": b"%PDF"})
    assert reader.read(here / "report.pdf", course).problem == (
        "`report.pdf` is not a Python file, a notebook or a zip. Hand in Python files or "
        "notebooks named as their stubs, such as `set_row.py`."
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("set_row.py.txt", "has one ending too many. Rename it `set_row.py`"),
        ("ada.rar", "is packed, but not as a zip. Pack your files as a zip"),
        ("ada.tar.gz", "is packed, but not as a zip. Pack your files as a zip"),
    ],
)
def test_a_near_miss_in_the_kind_of_file_is_reported(
    here: Path, course: Course, name: str, reason: str
) -> None:
    write(here, {name: "x"})
    assert reader.read(here / name, course).problem == f"`{name}` {reason}."


def test_a_py_file_that_is_not_text_is_a_problem(here: Path, course: Course) -> None:
    write(here, {"set_row.py": b"\x7fELF\0\0"})
    assert reader.read(here / "set_row.py", course).problem == (
        "`set_row.py` is not Python: it holds NUL bytes. Save it as plain text in UTF-8."
    )


def test_a_py_file_with_undecodable_bytes_is_a_problem(here: Path, course: Course) -> None:
    write(here, {"set_row.py": b"# a\n# b\n# \xff\n"})
    assert reader.read(here / "set_row.py", course).problem == (
        "`set_row.py` is not Python: byte 11 is not text in its encoding. "
        "Save it as plain text in UTF-8."
    )


def test_an_empty_file_is_a_problem(here: Path, course: Course) -> None:
    write(here, {"set_row.py": "\n", "work.ipynb": ""})
    for name in ("set_row.py", "work.ipynb"):
        problem = reader.read(here / name, course).problem
        assert problem is not None
        assert problem.startswith(f"`{name}` is an empty file. Save your ")


def test_a_notebook_that_is_not_json_is_a_problem(here: Path, course: Course) -> None:
    write(here, {"work.ipynb": '{\n"cells": oops'})
    assert reader.read(here / "work.ipynb", course).problem == (
        "`work.ipynb` is not a notebook: it isn't JSON (line 2: Expecting value). "
        "Save it again in Jupyter."
    )


def test_a_zip_that_is_not_one_is_a_problem(here: Path, course: Course) -> None:
    write(here, {"ada.zip": b"Rar!\x1a\x07"})
    assert reader.read(here / "ada.zip", course).problem == (
        "`ada.zip` is not a zip, or is damaged. Pack your files again."
    )


def test_a_solution_under_the_name_of_another_exercise_is_reported(
    here: Path, course: Course
) -> None:
    write(here, {"ada/set_row.py": SPLIT_MANY})
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {
        "01_arrays/set_row": "set_row.py",
        "02_random/split_many": "set_row.py",
    }
    assert notes(submission) == {
        "set_row.py": (
            "is named for `01_arrays/set_row` but doesn't define `set_row`; it defines "
            "`split_many`, for `02_random/split_many`. If it answers that, rename it "
            "`split_many.py`"
        )
    }


def test_a_misnamed_function_is_reported(here: Path, course: Course) -> None:
    write(here, {"exercise1.py": "def setrow(x): ...\n"})
    assert reader.read(here / "exercise1.py", course).problem == (
        "`exercise1.py` matches no exercise. If it is `01_arrays/set_row`, name it `set_row.py` "
        "and define `set_row` in it."
    )


def test_half_of_what_an_exercise_asks_for_is_reported(here: Path, course: Course) -> None:
    write(here, {"my.py": "def sgd_init(p): ...\n"})
    assert reader.read(here / "my.py", course).problem == (
        "`my.py` matches no exercise; for `05_training/sgd` it doesn't define `sgd_update`. "
        "Define all of `sgd_init`, `sgd_update`."
    )


def test_a_module_that_cannot_be_parsed_is_reported_with_its_line(
    here: Path, course: Course
) -> None:
    write(here, {"my.py": "x = 1\ndef set_row(:\n"})
    assert reader.read(here / "my.py", course).problem == (
        "`my.py` matches no exercise by its name, and is not valid Python "
        "(line 2: invalid syntax). Correct it, and give it the name of its stub."
    )


# Matching


def test_one_file_counts_for_the_exercise_of_its_stem(here: Path, course: Course) -> None:
    write(here, {"set_row.py": SET_ROW})
    submission = reader.read(here / "set_row.py", course)
    assert submission.id == "set_row"
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}
    assert text_of(submission) == SET_ROW
    assert (submission.notes, submission.problem) == ((), None)


@pytest.mark.parametrize(
    "path", ["set_row.py", "01_arrays/set_row.py", "student-main/exercises/01_arrays/set_row.py"]
)
def test_folders_match_flat_by_topic_and_below_a_wrapper(
    here: Path, course: Course, path: str
) -> None:
    write(here / "ada", {path: SET_ROW})
    pack(here / "ada.zip", {path: SET_ROW})
    for name in ("ada", "ada.zip"):
        submission = reader.read(here / name, course)
        assert submission.id == "ada"
        assert taken(submission) == {"01_arrays/set_row": path}


def test_sources_come_in_the_order_of_the_course(here: Path, course: Course) -> None:
    write(here / "ada", {"a/sgd.py": SGD, "b/split_many.py": SPLIT_MANY, "c/set_row.py": SET_ROW})
    submission = reader.read(here / "ada", course)
    assert [one.exercise for one in submission.sources] == [e.id for e in course.exercises]


@pytest.mark.parametrize(
    "name", ["set_row (1).py", "set_row-2.py", "set_row_ada.py", "Work.PY", "ada.ipynb"]
)
def test_a_file_with_another_name_counts_by_what_it_defines(
    here: Path, course: Course, name: str
) -> None:
    both = SET_ROW + SGD
    write(here, {name: cells(both) if name.endswith(".ipynb") else both})
    submission = reader.read(here / name, course)
    assert taken(submission) == {"01_arrays/set_row": name, "05_training/sgd": name}
    assert submission.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "async def set_row(): ...",
        "class set_row: ...",
        "set_row = lambda x: x",
        "a, (b, set_row) = 1, (2, 3)",
        "set_row: object = 1",
        "from mine import f as set_row",
        "try:\n    import fast\nexcept ImportError:\n    def set_row(): ...",
    ],
)
def test_every_way_to_define_a_name_counts(here: Path, course: Course, text: str) -> None:
    write(here, {"my.py": text})
    assert taken(reader.read(here / "my.py", course)) == {"01_arrays/set_row": "my.py"}


@pytest.mark.parametrize(
    "text", ["def f():\n    def set_row(): ...", "class A:\n    set_row = 1", "print(set_row)"]
)
def test_a_name_inside_something_else_does_not_count(here: Path, course: Course, text: str) -> None:
    write(here, {"my.py": text})
    assert reader.read(here / "my.py", course).sources == ()


def test_a_file_with_the_stem_counts_whatever_it_defines(here: Path, course: Course) -> None:
    write(here, {"set_row.py": "def f(x): ...\n", "split_many.py": "def split_many(:\n"})
    assert taken(reader.read(here / "set_row.py", course)) == {"01_arrays/set_row": "set_row.py"}
    broken = reader.read(here / "split_many.py", course)
    assert taken(broken) == {"02_random/split_many": "split_many.py"}
    assert text_of(broken) == "def split_many(:\n"


@pytest.mark.parametrize(
    ("files", "best"),
    [
        (["01_arrays/set_row.py", "set_row.py"], "01_arrays/set_row.py"),
        (["a/b/01_arrays/set_row.py", "02_random/set_row.py"], "a/b/01_arrays/set_row.py"),
        (["old/set_row.py", "set_row.py"], "set_row.py"),
        (["b/set_row.py", "a/set_row.py"], "a/set_row.py"),
        (["everything.py", "deep/down/set_row.py"], "deep/down/set_row.py"),
        (["01_arrays/my.py", "set_row.py"], "set_row.py"),
    ],
)
def test_of_several_files_the_likeliest_counts(
    here: Path, course: Course, files: list[str], best: str
) -> None:
    write(here / "ada", {name: f"{SET_ROW}# {name}\n" for name in files})
    submission = reader.read(here / "ada", course)
    (other,) = set(files) - {best}
    assert taken(submission) == {"01_arrays/set_row": best}
    assert notes(submission) == {
        other: f"was not graded: `01_arrays/set_row` was graded from `{best}`. "
        "Hand in one file for it"
    }


def test_a_second_file_with_the_same_text_gets_no_note(here: Path, course: Course) -> None:
    write(here / "ada", {"set_row.py": SET_ROW, "set_row (1).py": SET_ROW.replace("\n", "\r\n")})
    assert reader.read(here / "ada", course).notes == ()


def test_the_file_that_defines_the_function_beats_the_one_with_the_name(
    here: Path, course: Course
) -> None:
    write(here / "ada", {"set_row.py": "from work import set_row\n", "work.py": SET_ROW})
    assert taken(reader.read(here / "ada", course)) == {"01_arrays/set_row": "work.py"}


def test_an_unedited_stub_does_not_hide_the_work(here: Path, course: Course) -> None:
    write(here / "ada", {"01_arrays/set_row.py": STUB, "work.ipynb": cells(SET_ROW)})
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {"01_arrays/set_row": "work.ipynb"}
    assert submission.notes == ()


def test_a_stub_alone_was_handed_in(here: Path, course: Course) -> None:
    write(here / "ada", {"01_arrays/set_row.py": STUB})
    assert taken(reader.read(here / "ada", course)) == {"01_arrays/set_row": "01_arrays/set_row.py"}


@pytest.mark.parametrize(
    "name",
    ["conftest.py", "pytest.ini", "sitecustomize.py", "jax/__init__.py", "evil.pth", "README.md"],
)
def test_what_matches_nothing_is_reported_and_ignored(
    here: Path, course: Course, name: str
) -> None:
    write(here / "ada", {"set_row.py": SET_ROW, name: "import os\n"})
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}
    assert list(notes(submission)) == [name]


def test_what_came_with_the_stubs_gets_no_note(here: Path, course: Course) -> None:
    files = {"catalog.toml": "schema = 1\n", "01_arrays/set_row.hints": "1. Use `.at`.\n"}
    write(course.stubs, files)
    write(here / "ada/exercises", files | {"01_arrays/set_row.py": SET_ROW, "mine.hints": ""})
    assert list(notes(reader.read(here / "ada", course))) == ["exercises/mine.hints"]


def test_notes_on_python_come_first(here: Path, course: Course) -> None:
    write(here / "ada", {"a.txt": "", "b.py": "x = 1\n", "set_row.py": SET_ROW})
    assert list(notes(reader.read(here / "ada", course))) == ["b.py", "a.txt"]


def test_an_exercise_without_names_is_matched_by_its_stem_alone(here: Path) -> None:
    course = Course("tiny", here, None, (Exercise("01_arrays/set_row", "", ()),))
    write(here, {"my.py": SET_ROW, "set_row.py": SET_ROW})
    assert reader.read(here / "my.py", course).sources == ()
    assert len(reader.read(here / "set_row.py", course).sources) == 1


# Identity


def test_the_id_of_this_folder_is_its_name(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(here / "ada", {"set_row.py": SET_ROW})
    monkeypatch.chdir(here / "ada")
    assert reader.read(Path(), course).id == "ada"


def test_the_digest_is_of_what_is_graded_and_nothing_else(here: Path, course: Course) -> None:
    write(here / "a", {"set_row.py": SET_ROW, "notes.txt": "1"})
    write(here / "b", {"01_arrays/set_row.py": SET_ROW.replace("\n", "\r\n"), ".x": "2"})
    write(here / "c", {"set_row.py": SET_ROW + "\n"})
    write(here / "d", {"split_many.py": SET_ROW})
    pack(here / "e.zip", {"set_row.py": SET_ROW})
    names = ("a", "b", "c", "d", "e.zip")
    a, b, c, d, e = (reader.read(here / name, course).digest for name in names)
    assert a == b == e
    assert len({a, c, d}) == 3
    assert len(a) == 64


def test_no_text_can_pass_for_two_files_in_the_digest(here: Path, course: Course) -> None:
    write(here / "a", {"set_row.py": "#A\n", "split_many.py": "#B\n"})
    write(here / "b", {"set_row.py": "#A\n02_random/split_many#B\n"})
    a, b = reader.read_class(here, course)
    assert a.digest != b.digest


def test_nothing_is_executed(here: Path, course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here)
    evil = "open('ran', 'w').close()\n"
    names = ("set_row.py", "conftest.py", "sitecustomize.py", "split_many.ipynb")
    files = {name: cells(evil) if name.endswith("ipynb") else evil for name in names}
    write(here / "ada", dict(files))
    pack(here / "ada.zip", dict(files))
    for name in ("ada", "ada.zip"):
        assert len(reader.read(here / name, course).sources) == 2
    assert not (here / "ran").exists()


def test_intake_imports_neither_jax_nor_numpy() -> None:
    code = "import sys; from grader.intake import reader; "
    code += "sys.exit(bool({'jax', 'numpy'} & set(sys.modules)))"
    root = Path(reader.__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


# Encodings


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"\xef\xbb\xbf" + b"set_row = 'x'\n", "set_row = 'x'\n"),
        (b"# -*- coding: latin-1 -*-\nset_row = '\xe9'\n", "set_row = '\xe9'\n"),
        ("# coding: cp1251\nset_row = '\u0436'\n".encode("cp1251"), "set_row = '\u0436'\n"),
        (b"set_row = 1\r\nx = 2\r", "set_row = 1\nx = 2\n"),
    ],
)
def test_a_file_is_read_as_python_would(
    here: Path, course: Course, data: bytes, found: str
) -> None:
    write(here, {"my.py": data})
    assert text_of(reader.read(here / "my.py", course)).endswith(found)


@pytest.mark.parametrize("codec", ["zlib", "unicode_escape", "utf-7", "idna", "no-such"])
def test_a_codec_that_no_editor_uses_is_refused(here: Path, course: Course, codec: str) -> None:
    write(here, {"set_row.py": f"# coding: {codec}\nset_row = 1\n"})
    submission = reader.read(here / "set_row.py", course)
    assert submission.sources == ()
    assert submission.problem is not None
    assert "encoding" in submission.problem


def test_an_unreadable_file_costs_only_itself(here: Path, course: Course) -> None:
    write(here / "ada", {"set_row.py": b"\0", "split_many.py": SPLIT_MANY})
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {"02_random/split_many": "split_many.py"}
    assert "NUL bytes" in notes(submission)["set_row.py"]
    assert submission.problem is None


# Text that crashes or slows a compiler


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "-" * 100_000 + "1",
        "x = " + "(" * 100_000,
        "x = a" + ".b" * 15_000,
        "x = 1" + "+1" * 100_000,
        "if a:\n pass\n" + "elif a:\n pass\n" * 10_000,
        "import " + "a." * 100_000 + "a",
        "x = " + "1" * 100_000,
        "x = '\u202e'; \u202e",
    ],
    ids=["minus", "brackets", "dots", "sum", "elif", "import", "number", "bidi"],
)
def test_text_that_upsets_a_compiler_is_only_invalid(here: Path, course: Course, text: str) -> None:
    write(here / "ada", {"evil.py": text, "set_row.py": SET_ROW})
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}
    assert "is not valid Python" in notes(submission)["evil.py"]
    assert notes(submission)["evil.py"].isprintable()


def test_too_much_python_is_not_compiled(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MAX_PYTHON", 10)
    write(here / "ada", {"set_row.py": SET_ROW, "z.py": SPLIT_MANY})
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}
    assert notes(submission) == {
        "z.py": "was not read: the files before it hold 10 characters of Python or more, "
        "and the rest is not read. Hand in only your exercises"
    }


def test_a_file_that_is_too_large_is_not_read(here: Path, course: Course) -> None:
    write(here, {"set_row.py": SET_ROW + "#" * source.MAX_BYTES})
    assert reader.read(here / "set_row.py", course).problem == (
        "`set_row.py` is larger than 256 KiB, the largest size that is read. "
        "Take out what isn't code."
    )


# Notebooks


def test_a_notebook_becomes_the_text_of_its_code_cells(here: Path, course: Course) -> None:
    book = {
        "cells": [
            {"cell_type": "markdown", "source": "def split_many(): ..."},
            {"cell_type": "code", "source": ["import jax\n", "x = 1"]},
            {"cell_type": "code", "source": "  \n"},
            {"cell_type": "raw", "source": "no"},
            {"cell_type": "code", "source": SET_ROW},
        ]
    }
    write(here, {"work.ipynb": json.dumps(book)})
    submission = reader.read(here / "work.ipynb", course)
    assert taken(submission) == {"01_arrays/set_row": "work.ipynb"}
    assert text_of(submission) == f"# cell 1\nimport jax\nx = 1\n# cell 2\n{SET_ROW}"


def test_an_old_notebook_with_worksheets_is_read(here: Path, course: Course) -> None:
    book = {"worksheets": [{"cells": [{"cell_type": "code", "input": [SET_ROW]}]}], "nbformat": 3}
    write(here, {"set_row.ipynb": json.dumps(book)})
    assert text_of(reader.read(here / "set_row.ipynb", course)) == f"# cell 1\n{SET_ROW}"


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("%matplotlib inline\nset_row = 1", "# %matplotlib inline\nset_row = 1"),
        ("!pip install \\\n  jax\nset_row = 1", "# !pip install \\\n#   jax\nset_row = 1"),
        ("set_row = 1\njnp.where?", "set_row = 1\npass  # jnp.where?"),
        ("set_row = !ls\nset_row = 2", "pass  # set_row = !ls\nset_row = 2"),
        ("if 1:\n    %cd x\nset_row = 1", "if 1:\n    pass  # %cd x\nset_row = 1"),
        ("%%time\nset_row = 1", "# %%time\nset_row = 1"),
        ("\n%%capture out\n%cd x\nset_row = 1", "\n# %%capture out\n# %cd x\nset_row = 1"),
        ("set_row = (7\n% 3)", "set_row = (7\n% 3)"),
        ("%cd x\nset_row = (7\n% 3)", "# %cd x\nset_row = (7\n% 3)"),
        ("%cd x\nset_row = 7 \\\n% 3", "# %cd x\nset_row = 7 \\\n% 3"),
        ("%cd x\nset_row = '''\n%s ' \" (\n'''", "# %cd x\nset_row = '''\n%s ' \" (\n'''"),
        ("%cd x\nset_row = '[' # (\n%cd y", "# %cd x\nset_row = '[' # (\n# %cd y"),
    ],
)
def test_only_what_is_a_magic_becomes_a_comment(
    here: Path, course: Course, cell: str, python: str
) -> None:
    write(here, {"work.ipynb": cells(cell)})
    submission = reader.read(here / "work.ipynb", course)
    assert text_of(submission) == f"# cell 1\n{python}\n"
    assert submission.notes == ()


def test_a_cell_that_is_not_python_is_left_out_and_reported(here: Path, course: Course) -> None:
    write(here, {"work.ipynb": cells("%%bash\nrm -rf /", SET_ROW, "def f(:", "split_many = 1")})
    submission = reader.read(here / "work.ipynb", course)
    assert list(taken(submission)) == ["01_arrays/set_row", "02_random/split_many"]
    assert "# %%bash\n# rm -rf /\n" in text_of(submission)
    assert "# cell 3\n# def f(:\n" in text_of(submission)
    assert [note.reason for note in submission.notes] == [
        "is graded without its code cell 1: it begins with `%%bash`",
        "is graded without its code cell 3: line 1: invalid syntax",
    ]


def test_a_notebook_whose_own_function_is_broken_shows_where(here: Path, course: Course) -> None:
    write(here, {"set_row.ipynb": cells("x = 1", "def set_row(:")})
    submission = reader.read(here / "set_row.ipynb", course)
    assert text_of(submission) == "# cell 1\nx = 1\n# cell 2\ndef set_row(:\n"


def test_a_future_import_of_a_late_cell_comes_first(here: Path, course: Course) -> None:
    write(here, {"work.ipynb": cells("x = 1", f"from __future__ import annotations\n{SET_ROW}")})
    text = text_of(reader.read(here / "work.ipynb", course))
    compile(text, "work.ipynb", "exec")
    assert text.startswith("from __future__ import annotations  # cell 1\nx = 1\n# cell 2\n# from")


@pytest.mark.parametrize(
    "document",
    [
        b"null",
        b"[]",
        b'"cells"',
        b"1e999",
        b"NaN",
        b"{}",
        b'{"cells": 5}',
        b'{"cells": [5, null, [], {}, {"cell_type": "code"}]}',
        b'{"cells": [{"cell_type": "code", "source": 5}, {"cell_type": [], "source": "x=1"}]}',
        b'{"cells": [{"cell_type": "code", "source": [1, null, {}]}]}',
        b'{"worksheets": [1, {}, {"cells": 2}, {"cells": [3]}]}',
        b'{"cells": null, "worksheets": null}',
        b'{"cells": [' + b"[" * 200_000,
        b'{"cells": ' + b"9" * 10_000 + b"}",
        b"\xff\xfe{\0}\0",
        b'{"cells": [{"cell_type": "code", "source": "' + b"x\\n" * 200_000 + b'"}]}',
        cells(*["x = 1"] * 2_001).encode(),
        cells("def set_row(: \ud800 \0").encode(),
    ],
)
def test_a_notebook_of_any_shape_is_a_problem_and_no_crash(
    here: Path, course: Course, document: bytes
) -> None:
    write(here, {"work.ipynb": document})
    submission = reader.read(here / "work.ipynb", course)
    assert submission.sources == ()
    assert submission.problem is not None
    assert "work.ipynb" in submission.problem
    assert len(submission.problem) < 1000


def test_a_million_lists_are_not_built(here: Path, course: Course) -> None:
    write(here, {"work.ipynb": "[" + "[]," * 1_000_000 + "[]]"})
    assert reader.read(here / "work.ipynb", course).problem == (
        "`work.ipynb` holds more than 1,000,000 lists. Clear its outputs."
    )


def test_outputs_nan_and_doubled_keys_do_not_matter(here: Path, course: Course) -> None:
    book = cells(SET_ROW, outputs=[{"data": {"image/png": "A" * 5_000_000}, "x": float("nan")}])
    doubled = book.replace('{"cells"', '{"cells": [], "cells"')
    write(here, {"work.ipynb": "\ufeff" + doubled})
    submission = reader.read(here / "work.ipynb", course)
    assert taken(submission) == {"01_arrays/set_row": "work.ipynb"}


def test_a_cell_with_half_a_character_can_be_encoded(here: Path, course: Course) -> None:
    write(here, {"work.ipynb": cells("set_row = '\ud83d'\n# \0\n")})
    text = text_of(reader.read(here / "work.ipynb", course))
    compile(text.encode(), "work.ipynb", "exec")


# Zips


@pytest.mark.parametrize(
    ("name", "shown", "reason"),
    [
        ("../set_row.py", "../set_row.py", "leads out of the zip with `..`. Pack your files again"),
        ("a/../../set_row.py", "a/../../set_row.py", "leads out of the zip with `..`."),
        ("/tmp/set_row.py", "/tmp/set_row.py", "is not a path inside the zip."),
        ("C:/set_row.py", "C:/set_row.py", "is not a path inside the zip."),
        ("a\\set_row.py", "a\\u005cset_row.py", "has a backslash in its name."),
        ("a\x1b[2J/set_row.py", "a\\u001b[2J/set_row.py", "has control characters in its name."),
        ("yp.\u202eset_row.py", "yp.\\u202eset_row.py", "has control characters in its name."),
        ("x/inner.zip", "x/inner.zip", "is a zip inside a zip, and was not opened."),
        ("d/" * 40 + "set_row.py", "d/" * 40 + "set_row.py", "lies more than 32 folders deep."),
    ],
)
def test_a_zip_cannot_escape_its_folder(
    here: Path, course: Course, name: str, shown: str, reason: str
) -> None:
    pack(here / "ada.zip", {name: SET_ROW, "split_many.py": SPLIT_MANY})
    submission = reader.read(here / "ada.zip", course)
    assert taken(submission) == {"02_random/split_many": "split_many.py"}
    assert list(notes(submission)) == [shown]
    assert notes(submission)[shown].startswith(reason)


@pytest.mark.parametrize(
    "name",
    ["x" * 60_000, "d/" * 3 + "x" * 5_000 + ".txt", "\u0130.txt", " "],
    ids=["huge", "long", "odd", "blank"],
)
def test_a_name_that_no_folder_could_hold_is_reported(
    here: Path, course: Course, name: str
) -> None:
    submission = reader.read(pack(here / "ada.zip", {name: "", "set_row.py": SET_ROW}), course)
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}
    (note,) = submission.notes
    assert len(note.path) <= 160


@pytest.mark.parametrize(
    ("mode", "reason"), [(stat.S_IFLNK, "is a link"), (stat.S_IFIFO, "is a pipe")]
)
def test_a_link_in_a_zip_is_reported_and_not_read(
    here: Path, course: Course, mode: int, reason: str
) -> None:
    with zipfile.ZipFile(here / "ada.zip", "w") as packed:
        info = zipfile.ZipInfo("set_row.py")
        info.create_system, info.external_attr = 3, (mode | 0o777) << 16
        packed.writestr(info, "../../solutions/01_arrays/set_row.py")
    submission = reader.read(here / "ada.zip", course)
    assert submission.sources == ()
    assert notes(submission)["set_row.py"].startswith(reason)


def test_an_encrypted_member_is_reported(here: Path, course: Course) -> None:
    data = bytearray(pack(here / "ada.zip", {"set_row.py": SET_ROW}).read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    write(here, {"ada.zip": bytes(data)})
    assert reader.read(here / "ada.zip", course).problem == (
        "nothing in `ada.zip` can be graded: `set_row.py` is encrypted. "
        "Pack your files again without a password."
    )


def test_an_unusual_compression_is_reported(here: Path, course: Course) -> None:
    with zipfile.ZipFile(here / "ada.zip", "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("set_row.py", SET_ROW)
    submission = reader.read(here / "ada.zip", course)
    assert notes(submission)["set_row.py"].startswith("is compressed in an unusual way.")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_members_with_one_name_the_last_counts(here: Path, course: Course) -> None:
    with zipfile.ZipFile(here / "ada.zip", "w") as packed:
        packed.writestr("./set_row.py", "set_row = 1\n")
        packed.writestr("set_row.py", SET_ROW)
    submission = reader.read(here / "ada.zip", course)
    assert text_of(submission) == SET_ROW
    assert notes(submission) == {
        "set_row.py": "is in the zip more than once; the last one was read"
    }


def test_a_bomb_is_not_unpacked(here: Path, course: Course) -> None:
    pack(here / "ada.zip", {"set_row.py": b"#" * 50_000_000, "split_many.py": SPLIT_MANY})
    tracemalloc.start()
    try:
        submission = reader.read(here / "ada.zip", course)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert taken(submission) == {"02_random/split_many": "split_many.py"}
    assert notes(submission)["set_row.py"].startswith("is larger than 256 KiB")


@pytest.mark.parametrize(("claimed", "read"), [(10, False), (0xFFFFFF, True)])
def test_bytes_count_and_not_what_a_zip_says_of_them(
    here: Path, course: Course, claimed: int, read: bool
) -> None:
    data = bytearray(pack(here / "ada.zip", {"set_row.py": b"#" * 100_000}).read_bytes())
    for at in (data.index(b"PK\x01\x02") + 24, data.index(b"PK\x03\x04") + 22):
        data[at : at + 4] = claimed.to_bytes(4, "little")
    write(here, {"ada.zip": bytes(data)})
    submission = reader.read(here / "ada.zip", course)
    if read:
        assert len(text_of(submission)) == 100_000
    else:
        assert notes(submission)["set_row.py"].startswith("is damaged inside the zip.")


def test_what_many_members_hold_together_is_counted_from_the_top(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_TOTAL", 1000)
    deep = {f"deep/{i}.py": "#" * 400 for i in range(4)}
    pack(here / "ada.zip", deep | {"set_row.py": SET_ROW})
    submission = reader.read(here / "ada.zip", course)
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}
    assert notes(submission)["deep/0.py"].startswith("matches no exercise")
    assert notes(submission)["deep/2.py"].startswith(
        "was not read: the submission holds more than "
    )


def test_a_zip_with_too_many_members_is_refused(here: Path, course: Course) -> None:
    pack(here / "ada.zip", {f"{i}.py": "" for i in range(archive.MAX_FILES + 1)})
    assert reader.read(here / "ada.zip", course).problem == (
        "`ada.zip` holds more than 10,000 files. Hand in only your exercises."
    )


def test_a_huge_table_of_contents_is_not_read(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_CONTENTS", 140_000)
    pack(here / "ada.zip", {f"{i}{'x' * 200}.py": "" for i in range(700)})
    submission = reader.read(here / "ada.zip", course)
    assert submission.problem is not None
    assert "holds more than 10,000 files" in submission.problem


def test_a_damaged_zip_is_never_a_crash(here: Path, course: Course) -> None:
    members: dict[str, str | bytes] = {"01_arrays/set_row.py": SET_ROW, "w.ipynb": cells(SET_ROW)}
    good = pack(here / "ada.zip", members).read_bytes()
    dice = random.Random(0)
    for _ in range(300):
        data = bytearray(good)
        for _ in range(dice.randrange(1, 6)):
            data[dice.randrange(len(data))] = dice.choice([0, 1, 0x2F, 0x7F, 0x80, 0xFF])
        if dice.random() < 0.2:
            del data[dice.randrange(len(data)) :]
        write(here, {"ada.zip": bytes(data)})
        submission = reader.read(here / "ada.zip", course)
        assert bool(submission.sources) == (submission.problem is None)


@pytest.mark.parametrize(
    "name",
    [
        "__MACOSX/._set_row.py",
        ".DS_Store",
        "__pycache__/set_row.cpython-311.pyc",
        ".git/set_row.py",
        ".ipynb_checkpoints/set_row-checkpoint.ipynb",
        ".venv/lib/x.py",
        "venv/bin/activate_this.py",
        "env/lib/python3.11/site-packages/x.py",
    ],
)
def test_what_no_student_wrote_is_skipped_in_silence(here: Path, course: Course, name: str) -> None:
    files: dict[str, str | bytes] = {f"ada/{name}": "x", "ada/set_row.py": SET_ROW}
    write(here, files)
    pack(here / "ada.zip", files)
    for path in ("ada", "ada.zip"):
        assert reader.read(here / path, course).notes == ()


# Folders


def test_a_zip_in_a_folder_is_read_in_its_place(here: Path, course: Course) -> None:
    (here / "ada").mkdir()
    pack(here / "ada" / "hw.zip", {"exercises/01_arrays/set_row.py": SET_ROW, "../x.py": ""})
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {"01_arrays/set_row": "hw.zip/exercises/01_arrays/set_row.py"}
    assert list(notes(submission)) == ["hw.zip/../x.py"]


@needs_posix
def test_no_link_in_a_folder_is_followed(here: Path, course: Course) -> None:
    write(here / "solutions", {"set_row.py": SET_ROW})
    write(here / "ada", {"split_many.py": SPLIT_MANY})
    (here / "ada" / "set_row.py").symlink_to(here / "solutions" / "set_row.py")
    (here / "ada" / "more").symlink_to(here / "solutions")
    submission = reader.read(here / "ada", course)
    reason = "is a link, and links are not followed. Hand in the file itself"
    assert taken(submission) == {"02_random/split_many": "split_many.py"}
    assert notes(submission) == {"set_row.py": reason, "more": reason}


@needs_posix
def test_a_link_that_is_named_on_purpose_is_followed(here: Path, course: Course) -> None:
    write(here / "real", {"set_row.py": SET_ROW})
    (here / "ada").symlink_to(here / "real")
    submission = reader.read(here / "ada", course)
    assert submission.id == "ada"
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}


@needs_posix
def test_a_pipe_is_never_opened(here: Path, course: Course) -> None:
    (here / "ada").mkdir()
    os.mkfifo(here / "ada" / "set_row.py")
    assert reader.read(here / "ada", course).problem == (
        "nothing in `ada` can be graded: `set_row.py` is a pipe, a device or a socket. "
        "Hand in a plain file."
    )
    assert reader.read(here / "ada" / "set_row.py", course).problem is not None
    assert reader.read(Path("/dev/zero"), course).problem is not None


@needs_posix
def test_text_that_is_no_python_opens_no_file_of_the_current_folder(here: Path) -> None:
    """Python opens the file that an error names. A pipe would be opened for ever."""
    for name in ("submission", "<unknown>", "<string>", "<fstring>", "<stdin>"):
        os.mkfifo(here / name)
    code = (
        "from grader.feedback import syntax\nfrom grader.intake import source\n"
        "for text in ('def (', 'x = ', 'x: int; global x', 'nonlocal x', 'f\"{a b}\"'):\n"
        "    assert source.names(text).error\n"
        "    try: syntax.Module(text)\n"
        "    except SyntaxError: pass\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=here, check=True, timeout=20)


@needs_posix
@pytest.mark.parametrize(
    ("becomes", "reason"), [("a pipe", "is a pipe"), ("a link", "can't be read")]
)
def test_a_file_that_turns_into_something_else_is_not_read(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch, becomes: str, reason: str
) -> None:
    write(here, {"ada/set_row.py": SET_ROW, "secret.py": SET_ROW})
    lstat = Path.lstat

    def swapped(path: Path) -> os.stat_result:
        found = lstat(path)
        if path.name == "set_row.py":
            path.unlink()
            if becomes == "a pipe":
                os.mkfifo(path)
            else:
                path.symlink_to("../secret.py")
        return found

    monkeypatch.setattr(Path, "lstat", swapped)
    submission = reader.read(here / "ada", course)
    assert submission.sources == ()
    assert notes(submission)["set_row.py"].startswith(reason)


def test_a_file_without_permission_is_reported(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(here / "ada", {"set_row.py": SET_ROW, "split_many.py": SPLIT_MANY})
    opened = os.open

    def refuse(path: Any, *rest: Any) -> int:
        if Path(path).name == "set_row.py":
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest)

    monkeypatch.setattr(os, "open", refuse)
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {"02_random/split_many": "split_many.py"}
    assert notes(submission) == {"set_row.py": "can't be read: permission denied. Hand it in again"}


def test_a_folder_that_is_too_deep_is_reported(here: Path, course: Course) -> None:
    write(here / "ada", {"d/" * 40 + "set_row.py": SET_ROW})
    submission = reader.read(here / "ada", course)
    assert submission.sources == ()
    assert submission.notes[0].reason == "lies more than 32 folders deep. Move it up"


def test_a_folder_with_too_many_files_is_read_from_the_top(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_FILES", 100)
    deep = {f"z/deep/{i}.txt": "" for i in range(200)}
    write(here / "ada", deep | {"a/set_row.py": SET_ROW})
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {"01_arrays/set_row": "a/set_row.py"}
    assert len(submission.notes) == reader.MAX_NOTES + 1
    assert submission.notes[-1].path == "ada"
    assert submission.notes[-1].reason == "holds 57 more things that were not graded"


@needs_posix
def test_no_name_reaches_a_report_raw(here: Path, course: Course) -> None:
    folder = here / "a\x1b[31m`\u202e\\\udcff"
    write(folder, {"b\n.py": SET_ROW, "c\u200b.py": SPLIT_MANY, "d" * 200 + ".txt": ""})
    submission = reader.read(folder, course)
    assert submission.id == "a\\u001b[31m\\u0060\\u202e\\u005c\\udcff"
    assert taken(submission) == {"02_random/split_many": "c\\u200b.py"}
    for note in submission.notes:
        assert (note.path + note.reason).isprintable()
        assert len(note.path) <= 160
    json.dumps(submission.id).encode()


# Classes


def test_every_child_of_a_class_is_a_submission(here: Path, course: Course) -> None:
    write(
        here,
        {
            "eve/split_many.py": SPLIT_MANY,
            "ada/set_row.py": SET_ROW,
            "bob.py": SET_ROW,
            "README.txt": "hello",
            ".DS_Store": "",
            "__MACOSX/x.py": "",
            "__pycache__/x.pyc": "",
        },
    )
    (here / "dan").mkdir()
    pack(here / "cy.zip", {"set_row.py": SET_ROW})
    submissions = {one.id: one for one in reader.read_class(here, course)}
    assert list(submissions) == ["README.txt", "ada", "bob", "cy", "dan", "eve"]
    assert [name for name, one in submissions.items() if one.problem] == ["README.txt", "dan"]
    assert submissions["README.txt"].problem == (
        "`README.txt` is not a Python file, a notebook or a zip. Hand in Python files or "
        "notebooks named as their stubs, such as `set_row.py`."
    )


def test_a_name_with_and_without_suffix_is_one_student(here: Path, course: Course) -> None:
    write(here, {"ada/set_row.py": SET_ROW, "ada.py": SET_ROW, "ada.ipynb": cells(SET_ROW)})
    ids = [one.id for one in reader.read_class(here, course)]
    assert ids == ["ada", "ada", "ada"]


@needs_posix
def test_a_child_that_is_a_link_is_a_row_with_a_reason(here: Path, course: Course) -> None:
    write(here / "ada", {"set_row.py": SET_ROW})
    (here / "bob").symlink_to(here / "ada")
    (here / "cy.py").symlink_to("nowhere")
    ada, bob, cy = reader.read_class(here, course)
    assert ada.problem is None
    assert bob.problem == "`bob` is a link, and links are not followed. Hand in the file itself."
    assert cy.problem == "`cy.py` is a link, and links are not followed. Hand in the file itself."


def test_an_empty_class_is_an_error_at_once(here: Path, course: Course) -> None:
    write(here, {".DS_Store": ""})
    with pytest.raises(SubmissionError) as error:
        reader.read_class(here, course)
    assert str(error.value) == (
        f"`{here}` is an empty folder: there is no submission in it. Put one file or folder for "
        "each student there."
    )


def test_a_class_that_is_not_a_folder_is_an_error_at_once(here: Path, course: Course) -> None:
    write(here, {"ada.py": SET_ROW})
    with pytest.raises(
        SubmissionError, match=r"is not a folder or a zip, so it can't hold a class"
    ):
        reader.read_class(here / "ada.py", course)
    with pytest.raises(SubmissionError, match="there is nothing at"):
        reader.read_class(here / "nowhere", course)
