"""What learners get wrong in lean_xent; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def plain(logits, labels):
    wide = logits.astype(jnp.float32)
    chosen = jnp.take_along_axis(wide, labels[:, None], axis=1)[:, 0]
    return jax.nn.logsumexp(wide, axis=1) - chosen


# %% left_to_jax
# JAX's own derivative keeps a float32 array of the size of the logits.
# Do: Write a backward pass of your own with `jax.custom_vjp`.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_little_is_kept, test_little_is_kept_in_a_layer
def lean_xent(logits, labels):
    return plain(logits, labels)


# %% float32_copy
# The forward pass keeps the logits after the cast to float32.
# Do: Keep the logits as they came in, and cast them again in the backward pass.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_little_is_kept, test_little_is_kept_in_a_layer
def forward(logits, labels):
    wide = logits.astype(jnp.float32)
    return plain(logits, labels), (wide, labels, jax.nn.logsumexp(wide, axis=1))


def backward(kept, g):
    wide, labels, total = kept
    softmax = jnp.exp(wide - total[:, None])
    return g[:, None] * (softmax - jax.nn.one_hot(labels, wide.shape[1])), None


@jax.custom_vjp
def xent(logits, labels):
    return plain(logits, labels)


xent.defvjp(forward, backward)


def lean_xent(logits, labels):
    return xent(logits.astype(jnp.float32), labels)


# %% softmax_too
# The forward pass keeps the logits and the softmax.
# Do: Keep one number for each row, and compute the softmax again from the logits.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_little_is_kept, test_little_is_kept_in_a_layer
@jax.custom_vjp
def lean_xent(logits, labels):
    return plain(logits, labels)


def forward(logits, labels):
    softmax = jax.nn.softmax(logits.astype(jnp.float32), axis=1)
    return plain(logits, labels), (logits, labels, softmax)


def backward(kept, g):
    logits, labels, softmax = kept
    slope = g[:, None] * (softmax - jax.nn.one_hot(labels, logits.shape[1]))
    return slope.astype(logits.dtype), None


lean_xent.defvjp(forward, backward)


# %% rounded_softmax
# The softmax is kept in the dtype of the logits, and minus one-hot nothing is left of it.
# Do: Keep the logits. A rounded softmax has lost what the gradient needs.
# Breaks: Details 2
# Fails: test_details
@jax.custom_vjp
def lean_xent(logits, labels):
    return plain(logits, labels)


def forward(logits, labels):
    softmax = jax.nn.softmax(logits.astype(jnp.float32), axis=1)
    return plain(logits, labels), (softmax.astype(logits.dtype), labels)


def backward(kept, g):
    softmax, labels = kept
    slope = g[:, None] * (softmax - jax.nn.one_hot(labels, softmax.shape[1]))
    return slope.astype(softmax.dtype), None


lean_xent.defvjp(forward, backward)


# %% own_gradient
# The gradient that arrives is left out.
# Do: Multiply each row by its g.
# Breaks: Details 3
# Fails: test_the_gradient_is_right, test_little_is_kept, test_little_is_kept_in_a_layer,
# test_large_logits_are_finite, test_a_batch_of_sequences, test_details
def backward(kept, g):
    logits, labels, total = kept
    softmax = jnp.exp(logits.astype(jnp.float32) - total[:, None])
    slope = softmax - jax.nn.one_hot(labels, logits.shape[1])
    return slope.astype(logits.dtype), None


lean_xent.defvjp(forward, backward)


# %% mean_gradient
# All rows get the mean of the gradients that arrive.
# Do: Multiply each row by its own g: `g[:, None]`.
# Breaks: Returns 2
# Fails: test_the_gradient_is_right, test_little_is_kept, test_large_logits_are_finite,
# test_a_batch_of_sequences, test_details
def backward(kept, g):
    logits, labels, total = kept
    softmax = jnp.exp(logits.astype(jnp.float32) - total[:, None])
    slope = g.mean() * (softmax - jax.nn.one_hot(labels, logits.shape[1]))
    return slope.astype(logits.dtype), None


lean_xent.defvjp(forward, backward)


# %% softmax_alone
# The one-hot row is missing in the gradient.
# Do: Subtract 1 at the place of the label.
# Breaks: Returns 2
# Fails: test_the_gradient_is_right, test_little_is_kept, test_little_is_kept_in_a_layer,
# test_large_logits_are_finite, test_a_batch_of_sequences, test_details
def backward(kept, g):
    logits, _, total = kept
    softmax = jnp.exp(logits.astype(jnp.float32) - total[:, None])
    return (g[:, None] * softmax).astype(logits.dtype), None


lean_xent.defvjp(forward, backward)


# %% half_difference
# Softmax and one-hot are subtracted in the dtype of the logits.
# Do: Subtract in float32, and round at the end.
# Breaks: Details 2
# Fails: test_details
def backward(kept, g):
    logits, labels, total = kept
    softmax = jnp.exp(logits.astype(jnp.float32) - total[:, None]).astype(logits.dtype)
    slope = softmax - jax.nn.one_hot(labels, logits.shape[1], dtype=logits.dtype)
    return (g[:, None] * slope).astype(logits.dtype), None


lean_xent.defvjp(forward, backward)


# %% all_in_half
# Softmax, g and their product have the dtype of the logits.
# Do: Compute the whole gradient in float32, and round it once.
# Breaks: Details 2
# Fails: test_details
def backward(kept, g):
    logits, labels, total = kept
    softmax = jnp.exp(logits.astype(jnp.float32) - total[:, None]).astype(logits.dtype)
    g = g.astype(logits.dtype)[:, None]
    return g * softmax - g * jax.nn.one_hot(labels, logits.shape[1], dtype=logits.dtype), None


lean_xent.defvjp(forward, backward)


# %% narrow_arrivals
# The gradient that arrives is rounded to the dtype of the logits: in float16, 1e5 is infinite.
# Do: Multiply by g in float32.
# Breaks: Details 3
# Fails: test_details
def backward(kept, g, known=backward):
    return known(kept, g.astype(kept[0].dtype))


lean_xent.defvjp(forward, backward)


# %% labels_from_outside
# The rule is made inside the function, and uses labels that belong to another trace.
# Do: Make the labels an argument of the function that has the rule.
# Breaks: Returns 5
# Fails: test_little_is_kept, test_little_is_kept_in_a_layer, test_a_batch_of_sequences
def lean_xent(logits, labels):
    @jax.custom_vjp
    def loss(logits):
        return plain(logits, labels)

    loss.defvjp(
        lambda logits: (plain(logits, labels), logits),
        lambda logits, g: jax.vjp(lambda x: plain(x, labels), logits)[1](g),
    )
    return loss(logits)


# %% half_precision
# The loss is computed in the dtype of the logits.
# Do: Cast the logits to float32 before the sum.
# Breaks: Details 1
# Fails: test_little_is_kept, test_details
def lean_xent(logits, labels):
    def loss(logits):
        chosen = jnp.take_along_axis(logits, labels[:, None], axis=1)[:, 0]
        return (jax.nn.logsumexp(logits, axis=1) - chosen).astype(jnp.float32)

    return jax.checkpoint(loss)(logits)


# %% no_shift
# The exponentials of large logits are infinite.
# Do: Use `jax.nn.logsumexp`, or subtract the largest logit of each row first.
# Breaks: Returns 4
# Fails: test_large_logits_are_finite
def lean_xent(logits, labels):
    def loss(logits):
        wide = logits.astype(jnp.float32)
        chosen = jnp.take_along_axis(wide, labels[:, None], axis=1)[:, 0]
        return jnp.log(jnp.exp(wide).sum(axis=1)) - chosen

    return jax.checkpoint(loss)(logits)


# %% no_shift_in_the_softmax
# The loss is finite, but the softmax of the backward pass divides infinity by infinity.
# Do: Use `jax.nn.softmax`, or subtract what `logsumexp` gave before the exponential.
# Breaks: Returns 4
# Fails: test_large_logits_are_finite
def backward(kept, g):
    logits, labels, _ = kept
    powers = jnp.exp(logits.astype(jnp.float32))
    softmax = powers / powers.sum(axis=1, keepdims=True)
    slope = g[:, None] * softmax - g[:, None] * jax.nn.one_hot(labels, logits.shape[1])
    return slope.astype(logits.dtype), None


lean_xent.defvjp(forward, backward)


# %% once missed


# %% mean_loss
# The result is the mean of the losses.
# Breaks: Returns 1
# Fails: test_each_row_has_its_loss, test_the_gradient_is_right, test_little_is_kept,
# test_large_logits_are_finite, test_a_batch_of_sequences, test_details
def lean_xent(logits, labels):
    return jax.checkpoint(plain)(logits, labels).mean()


# %% clipped_softmax
# The softmax is kept away from 0.
# Breaks: Returns 1
# Fails: test_large_logits_are_finite
def lean_xent(logits, labels):
    def loss(logits):
        softmax = jax.nn.softmax(logits.astype(jnp.float32), axis=1)
        chosen = jnp.take_along_axis(softmax, labels[:, None], axis=1)[:, 0]
        return -jnp.log(jnp.maximum(chosen, 1e-15))

    return jax.checkpoint(loss)(logits)


# %% no_shift_without_a_gradient
# The loss without a gradient is a simpler one, and infinite where logits are large.
# Breaks: Returns 4
# Fails: test_large_logits_are_finite
@jax.custom_vjp
def lean_xent(logits, labels):
    wide = logits.astype(jnp.float32)
    chosen = jnp.take_along_axis(wide, labels[:, None], axis=1)[:, 0]
    return jnp.log(jnp.exp(wide).sum(axis=1)) - chosen


lean_xent.defvjp(forward, backward)


# %% float32_gradient
# The gradient isn't cast to the dtype of the logits.
# Breaks: Returns 2
# Fails: test_little_is_kept, test_details
def backward(kept, g):
    logits, labels, total = kept
    softmax = jnp.exp(logits.astype(jnp.float32) - total[:, None])
    return g[:, None] * (softmax - jax.nn.one_hot(labels, logits.shape[1])), None


lean_xent.defvjp(forward, backward)
