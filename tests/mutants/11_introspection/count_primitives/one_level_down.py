"""Inner programs are looked into, but not theirs.

Fails: test_nesting_may_be_deep
"""


def equations(jaxpr):
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            for inner in value if isinstance(value, tuple) else [value]:
                yield from getattr(inner, "eqns", [])
