"""Values over a pipe: frames of msgpack and raw buffers, with limits. No pickle from a worker.

    value --pack--> tree + buffers --frame--> | u32 header | u64 body | msgpack | buffers |
    bytes --Decoder.feed--> Frame(seq, kind, value)

The reader trusts nothing: sizes are checked before memory is allocated, nesting and counts have
limits, only listed dtypes are read, and each buffer is used once and in order. So reading a frame
takes time and memory in proportion to its bytes. The caller has to refuse bytes after it.

Arrays are records here, so that this module needs neither numpy nor jax. The package also has:

    arrays      values of the wire <-> numpy and jax
    values      values from the judge -> the arrays, classes and functions that code expects
    connection  the end of the pipe in a sandboxed process: answers the judge's questions
"""

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgpack

from grader.records.errors import GraderError

_FLOATS_OF_A_BYTE = (
    "float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e3m4 "
    "float8_e4m3 float8_e8m0fnu float4_e2m1fn"
).split()
# Bytes per element of every dtype that may be sent. An int4 takes a whole byte, too.
ITEM_SIZES = {
    **dict.fromkeys(("bool", "int8", "uint8", "int4", "uint4", "int2", "uint2"), 1),
    **dict.fromkeys(("int16", "uint16", "float16", "bfloat16"), 2),
    **dict.fromkeys(("int32", "uint32", "float32"), 4),
    **dict.fromkeys(("int64", "uint64", "float64", "complex64"), 8),
    "complex128": 16,
    **dict.fromkeys(_FLOATS_OF_A_BYTE, 1),
}
MAX_DEPTH = 100
MAX_NODES = 200_000
MAX_BUFFERS = 20_000
MAX_INT_DIGITS = 1000
# In the middle of a question the worker sends such a frame, and the judge answers it.
CALLS_BACK = "calls back"
# The lengths of an empty array, multiplied without the zeros: a sum over the axis of length 0 would
# have so many elements.
MAX_EMPTY = 1 << 20
# Of text and of small numbers a sender can't choose many with one hash; of all others it can, and
# a dict of n such keys takes n * n / 2 comparisons.
MAX_OTHER_KEYS = 2000
_TOO_MANY_KEYS = f"dicts of over {MAX_OTHER_KEYS:,} keys that are not text or small number"
# A byte of a header becomes up to 70 bytes of Python objects.
MAX_HEADER = 16 << 20
MAX_HOSTILE_HEADER = 4 << 20
_PREFIX = struct.Struct("<IQ")
_SCALARS = (type(None), bool, int, float, complex, str, bytes)
# The bytes that an element of these dtypes may have. With others, NumPy contradicts itself.
# A negative int4 has zeros above its four bits: -1 is 0x0f.
_VALID_BYTES = {
    "bool": bytes(range(2)),
    **dict.fromkeys(("int4", "uint4", "float4_e2m1fn"), bytes(range(16))),
    **dict.fromkeys(("int2", "uint2"), bytes(range(4))),
}


class WireError(GraderError):
    """Bytes that aren't a frame, or a value that can't be sent in one."""


class TooLargeError(WireError):
    """A message that is larger than the limit."""


@dataclass(frozen=True)
class Array:
    """An array as bytes: little-endian, C order."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes | memoryview


@dataclass(frozen=True)
class Key:
    """A typed PRNG key, or an array of them."""

    impl: str
    data: Array


@dataclass(frozen=True)
class Named:
    """A namedtuple or a dataclass. `tag` numbers a class of the suite, `code` is that class."""

    name: str
    fields: tuple[str, ...]
    values: tuple[Any, ...]
    tag: int | None = None
    code: bytes | None = None


@dataclass(frozen=True)
class Handle:
    """The number of a function, which itself isn't sent."""

    number: int


@dataclass(frozen=True)
class CallbackNumber:
    """The number of a function of the suite's that stays in the judge. Only the judge sends it."""

    number: int


@dataclass(frozen=True)
class Code:
    """A suite's function, cloudpickled. The judge sends it, and never accepts one."""

    data: bytes


@dataclass(frozen=True)
class Frame:
    """One message: `seq` pairs an answer with its question."""

    seq: int
    kind: str
    value: Any


def encode(seq: int, kind: str, value: Any) -> bytes:
    """A frame as bytes. Raises `WireError` if the value isn't data."""
    packer = _Packer()
    tree = packer.pack(value, 0)
    sizes = [len(buffer) for buffer in packer.buffers]
    header = msgpack.packb([seq, kind, tree, sizes], unicode_errors="surrogatepass")
    return b"".join((_PREFIX.pack(len(header), sum(sizes)), header, *packer.buffers))


class Decoder:
    """Collects bytes into frames. Raises `WireError` as soon as they can't become one."""

    def __init__(self, max_bytes: int, max_header: int = MAX_HEADER) -> None:
        self._max_bytes = max_bytes
        self._max_header = min(max_header, max_bytes)
        self._data = bytearray()

    def __len__(self) -> int:
        """How many bytes don't belong to a complete frame yet."""
        return len(self._data)

    def feed(self, data: bytes) -> Iterator[Frame]:
        self._data += data
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> Frame | None:
        if len(self._data) < _PREFIX.size:
            return None
        header_size, body_size = _PREFIX.unpack_from(self._data)
        for size, limit in ((header_size, self._max_header), (body_size, self._max_bytes)):
            if size > limit:
                raise TooLargeError(f"a message of {size:,} bytes; the limit is {limit:,}")
        end = _PREFIX.size + header_size + body_size
        if len(self._data) < end:
            return None
        # The frame keeps the memory that it arrived in: its arrays may be large.
        whole, self._data = memoryview(self._data).toreadonly(), self._data[end:]
        body = _PREFIX.size + header_size
        return _frame(bytes(whole[_PREFIX.size : body]), whole[body:end])


def _frame(header: bytes, body: memoryview) -> Frame:
    try:
        seq, kind, tree, sizes = msgpack.unpackb(header, unicode_errors="surrogatepass")
    except Exception as error:  # msgpack raises a dozen classes, all with the same meaning here
        raise WireError(f"a header that can't be read ({type(error).__name__})") from error
    if not isinstance(seq, int) or not isinstance(kind, str) or not isinstance(sizes, list):
        raise WireError("a header whose parts have the wrong types")
    if len(sizes) > MAX_BUFFERS or not all(isinstance(n, int) and n >= 0 for n in sizes):
        raise WireError("a header with impossible buffers")
    if sum(sizes) != len(body):
        raise WireError("a body of another size than its header says")
    buffers, start = [], 0
    for size in sizes:
        buffers.append(body[start : start + size])
        start += size
    try:
        return Frame(seq, kind, _Unpacker(buffers).whole(tree))
    except (TypeError, ValueError, LookupError, ArithmeticError) as error:
        raise WireError(f"a value that can't be read ({type(error).__name__})") from error


class _Packer:
    """Plain scalars stay as they are; everything else becomes a list that begins with a tag."""

    def __init__(self) -> None:
        self.buffers: list[bytes | memoryview] = []
        self.nodes = self.other_keys = 0

    def pack(self, value: Any, depth: int) -> Any:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise WireError(f"a value nested over {MAX_DEPTH} deep or of over {MAX_NODES:,} parts")
        kind = type(value)
        if value is None or kind in (bool, str, float):
            return value
        if kind is int:
            return value if -(2**63) <= value < 2**63 else ["i", _digits(value)]
        if kind is bytes:
            return ["b", self._buffer(value)]
        if kind is complex:
            return ["c", value.real, value.imag]
        if kind is list or kind is tuple:
            return ["l" if kind is list else "t", [self.pack(v, depth + 1) for v in value]]
        if kind is dict:
            self.other_keys += sum(map(_is_other_key, value))
            if self.other_keys > MAX_OTHER_KEYS:
                raise WireError(_TOO_MANY_KEYS)
            pairs = [[self.pack(k, depth + 1), self.pack(v, depth + 1)] for k, v in value.items()]
            return ["d", pairs]
        return self._record(value, depth)

    def _record(self, value: Any, depth: int) -> Any:
        match value:
            case Array(dtype, shape, data):
                return ["a", dtype, list(shape), self._buffer(data)]
            case Key(impl, data):
                return ["k", impl, self._record(data, depth)]
            case Named(name, fields, values, tag, code):
                code_at = None if code is None else self._buffer(code)
                packed = [self.pack(v, depth + 1) for v in values]
                return ["n", name, list(fields), packed, tag, code_at]
            case Handle(number):
                return ["h", number]
            case CallbackNumber(number):
                return ["j", number]
            case Code(data):
                return ["f", self._buffer(data)]
        raise WireError(f"a {type(value).__name__}, which is not data")

    def _buffer(self, data: bytes | memoryview) -> int:
        if len(self.buffers) == MAX_BUFFERS:
            raise WireError(f"a value of over {MAX_BUFFERS:,} arrays")
        self.buffers.append(data)
        return len(self.buffers) - 1


class _Unpacker:
    def __init__(self, buffers: list[memoryview]) -> None:
        self._buffers = buffers
        self._used = self._nodes = self._other_keys = 0

    def whole(self, tree: Any) -> Any:
        value = self.unpack(tree, 0)
        if self._used != len(self._buffers):
            raise WireError("a buffer that nothing uses")
        return value

    def unpack(self, tree: Any, depth: int) -> Any:
        self._nodes += 1
        if depth > MAX_DEPTH or self._nodes > MAX_NODES:
            raise WireError(f"a value nested over {MAX_DEPTH} deep or of over {MAX_NODES:,} parts")
        if not isinstance(tree, list):
            if tree is None or isinstance(tree, bool | int | float | str):
                return tree
            raise WireError(f"a bare {type(tree).__name__}")
        tag, *rest = tree
        return self._tagged(tag, rest, depth + 1)

    def _tagged(self, tag: Any, rest: list[Any], depth: int) -> Any:
        match tag, rest:
            case ("l", [list(items)]):
                return [self.unpack(item, depth) for item in items]
            case ("t", [list(items)]):
                return tuple(self.unpack(item, depth) for item in items)
            case ("d", [list(pairs)]):
                return self._dict(pairs, depth)
            case ("a", [str(dtype), list(shape), int(at)]):
                return self._array(dtype, shape, at)
            case ("k", [str(impl), ["a", str(dtype), list(shape), int(at)]]):
                return Key(impl, self._array(dtype, shape, at))
            case ("n", [str(name), list(fields), list(values), tag_number, code_at]):
                return self._named(name, fields, values, tag_number, code_at, depth)
            case ("h", [int(number)]):
                return Handle(number)
            case ("j", [int(number)]):
                return CallbackNumber(number)
            case ("f", [int(at)]):
                return Code(bytes(self._next(at)))
            case ("b", [int(at)]):
                return bytes(self._next(at))
            case ("c", [float(real), float(imag)]):
                return complex(real, imag)
            case ("i", [str(digits)]) if len(digits) <= MAX_INT_DIGITS:
                return int(digits, 16)
        raise WireError("a part with an unknown tag")

    def _next(self, at: int) -> memoryview:
        """A buffer, which has to be the one after the last."""
        if at != self._used:
            raise WireError("a buffer that is used twice, or out of order")
        self._used += 1
        return self._buffers[at]

    def _dict(self, pairs: list[Any], depth: int) -> dict[Any, Any]:
        result = {self._key(k, depth): self.unpack(v, depth) for k, v in pairs}
        if len(result) != len(pairs):
            raise WireError("a dict with a key twice")
        return result

    def _key(self, tree: Any, depth: int) -> Any:
        key = self.unpack(tree, depth)
        self._other_keys += _is_other_key(key)
        if self._other_keys > MAX_OTHER_KEYS:
            raise WireError(_TOO_MANY_KEYS)
        if not _is_key(key):
            raise WireError("a dict with a key that can't be one")
        return key

    def _array(self, dtype: str, shape: list[Any], at: int) -> Array:
        if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in shape):
            raise WireError("an array with an impossible shape")
        data = self._next(at)
        if dtype not in ITEM_SIZES or len(shape) > 32:
            raise WireError(f"an array of dtype {dtype[:40]!r} and {len(shape)} dimensions")
        if math.prod(shape) * ITEM_SIZES[dtype] != len(data):
            raise WireError("an array whose bytes don't fit its shape")
        if not data and math.prod(filter(None, shape)) > MAX_EMPTY:
            raise WireError("an empty array of impossible lengths")
        if dtype in _VALID_BYTES and bytes(data).translate(None, _VALID_BYTES[dtype]):
            raise WireError(f"an array of dtype {dtype} with bytes that none of its values has")
        return Array(dtype, tuple(shape), data)

    def _named(
        self, name: str, fields: list[Any], values: list[Any], tag: Any, code: Any, depth: int
    ) -> Named:
        if len(fields) != len(values) or not all(isinstance(f, str) for f in fields):
            raise WireError("a record whose fields and values don't match")
        # numpy would trust a name such as `__array_interface__`, and read memory at its address.
        if not all(f.isidentifier() and not f.startswith("_") for f in fields):
            raise WireError("a record with a field that has no proper name")
        sent = None if code is None else bytes(self._next(code))
        unpacked = tuple(self.unpack(value, depth) for value in values)
        return Named(name[:200], tuple(fields), unpacked, None if tag is None else int(tag), sent)


def _is_other_key(key: Any) -> bool:
    """Whether a sender can choose many such keys with one hash."""
    return not isinstance(key, str | bytes) and not (type(key) is int and abs(key) < 2**63)


def _is_key(key: Any) -> bool:
    return all(map(_is_key, key)) if isinstance(key, tuple) else isinstance(key, _SCALARS)


def _digits(value: int) -> str:
    if value.bit_length() >= 4 * MAX_INT_DIGITS - 8:
        raise WireError(f"an integer of {value.bit_length()} bits")
    return f"{value:x}"
