"""Wrong answers to loss_grads_aux; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% aux_beside_the_loss
# `grad` with `has_aux` returns a pair, which a tutorial takes for the gradients.
# Fails: test_there_is_a_gradient_for_each_argument, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_one_number_is_enough, test_equal_arguments_have_gradient_zero,
# test_it_survives_jit_vmap_and_grad
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2), x - y

    value, aux = loss(x, y)
    grads = jax.grad(loss, argnums=(0, 1), has_aux=True)(x, y)
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


# %% expanded
# The square is expanded, and the difference of large terms is wrong where x is close to y.
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
# test_one_number_is_enough
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean(x**2 - 2 * x * y + y**2), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% first_argument_only
# Without `argnums` there is a gradient for the first argument only.
# At most half of the points.
# Fails: test_there_is_a_gradient_for_each_argument, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_one_number_is_enough, test_equal_arguments_have_gradient_zero,
# test_it_survives_jit_vmap_and_grad
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2), x - y

    (value, aux), grads = jax.value_and_grad(loss, has_aux=True)(x, y)
    return value, grads, aux


# %% flattened
# The differences are flattened before they are returned.
# Fails: test_the_differences_come_along, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_one_number_is_enough, test_equal_arguments_have_gradient_zero,
# test_it_survives_jit_vmap_and_grad
def loss_grads_aux(x, y):
    def loss(x, y):
        difference = (x - y).ravel()
        return difference @ difference / difference.size, difference

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% leaked
# The differences are appended to a list outside, which leaks a tracer.
# At most half of the points.
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
# test_the_differences_come_along, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_one_number_is_enough, test_equal_arguments_have_gradient_zero,
# test_it_survives_jit_vmap_and_grad
saved = []


def loss(x, y):
    saved.append(x - y)
    return jnp.mean(saved[-1] ** 2)


def loss_grads_aux(x, y):
    value, grads = jax.value_and_grad(loss, argnums=(0, 1))(x, y)
    return value, grads, saved[-1]


# %% list_of_gradients
# The gradients are returned in a list.
# Fails: test_the_parts_are_a_loss_a_pair_and_an_array
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2)

    grads = [jax.grad(loss, argnums=n)(x, y) for n in (0, 1)]
    return loss(x, y), grads, x - y


# %% no_has_aux
# `has_aux` is forgotten, and JAX refuses to differentiate a pair.
# At most half of the points.
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
# test_the_differences_come_along, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_one_number_is_enough, test_equal_arguments_have_gradient_zero,
# test_it_survives_jit_vmap_and_grad
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1))(x, y)
    return value, grads, aux


# %% norm
# A norm is squared, but its root has no gradient at zero and gives NaN there.
# Fails: test_equal_arguments_have_gradient_zero
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.linalg.norm((x - y).ravel()) ** 2 / x.size, x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% order_of_value_and_grad
# The result of `value_and_grad` is returned as it is: ((loss, aux), gradients).
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
# test_the_differences_come_along, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_one_number_is_enough, test_equal_arguments_have_gradient_zero,
# test_it_survives_jit_vmap_and_grad
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2), x - y

    return jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)


# %% over_the_length
# The sum is divided by `len`, which counts only rows and fails for a single number.
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
# test_the_parts_are_a_loss_a_pair_and_an_array, test_one_number_is_enough,
# test_it_survives_jit_vmap_and_grad
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.sum((x - y) ** 2) / len(x), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% python_number
# The loss becomes a Python number, which needs a value and can't be traced.
# Fails: test_it_survives_jit_vmap_and_grad, test_equal_arguments_have_gradient_zero
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.mean((x - y) ** 2), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value.item(), grads, aux


# %% same_gradient_twice
# `y` is held fixed in a closure, and the gradient of `x` is returned twice.
# Fails: test_there_is_a_gradient_for_each_argument, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_one_number_is_enough, test_it_survives_jit_vmap_and_grad
def loss_grads_aux(x, y):
    def loss(x):
        return jnp.mean((x - y) ** 2), x - y

    (value, aux), grad = jax.value_and_grad(loss, has_aux=True)(x)
    return value, (grad, grad), aux


# %% squared_aux
# The squares are returned instead of the differences.
# Fails: test_the_differences_come_along, test_the_parts_are_a_loss_a_pair_and_an_array,
# test_one_number_is_enough, test_it_survives_jit_vmap_and_grad
def loss_grads_aux(x, y):
    def loss(x, y):
        squares = (x - y) ** 2
        return jnp.mean(squares), squares

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% sum_of_squares
# The sum is taken instead of the mean.
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
# test_the_parts_are_a_loss_a_pair_and_an_array, test_it_survives_jit_vmap_and_grad
def loss_grads_aux(x, y):
    def loss(x, y):
        return jnp.sum((x - y) ** 2), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% cleaned_gradients
# NaN and infinity in the gradients are replaced.
# Fails: test_there_is_a_gradient_for_each_argument
def loss_grads_aux(x, y, solution=loss_grads_aux):
    value, grads, aux = solution(x, y)
    return value, jax.tree.map(jnp.nan_to_num, grads), aux


# %% remainder_forgotten
# Long arrays are summed in blocks of 512, and what is left after the last block is forgotten.
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument
def loss_grads_aux(x, y):
    def loss(x, y):
        flat = (x - y).ravel()
        whole = flat.size // 512 * 512 or flat.size
        return jnp.sum(flat[:whole] ** 2) / flat.size, x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% root_for_others
# The gradients are written out, but others differentiate through a root, with no slope at zero.
# Fails: test_equal_arguments_have_gradient_zero
def loss_grads_aux(x, y):
    aux = x - y
    slope = 2 * aux / aux.size
    return jnp.linalg.norm(aux.ravel()) ** 2 / aux.size, (slope, -slope), aux


# %% three_axes
# There are letters for three axes, and a batch of images has four.
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument,
# test_the_differences_come_along
def loss_grads_aux(x, y):
    def loss(x, y):
        axes, difference = "ijk"[: x.ndim], x - y
        return jnp.einsum(f"{axes},{axes}->", difference, difference) / x.size, difference

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% missing_targets
# Elements whose target is NaN are left out.
# Fails: test_the_loss_is_the_mean_square, test_there_is_a_gradient_for_each_argument
def loss_grads_aux(x, y):
    known = ~jnp.isnan(y)

    def loss(x, y):
        difference = jnp.where(known, x - jnp.where(known, y, 0), 0)
        return jnp.mean(difference**2), x - y

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% gradient_in_two_terms
# The gradient is a difference of two rounded terms, which is wrong where x is close to y.
# Fails: test_there_is_a_gradient_for_each_argument
def loss_grads_aux(x, y):
    aux = x - y
    slope = 2 * x / x.size - 2 * y / y.size
    return jnp.mean(aux**2), (slope, -slope), aux


# %% roots_of_rows
# Each row has a root, but equal rows are only looked after if all rows are equal.
# Fails: test_equal_arguments_have_gradient_zero
def loss_grads_aux(x, y):
    def loss(x, y):
        aux = x - y
        differ = jnp.any(aux != 0)
        norms = jnp.sqrt(jnp.sum(jnp.where(differ, aux, 1) ** 2, axis=-1 if aux.ndim else None))
        return jnp.where(differ, jnp.sum(norms**2) / aux.size, 0), aux

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% divided_by_the_largest
# The differences are divided by the largest one, which gives NaN where that is infinite.
# Fails: test_the_loss_is_the_mean_square
def loss_grads_aux(x, y):
    def loss(x, y):
        aux = x - y
        largest = jax.lax.stop_gradient(jnp.max(jnp.abs(aux)))
        scale = jnp.where(largest == 0, 1, largest)
        return jnp.mean((aux / scale) ** 2) * scale**2, aux

    (value, aux), grads = jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(x, y)
    return value, grads, aux


# %% harmless
# General faults that are allowed, with the reason.
{
    "result_float32": "The text asks for arguments and a result in float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_never_empty": "The text asks for at least one element: nothing has no mean.",
    "result_beyond_1024": "The text asks for at most a thousand elements.",
    "result_beyond_1024_rows": "The text asks for at most a thousand elements.",
    "argument_beyond_1024": "The text asks for at most a thousand elements.",
    "argument_beyond_1024_rows": "The text asks for at most a thousand elements.",
}
