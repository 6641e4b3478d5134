"""The zygote: a process that has imported jax and started no backend, so that it can fork.

    judge --policy--> zygote, which confines itself before it imports anything large
    judge --fork + two descriptors--> zygote --fork--> child (student, bench or probe)
    judge --reap + pid-------------> zygote, which ends the child
    judge --import + modules-------> zygote, before it forks
    judge --try + environment------> zygote --whether a backend starts in it--> judge

A fork takes 3 ms and saves the import, but it hangs if a backend has started. The control socket
keeps message boundaries (SOCK_SEQPACKET). No child ever holds it.
"""

import contextlib
import ctypes
import gc
import importlib
import importlib.metadata
import importlib.util
import json
import os
import signal
import socket
import sys
import warnings
from collections.abc import Iterable
from typing import Any, NoReturn

MAX_REQUEST = 1 << 16
# JAX would import these at the first operation, program or check of keys, which takes 0.5 s.
LAZILY_IMPORTED = (
    "jaxlib.mlir.dialects.builtin",
    "jaxlib.mlir.dialects.mhlo",
    "jax.experimental.key_reuse",
    "jax.experimental.multihost_utils",
    "scipy.linalg.cython_lapack",
)
# They need libraries of the system, which a child in a root folder doesn't find.
NEED_LIBRARIES = ("bz2", "lzma", "pyexpat", "sqlite3", "ssl")
_PR_SET_CHILD_SUBREAPER = 36


def main() -> NoReturn:
    """Serves the control socket until the judge closes it, confined if there is a policy."""
    from grader.engine.worker import lockdown

    control = socket.socket(fileno=os.dup(0))
    # The zygote becomes the parent of a dead child's processes, so that the judge can find them.
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    data = control.recv(MAX_REQUEST)
    if not data:
        os._exit(0)
    policy, means = json.loads(data), None
    if policy is not None:
        lockdown.die_with_parent()
        # Before the imports: they may start threads, which Landlock would miss.
        means = lockdown.enter_zygote(policy)
    _import_everything(NEED_LIBRARIES if means and means["root"] else ())
    _answer(control, {"ready": os.getpid()})
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, MAX_REQUEST, 2)
        if not data:
            os._exit(0)
        answer: dict[str, Any] = {}
        match request := json.loads(data):
            case {"do": "fork"}:
                answer = {"pid": _fork(request | {"means": means}, descriptors, control)}
            case {"do": "reap", "pid": pid}:
                _reap(pid)
            case {"do": "import", "modules": modules}:
                _import(modules)
            case {"do": "try", "environment": environment}:
                answer = {"works": _starts_a_backend(environment, control)}
            case _:
                _adopt()
        _answer(control, answer)


def _answer(control: socket.socket, answer: dict[str, Any]) -> None:
    """With the environment, which children inherit and the judge can't see."""
    control.send(json.dumps(answer | {"variables": dict(os.environ)}).encode())


def _import_everything(more: tuple[str, ...] = ()) -> None:
    gc.disable()  # nothing of what is imported is garbage
    import cloudpickle  # noqa: F401

    from grader.engine.bench import bench  # noqa: F401
    from grader.engine.worker import lowered, probe, student  # noqa: F401

    lowered.share_contexts()
    lowered.prepare()
    _look_for_plugins()
    warnings.filterwarnings("ignore", message=r"os\.fork\(\) was called", category=RuntimeWarning)
    # JAX makes many objects that live as long as the process. By default every 700 are looked at.
    gc.set_threshold(20_000)
    _import(LAZILY_IMPORTED + more)


def _import(modules: Iterable[str]) -> None:
    """Imports those that exist, for all children. The others are left out."""
    gc.disable()
    for name in modules:
        # A module may raise anything. Who needs it imports it again, and sees the error.
        with contextlib.suppress(Exception, SystemExit):
            importlib.import_module(name)
    _end_threads()
    # Children share these pages. A garbage collection in a child would copy all of them.
    gc.freeze()
    gc.enable()


def _end_threads() -> None:
    """Forks once. Libraries (OpenBLAS) then end the threads that they started at their import.

    So no later fork changes the zygote, and the judge can compare it with what it was.
    """
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _look_for_plugins() -> None:
    """Lets JAX find out once, not in each child, that no plugin for a device is installed.

    For that JAX reads the metadata of every package. The call below raises, since a CPU has no
    topology. If there is a plugin, each child that needs it loads it.
    """
    has_plugins = importlib.util.find_spec("jax_plugins") is not None
    if has_plugins or importlib.metadata.entry_points(group="jax_plugins"):
        return
    # If JAX forgot the result, each child would only lose time. A test checks that it doesn't.
    with contextlib.suppress(Exception):
        from jax.experimental import topologies

        topologies.get_topology_desc(platform="cpu")


def _fork(request: dict[str, Any], descriptors: list[int], control: socket.socket) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            control.close()
            _become(request, *descriptors)
        except BaseException as error:
            os.write(2, f"worker could not start: {error!r}\n".encode())
        finally:
            os._exit(70)
    for descriptor in descriptors:
        os.close(descriptor)
    return pid


def _become(request: dict[str, Any], channel: int, output: int) -> None:
    from grader.engine.bench import bench
    from grader.engine.worker import lockdown, probe, student

    os.setpgid(0, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.environ.update(request["environment"])
    scratch = request["scratch"]
    os.environ.update(HOME=scratch, TMPDIR=scratch)
    os.chdir(scratch)
    # A confined child can make no socket, not even of a descriptor that is one.
    asked = socket.socket(fileno=channel)
    lockdown.enter(request, request["means"])
    lockdown.configure_jax(request)
    serve = {"student": student.serve, "bench": bench.serve, "probe": probe.serve}
    serve[request["role"]](asked, request)


def _reap(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError):
            kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def _starts_a_backend(environment: dict[str, str], control: socket.socket) -> bool:
    """Whether XLA accepts an environment. XLA ends the process if it doesn't know a flag."""
    pid = os.fork()
    if pid == 0:
        try:
            import jax

            control.close()
            os.environ.update(environment)
            jax.numpy.zeros(()).block_until_ready()
            os._exit(0)
        finally:
            os._exit(70)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) == 0


def _adopt() -> None:
    """Collects the exit status of every orphan that has ended, so that no zombie stays."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
