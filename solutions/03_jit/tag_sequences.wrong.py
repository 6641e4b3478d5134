"""Wrong answers to tag_sequences; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


def _padded(f, sequences, length, cut=True):
    tags = []
    for x in sequences:
        n, m = len(x), length(len(x))
        found = f(jnp.pad(x, ((0, m - n), (0, 0))), jnp.arange(m) < n)
        tags.append(found[:n] if cut else found)
    return tags


def _power(n):
    return max(8, 1 << (n - 1).bit_length())


# %% as_it_was
# Each length is a separate shape, so the model is compiled for each.
# Do: Add rows up to one of a few lengths.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_a_list_needs_few_lengths, test_all_calls_share_the_lengths,
# test_the_model_is_traced_once_for_a_length
def tag_sequences(f, sequences):
    run = jax.jit(f)
    return [run(x, jnp.ones(len(x), bool)) for x in sequences]


# %% longest_of_the_list
# All sequences in a list are padded to its longest one, which is a new length in each list.
# Do: Choose the lengths without looking at the list.
# Breaks: Returns 4
# Fails: test_a_list_needs_few_lengths, test_all_calls_share_the_lengths
def tag_sequences(f, sequences):
    longest = max(len(x) for x in sequences)
    return _padded(jax.jit(f), sequences, lambda n: longest)


# %% one_length
# Each sequence is padded to the same large length, so a short one costs as much as a long one.
# Do: Use several lengths, each twice the previous one.
# Breaks: Returns 5
# Fails: test_a_list_needs_few_lengths
def tag_sequences(f, sequences):
    return _padded(jax.jit(f), sequences, lambda n: 1024)


# %% multiples_of_eight
# There are an eighth as many multiples of eight as lengths.
# Do: Let the distance between lengths grow with them.
# Breaks: Returns 4
# Fails: test_a_list_needs_few_lengths, test_all_calls_share_the_lengths
def tag_sequences(f, sequences):
    return _padded(jax.jit(f), sequences, lambda n: -(-n // 8) * 8)


# %% mask_of_true
# The mask is True for the added rows, so they count.
# Do: Let the mask be True for the first n rows only.
# Breaks: Returns 1
# Fails: test_padding_has_no_influence
def tag_sequences(f, sequences):
    run = jax.jit(lambda x, mask: f(x, jnp.ones_like(mask)))
    return _padded(run, sequences, _power)


# %% one_row_too_many
# The mask is True for one added row.
# Do: Compare with `<`: rows are counted from 0.
# Breaks: Returns 1
# Fails: test_padding_has_no_influence
def tag_sequences(f, sequences):
    run = jax.jit(lambda x, mask: f(x, mask | (jnp.arange(len(x)) == mask.sum())))
    return _padded(run, sequences, _power)


# %% padding_returned
# The added rows are also returned.
# Do: Cut the result to n rows.
# Breaks: Returns 1
# Fails: test_each_row_gets_a_result, test_padding_has_no_influence, test_a_list_needs_few_lengths,
# test_all_calls_share_the_lengths, test_the_model_is_traced_once_for_a_length
def tag_sequences(f, sequences):
    return _padded(jax.jit(f), sequences, _power, cut=False)


# %% added_in_front
# The rows are added in front, and the first n rows are returned.
# Do: Add them at the end.
# Breaks: Returns 1
# Fails: test_each_row_gets_a_result, test_padding_has_no_influence,
# test_the_model_is_traced_once_for_a_length
def tag_sequences(f, sequences):
    def turned(x, mask):
        n = mask.sum()
        return f(jnp.roll(x, -n, axis=0), jnp.roll(mask, -n))

    return _padded(jax.jit(turned), sequences, _power)


# %% rounded_down
# The length is rounded down, so the last rows are lost.
# Do: Round up to the next length.
# Breaks: Returns 1
# Fails: test_each_row_gets_a_result, test_padding_has_no_influence, test_a_list_needs_few_lengths,
# test_all_calls_share_the_lengths, test_the_model_is_traced_once_for_a_length
def tag_sequences(f, sequences):
    short = [x[: 1 << (len(x).bit_length() - 1)] for x in sequences]
    return _padded(jax.jit(f), short, len)


# %% not_compiled
# Without `jit`, no length is compiled, and the model is executed in Python for each sequence.
# Do: Keep `jit`, and give it few shapes.
# Breaks: Returns 2
# Fails: test_the_model_is_traced_once_for_a_length
def tag_sequences(f, sequences):
    return _padded(f, sequences, _power)


# %% new_function_for_each
# `jit` gets a new function for each sequence, and finds none of its programs again.
# Do: Call `jit` once, before the loop.
# Breaks: Returns 3
# Fails: test_the_model_is_traced_once_for_a_length
def tag_sequences(f, sequences):
    def run(x, mask):
        return jax.jit(lambda x, mask: f(x, mask))(x, mask)

    return _padded(run, sequences, _power)


# %% equivalent
# Changes that make no difference.
{
    "m = max(8, 1 << (n - 1).bit_length()) -> m = max(9, 1 << (n - 1).bit_length())": "The text allows any few lengths.",
    "m = max(8, 1 << (n - 1).bit_length()) -> m = max(8, 1 << (n + 1).bit_length())": "The text allows 2 n + 8 rows.",
    "m = max(8, 1 << (n - 1).bit_length()) -> m = max(8, 1 << (1 - n).bit_length())": "The bits are those of the absolute value.",
    "padded = np.zeros((m, *x.shape[1:]), x.dtype) -> padded = np.ones((m, *x.shape[1:]), x.dtype)": "The rows that are added have no influence.",
}


# %% harmless
# General faults that are allowed, with the reason.
{
    "argument_no_integers": "The text asks for float32.",
    "argument_no_half_precision": "The text asks for float32.",
    "argument_never_empty": "The text asks for at least one row.",
}


# %% vectorized_only
# `jax.vmap` compiles nothing: the model is executed in Python for each padded length.
# Do: Pass the mapped model to `jit`.
# Breaks: Returns 2
# Fails: test_the_model_is_traced_once_for_a_length
def tag_sequences(f, sequences):
    tags = [None] * len(sequences)
    for m in {_power(len(x)) for x in sequences}:
        places = [k for k, x in enumerate(sequences) if _power(len(x)) == m]
        rows = [sequences[k] for k in places]
        xs = jnp.stack([jnp.pad(x, ((0, m - len(x)), (0, 0))) for x in rows])
        masks = jnp.arange(m) < jnp.array([[len(x)] for x in rows])
        for k, found in zip(places, jax.vmap(f)(xs, masks), strict=True):
            tags[k] = found[: len(sequences[k])]
    return tags
