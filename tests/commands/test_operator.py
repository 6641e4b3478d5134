"""The command `doctor`, and what is graded where there is no sandbox."""

from __future__ import annotations

import ctypes
import inspect
import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.course.course import Course
from grader.engine.executors import doctor
from grader.engine.executors.doctor import Examination, LayerFound
from grader.records.model import LAYERS
from tests.commands.conftest import WIDE, Session, grader, written


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
    monkeypatch.setattr("grader.engine.executors.doctor.examine", lambda course: found)
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
            "Error: this machine can't grade with `--isolation required`. Fix what is listed "
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
        "`grader doctor` shows what is missing. No layer holds. `grader grade --isolation none` "
        "grades code that you trust without any protection, and every report then says so.\n"
    )


def test_doctor_says_what_a_host_without_landlock_lacks(taught: Course) -> None:
    done = without_landlock("doctor", "--course", taught.root)
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[0]) == (4, "✗ no sandbox starts")
    said = f"    Its kernel ({os.uname().release}) has no Landlock, or a container hides it."
    assert lines[1].startswith(said)
    assert lines[2] == f"    {doctor.GUIDE} says what to do: see the row `{doctor.place()}`."
    assert done.stderr == (
        "Error: no sandbox starts on this machine, so it can't grade other people's code.\n"
    )


@pytest.mark.slow
def test_doctor_tells_programs_the_same(taught: Course) -> None:
    done = without_landlock("doctor", "--json", "--course", taught.root)
    found = json.loads(done.stdout)
    assert (done.returncode, found["layers"], found["landlock"]) == (4, [], 0)
    assert found["advice"].startswith(doctor.GUIDE)
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
    page = (Path(__file__).parents[2] / "docs" / "environments.md").read_text()
    heading = doctor.GUIDE.split('"')[1]
    assert f"\n| `{place}` |" in page[page.index(f"## {heading}\n") :]


@pytest.mark.slow
def test_where_there_is_no_sandbox_what_one_trusts_gets_the_same_marks(
    graded: Session, taught: Course, room: Path, tmp_path: Path
) -> None:
    arguments = ("--isolation", "none", "--exercise", "double", "--seed", "3")
    done = without_landlock(
        "grade", room / "cleo.ipynb", *arguments, "--out", tmp_path, "--course", taught.root
    )
    assert done.returncode == 0, done.stderr
    assert "isolation NONE: submissions could do anything" in done.stdout
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
