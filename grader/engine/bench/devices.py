"""An exported program, compiled for as many devices as it was exported for.

    Loaded(exported, layout)     Loaded.place(inputs) -> inputs     Loaded(*inputs) -> outputs

A layout says which part of each input lies on which device. What a device lacks has to travel, and
shows in the facts. Without a layout the inputs are whole on every device.
"""

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import jax
import jax.export
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from grader.engine.bench.compiled import work_of
from grader.engine.bench.refused import RefusedProgram, Why

# Of the largest value. Devices may add in another order.
ROUNDING = 1e-3

Layout = dict[str, Any]
"""`sizes`: those of a mesh of all devices, in their order. `specs`: for each input, for each of its
first axes, the numbers of the axes of the mesh that cut it."""


class Loaded:
    """A program that can be called. It is compiled at the first call, or as `facts` are asked.

    `options` are for the compiler: they go before the flags of the process.
    """

    def __init__(
        self,
        exported: jax.export.Exported,
        options: dict[str, Any] | None = None,
        layout: Layout | None = None,
    ) -> None:
        self.devices = exported.nr_devices
        if not 1 <= self.devices <= len(jax.devices()):
            raise RefusedProgram(Why.DEVICES)
        self._specs = exported.in_avals
        self._shapes = [spec.shape for spec in exported.out_avals]
        self._jitted = jax.jit(exported.call, compiler_options=options)
        self._call: Callable[..., Any] = self._jitted
        self._meshes = _meshes(self.devices) if layout is None else iter([_refined(layout)])
        self._specs_given = [] if layout is None else layout["specs"]
        self._turn()

    def _turn(self) -> None:
        """The inputs go onto the next mesh. Raises `RefusedProgram` if there is no other one."""
        mesh = next(self._meshes, None)
        if mesh is None:
            raise RefusedProgram(Why.DEVICES)
        given = [*self._specs_given, *[[]] * (len(self._specs) - len(self._specs_given))]
        self._placed = [NamedSharding(mesh, _spec(mesh, axes)) for axes in given]
        self._everywhere = NamedSharding(mesh, PartitionSpec())

    def place(self, inputs: Sequence[Any]) -> Sequence[Any]:
        """The inputs, where the program takes them."""
        if self.devices == 1:
            return inputs
        self._compile()
        return jax.device_put([*inputs], self._placed)  # type: ignore[no-any-return]

    def __call__(self, *inputs: Any) -> Any:
        return self._call(*inputs)

    def users(self, inputs: Sequence[Any], others: Sequence[Any]) -> int:
        """On how many devices it makes a difference to get the other inputs."""
        if self.devices > 1:
            self._compile()

        def outputs(at: int | None) -> list[bytes]:
            arguments = [self._differing(*pair, at) for pair in zip(inputs, others, strict=True)]
            leaves = jax.tree.leaves(self._call(*arguments))
            return [bytes(shard.data) for leaf in leaves for shard in leaf.addressable_shards]

        usual = outputs(None)
        return sum(outputs(device) != usual for device in range(self.devices))

    def _differing(self, usual: Any, other: Any, at: int | None) -> Any:
        """An input as every device gets it, and the device with number `at` another one."""
        devices = jax.devices()[: self.devices]
        copies = [jax.device_put(other if n == at else usual, d) for n, d in enumerate(devices)]
        return jax.make_array_from_single_device_arrays(usual.shape, self._everywhere, copies)

    def facts(self) -> dict[str, Any]:
        """What only the compiled program knows, since the compiler shares out the work."""
        if self.devices == 1:
            whole = [[[[0, length] for length in shape]] for shape in self._shapes]
            return {
                "collectives": {},
                "sent_by_a_device": 0,
                "received_by_a_device": 0,
                "shards": whole,
            }
        compiled = self._compile()
        executable: Any = compiled.runtime_executable()
        (module,) = executable.hlo_modules()
        work = work_of(module.as_serialized_hlo_module_proto())
        placed = jax.tree.leaves(compiled.output_shardings)
        return {
            "collectives": work.collectives,
            "flops_of_a_device": work.flops,
            "sent_by_a_device": work.sent,
            "received_by_a_device": work.received,
            "shards": [_shards(*pair) for pair in zip(placed, self._shapes, strict=True)],
        }

    def _compile(self) -> Any:
        """Compiles it, once, for inputs on a mesh that can say how the outputs are cut."""
        while self._call is self._jitted:
            specs = [
                jax.ShapeDtypeStruct(spec.shape, spec.dtype, sharding=placed)
                for spec, placed in zip(self._specs, self._placed, strict=True)
            ]
            try:
                self._call = self._jitted.lower(*specs).compile()
            except ValueError as error:  # of a class that JAX keeps to itself
                if type(error).__name__ != "IndivisibleError":
                    raise
                self._turn()
        return self._call


def _meshes(devices: int) -> Iterator[Mesh]:
    """Meshes of so many devices whose axes are prime numbers, in any order.

    JAX writes down how an output is cut by the axes of the mesh that the inputs are on. On an axis
    of eight it can't write that something is cut in four.
    """
    for sizes in dict.fromkeys(itertools.permutations(_primes(devices))):
        yield _mesh([(0, number) for number in range(len(sizes))], sizes)


def _refined(layout: Layout) -> Mesh:
    """The mesh of a layout, with each of its axes as the product of axes of prime sizes."""
    primes = [_primes(size) for size in layout["sizes"]]
    names = [(axis, part) for axis, own in enumerate(primes) for part in range(len(own))]
    return _mesh(names, [size for own in primes for size in own])


def _mesh(names: Iterable[tuple[int, int]], sizes: Sequence[int]) -> Mesh:
    devices = np.array(jax.devices()[: math.prod(sizes)]).reshape(sizes)
    return Mesh(devices, tuple(f"axis{axis}_{part}" for axis, part in names))


def _spec(mesh: Mesh, axes: Sequence[Sequence[int]]) -> PartitionSpec:
    """How an input is cut whose first axes are cut by these axes of a layout."""

    def parts(numbers: Sequence[int]) -> tuple[str, ...]:
        begins = (f"axis{number}_" for number in numbers)
        return tuple(name for begin in begins for name in mesh.axis_names if name.startswith(begin))

    return PartitionSpec(*(parts(numbers) or None for numbers in axes))


def _primes(number: int) -> list[int]:
    """The prime factors of a number; of 1 it is 1."""
    factor = next((n for n in range(2, number) if number % n == 0), number)
    return [factor] if factor == number else [factor, *_primes(number // factor)]


def _shards(sharding: Any, shape: tuple[int, ...]) -> list[list[list[int]]]:
    """For each device, where its part of an output begins and ends along each axis."""
    parts = sharding.devices_indices_map(shape)
    return [
        [list(part.indices(length)[:2]) for part, length in zip(parts[device], shape, strict=True)]
        for device in sorted(parts, key=lambda device: device.id)
    ]


def agreed(output: Any) -> bool:
    """Whether devices that hold the same part of an output hold the same values, up to rounding."""
    if len(output.addressable_shards) == 1:
        return True
    held: dict[str, list[Any]] = defaultdict(list)
    for shard in output.addressable_shards:
        held[str(shard.index)].append(np.asarray(shard.data))
    return all(_close(other, first) for first, *others in held.values() for other in others)


def _close(one: Any, other: Any) -> bool:
    if one.tobytes() == other.tobytes():
        return True
    if not jax.numpy.issubdtype(one.dtype, np.inexact):
        return False
    wide = np.complex128 if jax.numpy.iscomplexobj(one) else np.float64
    one, other = one.astype(wide), other.astype(wide)
    largest = np.abs(other[np.isfinite(other)]).max(initial=0.0)
    return bool(np.allclose(one, other, rtol=0, atol=ROUNDING * largest, equal_nan=True))
