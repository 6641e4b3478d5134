"""Which primitives there are, and not how many.

Fails: test_each_operation_is_counted, test_jitted_functions_are_looked_into,
test_every_branch_counts, test_nesting_may_be_deep
"""

import jax


def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    yield from equations(inner)


def count_primitives(f, *args):
    return {eqn.primitive.name: 1 for eqn in equations(jax.make_jaxpr(f)(*args))}
