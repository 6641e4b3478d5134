"""train_until(step, params, tol, most): a training that ends by its loss."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close


def shrink(params):
    """A step that halves all numbers, and so the loss, exactly."""
    loss = sum(jnp.sum(jnp.abs(leaf)) for leaf in jax.tree.leaves(params))
    return jax.tree.map(lambda leaf: leaf / 2, params), loss


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


HERE = np.float32([4, -2])


def known(numbers):
    """An array of JAX's that has its values while others are traced."""
    with jax.ensure_compile_time_eval():
        return jnp.asarray(numbers)


def with_known_arguments(train_until, params, tol):
    """Two trainings: the parameters of one are known, and all else of the other."""
    return train_until(shrink, known(HERE), tol, 40), train_until(shrink, params, 0.5, 40)


@pytest.mark.hint("The step that reaches the tolerance counts, and it is the last one.")
def test_it_ends_after_the_first_small_loss(submission, rng):
    """The first step with a loss of at most the tolerance is the last one, and it counts."""
    for share, shape, scale in (
        (2.0**-3, (3,), 1),
        (2.0**-6, (2, 2), 1),
        (1.0, (), 2.0**30),
        (2.0**-30, (1100,), 1),
    ):
        params = start(rng, *shape) * np.float32(scale)
        total = float(np.abs(params).sum())
        # The loss becomes exactly this number, and a little less than it.
        for tol in (share * total, 1.25 * share * total):
            found = submission.train_until(shrink, params, tol, 60)
            assert_close(found, expected(params, tol, 60))

    # A loss may be negative.
    def descend(params):
        return params - 1, params.astype(jnp.float32)

    found = submission.train_until(descend, np.int32(3), -2.5, 60)
    assert_close(found, (np.int32(-4), np.float32(-3), np.int32(7)))


@pytest.mark.hint("How many steps does it take if the loss never gets small?")
def test_it_ends_after_the_last_step_that_is_allowed(submission, rng):
    """It never takes more steps than allowed, be it one or a few hundred."""
    params = start(rng, 24)
    for most in (1, 2, 7):
        found = submission.train_until(shrink, params, 0.5, most)
        assert_close(found, expected(params, 0.5, most))

    # More than a byte can count. No loss is below this tolerance, and it may be negative.
    def count(params):
        return params + 1, jnp.float32(0)

    found = submission.train_until(count, np.int32(5), -1.0, 700)
    assert_close(found, (np.int32(705), np.float32(0), np.int32(700)))


@pytest.mark.hint("Every comparison with NaN is false. Which one do you make?")
def test_it_ends_where_the_loss_is_nan(submission, rng):
    """After a loss that is NaN no step is taken; an infinite loss is only a bad one."""
    bad, start = 5, np.int32(rng.integers(-9, 1))

    def diverge(params):
        loss = jnp.where(params == bad, jnp.nan, jnp.where(params == 1, jnp.inf, 1e30))
        return params + 1, loss.astype(jnp.float32)

    found = submission.train_until(diverge, start, 0.5, 40)
    steps = np.int32(bad + 1 - start)
    assert_close(found, (np.int32(bad + 1), np.float32(np.nan), steps), nonfinite=True)
    # The last loss may be infinite.
    found = submission.train_until(diverge, np.int32(0), 0.5, 2)
    assert_close(found, (np.int32(2), np.float32(np.inf), np.int32(2)), nonfinite=True)


@pytest.mark.hint("Carry the parameters as they are. The loop doesn't look into them.")
def test_any_tree_is_carried(submission, rng):
    """Containers, integers, keys and half precision come back as the step returned them."""

    def step(params):
        key, subkey = jax.random.split(params["key"])
        noise = jax.random.uniform(subkey, params["w"][0].shape)
        w = [leaf / 2 for leaf in params["w"]]
        new = {"key": key, "count": params["count"] + 1, "w": w, "none": None, "noise": noise}
        return new, 1 / new["count"].astype(jnp.float32)

    w = [start(rng, 2, 3) * np.float32(1e-9), start(rng, 4).astype(jnp.bfloat16)]
    w[0][0] = np.nan, np.inf, -np.inf
    w += [start(rng, 1), np.zeros((0, 3), np.float32)]
    key = jax.random.key(int(rng.integers(1000)))
    noise = np.zeros((2, 3), np.float32)
    params = {"key": key, "count": np.int32(0), "w": w, "none": None, "noise": noise}
    wanted = jax.tree.map(jnp.asarray, params)
    for _ in range(4):
        wanted, loss = step(wanted)
    found = submission.train_until(step, params, 0.25, 50)
    assert_close(found, (wanted, loss, np.int32(4)), nonfinite=True)


@pytest.mark.points(4)
@pytest.mark.hint("While tracing, the loss has no value. Which loop tests it in the program?")
def test_one_small_program_serves_every_rule(submission, rng):
    """One small program with a loop serves every tolerance, every limit and every start."""
    used = submission.train_until.used_by(trained)
    program = used.program(start(rng, 3), np.float32(0), np.int32(0))
    for most in (1, 5, 40):
        params = start(rng, 3)
        tol = np.float32(np.abs(params).sum() * 2.0 ** -int(rng.integers(2, 9)))
        assert_close(program(params, tol, np.int32(most)), list(expected(params, tol, most)))
    # So many steps that all parameters are 0 in the end.
    params, most = start(rng, 3), np.int32(70_000)
    assert_close(program(params, np.float32(-1), most), [0 * params, np.float32(0), most])
    assert "stablehlo.while" in program.operations, "there is no loop in the program"
    # Forty steps that are written out don't fit in here: each has four operations at least.
    assert program.size <= 100, "the program holds many copies of the step"
    params, tol = start(rng, 3), np.float32(2.0 ** -int(rng.integers(2, 9)))
    program = submission.train_until.used_by(with_known_arguments).program(params, tol)
    assert program.size <= 200, "the program holds many copies of the step"
    both = expected(HERE, tol, 40), expected(params, 0.5, 40)
    assert_close(program.structured(params, tol), both)


@pytest.mark.hint("Use the functions of jax.numpy in the condition, not `and`, `not` or an `if`.")
def test_each_training_of_a_batch_ends_by_itself(submission, rng):
    """Under `vmap` each training has its own tolerance, limit and number of steps."""
    params = np.stack([start(rng, 2) for _ in range(4)])
    tols = (np.abs(params).sum(1) * np.float32([2.0**-5, 2.0**-1, 2.0**-9, 0])).astype(np.float32)
    most = np.int32([30, 40, 4, 25])
    found = submission.train_until.used_by(trained).vmap()(params, tols, most)
    each = [expected(*row) for row in zip(params, tols, most, strict=True)]
    assert_close(found, tuple(map(np.stack, zip(*each, strict=True))))


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


@pytest.mark.hint("Does your loop end, or does it only stop to change its state?")
def test_steps_that_are_not_needed_cost_nothing(submission, rng, race):
    """If five steps are enough, it is five times as fast as all steps, most of them masked.

    The largest limit comes after the race, since a loop over all steps would take minutes.
    """

    def draw(rng):
        params = start(rng, 200)
        return params, np.float32(np.abs(params).sum() / 16)

    race(
        submission.train_until.used_by(trained_heavy),
        baseline=all_steps,
        args=draw,
        at_least=5,
        check=lambda result, params, tol: assert_close(result, expected(params, tol, MANY)),
    )
    params = start(rng, 3)
    found = submission.train_until(shrink, params, 0.5, 2**31 - 1)
    assert_close(found, expected(params, 0.5, MANY))
