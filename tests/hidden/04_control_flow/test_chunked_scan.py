"""chunked_scan(step, start, xs, chunk): a scan whose gradient needs few states at any time.

The reference is `jax.lax.scan` itself, and a Python loop. An array of the states of all steps is
seen in `largest_intermediate` of the gradient's program: states are large here, and the elements
and the outputs of a step are single numbers.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.suite import assert_close


def close(found, expected):
    """Leaf by leaf, beside its largest element."""
    pairs = zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True)
    for actual, right in pairs:
        right = np.asarray(right)
        assert_close(actual, right, atol=3e-5 * np.abs(np.float64(right)).max(initial=0))


def leaky_sum(total, x):
    """A sum that forgets, and two outputs of which one is of the state that goes in."""
    return 0.75 * total + x, (total, 2 * x)


def count_up(state, element):
    """A state with a counter and an output that depends on it; one output is None."""
    level, count = state["level"], state["count"]
    level = jnp.where(element["reset"], 0, level) + count * element["x"]
    return {"level": level, "count": count + 1, "large": state["large"] + 1}, (None, level)


def silent(state, element):
    return count_up(state, element)[0], None


def rotate(weights, state, x):
    """A step whose gradient needs its state, and that mixes the numbers of a state.

    It has a product of matrices, whose results some policies of `jax.checkpoint` keep.
    """
    turned = jnp.roll(state, 1)[:, None] @ jnp.ones((1, 1))
    state = weights * jnp.tanh(turned[:, 0] + x)
    return state, state[0] + x


def run(scan, weights, start, xs, chunk):
    return scan(lambda state, x: rotate(weights, state, x), start, xs, chunk)


def passes(scan, weights, start, xs, g, chunk):
    """The result, and the gradients in all that is given."""
    result, backward = jax.vjp(lambda *given: run(scan, *given, chunk), weights, start, xs)
    return result, list(backward(g))


def states_and_gradients(scan, weights, start, xs, chunk):
    """The gradients of all outputs' sum, and the last state."""

    def total(weights, start, xs):
        step = jax.tree_util.Partial(rotate, weights)
        end, outputs = scan(step, start, xs, chunk)
        return outputs.sum() + end.sum(), end

    return jax.grad(total, argnums=(0, 1, 2), has_aux=True)(weights, start, xs)


def plain(step, start, xs, chunk):
    return lax.scan(step, start, xs)


def draw(rng, steps, width):
    """Weights, a start, a series with elements of many sizes, and gradients that arrive."""
    weights = rng.uniform(0.6, 0.9, size=width) * rng.choice([-1, 1], size=width)
    start = rng.normal(size=width)
    xs = rng.choice([-1, 1], size=steps) * 10 ** rng.uniform(-4, 0, size=steps)
    g = rng.normal(size=width) * 5, rng.normal(size=steps)
    return jax.tree.map(np.float32, (weights, start, xs, g))


@pytest.mark.hint("Which state does a chunk begin with? And in which order are the outputs?")
def test_it_is_a_scan(submission, rng):
    """The last state and the outputs are those of the steps one after the other."""
    for steps, chunk, size in (
        (6, 2, 1),
        (6, 3, 1e-25),
        (1, 1, 1e9),
        (5, 1, 1e25),
        (1100, 50, 1e-9),
    ):
        xs = (rng.normal(size=steps) * size).astype(np.float32)
        start = np.float32(rng.normal() * np.abs(xs).max())
        state, befores = np.float64(start), []
        for x in np.float64(xs):
            befores.append(state)
            state = 0.75 * state + x
        end, (before, doubled) = submission.chunked_scan(leaky_sum, start, xs, chunk)
        assert_close(end, np.asarray(state), atol=4e-6 * np.abs(xs).max())
        assert_close(before, np.array(befores))
        assert_close(doubled, 2 * xs)
    xs = rng.integers(-9, 9, size=4).astype(np.int32)
    end, (before, doubled) = submission.chunked_scan(leaky_sum, 1.0, xs, 2)
    assert_close(doubled, 2 * xs)
    assert_close(before[:2], np.float32([1, 0.75 + xs[0]]))
    for start, element in ((1, np.nan), (np.nan, 1), (1, np.inf), (-np.inf, 1)):
        xs = np.float32([2, element])
        end, (before, _) = submission.chunked_scan(leaky_sum, np.float32(start), xs, 2)
        state = np.float32([start, 0.75 * start + 2])
        assert_close(before, state, nonfinite=True)
        assert_close(end, np.asarray(0.75 * state[1] + np.float32(element)), nonfinite=True)


@pytest.mark.hint("`jax.tree.map` reaches every array of a pytree, and leaves None as it is.")
def test_pytrees_of_any_kind(submission, rng):
    """States and elements may be dicts, of several dtypes and shapes, and an output None."""
    for dtype in (np.float32, jnp.bfloat16):
        xs = {
            "x": rng.integers(-3, 4, size=(6, 2, 3)).astype(dtype),
            "reset": rng.random((6, 1, 3)) < 0.4,
        }
        xs["reset"][3:] = False
        # An integer that float32 would round.
        start = {"level": rng.integers(-9, 9, size=(2, 3)).astype(dtype), "count": np.int32(2)}
        start["large"] = np.uint32(4_000_000_001)
        level, levels = np.float32(start["level"]), []
        for k in range(6):
            level = np.where(xs["reset"][k], 0, level) + (2 + k) * np.float32(xs["x"][k])
            levels.append(level)
        end, (nothing, found) = submission.chunked_scan(count_up, start, xs, 3)
        assert nothing is None
        assert_close(found, np.stack(levels).astype(dtype))
        last = {"level": level.astype(dtype), "count": np.int32(8), "large": start["large"] + 6}
        assert_close(end, last)
    # The same steps, without any output.
    assert_close(submission.chunked_scan(silent, start, xs, 3), (last, None))


@pytest.mark.points(2)
@pytest.mark.hint("Does the gradient pass from a chunk to the chunk before it?")
def test_the_gradients_are_those_of_a_scan(submission, rng):
    """The gradients reach the start, every element, and the weights of the step."""
    for steps, chunk in ((12, 3), (2, 1)):
        given = draw(rng, steps, 4)
        given[1][1] = given[2][-1] = 0
        found = submission.chunked_scan.used_by(passes)(*given, chunk)
        close(found, passes(plain, *given, chunk))


@pytest.mark.points(4)
@pytest.mark.hint("What is around `jax.checkpoint`, and what is in it? Both passes are looked at.")
def test_few_states_are_kept(submission, rng):
    """Neither between the passes nor within one of them is there an array of all the states."""
    # Few large chunks, so that chunks of another length keep more. And a single chunk.
    for steps, chunk, width in ((576, 144, 400), (12, 12, 400)):
        *given, g = draw(rng, steps, width)
        found, kept = submission.chunked_scan.used_by(run).kept(*given, chunk)
        for program in (kept.forward, kept.backward):
            assert program.largest_intermediate <= 3 * (chunk + steps // chunk) * width
        close((found, kept.gradients(g)), passes(plain, *given, g, chunk))
        # Beside states, the series and its outputs may wait, and the weights.
        assert kept.bytes <= 4 * (2 * steps // chunk * width + 4 * steps + 4 * width)


@pytest.mark.hint("Is there a Python loop over the chunks, or over the steps?")
def test_the_program_does_not_grow(submission, rng):
    """A series forty times as long, of more or larger chunks, needs no bigger program."""
    used = submission.chunked_scan.used_by(states_and_gradients)
    given = [(*draw(rng, steps, 3)[:3], chunk) for steps, chunk in ((15, 5), (600, 5), (600, 200))]
    programs = [used.program(*each) for each in given]
    sizes = [program.size for program in programs]
    assert max(sizes[1:]) <= 1.5 * sizes[0]
    assert max(sizes) < 600
    for program, each in zip(programs, given, strict=True):
        close(program.structured(*each), states_and_gradients(plain, *each))


@pytest.mark.hint("The shape of `xs` is known while tracing. What is kept for each series?")
def test_many_series(submission, rng):
    """Under `vmap` and `jit`, each series has its gradients, and keeps few states, too."""
    series, steps, chunk, width = 3, 144, 12, 20
    drawn = [draw(rng, steps, width)[:3] for _ in range(series)]
    given = [np.stack(arrays) for arrays in zip(*drawn, strict=True)]
    used = submission.chunked_scan.used_by(states_and_gradients)
    used = used.vmap(in_axes=(0, 0, 0, None)).jit(static_argnums=3)
    program = used.program(*given, chunk)
    expected = [states_and_gradients(plain, *one, chunk) for one in drawn]
    close(program.structured(*given), jax.tree.map(lambda *parts: np.stack(parts), *expected))
    assert program.largest_intermediate <= 3 * (chunk + steps // chunk) * width * series
