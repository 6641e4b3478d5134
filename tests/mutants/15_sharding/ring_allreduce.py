"""Wrong answers to ring_allreduce; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax


# %% eight_devices
# The ring has eight devices, whatever the axis says.
# Fails: test_rings_of_any_size, test_it_can_be_mapped_and_differentiated
def ring_allreduce(x, axis):
    n, me = 8, lax.axis_index(axis)
    ring = [(i, (i + 1) % n) for i in range(n)]
    pieces = x.reshape(n, len(x) // n, *x.shape[1:])
    total = pieces[(me - 1) % n]
    for step in range(2, n + 1):
        total = lax.ppermute(total, axis, ring) + pieces[(me - step) % n]
    out = pieces.at[me].set(total)
    for step in range(1, n):
        total = lax.ppermute(total, axis, ring)
        out = out.at[(me - step) % n].set(total)
    return out.reshape(x.shape)


# %% divided
# The sum is divided by the number of devices.
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_shapes_and_dtypes_stay, test_it_can_be_mapped_and_differentiated
def ring_allreduce(x, axis, solution=ring_allreduce):
    return (solution(x, axis) / lax.axis_size(axis)).astype(x.dtype)


# %% float_sum
# The sum is kept in float32, which holds no large integers.
# Fails: test_shapes_and_dtypes_stay
def ring_allreduce(x, axis, solution=ring_allreduce):
    return solution(x.astype(jnp.float32), axis).astype(x.dtype)


# %% gathered
# `all_gather` brings all arrays to all devices, and each device adds them up.
# Fails: test_pieces_travel_and_not_whole_arrays, test_rings_of_any_size
def ring_allreduce(x, axis):
    return lax.all_gather(x, axis).sum(axis=0, dtype=x.dtype)


# %% half_the_bytes
# Floats are added up in bfloat16, which keeps two or three digits.
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_shapes_and_dtypes_stay, test_it_can_be_mapped_and_differentiated
def ring_allreduce(x, axis, solution=ring_allreduce):
    narrow = jnp.bfloat16 if jnp.issubdtype(x.dtype, jnp.floating) else x.dtype
    return solution(x.astype(narrow), axis).astype(x.dtype)


# %% name_written_out
# The name of the axis is a constant, and the argument is ignored.
# Fails: test_rings_of_any_size
def ring_allreduce(x, axis, solution=ring_allreduce):
    return solution(x, "ring")


# %% no_way_back
# The last device doesn't send to the first one, which gets zeros.
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_shapes_and_dtypes_stay, test_it_can_be_mapped_and_differentiated
def ring_allreduce(x, axis):
    n, me = lax.axis_size(axis), lax.axis_index(axis)
    line = [(i, i + 1) for i in range(n - 1)]
    pieces = x.reshape(n, len(x) // n, *x.shape[1:])
    total = pieces[(me - 1) % n]
    for step in range(2, n + 1):
        total = lax.ppermute(total, axis, line) + pieces[(me - step) % n]
    out = pieces.at[me].set(total)
    for step in range(1, n):
        total = lax.ppermute(total, axis, line)
        out = out.at[(me - step) % n].set(total)
    return out.reshape(x.shape)


# %% one_piece_late
# Each device begins with its own number, so the sums end one place too far.
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_shapes_and_dtypes_stay, test_it_can_be_mapped_and_differentiated
def ring_allreduce(x, axis):
    n, me = lax.axis_size(axis), lax.axis_index(axis)
    ring = [(i, (i + 1) % n) for i in range(n)]
    pieces = x.reshape(n, len(x) // n, *x.shape[1:])
    total = pieces[me]
    for step in range(1, n):
        total = lax.ppermute(total, axis, ring) + pieces[(me - step) % n]
    out = pieces.at[me].set(total)
    for step in range(1, n):
        total = lax.ppermute(total, axis, ring)
        out = out.at[(me - step) % n].set(total)
    return out.reshape(x.shape)


# %% one_round_missing
# The loop ends one round too early, so each sum lacks one device.
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_shapes_and_dtypes_stay, test_it_can_be_mapped_and_differentiated
def ring_allreduce(x, axis):
    n = lax.axis_size(axis)
    ring = [(i, (i + 1) % n) for i in range(n)]
    total = travelling = x
    for _ in range(n - 2):
        travelling = lax.ppermute(travelling, axis, ring)
        total = total + travelling
    return total


# %% psum
# `psum` gives the right sum, by another collective.
# Fails: test_pieces_travel_and_not_whole_arrays
def ring_allreduce(x, axis):
    return lax.psum(x, axis)


# %% rest_of_its_own
# The second trip is missing: outside of one piece, each device has its own numbers.
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_shapes_and_dtypes_stay, test_it_can_be_mapped_and_differentiated
def ring_allreduce(x, axis):
    n, me = lax.axis_size(axis), lax.axis_index(axis)
    ring = [(i, (i + 1) % n) for i in range(n)]
    pieces = x.reshape(n, len(x) // n, *x.shape[1:])
    total = pieces[(me - 1) % n]
    for step in range(2, n + 1):
        total = lax.ppermute(total, axis, ring) + pieces[(me - step) % n]
    return pieces.at[me].set(total).reshape(x.shape)


# %% sums_travel_on
# The sum itself is sent on, so numbers are counted again and again.
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_shapes_and_dtypes_stay, test_it_can_be_mapped_and_differentiated
def ring_allreduce(x, axis):
    n = lax.axis_size(axis)
    ring = [(i, (i + 1) % n) for i in range(n)]
    total = x
    for _ in range(n - 1):
        total = total + lax.ppermute(total, axis, ring)
    return total


# %% whole_arrays
# Whole arrays travel: with eight devices, each of them sends and adds seven arrays. Each device
# adds in an order of its own, so the last digits differ.
# At most half of the points.
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size
def ring_allreduce(x, axis):
    n = lax.axis_size(axis)
    ring = [(i, (i + 1) % n) for i in range(n)]
    total = travelling = x
    for _ in range(n - 1):
        travelling = lax.ppermute(travelling, axis, ring)
        total = total + travelling
    return total
