"""What learners get wrong in nnx_shared; each cell is a suffix to the solution."""

import jax
from flax import nnx


# %% plain_jit
# `jax.jit` copies the model, so the step changes the copy, and the given model stays as it was.
# Do: Use `nnx.jit`, or let the compiled function return the new state, and call `nnx.update`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_model_itself_takes_a_step, test_both_names_take_the_whole_step,
# test_it_stays_the_same_variable, test_a_shared_module_takes_one_step, test_details
def make_step(loss, rate):
    @jax.jit
    def step(model, x):
        value, slopes = nnx.value_and_grad(loss)(model, x)
        params = nnx.state(model, nnx.Param)
        params = jax.tree.map(lambda p, slope: p - rate * slope, params, slopes)
        nnx.update(model, params)
        return value

    return step


# %% one_name_wins
# `jax.grad` of the module has a half of the gradient at each name, and the last name is written last.
# Do: Differentiate in the state of `nnx.split`, or use `nnx.value_and_grad`.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_both_names_take_the_whole_step, test_it_stays_the_same_variable,
# test_a_shared_module_takes_one_step, test_details
def make_step(loss, rate):
    @jax.jit
    def run(model, x):
        value, slopes = jax.value_and_grad(loss)(model, x)
        return value, jax.tree.map(lambda p, slope: p - rate * slope, model, slopes)

    def step(model, x):
        value, new = run(model, x)
        nnx.update(model, nnx.state(new))
        return value

    return step


# %% names_apart
# The step makes another module, in which each name has a variable of its own, and takes over its parts.
# Do: Differentiate in the state of `nnx.split`, and write into the variables by `nnx.update`.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_both_names_take_the_whole_step, test_it_stays_the_same_variable,
# test_a_shared_module_takes_one_step, test_details
def make_step(loss, rate):
    @jax.jit
    def run(model, x):
        value, slopes = jax.value_and_grad(loss)(model, x)
        return value, jax.tree.map(lambda p, slope: p - rate * slope, model, slopes)

    def step(model, x):
        value, new = run(model, x)
        vars(model).update(vars(new))
        return value

    return step


# %% other_variables
# The model gets other variables, so who holds an old one never sees the step.
# Do: Write into the variables by `nnx.update`.
# Breaks: Returns 5
# Fails: test_it_stays_the_same_variable
def make_step(loss, rate, solution=make_step):
    inner = solution(loss, rate)

    def step(model, x):
        new = nnx.clone(model)
        value = inner(new, x)
        vars(model).update(vars(new))
        return value

    return step


# %% not_compiled
# Nothing is compiled, so each call of the step calls the loss.
# Do: Put `nnx.jit` around the function that you return.
# Breaks: Returns 6
# Fails: test_the_step_is_compiled
def make_step(loss, rate):
    def step(model, x):
        value, slopes = nnx.value_and_grad(loss)(model, x)
        params = nnx.state(model, nnx.Param)
        params = jax.tree.map(lambda p, slope: p - rate * slope, params, slopes)
        nnx.update(model, params)
        return value

    return step


# %% compiled_in_each_call
# `nnx.jit` stands inside the step, so each call compiles anew.
# Do: Call `nnx.jit` once, in `make_step`.
# Breaks: Returns 6
# Fails: test_the_step_is_compiled
def make_step(loss, rate, solution=make_step):
    def step(model, x):
        return solution(loss, rate)(model, x)

    return step


# %% counter_lost
# Only the parameters leave the compiled function, so what the loss changes besides is lost.
# Do: Let the compiled function return the state of the other variables, too.
# Breaks: Details 2
# Fails: test_details
def make_step(loss, rate):
    @jax.jit
    def run(graphdef, params, rest, x):
        def value(params):
            return loss(nnx.merge(graphdef, params, rest, copy=True), x)

        found, slopes = jax.value_and_grad(value)(params)
        return found, jax.tree.map(lambda p, slope: p - rate * slope, params, slopes)

    def step(model, x):
        found, params = run(*nnx.split(model, nnx.Param, ...), x)
        nnx.update(model, params)
        return found

    return step


# %% all_differentiated
# The gradient is in all variables, and integers have none.
# Do: Differentiate in the variables of type `nnx.Param` only.
# Breaks: Details 1
# Fails: test_details
def make_step(loss, rate):
    @jax.jit
    def run(graphdef, state, x):
        found, slopes = jax.value_and_grad(lambda s: loss(nnx.merge(graphdef, s), x))(state)
        return found, jax.tree.map(lambda p, slope: p - rate * slope, state, slopes)

    def step(model, x):
        found, state = run(*nnx.split(model), x)
        nnx.update(model, state)
        return found

    return step


# %% uphill
# The step goes up: the gradient is added.
# Do: Subtract rate times the gradient.
# Breaks: Returns 3
# Fails: test_the_model_itself_takes_a_step, test_both_names_take_the_whole_step,
# test_it_stays_the_same_variable, test_a_shared_module_takes_one_step, test_details
def make_step(loss, rate, solution=make_step):
    return solution(loss, -rate)


# %% loss_afterwards
# The result is the loss after the step.
# Do: Return the loss that `value_and_grad` returns.
# Breaks: Returns 1
# Fails: test_the_model_itself_takes_a_step, test_both_names_take_the_whole_step,
# test_the_step_is_compiled, test_details
def make_step(loss, rate, solution=make_step):
    inner = solution(loss, rate)

    def step(model, x):
        inner(model, x)
        return loss(nnx.clone(model), x)

    return step


# %% gradient_returned
# The step returns the gradients, and takes no step.
# Do: Write p - rate * gradient into the variables, and return the loss.
# Breaks: Returns 3
# Fails: test_the_model_itself_takes_a_step, test_both_names_take_the_whole_step,
# test_it_stays_the_same_variable, test_a_shared_module_takes_one_step, test_details
def make_step(loss, rate):
    return nnx.jit(nnx.grad(loss))
