"""Repositories of git, in an environment without variables of a CI."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import write

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
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


def a_repository(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    write(folder, files)
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    return folder
