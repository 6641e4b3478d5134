"""Other right answers to register_dataclass; each cell is a suffix to the solution."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


# %% names_of_fields
# The fields are named after the class is made.
@dataclass(frozen=True)
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int

    def __call__(self, x):
        products = jnp.dot(x, self.w)
        best = lax.reduce_window(
            products,
            -jnp.inf,
            lax.max,
            (1,) * (products.ndim - 1) + (self.pieces,),
            (1,) * (products.ndim - 1) + (self.pieces,),
            "VALID",
        )
        return best * self.scale


jax.tree_util.register_dataclass(Maxout, data_fields=["w", "scale"], meta_fields=["pieces"])


# %% two_methods
# `tree_flatten` and `tree_unflatten` by hand.
@jax.tree_util.register_pytree_node_class
@dataclass(eq=False)
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int

    def __call__(self, x):
        products = x @ self.w
        parts = [products[..., k :: self.pieces] for k in range(self.pieces)]
        return self.scale * jnp.max(jnp.stack(parts), axis=0)

    def tree_flatten(self):
        return (self.scale, self.w), self.pieces

    @classmethod
    def tree_unflatten(cls, pieces, children):
        scale, w = children
        return cls(w, scale, pieces)


# %% partial_decorator
# The decorator gets the names, and the class has slots.
@partial(jax.tree_util.register_dataclass, data_fields=("scale", "w"), meta_fields=("pieces",))
@dataclass(slots=True, unsafe_hash=True)
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int

    def __call__(self, x):
        cut = jnp.split(x @ self.w, self.w.shape[-1] // self.pieces, axis=-1)
        return jnp.stack([self.scale * jnp.max(part, axis=-1) for part in cut], axis=-1)


# %% with_keys
# The class is registered with names for its children.
@jax.tree_util.register_pytree_with_keys_class
@dataclass
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int

    def __call__(self, x):
        products = x @ self.w
        return self.scale * jnp.reshape(products, (*x.shape[:-1], -1, self.pieces)).max(-1)

    def tree_flatten_with_keys(self):
        key = jax.tree_util.GetAttrKey
        return ((key("w"), self.w), (key("scale"), self.scale)), (self.pieces,)

    @classmethod
    def tree_unflatten(cls, aux, children):
        self = object.__new__(cls)
        self.w, self.scale = children
        (self.pieces,) = aux
        return self
