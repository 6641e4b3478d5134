"""What learners get wrong in ref_counts; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp


# %% local_name
# The name `counts` gets a new array, and nothing is written into the reference.
# Do: Write to `counts[...]`.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_counts_of_the_caller_change, test_a_class_counts_each_time,
# test_the_counts_go_on, test_the_program_does_not_grow
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=1)
    counts = counts[...].at[labels].add(1)
    return labels


# %% new_reference
# The counts are written into a second reference, which the caller doesn't have.
# Do: Write into the reference that came in.
# Breaks: Returns 2
# Fails: test_the_counts_of_the_caller_change, test_a_class_counts_each_time,
# test_the_counts_go_on, test_the_program_does_not_grow
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=1)
    counts = jax.new_ref(counts[...])
    jax.ref.addupdate(counts, labels, jnp.ones_like(labels))
    return labels


# %% counted_once
# A class that occurs several times in a call is counted once.
# Do: Use an operation that adds at a place each time it is named.
# Breaks: Returns 2
# Fails: test_a_class_counts_each_time
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=1)
    counts[labels] += 1
    return labels


# %% starts_anew
# The counts of this call replace the ones that were there.
# Do: Add to what is in the reference.
# Breaks: Returns 2
# Fails: test_the_counts_go_on
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=1)
    counts[...] = jnp.bincount(labels, length=counts.shape[0])
    return labels


# %% ones_are_written
# A 1 is written at each class that occurs.
# Do: Add 1 to what is there.
# Breaks: Returns 2
# Fails: test_a_class_counts_each_time, test_the_counts_go_on
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=1)
    counts[labels] = jnp.ones_like(labels)
    return labels


# %% returned
# The new counts are the result, and the reference stays as it was.
# Do: Return the classes, and write the counts.
# Breaks: Returns 1
# Fails: test_each_row_has_a_class, test_the_counts_of_the_caller_change,
# test_a_class_counts_each_time, test_the_counts_go_on, test_the_program_does_not_grow
def ref_counts(counts, scores):
    return counts[...].at[jnp.argmax(scores, axis=1)].add(1)


# %% counts_of_python
# A counter of Python counts while the function is traced, and no program changes it.
# Do: Write into the reference: the program does that in each call.
# Breaks: Returns 3
# Fails: test_each_row_has_a_class, test_the_counts_of_the_caller_change,
# test_a_class_counts_each_time, test_the_counts_go_on, test_the_program_does_not_grow
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=1)
    for label in labels:
        counts[int(label)] += 1
    return labels


# %% calculates_with_the_reference
# A reference is no array, so nothing can be added to it.
# Do: Read its array first: `counts[...]`.
# Breaks: Returns 1
# Fails: test_each_row_has_a_class, test_the_counts_of_the_caller_change,
# test_a_class_counts_each_time, test_the_counts_go_on, test_the_program_does_not_grow
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=1)
    counts[...] = counts + jnp.bincount(labels, length=counts.shape[0])
    return labels


# %% counts_as_floats
# The counts of the call are floats, which a reference to integers refuses.
# Do: Add integers.
# Breaks: Returns 1
# Fails: test_each_row_has_a_class, test_the_counts_of_the_caller_change,
# test_a_class_counts_each_time, test_the_counts_go_on, test_the_program_does_not_grow
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=1)
    counts[...] += jax.nn.one_hot(labels, counts.shape[0]).sum(axis=0)
    return labels


# %% python_loop
# A Python loop: the program has an update for each row.
# Do: Let one operation add at all places.
# Breaks: Returns 4
# Fails: test_the_program_does_not_grow
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=1)
    for row in range(scores.shape[0]):
        counts[labels[row]] += 1
    return labels


# %% other_axis
# The largest score is looked for along the rows.
# Do: Look at the shape of the labels.
# Breaks: Returns 1
# Fails: test_each_row_has_a_class, test_the_counts_of_the_caller_change,
# test_a_class_counts_each_time, test_the_counts_go_on, test_the_program_does_not_grow
def ref_counts(counts, scores):
    labels = jnp.argmax(scores, axis=0)
    jax.ref.addupdate(counts, labels, jnp.ones_like(labels))
    return labels


# %% last_of_equal_scores
# Of equal scores, the last one is taken.
# Do: `jnp.argmax` takes the first one.
# Breaks: Returns 1
# Fails: test_each_row_has_a_class, test_the_program_does_not_grow
def ref_counts(counts, scores):
    labels = scores.shape[1] - 1 - jnp.argmax(scores[:, ::-1], axis=1)
    jax.ref.addupdate(counts, labels, jnp.ones_like(labels))
    return labels


# %% once missed


# %% each_maximum
# Each class with the largest score of a row is counted, and there may be several.
# Do: Count the labels, of which each row has one.
# Breaks: Returns 2
# Fails: test_the_program_does_not_grow
def ref_counts(counts, scores):
    is_largest = scores == scores.max(axis=1, keepdims=True)
    counts[...] += is_largest.sum(axis=0).astype(jnp.int32)
    return jnp.argmax(scores, axis=1)
