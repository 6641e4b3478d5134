"""The loss of one example is given the whole batch, and adds it up without a word.

Fails: test_each_row_is_the_gradient_of_one_example, test_as_many_examples_as_parameters,
test_a_batch_of_one_stays_a_batch, test_any_tree_and_any_loss, test_the_program_does_not_grow,
test_it_is_fast
"""

import jax


def per_example_grads(loss, params, X, Y):
    return jax.jacrev(loss)(params, X, Y)
