"""A sandbox, its zygote, and the children that it forks: how they start and how they end.

    Host.fork(role, limits) -> Child     Host.reap(child)     Host.settle()     Host.close()
    Host.changed() -> how the zygote changed since the last call; it is replaced then

The judge trusts the zygote with pids only. The whole sandbox is replaced if the zygote ends or
changes (see `grader.engine.processes.zygote_state`), or if a child leaves a process behind.
"""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.engine.processes import zygote_state
from grader.engine.processes.usage import stat
from grader.engine.sandbox import Sandbox, launch
from grader.engine.sandbox.locked import readable
from grader.records import digests
from grader.records.cache import Cache
from grader.records.errors import HostError
from grader.records.model import XLA_THREADS_FOR_DEVICES

if TYPE_CHECKING:
    from grader.engine.processes.child import Child
    from grader.records.model import Limits

START_SECONDS = 120
ANSWER_SECONDS = 30
# A process that ends closes its descriptors first, which would look like a change.
END_SECONDS = 0.2


class Compiling(Enum):
    """How to compile. Making code faster takes up to three fifths of the time in jax 0.10, and a
    quarter in jax 0.12."""

    QUICKLY = auto()
    TO_RUN_LONG = auto()
    """Compiling takes a sixth longer; a training run is then two and a half times as fast."""
    AS_JAX_DOES = auto()
    """For races."""


# Without optimisation, XLA computes a * b + c in one step, with one rounding, at some places of a
# program and in two steps at others. A loop under `vmap` tests its condition twice in each round:
# where the two disagree, it never ends. A processor of the kind AVX always takes two steps. For
# others than x86 there is no such limit, so they get the first level of optimisation.
_LEVEL = {
    Compiling.QUICKLY: "--xla_backend_optimization_level=0 --xla_cpu_max_isa=AVX",
    Compiling.TO_RUN_LONG: "--xla_backend_optimization_level=1",
}
if platform.machine().lower() not in ("x86_64", "amd64"):
    _LEVEL[Compiling.QUICKLY] = _LEVEL[Compiling.TO_RUN_LONG]

# XLA cuts a program into up to 32 parts, to compile them side by side. Here the other cores have
# work of their own, and each part costs: with 4, a training takes a third less of a core's time in
# jax 0.10, and a seventh less in jax 0.12.
FLAGS = {
    compiling: f"{level} --xla_cpu_parallel_codegen_split_count=4 "
    "--xla_backend_extra_options=xla_cpu_disable_new_fusion_emitters"
    for compiling, level in _LEVEL.items()
}

# The bench optimizes a program of more operations on elements than this, and compiles all others
# quickly. Such a program runs for some 40 ms, or for 8 ms if it is optimized. To optimize a usual
# program takes 25 ms.
OPTIMIZE = {"flops": 1 << 24, "options": {"xla_backend_optimization_level": 1}}

# Whether XLA knows the flags. The first zygote that needs them finds out, for the whole judge; if
# there is a cache, for all judges with this version of JAX.
_accepted: dict[str, bool] = {}


class Host:
    """Forks children from one zygote, which starts on first use."""

    def __init__(self, sandbox: Sandbox, cache: Path | None = None) -> None:
        self.sandbox = sandbox
        self.cache = cache
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._zygote = 0
        self._log: Any = None
        place = sandbox.place or tempfile.gettempdir()
        _sweep(Path(place))
        self._root = Path(tempfile.mkdtemp(prefix=f"grader-{os.getpid()}-", dir=place))
        self._children: list[Child] = []
        self._dying: list[Child] = []
        self._unreaped: set[Child] = set()
        self._variables: dict[str, str] = {}
        self._at_start: zygote_state.Facts = {}
        self._change = ""
        self.modules: tuple[str, ...] = ()
        """What the zygote imports before its first fork, so that no child has to."""

    def launch(self) -> None:
        """Starts the zygote and doesn't wait for it: its imports take longest."""
        if self._process is not None:
            return
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `_stop`)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = launch(theirs, self._root, self._log)
            # Not as an argument of the command, which a submission and `ps` can read.
            ours.send(json.dumps(self.sandbox.policy(self._root)).encode())
        self._control = ours

    def start(self) -> None:
        """Waits for the zygote. Raises `HostError` with its last line if it doesn't start."""
        if self._zygote:
            return
        self.launch()
        assert self._control is not None
        self._control.settimeout(START_SECONDS)
        try:
            self._zygote = int(self._read_answer()["ready"])
        except HostError:
            self._stop()
            raise
        self._control.settimeout(ANSWER_SECONDS)
        self._at_start = self._facts()
        if self.modules:
            self._request({"do": "import", "modules": self.modules})
            before, self._at_start = self._at_start, self._facts()
            if self._at_start.get("Threads") != before.get("Threads"):
                # A child would wait for a thread that it doesn't have.
                self._stop()
                self.modules = ()
                self.start()

    def fork(
        self,
        role: str,
        limits: Limits,
        *,
        devices: int = 1,
        path: str = "",
        warm: bool = False,
        compiling: Compiling = Compiling.QUICKLY,
    ) -> Child:
        """A new child: `role` is "student", "bench" or "probe"; a `warm` one starts a backend.

        If XLA doesn't know our flags, children compile as JAX does by default.
        """
        # Not before the zygote is launched: its imports take longest.
        from grader.engine.processes.child import Child

        self.start()
        environment = self._flags(compiling)
        is_quick = compiling is Compiling.QUICKLY and bool(environment)
        if devices > 1:
            environment["NPROC"] = XLA_THREADS_FOR_DEVICES
        scratch = Path(tempfile.mkdtemp(dir=self._root))
        ours, theirs = socket.socketpair()
        output, their_output = os.pipe()
        request = {
            "do": "fork",
            "role": role,
            "path": path,
            "limits": dataclasses.asdict(limits),
            "devices": devices,
            "warm": warm,
            "scratch": str(scratch),
            "confine": self.sandbox.confined,
            "readable": readable(self.cache),
            "cache": None if self.cache is None else str(self.cache),
            "environment": environment,
            "optimize": OPTIMIZE if is_quick else None,
        }
        with theirs, open(their_output, "wb"):
            try:
                answer = self._request(request, [theirs.fileno(), their_output])
            except HostError:
                ours.close()
                os.close(output)
                raise
        child = Child(int(answer["pid"]), ours, output, scratch, limits)
        self._children.append(child)
        self._unreaped.add(child)
        return child

    def reap(self, child: Child) -> None:
        """Ends a child, without waiting for it; `settle` waits."""
        if child in self._children:
            self._children.remove(child)
            child.kill()
            child.close()
            self._dying.append(child)

    def settle(self) -> None:
        """Waits until every reaped child is gone, with everything that it started or wrote."""
        dying, self._dying = self._dying, []
        for child in dying:
            if child in self._unreaped:  # a former zygote can't be asked
                self._unreaped.remove(child)
                self._request({"do": "reap", "pid": child.pid})
        # A confined child starts no process. Without a zygote, 0 would stand for the parent of the
        # system's first processes.
        if dying and not self.sandbox.confined and self._zygote:
            self._replace_if_processes_are_left()
        for child in dying:
            _remove(child.scratch)

    def changed(self) -> str:
        """How the zygote has changed since the last call; "" if it hasn't.

        A changed zygote is ended, and the next fork starts another one.
        """
        self._replace_if_changed()
        change, self._change = self._change, ""
        return change

    def is_unchanged(self) -> bool:
        """Whether `changed` would say that nothing has changed so far."""
        self._replace_if_changed()
        return not self._change

    def close(self) -> None:
        """Ends everything and removes every file."""
        for child in list(self._children):
            self.reap(child)
        with suppress(HostError):
            self.settle()
        self._stop()
        _remove(self._root)

    def _flags(self, compiling: Compiling) -> dict[str, str]:
        flags = FLAGS.get(compiling)
        if flags is None:
            return {}
        environment = {"XLA_FLAGS": flags}
        if flags not in _accepted:
            _accepted[flags] = self._accepts(environment, flags)
        return environment if _accepted[flags] else {}

    def _accepts(self, environment: dict[str, str], flags: str) -> bool:
        # An unconfined worker can change the zygote, so its answer is for this judge only.
        known, key = Cache("flags"), digests.of(flags)
        if self.cache is not None and known.has(key):
            return True
        works = bool(self._request({"do": "try", "environment": environment})["works"])
        if self.cache is not None and works:
            known.touch(key)
        return works

    def _request(self, request: dict[str, Any], descriptors: list[int] = []) -> dict[str, Any]:  # noqa: B006
        assert self._control is not None
        try:
            socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)
        except OSError as error:
            self._stop()
            raise HostError(f"the sandbox's zygote is gone ({error}); run again") from error
        return self._read_answer()

    def _read_answer(self) -> dict[str, Any]:
        assert self._control is not None
        try:
            data = self._control.recv(1 << 16)
        except OSError:
            data = b""
        if data:
            answer = json.loads(data)
            assert isinstance(answer, dict)
            self._variables = answer["variables"]
            return answer
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        last = f": {lines[-1].strip()}" if lines else ""  # an exception, if there was one
        self._stop()
        raise HostError(f"the sandbox did not start, or its zygote ended{last}")

    def _facts(self) -> zygote_state.Facts:
        return zygote_state.facts(self._zygote, self._root, self._folders(), self._variables)

    def _folders(self) -> set[str]:
        """The names of the children's scratch folders."""
        return {child.scratch.name for child in (*self._children, *self._dying)}

    def _replace_if_changed(self) -> None:
        if not self._zygote or self._process is None:
            return
        change = zygote_state.difference(self._at_start, self._facts())
        # If it has ended, the next request says so.
        if not change or _ends(self._process, END_SECONDS):
            return
        self._change = self._change or change
        self._stop()
        for name in zygote_state.strays(self._root, self._folders()):
            _remove(self._root / name)

    def _replace_if_processes_are_left(self) -> None:
        own = {child.pid for child in self._children}
        left_over = False
        # The zygote adopts the children of a killed process: repeat until none is left.
        while left := [pid for pid in _children_of(self._zygote) if pid not in own]:
            left_over = True
            for pid in left:
                _signal(pid, signal.SIGKILL)
            self._request({"do": "adopt"})
        if left_over and not self._children:
            self._stop()

    def _stop(self) -> None:
        for pid in _children_of(self._zygote) if self._zygote else ():
            _signal(pid, signal.SIGKILL)
        if self._zygote:
            _signal(self._zygote, signal.SIGKILL)
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._log.close()
        for child in list(self._children):
            child.alive = False
            self.reap(child)
        self._unreaped.clear()
        self._process, self._control, self._zygote = None, None, 0


def _children_of(pid: int) -> Iterator[int]:
    """Pids whose parent is `pid`. Orphans count, since the zygote adopts them."""
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError):
                if int(stat(f"/proc/{entry}/stat")[1]) == pid:
                    yield int(entry)


def _ends(process: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _signal(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _sweep(place: Path) -> None:
    """Removes the files of judges that were killed."""
    for folder in place.glob("grader-*-*"):
        owner = folder.name.split("-")[1]
        mine = folder.is_dir() and not folder.is_symlink() and folder.stat().st_uid == os.getuid()
        if mine and owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            _remove(folder)


def _remove(path: Path) -> None:
    """Removes what a child left: files, links, and folders of any depth and of any mode."""
    for remove in (path.rmdir, path.unlink):  # neither follows a link, as `chmod` would
        with suppress(OSError):
            remove()
            return
    for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
        subprocess.run([*command, "--", str(path)], capture_output=True, check=False)
