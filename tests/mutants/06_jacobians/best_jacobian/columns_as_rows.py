"""One pass per unit vector, stacked along the first axis: forward mode comes out transposed.

Fails: test_every_derivative_is_there, test_few_inputs_are_pushed_forward,
test_one_function_serves_every_point, test_it_is_fast
"""

import jax
import jax.numpy as jnp


def best_jacobian(f, n_in, n_out):
    if n_in >= n_out:
        return jax.jacrev(f)

    def jacobian(x):
        column = jax.vmap(lambda e: jax.jvp(f, (x,), (e,))[1])
        return column(jnp.eye(n_in))

    return jacobian
