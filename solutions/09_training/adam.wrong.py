"""What learners get wrong in adam; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% memory_in_a_closure
# Averages and count are stored in a closure: all runs share them, and tracers leak.
# Do: Let `init` return all memory, and let `update` take it from its argument `state`.
# Breaks: Returns 6
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
# This is plain descent, whose state is empty.
# Do: Keep m, v and the number of steps in the state, and use them in the step.
# Breaks: Returns 3
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
# Breaks: Returns 3
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
# Do: Store m and v uncorrected. Only the step uses the corrected values.
# Breaks: Returns 3
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
# Breaks: Returns 3
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
# The first step is treated as step 0, which divides zero by zero.
# Do: Add 1 to the count before you use it: the first step has t = 1.
# Breaks: Returns 3
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
# `int` turns the count into a Python number, which fails on a tracer.
# Do: Don't convert the count: an array, or a tracer, needs no `int`.
# Breaks: Returns 3
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
# The count starts as an integer and grows by 1.0: `scan` rejects the change of dtype.
# Do: Add the integer 1, so that the count keeps its dtype.
# Breaks: Returns 5
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
# Breaks: Details 1
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
# Breaks: Returns 4
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
# It works only for a flat dict of arrays.
# Do: Use `jax.tree.map`, which works for any tree.
# Breaks: Returns 2
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
# The state is a dict that `update` changes, so the old state also changes.
# Do: Create a new state in `update`, and leave the old one unchanged.
# Breaks: Returns 6
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


# %% once missed
from jax.flatten_util import ravel_pytree


# %% any_triple_at_the_leaves
# One map makes (parameter, m, v) for each leaf, and every tuple of three is treated as a triple.
# Breaks: Returns 2
# Fails: test_any_tree_is_kept
def is_triple(node):
    return isinstance(node, tuple) and len(node) == 3


def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.array(0)

    def update(params, grads, state):
        t = state[2] + 1

        def step(p, g, m, v):
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8), m, v

        triples = jax.tree.map(step, params, grads, state[0], state[1])
        params, first, second = (
            jax.tree.map(lambda triple, k=k: triple[k], triples, is_leaf=is_triple)
            for k in range(3)
        )
        return params, (first, second, t)

    return init, update


# %% epsilon_before_correction
# Epsilon is added to the root before the correction, which scales it.
# Breaks: Details 1
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
            rate = lr * jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
            return p - rate * m / (jnp.sqrt(v) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% no_correction_later
# From step 100 on, the corrections are omitted, as if they were close to one by then.
# Breaks: Details 3
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
        in_first = jnp.where(t < 100, 1 - 0.9**t, 1.0)
        in_second = jnp.where(t < 100, 1 - 0.999**t, 1.0)

        def step(p, m, v):
            return p - lr * (m / in_first) / (jnp.sqrt(v / in_second) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% no_epsilon
# Nothing is added to the root: a parameter with gradient 0 becomes NaN.
# Breaks: Details 2
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
            return p - lr * m_hat / jnp.sqrt(v_hat)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% no_root
# The root is missing, so steps shrink where gradients are large.
# Breaks: Returns 3
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
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (v_hat + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% one_square_per_array
# The mean of the squares of an array is used for all of its elements.
# Breaks: Returns 3
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
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * jnp.mean(g * g), second, grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% shape_of_the_last_model
# The parameters are one long vector, and its inverse is remembered from the last `init`.
# Breaks: Returns 6
# Fails: test_all_memory_is_in_the_state
def adam(lr):
    as_tree = None

    def init(params):
        nonlocal as_tree
        flat, as_tree = ravel_pytree(params)
        return jnp.zeros_like(flat), jnp.zeros_like(flat), jnp.array(0)

    def update(params, grads, state):
        m, v, t = state
        (p, _), (g, _) = ravel_pytree(params), ravel_pytree(grads)
        t = t + 1
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
        return as_tree(p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)), (m, v, t)

    return init, update


# %% swapped_decays
# 0.999 is used for the gradient and 0.9 for its square.
# Breaks: Returns 3
# Fails: test_seven_steps_follow_the_formula, test_details
def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.array(0)

    def update(params, grads, state):
        first, second, t = state
        t = t + 1
        first = jax.tree.map(lambda m, g: 0.999 * m + 0.001 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.9 * v + 0.1 * g * g, second, grads)

        def step(p, m, v):
            m_hat, v_hat = m / (1 - 0.999**t), v / (1 - 0.9**t)
            return p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% uphill
# The update is added instead of subtracted.
# Breaks: Returns 3
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
            m_hat, v_hat = m / (1 - 0.9**t), v / (1 - 0.999**t)
            return p + lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% zero_gradients_skipped
# An element whose gradient is 0 is left alone, though its average isn't 0.
# Breaks: Returns 3
# Fails: test_seven_steps_follow_the_formula
def adam(lr, solution=adam):
    init, plain_update = solution(lr)

    def update(params, grads, state):
        new, state = plain_update(params, grads, state)
        new = jax.tree.map(lambda p, g, q: jnp.where(g == 0, p, q), params, grads, new)
        return new, state

    return init, update


# %% donated_state
# `update` is compiled, and takes the memory of its state, so that state can't be used again.
# Breaks: Returns 6
# Fails: test_the_first_step_has_the_length_of_the_rate, test_any_tree_is_kept
def adam(lr, solution=adam):
    init, update = solution(lr)
    return init, jax.jit(update, donate_argnums=2)


# %% count_in_half_precision
# The count has 8 bits of precision, so it stops at 256, and the corrections with it.
# Breaks: Details 3
# Fails: test_details
def adam(lr):
    def init(params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return zeros, zeros, jnp.zeros((), jnp.bfloat16)

    def update(params, grads, state):
        first, second, t = state
        t = t + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, grads)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, grads)
        in_first, in_second = (1 - decay ** t.astype(jnp.float32) for decay in (0.9, 0.999))

        def step(p, m, v):
            return p - lr * (m / in_first) / (jnp.sqrt(v / in_second) + 1e-8)

        return jax.tree.map(step, params, first, second), (first, second, t)

    return init, update


# %% one_rate_for_all
# The rate is stored in a global, and the next optimiser changes it.
# Breaks: Returns 6
# Fails: test_all_memory_is_in_the_state
RATES = []


def adam(lr, solution=adam):
    RATES.append(lr)
    init, _ = solution(lr)

    def update(params, grads, state):
        return solution(RATES[-1])[1](params, grads, state)

    return init, update


# %% other_way_round
# The two functions are returned in the wrong order.
# Breaks: Returns 1
# Fails: test_the_first_step_has_the_length_of_the_rate, test_seven_steps_follow_the_formula,
# test_any_tree_is_kept, test_a_scan_carries_the_state, test_all_memory_is_in_the_state,
# test_details
def adam(lr, solution=adam):
    init, update = solution(lr)
    return update, init


# %% harmless
# General faults that a right answer may have, with the reason.
{
    "argument_only_numbers of `lr`": "The text asks for a Python float.",
    "result_float32": "The text asks for float32.",
    "result_int_as_float": "You decide what the state looks like, so its count may be a float.",
    "argument_only_arrays": "The text asks for arrays.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_no_integers": "The text asks for float32.",
    "other_containers": "A list or a namedtuple of the two functions is used in the same way.",
}
