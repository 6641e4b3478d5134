"""What of a program runs: the operations that its results need, with each function as it is called.

    Reach(functions).whole("main") -> Reached: its operations, and what is reached by each call

An operation runs if a result of the program needs it. A loop doesn't run if its condition is false
at the start; nor does a branch that is never chosen, where that is known. Of a loop's values, only
those run that are needed: one that no result uses is a decoy. What only looks needed (a loop whose
result is multiplied by zero, a branch on a value that is known at run time only) counts as needed.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Any

from jax.extend.mlir import ir

from grader.engine.bench import operations
from grader.engine.bench.bodies import Bodies, Body
from grader.engine.bench.constants import Constants, Number
from grader.engine.bench.refused import RefusedProgram, Why

MAX_CALLS_DEEP = 50
# A function is read once for each set of known arguments and needed results.
MAX_READ = 400_000
_ONE_BY_ONE = ("stablehlo.case", "stablehlo.if", "sdy.manual_computation")


class Reach:
    """A program's functions, and what runs of each in a certain call."""

    def __init__(self, functions: Mapping[str, Any]) -> None:
        self.bodies = Bodies(functions)
        self._functions = functions
        self._constants: dict[Any, Constants] = {}
        self._live: dict[Any, Reached] = {}
        self._order: dict[Any, tuple[list[Any], dict[Any, int]]] = {}
        self._depth = self._read = 0

    def whole(self, name: str) -> Reached:
        """A function of which all results are needed and no argument is known."""
        body = self.body(name)
        everything = frozenset(range(len(body.returned)))
        return self.live(name, [None] * len(body.arguments), everything)

    def live(self, name: str, arguments: Sequence[Number], wanted: frozenset[int]) -> Reached:
        key = (name, tuple(arguments), wanted)
        if key not in self._live:
            constants = self.constants(name, arguments)
            with self:
                self._live[key] = Reached(self, self._functions[name], constants, wanted)
        return self._live[key]

    def constants(self, name: str, arguments: Sequence[Number]) -> Constants:
        key = (name, tuple(arguments))
        if key not in self._constants:
            self.body(name)
            with self:
                self._constants[key] = Constants(self._functions[name], arguments, self)
        return self._constants[key]

    def returned(self, operation: Any, arguments: Sequence[Number]) -> Sequence[Number] | None:
        """The known results of a call; None if the operation is no call, or XLA may answer it."""
        name = operations.called(operation)
        if name is None or not operations.is_entered(operation):
            return None
        return self.constants(name, arguments).returned

    def count(self) -> None:
        self._read += 1
        if self._read > MAX_READ:
            raise RefusedProgram(Why.WAYS)

    def order(self, function: Any) -> tuple[list[Any], dict[Any, int]]:
        """The operations of a function, and the place of each."""
        if function not in self._order:
            listed = list(self.bodies.inside(function))
            self._order[function] = listed, {each: n for n, each in enumerate(listed)}
        return self._order[function]

    def body(self, name: str) -> Body:
        if name not in self._functions:
            raise RefusedProgram(Why.MISSING)
        return self.bodies.of(self._functions[name])[0]

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth > MAX_CALLS_DEEP:
            raise RefusedProgram(Why.RECURSION)

    def __exit__(self, *_: object) -> None:
        self._depth -= 1


class Reached:
    """What runs of a function in one call: found backwards, from the results that are needed."""

    def __init__(
        self, reach: Reach, function: Any, known: Constants, wanted: frozenset[int]
    ) -> None:
        self.function = function
        self.known = known
        self.operations: dict[Any, set[int]] = {}
        """The operations that run, with the numbers of their needed results."""
        self.calls: dict[Any, Reached] = {}
        self.inputs: set[int] = set()
        """The numbers of the arguments that are needed."""
        self._reach = reach
        self._seen: set[Any] = set()
        self._values: list[Any] = []
        self._waiting: list[int] = []
        self._order, self._place = reach.order(function)
        self.bodies = reach.bodies
        (body,) = self.bodies.of(function)
        self._values += (body.returned[place] for place in wanted)
        self._settle()

    def _settle(self) -> None:
        # The last call first: when its turn comes, all that needs its results has been seen.
        while self._values or self._waiting:
            if self._values:
                self._need(self._values.pop())
            else:
                self._enter(self._order[-heapq.heappop(self._waiting)])

    def _need(self, value: Any) -> None:
        if value in self._seen:
            return
        self._seen.add(value)
        self._reach.count()
        if isinstance(value, ir.BlockArgument):
            self._argument(value.owner.owner.operation, value.arg_number)
        else:
            self._result(value.owner.operation, value.result_number)

    def _argument(self, holder: Any, place: int) -> None:
        kind = str(holder.name)
        if holder == self.function:
            self.inputs.add(place)
        elif kind == "stablehlo.while":
            self._carried(holder, place)
        elif kind == "sdy.manual_computation":
            self._values.append(holder.operands[place])

    def _result(self, operation: Any, place: int) -> None:
        kind = str(operation.name)
        is_loop = kind == "stablehlo.while"
        if is_loop and (operation in self.known.never or self.bodies.is_kept(operation, place)):
            self._values.append(operation.operands[place])
        elif is_loop:
            self._runs(operation, place)
            self._values += self.bodies.of(operation)[0].returned
            self._carried(operation, place)
        elif operation in self.known.branch:
            body = self.bodies.of(operation)[self.known.branch[operation]]
            self._values.append(body.returned[place])
        else:
            self._plain(operation, kind, place)

    def _plain(self, operation: Any, kind: str, place: int) -> None:
        is_new = self._runs(operation, place)
        if kind in operations.CALLS:
            heapq.heappush(self._waiting, -self._place[operation])
            return
        if kind == "stablehlo.optimization_barrier":
            self._values.append(operation.operands[place])
        elif is_new and kind != "sdy.manual_computation":
            self._values += operation.operands
        for body in self.bodies.of(operation):
            self._values += [body.returned[place]] if kind in _ONE_BY_ONE else body.returned

    def _runs(self, operation: Any, place: int) -> bool:
        """Notes that a result is needed; returns whether it is the first of its operation."""
        is_new = operation not in self.operations
        self.operations.setdefault(operation, set()).add(place)
        return is_new

    def _carried(self, loop: Any, place: int) -> None:
        """A value of a loop, as each round starts with it."""
        self._values.append(loop.operands[place])
        if not self.bodies.is_kept(loop, place):
            self._values.append(self.bodies.of(loop)[1].returned[place])

    def _enter(self, call: Any) -> None:
        name = operations.called(call)
        assert name is not None
        arguments = [self.known.of(operand) for operand in call.operands]
        self.calls[call] = self._reach.live(name, arguments, frozenset(self.operations[call]))
        # What XLA runs in place of a composite may need them all.
        is_sure = operations.is_entered(call)
        places = self.calls[call].inputs if is_sure else range(len(call.operands))
        self._values += (call.operands[place] for place in places)
