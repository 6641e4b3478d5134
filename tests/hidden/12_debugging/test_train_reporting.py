"""train_reporting(step, params, n, every, report): reports from inside a loop of the program.

A program with a callback can't be exported. So a function of this suite collects the reports in
the student's process, and tells them to the judge. The program without reports is exported.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import Callback, assert_close


def array(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def problem(rng, *shape):
    """A step of descent on a random parabola, and the same step in float64."""
    target, rate = array(rng, *shape), float(rng.uniform(0.02, 0.2))

    def step(params):
        value, slope = jax.value_and_grad(lambda p: jnp.sum((p - target) ** 2))(params)
        return params - rate * slope, value

    def exact(params):
        difference = params.astype(np.float64) - target
        return np.asarray(params - rate * 2 * difference), np.sum(difference**2)

    return step, exact


def loop(step, params, n):
    losses = []
    for _ in range(n):
        params, loss = step(params)
        losses.append(loss)
    return params, np.array(losses)


def watched(train, tell, step, starts, plans, jitted):
    """Trains by each plan from each start, and tells what each plan reported in all its runs."""

    def planned(n, every):
        seen = []

        def report(k, loss):
            seen.append([int(k), float(loss)])

        def run(params):
            return train(step, params, n, every, report)

        return jax.jit(run) if jitted else run, seen

    trainings = [planned(*plan) for plan in plans]
    for params in starts:
        results = [jax.block_until_ready(run(params)) for run, _ in trainings]
    jax.effects_barrier()
    for _, seen in trainings:
        tell(seen)
    return results


def surely(program):
    """How often a program calls Python at least. One branch of a `cond` runs."""
    calls = 0
    for equation in program.eqns:
        name = equation.primitive.name
        inner = min(map(surely, equation.params.get("branches", ())), default=0)
        for value in equation.params.values():
            inner += surely(value) if hasattr(value, "eqns") else 0
        calls += ("callback" in name) + inner * equation.params.get("length", 1)
    return calls


def effects(train, tell, params, n, every):
    """Tells how often a training surely calls Python, and whether it calls it only in order."""

    def run(params):
        return train(lambda p: (p / 2, jnp.sum(p)), params, n, every, lambda k, loss: None)

    program = jax.make_jaxpr(run)(params)
    ordered = ["Ordered" in str(effect) for effect in program.effects]
    tell(surely(program), bool(ordered) and all(ordered))
    return params


def reports(submission, step, starts, *plans, jitted=False):
    """For each plan (n, every): [[k, loss], ...] of all runs, and the result of the last one."""
    told = []
    used = submission.train_reporting.used_by(watched).observed()
    results = used(Callback(told.append), step, starts, plans, jitted)
    return list(zip(told, results, strict=True))


def check(submission, rng, shape, *plans, starts=1, jitted=False):
    """Compares reports and results with the loop in float64."""
    step, exact = problem(rng, *shape)
    starts = [array(rng, *shape) for _ in range(starts)]
    found = reports(submission, step, starts, *plans, jitted=jitted)
    for (n, every), (seen, result) in zip(plans, found, strict=True):
        steps = list(range(0, n, every))
        assert [k for k, _ in seen] == steps * len(starts)
        expected = [loop(exact, params, n) for params in starts]
        losses = np.concatenate([losses[::every] for _, losses in expected])
        assert_close(np.float32([loss for _, loss in seen]), losses, atol=1e-5)
        assert_close(result, expected[-1], atol=1e-5)


@pytest.mark.hint("Call the step first. What it returns is what you report, and what you keep.")
def test_each_step_is_reported(submission, rng):
    """With every = 1, each step is reported once, in order, with its number and its loss."""
    for shape, n in (((3,), 5), ((), 1), ((1, 2), 7)):
        check(submission, rng, shape, (n, 1))


@pytest.mark.hint("The first step has the number 0. Who asks it for a rest: Python or the program?")
def test_only_some_steps_are_reported(submission, rng):
    """Exactly the steps whose number is a multiple of `every` are reported."""
    for plan in ((7, 3), (7, 2), (6, 3), (4, 9), (300, 41)):
        check(submission, rng, (3,), plan)
    told = []
    used = submission.train_reporting.used_by(effects).observed()
    used(Callback(lambda *found: told.append(found)), array(rng, 3), 60, 10)
    ((calls, ordered),) = told
    assert ordered, "the program calls nothing, or its calls may come in any order"
    assert calls <= 6, "the program calls Python in every step"


@pytest.mark.points(4)
@pytest.mark.hint("Python runs your code while JAX traces. What does the program itself call?")
def test_a_compiled_training_reports_in_each_run(submission, rng):
    """Under `jit`, each of three runs of a program reports its own losses to its own function."""
    check(submission, rng, (3,), (10, 3), (10, 3), (5, 1), starts=3, jitted=True)


@pytest.mark.words
@pytest.mark.hint("Is the loop over when you report? And how often does Python run the step?")
def test_the_reports_come_while_it_runs(submission):
    """The first reports come before the last step, and Python runs the step a few times only."""

    def timeline(train, tell, params, n):
        events = []

        def step(params):
            tell("traced")
            jax.debug.callback(lambda _: events.append("step"), params)
            return params * 0.5, jnp.sum(params)

        def report(k, loss):
            events.append("report")

        jax.block_until_ready(train(step, params, n, 10, report))
        jax.effects_barrier()
        for event in events:
            tell(event)

    told, n = [], 60
    used = submission.train_reporting.used_by(timeline).observed()
    used(Callback(told.append), np.float32([1, 2]), n)
    assert told.count("report") == 6
    assert told.count("step") == n
    assert "step" in told[told.index("report") :]
    assert told.count("traced") <= 6


@pytest.mark.points(2)
@pytest.mark.hint("Whether there is something to call is known while JAX traces.")
def test_without_reports_it_is_one_small_loop(submission, rng):
    """With None, the program can be exported, has a gradient, and doesn't grow with the steps."""
    step, exact = problem(rng, 3)
    params = array(rng, 3)
    programs = {
        n: submission.train_reporting.program(step, params, n, 64, None) for n in (1, 8, 256)
    }
    assert programs[256].size <= 2 * programs[8].size
    assert programs[256].size < 256
    for n, program in programs.items():
        start = array(rng, 3)
        assert_close(program(start), list(loop(exact, start, n)), atol=1e-5)
    rate = float(rng.uniform(0.1, 0.3))

    def total(train, params, of_losses, of_last):
        last, losses = train(lambda p: (p * (1 - rate), jnp.sum(p**2)), params, 9, 2, None)
        return of_losses @ losses + of_last @ last

    params, of_losses, of_last = array(rng, 70), array(rng, 9) / 4, array(rng, 70)
    params[0] = 0
    left = (1 - rate) ** np.arange(10.0)
    slope = 2 * of_losses @ left[:9] ** 2 * params + left[9] * of_last
    found = submission.train_reporting.used_by(total).grad()(params, of_losses, of_last)
    assert_close(found, slope, atol=1e-5)


@pytest.mark.hint("Carry the parameters as they are, and report a loss whatever it is.")
def test_any_tree_and_any_loss(submission, rng):
    """Keys, integers, None and half precision are carried; losses are huge, infinite and NaN."""

    def step(params):
        weights, (key, count), nothing = params["weights"], params["rest"], params["nothing"]
        key, subkey = jax.random.split(key)
        # The step sees half precision as it is: it divides by 2 there, and by 4 elsewhere.
        weights = [leaf / leaf.dtype.itemsize for leaf in weights]
        new = {"weights": weights, "rest": (key, count + 1), "nothing": nothing}
        noise = jax.random.uniform(subkey)
        return new, noise * jnp.float32([1e30, 1e-30, jnp.nan, -jnp.inf, 0])[count]

    odd = np.float32([[np.nan, np.inf, -np.inf, 1e-30, -1e30]])
    params = {
        "weights": [array(rng, 1100, 2), array(rng, 4).astype(jnp.bfloat16), array(rng, 0, 3), odd],
        "rest": (jax.random.key(int(rng.integers(1000))), np.int32(0)),
        "nothing": None,
    }
    jitted, expected, losses = jax.jit(step), params, []
    for _ in range(5):
        expected, loss = jitted(expected)
        losses.append(float(loss))
    found = submission.train_reporting(step, params, 5, 1, None)
    assert_close(found, (expected, np.float32(losses)), rtol=1e-6, nonfinite=True)
    ((seen, _),) = reports(submission, step, [params], (5, 1))
    told = np.float32([loss for _, loss in seen])
    assert_close(told, np.float32(losses), rtol=1e-6, nonfinite=True)
    # Parameters that are one array.
    one = submission.train_reporting(lambda p: (p / 2, p[0, 0]), odd, 2, 1, None)
    assert_close(one, (odd / 4, np.float32([np.nan, np.nan])), rtol=1e-6, nonfinite=True)
