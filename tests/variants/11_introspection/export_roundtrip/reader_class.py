"""An object that keeps the bytes, and reads them when it is called."""

import dataclasses

import jax
from jax.export import deserialize, export


@dataclasses.dataclass(frozen=True)
class Reader:
    data: bytes

    def __call__(self, x):
        return deserialize(bytearray(self.data)).call(x)


def export_roundtrip(f, spec):
    exported = export(jax.jit(lambda x: f(x)))(spec)
    reader = Reader(bytes(exported.serialize(vjp_order=1)))
    return reader.data, reader
