"""Files are written whole, and secrets can be opened by their owner only."""

from __future__ import annotations

import dataclasses
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.delivery import formats
from grader.delivery.gradescope_bundle import build
from grader.engine.race.races import Verdicts
from grader.output.reports import results
from grader.records import cache, files
from grader.records.model import Outcome, Race
from grader.teacher import decisions
from grader.teacher.decisions import Decision
from grader.teacher.store import LOCK, NAME, Store
from tests.class_for_reports import HOSTILE
from tests.conftest import CourseMaker
from tests.output.reports.test_formats import every_outcome


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """What the permissions of new files lack."""
    before = os.umask(request.param)
    try:
        yield request.param
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def modes(folder: Path) -> dict[str, int]:
    return {path.name: mode(path) for path in folder.iterdir()}


def test_a_secret_is_its_owners_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    assert mode(files.write(tmp_path / "secret", "x", secret=True)) == 0o600
    assert mode(files.write(tmp_path / "public", "x")) == 0o666 & ~umask
    files.make_private(tmp_path / "made")
    assert mode(tmp_path / "made") == 0o600
    assert mode(files.make_private_folder(tmp_path / "folder")) == 0o700


def test_what_others_could_read_is_taken_from_them(tmp_path: Path) -> None:
    for name in ("written", "kept"):
        (tmp_path / name).write_text("old")
        (tmp_path / name).chmod(0o666)
    files.write(tmp_path / "written", "new", secret=True)
    files.make_private(tmp_path / "kept")
    assert modes(tmp_path) == {"written": 0o600, "kept": 0o600}
    assert (tmp_path / "kept").read_text() == "old"
    (tmp_path / "folder").mkdir(mode=0o755)
    assert mode(files.make_private_folder(tmp_path / "folder")) == 0o700


def test_a_store_is_its_owners_and_so_is_all_that_sqlite_keeps_beside_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Store(tmp_path) as store:
            store._db.execute("PRAGMA journal_mode=WAL")
            store.remember("seed", "7")
            kept = modes(tmp_path)
    finally:
        os.umask(before)
    assert kept.pop(LOCK) & 0o111 == 0
    assert kept == dict.fromkeys((NAME, f"{NAME}-wal", f"{NAME}-shm"), 0o600)


def test_a_store_that_others_could_read_is_taken_from_them(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / NAME)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("CREATE TABLE mine (x)")
    for path in tmp_path.iterdir():
        path.chmod(0o644)
    assert len(modes(tmp_path)) == 3
    with Store(tmp_path):
        assert set(modes(tmp_path).values()) == {0o600, mode(tmp_path / LOCK)}
        assert mode(tmp_path / f"{NAME}-wal") == 0o600
    database.close()


def test_what_is_of_a_class_is_private_and_what_one_student_gets_is_not(
    make_course: CourseMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    before = os.umask(0o022)
    try:
        run, out = every_outcome(), tmp_path / "out"
        written = results.write(run, out)
        pages = formats.write_feedback(run, out)
        written += [
            path
            for name in formats.FORMATS
            if name != "gradescope"
            and (path := formats.target(f"{name}={out}/{name}").deliver(run))
        ]
        one = dataclasses.replace(run, submissions=run.submissions[:1])
        of_one = formats.target(f"gradescope={out}/gradescope").deliver(one)
        ill = Decision("ada", "excuse", True, "Ill.", "Me", "2026-01-01")
        written.append(decisions.add(out, ill))
        course = make_course(tmp_path / "course")
        bundle = build(course, course.exercises, out, minutes=5, isolation="required")
        verdicts = Verdicts(["x"])
        verdicts.keep("f", Race("f", 2.0, False, Outcome.PASSED, 3.0, 2.0, 4.0, ()))
    finally:
        os.umask(before)
    assert of_one is not None
    assert {mode(path) for path in (of_one, *pages)} == {0o644}
    kept = cache.folder() / "verdicts"
    assert mode(kept) == 0o700
    assert {mode(path) for path in (*written, bundle, *kept.iterdir())} == {0o600}


def test_names_of_files_are_safe_and_unlike_each_other() -> None:
    names = [
        *HOSTILE,
        "a",
        "A",
        "a.zip",
        "a/b",
        "a_b",
        "x",
        "x",
        "index",
        "CON",
        ".",
        "..",
        "\u00e9",
    ]
    made = files.file_names(names)
    assert len({name.lower() for name in made}) == len(names)
    for name in made:
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,80}", name)
    assert made[len(HOSTILE)] == "a"
    assert not {"index", "con"} & {name.lower() for name in made}
    assert files.file_names(names) == made
