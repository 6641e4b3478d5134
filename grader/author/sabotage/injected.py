"""General faults, each of which can be put around functions that are right.

    f = faulty(f, "argument_absolute", "x")

They change values, dtypes, shapes, gradients, keys or structure of ordinary inputs. A fault leaves
alone what it doesn't fit, such as half precision an integer. `injected_in_jax` has faults
of JAX itself. A solution with a fault is judged like a student's answer: as one text, by a worker
that imports nothing of this package. So the whole text of this file goes into each such submission,
and it imports nothing of the grader.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


class GeneralFault(NamedTuple):
    """What a suite that doesn't notice it never checks, and how it is made."""

    promise: str
    make: Callable[..., Any]


OF_RESULTS: dict[str, GeneralFault] = {}
"""leaf of a result -> another leaf"""
OF_ARGUMENTS: dict[str, GeneralFault] = {}
"""leaf of an argument -> another leaf; each argument is a place of its own"""
OF_CALLS: dict[str, GeneralFault] = {}
"""function -> another function"""

Change = Callable[[Any], Any]


# Kinds of leaves.


def is_array(leaf: Any) -> bool:
    return isinstance(leaf, jax.Array | np.ndarray | np.generic) and not is_key(leaf)


def is_key(leaf: Any) -> bool:
    return hasattr(leaf, "dtype") and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)


def _of_kind(kind: Any) -> Callable[[Any], bool]:
    return lambda leaf: is_array(leaf) and bool(jnp.issubdtype(leaf.dtype, kind))


is_float, is_int, is_bool = map(_of_kind, (jnp.floating, jnp.integer, jnp.bool_))


def is_number(leaf: Any) -> bool:
    """A float of Python's."""
    return isinstance(leaf, float)


def is_function(leaf: Any) -> bool:
    """Of Python's, also compiled."""
    return inspect.isfunction(leaf) or (callable(leaf) and inspect.isfunction(inspect.unwrap(leaf)))


def where(test: Callable[[Any], bool], change: Change) -> Change:
    """Changes the leaves of one kind, and leaves the others alone."""
    return lambda leaf: change(leaf) if test(leaf) else leaf


def _has_axes(count: int) -> Callable[[Any], bool]:
    return lambda leaf: is_array(leaf) and leaf.ndim >= count


# Results and arguments: what may happen to either.


def _through(dtype: Any) -> Change:
    """Rounded to another dtype, and back to its own."""

    def change(leaf: Any) -> Any:
        if is_number(leaf):
            return float(np.asarray(leaf).astype(dtype))
        return leaf.astype(dtype).astype(leaf.dtype)

    return change


def _real(leaf: Any) -> bool:
    return is_float(leaf) or is_number(leaf)


_BOTH: tuple[tuple[str, str, Callable[[Any], bool], Change], ...] = (
    ("half_precision", "is as exact as float32", _real, _through("bfloat16")),
    ("without_nan", "NaN stays NaN", is_float, lambda x: jnp.where(jnp.isnan(x), 0, x)),
    ("absolute", "the sign counts", _real, lambda x: abs(x)),
    ("flipped", "the order along the first axis counts", _has_axes(1), lambda x: x[::-1]),
    ("flipped_last", "the order along the last axis counts", _has_axes(2), lambda x: x[..., ::-1]),
    (
        "transposed",
        "rows aren't columns",
        lambda x: _has_axes(2)(x) and x.shape[0] == x.shape[1],
        lambda x: jnp.swapaxes(x, 0, 1),
    ),
)
for _name, _promise, _test, _make in _BOTH:
    _change = where(_test, _make)
    OF_RESULTS[f"result_{_name}"] = GeneralFault(f"a result: {_promise}", _change)
    OF_ARGUMENTS[f"argument_{_name}"] = GeneralFault(f"an argument: {_promise}", _change)


# Results.

for _name, _promise, _test, _dtype in (
    ("float16", "a result has the dtype of its inputs", is_float, "float16"),
    ("float32", "a result of half precision stays so", is_float, "float32"),
    ("int_as_float", "integers stay integers", is_int, "float32"),
    ("bool_as_int", "booleans stay booleans", is_bool, "int32"),
):
    OF_RESULTS[f"result_{_name}"] = GeneralFault(
        _promise, where(_test, functools.partial(lambda dtype, x: x.astype(dtype), _dtype))
    )
OF_RESULTS["result_off_by_a_thousandth"] = GeneralFault(
    "a result is right in its third digit", where(is_float, lambda x: x * 1.001)
)
OF_RESULTS["result_first_row_for_all"] = GeneralFault(
    "each row has a result of its own", where(_has_axes(1), lambda x: jnp.zeros_like(x) + x[:1])
)
OF_RESULTS["result_last_row_zero"] = GeneralFault(
    "the last row counts",
    where(_has_axes(1), lambda x: x if not len(x) else x.at[-1].set(jnp.zeros((), x.dtype))),
)


@jax.custom_vjp
def _slope_of_one(leaf: Any) -> Any:
    return leaf


_slope_of_one.defvjp(lambda leaf: (leaf, None), lambda _, arriving: (jnp.sign(jnp.abs(arriving)),))
ARRIVING = "result_gradient_that_arrives_ignored"
OF_RESULTS[ARRIVING] = GeneralFault(
    "in a loss, the gradient that arrives counts", where(is_float, _slope_of_one)
)


# Arguments.


def _ignored(leaf: Any) -> Any:
    if is_number(leaf):
        return 0.5
    if is_key(leaf):
        return jnp.broadcast_to(jax.random.key(0), leaf.shape)
    return jnp.zeros_like(leaf) if is_array(leaf) else leaf


def _refused(test: Callable[[Any], bool]) -> Change:
    def change(leaf: Any) -> Any:
        if test(leaf):
            raise TypeError("the solution does not expect this argument")
        return leaf

    return change


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def _times_slope(slope: Change, leaf: Any) -> Any:
    return leaf


@_times_slope.defjvp
def _(slope: Change, primals: Any, tangents: Any) -> Any:
    return primals[0], slope(primals[0]) * tangents[0]


for _name, _promise, _make in (
    ("ignored", "the argument matters", _ignored),
    ("sorted", "the order of the argument matters", where(_has_axes(1), lambda x: jnp.sort(x, 0))),
    ("without_gradient", "the argument has a gradient", where(is_float, lax.stop_gradient)),
    (
        "only_numbers",
        "it may be an array without axes",
        _refused(lambda x: is_float(x) and x.ndim == 0),
    ),
    ("only_arrays", "it may be a number of Python's", _refused(is_number)),
    (
        "no_half_precision",
        "it may be in half precision",
        _refused(lambda x: is_float(x) and x.dtype.itemsize == 2),
    ),
    ("no_integers", "it may hold integers", _refused(is_int)),
    ("never_empty", "it may be empty", _refused(lambda x: is_array(x) and x.size == 0)),
    (
        "never_single",
        "it may have a single row",
        _refused(lambda x: _has_axes(1)(x) and x.shape[0] == 1),
    ),
):
    OF_ARGUMENTS[f"argument_{_name}"] = GeneralFault(_promise, _make)

NO_GRADIENT = "argument_without_gradient"
OF_GRADIENTS = {NO_GRADIENT, ARRIVING}
"""Faults that leave all values as they are."""
for _name, _promise, _slope in (
    (
        "nan_gradient_at_zero",
        "the argument has a gradient where it is 0",
        lambda x: jnp.where(x == 0, jnp.nan, 1.0),
    ),
    ("gradient_off_by_a_thousandth", "its gradient is right in its third digit", lambda _: 1.001),
):
    _make = functools.partial(_times_slope, _slope)
    OF_ARGUMENTS[f"argument_{_name}"] = GeneralFault(_promise, where(is_float, _make))
    OF_GRADIENTS.add(f"argument_{_name}")


# Calls.


def _changed_inputs(function: Callable[..., Any]) -> Callable[..., Any]:
    """A dict or a list among the arguments is emptied after the call."""

    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        for argument in (*args, *kwargs.values()):
            if isinstance(argument, dict | list):
                argument.clear()
        return result

    return call


def _remembers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Numbers and small arrays of the first call are kept for the later ones."""
    kept: dict[int, Any] = {}

    def keep(place: int, leaf: Any) -> Any:
        traced = isinstance(leaf, jax.core.Tracer)
        is_one = is_number(leaf) or (is_array(leaf) and not leaf.shape and not traced)
        return kept.setdefault(place, leaf) if is_one else leaf

    def call(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = jax.tree.flatten((args, kwargs))
        args, kwargs = jax.tree.unflatten(structure, [keep(*pair) for pair in enumerate(leaves)])
        return function(*args, **kwargs)

    return call


def _other_containers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Named tuples become tuples; tuples and lists change places."""

    def other(value: Any) -> Any:
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return tuple(value)
        if isinstance(value, dict):
            return {name: other(part) for name, part in value.items()}
        if isinstance(value, list):
            return tuple(map(other, value))
        return list(map(other, value)) if isinstance(value, tuple) else value

    return lambda *args, **kwargs: other(function(*args, **kwargs))


OF_CALLS |= {
    "changes_its_input": GeneralFault("the arguments stay as they are", _changed_inputs),
    "keeps_the_first_number": GeneralFault("a number may change between calls", _remembers),
    "other_containers": GeneralFault(
        "results come in the containers that were asked for", _other_containers
    ),
}


# Planting.


def faulty(right: Any, name: str, argument: str = "") -> Any:
    """A function with a fault, and the same signature; functions that it returns have it, too.

    `argument` names one, for a fault of arguments.
    """
    if name in OF_CALLS:
        made, inner = OF_CALLS[name].make(right), where(is_function, lambda f: faulty(f, name))
        return functools.wraps(right)(lambda *a, **k: jax.tree.map(inner, made(*a, **k)))
    signature = inspect.signature(right)

    @functools.wraps(right)
    def call(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        if name in OF_ARGUMENTS and argument in bound.arguments:
            change = functools.partial(changed, OF_ARGUMENTS[name])
            bound.arguments[argument] = jax.tree.map(change, bound.arguments[argument])
        result = right(*bound.args, **bound.kwargs)
        return jax.tree.map(functools.partial(_result, name, argument), result)

    return call


def changed(fault: GeneralFault, leaf: Any) -> Any:
    """A leaf with a fault. On a mesh with Explicit axes it stays cut as it is."""
    cut = jax.typeof(leaf).sharding if is_array(leaf) else None
    if cut is None or not cut.mesh.explicit_axes:
        return fault.make(leaf)
    if not leaf.size:
        return leaf  # JAX 0.12 takes an empty one for an array on one device
    return jax.sharding.auto_axes(fault.make, out_sharding=cut)(leaf)


def _result(name: str, argument: str, leaf: Any) -> Any:
    if is_function(leaf):
        return faulty(leaf, name, argument)
    return changed(OF_RESULTS[name], leaf) if name in OF_RESULTS else leaf
