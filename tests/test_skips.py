"""A test that is skipped where nobody expects it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(("expected", "said"), [("", "1 skipped"), ("no disk", "1 skipped")])
def test_a_skip_is_only_a_skip_where_it_is_expected(
    expected: str, said: str, tmp_path: Path
) -> None:
    assert said in ran(tmp_path, expected)


def test_any_other_skip_fails(tmp_path: Path) -> None:
    assert "1 failed" in ran(tmp_path, "no browser")


def ran(folder: Path, expected: str) -> str:
    (folder / "test_x.py").write_text(
        "import pytest\n\ndef test_x():\n    pytest.skip('no disk here')\n"
    )
    plugins = ("-p", "tests.conftest", "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, "-c", os.devnull, str(folder)],
        cwd=ROOT,
        env={**os.environ, "GRADER_SKIPS": expected},
        capture_output=True,
        text=True,
    )
    return done.stdout
