"""What the sessions of `.ci/noxfile.py` would run. Only CI has nox, so a stand-in is imported."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from grader.cli import main

ROOT = Path(__file__).resolve().parents[2]
PROMISES = "tests/test_own_course.py"


class Session:
    """Notes what it would run: the arguments, and the environment."""

    def __init__(self, name: str, *posargs: str) -> None:
        self.name, self.posargs = name, posargs
        self.virtualenv = SimpleNamespace(venv_backend="none")
        self.ran: list[tuple[tuple[str, ...], dict[str, str]]] = []

    def chdir(self, folder: object) -> None: ...

    def run(self, *words: str, env: dict[str, str], **_: object) -> None:
        self.ran.append((words, env))


def _undecorated(function: Any = None, **_: object) -> Any:
    return function or (lambda it: it)


@pytest.fixture
def noxfile(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    nox: Any = ModuleType("nox")
    nox.session, nox.options, nox.Session = _undecorated, SimpleNamespace(), Session
    newest: Any = ModuleType("newest")
    newest.newest = lambda: sys.executable  # the real one starts each Python that is here
    monkeypatch.setitem(sys.modules, "nox", nox)
    monkeypatch.setitem(sys.modules, "newest", newest)
    monkeypatch.setenv("GRADER_SKIPS", "none")
    monkeypatch.setenv("GRADER_WHOLE", "1")
    monkeypatch.delenv("GRADER_STARTED", raising=False)
    monkeypatch.setattr(sys, "path", [*sys.path])
    spec = importlib.util.spec_from_file_location("noxfile", ROOT / ".ci" / "noxfile.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "exercises", lambda: ("01_arrays/set_row",))
    return module


@pytest.mark.parametrize("share", [(), ("0/4",), ("3/4",)])
def test_the_course_keeps_all_its_promises_before_it_is_proved(
    noxfile: ModuleType, share: tuple[str, ...]
) -> None:
    session = Session("course", *share)
    noxfile.course(session)
    words, settings = session.ran[0]
    assert PROMISES in words
    assert words[words.index("-m") + 1] == ""
    assert settings["GRADER_PART"] == (*share, "0/1")[0]


def test_the_jobs_of_github_have_all_parts_of_the_course() -> None:
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    parts = re.findall(r"sessions: course, part: (\S+),", text)
    assert parts == [f"{n}/{len(parts)}" for n in range(len(parts))] != []


def test_no_other_session_runs_the_promises_that_are_slow(noxfile: ModuleType) -> None:
    """A change of the file itself does not make them slow tests of a package."""
    assert PROMISES not in noxfile.selection().slow
    session = Session("slow")
    noxfile.__dict__["WHOLE"] = False
    noxfile.slow(session)
    assert f"--ignore={PROMISES}" in session.ran[-1][0]


def test_each_command_of_ours_has_the_options_that_a_session_gives_it() -> None:
    tree = ast.parse((ROOT / ".ci" / "noxfile.py").read_text("utf-8"))
    lines = [
        [str(part.value) for part in ast.iter_child_nodes(node) if isinstance(part, ast.Constant)]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call | ast.Tuple)
    ]
    ours = [words[1:] for words in lines if words[:1] == ["grader"] and len(words) > 1]
    assert ours
    for command, *words in ours:
        options = {name for option in main.commands[command].params for name in option.opts}
        assert {word for word in words if word.startswith("--")} <= options, command
