"""What changed in a repository of somebody's work, and since when.

    --base REF | the pull request's base | the push's commit before --> merge base --> files

Where that can't be found out, everything counts as changed, and a sentence says why: to look at
too much costs minutes, to look at too little hides a mistake. Nothing that a clone brings along
is run.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError

_SECONDS = 120
_EVENT_BYTES = 1 << 25
# Settings of a repository may name programs that git would start.
_TAME = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "--no-pager")
_DEEPER = "With actions/checkout, `fetch-depth: 0` fetches what is missing."


@dataclass(frozen=True)
class Changes:
    """`files` that are new, changed or gone; None where everything counts. `why` is a sentence.

    `top` is the repository's own folder, or what stands in for it.
    """

    top: Path
    files: frozenset[Path] | None
    why: str

    def touch(self, path: Path) -> bool:
        """Whether the file changed, or an archive that it lies in."""
        return self.files is None or not self.files.isdisjoint((path, *path.parents))

    def shown(self, path: Path) -> str:
        """The path as the repository knows it."""
        inside = path.is_relative_to(self.top)
        return path.relative_to(self.top).as_posix() if inside else str(path)


@dataclass(frozen=True)
class _Base:
    """A commit to compare with: what git is asked for, and what a reader is told that it is."""

    refs: tuple[str, ...]
    name: str


def find(folder: Path, base: str | None, environ: Mapping[str, str]) -> Changes:
    """What changed in the repository around `folder` since `base`, or since what CI says.

    Raises `UsageError` for a `base` that isn't there: it was named on purpose.
    """
    folder = folder.resolve()
    if base is not None and not _is_ref(base):
        raise UsageError(f"`{base}` is no name of a commit. Name a branch, a tag or a commit.")
    top_level, said = _ask(folder, "rev-parse", "--show-toplevel")
    if top_level is None:
        if base is not None:
            raise UsageError(f"`--base {base}` needs a git repository at `{folder}`: {said}.")
        return Changes(folder, None, f"Everything counts as changed: {said}.")
    top = Path(top_level.rstrip("\n")).resolve()
    asked = _named(base) if base is not None else _from_ci(top, environ)
    if isinstance(asked, str):
        return Changes(top, None, f"Everything counts as changed: {asked}.")
    since, why = _merge_base(top, asked)
    if since is None:
        if base is not None:
            raise UsageError(f"{why}. {_DEEPER}")
        return Changes(top, None, f"Everything counts as changed: {why}. {_DEEPER}")
    files = _changed(top, since)
    if files is None:
        return Changes(top, None, "Everything counts as changed: git can't compare.")
    count = f"{len(files)} file{'' if len(files) == 1 else 's'}"
    return Changes(top, files, f"{count} changed since {asked.name} ({since[:10]}).")


def _named(base: str) -> _Base:
    return _Base((base, f"origin/{base}"), f"`{base}`")


def _from_ci(top: Path, environ: Mapping[str, str]) -> _Base | str:
    """What the workflow's event says, or why it says nothing about this repository."""
    workspace = environ.get("GITHUB_WORKSPACE")
    if not workspace or Path(workspace).resolve() != top:
        return "there is no base to compare with (`--base REF` names one)"
    branch = environ.get("GITHUB_BASE_REF", "")
    if _is_ref(branch):
        return _Base((f"origin/{branch}", branch), f"the base of this pull request, `{branch}`")
    before = _before(environ.get("GITHUB_EVENT_PATH", ""))
    if before is None:
        return "this event has no base to compare with (`--base REF` names one)"
    if not before.strip("0"):
        return "this is the first push of this branch"
    return _Base((before,), "the push before")


def _before(event: str) -> str | None:
    """The commit that the branch was at before a push."""
    try:
        with open(event, encoding="utf-8") as file:
            said = json.loads(file.read(_EVENT_BYTES))
    except (OSError, ValueError):
        return None
    before = said.get("before") if isinstance(said, dict) else None
    return before if isinstance(before, str) and re.fullmatch("[0-9a-f]{40,64}", before) else None


def _merge_base(top: Path, base: _Base) -> tuple[str | None, str]:
    """Where the work left the base, or None and why that can't be known."""
    shallow = (_ask(top, "rev-parse", "--is-shallow-repository")[0] or "").strip() == "true"
    clone = "this shallow clone" if shallow else "this clone"
    for ref in base.refs:
        found, _ = _ask(top, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
        if found is None:
            continue
        since, _ = _ask(top, "merge-base", found.strip(), "HEAD")
        if since is None:
            return None, f"{base.name} and the work have no commit in common in {clone}"
        return since.split()[0], ""
    return None, f"{base.name} is not in {clone}"


def _changed(top: Path, since: str) -> frozenset[Path] | None:
    """All that differs from a commit: renamed files under both names, new ones too."""
    plain = ("--no-renames", "--ignore-submodules")
    tracked, _ = _ask(top, "diff", "--name-only", "-z", *plain, since, "--")
    new, _ = _ask(top, "ls-files", "--others", "--exclude-standard", "-z")
    if tracked is None or new is None:
        return None
    return frozenset(top / name for name in (tracked + new).split("\0") if name)


def _is_ref(name: str) -> bool:
    """Whether git can only take it for a commit: no option, no range, nothing unseen."""
    return re.fullmatch(r"(?!-)[\w./@^~+-]+", name) is not None and ".." not in name


def _ask(folder: Path, *arguments: str) -> tuple[str | None, str]:
    """What git answers, or None and what it says instead."""
    environ = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", *_TAME, *arguments],
            cwd=folder,
            env=environ | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
        )
    except FileNotFoundError:
        return None, "there is no git on this machine"
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, f"git can't be asked ({type(error).__name__})"
    if done.returncode == 0:
        return os.fsdecode(done.stdout), ""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    if said and "not a git repository" in said[0]:
        return None, f"`{folder}` is in no git repository"
    return None, f"git says: {said[0]}" if said else "git can't tell"
