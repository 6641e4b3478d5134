"""Other right answers to count_primitives; each cell is a suffix to the solution."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain

import jax
from jax.extend import core
from jax.extend.core import jaxprs_in_params


# %% library_walk
# JAX's own function finds the inner programs; the counts are merged from the bottom up.
def count(jaxpr):
    total = Counter(eqn.primitive.name for eqn in jaxpr.eqns)
    for eqn in jaxpr.eqns:
        for inner in jaxprs_in_params(eqn.params):
            total += count(inner)
    return total


def count_primitives(f, *args):
    return count(jax.make_jaxpr(f)(*args).jaxpr)


# %% visitor
# A visitor class, which knows programs by their classes in `jax.extend`.
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


# %% work_list
# A list of programs still to visit instead of recursion, and the trace of `jit`.
def count_primitives(f, *args):
    waiting, counts = [jax.jit(f).trace(*args).jaxpr], {}
    while waiting:
        for eqn in waiting.pop().eqns:
            name = eqn.primitive.name
            counts[name] = counts.get(name, 0) + 1
            leaves = jax.tree.leaves(eqn.params, is_leaf=lambda leaf: hasattr(leaf, "eqns"))
            waiting += [leaf for leaf in leaves if hasattr(leaf, "eqns")]
    return counts


# %% generator
# A generator of names, which goes through anything that has equations or elements.
def names(value):
    if hasattr(value, "eqns"):
        for eqn in value.eqns:
            yield eqn.primitive.name
            yield from names(eqn.params)
    elif isinstance(value, Mapping):
        yield from names(value.values())
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes | jax.Array):
        yield from chain.from_iterable(map(names, value))


def count_primitives(f, *args):
    return dict(Counter(names(jax.make_jaxpr(f)(*args))))


# %% levels
# One level of nesting after the other, each of which is a list of equations.
def inner(eqn):
    programs = jax.tree.leaves(dict(eqn.params), is_leaf=lambda leaf: hasattr(leaf, "eqns"))
    return [e for program in programs for e in getattr(program, "eqns", [])]


def count_primitives(f, *args):
    level, counts = list(jax.make_jaxpr(f)(*args).eqns), Counter()
    while level:
        counts.update(eqn.primitive.name for eqn in level)
        level = [eqn for outer in level for eqn in inner(outer)]
    return counts
