"""Only one axis is added up, so a matrix gives a vector.

Fails: test_the_value_is_the_sum, test_the_gradient_has_its_closed_form
"""

import jax
import jax.numpy as jnp


def sum_logistic(x):
    return jnp.atleast_1d(jax.nn.sigmoid(x)).sum(axis=-1)
