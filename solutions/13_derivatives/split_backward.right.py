"""Other right answers to split_backward; each cell is a suffix to the solution."""

import jax


# %% structure_while_tracing
# The structure is noted while `eval_shape` traces.
def run_forward(f, args):
    value, pull = jax.vjp(f, *args)
    leaves, _ = jax.tree.flatten(pull)
    return value, list(leaves)


def run_backward(f, like, kept, g):
    found = []

    def look(*args):
        found.append(jax.tree.flatten(jax.vjp(f, *args)[1])[1])

    jax.eval_shape(look, *like)
    return found[0].unflatten(kept)(g)


# %% mapped
# The shapes of the backward pass are replaced by the arrays, one after the other.
def run_forward(f, args):
    value, pull = jax.vjp(lambda args: f(*args), args)
    return value, jax.tree.leaves(pull)


def run_backward(f, like, kept, g):
    shapes = jax.eval_shape(lambda args: jax.vjp(lambda args: f(*args), args)[1], like)
    arrays = iter(kept)
    pull = jax.tree.map(lambda _: next(arrays), shapes)
    return pull(g)[0]


# %% compiled
# Both passes are jitted, with f as a static argument.
def run_forward(f, args):
    value, pull = jax.jit(lambda args: jax.vjp(f, *args))(args)
    return value, jax.tree.leaves(pull)


def run_backward(f, like, kept, g):
    made = jax.jit(lambda *args: jax.vjp(f, *args)[1]).lower(*like).out_info
    structure = jax.tree.structure(made)
    return jax.jit(lambda kept, g: jax.tree.unflatten(structure, kept)(g))(kept, g)
