"""What learners get wrong in lora_step; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


def thin(h, w, a, b, alpha):
    return h @ w + (alpha / a.shape[1]) * ((h @ a) @ b)


def step(weights, factors, x, y, alpha, lr, layer=thin, mean=jnp.mean):
    def loss(factors):
        h = x
        for place, (w, one) in enumerate(zip(weights, factors, strict=True)):
            h = jnp.tanh(h) if place else h
            h = layer(h, w, one["a"], one["b"], alpha)
        return mean((h - y) ** 2)

    value, slopes = jax.value_and_grad(loss)(factors)
    return value, jax.tree.map(lambda old, slope: old - lr * slope, factors, slopes)


# %% stopped_behind_the_weights
# The gradient is stopped after each frozen product, so it doesn't reach earlier layers.
# Do: Differentiate with respect to the factors. The weights need no `stop_gradient`.
# Breaks: Returns 5
# At most half of the points.
# Fails: test_gradients_go_through_the_frozen_weights, test_no_array_is_as_large_as_the_weights,
# test_many_steps_in_a_scan, test_details
def lora_step(weights, factors, x, y, alpha, lr):
    def layer(h, w, a, b, alpha):
        return lax.stop_gradient(h @ w) + (alpha / a.shape[1]) * ((h @ a) @ b)

    return step(weights, factors, x, y, alpha, lr, layer)


# %% merged
# The factors are merged with the weights, which makes a matrix as large as they are.
# Do: Multiply by a first, and then by b: (h @ a) @ b is thin.
# Breaks: Returns 6
# Fails: test_no_array_is_as_large_as_the_weights
def lora_step(weights, factors, x, y, alpha, lr):
    def layer(h, w, a, b, alpha):
        return h @ (w + (alpha / a.shape[1]) * a @ b)

    return step(weights, factors, x, y, alpha, lr, layer)


# %% product_of_the_factors
# The product a @ b is as large as the weights.
# Do: Multiply by a first, and then by b: (h @ a) @ b is thin.
# Breaks: Returns 6
# Fails: test_no_array_is_as_large_as_the_weights
def lora_step(weights, factors, x, y, alpha, lr):
    def layer(h, w, a, b, alpha):
        return h @ w + (alpha / a.shape[1]) * (h @ (a @ b))

    return step(weights, factors, x, y, alpha, lr, layer)


# %% not_divided_by_the_rank
# The product is multiplied by alpha, not by alpha / r.
# Do: Divide alpha by the number of columns of a.
# Breaks: Returns 2
# Fails: test_one_layer, test_gradients_go_through_the_frozen_weights,
# test_no_array_is_as_large_as_the_weights, test_many_steps_in_a_scan, test_details
def lora_step(weights, factors, x, y, alpha, lr):
    return step(weights, factors, x, y, alpha, lr, lambda h, w, a, b, s: h @ w + s * (h @ a) @ b)


# %% one_rank_for_all
# The rank of the first layer is used for all layers.
# Do: Take r from the factors of each layer.
# Breaks: Details 2
# Fails: test_details
def lora_step(weights, factors, x, y, alpha, lr):
    r = factors[0]["a"].shape[1]
    return step(
        weights, factors, x, y, alpha, lr, lambda h, w, a, b, s: h @ w + s / r * ((h @ a) @ b)
    )


# %% scaled_weights
# The whole layer is scaled, including the frozen product.
# Do: Scale the product of the factors alone.
# Breaks: Returns 2
# Fails: test_one_layer, test_gradients_go_through_the_frozen_weights,
# test_no_array_is_as_large_as_the_weights, test_many_steps_in_a_scan, test_details
def lora_step(weights, factors, x, y, alpha, lr):
    return step(
        weights,
        factors,
        x,
        y,
        alpha,
        lr,
        lambda h, w, a, b, s: s / a.shape[1] * (h @ w + (h @ a) @ b),
    )


# %% tanh_at_the_end
# The last layer also has a tanh.
# Do: Omit it after the last layer.
# Breaks: Returns 3
# Fails: test_one_layer, test_gradients_go_through_the_frozen_weights,
# test_no_array_is_as_large_as_the_weights, test_many_steps_in_a_scan, test_details
def lora_step(weights, factors, x, y, alpha, lr):
    def loss(factors):
        h = x
        for w, one in zip(weights, factors, strict=True):
            h = jnp.tanh(thin(h, w, one["a"], one["b"], alpha))
        return jnp.mean((h - y) ** 2)

    value, slopes = jax.value_and_grad(loss)(factors)
    return value, jax.tree.map(lambda old, slope: old - lr * slope, factors, slopes)


# %% summed_over_the_outputs
# The squares are summed over the outputs, and averaged over the batch alone.
# Do: Take the mean over all numbers.
# Breaks: Returns 4
# Fails: test_one_layer, test_gradients_go_through_the_frozen_weights,
# test_no_array_is_as_large_as_the_weights, test_many_steps_in_a_scan, test_details
def lora_step(weights, factors, x, y, alpha, lr):
    return step(weights, factors, x, y, alpha, lr, mean=lambda e: e.sum(axis=1).mean())


# %% uphill
# The step goes uphill: the gradient is added.
# Do: Subtract lr times the gradient.
# Breaks: Returns 5
# Fails: test_one_layer, test_gradients_go_through_the_frozen_weights,
# test_no_array_is_as_large_as_the_weights, test_many_steps_in_a_scan, test_details
def lora_step(weights, factors, x, y, alpha, lr):
    value, new = step(weights, factors, x, y, alpha, -lr)
    return value, new


# %% loss_after_the_step
# The loss is that of the new factors.
# Do: Return the loss of the factors before the step, which `value_and_grad` gives.
# Breaks: Returns 1
# Fails: test_one_layer, test_gradients_go_through_the_frozen_weights,
# test_no_array_is_as_large_as_the_weights, test_many_steps_in_a_scan, test_details
def lora_step(weights, factors, x, y, alpha, lr):
    _, new = step(weights, factors, x, y, alpha, lr)
    return step(weights, new, x, y, alpha, lr)[0], new


# %% one_factor_after_the_other
# The gradient in b is computed with the new a.
# Do: Compute both gradients at the same point.
# Breaks: Returns 5
# Fails: test_one_layer, test_gradients_go_through_the_frozen_weights,
# test_no_array_is_as_large_as_the_weights, test_many_steps_in_a_scan, test_details
def lora_step(weights, factors, x, y, alpha, lr):
    value, new = step(weights, factors, x, y, alpha, lr)
    half = [{"a": n["a"], "b": f["b"]} for n, f in zip(new, factors, strict=True)]
    second = step(weights, half, x, y, alpha, lr)[1]
    return value, [{"a": n["a"], "b": s["b"]} for n, s in zip(new, second, strict=True)]


# %% only_b
# The factor a is also frozen.
# Do: Differentiate with respect to both factors.
# Breaks: Returns 5
# Fails: test_one_layer, test_gradients_go_through_the_frozen_weights,
# test_no_array_is_as_large_as_the_weights, test_many_steps_in_a_scan, test_details
def lora_step(weights, factors, x, y, alpha, lr):
    value, new = step(weights, factors, x, y, alpha, lr)
    return value, [{"a": f["a"], "b": n["b"]} for n, f in zip(new, factors, strict=True)]


# %% as_tuples
# The factors come back in a tuple, so a `scan` can't carry them.
# Do: Return the same containers: `jax.tree.map` keeps them.
# Breaks: Returns 1, Details 1
# Fails: test_one_layer, test_gradients_go_through_the_frozen_weights,
# test_no_array_is_as_large_as_the_weights, test_many_steps_in_a_scan, test_details
def lora_step(weights, factors, x, y, alpha, lr):
    value, new = step(weights, factors, x, y, alpha, lr)
    return value, tuple(new)


# %% merged_row_by_row
# `w + a @ b` is computed one row after another.
# Do: First multiply `h` by `a`, and the thin result by `b`.
# Breaks: Returns 6
# Fails: test_no_array_is_as_large_as_the_weights
def lora_step(weights, factors, x, y, alpha, lr):
    def by_rows(h, w, a, b, alpha):
        @jax.checkpoint
        def add(total, row):
            column, own, thin = row
            return total + jnp.outer(column, own + alpha / len(b) * thin @ b), None

        return lax.scan(add, jnp.zeros((len(h), w.shape[1])), (h.T, w, a))[0]

    return step(weights, factors, x, y, alpha, lr, by_rows)
