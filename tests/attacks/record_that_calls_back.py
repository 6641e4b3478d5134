"""Returns records whose __array__ is a function of its own, called each time the judge looks (N01).

Exercise: 02_random/init_mlp
Outcome: crashed | failed | raised
"""

import jax
import jax.numpy as jnp

from grader.engine import wire
from grader.engine.worker import student

honest = wire.encode


def encode(seq, kind, value):
    if isinstance(value, list) and value and isinstance(value[0], dict):
        layers = [dict(layer) for layer in value]
        for layer in layers:
            lie = wire.Named("Weights", ("__array__", "ndim"), (layer["call"], 2))
            layer["weights"] = lie
            del layer["call"]
        value = layers
    return honest(seq, kind, value)


wire.encode = student.wire.encode = encode


def init_mlp(key, sizes):
    def later(*args, **kwargs):
        return jax.random.normal(key, sizes[:2])

    return [{"call": later, "biases": jnp.ones(n)} for n in sizes[1:]]
