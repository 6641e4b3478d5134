"""All three are children, so JAX tries to trace a function as if it were an array.

Fails: test_its_leaves_are_its_parameters, test_a_mapped_layer_is_a_layer,
test_leaves_may_be_anything, test_it_goes_through_jit_and_grad,
test_a_stack_of_layers_can_be_mapped_and_scanned, test_new_parameters_are_not_traced_again,
test_another_activation_is_another_program
"""

from typing import Any, NamedTuple


class Linear(NamedTuple):
    w: Any
    b: Any
    activation: Any

    def __call__(self, x):
        return self.activation(x @ self.w + self.b)
