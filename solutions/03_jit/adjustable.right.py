"""Other right answers to adjustable; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% keywords
# Keyword arguments of a compiled function are traced, too.
def adjustable(f, **settings):
    compiled = jax.jit(f)

    def change(**new):
        if not settings.keys() >= new.keys():
            raise ValueError(str(new))
        for name in new:
            settings[name] = new[name]

    return lambda x: compiled(x, **settings), change


# %% function_as_a_tree
# The function with its settings is a tree, and an argument of the program.
class _Adjustable:
    def __init__(self, f, settings):
        self.bound = jax.tree_util.Partial(f, **settings)
        self.compiled = jax.jit(lambda bound, x: bound(x))

    def run(self, x):
        return self.compiled(self.bound, x)

    def change(self, **new):
        settings = self.bound.keywords | new
        if len(settings) > len(self.bound.keywords):
            raise ValueError(str(new))
        self.bound = jax.tree_util.Partial(self.bound.func, **settings)


def adjustable(f, **settings):
    pair = _Adjustable(f, settings)
    return pair.run, pair.change


# %% arrays_in_a_list
# The values are arrays in a list, in the order of their names.
def adjustable(f, **settings):
    names = tuple(settings)
    values = [jnp.asarray(settings[name]) for name in names]

    @jax.jit
    def compiled(values, x):
        return f(x, **dict(zip(names, values, strict=True)))

    def change(**new):
        if any(name not in names for name in new):
            raise ValueError(str(new))
        for name, value in new.items():
            values[names.index(name)] = jnp.asarray(value)

    return lambda x: compiled(values, x), change
