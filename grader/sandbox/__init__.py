"""How a zygote is confined: one Protocol, a locked and a plain implementation.

    judge --start(control)--> supervisor --(Landlock, seccomp)--> zygote --fork--> children

`Locked` needs Linux with Landlock and seccomp, neither root nor a container. `Plain` is an
ordinary process: for code that is trusted (solutions), or where an operator accepts it.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from typing import IO, Protocol

WORKER = Path(__file__).resolve().parents[1] / "worker" / "__main__.py"
# `-I`: no PYTHON* variables, no user site, no script folder on the path.
ZYGOTE = (sys.executable, "-I", "-B", str(WORKER))


class Sandbox(Protocol):
    """A way to start a zygote."""

    @property
    def confined(self) -> bool:
        """Whether children add layers of their own (see `grader.worker.lockdown`)."""

    def start(
        self, control: socket.socket, scratch: Path, log: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        """Starts a zygote with `control` as its standard input; `scratch` is all it can write."""


def environment(scratch: Path) -> dict[str, str]:
    """The whole environment of a zygote: nothing of the judge's is inherited."""
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "JAX_PLATFORMS": "cpu",
    }
