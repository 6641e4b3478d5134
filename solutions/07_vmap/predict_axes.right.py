"""Other right answers to predict_axes; each cell is a suffix to the solution."""

import jax.numpy as jnp
import numpy as np
from jax import vmap


# %% tried_out
# Every case is evaluated.
def predict_axes():
    x, u, v = jnp.zeros((2, 3, 4)), jnp.zeros(2), jnp.zeros(3)
    A, B = jnp.zeros((2, 3)), jnp.zeros((3, 5))
    outer_u = vmap(vmap(jnp.multiply, in_axes=(None, 0)), in_axes=(0, None))
    outer_v = vmap(vmap(jnp.multiply, in_axes=(0, None)), in_axes=(None, 0))
    results = [
        vmap(jnp.sum)(x),
        vmap(jnp.sum, in_axes=1)(x),
        vmap(jnp.transpose)(x),
        vmap(jnp.sin, in_axes=2)(x),
        vmap(jnp.sin, out_axes=2)(x),
        vmap(jnp.sin, in_axes=1, out_axes=1)(x),
        vmap(jnp.multiply, in_axes=(None, 0))(u, v),
        vmap(jnp.dot, in_axes=(None, 1))(A, B),
        vmap(jnp.dot, in_axes=(None, 1), out_axes=1)(A, B),
        outer_u(u, v),
        outer_v(u, v),
        vmap(vmap(jnp.sum, in_axes=1), in_axes=1)(x),
    ]
    return [result.shape for result in results]


# %% in_numpy
# What `vmap` does, by loops and `stack`.
def predict_axes():
    def mapped(function, args, axes, out=0):
        count = next(a.shape[n] for a, n in zip(args, axes, strict=True) if n is not None)
        calls = []
        for call in range(count):
            pieces = [
                a if n is None else a.take(call, axis=n) for a, n in zip(args, axes, strict=True)
            ]
            calls.append(np.asarray(function(*pieces)))
        return np.stack(calls, axis=out)

    x, u, v = np.zeros((2, 3, 4)), np.zeros(2), np.zeros(3)
    A, B = np.zeros((2, 3)), np.zeros((3, 5))
    results = [
        mapped(np.sum, [x], [0]),
        mapped(np.sum, [x], [1]),
        mapped(np.transpose, [x], [0]),
        mapped(np.sin, [x], [2]),
        mapped(np.sin, [x], [0], out=2),
        mapped(np.sin, [x], [1], out=1),
        mapped(np.multiply, [u, v], [None, 0]),
        mapped(np.dot, [A, B], [None, 1]),
        mapped(np.dot, [A, B], [None, 1], out=1),
        mapped(lambda a, b: mapped(np.multiply, [a, b], [None, 0]), [u, v], [0, None]),
        mapped(lambda a, b: mapped(np.multiply, [a, b], [0, None]), [u, v], [None, 0]),
        mapped(lambda a: mapped(np.sum, [a], [1]), [x], [1]),
    ]
    return [result.shape for result in results]


# %% calls_and_results
# The number of calls is put into the shape of one result.
def predict_axes():
    def put(calls, shape, place=0):
        return (*shape[:place], calls, *shape[place:])

    cases = [(2, ()), (3, ()), (2, (4, 3)), (4, (2, 3)), (2, (3, 4), 2), (3, (2, 4), 1)]
    cases += [(3, (2,)), (5, (2,)), (5, (2,), 1), (2, put(3, ())), (3, put(2, ())), (3, put(4, ()))]
    return [put(*case) for case in cases]
