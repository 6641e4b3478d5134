"""Know what JAX treats as a leaf.

Pytrees: https://docs.jax.dev/en/latest/pytrees.html
"""


def predict_leaves() -> list[int | bool]:
    """Return the number of leaves of six trees, and whether six pairs have the same structure.

    `jax.tree.map` calls a function on each leaf, and `grad` returns a number for each leaf. Some
    things that look like a container are leaves, and some that look like a leaf aren't. Two trees
    can be added only if their structures are equal. The same is true of the state of a loop, before
    and after a round. So it pays to see both at a glance.

    `Point` is a namedtuple of x and y. `Plain` is a dataclass of x and y that isn't registered with
    JAX. `Layer` is a dataclass of w, b and act; it is registered with `data_fields=["w", "b"]` and
    `meta_fields=["act"]`. How many leaves does each of these trees have?

     0. [1, None, (), (2, {})]
     1. {"a": np.ones((2, 3)), "b": [4, 5]}
     2. ["relu", {1, 2}]
     3. Point(1, (2, 3))
     4. [Plain(1, 2), Plain(3, 4)]
     5. Layer(w=1, b=None, act="relu")

    Do both trees of the pair have the same `jax.tree.structure`?

     6. [1, 2] and (1, 2)
     7. {"a": 1, "b": 2} and {"b": 3, "a": 4}
     8. Point(1, 2) and (1, 2)
     9. np.ones((2, 3)) and 5
    10. [None] and [0]
    11. Layer(w=1, b=2, act="relu") and Layer(w=1, b=2, act="tanh")

    Predict first, and then try it out. Find the reason for each result that surprised you.

    Returns:
        A list of six ints and then six bools: the number of leaves in cases 0 to 5, and in cases 6
        to 11 whether the structures are equal.

    Examples:
        >>> len(predict_leaves())
        12

        How to try it out:

        >>> import jax
        >>> jax.tree.leaves({"left": [7, 8], "right": 9})
        [7, 8, 9]
        >>> jax.tree.structure([7, [8]]) == jax.tree.structure([7, 8])
        False

        The six trees have thirteen leaves:

        >>> sum(predict_leaves()[:6])
        13
    """
    # TODO: go through the cases, and write down a number or a bool for each.
    raise NotImplementedError
