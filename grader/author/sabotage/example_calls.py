"""The calls that the examples of a stub make, and calls with other arguments of the same kinds."""

from __future__ import annotations

import contextlib
import doctest
import inspect
import itertools
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from grader.author.sabotage import injected
from grader.author.sabotage.injected import Change, is_float, is_number, where

CALLS, LONG, FEW, ALONE = 4, 20, 16, 8
"""Calls that are kept for each function; rows of a long argument; a number that may grow much;
arrays that get a NaN of their own."""


@dataclass
class ExampleCall:
    """A call of a function of the solution's, and calls of the functions that it returned."""

    function: str
    names: list[str]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    #: In a later call, `function` is the number of the returned function.
    later: list[ExampleCall] = field(default_factory=list)
    #: What `jax.set_mesh` has set there.
    mesh: jax.sharding.Mesh = field(default_factory=jax.sharding.get_mesh)

    @property
    def values(self) -> dict[str, Any]:
        """What it is given, by the names of parameters."""
        return dict(zip(self.names, self.args, strict=False)) | self.kwargs

    def changed(self, change: Change) -> ExampleCall:
        """A call with other leaves."""
        args, kwargs = jax.tree.map(change, (self.args, self.kwargs))
        later = [each.changed(change) for each in self.later]
        return ExampleCall(self.function, self.names, args, kwargs, later, self.mesh)

    def __iter__(self) -> Iterator[ExampleCall]:
        yield self
        yield from self.later


class Examples:
    """The examples in the docstrings of a stub's functions and classes."""

    def __init__(self, stub: str, names: list[str]) -> None:
        self.names = names
        self._stub: dict[str, Any] = {}
        with contextlib.suppress(Exception):
            exec(compile(stub, "<stub>", "exec", dont_inherit=True), self._stub)
        self.docstrings = [getattr(self._stub.get(name), "__doc__", None) or "" for name in names]

    def functions(self, module: dict[str, Any]) -> dict[str, Any]:
        """A module's functions; of its classes the public methods, such as `Layer.__call__`."""
        functions = {}
        for name in self.names:
            if not inspect.isclass(module[name]):
                functions[name] = module[name]
                continue
            for method, value in vars(module[name]).items():
                # A fault in what makes it a tree would break JAX, not the answer.
                if method == "__call__" or not method.startswith(("_", "tree_")):
                    functions[f"{name}.{method}"] = value
        return {name: value for name, value in functions.items() if injected.is_function(value)}

    def shown(self, module: types.ModuleType, calls: list[ExampleCall]) -> list[str]:
        """What the examples show with a module's functions, whose first calls it notes.

        The methods of its classes are put back afterwards.
        """
        shown: list[str] = []

        class Runner(doctest.DocTestRunner):
            def report_success(self, *args: Any) -> None:
                shown.append(args[-1])

            report_failure: Any = report_success

            def report_unexpected_exception(self, *args: Any) -> None:
                shown.append(args[-1][0].__name__)

        names = self._stub | vars(module)
        functions = self.functions(names)
        try:
            put(names, {name: _recording(name, f, calls) for name, f in functions.items()})
            for text in self.docstrings:
                test = doctest.DocTestParser().get_doctest(text, dict(names), "stub", None, 0)
                # A noted call may hold a function of the example, which needs its names later.
                Runner().run(test, out=lambda _: None, clear_globs=False)
        finally:
            put(names, functions)
        return shown


def put(module: dict[str, Any], functions: dict[str, Any]) -> None:
    """Puts functions in the place of those that have their names in `Examples.functions`."""
    for name, function in functions.items():
        owner, _, method = name.rpartition(".")
        if owner:
            setattr(module[owner], method, function)
        else:
            module[name] = function


def _recording(
    name: str, function: Callable[..., Any], calls: list[ExampleCall]
) -> Callable[..., Any]:
    """A function that notes its first calls, and the calls of functions that it returns."""
    parameters = list(inspect.signature(function).parameters)

    def call(*args: Any, **kwargs: Any) -> Any:
        traced = any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves((args, kwargs)))
        if traced or sum(known.function == name for known in calls) >= CALLS:
            return function(*args, **kwargs)
        # The call may delete its arguments.
        noted = ExampleCall(name, parameters, args, kwargs).changed(copied)
        result = function(*args, **kwargs)
        calls.append(noted)
        later, numbers = calls[-1].later, itertools.count()
        return jax.tree.map(
            lambda x: _recording(str(next(numbers)), x, later) if injected.is_function(x) else x,
            result,
        )

    return wraps(function)(call)


def copied(leaf: Any) -> Any:
    return leaf.copy() if isinstance(leaf, jax.Array | np.ndarray) else leaf


def with_first(value: float, array: Any) -> Any:
    """The array with another first element."""
    return array.reshape(-1).at[:1].set(value).reshape(array.shape)


def others(call: ExampleCall) -> Iterator[ExampleCall]:
    """The call itself, and calls with other arguments of the same kinds."""
    changes = itertools.chain(
        [lambda leaf: leaf],
        _of_leaves(),
        _of_rows(call),
        [where(lambda x: type(x) is int, lambda x: x * (40 if abs(x) < FEW else 2))],
        itertools.islice(_alone(call, jnp.nan), ALONE),
    )
    for change in changes:
        with contextlib.suppress(Exception):
            yield call.changed(change)


def _of_leaves() -> list[Change]:
    """For each kind of leaf what all leaves of this kind become."""
    random = np.random.default_rng(0)

    def normal(x: Any) -> Any:
        return jnp.asarray(random.normal(size=x.shape), x.dtype)

    becomes: dict[str, tuple[Callable[[Any], bool], Change]] = {
        "random": (is_float, normal),
        "skewed": (is_float, lambda x: jnp.exp(2 * normal(x))),
        "in half precision": (is_float, lambda x: x.astype("bfloat16")),
        "integers": (is_float, lambda x: jnp.round(10 * normal(x)).astype(int)),
        "an array": (is_number, jnp.asarray),
        "a number": (lambda x: is_float(x) and not x.shape, lambda x: x.item()),
        "another number": (is_number, lambda x: 1.3 * x + 0.1),
        "NaN in front": (is_float, partial(with_first, jnp.nan)),
    }
    return [where(*each) for each in becomes.values()]


def _of_rows(call: ExampleCall) -> list[Change]:
    """What all arrays become that have as many rows as the first one."""
    arrays = filter(_has_rows, jax.tree.leaves((call.args, call.kwargs)))
    count = next(map(len, arrays), -1)
    becomes: dict[str, Change] = {
        "longer": lambda x: x[jnp.arange(LONG * len(x)) % len(x)] if len(x) else x,
        "empty": lambda x: x[:0],
        "a single row": lambda x: x[:1],
    }
    return [where(lambda x: _has_rows(x) and len(x) == count, f) for f in becomes.values()]


def _has_rows(leaf: Any) -> bool:
    return (injected.is_array(leaf) or injected.is_key(leaf)) and leaf.ndim > 0


def _alone(call: ExampleCall, value: float) -> Iterator[Change]:
    """The value in one array after the other. What has no axis may be what ends a loop."""

    def only(place: int) -> Change:
        numbers = itertools.count()
        return lambda x: with_first(value, x) if next(numbers) == place else x

    leaves = [x for each in call for x in jax.tree.leaves((each.args, each.kwargs))]
    return (only(n) for n, x in enumerate(leaves) if is_float(x) and x.ndim)
