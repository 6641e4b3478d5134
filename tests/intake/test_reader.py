"""How submissions are matched to exercises: honest ones, mistakes and attacks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.intake import reader
from grader.records.errors import SubmissionError
from grader.records.model import Exercise, Submission
from tests.conftest import write
from tests.intake.conftest import (
    SET_ROW,
    SPLIT_MANY,
    STUB,
    cells,
    needs_posix,
    notes,
    pack,
    taken,
    text_of,
)

SGD = "def sgd_init(params):\n    return ()\n\n\ndef sgd_update(grads, state):\n    return grads\n"

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
            "`ada` is an empty folder. Submit Python files or notebooks named like their stubs, "
            "such as `set_row.py`."
        ),
    )


def test_a_file_of_another_kind_is_a_problem(here: Path, course: Course) -> None:
    write(here, {"report.pdf": b"%PDF"})
    assert reader.read(here / "report.pdf", course).problem == (
        "`report.pdf` is not a Python file, a notebook or a zip. Submit Python files or notebooks "
        "named like their stubs, such as `set_row.py`."
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("set_row.py.txt", "has one extension too many. Rename it `set_row.py`"),
        ("ada.rar", "is packed, but not as a zip. Pack your files as a zip"),
        ("ada.tar.gz", "is packed, but not as a zip. Pack your files as a zip"),
    ],
)
def test_a_near_miss_in_the_kind_of_file_is_reported(
    here: Path, course: Course, name: str, reason: str
) -> None:
    write(here, {name: "x"})
    assert reader.read(here / name, course).problem == f"`{name}` {reason}."


def test_an_empty_file_is_a_problem(here: Path, course: Course) -> None:
    write(here, {"set_row.py": "\n", "work.ipynb": ""})
    for name in ("set_row.py", "work.ipynb"):
        problem = reader.read(here / name, course).problem
        assert problem is not None
        assert problem.startswith(f"`{name}` is an empty file. Save your ")


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


@pytest.mark.parametrize(
    "line", ["import setrow", "from setrow import helped", "from .setrow import *"]
)
def test_a_helper_that_is_imported_has_to_be_copied(here: Path, course: Course, line: str) -> None:
    """Its name is like that of an exercise, and it is no answer to it."""
    helper = "def helped(x):\n    return x\n"
    write(here / "ada", {"set_row.py": f"import os\n{line}\n{SET_ROW}", "setrow.py": helper})
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}
    assert notes(submission) == {
        "setrow.py": (
            "is imported by `set_row.py`, but is not graded: each exercise is graded from its one "
            "file. Copy what you need from it into `set_row.py`"
        )
    }


def test_half_of_what_an_exercise_asks_for_is_reported(here: Path, course: Course) -> None:
    write(here, {"my.py": "def sgd_init(p): ...\n"})
    assert reader.read(here / "my.py", course).problem == (
        "`my.py` matches no exercise; for `05_training/sgd` it doesn't define `sgd_update`. "
        "Define all of `sgd_init`, `sgd_update`."
    )


def test_a_module_that_cannot_be_parsed_is_reported_with_its_line(
    here: Path, course: Course
) -> None:
    write(here, {"my.py": "x = 1\ndef other(:\n"})
    assert reader.read(here / "my.py", course).problem == (
        "`my.py` matches no exercise by its name, and is not valid Python (line 2: invalid "
        "syntax). Fix it, and give it the name of its stub."
    )


@pytest.mark.parametrize("before", ["def set_row(:\n    x = 1\n", "x = (\n", "'''\n"])
def test_one_broken_line_is_told_for_every_exercise_of_its_file(
    here: Path, course: Course, before: str
) -> None:
    write(here, {"ada.py": f"{before}{SET_ROW}{SPLIT_MANY}def sgd_init(p): ...\n"})
    submission = reader.read(here / "ada.py", course)
    assert taken(submission) == {
        "01_arrays/set_row": "ada.py",
        "02_random/split_many": "ada.py",
    }
    reason = notes(submission)["ada.py"]
    assert reason.startswith("is not valid Python (line ")
    assert reason.endswith("). Fix that line: nothing in this file is graded until then")


@pytest.mark.parametrize("good", ["set_row.py", "ada.py", "01_arrays/deep/set_row.py"])
def test_a_broken_file_of_any_name_hides_no_work(here: Path, course: Course, good: str) -> None:
    write(here / "eve", {good: SET_ROW, "a.py": f"x = (\n{SET_ROW}"})
    assert taken(reader.read(here / "eve", course)) == {"01_arrays/set_row": good}


def test_a_broken_file_comes_before_an_unedited_stub(here: Path, course: Course) -> None:
    write(here / "eve", {"set_row.py": STUB, "a.py": f"x = (\n{SET_ROW}"})
    assert taken(reader.read(here / "eve", course)) == {"01_arrays/set_row": "a.py"}


def test_a_cell_that_is_no_python_belongs_to_the_exercise_that_it_defines(
    here: Path, course: Course
) -> None:
    write(here, {"ada.ipynb": cells(SET_ROW, "def split_many(key, n:\n    return key\n")})
    submission = reader.read(here / "ada.ipynb", course)
    whole, broken = submission.sources
    assert (whole.exercise, broken.exercise) == ("01_arrays/set_row", "02_random/split_many")
    compile(whole.text, "ada.ipynb", "exec")
    with pytest.raises(SyntaxError):
        compile(broken.text, "ada.ipynb", "exec")


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
        "Submit one file for it"
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
    files = {"catalog.toml": "schema = 1\n", "01_arrays/set_row.md": "1. Use `.at`.\n"}
    write(course.stubs, files)
    write(here / "ada/exercises", files | {"01_arrays/set_row.py": SET_ROW, "mine.md": ""})
    assert list(notes(reader.read(here / "ada", course))) == ["exercises/mine.md"]


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


def test_an_unreadable_file_costs_only_itself(here: Path, course: Course) -> None:
    write(here / "ada", {"set_row.py": b"\0", "split_many.py": SPLIT_MANY})
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {"02_random/split_many": "split_many.py"}
    assert "NUL bytes" in notes(submission)["set_row.py"]
    assert submission.problem is None


# Text that crashes or slows a compiler


def test_too_much_python_is_not_compiled(
    here: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MAX_PYTHON", 10)
    write(here / "ada", {"set_row.py": SET_ROW, "z.py": SPLIT_MANY})
    submission = reader.read_own(here / "ada", course)
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}
    assert notes(submission) == {
        "z.py": "was not read: the files before it contain 10 characters of Python or more, "
        "and the rest is not read. Submit only your exercises"
    }


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
        "`README.txt` is not a Python file, a notebook or a zip. Submit Python files or notebooks "
        "named like their stubs, such as `set_row.py`."
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
    assert bob.problem == "`bob` is a link, and links are not followed. Submit the file itself."
    assert cy.problem == "`cy.py` is a link, and links are not followed. Submit the file itself."


def test_an_empty_class_is_an_error_at_once(here: Path, course: Course) -> None:
    write(here, {".DS_Store": ""})
    with pytest.raises(SubmissionError) as error:
        reader.read_class(here, course)
    assert str(error.value) == (
        f"`{here}` is an empty folder, without a submission. Put one file or folder for each "
        "student there."
    )


def test_a_class_that_is_not_a_folder_is_an_error_at_once(here: Path, course: Course) -> None:
    write(here, {"ada.py": SET_ROW})
    with pytest.raises(
        SubmissionError, match=r"is not a folder or a zip, so it can't contain a class"
    ):
        reader.read_class(here / "ada.py", course)
    with pytest.raises(SubmissionError, match="there is nothing at"):
        reader.read_class(here / "nowhere", course)
