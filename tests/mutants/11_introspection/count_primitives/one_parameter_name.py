"""The inner program is taken from the parameter "jaxpr", and other primitives name it otherwise.

Fails: test_every_branch_counts, test_every_kind_of_inner_program_is_found,
test_nesting_may_be_deep
"""


def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        if "jaxpr" in eqn.params:
            yield from equations(eqn.params["jaxpr"])
