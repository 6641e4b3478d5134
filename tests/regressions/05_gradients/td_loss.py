"""What the suite of td_loss once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% arriving_gradient_ignored
# A custom rule takes the loss for the last step, and forgets the gradient that arrives.
# Fails: test_nothing_flows_through_the_target
@jax.custom_vjp
def loss(w, s, target):
    return (target - w @ s) ** 2


def backward(kept, _):
    w, s, error = kept
    return -2 * error * s, -2 * error * w, jnp.zeros_like(error)


loss.defvjp(lambda w, s, target: (loss(w, s, target), (w, s, target - w @ s)), backward)


def td_loss(w, s, r, s2, gamma):
    return loss(w, s, r + gamma * (w @ s2))


# %% cleaned_target
# A target that is NaN counts as 0.
# Fails: test_details
def td_loss(w, s, r, s2, gamma):
    target = jnp.nan_to_num(r + gamma * (w @ s2))
    return (lax.stop_gradient(target) - w @ s) ** 2


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "target = lax.stop_gradient(r + gamma * (w @ s2)) -> target = lax.stop_gradient(r + gamma * (s2 @ w))": "The product of two vectors commutes.",
}


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_float32": "The text asks for arguments and a result in float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_no_integers": "The text asks for float32.",
}
