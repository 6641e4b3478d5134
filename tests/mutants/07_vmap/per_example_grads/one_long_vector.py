"""The gradients of all leaves in one vector per example: the structure is lost.

Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
test_a_batch_of_one_stays_a_batch, test_any_tree_and_any_loss, test_the_program_does_not_grow,
test_it_is_fast
"""

import jax
from jax.flatten_util import ravel_pytree


def per_example_grads(loss, params, X, Y):
    def gradient(x, y):
        return ravel_pytree(jax.grad(loss)(params, x, y))[0]

    return jax.vmap(gradient)(X, Y)
