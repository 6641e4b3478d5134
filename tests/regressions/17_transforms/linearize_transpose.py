"""What the suite of linearize_transpose once missed; each cell is a suffix to the solution.

Not noticed any more: leaves of several dtypes in one tree.
"""

import jax
import jax.numpy as jnp


# %% all_float32
# Everything is float32, also where x has half precision.
# Fails: test_details
def gram_operator(f, x, solution=gram_operator):  # noqa: F821
    def wide(tree):
        return jax.tree.map(lambda part: jnp.asarray(part, jnp.float32), tree)

    product = solution(f, wide(x))
    return lambda v: product(wide(v))


# %% tuple_of_arguments
# A tuple is taken for several arguments of the function.
# Fails: test_trees_go_in_and_out
def gram_operator(f, x, solution=gram_operator):
    if not isinstance(x, tuple):
        return solution(f, x)
    _, forward = jax.linearize(f, *x)
    backward = jax.linear_transpose(forward, *x)
    return lambda v: backward(forward(*v))


# %% no_scalar
# A scalar becomes an array of one element.
# Fails: test_details
def gram_operator(f, x, solution=gram_operator):
    if not isinstance(x, jax.Array):
        return solution(f, x)
    product = solution(f, jnp.atleast_1d(x))
    return lambda v: product(jnp.atleast_1d(v))
