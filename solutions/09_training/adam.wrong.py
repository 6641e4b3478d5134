"""What learners get wrong in adam; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% memory_in_a_closure
# Averages and count are kept in a closure: all runs share them, and tracers leak.
# Do: Let `init` return all memory, and let `update` take it from its argument `state`.
# At most half of the points.
# Fails: test_a_scan_carries_the_state, test_all_memory_is_in_the_state, test_details
def adam(lr):
    memory = {}

    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        memory.update(m=zeros, v=zeros, t=0)
        return ()

    def update(params, grads, state):
        memory["t"] += 1
        t = memory["t"]
        memory["m"] = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, memory["m"], grads)
        memory["v"] = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, memory["v"], grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, memory["m"], memory["v"]), state

    return init, update


# %% no_memory
# Plain descent, whose state is empty.
# Do: Keep m, v and the number of steps in the state, and use them in the step.
# At most half of the points.
# Fails: test_the_first_step_has_the_length_of_the_rate, test_seven_steps_follow_the_formula,
# test_all_memory_is_in_the_state, test_details
def adam(lr):
    def update(params, grads, state):
        return jax.tree.map(lambda p, g: p - lr * g, params, grads), state

    return lambda params: (), update


# %% no_correction
# The averages start at zero and are used without the corrections.
# Do: Divide m by 1 - 0.9 ** t and v by 1 - 0.999 ** t before the step.
# Fails: test_the_first_step_has_the_length_of_the_rate, test_seven_steps_follow_the_formula,
# test_details
def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.array(0)

    def update(params, grads, state):
        first, second, t = state
        t = t + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)

        def step(p, m, v):
            return p - lr * m / (jnp.sqrt(v) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% corrected_state
# The corrected averages are stored in the state and corrected again.
# Do: Store m and v as they are. Only the step uses the corrected values.
# Fails: test_seven_steps_follow_the_formula, test_details
def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.array(0)

    def update(params, grads, state):
        first, second, t = state
        t = t + 1
        first = jax.tree.map(lambda m, g: (0.9 * m + 0.1 * g) / (1 - 0.9**t), first, grads)
        second = jax.tree.map(
            lambda v, g: (0.999 * v + 0.001 * g * g) / (1 - 0.999**t), second, grads
        )

        def step(p, m, v):
            return p - lr * m / (jnp.sqrt(v) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% forgets_to_count
# The count never grows: every step is corrected like the first one.
# Do: Add 1 to the count in each call, and return it in the new state.
# Fails: test_seven_steps_follow_the_formula, test_details
def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.array(0)

    def update(params, grads, state):
        first, second, t = state
        t = t + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t - 1)

    return init, update


# %% counts_from_zero
# The first step counts as step 0, which divides zero by zero.
# Do: Add 1 to the count before you use it: the first step has t = 1.
# Fails: test_the_first_step_has_the_length_of_the_rate, test_seven_steps_follow_the_formula,
# test_any_tree_is_kept, test_a_scan_carries_the_state, test_all_memory_is_in_the_state,
# test_details
def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.array(0)

    def update(params, grads, state):
        first, second, t = state
        t = t
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t + 1)

    return init, update


# %% count_as_a_python_number
# `int` makes the count a Python number, which fails on a tracer.
# Do: Leave the count as it is: an array, or a tracer, needs no `int`.
# Fails: test_seven_steps_follow_the_formula, test_a_scan_carries_the_state,
# test_all_memory_is_in_the_state, test_details
def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.array(0)

    def update(params, grads, state):
        first, second, t = state
        t = int(t) + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% count_becomes_a_float
# The count starts as an integer and grows by 1.0: `scan` refuses the change of dtype.
# Do: Add the integer 1, so that the count keeps its dtype.
# Fails: test_a_scan_carries_the_state, test_details
def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.int32(0)

    def update(params, grads, state):
        first, second, t = state
        t = t + 1.0
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% epsilon_under_the_root
# Epsilon is added under the root, where its effect is larger.
# Do: Take the root first, and add 1e-8 to it.
# Fails: test_details
def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.array(0)

    def update(params, grads, state):
        first, second, t = state
        t = t + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / jnp.sqrt(v_hat + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% triples_at_the_leaves
# One map makes (parameter, m, v) for each leaf, and they are never taken apart.
# Do: Use one map for each line of the formula, so that each map returns one tree.
# Fails: test_the_first_step_has_the_length_of_the_rate, test_seven_steps_follow_the_formula,
# test_any_tree_is_kept, test_a_scan_carries_the_state, test_all_memory_is_in_the_state,
# test_details
def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, 0

    def update(params, grads, state):
        first, second, t = state
        t = t + 1

        def step(p, g, m, v):
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8), m, v

        return jax.tree.map(step, params, grads, first, second), (first, second, t)

    return init, update


# %% flat_dicts_only
# It works for a flat dict of arrays only.
# Do: Use `jax.tree.map`, which works for any tree.
# Fails: test_any_tree_is_kept, test_all_memory_is_in_the_state, test_details
def adam(lr):
    def init(params):
        return {name: (jnp.zeros_like(p), jnp.zeros_like(p)) for name, p in params.items()}, 0

    def update(params, grads, state):
        moments, t = state
        t, new, params = t + 1, {}, dict(params)
        for name, g in grads.items():
            m, v = moments[name]
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
            new[name] = m, v
            step = m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
            params[name] = params[name] - lr * step
        return params, (new, t)

    return init, update


# %% state_written_in_place
# The state is a dict that `update` changes, so the old state changes as well.
# Do: Make a new state in `update`, and leave the old one alone.
# Fails: test_all_memory_is_in_the_state
def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return {"m": zeros, "v": zeros, "t": jnp.array(0)}

    def update(params, grads, state):
        state["t"] += 1
        t = state["t"]
        state["m"] = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
        state["v"] = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, state["v"], grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, state["m"], state["v"]), state

    return init, update
