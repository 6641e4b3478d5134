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
    user = ("setpriv", f"--reuid={_USER}", f"--regid={_USER}", "--clear-groups")
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
        Column("bare, root"),
        Column("bare, user", user),
        _contained("Podman's rules, root", 0),
        _contained("Podman's rules, user", _USER),
        _contained("Docker's default rules, root", 0, docker),
        _contained("Docker's default rules, user", _USER, docker),
        _contained("no Landlock, root", 0, hidden),
        _contained("no Landlock, user", _USER, hidden, holds=False),
        *older,
    ]


def is_available(column: Column) -> bool:
    tools = ("podman", "runc") if column.container else ("setpriv",)
    has_profile = not column.container or PROFILE.exists()
    return os.geteuid() == 0 and has_profile and all(map(shutil.which, tools))


def readable_python(folder: Path) -> Path:
    """An interpreter with these packages that every user can read: hard links, or copies."""
    base, venv = folder / "base", folder / "venv"
    library = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    _linked(Path(sys.base_prefix), base, {"site-packages", "test", "share"})
    _linked(Path(sys.prefix, "lib", library), venv / "lib" / library, set())
    (venv / "bin").mkdir()
    (venv / "bin" / "python").symlink_to(base / "bin" / library)
    (venv / "pyvenv.cfg").write_text(f"home = {base / 'bin'}\n")
    return venv / "bin" / "python"


def _linked(source: Path, target: Path, left_out: set[str]) -> None:
    def link(here: str, there: str) -> None:
        try:
            os.link(here, there)
        except OSError:
            shutil.copy2(here, there)

    shutil.copytree(
        source,
        target,
        copy_function=link,
        symlinks=True,
        ignore=lambda _, names: left_out & set(names),
    )


def _contained(name: str, uid: int, profile: Path | None = None, *, holds: bool = True) -> Column:
    rules = () if profile is None else ("--security-opt", f"seccomp={profile}")
    command = (
        *"podman --runtime runc run --rm --network=none --ulimit nofile=1024:1024".split(),
        *"--ulimit nproc=4096:4096 --log-driver=none --user".split(),
        f"{uid}:{uid}",
        *rules,
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
