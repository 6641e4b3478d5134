"""`grader start`: a course as files or as notebooks, and errors of use."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from click.testing import CliRunner, Result

import grader
from grader import cli
from grader.course.course import Course, find, load
from grader.intake import notebook, reader
from grader.records.errors import CourseError, UsageError
from grader.records.model import Status, Submission
from grader.student import guidance, notebooks, workspace
from grader.student.check import check
from grader.student.start import start

Maker = Callable[..., Course]
OURS = find(start=Path(__file__).parents[1])


def run(*arguments: object) -> Result:
    return CliRunner(env={"COLUMNS": "80"}).invoke(cli.main, [str(one) for one in arguments])


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_course_is_laid_out_as_the_handout_has_it(tmp_path: Path) -> None:
    laid = start(tmp_path / "mine")
    expected = OURS.handout()
    assert contents(tmp_path / "mine") == expected
    assert set(laid.added) == set(expected)
    assert laid.kept == ()
    assert laid.course.exercises == OURS.exercises


def test_files_have_the_permissions_that_any_new_file_has(tmp_path: Path) -> None:
    start(tmp_path / "mine")
    (tmp_path / "plain").write_text("")
    usual = (tmp_path / "plain").stat().st_mode
    assert {p.stat().st_mode for p in (tmp_path / "mine").rglob("*.py")} == {usual}


def test_it_says_what_to_do_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said, map_, lacks = run("start").output.partition("`README.md` is the map of the course.\n")
    assert bool(lacks) == bool(OURS.absent)
    assert said + map_ == (
        f"Laid out {len(OURS.catalogued)} exercises in `jax-by-exercises`.\n\nWhat to do first:\n  "
        "cd jax-by-exercises\n  grader watch\n\nIt starts with `01_arrays/set_row.py`: open that "
        "in your editor, and save.\nThis is the first of `afternoon`, 12 exercises, about 130 "
        "minutes. `grader list`\nshows the other paths.\n`README.md` is the map of the course.\n"
    )
    assert Path("jax-by-exercises/catalog.toml").is_file()


def test_work_is_never_overwritten_and_what_is_missing_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(tmp_path)
    monkeypatch.chdir(tmp_path)
    Path("01_arrays/hist.py").write_text("mine\n")
    Path("README.md").write_text("my notes\n")
    Path("01_arrays/set_row.py").unlink()
    before = contents(tmp_path)
    output = run("start").output
    assert output.startswith("Added what was missing in `.`: `01_arrays/set_row.py`. Nothing else")
    stub = OURS.stub(OURS["set_row"]).read_bytes()
    assert contents(tmp_path) == before | {"01_arrays/set_row.py": stub}
    assert run("start").output.startswith("Nothing is missing in `.`, and nothing was changed.")


def test_an_older_catalogue_is_renewed_and_said(tmp_path: Path) -> None:
    start(tmp_path)
    catalog = tmp_path / "catalog.toml"
    catalog.write_text(catalog.read_text().rpartition("[[exercise]]")[0])
    laid = start(tmp_path)
    assert laid.renewed
    assert laid.added == ()
    assert load(catalog).exercises == OURS.exercises


def test_a_link_to_work_elsewhere_stays_a_link(tmp_path: Path) -> None:
    start(tmp_path / "mine")
    stub = tmp_path / "mine" / "01_arrays" / "hist.py"
    stub.unlink()
    stub.symlink_to(tmp_path / "nowhere")
    assert start(tmp_path / "mine").added == ()
    assert stub.is_symlink()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda p: p.write_text(""), "is a file. Name a folder: `grader start DIR`."),
        (
            lambda p: (p.mkdir(), (p / "catalog.toml").write_text('schema = 1\nname = "b"\n')),
            "contains another course, `b`. Name another folder: `grader start DIR`.",
        ),
    ],
)
def test_what_is_in_the_way_is_named(
    tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    make(tmp_path / "x")
    with pytest.raises(UsageError) as caught:
        start(tmp_path / "x")
    assert str(caught.value) == f"`{tmp_path / 'x'}` {said}"


def test_the_course_itself_is_not_worked_in() -> None:
    with pytest.raises(UsageError, match="is the course itself"):
        start(OURS.stubs)


def test_a_grader_without_a_course_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "installed", lambda: None)
    with pytest.raises(CourseError, match="no course came with this grader"):
        start(tmp_path)


# Notebooks


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return start(tmp_path_factory.mktemp("books"), as_notebooks=True).course


def solved(course: Course, folder: Path, solve: Callable[[str], str]) -> Submission:
    """The notebooks with each exercise's cell of code replaced."""
    folder.mkdir()
    for topic in workspace.topics(course):
        book = json.loads(workspace.notebook_path(course, topic).read_bytes())
        for cell in book["cells"]:
            if cell["id"].endswith("-code"):
                mark = cell["metadata"]["grader"]["exercise"]
                cell["source"] = solve(mark)
        (folder / f"{topic}.ipynb").write_text(json.dumps(book))
    return reader.read(folder, course)


def test_there_is_a_valid_notebook_for_each_topic(books: Course) -> None:
    topics = workspace.topics(OURS)
    assert set(contents(books.stubs)) == {
        "catalog.toml",
        "README.md",
        *(f"{topic}.ipynb" for topic in topics),
    }
    for topic in topics:
        book = nbformat.read(workspace.notebook_path(books, topic), as_version=nbformat.NO_CONVERT)
        nbformat.validate(book)
        ids = [cell["id"] for cell in book.cells]
        assert len(ids) == len(set(ids))
        mine = [e for e in OURS.exercises if e.topic == topic]
        assert [cell.source for cell in book.cells if cell.source.startswith("!")] == [
            f"!grader check {exercise.stem}" for exercise in mine
        ]


def test_a_notebook_is_the_same_every_time() -> None:
    for topic in workspace.topics(OURS):
        assert notebooks.write(OURS, topic) == notebooks.write(OURS, topic)


def test_a_cell_of_code_is_the_stub_and_the_words_above_are_its_docstring(books: Course) -> None:
    for exercise in OURS.exercises:
        stub = OURS.stub(exercise).read_text()
        book = json.loads(workspace.notebook_path(books, exercise.topic).read_bytes())
        cells = {cell["id"]: "".join(cell["source"]) for cell in book["cells"]}
        words = ast.get_docstring(ast.parse(stub))
        assert words is not None
        assert words in cells[f"{exercise.stem}-task"]
        whole = ast.parse(stub)
        whole.body = whole.body[1:]
        assert ast.dump(ast.parse(cells[f"{exercise.stem}-code"])) == ast.dump(whole)


def test_untouched_notebooks_hand_in_every_exercise_and_leave_no_note(books: Course) -> None:
    read = reader.read(books.stubs, books)
    assert read.problem is None
    assert read.notes == ()
    assert [source.exercise for source in read.sources] == [e.id for e in books.exercises]


def test_exercises_of_one_notebook_may_use_one_name_for_two_things(
    books: Course, tmp_path: Path
) -> None:
    """Each defines `own` and returns it: in one module, all would return the last one."""

    def solve(mark: str) -> str:
        functions = "".join(f"def {n}(*_): return own()\n" for n in OURS[mark].defines)
        return f"def own(): return {mark!r}\n{functions}"

    for source in solved(books, tmp_path / "in", solve).sources:
        names: dict[str, Callable[[], str]] = {}
        exec(source.text, names)
        for name in OURS[source.exercise].defines:
            assert names[name]() == source.exercise


@pytest.mark.slow
def test_a_solved_notebook_passes_the_same_examples_as_the_files(tmp_path: Path) -> None:
    course = start(tmp_path / "mine", as_notebooks=True).course
    stems = ("dropout", "init_mlp")
    path = workspace.notebook_path(course, "02_random")
    book = json.loads(path.read_bytes())
    for cell in book["cells"]:
        for stem in stems:
            if cell["id"] == f"{stem}-code":
                cell["source"] = [*cell["source"], "\n\n", OURS.solution(OURS[stem]).read_text()]
    path.write_text(json.dumps(book))
    found = check(course, course.select([*stems, "split_many"]))
    by_stem = {result.exercise.split("/")[1]: result for result in found}
    assert [by_stem[stem].status for stem in stems] == [Status.PASSED] * 2
    assert (
        by_stem["split_many"]
        .findings[0]
        .sentence.endswith(
            "with your own code. If you have done so, save the notebook: the check reads the file "
            "on disk."
        )
    )


def test_a_helper_in_another_cell_is_found_and_a_cell_that_fails_stops_nothing(
    tmp_path: Path,
) -> None:
    course = start(tmp_path / "mine", as_notebooks=True).course
    path = workspace.notebook_path(course, "01_arrays")
    book = json.loads(path.read_bytes())
    code: dict[str, Any] = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    }
    fails = code | {"id": "fails", "source": "def helper(a, i, b): return a.at[i].set(b)\n1 / 0"}
    book["cells"].insert(1, fails)
    for cell in book["cells"]:
        if cell["id"] == "set_row-code":
            text = "".join(cell["source"])
            cell["source"] = text.replace("raise NotImplementedError", "return helper(x, i, row)")
    path.write_text(json.dumps(book))
    (found,) = check(course, course.select(["set_row"]))
    assert found.passed, found


def test_odd_metadata_marks_nothing() -> None:
    odd: list[object] = [None, [], {"grader": 3}, {"grader": {"exercise": []}}, {"grader": {}}]
    cells = [{"cell_type": "code", "source": "x = 1", "metadata": metadata} for metadata in odd]
    read = notebook.read(json.dumps({"cells": cells}).encode())
    assert {mark for mark, _ in read.cells} == {None}


def test_a_notebook_that_was_never_saved_or_is_gone_is_told_so(tmp_path: Path) -> None:
    course = start(tmp_path, as_notebooks=True).course
    workspace.notebook_path(course, "02_random").write_bytes(b"")
    workspace.notebook_path(course, "03_jit").unlink()
    empty, gone = check(course, course.select(["dropout", "selu"]))
    assert "02_random.ipynb` is an empty file. Save your notebook" in empty.findings[0].sentence
    assert gone.status is Status.MISSING
    assert "03_jit.ipynb`. Was it renamed or deleted?" in gone.findings[0].sentence
    assert start(tmp_path).added == ("03_jit.ipynb",)


# Errors of use


@pytest.mark.parametrize("command", ["check", "watch", "list", "hint", "submit"])
def test_the_wrong_folder_is_told_how_to_go_on(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(command)
    assert result.exit_code == 3
    assert result.stderr == (
        f"Error: there is no course in `{tmp_path}` or above it. Go to the folder that "
        "`grader start` made, or run it here.\n"
    )


def test_a_course_below_the_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my course").mkdir()
    Path("my course", "catalog.toml").touch()
    assert "There is one below: `cd 'my course'`." in run("list").stderr


@pytest.mark.parametrize(
    ("jax", "said"),
    [
        ("0.10.0", None),
        ("0.11.2", None),
        ("0.12.9.dev3", None),
        ("0.9.1", "This is JAX 0.9.1, but the course was proved on 0.10 to 0.12."),
        ("0.13.0", "This is JAX 0.13.0, but the course was proved on 0.10 to 0.12."),
        ("1.0", "This is JAX 1.0, but the course was proved on 0.10 to 0.12."),
    ],
)
def test_a_jax_that_nobody_tried_is_said_and_used(
    make_course: Maker, tmp_path: Path, jax: str, said: str | None
) -> None:
    course = make_course(tmp_path)
    catalog = course.stubs / "catalog.toml"
    catalog.write_text('proved_jax = ["0.10", "0.12"]\n' + catalog.read_text())
    told = guidance.unproved(load(catalog), jax)
    assert told == said if said is None else str(told).startswith(said)


def test_a_course_that_says_nothing_of_jax_is_advised_nothing(foreign: Course) -> None:
    assert guidance.unproved(foreign, "9.9") is None


@pytest.mark.parametrize("given", ['"0.10"', '["0.10"]', '["0.10", 0.12]', '["a", "b"]'])
def test_a_range_that_is_none_is_a_mistake_in_the_catalogue(tmp_path: Path, given: str) -> None:
    (tmp_path / "catalog.toml").write_text(f"schema = 1\nproved_jax = {given}\n")
    with pytest.raises(CourseError, match="give two releases"):
        load(tmp_path / "catalog.toml")


def test_this_jax_is_one_that_the_course_was_proved_on() -> None:
    assert guidance.unproved(OURS) is None


def test_an_older_python_is_told_before_anything_fails() -> None:
    """No older Python may be installed, so this one pretends to be older."""
    script = (
        "import collections, runpy, sys\n"
        "Version = collections.namedtuple('Version', 'major minor micro releaselevel serial')\n"
        "sys.version_info = Version(3, 9, 1, 'final', 0)\n"
        f"runpy.run_path({cli.__file__!r}, run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: this is Python 3.9, but the course needs 3.11 or newer.")


def test_the_students_side_needs_no_system_of_its_own() -> None:
    """Modules that some systems lack are used by `blessed`, and after a look at the system."""
    guarded = {"apart": {"resource"}}
    unix = {"fcntl", "pty", "pwd", "resource", "select", "selectors", "termios", "tty", "msvcrt"}
    package = Path(grader.__file__).parent
    folders = ("student", "intake", "output/screens")
    paths = [path for name in folders for path in sorted((package / name).glob("*.py"))]
    assert {path.stem for path in paths} >= {"watch", "apart", "grades"}
    for path in (*paths, package / "commands" / "student.py"):
        stem = path.stem
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = list(ast.walk(tree))
        names = {alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names}
        names |= {str(n.module) for n in nodes if isinstance(n, ast.ImportFrom)}
        used = unix & {name.partition(".")[0] for name in names}
        assert used == guarded.get(stem, set()), stem
        texts = {node.value for node in nodes if isinstance(node, ast.Constant)}
        assert not unix & {text for text in texts if isinstance(text, str)}, stem


def test_what_a_student_types_often_imports_little() -> None:
    """It takes a tenth of a second without importing jax, numpy and pytest."""
    script = (
        "import sys; from grader.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print([m for m in ('blessed', 'jax', 'numpy', 'pytest', 'msgpack') if m in sys.modules])"
    )
    place = Path(grader.__file__).parent.parent / "exercises"
    for command in (["--help"], ["list"], ["start", "--help"]):
        done = subprocess.run(
            [sys.executable, "-c", script, *command],
            capture_output=True,
            text=True,
            cwd=place,
            env=os.environ | {"COLUMNS": "80"},
        )
        assert done.stdout.splitlines()[-1] == "[]", done


def test_notebooks_have_a_readme_of_their_own(tmp_path: Path) -> None:
    start(tmp_path / "files")
    start(tmp_path / "books", as_notebooks=True)
    files, books = ((tmp_path / k / "README.md").read_text() for k in ("files", "books"))
    assert "Open a file, say `01_arrays/set_row.py`." in files
    assert "Open a file" not in books
    assert "## How to work\n\n`grader start --notebooks` lays the course out" in books
    assert files.partition("## How")[0] == books.partition("## How")[0]
    assert files.partition("## What is")[2] == books.partition("## What is")[2]


def test_a_readme_without_such_a_section_stays_as_it_is() -> None:
    assert notebooks.readme("# Mine\n\n## How to work\n\nx\n") == (
        "# Mine\n\n## How to work\n\nx\n"
    )
