"""The reference solution, run in the judge: what a right answer is, and how exact it can be.

Each result is computed twice, in JAX's default precision and in float64 on the same inputs.
The first gives structure, shapes and dtypes. The difference of the two is the rounding error of
the reference itself. `assert_close` takes its tolerance from this error.
"""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

TRANSFORMATIONS = ("jit", "vmap", "grad", "value_and_grad", "jacfwd", "jacrev", "jvp")


class Expected(np.ndarray[Any, Any]):
    """An array of the reference; `exact` is the same in float64, or None if it doesn't exist."""

    exact: np.ndarray[Any, Any] | None

    def __array_finalize__(self, source: Any) -> None:
        # A slice or a sum has another rounding error, so it counts as an ordinary array.
        self.exact = None


class WithoutJax(np.ndarray[Any, Any]):
    """An array from code without JAX. Its dtype is compared with NumPy's, not with JAX's."""


class OracleFunction:
    """A function of the solution. A call takes and gives NumPy arrays, computed twice.

    It has the transformations that a student's function has, `oracle.f.grad()(x)`, whose results
    are computed twice, too. JAX's own work as well, `jax.grad(oracle.f)(x)`, and give plain
    results of JAX.
    """

    def __init__(self, function: Callable[..., Any], *, numpy: bool = False) -> None:
        """With `numpy`, it gets NumPy arrays, and no result is computed twice."""
        self._function = function
        self._numpy = numpy

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._numpy:
            args, kwargs = copy.deepcopy((args, kwargs))  # it may change its arguments
            return self._function(*args, **kwargs)
        if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves((args, kwargs))):
            return self._function(*args, **kwargs)
        given = jax.tree.map(_to_jax, (args, kwargs))
        result = self._function(*given[0], **given[1])
        return jax.tree.map(_expected, result, _exact(self._function, given, result))

    def __getattr__(self, name: str) -> Callable[..., OracleFunction]:
        if name not in TRANSFORMATIONS:
            raise AttributeError(f"a function of the oracle has no `{name}`")

        def transformed(**keywords: Any) -> OracleFunction:
            if name == "jvp":  # it takes the function and its arguments at once
                return OracleFunction(functools.partial(jax.jvp, self._function))
            return OracleFunction(getattr(jax, name)(self._function, **keywords))

        return transformed

    def used_by(self, function: Callable[..., Any]) -> OracleFunction:
        """Another function, which gets this one as its first argument."""
        return OracleFunction(functools.partial(function, self._function))


class Oracle:
    """A solution's module. Its public functions give what is expected."""

    def __init__(self, path: Path, *, numpy: bool = False) -> None:
        """With `numpy`, the functions get NumPy arrays, and no result is computed twice."""
        self._numpy = numpy
        self._module = types.ModuleType(f"oracle_{path.stem}")
        source = path.read_text(encoding="utf-8")
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(self._module))

    def __getattr__(self, name: str) -> OracleFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        return OracleFunction(getattr(self._module, name), numpy=self._numpy)


def _exact(function: Callable[..., Any], given: Any, result: Any) -> Any:
    """The result in float64, in the structure of `result`; `NotImplemented` where there is none."""
    try:
        with jax.enable_x64(True):
            args, kwargs = jax.tree.map(_to_float64, given)
            exact = jax.tree.map(_to_numpy, function(*args, **kwargs))
    except Exception:  # a solution need not work in float64: then there is no exact result
        exact = None
    if exact is not None and str(jax.tree.structure(exact)) == str(jax.tree.structure(result)):
        return exact
    return jax.tree.map(lambda _: NotImplemented, result)  # None would be an empty tree


def _expected(value: Any, exact: Any) -> Any:
    if not isinstance(value, jax.Array | np.ndarray | np.generic) or _is_key(value):
        return value
    result = np.asarray(value).view(Expected)
    if isinstance(exact, np.ndarray) and exact.shape == result.shape and exact.dtype.kind in "fc":
        result.exact = exact
    return result


def _to_jax(value: Any) -> Any:
    return jax.device_put(value) if isinstance(value, np.ndarray | np.generic) else value


def _to_float64(value: Any) -> Any:
    if isinstance(value, jax.Array) and not _is_key(value):
        if jnp.issubdtype(value.dtype, jnp.floating):
            return value.astype(jnp.float64)
        if jnp.issubdtype(value.dtype, jnp.complexfloating):
            return value.astype(jnp.complex128)
    return value


def _to_numpy(value: Any) -> Any:
    return np.asarray(value) if isinstance(value, jax.Array) and not _is_key(value) else value


def _is_key(value: Any) -> bool:
    return isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key)
