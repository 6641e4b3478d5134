"""What learners get wrong in optimizer_chain; each cell is a suffix to the solution."""

import functools

import jax


# %% states_in_a_closure
# The states are stored in a list in the chain, so two training runs share them, and tracers leak.
# Do: Take all states from the argument `state`, and return the new ones.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_every_part_has_its_own_state, test_a_scan_carries_the_state,
# test_two_trainings_do_not_disturb_each_other, test_a_chain_is_a_part, test_details
def optimizer_chain(*parts):
    states = []

    def init(params):
        states[:] = [part_init(params) for part_init, _ in parts]
        return ()

    def update(updates, state, params):
        for k, (_, part_update) in enumerate(parts):
            updates, states[k] = part_update(updates, states[k], params)
        return updates, state

    return init, update


# %% old_states
# The new states are discarded, so every step is a first step.
# Do: Collect the state that each part returns, and return these.
# Breaks: Returns 5
# At most half of the points.
# Fails: test_every_part_has_its_own_state, test_a_scan_carries_the_state,
# test_two_trainings_do_not_disturb_each_other, test_a_chain_is_a_part, test_details
def optimizer_chain(*parts):
    def init(params):
        return tuple(part_init(params) for part_init, _ in parts)

    def update(updates, state, params):
        for (_, part_update), old in zip(parts, state, strict=True):
            updates, _ = part_update(updates, old, params)
        return updates, state

    return init, update


# %% gradients_for_all
# Every part gets the gradients, and only the last part's result is returned.
# Do: Give each part the updates that the previous part returned.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_the_parts_are_applied_in_order, test_every_part_has_its_own_state,
# test_every_part_gets_the_parameters, test_a_scan_carries_the_state,
# test_two_trainings_do_not_disturb_each_other, test_a_chain_is_a_part, test_details
def optimizer_chain(*parts):
    def init(params):
        return tuple(part_init(params) for part_init, _ in parts)

    def update(updates, state, params):
        found, states = updates, []
        for (_, part_update), old in zip(parts, state, strict=True):
            found, new = part_update(updates, old, params)
            states.append(new)
        return found, tuple(states)

    return init, update


# %% last_part_first
# The parts are applied from the last to the first.
# Do: Go through the parts in the order in which they are passed.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_the_parts_are_applied_in_order, test_every_part_gets_the_parameters,
# test_a_scan_carries_the_state, test_two_trainings_do_not_disturb_each_other,
# test_a_chain_is_a_part, test_details
def optimizer_chain(*parts, solution=optimizer_chain):
    return solution(*parts[::-1])


# %% state_passed_on
# The state passes from part to part like the updates, so a part gets another one's state.
# Do: Give each part the entry of `state` at its own place.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_every_part_has_its_own_state, test_a_scan_carries_the_state,
# test_two_trainings_do_not_disturb_each_other, test_a_chain_is_a_part, test_details
def optimizer_chain(*parts):
    def init(params):
        return parts[0][0](params)

    def update(updates, state, params):
        for _, part_update in parts:
            updates, state = part_update(updates, state, params)
        return updates, state

    return init, update


# %% list_of_states
# `update` returns the states as a list, and a scan rejects the change of structure.
# Do: Return a tuple, like `init`.
# Breaks: Returns 5
# Fails: test_every_part_has_its_own_state, test_a_scan_carries_the_state, test_a_chain_is_a_part,
# test_details
def optimizer_chain(*parts, solution=optimizer_chain):
    init, plain = solution(*parts)

    def update(updates, state, params):
        updates, state = plain(updates, state, params)
        return updates, list(state)

    return init, update


# %% parts_without_a_state_left_out
# Only parts that remember something get a place in the state.
# Do: Keep a place for every state, including () and None.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_every_part_has_its_own_state, test_a_chain_is_a_part, test_details
def optimizer_chain(*parts):
    def init(params):
        states = [part_init(params) for part_init, _ in parts]
        return tuple(state for state in states if jax.tree.leaves(state))

    def update(updates, state, params):
        left, states = list(state), []
        for part_init, part_update in parts:
            first = part_init(params)
            has_state = bool(jax.tree.leaves(first))
            updates, new = part_update(updates, left.pop(0) if has_state else first, params)
            if has_state:
                states.append(new)
        return updates, tuple(states)

    return init, update


# %% updates_for_parameters
# The parts get the updates instead of the parameters.
# Do: Pass `params` on to each part.
# Breaks: Returns 4
# Fails: test_every_part_gets_the_parameters, test_a_scan_carries_the_state,
# test_two_trainings_do_not_disturb_each_other, test_details
def optimizer_chain(*parts, solution=optimizer_chain):
    init, update = solution(*parts)
    return init, lambda updates, state, params: update(updates, state, updates)


# %% functions_of_the_last_part
# Each loop iteration creates a function, and all of them use the variable of the last round.
# Do: Use `parts` itself in the loop, or bind the functions in each round.
# Breaks: Returns 3
# Fails: test_the_parts_are_applied_in_order, test_every_part_has_its_own_state,
# test_every_part_gets_the_parameters, test_a_scan_carries_the_state,
# test_two_trainings_do_not_disturb_each_other, test_a_chain_is_a_part, test_details
def optimizer_chain(*parts):
    steps = []
    for part_init, part_update in parts:
        steps.append((lambda p: part_init(p), lambda u, s, p: part_update(u, s, p)))  # noqa: B023

    def init(params):
        return tuple(step_init(params) for step_init, _ in steps)

    def update(updates, state, params):
        states = []
        for (_, step_update), old in zip(steps, state, strict=True):
            updates, new = step_update(updates, old, params)
            states.append(new)
        return updates, tuple(states)

    return init, update


# %% used_up
# A generator yields the functions in the first step, and nothing in later ones.
# Do: Use a list: a generator yields its elements only once.
# Breaks: Returns 3
# Fails: test_every_part_has_its_own_state, test_every_part_gets_the_parameters,
# test_two_trainings_do_not_disturb_each_other, test_a_chain_is_a_part, test_details
def optimizer_chain(*parts):
    functions = (part_update for _, part_update in parts)

    def init(params):
        return tuple(part_init(params) for part_init, _ in parts)

    def update(updates, state, params):
        states = []
        for old, part_update in zip(state, functions, strict=False):
            updates, new = part_update(updates, old, params)
            states.append(new)
        return updates, tuple(states)

    return init, update


# %% each_part_twice
# Each part is called once for the updates, and again for the state.
# Do: Call each part once, and keep both results.
# Breaks: Details 2
# Fails: test_details
def optimizer_chain(*parts):
    def init(params):
        return tuple(part_init(params) for part_init, _ in parts)

    def update(updates, state, params):
        states = []
        for (_, part_update), old in zip(parts, state, strict=True):
            states.append(part_update(updates, old, params)[1])
            updates = part_update(updates, old, params)[0]
        return updates, tuple(states)

    return init, update


# %% at_least_one_part
# A chain of no parts raises.
# Do: Start the loop with the input updates, so that no part is needed.
# Breaks: Details 1
# Fails: test_details
def pair(first, second):
    def update(updates, state, params):
        updates, one = first[1](updates, state[:-1], params)
        updates, other = second[1](updates, state[-1], params)
        return updates, (*one, other)

    return lambda params: (*first[0](params), second[0](params)), update


def optimizer_chain(*parts, solution=optimizer_chain):
    return functools.reduce(pair, parts[1:], solution(parts[0]))


# %% once missed
import jax.numpy as jnp


# %% parameters_are_constants
# The parts get the parameters under `stop_gradient`, so a derivative through a step lacks a term.
# Breaks: Details 3
# Fails: test_details
def optimizer_chain(*parts, solution=optimizer_chain):
    init, update = solution(*parts)
    return init, lambda updates, state, params: update(
        updates, state, jax.lax.stop_gradient(params)
    )


# %% zeros_at_first
# The initial state has the right shapes and dtypes, but is zero everywhere.
# Breaks: Returns 1
# Fails: test_a_scan_carries_the_state, test_two_trainings_do_not_disturb_each_other, test_details
def optimizer_chain(*parts, solution=optimizer_chain):
    init, update = solution(*parts)
    return lambda params: jax.tree.map(jnp.zeros_like, init(params)), update


# %% state_by_part
# The state of a part is looked up by the part, so two equal parts share one.
# Breaks: Returns 4
# Fails: test_every_part_has_its_own_state
def optimizer_chain(*parts):
    def init(params):
        return tuple(part[0](params) for part in parts)

    def update(updates, state, params):
        new = list(state)
        for part in parts:
            place = parts.index(part)
            updates, new[place] = part[1](updates, new[place], params)
        return updates, tuple(new)

    return init, update


# %% first_init_kept
# The initial state is created once, and also used for training with other parameters.
# Breaks: Returns 1
# Fails: test_two_trainings_do_not_disturb_each_other
def optimizer_chain(*parts, solution=optimizer_chain):
    init, update = solution(*parts)
    first = []

    def init_once(params):
        if not first:
            first.append(init(params))
        return first[0]

    return init_once, update


# %% parameters_returned
# The updates are added to the parameters, which are returned in their place.
# Breaks: Returns 2
# Fails: test_the_parts_are_applied_in_order, test_every_part_has_its_own_state,
# test_every_part_gets_the_parameters, test_a_scan_carries_the_state,
# test_two_trainings_do_not_disturb_each_other, test_a_chain_is_a_part, test_details
def optimizer_chain(*parts, solution=optimizer_chain):
    init, update = solution(*parts)

    def applied(updates, state, params):
        updates, state = update(updates, state, params)
        return jax.tree.map(lambda p, u: p + u, params, updates), state

    return init, applied


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "for (_, part_update), old in zip(parts, state, strict=True): -> for (_, part_update), old in zip(parts, state):": "There are as many states as parts.",
    "for (_, part_update), old in zip(parts, state, strict=True): -> for (_, part_update), old in zip(parts, state, strict=False):": "There are as many states as parts.",
}
