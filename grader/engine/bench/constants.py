"""Numbers in a program that are known before it runs: for loops and branches that never run.

Only what is certain counts. Integers and booleans are computed exactly, and a number that may wrap
around is unknown. Numbers with a point are only compared, since XLA may round them otherwise.
"""

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from jax.extend.mlir import ir

from grader.engine.bench.bodies import Bodies, Body
from grader.engine.bench.operations import PLACING

Number = int | float | None

_SAME = frozenset(
    f"stablehlo.{name}"
    for name in "broadcast_in_dim convert reshape reverse slice transpose".split()
).union(PLACING)
_WHOLE: dict[str, Callable[..., int]] = {
    "stablehlo.add": operator.add,
    "stablehlo.subtract": operator.sub,
    "stablehlo.multiply": operator.mul,
    "stablehlo.maximum": max,
    "stablehlo.minimum": min,
    "stablehlo.negate": operator.neg,
    "stablehlo.abs": abs,
}
_BITS: dict[str, Callable[..., int]] = {
    "stablehlo.and": operator.and_,
    "stablehlo.or": operator.or_,
    "stablehlo.xor": operator.xor,
    "stablehlo.not": lambda x: 1 - x,
}
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    name: getattr(operator, name.lower()) for name in ("EQ", "NE", "LT", "LE", "GT", "GE")
}
# Integers up to this size are exact in every dtype that has eight bits for them, as bfloat16 has.
_EXACT = 256
# Numbers that are closer to 0 may count as 0 in a processor.
_TINY = 1e-30


class Functions(Protocol):
    """What a function may ask about the others: what it gets back, and how much was read."""

    bodies: Bodies

    def returned(self, operation: Any, arguments: Sequence[Number]) -> Sequence[Number] | None: ...

    def count(self) -> None: ...


class Constants:
    """The known numbers of one function, called with arguments of which some are known.

    A tensor is known if all of its elements are the same known number.
    """

    def __init__(self, function: Any, arguments: Sequence[Number], others: Functions) -> None:
        self._known: dict[Any, Number] = {}
        self._others = others
        self.never: set[Any] = set()
        """Loops whose condition is false at the start."""
        self.branch: dict[Any, int] = {}
        """For a choice that is known: the number of the branch that runs."""
        self.returned = self._body(self._others.bodies.of(function)[0], arguments)

    def of(self, value: Any) -> Number:
        return self._known.get(value)

    def _body(self, body: Body, arguments: Sequence[Number] = ()) -> list[Number]:
        self._known.update(zip(body.arguments, arguments, strict=False))
        for operation in body.operations:
            self._operation(operation)
        return [self.of(value) for value in body.returned]

    def _operation(self, operation: Any) -> None:
        self._others.count()
        kind = str(operation.name)
        bodies = self._others.bodies.of(operation)
        if kind == "stablehlo.while":
            results: Sequence[Number] = self._while(operation, *bodies)
        elif kind in ("stablehlo.case", "stablehlo.if"):
            results = self._choice(operation, kind, bodies)
        elif bodies:
            for body in bodies:
                self._body(body)
            return
        else:
            given = [self.of(operand) for operand in operation.operands]
            called = self._others.returned(operation, given)
            results = [_result(operation, kind, given)] if called is None else called
        self._known.update(zip(operation.results, results, strict=False))

    def _while(self, loop: Any, condition: Body, body: Body) -> list[Number]:
        start = [self.of(operand) for operand in loop.operands]
        if self._body(condition, start) == [0]:
            self.never.add(loop)
            return start
        self.never.discard(loop)  # a loop in a condition is looked at more than once
        is_kept = self._others.bodies.is_kept
        kept = [x if is_kept(loop, place) else None for place, x in enumerate(start)]
        self._body(condition, kept)
        self._body(body, kept)
        return kept

    def _choice(self, operation: Any, kind: str, bodies: Sequence[Body]) -> Sequence[Number]:
        results = [self._body(body) for body in bodies]
        number = self.of(operation.operands[0])
        self.branch.pop(operation, None)
        if number is None:
            return [None] * len(operation.results)
        last = len(results) - 1
        if kind == "stablehlo.if":
            number = 1 - number
        # An index that is out of range takes the last branch.
        branch = int(number) if 0 <= number <= last else last
        self.branch[operation] = branch
        return results[branch]


def direction(compare: Any) -> str:
    """How an operation compares: `EQ`, `NE`, `LT`, `LE`, `GT` or `GE`."""
    return str(compare.attributes["comparison_direction"]).split()[-1].strip(">")


def fits(number: int, element: Any) -> bool:
    """Whether an integer dtype can hold a number."""
    if not isinstance(element, ir.IntegerType):
        return False
    signed = not element.is_unsigned and element.width > 1
    low = -(1 << element.width - 1) if signed else 0
    return bool(low <= number < (1 << element.width - signed))


def _result(operation: Any, kind: str, given: Sequence[Number]) -> Number:
    if len(operation.results) != 1 or not isinstance(
        operation.results[0].type, ir.RankedTensorType
    ):
        return None
    element = operation.results[0].type.element_type
    if kind == "stablehlo.constant":
        return _value(operation, element)
    if kind in _SAME:
        return _converted(given[0], element)
    if kind == "stablehlo.compare" and None not in given and "TOTALORDER" not in str(operation):
        return int(_COMPARED[direction(operation)](*given))
    if kind == "stablehlo.select":
        return None if given[0] is None else given[1 if given[0] else 2]
    if kind == "stablehlo.clamp" and all(isinstance(x, int) for x in given):
        low, x, high = (int(x) for x in given if x is not None)
        return min(max(x, low), high)
    return _arithmetic(kind, given, element)


def _arithmetic(kind: str, given: Sequence[Number], element: Any) -> Number:
    if not isinstance(element, ir.IntegerType):
        return None
    if kind in ("stablehlo.and", "stablehlo.multiply") and 0 in given:
        return 0
    if kind == "stablehlo.or" and 1 in given and element.width == 1:
        return 1
    numbers = [x for x in given if isinstance(x, int)]
    table = _BITS if element.width == 1 else _WHOLE
    if kind not in table or len(numbers) < len(given):
        return None
    result = table[kind](*numbers)
    return result if fits(result, element) else None


def _converted(number: Number, element: Any) -> Number:
    if number is None or not math.isfinite(number):
        return None
    if getattr(element, "width", 0) == 1:
        return int(number != 0)
    if abs(number) > _EXACT and not (
        isinstance(number, int) and isinstance(element, ir.IntegerType)
    ):
        return None
    if isinstance(element, ir.IntegerType):
        return int(number) if number == int(number) and fits(int(number), element) else None
    is_wide = getattr(element, "width", 0) >= 16
    return float(number) if is_wide and number == int(number) else None


def _value(constant: Any, element: Any) -> Number:
    try:
        attribute = constant.attributes["value"]
        if not attribute.is_splat:
            return None
        if isinstance(element, ir.IntegerType):
            whole = int(ir.DenseIntElementsAttr(attribute)[0])
            return abs(whole) if element.width == 1 else whole
        number = float(ir.DenseFPElementsAttr(attribute)[0])
        return number if number == 0 or abs(number) > _TINY else None
    except (AttributeError, IndexError, TypeError, ValueError):  # Python has no class for it
        return None
