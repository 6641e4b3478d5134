"""rnn(params, xs, h0): states along a sequence, compared with a loop in float64.

Recurrent weights are small, so that rounding errors shrink along a sequence. They are never
symmetric, and neither the start nor the biases are zero.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close

TINY = np.float32(3e-6)


def draw(rng, steps, inputs, units):
    """(params, xs, h0)."""

    def normal(*shape):
        return rng.normal(size=shape).astype(np.float32)

    params = {
        "Wx": normal(inputs, units) / np.float32(np.sqrt(inputs)),
        "Wh": normal(units, units) / np.float32(2 * np.sqrt(units)),
        "b": normal(units) / 2,
    }
    return params, normal(steps, inputs), normal(units)


def remembering(rng, steps, inputs, units):
    """The recurrent weights keep the length of a state, and all states are small: none fades."""
    params, xs, h0 = draw(rng, steps, inputs, units)
    turn = np.linalg.qr(params["Wh"])[0]
    params = {"Wx": params["Wx"], "Wh": turn, "b": params["b"] / 1000}
    return params, xs / 100, h0 / 100


def states(params, xs, h0):
    """The loop in float64."""
    wx, wh, b, xs, h = (np.asarray(a, float) for a in (*map(params.get, ("Wx", "Wh", "b")), xs, h0))
    hs = []
    for x in xs:
        h = np.tanh(x @ wx + h @ wh + b)
        hs.append(h)
    return np.stack(hs)


def total(rnn, params, xs, h0):
    """A large multiple of the sum of all states, to be differentiated."""
    return 1000 * rnn(params, xs, h0).sum()


def slopes_of_total(params, xs, h0):
    """The derivatives of `total` in Wh, Wx, b, the inputs and the start, in float64."""
    wx, wh = (params[name].astype(float) for name in ("Wx", "Wh"))
    hs = states(params, xs, h0)
    inner, arriving = np.zeros_like(hs), np.zeros(len(h0))
    for t in reversed(range(len(xs))):
        inner[t] = (1000 + arriving) * (1 - hs[t] ** 2)
        arriving = wh @ inner[t]
    before = np.concatenate([h0[None], hs[:-1]])
    return [before.T @ inner, xs.T @ inner, inner.sum(axis=0), inner @ wx.T, arriving]


def slopes(args):
    """The derivatives of all states in every number of `args`, by finite differences."""
    leaves, structure = jax.tree.flatten(jax.tree.map(lambda a: a.astype(float), args))
    found = []
    for n, leaf in enumerate(leaves):
        columns = []
        for index in np.ndindex(leaf.shape):
            step = np.zeros_like(leaf)
            step[index] = 1e-5
            up, down = (
                states(*structure.unflatten([*leaves[:n], moved, *leaves[n + 1 :]]))
                for moved in (leaf + step, leaf - step)
            )
            columns.append((up - down) / 2e-5)
        found.append(np.stack(columns, -1).reshape(*columns[0].shape, *leaf.shape))
    return structure.unflatten(found)


@pytest.mark.hint("Compute two steps by hand: what goes into each, and what comes out?")
def test_states_equal_those_of_the_loop(submission, rng):
    """Row t is the state after input t, for any number of inputs and units."""
    for steps, inputs, units in [(5, 3, 4), (7, 4, 2), (2, 70, 260)]:
        args = draw(rng, steps, inputs, units)
        # Every state is between -1 and 1.
        assert_close(submission.rnn(*args), states(*args), atol=1e-5)


@pytest.mark.hint("When all sizes are equal, a transposed product has the right shape, too.")
def test_nothing_is_transposed_when_every_shape_fits(submission, rng):
    """With as many steps as inputs and units, the states are still those of the loop."""
    args = draw(rng, 4, 4, 4)
    assert_close(submission.rnn(*args), states(*args), atol=1e-5)


@pytest.mark.hint("The result is a matrix, also with one step or with one unit.")
def test_one_step_and_one_unit_are_enough(submission, rng):
    """One step, one input and one unit keep their axes, and infinities have the tanh 1 and -1."""
    for sizes in [(1, 3, 4), (6, 1, 1)]:
        args = draw(rng, *sizes)
        assert_close(submission.rnn(*args), states(*args), atol=1e-5)
    params, xs, h0 = args
    infinite = np.float32([np.inf])
    after = np.concatenate([xs[:3], infinite[None], xs[4:]])
    for args in (
        (params, after, infinite),
        (params | {"b": infinite}, xs, h0),
        (params | {"b": -infinite}, xs, h0),
    ):
        assert_close(submission.rnn(*args), states(*args), atol=1e-5)


@pytest.mark.hint("Write it for one sequence, with jnp and lax alone; vmap does the rest.")
def test_a_batch_of_sequences_can_be_run(submission, rng):
    """Under `jit` and `vmap`, one model runs many sequences, each from its own start."""
    params, xs, h0 = draw(rng, 5, 3, 4)
    batch = np.stack([xs, -xs, 2 * xs, xs[::-1]])
    starts = np.stack([h0, h0 / 2, -h0, 2 * h0])
    # NaN in one sequence, in one start, and in one bias. Earlier states don't depend on it.
    unknown, nowhere, biases = batch.copy(), starts.copy(), params["b"].copy()
    unknown[0, 2, 1] = nowhere[1, 0] = biases[3] = np.nan
    mapped = submission.rnn.vmap(in_axes=(None, 0, 0)).jit()
    for model, xs, h0 in (
        (params, batch, starts),
        # Tiny weights of huge numbers, and the other way round.
        (params | {n: TINY * params[n] for n in ("Wx", "Wh")}, batch / TINY, starts / TINY),
        (params | {"Wx": params["Wx"] / TINY}, TINY * batch, starts),
        (params | {"b": TINY * params["b"]}, TINY * batch, TINY * starts),
        (params, unknown, nowhere),
        (params | {"b": biases}, batch, starts),
    ):
        expected = np.stack([states(model, *pair) for pair in zip(xs, h0, strict=True)])
        # Tiny states are exact to a tenth, since tanh may be computed in several ways.
        atol = 3e-7 if abs(expected).max() < 1e-3 else 1e-5
        assert_close(mapped(model, xs, h0), expected, atol=atol, nonfinite=True)


@pytest.mark.points(2)
@pytest.mark.hint("Don't stop a gradient between two steps, and use one loop of known length.")
def test_gradients_reach_every_step(submission, rng):
    """Each state has the right derivatives in the weights, the start and the inputs before it.

    The program of a gradient through 256 steps is small, and every step has its share.
    """
    for zeros in (False, True):
        args = params, xs, h0 = draw(rng, 4, 2, 3)
        if zeros:
            # Many start with a state and biases of zeros, and inputs are often 0: tanh at 0.
            # The other two units are at the ends of tanh, where the slope is 0.
            params["b"][:], xs[0], h0[:] = (-100, 0, 100), 0, 0
        found = submission.rnn.jacrev(argnums=(0, 1, 2))(*args)
        assert_close(found, slopes(args), atol=1e-4)
    # No loop that is written out fits in here.
    args = remembering(rng, 256, 2, 3)
    program = submission.rnn.used_by(total).grad(argnums=(0, 1, 2)).program(*args)
    assert program.size < 256
    for found, expected in zip(program(*args), slopes_of_total(*args), strict=True):
        # Small sums of large numbers have few right digits.
        assert_close(found, expected, rtol=1e-3, atol=1e-4 * abs(expected).max())


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop is unrolled while tracing. Which loop is traced only once?")
def test_the_program_does_not_grow(submission, rng):
    """A sequence thirty-two times as long needs no bigger program."""
    given = [remembering(rng, steps, 3, 4) for steps in (8, 256)]
    programs = [submission.rnn.program(*args) for args in given]
    assert programs[1].size == programs[0].size
    # A small program can be made as big as a big one. But no unrolled loop fits in here.
    assert programs[1].size < 256
    for program, args in zip(programs, given, strict=True):
        assert_close(program(*args), states(*args), atol=1e-5)


@jax.jit
def step(params, h, x):
    return jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])


def loop_of_jitted_steps(params, xs, h0):
    """Each step is compiled, but Python starts it again for each input."""
    hs = [h0]
    for x in xs:
        hs.append(step(params, hs[-1], x))
    return jnp.stack(hs[1:])


@pytest.mark.hint("Going back to Python after each step takes longer than the step.")
def test_it_is_fast(submission, race):
    """Compiled, it runs at least 6 times as fast as a Python loop of jitted steps."""
    race(
        submission.rnn,
        baseline=loop_of_jitted_steps,
        args=lambda rng: draw(rng, 300, 5, 8),
        at_least=6,
        check=lambda result, *args: assert_close(result, states(*args), atol=1e-5),
    )
