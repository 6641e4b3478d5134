"""CI in a repository of a student's work: what changed, what is checked, what is reported."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader import scoring
from grader.cli import main
from grader.course import Course, find
from grader.delivery import autograder, ci
from grader.errors import UsageError
from grader.model import LAYERS, Environment, ExerciseResult, Outcome, Run, Submission
from grader.reports import github
from tests.delivery.conftest import ROOT, a_repository, listed, write

pytestmark = pytest.mark.usefixtures("nowhere")
Maker = Callable[..., Course]
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
    "solutions/02_more/negate.py": "def negate(x):\n    return -x\n",
    "tests/hidden/02_more/test_negate.py": '''
        def test_sign(submission):
            """The sign changes."""
            assert submission.negate(2) == -2
    ''',
}
DOUBLE = '"""Twice."""\n\n\ndef double(x):\n    """\n    >>> double(3)\n    6\n    """\n'
RIGHT = f"{DOUBLE}    return 2 * x\n"
WRONG = f"{DOUBLE}    return 3 * x\n"
# It prints commands for the runner, and its exception contains some.
HOSTILE = f"""{DOUBLE}    print("::error file=a.py,line=1::owned", flush=True)
    raise ValueError("\\n::error::owned\\r::add-mask::6 ##[add-mask]6")
"""


def changed(top: Path, *names: str) -> ci.Changes:
    return ci.what_changed(top, listed(*names))


# What changed


def test_what_a_list_names_and_is_there_has_changed(tmp_path: Path) -> None:
    names = ("a.py", "hw/wei rd\n☃.py")
    write(tmp_path, dict.fromkeys((*names, "b.py"), "1"))
    found = changed(tmp_path, *names, "deleted.py")
    assert found.files == frozenset(tmp_path / name for name in names)
    assert found.why == "2 files changed."


def test_without_a_list_everything_counts(tmp_path: Path) -> None:
    found = ci.what_changed(tmp_path, None)
    assert (found.files, found.why) == (
        None,
        "Everything counts, since no list of changes was given.",
    )


@pytest.mark.parametrize("name", ["../other.py", "/other.py", "hw/../../other.py"])
def test_a_list_names_nothing_outside_of_the_work(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        changed(tmp_path, name)
    assert str(caught.value) == (
        f"the list of `--changed` names `{name}`, which is not in `{tmp_path}`. Name paths below "
        "the folder of the work: `git diff --relative` in this folder writes them."
    )


@pytest.mark.parametrize("data", [b"a.py\n", b"a.py\0b.py"])
def test_a_list_of_lines_is_an_error_and_not_an_unknown_file(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UsageError, match="must have a NUL byte after each path"):
        ci.what_changed(tmp_path, data)


def test_the_grader_runs_no_git() -> None:
    """A handed-in repository can name programs that git starts."""
    starts = re.compile(r"""["']git["'],|["'](?:\S*/)?git [a-z]|which\(["']git""")
    modules = (ROOT / "grader").rglob("*.py")
    assert not [path for path in modules if starts.search(path.read_text(encoding="utf-8"))]


# What is checked or graded


def a_course(make_course: Maker, folder: Path) -> Course:
    return make_course(folder, SECOND_FILES, SECOND)


def a_handout(make_course: Maker, folder: Path) -> Path:
    """A student's repository as the teacher hands it out."""
    course = a_course(make_course, folder.parent / "course")
    shutil.copytree(course.stubs, folder)
    return folder


def test_what_changed_is_checked_and_nothing_else(make_course: Maker, tmp_path: Path) -> None:
    top = a_handout(make_course, tmp_path / "r")
    course = find(start=top)

    def chosen(*names: str) -> list[str]:
        return [e.stem for e in ci.to_check(course, changed(top, *names))]

    assert chosen() == []
    assert chosen("02_more/negate.py", "notes.txt") == ["negate"]
    write(top, {"01_first.ipynb": "{}"})
    assert chosen("01_first.ipynb") == ["double"]
    assert chosen("catalog.toml") == ["double", "negate"]
    (top / "02_more" / "negate.py").unlink()
    assert chosen("02_more/negate.py") == []
    assert ci.to_check(course, ci.what_changed(top, None)) == course.exercises


def test_work_is_graded_where_it_changed_and_was_started(
    make_course: Maker, tmp_path: Path
) -> None:
    course = a_course(make_course, tmp_path / "course")
    top = tmp_path / "r"
    write(top, {"double.py": RIGHT, "hw/negate.py": "def negate(x): return -x"})

    def chosen(changes: ci.Changes) -> list[str]:
        return [e.stem for e in ci.to_grade(course, top, changes)[1]]

    everything = ci.what_changed(top, None)
    assert chosen(everything) == ["double", "negate"]
    assert chosen(changed(top)) == []
    assert chosen(changed(top, "hw/negate.py")) == ["negate"]
    write(top, {"hw/negate.py": course.stub(course["negate"]).read_text()})
    assert chosen(everything) == ["double"]
    assert chosen(changed(top, "hw/negate.py")) == []
    (top / "double.py").unlink()
    assert chosen(changed(top, "double.py")) == []


# What failed, and what is reported


def said(report: ci.CIReport) -> str:
    """Everything that GitHub gets, except for the log that people read."""
    annotations = github.commands(report.annotations)
    return f"{annotations}{report.summary}{report.outputs}"


@pytest.mark.parametrize(("text", "failed"), [(RIGHT, False), (WRONG, True)])
def test_a_check_fails_if_an_example_does(
    make_course: Maker, tmp_path: Path, text: str, failed: bool
) -> None:
    top = a_handout(make_course, tmp_path / "r")
    write(top, {"01_first/double.py": text})
    seen = []
    report = ci.check(
        top, changed(top, "01_first/double.py"), lambda results, _: seen.extend(results)
    )
    assert (report.failed, report.error) == (failed, None)
    assert report.outputs == {"passed": str(not failed).lower()}
    assert [a.path for a in report.annotations] == ["01_first/double.py"] * failed
    report.log()
    assert [result.exercise for result in seen] == ["01_first/double"]


def test_a_mark_that_can_not_be_known_is_an_error_and_names_no_secret(
    make_course: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = make_course(tmp_path / "course")
    top = a_repository(tmp_path / "r", {"double.py": RIGHT})

    def broken(*_: object, **__: object) -> Run:
        lost = ExerciseResult("01_first/double", Outcome.BROKEN, None, 4.0, message="SECRET")
        graded = scoring.grade(Submission("r", "d"), [lost])
        return Run("c", "0", Environment("1", "2", "3", LAYERS, "7"), (graded,))

    monkeypatch.setattr(autograder, "grade", broken)
    changes = ci.what_changed(top, None)
    report = ci.grade(course, top, changes, (), isolation="required", seed=None)
    assert report.failed
    assert report.outputs == {"passed": "unknown", "score": "unknown", "max_score": "4"}
    assert report.error is not None
    assert report.error.exit_code == 4
    assert "SECRET" not in said(report)
    # The log of the course's own run is for the teacher.
    assert "SECRET" in report.log()


@pytest.mark.parametrize(
    ("files", "passed", "failed"),
    [
        ({}, "false", True),
        ({"notes.txt": "x"}, "false", True),
        ({"double.py": None}, "false", True),  # the untouched stub
        ({"double.py": b"# caf\xe9\ndef double(x): return 2 * x\n"}, "false", True),
        ({"double.ipynb": b"{"}, "false", True),
    ],
)
def test_what_is_not_there_or_not_readable_does_not_pass(
    make_course: Maker,
    tmp_path: Path,
    files: dict[str, bytes | str | None],
    passed: str,
    failed: bool,
) -> None:
    course = make_course(tmp_path / "course")
    top = tmp_path / "work"
    top.mkdir()
    for name, data in files.items():
        text = course.stub(course["double"]).read_text() if data is None else data
        (top / name).write_bytes(text.encode() if isinstance(text, str) else text)
    changes = ci.what_changed(top, None)
    report = ci.grade(course, top, changes, (), isolation="required", seed=None)
    assert (report.outputs["passed"], report.failed) == (passed, failed)
    assert report.summary
    assert report.log()


def test_where_no_exercise_changed_nothing_is_known(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path / "course")
    top = tmp_path / "r"
    write(top, {"double.py": RIGHT, "notes.txt": "x"})
    changes = changed(top, "notes.txt")
    report = ci.grade(course, top, changes, (), isolation="required", seed=None)
    assert (report.outputs["passed"], report.failed) == ("unknown", False)


def test_what_is_named_is_asked_for(make_course: Maker, tmp_path: Path) -> None:
    """Unchanged, missing or a stub: who names an exercise wants its result."""
    course = make_course(tmp_path / "course")
    top = tmp_path / "r"
    write(top, {"double.py": RIGHT})
    changes = changed(top)
    for text in (RIGHT, course.stub(course["double"]).read_text(), None):
        (top / "double.py").unlink(missing_ok=True)
        if text is not None:
            (top / "double.py").write_text(text)
        assert [e.stem for e in ci.to_grade(course, top, changes, ["double"])[1]] == ["double"]


# The command


def grader_ci(*arguments: object, env: Mapping[str, str] | None = None) -> Result:
    given = {"COLUMNS": "200", **(env or {})}
    return CliRunner().invoke(main, ["ci", *map(str, arguments)], env=given, catch_exceptions=False)


def in_actions(folder: Path, top: Path) -> dict[str, str]:
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(top),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "GITHUB_OUTPUT": str(folder / "output"),
    }


def obeyed(output: str) -> list[str]:
    """The lines that the runner executes as commands; it ignores those in a guard."""
    lines, token = [], None
    for line in re.split("\r\n|\r|\n", output):
        if token is not None:
            token = None if line == f"::{token}::" else token
        elif line.startswith("::stop-commands::"):
            token = line.removeprefix("::stop-commands::")
        elif line.lstrip().startswith("::") or "##[" in line:
            lines.append(line)
    return lines


def test_a_mistake_is_shown_on_its_line_and_fails(make_course: Maker, tmp_path: Path) -> None:
    top = a_handout(make_course, tmp_path / "r")
    write(top, {"01_first/double.py": HOSTILE})
    (tmp_path / "list").write_bytes(listed("01_first/double.py"))
    done = grader_ci(top, "--changed", tmp_path / "list", env=in_actions(tmp_path, top))
    assert done.exit_code == 1, done.output
    (line,) = obeyed(done.output)
    assert line.startswith("::error file=01_first/double.py,line=10,title=01_first/double::Line 10")
    assert (tmp_path / "output").read_text().split("\n")[1] == "false"
    assert "1 to fix" in (tmp_path / "summary").read_text()


def test_elsewhere_it_is_plain_text_and_what_is_right_passes(
    make_course: Maker, tmp_path: Path
) -> None:
    top = a_handout(make_course, tmp_path / "r")
    write(top, {"01_first/double.py": RIGHT})
    done = grader_ci(top)
    assert done.exit_code == 0, done.output
    assert obeyed(done.output) == []
    assert done.output.startswith("Everything counts, since no list of changes was given.")
    assert "1 passed, 1 not started" in done.output


def test_where_nothing_of_the_course_changed_nothing_is_run(
    make_course: Maker, tmp_path: Path
) -> None:
    top = a_handout(make_course, tmp_path / "r")
    write(top, {"notes.txt": "x"})
    (tmp_path / "list").write_bytes(listed("notes.txt"))
    done = grader_ci(top, "--changed", tmp_path / "list", env=in_actions(tmp_path, top))
    assert (done.exit_code, obeyed(done.output)) == (0, [])
    assert "No exercise of the course is among them: nothing to do." in done.output
    assert "true" in (tmp_path / "output").read_text()


def test_the_runner_gets_errors_too(tmp_path: Path) -> None:
    done = grader_ci(tmp_path / "::error::owned", env=in_actions(tmp_path, tmp_path))
    (line,) = obeyed(done.output)
    assert done.exit_code == 2
    assert line.startswith("::error title=The grader could not do its work::there is no folder")
    plain = grader_ci(tmp_path / "nothing")
    assert (plain.exit_code, plain.output) == (
        2,
        f"Error: there is no folder `{tmp_path}/nothing`. Name the folder that holds the work.\n",
    )


def test_a_course_inside_the_work_is_never_asked_to_judge(
    make_course: Maker, tmp_path: Path
) -> None:
    """Its suites would be the student's, and would run where the course's secrets are."""
    course = a_course(make_course, tmp_path / "r")
    assert course.root is not None
    trap = course.suite(course["double"])
    trap.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    write(course.root, {"exercises/01_first/double.py": RIGHT})
    done = grader_ci(course.root)
    assert done.exit_code == 0, done.output
    assert "All examples hold" in done.output or "not started" in done.output
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("text", "code"), [(RIGHT, 0), (WRONG, 1)], ids=["right", "wrong"])
def test_the_courses_own_run_grades_with_the_hidden_suites(
    make_course: Maker, tmp_path: Path, text: str, code: int
) -> None:
    course = make_course(tmp_path / "course")
    top = a_repository(tmp_path / "course" / "work", {"hw/double.py": text, "other.txt": "x"})
    assert course.root is not None
    env = in_actions(tmp_path, course.root)
    done = grader_ci(top, "--course", course.root, env=env)
    assert done.exit_code == code, done.output
    lines = obeyed(done.output)
    assert [line.split("::")[1] for line in lines] == [
        f"error file=hw/double.py,title=01_first/double (-{cost})" for cost in (2, 1, 1) if code
    ]
    score, most = ("0", "4") if code else ("4", "4")
    values = [
        line for line in (tmp_path / "output").read_text().split("\n") if "grader-" not in line
    ]
    assert values == ["false" if code else "true", score, most, ""]
    assert f"{score} of {most}" in (tmp_path / "summary").read_text()
<<<<<<< HEAD


# The workflows


class _Strict(yaml.SafeLoader):  # type: ignore[misc]  # PyYAML ships no types
    """YAML as GitHub reads it: `on` is a string, and a duplicate key is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[str, Any]:
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), keys
        return {key.value: self.construct_object(value, deep=True) for key, value in node.value}


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = _Strict(path.read_text(encoding="utf-8")).get_single_data()
    return found


def workflow(name: str) -> dict[str, Any]:
    return read(WORKFLOWS / name)


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in workflow(name)["jobs"].values() for step in job["steps"]]


OURS = ("check.yml", "grade.yml")


@pytest.mark.parametrize("name", OURS)
def test_a_workflow_can_be_called_and_may_do_nothing_but_read(name: str) -> None:
    found = workflow(name)
    assert set(found["on"]) == {"workflow_call"}
    assert found["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in found["jobs"].values())
    assert all(int(job["timeout-minutes"]) <= 60 for job in found["jobs"].values())


@pytest.mark.parametrize("name", [*OURS, "release.yml"])
def test_no_value_becomes_a_part_of_a_script(name: str) -> None:
    scripts = [step["run"] for step in steps(name) if "run" in step]
    assert scripts
    assert not [script for script in scripts if "${{" in script]


@pytest.mark.parametrize("name", OURS)
def test_actions_are_githubs_own_and_pinned_by_their_digests(name: str) -> None:
    used = [step["uses"] for step in steps(name) if "uses" in step]
    assert used
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", action) for action in used)


@pytest.mark.parametrize("name", [*OURS, "release.yml"])
def test_no_credential_is_left_where_work_is_run(name: str) -> None:
    checkouts = [step["with"] for step in steps(name) if "checkout" in step.get("uses", "")]
    assert checkouts
    assert {given["persist-credentials"] for given in checkouts} == {False}


PINNED = (
    "./course",
    "jax-grader==0.1.0",
    f"git+https://github.com/o/grader@{'0a' * 20}",
    f"https://example.org/jax_grader-0.1.0-py3-none-any.whl#sha256={'0a' * 32}",
)
LOOSE = (
    "",
    "jax-grader",
    "jax-grader[dask]",
    "jax-grader>=0.1",
    "jax-grader==0.*",
    "jax-grader==0.1.0 other",
    "jax-grader==0.1.0\nother",
    "git+https://github.com/o/grader@main",
    "git+https://github.com/o/grader",
    "https://example.org/jax_grader-0.1.0-py3-none-any.whl",
    "--index-url=https://example.org",
)


@pytest.mark.parametrize("name", OURS)
def test_a_workflow_installs_the_grader_that_the_course_pins(name: str, tmp_path: Path) -> None:
    (step,) = (step for step in steps(name) if "pip install" in step.get("run", ""))
    write(tmp_path, {"pip": f'#!/bin/sh\necho "$2" >> {tmp_path}/installed\n'})
    (tmp_path / "pip").chmod(0o755)

    def exits(package: str) -> int:
        path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
        env = os.environ | {"PATH": path, "PACKAGE": package}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        return subprocess.run(command, env=env, capture_output=True).returncode

    assert {package: exits(package) for package in LOOSE} == dict.fromkeys(LOOSE, 1)
    assert not (tmp_path / "installed").exists()
    assert {package: exits(package) for package in PINNED} == dict.fromkeys(PINNED, 0)
    assert (tmp_path / "installed").read_text().splitlines() == list(PINNED)
    package = workflow(name)["on"]["workflow_call"]["inputs"]["package"]
    assert package.get("required") is True or package["default"] in PINNED


def test_no_secret_comes_near_what_a_student_controls() -> None:
    text = (WORKFLOWS / "check.yml").read_text(encoding="utf-8")
    for word in ("secrets", "token", "--course", "pull_request_target", "workflow_run"):
        assert word not in re.sub(r"^#.*$", "", text, flags=re.M)


def test_the_one_secret_fetches_work_and_does_nothing_else() -> None:
    holders = [step for step in steps("grade.yml") if "secrets" in json.dumps(step)]
    (holder,) = holders
    assert holder["uses"].startswith("actions/checkout@")
    assert [key for key, value in holder["with"].items() if "secrets" in str(value)] == ["token"]
    assert holder["with"]["path"] == "work"
    # The grader is installed before the student's work is checked out.
    order = steps("grade.yml")
    assert order.index(holder) == len(order) - 2


@pytest.mark.parametrize("name", OURS)
def test_the_commands_of_a_workflow_exist(name: str) -> None:
    lines = "\n".join(step.get("run", "") for step in steps(name)).split("\n")
    scripts = [line.strip() for line in lines if line.strip().startswith("grader ")]
    assert scripts
    for script in scripts:
        words = [os.devnull if word == "$changed" else word for word in shlex.split(script)]
        context = main.make_context("grader", words[1:], resilient_parsing=False)
        with main.commands["ci"].make_context("ci", words[2:], parent=context) as made:
            assert made.params["isolation"] == "required"
    outputs = {"check.yml": ["passed"], "grade.yml": ["max_score", "passed", "score"]}[name]
    assert sorted(workflow(name)["on"]["workflow_call"]["outputs"]) == outputs


def test_a_workflow_checks_what_changed_since_an_earlier_commit(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "r", {"hw/a.py": "1", "hw/b.py": "2", "hw/c.py": "3", "d": "4"})
    base = git(top, "rev-parse", "HEAD")
    git(top, "checkout", "-q", "-b", "work")
    commit(top, {"hw/a.py": "changed", "hw/wei rd\n☃.py": "new", "d": "5"}, gone=("hw/c.py",))
    git(top, "checkout", "-q", "main")
    theirs = commit(top, {"hw/b.py": "theirs"})
    git(top, "checkout", "-q", "work")
    write(tmp_path, {"grader": '#!/bin/sh\ncp "$4" ${0}-got 2>/dev/null || touch ${0}-got-all\n'})
    (tmp_path / "grader").chmod(0o755)
    (step,) = (step for step in steps("check.yml") if step.get("id") == "check")
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "FOLDER": "hw", "RUNNER_TEMP": str(tmp_path)}

    def received(before: str) -> bytes | None:
        """The list that the grader gets; None if it gets none."""
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        subprocess.run(command, cwd=top, env=env | {"BASE": before}, check=True)
        got, everything = tmp_path / "grader-got", tmp_path / "grader-got-all"
        data = None if everything.exists() else got.read_bytes()
        (got if data is not None else everything).unlink()
        return data

    expected = listed("a.py", "c.py", "wei rd\n☃.py")
    assert [received(base), received(theirs)] == [expected, expected]
    # No base, a first push, and a commit that a forced push removed.
    assert [received(before) for before in ("", "0" * 40, "1" * 40)] == [None] * 3


# The files that GitHub reads


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("github-workflows", "workflows/*.yml"),
        ("dependabot", "dependabot.yml"),
        ("github-issue-config", "ISSUE_TEMPLATE/config.yml"),
        ("github-issue-forms", "ISSUE_TEMPLATE/[!c]*.yml"),
    ],
)
def test_githubs_own_schema_takes_every_file(schema: str, pattern: str) -> None:
    paths = sorted(WORKFLOWS.parent.glob(pattern))
    assert paths
    found = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
        + [str(path) for path in paths],
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout + found.stderr


AUDIT = ("zizmor", "--offline", "--no-progress", "--config", ".github/zizmor.yml")
AUDITED = (*(f"workflows/{name}" for name in (*OURS, "ci.yml", "release.yml")), "dependabot.yml")


def test_an_auditor_of_workflows_finds_nothing() -> None:
    found = subprocess.run(
        [str(Path(sysconfig.get_path("scripts")) / AUDIT[0]), *AUDIT[1:]]
        + [f".github/{name}" for name in AUDITED],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_each_form_for_an_issue_is_told_from_the_others() -> None:
    forms = [read(path) for path in (WORKFLOWS.parent / "ISSUE_TEMPLATE").glob("[!c]*.yml")]
    assert len({form["name"] for form in forms}) == len(forms) == 4
    for form in forms:
        asked = [item for item in form["body"] if item["type"] != "markdown"]
        assert len({item["id"] for item in asked}) == len(asked)
        assert any(item.get("validations") == {"required": True} for item in asked)


def test_a_security_report_is_private_and_there_is_no_issue_without_a_form() -> None:
    found = read(WORKFLOWS.parent / "ISSUE_TEMPLATE" / "config.yml")
    assert found == {"blank_issues_enabled": False}
    # With this file, GitHub offers a private report beside the forms.
    assert "**Report a vulnerability**" in (WORKFLOWS.parent / "SECURITY.md").read_text("utf-8")


def test_hooks_run_what_ci_runs() -> None:
    hooks = {
        hook["id"]: hook for hook in read(ROOT / ".pre-commit-config.yaml")["repos"][0]["hooks"]
    }
    entries = [hook["entry"].removeprefix(".venv/bin/") for hook in hooks.values()]
    script = (ROOT / ".ci" / "noxfile.py").read_text(encoding="utf-8")
    calls = re.findall(r'run\(session, ("(?:ruff|mypy)".*)\)$', script, re.M)
    by_ci = [" ".join(re.findall(r'"(.+?)"', words)) for words in calls]
    assert sorted(entries) == sorted([*by_ci, " ".join(AUDIT)])
    taken = re.compile(hooks["zizmor"]["files"])
    for path in WORKFLOWS.parent.rglob("*.yml"):
        name = path.relative_to(ROOT / ".github").as_posix()
        assert bool(taken.search(f".github/{name}")) == (name in AUDITED), name


# A release


def test_what_builds_can_not_publish_and_what_publishes_runs_nothing_of_ours() -> None:
    found = workflow("release.yml")
    build, publish = (found["jobs"][name] for name in ("build", "publish"))
    assert found["on"] == {"push": {"tags": ["v*"]}}
    assert found["permissions"] == {}
    assert build["permissions"] == {"contents": "read"}
    assert (publish["permissions"], publish["environment"]) == ({"id-token": "write"}, "pypi")
    assert publish["needs"] == "build"
    used = [step.get("uses", "").partition("@") for step in publish["steps"]]
    assert [name for name, _, _ in used] == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]
    # A tag can be moved to other code, a commit can't.
    assert re.fullmatch("[0-9a-f]{40}", used[1][2])


@pytest.mark.parametrize(
    ("tag", "changelog", "owner", "fault"),
    [
        ("v1.2.0", "## Unreleased\n\n## [1.2.0] - 2026-01-02\n", "us", ""),
        ("v1.2.0", "## 1.2.0\n", "us", ""),
        (
            "v1.2.1",
            "## 1.2.0\n",
            "us",
            "the tag is `v1.2.1`, and `grader/__init__.py` says `1.2.0`\n",
        ),
        (
            "v1.2.0",
            "## Unreleased\n\n## 1.2.0rc1\n",
            "us",
            "`CHANGELOG.md` has no heading `## 1.2.0`\n",
        ),
        (
            "v1.2.0",
            "## 1.2.0\n",
            "them",
            "`[project.urls]` in `pyproject.toml` has to name `https://github.com/us/jax-grader`, "
            "not `https://github.com/them/jax-grader`\n",
        ),
    ],
)
def test_a_release_needs_its_version_in_all_places(
    tmp_path: Path, tag: str, changelog: str, owner: str, fault: str
) -> None:
    (step,) = [step for step in steps("release.yml") if step.get("shell") == "python"]
    files = {
        "grader/__init__.py": '__version__ = "1.2.0"\n',
        "CHANGELOG.md": f"# Changelog\n\n{changelog}",
        "pyproject.toml": f'[project.urls]\nSource = "https://github.com/{owner}/jax-grader"\n',
    }
    done = subprocess.run(
        [sys.executable, "-c", step["run"]],
        cwd=a_repository(tmp_path / "r", files),
        env=os.environ | {"GITHUB_REF_NAME": tag, "GITHUB_REPOSITORY": "us/jax-grader"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (bool(fault), fault)
=======
>>>>>>> b86d2224436702eac1c13125f905ee969c39c8e7
