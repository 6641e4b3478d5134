"""Take a Flax model apart, and put it together again.

Flax, graph: https://flax.readthedocs.io/en/stable/api_reference/flax.nnx/graph.html
"""

from collections.abc import Callable
from typing import Any

import jax
from flax import nnx


def to_function(model: nnx.Module) -> tuple[Callable[[Any, jax.Array], jax.Array], Any]:
    """Return a model as a pure function and a tree of its arrays.

    A model of Flax NNX is an object. It holds its variables, and `model(x)` uses them. Much code
    around JAX wants a function f(params, x) and a tree of arrays: `jax.hessian`, a solver, an
    ensemble under `jax.vmap`, your own optimiser. `nnx.split(model)` returns two things. The first
    is the structure of the model, a `GraphDef`, which holds no arrays. The second is its state, a
    tree with the arrays of all variables. `nnx.merge(graphdef, state)` returns a model of this
    structure with the arrays of this state.

    Args:
        model: any module. Its variables may have any type, such as `nnx.Param` and
            `nnx.BatchStat`. `model(x)` takes an array and returns an array.

    Returns:
        (f, params): `params` is a tree for functions such as `jax.tree.map`, and its leaves are the
        arrays of all variables of `model`. `f(params, x)` returns what `model(x)` returns. With
        other arrays in `params`, it returns what the model would return with these arrays in its
        variables. Two models of the same structure give two trees of the same structure. `f` works
        under `jit`, `grad` and `vmap`, and leaves `model` as it is.

    Examples:
        >>> import jax.numpy as jnp
        >>> class Line(nnx.Module):
        ...     def __init__(self, slope, start):
        ...         self.slope = nnx.Param(jnp.float32(slope))
        ...         self.start = nnx.Param(jnp.float32(start))
        ...     def __call__(self, x):
        ...         return self.slope * x + self.start
        >>> line = Line(2.0, 1.0)
        >>> f, params = to_function(line)
        >>> f(params, jnp.array([0.0, 10.0])).tolist()
        [1.0, 21.0]

        The function with other arrays, and the model after that:

        >>> doubled = jax.tree.map(lambda leaf: 2 * leaf, params)
        >>> f(doubled, jnp.array([0.0, 10.0])).tolist()
        [2.0, 42.0]
        >>> line(jnp.array([0.0, 10.0])).tolist()
        [1.0, 21.0]

        The gradient, for the slope and for the start:

        >>> sorted(leaf.tolist() for leaf in jax.tree.leaves(jax.grad(f)(params, jnp.float32(5.0))))
        [1.0, 5.0]

    Details:
        A model may change its own variables in a call: it may count its calls, for example. Then a
        call of `f` changes neither `model` nor `params`, so a second call returns the same result.
        The variables that `nnx.merge` puts into the model are those of the state. With `copy=True`
        they are new ones.
    """
    # TODO: split the model, and merge it again inside of the function.
    raise NotImplementedError
