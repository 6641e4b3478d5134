"""Serves programs to the judge: exported functions, in a process without a student's Python.

    inspect  program            -> the facts of a program, or why it is refused
    run      program, inputs    -> its outputs
    enter    program, baseline  -> starts one launch of their race (see `grader.judge.race`)
    deal     args               -> fresh inputs for one pair of samples
    sample   side, calls        -> how many calls were made; the judge measures the time
    output   number             -> the program's timed answer to one of the inputs

Programs are hostile bytes (see `grader.worker.program`). A parser may have security bugs, so this
process is confined like a student's, and ends with the submission. A baseline is a function of the
suite, and trusted.
"""

from __future__ import annotations

import gc
import socket
import time
from collections.abc import Callable
from typing import Any, NoReturn

import jax
import jax.export

from grader import arrays
from grader.worker.program import MAX_BYTES, RefusedProgram, examine
from grader.worker.student import serve_verbs
from grader.worker.values import Values


def serve(channel: socket.socket, request: dict[str, Any]) -> NoReturn:
    """Starts a backend before the first question; then answers until the channel is closed."""
    jax.device_put(0.0).block_until_ready()
    serve_verbs(channel, request, Bench().verbs())


class Bench:
    """Holds the checked programs, by their bytes, and at most one race."""

    def __init__(self) -> None:
        self._checked: dict[bytes, Callable[..., Any]] = {}
        self._values = Values()
        self._race: _Race | None = None

    def verbs(self) -> dict[str, Callable[..., Any]]:
        names = ("inspect", "run", "enter", "deal", "sample", "output")
        return {name: getattr(self, name) for name in names}

    def inspect(self, program: bytes) -> dict[str, Any]:
        if len(program) > MAX_BYTES:
            raise RefusedProgram(f"the program has more than {MAX_BYTES:,} bytes")
        try:
            exported = jax.export.deserialize(bytearray(program))
            facts = examine(exported.mlir_module_serialized)
        except RefusedProgram:
            raise
        except Exception as error:
            raise RefusedProgram("the program can't be read") from error
        self._checked[program] = jax.jit(exported.call)
        return facts

    def run(self, program: bytes, inputs: list[Any]) -> list[Any]:
        function = self._executable(program)
        given = arrays.from_wire(
            inputs, array=arrays.wire_to_jax, named=_refuse, handle=_refuse, code=_refuse
        )
        return [arrays.array_to_wire(leaf) for leaf in function(*given)]

    def enter(self, program: bytes, baseline: Any) -> None:
        self._race = _Race(self._executable(program), self._values.decode(baseline))

    def deal(self, args: list[Any]) -> None:
        assert self._race is not None
        # Decoded twice, so that the two sides share no buffer.
        inputs = [array_leaves(self._values.decode(given)) for given in args]
        self._race.deal(inputs, [self._values.decode(given) for given in args])

    def sample(self, side: str, calls: int, seconds: float) -> int:
        assert self._race is not None
        return self._race.sample(side, calls, seconds)

    def output(self, number: int) -> list[Any]:
        assert self._race is not None
        return [arrays.array_to_wire(leaf) for leaf in self._race.outputs[number]]

    def _executable(self, program: bytes) -> Callable[..., Any]:
        if program not in self._checked:
            self.inspect(program)
        return self._checked[program]


class _Race:
    """A program and a baseline, each called repeatedly on its own inputs."""

    def __init__(self, program: Callable[..., Any], baseline: Callable[..., Any]) -> None:
        self._functions = {"student": program, "baseline": baseline}
        self._dealt: dict[str, list[Any]] = {}
        self.outputs: list[Any] = []

    def deal(self, inputs: list[Any], args: list[Any]) -> None:
        self._dealt = jax.block_until_ready({"student": inputs, "baseline": args})
        self.outputs = [None] * len(inputs)

    def sample(self, side: str, calls: int, seconds: float) -> int:
        """Makes up to `calls` calls in about `seconds`, and waits for each; returns how many."""
        function, dealt = self._functions[side], self._dealt[side]
        outputs = self.outputs if side == "student" else [None] * len(dealt)
        end = time.perf_counter() + seconds
        gc.disable()
        try:
            for call in range(calls):
                place = call % len(dealt)
                outputs[place] = jax.block_until_ready(function(*dealt[place]))
                if time.perf_counter() > end:
                    return call + 1
            return calls
        finally:
            gc.enable()


def array_leaves(args: Any) -> list[Any]:
    """A program's inputs: the arrays among the arguments. Everything else is constant in it."""
    return [leaf for leaf in jax.tree.leaves((args, {})) if isinstance(leaf, jax.Array)]


def _refuse(*_: Any) -> Any:
    raise RefusedProgram("a program takes arrays only")
