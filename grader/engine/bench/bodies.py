"""The inner programs of operations, each read once: reading one from Python is slow.

Bodies().of(operation) -> for each of its regions a Body: arguments, operations, what it returns
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from jax.extend.mlir import ir

from grader.engine.bench.operations import PLACING, called, is_entered


class Body(NamedTuple):
    """The block of a region."""

    arguments: list[Any]
    operations: list[Any]
    returned: list[Any]


class Bodies:
    """The bodies of all operations of a program with these functions."""

    def __init__(self, functions: Mapping[str, Any]) -> None:
        self._functions = functions
        self._known: dict[Any, list[Body]] = {}
        self._passed: dict[tuple[str, int], int | None] = {}

    def of(self, operation: Any) -> list[Body]:
        if operation not in self._known:
            self._known[operation] = [_read(region.blocks[0]) for region in operation.regions]
        return self._known[operation]

    def inside(self, operation: Any) -> Iterator[Any]:
        """All operations inside an operation, in the program's order."""
        for body in self.of(operation):
            for child in body.operations:
                yield child
                yield from self.inside(child)

    def is_kept(self, loop: Any, place: int) -> bool:
        """Whether each round of a loop passes on its value at `place` as it is."""
        body = self.of(loop)[1]
        return bool(self._origin(body.returned[place]) == body.arguments[place])

    def _origin(self, value: Any) -> Any:
        """Where a value comes from, behind barriers and calls that pass it on."""
        while isinstance(value, ir.OpResult):
            operation, place = value.owner.operation, value.result_number
            if operation.name == "stablehlo.optimization_barrier":
                source: int | None = place
            elif str(operation.name) in PLACING:
                source = 0
            elif is_entered(operation):
                source = self._passed_on(str(called(operation)), place)
            else:
                source = None
            if source is None:
                return value
            value = operation.operands[source]
        return value

    def _passed_on(self, name: str, place: int) -> int | None:
        """The number of the argument that a function returns at `place`; None for another value."""
        if name not in self._functions:
            return None  # refused when it is called
        if (name, place) not in self._passed:
            body = self.of(self._functions[name])[0]
            origin = self._origin(body.returned[place])
            places = [n for n, argument in enumerate(body.arguments) if argument == origin]
            self._passed[name, place] = places[0] if places else None
        return self._passed[name, place]


def unplaced(value: Any) -> Any:
    """The value behind notes about where it lies."""
    while isinstance(value, ir.OpResult) and str(value.owner.operation.name) in PLACING:
        value = value.owner.operation.operands[0]
    return value


def _read(block: Any) -> Body:
    operations = [child.operation for child in block.operations]
    return Body(list(block.arguments), operations, list(operations[-1].operands))
