"""train_until(step, params, tol, most): a training that ends by its loss."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case


def shrink(params):
    """A step that halves all numbers, and so the loss, exactly."""
    return params / 2, jnp.sum(jnp.abs(params))


def start(rng, *shape):
    """Powers of two, whose halves and sums are exact.

    The sum of their sizes depends on the shape alone. So a tolerance, which is a constant of the
    program, is the same in every run, and the program is in the cache.
    """
    sizes = 2.0 ** (3 + np.arange(math.prod(shape)) % 6)
    return (rng.permutation(sizes).reshape(shape) * rng.choice([-1, 1], shape)).astype(np.float32)


def expected(params, tol, most):
    """What shrink gives, in float64."""
    steps, total, params = 0, np.inf, params.astype(np.float64)
    while steps < most and total > tol:
        total, params, steps = np.abs(params).sum(), params / 2, steps + 1
    return params, np.asarray(total), np.int32(steps)


def trained(train_until, params, tol, most):
    return train_until(shrink, params, tol, most)


@pytest.mark.hint("Which step is the last one? Return its loss, and the parameters after it.")
def test_it_ends_after_the_first_small_loss(submission, rng):
    """The first step with a loss of at most the tolerance is the last one, and it counts."""
    for share, shape in ((2.0**-3, (3,)), (2.0**-6, (2, 2)), (1.0, ())):
        params = start(rng, *shape)
        total = float(np.abs(params).sum())
        found = submission.train_until(shrink, params, 1.25 * share * total, 60)
        assert_close(found, expected(params, 1.25 * share * total, 60))
        with case("where a loss equals the tolerance", hint="Is a loss of exactly `tol` enough?"):
            found = submission.train_until(shrink, params, share * total, 60)
            assert_close(found, expected(params, share * total, 60))


@pytest.mark.hint("How many steps does it take if the loss never gets small?")
def test_it_ends_after_the_last_step_that_is_allowed(submission, rng):
    """It never takes more steps than allowed."""
    for most in (7, 2, 1, 100):
        params = start(rng, 4)
        found = submission.train_until(shrink, params, 0.0, most)
        assert_close(found, expected(params, 0.0, most))


@pytest.mark.hint("Carry the parameters unchanged. The loop doesn't look into them.")
def test_any_tree_is_carried(submission, rng):
    """Containers, integers, keys and half precision are returned as the step returned them."""

    def step(params):
        key, subkey = jax.random.split(params["key"])
        noise = jax.random.uniform(subkey, params["noise"].shape)
        w = [leaf / 2 for leaf in params["w"]]
        new = {"key": key, "count": params["count"] + 1, "w": w, "none": None, "noise": noise}
        return new, 1 / new["count"].astype(jnp.float32)

    w = [start(rng, 2, 3), start(rng, 4).astype(jnp.bfloat16)]
    key = jax.random.key(int(rng.integers(1000)))
    noise = np.zeros(3, np.float32)
    params = {"key": key, "count": np.int32(0), "w": w, "none": None, "noise": noise}
    wanted = jax.tree.map(jnp.asarray, params)
    for _ in range(4):
        wanted, loss = step(wanted)
    assert_close(submission.train_until(step, params, 0.3, 50), (wanted, loss, np.int32(4)))


@pytest.mark.points(3)
@pytest.mark.hint("While tracing, the loss has no value. Which loop tests it in the program?")
def test_one_small_program_serves_every_rule(submission, rng):
    """One small program with a loop serves every tolerance, every limit and every start."""
    program = submission.train_until.used_by(trained).program(
        start(rng, 3), np.float32(0), np.int32(0)
    )
    assert "stablehlo.while" in program.operations, "there is no loop in the program"
    # Forty steps that are written out don't fit in here: each has four operations at least.
    assert program.size <= 100, "the program contains many copies of the step"
    for most, halvings in ((40, 5), (40, 2), (3, 8)):
        params = start(rng, 3)
        tol = np.float32(1.25 * np.abs(params).sum() / 2**halvings)
        assert_close(program(params, tol, np.int32(most)), list(expected(params, tol, most)))


@pytest.mark.hint("Use the functions of jax.numpy in the condition, not `and`, `not` or an `if`.")
def test_each_training_of_a_batch_ends_by_itself(submission, rng):
    """Under `vmap`, each training run has its own tolerance, limit and number of steps."""
    params = np.stack([start(rng, 2) for _ in range(4)])
    tols = (np.abs(params).sum(1) * np.float32([0.04, 0.6, 0.002, 0])).astype(np.float32)
    most = np.int32([30, 40, 4, 25])
    found = submission.train_until.used_by(trained).vmap()(params, tols, most)
    each = [expected(*row) for row in zip(params, tols, most, strict=True)]
    assert_close(found, tuple(map(np.stack, zip(*each, strict=True))))


def test_details(submission, rng):
    """It works where a loss is negative, infinite or NaN."""

    def replay(params):
        """The losses are given, one for each step."""
        k, losses = params
        return (k + 1, losses), losses[k]

    def check(losses, tol, most, steps):
        found = submission.train_until(replay, (np.int32(0), losses), tol, most)
        wanted = (np.int32(steps), losses), losses[steps - 1], np.int32(steps)
        assert_close(found, wanted, nonfinite=True)

    losses = rng.uniform(1, 9, 8).astype(np.float32)
    with case("where a loss is negative", hint="Is -3 at most -2.5?"):
        losses[4] = -3
        check(losses, -2.5, 8, 5)
    with case("where the last loss is infinite", hint="Infinity is a loss like any other."):
        losses[2] = np.inf
        check(losses, 0.5, 3, 3)
    with case("where a loss is NaN", hint="Each comparison with NaN is false. Which is yours?"):
        losses[2] = np.nan
        check(losses, 0.5, 8, 3)


MANY = 3000


@jax.jit
def all_steps(params, tol):
    """All steps, of which those after the last one change nothing."""

    def one(_, state):
        params, loss, steps = state
        new, new_loss = heavy(params)
        bad = loss > tol
        return (
            jnp.where(bad, new, params),
            jnp.where(bad, new_loss, loss),
            jnp.where(bad, steps + 1, steps),
        )

    return jax.lax.fori_loop(0, MANY, one, (params, jnp.float32(jnp.inf), jnp.int32(0)))


def heavy(params):
    """A step that costs a little."""
    return params / 2, jnp.sum(jnp.abs(params)) + 0 * jnp.sum(jnp.sin(params))


def trained_heavy(train_until, params, tol):
    return train_until(heavy, params, tol, MANY)


@pytest.mark.points(2)
@pytest.mark.hint("Does your loop end, or does it only stop changing its state?")
def test_steps_that_are_not_needed_cost_nothing(submission, race):
    """If five steps are enough, it is five times as fast as all steps, most of them masked."""

    def draw(rng):
        params = start(rng, 200)
        return params, np.float32(1.25 * np.abs(params).sum() / 16)

    race(
        submission.train_until.used_by(trained_heavy),
        baseline=all_steps,
        args=draw,
        at_least=5,
        check=lambda result, params, tol: assert_close(result, expected(params, tol, MANY)),
    )
