"""What the suite of optimizer_chain once missed; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% parameters_are_constants
# The parts get the parameters under `stop_gradient`, so a derivative through a step lacks a term.
# Fails: test_details
def optimizer_chain(*parts, solution=optimizer_chain):  # noqa: F821
    init, update = solution(*parts)
    return init, lambda updates, state, params: update(
        updates, state, jax.lax.stop_gradient(params)
    )


# %% zeros_at_first
# The first state has the right shapes and dtypes, but is zero everywhere.
# Fails: test_a_scan_carries_the_state, test_two_trainings_do_not_disturb_each_other, test_details
def optimizer_chain(*parts, solution=optimizer_chain):
    init, update = solution(*parts)
    return lambda params: jax.tree.map(jnp.zeros_like, init(params)), update


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "for (_, part_update), old in zip(parts, state, strict=True): -> for (_, part_update), old in zip(parts, state):": "There are as many states as parts.",
    "for (_, part_update), old in zip(parts, state, strict=True): -> for (_, part_update), old in zip(parts, state, strict=False):": "There are as many states as parts.",
}


# %% state_by_part
# The state of a part is looked up by the part, so two equal parts share one.
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
# The first state is made once, and a training with other parameters gets it, too.
# Fails: test_two_trainings_do_not_disturb_each_other
def optimizer_chain(*parts, solution=optimizer_chain):
    init, update = solution(*parts)
    first = []

    def init_once(params):
        if not first:
            first.append(init(params))
        return first[0]

    return init_once, update
