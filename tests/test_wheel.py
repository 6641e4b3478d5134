"""What is published: all that a student needs, and nothing that is hidden."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from grader.author.handout import leaks
from grader.course.course import find
from tests.conftest import CourseMaker

OURS = find(start=Path(__file__).parent)
ROOT = Path(__file__).resolve().parents[1]
SECRET = {"solutions", "tests", "hidden", "attacks"}
BUILD = "import sys; from hatchling import build; print(getattr(build, sys.argv[1])(sys.argv[2]))"


READS = """
import os
import sys

COURSE = os.path.join(os.path.dirname(sys.modules["grader"].__file__), "_course")


def double(x):
    for folder, _, files in os.walk(COURSE):
        for name in files:
            try:
                return open(os.path.join(folder, name)).read()
            except PermissionError:
                pass
    return 2 * x
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel and the source archive, built as `pip` builds them, unpacked."""
    folder = tmp_path_factory.mktemp("dist")
    for kind in ("build_wheel", "build_sdist"):
        subprocess.run(
            [sys.executable, "-c", BUILD, kind, str(folder)], cwd=ROOT, check=True, text=True
        )
    (wheel,), (archive,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "wheel")
    with tarfile.open(archive) as packed_tar:
        packed_tar.extractall(folder / "sdist", filter="data")
    (inner,) = (folder / "sdist").iterdir()
    return {"wheel": folder / "wheel", "sdist": inner}


def files(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize(("kind", "place"), [("wheel", "grader/_course"), ("sdist", "exercises")])
def test_the_course_is_in_it_as_somebody_may_have_it_who_learns_alone(
    unpacked: dict[str, Path], kind: str, place: str
) -> None:
    names = OURS.handout().keys()
    assert files(unpacked[kind] / place) == names
    for name in names:
        assert (unpacked[kind] / place / name).read_bytes() == (OURS.stubs / name).read_bytes()


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_no_solution_suite_or_answer_is_in_it(unpacked: dict[str, Path], kind: str) -> None:
    """Neither under its own name, nor with the same text under another name."""
    hidden = {
        path.read_bytes()
        for folder in OURS.secrets()
        for path in folder.rglob("*.py")
        if path.parent != ROOT / "tests" and path.stat().st_size > 40
    }
    for name in files(unpacked[kind]):
        assert not SECRET & set(Path(name).parts), name
        assert (unpacked[kind] / name).read_bytes() not in hidden, name


@pytest.mark.slow
def test_not_one_line_of_a_suite_or_a_solution_is_in_the_stubs_of_the_wheel(
    unpacked: dict[str, Path],
) -> None:
    assert leaks(OURS, unpacked["wheel"] / "grader" / "_course") == []


@pytest.mark.slow
def test_no_answer_reads_the_explanations_of_the_wheel(
    unpacked: dict[str, Path], make_course: CourseMaker, tmp_path: Path
) -> None:
    assert (unpacked["wheel"] / "grader" / "_course" / "01_arrays" / "set_row.md").is_file()
    course = make_course(tmp_path / "course")
    (tmp_path / "double.py").write_text(READS)
    arguments = ["grade", "double.py", "--course", str(course.root), "--out", "results"]
    subprocess.run(
        [sys.executable, "-m", "grader.cli", *arguments],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(unpacked["wheel"])},
        check=True,
    )
    (mark,) = json.loads((tmp_path / "results" / "results.json").read_text())["submissions"]
    assert mark["score"] == mark["max_score"], "something of the course was read"


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_a_type_checker_may_use_its_annotations(unpacked: dict[str, Path], kind: str) -> None:
    """PEP 561: without this file, the annotations of an installed package are ignored."""
    assert (unpacked[kind] / "grader" / "py.typed").is_file()


def test_a_course_starts_from_the_wheel_alone(unpacked: dict[str, Path], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "grader.cli", "start", "mine"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(unpacked["wheel"])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Laid out {len(OURS.catalogued)} exercises in `mine`.")
    assert files(tmp_path / "mine") == OURS.handout().keys()
