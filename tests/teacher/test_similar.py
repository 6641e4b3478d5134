"""`grader similar` exports a class as files that Dolos and compare50 read."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli import main
from grader.course.course import Course, load
from grader.records.files import write
from grader.records.model import Person, Source, Submission
from grader.teacher.similar import exported

STUB = '"""Mean."""\n\ndef mean(xs):\n    """The mean."""\n    raise NotImplementedError\n'
SOLUTION = "def mean(xs):\n    return sum(xs) / len(xs)\n"
ANSWER = "def mean(xs):\n    # Kahan\n    return xs.mean()\n"
OTHER = "def mean(xs):\n    return xs.sum() / xs.size\n"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    folder = tmp_path / "course"
    entries = (f'[[exercise]]\nid = "a/{name}"\n' for name in ("mean", "other"))
    write(folder / "exercises/catalog.toml", 'schema = 1\nname = "x"\n' + "".join(entries))
    for name in ("mean", "other"):
        write(folder / f"exercises/a/{name}.py", STUB.replace("mean(", f"{name}("))
        write(folder / f"solutions/a/{name}.py", SOLUTION.replace("mean(", f"{name}("))
    return load(folder / "exercises/catalog.toml")


def run(course: Course, *options: str) -> Result:
    return CliRunner().invoke(main, ["similar", "--course", str(course.root), *options])


def a_class(folder: Path, works: dict[str, str]) -> Path:
    for who, text in works.items():
        write(folder / who / "mean.py", text)
    return folder


def test_the_export_is_what_dolos_and_compare50_read(course: Course, tmp_path: Path) -> None:
    works = {"ada": ANSWER, "=1+1, x": OTHER, "untouched": STUB}
    homework, export = a_class(tmp_path / "homework", works), tmp_path / "out"
    shown = run(course, "--class", str(homework), "--export", str(export))
    assert shown.exit_code == 0, shown.output
    assert "wrote 4 files" in shown.stderr
    folder = export / "a" / "mean"
    assert (folder / "stub.py").read_text() == STUB
    with (folder / "info.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["filename", "full_name", "label", "created_at"]
    texts = {row["full_name"]: (folder / row["filename"]).read_text() for row in rows}
    assert texts == {"ada": ANSWER, "'=1+1, x": OTHER}
    assert all(Path(row["filename"]).name == "mean.py" for row in rows)
    assert len(list((folder / "work").iterdir())) == 2
    assert not (export / "a" / "other").exists()


def test_an_export_says_who_and_when_and_keeps_whole_files(course: Course) -> None:
    text = ANSWER + "\ndef other(x):\n    return x + 1\n"
    sources = (Source("a/mean", "all.py", text), Source("a/other", "all.py", text))
    who = Person("7", name="Ada Lovelace", section="B")
    work = Submission("7", "d", sources, student=who, at="2026-11-20T10:00:00+01:00")
    files = dict(exported(course, course.exercises, [work]))
    row = '"work/7/mean.py","Ada Lovelace","B","2026-11-20T10:00:00+01:00"'
    assert row in files["a/mean/info.csv"].splitlines()
    assert files["a/mean/work/7/mean.py"] == files["a/other/work/7/other.py"] == text
    assert not any(SOLUTION.splitlines()[1] in file for file in files.values())


def test_attempts_of_one_person_are_different_files(course: Course) -> None:
    works = [Submission("7", "d", (Source("a/mean", "m.py", t),)) for t in (ANSWER, OTHER)]
    files = dict(exported(course, course.exercises, works))
    assert {ANSWER, OTHER} < set(files.values())


@pytest.mark.parametrize("folder", ["homework/out", "full"])
def test_an_export_needs_a_new_folder_outside_of_the_class(
    course: Course, tmp_path: Path, folder: str
) -> None:
    homework = a_class(tmp_path / "homework", {"ada": ANSWER})
    a_class(tmp_path / "full", {"ada": ANSWER})
    export = tmp_path / folder
    shown = run(course, "--class", str(homework), "--export", str(export))
    assert shown.exit_code == 2
    assert f"`{export}`" in shown.output
    assert "--export DIR" in shown.output


def test_an_export_needs_a_folder_and_a_class(course: Course, tmp_path: Path) -> None:
    homework = a_class(tmp_path / "homework", {"ada": ANSWER})
    without_folder = run(course, "--class", str(homework))
    assert without_folder.exit_code == 2
    assert "--export" in without_folder.output
    without_class = run(course, "--export", str(tmp_path / "out"))
    assert without_class.exit_code == 2
    assert "nothing to compare" in without_class.output


def test_two_paths_with_one_name_are_refused(course: Course, tmp_path: Path) -> None:
    one, other = (a_class(tmp_path / name, {"ada": ANSWER}) / "ada" for name in "xy")
    shown = run(course, str(one), str(other), "--export", str(tmp_path / "out"))
    assert shown.exit_code == 2
    assert "two of the submissions are called `ada`" in shown.output
