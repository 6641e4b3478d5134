"""The suite's face of a student's module: names that call into another process.

    submission.f(x)                         a call, in the worker
    submission.f.vmap(in_axes=1).jit()(x)   transformations, applied from first to last
    submission.f.used_by(g)(x)              g(f, x), for a function g of the suite
    submission.f.program(x)                 f as an exported program, measured in the bench
    submission.f.growth(lambda n: (x[:n],)) how that program grows with n
    submission.f.traces([(x,), (y,)])       how often f traces (a hint: the worker's word)
    submission.f.devices_used(x)            on how many devices f runs (a hint, too)

No object of a student ever arrives here: results are numbers, strings, containers of them,
records of classes that the suite sent itself, and handles.

A worker can say of anything that it "survives jit": jax is the student's there. So a function
under transformations is exported for the shapes of its arguments, and run in the bench on their
values, which the worker never sees. Live are plain calls, pmap, checks, and what ends in
`.live()`.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import cloudpickle
import jax
import jax.numpy as jnp
import numpy as np

from grader import arrays, wire
from grader.errors import BrokenSuiteError
from grader.judge import faults
from grader.judge.exported import Growth, Program

# Collectives over devices, and checks of this process alone, can't be exported.
_LIVE = {"pmap", "key_checked", "live"}
MAX_KEY_SHAPES = 8


class Seat(Protocol):
    """Where a submission sits: what `grader.judge.seat` and `grader.judge.debug` provide."""

    last_call: str
    """What was asked last, in a suite's words."""

    def ask(self, kind: str, value: Any) -> Any: ...

    def bench(self, kind: str, value: Any) -> Any: ...

    @property
    def generation(self) -> int:
        """Counts workers: a handle of one means nothing to the next."""


@dataclasses.dataclass(frozen=True)
class Record:
    """A namedtuple or dataclass of a student's own class: its name, fields and values."""

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


class Submission:
    """A student's module. Every public attribute is a `Function`, defined there or not."""

    def __init__(self, seat: Seat) -> None:
        self._codec = Codec(seat)

    def __repr__(self) -> str:
        return "submission"

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return Function(self._codec, name)


class Function:
    """A function on the other side of the seam, under a stack of transformations."""

    def __init__(
        self, codec: Codec, target: str | int, stack: tuple[Any, ...] = (), generation: int = 0
    ) -> None:
        self._codec = codec
        self._target = target
        self._stack = stack
        self._generation = generation

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it. Arrays arrive there as jax arrays, and come back as numpy arrays."""
        if self._stack and not {name for name, _ in self._stack} & _LIVE:
            return self.program(*args, **kwargs).structured(*args, **kwargs)
        return self._codec.decode(self._ask("call", args=args, kwargs=kwargs))

    def __repr__(self) -> str:
        return f"submission.{self.name}"

    @property
    def name(self) -> str:
        """As the suite wrote it, with its transformations."""
        return _named(self._target, self._stack)

    @property
    def plain_name(self) -> str | None:
        """The name that the module defines it by, if nothing has been done to it."""
        return self._target if isinstance(self._target, str) and not self._stack else None

    @property
    def codec(self) -> Codec:
        """What turns its arguments and results into records, and back."""
        return self._codec

    def question(self, args: Iterable[Any]) -> dict[str, Any]:
        """A call as a record that any worker with this module can answer."""
        if not isinstance(self._target, str):
            raise BrokenSuiteError(
                f"{self!r} is a function that one worker returned; another can't race it. Reach "
                "it by name: `submission.make.used_by(lambda make, x: make()(x))`"
            )
        stack = [self._codec.encode(layer) for layer in self._stack]
        given = self._codec.encode(tuple(args))
        return {"target": self._target, "stack": stack, "args": given, "kwargs": {}}

    def jit(self, **keywords: Any) -> Function:
        """`jax.jit` of it."""
        return self._under("jit", keywords)

    def vmap(self, **keywords: Any) -> Function:
        """`jax.vmap` of it."""
        return self._under("vmap", keywords)

    def grad(self, **keywords: Any) -> Function:
        """`jax.grad` of it."""
        return self._under("grad", keywords)

    def value_and_grad(self, **keywords: Any) -> Function:
        """`jax.value_and_grad` of it."""
        return self._under("value_and_grad", keywords)

    def jvp(self) -> Function:
        """`jax.jvp` of it: called with the primals and the tangents, each a tuple."""
        return self._under("jvp", {})

    def jacfwd(self, **keywords: Any) -> Function:
        """`jax.jacfwd` of it."""
        return self._under("jacfwd", keywords)

    def jacrev(self, **keywords: Any) -> Function:
        """`jax.jacrev` of it."""
        return self._under("jacrev", keywords)

    def pmap(self, **keywords: Any) -> Function:
        """`jax.pmap` of it."""
        return self._under("pmap", keywords)

    def used_by(self, function: Callable[..., Any]) -> Function:
        """`function(f, ...)` of the suite, with it as `f`: a scan over it, an object that it makes.

        The suite's function is sent to the worker, and everything it does with `f` happens there:
        as a program, unless `.live()` follows.
        """
        return self._under("used_by", {"function": function})

    def live(self) -> Function:
        """It in the worker on the values themselves, where a right answer need not be traceable
        (a gradient through a Python `if`). The worker's word for what the transformations do."""
        return self._under("live", {})

    def key_checked(self) -> Function:
        """It under `jax.debug_key_reuse`: raises where a typed key is used twice."""
        return self._under("key_checked", {})

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """It as an exported program: array leaves are inputs, all else is constant.

        The worker gets shapes and zeros, never the values. The program is checked and measured
        where no student Python runs. What it computes is still the student's claim: tie it to
        values (`assert_close(program(x), ...)`).
        """
        args, kwargs = jax.tree.map(_blank, (args, kwargs))
        exported = self._ask("export", args=args, kwargs=kwargs)
        if not isinstance(exported, dict) or not isinstance(exported.get("program"), bytes):
            raise faults.Crashed(faults.LIES, "an export that is no program")
        return Program(self._codec, exported["program"], exported.get("structure"))

    def growth(
        self, args: Callable[[int], tuple[Any, ...]], sizes: Sequence[int] = (8, 32, 128)
    ) -> Growth:
        """How its program grows with n, from the programs for `args(n)` with n in `sizes`.

        `size` 0 is a loop that stays one, 1 a loop that was unrolled; `flops` 2 for n x n
        elements. Bake in no more than shapes: check what the programs compute, too.
        """
        return Growth.of(sizes, [self.program(*args(n)) for n in sizes])

    def traces(self, calls: Iterable[tuple[Any, ...]], **keywords: Any) -> int:
        """How often it traces when jitted with `keywords` and called on each tuple in turn.

        The worker counts, so a cheat can lie: use it for feedback and for honest mistakes.
        """
        count = self._ask("traces", calls=list(calls), jit=keywords)
        return count if isinstance(count, int) else sys.maxsize

    def devices_used(self, *args: Any, **kwargs: Any) -> int:
        """On how many devices its widest program runs when it is called: the worker's word."""
        count = self._ask("devices", args=args, kwargs=kwargs)
        return count if isinstance(count, int) else 0

    def _under(self, name: str, keywords: Mapping[str, Any]) -> Function:
        stack = (*self._stack, [name, dict(keywords)])
        return Function(self._codec, self._target, stack, self._generation)

    def _ask(self, verb: str, **value: Any) -> Any:
        generation = self._codec.seat.generation
        if isinstance(self._target, int) and generation != self._generation:
            raise BrokenSuiteError(
                "the suite called a function that a student's worker returned before it ended; "
                "ask for it again in each test"
            )
        self._codec.seat.last_call = _shown(verb, self._target, self._stack, value)
        sent = {name: self._codec.encode(part) for name, part in value.items()}
        stack = [self._codec.encode(layer) for layer in self._stack]
        return self._codec.seat.ask(verb, {"target": self._target, "stack": stack, **sent})


class Codec:
    """Turns the suite's values into wire records, and records into plain values."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self._classes: list[type] = []

    def encode(self, value: Any) -> Any:
        return arrays.to_wire(value, self._other)

    def decode(self, value: Any, leaves: list[Any] | None = None) -> Any:
        """Raises `Crashed` for a frame that is well formed and still no value.

        With `leaves`, a handle is the number of one of them, not a function.
        """

        def handle(record: wire.Handle) -> Any:
            if leaves is None:
                return Function(self, record.number, generation=self.seat.generation)
            if not 0 <= record.number < len(leaves):
                raise wire.WireError("a result that names an output which isn't there")
            return leaves[record.number]

        shapes: set[tuple[str, tuple[int, ...]]] = set()

        # JAX compiles a program for each shape of keys: a thousand shapes would keep us busy.
        def key(record: wire.Key) -> Any:
            shapes.add((record.impl, record.data.shape))
            if len(shapes) > MAX_KEY_SHAPES or 0 in record.data.shape:
                raise wire.WireError("keys of many shapes, or of none")
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
            raise BrokenSuiteError("the suite passed a student's function that has no handle")
        if hasattr(kind, "_fields") or (
            dataclasses.is_dataclass(value) and not isinstance(value, type)
        ):
            if kind not in self._classes:
                self._classes.append(kind)
            tag = self._classes.index(kind)
            return arrays.named_to_wire(value, self._other, tag, _pickle(kind))
        if callable(value):
            return wire.Code(_pickle(value))
        raise BrokenSuiteError(f"the suite passed a {kind.__name__}, which the wire doesn't carry")

    def _named(self, record: wire.Named, values: tuple[Any, ...]) -> Any:
        if record.tag is not None and 0 <= record.tag < len(self._classes):
            kind: Callable[..., Any] = self._classes[record.tag]
            fields = getattr(kind, "_fields", None) or tuple(
                field.name
                for field in dataclasses.fields(kind)  # type: ignore[arg-type]
            )
            if record.fields == fields:
                return kind(*values)
        return Record(record.name, record.fields, values)


def _blank(value: Any) -> Any:
    """An argument without its values: zeros of the same shape and dtype."""
    if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        data = jnp.zeros_like(jax.random.key_data(value))
        return jax.random.wrap_key_data(data, impl=str(jax.random.key_impl(value)))
    if isinstance(value, np.ndarray | np.generic | jax.Array):
        return np.zeros(value.shape, value.dtype)
    return value


def _pickle(value: Any) -> bytes:
    """A suite's function or class by value: the worker can't import the suite."""
    module = sys.modules.get(getattr(value, "__module__", ""))
    path = getattr(module, "__file__", None) or ""
    if module is not None and "site-packages" not in path and module.__name__ != "__main__":
        is_suite = path.endswith(".py") and not path.startswith(sys.base_prefix)
        if is_suite and module.__name__ not in cloudpickle.list_registry_pickle_by_value():
            cloudpickle.register_pickle_by_value(module)
    return bytes(cloudpickle.dumps(value))


def _refuse_code(_: wire.Code) -> Any:
    raise wire.WireError("code, which a worker may not send")


def _shown(verb: str, target: str | int, stack: tuple[Any, ...], value: dict[str, Any]) -> str:
    """A call as a suite would write it, long arrays shortened."""
    with np.printoptions(threshold=20, edgeitems=3, precision=4):
        parts = [_brief(arg) for arg in value.get("args", value.get("calls", ()))]
        parts += [f"{k}={_brief(v)}" for k, v in value.get("kwargs", {}).items()]
    suffix = "" if verb == "call" else f".{'program' if verb == 'export' else verb}"
    return f"{_named(target, stack)}{suffix}({', '.join(parts)})"


def _named(target: str | int, stack: tuple[Any, ...]) -> str:
    name = target if isinstance(target, str) else "<function>"
    for layer, keywords in stack:
        name += f".{layer}({', '.join(f'{k}={v!r}' for k, v in keywords.items())})"
    return name


def _brief(value: Any) -> str:
    if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        text = f"key({np.asarray(jax.random.key_data(value)).tolist()})"
    else:
        text = repr(value)
    return text if len(text) <= 400 else text[:397] + "..."
