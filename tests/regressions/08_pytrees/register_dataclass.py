"""What the suite of register_dataclass once missed; each cell is a suffix to the solution.

Not noticed any more: numbers that are tiny, huge, NaN or infinite, more than 1024 rows or
elements, more than 64 rows with a gradient, and gradients at 0, since the text names no limit.
"""

from dataclasses import dataclass, field

import jax
import jax.numpy as jnp


# %% converted_number
# `__post_init__` makes an array of a number, so the layer has another scale than the one given.
# Fails: test_details
@jax.tree_util.register_dataclass
@dataclass
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int = field(metadata={"static": True})

    __call__ = Maxout.__call__  # noqa: F821

    def __post_init__(self):
        if isinstance(self.scale, float):
            self.scale = jnp.float32(self.scale)


# %% equal_pieces
# All numbers of pieces count as equal, so a jitted function keeps those of the first layer.
# Fails: test_other_pieces_are_another_program
class Anything(int):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0


@jax.tree_util.register_pytree_node_class
@dataclass
class Maxout:
    w: jax.Array
    scale: float | jax.Array
    pieces: int

    __call__ = Maxout.__call__

    def tree_flatten(self):
        return (self.w, self.scale), Anything(self.pieces)

    @classmethod
    def tree_unflatten(cls, pieces, children):
        return cls(*children, int(pieces))


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "argument_never_empty": "A layer has weights, and a batch has a row at least.",
}
