"""The outer product of the gradient with itself, which is another matrix.

Fails: test_mixed_derivatives_are_there, test_the_shape_comes_twice,
test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept, test_it_survives_jit
"""

import jax
import jax.numpy as jnp


def hessian(f):
    def second(x):
        gradient = jax.grad(f)(x)
        return jnp.tensordot(gradient, gradient, axes=0)

    return second
