"""How many operations of a program wait for one another: its longest chain.

    depth_of(what runs of a function) -> int; None if the rounds of a loop aren't known

Each operation that computes counts 1, of any size: a device can do its elements side by side. What
only moves elements counts 0. A loop counts its body in each round. Of several branches, the deepest
one counts. A call waits for all its arguments, so the chain may be shorter than what is counted.
"""

import math
from typing import Any

from grader.engine.bench.bodies import Body
from grader.engine.bench.cost import FREE, MOST, MOVES, trip_count
from grader.engine.bench.liveness import Reached
from grader.engine.bench.operations import is_of_xla

_Depths = dict[Any, float]


def depth_of(live: Reached) -> int | None:
    """The longest chain of one run of a function, with all that it calls."""
    depth = _Chains().function(live)
    return int(depth) if depth <= MOST else None


class _Chains:
    def __init__(self) -> None:
        self._known: dict[Reached, float] = {}

    def function(self, live: Reached) -> float:
        if live not in self._known:
            (body,) = live.bodies.of(live.function)
            self._known[live] = self._body(body, live)
        return self._known[live]

    def _body(self, body: Body, live: Reached) -> float:
        """The longest chain to a result, counted from what the body is given."""
        depths: _Depths = {}
        for operation in body.operations:
            if operation in live.operations:
                depth = self._start(operation, live, depths) + self._own(operation, live)
            elif operation in live.known.branch:
                chosen = live.bodies.of(operation)[live.known.branch[operation]]
                depth = self._start(operation, live, depths) + self._body(chosen, live)
            elif operation in live.known.never:
                depth = self._start(operation, live, depths)
            else:
                continue
            depths.update(dict.fromkeys(operation.results, depth))
        return max((depths.get(value, 0) for value in body.returned), default=0)

    def _start(self, operation: Any, live: Reached, depths: _Depths) -> float:
        """When all is there that an operation uses, also inside its regions."""
        inner = (value for child in live.bodies.inside(operation) for value in child.operands)
        return max((depths.get(value, 0) for value in (*operation.operands, *inner)), default=0)

    def _own(self, operation: Any, live: Reached) -> float:
        kind = str(operation.name).partition(".")[2]
        if kind == "custom_call":
            return math.inf
        if operation in live.calls:
            return max(self.function(live.calls[operation]), int(is_of_xla(operation)))
        inside = [self._body(body, live) for body in live.bodies.of(operation)]
        if kind == "while":
            trips = trip_count(operation, live)
            return math.inf if trips is None else trips * inside[1]
        if kind in ("case", "if", "manual_computation"):
            return max(inside)
        if kind in MOVES or kind in FREE:
            return 0
        # A reduction applies what is inside it to many elements.
        return max(1, *inside) if inside else 1
