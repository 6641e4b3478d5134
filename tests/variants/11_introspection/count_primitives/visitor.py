"""A class that visits, with the programs known by their classes in `jax.extend`."""

from collections import defaultdict

import jax
from jax.extend import core


class Counts(defaultdict):
    def __init__(self):
        super().__init__(int)

    def visit(self, value):
        # Two classes in one version of JAX are one in the next; both have equations.
        if isinstance(value, (core.Jaxpr, core.ClosedJaxpr)):
            for eqn in value.eqns:
                self[str(eqn.primitive)] += 1
                self.visit(list(eqn.params.values()))
        elif isinstance(value, list | tuple):
            for part in value:
                self.visit(part)


def count_primitives(f, *args):
    counts = Counts()
    counts.visit(jax.make_jaxpr(f)(*args))
    return dict(counts)
