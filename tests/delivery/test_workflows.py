"""The workflows, and the other files that GitHub reads."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.cli import main
from tests.conftest import write
from tests.delivery.conftest import ROOT, a_repository

pytestmark = pytest.mark.usefixtures("nowhere")
WORKFLOWS = ROOT / ".github" / "workflows"

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
        words = shlex.split(script)
        context = main.make_context("grader", words[1:], resilient_parsing=False)
        with main.commands["ci"].make_context("ci", words[2:], parent=context) as made:
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
