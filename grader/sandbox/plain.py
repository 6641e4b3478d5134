"""No confinement: an ordinary process with a clean environment. For trusted code only."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path
from typing import IO

from grader.sandbox import ZYGOTE, environment


class Plain:
    """Starts the zygote as it is."""

    confined = False

    def start(
        self, control: socket.socket, scratch: Path, log: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ZYGOTE,
            stdin=control.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=log,
            env=environment(scratch),
            cwd=scratch,
        )
