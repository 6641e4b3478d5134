"""A list of programs still to look at, instead of recursion, and `jit`'s own trace."""

import jax


def count_primitives(f, *args):
    waiting, counts = [jax.jit(f).trace(*args).jaxpr], {}
    while waiting:
        for eqn in waiting.pop().eqns:
            name = eqn.primitive.name
            counts[name] = counts.get(name, 0) + 1
            leaves = jax.tree.leaves(eqn.params, is_leaf=lambda leaf: hasattr(leaf, "eqns"))
            waiting += [leaf for leaf in leaves if hasattr(leaf, "eqns")]
    return counts
