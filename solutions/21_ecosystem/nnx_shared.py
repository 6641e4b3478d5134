"""Reference solution: tools of NNX, which keep what is shared."""

from collections.abc import Callable

import jax
from flax import nnx


def make_step(
    loss: Callable[[nnx.Module, jax.Array], jax.Array], rate: float | jax.Array
) -> Callable[[nnx.Module, jax.Array], jax.Array]:
    """Compile once; each call writes into the model that it gets."""

    @nnx.jit
    def step(model, x):
        value, slopes = nnx.value_and_grad(loss)(model, x)
        params = nnx.state(model, nnx.Param)
        params = jax.tree.map(lambda p, slope: p - rate * slope, params, slopes)
        nnx.update(model, params)
        return value

    return step
