"""Every file of a submission that may hold code. Zips aren't unpacked, and links aren't followed.

    path ── a file ────> File | Note
         ── a folder ──> File | Note, breadth first; a zip in it is read in its place
         ── a zip ─────> File | Note, breadth first; a zip in it is not

A file that isn't read leaves a `Note`, except what programs write: caches, hidden folders, virtual
environments. Bytes are counted while they are read: a header may give a wrong number.
"""

import io
import os
import re
import stat
import unicodedata
import zipfile
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO

from grader.intake import notebook, source
from grader.intake.source import UnreadableError
from grader.records.errors import SubmissionError
from grader.records.model import Note

MAX_FILES = 10_000
MAX_DEPTH = 32
MAX_TOTAL = 64 * 1024 * 1024
MAX_CLASS = 8 << 30
"""Bytes of a class's zip, unpacked."""

_MAX_BYTES = {".py": source.MAX_BYTES, ".ipynb": notebook.MAX_BYTES}
PACKED = {".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz"}
_SKIPPED = {"__pycache__", "__MACOSX", "site-packages", "node_modules", "venv", "Thumbs.db"}
_FLAGS = os.O_RDONLY | sum(getattr(os, f, 0) for f in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
_BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}

TWICE = "is in the zip more than once; the last one was read"
_LINK = "is a link, and links are not followed. Submit the file itself"
_SPECIAL = "is a pipe, a device or a socket. Submit a plain file"
_TOO_MANY = f"contains more than {MAX_FILES:,} files. Submit only your exercises"


@dataclass(frozen=True)
class File:
    """A `.py` file or a notebook; `path` relative to the submission, with `/`."""

    path: str
    data: bytes


@dataclass
class _Budget:
    """How many files and bytes of one submission may still be read."""

    files: int
    total: int

    def visit(self) -> bool:
        """Counts one more file or folder; False if that is one too many."""
        self.files -= 1
        return self.files >= 0

    def read(self, stream: IO[bytes], limit: int) -> bytes:
        """All of the stream. Raises `UnreadableError` if that is more than allowed or left."""
        allowed = min(limit, self.total)
        data = stream.read(allowed + 1)
        self.total -= min(len(data), allowed)
        if len(data) > limit:
            raise source.too_large(limit)
        if len(data) > allowed:
            raise UnreadableError(
                f"was not read: the submission contains more than {MAX_TOTAL >> 20} MiB. Submit "
                "only your exercises"
            )
        return data


def files(path: Path, name: str) -> Iterator[File | Note]:
    """Every file in `path`, in an order that depends only on names; `name` is for the notes."""
    budget = _Budget(MAX_FILES, MAX_TOTAL)
    if _is_folder(path):
        yield from _folder(path, budget)
    else:
        yield from _file(path, PurePosixPath(name), PurePosixPath(), budget)


def unpack(file: Path, folder: Path) -> None:
    """Unpacks a class's zip into `folder`: plain files with names that can be trusted.

    Each file is cut after the bytes that may be read of a whole submission, so that its reader
    says what is wrong with it. Raises `SubmissionError` for what is no zip.
    """
    left = MAX_CLASS
    try:
        with zipfile.ZipFile(file) as packed:
            for info in packed.infolist():
                if info.is_dir():
                    continue
                target = _free_place(folder, info.orig_filename)
                with packed.open(info) as stream, open(target, "wb") as written:
                    left -= written.write(stream.read(MAX_TOTAL + 1))
                if left < 0:
                    raise UnreadableError(f"it contains more than {MAX_CLASS >> 30} GiB")
    except Exception as error:  # hostile bytes make zipfile raise nearly any error
        raise SubmissionError(
            f"the zip `{file}` can't be unpacked: {error}. Download it again, or unpack it and "
            "name its folder."
        ) from error


def _free_place(folder: Path, name: str) -> Path:
    """Where a member goes. No name leads out of the folder, or keeps the others from their place.

    A student chose the last part of it: one with unusual signs gets a plain name.
    """
    parts = [re.sub(r"[^\w .,()@+-]", "_", part) for part in re.split(r"[/\\]", name)]
    plain = [part if len(part.encode()) < 200 else f"{part[:40]}_{part[-20:]}" for part in parts]
    kept = [part for part in plain if part.strip(". ")][:MAX_DEPTH]
    target = first = folder.joinpath(*kept or ["unnamed"])
    number = 1
    while target.exists() or any(above.is_file() for above in target.parents):
        number += 1
        target = folder / f"{number} {first.name}"
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def names(file: Path) -> list[str]:
    """The paths of a zip's members. Raises `OSError` and `UnreadableError`, as for what is none."""
    with _open(file) as stream, _table_of_contents(stream) as packed:
        return [info.orig_filename for info in packed.infolist()]


def start_of(path: Path, most: int) -> bytes:
    """The first bytes of a plain file. Raises `OSError` and `UnreadableError`, as for a link."""
    with _open(path) as stream:
        return stream.read(most)


def skipped(name: str) -> bool:
    """Whether a file or folder of that name isn't a student's: hidden, a cache, an environment."""
    return name.startswith(".") or name in _SKIPPED


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _folder(root: Path, budget: _Budget) -> Iterator[File | Note]:
    waiting = deque([PurePosixPath()])
    while waiting:
        folder = waiting.popleft()
        try:
            with os.scandir(root / folder) as entries:
                found = sorted(entry.name for entry in islice(entries, MAX_FILES + 1))
        except OSError as error:
            yield Note(str(folder), _why(error))
            continue
        for path in (folder / name for name in found if not skipped(name)):
            real = root / path
            if not budget.visit():
                yield Note(str(path), f"and the rest were not read: the folder {_TOO_MANY}")
                return
            if trouble := _trouble_in_name(path.name) or _trouble_in_depth(path):
                yield Note(str(path), trouble)
            elif _is_folder(real):
                waiting.append(path)
            else:
                yield from _file(real, path, path, budget)


def _file(
    real: Path, path: PurePosixPath, inside: PurePosixPath, budget: _Budget
) -> Iterator[File | Note]:
    """The file `real`, called `path` in notes; a zip's members get their names below `inside`."""
    suffix = path.suffix.lower()
    try:
        with _open(real) as stream:
            if suffix == ".zip":
                yield from _zip(stream, inside, budget)
            elif trouble := _trouble_in_kind(path):
                yield Note(str(path), trouble)
            else:
                yield File(str(path), budget.read(stream, _MAX_BYTES[suffix]))
    except UnreadableError as error:
        yield Note(str(path), str(error))
    except OSError as error:
        yield Note(str(path), _why(error))


def _open(path: Path) -> io.BufferedReader:
    """Opens a plain file. Raises `UnreadableError` for a link, a pipe, a device or a socket.

    Opening a pipe could wait for ever, and a pipe can replace a file after the first check.
    """
    _require_plain(path.lstat().st_mode)
    stream: io.BufferedReader = io.BufferedReader(io.FileIO(os.open(path, _FLAGS)))
    try:
        _require_plain(os.fstat(stream.fileno()).st_mode)
    except UnreadableError:
        stream.close()
        raise
    return stream


def _require_plain(mode: int) -> None:
    if stat.S_ISLNK(mode):
        raise UnreadableError(_LINK)
    if not stat.S_ISREG(mode):
        raise UnreadableError(_SPECIAL)


def _zip(stream: IO[bytes], inside: PurePosixPath, budget: _Budget) -> Iterator[File | Note]:
    members: dict[PurePosixPath, zipfile.ZipInfo] = {}
    with _table_of_contents(stream) as archive:
        for info in archive.infolist():
            name = info.orig_filename
            path = inside / name
            if trouble := _trouble_in_member(name):
                yield Note(str(path), trouble)
            elif not name.endswith("/") and not any(map(skipped, PurePosixPath(name).parts)):
                if not budget.visit():
                    raise UnreadableError(_TOO_MANY)
                if path in members:
                    yield Note(str(path), TWICE)
                members[path] = info
        for path in sorted(members, key=lambda path: (len(path.parts), path)):
            yield _member(archive, members[path], path, budget)


def _table_of_contents(stream: IO[bytes]) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(stream)
    except MemoryError:  # its table is read before members can be counted
        raise
    except Exception as error:  # hostile bytes make zipfile raise nearly any error
        raise UnreadableError("is not a zip, or is damaged. Pack your files again") from error


def _member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: PurePosixPath, budget: _Budget
) -> File | Note:
    if trouble := _trouble_in_depth(path) or _trouble_in_storage(info) or _trouble_in_kind(path):
        return Note(str(path), trouble)
    try:
        with archive.open(info) as stream:
            return File(str(path), budget.read(stream, _MAX_BYTES[path.suffix.lower()]))
    except UnreadableError as error:
        return Note(str(path), str(error))
    except Exception:  # hostile bytes, as above
        return Note(str(path), "is damaged inside the zip. Pack your files again")


def _trouble_in_member(name: str) -> str | None:
    """What is wrong with the name of a zip's member. No ordinary tool writes such names."""
    if not PurePosixPath(name).parts or name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "is not a path inside the zip. Pack your files again"
    if ".." in PurePosixPath(name).parts:
        return "leads out of the zip with `..`. Pack your files again"
    if "\\" in name:
        return "has a backslash in its name. Pack your files again, with `/` between folders"
    return _trouble_in_name(name)


def _trouble_in_name(name: str) -> str | None:
    if any(unicodedata.category(c) == "Cc" or unicodedata.bidirectional(c) in _BIDI for c in name):
        return "has control characters in its name. Rename it"
    return None


def _trouble_in_depth(path: PurePosixPath) -> str | None:
    if len(path.parts) > MAX_DEPTH:
        return f"is more than {MAX_DEPTH} folders deep. Move it up"
    return None


def _trouble_in_storage(info: zipfile.ZipInfo) -> str | None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return _LINK
    if kind not in (0, stat.S_IFREG):
        return _SPECIAL
    if info.flag_bits & 0x41:
        return "is encrypted. Pack your files again without a password"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is compressed in an unusual way. Pack your files again as an ordinary zip"
    return None


def _trouble_in_kind(path: PurePosixPath) -> str | None:
    suffix = path.suffix.lower()
    if suffix in _MAX_BYTES:
        return None
    if suffix == ".zip":
        return "is a zip inside a zip, and was not opened. Unpack it, and pack all files in one zip"
    if PurePosixPath(path.stem).suffix.lower() in _MAX_BYTES:
        return f"has one extension too many. Rename it `{source.printable(path.stem, 200)}`"
    if suffix in PACKED:
        return "is packed, but not as a zip. Pack your files as a zip"
    return "is not a Python file, a notebook or a zip"


def _why(error: OSError) -> str:
    return f"can't be read: {(error.strerror or 'unknown error').lower()}. Submit it again"
