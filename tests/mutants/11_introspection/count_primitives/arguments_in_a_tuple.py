"""The star is forgotten, so the function is traced with one tuple.

Fails: test_each_operation_is_counted, test_any_arguments_will_do,
test_jitted_functions_are_looked_into, test_a_loop_counts_its_body_once,
test_every_branch_counts, test_every_kind_of_inner_program_is_found, test_nesting_may_be_deep
"""

from collections import Counter

import jax


def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    yield from equations(inner)


def count_primitives(f, *args):
    return dict(Counter(eqn.primitive.name for eqn in equations(jax.make_jaxpr(f)(args))))
