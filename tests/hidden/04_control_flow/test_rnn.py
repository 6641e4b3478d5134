"""rnn(params, xs, h0): states along a sequence, compared with a loop in float64.

Recurrent weights are small, so that rounding errors shrink along a sequence. They are never
symmetric, and neither the start nor the biases are zero.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


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


def states(params, xs, h0):
    """The loop in float64."""
    wx, wh, b, xs, h = (np.asarray(a, float) for a in (*map(params.get, ("Wx", "Wh", "b")), xs, h0))
    hs = []
    for x in xs:
        h = np.tanh(x @ wx + h @ wh + b)
        hs.append(h)
    return np.stack(hs)


def loss(rnn, params, xs, h0, weights):
    return (weights * rnn(params, xs, h0)).sum()


def slopes(params, xs, h0, weights):
    """The gradients of the loss in Wh, Wx, b, the inputs and the start, in float64."""
    wx, wh = (params[name].astype(float) for name in ("Wx", "Wh"))
    hs = states(params, xs, h0)
    inner, arriving = np.zeros_like(hs), np.zeros(len(h0))
    for t in reversed(range(len(xs))):
        inner[t] = (weights[t] + arriving) * (1 - hs[t] ** 2)
        arriving = wh @ inner[t]
    before = np.concatenate([h0[None], hs[:-1]])
    return [before.T @ inner, xs.T @ inner, inner.sum(axis=0), inner @ wx.T, arriving]


@pytest.mark.hint("Compute two steps on paper: what goes into each, and what comes out?")
def test_states_equal_those_of_the_loop(submission, rng):
    """Row t is the state after input t, for any number of steps, inputs and units."""
    for sizes in ((5, 3, 4), (7, 4, 2), (2, 1, 3)):
        args = draw(rng, *sizes)
        # Every state is between -1 and 1.
        assert_close(submission.rnn(*args), states(*args), atol=1e-5)


@pytest.mark.hint("When all sizes are equal, a transposed product also has the right shape.")
def test_nothing_is_transposed_when_every_shape_fits(submission, rng):
    """With as many steps as inputs and units, the states are still those of the loop."""
    args = draw(rng, 4, 4, 4)
    assert_close(submission.rnn(*args), states(*args), atol=1e-5)


@pytest.mark.hint("Write it for one sequence, using only jnp and lax; vmap does the rest.")
def test_a_batch_of_sequences_can_be_run(submission, rng):
    """Under `jit` and `vmap`, one model runs many sequences, each from its own start."""
    params, xs, h0 = draw(rng, 5, 3, 4)
    batch, starts = np.stack([xs, -xs, 2 * xs]), np.stack([h0, -h0, h0 / 2])
    expected = np.stack([states(params, *pair) for pair in zip(batch, starts, strict=True)])
    found = submission.rnn.vmap(in_axes=(None, 0, 0)).jit()(params, batch, starts)
    assert_close(found, expected, atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Does a gradient get from a state to the previous one, in reverse mode?")
def test_gradients_reach_every_step(submission, rng):
    """The weights, the biases, the inputs and the start have the right gradients."""
    args = draw(rng, 250, 2, 3)
    weights = rng.normal(size=(250, 3)).astype(np.float32)
    program = submission.rnn.used_by(loss).grad(argnums=(0, 1, 2)).program(*args, weights)
    with case("in a program for long sequences", hint="Is there still one loop, in reverse?"):
        # A step that is written out takes more than two, there and back.
        assert program.size < 2 * 250
    for found, expected in zip(program(*args, weights), slopes(*args, weights), strict=True):
        assert_close(found, expected, atol=1e-4 * np.abs(expected).max())


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop is unrolled while tracing. Which loop is traced only once?")
def test_the_program_does_not_grow(submission, rng):
    """The program for 200 steps has fewer operations than steps."""
    args = draw(rng, 200, 3, 4)
    program = submission.rnn.program(*args)
    assert program.size < 200
    assert_close(program(*args), states(*args), atol=1e-5)


def test_details(submission, rng):
    """It works for one step, one input or one unit, and where tanh is 1 or -1."""
    for sizes, name in (
        ((1, 3, 4), "for one step"),
        ((6, 1, 2), "for one input"),
        ((6, 3, 1), "for one unit"),
    ):
        with case(name, hint="The result is a matrix. Does an axis get lost?"):
            args = draw(rng, *sizes)
            assert_close(submission.rnn(*args), states(*args), atol=1e-5)
    params, xs, h0 = draw(rng, 4, 2, 3)
    with case("where tanh is 1 or -1", hint="Does an exponential overflow?"):
        far = params | {"b": np.float32([-100, 100, 100])}
        weights = rng.normal(size=(4, 3)).astype(np.float32)
        found = submission.rnn.used_by(loss).grad(argnums=1)(far, xs, h0, weights)
        assert_close(found, np.zeros_like(xs), atol=1e-6)


@jax.jit
def step(params, h, x):
    return jnp.tanh(x @ params["Wx"] + h @ params["Wh"] + params["b"])


def loop_of_jitted_steps(params, xs, h0):
    """Each step is compiled, but Python starts it again for each input."""
    hs = [h0]
    for x in xs:
        hs.append(step(params, hs[-1], x))
    return jnp.stack(hs[1:])


@pytest.mark.hint("Returning to Python after each step takes longer than the step.")
def test_it_is_fast(submission, race):
    """Compiled, it runs at least 6 times as fast as a Python loop of jitted steps."""
    race(
        submission.rnn,
        baseline=loop_of_jitted_steps,
        args=lambda rng: draw(rng, 300, 5, 8),
        at_least=6,
        check=lambda result, *args: assert_close(result, states(*args), atol=1e-5),
    )
