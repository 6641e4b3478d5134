"""A root folder for children where there is no Landlock: Python's packages, and nothing else.

    prepare(cache)  ->  cache/root-KEY/           every path of a package as outside
                        cache/root-KEY/scratch    where judges make their scratch folders

The zygote has imported everything that JAX needs, so a child only looks for modules that are
imported late. They are hard links if the file system allows it, else copies. Of devices, `/proc`
and `/sys` there is only what XLA looks for, and there is no program.
"""

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from grader import IN_PACKAGE
from grader.records import digests

_PACKAGE = Path(__file__).resolve().parents[2]
_COURSE = _PACKAGE / IN_PACKAGE
# XLA looks for what the processor can do. As plain files, without the rest of `/proc` and `/sys`.
_FACTS = (
    "/proc/cpuinfo",
    "/etc/localtime",
    *(f"/sys/devices/system/cpu/{name}" for name in ("online", "possible", "present")),
)
_DEVICES = {"null": 3, "zero": 5, "urandom": 9}


def prepare(cache: Path) -> Path:
    """The root folder for the packages that are installed now. The first call takes seconds."""
    folders = list(_folders())
    root = cache / f"root-{_key(folders)}"
    if not root.is_dir():
        _make(folders, root)
    for name, minor in _DEVICES.items():
        _furnish(root / "dev" / name, os.makedev(1, minor))
    return root


def _make(folders: list[Path], root: Path) -> None:
    cache = root.parent
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        prefix="new-root-", dir=cache, ignore_cleanup_errors=True
    ) as new:
        made = Path(new) / "root"
        for folder in folders:
            _copy_tree(folder, made)
        _add_folders(made, root)
        _set_modes(made, [_inside(made, folder) for folder in folders])
        # Another judge may have been faster.
        with suppress(OSError):
            made.rename(root)
    for old in cache.glob("root-*"):
        with suppress(OSError):  # another judge removes it, too
            if old != root and not any((old / "scratch").iterdir()):
                shutil.rmtree(old)


def _folders() -> Iterator[Path]:
    """Where modules are imported from: only the interpreter's own folders, and this package."""
    own = [Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix)]
    for name in dict.fromkeys(sys.path):
        path = Path(name)
        if path.is_dir() and any(path.resolve().is_relative_to(prefix) for prefix in own):
            yield path
    yield _PACKAGE


def _key(folders: list[Path]) -> str:
    """Changes if a package is installed, updated or removed, or the grader is edited."""
    times = []
    for folder in folders:
        entries = folder.rglob("*.py") if folder == _PACKAGE else folder.iterdir()
        for path in sorted(entries):
            with suppress(FileNotFoundError):
                times.append((str(path), path.stat().st_mtime_ns))
    return digests.of(sys.version, times)[:16]


def _copy_tree(folder: Path, root: Path) -> None:
    for here, below, files in os.walk(folder):
        # Folders of the path, like `lib-dynload` in the library, have their own turn.
        apart = ("site-packages", "dist-packages")
        below[:] = [name for name in below if name not in apart and Path(here, name) != _COURSE]
        target = _inside(root, Path(here))
        target.mkdir(parents=True, exist_ok=True)
        for name in files:
            _copy(Path(here, name), target / name)


def _copy(path: Path, target: Path) -> None:
    if not path.is_file() or target.exists():
        return
    readable_by_all = path.stat().st_mode & stat.S_IROTH
    if readable_by_all and not path.is_symlink():
        with suppress(OSError):
            os.link(path, target)
            return
    shutil.copyfile(path, target)
    target.chmod(0o644)


def _add_folders(made: Path, root: Path) -> None:
    """Scratch folders, facts, and a link by which paths outside are right inside, too."""
    (made / "scratch").mkdir()
    (made / "dev").mkdir()
    for fact in map(Path, _FACTS):
        with suppress(OSError):
            copy = _inside(made, fact)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(fact.read_bytes())
    alias = _inside(made, root)
    alias.parent.mkdir(parents=True, exist_ok=True)
    alias.symlink_to("/")


def _set_modes(made: Path, packages: list[Path]) -> None:
    """Only packages can be listed. What is above them would show who has folders here."""
    for name, _, _ in os.walk(made):
        folder = Path(name)
        is_package = any(folder.is_relative_to(package) for package in packages)
        folder.chmod(0o755 if is_package else 0o711)


def _furnish(device: Path, number: int) -> None:
    """Makes a device, unless one works: a device that another container made may not."""
    with suppress(OSError):
        device.open("rb").close()
        return
    device.unlink(missing_ok=True)
    try:
        os.mknod(device, stat.S_IFCHR, number)
        device.chmod(0o666)
        device.open("rb").close()
    except OSError:  # the right is missing, or the file system knows no devices
        device.unlink(missing_ok=True)
        if device.name == "urandom":  # XLA only mixes it into its hashes
            device.write_bytes(os.urandom(1 << 16))
            device.chmod(0o644)


def _inside(root: Path, path: Path) -> Path:
    return root / path.absolute().relative_to("/")
