"""optimizer_chain(*parts): several optimisers as one.

The parts are made here. Each has a formula that doesn't commute with the others, so the order shows
in the numbers. References are loops in float64.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def nothing(params):
    return ()


def zeros(params):
    return jax.tree.map(jnp.zeros_like, params)


def add(number):
    return nothing, lambda updates, state, params: (jax.tree.map(lambda u: u + number, updates), ())


def times(number):
    def update(updates, state, params):
        return jax.tree.map(lambda u: u * number, updates), state

    return lambda params: None, update


def momentum(decay):
    def update(updates, state, params):
        state = jax.tree.map(lambda s, u: decay * s + u, state, updates)
        return state, state

    return zeros, update


def mean_so_far():
    """The mean of all updates: its state is a dict with a count."""

    def init(params):
        return {"sum": zeros(params), "count": jnp.int32(0)}

    def update(updates, state, params):
        total, count = state["sum"] + updates, state["count"] + 1
        return total / count, {"sum": total, "count": count}

    return init, update


def weight_decay(rate):
    def update(updates, state, params):
        return jax.tree.map(lambda u, p: u + rate * p, updates, params), state

    return nothing, update


def pull(rate):
    """Back to the first parameters, which are its state."""
    return lambda params: params, lambda u, state, params: (u + rate * (params - state), state)


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


def with_momentum(gradients, decay):
    state, found = 0.0, []
    for g in gradients:
        state = decay * state + g.astype(np.float64)
        found.append(np.asarray(state))
    return found


@pytest.mark.hint("The second part gets what the first part returns.")
def test_the_parts_are_applied_in_order(submission, rng):
    """Each part changes the previous part's result."""
    params, g = array(rng, 3), array(rng, 3)
    a, b, c = (float(number) for number in rng.uniform(2, 3, size=3))
    # This is not traced, so an answer that keeps states elsewhere passes here.
    used = submission.optimizer_chain.used_by(run).reported()
    found = used((times(a), add(b), times(c)), params, [g])
    assert_close(found[1][0], (g.astype(float) * a + b) * c, rtol=1e-5, atol=1e-5)


@pytest.mark.points(3)
@pytest.mark.hint(
    "In the second step, is each part called, and with the state that it returned in the first?"
)
def test_every_part_has_its_own_state(submission, rng):
    """In each step, each part continues from the state that it returned before."""
    params, gradients = array(rng, 3), [array(rng, 3) for _ in range(4)]

    def twice(chain, params, gradients):
        # The same part may be there twice.
        part = momentum(0.5)
        return run(chain, (part, times(2.0), part), params, gradients)

    found = submission.optimizer_chain.used_by(twice)(params, gradients)
    first = with_momentum(gradients, 0.5)
    last = with_momentum([2 * u for u in first], 0.5)
    states = [(0 * first[0], None, 0 * last[0])]
    states += [(one, None, two) for one, two in zip(first, last, strict=True)]
    assert_close(found, list(zip([None, *last], states, strict=True)), atol=1e-5)


@pytest.mark.hint("Some parts need the parameters. Do all parts get them unchanged?")
def test_every_part_gets_the_parameters(submission, rng):
    """A part that adds a share of the parameters works at every place in the chain."""
    params, gradients = array(rng, 3), [array(rng, 3), array(rng, 3)]
    parts = (weight_decay(0.5), times(-0.25), weight_decay(0.375))
    found = submission.optimizer_chain.used_by(run)(parts, params, gradients)
    p, expected = params.astype(float), []
    for g in gradients:
        expected.append(-0.25 * (g + 0.5 * p) + 0.375 * p)
        p = p + expected[-1]
    assert_close([updates for updates, _ in found[1:]], expected, atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("A scan needs the state back in its original structure, as traced values.")
def test_a_scan_carries_the_state(submission, rng):
    """Training can be a `lax.scan` that carries the state."""
    params, gradients = array(rng, 2), array(rng, 40, 2)

    def train(chain, params, gradients):
        parts = (momentum(0.5), mean_so_far(), weight_decay(0.25), pull(0.5), times(-0.125))
        init, update = chain(*parts)

        def step(carry, g):
            params, state = carry
            updates, state = update(g, state, params)
            return (params + updates, state), updates

        (end, _), updates = jax.lax.scan(step, (params, init(params)), gradients)
        return end, updates

    found = submission.optimizer_chain.used_by(train)(params, gradients)
    p, total, expected = params.astype(float), 0.0, []
    for t, moved in enumerate(with_momentum(gradients, 0.5), 1):
        total = total + moved
        expected.append(-0.125 * (total / t + 0.25 * p + 0.5 * (p - params)))
        p = p + expected[-1]
    assert_close(found, (p, np.array(expected)), atol=1e-4)


@pytest.mark.hint("Does anything persist between two calls of `update`?")
def test_two_trainings_do_not_disturb_each_other(submission, rng):
    """One chain serves two training runs whose steps take turns."""

    def in_turn(chain, starts, gradients):
        init, update = chain(momentum(0.5), pull(0.25))
        states, found = [init(params) for params in starts], []
        for both in gradients:
            for k, g in enumerate(both):
                # The parameters don't move here.
                updates, states[k] = update(g, states[k], 2 * starts[k])
                found.append(updates)
        return found

    starts = [array(rng, 2), array(rng, 2)]
    gradients = [[array(rng, 2), array(rng, 2)] for _ in range(3)]
    found = submission.optimizer_chain.used_by(in_turn)(starts, gradients)
    for k in range(2):
        expected = [
            moved + 0.25 * starts[k] for moved in with_momentum([g[k] for g in gradients], 0.5)
        ]
        assert_close(found[k::2], expected, atol=1e-5)


@pytest.mark.hint("Does a chain have exactly the form of a part: a pair, with one state in a step?")
def test_a_chain_is_a_part(submission, rng):
    """A chain inside a chain works like its parts, and its state is nested."""
    params, gradients = array(rng, 3), [array(rng, 3) for _ in range(3)]

    def nested(chain, params, gradients):
        inner = chain(momentum(0.5), add(1.0))
        return run(chain, (times(2.0), inner, momentum(0.25)), params, gradients)

    found = submission.optimizer_chain.used_by(nested)(params, gradients)
    first = with_momentum([2 * g for g in gradients], 0.5)
    last = with_momentum([u + 1 for u in first], 0.25)
    states = [(None, (one, ()), two) for one, two in zip(first, last, strict=True)]
    assert_close(found[1:], list(zip(last, states, strict=True)), atol=1e-5)


def test_details(submission, rng):
    """It works for a chain of no parts, any tree, and in the gradient of a step."""
    params, g = array(rng, 3), array(rng, 3)
    used = submission.optimizer_chain.used_by(run)
    with case("for a chain of no parts", hint="What do your loops return if there is no part?"):
        assert_close(used((), params, [g]), [(None, ()), (g, ())])
    with case("for any tree", hint="Do you look into the updates? Only the parts do."):
        tree = {"layers": [(array(rng, 2), None)], "rest": (array(rng, 0), np.float32([np.nan, 1]))}
        tree["narrow"] = array(rng, 2).astype(jnp.bfloat16), np.int32([3, -5])
        keeps_state = lambda params: params, lambda updates, state, params: (updates, state)
        keeps_params = nothing, lambda updates, state, params: (updates, params)
        found = used((keeps_state, keeps_params), tree, [tree])
        assert_close(found, [(None, (tree, ())), (tree, (tree, tree))], nonfinite=True)
    with case("for the calls of a part", hint="Keep both results of the one call of `update`."):

        def count(chain, params, g):
            calls = []

            def update(updates, state, params):
                calls.append(None)
                return updates, state

            run(chain, ((nothing, update), times(1.0)), params, [g, g, g])
            return len(calls)

        calls = submission.optimizer_chain.used_by(count).reported()(params, g)
        assert calls == 3, f"In three steps it is called {calls} times, and not three times."
    with case("in the gradient of a step", hint="Do the parts get `params` unchanged?"):

        def total(chain, params, g):
            return jnp.sum(run(chain, (weight_decay(0.5), times(3.0)), params, [g])[1][0])

        assert_close(submission.optimizer_chain.used_by(total).grad()(params, g), np.full(3, 1.5))
