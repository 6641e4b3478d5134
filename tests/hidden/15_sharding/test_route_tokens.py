"""route_tokens(logits, capacity): who gets which slot, and the gates.

Tokens get their experts first, and the logits are drawn so that these are the largest ones.
"""

import jax
import numpy as np
import pytest

from grader.suite import assert_close, case


def logits_for(rng, chosen, experts):
    """Logits whose largest one in each row is that of the expert, clearly."""
    logits = rng.uniform(-1.5, 1, size=(len(chosen), experts))
    logits[np.arange(len(chosen)), chosen] = rng.uniform(1.2, 2.5, size=len(chosen))
    return logits.astype(np.float32)


def shared(rng, counts):
    """Experts in any order, each so often."""
    return rng.permutation(np.repeat(np.arange(len(counts)), counts))


def softmax(logits):
    wide = logits.astype(np.float64)
    weights = np.exp(wide - wide.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def routed(logits, capacity):
    """One token after the other."""
    n, experts = logits.shape
    tokens, gates = np.full((experts, capacity), n, np.int32), np.zeros((experts, capacity))
    used = [0] * experts
    for token, (row, weights) in enumerate(zip(logits, softmax(logits), strict=True)):
        expert = int(np.argmax(row))
        if used[expert] < capacity:
            tokens[expert, used[expert]] = token
            gates[expert, used[expert]] = weights[expert]
            used[expert] += 1
    return tokens, gates


def check(found, logits, capacity):
    assert_close(found, routed(logits, capacity), atol=1e-5)


def slots(route, logits, capacity):
    """The tokens alone."""
    return route(logits, capacity)[0]


def weights(route, logits, capacity):
    """The gates alone."""
    return route(logits, capacity)[1]


@pytest.mark.points(2)
@pytest.mark.hint("How many earlier tokens have the same expert? And what does an empty slot hold?")
def test_each_expert_gets_its_tokens_in_order(submission, rng):
    """With slots for all, each expert has its tokens in order, and then n."""
    run = submission.route_tokens.used_by(slots)
    for counts, capacity in (((3, 2, 4, 3), 6), ((2, 5), 7)):
        logits = logits_for(rng, shared(rng, counts), len(counts))
        assert_close(run(logits, capacity), routed(logits, capacity)[0])


@pytest.mark.points(3)
@pytest.mark.hint("Which tokens have a full expert's slots, and where does the next token go?")
def test_tokens_without_a_slot_are_dropped(submission, rng):
    """If an expert is full, later tokens are dropped, and no other slot changes."""
    run = submission.route_tokens.used_by(slots)
    for counts, capacity in (((5, 2, 4, 1), 3), ((8, 4), 2)):
        logits = logits_for(rng, shared(rng, counts), len(counts))
        assert_close(run(logits, capacity), routed(logits, capacity)[0])


@pytest.mark.points(2)
@pytest.mark.hint("Along which axis is the sum 1? And which entry belongs to a slot?")
def test_the_gates_are_probabilities_of_the_experts(submission, rng):
    """Each slot has the probability of its expert for its token, and an empty slot has 0."""
    run = submission.route_tokens.used_by(weights)
    for counts, capacity in (((3, 2, 4, 3), 6), ((5, 2, 4, 1), 3)):
        logits = logits_for(rng, shared(rng, counts), len(counts))
        assert_close(run(logits, capacity), routed(logits, capacity)[1], atol=1e-5)


@pytest.mark.hint("Does a token wait for the one before it? Which function sums along an axis?")
def test_no_token_waits_for_another(submission, rng):
    """For 1200 tokens, far fewer than 1200 operations wait for one another."""
    logits = logits_for(rng, shared(rng, (1080, 60, 40, 20)), 4)
    program = submission.route_tokens.program(logits, 1060)
    # Right answers have a depth of up to 67.
    assert program.depth < 105
    check(program.structured(logits, 1060), logits, 1060)


def weighted(route, logits, capacity, factors):
    return (route(logits, capacity)[1] * factors).sum()


@pytest.mark.hint("Can a gradient pass from a slot to the logits of its token?")
def test_the_gates_have_gradients(submission, rng):
    """The gates have the gradient of the softmax in the logits, for tokens in a slot."""
    logits = logits_for(rng, shared(rng, (5, 2, 4, 1)), 4)
    factors = rng.normal(size=(4, 3)).astype(np.float32)
    tokens, _ = routed(logits, 3)
    expected, probabilities = np.zeros(logits.shape), softmax(logits)
    for expert, slot in np.ndindex(4, 3):
        token = tokens[expert, slot]
        if token < len(logits):
            p = probabilities[token]
            expected[token] = factors[expert, slot] * p[expert] * (np.eye(4)[expert] - p)
    found = submission.route_tokens.used_by(weighted).grad(argnums=0)(logits, 3, factors)
    assert_close(found, expected, atol=1e-5)


def mapped(route, many):
    return jax.vmap(lambda logits: route(logits, 3))(many)


def test_details(submission, rng):
    """It works for equal and large logits, idle experts, spare slots, and under `vmap`."""
    with case("where logits are equal", hint="`jnp.argmax` takes the first of equal values."):
        logits = rng.integers(0, 2, size=(12, 4)).astype(np.float32)
        check(submission.route_tokens(logits, 3), logits, 3)
    with case("where an expert gets no token", hint="Its slots are empty: n, and gates of 0."):
        logits = logits_for(rng, shared(rng, (6, 0, 6, 0)), 4)
        check(submission.route_tokens(logits, 3), logits, 3)
    with case("for more slots than tokens", hint="The remaining slots are empty."):
        logits = logits_for(rng, shared(rng, (1, 2)), 2)
        check(submission.route_tokens(logits, 5), logits, 5)
    with case("for large logits", hint="exp(89) overflows. `jax.nn.softmax` takes care of that."):
        logits = logits_for(rng, shared(rng, (5, 2, 4, 1)), 4) * np.float32(400)
        check(submission.route_tokens(logits, 3), logits, 3)
    with case("under `vmap`", hint="Each batch has its own tokens and slots."):
        many = np.stack([logits_for(rng, shared(rng, (5, 2, 4, 1)), 4) for _ in range(2)])
        expected = map(np.stack, zip(*(routed(logits, 3) for logits in many), strict=True))
        assert_close(submission.route_tokens.used_by(mapped)(many), tuple(expected), atol=1e-5)
