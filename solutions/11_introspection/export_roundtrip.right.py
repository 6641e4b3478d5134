"""Other right answers to export_roundtrip; each cell is a suffix to the solution."""

import dataclasses
import io
from functools import cached_property

import jax
import jax.export
from jax import export
from jax.export import deserialize


# %% any_platform
# Exported for several platforms, and called by another function.
def export_roundtrip(f, spec):
    exporter = export.export(jax.jit(f), platforms=("cpu", "cuda"))
    data = exporter(spec).serialize(vjp_order=1)

    def function(x):
        return read.call(x)

    read = export.deserialize(data)
    return bytes(data), function


# %% bytearray
# The bytes are the bytearray that `serialize` returns.
def export_roundtrip(f, spec):
    data = export.export(jax.jit(f))(spec).serialize(vjp_order=1)
    return data, export.deserialize(data).call


# %% reader_class
# An object keeps the bytes and reads them when it is called.
from jax.export import export


@dataclasses.dataclass(frozen=True)
class Reader:
    data: bytes

    def __call__(self, x):
        return deserialize(bytearray(self.data)).call(x)


def export_roundtrip(f, spec):
    exported = export(jax.jit(lambda x: f(x)))(spec)
    reader = Reader(bytes(exported.serialize(vjp_order=1)))
    return reader.data, reader


# %% through_a_buffer
# The bytes go through a buffer, as through a file, with a second derivative and a `jit`.
def export_roundtrip(f, spec):
    buffer = io.BytesIO()
    buffer.write(jax.export.export(jax.jit(f))(spec).serialize(vjp_order=2))
    data = buffer.getvalue()
    return data, jax.jit(jax.export.deserialize(data).call)


# %% lazy_reader
# The bytes are read at the first call, and the program is kept by the object.
class Program:
    def __init__(self, data):
        self.data = data

    @cached_property
    def exported(self):
        return export.deserialize(bytearray(self.data))

    def __call__(self, x):
        return self.exported.call(x)


def export_roundtrip(f, spec):
    program = Program(bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=3)))
    return program.data, program


# %% memoryview
# The bytes are joined from slices, and the function is a partial of `call_exported`.
def export_roundtrip(f, spec):
    view = memoryview(export.export(jax.jit(f))(spec).serialize(vjp_order=1))
    data = b"".join(view[k : k + 1024] for k in range(0, len(view), 1024))
    return data, jax.tree_util.Partial(export.deserialize(bytearray(data)).call)
