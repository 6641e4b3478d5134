"""Writes a file completely or not at all, makes zips without times, checks folders."""

import contextlib
import os
import stat
from collections.abc import Collection, Mapping
from io import BytesIO
from pathlib import Path

# The earliest time in a zip. With one fixed time, the same files give the same bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write(path: Path, data: bytes | str) -> Path:
    """Writes a draft beside the path, syncs it to the disk, and renames it. Raises `OSError`.

    Makes the folder. Text is UTF-8, with `?` for what can't be encoded. Returns the path.
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "replace")
    path.parent.mkdir(parents=True, exist_ok=True)
    # Only the owner can read files of `tempfile`, but a teacher must be able to read a student's.
    draft = path.with_name(f".{path.name[:200]}-{os.urandom(4).hex()}")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
    return path


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
