"""One side of a race: a program, or a function of the suite. The other side is another process.

    start    program or function   -> compiled at the first call
    deal     args, more            -> fresh inputs; without `more`, the ones before are forgotten
    sample   calls, seconds        -> how many calls were made; the judge measures the time
    witness                        -> one of the calls: its number, its answer, and a second answer

Each call takes the next input, so none is timed twice: a program that kept something in memory
could use it for nothing. What examines a program is another process, too (`bench`).
"""

import gc
import random
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.export

from grader.engine.bench.devices import Loaded
from grader.engine.wire import arrays
from grader.engine.wire.values import Values

# Answers may be large, so only some of them are kept. All children of a zygote begin with the same
# random numbers, but for these.
KEPT = 8
_CHANCE = random.SystemRandom()


class Lane:
    """Calls one function on inputs that it gets in time."""

    def __init__(self) -> None:
        self._values = Values()
        self._function: Callable[..., Any] | None = None
        self._program: Loaded | None = None
        self._inputs: list[Any] = []
        self._called = 0
        self._kept: dict[int, Any] = {}
        self._stride = 1

    def verbs(self) -> dict[str, Callable[..., Any]]:
        return {name: getattr(self, name) for name in ("start", "deal", "sample", "witness")}

    def start(self, program: bytes | None, function: Any) -> None:
        if program is None:
            self._function = self._values.decode(function)
        else:
            exported = jax.export.deserialize(bytearray(program))
            self._function = self._program = Loaded(exported)

    def deal(self, args: list[Any], more: bool) -> None:
        if not more:
            self._inputs, self._called, self._kept = [], 0, {}
        inputs = [self._values.decode(call) for call in args]
        if self._program is not None:  # its inputs are arrays; all other arguments are constant
            leaves = map(jax.tree.leaves, inputs)
            given = ([leaf for leaf in call if isinstance(leaf, jax.Array)] for call in leaves)
            inputs = [self._program.place(call) for call in given]
        self._inputs += jax.block_until_ready(inputs)
        self._stride = max(1, len(self._inputs) // KEPT)

    def sample(self, calls: int, seconds: float) -> int:
        """Makes up to `calls` calls in about `seconds`, and waits for each; returns how many."""
        assert self._function is not None
        function, first = self._function, self._called
        inputs = self._inputs[first : first + calls]
        # Which answers are kept is decided here, so a program can't know them beforehand.
        kept_next = first + _CHANCE.randrange(self._stride)
        end = time.perf_counter() + seconds
        gc.disable()
        try:
            for args in inputs:
                output = jax.block_until_ready(function(*args))
                if self._called == kept_next:
                    self._kept[kept_next] = output
                    kept_next += self._stride
                self._called += 1
                if time.perf_counter() > end:
                    break
        finally:
            gc.enable()
        self._kept[self._called - 1] = output
        return self._called - first

    def witness(self) -> dict[str, Any]:
        assert self._function is not None
        number = _CHANCE.choice(list(self._kept))
        again = self._function(*self._inputs[number])
        answers = {"timed": self._kept[number], "again": again}
        return {"number": number} | {
            name: [arrays.array_to_wire(leaf) for leaf in answer]
            for name, answer in answers.items()
        }
