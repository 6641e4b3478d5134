"""The command line for its four kinds of users: output, files and exit codes."""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import json
import os
import re
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from grader import __version__
from grader.cli import main
from grader.course import Course, find
from grader.executors import doctor
from grader.executors.doctor import Examination, LayerFound
from grader.model import LAYERS

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


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def notebook(*cells: str) -> str:
    code = [{"cell_type": "code", "outputs": [], "source": cell} for cell in cells]
    return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture(scope="module")
def taught(make_course: Maker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The small course with one more exercise, outside of the repository."""
    return make_course(tmp_path_factory.mktemp("taught"), SECOND_FILES, catalog=SECOND)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a class handed in."""
    folder = tmp_path_factory.mktemp("hand-ins")
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


@pytest.fixture(scope="module")
def graded(taught: Course, room: Path, tmp_path_factory: pytest.TempPathFactory) -> Session:
    """The class, graded from a folder outside of any course."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    with contextlib.chdir(elsewhere):
        done = session(Path("out"), "--class", room, "--course", taught.root, "--seed", "3")
    assert sorted(path.name for path in (elsewhere / "out").iterdir()) == [
        ".run.lock",
        "details.json",
        "results.json",
        "run.db",
    ]
    return done


# The teacher


def test_a_class_is_graded_whatever_is_in_it(graded: Session) -> None:
    rows = {
        s["id"]: (s["score"], *(e["outcome"] for e in s["exercises"]))
        for s in graded.results["submissions"]
    }
    assert rows == {
        "ada": (6, "passed", "passed"),
        "ben": (6, "passed", "passed"),
        "cleo": (2, "failed", "passed"),
        "dan": (4, "passed", "missing"),
        "eve": (0, "missing", "missing"),
        "fred": (0, "missing", "missing"),
        "gina": (0, "missing", "missing"),
        "hal": (0, "unreadable", "unreadable"),
        "ivy": (0, "unreadable", "unreadable"),
        "joe": (0, "raised", "missing"),
        "kim": (0, "unreadable", "unreadable"),
    }
    assert graded.exit_code == 0


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "fred",
            "`fred` is an empty folder. Hand in Python files or notebooks named as their stubs, "
            "such as `double.py`.",
        ),
        (
            "gina",
            "`gina.py` matches no exercise by its name, and is not valid Python (line 1: invalid "
            "syntax). Correct it, and give it the name of its stub.",
        ),
        (
            "kim",
            "nothing in `kim` can be graded: `double.py` is not Python: it holds NUL bytes. Save "
            "it as plain text in UTF-8.",
        ),
        (
            "hal",
            "`hal.ipynb` is not a notebook: it isn't JSON (line 1: Expecting property name "
            "enclosed in double quotes). Save it again in Jupyter.",
        ),
        ("ivy", "`ivy.zip` is not a zip, or is damaged. Pack your files again."),
        (
            "eve",
            "nothing in `eve` can be graded: `my_double.py` matches no exercise. If it is "
            "`01_first/double`, name it `double.py` and define `double` in it.",
        ),
    ],
)
def test_what_can_not_be_graded_says_why(graded: Session, name: str, problem: str) -> None:
    assert graded.submission(name)["problem"] == problem
    assert f"\n{name}: {problem}\n" in graded.output


def test_a_file_that_is_not_python_says_in_which_line(graded: Session) -> None:
    tests = graded.submission("joe")["exercises"][0]["tests"]
    assert {test["message"].partition("\n")[0] for test in tests} == {
        "Your code raised SyntaxError at line 1 of `double.py`: `def double(x)`."
    }


def test_what_matches_nothing_is_reported_and_ignored(graded: Session) -> None:
    reason = "matches no exercise, neither by its name nor by a function that it defines"
    note = {"path": "holiday.py", "reason": reason, "unreadable": False}
    assert graded.submission("ada")["notes"] == [note]
    assert f"\nada: holiday.py: {reason}\n" in graded.output
    assert "dan: dan/notes.txt: is not a Python file, a notebook or a zip" in (graded.output)
    assert graded.output.count("\nben") == 1


def test_a_class_ends_with_what_isolated_it_and_where_the_files_are(graded: Session) -> None:
    *_, isolation, how_many, seed, results, details = graded.output.splitlines()
    assert isolation == "isolation files, network, processes, memory, privileges"
    assert how_many.startswith("graded    11 submissions in ")
    assert seed == "seed      3 (the same inputs again with `--seed`)"
    assert (results, details) == ("wrote     out/results.json", "wrote     out/details.json")


def test_results_say_where_and_by_what_they_were_made(graded: Session) -> None:
    keys = "schema course grader environment assignment due explanations submissions"
    assert list(graded.results) == keys.split()
    assert (graded.results["schema"], graded.results["course"]) == (1, "foreign")
    assert graded.results["grader"] == __version__
    environment = graded.results["environment"]
    assert list(environment) == ["jax", "python", "platform", "isolation", "seed"]
    assert environment["isolation"] == ["files", "network", "processes", "memory", "privileges"]
    assert environment["seed"] == "", "it could draw hidden inputs"
    assert environment["python"] == ".".join(map(str, sys.version_info[:3]))


def test_a_student_may_read_the_results_and_a_teacher_the_details(graded: Session) -> None:
    (hidden,) = (
        test
        for test in graded.submission("cleo")["exercises"][0]["tests"]
        if test["id"] == "test_arrays"
    )
    assert hidden["message"] == "12 of 12 values are wrong."
    assert hidden["hint"] == "Works for one number, and for many?"
    (detail,) = graded.details_of("cleo", {"test_arrays"})
    assert "expected:" in detail
    assert not any(word in json.dumps(graded.results) for word in ("expected:", "rng."))


def test_a_broken_suite_is_our_fault_and_other_marks_are_kept(
    graded: Session, taught: Course, room: Path, tmp_path: Path
) -> None:
    storm = taught.stubs.parent / "storm"
    storm.touch()
    try:
        done = session(
            tmp_path, room / "ada", room / "dan.zip", "--course", taught.root, "--isolation", "none"
        )
    finally:
        storm.unlink()
    assert done.exit_code == 4
    ada, dan = done.results["submissions"]
    assert [(e["outcome"], e["score"]) for e in ada["exercises"]] == [
        ("passed", 4),
        ("broken", None),
    ]
    assert (ada["score"], ada["max_score"]) == (None, 6)
    assert (dan["score"], dan["exercises"][1]["outcome"]) == (4, "missing")
    assert done.output.count("BROKEN 02_more/negate test_sign") == 1
    assert done.output.endswith(
        "Error: 1 of 2 marks can't be known, by a fault of the course or of this machine. The "
        "others are final. Mend what is listed above, and grade again.\n"
    )
    assert "storm" not in json.dumps(done.results)
    assert "storm" in json.dumps(done.details)


def test_a_course_with_a_missing_suite_is_not_graded(
    make_course: Maker, tmp_path: Path, room: Path
) -> None:
    course = make_course(tmp_path, {"tests/hidden/01_first/test_double.py": None})
    assert said(grader("grade", room / "ada", "--course", tmp_path), 3) == (
        f"the course `foreign` can't be graded; missing: `{course.suite(course['double'])}`. Write "
        "the file, or take the entry out of `exercises/catalog.toml`; `grader verify` lists "
        "everything that a course lacks."
    )


def test_a_handout_can_not_grade(foreign: Course, room: Path, tmp_path: Path) -> None:
    assert grader("handout", tmp_path / "out", "--course", foreign.root).exit_code == 0
    assert said(grader("grade", room / "ada", "--course", tmp_path / "out"), 3) == (
        f"`{tmp_path}/out` is a handout: it holds no hidden suites and no solutions. Point "
        "`--course` at the course itself to grade or to verify."
    )


def test_a_path_that_is_not_there_ends_the_run(taught: Course, room: Path) -> None:
    arguments = ("grade", room / "ada", room / "zoe.py", "--course", taught.root)
    assert said(grader(*arguments), 2) == (
        f"there is nothing at `{room}/zoe.py`. Check the spelling, and name a Python file, a "
        "notebook, a zip or a folder."
    )


def test_a_class_without_anybody_is_an_error(taught: Course, tmp_path: Path, room: Path) -> None:
    assert said(grader("grade", "--class", tmp_path, "--course", taught.root), 2) == (
        f"`{tmp_path}` is an empty folder: there is no submission in it. Put one file or folder "
        "for each student there."
    )
    assert said(grader("grade", "--class", room / "ben.py", "--course", taught.root), 2) == (
        f"`{room}/ben.py` is not a folder or a zip, so it can't hold a class. Name the folder with "
        "one file or folder for each student, or grade it without `--class`."
    )


def test_nothing_to_grade_is_an_error(taught: Course) -> None:
    assert said(grader("grade", "--course", taught.root), 2) == (
        "nothing to grade: name a submission, or a class with `--class DIR`"
    )


def test_an_unknown_exercise_is_an_error(taught: Course, room: Path) -> None:
    for command in (("grade", room / "ada", "--exercise"), ("check",), ("verify",)):
        assert said(grader(*command, "doubel", "--course", taught.root), 2) == (
            "no exercise or topic `doubel` in the course `foreign`. Did you mean `double`? "
            "`grader list` shows all."
        )


def test_a_place_for_results_that_is_none_is_known_before_grading(
    taught: Course, room: Path
) -> None:
    taken = room / "ben.py"
    arguments = ("grade", room / "ada", "--course", taught.root, "--out", taken)
    assert said(grader(*arguments), 2) == (
        f"results can't be written to `{taken}`: File exists. Name another folder."
    )


# The operator


def hide_landlock() -> None:
    """From here on the kernel answers Landlock's system calls with "no such call".

    And root loses a right, without which it has no other means.
    """
    steps = [
        (0x20, 0, 0, 0),  # load the call's number
        (0x35, 0, 2, 444),  # smaller than landlock_create_ruleset: allowed
        (0x25, 1, 0, 446),  # greater than landlock_restrict_self: allowed
        (0x06, 0, 0, 0x00050000 | 38),  # ENOSYS
        (0x06, 0, 0, 0x7FFF0000),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None)
    libc.prctl(24, 18, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_SYS_CHROOT
    assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
    assert libc.prctl(22, 2, program, 0, 0) == 0  # PR_SET_SECCOMP


def without_landlock(*arguments: object) -> subprocess.CompletedProcess[str]:
    script = (
        f"import ctypes, struct\n{inspect.getsource(hide_landlock)}\nhide_landlock()\n"
        "from grader.cli import main\nmain(prog_name='grader')\n"
    )
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=os.environ | WIDE,
        check=False,
    )


@pytest.mark.slow
def test_this_machine_isolates() -> None:
    result = grader("doctor")
    lines = result.output.splitlines()
    assert (result.exit_code, lines[:5]) == (
        0,
        [
            "✓ files        holds",
            "✓ network      holds",
            "✓ processes    holds",
            "✓ memory       holds",
            "✓ privileges   holds",
        ],
    )
    assert lines[5].startswith(f"Linux {os.uname().release}, {os.uname().machine}, as ")
    assert lines[6].startswith("Carried by Landlock ") and "seccomp" in lines[6]


def test_a_layer_that_does_not_hold_is_an_exit_code(
    foreign: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    layers = (
        LayerFound("files", (), ("Landlock 4",), ""),
        LayerFound("network", ("open a port",), ("seccomp",), "Start a kernel with filters."),
    )
    uid = "other users can't read `/home/ada/python`"
    found = Examination("Linux 6.8", "x86_64", "Docker", "root", 4, uid, "", "", layers, ("/c/t",))
    monkeypatch.setattr("grader.executors.doctor.examine", lambda course: found)
    result = grader("doctor", "--course", foreign.root)
    assert (result.exit_code, result.output.splitlines()) == (
        4,
        [
            "✓ files        holds",
            "✗ network      does not hold",
            "    A worker could open a port.",
            "    Start a kernel with filters.",
            "Linux 6.8, x86_64, as root in Docker.",
            "Carried by Landlock 4, seccomp.",
            "A worker can't read `/c/t`, but can see that it exists.",
            "    Workers have no uid of their own, which would hide it: other users can't read "
            "`/home/ada/python`.",
            "Error: this machine can't grade with `--isolation required`. Mend what is listed "
            "above, or grade code that you trust with `--isolation available`.",
        ],
    )


@pytest.mark.parametrize("mode", ["required", "available"])
def test_a_host_without_landlock_refuses_to_grade(mode: str, taught: Course, room: Path) -> None:
    arguments = ("--course", taught.root, "--isolation", mode)
    done = without_landlock("grade", room / "ada", *arguments)
    assert (done.returncode, done.stdout.strip()) == (4, "")
    assert "Error: this machine can't isolate submissions (" in done.stderr
    assert done.stderr.endswith(
        "`grader doctor` says what is missing. No layer holds. `grader grade --isolation none` "
        "grades code that you trust without any protection, and every report then says so.\n"
    )


def test_doctor_says_what_a_host_without_landlock_lacks(taught: Course) -> None:
    done = without_landlock("doctor", "--course", taught.root)
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[0]) == (4, "✗ no sandbox starts")
    said = f"    Its kernel ({os.uname().release}) has no Landlock, or a container hides it."
    assert lines[1].startswith(said)
    assert lines[2].startswith(f"    {doctor.WITHOUT_LANDLOCK[doctor.place()]}")
    assert done.stderr == (
        "Error: no sandbox starts on this machine, so it can't grade what others wrote.\n"
    )


@pytest.mark.slow
def test_doctor_tells_programs_the_same(taught: Course) -> None:
    done = without_landlock("doctor", "--json", "--course", taught.root)
    found = json.loads(done.stdout)
    assert (done.returncode, found["layers"], found["landlock"]) == (4, [], 0)
    assert found["advice"] == doctor.WITHOUT_LANDLOCK[doctor.place()]
    found = json.loads(grader("doctor", "--json", "--course", taught.root).output)
    assert [layer["name"] for layer in found["layers"]] == list(LAYERS)
    assert (found["error"], found["advice"]) == ("", "")


@pytest.mark.parametrize(
    ("variables", "files", "place"),
    [
        ({}, [], "machine"),
        ({}, [".dockerenv"], "Docker"),
        ({}, [".dockerenv", "run/.containerenv"], "Podman"),
        ({"KUBERNETES_SERVICE_HOST": "10.0.0.1"}, [".dockerenv"], "Kubernetes"),
        ({"CODESPACES": "true"}, [".dockerenv"], "Codespaces"),
        ({}, [".dockerenv", "autograder/run_autograder"], "Gradescope"),
    ],
)
def test_doctor_knows_where_it_is_and_what_to_do_there(
    variables: dict[str, str], files: list[str], place: str, tmp_path: Path
) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert doctor.place(variables, tmp_path) == place
    assert doctor.WITHOUT_LANDLOCK[place]
    assert doctor.WITHOUT_FILTERS[place]


@pytest.mark.slow
def test_where_there_is_no_sandbox_what_one_trusts_gets_the_same_marks(
    graded: Session, taught: Course, room: Path, tmp_path: Path
) -> None:
    arguments = ("--isolation", "none", "--exercise", "double", "--seed", "3")
    done = without_landlock(
        "grade", room / "cleo.ipynb", *arguments, "--out", tmp_path, "--course", taught.root
    )
    assert done.returncode == 0, done.stderr
    assert "isolation NONE: what was handed in could do anything" in done.stdout
    assert done.stdout.splitlines()[:3] == [
        "cleo  0 of 4",
        "  ✗ 01_first/double  failed   0 of 4",
        "      ✗ A number is doubled. (-1)",
    ]
    again = Session(done.stdout, 0, *written(tmp_path))
    assert again.results["environment"]["isolation"] == []
    ((exercise,),) = (s["exercises"] for s in again.results["submissions"])
    first = graded.submission("cleo")["exercises"][0]
    assert without_seconds(exercise) == without_seconds(first)
    # A visible test shows a path that is relative to the current folder.
    hidden = {"test_arrays", "test_gradient"}
    assert again.details_of("cleo", hidden) == graded.details_of("cleo", hidden)


def without_seconds(exercise: dict[str, Any]) -> dict[str, Any]:
    tests = [{k: v for k, v in test.items() if k != "seconds"} for test in exercise["tests"]]
    return exercise | {"tests": tests}


# Which course judges

SPY = """
    from pathlib import Path

    Path(__file__).parents[3].joinpath("ran").touch()


    def test_nothing(submission):
        pass
"""


@pytest.fixture
def eve(make_course: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a wrong answer, beside a course whose suite passes it."""
    folder = tmp_path / "class" / "eve"
    make_course(folder, {"tests/hidden/01_first/test_double.py": SPY})
    write(folder, {"double.py": TRIPLE, "../ben/double.py": DOUBLE})
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        "grade double.py",
        "grade ../ben/double.py",
        "grade --class .",
        "grade --class ..",
        "verify",
        "mutate",
        "sabotage",
        "race double --against double.py",
        "demo",
        "gradescope ../autograder.zip",
    ],
)
def test_no_suite_that_a_student_handed_in_is_used(arguments: str, eve: Path) -> None:
    problem = said(grader(*arguments.split()), 2)
    assert problem.startswith(f"`{eve}` holds a course that isn't the installed one. ")
    assert "`--course .`" in problem
    assert not (eve / "ran").exists()


@pytest.mark.slow
def test_a_course_in_the_class_is_not_a_judge_either(
    eve: Path, foreign: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.course.installed", lambda: foreign)
    monkeypatch.chdir(tmp_path)
    arguments = ("--class", "class", "--isolation", "none", "--report", "json")
    done = grader("grade", *arguments)
    marks = {s["id"]: s["score"] for s in json.loads(done.stdout)["submissions"]}
    # Her folder also holds a right answer: the solution of her own course.
    assert marks == {"ben": 4, "eve": 4}
    assert f"course    foreign, 1 exercise, from {foreign.root}\n" in done.stderr
    assert not (eve / "ran").exists()


@pytest.mark.slow
def test_who_names_a_course_gets_it(eve: Path) -> None:
    done = grader("grade", "double.py", "--course", ".", "--isolation", "none")
    assert done.stderr.startswith(f"course    foreign, 1 exercise, from {eve}\n")
    assert (eve / "ran").exists()


# The author


def test_an_author_starts_a_course_adds_an_exercise_and_hands_it_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = tmp_path / "my_course"
    result = grader("new", "--course", course)
    assert result.exit_code == 0, result.output
    assert all(Path(line).is_file() for line in result.output.splitlines())
    monkeypatch.chdir(course)
    assert grader("new", "02_more/triple").exit_code == 0
    assert [e.id for e in find().exercises] == ["01_first/double", "02_more/triple"]
    result = grader("handout", "../out")
    assert result.output == "6 files in `../out`; not one line of a suite or a solution.\n"
    assert find(tmp_path / "out").root is None


def test_nothing_is_written_twice(foreign: Course, tmp_path: Path) -> None:
    assert said(grader("new", "--course", foreign.root), 2) == (
        f"`{foreign.root}` is not empty. Name a new folder to start a course in, or name an "
        "exercise, `TOPIC/NAME`, to add one to the course that is there."
    )
    assert said(grader("new", "02_more/double", "--course", foreign.root), 2) == (
        "the course `foreign` has `01_first/double` already, and two exercises can't "
        "share a file name. Take another name."
    )
    (tmp_path / "mine.txt").write_text("")
    assert said(grader("handout", tmp_path, "--course", foreign.root), 2) == (
        f"`{tmp_path}` is not empty, and a handout overwrites nothing. Name a new folder, or "
        "remove that one first."
    )


def test_new_asks_what_it_shall_write(tmp_path: Path) -> None:
    result = grader("new")
    assert result.exit_code == 2
    assert "name an exercise as TOPIC/NAME, or a new course with --course" in result.output


@pytest.mark.slow
def test_a_course_is_proved(foreign: Course) -> None:
    result = grader("verify", "--again", "--course", foreign.root)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("1 exercise, 8 submissions graded in ")
    assert result.stdout.endswith(" s: no problem\n")
    assert result.stderr == f"course    foreign, 1 exercise, from {foreign.root}\n"


def test_problems_of_a_course_are_an_exit_code(make_course: Maker, tmp_path: Path) -> None:
    make_course(tmp_path, {"solutions/01_first/double.py": None})
    (tmp_path / "solutions").mkdir(exist_ok=True)
    result = grader("verify", "--course", tmp_path)
    assert (result.exit_code, result.stdout) == (
        1,
        "solutions/01_first/double.py\n"
        "    is missing\n"
        "    The exercise `01_first/double` needs it: write it, or mend it.\n"
        "1 exercise, 0 submissions graded in 0 s: 1 problem\n",
    )


def test_a_course_with_a_bad_catalogue_is_no_course(tmp_path: Path) -> None:
    (tmp_path / "catalog.toml").write_text("schema = 7\n[[exercise]]\nid = 'x'\n")
    for command in (
        ("check",),
        ("verify",),
        ("demo",),
        ("doctor",),
        ("grade", "."),
        ("new", "a/b"),
    ):
        assert said(grader(*command, "--course", tmp_path), 3) == (
            f"`{tmp_path}/catalog.toml` is not a valid catalogue; mend all of this:\n"
            "  `schema` is 7; this grader reads 1\n"
            "  exercise id 'x' is not of the form `topic/stem`"
        )


@pytest.mark.slow
def test_a_demo_makes_a_class_and_grades_it(foreign: Course, tmp_path: Path) -> None:
    arguments = ("demo", "--course", foreign.root, "--out", tmp_path, "--isolation", "none")
    result = grader(*arguments, env={"COLUMNS": "80"})
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("ada, blaise and carl hand in right solutions. ")
    scores = {
        s["id"]: s["score"]
        for s in json.loads((tmp_path / "results.json").read_text())["submissions"]
    }
    assert scores == {
        "ada": 4,
        "blaise": 4,
        "carl": 4,
        "dora": 0,
        "emil": 2,
        "fay": 3,
        "gustav": 4,
    }
    assert len(result.stdout.splitlines()) <= 24


# The student


def test_a_student_checks_and_is_told_what_is_wrong(
    taught: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert grader("handout", tmp_path / "out", "--course", taught.root).exit_code == 0
    monkeypatch.chdir(tmp_path / "out")
    stub = Path("01_first/double.py")
    stub.write_text(stub.read_text().replace("raise NotImplementedError", "return 2 * x"))
    result = grader("check")
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "passed       01_first/double  (1 example)",
        "",
        "1 passed, 1 not started",
        "What passed gives what its examples show. The tests ask for more.",
    ]
    result = grader("check", "double")
    assert result.exit_code == 0
    assert "The tests ask for more." in result.output


@pytest.mark.parametrize("command", ["check", "explain", "hint", "list", "show", "watch"])
def test_a_file_outside_of_the_course_is_not_taken_for_its_stub(
    command: str, foreign: Course, tmp_path: Path
) -> None:
    """The stub of that name would be read in its place."""
    (tmp_path / "double.py").write_text(DOUBLE)
    assert said(grader(command, tmp_path / "double.py", "--course", foreign.root), 2) == (
        f"`{tmp_path}/double.py` is no file of the course in `{foreign.stubs}`, and only that "
        "course's own files are read. Go to the folder where you ran `grader start`, without "
        "`--course`, or copy your file over the stub there."
    )


# Everybody


@pytest.mark.parametrize("command", [[], *([name] for name in sorted(main.commands))])
def test_every_command_has_help(command: list[str]) -> None:
    for flag in ("--help", "-h"):
        result = grader(*command, flag)
        assert result.exit_code == 0
        assert result.output.startswith(f"Usage: main {' '.join([*command, ''])}".rstrip())
        assert len(result.output.splitlines()) > 4


def test_there_is_a_command_for_each_thing_that_people_do() -> None:
    everything = (
        "check ci decide demo diff doctor explain feedback grade gradescope handout hint list "
        "mistakes mutate new promises race report reproduce sabotage show similar start submit "
        "verify watch"
    )
    assert sorted(main.commands) == everything.split()


def test_the_version_is_that_of_the_package() -> None:
    assert grader("--version").output == f"grader, version {__version__}\n"


def test_an_error_is_text_on_a_terminal(foreign: Course) -> None:
    result = grader("check", "\x1b[2J[bold]x", "--course", foreign.root)
    assert said(result, 2).startswith("no exercise or topic `�[2J[bold]x` in the course `foreign`")


def test_a_wrong_option_is_a_usage_error(taught: Course) -> None:
    for arguments in (("grade", "--isolation", "some"), ("grade", "--sed", "1"), ("mark",)):
        assert grader(*arguments).exit_code == 2


@pytest.mark.slow
def test_a_terminal_without_our_signs_is_no_reason_to_fail(
    make_course: Maker, tmp_path: Path
) -> None:
    strays = {"solutions/01_first/double.py": None, "solutions/01_first/дубль.py": "x = 1\n"}
    make_course(tmp_path, strays)
    done = subprocess.run(
        [sys.executable, "-m", "grader.cli", "verify", "--course", str(tmp_path)],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == f"course    foreign, 1 exercise, from {tmp_path}\n".encode()
    assert done.stdout.startswith(b"solutions/01_first/?????.py\n")
