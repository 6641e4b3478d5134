"""Equal programs of a class: what is listed, what is no sign, what is exported."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli import main
from grader.course.course import Course, load
from grader.intake import apart
from grader.records.files import write
from grader.records.model import Exercise, Person, Source, Submission
from grader.teacher.similar import Alike, NormalForm, ParsedFile, SimilarWork

EXERCISE = Exercise("a/mean", "Mean", ("mean",))
STUB = '"""Mean."""\n\ndef mean(xs):\n    """The mean."""\n    raise NotImplementedError\n'
SOLUTION = "def mean(xs):\n    return sum(xs) / len(xs)\n"
VARIANTS = """\
# %% loop
# A loop.
def mean(xs):
    s = 0
    for x in xs:
        s += x
    return s / len(xs)
"""
LONG = """\
import jax.numpy as jnp

START = 0.5


def mean(xs):
    # Kahan
    total, lost = START, 0.0
    for x in xs:
        y = x - lost
        t = total + y
        lost = (t - total) - y
        total = t
    if len(xs) == 0:
        return jnp.nan
    return jnp.float32((total - START) / len(xs))
"""
RENAMED = """\
from jax import numpy


BEGIN = 0.5
def mean(values: list[float]) -> float:
    '''Another docstring.'''
    acc, c = (BEGIN, 0.0)
    for v in values:
        a = v - c
        b = (acc + a)
        c = (b - acc) - a
        acc = b
    if len(values) == 0: return numpy.nan
    return numpy.float32((acc - BEGIN) / len(values))  # the end
"""
EDITED = LONG.replace("        total = t\n", "        total = t\n        print(t)\n")
OTHER = """\
import numpy as np

def mean(xs):
    data = np.asarray(list(xs), dtype="float64")
    weights = np.full(data.shape, 1.0 / max(data.size, 1))
    parts = [w * d for w, d in zip(weights, data)]
    parts.sort(key=abs)
    while len(parts) > 1:
        parts = [sum(parts[i:i + 2]) for i in range(0, len(parts), 2)]
    return parts[0] if parts else float("nan")
"""


def a_course(folder: Path, **exercises: dict[str, str]) -> Course:
    """Exercises of the topic `a` with their files."""
    places = {
        "stub": "exercises/a/{}.py",
        "solution": "solutions/a/{}.py",
        "variants": "tests/variants/a/{}.py",
    }
    entries = (f'[[exercise]]\nid = "a/{name}"\n' for name in exercises)
    write(folder / "exercises/catalog.toml", 'schema = 1\nname = "x"\n' + "".join(entries))
    for name, files in exercises.items():
        for kind, text in files.items():
            write(folder / places[kind].format(name), text)
    return load(folder / "exercises/catalog.toml")


@pytest.fixture
def course(tmp_path: Path) -> Course:
    files = {"stub": STUB, "solution": SOLUTION, "variants": VARIANTS}
    return a_course(tmp_path / "course", mean=files)


def form(text: str, names: tuple[str, ...] = ("mean",), stub: str = STUB) -> NormalForm:
    normal = ParsedFile(text).normal(names, ParsedFile(stub).given)
    assert normal is not None
    return normal


def handed_in(who: str, text: str, at: str = "") -> Submission:
    return Submission(who, "d", (Source("a/mean", "mean.py", text),), at=at)


def alike(course: Course, works: dict[str, str], least: int = 20) -> Alike:
    work = SimilarWork(course, course.exercises, least)
    for who, text in works.items():
        work.add(handed_in(who, text))
    return next(iter(work.alike()))


# The normal form


def test_names_comments_annotations_imports_and_layout_make_no_difference() -> None:
    assert form(LONG).form == form(RENAMED).form
    assert form(LONG).text != form(RENAMED).text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- lost", "- total"),  # another name
        ("0.5", "0.25"),  # another constant
        ("jnp.nan", "jnp.inf"),  # another attribute
        ("len(xs) == 0", "max(xs) == 0"),  # another builtin function
        ("import jax.numpy", "import numpy"),  # the same name for another module
        ("import jax.numpy", "import jax.scipy"),
        ("        lost = (t - total) - y\n", "        lost = t - (total - y)\n"),
        ("return jnp.nan", "total = jnp.nan"),
        ("    return jnp.float32", "        return jnp.float32"),  # another block
    ],
)
def test_everything_else_does(old: str, new: str) -> None:
    assert old in LONG
    assert form(LONG).form != form(LONG.replace(old, new)).form


def test_what_stands_in_a_block_isnt_what_stands_after_it() -> None:
    inside = "def mean(xs):\n    if xs:\n        a(xs)\n        b(xs)\n"
    after = "def mean(xs):\n    if xs:\n        a(xs)\n    b(xs)\n"
    assert form(inside).form != form(after).form


def test_constants_of_the_module_arent_mixed_up() -> None:
    one = "A = 1\nB = 2\n\ndef mean(xs):\n    return A - B\n"
    assert form(one).form != form(one.replace("A - B", "B - A")).form
    assert form(one).form == form(one.replace("A", "P").replace("B", "A")).form


def test_only_what_the_exercise_needs_counts() -> None:
    """One file with all exercises, a demo and an earlier definition is the same program."""
    crowded = (
        "def mean(xs):\n    return 1\n\ndef unused():\n    return 2\n\n"
        + LONG
        + "\nxs = [1, 2]\nx = mean(xs)\nprint(x)\n"
    )
    assert form(crowded).form == form(LONG).form
    assert form(crowded).text == form(LONG).text


def test_a_wrapped_definition_keeps_what_it_wraps() -> None:
    plain = "def mean(xs):\n    return xs[0]\n\nmean = jit(mean)\n"
    assert form(plain).form != form(plain.replace("xs[0]", "xs[1]")).form


def test_what_the_stub_holds_is_no_work_of_a_students() -> None:
    given = STUB + "\ndef helper(a, b):\n    return a * b\n"
    kept = ParsedFile(given.replace("The mean", "My mean"))
    assert kept.normal(("mean",), ParsedFile(given).given) is None
    used = "def helper(a, b):\n    return a * b\n\ndef mean(xs):\n    return helper(xs, 2)\n"
    assert form(used, stub=given).tokens < form(used).tokens


def test_lines_are_those_with_code() -> None:
    assert form(LONG).lines == 11
    assert form("x = 1\n\n# nothing\ndef mean(y):\n    '''Doc.'''\n\n    return y\n").lines == 2


@pytest.mark.parametrize("text", ["def mean(xs:\n    return 1\n", "def mean(x):\0", "(" * 9999])
def test_what_isnt_python_is_compared_as_text(text: str) -> None:
    assert form(text).form == form(f"  {text}\n\n").form
    assert form(text).form != form(f"{text} 1").form


@pytest.mark.parametrize(
    "text",
    [
        "mean = " + "1+" * 50_000 + "1",
        "mean = " + "-" * 50_000 + "1",
        "mean = x" + ".x" * 19_000,
        "mean=mean;" * 20_000,
        "mean = 0x" + "f" * 200_000,
        "mean = '\ud800'",
        "mean" + "[0]" * 60_000 + " = 1",
    ],
)
def test_hostile_text_ends_in_a_form(text: str) -> None:
    assert form(text).form == form(text).form


# Groups


def test_groups_say_what_is_equal(course: Course) -> None:
    works = {"ada": LONG, "ben": LONG, "cleo": RENAMED, "dora": EDITED, "emil": OTHER}
    (group,) = alike(course, works).groups
    assert group.students == ["ada", "ben", "cleo"]
    assert sorted(sorted(names) for names in group.texts.values()) == [["ada", "ben"], ["cleo"]]


def test_the_largest_programs_come_first_and_short_ones_are_counted(course: Course) -> None:
    short = "def mean(xs):\n    return xs.mean()\n"
    works = {"ada": short, "ben": short, "c": OTHER, "d": OTHER, "e": LONG, "f": LONG}
    found = alike(course, works)
    sizes = [group.form.tokens for group in found.groups]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == 2
    assert found.short == 1


def test_the_stub_and_answers_of_the_course_are_no_sign(course: Course) -> None:
    loop = "def mean(v):\n    n = 0\n    for w in v:\n        n += w\n    return n / len(v)\n"
    works = {"ada": STUB, "ben": STUB, "cleo": loop, "dora": loop, "emil": SOLUTION}
    found = alike(course, works, least=1)
    assert (found.students, found.untouched, found.groups, found.short) == (5, 2, (), 0)
    assert found.as_course == ("cleo", "dora", "emil")


def test_attempts_of_one_person_are_no_sign(course: Course) -> None:
    work = SimilarWork(course, course.exercises, 20)
    for text in (LONG, RENAMED, EDITED):
        work.add(handed_in("ada", text))
    (found,) = work.alike()
    assert (found.students, found.groups) == (1, ())


# The command


def graded(course: Course, *options: str) -> Result:
    return CliRunner().invoke(main, ["similar", "--course", str(course.root), *options])


def a_class(folder: Path, works: dict[str, str]) -> Path:
    for who, text in works.items():
        place = folder / who / "mean.py"
        place.parent.mkdir(parents=True)
        place.write_text(text)
    return folder


def test_the_screen(course: Course, tmp_path: Path) -> None:
    works = {"ada": LONG, "ben": LONG, "cleo": RENAMED, "dora": EDITED, "emil": STUB}
    homework = a_class(tmp_path / "homework", works)
    (homework / "fay.rar").write_bytes(b"Rar!")
    shown = graded(course, "--class", str(homework))
    assert shown.exit_code == 0, shown.output
    lines = [line.rstrip() for line in shown.stdout.splitlines()]
    assert lines[0] == "a/mean  5 students, 1 with the unedited stub"
    assert lines[1].endswith("tokens, 11 lines")
    assert lines[2:4] == ["    equal          ada, ben, cleo", "    same text      ada, ben"]
    assert "dora" not in shown.stdout
    assert "Equal programs prove nothing" in shown.stdout
    assert "1 submission without a program that can be compared: fay.rar" in shown.stdout


def test_a_class_without_equal_programs(course: Course, tmp_path: Path) -> None:
    homework = a_class(tmp_path / "homework", {"ada": LONG, "ben": OTHER})
    shown = graded(course, "--class", str(homework))
    assert "No equal programs of 40 tokens or more." in shown.stdout


def test_nothing_runs_and_jax_isnt_imported(course: Course, tmp_path: Path) -> None:
    bad = f"open({str(tmp_path / 'ran')!r}, 'w')\n" + LONG
    homework = a_class(tmp_path / "homework", {"ada": bad, "ben": bad})
    script = (
        "import sys; from grader.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: print('jax' in sys.modules)"
    )
    options = ["similar", "--course", str(course.root), "--class", str(homework)]
    done = subprocess.run(
        [sys.executable, "-c", script, *options], capture_output=True, text=True, check=True
    )
    assert "ada, ben" in done.stdout
    assert done.stdout.endswith("False\n")
    assert not (tmp_path / "ran").exists()


def test_names_cant_write_to_the_terminal(course: Course, tmp_path: Path) -> None:
    homework = a_class(tmp_path / "homework", {"a\x1b[2J": LONG, "[red]b": LONG})
    shown = graded(course, "--class", str(homework))
    assert "\x1b" not in shown.output
    assert "[red]b" in shown.output


@pytest.mark.parametrize("folder", ["homework/out", "full"])
def test_an_export_needs_a_new_folder_outside_of_the_class(
    course: Course, tmp_path: Path, folder: str
) -> None:
    homework = a_class(tmp_path / "homework", {"ada": LONG})
    a_class(tmp_path / "full", {"ada": LONG})
    export = tmp_path / folder
    shown = graded(course, "--class", str(homework), "--export", str(export))
    assert shown.exit_code == 2
    assert f"`{export}`" in shown.output
    assert "--export DIR" in shown.output


def test_two_paths_with_one_name_are_refused(course: Course, tmp_path: Path) -> None:
    one, other = (a_class(tmp_path / name, {"ada": LONG}) / "ada" for name in "xy")
    shown = graded(course, str(one), str(other))
    assert shown.exit_code == 2
    assert "two of the submissions are called `ada`" in shown.output


def test_nothing_to_compare(course: Course) -> None:
    shown = graded(course)
    assert shown.exit_code == 2
    assert "nothing to compare" in shown.output


@pytest.mark.skipif(os.name != "posix", reason="only the deadline holds there")
@pytest.mark.parametrize(
    "slow", ["return 1" + "<1" * 100_000, "0;" * 100_000], ids=["comparisons", "statements"]
)
def test_who_takes_too_long_is_named_and_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slow: str
) -> None:
    add = SimilarWork.add

    def hurried(work: SimilarWork, submission: Submission) -> None:
        with pytest.MonkeyPatch.context() as patch:  # to read it takes less
            patch.setattr(apart, "SECONDS", 1)
            add(work, submission)

    monkeypatch.setattr(SimilarWork, "add", hurried)
    names = ("mean", *"abcdefghijk")
    course = a_course(
        tmp_path / "course", **{name: {"stub": STUB, "solution": SOLUTION} for name in names}
    )
    homework = a_class(tmp_path / "homework", {"ada": LONG, "zoe": RENAMED})
    for name in names:
        write(homework / "eve" / f"{name}.py", f"def {name}(xs):\n    {slow}\n")
    shown = graded(course, "--class", str(homework))
    assert shown.exit_code == 0, shown.output
    assert "equal ada, zoe" in " ".join(shown.stdout.split())
    assert "1 submission left out, since reading it takes too long" in shown.stdout
    assert shown.stdout.rstrip().endswith("eve")


# The export


def test_the_export_is_what_dolos_and_compare50_read(course: Course, tmp_path: Path) -> None:
    homework = a_class(tmp_path / "homework", {"ada": LONG, "=1+1, x": RENAMED, "stub": STUB})
    export = tmp_path / "out"
    shown = graded(course, "--class", str(homework), "--export", str(export))
    assert shown.exit_code == 0, shown.output
    folder = export / "a" / "mean"
    assert (folder / "stub.py").read_text() == STUB
    with (folder / "info.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["filename", "full_name", "label", "created_at"]
    texts = {row["full_name"]: (folder / row["filename"]).read_text() for row in rows}
    assert texts == {"ada": LONG, "'=1+1, x": RENAMED}
    assert all(Path(row["filename"]).name == "mean.py" for row in rows)
    assert len(list((folder / "work").iterdir())) == 2


def test_an_export_says_who_and_when_and_cuts_a_file_with_several_exercises(
    tmp_path: Path,
) -> None:
    given = {"stub": STUB, "solution": SOLUTION}
    course = a_course(tmp_path, mean=given, other={**given, "stub": "def other(x): ..."})
    text = LONG + "\ndef other(x):\n    return x + 1\n\nprint(other(1))\n"
    sources = (Source("a/mean", "all.py", text), Source("a/other", "all.py", text))
    who = Person("7", name="Ada Lovelace", section="B")
    work = SimilarWork(course, course.exercises, 40, keep_answers=True)
    work.add(Submission("7", "d", sources, student=who, at="2026-11-20T10:00:00+01:00"))
    files = dict(work.exported())
    row = '"work/7/mean.py","Ada Lovelace","B","2026-11-20T10:00:00+01:00"'
    assert row in files["a/mean/info.csv"].splitlines()
    assert "other" not in files["a/mean/work/7/mean.py"]
    assert "# Kahan" in files["a/mean/work/7/mean.py"]
    assert files["a/other/work/7/other.py"].splitlines() == [
        "import jax.numpy as jnp",
        "def other(x):",
        "    return x + 1",
    ]


def test_no_solution_is_exported(course: Course) -> None:
    work = SimilarWork(course, course.exercises, 40, keep_answers=True)
    work.add(handed_in("ada", LONG))
    assert all(SOLUTION.splitlines()[1] not in text for _, text in work.exported())
