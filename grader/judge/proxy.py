"""A student's module as a suite sees it: names that call into another process.

    submission.f(x)                         a call, in the worker
    submission.f.vmap(in_axes=1).jit()(x)   transformations, applied from first to last
    submission.f.used_by(g)(x)              g(f, x), for a function g of the suite
    submission.f.program(x)                 f as an exported program, measured in the bench
    submission.f.growth(lambda n: (x[:n],)) how that program grows with n
    submission.f.traces([(x,), (y,)])       how often f traces (a hint, reported by the worker)
    submission.f.devices_used(x)            on how many devices that program runs

No object of a student ever arrives here: results are numbers, strings, containers of them,
records of classes that the suite sent itself, and handles.

A student's code can change jax in its worker, and claim that any function "survives jit". So a
function under transformations is exported for the shapes of its arguments, and the bench runs it
on their values, which the worker never sees. Plain calls, key checks and functions that end in
`.live()` run in the worker.
"""

from __future__ import annotations

import dataclasses
import hashlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np

from grader import arrays, wire
from grader.errors import BrokenSuiteError
from grader.judge import faults
from grader.judge.call_text import call_text, name_text
from grader.judge.program import Growth, Program
from grader.judge.suite_code import pickled

# These work only inside the worker.
_LIVE = {"key_checked", "live"}
MAX_KEY_SHAPES = 8
MAX_KEYS = 1000


class Seat(Protocol):
    """The processes of a submission: `grader.judge.seat` or `grader.judge.standalone`."""

    last_call: str
    """The last call, as a suite would write it."""
    programs: dict[bytes, tuple[bytes, Any, Any]]
    """Programs, their facts and structures, by the question that asked for the export."""

    def ask(self, kind: str, value: Any) -> Any: ...

    def bench(self, kind: str, value: Any) -> Any: ...

    @property
    def generation(self) -> int:
        """The number of the worker: a handle is valid only in the worker that sent it."""


@dataclasses.dataclass(frozen=True)
class StudentRecord:
    """A namedtuple or dataclass of a student's own class: its name, fields and values.

    Its fields are attributes: `result.loss`. A class of the suite, of which an instance was an
    argument, comes back as that class. `assert_close` compares no whole record: give it the fields.
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


class SubmissionProxy:
    """A student's module. Every public name is a `Function`.

    If the student doesn't define it, its first call raises a `Raised`, which says so.
    """

    def __init__(self, seat: Seat) -> None:
        self._codec = Codec(seat)

    def __repr__(self) -> str:
        return "submission"

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return Function(self._codec, name)


def _transformation(name: str) -> Callable[..., Function]:
    def apply(self: Function, **keywords: Any) -> Function:
        return self._under(name, keywords)

    apply.__name__ = name
    apply.__doc__ = f"`jax.{name}` of it, with JAX's own keywords."
    return apply


class Function:
    """A function of the student's, under transformations that apply from first to last.

    They take JAX's own keywords, and nothing by position: `submission.f.vmap(in_axes=1).jit()(x)`.
    `jvp` is called with primals and tangents: `submission.f.jvp()((x,), (t,))`.

    Under transformations it is exported for the shapes of its arguments, and runs in the bench.
    Without one, and with `live` or `key_checked` among them, it runs in the worker.
    """

    def __init__(
        self, codec: Codec, target: str | int, stack: tuple[Any, ...] = (), generation: int = 0
    ) -> None:
        self._codec = codec
        self._target = target
        self._stack = stack
        self._generation = generation

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it. Arrays arrive there as jax arrays, and come back as numpy arrays.

        An argument may be None, a number, a string, bytes, an array, a typed key, a function or a
        class of the suite, a function that the student's code returned, or a list, tuple, dict,
        namedtuple or dataclass of these. A returned function is a `Function`: call it in that test.

        Raises:
            Fault: the student's code gave no result: it raised, ended, or exceeded a limit.
            Refused: under transformations, the bench won't run the program.
            BrokenSuiteError: an argument is none of these.
        """
        if self._stack and not {name for name, _ in self._stack} & _LIVE:
            return self.program(*args, **kwargs).structured(*args, **kwargs)
        return self._codec.decode(self._ask("call", args=args, kwargs=kwargs))

    def __repr__(self) -> str:
        return f"submission.{self.name}"

    @property
    def name(self) -> str:
        """Its name as the suite wrote it, with its transformations."""
        return name_text(self._target, self._stack)

    @property
    def plain_name(self) -> str | None:
        """Its name in the module; None for a handle or under transformations."""
        return self._target if isinstance(self._target, str) and not self._stack else None

    @property
    def codec(self) -> Codec:
        """The codec that turns its arguments and results into records, and back."""
        return self._codec

    def question(self, args: Iterable[Any]) -> dict[str, Any]:
        """A call as a record that any worker with this module can answer."""
        if not isinstance(self._target, str):
            raise BrokenSuiteError(
                f"{self!r} is a function that one worker returned; another can't race it. Call "
                "it by name: `submission.make.used_by(lambda make, x: make()(x))`"
            )
        stack = [self._codec.encode(layer) for layer in self._stack]
        given = self._codec.encode(tuple(args))
        return {"target": self._target, "stack": stack, "args": given, "kwargs": {}}

    jit = _transformation("jit")
    vmap = _transformation("vmap")
    grad = _transformation("grad")
    value_and_grad = _transformation("value_and_grad")
    jacfwd = _transformation("jacfwd")
    jacrev = _transformation("jacrev")
    pmap = _transformation("pmap")
    jvp = _transformation("jvp")

    def used_by(self, function: Callable[..., Any]) -> Function:
        """The suite's `function(f, ...)` with this function as `f`, such as a scan over it.

        Example: `submission.f.used_by(lambda f, x: f(x).sum()).grad()(x)`.

        The suite's function is sent to the worker, so the student can read its code: it must hold
        nothing secret (no docstring, path or line of the suite is sent with it). It is exported
        with `f` inside, so it must be traceable, and return arrays or numbers. With `.live()` after
        it, it is called as it is: it may count calls, or catch exceptions. Then what it returns is
        reported by the worker.
        """
        return self._under("used_by", {"function": function})

    def live(self) -> Function:
        """Runs it in the worker on the values themselves: for functions that need not be traceable,
        such as a gradient through a Python `if`. The result is reported by the worker.

        Example: `submission.f.grad().live()(np.float32(2))`.
        """
        return self._under("live", {})

    def key_checked(self) -> Function:
        """Runs it under `jax.debug_key_reuse`, which raises where a typed key is used twice.

        Reported by the worker. `assert_no_key_reuse` calls it, and says so to the student.
        """
        return self._under("key_checked", {})

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """Exports it as a program: array leaves are its inputs, everything else is a constant.

        The worker gets the constants, and zeros in place of the arrays. So pass `np.float32(0.5)`,
        not `0.5`, if it must not see the number. The program is checked and measured where no
        student's Python runs. Facts of a program prove nothing about what it computes: test its
        values, too (`assert_close(program(x), ...)`).

        A submission exports a function once for the same shapes, constants and transformations: all
        tests of a suite share the program.

        Raises:
            Raised: the function raised, for example because it can't be traced.
            Refused: the bench won't run the program: over 20,000 operations, loops nested over 4
                deep, a tensor over 2^28 elements, over 8 MiB, a shape that depends on values, or a
                call out of the program.
        """
        args, kwargs = jax.tree.map(_blank, (args, kwargs))
        question = self._asked("export", args=args, kwargs=kwargs)
        known = self._codec.seat.programs
        digest = hashlib.sha256(wire.encode(self._generation, "export", question)).digest()
        if digest not in known:
            exported = self._codec.seat.ask("export", question)
            if not isinstance(exported, dict) or not isinstance(exported.get("program"), bytes):
                raise faults.Crashed(faults.LIES, "an export that is no program")
            facts = self._codec.bench("inspect", {"program": exported["program"]})
            known[digest] = exported["program"], facts, exported.get("structure")
        return Program(self._codec, *known[digest])

    def growth(
        self, args: Callable[[int], tuple[Any, ...]], sizes: Sequence[int] = (8, 32, 128)
    ) -> Growth:
        """How its program grows with n, from the programs for the tuples `args(n)`, n in `sizes`.

        Example: `submission.f.growth(lambda n: (np.zeros(n, np.float32),)).size < 0.1`.

        `size` is 0 if a loop stays a loop, and 1 if it is unrolled; `flops` is 2 for n x n
        elements. Test the values of these programs, too. Raises what `program` raises.
        """
        return Growth.of(sizes, [self.program(*args(n)) for n in sizes])

    def traces(self, calls: Iterable[tuple[Any, ...]], **keywords: Any) -> int:
        """How often it is traced when jitted with `keywords` and called on each tuple in turn.

        Example: `submission.f.traces([(x, 3), (y, 3)], static_argnums=1) == 1`.

        The worker counts, so a cheat can lie: use it to find honest mistakes, for few points.
        """
        count = self._ask("traces", calls=list(calls), jit=keywords)
        return count if isinstance(count, int) else sys.maxsize

    def devices_used(self, *args: Any, **kwargs: Any) -> int:
        """On how many devices its program runs: `program(...).devices`.

        Example: `submission.f.devices_used(xs) == 8`, where the catalogue says `devices = 8`.
        """
        return self.program(*args, **kwargs).devices

    def _under(self, name: str, keywords: Mapping[str, Any]) -> Function:
        stack = (*self._stack, [name, dict(keywords)])
        return Function(self._codec, self._target, stack, self._generation)

    def _ask(self, verb: str, **value: Any) -> Any:
        return self._codec.seat.ask(verb, self._asked(verb, **value))

    def _asked(self, verb: str, **value: Any) -> dict[str, Any]:
        """A question for the worker."""
        generation = self._codec.seat.generation
        if isinstance(self._target, int) and generation != self._generation:
            raise BrokenSuiteError(
                "the suite called a function that a student's worker returned before it ended; "
                "ask for it again in each test"
            )
        self._codec.seat.last_call = call_text(verb, self._target, self._stack, value)
        sent = {name: self._codec.encode(part) for name, part in value.items()}
        stack = [self._codec.encode(layer) for layer in self._stack]
        return {"target": self._target, "stack": stack, **sent}


class Codec:
    """Turns the suite's values into wire records, and records into plain values."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self._classes: list[type] = []

    def encode(self, value: Any) -> Any:
        return arrays.to_wire(value, self._other)

    def bench(self, kind: str, value: Any) -> Any:
        """The bench's answer."""
        return self.seat.bench(kind, value)

    def decode(self, value: Any, leaves: list[Any] | None = None) -> Any:
        """A plain value. Raises `Crashed` if a well-formed frame holds no valid value.

        With `leaves`, a handle is the number of a leaf, not a function.
        """

        def handle(record: wire.Handle) -> Any:
            if leaves is None:
                return Function(self, record.number, generation=self.seat.generation)
            if not 0 <= record.number < len(leaves):
                raise wire.WireError("a result that names an output which isn't there")
            return leaves[record.number]

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
                array=arrays.wire_to_array,
                key=key,
                named=self._named,
                handle=handle,
                code=_refuse_code,
            )
        except wire.WireError as error:
            raise faults.Crashed(faults.LIES, str(error)) from error

    def _other(self, value: Any) -> Any:
        kind = type(value)
        if isinstance(value, Function):
            if isinstance(value._target, int) and not value._stack:
                return wire.Handle(value._target)
            raise BrokenSuiteError(
                f"the suite passed `{value!r}` as an argument. Pass what "
                f"`{value!r}.used_by(lambda f: f).live()()` returns: the function itself, in the "
                "student's process"
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


def _blank(value: Any) -> Any:
    """An argument without its values: zeros of the same shape and dtype."""
    if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        data = jnp.zeros_like(jax.random.key_data(value))
        return jax.random.wrap_key_data(data, impl=str(jax.random.key_impl(value)))
    if isinstance(value, np.ndarray | np.generic | jax.Array):
        return np.zeros(value.shape, value.dtype)
    return value


def _refuse_code(_: wire.Code) -> Any:
    raise wire.WireError("code, which a worker may not send")
