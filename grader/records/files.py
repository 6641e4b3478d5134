"""Writes a file completely or not at all, keeps secrets to their owner, makes zips.

A secret (hidden inputs, expected values, solutions, a class's marks) can be opened by its owner
only, whatever the umask is. Everything else gets the usual permissions: it is there to be shared.
"""

import contextlib
import os
import re
import stat
from collections.abc import Collection, Iterable, Mapping
from io import BytesIO
from pathlib import Path

from grader.records import digests

# The earliest time in a zip. With one fixed time, the same files give the same bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)
# Names with a meaning on Windows or for a web server.
_RESERVED = re.compile(r"(?i)index|con|prn|aux|nul|com\d|lpt\d")
_OWNERS_FILE, _OWNERS_FOLDER = 0o600, 0o700


def write(path: Path, data: bytes | str, *, secret: bool = False) -> Path:
    """Writes a draft beside the path, syncs it to the disk, and renames it. Raises `OSError`.

    Makes the folder. Text is UTF-8, with `?` for what can't be encoded. Returns the path. The file
    of a `secret` is its owner's, also if it replaces one that others could read.
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "replace")
    path.parent.mkdir(parents=True, exist_ok=True)
    # Only the owner can read files of `tempfile`, but a teacher must be able to read a student's.
    draft = path.with_name(f".{path.name[:200]}-{os.urandom(4).hex()}")
    try:
        with draft.open("xb") as file:
            if secret:  # before there is anything to read
                draft.chmod(_OWNERS_FILE)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
    return path


def make_private(path: Path) -> None:
    """Lets nobody but the owner open a file, which is made if it isn't there. Raises `OSError`."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, _OWNERS_FILE))
    if stat.S_IMODE(path.stat().st_mode) != _OWNERS_FILE:
        path.chmod(_OWNERS_FILE)


def make_private_folder(path: Path) -> Path:
    """Makes a folder that nobody but its owner can enter. Raises `OSError`. Returns the path."""
    path.mkdir(_OWNERS_FOLDER, parents=True, exist_ok=True)
    path.chmod(_OWNERS_FOLDER)
    return path


def file_names(wanted: Iterable[str]) -> list[str]:
    """A safe file name for each, without a suffix, different from all others on every system.

    A changed name ends in a hash of the original, and equal names in a number.
    """
    used: set[str] = set()
    names = []
    for name in wanted:
        kept = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._-")[:60] or "student"
        is_special = _RESERVED.fullmatch(kept.partition(".")[0]) is not None
        if kept != name or is_special or kept.lower() in used:
            kept = f"{kept}-{digests.plain(name).hex()[:8]}"
        stem, number = kept, 1
        while kept.lower() in used:
            number += 1
            kept = f"{stem}-{number}"
        used.add(kept.lower())
        names.append(kept)
    return names


def require_writable(folder: Path) -> None:
    """Makes the folder. Raises `OSError` if no file can be written there."""
    import tempfile  # like `zipfile` below, it would slow down the start of every command

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def zipped(files: Mapping[str, bytes], executable: Collection[str] = ()) -> bytes:
    """The files as a zip: the same bytes for the same files, on every system."""
    import zipfile

    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            member = zipfile.ZipInfo(name, _EPOCH)
            member.create_system = 3
            member.compress_type = zipfile.ZIP_DEFLATED
            mode = 0o755 if name in executable else 0o644
            member.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(member, data)
    return packed.getvalue()
