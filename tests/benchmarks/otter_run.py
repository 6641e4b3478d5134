"""otter-grader's local run over the same suites: `otter run`, where the package is installed.

Otter grades one script or notebook of a student, in a kernel, with tests in its own format. Here
the script says where the student's files are. There is one test for each exercise, which runs the
exercise's suite in the kernel as `naive.py` does. So the assertions are the same, and again the
student's modules are imported beside the tests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_TEST = """
import pytest
from otter.test_files import test_case

OK_FORMAT = False
name = {name!r}
points = 1


@test_case()
def test_it(env):
    options = ["-q", "-p", "tests.benchmarks.naive", "-p", "no:cacheprovider"]
    assert pytest.main([*options, "--submitted", env["handed_in"], {suite!r}]) == 0
"""


def pack(suites: Iterable[Path], archive: Path) -> None:
    """Writes the zip that `otter run` takes: one test for each suite."""
    with zipfile.ZipFile(archive, "w") as zipped:
        for suite in suites:
            name = suite.stem.removeprefix("test_")
            zipped.writestr(f"tests/{name}.py", _TEST.format(name=name, suite=str(suite)))


def run(student: Path, archive: Path, environment: Mapping[str, str]) -> list[str]:
    """Grades the folder of one student; returns the exercises without full points."""
    with tempfile.TemporaryDirectory() as out:
        script = Path(out) / "homework.py"
        script.write_text(f"handed_in = {str(student)!r}\n")
        command = [sys.executable, "-m", "otter", "run", "--no-logo", "-a", str(archive)]
        done = subprocess.run(
            [*command, "-o", out, str(script)],
            env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        results = Path(out) / "results.json"
        if done.returncode or not results.exists():
            sys.exit(f"otter could not run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        tests = json.loads(results.read_text())["tests"]
        return [test["name"] for test in tests if test.get("score") != test.get("max_score")]
