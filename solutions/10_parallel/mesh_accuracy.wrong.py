"""Wrong answers to mesh_accuracy; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P


def _counts(scores, labels):
    is_real = labels >= 0
    is_right = is_real & (jnp.argmax(scores, axis=1) == labels)
    return is_right.sum(), is_real.sum()


def _on(mesh, part, scores, labels, **keywords):
    specs = {"in_specs": (P("data"), P("data")), "out_specs": P()}
    return jax.shard_map(part, mesh=mesh, **specs, **keywords)(scores, labels)


# %% as_it_was
# Each device counts the same, however few real examples it has.
# Do: Compute the accuracy of three examples on two devices on paper.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_padding_makes_no_difference, test_a_device_with_nothing_but_padding,
# test_each_device_has_its_own_examples
def mesh_accuracy(scores, labels, mesh):
    def part(scores, labels):
        right, real = _counts(scores, labels)
        return jax.lax.pmean(right / jnp.maximum(real, 1), "data")

    return _on(mesh, part, scores, labels)


# %% without_empty_devices
# Devices with nothing but padding are left out, but all others still count the same.
# Do: Give one device a single real example.
# Breaks: Returns 2
# Fails: test_padding_makes_no_difference, test_a_device_with_nothing_but_padding,
# test_each_device_has_its_own_examples
def mesh_accuracy(scores, labels, mesh):
    def part(scores, labels):
        right, real = _counts(scores, labels)
        accuracy = jax.lax.psum(right / jnp.maximum(real, 1), "data")
        return accuracy / jax.lax.psum((real > 0).astype(int), "data")

    return _on(mesh, part, scores, labels)


# %% padding_is_wrong
# The sums are divided by the number of all rows, so padding counts as wrong.
# Do: Count the real examples only.
# Breaks: Returns 1
# Fails: test_on_one_device_padding_does_not_count, test_padding_makes_no_difference,
# test_a_device_with_nothing_but_padding, test_each_device_has_its_own_examples
def mesh_accuracy(scores, labels, mesh):
    def part(scores, labels):
        return jax.lax.pmean(_counts(scores, labels)[0] / len(labels), "data")

    return _on(mesh, part, scores, labels)


# %% sum_of_shares
# The shares of the devices are summed, not averaged.
# Do: Compute the accuracy where all examples are right.
# Breaks: Returns 2
# Fails: test_without_padding_it_is_right, test_padding_makes_no_difference,
# test_a_device_with_nothing_but_padding, test_each_device_has_its_own_examples
def mesh_accuracy(scores, labels, mesh):
    def part(scores, labels):
        right, real = _counts(scores, labels)
        return jax.lax.psum(right / jnp.maximum(real, 1), "data")

    return _on(mesh, part, scores, labels)


# %% at_least_one
# Each device counts at least one real example, even where it has none.
# Do: Give a device nothing but padding.
# Breaks: Returns 2
# Fails: test_padding_makes_no_difference, test_a_device_with_nothing_but_padding
def mesh_accuracy(scores, labels, mesh):
    def part(scores, labels):
        right, real = _counts(scores, labels)
        right, real = jax.lax.psum((right, jnp.maximum(real, 1)), "data")
        return right / real

    return _on(mesh, part, scores, labels)


# %% own_number
# The right examples of all devices are divided by the real ones of one device.
# Do: Write down which numbers are sums over devices.
# Breaks: Returns 1
# Fails: test_without_padding_it_is_right, test_padding_makes_no_difference,
# test_a_device_with_nothing_but_padding, test_each_device_has_its_own_examples
def mesh_accuracy(scores, labels, mesh):
    def part(scores, labels):
        right, real = _counts(scores, labels)
        return jax.lax.pmean(jax.lax.psum(right, "data") / jnp.maximum(real, 1), "data")

    return _on(mesh, part, scores, labels)


# %% first_device
# `check_vma=False` hides that the results differ: the first device's share is returned.
# Do: Give each device different examples.
# Breaks: Returns 1
# Fails: test_without_padding_it_is_right, test_padding_makes_no_difference,
# test_a_device_with_nothing_but_padding, test_each_device_has_its_own_examples
def mesh_accuracy(scores, labels, mesh):
    def part(scores, labels):
        right, real = _counts(scores, labels)
        return right / jnp.maximum(real, 1)

    return _on(mesh, part, scores, labels, check_vma=False)


# %% every_example_everywhere
# Each device gets all examples, and the devices exchange nothing afterwards.
# Do: Cut the examples with `in_specs`, and sum two numbers from each device.
# Breaks: Returns 3
# Fails: test_each_device_has_its_own_examples
def mesh_accuracy(scores, labels, mesh):
    def part(scores, labels):
        right, real = _counts(scores, labels)
        return right / real

    return jax.shard_map(part, mesh=mesh, in_specs=(P(), P()), out_specs=P())(scores, labels)


# %% one_device
# The mesh isn't used: one device processes all examples.
# Do: Count the devices of the program.
# Breaks: Returns 3
# Fails: test_each_device_has_its_own_examples
def mesh_accuracy(scores, labels, mesh):
    right, real = _counts(scores, labels)
    return right / real


# %% padding_is_cut_off
# Padding is assumed to be at the end of each device's part.
# Do: Put the padding in front.
# Breaks: Returns 1
# Fails: test_on_one_device_padding_does_not_count, test_padding_makes_no_difference
def mesh_accuracy(scores, labels, mesh):
    def part(scores, labels):
        real = (labels >= 0).sum()
        is_right = jnp.argmax(scores, axis=1) == labels
        right = jnp.sum(is_right & (jnp.arange(len(labels)) < real))
        right, real = jax.lax.psum((right, real), "data")
        return right / real

    return _on(mesh, part, scores, labels)


# %% counted_before
# The real examples are counted as a Python int, which a traced value doesn't have.
# Do: Count on each device, and sum the counts with `jax.lax.psum`.
# Breaks: Returns 4
# Fails: test_without_padding_it_is_right, test_on_one_device_padding_does_not_count,
# test_padding_makes_no_difference, test_a_device_with_nothing_but_padding,
# test_each_device_has_its_own_examples
def mesh_accuracy(scores, labels, mesh):
    total = int((labels >= 0).sum())

    def part(scores, labels):
        return jax.lax.psum(_counts(scores, labels)[0], "data") / total

    return _on(mesh, part, scores, labels)


# %% once missed


# %% padding_taken_out
# A boolean index removes the padding, and its size is unknown under `jit`.
# Breaks: Returns 4
# Fails: test_without_padding_it_is_right, test_on_one_device_padding_does_not_count,
# test_padding_makes_no_difference, test_a_device_with_nothing_but_padding,
# test_each_device_has_its_own_examples
def mesh_accuracy(scores, labels, mesh):
    is_real = labels >= 0
    return jnp.mean(jnp.argmax(scores[is_real], axis=1) == labels[is_real])
