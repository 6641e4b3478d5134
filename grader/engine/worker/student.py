"""A student's module, and what the judge may ask of it.

    load    source text, numpy?    -> a notebook's cells that raised (a hint)
    call    target, stack, args    -> the result, as data
    export  target, stack, args    -> a program (for the judge, hostile bytes) and its structure
    passes  target, stack, args    -> the same as two programs, for the value and for the gradients
    traces  target, stack, calls   -> how often jit traced it (a hint: the student could forge it)
    show    expression             -> what it gives in the module, as a text for the student

A target is a name in the module, or the number of a function that was returned. A stack is a list
of transformations with JAX's keywords, applied from first to last.
"""

import dataclasses
import functools
import linecache
import socket
import sys
import types
from collections.abc import Callable, Collection, Iterable
from typing import Any, NoReturn

import jax
import jax.export
import numpy as np
from jax.sharding import AxisType, NamedSharding

from grader.engine import wire
from grader.engine.wire import arrays
from grader.engine.wire.connection import Connection
from grader.engine.wire.values import Values
from grader.records import student_code

MOST_SHOWN, MOST_LEAVES = 4000, 20
"""Letters of a value, and arrays in it, that a student is shown."""


def serve(channel: socket.socket, request: dict[str, Any]) -> NoReturn:
    """Starts a backend if `request` says so; then answers until the channel is closed."""
    if request["warm"]:
        jax.device_put(0.0).block_until_ready()
    if request["devices"] > 1:
        jax.device_put = place
    connection = Connection(channel, request)
    connection.serve(Student(connection.call_back).verbs())


class Student:
    """One loaded module, and the functions that the judge knows by number."""

    def __init__(self, call_back: Callable[[Any], Any]) -> None:
        self._module = types.ModuleType("submission")
        self._handles: list[Any] = []
        self._values = Values(self._handles, self._callback)
        self._call_back = call_back
        self._transformed: dict[Any, Callable[..., Any]] = {}

    def verbs(self) -> dict[str, Callable[..., Any]]:
        names = ("load", "call", "export", "passes", "traces", "show")
        return {name: getattr(self, name) for name in names}

    def load(
        self, source: str, path: str, numpy: bool = False, defines: Collection[str] = ()
    ) -> list[Any]:
        self._values.numpy = numpy
        self._module.__file__ = path
        # `dataclasses` and `pickle` look up a class's module by name.
        sys.modules[self._module.__name__] = self._module
        linecache.cache[path] = (len(source), None, source.splitlines(True), path)
        if path.endswith(".ipynb"):
            return student_code.run(source, path, vars(self._module), defines)
        exec(compile(source, path, "exec", dont_inherit=True), vars(self._module))
        return []

    def call(self, target: Any, stack: list[Any], args: Any, kwargs: Any) -> Any:
        function = self._transform(target, stack)
        return self._out(self._unchanged(function, self._in(args), self._in(kwargs)))

    def export(self, target: Any, stack: list[Any], args: Any, kwargs: Any) -> dict[str, Any]:
        flat, inputs, structure = self._flat(target, stack, args, kwargs)
        specs = _specs(inputs)
        jitted = jax.jit(flat)
        if donated := _donated(jitted.trace(*specs).jaxpr):
            jitted = jax.jit(flat, donate_argnums=donated)
        program = jax.export.export(jitted)(*specs).serialize()
        return {"program": bytes(program), "structure": self._out(structure[0])}

    def passes(self, target: Any, stack: list[Any], args: Any, kwargs: Any) -> dict[str, Any]:
        flat, inputs, structure = self._flat(target, stack, args, kwargs)
        forward, backward = export_passes(flat, inputs)
        return {"forward": forward, "backward": backward, "structure": self._out(structure[0])}

    def _flat(self, target: Any, stack: list[Any], args: Any, kwargs: Any) -> Any:
        """A function of arrays, these arrays, and the list that gets the result's containers."""
        function = self._transform(target, stack)
        structure: list[Any] = []

        def recording(*inner_args: Any, **inner_kwargs: Any) -> Any:
            result = self._unchanged(function, inner_args, inner_kwargs)
            leaves, tree = jax.tree.flatten(result)
            structure[:] = [jax.tree.unflatten(tree, map(wire.Handle, range(len(leaves))))]
            return result

        return *flatten_inputs(recording, self._in(args), self._in(kwargs)), structure

    def traces(self, target: Any, stack: list[Any], calls: list[Any], jit: Any) -> int:
        function, count = self._transform(target, stack), 0

        @functools.wraps(function)
        def counting(*args: Any, **kwargs: Any) -> Any:
            nonlocal count
            count += 1
            return function(*args, **kwargs)

        jitted = jax.jit(counting, **self._in(jit))
        for args in calls:
            jax.block_until_ready(jitted(*self._in(args)))
        return count

    def show(self, expression: str) -> str:
        known = {"jax": jax, "jnp": jax.numpy, "np": np} | vars(self._module)
        value = eval(compile(expression, "", "eval", dont_inherit=True), known)
        lines = [repr(value)[:MOST_SHOWN]]
        for path, leaf in jax.tree.leaves_with_path(value)[:MOST_LEAVES]:
            if isinstance(leaf, jax.Array | np.ndarray | np.generic):
                name = jax.tree_util.keystr(path) or "the value"
                lines.append(f"{name}: shape {leaf.shape}, dtype {leaf.dtype}")
        return "\n".join(lines)

    def _unchanged(self, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Calls a function. With JAX, it may not change what it is given, nor give it away."""
        leaves, before = jax.tree.flatten((args, kwargs))
        result = function(*args, **kwargs)
        same, after = jax.tree.flatten((args, kwargs))
        changed = (before, *map(id, leaves)) != (after, *map(id, same))
        if (changed or any(map(_is_gone, leaves))) and not self._values.numpy:
            raise ChangedInput("changed or donated what it was given")
        return result

    def _transform(self, target: Any, stack: list[Any]) -> Callable[..., Any]:
        key = (target, repr(stack))
        if key not in self._transformed:
            if isinstance(target, str):
                if not hasattr(self._module, target):
                    raise NotDefined(f"the file defines no `{target}`")
                function = getattr(self._module, target)
            else:
                function = self._handles[target]
            for name, keywords in stack:
                function = TRANSFORMATIONS[name](function, **self._in(keywords))
            self._transformed[key] = function
        return self._transformed[key]

    def _callback(self, number: int, *args: Any) -> Any:
        """Calls a function of the suite's, in the judge."""
        return self._in(self._call_back({"number": number, "args": self._out(args)}))

    def _in(self, value: Any) -> Any:
        return self._values.decode(value)

    def _out(self, value: Any) -> Any:
        return arrays.to_wire(value, self._out_other)

    def _out_other(self, value: Any) -> Any:
        kind = type(value)
        if isinstance(value, wire.Handle):
            return value
        if dataclasses.is_dataclass(value) or hasattr(kind, "_fields"):
            return arrays.named_to_wire(value, self._out_other, self._values.tag_of(kind))
        if callable(value):
            self._handles.append(value)
            return wire.Handle(len(self._handles) - 1)
        raise NotData(
            f"returned an object of class `{kind.__name__}`, which is not an array, "
            "a number, a function, or a list, tuple or dict of them"
        )


_device_put = jax.device_put


@functools.wraps(_device_put)
def place(x: Any, device: Any = None, **keywords: Any) -> Any:
    """`jax.device_put`, which also tells an exported program where its data are.

    JAX leaves that out of a program, unless the axes of the mesh are Explicit.
    """
    placed = _device_put(x, device, **keywords)
    shardings = jax.tree.broadcast(device, placed, is_leaf=lambda leaf: leaf is None)
    return jax.tree.map(_constrained, placed, shardings)


def _constrained(leaf: Any, sharding: Any) -> Any:
    if not isinstance(leaf, jax.core.Tracer) or not isinstance(sharding, NamedSharding):
        return leaf
    if AxisType.Explicit in sharding.mesh.axis_types:
        return leaf
    return jax.lax.with_sharding_constraint(leaf, sharding)


class NotDefined(AttributeError):
    """The module lacks a name that the exercise asks for."""


def _is_gone(leaf: Any) -> bool:
    """Whether an array was donated to a program that has run."""
    is_value = isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer)
    return is_value and leaf.is_deleted()


class ChangedInput(ValueError):
    """The function changed an argument in place, or gave its memory away."""


class KeptElsewhere(ValueError):
    """A backward pass uses arrays that its forward pass doesn't return."""


class NotData(TypeError):
    """The function returned something that can't be sent to the judge."""


def flatten_inputs(
    function: Callable[..., Any], args: Any, kwargs: Any
) -> tuple[Callable[..., Any], list[Any]]:
    """A function of the array arguments alone, and these arrays; all other arguments are constant.

    The function returns a list of leaves: an export knows neither namedtuples nor dataclasses.
    """
    leaves, tree = jax.tree.flatten((args, kwargs))
    is_input = [isinstance(leaf, jax.Array) for leaf in leaves]

    def flat(*inputs: Any) -> list[Any]:
        given = iter(inputs)
        merged = [next(given) if at else leaf for at, leaf in zip(is_input, leaves, strict=True)]
        full_args, full_kwargs = jax.tree.unflatten(tree, merged)
        return jax.tree.leaves(function(*full_args, **full_kwargs))

    return flat, [leaf for at, leaf in zip(is_input, leaves, strict=True) if at]


def export_passes(flat: Callable[..., Any], inputs: list[Any]) -> tuple[bytes, bytes]:
    """The forward and the backward pass of a function of arrays, as two programs.

        forward(*inputs) -> value leaves, kept leaves
        backward(*kept leaves, *arriving gradients) -> gradients in the inputs that are floats

    They are exported one after the other. So only the kept leaves get from one to the other.
    """
    made: list[Any] = []

    def forward(*given: Any) -> Any:
        def of_floats(*floats: Any) -> Any:
            values = iter(floats)
            return flat(*(next(values) if _is_float(leaf) else leaf for leaf in given))

        value, pull = jax.vjp(of_floats, *filter(_is_float, given))
        leaves, tree = jax.tree.flatten(pull)
        made[:] = [tree, _specs(value)]
        return [*value, *leaves]

    def backward(*given: Any) -> Any:
        gradients = iter(given[len(kept) :])
        return jax.tree.unflatten(tree, given[: len(kept)])(
            [
                next(gradients) if _is_float(spec) else np.zeros(spec.shape, jax.dtypes.float0)
                for spec in values
            ]
        )

    specs = _specs(inputs)
    first = jax.export.export(jax.jit(forward))(*specs)
    tree, values = made
    kept = first.out_avals[len(values) :]
    jitted, given = jax.jit(backward), (*kept, *filter(_is_float, values))
    # An array of the forward pass, which is over, becomes one more input.
    if len(jitted.trace(*given).jaxpr.in_avals) > len(given):
        raise KeptElsewhere("the backward pass uses an array of the forward pass")
    second = jax.export.export(jitted)(*given)
    return bytes(first.serialize()), bytes(second.serialize())


def _specs(leaves: Iterable[Any]) -> list[jax.ShapeDtypeStruct]:
    return [jax.ShapeDtypeStruct(leaf.shape, leaf.dtype) for leaf in leaves]


def _is_float(leaf: Any) -> bool:
    """Whether it has a gradient."""
    return jax.numpy.issubdtype(leaf.dtype, jax.numpy.inexact)


def _donated(jaxpr: Any) -> tuple[int, ...]:
    """The inputs that the function's own `jit` donates to a result.

    An outer `jit` ignores these donations.
    """
    numbers = {id(var): number for number, var in enumerate(jaxpr.invars)}
    results = {id(var) for var in jaxpr.outvars}
    donated_inputs = {
        numbers[id(var)]
        for equation in jaxpr.eqns
        if "donated_invars" in equation.params and results & {id(v) for v in equation.outvars}
        for var, donated in zip(equation.invars, equation.params["donated_invars"], strict=True)
        if donated and id(var) in numbers
    }
    return tuple(sorted(donated_inputs))


def _key_checked(function: Callable[..., Any]) -> Callable[..., Any]:
    def checked(*args: Any, **kwargs: Any) -> Any:
        with jax.debug_key_reuse(True):
            return function(*args, **kwargs)

    return checked


_OF_JAX = "jit vmap grad value_and_grad jacfwd jacrev pmap"
TRANSFORMATIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(jax, name) for name in _OF_JAX.split()},
    "jvp": lambda f: lambda primals, tangents: jax.jvp(f, tuple(primals), tuple(tangents)),
    "key_checked": _key_checked,
    # Words for the judge, which knows what a test rests on.
    **dict.fromkeys(("reported", "observed", "timed"), lambda function: function),
    "used_by": lambda used, function: functools.partial(function, used),
}
