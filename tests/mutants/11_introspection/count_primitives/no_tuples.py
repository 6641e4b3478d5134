"""Programs in tuples are overlooked, so branches count for nothing.

Fails: test_every_branch_counts, test_nesting_may_be_deep
"""


def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            if hasattr(value, "eqns"):
                yield from equations(value)
