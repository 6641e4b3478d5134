"""Other right answers to predict_updates; each cell is a suffix to the solution."""

import jax.numpy as jnp
import numpy as np


# %% tried_out
# Every case is evaluated.
def predict_updates():
    old, i = jnp.array([10, 20, 30, 40]), jnp.array([1, 1, 1])
    names = {"x": old, "y": old}
    names["x"] = names["x"].at[1].set(5)
    results = [
        names["x"],
        old,
        names["y"],
        old.at[i].add(1),
        old.at[i].set(old[i] + 1),
        old.at[jnp.array([0, 0, 3])].max(jnp.array([15, 12, 7])),
        old.at[jnp.array([0, 4])].set(5),
        old.at[-1].add(5),
        old.at[jnp.array([-5, 2])].add(1),
        old.at[jnp.array([0, 9])].set(5, mode="clip"),
        old[jnp.array([0, 9])],
        old[1:3].at[0].set(5),
    ]
    return [result.tolist() for result in results]


# %% in_numpy
# The same in NumPy, with a copy, and with its functions for indices that occur again.
def predict_updates():
    def updated(change):
        copy = np.array([10, 20, 30, 40])
        change(copy)
        return copy.tolist()

    def nothing(x):
        pass

    return [
        updated(lambda x: x.put(1, 5)),
        updated(nothing),
        updated(nothing),
        updated(lambda x: np.add.at(x, [1, 1, 1], 1)),
        updated(lambda x: x.put([1, 1, 1], x[[1, 1, 1]] + 1)),
        updated(lambda x: np.maximum.at(x, [0, 0, 3], [15, 12, 7])),
        updated(lambda x: x.put(0, 5)),
        updated(lambda x: np.add.at(x, -1, 5)),
        updated(lambda x: np.add.at(x, 2, 1)),
        updated(lambda x: x.put([0, 9], 5, mode="clip")),
        np.array([10, 20, 30, 40]).take([0, 9], mode="clip").tolist(),
        [5, 30],
    ]


# %% differences
# Each answer is the old array with what changes.
def predict_updates():
    changes = [{1: 5}, {}, {}, {1: 23}, {1: 21}, {0: 15}, {0: 5}, {3: 45}, {2: 31}, {0: 5, 3: 5}]
    old = {0: 10, 1: 20, 2: 30, 3: 40}
    return [list({**old, **change}.values()) for change in changes] + [[10, 40], [5, 30]]
