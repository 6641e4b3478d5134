"""adam(lr): the optimiser as two pure functions, against the formula in float64.

Students design the state themselves, so functions of this suite make whole runs, in one program.
In float32, 1 - 0.999 ** t has a relative error of up to 1e-4, which the tolerance has to allow.
The tests of the tree, the scan and the memory compare an answer with itself, so that a mistake in
the formula costs nothing there.
"""

from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

from grader.suite import assert_agree, assert_close, case


class Layer(NamedTuple):
    weights: Any
    biases: Any


def array(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def gradients(rng, params, steps, size=1.0):
    """A list of gradients, for each step a tree. No element is near zero."""

    def draw(p):
        signs = rng.choice([-1, 1], size=p.shape)
        return np.asarray(size * signs * rng.uniform(0.3, 2, size=p.shape), np.float32)

    return [jax.tree.map(draw, params) for _ in range(steps)]


def formula(params, grads, lr):
    """The parameters after each step, in float64; `params` is a dict of arrays."""
    p, m, v = ({name: scale * np.float64(a) for name, a in params.items()} for scale in (1, 0, 0))
    found = []
    for t, g in enumerate(grads, 1):
        for name in params:
            gradient = np.float64(g[name])
            m[name] = 0.9 * m[name] + 0.1 * gradient
            v[name] = 0.999 * v[name] + 0.001 * gradient**2
            scale = np.sqrt(v[name] / (1 - 0.999**t)) + 1e-8
            p[name] = p[name] - lr * (m[name] / (1 - 0.9**t)) / scale
        found.append(dict(p))
    return found


def run(adam, lr, params, grads):
    """The parameters after each step."""
    init, update = adam(lr)
    state, found = init(params), []
    for g in grads:
        params, state = update(params, g, state)
        found.append(params)
    return found


def scanned(adam, lr, params, stacked):
    """The same in a `lax.scan`; the result is stacked, too."""
    init, update = adam(lr)

    def step(carry, g):
        carry = update(carry[0], g, carry[1])
        return carry, carry[0]

    return jax.lax.scan(step, (params, init(params)), stacked)[1]


def stack(trees):
    return jax.tree.map(lambda *leaves: np.stack(leaves), *trees)


def check_formula(submission, params, grads, lr=0.07):
    found = submission.adam.used_by(run)(lr, params, grads)
    assert_close(found, formula(params, grads, lr), atol=1e-4)


@pytest.mark.hint("In the first step both corrections undo the factors 0.1 and 0.001.")
def test_the_first_step_has_the_length_of_the_rate(submission, rng):
    """The first step moves each element by the learning rate, against its gradient."""
    params = {"w": array(rng, 3, 2), "b": array(rng, 2)}
    grads, lr = gradients(rng, params, 1), 0.03
    # Without tracing, so that who reads a number from the state keeps this point.
    found = submission.adam.used_by(run).reported()(lr, params, grads)
    assert_close(found, formula(params, grads, lr), atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("Do the second step on paper. Which t belongs to it, and which m and v?")
def test_seven_steps_follow_the_formula(submission, rng):
    """Seven steps with changing gradients follow the formula."""
    params = {"w": array(rng, 4, 2), "b": array(rng, 5)}
    grads = gradients(rng, params, 7)
    # The average of the gradient still moves this element.
    grads[1]["w"][0, 0] = 0
    check_formula(submission, params, grads)


@pytest.mark.hint("Each operation on the parameters has to be a map over a tree.")
def test_any_tree_is_kept(submission, rng):
    """In a tree of lists, dicts and tuples, each array is trained as if it were alone."""
    three = (array(rng), array(rng, 3), array(rng, 2))
    params = {"layers": [Layer(array(rng, 3, 2), array(rng, 2))], "scale": three}
    grads = gradients(rng, params, 2)
    leaves, treedef = jax.tree.flatten(params)
    used = submission.adam.used_by(run).reported()
    own = []
    for k, leaf in enumerate(leaves):
        of_leaf = [{"p": jax.tree.leaves(g)[k]} for g in grads]
        own.append(used(0.04, {"p": leaf}, of_leaf)[-1]["p"])
    assert_agree(used(0.04, params, grads)[-1], treedef.unflatten(own), atol=1e-4)


@pytest.mark.points(2)
@pytest.mark.hint("The state must come out of `update` with the types that `init` gave it.")
def test_a_scan_carries_the_state(submission, rng):
    """Training in a `lax.scan` is the same as in a Python loop."""
    params = {"w": array(rng, 3, 2), "b": array(rng, 2)}
    grads = gradients(rng, params, 5)
    found = submission.adam.used_by(scanned)(0.08, params, stack(grads))
    in_turn = submission.adam.used_by(run)(0.08, params, grads)
    assert_agree(found, stack(in_turn), atol=1e-4)
    assert np.any(found["w"][1] != found["w"][0]), "The parameters don't move."


@pytest.mark.points(3)
@pytest.mark.hint("Is anything remembered outside the state: in a closure, a global, an object?")
def test_all_memory_is_in_the_state(submission, rng):
    """Two runs that alternate don't affect each other, and an old state can be used again."""
    lr = 0.06
    # The two models have other containers, too.
    ours, theirs = {"p": array(rng, 6)}, [array(rng, 6)]
    a, b = gradients(rng, ours, 3), gradients(rng, theirs, 3)

    def alternate(adam, lr, ours, theirs, a, b):
        expected = run(adam, lr, ours, a)[-1], run(adam, lr, theirs, b)[-1]
        init, update = adam(lr)
        # Another optimiser has a rate of its own.
        adam(3 * lr)
        first, second = init(ours), init(theirs)
        for g, h in zip(a, b, strict=True):
            before, old = ours, first
            ours, first = update(ours, g, first)
            theirs, second = update(theirs, h, second)
        again, _ = update(before, a[-1], old)
        without, _ = update(before, a[-1], init(before))
        return (ours, theirs), expected, again, without

    used = submission.adam.used_by(alternate)
    found, expected, again, without = used(lr, ours, theirs, a, b)
    assert_agree(found, expected, atol=1e-4)
    assert_agree(again, found[0], atol=1e-4)
    moved = np.abs(again["p"] - without["p"]).max()
    assert moved > 1e-3, "The third step is the same with the first state: what does it remember?"


def test_details(submission, rng):
    """It works for tiny and zero gradients, in long training, and for any tree."""
    params = {"w": array(rng, 2, 2), "b": array(rng, 3)}
    with case("for gradients of about 1e-8", hint="Is 1e-8 added under the root, or after it?"):
        small = {name: p * np.float32(0.01) for name, p in params.items()}
        check_formula(submission, small, gradients(rng, small, 5, size=1e-8))
    with case("where a gradient is 0 in each step", hint="What is m / sqrt(v) where v is 0?"):
        grads = gradients(rng, params, 3)
        for g in grads:
            g["b"][1] = 0
        check_formula(submission, params, grads)
    with case("in long training", hint="What happens to the count and to the corrections?"):
        grads = [{name: np.abs(a) for name, a in g.items()} for g in gradients(rng, params, 300)]
        found = submission.adam.used_by(scanned)(0.01, params, stack(grads))
        assert_close(found, stack(formula(params, grads, 0.01)), atol=1e-3)
    with case("for None, empty arrays and a bare array", hint="Does each step map over a tree?"):
        used = submission.adam.used_by(run)
        for tree in ([(), None, array(rng, 0), array(rng, 2)], array(rng, 2)):
            found = used(0.04, tree, gradients(rng, tree, 2))[-1]
            assert jax.tree.structure(found) == jax.tree.structure(tree)
            assert [a.shape for a in jax.tree.leaves(found)] == [
                a.shape for a in jax.tree.leaves(tree)
            ]
