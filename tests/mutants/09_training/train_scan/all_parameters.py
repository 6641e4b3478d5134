"""The parameters of every round are collected and returned, not the last ones.

Fails: test_it_equals_the_loop, test_any_tree_is_carried, test_the_program_does_not_grow,
test_it_survives_jit, test_it_is_fast
"""

from jax import lax


def train_scan(step, params, n):
    def body(params, _):
        params, loss = step(params)
        return params, (params, loss)

    return lax.scan(body, params, length=n)[1]
