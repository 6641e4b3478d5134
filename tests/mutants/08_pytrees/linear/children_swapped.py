"""Flattening gives w and b, and unflattening takes b and w.

Fails: test_a_mapped_layer_is_a_layer, test_leaves_may_be_anything,
test_it_goes_through_jit_and_grad, test_a_stack_of_layers_can_be_mapped_and_scanned,
test_new_parameters_are_not_traced_again, test_another_activation_is_another_program
"""

import jax


@jax.tree_util.register_pytree_node_class
class Linear:
    def __init__(self, w, b, activation):
        self.w, self.b, self.activation = w, b, activation

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)

    def tree_flatten(self):
        return (self.w, self.b), self.activation

    @classmethod
    def tree_unflatten(cls, activation, children):
        b, w = children
        return cls(w, b, activation)
