"""train_scan(step, params, n): any training step, n times, in one loop of the program."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


class Model(NamedTuple):
    weights: Any
    biases: Any


def array(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def problem(rng, *shape):
    """A step of descent on a parabola, a random start, and the same step in float64."""
    # The parabola is a constant of the program, and the same in every run.
    target, lr = array(np.random.default_rng(0), *shape), 0.2

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


@pytest.mark.hint("In round k, the step gets the parameters of round k - 1, and returns one loss.")
def test_it_equals_the_loop(submission, rng):
    """Parameters and losses are those of a Python loop around the step."""
    for n, shape in [(5, (3,)), (1, ()), (3, (1,)), (20, (2, 2))]:
        step, params, exact = problem(rng, *shape)
        assert_close(submission.train_scan(step, params, n), loop(exact, params, n), atol=1e-5)


@pytest.mark.hint("Carry the parameters unchanged, of any type and in any structure.")
def test_any_tree_is_carried(submission, rng):
    """Parameters in any containers are carried, including a random key and a count."""

    def step(params):
        model, (key, count) = params["model"], params["rest"]
        key, subkey = jax.random.split(key)
        noise = jax.random.uniform(subkey, model.weights.shape)
        model = Model(model.weights - 0.25 * noise, model.biases)
        return {"model": model, "rest": (key, count + 1)}, jnp.sum(model.weights) * count

    params = {
        "model": Model(array(rng, 2, 3), [array(rng, 3)]),
        "rest": (jax.random.key(int(rng.integers(1000))), np.int32(4)),
    }
    expected, losses = loop(step, jax.tree.map(jnp.asarray, params), 3)
    found = submission.train_scan(step, params, 3)
    assert_close(found, (expected, losses), atol=1e-5)


@pytest.mark.points(3)
@pytest.mark.hint(
    "A Python loop, or `unroll`, adds a copy of the step to the program for each round."
)
def test_the_program_does_not_grow(submission, rng):
    """Under `jit`, the program for 500 steps has fewer operations, and each step is taken."""
    step, start, exact = problem(rng, 3)
    program = submission.train_scan.program(step, start, 500)
    assert program.size < 500
    assert_close(program(start), list(loop(exact, start, 500)), atol=1e-5)


@pytest.mark.hint("Which loop calls its body once, for any number of rounds?")
def test_the_step_is_traced_a_few_times_only(submission, rng):
    """For any number of rounds, Python runs the step at most four times, and only to trace it."""

    def count(train_scan, params, n):
        calls = []

        def step(params):
            calls.append(isinstance(params, jax.core.Tracer))
            return params * 0.5, jnp.sum(params)

        train_scan(step, params, n)
        return calls

    calls = submission.train_scan.used_by(count).reported()(array(rng, 3), 20)
    assert len(calls) <= 4, f"In a training run of 20 steps the step is called {len(calls)} times."
    assert all(calls), "The step is called with numbers, outside the loop."


@pytest.mark.points(2)
@pytest.mark.hint("Can your loop be differentiated backwards, and is it in the program once?")
def test_the_training_has_a_gradient(submission, rng):
    """The results have a gradient in the parameters and in a rate, even in one loop."""

    def slopes(train_scan, params, rate, weights):
        def total(start, rate):
            end, losses = train_scan(lambda p: (p * (1 - rate), jnp.sum(p**2)), start, 500)
            return jnp.sum(weights * end) + jnp.sum(losses)

        return jax.grad(total, argnums=(0, 1))(params, rate)

    rate, n, params, weights = np.float32(0.002), 500, array(rng, 4), array(rng, 4)
    params[0] = 0
    program = submission.train_scan.used_by(slopes).program(params, rate, weights)
    assert program.size < 500
    exact, k, left = params.astype(np.float64), np.arange(n), 1 - np.float64(rate)
    by_start = left**n * weights + 2 * np.sum(left ** (2 * k)) * exact
    by_rate = -n * left ** (n - 1) * np.sum(weights * exact)
    by_rate -= np.sum(2 * k * left ** (2 * k - 1.0)) * np.sum(exact**2)
    assert_close(program(params, rate, weights), [by_start, by_rate], rtol=1e-4, atol=1e-4)


def test_details(submission, rng):
    """It works for any tree, in half precision and with NaN, and keeps the input parameters."""

    def halve(params):
        halves = jax.tree.map(lambda a: a / 2, params)
        return halves, jax.tree.leaves(params)[0].astype(jnp.float32).sum()

    params = array(rng, 3).astype(jnp.bfloat16)
    with case(
        "for None, NaN and empty arrays", hint="Is everything in the tree carried unchanged?"
    ):
        tree = {"none": None, "empty": array(rng, 0, 3), "p": np.float32([np.nan, *array(rng, 2)])}
        end, _ = submission.train_scan(halve, tree, 3)
        assert_close(end, {**tree, "p": tree["p"] / 8}, nonfinite=True)
    with case("in half precision", hint="What is the dtype of the parameters after a step?"):
        end, _ = submission.train_scan(halve, params, 3)
        assert_close(end, params / jnp.bfloat16(8))
    with case("where a loss is NaN", hint="The loss is only collected, and decides nothing."):

        def fails_once(params):
            count, p = params
            return (count + 1, p / 2), jnp.where(count == 2, jnp.nan, p)

        count, p = np.int32(0), array(rng)
        losses = p * np.float32([1, 0.5, np.nan, 0.125, 0.0625])
        found = submission.train_scan(fails_once, (count, p), 5)
        assert_close(found, ((count + np.int32(5), p / 32), losses), nonfinite=True)
    with case("for the input parameters", hint="May the caller's arrays be donated?"):

        def twice(train_scan, params):
            train_scan(halve, params, 3)
            return params + 0

        assert_close(submission.train_scan.used_by(twice).reported()(params), params)


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


@pytest.mark.hint("Returning to Python after each step takes longer than the step.")
def test_it_is_fast(submission, race):
    """A hundred steps are at least 5 times as fast as a Python loop of jitted steps."""

    def train(train_scan, params, levels):
        return train_scan(lambda params: descend(params, levels), params, ROUNDS)

    def draw(rng):
        return (array(rng, 1000), np.int32(rng.integers(9))), array(rng, 1000)

    race(
        submission.train_scan.used_by(train),
        baseline=loop_of_jitted_steps,
        args=draw,
        at_least=5,
        check=lambda result, *args: assert_close(result, descent(*args), rtol=1e-4, atol=1e-4),
    )
