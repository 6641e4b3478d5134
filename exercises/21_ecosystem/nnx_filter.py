"""Train a part of a Flax model, and keep what its calls change.

Flax, Filters: https://flax.readthedocs.io/en/stable/guides/filters_guide.html
"""

from collections.abc import Callable
from typing import Any

import jax
from flax import nnx


def train_step(
    model: nnx.Module,
    loss: Callable[[nnx.Module, jax.Array], jax.Array],
    x: jax.Array,
    trained: Any,
    rate: float | jax.Array,
) -> jax.Array:
    """Take one step of gradient descent, in the parameters that a filter selects.

    A gradient changes parameters of a model, in fine-tuning only some of them. A call changes other
    variables: running statistics (`nnx.BatchStat`), or a counter. A filter of NNX selects
    variables. `nnx.Param` selects by type, and `nnx.PathContains("head")` by name, whatever the
    type is. `nnx.All(a, b)` selects what both filters select. `nnx.split(model, filter, ...)`
    returns the structure, the state that the filter selects, and the state of the rest.
    `nnx.merge(structure, *states, copy=True)` makes a model with new variables of them. Inside a
    gradient, you can't write the old ones. `nnx.update(model, state)` writes a state into a model.

    Args:
        model: a module. Its parameters are the variables of type `nnx.Param`, or of a class that is
            derived from it. They are float32. Its other variables may be floats or integers.
        loss: a function of a module and of `x`. It returns a scalar. It calls the module, and a
            call may change variables that are no parameters.
        x: an array.
        trained: any filter of NNX, such as a type, a function of a path and a variable, or a tuple
            of filters, which selects what one of them selects.
        rate: a scalar float32.

    Returns:
        The loss before the step, a scalar. The step changes `model` itself. Each parameter p that
        `trained` selects becomes p - rate * (the gradient of the loss in p). The other parameters
        stay as they are. All variables that are no parameters get the values that one call of
        `loss(model, x)` gives them, even if `trained` selects them.

    Examples:
        >>> import jax.numpy as jnp
        >>> class Line(nnx.Module):
        ...     def __init__(self):
        ...         self.slope = nnx.Param(jnp.float32(2.0))
        ...         self.start = nnx.Param(jnp.float32(1.0))
        ...         self.calls = nnx.Variable(jnp.int32(0))
        ...     def __call__(self, x):
        ...         self.calls[...] += 1
        ...         return self.slope * x + self.start
        >>> def loss(model, x):
        ...     return model(x).sum()
        >>> line, x = Line(), jnp.array([1.0, 3.0])
        >>> train_step(line, loss, x, nnx.PathContains("slope"), 0.5).tolist()
        10.0
        >>> [v[...].tolist() for v in (line.slope, line.start, line.calls)]
        [0.0, 1.0, 1]

        The filter `...` selects all variables, and the counter is no parameter:

        >>> train_step(line, loss, x, ..., 0.5).tolist()
        2.0
        >>> [v[...].tolist() for v in (line.slope, line.start, line.calls)]
        [-2.0, 0.0, 2]

    Details:
        Works under `nnx.jit`.
    """
    # TODO: split the variables by a filter, differentiate in one state, and keep the other one.
    raise NotImplementedError
