"""The environments, each as a command in front of Python."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROFILE = Path("/usr/share/containers/seccomp.json")
# Docker's own profile allows these with CAP_SYS_PTRACE only; that of Podman always.
_NOT_IN_DOCKER = {"pidfd_getfd", "kcmp", "process_madvise"}
# Docker gives these to root in a container, and Podman fewer.
_DOCKER = (
    "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE NET_RAW SETFCAP "
    "SETGID SETPCAP SETUID SYS_CHROOT"
).split()
_LANDLOCK = {"landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"}
# The version of Landlock that each kernel of interest has.
KERNELS = {1: "5.15", 2: "6.1", 4: "6.8", 6: "6.12"}
_USER = 1000


@dataclass(frozen=True)
class Column:
    """One environment. `holds`: whether a sandbox has to start in it."""

    name: str
    command: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    holds: bool = True
    container: bool = False


def columns(folder: Path) -> list[Column]:
    """All environments; files that they need are written into `folder`."""
    docker, hidden = folder / "docker.json", folder / "hidden.json"
    user = _bare("setpriv", f"--reuid={_USER}", f"--regid={_USER}", "--clear-groups")
    shown = _shown(folder)
    if PROFILE.exists():
        docker.write_text(_without(_NOT_IN_DOCKER))
        hidden.write_text(_without(_NOT_IN_DOCKER | _LANDLOCK))
    older = [
        Column(
            f"Landlock {version}, as in Linux {kernel}",
            user,
            {
                "GRADER_TESTS_LANDLOCK": str(version),
                "PYTHONPATH": str(ROOT / "tests" / "environments" / "older"),
            },
        )
        for version, kernel in KERNELS.items()
    ]
    return [
        Column("bare, root", _bare()),
        Column("bare, user", user),
        _contained("Podman's rules, root", 0, shown),
        _contained("Podman's rules, user", _USER, shown),
        _contained("Docker's default rules, root", 0, shown, docker),
        _contained("Docker's default rules, user", _USER, shown, docker),
        _contained("no Landlock, root", 0, shown, hidden),
        _contained("no Landlock, user", _USER, shown, hidden, holds=False),
        *older,
    ]


def is_available(column: Column) -> bool:
    tools = ("podman", "runc") if column.container else ("setpriv", "unshare")
    has_profile = not column.container or PROFILE.exists()
    return os.geteuid() == 0 and has_profile and all(map(shutil.which, tools))


def closed() -> Path | None:
    """The folder above the interpreter that keeps other users out, such as root's home."""
    base = Path(sys.base_prefix).resolve()
    others = (folder for folder in reversed(base.parents) if not folder.stat().st_mode & 0o001)
    return next(others, None)


def _bare(*command: str) -> tuple[str, ...]:
    """With an interpreter that every user can read: in a mount namespace, if needed."""
    if (folder := closed()) is None:
        return command
    base = Path(sys.base_prefix).resolve()
    steps = (
        f"exec 9<{base}; mount -t tmpfs -o mode=755 none {folder}; mkdir -p {base}; "
        f'mount -c --bind /proc/self/fd/9 {base}; exec 9<&-; exec "$@"'
    )
    return ("unshare", "--mount", "--propagation", "private", "bash", "-c", steps, "-", *command)


def _shown(folder: Path) -> tuple[str, ...]:
    """What shows the interpreter to every user of a container, if it isn't shown already."""
    if (hiding := closed()) is None:
        return ()
    base, instead = Path(sys.base_prefix).resolve(), folder / "instead"
    instead.mkdir(mode=0o755, exist_ok=True)
    return ("-v", f"{instead}:{hiding}", "-v", f"{base}:{base}:ro")


def _contained(
    name: str, uid: int, shown: tuple[str, ...], profile: Path | None = None, *, holds: bool = True
) -> Column:
    rules: tuple[str, ...] = ()
    if profile is not None:
        given = ("--cap-drop=all", *(f"--cap-add={capability}" for capability in _DOCKER))
        rules = ("--security-opt", f"seccomp={profile}", *given)
    command = (
        *"podman --runtime runc run --rm --network=none --ulimit nofile=1024:1024".split(),
        *"--ulimit nproc=4096:4096 --log-driver=none --user".split(),
        f"{uid}:{uid}",
        *rules,
        *shown,
        "--rootfs",
        "/:O",
    )
    return Column(name, command, {}, holds, container=True)


def _without(names: set[str]) -> str:
    profile = json.loads(PROFILE.read_text())
    for rule in profile["syscalls"]:
        if rule["action"] == "SCMP_ACT_ALLOW" and not rule.get("includes"):
            rule["names"] = [name for name in rule["names"] if name not in names]
    return json.dumps(profile)
