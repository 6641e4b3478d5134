"""What changed in a repository of a student's work, and since when.

    --base REF | the pull request's base | the push's commit before --> merge base --> files

If that can't be found out, a sentence says why, and everything counts as changed: checking too much
costs minutes, checking too little hides a mistake.
"""

import contextlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.delivery.tame_git import Git, UnknownError, opened, top_of
from grader.errors import UsageError
from grader.intake import reader
from grader.reports.safe_text import counted

_EVENT_BYTES = 1 << 25
_DEEPER = "With actions/checkout, `fetch-depth: 0` fetches what is missing"


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

    def touch_shown(self, folder: Path, name: str) -> bool:
        """The same for a file in `folder` that reports show as `name`."""
        if self.files is None or self.touch(folder / name):
            return True
        inside = (path for path in self.files if path.is_relative_to(folder))
        return any(reader.shown(path.relative_to(folder)) == name for path in inside)

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
        top = top_of(top)
        if base is None:
            name, refs = _from_ci(top, environ)
        else:
            name, refs = f"`{base}`", (base, f"origin/{base}")
        with opened(top) as git:
            since = _merge_base(git, name, refs)
            files = _changed(git, top, since)
    except UnknownError as error:
        if base is not None:
            raise UsageError(
                f"can't compare with `--base {base}`: {error}. Name another commit, or leave "
                "`--base` out."
            ) from error
        return Changes(top, None, f"Everything counts as changed: {error}.")
    what = counted(len(files), "file")
    return Changes(top, files, f"{what} changed since {name} ({since[:10]}).")


def _from_ci(top: Path, environ: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """The base of CI's event in this repository: its name in a sentence, and git's names for it."""
    workspace = environ.get("GITHUB_WORKSPACE")
    if not workspace or Path(workspace).resolve() != top:
        raise UnknownError("there is no base to compare with (`--base REF` names one)")
    branch = environ.get("GITHUB_BASE_REF", "")
    if _is_ref(branch):
        return f"the base of this pull request, `{branch}`", (f"origin/{branch}", branch)
    before = _before(environ.get("GITHUB_EVENT_PATH", ""))
    if before is None:
        raise UnknownError("this event has no base to compare with (`--base REF` names one)")
    if not before.strip("0"):
        raise UnknownError("this is the first push of this branch")
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


def _merge_base(git: Git, name: str, refs: tuple[str, ...]) -> str:
    is_shallow = git("rev-parse", "--is-shallow-repository").strip() == "true"
    clone = "this shallow clone" if is_shallow else "this clone"
    for ref in refs:
        with contextlib.suppress(UnknownError):
            commit = git("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}").strip()
            break
    else:
        raise UnknownError(f"{name} is not in {clone}. {_DEEPER}")
    try:
        return git("merge-base", commit, "HEAD").split()[0]
    except UnknownError as error:
        why = f"{name} and the work have no commit in common in {clone}. {_DEEPER}"
        raise UnknownError(why) from error


def _changed(git: Git, top: Path, since: str) -> frozenset[Path]:
    """All files that differ from a commit: new ones too, and renamed ones under both names."""
    # The repository's own index isn't used: it can hide files.
    git("read-tree", "HEAD")
    plain = ("--no-renames", "--ignore-submodules", "--no-ext-diff", "--no-textconv")
    tracked = git("diff", "--name-only", "-z", *plain, since, "--")
    new = git("ls-files", "--others", "--exclude-standard", "-z")
    return frozenset(top / name for name in (tracked + new).split("\0") if name)


def _is_ref(name: str) -> bool:
    """Whether git can only read `name` as a commit: no option, no range, no invisible character."""
    return re.fullmatch(r"(?!-)[\w./@^~+-]+", name) is not None and ".." not in name
