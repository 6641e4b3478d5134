"""How a zygote is confined: one Protocol, two implementations.

judge --launch, policy--> zygote --(Landlock, seccomp)--> zygote --fork--> children

locked       under Landlock and seccomp. Needs Linux, but neither root nor a container
landlock     which files a process can reach
own_uid      a user id that nobody else has, where the grader runs as root
root_folder  the files that a child finds where there is no Landlock
calls        the system calls that each kind of process may make, and why
seccomp      compiles that list into a filter
`Plain` is an ordinary process: for trusted code (solutions), or if an operator accepts the risk.
"""

import socket
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, Protocol

WORKER = Path(__file__).resolve().parents[1] / "worker" / "__main__.py"
# `-I`: no PYTHON* variables, no user packages, no script folder on the path.
ZYGOTE = (sys.executable, "-I", "-B", str(WORKER))


class Sandbox(Protocol):
    """What a zygote may do."""

    @property
    def confined(self) -> bool:
        """Whether children are confined further (see `grader.engine.worker.lockdown`)."""

    @property
    def place(self) -> str | None:
        """Where the scratch folders have to be; None: where temporary files are."""

    def policy(self, scratch: Path) -> dict[str, Any] | None:
        """How the zygote confines itself, which is the first thing that it reads; None: not at all.

        It can write only to `scratch`.
        """


def launch(control: socket.socket, scratch: Path, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Starts a zygote in `scratch`, with `control` as its input and a clean environment."""
    return subprocess.Popen(
        ZYGOTE,
        stdin=control.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=log,
        # All of it: a zygote inherits nothing from the judge's.
        env={
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": str(scratch),
            "TMPDIR": str(scratch),
            "JAX_PLATFORMS": "cpu",
            # Its threads would start with the import of NumPy, and JAX has threads of its own.
            "OPENBLAS_NUM_THREADS": "1",
        },
        cwd=scratch,
    )


class Plain:
    """No sandbox."""

    confined = False
    place = None

    def policy(self, scratch: Path) -> None:
        return None
