"""What the suite of tiled_matmul once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def product(x_ref, w_ref):
    return jnp.dot(x_ref[...], w_ref[...], preferred_element_type=jnp.float32)


# %% whole_product_in_each_round
# Each point of the grid multiplies whole rows and columns, and the last round counts.
# Fails: test_the_grid_has_a_point_for_each_product, test_each_round_multiplies_two_blocks
def tiled_matmul(x, w, block):
    (m, k), n, (rows, inner, columns) = x.shape, w.shape[1], block

    def kernel(x_ref, w_ref, out_ref):
        out_ref[...] = product(x_ref, w_ref)

    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct((m, n), jnp.float32),
        grid=(m // rows, n // columns, k // inner),
        in_specs=[
            pl.BlockSpec((rows, k), lambda i, j, s: (i, 0)),
            pl.BlockSpec((k, columns), lambda i, j, s: (0, j)),
        ],
        out_specs=pl.BlockSpec((rows, columns), lambda i, j, s: (i, j)),
        interpret=True,
    )(x, w)


# %% first_of_a_batch
# Under `vmap` all examples get the second matrix of the first one.
# Fails: test_details
def tiled_matmul(x, w, block, solution=tiled_matmul):
    @jax.custom_batching.custom_vmap
    def multiply(x, w):
        return solution(x, w, block)

    @multiply.def_vmap
    def of_a_batch(size, batched, xs, ws):
        w = ws[0] if batched[1] else ws
        return jnp.stack([solution(x, w, block) for x in xs]), True

    return multiply(x, w)


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_no_integers": "The text asks for floats.",
    "argument_never_empty": "The text asks for at least one row and one column.",
}
