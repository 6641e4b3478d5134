"""How a zygote is confined: one Protocol, two implementations.

judge --start(control)--> zygote --(Landlock, seccomp)--> zygote --fork--> children

locked    under Landlock and seccomp. Needs Linux, but neither root nor a container
landlock  which files a process can reach
calls     the system calls that each kind of process may make, and why
seccomp   compiles that list into a filter
`Plain` is an ordinary process: for trusted code (solutions), or if an operator accepts the risk.
"""

import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Protocol

WORKER = Path(__file__).resolve().parents[1] / "worker" / "__main__.py"
# `-I`: no PYTHON* variables, no user packages, no script folder on the path.
ZYGOTE = (sys.executable, "-I", "-B", str(WORKER))


class Sandbox(Protocol):
    """A way to start a zygote."""

    @property
    def confined(self) -> bool:
        """Whether children are confined further (see `grader.worker.lockdown`)."""

    def start(
        self, control: socket.socket, scratch: Path, log: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        """Starts a zygote with `control` as its standard input. It can write only to `scratch`."""


def launch(
    command: Sequence[str], control: socket.socket, scratch: Path, log: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Starts a process in `scratch`, with `control` as its input and a clean environment."""
    return subprocess.Popen(
        command,
        stdin=control.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=log,
        env=environment(scratch),
        cwd=scratch,
    )


def environment(scratch: Path) -> dict[str, str]:
    """The whole environment of a zygote. It inherits nothing from the judge's."""
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": str(scratch),
        "TMPDIR": str(scratch),
        "JAX_PLATFORMS": "cpu",
    }


class Plain:
    """Starts the zygote without a sandbox."""

    confined = False

    def start(
        self, control: socket.socket, scratch: Path, log: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        return launch(ZYGOTE, control, scratch, log)
