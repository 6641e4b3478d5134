"""adam(lr): the optimiser as two pure functions, against the formula in float64.

Students design the state themselves, so a function of this suite makes whole runs, and most of them
are exported. In float32, 1 - 0.999 ** t has a relative error of up to 1e-4, which the tolerance has
to allow. The formula is the same for each element, so the tests share a few shapes.

Three tests are about the formula. The others compare an answer with itself, so that a mistake in
the formula costs nothing there: a tree with its leaves one by one, a scan with a loop, and runs
that alternate with runs that don't.

The learning rate of a test is a constant of its program. It's the same in every run, so the program
is in the cache. Two tests share a program.
"""

from operator import itemgetter
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

EARLY, LATE, LAST = slice(50, 100), slice(100, 300), slice(400, 500)


class Layer(NamedTuple):
    weights: Any
    biases: Any


def array(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def gradients(rng, params, steps, size=1.0):
    """A list of gradients. Magnitudes differ by parameter, and no element is near zero."""

    def draw(p):
        signed = rng.choice([-1, 1], size=p.shape) * rng.uniform(0.3, 2, size=p.shape)
        return np.asarray(size * rng.uniform(0.1, 10) * signed, np.float32)

    return [jax.tree.map(draw, params) for _ in range(steps)]


def walk(params, grads, lr):
    """The formula in float64: the parameters after each step."""
    p, treedef = jax.tree.flatten(params)
    p = [leaf.astype(np.float64) for leaf in p]
    m, v = ([np.zeros_like(leaf) for leaf in p] for _ in range(2))
    found = []
    for t, tree in enumerate(grads, 1):
        g = [leaf.astype(np.float64) for leaf in jax.tree.leaves(tree)]
        m = [0.9 * old + 0.1 * new for old, new in zip(m, g, strict=True)]
        v = [0.999 * old + 0.001 * new**2 for old, new in zip(v, g, strict=True)]
        for k in range(len(p)):
            scale = np.sqrt(v[k] / (1 - 0.999**t)) + 1e-8
            p[k] = np.asarray(p[k] - lr * (m[k] / (1 - 0.9**t)) / scale)
        found.append(jax.tree.unflatten(treedef, list(p)))
    return found


def run(adam, lr, params, grads):
    """The parameters after each step."""
    init, update = adam(lr)
    state, found = init(params), []
    for g in grads:
        params, state = update(params, g, state)
        found.append(params)
    return found


def start(rng):
    return {"many": array(rng, 300, 2), "five": array(rng, 5), "two": array(rng, 2)}


def check(submission, params, grads, nonfinite=False):
    """In a program: what goes from step to step is only known when it runs."""
    found = submission.adam.used_by(run)(0.07, params, grads)
    assert_close(found, walk(params, grads, 0.07), atol=1e-4, nonfinite=nonfinite)
    return found


def slopes(params, grads, size, lr):
    """By which `sum(params * params)` of the end changes with the start, and with the gradients.

    The gradients are those of `grads`, times `size`.
    """
    found = [np.zeros_like(part, dtype=np.float64) for part in (params, *grads)]
    for slope in found:
        for k in range(slope.size):
            for sign in (1, -1):
                moved = [np.array(part, np.float64) for part in (params, *grads)]
                moved[[part is slope for part in found].index(True)][k] += sign * 1e-5
                end = walk(moved[0], [size * g for g in moved[1:]], lr)[-1]
                slope[k] += sign * np.sum(end**2) / 2e-5
    return found[0], found[1:]


def length(adam, params, grads, size, lr):
    end = run(adam, lr, {"p": params}, [{"p": size * g} for g in grads])[-1]["p"]
    return jnp.sum(end * end)


def check_slopes(submission, rng, size, second):
    """Three steps with gradients of this size. The second one is multiplied by `second`."""
    params, size, lr = array(rng, 2), np.full(2, size, np.float32), 0.05
    signs = [1], -1 * np.array(second), [1]
    grads = [np.asarray(sign * rng.uniform(0.5, 2, size=2), np.float32) for sign in signs]
    found = submission.adam.used_by(length).grad(argnums=(0, 1))(params, grads, size, lr)
    assert_close(found, slopes(params, grads, size, lr), atol=1e-4)


def in_a_tree_and_alone(adam, lr, params, grads):
    """The parameters after each step, and for each leaf those of a training of its own."""

    def alone(k, leaf):
        return run(adam, lr, {"p": leaf}, [{"p": jax.tree.leaves(tree)[k]} for tree in grads])

    own = [alone(k, leaf) for k, leaf in enumerate(jax.tree.leaves(params))]
    init, update = adam(lr)
    state = init(params)
    # The arguments of a call are there for the next one.
    twice = [update(params, grads[0], state)[0] for _ in range(2)]
    return run(adam, lr, params, grads), [[step["p"] for step in steps] for steps in own], twice


@pytest.mark.hint("In the first step both corrections undo the factors 0.1 and 0.001.")
def test_the_first_step_has_the_length_of_the_rate(submission, rng):
    """The first step moves each element by the learning rate, against its gradient."""
    params = {"w": array(rng, 3, 2), "b": array(rng, 2)}
    grads, lr = gradients(rng, params, 1), 0.03
    # Without tracing, so that who reads a number from the state keeps these points. A rate that
    # rises slowly begins with 0.
    for rate in (lr, 0.0):
        found = submission.adam.used_by(run).reported()(rate, params, grads)
        assert_close(found, walk(params, grads, rate), atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Do the second step by hand. Which t belongs to it, and which m and v?")
def test_seven_steps_follow_the_formula(submission, rng):
    """Seven steps with changing gradients follow the formula, and so do their derivatives."""
    params = start(rng)
    grads = gradients(rng, params, 7)
    # The average of the gradient still moves this element.
    grads[1]["many"][0, 0] = 0
    check(submission, params, grads)
    check_slopes(submission, rng, 1, [1, 0])


@pytest.mark.hint("Where do you add 1e-8: under the root, or after taking it?")
def test_tiny_gradients_and_none_at_all(submission, rng):
    """Gradients of about 1e-8 or 1e5 follow the formula, and a zero gradient moves nothing."""
    # Those of `two` are big, and those of `five` zero.
    params = start(rng)
    params["five"] *= np.array([1e-7, 1e5, 1, 1, np.nan], np.float32)
    grads = gradients(rng, params, 7, size=1e-7)
    for g in grads:
        g["five"] *= 0
        g["two"] *= np.float32(1e12)
    # From now on the state has a NaN.
    grads[1]["two"][0] = np.nan
    found = check(submission, params, grads, nonfinite=True)
    assert_close(found[-1]["five"], params["five"], rtol=1e-6, nonfinite=True)
    check_slopes(submission, rng, 1e-7, [1, 1])


@pytest.mark.hint("Each operation on the parameters has to be a map over a tree.")
def test_any_tree_is_kept(submission, rng):
    """Nested lists, tuples, namedtuples, None and empty or bare arrays keep places and shapes."""
    layer = Layer(array(rng, 3, 2), array(rng, 0))
    three = (array(rng), (), array(rng, 2))
    tree = {"layers": [layer, Layer(array(rng, 3, 2), None)], "scale": three}
    for params in (tree, array(rng, 2)):
        grads = gradients(rng, params, 2)
        used = submission.adam.used_by(in_a_tree_and_alone).reported()
        found, own, twice = used(0.04, params, grads)
        leaves, treedef = jax.tree.flatten(params)
        assert_close(found, [treedef.unflatten(step) for step in zip(*own, strict=True)], atol=1e-4)
        assert_close(twice, [found[0], found[0]], atol=1e-4)
        assert [np.shape(leaf) for leaf in jax.tree.leaves(found[-1])] == [p.shape for p in leaves]
        assert all(np.all(q != p) for q, p in zip(jax.tree.leaves(found[-1]), leaves, strict=True))


@pytest.mark.points(2)
@pytest.mark.hint("The state must come out of `update` with the types that `init` gave it.")
def test_a_scan_carries_the_state(submission, rng):
    """A training of 33,000 steps is one `lax.scan` that carries parameters and state."""
    params, lr = {"w": array(rng, 3, 2), "b": array(rng, 2)}, 0.08
    grads = gradients(rng, params, 400)
    grads[1] = jax.tree.map(np.negative, grads[0])
    grads[2:] = [jax.tree.map(np.abs, g) for g in grads[2:]]
    grads[-1] = jax.tree.map(np.ones_like, params)
    stacked = jax.tree.map(lambda *leaves: np.stack(leaves), *grads)

    def train(adam, lr, params, stacked):
        init, update = adam(lr)

        def step(carry, g):
            carry = update(carry[0], g, carry[1])
            return carry, carry[0]

        in_turn = [jax.tree.map(itemgetter(k), stacked) for k in range(7)]
        # The last gradient stays, for more steps than 15 bits can count.
        rounds = jnp.minimum(jnp.arange(33_000), 399)
        start, gradient = (params, init(params)), jax.tree.map(lambda g: g[rounds], stacked)
        scanned = jax.lax.scan(step, start, gradient)[1]
        shown = jax.tree.map(lambda p: jnp.concatenate([p[:400], p[-100:]]), scanned)
        return shown, run(adam, lr, params, in_turn)

    trained, in_turn = submission.adam.used_by(train).jit(static_argnums=0)(lr, params, stacked)
    for name, start in params.items():
        whole, few = trained[name], np.stack([step[name] for step in in_turn])
        assert_close(whole[:7], few, atol=1e-4)
        assert whole.shape == (500, *start.shape)
        assert np.isfinite(whole).all()
        # Who remembers a gradient isn't back at the start after its opposite.
        assert np.abs(whole[1] - start).min() > 1e-4
        # All gradients are positive by now. So whatever the formula is, steps hardly change.
        early, late, last = (
            np.abs(np.diff(whole[part], axis=0)).mean() for part in (EARLY, LATE, LAST)
        )
        assert 0.5 < late / early < 1.5
        # After thousands of gradients of 1, both averages are 1, and so are the corrections.
        assert 0.98 * lr < last < 1.02 * lr


@pytest.mark.points(3)
@pytest.mark.hint("Is anything remembered outside the state: in a closure, a global, an object?")
def test_all_memory_is_in_the_state(submission, rng):
    """Two runs that alternate don't disturb each other, and an old state can be used again."""
    lr = 0.06
    # A single step may be the same by chance, and not all of these.
    ours, theirs = array(rng, 6), array(rng, 6)
    a, b = gradients(rng, ours, 3), gradients(rng, theirs, 3)
    # From now on the state has a NaN, also where the parameters have none.
    a[0][0] = np.nan
    # Two models, in other containers.
    ours, theirs = {"p": ours}, [theirs]
    a, b = [{"p": g} for g in a], [[g] for g in b]

    def alternate(adam, lr, ours, theirs, a, b):
        # Each run without the other one.
        expected = *run(adam, lr, ours, a)[-2:], run(adam, lr, theirs, b)[-1]
        init, update = adam(lr)
        # Another optimiser has a rate of its own.
        adam(3 * lr)
        start = ours
        first, second = init(ours), init(theirs)
        for g, h in zip(a, b, strict=True):
            before = first
            ours, first = update(ours, g, first)
            theirs, second = update(theirs, h, second)
        again, _ = update(start, a[-1], before)
        *first, (second,) = expected
        return (ours["p"], theirs[0], again["p"]), [*(step["p"] for step in first), second]

    found, expected = submission.adam.used_by(alternate)(lr, ours, theirs, a, b)
    before, end, other = expected
    again = ours["p"] + (end - before)
    assert_close(found, (end, other, again), atol=1e-4, nonfinite=True)
    assert (other != theirs[0]).all()
