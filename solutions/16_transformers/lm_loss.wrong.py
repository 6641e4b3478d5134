"""Wrong answers to lm_loss; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _each(logits, targets):
    """The loss of each row, 0 where there is no target."""
    logs = jax.nn.log_softmax(logits)
    index = jnp.maximum(targets, 0)[..., None]
    return jnp.where(targets >= 0, -jnp.take_along_axis(logs, index, axis=-1)[..., 0], 0)


# %% as_it_was
# Each row is compared with the token that it has seen.
# Do: Say for a text of three tokens what each row has to predict.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_large_logits_are_finite, test_each_row_predicts_the_next_token,
# test_padding_does_not_count, test_the_last_row_has_no_target
def lm_loss(logits, tokens):
    return _each(logits, tokens).sum() / (tokens >= 0).sum()


# %% wrong_direction
# Each row is compared with the token before the last one it has seen.
# Do: Say for a text of three tokens what each row has to predict.
# Breaks: Returns 1
# Fails: test_large_logits_are_finite, test_each_row_predicts_the_next_token,
# test_padding_does_not_count, test_the_last_row_has_no_target
def lm_loss(logits, tokens):
    targets = tokens[:, :-1]
    return _each(logits[:, 1:], targets).sum() / (targets >= 0).sum()


# %% rolled
# The last row of a text is compared with its first token.
# Do: Change the last row, and look at the loss.
# Breaks: Returns 1
# Fails: test_large_logits_are_finite, test_each_row_predicts_the_next_token,
# test_padding_does_not_count, test_the_last_row_has_no_target
def lm_loss(logits, tokens):
    targets = jnp.roll(tokens, -1, axis=1)
    return _each(logits, targets).sum() / (targets >= 0).sum()


# %% all_tokens_counted
# The sum is divided by the number of tokens, but the first tokens have no row.
# Do: Count the targets of a text with two tokens.
# Breaks: Returns 1
# Fails: test_equal_logits_have_the_loss_of_a_guess, test_large_logits_are_finite,
# test_each_row_predicts_the_next_token, test_padding_does_not_count,
# test_the_last_row_has_no_target
def lm_loss(logits, tokens):
    return _each(logits[:, :-1], tokens[:, 1:]).sum() / (tokens >= 0).sum()


# %% padding_counted
# The sum is divided by the number of rows, including padding.
# Do: Count the targets of a text with padding.
# Breaks: Returns 2
# Fails: test_equal_logits_have_the_loss_of_a_guess, test_padding_does_not_count,
# test_the_last_row_has_no_target
def lm_loss(logits, tokens):
    return _each(logits[:, :-1], tokens[:, 1:]).mean()


# %% mean_of_texts
# Each text has its own mean, and all texts count equally.
# Do: Compare a long text and a short one with both together.
# Breaks: Returns 1
# Fails: test_padding_does_not_count, test_the_last_row_has_no_target
def lm_loss(logits, tokens):
    targets = tokens[:, 1:]
    counts = (targets >= 0).sum(axis=1)
    means = _each(logits[:, :-1], targets).sum(axis=1) / jnp.maximum(counts, 1)
    return means.sum() / (counts > 0).sum()


# %% mask_of_the_rows
# A row counts if its own token is real, so the last row of a short text is compared with padding.
# Do: Say which rows of a short text have a target.
# Breaks: Returns 2
# Fails: test_padding_does_not_count, test_the_last_row_has_no_target
def lm_loss(logits, tokens):
    logs, is_real = jax.nn.log_softmax(logits[:, :-1]), tokens[:, :-1] >= 0
    each = jnp.take_along_axis(logs, tokens[:, 1:, None], axis=-1)[..., 0]
    return -jnp.sum(jnp.where(is_real, each, 0)) / jnp.sum(is_real)


# %% skips_a_token
# The tokens are shifted twice, so each row is compared with the token after the next one.
# Do: Say for a text of three tokens what the first row has to predict.
# Breaks: Returns 1
# Fails: test_large_logits_are_finite, test_each_row_predicts_the_next_token,
# test_padding_does_not_count, test_the_last_row_has_no_target
def lm_loss(logits, tokens):
    targets = jnp.pad(tokens[:, 2:], ((0, 0), (0, 1)), constant_values=-1)
    return _each(logits[:, :-1], targets).sum() / jnp.maximum((targets >= 0).sum(), 1)


# %% plain_exponentials
# The exponentials of large logits are infinite.
# Do: Compute the exponential of 100 in float32.
# Breaks: Returns 3
# Fails: test_large_logits_are_finite
def lm_loss(logits, tokens):
    weights, targets = jnp.exp(logits[:, :-1]), tokens[:, 1:]
    own = jnp.take_along_axis(weights, jnp.maximum(targets, 0)[..., None], axis=-1)[..., 0]
    each = jnp.log(own / weights.sum(axis=-1))
    return -jnp.sum(jnp.where(targets >= 0, each, 0)) / jnp.sum(targets >= 0)


# %% along_the_text
# The softmax is along the text, not along the words.
# Do: Add up the weights of one row.
# Breaks: Returns 1
# Fails: test_equal_logits_have_the_loss_of_a_guess, test_large_logits_are_finite,
# test_each_row_predicts_the_next_token, test_padding_does_not_count,
# test_the_last_row_has_no_target
def lm_loss(logits, tokens):
    logs, targets = jax.nn.log_softmax(logits[:, :-1], axis=1), tokens[:, 1:]
    each = jnp.take_along_axis(logs, jnp.maximum(targets, 0)[..., None], axis=-1)[..., 0]
    return -jnp.sum(jnp.where(targets >= 0, each, 0)) / jnp.sum(targets >= 0)


# %% once missed


# %% real_rows_by_index
# A boolean index picks the rows that count, but their number is unknown under `jit`.
# Breaks: Returns 4
# Fails: test_large_logits_are_finite, test_each_row_predicts_the_next_token,
# test_padding_does_not_count
def lm_loss(logits, tokens):
    is_real = tokens[:, 1:] >= 0
    logs, targets = jax.nn.log_softmax(logits[:, :-1][is_real]), tokens[:, 1:][is_real]
    return -jnp.take_along_axis(logs, targets[:, None], axis=-1).mean()
