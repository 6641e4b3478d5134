"""Prints `GRADER_SKIPS`: why a test may be skipped on this machine. Every other skip fails.

It needs only Python, since the first tests run before anything else is installed.
"""

from __future__ import annotations

import os
import shutil

ROOT_USER = hasattr(os, "getuid") and os.getuid() == 0
REASONS = {
    "no foreign platforms": os.environ.get("GRADER_FOREIGN_PYTHON"),
    "no Chromium": shutil.which("chromedriver") or os.environ.get("CHROMEWEBDRIVER"),
    "no right to mount": ROOT_USER,
    "no right to change the uid": ROOT_USER,
    "no strace": shutil.which("strace"),
    # The README's test command doesn't install them. The session `course` needs them.
    "packages are missing": None,
    "the program .openssl.": shutil.which("openssl"),
}


def allowed() -> str:
    """A regular expression."""
    return "|".join(("none", *(reason for reason, is_here in REASONS.items() if not is_here)))


if __name__ == "__main__":
    print(allowed())
