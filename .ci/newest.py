"""Prints the newest Python that works here: CI's own, with the newest JAX.

It needs only Python, since nothing is installed yet when `.ci/run` asks.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("3.14", "3.13", "3.12")


def newest() -> str:
    """Its path; the one that runs this if it is none of `NAMES`."""
    for name in NAMES:
        kept = sorted(Path.home().glob(f".pyenv/versions/{name}.*/bin/python3"))
        for path in (shutil.which(f"python{name}"), *map(str, kept)):
            # pyenv's own `python3.13` may exist and refuse to run.
            if path and not subprocess.run([path, "-c", ""], capture_output=True).returncode:
                return path
    return sys.executable


if __name__ == "__main__":
    print(newest())
