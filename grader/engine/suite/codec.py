"""The suite's values as records of the wire, and records as plain values."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Protocol

import jax
import numpy as np

from grader.engine import wire
from grader.engine.processes import faults
from grader.engine.processes.evidence import Evidence
from grader.engine.suite.sent_code import pickled
from grader.engine.wire import arrays
from grader.records import digests
from grader.records.errors import BrokenSuiteError
from grader.records.model import Exercise

# An author's own pytest shows the suite's line, and none of this file.
__tracebackhide__ = True

_NUMBERS = (bool, int, float, complex)
MAX_KEY_SHAPES = 8
MAX_KEYS = 1000


class Callback:
    """A suite function that stays in the judge. The student's code can call but not read it.

    The judge sees when it was called, how often, and with what, but not by whom.
    Pass it as an argument of a call, with `.observed()`, or with `.timed()` if the result is
    compared with a clock or with data that only the judge has.

    It takes and returns what a call of the submission may take and return. Meanwhile the student's
    process waits, and its time keeps running. It may not call the submission. An exception that
    it raises ends the test.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __repr__(self) -> str:
        return "a function of the test"


@dataclasses.dataclass(frozen=True)
class StudentRecord:
    """A namedtuple or dataclass of a student's own class: its name, fields and values.

    Its fields are attributes: `result.loss`. If an argument was an instance of a suite class, it
    comes back as that class. `assert_close` doesn't compare whole records: pass it the fields.
    """

    name: str
    fields: tuple[str, ...]
    values: tuple[Any, ...]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.values[self.fields.index(name)]
        except ValueError:
            raise AttributeError(name) from None


class WithoutJax(np.ndarray[Any, Any]):
    """An array from code without JAX. Its dtype is compared with NumPy's, not with JAX's."""


class Disagreement:
    """Stands for an output that every device should hold, and that they hold differently.

    `assert_close` says so.
    """


class Seat(Protocol):
    """The processes of a submission: see `processes/seat` and `judge/standalone`."""

    exercise: Exercise
    programs: dict[bytes, dict[str, Any]]
    """Exported programs with their facts, by the question that asked for them."""

    evidence: Evidence
    """What the current test has asked for."""

    def ask(self, kind: str, value: Any, on_callback: Callable[[Any], Any]) -> Any: ...

    def bench(self, kind: str, value: Any) -> Any: ...

    @property
    def generation(self) -> int:
        """The number of the worker: a handle is valid only in the worker that sent it."""


class Held:
    """A function that the student's process holds, under transformations."""

    def __init__(
        self, codec: Codec, target: str | int, stack: tuple[Any, ...] = (), generation: int = 0
    ) -> None:
        self.codec = codec
        """Turns its arguments and results into records, and back."""
        self.target = target
        """Its name in the student's file, or the number of a function that came back."""
        self.stack = stack
        """Its transformations with their keywords, from first to last."""
        self.generation = generation
        """The worker that sent the number."""


class Codec:
    """Turns the suite's values into wire records, and records into plain values."""

    def __init__(self, seat: Seat, held: type[Held]) -> None:
        self.seat = seat
        self._held = held
        self._classes: list[type] = []
        self._callbacks: list[Callback] = []
        self.sent_callbacks = 0
        """How often the worker was given one."""

    def on_callback(self, asked: Any) -> Any:
        """What a function of the suite's returns to the worker that called it."""
        match asked:
            case {"number": int(number), "args": tuple(args)} if 0 <= number < len(self._callbacks):
                return self.encode(self._callbacks[number].function(*self.decode(args)))
        raise faults.Crashed(faults.LIES, "a call to a function that doesn't exist")

    def encode(self, value: Any) -> Any:
        return arrays.to_wire(value, self._other)

    def answer(self, value: Any) -> Any:
        """What the last call returned, as a plain value."""
        found, evidence = self.decode(value), self.seat.evidence
        if evidence.answers is not None:
            evidence.answers = self._digest(evidence.answers, found)
        if evidence.blanks:
            found = jax.tree.map(_zero, found)
        evidence.answered(found, jax.tree.leaves(found))
        return found

    def _digest(self, before: str, found: Any) -> str:
        """Of the answers before and of this one, if there are numbers in it."""
        numbers = [leaf for leaf in jax.tree.leaves(found) if _is_numeric(leaf)]
        if not numbers:
            return before
        given = wire.encode(0, "", list(map(self.encode, numbers)))
        return digests.of(before, str(jax.tree.structure(found)), given)

    def decode(self, value: Any, leaves: list[Any] | None = None) -> Any:
        """A plain value. Raises `Crashed` if a well-formed frame holds no valid value.

        With `leaves`, a handle is the number of a leaf, not a function.
        """

        def handle(record: wire.Handle) -> Any:
            if leaves is None:
                return self._held(self, record.number, (), self.seat.generation)
            if not 0 <= record.number < len(leaves):
                raise wire.WireError("a result that names an output that doesn't exist")
            return leaves[record.number]

        def array(record: wire.Array) -> np.ndarray[Any, Any]:
            plain = arrays.wire_to_array(record)
            return plain.view(WithoutJax) if self.seat.exercise.numpy else plain

        shapes: list[tuple[str, tuple[int, ...]]] = []

        # JAX compiles a program for each shape of keys, so a thousand shapes would cost minutes. A
        # key takes it far longer than a NumPy array.
        def key(record: wire.Key) -> Any:
            shapes.append((record.impl, record.data.shape))
            if len(shapes) > MAX_KEYS or len(set(shapes)) > MAX_KEY_SHAPES:
                raise wire.WireError("too many keys, or keys of too many shapes")
            if 0 in record.data.shape:
                raise wire.WireError("an empty array of keys")
            return arrays.wire_to_key(record)

        try:
            return arrays.from_wire(
                value,
                array=array,
                key=key,
                named=self._named,
                handle=handle,
                code=_refuse,
                callback=_refuse,
            )
        except wire.WireError as error:
            raise faults.Crashed(faults.LIES, str(error)) from error

    def _other(self, value: Any) -> Any:
        kind = type(value)
        if isinstance(value, Callback):
            if value not in self._callbacks:
                self._callbacks.append(value)
            self.sent_callbacks += 1
            return wire.CallbackNumber(self._callbacks.index(value))
        if isinstance(value, Held):
            if isinstance(value.target, int) and not value.stack:
                return wire.Handle(value.target)
            raise BrokenSuiteError(
                f"the suite passed `{value!r}` as an argument. Pass what `{value!r}.used_by(lambda "
                "f: f).reported()()` returns: the function itself, in the student's process"
            )
        if hasattr(kind, "_fields") or (
            dataclasses.is_dataclass(value) and not isinstance(value, type)
        ):
            if kind not in self._classes:
                self._classes.append(kind)
            tag = self._classes.index(kind)
            return arrays.named_to_wire(value, self._other, tag, pickled(kind))
        if callable(value):
            return wire.Code(pickled(value))
        raise BrokenSuiteError(f"the suite passed a {kind.__name__}, which the wire doesn't carry")

    def _named(self, record: wire.Named, values: tuple[Any, ...]) -> Any:
        if record.tag is not None and 0 <= record.tag < len(self._classes):
            kind: Any = self._classes[record.tag]
            fields = getattr(kind, "_fields", None)
            if record.fields == (fields or tuple(f.name for f in dataclasses.fields(kind))):
                return kind(*values)
        return StudentRecord(record.name, record.fields, values)


def _is_numeric(leaf: Any) -> bool:
    return bool(leaf.size) if arrays.is_array(leaf) else isinstance(leaf, _NUMBERS)


def _zero(leaf: Any) -> Any:
    return type(leaf)(0) if isinstance(leaf, _NUMBERS) else arrays.blank(leaf)


def _refuse(record: wire.Code | wire.CallbackNumber) -> Any:
    raise wire.WireError(f"a {type(record).__name__}, which a worker may not send")
