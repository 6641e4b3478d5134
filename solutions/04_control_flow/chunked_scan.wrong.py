"""What learners get wrong in chunked_scan; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax


def cut(xs, chunk):
    return jax.tree.map(lambda x: x.reshape(-1, chunk, *x.shape[1:]), xs)


def join(ys):
    return jax.tree.map(lambda y: y.reshape(-1, *y.shape[2:]), ys)


# %% plain_scan
# A plain scan keeps the states of all steps.
# Do: Cut the series into chunks, and put `jax.checkpoint` around the scan of one chunk.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_few_states_are_kept, test_many_series
def chunked_scan(step, start, xs, chunk):
    return lax.scan(step, start, xs)


# %% each_step
# With a checkpoint around each step, the scan still keeps the state before each step.
# Do: Put `jax.checkpoint` around the scan of one chunk, not around the step.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_few_states_are_kept, test_many_series
def chunked_scan(step, start, xs, chunk):
    return lax.scan(jax.checkpoint(step), start, xs)


# %% whole_scan
# The checkpoint is around the whole scan, so the backward pass keeps the states of all steps.
# Do: Put `jax.checkpoint` around the scan of one chunk, not around the whole scan.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_few_states_are_kept, test_many_series
def chunked_scan(step, start, xs, chunk):
    return jax.checkpoint(lambda start, xs: lax.scan(step, start, xs))(start, xs)


# %% chunks_without_checkpoint
# Chunks alone change nothing: the states of all steps are kept, in another shape.
# Do: Put `jax.checkpoint` around the scan of one chunk.
# Breaks: Returns 4
# Fails: test_few_states_are_kept, test_many_series
def chunked_scan(step, start, xs, chunk):
    end, ys = lax.scan(lambda s, x: lax.scan(step, s, x), start, cut(xs, chunk))
    return end, join(ys)


# %% number_of_chunks
# `chunk` is used as the number of chunks, not as the number of steps in a chunk.
# Do: Give each chunk `chunk` steps. There are T / chunk of them.
# Breaks: Returns 3
# Fails: test_few_states_are_kept
def chunked_scan(step, start, xs, chunk, solution=chunked_scan):
    return solution(step, start, xs, len(jax.tree.leaves(xs)[0]) // chunk)


# %% every_nth
# Each chunk takes elements at intervals, not neighbours.
# Do: Keep neighbours together: the shape is [T / chunk, chunk], in this order.
# Breaks: Returns 1
# Fails: test_it_is_a_scan, test_the_gradients_are_those_of_a_scan, test_few_states_are_kept,
# test_the_program_does_not_grow, test_many_series
def chunked_scan(step, start, xs, chunk, solution=chunked_scan):
    n = len(jax.tree.leaves(xs)[0]) // chunk
    mixed = jax.tree.map(lambda x: x.reshape(chunk, n, *x.shape[1:]).swapaxes(0, 1), xs)
    return solution(step, start, join(mixed), chunk)


# %% every_chunk_from_the_start
# Each chunk starts with `start`.
# Do: Carry the last state of a chunk into the next one.
# Breaks: Returns 1
# Fails: test_it_is_a_scan, test_the_gradients_are_those_of_a_scan, test_few_states_are_kept,
# test_the_program_does_not_grow, test_many_series
def chunked_scan(step, start, xs, chunk):
    ends, ys = lax.map(jax.checkpoint(lambda x: lax.scan(step, start, x)), cut(xs, chunk))
    return jax.tree.map(lambda end: end[-1], ends), join(ys)


# %% outputs_in_chunks
# The outputs keep two time axes.
# Do: Join the two time axes in all outputs.
# Breaks: Returns 1
# Fails: test_it_is_a_scan, test_few_states_are_kept
def chunked_scan(step, start, xs, chunk):
    return lax.scan(jax.checkpoint(lambda s, x: lax.scan(step, s, x)), start, cut(xs, chunk))


# %% one_array
# The series and the outputs are assumed to be arrays.
# Do: Use `jax.tree.map` to reshape each array of the series and of the outputs.
# Breaks: Returns 1
# Fails: test_it_is_a_scan
def chunked_scan(step, start, xs, chunk):
    outer = jax.checkpoint(lambda s, x: lax.scan(step, s, x))
    end, ys = lax.scan(outer, start, xs.reshape(-1, chunk))
    return end, ys.reshape(-1)


# %% truncated
# No gradient passes from a chunk to the previous one.
# Do: Remove `stop_gradient`: earlier chunks contribute to all later states.
# Breaks: Returns 2
# Fails: test_the_gradients_are_those_of_a_scan, test_few_states_are_kept,
# test_the_program_does_not_grow, test_many_series
def chunked_scan(step, start, xs, chunk):
    def outer(state, elements):
        end, ys = lax.scan(step, state, elements)
        return jax.tree.map(lax.stop_gradient, end), ys

    end, ys = lax.scan(jax.checkpoint(outer), start, cut(xs, chunk))
    return end, join(ys)


# %% loop_over_chunks
# A Python loop over the chunks: the program has a copy for each chunk.
# Do: Scan over the chunks with `jax.lax.scan`, which is traced once.
# Breaks: Returns 5
# Fails: test_few_states_are_kept, test_the_program_does_not_grow, test_many_series
def chunked_scan(step, start, xs, chunk):
    state, parts = start, []
    inner = jax.checkpoint(lambda s, x: lax.scan(step, s, x))
    xs = cut(xs, chunk)
    for k in range(len(jax.tree.leaves(xs)[0])):
        state, ys = inner(state, jax.tree.map(lambda x, k=k: x[k], xs))
        parts.append(ys)
    return state, jax.tree.map(lambda *ys: jnp.concatenate(ys), *parts)


# %% loop_over_steps
# A Python loop over the steps of a chunk: the program has a copy for each.
# Do: Scan over the steps of a chunk with `jax.lax.scan`, which is traced once.
# Breaks: Returns 5
# Fails: test_few_states_are_kept, test_the_program_does_not_grow, test_many_series
def chunked_scan(step, start, xs, chunk):
    @jax.checkpoint
    def inner(state, part):
        outputs = []
        for k in range(chunk):
            state, output = step(state, jax.tree.map(lambda x, k=k: x[k], part))
            outputs.append(output)
        return state, jax.tree.map(lambda *ys: jnp.stack(ys), *outputs)

    end, ys = lax.scan(inner, start, cut(xs, chunk))
    return end, jax.tree.map(lambda y: y.reshape(-1, *y.shape[2:]), ys)


# %% chunks_of_its_own
# There are always about 24 chunks, whatever the caller requests.
# Do: Use `chunk` as the length of a chunk.
# Breaks: Returns 3
# Fails: test_few_states_are_kept
def chunked_scan(step, start, xs, chunk, solution=chunked_scan):
    steps = len(jax.tree.leaves(xs)[0])
    lengths = (n for n in range(1, steps + 1) if steps % n == 0)
    return solution(step, start, xs, min(lengths, key=lambda n: abs(steps // n - 24)))


# %% once missed


# %% everything_kept
# The policy of the checkpoint keeps every value.
# Breaks: Returns 4
# Fails: test_few_states_are_kept, test_many_series
def chunked_scan(step, start, xs, chunk):
    keep = jax.checkpoint_policies.everything_saveable
    outer = jax.checkpoint(lambda s, x: lax.scan(step, s, x), policy=keep)
    end, ys = lax.scan(outer, start, cut(xs, chunk))
    return end, join(ys)


# %% outside_arrays_left_out
# What the step closes over is assumed to be constant.
# Breaks: Returns 2
# Fails: test_the_gradients_are_those_of_a_scan, test_few_states_are_kept,
# test_the_program_does_not_grow, test_many_series
def chunked_scan(step, start, xs, chunk, solution=chunked_scan):
    first = jax.tree.map(lambda x: x[0], xs)
    constant, outside = jax.closure_convert(step, start, first)
    outside = jax.tree.map(lax.stop_gradient, outside)
    return solution(lambda s, x: constant(s, x, *outside), start, xs, chunk)


# %% length_of_the_outputs
# The length of the series is that of the first output, but there may be no output.
# Breaks: Returns 1
# Fails: test_it_is_a_scan
def chunked_scan(step, start, xs, chunk):
    outer = jax.checkpoint(lambda s, x: lax.scan(step, s, x))
    end, ys = lax.scan(outer, start, cut(xs, chunk))
    steps = len(jax.tree.leaves(ys)[0]) * chunk
    return end, jax.tree.map(lambda y: y.reshape(steps, *y.shape[2:]), ys)


# %% checks_the_end
# A Python `if` checks whether the last state is finite, and needs its value.
# Breaks: Returns 6
# Fails: test_the_gradients_are_those_of_a_scan, test_few_states_are_kept,
# test_the_program_does_not_grow, test_many_series
def chunked_scan(step, start, xs, chunk, solution=chunked_scan):
    end, outputs = solution(step, start, xs, chunk)
    if any(jnp.isnan(leaf).any() for leaf in jax.tree.leaves(end)):
        raise FloatingPointError("the last state is NaN")
    return end, outputs


# %% harmless
# General faults that a right answer may have, with the reason.
{"argument_never_empty of `xs`": "The text asks for at least one step."}
