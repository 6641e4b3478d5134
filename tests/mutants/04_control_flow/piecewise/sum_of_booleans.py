"""The branch is picked by a sum of booleans, which is a boolean: the third one is never reached.

Fails: test_each_piece_has_its_formula, test_integers_are_numbers_too,
test_a_float_keeps_its_dtype, test_it_survives_jit, test_a_batch_can_be_computed,
test_each_piece_has_its_gradient, test_the_gradient_is_finite_at_zero
"""

import jax.numpy as jnp
from jax import lax


def piecewise(x):
    x = jnp.asarray(x) * 1.0
    index = ((x >= 0) + (x >= 1)).astype(int)
    return lax.switch(index, [jnp.square, lambda x: x, lambda x: 2 - 1 / x], x)
