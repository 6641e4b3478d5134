"""`jax.nn.selu`, which has more digits in its two constants.

Fails: test_each_element_follows_its_formula, test_integers_give_floats, test_it_survives_jit,
test_it_survives_vmap, test_the_gradient_survives_large_numbers, test_the_program_does_not_grow
"""

import jax


def selu(x):
    return jax.nn.selu(x)
