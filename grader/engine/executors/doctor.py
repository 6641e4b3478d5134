"""What this machine can isolate: a judge tries to break each layer from inside a sandbox.

examine(course) -> Examination: where this is, each layer with what carries it, what to do
"""

import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from grader.course.course import Course
from grader.engine.executors.client import JudgeClient
from grader.engine.sandbox import landlock, own_uid, seccomp
from grader.records.errors import HostError
from grader.records.model import LAYERS

MACHINE = "machine"
GUIDE = '"What to do where a layer is missing" in `docs/environments.md`'
_FILES = (
    "Move the course out of `/usr` and out of the folders of Python and its packages: a submission "
    "may read these. If the line names no course file, report it as a hole."
)
_REPORT = "Don't grade other people's work here, and report this as a hole (`.github/SECURITY.md`)."


@dataclass(frozen=True)
class LayerFound:
    """One layer of isolation. It holds if no way was open."""

    name: str  #: one of `files`, `network`, `processes`, `memory`, `privileges`
    open: tuple[str, ...]  #: what a worker could do; empty if the layer holds
    carried_by: tuple[str, ...]  #: what holds it, such as `Landlock 4`, `seccomp`, `uid`
    advice: str  #: what to do; "" if it holds


@dataclass(frozen=True)
class Examination:
    """What `grader doctor` found."""

    kernel: str  #: its name and version
    processor: str  #: such as `x86_64`
    place: str  #: `machine`, or the kind of container
    user: str  #: `root` or `user`
    landlock: int  #: the kernel's version of Landlock; 0 without
    uid: str  #: why workers have no uid of their own; "" if they have one
    error: str  #: why no sandbox starts; "" if one does
    advice: str  #: what to do about that
    layers: tuple[LayerFound, ...] = field(default=())  #: all five; empty if no sandbox starts
    named: tuple[str, ...] = ()  #: hidden files of the course whose existence a worker can see
    schema: Literal[1] = 1  #: the version of this format

    @property
    def holds(self) -> bool:
        return bool(self.layers) and not any(layer.open for layer in self.layers)


def examine(course: Course) -> Examination:
    """Tries everything. A machine without any sandbox is a finding, too, not an error."""
    with JudgeClient() as judge:
        try:
            probe = judge.examine(course.stubs)
        except HostError as error:
            return _nothing_starts(str(error))
    means = probe["means"]
    layers = tuple(_layer(name, tuple(probe["ways"][name]), means) for name in LAYERS)
    return _examination(layers=layers, named=tuple(probe["named"]), uid=means["no_uid"])


def place(environment: Mapping[str, str] = os.environ, top: Path = Path("/")) -> str:
    """The kind of container in which this process runs, from the most to the least particular."""
    signs = {
        "Codespaces": "CODESPACES" in environment,
        "Gradescope": (top / "autograder").is_dir(),
        "Kubernetes": "KUBERNETES_SERVICE_HOST" in environment,
        "Podman": (top / "run" / ".containerenv").exists(),
        "Docker": (top / ".dockerenv").exists(),
    }
    return next((name for name, is_here in signs.items() if is_here), MACHINE)


def _where_to_read() -> str:
    return f"{GUIDE} says what to do: see the row `{place()}`."


def _nothing_starts(error: str) -> Examination:
    if sys.platform != "linux":
        error = f"It runs {platform.system()}; grading needs Linux. `grader check` also works here."
        return _examination(error=error, advice="Use a machine or a virtual machine with Linux.")
    uid = own_uid.missing()
    if lacking := seccomp.missing():
        return _examination(error=lacking, advice=_where_to_read(), uid=uid)
    if lacking := landlock.missing():
        error = f"{lacking} As root, it would work without it, but {uid}." if uid else lacking
        return _examination(error=error, advice=_where_to_read(), uid=uid)
    return _examination(error=error, advice=_REPORT, uid=uid)


def _examination(uid: str = "", error: str = "", advice: str = "", **found: Any) -> Examination:
    is_linux = sys.platform == "linux"
    return Examination(
        kernel=f"{platform.system()} {platform.release()}",
        processor=platform.machine(),
        place=place(),
        user="root" if is_linux and os.geteuid() == 0 else "user",
        landlock=landlock.version() if is_linux else 0,
        uid=uid,
        error=error,
        advice=advice,
        **found,
    )


def _layer(name: str, ways: tuple[str, ...], means: dict[str, Any]) -> LayerFound:
    advice = "" if not ways else _FILES if name == "files" else _where_to_read()
    return LayerFound(name, ways, _carriers(name, means), advice)


def _carriers(layer: str, means: dict[str, Any]) -> tuple[str, ...]:
    known = means["known"]
    # The version of Landlock from which on it helps to hold a layer.
    since = {"files": 1, "network": 4, "processes": 6, "memory": 1}.get(layer, 99)
    uid = not means["no_uid"] and layer != "network"
    # Newer versions are used like the newest that we know.
    version = landlock.version() if known == landlock.NEWEST else known
    candidates = {
        f"Landlock {version}": known >= since,
        "root folder": means["root"] is not None and layer == "files",
        "seccomp": True,
        "uid": uid,
    }
    return tuple(name for name, helps in candidates.items() if helps)
