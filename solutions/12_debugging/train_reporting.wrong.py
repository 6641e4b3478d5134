"""What learners get wrong in train_reporting; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


# %% called_while_tracing
# The function is called in the body of the loop, so it gets tracers, and only once.
# Do: Let the program call it, by `jax.debug.callback`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_program_chooses_the_steps, test_a_compiled_training_reports_in_each_run,
# test_the_reports_come_in_order, test_details
def train_reporting(step, params, n, every, report):
    def numbered(params, k):
        params, loss = step(params)
        if report is not None:
            lax.cond(k % every == 0, lambda: report(k, loss), lambda: None)
        return params, loss

    return lax.scan(numbered, params, jnp.arange(n))


# %% python_if
# A Python `if` asks for the number of the step, which has no value while JAX traces.
# Do: Let the program choose, by `jax.lax.cond`. The number is traced.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_program_chooses_the_steps, test_a_compiled_training_reports_in_each_run,
# test_the_reports_come_while_it_runs, test_the_reports_come_in_order, test_details
def train_reporting(step, params, n, every, report):
    def numbered(params, k):
        params, loss = step(params)
        if report is not None and k % every == 0:
            jax.debug.callback(report, k, loss, ordered=True)
        return params, loss

    return lax.scan(numbered, params, jnp.arange(n))


# %% python_after_the_loop
# The losses are reported by Python after the loop, so under `jit` they are tracers.
# Do: Report from inside the loop, by a callback.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_a_compiled_training_reports_in_each_run, test_the_reports_come_while_it_runs,
# test_the_reports_come_in_order
def train_reporting(step, params, n, every, report):
    params, losses = lax.scan(lambda params, _: step(params), params, length=n)
    for k in range(0, n, every):
        if report is not None:
            report(k, losses[k])
    return params, losses


# %% callbacks_after_the_loop
# The program reports the losses when the loop is over.
# Do: Put the callback into the body of the loop.
# Breaks: Returns 2
# Fails: test_the_reports_come_while_it_runs
def train_reporting(step, params, n, every, report):
    params, losses = lax.scan(lambda params, _: step(params), params, length=n)
    for k in range(0, n, every):
        if report is not None:
            jax.debug.callback(report, k, losses[k], ordered=True)
    return params, losses


# %% every_step
# Each step is reported.
# Do: Let the program choose the steps that it reports, by `jax.lax.cond`.
# Breaks: Returns 3
# Fails: test_the_program_chooses_the_steps, test_a_compiled_training_reports_in_each_run
def train_reporting(step, params, n, every, report):
    def numbered(params, k):
        params, loss = step(params)
        if report is not None:
            jax.debug.callback(report, k, loss, ordered=True)
        return params, loss

    return lax.scan(numbered, params, jnp.arange(n))


# %% python_chooses
# The program calls Python in every step, and Python leaves most calls out.
# Do: Let the program choose, by `jax.lax.cond`. A call of Python takes long, also if it does
# nothing.
# Breaks: Returns 3
# Fails: test_the_program_chooses_the_steps
def train_reporting(step, params, n, every, report):
    def chosen(k, loss):
        if k % every == 0:
            report(k, loss)

    def one(params, k):
        params, loss = step(params)
        if report is not None:
            jax.debug.callback(chosen, k, loss, ordered=True)
        return params, loss

    return lax.scan(one, params, jnp.arange(n))


# %% python_loop
# A Python loop: the program has a copy of the step for each round.
# Do: Loop with `jax.lax.scan`, so that the program holds the step once.
# Breaks: Returns 4
# Fails: test_the_reports_come_while_it_runs, test_details
def train_reporting(step, params, n, every, report):
    losses = []
    for k in range(n):
        params, loss = step(params)
        losses.append(loss)
        if report is not None and k % every == 0:
            jax.debug.callback(report, k, loss, ordered=True)
    return params, jnp.stack(losses)


# %% counted_from_one
# The steps are counted from one, so the first report comes too late.
# Do: Report if k % every is 0, where the first step has the number 0.
# Breaks: Returns 2
# Fails: test_the_program_chooses_the_steps, test_a_compiled_training_reports_in_each_run
def train_reporting(step, params, n, every, report):
    def numbered(params, k):
        params, loss = step(params)
        if report is not None:

            def tell():
                return jax.debug.callback(report, k, loss, ordered=True)

            lax.cond((k + 1) % every == 0, tell, lambda: None)
        return params, loss

    return lax.scan(numbered, params, jnp.arange(n))


# %% loss_before
# The loss that is reported is that of the step before.
# Do: Report the loss that the step has just returned.
# Breaks: Returns 2
# Fails: test_the_program_chooses_the_steps, test_a_compiled_training_reports_in_each_run
def train_reporting(step, params, n, every, report):
    def numbered(state, k):
        params, before = state
        params, loss = step(params)
        if report is not None:

            def tell():
                return jax.debug.callback(report, k, before, ordered=True)

            lax.cond(k % every == 0, tell, lambda: None)
        return (params, loss), loss

    (params, _), losses = lax.scan(numbered, (params, jnp.float32(0)), jnp.arange(n))
    return params, losses


# %% in_any_order
# The callback isn't ordered, so the calls may overtake each other.
# Do: Ask `jax.debug.callback` for `ordered=True`.
# Breaks: Returns 2
# Fails: test_the_reports_come_in_order
def train_reporting(step, params, n, every, report):
    def tell(k, loss):
        jax.debug.callback(report, k, loss)

    def one(params, k):
        params, loss = step(params)
        if report is not None:
            lax.cond(k % every == 0, tell, lambda k, loss: None, k, loss)
        return params, loss

    return lax.scan(one, params, jnp.arange(n))


# %% pure_callback
# The call is a pure one, and nobody uses its result, so JAX leaves it out.
# Do: Call it by `jax.debug.callback`, which JAX doesn't leave out.
# Breaks: Returns 2
# Fails: test_the_program_chooses_the_steps, test_a_compiled_training_reports_in_each_run,
# test_the_reports_come_while_it_runs, test_the_reports_come_in_order, test_details
def train_reporting(step, params, n, every, report):
    def numbered(params, k):
        params, loss = step(params)
        if report is not None:
            lax.cond(
                k % every == 0,
                lambda: jax.pure_callback(report, None, k, loss),
                lambda: None,
            )
        return params, loss

    return lax.scan(numbered, params, jnp.arange(n))


# %% printed
# The losses are printed, and nobody calls `report`.
# Do: Pass `report` to `jax.debug.callback`.
# Breaks: Returns 2
# Fails: test_the_program_chooses_the_steps, test_a_compiled_training_reports_in_each_run,
# test_the_reports_come_while_it_runs, test_the_reports_come_in_order, test_details
def train_reporting(step, params, n, every, report):
    def numbered(params, k):
        params, loss = step(params)
        if report is not None:

            def tell():
                return jax.debug.print("{} {}", k, loss)

            lax.cond(k % every == 0, tell, lambda: None)
        return params, loss

    return lax.scan(numbered, params, jnp.arange(n))


# %% once missed
from jax.experimental import io_callback


# %% only_finite_losses
# A loss that isn't finite is not reported, though that is when you need it.
# Breaks: Details 3
# Fails: test_details
def train_reporting(step, params, n, every, report):
    def numbered(params, k):
        params, loss = step(params)
        if report is not None:

            def tell():
                return jax.debug.callback(report, k, loss, ordered=True)

            lax.cond((k % every == 0) & jnp.isfinite(loss), tell, lambda: None)
        return params, loss

    return lax.scan(numbered, params, jnp.arange(n))


# %% none_replaced
# Without a report the program calls a function of Python's that does nothing.
# Breaks: Details 1
# Fails: test_details
def train_reporting(step, params, n, every, report, solution=train_reporting):
    return solution(params=params, step=step, n=n, every=every, report=report or (lambda *_: None))


# %% returned_loss
# A call of Python's stands between the step and its loss, also without reports.
# Breaks: Details 1
# Fails: test_the_program_chooses_the_steps, test_details
def train_reporting(step, params, n, every, report):
    def tell(k, loss):
        if report is not None and k % every == 0:
            report(k, loss)
        return loss

    def numbered(params, k):
        params, loss = step(params)
        return params, io_callback(tell, loss, k, loss, ordered=True)

    return lax.scan(numbered, params, jnp.arange(n))


# %% every_copies
# The loop is written out for as many steps as lie between two reports.
# Breaks: Returns 4
# Fails: test_details
def train_reporting(step, params, n, every, report):
    def numbered(params, k):
        params, loss = step(params)
        if report is not None:

            def tell():
                return jax.debug.callback(report, k, loss, ordered=True)

            lax.cond(k % every == 0, tell, lambda: None)
        return params, loss

    return lax.scan(numbered, params, jnp.arange(n), unroll=every)


# %% last_loss
# The loss of the last step is returned alone.
# Breaks: Returns 1
# Fails: test_the_program_chooses_the_steps, test_a_compiled_training_reports_in_each_run,
# test_details
def train_reporting(step, params, n, every, report, solution=train_reporting):
    params, losses = solution(step, params, n, every, report)
    return params, losses[-1]


# %% float_parameters
# The parameters become float32 before the loop, which keys and counts don't survive.
# Breaks: Details 2
# Fails: test_details
def train_reporting(step, params, n, every, report, solution=train_reporting):
    params = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float32), params)
    return solution(step, params, n, every, report)


# %% equivalent
# Changes that make no difference.
{
    "Step = Callable[[Any], tuple[Any, jax.Array]] -> Step = Callable[[Any], tuple[jax.Array, Any]]": "A type for readers.",
    "jax.debug.callback(report, k, loss, ordered=True) -> jax.debug.callback(report, k, loss, ordered=False)": "On a CPU, the calls of one loop come in order without it.",
    "jax.debug.callback(report, k, loss, ordered=True) -> jax.debug.callback(report, k, loss)": "On a CPU, the calls of one loop come in order without it.",
}
