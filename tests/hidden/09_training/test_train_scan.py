"""train_scan(step, params, n): any training step, n times, in one loop of the program."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


class Model(NamedTuple):
    weights: Any
    biases: Any


def array(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def problem(rng, *shape, number=0):
    """A step of descent on a parabola, a random start, and the same step in float64.

    The parabola with a number is a constant of the program. It's the same in every run, so the
    program is in the cache.
    """
    target, lr = array(np.random.default_rng(number), *shape), 0.2

    def step(params):
        value, slope = jax.value_and_grad(lambda p: jnp.sum((p - target) ** 2))(params)
        return params - lr * slope, value

    def exact(params):
        difference = params.astype(np.float64) - target
        return np.asarray(params - lr * 2 * difference), np.sum(difference**2)

    return step, array(rng, *shape), exact


def loop(step, params, n):
    losses = []
    for _ in range(n):
        params, loss = step(params)
        losses.append(loss)
    return params, np.array(losses)


@pytest.mark.hint("In round k the step gets the parameters of round k - 1, and gives one loss.")
def test_it_equals_the_loop(submission, rng):
    """Parameters and losses are those of a Python loop around the step."""
    for number, (n, shape) in enumerate([(5, (3,)), (1, ()), (20, (2, 2)), (5, (3,))]):
        step, params, exact = problem(rng, *shape, number=number)
        assert_close(submission.train_scan(step, params, n), loop(exact, params, n), atol=1e-5)


@pytest.mark.hint("Carry the parameters as they are, of any type and in any structure.")
def test_any_tree_is_carried(submission, rng):
    """Any containers, None, integers, keys and half precision are carried, whatever is in them."""

    def step(params):
        model, (key, count), nothing = params["model"], params["rest"], params["nothing"]
        key, subkey = jax.random.split(key)
        noise = jax.random.uniform(subkey, model.weights.shape)
        model = Model(model.weights - 0.25 * noise, model.biases)
        sizes = [leaf / 2 for leaf in params["sizes"]]
        # A dict in another order has the same structure.
        new = {"sizes": sizes, "nothing": nothing, "rest": (key, count + 1), "model": model}
        # Not finite in the second round, which counts nevertheless.
        return new, jnp.sum(model.weights) / (count - 5)

    params = {
        "model": Model(array(rng, 2, 3), [array(rng, 3)]),
        "rest": (jax.random.key(int(rng.integers(1000))), np.int32(4)),
        "nothing": None,
        "sizes": [
            array(rng, 1100, 2) * np.resize(np.float32([1e-7, 1, 1e5]), (1100, 1)),
            array(rng, 4).astype(jnp.bfloat16),
            np.float32([[np.nan, np.inf, -np.inf]]),
            array(rng, 0, 3),
        ],
    }
    expected = jax.tree.map(jnp.asarray, params)
    losses = []
    for _ in range(3):
        expected, loss = step(expected)
        losses.append(loss)
    found = submission.train_scan(step, params, 3)
    assert_close(found, (expected, jnp.stack(losses)), atol=1e-5, nonfinite=True)
    assert_close(found[0]["sizes"], expected["sizes"], rtol=1e-6, nonfinite=True)


@pytest.mark.points(3)
@pytest.mark.hint("A Python loop puts a copy of the step into the program for each round.")
def test_the_program_does_not_grow(submission, rng):
    """Many more steps need no bigger program, and each of them is taken."""
    step, params, exact = problem(rng, 3)
    programs = {n: submission.train_scan.program(step, params, n) for n in (8, 256)}
    # A factor of 2, since a loop may be unrolled a few times on purpose.
    assert programs[256].size <= 2 * programs[8].size
    # A small program can be made as big as a big one. But no unrolled loop fits in here.
    assert programs[256].size < 256
    for n, program in programs.items():
        start = array(rng, 3)
        assert_close(program(start), list(loop(exact, start, n)), atol=1e-5)

    def count(steps):
        # Equal losses in a row, and those of zero, end no training.
        return steps + 1, jnp.floor(steps / 2) % 3 - 1

    # If the steps are taken in blocks, some are left over.
    start, n = np.float32(rng.integers(1000)), 10_007
    program = submission.train_scan.program(count, start, n)
    assert program.size < 256
    assert_close(program(start), [start + n, (start + np.arange(n)) // 2 % 3 - 1])


@pytest.mark.hint("Which loop calls its body once, for any number of rounds?")
def test_the_step_is_traced_a_few_times_only(submission, rng):
    """For any number of rounds, Python runs the step at most four times."""
    params = array(rng, 3)

    def count(train_scan, params, n):
        calls = []

        def step(params):
            calls.append(isinstance(params, jax.core.Tracer))
            return params * 0.5, jnp.sum(params)

        _, losses = train_scan(step, params, n)
        return calls, losses

    for n in (1, 20):
        calls, losses = submission.train_scan.used_by(count).reported()(params, n)
        assert_close(losses, params.sum(dtype=float) * 0.5 ** np.arange(n), atol=1e-5)
        assert len(calls) <= 4
        assert all(calls), "the step is called with numbers, outside of the loop"


@pytest.mark.hint("While tracing, a loss has no value: it can't become a float or a NumPy array.")
def test_it_survives_jit(submission, rng):
    """Under `jit`, one program works for every start."""
    step, params, exact = problem(rng, 4)
    jitted = submission.train_scan.jit(static_argnums=(0, 2))
    for _ in range(2):
        params = array(rng, 4)
        assert_close(jitted(step, params, 6), loop(exact, params, 6), atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("Reverse mode needs to know the number of rounds while tracing.")
def test_the_training_has_a_gradient(submission, rng):
    """Losses and parameters have gradients, in the parameters and in a rate that the step uses.

    Their program doesn't grow with the rounds.
    """
    rate = 0.2

    def step(params):
        return params * (1 - rate), jnp.sum(params**2)

    def slopes(train_scan, params, rate):
        def train(start, rate):
            return train_scan(lambda p: (p * (1 - rate), jnp.sum(p**2)), start, 5)

        return jax.jacrev(train, argnums=(0, 1))(params, rate)

    params = array(rng, 70)
    params[0] = 0
    exact, k = params.astype(np.float64), np.arange(5.0)
    by_start = 2 * (1 - rate) ** (2 * k)[:, None] * exact
    by_rate = -2 * k * (1 - rate) ** (2 * k - 1) * np.sum(exact**2)
    of_end, of_losses = submission.train_scan.used_by(slopes).jit()(params, np.float32(rate))
    assert_close(of_end, ((1 - rate) ** 5 * np.eye(70), -5 * (1 - rate) ** 4 * exact), atol=1e-5)
    assert_close(of_losses, (by_start, by_rate), rtol=1e-5, atol=1e-5)

    def slope(train_scan, params, n):
        def total(start):
            end, losses = train_scan(step, start, n)
            return -0.5 * (end.sum() + losses.sum())

        return jax.grad(total)(params)

    used = submission.train_scan.used_by(slope)
    few, many = (used.program(params, n) for n in (8, 256))
    for n, program in ((8, few), (256, many)):
        by_losses = 2 * np.sum((1 - rate) ** (2 * np.arange(n))) * params.astype(np.float64)
        assert_close(program(params), -0.5 * ((1 - rate) ** n + by_losses), atol=1e-4)
    assert many.size <= 2 * few.size
    assert many.size < 256


ROUNDS = 100


def descend(params, levels):
    """A step of descent, and a count of steps."""
    model, count = params
    value, slope = jax.value_and_grad(lambda m: jnp.sum((jnp.tanh(m) - levels) ** 2))(model)
    return (model - 0.1 * slope, count + 1), value


jitted_step = jax.jit(descend)


def loop_of_jitted_steps(params, levels):
    losses = []
    for _ in range(ROUNDS):
        params, loss = jitted_step(params, levels)
        losses.append(loss)
    return params, jnp.stack(losses)


def descent(params, levels):
    """The loop in float64."""
    model, levels = params[0].astype(np.float64), levels.astype(np.float64)
    losses = []
    for _ in range(ROUNDS):
        error = np.tanh(model) - levels
        losses.append(np.sum(error**2))
        model = model - 0.1 * 2 * error * (1 - np.tanh(model) ** 2)
    return (model, params[1] + np.int32(ROUNDS)), np.array(losses)


@pytest.mark.hint("Going back to Python after each step takes longer than the step.")
def test_it_is_fast(submission, race):
    """A hundred steps are at least 5 times as fast as a Python loop of jitted steps."""

    def train(train_scan, params, levels):
        return train_scan(lambda params: descend(params, levels), params, ROUNDS)

    def draw(rng):
        return (array(rng, 100), np.int32(rng.integers(9))), array(rng, 100)

    race(
        submission.train_scan.used_by(train),
        baseline=loop_of_jitted_steps,
        args=draw,
        at_least=5,
        check=lambda result, *args: assert_close(result, descent(*args), rtol=1e-4, atol=1e-4),
    )
