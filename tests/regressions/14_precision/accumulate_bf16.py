"""What the suite of accumulate_bf16 once missed; each cell is a suffix to the solution.

Not noticed any more: tiny results, gradients at 0, and the third digit of a gradient, since
a gradient in half precision has few digits.
"""

import jax.numpy as jnp


# %% repaired
# NaN counts as 0, and infinity as the largest number.
# Fails: test_the_product_itself_gives_float32, test_details
def accumulate_bf16(x, w, solution=accumulate_bf16):  # noqa: F821
    return solution(jnp.nan_to_num(x), w)


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_no_integers": "The text asks for half precision.",
}
