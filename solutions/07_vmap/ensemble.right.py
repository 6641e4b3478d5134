"""Other right answers to ensemble; each cell is a suffix to the solution."""

import dataclasses

import jax
import jax.numpy as jnp
from jax import lax


# %% batched_model
# A model for a whole batch, mapped once over the stacked parameters.
def ensemble(params, X):
    def on_batch(w, b):
        return jnp.dot(X, w) + b

    return jax.vmap(on_batch)(params["w"], params["b"])


# %% einsum
# Named axes, and the biases in a column, under `jit`.
@jax.jit
def ensemble(params, X):
    return jnp.einsum("md,nd->mn", params["w"], X) + params["b"][:, jnp.newaxis]


# %% models_inside
# The inner map is over models, the outer one over inputs, whose axis is put last.
def ensemble(params, X):
    of_all_models = jax.vmap(lambda w, b, x: (w * x).sum() + b, in_axes=(0, 0, None))
    return jax.vmap(of_all_models, in_axes=(None, None, 0), out_axes=1)(params["w"], params["b"], X)


# %% ones_column
# The bias is one more weight, for an input that is always one.
def ensemble(params, X):
    weights = jnp.column_stack([params["w"], params["b"]])
    inputs = jnp.column_stack([X, jnp.ones(len(X), X.dtype)])
    return weights @ inputs.T


# %% scan
# A compiled loop over the models, each of which is a tree of slices.
def ensemble(params, X):
    def next_model(carry, model):
        return carry, X @ model["w"] + model["b"]

    return lax.scan(next_model, None, params)[1]


# %% bound_method
# A stacked model object, whose call on all inputs is mapped over the models.
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Model:
    w: jax.Array
    b: jax.Array

    def __call__(self, x):
        return jnp.vecdot(x, self.w) + self.b


def ensemble(params, X):
    return jax.vmap(Model.__call__, in_axes=(0, None))(Model(**params), X)


# %% dict_of_axes
# The inner map is over inputs, and each axis is named in a dict.
def ensemble(params, X):
    def predict(model, x):
        return model["w"].dot(x) + model["b"]

    on_inputs = jax.vmap(predict, in_axes=({"w": None, "b": None}, 0))
    return jax.vmap(on_inputs, in_axes=({"w": 0, "b": 0}, None))(params, X)


# %% signature
# `jnp.vectorize` with a signature, and an axis of models before that of inputs.
def ensemble(params, X):
    predict = jnp.vectorize(lambda w, b, x: jnp.inner(w, x) + b, signature="(d),(),(d)->()")
    return predict(params["w"][:, None], params["b"][:, None], X)


# %% tensordot
# A product that contracts the features, with the biases as its start.
def ensemble(params, X):
    w, b = (params[name] for name in "wb")
    start = jnp.repeat(b[:, None], len(X), axis=1)
    return jnp.add(start, jnp.tensordot(w, X, axes=[[1], [1]]))
