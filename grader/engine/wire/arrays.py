"""Wire records <-> arrays and containers: the part of the wire that needs numpy and jax.

    to_wire(value, other)    walks containers; `other` turns a leaf that isn't data into a record
    from_wire(record, ...)   the way back, with a hook for each kind of record

Judge and worker both use it, each with its own hooks: a handle or a class means something else on
each side.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import jax
import ml_dtypes
import numpy as np

from grader.engine import wire

KEY_IMPLS = ("threefry2x32", "rbg", "unsafe_rbg")


def is_array(value: Any) -> bool:
    """Whether it is of NumPy or JAX: an array, a number with a dtype, or typed keys."""
    return isinstance(value, np.ndarray | np.generic | jax.Array)


def is_key(value: Any) -> bool:
    """Whether it is a typed PRNG key, or an array of them."""
    return isinstance(value, jax.Array) and jax.numpy.issubdtype(value.dtype, jax.dtypes.prng_key)


def blank(value: Any) -> Any:
    """Zeros of the same shape and dtype in place of an array; any other value as it is."""
    if is_key(value):
        data = jax.numpy.zeros_like(jax.random.key_data(value))
        return jax.random.wrap_key_data(data, impl=str(jax.random.key_impl(value)))
    return np.zeros_like(value) if is_array(value) else value


def array_to_wire(array: Any) -> wire.Array | wire.Key:
    """A numpy or jax array, or a typed key, as a record. Waits until it is computed."""
    if is_key(array):
        data = array_to_wire(jax.random.key_data(array))
        assert isinstance(data, wire.Array)
        return wire.Key(str(jax.random.key_impl(array)), data)
    # A view of the base class: the methods of a subclass must not decide what is sent.
    plain = np.asarray(array).view(np.ndarray)
    if plain.dtype.name not in wire.ITEM_SIZES:
        raise wire.WireError(f"an array of dtype {plain.dtype.name}, which is not data")
    little = plain.astype(plain.dtype.newbyteorder("<"), copy=False)
    return wire.Array(little.dtype.name, little.shape, np.ascontiguousarray(little).tobytes())


def wire_to_array(record: wire.Array) -> np.ndarray[Any, Any]:
    """A record as a plain, contiguous numpy array that owns its memory."""
    dtype = np.dtype(getattr(ml_dtypes, record.dtype, None) or record.dtype)
    return np.frombuffer(bytearray(record.data), dtype=dtype).reshape(record.shape)


def wire_to_jax(record: wire.Array) -> jax.Array:
    """A record as a jax array. Unlike `jnp.asarray`, this compiles nothing."""
    array: jax.Array = jax.device_put(wire_to_array(record))
    return array


def wire_to_key(record: wire.Key) -> jax.Array:
    """A record as typed keys. Raises `WireError` for an unknown implementation."""
    if record.impl not in KEY_IMPLS:
        raise wire.WireError(f"a key of an unknown implementation {record.impl[:40]!r}")
    data = wire_to_jax(record.data)
    try:
        keys: jax.Array = jax.random.wrap_key_data(data, impl=record.impl)
        return keys
    except (TypeError, ValueError) as error:
        raise wire.WireError("key data of the wrong shape or dtype") from error


def to_wire(value: Any, other: Callable[[Any], Any], depth: int = 0) -> Any:
    """`value` with every leaf as data that can be sent."""
    if depth > wire.MAX_DEPTH:
        raise wire.WireError(f"a value nested over {wire.MAX_DEPTH} deep")
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return value
    if type(value) is bytearray:
        return bytes(value)
    if is_array(value):
        return array_to_wire(value)
    if isinstance(value, tuple) and hasattr(type(value), "_fields"):
        return other(value)
    if isinstance(value, list | tuple):
        items = [to_wire(item, other, depth + 1) for item in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, dict):
        return {
            to_wire(k, other, depth + 1): to_wire(v, other, depth + 1) for k, v in value.items()
        }
    return other(value)


def named_to_wire(
    value: Any, other: Callable[[Any], Any], tag: int | None, code: bytes | None = None
) -> wire.Named:
    """A namedtuple or a dataclass instance as a record."""
    kind = type(value)
    if dataclasses.is_dataclass(value):
        fields = tuple(field.name for field in dataclasses.fields(value))
    else:
        fields = tuple(str(name) for name in kind._fields)
    values = tuple(to_wire(getattr(value, name), other, 1) for name in fields)
    return wire.Named(kind.__name__, fields, values, tag, code)


def from_wire(
    record: Any,
    *,
    array: Callable[[wire.Array], Any],
    key: Callable[[wire.Key], Any] = wire_to_key,
    named: Callable[[wire.Named, tuple[Any, ...]], Any],
    handle: Callable[[wire.Handle], Any],
    code: Callable[[wire.Code], Any],
    callback: Callable[[wire.CallbackNumber], Any],
) -> Any:
    """A decoded frame's value, with each record replaced by what its hook returns."""

    def walk(node: Any) -> Any:
        match node:
            case list():
                return [walk(item) for item in node]
            case tuple():
                return tuple(walk(item) for item in node)
            case dict():
                return {walk(k): walk(v) for k, v in node.items()}
            case wire.Array():
                return array(node)
            case wire.Key():
                return key(node)
            case wire.Named():
                return named(node, tuple(walk(value) for value in node.values))
            case wire.Handle():
                return handle(node)
            case wire.Code():
                return code(node)
            case wire.CallbackNumber():
                return callback(node)
        return node

    return walk(record)
