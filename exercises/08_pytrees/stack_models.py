"""Run a list of models as one.

https://docs.jax.dev/en/latest/_autosummary/jax.tree.map.html
"""

from collections.abc import Callable, Sequence
from typing import Any


def run_models(f: Callable[[Any, Any], Any], models: Sequence[Any], x: Any) -> list[Any]:
    """Return `[f(model, x) for model in models]`, with one copy of `f` in the program.

    A Python loop over a list of models would trace `f` once for each, and compile as many copies.
    `jax.vmap` traces it once, but it takes one tree whose arrays have one more axis in front: the
    model axis. So turn the list of trees into one tree, run `f` on all models at once, and split
    the result again. `jax.tree.map` takes any number of trees, and passes its function those leaves
    that are in the same place.

    Args:
        f: a function of a model and of `x`, made of JAX operations. It returns a tree of arrays.
        models: a list or tuple of M trees of the same structure, M at least 1. Their leaves are
            arrays, possibly without elements. Those in the same place have the same shape and
            dtype. None has no leaves.
        x: a tree of arrays. All models get the same one.

    Returns:
        A list of M trees, one for each model, in the order of the models. Each is what `f` returns
        for its model, with the same structure, shapes and dtypes. However many models there are,
        the program contains the operations of `f` once, and so does that of a gradient. Works under
        `jit` and `grad`.

    Examples:
        >>> import jax.numpy as jnp
        >>> models = [
        ...     {"w": jnp.array([1.0, 2.0]), "steps": jnp.int32(5), "frozen": None},
        ...     {"w": jnp.array([3.0, 4.0]), "steps": jnp.int32(6), "frozen": None},
        ... ]
        >>> def step(model, x):
        ...     return {"w": model["w"] - x, "steps": model["steps"] + 1, "frozen": None}
        >>> first, second = run_models(step, models, jnp.array([1.0, 0.5]))
        >>> first["w"].tolist(), second["w"].tolist()
        ([0.0, 1.5], [2.0, 3.5])
        >>> second["steps"].dtype.name, int(second["steps"]), second["frozen"]
        ('int32', 7, None)

        One sine in `f` is one sine in the program, even with eight models:

        >>> def wave(model, x):
        ...     return jnp.sin(model * x)
        >>> import jax
        >>> program = jax.make_jaxpr(lambda models: run_models(wave, models, 2.0))
        >>> str(program([jnp.ones(3)] * 8)).count(" sin ")
        1

    Details:
        The order of the keys in a dict isn't part of the structure.
    """
    # TODO: stack the models, run them at once, and split the result.
    raise NotImplementedError
