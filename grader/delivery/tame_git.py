"""Runs git on a repository that somebody handed in, with our configuration and no other.

    TOP/.git/objects -------------------read in place---+
    TOP/.git/HEAD, refs, ... --copy--> a repository ----+--> git --> what it prints
    TOP, the files ---------------------read in place---+

A repository's configuration, hooks and index can name programs, which git would start. So git gets
a repository of ours in a temporary folder, with the objects and the names of the commits of theirs,
and nothing else. A `.gitattributes` file can still name a filter, but nothing defines it.
"""

import os
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

_SECONDS = 120
_MOST_NAMES = 10_000
_MOST_BYTES = 1 << 25
_CONFIG = f"""[core]
    repositoryformatversion = 0
    bare = false
    hooksPath = {os.devnull}
    fsmonitor = false
    commitGraph = false
    # Neither line ends alone nor a file's mode decide whether somebody worked on it.
    autocrlf = input
    filemode = false
"""


class UnknownError(Exception):
    """The reason why something can't be found out: a clause without a full stop."""


def top_of(folder: Path) -> Path:
    """The nearest folder with a repository. Raises `UnknownError` if there is none."""
    for top in (folder, *folder.parents):
        git = top / ".git"
        if os.path.lexists(git):
            # A file or a link leads to a repository elsewhere, which could be anybody's.
            if git.is_dir() and not git.is_symlink():
                return top
            raise UnknownError(f"`{git}` is no folder, but leads to a repository elsewhere")
    raise UnknownError(f"`{folder}` is in no git repository")


class Git:
    """git for the repository at `top`; its own files are in `scratch`, an empty folder."""

    def __init__(self, top: Path, scratch: Path) -> None:
        self._top = top
        _copy_names(top / ".git", scratch)
        (scratch / "config").write_text(_CONFIG, encoding="utf-8")
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        self._environ = inherited | {
            "GIT_DIR": str(scratch),
            "GIT_WORK_TREE": str(top),
            "GIT_OBJECT_DIRECTORY": str(top / ".git" / "objects"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            # Older versions of git know no GIT_CONFIG_GLOBAL. All look there for attributes.
            "HOME": str(scratch),
            "XDG_CONFIG_HOME": str(scratch),
            # The objects that are there count: none is replaced, and none is fetched.
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_ALLOW_PROTOCOL": "",
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C",
        }

    def __call__(self, *arguments: str) -> str:
        """What git prints. Raises `UnknownError` with the reason if git fails."""
        try:
            done = subprocess.run(
                ["git", "--no-pager", *arguments],
                cwd=self._top,
                env=self._environ,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=_SECONDS,
            )
        except FileNotFoundError as error:
            raise UnknownError("there is no git on this machine") from error
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UnknownError(f"git can't be run ({type(error).__name__})") from error
        if done.returncode == 0:
            return os.fsdecode(done.stdout)
        stderr = done.stderr.decode(errors="replace").strip().splitlines()
        raise UnknownError(f"git says: {stderr[0]}" if stderr else "git gives no reason")


@contextmanager
def opened(top: Path) -> Iterator[Git]:
    """git for the repository at `top`. Raises `UnknownError` if it can't be read."""
    with tempfile.TemporaryDirectory(prefix="grader-git-") as scratch:
        try:
            git = Git(top, Path(scratch))
        except OSError as error:
            raise UnknownError(f"`{top / '.git'}` can't be read ({error.strerror})") from error
        yield git


def _copy_names(theirs: Path, ours: Path) -> None:
    """Copies what says which commit has which name; only plain files, and not too many."""
    (ours / "refs").mkdir()
    walked = os.walk(theirs / "refs")
    loose = (Path(folder, name) for folder, _, names in walked for name in names)
    single = (theirs / name for name in ("HEAD", "packed-refs", "shallow"))
    for path in (*filter(os.path.lexists, single), *islice(loose, _MOST_NAMES)):
        found = path.lstat()
        if stat.S_ISREG(found.st_mode) and found.st_size < _MOST_BYTES:
            target = ours / path.relative_to(theirs)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
