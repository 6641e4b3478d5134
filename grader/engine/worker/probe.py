"""Tries to break out of the sandbox in many ways, and reports each way that was open.

The judge makes targets, and runs this in a fresh worker before it grades anything. If an attempt
returns normally, the way was open.
"""

import ctypes
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from grader.engine.wire.connection import Connection
from grader.engine.worker import raw_calls

SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock")


def serve(channel: socket.socket, request: dict[str, Any]) -> NoReturn:
    def attempt(targets: dict[str, Any]) -> dict[str, Any]:
        return {
            "ways": open_ways(targets),
            "named": [path for path in targets["secrets"] if os.path.lexists(path)],
            "means": request["means"],
        }

    Connection(channel, request).serve({"attempt": attempt})


def open_ways(targets: dict[str, Any]) -> dict[str, list[str]]:
    """The ways that were open, for each layer of the sandbox. Without any, the layer holds."""
    raw = raw_calls.ways(targets["judge"])
    return {
        layer: [name for name, way in (ways | raw[layer]).items() if _gets_through(way)]
        for layer, ways in _attempts(targets).items()
    }


def _gets_through(way: Callable[[], Any]) -> bool:
    try:
        return way() is not False
    except Exception:
        return False


def _attempts(targets: dict[str, Any]) -> dict[str, dict[str, Callable[[], Any]]]:
    judge, zygote = targets["judge"], os.getppid()
    return {
        "files": {
            **{f"read {path}": _read(path) for path in targets["secrets"]},
            "list the compile cache": _read(targets["cache"]),
            "write outside its scratch folder": lambda: Path(targets["outside"]).write_text("x"),
            "change a file's mode": lambda: os.chmod(targets["canary"], 0o600),
            "empty a file by reading it": lambda: os.open(
                targets["canary"], os.O_RDONLY | os.O_TRUNC
            ),
            "link to a file": lambda: os.link(targets["canary"], "canary"),
            "link to a path": lambda: os.symlink(targets["canary"], "link"),
            "remove a file": lambda: os.unlink(targets["canary"]),
            "make a pipe": lambda: os.mkfifo("pipe"),
            "see where the judge works": lambda: os.readlink(f"/proc/{judge}/cwd"),
            **{f"write into {folder}": _write(folder) for folder in SHARED},
        },
        "network": {
            "connect over TCP": _connect(socket.AF_INET, ("127.0.0.1", targets["port"])),
            "connect over MPTCP": _connect(socket.AF_INET, ("127.0.0.1", targets["port"]), 262),
            "connect by TCP Fast Open": lambda: socket.socket().sendto(
                b"x", 0x20000000, ("127.0.0.1", targets["port"])
            ),
            "open a port": lambda: socket.socket().listen(),
            "open an abstract socket": lambda: socket.socket(socket.AF_UNIX).bind("\0grader"),
            "connect to a local socket": _connect(socket.AF_UNIX, targets["socket"]),
            "send a UDP packet": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(
                b"x", ("127.0.0.1", targets["port"])
            ),
        },
        "processes": {
            "fork": _fork,
            "start a program": lambda: subprocess.run([sys.executable, "-c", ""], check=True),
            "signal the judge": lambda: os.kill(judge, 0),
            "signal the zygote": lambda: os.kill(zygote, 0),
            "set the judge's limits": _set_limit(judge),
            "set the zygote's limits": _set_limit(zygote),
            "move the judge to other cores": lambda: os.sched_setaffinity(
                judge, os.sched_getaffinity(judge)
            ),
        },
        "memory": {
            "open the judge's memory": lambda: open(f"/proc/{judge}/mem", "rb"),
            "open the zygote's memory": lambda: open(f"/proc/{zygote}/mem", "rb"),
            "read the judge's environment": lambda: open(f"/proc/{judge}/environ", "rb").read(1),
            "trace the zygote": _trace(zygote),
        },
        "privileges": {
            "set the clock": lambda: time.clock_settime(
                time.CLOCK_REALTIME, time.clock_gettime(time.CLOCK_REALTIME)
            ),
            "raise its priority": lambda: os.nice(-1),
            "read the judge's variables": lambda: os.environ[targets["variable"]],
        },
    }


def _read(path: str) -> Callable[[], Any]:
    return lambda: os.listdir(path) if os.path.isdir(path) else Path(path).read_bytes()


def _write(folder: str) -> Callable[[], Any]:
    def write() -> None:
        path = Path(folder, f"grader-{os.getpid()}")
        path.write_text("x")
        path.unlink()

    return write


def _connect(family: int, address: Any, protocol: int = 0) -> Callable[[], Any]:
    def connect() -> None:
        with socket.socket(family, socket.SOCK_STREAM, protocol) as client:
            client.settimeout(1)
            client.connect(address)

    return connect


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _set_limit(pid: int) -> Callable[[], Any]:
    """To what it is already."""
    limit = resource.RLIMIT_MSGQUEUE
    return lambda: resource.prlimit(pid, limit, resource.prlimit(pid, limit))


def _trace(pid: int) -> Callable[[], bool]:
    def trace() -> bool:
        libc = ctypes.CDLL(None, use_errno=True)
        seize = 0x4206  # it doesn't stop the process, and ends with this one
        return bool(libc.ptrace(seize, pid, None, None) == 0)

    return trace
