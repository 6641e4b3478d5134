"""Wrong answers to hedge; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _run(bet, losses):
    """Scan over weights that start at 1."""
    return jax.lax.scan(bet, jnp.ones(losses.shape[1], losses.dtype), losses)[1]


# %% as_it_was
# All weights become 0, and 0 is divided by 0.
# Do: Print the weights of the last round before the NaN.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_many_rounds_are_right, test_a_bad_expert_can_come_back, test_it_can_be_transformed
def hedge(losses, rate):
    def bet(weights, loss):
        return weights * jnp.exp(-rate * loss), weights / weights.sum()

    return _run(bet, losses)


# %% epsilon
# A small number below the fraction makes the shares 0, and they don't add up to 1.
# Do: Add up the shares of a late round.
# Breaks: Returns 3
# Fails: test_many_rounds_are_right, test_a_bad_expert_can_come_back, test_it_can_be_transformed
def hedge(losses, rate):
    def bet(weights, loss):
        return weights * jnp.exp(-rate * loss), weights / (weights.sum() + 1e-30)

    return _run(bet, losses)


# %% equal_shares
# Where all weights are 0, all shares are equal, as if nothing was known of the experts.
# Do: Compare the shares before and after this happens.
# Breaks: Returns 4
# Fails: test_many_rounds_are_right, test_a_bad_expert_can_come_back, test_it_can_be_transformed
def hedge(losses, rate):
    def bet(weights, loss):
        total = weights.sum()
        shares = jnp.where(total > 0, weights / jnp.where(total > 0, total, 1), 1 / len(loss))
        return weights * jnp.exp(-rate * loss), shares

    return _run(bet, losses)


# %% nan_to_num
# The NaN is replaced by 0 in the result.
# Do: Add up the shares of a late round.
# Breaks: Returns 3
# Fails: test_many_rounds_are_right, test_a_bad_expert_can_come_back, test_it_can_be_transformed
def hedge(losses, rate):
    def bet(weights, loss):
        return weights * jnp.exp(-rate * loss), weights / weights.sum()

    return jnp.nan_to_num(_run(bet, losses))


# %% smallest_weight
# No weight falls below a smallest number, so bad experts become equal to each other.
# Do: Let all experts lose, some more than others.
# Breaks: Returns 4
# Fails: test_many_rounds_are_right, test_a_bad_expert_can_come_back, test_it_can_be_transformed
def hedge(losses, rate):
    def bet(weights, loss):
        new = jnp.maximum(weights * jnp.exp(-rate * loss), 1e-30)
        return new, weights / weights.sum()

    return _run(bet, losses)


# %% normalised_weights
# The weights are divided by their sum in each round, but a weight that is 0 once stays 0.
# Do: Let an expert be bad for fifty rounds, and then good for longer.
# Breaks: Returns 4
# Fails: test_a_bad_expert_can_come_back
def hedge(losses, rate):
    def bet(weights, loss):
        shares = weights / weights.sum()
        return shares * jnp.exp(-rate * loss), shares

    return _run(bet, losses)


# %% log_of_the_weights
# The logarithm is taken of weights that are 0 already.
# Do: Ask where the 0 comes up first.
# Breaks: Returns 4
# Fails: test_many_rounds_are_right, test_a_bad_expert_can_come_back, test_it_can_be_transformed
def hedge(losses, rate):
    def bet(weights, loss):
        return weights * jnp.exp(-rate * loss), jax.nn.softmax(jnp.log(weights))

    return _run(bet, losses)


# %% plain_exponentials
# The totals are carried, and then their exponentials are taken as they are.
# Do: Subtract the largest logarithm first.
# Breaks: Returns 4
# Fails: test_many_rounds_are_right, test_a_bad_expert_can_come_back, test_it_can_be_transformed
def hedge(losses, rate):
    weights = jnp.exp(-rate * (jnp.cumsum(losses, axis=0) - losses))
    return weights / weights.sum(axis=1, keepdims=True)


# %% mean_subtracted
# The mean of the exponents is subtracted, so the weight of an expert far ahead is infinite.
# Do: Let one expert be far better than all others.
# Breaks: Returns 4
# Fails: test_many_rounds_are_right
def hedge(losses, rate):
    exponents = -rate * (jnp.cumsum(losses, axis=0) - losses)
    weights = jnp.exp(exponents - exponents.mean(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


# %% forgets
# The totals are averages, so early losses count less and less.
# Do: Compute the shares of the third round by hand.
# Breaks: Returns 2
# Fails: test_few_rounds_are_right, test_losses_may_be_gains, test_many_rounds_are_right,
# test_a_bad_expert_can_come_back, test_it_can_be_transformed
def hedge(losses, rate):
    rounds = jnp.arange(len(losses))[:, None]
    means = (jnp.cumsum(losses, axis=0) - losses) / jnp.maximum(rounds, 1)
    return jax.nn.softmax(-rate * means, axis=1)


# %% own_round
# The loss of a round counts in the shares of this round already.
# Do: Look at the shares of the first round.
# Breaks: Returns 2
# Fails: test_few_rounds_are_right, test_losses_may_be_gains, test_many_rounds_are_right,
# test_a_bad_expert_can_come_back, test_it_can_be_transformed
def hedge(losses, rate):
    return jax.nn.softmax(-rate * jnp.cumsum(losses, axis=0), axis=1)


# %% once missed
import numpy as np


# %% behind_the_last_round
# The shares after the last round are there, too, so there is a row too many.
# Breaks: Returns 1
# Fails: test_few_rounds_are_right, test_losses_may_be_gains, test_many_rounds_are_right,
# test_a_bad_expert_can_come_back, test_it_can_be_transformed
def hedge(losses, rate):
    totals = jnp.cumsum(losses, axis=0)
    totals = jnp.concatenate([jnp.zeros_like(totals[:1]), totals])
    return jax.nn.softmax(-rate * totals, axis=1)


# %% totals_by_numpy
# NumPy adds the losses up, and can't look at an array that is traced.
# Breaks: Returns 5
# Fails: test_it_can_be_transformed
def hedge(losses, rate):
    losses = np.asarray(losses)
    return jax.nn.softmax(-rate * (np.cumsum(losses, axis=0) - losses), axis=1)
