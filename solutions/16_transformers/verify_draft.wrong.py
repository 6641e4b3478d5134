"""What learners get wrong in verify_draft; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def ratios(draft, q, p):
    place = jnp.arange(len(draft))
    return p[place, draft] / q[place, draft]


def accepted(draft, q, p, u):
    return jnp.cumprod((u[:-1] < ratios(draft, q, p)).astype(jnp.int32)).sum()


def remainder(q, p):
    return jnp.maximum(p - jnp.pad(q, ((0, 1), (0, 0))), 0)


def finished(draft, n, weights, u, side="right"):
    sums = jnp.cumsum(weights)
    drawn = jnp.searchsorted(sums, u * sums[-1], side=side).astype(jnp.int32)
    place = jnp.arange(len(draft) + 1)
    tokens = jnp.where(place < n, jnp.pad(draft, (0, 1)), -1)
    return jnp.where(place == n, drawn, tokens), n + 1


# %% all_that_pass
# Tokens after a rejection also count if they pass on their own.
# Do: Count the tokens before the first rejection: sum the cumulative product.
# Breaks: Returns 2
# Fails: test_tokens_up_to_the_first_rejection_are_accepted,
# test_after_a_rejection_the_rest_is_drawn_from, test_one_program_serves_every_number,
# test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    n = (u[:-1] < ratios(draft, q, p)).astype(jnp.int32).sum()
    return finished(draft, n, remainder(q, p)[n], u[-1])


# %% drawn_from_the_large_model
# After a rejection the token is drawn from p, so tokens of the draft come up too often.
# Do: Draw from the excess of p over q.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_after_a_rejection_the_rest_is_drawn_from, test_one_program_serves_every_number,
# test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    n = accepted(draft, q, p, u)
    return finished(draft, n, p[n], u[-1])


# %% absolute_difference
# The weights are the absolute differences, so tokens that q has too often are drawn.
# Do: Where q is larger, the weight is 0: `jnp.maximum(p - q, 0)`.
# Breaks: Returns 4
# Fails: test_after_a_rejection_the_rest_is_drawn_from, test_one_program_serves_every_number,
# test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    n = accepted(draft, q, p, u)
    return finished(draft, n, jnp.abs(p - jnp.pad(q, ((0, 1), (0, 0))))[n], u[-1])


# %% swapped_models
# The weights are the excess of q over p.
# Do: Check which tokens are missing up to p.
# Breaks: Returns 4
# Fails: test_after_a_rejection_the_rest_is_drawn_from, test_one_program_serves_every_number,
# test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    n = accepted(draft, q, p, u)
    weights = jnp.concatenate([jnp.maximum(q - p[:-1], 0), p[-1:]])[n]
    return finished(draft, n, weights, u[-1])


# %% not_normalised
# The weights don't sum to 1, but u is compared directly with their sums.
# Do: Multiply u by the sum of all weights.
# Breaks: Returns 5
# Fails: test_after_a_rejection_the_rest_is_drawn_from, test_one_program_serves_every_number,
# test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    n = accepted(draft, q, p, u)
    place = jnp.arange(len(draft) + 1)
    drawn = jnp.argmax(jnp.cumsum(remainder(q, p)[n]) > u[-1])
    tokens = jnp.where(place < n, jnp.pad(draft, (0, 1)), -1)
    return jnp.where(place == n, drawn.astype(jnp.int32), tokens), n + 1


# %% last_row_of_the_draft
# If all tokens are accepted, the weights come from row K - 1.
# Do: Give q an extra row of zeros, so that row K of p is used unchanged.
# Breaks: Returns 4
# Fails: test_if_all_are_accepted_one_more_is_drawn, test_one_program_serves_every_number,
# test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    n = accepted(draft, q, p, u)
    return finished(draft, n, jnp.maximum(p[:-1] - q, 0)[jnp.minimum(n, len(q) - 1)], u[-1])


# %% always_the_last_row
# The weights after a rejection come from the row after the draft.
# Do: Take row n, the rejected token's row.
# Breaks: Returns 4
# Fails: test_after_a_rejection_the_rest_is_drawn_from, test_one_program_serves_every_number,
# test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    n = accepted(draft, q, p, u)
    return finished(draft, n, p[-1], u[-1])


# %% one_row_too_early
# The rows of p are assumed to begin after the first token.
# Do: Row i of p belongs to token i of the draft.
# Breaks: Returns 2
# Fails: test_tokens_up_to_the_first_rejection_are_accepted,
# test_after_a_rejection_the_rest_is_drawn_from, test_if_all_are_accepted_one_more_is_drawn,
# test_one_program_serves_every_number, test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    n = accepted(draft, q, p[1:], u)
    return finished(draft, n, remainder(q, p)[n], u[-1])


# %% inverted_ratio
# A token is accepted with probability q / p.
# Do: Accept a token where u is less than p / q.
# Breaks: Returns 2
# Fails: test_tokens_up_to_the_first_rejection_are_accepted,
# test_after_a_rejection_the_rest_is_drawn_from, test_if_all_are_accepted_one_more_is_drawn,
# test_one_program_serves_every_number, test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    place = jnp.arange(len(draft))
    passed = u[:-1] < q[place, draft] / p[place, draft]
    n = jnp.cumprod(passed.astype(jnp.int32)).sum()
    return finished(draft, n, remainder(q, p)[n], u[-1])


# %% first_false_of_none
# If there is no rejection, `argmin` returns 0.
# Do: Append a False to the accepted flags.
# Breaks: Returns 1
# Fails: test_tokens_up_to_the_first_rejection_are_accepted,
# test_if_all_are_accepted_one_more_is_drawn, test_one_program_serves_every_number,
# test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    n = jnp.argmin(u[:-1] < ratios(draft, q, p)).astype(jnp.int32)
    return finished(draft, n, remainder(q, p)[n], u[-1])


# %% python_loop
# A Python loop ends at the first rejection, so the number has to be known.
# Do: Compute with all tokens, and mask those after the first rejection.
# Breaks: Details 1
# Fails: test_one_program_serves_every_number, test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    n, passed = 0, u[:-1] < ratios(draft, q, p)
    while n < len(draft) and passed[n]:
        n += 1
    return finished(draft, jnp.int32(n), remainder(q, p)[n], u[-1])


# %% number_of_accepted
# The number doesn't include the drawn token.
# Do: Return n + 1.
# Breaks: Returns 1
# Fails: test_tokens_up_to_the_first_rejection_are_accepted,
# test_after_a_rejection_the_rest_is_drawn_from, test_if_all_are_accepted_one_more_is_drawn,
# test_one_program_serves_every_number, test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u, solution=verify_draft):
    tokens, count = solution(draft, q, p, u)
    return tokens, count - 1


# %% rejected_tokens_stay
# The tokens after the drawn one are those of the draft.
# Do: Set them to -1.
# Breaks: Returns 3
# Fails: test_tokens_up_to_the_first_rejection_are_accepted,
# test_after_a_rejection_the_rest_is_drawn_from, test_one_program_serves_every_number, test_details
def verify_draft(draft, q, p, u, solution=verify_draft):
    tokens, count = solution(draft, q, p, u)
    place = jnp.arange(len(tokens))
    return jnp.where(place < count, tokens, jnp.pad(draft, (0, 1))), count


# %% same_number_twice
# The draw uses the number that rejected the token.
# Do: Use u[K] for the draw.
# Breaks: Returns 5
# Fails: test_after_a_rejection_the_rest_is_drawn_from, test_one_program_serves_every_number,
# test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    n = accepted(draft, q, p, u)
    return finished(draft, n, remainder(q, p)[n], u[n])


# %% most_probable_remainder
# The token with the largest weight is taken, so nothing is drawn.
# Do: Draw with u[K] in proportion to the weights.
# Breaks: Returns 5
# Fails: test_after_a_rejection_the_rest_is_drawn_from, test_if_all_are_accepted_one_more_is_drawn,
# test_one_program_serves_every_number, test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    n = accepted(draft, q, p, u)
    return finished(draft, n, jax.nn.one_hot(remainder(q, p)[n].argmax(), p.shape[1]), u[-1])


# %% sum_up_to_it_may_be_equal
# A sum that equals the number is enough, so with u[K] = 0 a token of weight 0 is drawn.
# Do: Use `side="right"`, or `>`.
# Breaks: Details 2
# Fails: test_details
def verify_draft(draft, q, p, u):
    n = accepted(draft, q, p, u)
    return finished(draft, n, remainder(q, p)[n], u[-1], side="left")


# %% probabilities_of_the_first_row
# All tokens are compared with the first row.
# Do: Row i belongs to token i: index with `jnp.arange(K)`.
# Breaks: Returns 2
# Fails: test_tokens_up_to_the_first_rejection_are_accepted,
# test_after_a_rejection_the_rest_is_drawn_from, test_if_all_are_accepted_one_more_is_drawn,
# test_one_program_serves_every_number, test_the_law_is_that_of_the_large_model, test_details
def verify_draft(draft, q, p, u):
    passed = u[:-1] < p[0, draft] / q[0, draft]
    n = jnp.cumprod(passed.astype(jnp.int32)).sum()
    return finished(draft, n, remainder(q, p)[n], u[-1])


# %% once missed


# %% may_equal_the_ratio
# A token is accepted if u equals the ratio, even if both are 0.
# Do: Accept a token where u is less than p / q.
# Breaks: Details 2
# Fails: test_details
def verify_draft(draft, q, p, u):
    n = jnp.cumprod((u[:-1] <= ratios(draft, q, p)).astype(jnp.int32)).sum()
    return finished(draft, n, remainder(q, p)[n], u[-1])
