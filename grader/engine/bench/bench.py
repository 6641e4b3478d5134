"""Serves programs to the judge: exported functions, in a process without a student's Python.

    inspect     program            -> the facts of a program, or why it is refused
    place       program, layout    -> the facts of it as it is compiled for its devices
    run         program, inputs, layout -> its outputs; None for one of which devices hold other
                                      values
    users       program, inputs, others -> on how many devices it matters which of them it gets
    derivative  program            -> the derivative that is stored with it, a program as well

A bench may be one side of a race instead: then it answers the questions of `lane`.

Programs are hostile bytes (see `facts`). A parser may have security bugs, so this
process is confined like a student's, and ends with the submission.
"""

import socket
from collections.abc import Callable
from typing import Any, NoReturn

import jax
import jax.export

from grader.engine import wire
from grader.engine.bench.devices import Layout, Loaded, agreed
from grader.engine.bench.facts import examine
from grader.engine.bench.lane import Lane
from grader.engine.bench.refused import MAX_BYTES, RefusedProgram, Why
from grader.engine.wire import arrays
from grader.engine.wire.connection import Connection


def serve(channel: socket.socket, request: dict[str, Any]) -> NoReturn:
    """Starts a backend before the first question; then answers until the channel is closed."""
    jax.device_put(0.0).block_until_ready()
    Connection(channel, request).serve(Bench(request["optimize"]).verbs() | Lane().verbs())


class Bench:
    """Holds the checked programs, by their bytes, and each as it is compiled for a layout.

    With `optimize`, a program of so many arithmetic operations is compiled with its options: see
    `grader.engine.processes.host.OPTIMIZE`.
    """

    def __init__(self, optimize: dict[str, Any] | None = None) -> None:
        self._checked: dict[bytes, tuple[jax.export.Exported, dict[str, Any] | None]] = {}
        self._placed: dict[tuple[bytes, str], Loaded] = {}
        self._optimize = optimize

    def verbs(self) -> dict[str, Callable[..., Any]]:
        names = ("inspect", "place", "run", "users", "derivative")
        return {name: getattr(self, name) for name in names}

    def inspect(self, program: bytes) -> dict[str, Any]:
        exported = _read(program)
        try:
            facts = examine(exported.mlir_module_serialized)
        except RefusedProgram:
            raise
        except Exception as error:
            raise RefusedProgram(Why.UNREADABLE) from error
        long = self._optimize
        options = long["options"] if long and (facts["flops"] or 0) >= long["flops"] else None
        self._checked[program] = exported, options
        return facts | {"devices": self._loaded(program).devices}

    def place(self, program: bytes, layout: Layout | None = None) -> dict[str, Any]:
        return self._loaded(program, layout).facts()

    def run(self, program: bytes, inputs: list[Any], layout: Layout | None = None) -> list[Any]:
        loaded = self._loaded(program, layout)
        outputs = jax.tree.leaves(loaded(*loaded.place([*map(_array, inputs)])))
        return [arrays.array_to_wire(leaf) if agreed(leaf) else None for leaf in outputs]

    def users(self, program: bytes, inputs: list[Any], others: list[Any]) -> int:
        return self._loaded(program).users([*map(_array, inputs)], [*map(_array, others)])

    def derivative(self, program: bytes) -> bytes:
        exported = _read(program)
        try:
            return bytes(exported.vjp().serialize())
        except Exception as error:
            raise RefusedProgram(Why.DERIVATIVE) from error

    def _loaded(self, program: bytes, layout: Layout | None = None) -> Loaded:
        if program not in self._checked:
            self.inspect(program)
        key = program, repr(layout)
        if key not in self._placed:
            self._placed[key] = Loaded(*self._checked[program], layout)
        return self._placed[key]


def _array(record: Any) -> jax.Array:
    if isinstance(record, wire.Array):
        return arrays.wire_to_jax(record)
    if isinstance(record, wire.Key):
        return arrays.wire_to_key(record)
    raise RefusedProgram(Why.ARRAYS)


def _read(program: bytes) -> jax.export.Exported:
    if len(program) > MAX_BYTES:
        raise RefusedProgram(Why.BYTES)
    try:
        return jax.export.deserialize(bytearray(program))
    except Exception as error:
        raise RefusedProgram(Why.UNREADABLE) from error
