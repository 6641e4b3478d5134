"""The inner programs by JAX's own function for it, merged from the bottom up."""

from collections import Counter

import jax
from jax.extend.core import jaxprs_in_params


def count(jaxpr):
    total = Counter(eqn.primitive.name for eqn in jaxpr.eqns)
    for eqn in jaxpr.eqns:
        for inner in jaxprs_in_params(eqn.params):
            total += count(inner)
    return total


def count_primitives(f, *args):
    return count(jax.make_jaxpr(f)(*args).jaxpr)
