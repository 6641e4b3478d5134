"""The zygote under sandlock: Landlock for files, network and signals, seccomp for the rest.

`Locked` starts this file as a script, in a supervisor process. There are two reasons: sandlock
handles system calls in threads, and it passes on only the descriptors 0, 1 and 2.

The zygote can read the interpreter, its packages, this package, the compile cache and a few device
files. It can write only to its scratch folder. `/proc` is left out on purpose: sandlock opens files
there for the child, and so the child could open sandlock's own memory.
"""

import json
import os
import platform
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/null",
    "/dev/zero",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
)
# Landlock doesn't cover a file's metadata. Root could do all of these, even in the sandbox.
DENIED = (
    "fchmod fchmodat fchmodat2 fchown fchownat utimensat setxattr lsetxattr fsetxattr "
    "removexattr lremovexattr fremovexattr clock_settime settimeofday adjtimex clock_adjtime "
    "sched_setaffinity sched_setscheduler sched_setparam sched_setattr setpriority ioprio_set "
    "memfd_create memfd_secret mlock mlock2 mlockall pidfd_open pidfd_getfd pidfd_send_signal "
    "ptrace process_vm_readv process_vm_writev kcmp perf_event_open bpf userfaultfd "
    "io_uring_setup keyctl add_key request_key mq_open fanotify_init inotify_init1 syslog "
    "fallocate linkat symlinkat mknodat"
).split()
DENIED_X86_64 = "chmod chown lchown utime utimes futimesat inotify_init link symlink mknod".split()


class Locked:
    """Starts the zygote under a supervisor. The zygote may read the folder `cache`."""

    confined = True

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache

    def start(
        self, control: socket.socket, scratch: Path, log: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        from grader.sandbox import ZYGOTE, environment, launch

        policy = {
            "command": ZYGOTE,
            "readable": readable(self._cache),
            "scratch": str(scratch),
            "environment": environment(scratch),
        }
        command = (sys.executable, "-I", "-B", __file__, json.dumps(policy))
        return launch(command, control, scratch, log)


def readable(cache: Path | None) -> list[str]:
    """Every existing path that a confined process may read."""
    package = Path(__file__).resolve().parents[1]
    paths = [*SYSTEM, sys.prefix, sys.base_prefix, sys.exec_prefix, str(package)]
    if cache is not None:
        paths.append(str(cache))
    return [path for path in dict.fromkeys(paths) if os.path.exists(path)]


def supervise(policy: dict[str, Any]) -> int:
    """Runs the command under the policy until it ends, or until the judge ends."""
    import ctypes

    import sandlock

    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
    box = sandlock.Sandbox(
        fs_readable=policy["readable"],
        fs_writable=[policy["scratch"], os.devnull],
        extra_deny_syscalls=DENIED + (DENIED_X86_64 if platform.machine() == "x86_64" else []),
        clean_env=True,
        env=policy["environment"],
        cwd=policy["scratch"],
    )
    process = box.popen(
        policy["command"],
        stdin=sandlock.StdioMode.INHERIT,
        stdout=sandlock.StdioMode.NULL,
        stderr=sandlock.StdioMode.INHERIT,
    )
    # The judge needs the control socket to close as soon as the zygote ends.
    os.close(0)
    return 0 if process.wait().success else 1


if __name__ == "__main__":
    sys.exit(supervise(json.loads(sys.argv[1])))
