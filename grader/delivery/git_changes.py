"""What changed in a repository of a student's work, and since when.

    --base REF | the pull request's base | the push's commit before --> merge base --> files

If that can't be found out, a sentence says why, and everything counts as changed: checking too much
costs minutes, checking too little hides a mistake. No program that a repository names is started.
"""

import contextlib
import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError
from grader.reports.safe_text import counted

_SECONDS = 120
_EVENT_BYTES = 1 << 25
# Settings of a repository may name programs that git would start.
_TAME = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "--no-pager")
_DEEPER = "With actions/checkout, `fetch-depth: 0` fetches what is missing"


class _UnknownError(Exception):
    """The reason why the changes are unknown: a clause without a full stop."""


@dataclass(frozen=True)
class Changes:
    """`files` that are new, changed or deleted; None if everything counts. `why` is a sentence.

    `top` is the repository's folder, or the student's folder if there is no repository.
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


def find(folder: Path, base: str | None, environ: Mapping[str, str]) -> Changes:
    """What changed in the repository around `folder` since `base`, or since the base in CI.

    Raises `UsageError` for a `folder` or a `base` that isn't there: both were named on purpose.
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder `{folder}`. Name the folder that holds the work.")
    if base is not None and not _is_ref(base):
        raise UsageError(f"`{base}` is no name of a commit. Name a branch, a tag or a commit.")
    top = folder.resolve()
    try:
        top = Path(_git(top, "rev-parse", "--show-toplevel").rstrip("\n")).resolve()
        if base is None:
            name, refs = _from_ci(top, environ)
        else:
            name, refs = f"`{base}`", (base, f"origin/{base}")
        since = _merge_base(top, name, refs)
    except _UnknownError as error:
        if base is not None:
            raise UsageError(
                f"can't compare with `--base {base}`: {error}. Name another commit, or leave "
                "`--base` out."
            ) from error
        return Changes(top, None, f"Everything counts as changed: {error}.")
    try:
        files = _changed(top, since)
    except _UnknownError:
        return Changes(top, None, "Everything counts as changed: git can't compare.")
    what = counted(len(files), "file")
    return Changes(top, files, f"{what} changed since {name} ({since[:10]}).")


def _from_ci(top: Path, environ: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """The base of CI's event in this repository: its name in a sentence, and git's names for it."""
    workspace = environ.get("GITHUB_WORKSPACE")
    if not workspace or Path(workspace).resolve() != top:
        raise _UnknownError("there is no base to compare with (`--base REF` names one)")
    branch = environ.get("GITHUB_BASE_REF", "")
    if _is_ref(branch):
        return f"the base of this pull request, `{branch}`", (f"origin/{branch}", branch)
    before = _before(environ.get("GITHUB_EVENT_PATH", ""))
    if before is None:
        raise _UnknownError("this event has no base to compare with (`--base REF` names one)")
    if not before.strip("0"):
        raise _UnknownError("this is the first push of this branch")
    return "the push before", (before,)


def _before(event: str) -> str | None:
    """The commit that the branch was at before a push."""
    try:
        with open(event, encoding="utf-8") as file:
            found = json.loads(file.read(_EVENT_BYTES))
    except (OSError, ValueError):
        return None
    before = found.get("before") if isinstance(found, dict) else None
    return before if isinstance(before, str) and re.fullmatch("[0-9a-f]{40,64}", before) else None


def _merge_base(top: Path, name: str, refs: tuple[str, ...]) -> str:
    is_shallow = _git(top, "rev-parse", "--is-shallow-repository").strip() == "true"
    clone = "this shallow clone" if is_shallow else "this clone"
    for ref in refs:
        with contextlib.suppress(_UnknownError):
            commit = _git(top, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}").strip()
            break
    else:
        raise _UnknownError(f"{name} is not in {clone}. {_DEEPER}")
    try:
        return _git(top, "merge-base", commit, "HEAD").split()[0]
    except _UnknownError as error:
        why = f"{name} and the work have no commit in common in {clone}. {_DEEPER}"
        raise _UnknownError(why) from error


def _changed(top: Path, since: str) -> frozenset[Path]:
    """All files that differ from a commit: new ones too, and renamed ones under both names."""
    plain = ("--no-renames", "--ignore-submodules")
    tracked = _git(top, "diff", "--name-only", "-z", *plain, since, "--")
    new = _git(top, "ls-files", "--others", "--exclude-standard", "-z")
    return frozenset(top / name for name in (tracked + new).split("\0") if name)


def _is_ref(name: str) -> bool:
    """Whether git can only read `name` as a commit: no option, no range, no invisible character."""
    return re.fullmatch(r"(?!-)[\w./@^~+-]+", name) is not None and ".." not in name


def _git(folder: Path, *arguments: str) -> str:
    """What git prints. Raises `_UnknownError` with the reason if git fails."""
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
    except FileNotFoundError as error:
        raise _UnknownError("there is no git on this machine") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _UnknownError(f"git can't be run ({type(error).__name__})") from error
    if done.returncode == 0:
        return os.fsdecode(done.stdout)
    stderr = done.stderr.decode(errors="replace").strip().splitlines()
    if stderr and "not a git repository" in stderr[0]:
        raise _UnknownError(f"`{folder}` is in no git repository")
    raise _UnknownError(f"git says: {stderr[0]}" if stderr else "git gives no reason")
