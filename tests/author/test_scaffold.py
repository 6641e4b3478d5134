"""`grader new`: a new exercise passes `verify` before the author changes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.author.handout import write_handout
from grader.author.scaffold import new_course, new_exercise
from grader.author.static import unfinished
from grader.author.verify import verify
from grader.course.course import Course, find, load
from grader.records.errors import CourseError, UsageError
from grader.records.model import Status
from grader.student.check import check

Maker = Callable[..., Course]
CATALOG = "exercises/catalog.toml"


KINDS = [
    {"numpy": False},
    {"numpy": True},
    {"kind": "fix"},
    {"kind": "predict"},
    {"kind": "fast"},
]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_new_course_and_a_new_exercise_are_proved_as_they_are(
    kind: dict[str, Any], tmp_path: Path
) -> None:
    written = new_course(tmp_path / "course", numpy=kind.get("numpy", False))
    written += new_exercise(find(tmp_path / "course"), "02_more/three_words_long", **kind)
    assert all(path.is_file() for path in written)
    course = find(tmp_path / "course")
    assert [e.id for e in course.exercises] == ["01_first/double", "02_more/three_words_long"]
    # Both come from the same templates, so it is enough to verify the one with the longer name.
    assert verify(course, course.select(["three_words_long"])).problems == ()


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_exercise_has_all_its_files_and_no_placeholder(
    kind: dict[str, Any], make_course: Maker, tmp_path: Path
) -> None:
    course = make_course(tmp_path)
    written = new_exercise(course, "02_more/triple_it", **kind)
    assert sorted(path.relative_to(tmp_path).as_posix() for path in written) == [
        "exercises/02_more/triple_it.md",
        "exercises/02_more/triple_it.py",
        "exercises/catalog.toml",
        "solutions/02_more/triple_it.py",
        "solutions/02_more/triple_it.right.py",
        "solutions/02_more/triple_it.wrong.py",
        "tests/hidden/02_more/test_triple_it.py",
    ]
    for path in written:
        text = path.read_text(encoding="utf-8")
        assert not {"NAME", "TITLE", "ID"} & set(text.replace("`TOPIC/NAME`", "").split())
        assert path.name == "catalog.toml" or max(map(len, text.splitlines())) <= 100
        if path.suffix == ".py":
            compile(text, str(path), "exec")
    made = load(tmp_path / CATALOG)["triple_it"]
    assert made.title == "Triple it"
    assert kind.items() <= {"numpy": made.numpy, "kind": made.kind}.items()


def test_an_exercise_in_numpy_holds_no_jax(make_course: Maker, tmp_path: Path) -> None:
    *files, _ = new_exercise(make_course(tmp_path), "02_more/triple", numpy=True)
    assert [path for path in files if re.search("jax|jnp", path.read_text())] == []


def test_an_entry_is_added_and_not_a_byte_is_changed(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path)
    odd = (tmp_path / CATALOG).read_bytes().replace(b"\n", b"\r\n") + b"  # a last comment"
    (tmp_path / CATALOG).write_bytes(odd)
    new_exercise(course, "01_first/triple")
    assert (tmp_path / CATALOG).read_bytes() == odd + (
        b'\r\n\r\n[[exercise]]\r\nid = "01_first/triple"\r\ntitle = "Triple"\r\n'
    )
    assert [e.stem for e in load(tmp_path / CATALOG).exercises] == ["double", "triple"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "triple",
        "a/b/c",
        "Topic/triple",
        "02_more/3_times",
        "02_more/class",
        "../x/triple",
        "a/ b",
    ],
)
def test_a_name_that_is_no_function_of_a_topic_is_refused(
    name: str, make_course: Maker, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        new_exercise(make_course(tmp_path), name)
    assert str(caught.value) == (
        f"`{name}` can't be an exercise: it needs a topic and the name of a function, in lower "
        "case, with a slash between them, as in `01_first/double`."
    )


def test_a_stem_of_another_topic_is_refused(make_course: Maker, tmp_path: Path) -> None:
    before = (make_course(tmp_path).stubs / "catalog.toml").read_bytes()
    with pytest.raises(UsageError) as caught:
        new_exercise(find(tmp_path), "02_more/double")
    assert str(caught.value) == (
        "the course `foreign` has `01_first/double` already, and two exercises can't share a file "
        "name. Choose another name."
    )
    assert (tmp_path / CATALOG).read_bytes() == before


def test_a_file_that_is_there_is_not_overwritten(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path, {"solutions/02_more/triple.py": "mine\n"})
    with pytest.raises(UsageError, match=r"triple\.py` already exists, and nothing is over"):
        new_exercise(course, "02_more/triple")
    assert (tmp_path / "solutions/02_more/triple.py").read_text() == "mine\n"
    assert not (tmp_path / "exercises/02_more").exists()


def test_a_catalogue_that_takes_no_entry_stays_as_it_is(make_course: Maker, tmp_path: Path) -> None:
    make_course(tmp_path)
    inline = 'schema = 1\nexercise = [{id = "01_first/double"}]\n'
    (tmp_path / CATALOG).write_text(inline)
    with pytest.raises(CourseError, match=r"can't take an entry at its end .*`\[\[exercise\]\]`"):
        new_exercise(load(tmp_path / CATALOG), "02_more/triple")
    assert (tmp_path / CATALOG).read_text() == inline
    assert not (tmp_path / "exercises/02_more").exists()


def test_a_handout_gets_no_exercises(make_course: Maker, tmp_path: Path) -> None:
    write_handout(make_course(tmp_path / "course"), tmp_path / "out")
    with pytest.raises(CourseError, match="is a handout"):
        new_exercise(find(tmp_path / "out"), "02_more/triple")


def test_a_course_is_started_in_an_empty_folder_only(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(UsageError) as caught:
        new_course(tmp_path)
    assert str(caught.value) == (
        f"`{tmp_path}` is not empty. Name a new folder to start a course in, or name an exercise, "
        "`TOPIC/NAME`, to add one to the course that is there."
    )
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_course_may_be_called_anything(tmp_path: Path) -> None:
    name = 'a "quoted" näme'
    new_course(tmp_path / name)
    assert find(tmp_path / name).name == name


def test_a_student_can_start_with_it(tmp_path: Path) -> None:
    *files, _ = new_course(tmp_path / "course")
    course = find(tmp_path / "course")
    with pytest.raises(CourseError, match=r"double\.py`, .*double\.md` still say `AUTHOR:`"):
        write_handout(course, tmp_path / "out")
    left = {problem.where for problem in unfinished(course, course.exercises)}
    assert left == {
        path.relative_to(tmp_path / "course").as_posix()
        for path in files
        if "AUTHOR:" in path.read_text()
    }
    for path in files:
        path.write_text(path.read_text().replace("AUTHOR:", ""))
    assert [*unfinished(course, course.exercises)] == []
    write_handout(course, tmp_path / "out")
    course = find(tmp_path / "out")
    stub = course.stub(course["double"])
    (result,) = check(course, course.exercises)
    assert result.status is Status.NOT_STARTED
    text = stub.read_text().replace("raise NotImplementedError", "return x + x")
    stub.write_text(text)
    (result,) = check(course, course.exercises)
    assert result.passed
