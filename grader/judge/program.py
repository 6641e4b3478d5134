"""A submission's function as a program: its values, and facts that need no timing.

Everything here comes from the bench, except where a docstring says "reported by the worker".
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Protocol

import jax
import numpy as np


class BenchCodec(Protocol):
    """The part of `Codec` that a program needs: values to records and back, and the bench."""

    def encode(self, value: Any) -> Any: ...

    def decode(self, value: Any, leaves: list[Any] | None = None) -> Any: ...

    def bench(self, kind: str, value: Any) -> Any: ...


class Program:
    """An exported function in the bench, with facts that need no timing."""

    def __init__(self, codec: BenchCodec, exported: bytes, structure: Any = None) -> None:
        self._codec = codec
        self._structure = structure
        self.exported = exported
        """The program itself: hostile bytes."""
        facts = codec.bench("inspect", {"program": exported})
        self.size: int = facts["size"]
        """The number of operations: nested ones count once, constants and calls don't count."""
        self.operations: dict[str, int] = facts["operations"]
        """How many operations of each kind, by StableHLO name, such as "stablehlo.while"."""
        self.dtypes: frozenset[str] = frozenset(facts["dtypes"])
        """Element types of every value in it, such as "f32"."""
        self.precisions: frozenset[str] = frozenset(facts["precisions"])
        """The precisions that its products ask for, by the names of `jax.lax.Precision`."""
        self.largest_intermediate: int = facts["largest_intermediate"]
        """Elements of the largest tensor in it."""
        self.constants: int = facts["constants"]
        """Elements of its largest constant, without constants that repeat one value."""
        self.donated: frozenset[int] = frozenset(facts["donated"])
        """The numbers of the array leaves that it may overwrite; reported by the worker."""
        self.flops: int | None = facts["flops"]
        """Arithmetic operations on elements; a loop counts as often as it runs. None if a loop
        has no constant count, or if a library is called."""
        self.bytes: int | None = facts["bytes"]
        """Bytes that it reads and writes if nothing is fused; None in the same cases."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs it in the bench; returns the list of output leaves, or the only leaf."""
        outputs = self._run(args, kwargs)
        return outputs[0] if len(outputs) == 1 else outputs

    def structured(self, *args: Any, **kwargs: Any) -> Any:
        """Runs it in the bench; the containers of the outputs are reported by the worker."""
        return self.restored(self._run(args, kwargs))

    def restored(self, outputs: list[Any]) -> Any:
        """Output leaves in their containers, which are reported by the worker."""
        return self._codec.decode(self._structure, outputs)

    def _run(self, args: Any, kwargs: Any) -> list[Any]:
        leaves = [
            self._codec.encode(leaf)
            for leaf in jax.tree.leaves((args, kwargs))
            if isinstance(leaf, np.ndarray | np.generic | jax.Array)
        ]
        outputs = self._codec.decode(
            self._codec.bench("run", {"program": self.exported, "inputs": leaves})
        )
        assert isinstance(outputs, list)
        return outputs


@dataclasses.dataclass(frozen=True)
class Growth:
    """How a program's facts grow with n: p means growth like n^p, and 0 means no growth.

    Fitted by least squares to the logarithms; None where a program has no such fact.
    """

    size: float
    """Operations in the program."""
    largest_intermediate: float
    flops: float | None
    bytes: float | None

    @classmethod
    def of(cls, sizes: Sequence[int], programs: Sequence[Program]) -> Growth:
        names = [field.name for field in dataclasses.fields(cls)]
        facts = {name: [getattr(program, name) for program in programs] for name in names}
        fitted: dict[str, Any] = {name: _exponent(sizes, facts[name]) for name in names}
        return cls(**fitted)


def _exponent(sizes: Sequence[int], values: Sequence[int | None]) -> float | None:
    """The slope of the values over the sizes, both as logarithms."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    slope, _ = np.polyfit(np.log(sizes), np.log(np.maximum(known, 1)), 1)
    return round(float(slope), 3)
