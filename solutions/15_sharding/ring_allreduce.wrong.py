"""What learners get wrong in ring_allreduce; each cell is a suffix to the solution."""

import jax.numpy as jnp
from jax import lax


# %% whole_arrays
# Whole arrays travel: with eight devices, each of them sends and adds seven arrays.
# Do: Cut x into as many pieces as there are members, and send one piece in each round.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_pieces_travel_and_not_whole_arrays, test_rings_of_any_size
def ring_allreduce(x, axis):
    n = lax.axis_size(axis)
    ring = [(i, (i + 1) % n) for i in range(n)]
    total = travelling = x
    for _ in range(n - 1):
        travelling = lax.ppermute(travelling, axis, ring)
        total = total + travelling
    return total


# %% psum
# `psum` gives the right sum, but with a different collective.
# Do: Use `jax.lax.ppermute` alone.
# Breaks: Returns 3
# Fails: test_pieces_travel_and_not_whole_arrays
def ring_allreduce(x, axis):
    return lax.psum(x, axis)


# %% gathered
# `all_gather` brings all arrays to all devices, and each device adds them up.
# Do: Use `jax.lax.ppermute` alone, and send pieces.
# Breaks: Returns 3
# Fails: test_pieces_travel_and_not_whole_arrays, test_rings_of_any_size
def ring_allreduce(x, axis):
    return lax.all_gather(x, axis).sum(axis=0, dtype=x.dtype)


# %% sums_travel_on
# The sum itself is sent on, so numbers are added repeatedly.
# Do: Add your own piece once to each arriving sum, and pass it on.
# Breaks: Returns 1
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_it_can_be_mapped_and_differentiated, test_details
def ring_allreduce(x, axis):
    n = lax.axis_size(axis)
    ring = [(i, (i + 1) % n) for i in range(n)]
    total = x
    for _ in range(n - 1):
        total = total + lax.ppermute(total, axis, ring)
    return total


# %% rest_of_its_own
# The second trip is missing: outside one piece, each device has its own numbers.
# Do: Also send the sums around: n - 1 more rounds.
# Breaks: Returns 1
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_it_can_be_mapped_and_differentiated, test_details
def ring_allreduce(x, axis):
    n, me = lax.axis_size(axis), lax.axis_index(axis)
    ring = [(i, (i + 1) % n) for i in range(n)]
    pieces = x.reshape(n, len(x) // n, *x.shape[1:])
    total = pieces[(me - 1) % n]
    for step in range(2, n + 1):
        total = lax.ppermute(total, axis, ring) + pieces[(me - step) % n]
    return pieces.at[me].set(total).reshape(x.shape)


# %% one_piece_late
# Each device begins with its own number, so each sum ends one device too far.
# Do: Begin with the piece before your own, so that your own sum arrives in the last round.
# Breaks: Returns 1
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_it_can_be_mapped_and_differentiated, test_details
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
# Do: A number needs n - 1 rounds to visit all others.
# Breaks: Returns 1
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_it_can_be_mapped_and_differentiated, test_details
def ring_allreduce(x, axis):
    n = lax.axis_size(axis)
    ring = [(i, (i + 1) % n) for i in range(n)]
    total = travelling = x
    for _ in range(n - 2):
        travelling = lax.ppermute(travelling, axis, ring)
        total = total + travelling
    return total


# %% no_way_back
# The last device doesn't send to the first one, which gets zeros.
# Do: Add the pair from the last member to the first one.
# Breaks: Returns 1
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_it_can_be_mapped_and_differentiated, test_details
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


# %% eight_devices
# The code assumes a ring of eight devices, regardless of the axis.
# Do: Use the number of members: `jax.lax.axis_size(axis)`.
# Breaks: Returns 4
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


# %% name_written_out
# The axis name is hard-coded, and the argument is ignored.
# Do: Use the argument `axis`.
# Breaks: Returns 1
# Fails: test_rings_of_any_size
def ring_allreduce(x, axis, solution=ring_allreduce):
    return solution(x, "ring")


# %% divided
# The sum is divided by the number of devices.
# Do: Return the sum, not the mean.
# Breaks: Returns 1
# Fails: test_every_device_has_the_sum, test_pieces_travel_and_not_whole_arrays,
# test_rings_of_any_size, test_it_can_be_mapped_and_differentiated, test_details
def ring_allreduce(x, axis, solution=ring_allreduce):
    return (solution(x, axis) / lax.axis_size(axis)).astype(x.dtype)


# %% float_sum
# The sum is kept in float32, which can't represent large integers exactly.
# Do: Add integers as integers.
# Breaks: Details 1
# Fails: test_details
def ring_allreduce(x, axis, solution=ring_allreduce):
    return solution(x.astype(jnp.float32), axis).astype(x.dtype)


# %% whole_arrays_travel
# Whole arrays travel in each round, but a device uses only one piece of each.
# Do: Send only that piece.
# Breaks: Returns 2
# Fails: test_pieces_travel_and_not_whole_arrays
def ring_allreduce(x, axis):
    n, me = lax.axis_size(axis), lax.axis_index(axis)
    ring, size = [(i, (i + 1) % n) for i in range(n)], len(x) // n

    def piece(whole, k):
        return lax.dynamic_slice_in_dim(whole, k % n * size, size)

    whole, total = x, piece(x, me)
    for _ in range(n - 1):
        whole = lax.ppermute(whole, axis, ring)
        total = total + piece(whole, me)
    out = whole = lax.dynamic_update_slice_in_dim(x, total, me * size, 0)
    for k in range(1, n):
        whole = lax.ppermute(whole, axis, ring)
        out = lax.dynamic_update_slice_in_dim(out, piece(whole, me - k), (me - k) % n * size, 0)
    return out
