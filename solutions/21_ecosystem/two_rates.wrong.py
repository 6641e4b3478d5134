"""What learners get wrong in two_rates; each cell is a suffix to the solution."""

import jax
import optax


def partition(slow, fast, frozen, label):
    """The optimiser of these three, where a function of the name gives the label of a layer."""
    optimisers = {"slow": slow, "fast": fast, "frozen": frozen}
    return optax.partition(optimisers, lambda params: {name: label(name) for name in params})


def usual(name):
    """The label of a layer."""
    return {"embed": "frozen", "head": "fast"}.get(name, "slow")


def adamw(rate):
    return optax.adamw(rate, weight_decay=0.01)


# %% zero_gradients
# The gradient of the frozen layer is 0, but AdamW still makes its weights smaller, and keeps averages of zeros.
# Do: Give the frozen layer `optax.set_to_zero()` as its optimiser.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_frozen_layer_stays_as_it_is, test_the_state_has_no_array_for_the_frozen_layer,
# test_details
def two_rates(slow, fast):
    return optax.chain(
        partition(optax.identity(), optax.identity(), optax.set_to_zero(), usual),
        partition(adamw(slow), adamw(fast), adamw(slow), usual),
    )


# %% nobody_takes_it
# No part takes up the frozen layer, so its update is its gradient.
# Do: Give the frozen layer `optax.set_to_zero()` as its optimiser.
# Breaks: Returns 1
# Fails: test_the_frozen_layer_stays_as_it_is, test_details
def two_rates(slow, fast):
    def of(group):
        return lambda params: {name: usual(name) == group for name in params}

    return optax.chain(optax.masked(adamw(slow), of("slow")), optax.masked(adamw(fast), of("fast")))


# %% rate_of_zero
# The frozen layer has an optimiser with the rate 0, which keeps averages for it.
# Do: Use `optax.set_to_zero()`. It has no state.
# Breaks: Returns 1
# Fails: test_the_state_has_no_array_for_the_frozen_layer, test_details
def two_rates(slow, fast):
    return partition(adamw(slow), adamw(fast), adamw(0.0), usual)


# %% zeros_at_the_end
# One optimiser is for all layers, and the updates of the frozen one are set to 0 behind it.
# Do: Leave the frozen layer out of AdamW: then it keeps no averages for it.
# Breaks: Returns 3
# Fails: test_the_state_has_no_array_for_the_frozen_layer
def two_rates(slow, fast):
    factor = fast / slow
    return optax.chain(
        adamw(slow), partition(optax.identity(), optax.scale(factor), optax.set_to_zero(), usual)
    )


# %% one_rate
# All layers that are trained have the slow rate.
# Do: Make a group of the head.
# Breaks: Returns 2
# Fails: test_each_layer_is_trained_at_its_rate, test_the_state_has_no_array_for_the_frozen_layer,
# test_other_layers_may_have_any_name, test_details
def two_rates(slow, fast):
    return partition(adamw(slow), adamw(slow), optax.set_to_zero(), usual)


# %% swapped
# The head is slow, and all other layers are fast.
# Do: Give the fast rate to the head.
# Breaks: Returns 2
# Fails: test_each_layer_is_trained_at_its_rate, test_the_state_has_no_array_for_the_frozen_layer,
# test_other_layers_may_have_any_name, test_details
def two_rates(slow, fast, solution=two_rates):
    return solution(fast, slow)


# %% larger_gradients
# The gradient of the head is multiplied, but Adam divides by the size of the gradients.
# Do: Change the rate and not the gradient.
# Breaks: Returns 2
# Fails: test_each_layer_is_trained_at_its_rate, test_the_state_has_no_array_for_the_frozen_layer,
# test_other_layers_may_have_any_name, test_details
def two_rates(slow, fast):
    factor = fast / slow
    learns = optax.chain(optax.scale(factor), adamw(slow))
    return partition(adamw(slow), learns, optax.set_to_zero(), usual)


# %% no_decay
# Adam has no weight decay.
# Do: Use `optax.adamw`, with the weight decay of the text.
# Breaks: Returns 2
# Fails: test_each_layer_is_trained_at_its_rate, test_other_layers_may_have_any_name, test_details
def two_rates(slow, fast):
    return partition(optax.adam(slow), optax.adam(fast), optax.set_to_zero(), usual)


# %% usual_decay
# The weight decay is the one that Optax has by default.
# Do: Say `weight_decay=0.01`.
# Breaks: Returns 2
# Fails: test_each_layer_is_trained_at_its_rate, test_other_layers_may_have_any_name, test_details
def two_rates(slow, fast):
    return partition(optax.adamw(slow), optax.adamw(fast), optax.set_to_zero(), usual)


# %% known_names
# The labels are a tree for one model.
# Do: Give `optax.partition` a function that makes the labels of the parameters.
# Breaks: Returns 2
# Fails: test_other_layers_may_have_any_name, test_details
def two_rates(slow, fast):
    optimisers = {"slow": adamw(slow), "fast": adamw(fast), "frozen": optax.set_to_zero()}
    return optax.partition(optimisers, {"embed": "frozen", "block": "slow", "head": "fast"})


# %% beginnings
# Each layer whose name begins with "embed" or "head" belongs to these groups.
# Do: Compare the whole name.
# Breaks: Returns 2
# Fails: test_other_layers_may_have_any_name
def two_rates(slow, fast):
    def label(name):
        return "frozen" if name.startswith("embed") else usual(name[:4])

    return partition(adamw(slow), adamw(fast), optax.set_to_zero(), label)


# %% anywhere
# A name within a layer counts, too.
# Do: Look only at the first entry of a path.
# Breaks: Details 3
# Fails: test_details
def two_rates(slow, fast):
    def label(path, leaf):
        names = [getattr(entry, "key", None) for entry in path]
        return "frozen" if "embed" in names else "fast" if "head" in names else "slow"

    optimisers = {"slow": adamw(slow), "fast": adamw(fast), "frozen": optax.set_to_zero()}
    return optax.partition(
        optimisers, lambda params: jax.tree_util.tree_map_with_path(label, params)
    )


# %% times_zero
# The gradient of the frozen layer is multiplied by 0, which leaves NaN as it is.
# Do: Use `optax.set_to_zero()`, which doesn't look at the gradient.
# Breaks: Details 2
# Fails: test_details
def two_rates(slow, fast):
    return partition(adamw(slow), adamw(fast), optax.scale(0.0), usual)


# %% not_without
# The code needs a layer "embed" and a layer "head".
# Do: Don't take these layers for granted.
# Breaks: Details 1
# Fails: test_details
def two_rates(slow, fast):
    def labels(params):
        assert {"embed", "head"} <= {*params}
        return {name: usual(name) for name in params}

    optimisers = {"slow": adamw(slow), "fast": adamw(fast), "frozen": optax.set_to_zero()}
    return optax.partition(optimisers, labels)


# %% python_floats
# `float` asks for the values of the rates, which have none while JAX traces.
# Do: Hand the rates on as they are.
# Breaks: Details 4
# Fails: test_each_layer_is_trained_at_its_rate, test_the_frozen_layer_stays_as_it_is,
# test_the_state_has_no_array_for_the_frozen_layer, test_other_layers_may_have_any_name,
# test_details
def two_rates(slow, fast, solution=two_rates):
    return solution(float(slow), float(fast))


# %% both_rates
# The head has the slow rate, and the fast one on top of it.
# Do: Let each layer belong to one group.
# Breaks: Returns 2
# Fails: test_each_layer_is_trained_at_its_rate, test_the_state_has_no_array_for_the_frozen_layer,
# test_other_layers_may_have_any_name, test_details
def two_rates(slow, fast):
    return partition(adamw(slow), adamw(slow + fast), optax.set_to_zero(), usual)
