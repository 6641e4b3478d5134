"""The body of a scan is counted once per round.

Fails: test_a_loop_counts_its_body_once, test_nesting_may_be_deep
"""


def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                if hasattr(inner, "eqns"):
                    for _ in range(eqn.params.get("length", 1)):
                        yield from equations(inner)
