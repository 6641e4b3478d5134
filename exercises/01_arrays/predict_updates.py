"""Know what an update changes, and what it doesn't.

`ndarray.at`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
"""


def predict_updates() -> list[list[int]]:
    """Return the numbers in each of the twelve arrays below.

    In NumPy, `x[i] = 5` changes `x`. A JAX array never changes: `x.at[i].set(5)` is another array.
    Two more rules differ from NumPy. They concern an index that occurs twice, and an index that is
    out of range. Neither raises an error here. If you get a rule wrong, the numbers change, and
    nothing tells you.

    In all cases, `x` is initially `jnp.array([10, 20, 30, 40])`, and `i` is `jnp.array([1, 1, 1])`:

     0. x.at[1].set(5)
     1. x, after the line `x.at[1].set(5)`
     2. y, after the lines `y = x` and `x = x.at[1].set(5)`
     3. x.at[i].add(1)
     4. x.at[i].set(x[i] + 1)
     5. x.at[jnp.array([0, 0, 3])].max(jnp.array([15, 12, 7]))
     6. x.at[jnp.array([0, 4])].set(5)
     7. x.at[-1].add(5)
     8. x.at[jnp.array([-5, 2])].add(1)
     9. x.at[jnp.array([0, 9])].set(5, mode="clip")
    10. x[jnp.array([0, 9])]
    11. x[1:3].at[0].set(5)

    Predict first, and then try it out: `tolist()` turns an array into a list. Find the reason for
    each result that surprised you.

    Returns:
        A list of twelve lists of ints: entry k contains the numbers of case k.

    Examples:
        >>> len(predict_updates())
        12

        How to try it out:

        >>> import jax.numpy as jnp
        >>> jnp.array([1, 2, 3]).at[jnp.array([0, 2])].multiply(10).tolist()
        [10, 2, 30]

        Ten of the arrays have four numbers, and the other two have fewer:

        >>> [len(numbers) for numbers in predict_updates()]
        [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2, 2]
    """
    # TODO: go through the cases, and write down the numbers of each.
    raise NotImplementedError
