"""General faults in JAX, each of which can be planted before a solution takes its functions.

    OF_JAX["no_jit"].plant()

The whole text of this file goes into a submission, for the reason that `injected` gives. So it
imports nothing of the grader.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

Change = Callable[[Any], Any]


class JaxFault(NamedTuple):
    """What a suite that doesn't notice it never checks, and a function that plants it."""

    promise: str
    plant: Callable[[], None]


OF_JAX: dict[str, JaxFault] = {}
used: set[str] = set()
"""Functions of JAX's that were replaced, and then called."""
on_use: Callable[[str], Any] = used.add
"""Is called with the name of a replaced function before each call of it."""


def _replace(module: Any, **functions: Callable[..., Any]) -> None:
    def watched(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(getattr(module, name))
        def call(*args: Any, **kwargs: Any) -> Any:
            on_use(name)
            return function(*args, **kwargs)

        return call

    for name, function in functions.items():
        setattr(module, name, watched(name, function))


def _no_jit() -> None:
    def jit(function: Any = None, /, **_: Any) -> Any:
        return function if function is not None else lambda f: f

    _replace(jax, jit=jit)


def _no_vmap() -> None:
    def vmap(function: Any, in_axes: Any = 0, out_axes: Any = 0, **_: Any) -> Any:
        def call(*args: Any) -> Any:
            given = in_axes if isinstance(in_axes, tuple | list) else (in_axes,) * len(args)
            structure: Any
            leaves, structure = jax.tree.flatten(args)
            whole = jax.tree.broadcast(tuple(given), args, is_leaf=lambda a: a is None)
            axes = structure.flatten_up_to(whole)
            (size,) = {x.shape[a] for x, a in zip(leaves, axes, strict=True) if a is not None}

            def row(number: int) -> Any:
                pairs = zip(leaves, axes, strict=True)
                taken = [x if a is None else jnp.take(x, number, a) for x, a in pairs]
                return function(*structure.unflatten(taken))

            rows = map(row, range(size))
            return jax.tree.map(lambda *r: jnp.stack(r, out_axes), *rows)

        return call

    _replace(jax, vmap=vmap)


def _unrolled() -> None:
    def scan(
        f: Any, init: Any, xs: Any = None, length: Any = None, reverse: bool = False, **_: Any
    ) -> Any:
        count = length if xs is None else len(jax.tree.leaves(xs)[0])
        carry, results = init, []
        for n in range(count)[:: -1 if reverse else 1]:
            carry, y = f(carry, jax.tree.map(lambda x: x[n], xs))  # noqa: B023
            results.append(y)
        results = results[::-1] if reverse else results
        return carry, jax.tree.map(lambda *ys: jnp.stack(ys), *results)

    fori_loop = lax.fori_loop

    def unrolled_loop(lower: Any, upper: Any, body: Any, init: Any, **_: Any) -> Any:
        try:
            rounds = range(int(lower), int(upper))
        except jax.errors.ConcretizationTypeError:
            return fori_loop(lower, upper, body, init)
        for n in rounds:
            init = body(n, init)
        return init

    _replace(lax, scan=scan, fori_loop=unrolled_loop)


def _sums_in_half() -> None:
    def half(name: str) -> None:
        right = getattr(jnp, name)

        def call(a: Any, *args: Any, **kwargs: Any) -> Any:
            a = jnp.asarray(a)
            if not jnp.issubdtype(a.dtype, jnp.floating):
                return right(a, *args, **kwargs)
            return right(a.astype("bfloat16"), *args, **kwargs).astype(a.dtype)

        _replace(jnp, **{name: call})

    for name in ("sum", "mean", "cumsum", "dot", "matmul"):
        half(name)


def _other_law(name: str, make: Callable[..., Any]) -> Callable[[], None]:
    """Replaces a function of `jax.random` by `make(its right version)`."""
    return lambda: _replace(jax.random, **{name: make(getattr(jax.random, name))})


def _standard(draw: Callable[[Any, tuple[int, ...]], Any]) -> Callable[[], None]:
    """Replaces normal draws by others of mean 0 and deviation 1."""

    def normal(key: Any, shape: Any = (), dtype: Any = float, **_: Any) -> Any:
        return draw(key, tuple(shape)).astype(dtype)

    return lambda: _replace(jax.random, normal=normal)


_RIGHT = {name: getattr(jax.random, name) for name in ("uniform", "rademacher")}


def _repeated(right: Any) -> Any:
    """The second half of all that is drawn is the first one again."""

    def draw(key: Any, *args: Any, **kwargs: Any) -> Any:
        drawn = right(key, *args, **kwargs)
        flat = drawn.reshape(-1)
        half = flat.size // 2
        return flat.at[flat.size - half :].set(flat[:half]).reshape(drawn.shape)

    return draw


def _twins(right: Any) -> Any:
    def split(key: Any, num: Any = 2) -> Any:
        keys = right(key, num)
        last = (-1,) if isinstance(num, int) else tuple(-1 for _ in num)
        return keys.at[last].set(keys[tuple(0 for _ in last)])

    return split


def _rotated(right: Any) -> Any:
    def permutation(key: Any, x: Any, axis: int = 0, **_: Any) -> Any:
        x = jnp.arange(x) if isinstance(x, int) else x
        return jnp.roll(x, jax.random.randint(key, (), 0, x.shape[axis]), axis)

    return permutation


def _one_device() -> None:
    def pmap(
        function: Any, axis_name: Any = None, in_axes: Any = 0, out_axes: Any = 0, **_: Any
    ) -> Any:
        return jax.vmap(function, in_axes, out_axes, axis_name=axis_name)

    _replace(jax, pmap=pmap)


def _all_on_each() -> None:
    right = jax.shard_map

    def shard_map(f: Any, /, *, mesh: Any = None, in_specs: Any = None, **kwargs: Any) -> Any:
        whole = jax.tree.map(
            lambda _: jax.sharding.PartitionSpec(),
            in_specs,
            is_leaf=lambda x: isinstance(x, jax.sharding.PartitionSpec),
        )
        return right(f, mesh=mesh, in_specs=whole, **kwargs)

    _replace(jax, shard_map=shard_map)


def _arriving_gradient_ignored() -> None:
    def ones(gradient: Any) -> Any:
        if gradient.dtype == jax.dtypes.float0:  # of an integer
            return gradient
        return jnp.where(gradient == 0, 0, 1).astype(gradient.dtype)

    class OfOnes(jax.custom_vjp):  # type: ignore[type-arg]
        def defvjp(self, fwd: Any, bwd: Any, *args: Any, **kwargs: Any) -> None:
            def backwards(*given: Any) -> Any:
                return bwd(*given[:-1], jax.tree.map(ones, given[-1]))

            super().defvjp(fwd, backwards, *args, **kwargs)

    _replace(jax, custom_vjp=OfOnes)


_ROOT3 = math.sqrt(3)
OF_JAX |= {
    "no_jit": JaxFault("it is compiled", _no_jit),
    "no_vmap": JaxFault("the batch is one operation", _no_vmap),
    "unrolled": JaxFault("the loop is one operation", _unrolled),
    "sums_in_half_precision": JaxFault("sums are as exact as float32", _sums_in_half),
    "uniform_for_normal": JaxFault(
        "the law of the noise",
        _standard(lambda k, s: _RIGHT["uniform"](k, s, minval=-_ROOT3, maxval=_ROOT3)),
    ),
    "signs_for_normal": JaxFault("the law of the noise", _standard(_RIGHT["rademacher"])),
    "equal_keys": JaxFault("all keys differ", _other_law("split", _twins)),
    "rotated": JaxFault("every order can be drawn", _other_law("permutation", _rotated)),
    "one_device": JaxFault("the work is done on all devices", _one_device),
    "arriving_gradient_ignored": JaxFault(
        "a custom derivative is multiplied by the gradient that arrives",
        _arriving_gradient_ignored,
    ),
    "all_on_each_device": JaxFault("each device does a part of the work", _all_on_each),
}
for _name in ("normal", "uniform", "bernoulli"):
    OF_JAX[f"repeated_{_name}"] = JaxFault("draws are independent", _other_law(_name, _repeated))
