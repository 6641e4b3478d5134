"""A submission's function as a program: its values, and facts that need no timing.

Everything here comes from the bench, except where a docstring says "reported by the worker".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jax
from jax.sharding import PartitionSpec

from grader.engine.processes import faults
from grader.engine.suite.calls import Asked
from grader.engine.suite.codec import Codec, Disagreement
from grader.engine.suite.facts import Fact, HeldParts, Operations, sentence
from grader.engine.wire import arrays
from grader.records.model import Basis

# An author's own pytest shows the suite's line, and none of this file.
__tracebackhide__ = True

# A property of `Program` has the name of this class.
Hostile = bytes
Shards = tuple[tuple[tuple[int, int], ...], ...]
# The facts that depend on where the inputs are.
_PLACED = frozenset(
    "collectives flops_of_a_device sent_by_a_device received_by_a_device shards".split()
)


class Program:
    """An exported function in the bench, with facts that need no timing.

    They are counted in the exported StableHLO, before XLA optimizes it, so that they don't change
    with the version of XLA. Only what runs counts. An operation that no result needs doesn't count,
    nor does a loop with no rounds or a branch that is never chosen, if constants decide that.

    A fact says nothing about another program, and code may know the shapes that a suite uses.
    So compare the values of the same program, in this test or in one above it: a test that checks
    a fact of a program which never ran counts as a report. And compare facts with numbers:
    comparing two facts raises `BrokenSuiteError`, since code could pad the smaller program. A
    program that is written out has an operation or more for each of its rounds.

    Example: `program = submission.f.program(x)`, then `assert program.size < len(x)` and
    `assert_close(program(x), x * 2)`.
    """

    def __init__(
        self,
        codec: Codec,
        exported: Hostile,
        facts: dict[str, Any],
        structure: Any = None,
        call: Asked | None = None,
        layout: dict[str, Any] | None = None,
    ) -> None:
        self._codec = codec
        self._structure = structure
        self._call = call
        self._facts = facts
        self._layout = layout
        self.exported = exported
        """The program itself: hostile bytes."""

    @property
    def size(self) -> int:
        """The number of operations. The body of a loop counts once. A function counts at each
        call, and so does the code behind a `jax.lax.composite`. Constants, returns and sharding
        annotations don't count."""
        return self._counted("size")

    @property
    def operations(self) -> dict[str, int]:
        """How many operations of each kind, by StableHLO name, such as `stablehlo.while`. They are
        counted as for `size`."""
        return Operations(self._fact("operations"))

    @property
    def dtypes(self) -> frozenset[str]:
        """Element types of all results of operations, named as in StableHLO, such as `f32`, `bf16`,
        `i32`, and `i1` for a bool."""
        return frozenset(self._fact("dtypes"))

    @property
    def elements(self) -> int:
        """Elements of all results of operations together, so that an array created in pieces counts
        whole. The body of a loop counts once, in addition to what the loop changes. Inputs don't
        count, nor does a reshaped array, or one number that is repeated."""
        return self._counted("elements")

    @property
    def constants(self) -> int:
        """Elements of all its constants together, without those that only repeat one value."""
        return self._counted("constants")

    @property
    def devices(self) -> int:
        """On how many devices it runs: 8 for a `pmap` over eight, or a `shard_map` over a mesh of
        eight. `flops_of_a_device` shows whether they share the work."""
        return self._counted("devices")

    def given(self, sizes: Mapping[str, int], *specs: PartitionSpec) -> Program:
        """The same program, given inputs that are split over a mesh of its devices.

        `sizes` has the axes of this mesh, and `specs` a `PartitionSpec` for each array leaf of the
        arguments; leaves after the last one are whole on every device, and so are all of them
        without `given`. A device gets only its part. Anything else it needs has to travel, which
        `collectives`, `sent_by_a_device` and `received_by_a_device` show.

        Example: `program.given({"y": 4, "x": 2}, P("y", "x"))`.

        Raises `Mismatch` if the program runs on another number of devices.
        """
        wanted = math.prod(sizes.values())
        if (found := self._facts["devices"]) != wanted:
            raise faults.Mismatch(sentence(Fact("devices", found), "==", wanted), "")
        numbers = {name: number for number, name in enumerate(sizes)}
        cut = [
            [
                [numbers[name] for name in (axes if isinstance(axes, tuple) else (axes,)) if name]
                for axes in spec
            ]
            for spec in specs
        ]
        layout = {"sizes": [*sizes.values()], "specs": cut}
        facts = {k: v for k, v in self._facts.items() if k not in _PLACED}
        return Program(self._codec, self.exported, facts, self._structure, self._call, layout)

    @property
    def collectives(self) -> dict[str, int]:
        """How many collectives of each kind the compiled program has, such as `all_reduce`,
        `all_gather` or `collective_permute`. Empty on a single device."""
        return dict(self._fact("collectives"))

    @property
    def shards(self) -> tuple[Shards, ...]:
        """What each device holds of each output leaf: for each device, in order, the (start, stop)
        along each axis. On two devices, `x` of shape [4, 3] has `(((0, 2), (0, 3)),
        ((2, 4), (0, 3)))` if it is cut along its first axis, and twice `((0, 4), (0, 3))` if both
        hold all of it. Where the program doesn't specify this, the compiler decides."""
        return HeldParts(
            tuple(tuple((start, stop) for start, stop in part) for part in devices)
            for devices in self._fact("shards")
        )

    @property
    def flops(self) -> int:
        """Arithmetic operations on elements, such as 2 m n k for a matrix product. A loop
        counts as often as it runs. Of several branches, the most expensive one counts.

        Raises `Uncounted` if the program calls a library, or if the rounds of a loop aren't
        constant. They may be constant in one right answer and not in another: under `jax.jit`, a
        number among the arguments is traced.
        """
        return self._counted("flops")

    @property
    def bytes(self) -> int:
        """Bytes that it reads and writes if nothing is fused; raises as `flops` does."""
        return self._counted("bytes")

    @property
    def depth(self) -> int:
        """How many operations wait for one another: the longest chain of those that compute, each
        of any size. A loop counts its body in each round: a scan over T steps has a depth of T or
        more, and a scan by composition some log T. Raises `Uncounted` as `flops` does.
        """
        return self._counted("depth")

    @property
    def flops_of_a_device(self) -> int:
        """Arithmetic operations of one device in the compiled program: its share of the work, with
        every round of a loop. On a single device the same as `flops`.

        Raises `Uncounted` as `flops` does, or if the compiler doesn't know the rounds of a loop.
        """
        return self._counted("flops_of_a_device" if self.devices > 1 else "flops")

    @property
    def sent_by_a_device(self) -> int:
        """Bytes of all arrays that one device gives to collectives in the compiled program, with
        every round of a loop. On a single device 0.

        Raises `Uncounted` if the compiler doesn't know the rounds of such a loop.
        """
        return self._counted("sent_by_a_device")

    @property
    def received_by_a_device(self) -> int:
        """Bytes of all arrays that collectives return to one device, counted as for
        `sent_by_a_device`. A gather returns the parts of all devices, including its own."""
        return self._counted("received_by_a_device")

    @property
    def donated(self) -> frozenset[int]:
        """The numbers of the array leaves that it may overwrite, counted from 0 over all arguments.

        The worker reports it, so a test that uses it counts as a report.
        """
        self._codec.seat.evidence.kinds.add(Basis.REPORT)
        return frozenset(self._facts["donated"])

    def _fact(self, name: str) -> Any:
        self._codec.seat.evidence.measured.add(self.exported)
        if name in _PLACED and name not in self._facts:
            question = {"program": self.exported, "layout": self._layout}
            self._facts |= self._codec.seat.bench("place", question)
        return self._facts[name]

    def _counted(self, name: str) -> Fact:
        count = self._fact(name)
        if count is None:
            raise faults.Uncounted("stablehlo.custom_call" in self.operations)
        return Fact(name, count)

    @classmethod
    def stored(cls, codec: Codec, exported: Hostile) -> Program:
        """The program in these bytes, which `jax.export` made. Its outputs have no containers."""
        return cls(codec, exported, codec.seat.bench("inspect", {"program": exported}))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs it in the bench; returns the list of output leaves, or the only leaf.

        The arrays must have the shapes and dtypes of the export. Other arguments are ignored.
        Raises `Mismatch` if the program fails.
        """
        outputs = self.outputs(*args, **kwargs)
        return outputs[0] if len(outputs) == 1 else outputs

    def structured(self, *args: Any, **kwargs: Any) -> Any:
        """Runs it in the bench; returns the outputs in their containers (lists, dicts, ...).

        The worker reports the containers, but not the values.
        """
        return self.restored(self.outputs(*args, **kwargs))

    @property
    def derivative(self) -> Program:
        """The reverse derivative stored with it, as a program of its inputs and of one cotangent
        for each output. It returns a cotangent for each input.

        Only a `stored_program` has one. Raises `Refused` if none is stored.
        """
        derivative = self._codec.seat.bench("derivative", {"program": self.exported})
        return Program.stored(self._codec, derivative)

    def outputs(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Runs it in the bench; returns the list of output leaves."""
        given = [leaf for leaf in jax.tree.leaves((args, kwargs)) if arrays.is_array(leaf)]
        evidence = self._codec.seat.evidence
        evidence.ran.add(self.exported)
        if self._call is not None:
            evidence.asks(self._call.on(given))
        inputs = list(map(self._codec.encode, given))
        question = {"program": self.exported, "layout": self._layout, "inputs": inputs}
        outputs = self._codec.answer(self._codec.seat.bench("run", question))
        assert isinstance(outputs, list)
        return [Disagreement() if output is None else output for output in outputs]

    def restored(self, outputs: list[Any]) -> Any:
        """Output leaves in their containers, which are reported by the worker."""
        return self._codec.decode(self._structure, outputs)

    def users(self, args: tuple[Any, ...], others: tuple[Any, ...]) -> int:
        """On how many of its devices it makes a difference to get the array arguments in `others`
        instead of those in `args`. If they differ in one example, and the devices share the
        examples, it is 1, because only one device uses this example.
        """
        inputs = {"inputs": self._inputs(args), "others": self._inputs(others)}
        question = {"program": self.exported, **inputs}
        self._codec.seat.evidence.ran.add(self.exported)
        return int(self._codec.seat.bench("users", question))

    def _inputs(self, given: Any) -> list[Any]:
        leaves = filter(arrays.is_array, jax.tree.leaves(given))
        return [self._codec.encode(leaf) for leaf in leaves]


@dataclass(frozen=True)
class Kept:
    """What waits between a forward and a backward pass: arrays that the judge carries."""

    forward: Program
    """The program of the value. It also returns these arrays."""
    backward: Program
    """The program of the gradients, of these arrays and of the gradients that arrive."""
    arrays: list[Any]

    @property
    def bytes(self) -> int:
        """All of the arrays together; an array that is kept twice counts twice."""
        return Fact("kept", sum(int(array.nbytes) for array in self.arrays))

    def gradients(self, arriving: Any) -> list[Any]:
        """Runs the backward pass, for gradients in the value.

        Returns the gradient in each array of floats among the arguments, in their order.
        """
        return self.backward.outputs(self.arrays, arriving)


def kept_between(
    forward: Program, backward: Program, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Kept]:
    """Runs the forward pass. Its first outputs are the value, and the others are kept."""
    outputs = forward.outputs(*args, **kwargs)
    value = forward.restored(outputs)
    count = len(jax.tree.leaves(value, is_leaf=lambda leaf: isinstance(leaf, Disagreement)))
    return value, Kept(forward, backward, outputs[count:])
