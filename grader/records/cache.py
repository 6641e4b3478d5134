"""What this machine need not do twice, in one folder for each version of JAX and Python.

    Cache(kind).get(key, type), .put(key, record)   what was found out
    Cache(kind).has(key), .touch(key)               that something was done
    programs()                                      compiled programs: XLA writes, workers read

Only trusted code writes here. A key is a digest of all that decides the record. Nothing is lost
with an entry that is damaged or can't be written: the work is done again.
"""

import os
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from grader.records import files
from grader.records.errors import HostError

T = TypeVar("T")


class Cache:
    """The entries of one kind, which only their owner can read."""

    def __init__(self, kind: str) -> None:
        self._folder = folder() / kind

    def get(self, key: str, record: type[T]) -> T | None:
        """The record of a key, or None. Removes one that is damaged."""
        from grader.records.model import (
            unpack,  # a judge launches its sandbox before it loads msgspec
        )

        with suppress(OSError):
            try:
                return unpack((self._folder / key).read_bytes(), record)
            except ValueError:
                (self._folder / key).unlink()
        return None

    def put(self, key: str, record: Any) -> None:
        """Other judges may read at the same time."""
        from grader.records.model import pack

        with suppress(OSError):
            files.make_private_folder(self._folder)
            files.write(self._folder / key, pack(record), secret=True)

    def has(self, key: str) -> bool:
        return (self._folder / key).exists()

    def touch(self, key: str) -> None:
        self.put(key, True)


def folder() -> Path:
    """The key of a compiled program depends on this path, so it has to stay the same."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "jax-grader" / _version()


def programs() -> Path:
    """The folder of compiled programs, which workers read. Raises `HostError`.

    A worker can read an entry whose name it can compute, since it has the program. It can't list
    the folder, so it doesn't find the others: they are compiled solutions.
    """
    path = folder() / "xla"
    try:
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o301)
    except OSError as error:
        raise HostError(
            f"the cache `{path.parent}` can't be written: {error.strerror}. Grant permission or "
            "free some space there, or name another folder in the environment variable "
            "`XDG_CACHE_HOME`."
        ) from error
    return path


def configure_jax(folder: str, least_seconds: float) -> None:
    """Lets JAX read compiled programs in a folder, and write those that took so long, or longer."""
    import jax

    jax.config.update("jax_compilation_cache_dir", folder)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", least_seconds)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    jax.config.update("jax_persistent_cache_enable_xla_caches", "none")


@cache
def _version() -> str:
    from importlib import metadata  # takes longer to import than all else here

    jax, jaxlib = map(metadata.version, ("jax", "jaxlib"))
    return f"jax{jax}-{jaxlib}-py{sys.version_info[0]}.{sys.version_info[1]}"
