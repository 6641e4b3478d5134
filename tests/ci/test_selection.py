"""What CI tries of a push follows from the files that changed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("selection", ROOT / ".ci" / "selection.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["selection"] = module
    spec.loader.exec_module(module)
    return module


SELECTION = loaded()
EXERCISES = ("01_arrays/set_row", "03_jit/masked_mean", "03_jit/one_hot")
TESTS = (
    "tests/engine/judge/test_judge.py",
    "tests/output/reports/test_html.py",
    "tests/test_api.py",
)
NOTHING = SELECTION.Selection((), False, False, False, ())


def select(*changed: str) -> Any:
    return SELECTION.select(set(changed), EXERCISES, TESTS)


def test_a_change_that_nothing_slow_tries_selects_nothing() -> None:
    assert select() == select("CHANGELOG.md", "grader/teacher/roster.py") == NOTHING


@pytest.mark.parametrize(
    "path",
    [
        "exercises/03_jit/one_hot.py",
        "exercises/03_jit/one_hot.md",
        "solutions/03_jit/one_hot.py",
        "tests/hidden/03_jit/test_one_hot.py",
        "solutions/03_jit/one_hot.wrong.py",
        "solutions/03_jit/one_hot.right.py",
    ],
)
def test_each_file_of_an_exercise_selects_this_exercise_alone(path: str) -> None:
    assert select(path).exercises == ("03_jit/one_hot",)
    assert not select(path).course


def test_what_a_topic_shares_selects_all_of_the_topic() -> None:
    assert select("tests/hidden/03_jit/conftest.py").exercises == EXERCISES[1:]


def test_the_catalogue_selects_the_course_and_no_attack() -> None:
    chosen = select("exercises/catalog.toml")
    assert (chosen.course, chosen.attacks) == (True, False)


@pytest.mark.parametrize("name", SELECTION.JUDGING)
def test_each_package_that_judges_selects_the_course_and_all_attacks(name: str) -> None:
    assert (ROOT / "grader" / "engine" / name).is_dir()
    chosen = select(f"grader/engine/{name}/any.py")
    assert (chosen.course, chosen.attacks) == (True, True)


@pytest.mark.parametrize("path", ["tests/attacks/fork_bomb.py", "tests/test_attacks.py"])
def test_an_attack_selects_all_attacks_and_not_the_course(path: str) -> None:
    assert (select(path).course, select(path).attacks) == (False, True)


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("grader/output/reports/html/page.py", "tests/output/reports/test_html.py"),
        ("grader/api.py", "tests/test_api.py"),
        ("grader/engine/judge/outcome.py", "tests/engine/judge/test_judge.py"),
        ("tests/output/reports/test_html.py", "tests/output/reports/test_html.py"),
    ],
)
def test_a_package_a_module_and_a_test_select_the_slow_tests_beside_them(
    path: str, test: str
) -> None:
    assert select(path).slow == (test,)


@pytest.mark.parametrize("path", ["docs/teachers.md", "README.md", "grader/commands/author.py"])
def test_a_page_or_a_command_selects_the_documents(path: str) -> None:
    assert select(path).documents


def test_a_change_that_nobody_knows_selects_everything() -> None:
    chosen = SELECTION.select(None, EXERCISES, TESTS)
    assert (chosen.course, chosen.attacks, chosen.documents) == (True, True, True)
    assert chosen.slow == TESTS


def test_the_samples_of_commits_hold_everything_together() -> None:
    things = tuple(range(10))
    parts = [SELECTION.sample(things, place, 4) for place in range(7, 11)]
    assert sorted(thing for part in parts for thing in part) == list(things)
    assert SELECTION.turned(things, 13) == (3, 4, 5, 6, 7, 8, 9, 0, 1, 2)
    assert SELECTION.turned((), 13) == ()


def test_the_sessions_are_given_test_files_that_are_there() -> None:
    assert SELECTION.DOCUMENTS
    assert all((ROOT / path).is_file() for path in SELECTION.DOCUMENTS)
