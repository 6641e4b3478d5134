"""The second derivative of each input on its own: a diagonal, without anything mixed.

Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept, test_it_survives_jit
"""

import jax
import jax.numpy as jnp


def hessian(f):
    def second(x):
        gradient = jax.grad(f)
        return jnp.diag(jax.jvp(gradient, (x,), (jnp.ones_like(x),))[1])

    return second
