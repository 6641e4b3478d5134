"""Train a model in which two names mean one variable.

Flax NNX vs JAX transformations:
https://flax.readthedocs.io/en/stable/guides/jax_and_nnx_transforms.html
"""

from collections.abc import Callable

import jax
from flax import nnx


def make_step(
    loss: Callable[[nnx.Module, jax.Array], jax.Array], rate: float | jax.Array
) -> Callable[[nnx.Module, jax.Array], jax.Array]:
    """Return a compiled function that takes a step of gradient descent in a given model.

    In many language models the embedding and the last layer use one table: `self.out = self.embed`.
    These are two names of one variable. Its gradient is the sum over both uses, and after a step
    both names have the new value. In a tree of JAX, each name has a leaf of its own. So if
    `jax.jit`, `jax.grad` or `jax.tree.map` gets a module, it makes a copy with two variables. What
    a function writes into a copy is lost. `nnx.split` finds each variable once, and `nnx.merge`
    gives it all of its names. `nnx.jit` and `nnx.value_and_grad` do this around each call, and
    write the changes into the model that they were given.

    Args:
        loss: a function of a module and of `x`, made of JAX operations. It returns a scalar.
        rate: a scalar float32.

    Returns:
        `step(model, x)` returns the loss before the step, for any module. It changes `model`
        itself. Each variable p of type `nnx.Param` becomes p - rate * (the gradient of the loss in
        p). A variable that has several names gets the sum of the gradients of all names, and it
        stays one variable. Other objects that hold this variable see its new value. `step` is
        compiled: while `x` has the same shape, only the first calls of `step` call `loss`.

    Examples:
        >>> import jax.numpy as jnp
        >>> class Product(nnx.Module):
        ...     def __init__(self, w):
        ...         self.first = nnx.Param(jnp.float32(w))
        ...         self.second = self.first
        ...     def __call__(self, x):
        ...         return self.first * self.second * x
        >>> step = make_step(lambda model, x: model(x).sum(), 0.125)

        The loss is 3 w w, so the gradient in w is 6 w:

        >>> model, x = Product(2.0), jnp.array([1.0, 2.0])
        >>> step(model, x).tolist()
        12.0
        >>> [model.first[...].tolist(), model.second[...].tolist()]
        [0.5, 0.5]

        The second step goes on from there:

        >>> step(model, x).tolist(), model.first[...].tolist()
        (0.75, 0.125)

    Details:
        The loss may change variables of other types, such as a counter of integers. After a step
        they have the values that one call of the loss gives them.
    """
    # TODO: compile a step which keeps what is shared.
    raise NotImplementedError
