"""What a machine keeps is private, and a damaged entry counts as absent."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from grader.engine.judge.suites import Collected
from grader.records import cache
from grader.records.cache import Cache
from grader.records.errors import HostError

KNOWN = Collected((), ("test_speed",))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return cache.folder() / "kind"


def test_a_record_comes_back(folder: Path) -> None:
    assert Cache("kind").get("key", Collected) is None
    Cache("kind").put("key", KNOWN)
    assert Cache("kind").get("key", Collected) == KNOWN
    assert Cache("another").get("key", Collected) is None


@pytest.mark.parametrize("damage", [b"", b"{", json.dumps({"tests": [1]}).encode(), b"\xff"])
def test_a_damaged_entry_is_absent_and_removed(folder: Path, damage: bytes) -> None:
    Cache("kind").put("key", KNOWN)
    (folder / "key").write_bytes(damage)
    assert Cache("kind").get("key", Collected) is None
    assert not list(folder.iterdir())


def test_what_was_done_is_marked(folder: Path) -> None:
    assert not Cache("kind").has("key")
    Cache("kind").touch("key")
    assert Cache("kind").has("key")


def test_only_the_owner_reads_an_entry_and_workers_read_programs(folder: Path) -> None:
    Cache("kind").put("key", KNOWN)
    places = (folder, folder / "key", cache.programs())
    assert [stat.S_IMODE(place.stat().st_mode) for place in places] == [0o700, 0o600, 0o301]


def test_without_a_folder_nothing_is_kept_and_programs_raise(folder: Path) -> None:
    folder.parent.parent.parent.mkdir(parents=True, exist_ok=True)
    folder.parent.parent.write_text("a file in its place")
    Cache("kind").put("key", KNOWN)
    assert Cache("kind").get("key", Collected) is None
    with pytest.raises(HostError, match="XDG_CACHE_HOME"):
        cache.programs()
