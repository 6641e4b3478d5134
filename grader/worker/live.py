"""What of a program runs: the operations that its results need, with each function as it is called.

    Reach(functions).main() -> Live: its operations, and for each call the Live of the function

An operation runs if a result of the program needs it. A loop doesn't run if its condition is false
at the start; nor does a branch that is never chosen, where that is known. Of a loop's values, only
those run that are needed: one that no result uses is a decoy. What only looks needed (a loop whose
result is multiplied by zero, a branch on a value that is known at run time only) counts as needed.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jax.extend.mlir import ir

from grader.worker import operations
from grader.worker.constants import Constants, Number, is_kept, returned
from grader.worker.refused import RefusedProgram

MAX_CALLS_DEEP = 50
# A function is read once for each set of known arguments and needed results.
MAX_READ = 400_000
# These stand for the function that they call: its results are theirs.
ENTERED = ("func.call", "stablehlo.composite")
_ONE_BY_ONE = ("stablehlo.case", "stablehlo.if", "sdy.manual_computation")


class Reach:
    """A program's functions, and what runs of each in a certain call."""

    def __init__(self, functions: Mapping[str, Any]) -> None:
        self._functions = functions
        self._constants: dict[Any, Constants] = {}
        self._live: dict[Any, Live] = {}
        self._order: dict[Any, tuple[list[Any], dict[Any, int]]] = {}
        self._depth = self._read = 0

    def main(self) -> Live:
        """The program as a whole: all of its results are needed, and no argument is known."""
        block = self.body("main")
        everything = frozenset(range(len(returned(block))))
        return self.live("main", [None] * len(block.arguments), everything)

    def live(self, name: str, arguments: Sequence[Number], wanted: frozenset[int]) -> Live:
        key = (name, tuple(arguments), wanted)
        if key not in self._live:
            constants = self.constants(name, arguments)
            with self:
                self._live[key] = Live(self, self._functions[name], constants, wanted)
        return self._live[key]

    def constants(self, name: str, arguments: Sequence[Number]) -> Constants:
        key = (name, tuple(arguments))
        if key not in self._constants:
            self.body(name)
            with self:
                self._constants[key] = Constants(self._functions[name], arguments, self)
        return self._constants[key]

    def returned(self, operation: Any, arguments: Sequence[Number]) -> Sequence[Number] | None:
        """The known results of a call; None if the operation is no call."""
        name = function_of(operation)
        if name is None or str(operation.name) not in ENTERED:
            return None
        return self.constants(name, arguments).returned

    def count(self) -> None:
        self._read += 1
        if self._read > MAX_READ:
            raise RefusedProgram("the program calls its functions in too many ways")

    def order(self, function: Any) -> tuple[list[Any], dict[Any, int]]:
        """The operations of a function, and the place of each."""
        if function not in self._order:
            listed = list(inside(function))
            self._order[function] = listed, {each: n for n, each in enumerate(listed)}
        return self._order[function]

    def body(self, name: str) -> Any:
        """The block of a function."""
        if name not in self._functions:
            raise RefusedProgram("the program calls a function that it doesn't hold")
        return self._functions[name].regions[0].blocks[0]

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth > MAX_CALLS_DEEP:
            raise RefusedProgram("the program's functions call each other without end")

    def __exit__(self, *_: object) -> None:
        self._depth -= 1


class Live:
    """What runs of a function in one call: found backwards, from the results that are needed."""

    def __init__(
        self, reach: Reach, function: Any, known: Constants, wanted: frozenset[int]
    ) -> None:
        self.function = function
        self.known = known
        self.operations: dict[Any, set[int]] = {}
        """The operations that run, with the numbers of their needed results."""
        self.calls: dict[Any, Live] = {}
        self.inputs: set[int] = set()
        """The numbers of the arguments that are needed."""
        self._reach = reach
        self._seen: set[Any] = set()
        self._values: list[Any] = []
        self._waiting: list[int] = []
        self._order, self._place = reach.order(function)
        results = returned(function.regions[0].blocks[0])
        self._values += (results[place] for place in wanted)
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
        if is_loop and (operation in self.known.never or is_kept(operation, place)):
            self._values.append(operation.operands[place])
        elif is_loop:
            self._runs(operation, place)
            self._values += returned(operation.regions[0].blocks[0])
            self._carried(operation, place)
        elif operation in self.known.branch:
            region = operation.regions[self.known.branch[operation]]
            self._values.append(returned(region.blocks[0])[place])
        else:
            self._plain(operation, kind, place)

    def _plain(self, operation: Any, kind: str, place: int) -> None:
        is_new = self._runs(operation, place)
        if kind in ENTERED:
            heapq.heappush(self._waiting, -self._place[operation])
            return
        if is_new and kind != "sdy.manual_computation":
            self._values += operation.operands
        for region in operation.regions:
            results = returned(region.blocks[0])
            self._values += [results[place]] if kind in _ONE_BY_ONE else results
        if is_new and (name := function_of(operation)):
            self._whole(operation, name)

    def _runs(self, operation: Any, place: int) -> bool:
        """Notes that a result is needed; returns whether it is the first of its operation."""
        is_new = operation not in self.operations
        self.operations.setdefault(operation, set()).add(place)
        return is_new

    def _carried(self, loop: Any, place: int) -> None:
        """A value of a loop, as each round starts with it."""
        self._values.append(loop.operands[place])
        if not is_kept(loop, place):
            self._values.append(returned(loop.regions[1].blocks[0])[place])

    def _enter(self, call: Any) -> None:
        name = function_of(call)
        assert name is not None
        given = [self.known.of(operand) for operand in call.operands]
        self.calls[call] = self._reach.live(name, given, frozenset(self.operations[call]))
        self._values += (call.operands[place] for place in self.calls[call].inputs)

    def _whole(self, operation: Any, name: str) -> None:
        """A function that an operation calls by itself, such as the comparison of ApproxTopK."""
        block = self._reach.body(name)
        everything = frozenset(range(len(returned(block))))
        self.calls[operation] = self._reach.live(name, [None] * len(block.arguments), everything)


def function_of(operation: Any) -> str | None:
    return operations.called(operation, str(operation.name))


def inside(operation: Any) -> Iterator[Any]:
    """All operations inside of an operation, in the program's order."""
    for region in operation.regions:
        for block in region.blocks:
            for child in block.operations:
                yield child.operation
                yield from inside(child.operation)
