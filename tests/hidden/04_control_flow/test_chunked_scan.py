"""chunked_scan(step, start, xs, chunk): a scan whose gradient needs few states at any time.

An array of the states of all steps is seen in `elements`: states are large here, and the elements
and the outputs of a step are single numbers.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close, case


def close(found, expected):
    """Leaf by leaf, beside its largest element."""
    pairs = zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True)
    for actual, right in pairs:
        right = np.asarray(right)
        assert_close(actual, right, atol=2e-4 * np.abs(right).max())


def leaky_sum(total, x):
    """A sum that forgets; the output is the state that goes in."""
    return 0.75 * total + x, total


def count_up(state, element):
    """A state with a counter, two elements, and two outputs, of which one is None."""
    level = jnp.where(element["reset"], 0, state["level"]) + state["count"] * element["x"]
    return {"level": level, "count": state["count"] + 1}, (None, level)


def rotate(weights, state, x):
    """A step whose gradient needs its state, and that mixes the numbers of a state."""
    state = weights * jnp.tanh(jnp.roll(state, 1) + x)
    return state, state[0] + x


def run(scan, weights, start, xs, chunk):
    return scan(lambda state, x: rotate(weights, state, x), start, xs, chunk)


def gradients(scan, weights, start, xs, chunk):
    def loss(weights, start, xs):
        end, outputs = run(scan, weights, start, xs, chunk)
        return jnp.sum(outputs**2) + jnp.sum(end**2)

    return jax.grad(loss, argnums=(0, 1, 2))(weights, start, xs)


def plain(step, start, xs, chunk):
    return lax.scan(step, start, xs)


def draw(rng, steps, width):
    """Weights, a start and a series."""
    weights = rng.uniform(0.6, 0.9, size=width) * rng.choice([-1, 1], size=width)
    return jax.tree.map(np.float32, (weights, rng.normal(size=width), rng.normal(size=steps)))


@pytest.mark.hint("Which state does a chunk start with? And in which order are the outputs?")
def test_it_is_a_scan(submission, rng):
    """The last state and the outputs are those of the steps run in sequence."""
    for steps, chunk in ((6, 2), (6, 3), (12, 4), (5, 1), (4, 4)):
        xs, start = rng.normal(size=steps).astype(np.float32), np.float32(rng.normal())
        state, befores = np.float64(start), []
        for x in np.float64(xs):
            befores.append(state)
            state = 0.75 * state + x
        end, before = submission.chunked_scan(leaky_sum, start, xs, chunk)
        assert_close(before, np.array(befores), atol=1e-5)
        assert_close(end, np.asarray(state), atol=1e-5)
    xs = {"x": rng.normal(size=(6, 2)).astype(np.float32), "reset": rng.random((6, 1)) < 0.4}
    start = {"level": rng.normal(size=2).astype(np.float32), "count": np.int32(2)}
    with case("for pytrees", hint="`jax.tree.map` reaches every array, and leaves None as it is."):
        expected = jax.tree.map(np.asarray, lax.scan(count_up, start, xs))
        assert_close(submission.chunked_scan(count_up, start, xs, 3), expected)
    with case("without an output", hint="Where do you get the length of the series from?"):
        end, nothing = submission.chunked_scan(
            lambda state, x: (count_up(state, x)[0], None), start, xs, 3
        )
        assert_close((end, nothing), (expected[0], None))


@pytest.mark.hint("Does the gradient pass from a chunk to the previous one?")
def test_the_gradients_are_those_of_a_scan(submission, rng):
    """The gradients reach the weights of the step, the start, and every element."""
    for steps, chunk in ((12, 3), (2, 1)):
        given = draw(rng, steps, 4)
        found = submission.chunked_scan.used_by(gradients)(*given, chunk)
        close(found, gradients(plain, *given, chunk))


@pytest.mark.points(4)
@pytest.mark.hint(
    "One state takes 3200 bytes. How many are kept? How many chunks of what length do you make?"
)
def test_few_states_are_kept(submission, rng):
    """Neither between the passes nor within one of them is there an array of all the states."""
    # Few large chunks, so that chunks of another length keep more.
    steps, chunk, width = 2304, 288, 800
    given = draw(rng, steps, width)
    found, kept = submission.chunked_scan.used_by(run).kept(*given, chunk)
    expected, backward = jax.vjp(lambda *given: run(plain, *given, chunk), *given)
    g = rng.normal(size=width).astype(np.float32), rng.normal(size=steps).astype(np.float32)
    close((found, kept.gradients(g)), (expected, list(backward(g))))
    # The states before and after each chunk. The series, its outputs and the weights may wait, too.
    assert kept.bytes <= 4 * (2 * steps // chunk * width + 2 * steps + 2 * width)
    for program in (kept.forward, kept.backward):
        assert program.elements < steps * width


@pytest.mark.points(3)
@pytest.mark.hint("Is there a Python loop over the chunks, or over the steps?")
def test_the_program_does_not_grow(submission, rng):
    """The program of the gradients is small for 50 chunks, and for chunks of 50 steps."""
    for steps, chunk in ((150, 3), (150, 50)):
        given = draw(rng, steps, 3)
        program = submission.chunked_scan.used_by(gradients).program(*given, chunk)
        # Forwards and backwards, a step takes more than ten.
        assert program.size < 10 * 50
        close(program(*given), gradients(plain, *given, chunk))


@pytest.mark.hint("The shape of `xs` is known while tracing. What is kept for each series?")
def test_many_series(submission, rng):
    """Under `vmap` and `jit`, each series has its own gradients, and also needs few states."""
    series, steps, chunk, width = 3, 2304, 48, 20
    drawn = [draw(rng, steps, width) for _ in range(series)]
    given = [np.stack(arrays) for arrays in zip(*drawn, strict=True)]
    used = submission.chunked_scan.used_by(gradients).vmap(in_axes=(0, 0, 0, None))
    program = used.jit(static_argnums=3).program(*given, chunk)
    expected = [gradients(plain, *one, chunk) for one in drawn]
    close(program(*given), jax.tree.map(lambda *parts: np.stack(parts), *expected))
    assert program.elements < series * steps * width
