"""Other right answers to predict_leaves; each cell is a suffix to the solution."""

import functools
from dataclasses import dataclass
from typing import NamedTuple

import jax
import numpy as np


# %% tried_out
# Every tree is taken apart.
class Point(NamedTuple):
    x: object
    y: object


@dataclass
class Plain:
    x: object
    y: object


@functools.partial(jax.tree_util.register_dataclass, data_fields=["w", "b"], meta_fields=["act"])
@dataclass
class Layer:
    w: object
    b: object
    act: object


def predict_leaves():
    trees = [
        [1, None, (), (2, {})],
        {"a": np.zeros((2, 3)), "b": [4, 5]},
        ["relu", set(range(2))],
        Point(1, (2, 3)),
        [Plain(1, 2), Plain(3, 4)],
        Layer(1, None, "relu"),
    ]
    pairs = [
        ([1, 2], (1, 2)),
        ({"b": 2, "a": 1}, {"a": 4, "b": 3}),
        (Point(1, 2), (1, 2)),
        (np.zeros((2, 3)), 5),
        ([None], [0]),
        (Layer(1, 2, "relu"), Layer(1, 2, "tanh")),
    ]
    counts = [len(jax.tree.leaves(tree)) for tree in trees]
    return counts + [jax.tree.structure(a) == jax.tree.structure(b) for a, b in pairs]


# %% drawn
# Each tree is written with a star for each leaf, and the drawings are compared.
def predict_leaves():
    trees = [
        "[*, None, (), (*, {})]",
        "{'a': *, 'b': [*, *]}",
        "[*, *]",
        "Point(*, (*, *))",
        "[*, *]",
        "Layer[relu](*, None)",
    ]
    pairs = [
        ("[*, *]", "(*, *)"),
        ("{'a': *, 'b': *}", "{'a': *, 'b': *}"),
        ("Point(*, *)", "(*, *)"),
        ("*", "*"),
        ("[None]", "[*]"),
        ("Layer[relu](*, *)", "Layer[tanh](*, *)"),
    ]
    return [tree.count("*") for tree in trees] + [a == b for a, b in pairs]


# %% listed
# The numbers are digits of a text, and the equal pairs are listed.
def predict_leaves():
    return [*map(int, "232321"), *(pair in (7, 9) for pair in range(6, 12))]
