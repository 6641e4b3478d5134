"""A digest changes with each part, and one module of the grader makes all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.records import digests
from grader.teacher.result_keys import JUDGING

PACKAGE = Path(digests.__file__).parents[1]
# It runs in a worker, which holds nothing that it doesn't need.
OTHERS = {"engine/worker/lowered.py"}


def test_one_module_hashes() -> None:
    hashing = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "import hashlib" in path.read_text(encoding="utf-8")
    }
    assert hashing - OTHERS == {"records/digests.py"}


@pytest.mark.parametrize(
    ("parts", "others"),
    [
        (("ab", "c"), ("a", "bc")),
        (("a",), ("a", "")),
        ((["a", 1],), (["a", 2],)),
        ((None,), (False,)),
        (("\udc80",), ("?",)),
    ],
)
def test_each_part_decides(parts: tuple[object, ...], others: tuple[object, ...]) -> None:
    assert digests.of(*parts) != digests.of(*others)


def test_equal_parts_have_equal_digests() -> None:
    assert digests.of("a", {"x": 1, "y": 2}) == digests.of(b"a", {"y": 2, "x": 1})


def test_names_and_contents_of_files_decide(tmp_path: Path) -> None:
    first, second, absent = (tmp_path / name for name in ("a", "b", "c"))
    first.write_text("1")
    second.write_text("1")
    assert digests.of_files([first]) != digests.of_files([second])
    assert digests.of_files([first, second]) == digests.of_files([second, first, absent])
    before = digests.of_files([first])
    first.write_text("2")
    assert digests.of_files([first]) != before


@pytest.mark.parametrize("module", ["grader.author.verify", "grader.author.strength"])
def test_a_proof_does_not_depend_on_reports_and_screens(module: str) -> None:
    paths = digests.code(PACKAGE, *JUDGING, module)
    names = {path.relative_to(PACKAGE).as_posix() for path in paths}
    assert {"author/claims.py", "engine/executors/client.py", "engine/race/races.py"} <= names
    packages = {name.partition("/")[0] for name in names}
    assert not packages & {"output", "commands", "delivery", "cli.py"}
