"""What learners get wrong in loss_grads_aux; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% sum_of_squares
# The sum is taken instead of the mean.
# Do: Take the mean over all elements.
# Breaks: Returns 1
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
# test_it_survives_jit_vmap_and_grad, test_equal_arguments_have_gradient_zero
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.sum((x - y) ** 2), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% over_the_length
# The sum is divided by `len`, which counts only rows and fails for a single number.
# Do: Divide by the number of all elements. `jnp.mean` does so.
# Breaks: Returns 1
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
# test_it_survives_jit_vmap_and_grad, test_equal_arguments_have_gradient_zero, test_details
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.sum((x - y) ** 2) / len(x), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% squared_aux
# The squares are returned instead of the differences.
# Do: Return the differences themselves, before they are squared.
# Breaks: Returns 1
# Fails: test_the_differences_come_along, test_it_survives_jit_vmap_and_grad,
# test_equal_arguments_have_gradient_zero, test_details
def loss_grads_aux(x, y):
    def loss(x, y):
        squares = (x - y) ** 2
        return jnp.mean(squares), squares

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% first_argument_only
# Without `argnums`, there is a gradient for the first argument only.
# Do: Specify with `argnums` that the loss is differentiated in both arguments.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_there_is_a_gradient_for_each_argument, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_it_survives_jit_vmap_and_grad, test_equal_arguments_have_gradient_zero, test_details
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2), x - y

    (value, aux), grads = jax.value_and_grad(loss, has_aux=True)(x, y)
    return value, grads, aux


# %% same_gradient_twice
# `y` is held fixed in a closure, and the gradient of `x` is returned twice.
# Do: Make the loss a function of both arguments, and differentiate it in both.
# Breaks: Returns 1
# Fails: test_there_is_a_gradient_for_each_argument, test_it_survives_jit_vmap_and_grad,
# test_equal_arguments_have_gradient_zero, test_details
def loss_grads_aux(x, y):
    def loss(x):
        return jnp.mean((x - y) ** 2), x - y

    (value, aux), grad = jax.value_and_grad(loss, has_aux=True)(x)
    return value, (grad, grad), aux


# %% no_has_aux
# `has_aux` is forgotten, and JAX refuses to differentiate a pair.
# Do: Specify with `has_aux` that the function returns a pair.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
# test_the_differences_come_along, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_it_survives_jit_vmap_and_grad, test_equal_arguments_have_gradient_zero, test_details
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1))(x, y)
    return value, grads, aux


# %% order_of_value_and_grad
# The result of `value_and_grad` is returned unchanged: ((loss, aux), gradients).
# Do: Unpack what `value_and_grad` returns, and return three parts.
# Breaks: Returns 1
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
# test_the_differences_come_along, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_it_survives_jit_vmap_and_grad, test_equal_arguments_have_gradient_zero, test_details
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2), x - y

    return jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)


# %% aux_beside_the_loss
# `grad` with `has_aux` returns a pair, which a tutorial mistakes for the gradients.
# Do: With `has_aux`, `grad` returns the gradients and the rest. Unpack this pair.
# Breaks: Returns 1
# Fails: test_there_is_a_gradient_for_each_argument, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_it_survives_jit_vmap_and_grad, test_equal_arguments_have_gradient_zero, test_details
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2), x - y

    value, aux = loss(x, y)
    grads = jax.grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% list_of_gradients
# The gradients are returned in a list.
# Do: Return the two gradients as a tuple.
# Breaks: Returns 1
# Fails: test_the_parts_are_a_loss_a_pair_and_an_array
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2)

    grads = [jax.grad(loss, argnums=n)(x, y) for n in (0, 1)]
    return loss(x, y), grads, x - y


# %% leaked
# The differences are appended to an external list, which leaks a tracer.
# Do: Return the differences with the loss, and set `has_aux`.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
# test_the_differences_come_along, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_it_survives_jit_vmap_and_grad, test_equal_arguments_have_gradient_zero, test_details
saved = []


def loss(x, y):
    saved.append(x - y)
    return jnp.mean(saved[-1] ** 2)


def loss_grads_aux(x, y):
    value, grads = jax.value_and_grad(loss, argnums=(0, 1))(x, y)
    return value, grads, saved[-1]


# %% python_number
# The loss becomes a Python number, which needs a value and can't be traced.
# Do: Leave the loss as an array. While tracing, it has no value.
# Breaks: Returns 2
# Fails: test_it_survives_jit_vmap_and_grad
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value.item(), grads, aux


# %% norm
# A norm is squared, but its root has no gradient at zero and gives NaN there.
# Do: Square the differences. Don't take a root first.
# Breaks: Details 1
# Fails: test_equal_arguments_have_gradient_zero
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.linalg.norm((x - y).ravel()) ** 2 / x.size, x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% once missed


# %% flattened
# The differences are flattened before they are returned.
# Do: Return the differences in the shape of `x`.
# Breaks: Returns 1
# Fails: test_the_differences_come_along, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_it_survives_jit_vmap_and_grad, test_equal_arguments_have_gradient_zero, test_details
def loss_grads_aux(x, y):
    def loss(x, y):
        difference = (x - y).ravel()
        return difference @ difference / difference.size, difference

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% arriving_gradient_ignored
# The loss has its own rule, which ignores the incoming gradient.
# Breaks: Returns 3
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
# Breaks: Details 2
# Fails: test_details
def loss_grads_aux(x, y, solution=loss_grads_aux):
    value, grads, aux = solution(x, y)
    return value, jax.tree.map(jnp.nan_to_num, grads), aux


# %% missing_targets
# Elements whose target is NaN are left out.
# Breaks: Details 2
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
