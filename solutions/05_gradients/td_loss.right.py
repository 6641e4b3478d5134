"""Other right answers to td_loss; each cell is a suffix to the solution."""

import dataclasses

import jax
import jax.numpy as jnp
from jax import lax
from jax.lax import stop_gradient


# %% both_states_at_once
# One product for both states; two subtractions leave only the constant part of the target.
def td_loss(w, s, r, s2, gamma):
    before, after = jnp.stack([s, stop_gradient(s2)]) @ w
    target = r + gamma * after
    return (before - (target - (target - stop_gradient(target)))) ** 2


# %% custom_rule
# A custom rule for the gradient, which contains the guess only.
@jax.custom_vjp
def td_loss(w, s, r, s2, gamma):
    return (r + gamma * jnp.dot(w, s2) - jnp.dot(w, s)) ** 2


def forward(w, s, r, s2, gamma):
    error = r + gamma * jnp.dot(w, s2) - jnp.dot(w, s)
    return error**2, (w, s, s2, error)


def backward(saved, g):
    w, s, s2, error = saved
    nothing = jnp.zeros_like(error)
    return -2 * g * error * s, -2 * g * error * w, nothing, jnp.zeros_like(s2), nothing


td_loss.defvjp(forward, backward)


# %% fixed_inputs
# Each input of the target is fixed separately, in a function under `jit`.
@jax.jit
def bootstrap(w, r, s2, gamma):
    w, r, s2, gamma = jax.lax.stop_gradient((w, r, s2, gamma))
    return r + gamma * jnp.sum(w * s2)


def td_loss(w, s, r, s2, gamma):
    return jnp.square(jnp.sum(w * s) - bootstrap(w, r, s2, gamma))


# %% value_class
# A small class for the guess.
@dataclasses.dataclass
class Value:
    weights: jax.Array

    def __call__(self, state):
        return jnp.einsum("i,i->", self.weights, state)

    def frozen(self):
        return Value(jax.lax.stop_gradient(self.weights))


def td_loss(w, s, r, s2, gamma):
    target = jnp.add(r, jnp.multiply(gamma, Value(w).frozen()(s2)))
    return jnp.power(Value(w)(s) - jax.lax.stop_gradient(target), 2)


# %% bits
# The target goes through its bits as an integer, which has no derivative.
def td_loss(w, s, r, s2, gamma):
    target = jnp.float32(r) + gamma * (w @ s2)
    bits = lax.bitcast_convert_type(target, jnp.int32)
    return jnp.square(lax.bitcast_convert_type(bits, jnp.float32) - jnp.inner(w, s))


# %% frozen_decorator
# A decorator for functions that are constants, by a rule of forward mode.
def frozen(function):
    @jax.custom_jvp
    def wrapped(*args):
        return function(*args)

    @wrapped.defjvp
    def wrapped_jvp(primals, tangents):
        del tangents
        value = wrapped(*primals)
        return value, jnp.zeros_like(value)

    return wrapped


@frozen
def target(w, r, s2, gamma):
    return r + gamma * jnp.vdot(s2, w)


def td_loss(w, s, r, s2, gamma):
    return (jnp.tensordot(w, s, 1) - target(w, r, s2, gamma)) ** 2.0


# %% tangent_of_one_argument
# The loss as a function of the guess; the derivative of anything else is cut off at the entry.
def td_loss(w, s, *rest):
    guess = jnp.dot(s, w)
    (w, *rest) = map(lax.stop_gradient, (w, *rest))
    r, s2, gamma = rest
    errors = jnp.stack([guess, -(r + gamma * w.dot(s2))])
    return jnp.sum(errors) ** 2
