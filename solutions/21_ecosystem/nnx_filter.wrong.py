"""What learners get wrong in nnx_filter; each cell is a suffix to the solution."""

import jax
from flax import nnx


def step_in(selected, model, loss, x, rate):
    """The solution, with any filter."""
    graphdef, params, rest = nnx.split(model, selected, ...)

    def run(params):
        merged = nnx.merge(graphdef, params, rest, copy=True)
        return loss(merged, x), nnx.state(merged, nnx.Not(selected))

    (value, rest), slopes = jax.value_and_grad(run, has_aux=True)(params)
    nnx.update(model, jax.tree.map(lambda p, slope: p - rate * slope, params, slopes), rest)
    return value


# %% filter_ignored
# The gradient and the step are in all parameters, whatever the filter selects.
# Do: Differentiate in the state that `trained` selects, and change only this one.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_only_selected_parameters_take_a_step, test_any_filter_selects, test_details
def train_step(model, loss, x, trained, rate):
    value, slopes = nnx.value_and_grad(loss)(model, x)
    old = nnx.state(model, nnx.Param)
    nnx.update(model, jax.tree.map(lambda p, slope: p - rate * slope, old, slopes))
    return value


# %% statistics_selected
# The filter alone decides, so a filter by path selects statistics and counters as well.
# Do: Select what is a parameter and what the filter selects: `nnx.All(nnx.Param, trained)`.
# Breaks: Returns 5
# Fails: test_one_call_changes_the_other_variables, test_details
def train_step(model, loss, x, trained, rate):
    slope_of = nnx.value_and_grad(loss, argnums=nnx.DiffState(0, trained))
    value, slopes = slope_of(model, x)
    old = nnx.state(model, trained)
    nnx.update(model, jax.tree.map(lambda p, slope: p - rate * slope, old, slopes))
    return value


# %% all_variables_restricted
# Only the filter `...` is restricted to parameters; others select statistics and counters as well.
# Do: Restrict each filter: `nnx.All(nnx.Param, trained)`.
# Breaks: Returns 5
# Fails: test_one_call_changes_the_other_variables, test_details
def train_step(model, loss, x, trained, rate):
    return step_in(nnx.Param if trained is ... else trained, model, loss, x, rate)


# %% statistics_lost
# The loss is called on a copy, and what this call changes is never written into the model.
# Do: Return the state of the rest beside the loss, with `has_aux`, and write it into the model.
# Breaks: Returns 5
# Fails: test_one_call_changes_the_other_variables, test_details
def train_step(model, loss, x, trained, rate):
    graphdef, params, rest = nnx.split(model, nnx.All(nnx.Param, trained), ...)

    def run(params):
        return loss(nnx.merge(graphdef, params, rest, copy=True), x)

    value, slopes = jax.value_and_grad(run)(params)
    nnx.update(model, jax.tree.map(lambda p, slope: p - rate * slope, params, slopes))
    return value


# %% variables_of_the_model
# Without a copy, the merged model has the variables of the given one, which a gradient can't write.
# Do: Merge with `copy=True`, and return the changed state with `has_aux`.
# Breaks: Returns 1
# Fails: test_all_parameters_take_a_step, test_only_selected_parameters_take_a_step,
# test_any_filter_selects, test_one_call_changes_the_other_variables, test_details
def train_step(model, loss, x, trained, rate):
    graphdef, params, rest = nnx.split(model, nnx.All(nnx.Param, trained), ...)
    value, slopes = jax.value_and_grad(lambda p: loss(nnx.merge(graphdef, p, rest), x))(params)
    nnx.update(model, jax.tree.map(lambda p, slope: p - rate * slope, params, slopes))
    return value


# %% called_after_the_step
# The statistics come from a second call, with the new parameters.
# Do: Keep what the first call changes, the one that is differentiated.
# Breaks: Returns 5
# Fails: test_one_call_changes_the_other_variables, test_details
def train_step(model, loss, x, trained, rate):
    graphdef, params, rest = nnx.split(model, nnx.All(nnx.Param, trained), ...)

    def run(params):
        return loss(nnx.merge(graphdef, params, rest, copy=True), x)

    value, slopes = jax.value_and_grad(run)(params)
    nnx.update(model, jax.tree.map(lambda p, slope: p - rate * slope, params, slopes))
    loss(model, x)
    return value


# %% called_twice
# One call gives the loss, and another one the gradient, so all is counted twice.
# Do: Call once: `value_and_grad` gives both.
# Breaks: Returns 5
# Fails: test_all_parameters_take_a_step, test_only_selected_parameters_take_a_step,
# test_any_filter_selects, test_one_call_changes_the_other_variables, test_details
def train_step(model, loss, x, trained, rate, solution=train_step):
    value = loss(model, x)
    solution(model, loss, x, trained, rate)
    return value


# %% rest_selected
# The filter says what is frozen, and all others are trained.
# Do: Differentiate in the state of the filter, not in the rest.
# Breaks: Returns 3
# Fails: test_all_parameters_take_a_step, test_only_selected_parameters_take_a_step,
# test_any_filter_selects, test_details
def train_step(model, loss, x, trained, rate, solution=train_step):
    return solution(model, loss, x, nnx.Not(trained), rate)


# %% no_derived_class
# A variable is a parameter only if its class is `nnx.Param` itself.
# Do: Use `nnx.Param` as a filter: it also selects classes that are derived from it.
# Breaks: Returns 3
# Fails: test_all_parameters_take_a_step, test_only_selected_parameters_take_a_step,
# test_any_filter_selects
def train_step(model, loss, x, trained, rate):
    def is_param(path, variable):
        return getattr(variable, "type", type(variable)) is nnx.Param

    return step_in(nnx.All(is_param, trained), model, loss, x, rate)


# %% all_of_a_tuple
# A variable has to pass all filters of a tuple.
# Do: Give the tuple to `nnx.All` as one filter. One of its filters is enough.
# Breaks: Returns 3
# Fails: test_any_filter_selects
def train_step(model, loss, x, trained, rate):
    filters = trained if isinstance(trained, tuple) else (trained,)
    return step_in(nnx.All(nnx.Param, *filters), model, loss, x, rate)


# %% uphill
# The step goes up: the gradient is added.
# Do: Subtract rate times the gradient.
# Breaks: Returns 3
# Fails: test_all_parameters_take_a_step, test_only_selected_parameters_take_a_step,
# test_any_filter_selects, test_details
def train_step(model, loss, x, trained, rate, solution=train_step):
    return solution(model, loss, x, trained, -rate)


# %% copy_trained
# The step is taken in a copy, and the given model stays as it was.
# Do: Write the new states into `model` by `nnx.update`.
# Breaks: Returns 2
# Fails: test_all_parameters_take_a_step, test_only_selected_parameters_take_a_step,
# test_any_filter_selects, test_one_call_changes_the_other_variables, test_details
def train_step(model, loss, x, trained, rate, solution=train_step):
    return solution(nnx.clone(model), loss, x, trained, rate)


# %% loss_afterwards
# The result is the loss after the step.
# Do: Return the loss that `value_and_grad` returns.
# Breaks: Returns 1
# Fails: test_all_parameters_take_a_step, test_details
def train_step(model, loss, x, trained, rate, solution=train_step):
    solution(model, loss, x, trained, rate)
    return loss(nnx.clone(model), x)


# %% numbers_in_python
# `float` needs a number, and under `jit` there is none yet.
# Do: Compute with the arrays as they are.
# Breaks: Details 1
# Fails: test_all_parameters_take_a_step, test_only_selected_parameters_take_a_step,
# test_any_filter_selects, test_one_call_changes_the_other_variables, test_details
def train_step(model, loss, x, trained, rate, solution=train_step):
    return solution(model, loss, x, trained, float(rate))
