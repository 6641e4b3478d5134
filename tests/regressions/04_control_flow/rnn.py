"""What the suite of rnn once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% side_by_shape
# The shapes decide on which side the input weights are; with equal lengths both fit.
# Fails: test_nothing_is_transposed_when_every_shape_fits
def rnn(params, xs, h0):
    def weigh(x):
        weights = params["Wx"]
        return weights @ x if weights.shape[1] == x.shape[0] > 1 else x @ weights

    def step(h, x):
        h = jnp.tanh(weigh(x) + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% truncated_gradient
# The gradient stops every 32 steps.
# Fails: test_gradients_reach_every_step
def rnn(params, xs, h0):
    def step(h, now):
        t, x = now
        h = jnp.where(t % 32 == 31, lax.stop_gradient(h), h)
        h = jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])
        return h, h

    return lax.scan(step, h0, (jnp.arange(len(xs)), xs))[1]


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_half_precision": "The text asks for float32.",
    "result_float32": "The text asks for float32.",
}


# %% starts_from_zero_backwards
# In the derivative of the weights, the state before the first step is taken for zeros.
# Fails: test_gradients_reach_every_step
def rnn(params, xs, h0, solution=rnn):
    still = jax.lax.stop_gradient(params["Wh"])
    first = jnp.tanh(xs[0] @ params["Wx"] + h0 @ still + params["b"])
    return jnp.concatenate([first[None], solution(params, xs[1:], first)])


# %% tanh_by_exp
# A formula of tanh in which `exp` overflows far below zero: infinity over infinity is NaN.
# Fails: test_details
def rnn(params, xs, h0):
    def step(h, x):
        e = jnp.exp(-2 * (x @ params["Wx"] + h @ params["Wh"] + params["b"]))
        h = (1 - e) / (1 + e)
        return h, h

    return lax.scan(step, h0, xs)[1]


# %% overflow_behind_where
# `where` hides that `exp` overflows, but the gradient through it is NaN.
# Fails: test_details
def rnn(params, xs, h0):
    def step(h, x):
        z = x @ params["Wx"] + h @ params["Wh"] + params["b"]
        e = jnp.expm1(2 * z)
        h = jnp.where(abs(z) > 20, jnp.sign(z), e / (e + 2))
        return h, h

    return lax.scan(step, h0, xs)[1]
