"""What holds a program isn't counted itself.

Fails: test_jitted_functions_are_looked_into, test_a_loop_counts_its_body_once,
test_every_branch_counts, test_every_kind_of_inner_program_is_found, test_nesting_may_be_deep
"""


def equations(jaxpr):
    for eqn in jaxpr.eqns:
        held = [
            inner
            for value in eqn.params.values()
            for inner in (value if isinstance(value, tuple) else [value])
            if hasattr(inner, "eqns")
        ]
        for inner in held:
            yield from equations(inner)
        if not held:
            yield eqn
