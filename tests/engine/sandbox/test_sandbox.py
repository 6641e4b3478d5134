"""The sandbox, call by call and path by path. Everything confined runs in a forked child."""

from __future__ import annotations

import ctypes
import errno
import gc
import io
import json
import os
import platform
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.engine.processes import isolation
from grader.engine.processes.child import Child
from grader.engine.processes.clock import Budget
from grader.engine.processes.host import Host
from grader.engine.sandbox import landlock, locked, own_uid, root_folder, seccomp
from grader.engine.sandbox.calls import OWN_PID, TABLE, Call, Role, Rule
from grader.records.errors import HostError
from grader.records.model import LAYERS, Limits

# If an earlier test has imported jax in this process, it warns of each fork. No child uses jax.
pytestmark = [
    pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),
]

VERSIONS = (1, 2, 4, 6)
# Without Landlock, root has other means.
MEANS = (*VERSIONS, *([0] if not own_uid.missing() else []))
MACHINE = platform.machine()
LIBC = ctypes.CDLL(None, use_errno=True)
# These end the process, wait for ever, replace it, or work on the stack that the test stands on.
NOT_CALLED = set("exit exit_group rt_sigreturn clone fork vfork execve".split())
# These give EPERM of their own accord, for arguments that mean nothing, or to others than root.
PERMITTED_BY_RIGHT = set("setpgid setsid capset".split())
if os.geteuid() != 0:
    PERMITTED_BY_RIGHT |= {"chroot", "setgroups"}
# uretprobe and uprobe: the kernel asks no filter, and ends a process that calls them.
PROBES = {335, 336} if MACHINE == "x86_64" else set()
# Neither a descriptor, a pid, nor an address.
JUNK = -1


def confined(enter: Callable[[], None], then: Callable[[], Any]) -> Any:
    """What `then` returns, as JSON, in a forked child that called `enter` before."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        # Earlier tests may have left arrays of JAX to the collector. To free them takes threads,
        # and a forked child has none.
        gc.disable()
        signal.alarm(60)  # a child that hangs must not hang the tests
        try:
            enter()
            said = json.dumps(then())
        except BaseException as error:
            said = json.dumps(f"{type(error).__name__}: {error}")
        os.write(theirs, said.encode())
        os._exit(0)
    os.close(theirs)
    with open(ours, "rb") as file:
        said = file.read().decode()
    _, status = os.waitpid(pid, 0)
    return json.loads(said) if said else f"ended by {os.waitstatus_to_exitcode(status)}"


def filtered(role: Role, then: Callable[[], Any]) -> Any:
    def enter() -> None:
        seccomp.install(seccomp.compiled(role, os.getpid()))

    return confined(enter, then)


def called(number: int, *arguments: int) -> int:
    """0, or the number of the error of a system call."""
    longs = [ctypes.c_long(a) for a in (*arguments, *[JUNK] * (6 - len(arguments)))]
    return 0 if LIBC.syscall(ctypes.c_long(number), *longs) >= 0 else ctypes.get_errno()


def rows(role: Role) -> dict[str, Call]:
    return {c.name: c for c in TABLE if role in c.who and getattr(c, MACHINE) is not None}


def number_of(call: Call) -> int:
    number: int = getattr(call, MACHINE)
    assert number is not None
    return number


def arguments_for(rule: Rule, value: int) -> list[int]:
    arguments = [JUNK] * 6
    arguments[rule.argument] = os.getpid() if value == OWN_PID else value
    return arguments


# The table


@pytest.mark.parametrize("role", Role)
def test_a_role_has_one_row_for_a_call(role: Role) -> None:
    named = [call.name for call in TABLE if role in call.who]
    assert len(named) == len(set(named))
    for machine in ("x86_64", "aarch64"):
        numbers = [getattr(c, machine) for c in TABLE if role in c.who and getattr(c, machine)]
        assert len(numbers) == len(set(numbers))


def test_a_call_has_the_same_numbers_in_each_row() -> None:
    numbers: dict[str, set[tuple[int | None, int | None]]] = {}
    for call in TABLE:
        numbers.setdefault(call.name, set()).add((call.x86_64, call.aarch64))
    assert {name for name, found in numbers.items() if len(found) > 1} == set()


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.ZYGOTE])
def test_a_zygote_may_call_what_its_children_may(role: Role) -> None:
    assert rows(role).keys() <= rows(Role.ZYGOTE).keys()


def test_each_row_says_why() -> None:
    assert [call.name for call in TABLE if not call.why or not set(call.who) <= set("zwb")] == []


# The filter


@pytest.mark.parametrize("role", Role)
def test_what_is_not_in_the_table_is_refused(role: Role) -> None:
    known = {getattr(call, MACHINE) for call in rows(role).values()} | {435}
    others = [number for number in range(600) if number not in known | PROBES]

    def allowed() -> list[int]:
        return [number for number in others if called(number) != errno.EPERM]

    assert filtered(role, allowed) == []


@pytest.mark.parametrize("role", Role)
def test_what_is_in_the_table_is_allowed(role: Role) -> None:
    def refused() -> list[str]:
        return [
            call.name
            for call in rows(role).values()
            if not call.rules
            and call.name not in NOT_CALLED | PERMITTED_BY_RIGHT
            and called(number_of(call)) == errno.EPERM
        ]

    assert filtered(role, refused) == []


RULES = [
    pytest.param(role, call, rule, id=f"{role.name.lower()}-{call.name}-{rule.argument}")
    for role in Role
    for call in rows(role).values()
    for rule in call.rules
]


@pytest.mark.parametrize(("role", "call", "rule"), RULES)
def test_an_argument_outside_of_its_rule_is_refused(role: Role, call: Call, rule: Rule) -> None:
    bits = [1 << bit for bit in range(32)]
    near = {value ^ bit for value in rule.values for bit in bits if value != OWN_PID}
    outside = [v for v in near | set(bits) if v & rule.mask not in rule.values]

    def allowed() -> list[int]:
        # A pid of its own may be among the numbers that are tried.
        strangers = (v for v in outside if OWN_PID not in rule.values or v != os.getpid())
        return [
            value
            for value in strangers
            if called(number_of(call), *arguments_for(rule, value)) != errno.EPERM
        ]

    assert outside
    assert filtered(role, allowed) == []


@pytest.mark.parametrize("role", Role)
def test_an_argument_inside_of_its_rule_is_allowed(role: Role) -> None:
    one_rule = [c for c in rows(role).values() if len(c.rules) == 1 and c.name not in NOT_CALLED]

    def refused() -> list[tuple[str, int]]:
        return [
            (call.name, value)
            for call in one_rule
            for value in call.rules[0].values
            if called(number_of(call), *arguments_for(call.rules[0], value)) == errno.EPERM
        ]

    assert filtered(role, refused) == []


def test_a_new_process_is_refused_and_clone3_does_not_exist() -> None:
    clone = number_of(rows(Role.WORKER)["clone"])
    kinds = {"fork": 17, "vfork": 0x4111, "namespace": 0x10010D00 | 17, "memory only": 0x100 | 17}
    found = filtered(
        Role.WORKER,
        lambda: {
            **{name: called(clone, flags, 0, 0, 0, 0) for name, flags in kinds.items()},
            "clone3": called(435, 0, 0),
        },
    )
    assert found == {**dict.fromkeys(kinds, errno.EPERM), "clone3": errno.ENOSYS}


@pytest.mark.skipif(MACHINE != "x86_64", reason="only x86-64 has calls in another manner")
def test_a_call_in_the_manner_of_x32_ends_the_process() -> None:
    assert filtered(Role.WORKER, lambda: called(0x40000000 | 39)) == "ended by -31"


def test_another_processor_has_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(HostError, match="Its processor is `riscv64`; a sandbox needs x86-64"):
        seccomp.compiled(Role.WORKER, 1)


# Landlock


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A scratch folder with two folders in it, and a folder outside with a secret in it."""
    scratch, outside = tmp_path / "scratch", tmp_path / "outside"
    (scratch / "one").mkdir(parents=True)
    (scratch / "two").mkdir()
    outside.mkdir()
    (outside / "secret").write_text("a secret")
    return scratch, outside


def works(way: Callable[[], Any]) -> bool:
    try:
        way()
    except OSError:
        return False
    return True


def tried(folders: tuple[Path, Path], port: int) -> dict[str, bool]:
    scratch, outside = folders
    secret = outside / "secret"
    (scratch / "one" / "file").write_text("mine")
    parent = os.getppid()
    return {
        "read outside": works(secret.read_text),
        "list outside": works(lambda: os.listdir(outside)),
        "write outside": works(lambda: (outside / "new").write_text("x")),
        "remove outside": works(secret.unlink),
        "write a device": works(lambda: Path(os.devnull).write_text("x")),
        "read the package": works(Path(landlock.__file__).read_text),
        "write the package": works(lambda: os.open(landlock.__file__, os.O_WRONLY)),
        "write and read": works((scratch / "one" / "file").read_text),
        "make a pipe": works(lambda: os.mkfifo(scratch / "pipe")),
        "move": works(lambda: os.rename(scratch / "one" / "file", scratch / "two" / "file")),
        "connect": works(lambda: socket.create_connection(("127.0.0.1", port), 1)),
        "signal": works(lambda: os.kill(parent, 0)),
    }


def files_only(scratch: Path, known: int) -> None:
    ruleset = landlock.Ruleset(known)
    for path in locked.readable(None):
        ruleset.allow(path, landlock.READABLE)
    ruleset.allow(os.devnull, landlock.WRITABLE)
    ruleset.allow(str(scratch), landlock.WRITABLE)
    ruleset.enforce()


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.mark.parametrize("known", VERSIONS)
def test_landlock_holds_what_its_version_knows(
    folders: tuple[Path, Path], port: int, known: int
) -> None:
    found = confined(lambda: files_only(folders[0], known), lambda: tried(folders, port))
    assert found == {
        **dict.fromkeys(["read outside", "list outside", "write outside", "remove outside"], False),
        "write a device": True,
        "read the package": True,
        "write the package": False,
        "write and read": True,
        "make a pipe": False,
        "move": known >= 2,
        "connect": known < 4,
        "signal": known < 6,
    }


@pytest.mark.parametrize("known", VERSIONS)
def test_with_the_list_of_calls_every_version_holds_all(
    folders: tuple[Path, Path], port: int, known: int
) -> None:
    scratch = str(folders[0])
    found = confined(
        lambda: locked.confine(Role.WORKER, locked.readable(None), scratch, known),
        lambda: tried(folders, port),
    )
    open_ways = {name for name, worked in found.items() if worked}
    assert open_ways - {"move"} == {"write a device", "read the package", "write and read"}


@pytest.mark.parametrize("known", VERSIONS)
@pytest.mark.parametrize("mode", [os.O_RDONLY | os.O_TRUNC, 3 | os.O_TRUNC, 3])
def test_no_file_is_emptied_by_reading_it(tmp_path: Path, known: int, mode: int) -> None:
    """Below version 3 Landlock looks at the access mode only, which says nothing of `O_TRUNC`."""
    scratch, file = tmp_path / "scratch", tmp_path / "readable"
    scratch.mkdir()
    file.write_text("kept")
    readable = {**locked.readable(None), str(file): landlock.READABLE}
    found = confined(
        lambda: locked.confine(Role.WORKER, readable, str(scratch), known),
        lambda: works(lambda: os.open(file, mode)),
    )
    assert (found, file.read_text()) == (False, "kept")


def test_the_course_of_a_wheel_is_closed_and_all_around_it_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages, scratch = tmp_path / "packages", tmp_path / "scratch"
    hidden = packages / "grader" / "_course"
    hidden.mkdir(parents=True)
    scratch.mkdir()
    for file in (packages / "other.py", packages / "grader" / "own.py", hidden / "why.md"):
        file.write_text("text")
    (packages / "around").symlink_to(".")
    (packages / "into").symlink_to("grader/_course")
    monkeypatch.setattr(locked, "_COURSE", hidden)
    monkeypatch.setattr(locked, "_installed", lambda: [*locked.SYSTEM, sys.prefix, str(packages)])
    found = confined(
        lambda: locked.confine(Role.WORKER, locked.readable(None), str(scratch), VERSIONS[-1]),
        lambda: (
            {
                name: works((packages / name).read_text)
                for name in (
                    "other.py",
                    "grader/own.py",
                    "around/grader/own.py",
                    "grader/_course/why.md",
                    "around/grader/_course/why.md",
                    "into/why.md",
                )
            }
            | {"list": works(lambda: os.listdir(packages))}
        ),
    )
    assert [name for name, works in found.items() if not works] == [
        "grader/_course/why.md",
        "around/grader/_course/why.md",
        "into/why.md",
    ]


def test_without_the_list_of_calls_a_file_would_be_emptied(tmp_path: Path) -> None:
    """The counterpart: the rule is needed."""
    (tmp_path / "scratch").mkdir()
    file = tmp_path / "readable"
    file.write_text("lost")

    def enter() -> None:
        ruleset = landlock.Ruleset(1)
        ruleset.allow(str(file), landlock.READABLE)
        ruleset.enforce()

    confined(enter, lambda: works(lambda: os.open(file, os.O_RDONLY | os.O_TRUNC)))
    assert file.read_text() == ""


def test_without_landlock_nothing_is_confined() -> None:
    with pytest.raises(HostError):
        landlock.Ruleset(0)


# The whole of it


@pytest.fixture(scope="module")
def cache() -> Iterator[Path]:
    """A compile cache as the judge makes it, in folders that others may enter."""
    with tempfile.TemporaryDirectory(prefix="sandbox-") as folder:
        os.chmod(folder, 0o755)
        (Path(folder) / "xla").mkdir(mode=0o301)
        yield Path(folder) / "xla"


@pytest.mark.slow
@pytest.mark.parametrize("known", MEANS)
def test_no_way_out_is_open_with_any_version(known: int, cache: Path) -> None:
    host = Host(locked.Locked(cache, known), cache)
    try:
        assert isolation.probed(host, ())["ways"] == {layer: [] for layer in LAYERS}
    finally:
        host.close()


WORK = """
import threading, os, tempfile, traceback
import jax, jax.export, numpy as np
import jax.numpy as jnp

def jit():
    return jax.jit(lambda x: x * 2)(3.0)

def vmap_of_grad():
    return jax.vmap(jax.grad(lambda x: x ** 2))(jnp.arange(3.0)).sum()

def random_numbers():
    return jax.random.normal(jax.random.key(0), (4,)).shape[0]

def svd():
    return jnp.linalg.svd(jnp.eye(3))[1].sum()

def eigh():
    return jnp.linalg.eigh(jnp.eye(3))[0].sum()

def inverse():
    return jnp.linalg.inv(2 * jnp.eye(2)).sum()

def pmap():
    return jax.pmap(lambda x: jax.lax.psum(x, "i"), axis_name="i")(jnp.arange(8.0))[0]

def export():
    exported = jax.export.export(jax.jit(jnp.sin))(jnp.zeros(3)).serialize()
    return jax.export.deserialize(exported).call(jnp.zeros(3)).sum()

def scan():
    return jax.lax.scan(lambda c, x: (c + x, c), 0.0, jnp.arange(5.0))[0]

def debug_print():
    jax.debug.print("seen {}", 1)
    jax.effects_barrier()
    return 1

def thread():
    found = []
    worker = threading.Thread(target=lambda: found.append(1))
    worker.start()
    worker.join()
    return len(found)

def scratch_files():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "numbers.npy")
        np.save(path, np.arange(3))
        os.rename(path, path + ".new.npy")
        return int(np.load(path + ".new.npy").sum())

def traceback_of_its_own():
    try:
        raise ValueError("mine")
    except ValueError:
        return len(traceback.format_exc()) > 0

def sleep():
    import time
    time.sleep(0.01)
    return time.process_time() >= 0

def late_imports():
    import fractions, sqlite3, statistics, scipy.optimize
    return int(statistics.mean([1, 3]))
"""
NAMES = [line[4:].split("(")[0] for line in WORK.splitlines() if line.startswith("def ")]


def question(target: str) -> dict[str, Any]:
    return {"target": target, "stack": [], "args": [], "kwargs": {}}


@pytest.fixture(scope="module", params=[MEANS[-1], 1, landlock.NEWEST])
def worker(request: pytest.FixtureRequest, cache: Path) -> Iterator[Child]:
    host = Host(locked.Locked(cache, request.param), cache)
    try:
        child = host.fork("student", Limits(), devices=8)
        loaded = child.ask("load", {"source": WORK, "path": "work.py"}, (Budget(600.0),))
        assert loaded.kind == "ok", loaded.value
        yield child
        host.reap(child)
    finally:
        host.close()


@pytest.mark.parametrize("name", NAMES)
def test_honest_work_works_inside(worker: Child, name: str) -> None:
    answer = worker.ask("call", question(name), (Budget(600.0),))
    assert answer.kind == "ok", answer.value
    assert b"denied" not in worker.printed and b"not permitted" not in worker.printed


# A uid and a root folder of its own

ROOT = pytest.mark.skipif(bool(own_uid.missing()), reason="no right to change the uid")


def who(host: Host) -> dict[str, Any]:
    source = (
        "import os\n"
        "def who():\n"
        "    owner, others = os.stat('.').st_uid, os.path.exists('/etc/passwd')\n"
        "    return [os.getuid(), os.getgid(), owner, others]\n"
    )
    child = host.fork("student", Limits())
    child.ask("load", {"source": source, "path": "w.py"}, (Budget(600.0),))
    uid, gid, owner, passwd = child.ask("call", question("who"), (Budget(600.0),)).value
    found = {"pid": child.pid, "uid": uid, "gid": gid, "owner": owner, "passwd": passwd}
    host.reap(child)
    return found


@ROOT
def test_without_landlock_a_child_has_its_own_uid_and_sees_no_file_but_packages(
    cache: Path,
) -> None:
    host = Host(locked.Locked(cache, 0), cache)
    try:
        found = who(host)
    finally:
        host.close()
    own = own_uid.FIRST + found["pid"]
    assert (found["uid"], found["gid"], found["owner"]) == (own, own, own)
    assert found["passwd"] is False


@ROOT
def test_with_landlock_a_child_has_its_own_uid_where_others_may_read_the_packages(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(locked.Locked(cache), cache)
    try:
        found = who(host)
    finally:
        host.close()
    own = own_uid.FIRST + found["pid"]
    assert found["uid"] == (0 if own_uid.unreachable(locked._installed()) else own)


@ROOT
def test_a_uid_cannot_read_a_folder_of_its_owner(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:  # nobody else may enter it
        inside = Path(folder) / "inside"
        inside.mkdir(mode=0o755)
        assert own_uid.unreachable(["/", str(inside)]) == str(inside)


@ROOT
def test_a_child_has_no_uid_of_anybody_else() -> None:
    """Files, signals, limits: what the kernel refuses to other users needs no filter."""
    test = os.getpid()

    def enter() -> None:
        os.chdir("/")
        own_uid.take(tempfile.mkdtemp(), None)

    ways = {
        "signal": lambda: os.kill(test, 0),
        "limit": lambda: resource.prlimit(test, resource.RLIMIT_NOFILE),
        "memory": lambda: os.close(os.open(f"/proc/{test}/mem", os.O_RDONLY)),
        "go back": lambda: os.setuid(0),
    }
    found = confined(enter, lambda: {name: works(way) for name, way in ways.items()})
    assert found == dict.fromkeys(ways, False)


def test_without_landlock_and_root_no_sandbox_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_uid, "missing", lambda: "the grader doesn't run as root")
    with pytest.raises(HostError, match=r"needs root, .* but the grader doesn't run as root\."):
        Host(locked.Locked(known=0))


@pytest.mark.parametrize(
    ("status", "uids", "said"),
    [
        ("CapEff:\t00000000800405fb", "0 0 4294967295", ""),
        ("CapEff:\t00000000800005fb", "0 0 4294967295", "this container takes CAP_SYS_CHROOT"),
        ("CapEff:\t00000000800405fb", "0 1000 1\n1 100000 65536", "this container maps too few"),
    ],
)
def test_a_container_may_have_taken_the_rights_of_root(
    status: str, uids: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"/proc/self/status": status, "/proc/self/uid_map": uids}
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(own_uid, "open", lambda path, **_: io.StringIO(texts[path]), raising=False)
    assert own_uid.missing().startswith(said) and bool(own_uid.missing()) == bool(said)


def test_a_root_folder_is_made_anew_when_packages_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages, cache = tmp_path / "packages", tmp_path / "cache"
    (packages / "one").mkdir(parents=True)
    (packages / "one" / "__init__.py").write_text("kept = 1")
    (packages / "one" / "private.py").write_text("")
    (packages / "one" / "private.py").chmod(0o600)
    monkeypatch.setattr(root_folder, "_folders", lambda: [packages])
    monkeypatch.setattr(root_folder, "_DEVICES", {})
    first = root_folder.prepare(cache)
    assert root_folder.prepare(cache) == first
    inside = first / packages.relative_to("/") / "one"
    assert (inside / "__init__.py").read_text() == "kept = 1"
    assert (inside / "private.py").stat().st_mode & 0o777 == 0o644
    assert (first / first.relative_to("/")).readlink() == Path("/")
    (packages / "two").mkdir()
    second = root_folder.prepare(cache)
    assert (second != first, first.exists()) == (True, False)


PROCESSES = """
import os, subprocess, sys

def run():
    done = subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True)
    return int(done.stdout)

def signal_parent():
    os.kill(os.getppid(), 0)
    return 0
"""


def test_a_submission_starts_no_process_and_signals_none() -> None:
    host = Host(locked.Locked())
    try:
        child = host.fork("student", Limits())
        child.ask("load", {"source": PROCESSES, "path": "p.py"}, (Budget(600.0),))
        for name in ("run", "signal_parent"):
            assert child.ask("call", question(name), (Budget(600.0),)).kind == "raised"
        host.reap(child)
    finally:
        host.close()


def test_a_zygote_has_no_thread_before_landlock() -> None:
    """Landlock confines a thread and what it starts, not the threads beside it."""
    script = (
        "import os, grader.engine.worker.zygote, grader.engine.worker.lockdown\n"
        "print(len(os.listdir('/proc/self/task')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout == "1\n", done.stderr
