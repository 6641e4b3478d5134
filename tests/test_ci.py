"""CI in a repository of a student's work: what changed, what is checked, what is reported."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from grader import scoring
from grader.cli import main
from grader.course import Course, find
from grader.delivery import autograder, ci, git_changes
from grader.errors import UsageError
from grader.model import LAYERS, Environment, ExerciseResult, Outcome, Run, Submission
from grader.reports import github

Maker = Callable[..., Course]
ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = ROOT / ".github" / "workflows"
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


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An environment without variables of a CI and settings of git."""
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "GIT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path.home() / ".cache"))


def git(folder: Path, *arguments: str) -> str:
    author = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    done = subprocess.run(
        ["git", *author, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def commit(folder: Path, files: Mapping[str, str], gone: tuple[str, ...] = ()) -> str:
    write(folder, files)
    for name in gone:
        (folder / name).unlink()
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    return git(folder, "rev-parse", "HEAD")


def a_repository(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    commit(folder, files)
    return folder


def a_clone(origin: Path, folder: Path, *options: str) -> Path:
    git(origin.parent, "clone", "-q", *options, f"file://{origin}", str(folder))
    return folder


def an_event(folder: Path, top: Path, **said: object) -> dict[str, str]:
    """The environment of a workflow that runs in the repository at `top`."""
    path = folder / "event.json"
    path.write_text(json.dumps(said))
    return {"GITHUB_WORKSPACE": str(top), "GITHUB_EVENT_PATH": str(path)}


def names(found: git_changes.Changes) -> list[str] | None:
    return None if found.files is None else sorted(map(found.shown, found.files))


# What changed


def test_files_that_changed_came_went_or_moved_are_changes(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "r", {"a.py": "1", "b.py": "2", "c.py": "3\n" * 9, "d.py": "4"})
    git(top, "checkout", "-q", "-b", "work")
    git(top, "mv", "c.py", "moved.py")
    commit(top, {"a.py": "changed", "wei rd\n☃.py": "new"}, gone=("b.py",))
    write(top, {"untracked.py": "5", "d.py": "not yet committed"})
    found = git_changes.find(top, "main", {})
    assert names(found) == sorted(
        ["a.py", "b.py", "c.py", "d.py", "moved.py", "untracked.py", "wei rd\n☃.py"]
    )
    assert re.fullmatch(r"7 files changed since `main` \([0-9a-f]{10}\)\.", found.why)


def test_what_changed_on_the_base_alone_is_no_change(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "r", {"a.py": "1", "b.py": "2"})
    git(top, "checkout", "-q", "-b", "work")
    commit(top, {"a.py": "mine"})
    git(top, "checkout", "-q", "main")
    commit(top, {"b.py": "theirs"})
    git(top, "checkout", "-q", "work")
    assert names(git_changes.find(top, "main", {})) == ["a.py"]


def test_a_pull_request_is_compared_with_its_base(tmp_path: Path) -> None:
    origin = a_repository(tmp_path / "origin", {"a.py": "1", "b.py": "2"})
    top = a_clone(origin, tmp_path / "r")
    git(top, "checkout", "-q", "--detach")
    git(top, "branch", "-q", "-D", "main")
    commit(top, {"a.py": "mine"})
    found = git_changes.find(top, None, {"GITHUB_WORKSPACE": str(top), "GITHUB_BASE_REF": "main"})
    assert names(found) == ["a.py"]
    assert "since the base of this pull request, `main` (" in found.why


def test_a_push_is_compared_with_the_one_before(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "r", {"a.py": "1", "b.py": "2"})
    before = commit(top, {"a.py": "2"})
    commit(top, {"b.py": "3"})
    found = git_changes.find(top, None, an_event(tmp_path, top, before=before))
    assert names(found) == ["b.py"]
    assert found.why == f"1 file changed since the push before ({before[:10]})."


def test_at_the_first_push_of_a_branch_everything_counts(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "r", {"a.py": "1"})
    found = git_changes.find(top, None, an_event(tmp_path, top, before="0" * 40))
    assert (found.files, found.why) == (
        None,
        "Everything counts as changed: this is the first push of this branch.",
    )


def test_in_a_shallow_clone_everything_counts_and_the_remedy_is_named(tmp_path: Path) -> None:
    origin = a_repository(tmp_path / "origin", {"a.py": "1"})
    before = git(origin, "rev-parse", "HEAD")
    commit(origin, {"a.py": "2"})
    top = a_clone(origin, tmp_path / "r", "--depth=1")
    found = git_changes.find(top, None, an_event(tmp_path, top, before=before))
    assert (found.files, found.why) == (
        None,
        "Everything counts as changed: the push before is not in this shallow clone. "
        "With actions/checkout, `fetch-depth: 0` fetches what is missing.",
    )
    pull = {"GITHUB_WORKSPACE": str(top), "GITHUB_BASE_REF": "other"}
    assert "`other` is not in this shallow clone" in git_changes.find(top, None, pull).why


def test_histories_without_a_common_commit_are_no_reason_to_skip_work(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "r", {"a.py": "1"})
    before = git(top, "rev-parse", "HEAD")
    git(top, "checkout", "-q", "--orphan", "new")
    commit(top, {"a.py": "2"})
    found = git_changes.find(top, None, an_event(tmp_path, top, before=before))
    assert found.files is None
    assert "the push before and the work have no commit in common" in found.why


@pytest.mark.parametrize("said", [{}, {"before": 7}, {"before": "main"}, {"before": "-x"}, []])
def test_an_event_that_names_no_commit_has_no_base(tmp_path: Path, said: object) -> None:
    top = a_repository(tmp_path / "r", {"a.py": "1"})
    environ = an_event(tmp_path, top)
    Path(environ["GITHUB_EVENT_PATH"]).write_text(json.dumps(said))
    found = git_changes.find(top, None, environ)
    assert (found.files, found.why) == (
        None,
        "Everything counts as changed: this event has no base to compare with "
        "(`--base REF` names one).",
    )


def test_the_event_of_another_repository_says_nothing_of_this_one(tmp_path: Path) -> None:
    course = a_repository(tmp_path / "course", {"x": "1"})
    work = a_repository(course / "work", {"a.py": "1"})
    environ = {"GITHUB_WORKSPACE": str(course), "GITHUB_BASE_REF": "main"}
    assert git_changes.find(work, None, environ).files is None
    assert names(git_changes.find(course, None, environ)) == ["work/"[:-1]]


def test_without_a_repository_everything_counts(tmp_path: Path) -> None:
    found = git_changes.find(tmp_path, None, {})
    assert (found.files, found.why) == (
        None,
        f"Everything counts as changed: `{tmp_path}` is in no git repository.",
    )
    with pytest.raises(UsageError) as caught:
        git_changes.find(tmp_path, "main", {})
    assert str(caught.value) == (
        f"can't compare with `--base main`: `{tmp_path}` is in no git repository. Name another "
        "commit, or leave `--base` out."
    )


def test_without_git_everything_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = a_repository(tmp_path / "r", {"a.py": "1"})
    monkeypatch.setenv("PATH", str(tmp_path))
    pushed = an_event(tmp_path, top, before="1" * 40)
    assert git_changes.find(top, None, pushed).why == (
        "Everything counts as changed: there is no git on this machine."
    )


def test_a_repository_without_a_commit_is_all_new(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    pushed = an_event(tmp_path, tmp_path, before="1" * 40)
    assert git_changes.find(tmp_path, None, pushed).files is None


@pytest.mark.parametrize("base", ["--output=x", "-x", "main..work", "a b", "", "main:a.py"])
def test_a_base_can_be_nothing_but_a_commit(tmp_path: Path, base: str) -> None:
    top = a_repository(tmp_path / "r", {"a.py": "1"})
    with pytest.raises(UsageError) as caught:
        git_changes.find(top, base, {})
    assert str(caught.value) == (
        f"`{base}` is no name of a commit. Name a branch, a tag or a commit."
    )
    assert sorted(path.name for path in top.iterdir()) == [".git", "a.py"]


def test_a_base_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "r", {"a.py": "1"})
    with pytest.raises(UsageError) as caught:
        git_changes.find(top, "release", {})
    assert str(caught.value) == (
        "can't compare with `--base release`: `release` is not in this clone. With "
        "actions/checkout, `fetch-depth: 0` fetches what is missing. Name another commit, or leave "
        "`--base` out."
    )


EVIL = "{evil}"
# Settings that name a program, and whether an ordinary `git status` or `git diff` starts it.
PROGRAMS = {
    "fsmonitor": ({"core.fsmonitor": EVIL}, True),
    "hooks": ({"core.hooksPath": "{evil}-hooks"}, True),
    "external": ({"diff.external": EVIL}, True),
    "command": ({"diff.evil.command": EVIL}, True),
    "textconv": ({"diff.evil.textconv": EVIL}, True),
    "clean": ({"filter.evil.clean": EVIL}, True),
    "process": ({"filter.evil.process": EVIL}, True),
    "smudge": ({"filter.evil.smudge": EVIL}, False),
    "include": ({"include.path": "{evil}.config"}, True),
    "include-if": ({"includeIf.gitdir:/.path": "{evil}.config"}, True),
    "of the worktree": ({"extensions.worktreeConfig": "true"}, True),
    "pager": ({"core.pager": EVIL, "pager.diff": EVIL, "pager.rev-parse": EVIL}, False),
    "alias": ({"alias.diff": "!{evil}", "alias.read-tree": "!{evil}"}, False),
    "ssh": (
        {
            "core.sshCommand": EVIL,
            "remote.origin.url": "ssh://nowhere/x",
            "remote.origin.promisor": "true",
            "extensions.partialClone": "origin",
        },
        False,
    ),
    "editor and the like": (
        {"core.editor": EVIL, "core.askPass": EVIL, "credential.helper": EVIL, "gpg.program": EVIL},
        False,
    ),
}


def an_evil_repository(folder: Path, settings: Mapping[str, str]) -> tuple[Path, Path]:
    """A repository in which git would start a program, and the file that this would make."""
    top = a_repository(
        folder / "r", {"a.py": "1\n", ".gitattributes": "*.py diff=evil filter=evil\n"}
    )
    evil, ran = folder / "evil", folder / "ran"
    for script in (evil, Path(f"{evil}-hooks") / "post-index-change"):
        write(script.parent, {script.name: f"#!/bin/sh\ntouch {ran}\n"})
        script.chmod(0o755)
    for config in (Path(f"{evil}.config"), top / ".git" / "config.worktree"):
        write(config.parent, {config.name: f"[core]\n    fsmonitor = {evil}\n"})
    for key, value in settings.items():
        git(top, "config", key, value.format(evil=evil))
    (top / "a.py").write_text("2\n")
    # So git has to write its index again, which a hook follows.
    os.utime(top / ".gitattributes", (1, 1))
    return top, ran


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_program_that_a_repository_names_is_started(name: str, tmp_path: Path) -> None:
    settings, starts = PROGRAMS[name]
    top, ran = an_evil_repository(tmp_path, settings)
    assert names(git_changes.find(top, "main", {})) == ["a.py"]
    assert not ran.exists()
    for command in ("status", "diff"):
        subprocess.run(["git", command], cwd=top, capture_output=True)
    assert ran.exists() == starts


def test_a_hook_in_the_repository_is_not_started(tmp_path: Path) -> None:
    top, ran = an_evil_repository(tmp_path, {})
    shutil.copytree(tmp_path / "evil-hooks", top / ".git" / "hooks", dirs_exist_ok=True)
    assert names(git_changes.find(top, "main", {})) == ["a.py"]
    assert not ran.exists()
    git(top, "status")
    assert ran.exists()


def test_the_users_own_settings_of_git_do_not_count_either(tmp_path: Path) -> None:
    top, ran = an_evil_repository(tmp_path, {})
    evil = tmp_path / "evil"
    write(tmp_path, {".gitconfig": f'[filter "evil"]\n    clean = {evil}\n'})
    assert names(git_changes.find(top, "main", {})) == ["a.py"]
    assert not ran.exists()
    git(top, "diff")
    assert ran.exists()


def test_settings_of_the_repository_hide_no_change(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "r", {"a.py": "1", "b.py": "1", "c.py": "1"})
    (tmp_path / "elsewhere").mkdir()
    git(top, "update-index", "--assume-unchanged", "a.py")
    git(top, "update-index", "--skip-worktree", "b.py")
    write(top, {"a.py": "2", "b.py": "2", ".git/info/exclude": "new.py\n", "new.py": "2"})
    git(top, "config", "core.worktree", str(tmp_path / "elsewhere"))
    assert names(git_changes.find(top, "main", {})) == ["a.py", "b.py", "new.py"]


def test_the_repository_stays_as_it_was(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "r", {"a.py": "1"})
    (top / "a.py").write_text("2")

    def state() -> dict[Path, tuple[int, int]]:
        return {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in top.rglob("*")}

    before = state()
    assert names(git_changes.find(top, "main", {})) == ["a.py"]
    assert state() == before


def test_what_leads_to_a_repository_elsewhere_is_not_followed(tmp_path: Path) -> None:
    other = a_repository(tmp_path / "other", {"a.py": "1"})
    for name in ("file", "link"):
        (tmp_path / name).mkdir()
    (tmp_path / "file" / ".git").write_text(f"gitdir: {other}/.git\n")
    (tmp_path / "link" / ".git").symlink_to(other / ".git")
    for name in ("file", "link"):
        assert git_changes.find(tmp_path / name, None, {}).why == (
            f"Everything counts as changed: `{tmp_path}/{name}/.git` is no folder, but leads to a "
            "repository elsewhere."
        )


def test_pipes_and_links_among_the_names_of_commits_are_left_out(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "r", {"a.py": "1"})
    heads = top / ".git" / "refs" / "heads"
    os.mkfifo(heads / "pipe")
    (heads / "link").symlink_to("main")
    (top / "a.py").write_text("2")
    assert names(git_changes.find(top, "main", {})) == ["a.py"]
    with pytest.raises(UsageError, match="`link` is not in this clone"):
        git_changes.find(top, "link", {})


# What is checked or graded


def a_course(make_course: Maker, folder: Path) -> Course:
    return make_course(folder, SECOND_FILES, SECOND)


def a_handout(make_course: Maker, folder: Path) -> Path:
    """A student's repository as the teacher hands it out."""
    course = a_course(make_course, folder.parent / "course")
    shutil.copytree(course.stubs, folder)
    git(folder, "init", "-q", "-b", "main")
    commit(folder, {})
    return folder


def test_what_changed_is_checked_and_nothing_else(make_course: Maker, tmp_path: Path) -> None:
    top = a_handout(make_course, tmp_path / "r")
    course = find(start=top)

    def chosen() -> list[str]:
        return [e.stem for e in ci.to_check(course, git_changes.find(top, "main", {}))]

    assert chosen() == []
    write(top, {"02_more/negate.py": "new", "notes.txt": "new"})
    assert chosen() == ["negate"]
    (top / "02_more" / "negate.py").unlink()
    assert chosen() == ["negate"]
    write(top, {"01_first.ipynb": "{}"})
    assert chosen() == ["double", "negate"]
    git(top, "clean", "-qfd")
    git(top, "checkout", "-q", ".")
    (top / "catalog.toml").write_text((top / "catalog.toml").read_text() + "\n")
    assert chosen() == ["double", "negate"]


def test_work_is_graded_where_it_changed_and_was_started(
    make_course: Maker, tmp_path: Path
) -> None:
    course = a_course(make_course, tmp_path / "course")
    top = a_repository(tmp_path / "r", {"double.py": RIGHT, "hw/negate.py": "def negate(x): ..."})

    def chosen(base: str | None = "main") -> list[str]:
        found = git_changes.find(top, base, {})
        return [e.stem for e in ci.to_grade(course, top, found)[1]]

    assert chosen() == []
    assert chosen(None) == ["double", "negate"]
    write(top, {"hw/negate.py": "def negate(x): return -x"})
    assert chosen() == ["negate"]
    (top / "double.py").unlink()
    assert chosen() == ["double", "negate"]
    write(top, {"hw/negate.py": course.stub(course["negate"]).read_text()})
    assert chosen() == ["double"]


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
    changes = git_changes.find(top, "main", {})
    report = ci.check(top, changes, lambda results, _: seen.extend(results))
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
    changes = git_changes.find(top, None, {})
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
    changes = git_changes.find(top, None, {})
    report = ci.grade(course, top, changes, (), isolation="required", seed=None)
    assert (report.outputs["passed"], report.failed) == (passed, failed)
    assert report.summary
    assert report.log()


def test_where_no_exercise_changed_nothing_is_known(make_course: Maker, tmp_path: Path) -> None:
    course = make_course(tmp_path / "course")
    top = a_repository(tmp_path / "r", {"double.py": RIGHT})
    write(top, {"notes.txt": "x"})
    changes = git_changes.find(top, "main", {})
    report = ci.grade(course, top, changes, (), isolation="required", seed=None)
    assert (report.outputs["passed"], report.failed) == ("unknown", False)


def test_what_is_named_is_asked_for(make_course: Maker, tmp_path: Path) -> None:
    """Unchanged, missing or a stub: who names an exercise wants its result."""
    course = make_course(tmp_path / "course")
    top = a_repository(tmp_path / "r", {"double.py": RIGHT})
    changes = git_changes.find(top, "main", {})
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
    done = grader_ci(top, "--base", "main", env=in_actions(tmp_path, top))
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
    assert done.output.startswith(
        "Everything counts as changed: there is no base to compare with (`--base REF` names one)."
    )
    assert "1 passed, 1 not started" in done.output


def test_where_nothing_of_the_course_changed_nothing_is_run(
    make_course: Maker, tmp_path: Path
) -> None:
    top = a_handout(make_course, tmp_path / "r")
    write(top, {"notes.txt": "x"})
    done = grader_ci(top, "--base", "main", env=in_actions(tmp_path, top))
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
    scripts = [step["run"] for step in steps(name) if step.get("run", "").startswith("grader ")]
    (script,) = scripts
    context = main.make_context("grader", shlex.split(script)[1:], resilient_parsing=False)
    command = main.commands["ci"]
    made = command.make_context("ci", shlex.split(script)[2:], parent=context)
    assert made.params["isolation"] == "required"
    outputs = {"check.yml": ["passed"], "grade.yml": ["max_score", "passed", "score"]}[name]
    assert sorted(workflow(name)["on"]["workflow_call"]["outputs"]) == outputs


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
    assert found["blank_issues_enabled"] is False
    assert [link["url"].split("/", 5)[5] for link in found["contact_links"]] == [
        "security/advisories/new"
    ]


def test_hooks_run_what_ci_runs() -> None:
    hooks = {
        hook["id"]: hook for hook in read(ROOT / ".pre-commit-config.yaml")["repos"][0]["hooks"]
    }
    entries = [hook["entry"].removeprefix(".venv/bin/") for hook in hooks.values()]
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    by_ci = re.findall(r'^ *"\$own/(ruff|mypy)"(.*)$', script, re.M)
    assert sorted(entries) == sorted(["".join(words) for words in by_ci] + [" ".join(AUDIT)])
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
            "OWNER",
            "`OWNER/jax-grader` has to become `us/jax-grader` in `pyproject.toml`\n",
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
        "pyproject.toml": f"https://github.com/{owner}/jax-grader\n",
    }
    done = subprocess.run(
        [sys.executable, "-c", step["run"]],
        cwd=a_repository(tmp_path / "r", files),
        env=os.environ | {"GITHUB_REF_NAME": tag, "GITHUB_REPOSITORY": "us/jax-grader"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (bool(fault), fault)
