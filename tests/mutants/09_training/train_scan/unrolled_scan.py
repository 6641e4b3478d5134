"""A scan with `unroll=True`: the loop is gone, and the program holds n copies of the step.

Fails: test_the_program_does_not_grow
"""

from jax import lax


def train_scan(step, params, n):
    return lax.scan(lambda carry, _: step(carry), params, length=n, unroll=True)
