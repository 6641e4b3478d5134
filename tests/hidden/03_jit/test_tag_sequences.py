"""tag_sequences(f, sequences): few lengths for many sequences, and no influence of the padding.

The stub is a program that compiles the model for each length. A model of this suite returns the
length that it got, so the lengths are values. A `Callback` sees each trace.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import Callback, assert_close, case

LENGTHS = [*range(3, 100, 3), 500, 1000]


def draw(rng, lengths, d=3):
    return [rng.uniform(1, 5, size=(n, d)).astype(np.float32) for n in lengths]


def negated(x, _mask):
    return -x


def signs(x, _mask):
    return (x > 0).astype(jnp.int32)


def halves(x, _mask):
    return x.astype(jnp.float16)


def beside_all(x, mask):
    """Each row less the sum of all rows, and how many there are."""
    real = jnp.where(mask[:, None], x, 0)
    number = jnp.sum(mask, dtype=x.dtype)
    return jnp.concatenate([x - real.sum(axis=0), jnp.full((len(x), 1), number)], axis=1)


def before_each(x, mask):
    """For each row the sum of the rows up to it."""
    return jnp.cumsum(jnp.where(mask[:, None], x, 0), axis=0)


def length_of_x(x, _mask):
    return jnp.full((len(x), 1), len(x))


def lengths(result, expected):
    """The length to which each sequence was padded."""
    assert len(result) == len(expected), "there isn't one result for each sequence"
    for found, n in zip(result, expected, strict=True):
        assert np.shape(found) == (n, 1), "a sequence doesn't get a row for each of its rows"
    return [int(found[0, 0]) for found in result]


@pytest.mark.hint("How many rows did a sequence have, and how many are returned? In which order?")
def test_each_row_gets_a_result(submission, rng):
    """Each sequence gets a result for each of its rows, in order, and nothing more."""
    sequences = draw(rng, (3, 1, 8, 9, 3, 17))
    assert_close(submission.tag_sequences(negated, sequences), [-x for x in sequences])
    for x in sequences:
        x *= rng.choice([-1, 1], size=x.shape)
    hint = "Does your code change the model's input or output?"
    with case("where a model returns whole numbers", hint=hint):
        expected = [np.int32(x > 0) for x in sequences]
        assert_close(submission.tag_sequences(signs, sequences), expected)
    with case("where a model returns half precision, with NaN", hint=hint):
        sequences[0][1, 1] = np.nan
        expected = [np.float16(x) for x in sequences]
        assert_close(submission.tag_sequences(halves, sequences), expected, nonfinite=True)


@pytest.mark.points(2)
@pytest.mark.hint("What does the mask say about rows that you added?")
def test_padding_has_no_influence(submission, rng):
    """A model that looks at all rows sees only those of the sequence."""
    sequences = draw(rng, (5, 1, 8, 13))
    expected = [np.column_stack([x - x.sum(axis=0), np.full(len(x), len(x))]) for x in sequences]
    with case("where a model counts and sums all rows"):
        assert_close(submission.tag_sequences(beside_all, sequences), expected)
    with case("where a row looks at those before it", hint="On which side do you add rows?"):
        expected = [np.cumsum(x, axis=0) for x in sequences]
        assert_close(submission.tag_sequences(before_each, sequences), expected)


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("How many shapes does the model get for a list of many lengths?")
def test_a_list_needs_few_lengths(submission, rng):
    """For a list of many lengths, the model gets few, none of which is far too long."""
    found = lengths(submission.tag_sequences(length_of_x, draw(rng, LENGTHS)), LENGTHS)
    different = len(set(found))
    assert different <= 11, f"sequences of {len(LENGTHS)} lengths get {different} different lengths"
    for n, m in zip(LENGTHS, found, strict=True):
        assert n <= m <= 2 * n + 8, f"a sequence of {n} rows is padded to {m}"


@pytest.mark.words
@pytest.mark.points(3)
@pytest.mark.hint("Does the length of a sequence depend on the others in its list?")
def test_all_calls_share_the_lengths(submission, rng):
    """In call after call, sequences of new lengths need no new shapes of the model."""
    found, single = [], range(5, 101, 5)
    for n in single:
        found += lengths(submission.tag_sequences(length_of_x, draw(rng, [n])), [n])
    for pair in ([3, 41], [7, 77], [13, 93]):
        found += lengths(submission.tag_sequences(length_of_x, draw(rng, pair)), pair)
    different = len(set(found))
    assert different <= 11, f"in {len(single) + 3} calls, sequences get {different} lengths"


def tagged(tag_sequences, note, sequences):
    """It notes the length of each trace, and whether it is one: then a new array has no value."""

    def noting(x, mask):
        note(len(x), isinstance(jnp.zeros(()), jax.core.Tracer))
        return x * mask[:, None]

    return tag_sequences(noting, sequences)


@pytest.mark.points(2)
@pytest.mark.hint("Is the model compiled? And is a program reused for the same length?")
def test_the_model_is_traced_once_for_a_length(submission, rng):
    """In a call, the model is traced once for each length, and there are few of them."""
    seen, sequences = [], draw(rng, range(1, 31))
    run = submission.tag_sequences.used_by(tagged).observed()
    assert_close(run(Callback(lambda *noted: seen.append(noted)), sequences), sequences)
    noted = [int(m) for m, _ in seen]
    assert all(traced for _, traced in seen), "the model isn't compiled"
    # A right answer may look at the shape of the result first.
    assert 1 <= len(noted) <= 22, f"for 30 sequences, the model is traced {len(noted)} times"
    times = max(noted.count(m) for m in noted)
    assert times <= 2, f"the model is traced {times} times for one length"
