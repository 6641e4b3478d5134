"""Only the equations at the top are counted.

Fails: test_jitted_functions_are_looked_into, test_a_loop_counts_its_body_once,
test_every_branch_counts, test_every_kind_of_inner_program_is_found, test_nesting_may_be_deep
"""

from collections import Counter

import jax


def count_primitives(f, *args):
    return dict(Counter(eqn.primitive.name for eqn in jax.make_jaxpr(f)(*args).eqns))
