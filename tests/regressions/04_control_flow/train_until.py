"""What the suite of train_until once missed; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax


# %% size_of_the_loss
# The size of the loss is compared, but a loss below zero is small, too.
# Fails: test_details
def train_until(step, params, tol, most):
    def train(state):
        params, _, steps = state
        return *step(params), steps + 1

    return lax.while_loop(
        lambda state: (abs(state[1]) > tol) & (state[2] < most),
        train,
        (params, jnp.float32(jnp.inf), jnp.int32(0)),
    )


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "Step = Callable[[Any], tuple[Any, jax.Array]] -> Step = Callable[[Any], tuple[jax.Array, Any]]": "An annotation computes nothing.",
}
