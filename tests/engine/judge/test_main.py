"""The program of a judge, before it is asked anything."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import grader
from grader.records import digests

PACKAGE = Path(grader.__file__).parent


def test_it_writes_the_bytecode_that_a_confined_zygote_can_not_write(tmp_path: Path) -> None:
    """A worker and a bench import it. Without it, each zygote compiles all of it anew."""
    left_out = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    subprocess.run(
        [sys.executable, "-P", "-m", "grader.engine.judge"],
        stdin=subprocess.DEVNULL,
        env=environment | {"PYTHONPYCACHEPREFIX": str(tmp_path), "JAX_PLATFORMS": "cpu"},
        check=True,
    )
    imported = digests.code(PACKAGE, "grader.engine.worker.__main__")
    assert PACKAGE / "engine" / "bench" / "facts.py" in imported
    suffix = f".{sys.implementation.cache_tag}.pyc"
    written = {path: tmp_path.joinpath(*path.parts[1:]).with_suffix(suffix) for path in imported}
    assert [path for path, bytecode in written.items() if not bytecode.is_file()] == []
