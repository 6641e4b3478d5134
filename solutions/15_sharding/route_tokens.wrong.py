"""What learners get wrong in route_tokens; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% last_slot
# A token without a slot overwrites the token in the last slot.
# Do: Write with `mode="drop"`, and leave the number of the slot as it is.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_tokens_without_a_slot_are_dropped, test_the_gates_are_probabilities_of_the_experts,
# test_no_token_waits_for_another, test_the_gates_have_gradients, test_details
def route_tokens(logits, capacity):
    n, experts = logits.shape
    chosen = jnp.argmax(logits, axis=1)
    taken = jax.nn.one_hot(chosen, experts, dtype=jnp.int32)
    slot = jnp.sum(taken * jnp.cumsum(taken, axis=0), axis=1) - 1
    slot = jnp.minimum(slot, capacity - 1)
    gate = jnp.max(jax.nn.softmax(logits, axis=1), axis=1)
    tokens = jnp.full((experts, capacity), n, jnp.int32)
    tokens = tokens.at[chosen, slot].set(jnp.arange(n, dtype=jnp.int32))
    return tokens, jnp.zeros((experts, capacity)).at[chosen, slot].set(gate)


# %% around_the_slots
# A token without a slot starts again at the first slot.
# Do: Leave the number of the slot as it is, and write with `mode="drop"`.
# Breaks: Returns 2
# Fails: test_tokens_without_a_slot_are_dropped, test_the_gates_are_probabilities_of_the_experts,
# test_no_token_waits_for_another, test_the_gates_have_gradients, test_details
def route_tokens(logits, capacity):
    n, experts = logits.shape
    chosen = jnp.argmax(logits, axis=1)
    taken = jax.nn.one_hot(chosen, experts, dtype=jnp.int32)
    slot = jnp.sum(taken * jnp.cumsum(taken, axis=0), axis=1) - 1
    gate = jnp.max(jax.nn.softmax(logits, axis=1), axis=1)
    tokens = jnp.full((experts, capacity), -1, jnp.int32)
    tokens = tokens.at[chosen, slot % capacity].max(jnp.arange(n, dtype=jnp.int32))
    gates = jnp.where(tokens >= 0, gate[tokens], 0)
    return jnp.where(tokens >= 0, tokens, n), gates


# %% all_tokens_counted
# The slot is the number of all earlier tokens, regardless of their expert.
# Do: Count only the tokens of the same expert: sum the one-hot table down its columns.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_each_expert_gets_its_tokens_in_order, test_tokens_without_a_slot_are_dropped,
# test_the_gates_are_probabilities_of_the_experts, test_no_token_waits_for_another,
# test_the_gates_have_gradients, test_details
def route_tokens(logits, capacity):
    n, experts = logits.shape
    chosen, slot = jnp.argmax(logits, axis=1), jnp.arange(n, dtype=jnp.int32)
    gate = jnp.max(jax.nn.softmax(logits, axis=1), axis=1)
    tokens = jnp.full((experts, capacity), n, jnp.int32).at[chosen, slot].set(slot, mode="drop")
    return tokens, jnp.zeros((experts, capacity)).at[chosen, slot].set(gate, mode="drop")


# %% slots_from_one
# The running sum counts the token itself, so the first slot stays empty.
# Do: Subtract 1 from the running sum.
# Breaks: Returns 2
# Fails: test_each_expert_gets_its_tokens_in_order, test_tokens_without_a_slot_are_dropped,
# test_the_gates_are_probabilities_of_the_experts, test_no_token_waits_for_another,
# test_the_gates_have_gradients, test_details
def route_tokens(logits, capacity):
    n, experts = logits.shape
    chosen = jnp.argmax(logits, axis=1)
    taken = jax.nn.one_hot(chosen, experts, dtype=jnp.int32)
    slot = jnp.sum(taken * jnp.cumsum(taken, axis=0), axis=1)
    gate = jnp.max(jax.nn.softmax(logits, axis=1), axis=1)
    tokens = jnp.full((experts, capacity), n, jnp.int32)
    tokens = tokens.at[chosen, slot].set(jnp.arange(n, dtype=jnp.int32), mode="drop")
    return tokens, jnp.zeros((experts, capacity)).at[chosen, slot].set(gate, mode="drop")


# %% best_first
# The tokens with the largest gates get the slots, instead of the first ones.
# Do: Keep the order of the tokens.
# Breaks: Returns 2
# Fails: test_each_expert_gets_its_tokens_in_order, test_tokens_without_a_slot_are_dropped,
# test_the_gates_are_probabilities_of_the_experts, test_no_token_waits_for_another,
# test_the_gates_have_gradients, test_details
def route_tokens(logits, capacity, solution=route_tokens):
    order = jnp.argsort(-jnp.max(jax.nn.softmax(logits, axis=1), axis=1))
    tokens, gates = solution(logits[order], capacity)
    return order.at[tokens].get(mode="fill", fill_value=len(logits)).astype(jnp.int32), gates


# %% last_ones_kept
# The last tokens of an expert get the slots, instead of the first ones.
# Do: Count from the first token.
# Breaks: Returns 2
# Fails: test_tokens_without_a_slot_are_dropped, test_the_gates_are_probabilities_of_the_experts,
# test_no_token_waits_for_another, test_the_gates_have_gradients, test_details
def route_tokens(logits, capacity, solution=route_tokens):
    n = len(logits)
    tokens, gates = solution(logits[::-1], capacity)
    tokens = jnp.where(tokens < n, n - 1 - tokens, n)
    order = jnp.argsort(tokens, axis=1)
    return jnp.take_along_axis(tokens, order, 1), jnp.take_along_axis(gates, order, 1)


# %% minus_one
# An empty slot has the number -1, which is the last token in JAX.
# Do: Fill the table with n before you write.
# Breaks: Returns 3
# Fails: test_each_expert_gets_its_tokens_in_order, test_tokens_without_a_slot_are_dropped,
# test_no_token_waits_for_another, test_details
def route_tokens(logits, capacity, solution=route_tokens):
    tokens, gates = solution(logits, capacity)
    return jnp.where(tokens == len(logits), -1, tokens), gates


# %% filled_with_zeros
# An empty slot has the number 0, as if it held the first token.
# Do: Fill the table with n before you write.
# Breaks: Returns 3
# Fails: test_each_expert_gets_its_tokens_in_order, test_tokens_without_a_slot_are_dropped,
# test_no_token_waits_for_another, test_details
def route_tokens(logits, capacity, solution=route_tokens):
    tokens, gates = solution(logits, capacity)
    return jnp.where(tokens == len(logits), 0, tokens), gates


# %% softmax_over_tokens
# The softmax is over the tokens instead of the experts.
# Do: Use `axis=1`: the probabilities of one token sum to 1.
# Breaks: Returns 4
# Fails: test_the_gates_are_probabilities_of_the_experts, test_no_token_waits_for_another,
# test_the_gates_have_gradients, test_details
def route_tokens(logits, capacity, solution=route_tokens):
    tokens, _ = solution(logits, capacity)
    weights = jax.nn.softmax(logits, axis=0)
    experts = jnp.arange(logits.shape[1])[:, None]
    return tokens, weights.at[tokens, experts].get(mode="fill", fill_value=0)


# %% gates_of_logits
# The gates are the largest logits.
# Do: First take the softmax of a token's logits.
# Breaks: Returns 4
# Fails: test_the_gates_are_probabilities_of_the_experts, test_no_token_waits_for_another,
# test_the_gates_have_gradients, test_details
def route_tokens(logits, capacity, solution=route_tokens):
    tokens, _ = solution(logits, capacity)
    return tokens, logits.max(axis=1).at[tokens].get(mode="fill", fill_value=0)


# %% no_overflow_guard
# exp of a large logit is infinite.
# Do: Use `jax.nn.softmax`.
# Breaks: Details 2
# Fails: test_details
def route_tokens(logits, capacity, solution=route_tokens):
    tokens, _ = solution(logits, capacity)
    weights = jnp.exp(logits)
    gate = weights.max(axis=1) / weights.sum(axis=1)
    return tokens, gate.at[tokens].get(mode="fill", fill_value=0)


# %% gates_without_slots
# An empty slot's gate isn't 0: it is that of the last token.
# Do: Begin with zeros, and write only the gates of tokens in a slot.
# Breaks: Returns 5
# Fails: test_the_gates_are_probabilities_of_the_experts, test_no_token_waits_for_another,
# test_details
def route_tokens(logits, capacity, solution=route_tokens):
    tokens, _ = solution(logits, capacity)
    return tokens, jnp.max(jax.nn.softmax(logits, axis=1), axis=1)[tokens]


# %% no_gradient
# The gates are constants for `grad`.
# Do: Don't stop the gradient. The router learns through the gates.
# Breaks: Details 3
# Fails: test_the_gates_have_gradients
def route_tokens(logits, capacity, solution=route_tokens):
    tokens, gates = solution(logits, capacity)
    return tokens, lax.stop_gradient(gates)


# %% last_of_equal_logits
# Of equal logits, the last one is used.
# Do: Take the first one, as `jnp.argmax` does.
# Breaks: Returns 1
# Fails: test_details
def route_tokens(logits, capacity, solution=route_tokens):
    tokens, gates = solution(logits[:, ::-1], capacity)
    return tokens[::-1], gates[::-1]


# %% one_by_one
# A scan assigns slots to tokens one after another.
# Do: Sum the one-hot table down its columns with `jnp.cumsum`: all tokens at once.
# Breaks: Returns 6
# Fails: test_no_token_waits_for_another
def route_tokens(logits, capacity):
    n, experts = logits.shape
    gate = jnp.max(jax.nn.softmax(logits, axis=1), axis=1)

    def place(carry, token):
        tokens, gates, used = carry
        e = jnp.argmax(logits[token])
        tokens = tokens.at[e, used[e]].set(token, mode="drop")
        gates = gates.at[e, used[e]].set(gate[token], mode="drop")
        return (tokens, gates, used.at[e].add(1)), None

    start = jnp.full((experts, capacity), n, jnp.int32), jnp.zeros((experts, capacity))
    start = *start, jnp.zeros(experts, jnp.int32)
    return lax.scan(place, start, jnp.arange(n, dtype=jnp.int32))[0][:2]


# %% thirty_by_thirty
# A loop counts the tokens, thirty in each round.
# Do: Take one running sum over all tokens.
# Breaks: Returns 6
# Fails: test_no_token_waits_for_another
def route_tokens(logits, capacity):
    n, experts = logits.shape
    size = max(k for k in range(1, min(n, 30) + 1) if n % k == 0)
    chosen = jnp.argmax(logits, axis=1)
    gate = jnp.max(jax.nn.softmax(logits, axis=1), axis=1)

    def some(used, chosen):
        before = jnp.cumsum(jax.nn.one_hot(chosen, experts, dtype=jnp.int32), axis=0) + used
        return before[-1], before[jnp.arange(size), chosen] - 1

    slot = lax.scan(some, jnp.zeros(experts, jnp.int32), chosen.reshape(-1, size))[1].ravel()
    tokens = jnp.full((experts, capacity), n, jnp.int32)
    tokens = tokens.at[chosen, slot].set(jnp.arange(n, dtype=jnp.int32), mode="drop")
    return tokens, jnp.zeros((experts, capacity)).at[chosen, slot].set(gate, mode="drop")


# %% once missed


# %% numbers_as_floats
# The numbers of the tokens are floats.
# Breaks: Returns 1
# Fails: test_each_expert_gets_its_tokens_in_order, test_tokens_without_a_slot_are_dropped,
# test_no_token_waits_for_another, test_details
def route_tokens(logits, capacity, solution=route_tokens):
    tokens, gates = solution(logits, capacity)
    return tokens.astype(jnp.float32), gates


# %% unknown_size
# The tokens of an expert are found by a search whose size depends on values.
# Breaks: Returns 7
# Fails: test_each_expert_gets_its_tokens_in_order, test_tokens_without_a_slot_are_dropped,
# test_the_gates_are_probabilities_of_the_experts, test_no_token_waits_for_another,
# test_the_gates_have_gradients, test_details
def route_tokens(logits, capacity):
    n, experts = logits.shape
    chosen, gate = jnp.argmax(logits, axis=1), jnp.max(jax.nn.softmax(logits, axis=1), axis=1)
    rows = [jnp.nonzero(chosen == e)[0][:capacity] for e in range(experts)]
    filled = [jnp.pad(row, (0, capacity - row.size), constant_values=n) for row in rows]
    tokens = jnp.stack(filled).astype(jnp.int32)
    return tokens, jnp.append(gate, 0)[tokens]


# %% no_more_than_all
# The numbers are sorted and the first ones are sliced out, but there are never more than n.
# Breaks: Details 1
# Fails: test_details
def route_tokens(logits, capacity):
    n, experts = logits.shape
    chosen, gate = jnp.argmax(logits, axis=1), jnp.max(jax.nn.softmax(logits, axis=1), axis=1)
    number = jnp.arange(n, dtype=jnp.int32)[:, None]
    numbers = jnp.where(chosen[:, None] == jnp.arange(experts), number, n)
    tokens = jnp.sort(numbers, axis=0)[:capacity].T
    return tokens, jnp.append(gate, 0)[tokens]


# %% small_integers
# The tokens of an expert are counted in int8, which overflows after 127 of them.
# Breaks: Returns 2
# Fails: test_no_token_waits_for_another
def route_tokens(logits, capacity):
    n, experts = logits.shape
    chosen, gate = jnp.argmax(logits, axis=1), jnp.max(jax.nn.softmax(logits, axis=1), axis=1)
    mine = chosen[:, None] == jnp.arange(experts)
    slot = jnp.cumsum(mine.astype(jnp.int8), axis=0, dtype=jnp.int8)[jnp.arange(n), chosen] - 1
    slot = jnp.where(slot < 0, capacity, slot)
    tokens = jnp.full((experts, capacity), n, jnp.int32)
    tokens = tokens.at[chosen, slot].set(jnp.arange(n, dtype=jnp.int32), mode="drop")
    return tokens, jnp.append(gate, 0)[tokens]
