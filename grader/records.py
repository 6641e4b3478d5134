"""Records as plain data or as bytes, and back: for pipes, for files, for the store.

Bytes are made by `json`, not by msgspec: it escapes characters that UTF-8 can't encode.
"""

import json
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
DamagedError = msgspec.ValidationError
"""Raised by `from_plain` and `unpack` for data that is no such record; it names the place."""


def to_plain(record: Any) -> Any:
    """A record as dicts, tuples and strings, keys in the order of the fields."""
    return msgspec.to_builtins(record)


def from_plain(data: Any, kind: type[T]) -> T:
    """Plain data as a record of that kind. Raises `DamagedError`."""
    return msgspec.convert(data, kind)


def pack(record: Any) -> bytes:
    """A record, or a tuple of records, as bytes."""
    return json.dumps(to_plain(record)).encode()


def unpack(data: bytes | str, kind: type[T]) -> T:
    """The inverse of `pack`. Raises `DamagedError`, or `ValueError` if it isn't JSON."""
    return from_plain(json.loads(data), kind)
