"""How much a program computes and how many bytes it moves, counted from its operations.

    cost_of(what runs of a function) -> Cost(flops, bytes)

The compiler's own cost analysis counts the body of a loop once. Here each round counts, if the loop
has a counter that starts at a known number, grows by a known number, and is compared with a known
number (see `grader.engine.bench.constants`).
With any other loop, or a call into a library, the cost is unknown (None).

`flops` are arithmetic operations on elements, of any dtype: 2 m n k for a product of matrices, 1
for each element of an elementwise operation, and for a reduction as many as there are operations
inside it. `bytes` are read or written by the operations if nothing is fused. The cost compares
programs; it doesn't predict times.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo

from grader.engine.bench.bodies import Body, unplaced
from grader.engine.bench.constants import Constants, direction, fits
from grader.engine.bench.liveness import Reached
from grader.engine.bench.operations import is_of_xla

MOVES = frozenset(
    "broadcast_in_dim transpose slice dynamic_slice dynamic_update_slice concatenate "
    "gather pad reverse iota convert bitcast_convert copy "
    "optimization_barrier broadcast dynamic_broadcast_in_dim real imag".split()
)
FREE = frozenset(
    "constant return after_all create_token get_tuple_element tuple reshape sharding_constraint "
    "reshard propagation_barrier sharding_group".split()
)
MOST = 10**18
_COUNT = {"LT": math.ceil, "LE": lambda x: math.floor(x) + 1, "NE": math.ceil}
_TURNED = {"GT": "LT", "GE": "LE", "NE": "NE", "LT": "GT", "LE": "GE"}


class Cost(NamedTuple):
    """Arithmetic operations and bytes moved; None if unknown."""

    flops: int | None
    bytes: int | None

    def __add__(self, other: Any) -> Cost:
        parts = zip(self, other, strict=True)
        return Cost(*(None if None in part else sum(part) for part in parts))

    def times(self, count: int) -> Cost:
        return Cost(*(None if part is None else part * count for part in self))


NOTHING, UNKNOWN = Cost(0, 0), Cost(None, None)


def cost_of(live: Reached) -> Cost:
    """The cost of one run of a function, with all that it calls; None beyond what can be sent."""
    cost = _Counter().function(live)
    return Cost(*(None if part is None or part > MOST else part for part in cost))


class _Counter:
    def __init__(self) -> None:
        self._known: dict[Reached, Cost] = {}

    def function(self, live: Reached) -> Cost:
        if live not in self._known:
            (self._known[live],) = self._bodies(live.function, live)
        return self._known[live]

    def _bodies(self, operation: Any, live: Reached) -> list[Cost]:
        return [self._body(body, live) for body in live.bodies.of(operation)]

    def _body(self, body: Body, live: Reached) -> Cost:
        total = NOTHING
        for operation in body.operations:
            if operation in live.operations:
                total += self._operation(operation, live)
            elif operation in live.known.branch:
                chosen = live.bodies.of(operation)[live.known.branch[operation]]
                total += self._body(chosen, live)
        return total

    def _operation(self, operation: Any, live: Reached) -> Cost:
        kind = str(operation.name).partition(".")[2]
        if kind == "custom_call":
            return UNKNOWN
        if operation in live.calls:
            return self._call(operation, live.calls[operation])
        if kind == "while":
            trips = trip_count(operation, live)
            body = sum(self._bodies(operation, live), NOTHING)
            return UNKNOWN if trips is None else body.times(trips)
        if kind in ("case", "if"):
            branches = zip(*self._bodies(operation, live), strict=True)
            return Cost(*(None if None in costs else max(costs) for costs in branches))
        if kind == "manual_computation":
            return sum(self._bodies(operation, live), NOTHING)
        # A reduction, a scatter or a sort applies what is inside it to each element.
        inside = sum(self._bodies(operation, live), NOTHING).flops
        flops = None if inside is None else _flops(kind, operation) * max(1, inside)
        return Cost(flops, _bytes(kind, operation))

    def _call(self, operation: Any, called: Reached) -> Cost:
        """XLA may run an operation of its own for a composite: then the dearer one counts."""
        cost = self.function(called)
        if not is_of_xla(operation) or cost.flops is None or cost.bytes is None:
            return cost
        kind = ir.StringAttr(operation.attributes["name"]).value.partition(".")[2]
        return Cost(
            max(cost.flops, _flops(kind, operation)), max(cost.bytes, _bytes(kind, operation))
        )


def trip_count(loop: Any, live: Reached) -> int | None:
    """How often the body of a `stablehlo.while` runs; None if that isn't known."""
    known, (condition, body) = live.known, live.bodies.of(loop)
    if loop in known.never:
        return 0
    compare = _defined_by(condition.returned[0], "compare")
    if compare is None:
        return None
    written = direction(compare)
    for counter, limit, way in (
        (compare.operands[0], compare.operands[1], written),
        (compare.operands[1], compare.operands[0], _TURNED.get(written, "")),
    ):
        place = _place(counter, condition)
        if place is None or way not in _TURNED:
            continue
        start, step = known.of(loop.operands[place]), _step(body, place, known)
        end = known.of(limit)
        if not isinstance(start, int) or not isinstance(end, int) or step is None:
            continue
        # If the counter falls, the comparison is the other way round.
        rising = way if step > 0 else _TURNED[way]
        trips = _COUNT[rising]((end - start) / step) if rising in _COUNT else None
        return trips if trips is not None and _ends(start, step, end, trips, counter, way) else None
    return None


def _ends(start: int, step: int, end: int, trips: int, counter: Any, way: str) -> bool:
    """Whether a counter reaches its end without wrapping around."""
    last = start + trips * step
    is_met = way != "NE" or last == end
    return trips >= 0 and is_met and fits(last, counter.type.element_type)


def _step(body: Body, place: int, known: Constants) -> int | None:
    """What one round adds to the loop's value at `place`; None if that isn't a constant."""
    new = body.returned[place]
    for kind, sign in (("add", 1), ("subtract", -1)):
        operation = _defined_by(new, kind)
        if operation is None:
            continue
        left, right = operation.operands
        step = known.of(right) if _place(left, body) == place else None
        if step is None and sign == 1 and _place(right, body) == place:
            step = known.of(left)
        return sign * step if isinstance(step, int) and step != 0 else None
    return None


def _place(value: Any, body: Body) -> int | None:
    """The position of a value among a body's arguments; None if it isn't one."""
    value = unplaced(value)
    return next((n for n, given in enumerate(body.arguments) if given == value), None)


def _defined_by(value: Any, kind: str) -> Any:
    operation = getattr(unplaced(value).owner, "operation", None)
    is_it = operation is not None and str(operation.name) == f"stablehlo.{kind}"
    return operation if is_it else None


def _flops(kind: str, operation: Any) -> int:
    if kind in MOVES or kind in FREE:
        return 0
    result = _elements(operation.results[0].type) if len(operation.results) else 0
    given = [_elements(operand.type) for operand in operation.operands]
    special: dict[str, Callable[[], float]] = {
        "dot_general": lambda: 2 * result * _contracted(operation),
        "convolution": lambda: 2 * result * given[1] / max(1, _output_features(operation)),
        "reduce": lambda: given[0],
        "reduce_window": lambda: (
            result * math.prod(ir.DenseI64ArrayAttr(operation.attributes["window_dimensions"]))
        ),
        "select_and_scatter": lambda: given[0],
        "scatter": lambda: given[-1],
        "sort": lambda: given[0] * max(1, math.ceil(math.log2(max(2, _sorted(operation))))),
        "fft": lambda: 5 * result * math.log2(max(2, given[0])),
        "cholesky": lambda: given[0] * _last_axis(operation.operands[0].type) / 3,
        "triangular_solve": lambda: given[1] * _last_axis(operation.operands[0].type),
        "top_k": lambda: given[0],
    }
    return int(special[kind]() if kind in special else result)


def _bytes(kind: str, operation: Any) -> int:
    if kind in FREE:
        return 0
    read = [_size(operand.type) for operand in operation.operands]
    written = sum(_size(result.type) for result in operation.results)
    # These touch only a part of their operands, and the compiler updates in place.
    if kind in ("dynamic_slice", "slice", "gather"):
        return 2 * written
    if kind == "dynamic_update_slice":
        return 2 * read[1]
    if kind == "scatter":
        return 2 * read[-1] + read[len(read) // 2]
    return sum(read) + written


def _contracted(operation: Any) -> int:
    """How many products are added for each element of a `dot_general`."""
    numbers = stablehlo.DotDimensionNumbers(operation.attributes["dot_dimension_numbers"])
    shape = operation.operands[0].type.shape
    return max(1, int(math.prod(shape[axis] for axis in numbers.lhs_contracting_dimensions)))


def _output_features(operation: Any) -> int:
    numbers = stablehlo.ConvDimensionNumbers(operation.attributes["dimension_numbers"])
    return int(operation.operands[1].type.shape[numbers.kernel_output_feature_dimension])


def _sorted(operation: Any) -> int:
    has_axis = "dimension" in operation.attributes  # the last one, unless it says another
    axis = ir.IntegerAttr(operation.attributes["dimension"]).value if has_axis else -1
    return int(operation.operands[0].type.shape[axis])


def _last_axis(kind: Any) -> int:
    return int(kind.shape[-1]) if kind.shape else 1


def _elements(kind: Any) -> int:
    return math.prod(kind.shape) if isinstance(kind, ir.RankedTensorType) else 0


def _size(kind: Any) -> int:
    element: Any = getattr(kind, "element_type", None)
    parts = 1
    if isinstance(element, ir.ComplexType):
        parts, element = 2, element.element_type
    return _elements(kind) * parts * max(1, getattr(element, "width", 8) // 8)
