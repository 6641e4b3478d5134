"""A submission's function as a program: facts that no clock decides, and its values.

Everything here was read or computed by the bench, but for what a docstring calls the worker's word.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

if TYPE_CHECKING:
    from grader.judge.proxy import Codec


class Program:
    """An exported function, as the bench sees it: facts that no clock decides."""

    def __init__(self, codec: Codec, exported: bytes, structure: Any = None) -> None:
        self._codec = codec
        self._structure = structure
        self.exported = exported
        """The program itself: hostile bytes."""
        facts = codec.seat.bench("inspect", {"program": exported})
        self.size: int = facts["size"]
        """Operations, nested ones counted once, constants and calls not counted."""
        self.operations: dict[str, int] = facts["operations"]
        """How many of each, by StableHLO name, such as "stablehlo.while"."""
        self.dtypes: frozenset[str] = frozenset(facts["dtypes"])
        """Element types of every value in it, such as "f32"."""
        self.precisions: frozenset[str] = frozenset(facts["precisions"])
        """How exactly its products are asked for, by the names of `jax.lax.Precision`."""
        self.largest_intermediate: int = facts["largest_intermediate"]
        """Elements of the largest tensor in it."""
        self.constants: int = facts["constants"]
        """Elements of its largest constant that is not one value repeated."""
        self.donated: frozenset[int] = frozenset(facts["donated"])
        """Which of its inputs it may write over, counting array leaves; the worker's word."""
        self.flops: int | None = facts["flops"]
        """Arithmetic operations on elements, loops as often as they run; None where a loop has
        no constant count, or a library is called."""
        self.bytes: int | None = facts["bytes"]
        """What it reads and writes if nothing is fused, or None likewise."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs it in the bench: the list of output leaves, or the leaf if there is one."""
        outputs = self._run(args, kwargs)
        return outputs[0] if len(outputs) == 1 else outputs

    def structured(self, *args: Any, **kwargs: Any) -> Any:
        """Runs it in the bench: the outputs in the containers that the worker says they had."""
        return self.restored(self._run(args, kwargs))

    def restored(self, outputs: list[Any]) -> Any:
        """Output leaves in the containers that the worker says they had."""
        return self._codec.decode(self._structure, outputs)

    def _run(self, args: Any, kwargs: Any) -> list[Any]:
        leaves = [
            self._codec.encode(leaf)
            for leaf in jax.tree.leaves((args, kwargs))
            if isinstance(leaf, np.ndarray | np.generic | jax.Array)
        ]
        outputs = self._codec.decode(
            self._codec.seat.bench("run", {"program": self.exported, "inputs": leaves})
        )
        assert isinstance(outputs, list)
        return outputs


@dataclasses.dataclass(frozen=True)
class Growth:
    """How a program's facts grow with n: p where they grow like n^p, 0 where they don't.

    Fitted by least squares to the logarithms; None where a program made no claim.
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
