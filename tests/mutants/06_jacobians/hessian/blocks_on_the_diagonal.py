"""Each leaf is taken alone, and what two leaves do together is left out.

Fails: test_a_tree_gives_a_tree_of_trees, test_the_containers_are_kept
"""

import jax


def hessian(f):
    def second(x):
        leaves, treedef = jax.tree.flatten(x)
        if len(leaves) == 1:
            return jax.hessian(f)(x)
        blocks = []
        for k in range(len(leaves)):

            def of_leaf(leaf, k=k):
                return f(treedef.unflatten([*leaves[:k], leaf, *leaves[k + 1 :]]))

            blocks.append(jax.hessian(of_leaf)(leaves[k]))
        return treedef.unflatten(blocks)

    return second
