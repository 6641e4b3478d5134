"""What the suite of loss_grads_aux once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% flattened
# The differences are flattened before they are returned.
# Do: Return the differences in the shape of `x`.
# Fails: test_the_differences_come_along, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_it_survives_jit_vmap_and_grad, test_equal_arguments_have_gradient_zero, test_details
def loss_grads_aux(x, y):
    def loss(x, y):
        difference = (x - y).ravel()
        return difference @ difference / difference.size, difference

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% arriving_gradient_ignored
# The loss has a rule of its own, which ignores the gradient that arrives.
# Fails: test_it_survives_jit_vmap_and_grad
@jax.custom_vjp
def mean_square(x, y):
    return jnp.mean((x - y) ** 2)


def backward(difference, _):
    slope = 2 * difference / difference.size
    return slope, -slope


mean_square.defvjp(lambda x, y: (mean_square(x, y), x - y), backward)


def loss_grads_aux(x, y):
    return mean_square(x, y), jax.grad(mean_square, argnums=(0, 1))(x, y), x - y


# %% cleaned_gradients
# NaN and infinity in the gradients are replaced.
# Fails: test_details
def loss_grads_aux(x, y, solution=loss_grads_aux):
    value, grads, aux = solution(x, y)
    return value, jax.tree.map(jnp.nan_to_num, grads), aux


# %% missing_targets
# Elements whose target is NaN are left out.
# Fails: test_details
def loss_grads_aux(x, y):
    known = ~jnp.isnan(y)

    def loss(x, y):
        difference = jnp.where(known, x - jnp.where(known, y, 0), 0)
        return jnp.mean(difference**2), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_float32": "The text asks for arguments and a result in float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_never_empty": "The text asks for at least one element: nothing has no mean.",
}
