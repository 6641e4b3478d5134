"""optimizer_chain(*parts): several optimisers as one.

The parts are made here. Each has a formula that doesn't commute with the others, so the order shows
in the numbers: `add`, `times`, `momentum` and others. References are loops in float64.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


class Part(NamedTuple):
    init: Any
    update: Any


class Layer(NamedTuple):
    weights: Any
    biases: Any


def nothing(params):
    return ()


def zeros(params):
    return jax.tree.map(jnp.zeros_like, params)


def add(number):
    def update(updates, state, params):
        return jax.tree.map(lambda u: u + jnp.asarray(number, u.dtype), updates), state

    return Part(nothing, update)


def times(number):
    def update(updates, state, params):
        return jax.tree.map(lambda u: u * jnp.asarray(number, u.dtype), updates), state

    return lambda params: None, update


def momentum(decay):
    def update(updates, state, params):
        state = jax.tree.map(lambda s, u: jnp.asarray(decay, u.dtype) * s + u, state, updates)
        return state, state

    return zeros, update


def mean_so_far():
    """The mean of all updates: its state is a dict with a count."""

    def init(params):
        return {"sum": zeros(params), "count": jnp.int32(0)}

    def update(updates, state, params):
        total = jax.tree.map(jnp.add, state["sum"], updates)
        count = state["count"] + 1
        return jax.tree.map(lambda s: s / count.astype(s.dtype), total), {
            "sum": total,
            "count": count,
        }

    return Part(init, update)


def weight_decay(rate):
    def update(updates, state, params):
        return jax.tree.map(lambda u, p: u + jnp.asarray(rate, u.dtype) * p, updates, params), state

    return nothing, update


def pull(rate):
    """Back to the first parameters, which are its state."""

    def update(updates, state, params):
        def pulled(u, s, p):
            return u + jnp.asarray(rate, u.dtype) * (p - s)

        return jax.tree.map(pulled, updates, state, params), state

    return lambda params: params, update


def history():
    """All updates so far are its state."""
    return nothing, lambda updates, state, params: (updates, (*state, updates))


def first_step_only():
    """The state of the first step is an array, and then there is none."""
    return zeros, lambda updates, state, params: (updates, None)


def one_vector():
    """The numbers of all leaves, one after the other."""

    def update(updates, state, params):
        return jnp.concatenate([leaf.ravel() for leaf in jax.tree.leaves(updates)]), state

    return nothing, update


def array(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def run(chain, parts, params, gradients):
    """The updates and the states of some steps, in which the parameters move."""
    init, update = chain(*parts)
    state = init(params)
    found = [(None, state)]
    for g in gradients:
        updates, state = update(g, state, params)
        params = jax.tree.map(jnp.add, params, updates)
        found.append((updates, state))
    return found


def twice(chain, params, gradients):
    """A chain in which one part stands twice."""
    part = momentum(0.5)
    return run(chain, (part, times(2.0), part), params, gradients)


def once(chain, params, updates):
    """A step of a chain of no parts, and of one whose updates change their tree."""
    found = []
    for parts in ((), (one_vector(), history(), first_step_only(), times(2.0))):
        init, update = chain(*parts)
        found.append(update(updates, init(params), params))
    return found


def two_trainings(chain, params, others, ours, theirs):
    """Two trainings in turn with one chain, and the first one alone, with a new chain."""
    parts = (momentum(0.5), mean_so_far(), pull(0.5))
    init, update = chain(*parts)
    first, second = init(params), init(others)
    state, kept, alone = first, [], []
    for g, h in zip(ours, theirs, strict=True):
        a, first = update(g, first, params)
        b, second = update(h, second, others)
        kept.append((a, b))
    _, update = chain(*parts)
    for g in ours:
        a, state = update(g, state, params)
        alone.append(a)
    return kept, alone


def with_momentum(gradients, decay):
    state, found = 0.0, []
    for g in gradients:
        state = decay * state + g.astype(np.float64)
        found.append(state)
    return found


def trained(start, gradients):
    """The parameters and all updates of the training with a scan."""
    params, total, found = start, 0.0, []
    for t, moved in enumerate(with_momentum(gradients, 0.5), 1):
        total = total + moved
        update = -0.125 * (total / t + 0.25 * params + 0.5 * (params - start))
        params = params + update
        found.append(update)
    return params, np.array(found)


@pytest.mark.hint("What the first part returns is what the second part gets.")
def test_the_parts_are_applied_in_order(submission, rng):
    """Each part changes what the part before it returned."""
    params, g = array(rng, 3), array(rng, 3)
    a, b, c = rng.uniform(2, 3, size=3)
    # This is not traced, so an answer that keeps states elsewhere passes here.
    used = submission.optimizer_chain.used_by(run).reported()
    found = used((times(a), add(b), times(c)), params, [g])
    assert_close(found[1][0], (g.astype(float) * a + b) * c, rtol=1e-5, atol=1e-5)


@pytest.mark.points(4)
@pytest.mark.hint(
    "Which state does the second part get in the second step? Collect all new states."
)
def test_every_part_has_its_own_state(submission, rng):
    """Over several steps, each part goes on from the state that it returned itself."""
    params, gradients = array(rng, 3), [array(rng, 3) for _ in range(5)]
    parts = (momentum(0.75), times(2.0), mean_so_far(), momentum(0.25))
    found = submission.optimizer_chain.used_by(run)(parts, params, gradients)
    first = with_momentum(gradients, 0.75)
    sums = np.cumsum([2 * u for u in first], axis=0)
    means = [s / t for t, s in enumerate(sums, 1)]
    last = with_momentum(means, 0.25)
    for t in range(5):
        state = (
            np.asarray(first[t]),
            None,
            {"sum": sums[t], "count": np.int32(t + 1)},
            np.asarray(last[t]),
        )
        assert_close(found[t + 1], (np.asarray(last[t]), state), atol=1e-4)
    # The same part may be there twice.
    found = submission.optimizer_chain.used_by(twice)(params, gradients)
    first = with_momentum(gradients, 0.5)
    last = with_momentum([2 * u for u in first], 0.5)
    for t in range(5):
        state = np.asarray(first[t]), None, np.asarray(last[t])
        assert_close(found[t + 1], (np.asarray(last[t]), state), atol=1e-4)


@pytest.mark.hint("Do you look into the updates or the states? Only the parts know what they hold.")
def test_any_tree_and_any_number_of_parts(submission, rng):
    """Trees of any containers and dtypes go through, and a chain may have one part or none."""
    params = {
        "layers": [Layer(array(rng, 300, 2), array(rng, 0)), Layer(array(rng, 1, 2), None)],
        "half": (array(rng, 2).astype(jnp.bfloat16), array(rng)),
    }
    wide = np.float32([np.nan, np.inf, -np.inf, 1e-30, 1e30])
    gradients = [jax.tree.map(lambda p: (2 * np.ones_like(p)).astype(p.dtype), params)] * 2
    used = submission.optimizer_chain.used_by(run)
    start = jax.tree.map(np.zeros_like, params)
    # Gradients in float32 stay so, and so does what parts make of them for bfloat16 parameters.
    finer = jax.tree.map(lambda p: array(rng, *p.shape), params)
    found = used((momentum(0.5),), params, [finer])
    assert_close(found, [(None, (start,)), (finer, (finer,))])
    halves = jax.tree.map(lambda g: (g / 2).astype(g.dtype), gradients[0])
    three = jax.tree.map(lambda g: (g + g / 2).astype(g.dtype), gradients[0])
    found = used((times(0.5), momentum(2.0), pull(0.0)), params, gradients)
    pairs = (None, start), (halves, halves), (three, three)
    assert_close(found, [(updates, (None, state, params)) for updates, state in pairs])
    # Updates may look in no way like the parameters.
    unlike = array(rng, 2), [np.float32(0.1), array(rng, 1, 3)]
    vector = np.concatenate([np.ravel(leaf) for leaf in jax.tree.leaves(unlike)])
    found = submission.optimizer_chain.used_by(once)(params, unlike)
    assert_close(found, [(unlike, ()), (2 * vector, ((), (vector,), None, None))])
    # In the second step, only the state makes NaN and infinity.
    still, half = np.zeros_like(wide), np.float32(0.5) * wide
    found = used((momentum(0.5),), wide, [wide, still])
    assert_close(found[1:], [(wide, (wide,)), (half, (half,))], rtol=1e-6, nonfinite=True)
    found = used((weight_decay(0.5),), wide, [still])
    assert_close(found[1], (half, ((),)), rtol=1e-6, nonfinite=True)
    whole = np.int32([3, -5])
    found = used((momentum(1.0), times(2)), whole, [whole, whole])
    assert_close(found[2], (4 * whole, (2 * whole, None)))


@pytest.mark.points(2)
@pytest.mark.hint("Is there anything that lives on between two calls of `update`?")
def test_a_scan_and_two_trainings(submission, rng):
    """A scan carries the state, and two trainings in turn don't disturb each other."""
    params, gradients = array(rng, 2), array(rng, 40, 2)

    def train(chain, params, gradients):
        # Two of the parts use the parameters, and one has them as its first state.
        parts = (momentum(0.5), mean_so_far(), weight_decay(0.25), pull(0.5), times(-0.125))
        init, update = chain(*parts)

        def step(carry, g):
            params, state = carry
            updates, state = update(g, state, params)
            return (params + updates, state), updates

        return jax.lax.scan(step, (params, init(params)), gradients)

    (end, state), updates = submission.optimizer_chain.used_by(train)(params, gradients)
    expected_end, expected_updates = trained(params.astype(float), gradients)
    assert_close(updates, expected_updates, atol=1e-5)
    assert_close(end, expected_end, atol=1e-4)
    assert state[1]["count"] == 40

    def end_of_training(chain, params, gradients):
        return jnp.sum(train(chain, params, gradients)[0][0])

    slope = submission.optimizer_chain.used_by(end_of_training).grad(argnums=(0, 1))
    # The end is a sum of all inputs, each times its derivative.
    each = np.array([trained(0.0, unit)[0] for unit in np.eye(40)])
    expected = np.full(2, trained(1.0, np.zeros(40))[0]), np.stack([each, each], axis=1)
    assert_close(slope(params, gradients), expected, atol=1e-5)

    others, ours, theirs = array(rng, 2), list(gradients[:4]), list(array(rng, 4, 2))
    kept, alone = submission.optimizer_chain.used_by(two_trainings)(params, others, ours, theirs)
    first, second = (
        list(np.cumsum(with_momentum(given, 0.5), axis=0) / np.arange(1, 5)[:, None])
        for given in (ours, theirs)
    )
    assert_close(kept, list(zip(first, second, strict=True)), atol=1e-5)
    assert_close(alone, first, atol=1e-5)


@pytest.mark.hint("Some parts need the parameters. Do all parts get them, as they came in?")
def test_every_part_gets_the_parameters(submission, rng):
    """A part that adds a share of the parameters works at every place of the chain."""
    params, gradients = array(rng, 3), [array(rng, 3), array(rng, 3)]
    parts = (weight_decay(0.5), times(-0.25), weight_decay(0.375))
    found = submission.optimizer_chain.used_by(run)(parts, params, gradients)
    p = params.astype(float)
    for t, g in enumerate(gradients):
        update = -0.25 * (g + 0.5 * p) + 0.375 * p
        assert_close(found[t + 1][0], update, atol=1e-5)
        p = p + update


@pytest.mark.hint("Does a chain have exactly the form of a part? And how often do you call a part?")
def test_a_chain_is_a_part(submission, rng):
    """Chains inside of chains give the same updates, from nested states."""
    params, gradients = array(rng, 3), [array(rng, 3) for _ in range(3)]

    def nested(chain, params, gradients):
        inner = chain(momentum(0.5), add(1.0))
        return run(chain, (times(2.0), inner, chain(), momentum(0.25)), params, gradients)

    found = submission.optimizer_chain.used_by(nested)(params, gradients)
    first = with_momentum([2 * g for g in gradients], 0.5)
    last = with_momentum([u + 1 for u in first], 0.25)
    for t in range(3):
        state = None, (np.asarray(first[t]), ()), (), np.asarray(last[t])
        assert_close(found[t + 1], (np.asarray(last[t]), state), atol=1e-5)

    def count(chain, params, gradients):
        calls = []

        def update(updates, state, params):
            calls.append(None)
            return updates, state

        found = run(chain, ((nothing, update), times(1.0)), params, gradients)
        return len(calls), isinstance(chain(times(1.0)), tuple), found[-1][0]

    calls, is_pair, last = submission.optimizer_chain.used_by(count).reported()(params, gradients)
    assert calls == 3 and is_pair
    assert_close(last, gradients[-1])
