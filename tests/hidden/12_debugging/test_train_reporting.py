"""train_reporting(step, params, n, every, report): reports from inside a loop of the program.

A program with a callback can't be exported. So a function of this suite collects the reports in
the student's process, and tells them to the judge. So no program is judged by itself.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import Callback, assert_close, case


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


def told_by(submission, watcher, *args):
    """What a function of this suite told of the student's training."""
    told = []
    submission.train_reporting.used_by(watcher).observed()(
        Callback(lambda *found: told.append(found)), *args
    )
    return told[0]


def effects(train, tell, params, n, every):
    """Tells how often a training surely calls Python, and whether it calls it only in order."""

    def run(params):
        return train(lambda p: (p / 2, jnp.sum(p)), params, n, every, lambda k, loss: None)

    program = jax.make_jaxpr(run)(params)
    ordered = ["Ordered" in str(effect) for effect in program.effects]
    tell(surely(program), bool(ordered) and all(ordered))
    return params


def check(submission, rng, shape, *plans, starts=1, jitted=False):
    """Compares reports and results with the loop in float64."""
    step, exact = problem(rng, *shape)
    starts, told = [array(rng, *shape) for _ in range(starts)], []
    used = submission.train_reporting.used_by(watched).observed()
    results = used(Callback(told.append), step, starts, plans, jitted)
    for (n, every), seen, result in zip(plans, told, results, strict=True):
        steps, reported = list(range(0, n, every)) * len(starts), [k for k, _ in seen]
        assert reported == steps, (
            f"with n = {n} and every = {every}, the steps {reported} are reported, and they should "
            f"be {steps}"
        )
        expected = [loop(exact, params, n) for params in starts]
        losses = np.concatenate([losses[::every] for _, losses in expected])
        assert_close(np.float32([loss for _, loss in seen]), losses, atol=1e-5)
        assert_close(result, expected[-1], atol=1e-5)


@pytest.mark.points(2)
@pytest.mark.hint("The first step has the number 0. Who asks it for a rest: Python or the program?")
def test_the_program_chooses_the_steps(submission, rng):
    """Exactly the steps whose number is a multiple of `every` are reported, by the program."""
    with case("with every = 1", hint="Call the step first. Report the loss that it returns."):
        check(submission, rng, (3,), (5, 1))
        check(submission, rng, (), (1, 1))
    with case("with a larger every", hint="The first step has the number 0."):
        for plan in ((7, 3), (6, 3), (4, 9)):
            check(submission, rng, (3,), plan)
    with case("in the other steps", hint="Who asks the number for a rest: Python or the program?"):
        calls, _ = told_by(submission, effects, array(rng, 3), 60, 10)
        assert calls <= 6, f"in 60 steps with every = 10, the program calls Python {calls} times"


@pytest.mark.points(3)
@pytest.mark.hint("Python runs your code while JAX traces. What does the program itself call?")
def test_a_compiled_training_reports_in_each_run(submission, rng):
    """Under `jit`, each of three runs of a program reports its own losses."""
    check(submission, rng, (3,), (10, 3), (5, 1), starts=3, jitted=True)


def timeline(train, tell, params, n):
    """Tells how often Python runs the step, and in which order the program steps and reports."""
    events, traced = [], []

    def step(params):
        traced.append(params)
        jax.debug.callback(lambda _: events.append("step"), params)
        return params * 0.5, jnp.sum(params)

    def report(k, loss):
        events.append("report")

    jax.block_until_ready(train(step, params, n, 10, report))
    jax.effects_barrier()
    tell(len(traced), events)


@pytest.mark.points(2)
@pytest.mark.hint("Is the loop over when you report? And how often does Python run the step?")
def test_the_reports_come_while_it_runs(submission, rng):
    """The first reports come before the last step, and Python runs the step a few times only."""
    traced, events = told_by(submission, timeline, array(rng, 2), 60)
    assert "report" in events and events.count("step") == 60, "there are no reports, or no steps"
    assert "step" in events[events.index("report") :], "the first report comes after the last step"
    assert traced <= 6, f"Python runs the step {traced} times: it is in the program as often"


@pytest.mark.points(2)
@pytest.mark.hint("What does `jax.debug.callback` promise of the order, if you don't ask for it?")
def test_the_reports_come_in_order(submission, rng):
    """The calls of the program are ordered."""
    _, ordered = told_by(submission, effects, array(rng, 3), 60, 10)
    assert ordered, "the program calls nothing, or its calls may come in any order"


def total(train, params, of_losses, of_last):
    last, losses = train(lambda p: (p * 0.75, jnp.sum(p**2)), params, 9, 2, None)
    return of_losses @ losses + of_last @ last


def counted(params):
    key, count = params
    return [key, count + 1], jnp.float32(count)


def reported(train, tell, start):
    """Tells the losses of three steps, which are a number, infinity and NaN."""
    seen = []
    train(lambda p: (p * 1e30, p * p - p), start, 3, 1, lambda k, loss: seen.append(float(loss)))
    jax.effects_barrier()
    tell(*seen)


def test_details(submission, rng):
    """It works without reports, in the gradient, for keys, and where a loss is NaN."""
    silent = "Whether there is something to call is known while JAX traces."
    with case("without reports", hint=silent):
        step, exact = problem(rng, 3)
        params = array(rng, 3)
        program = submission.train_reporting.program(step, params, 400, 64, None)
        assert program.size < 400
        assert_close(program(params), list(loop(exact, params, 400)), atol=1e-5)
    with case("in the gradient", hint=silent):
        params, of_losses, of_last = array(rng, 7), array(rng, 9), array(rng, 7)
        left = 0.75 ** np.arange(10.0)
        slope = 2 * of_losses @ left[:9] ** 2 * params + left[9] * of_last
        found = submission.train_reporting.used_by(total).grad()(params, of_losses, of_last)
        assert_close(found, slope, atol=1e-5)
    with case("for keys and integers", hint="Carry the parameters as they are."):
        params = [jax.random.key(int(rng.integers(1000))), np.int32(rng.integers(9))]
        found, losses = submission.train_reporting(counted, params, 3, 1, None)
        assert_close(found, [params[0], params[1] + np.int32(3)])
        assert_close(losses, np.float32(params[1] + np.arange(3)))
    with case("for a loss that is NaN or infinite", hint="Report a loss whatever it is."):
        start = np.float32(rng.uniform(1, 2))
        seen = told_by(submission, reported, start)
        assert len(seen) == 3, f"{len(seen)} of 3 losses are reported: NaN, infinity and a number"
