"""Every command in the README: it runs here, or this module names the test that runs it.

A command is the text after `$ ` in a console block, a line of a plain block that begins with a
program of ours, or such words between backquotes. A new one has to be added to `HERE`
(which runs it, in a folder made for it) or to `ELSEWHERE` (the test, or the line of CI, that does).
"""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.course import Course, find
from grader.student.start import start

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROGRAM = re.compile(r"(python3?|pip|pytest|grader) \S")
# It counts the elements without the mask.
NAIVE = "return x.sum() / mask.sum()"


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Every command, and the lines that the README shows as its output."""
    for language, body in FENCED.findall(text):
        command = ""
        shown: list[str] = []
        for line in body.splitlines():
            if language == "console" and line.startswith("$ "):
                if command:
                    yield command, shown
                command, shown = _without_comment(line[2:]), []
            elif language == "console":
                shown.append(line)
            elif not language and PROGRAM.match(line):
                yield line, []
        if command:
            yield command, shown
    for span in re.findall(r"`([^`\n]+)`", FENCED.sub("", text)):
        if PROGRAM.match(span):
            yield span, []


def _without_comment(line: str) -> str:
    return re.sub(r"\s+#.*", "", line).strip()


COMMANDS = list(dict.fromkeys(command for command, _ in commands(README)))


def student(folder: Path) -> None:
    """A student's course, with the mistake that the README shows."""
    mine = start(folder / "mine").course
    stub = mine.stub(mine["masked_mean"])
    stub.write_text(stub.read_text().replace("raise NotImplementedError", NAIVE))


def nowhere(folder: Path) -> None:
    (folder / "mine").mkdir()


# Run by this module: in the folder `mine` that the function prepares, with that exit code.
HERE: dict[str, tuple[Callable[[Path], None], int]] = {
    "grader start": (nowhere, 0),
    "grader start --notebooks": (nowhere, 0),
    "grader list": (student, 0),
    "grader hint masked_mean": (student, 0),
    "grader check masked_mean": (student, 1),
    "grader submit": (student, 0),
    "grader new --course physics/": (nowhere, 0),
}
CI, VENV = ".ci/run", 'python3 -m venv .venv && .venv/bin/pip install -e ".[dev]"'
# Another test of ours runs these, or a line of CI.
ELSEWHERE = {
    f"{VENV} && .venv/bin/grader demo": CI,
    f"{VENV} && .venv/bin/pytest -n 2": CI,
    'pip install "jax-grader[plot]"': "pyproject.toml",
    "python -m tests.benchmarks.verdicts --quick": CI,
    "python -m tests.benchmarks.latency --quick": CI,
    "grader watch": "test_watch.py::test_a_student_works_through_an_exercise",
    "grader check": "test_cli.py::test_a_student_checks_and_is_told_what_is_wrong",
    "grader grade": "test_cli.py::test_a_class_is_graded_whatever_is_in_it",
    "grader grade --class homework/ --out results/": (
        "test_cli.py::test_a_class_is_graded_whatever_is_in_it"
    ),
    "grader diff results/": "test_resume.py::test_only_what_is_new_is_judged",
    "grader report results/ html=class.html canvas=canvas.csv": (
        "test_formats.py::test_a_format_with_a_path_becomes_that_file"
    ),
    "grader feedback results/ pages/": (
        "test_html.py::test_each_student_gets_a_page_with_nothing_of_any_other"
    ),
    'pip install "jax-grader[dask]"': "pyproject.toml",
    "grader grade --class homework/ --out results/ --executor dask://10.0.0.5:8786": (
        "test_cluster.py::test_a_cluster_gives_the_same_marks_though_a_worker_dies"
    ),
    "grader ci": "test_ci.py::test_elsewhere_it_is_plain_text_and_what_is_right_passes",
    "grader ci --base main": "test_ci.py::test_what_changed_is_checked_and_nothing_else",
    "grader ci work/ --course .": (
        "test_ci.py::test_the_courses_own_run_grades_with_the_hidden_suites"
    ),
    "grader gradescope autograder.zip --exercise masked_mean --exercise fib_like": (
        "test_gradescope.py::test_only_what_was_chosen_is_in_the_zip"
    ),
    "grader new 03_jit/one_hot": (
        "test_cli.py::test_an_author_starts_a_course_adds_an_exercise_and_hands_it_out"
    ),
    "grader verify": "test_cli.py::test_a_course_is_proved",
    "grader verify one_hot": "test_verify.py::test_some_exercises_can_be_proved_alone",
    "grader verify --mutate": "test_mutations.py",
    "grader handout handout/": (
        "test_cli.py::test_an_author_starts_a_course_adds_an_exercise_and_hands_it_out"
    ),
    "grader race fib_like --against attempt.py --plot race.png": (
        "test_race.py::test_a_file_races_in_the_place_of_the_solution"
    ),
    "grader doctor": "test_cli.py::test_doctor_says_what_a_host_without_landlock_lacks",
    "pytest tests/hidden/03_jit/test_masked_mean.py": "test_readme.py::test_a_suite_runs_by_itself",
    "pytest tests/hidden/03_jit/test_masked_mean.py --submission attempt.py": (
        "test_readme.py::test_a_suite_runs_by_itself"
    ),
    "pytest tests/hidden/03_jit/test_masked_mean.py --debug-in-process --pdb": (
        "test_readme.py::test_a_suite_runs_by_itself"
    ),
}


def test_commands_are_found_wherever_they_stand() -> None:
    text = (
        "Run `grader list` or `x`.\n\n```console\n$ grader a  # why\nout\n$ grader b\n```\n"
        "```\npython3 -m c\na drawing\n```\n```python\n$ grader no\n```\n"
    )
    assert list(commands(text)) == [
        ("grader a", ["out"]),
        ("grader b", []),
        ("python3 -m c", []),
        ("grader list", []),
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_run_by_a_test(command: str) -> None:
    if command in HERE:
        return
    assert command in ELSEWHERE, f"run `{command}` in `HERE`, or name its test in `ELSEWHERE`"
    assert is_there(ELSEWHERE[command]), f"`{ELSEWHERE[command]}` is gone"


def is_there(place: str) -> bool:
    """Whether there is that file, or that test in that file."""
    file, _, name = place.partition("::")
    path = ROOT / "tests" / file if file.startswith("test_") else ROOT / file
    if not path.is_file() or not name:
        return path.is_file()
    functions = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return name in {node.name for node in functions if isinstance(node, ast.FunctionDef)}


def test_a_test_that_is_gone_is_missed() -> None:
    assert is_there("test_readme.py::test_a_test_that_is_gone_is_missed")
    assert not is_there("test_readme.py::test_that_never_was")
    assert not is_there("test_never.py")


def test_what_ci_runs_stands_in_its_script() -> None:
    script = (ROOT / CI).read_text(encoding="utf-8")
    for command in COMMANDS:
        if ELSEWHERE.get(command) != CI:
            continue
        module = re.search(r"-m (tests\.\S+)", command)
        wanted = module[1] if module else command.rpartition("/")[2].split()[0]
        assert wanted in script, command


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("grader ")])
def test_every_command_of_ours_has_its_options(command: str) -> None:
    """Wherever it runs, the command line has to accept these words."""
    _, name, *arguments = shlex.split(command)
    known = main.commands[name]
    # A command keeps the help option of the first context that asks for it.
    context = click.Context(known, parent=click.Context(main, **main.context_settings))
    known.make_parser(context).parse_args(arguments)


@pytest.mark.parametrize(("command", "shown"), [c for c in commands(README) if c[0] in HERE])
def test_a_command_does_as_the_readme_says(
    command: str, shown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare, exit_code = HERE[command]
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path / "mine")
    runner = CliRunner(env={"COLUMNS": "80"})
    result = runner.invoke(main, shlex.split(command)[1:])
    assert result.exit_code == exit_code, result.output
    printed = [line.rstrip() for line in result.output.splitlines()]
    assert [line for line in shown if line.rstrip() not in printed] == [], result.output


@pytest.fixture
def ours() -> Course:
    return find(start=Path(__file__).parent)


@pytest.mark.slow
def test_a_suite_runs_by_itself(ours: Course, tmp_path: Path) -> None:
    attempt = tmp_path / "attempt.py"
    shutil.copyfile(ours.solution(ours["masked_mean"]), attempt)
    suite = "tests/hidden/03_jit/test_masked_mean.py"
    for more in ((), ("--submission", str(attempt)), ("--debug-in-process", "--pdb")):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", suite, *more],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout
