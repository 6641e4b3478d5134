"""What learners get wrong in collective_matmul; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


# %% all_gather
# All rows of x are gathered, and then multiplied together.
# Do: Let the pieces travel by `ppermute`, and multiply one in each round.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_pieces_travel_by_permutations, test_no_device_has_all_rows,
# test_a_device_multiplies_while_a_piece_travels
def part(rows, w):
    return lax.all_gather(rows, "ring", tiled=True) @ w


# %% ring_first
# The pieces travel around the ring and are collected, and the product comes at the end.
# Do: Multiply each piece when it arrives. Collect the products, which are smaller.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_no_device_has_all_rows, test_a_device_multiplies_while_a_piece_travels
def part(rows, w):
    n, me, own = lax.axis_size("ring"), lax.axis_index("ring"), len(rows)
    ring = [(i, (i + 1) % n) for i in range(n)]
    whole = jnp.zeros((n * own, rows.shape[1]), w.dtype)
    for step in range(n):
        whole = lax.dynamic_update_slice_in_dim(whole, rows, (me - step) % n * own, 0)
        rows = lax.ppermute(rows, "ring", ring)
    return whole @ w


# %% sent_before_each_product
# Each round waits for a new piece before multiplying it.
# Do: Multiply the piece from before the round. A device starts with its own piece.
# Breaks: Returns 6
# Fails: test_a_device_multiplies_while_a_piece_travels
def part(rows, w):
    n, me, own = lax.axis_size("ring"), lax.axis_index("ring"), len(rows)
    ring = [(i, (i + 1) % n) for i in range(n)]
    out = jnp.zeros((n * own, w.shape[1]), w.dtype)
    for step in range(1, n + 1):
        rows = lax.ppermute(rows, "ring", ring)
        out = lax.dynamic_update_slice_in_dim(out, rows @ w, (me - step) % n * own, 0)
    return out


# %% loop_waits
# In each round of the loop, the product waits for the piece that this round sends.
# Do: Use the piece from before the round both in the product and in `ppermute`.
# Breaks: Returns 6
# Fails: test_a_device_multiplies_while_a_piece_travels
def part(rows, w):
    n, me, own = lax.axis_size("ring"), lax.axis_index("ring"), len(rows)
    ring = [(i, (i + 1) % n) for i in range(n)]

    def step(rows, _):
        rows = lax.ppermute(rows, "ring", ring)
        return rows, rows @ w

    first = rows @ w
    _, others = lax.scan(step, rows, None, length=n - 1)
    blocks = jnp.concatenate([first[None], others])
    return blocks[(me - jnp.arange(n)) % n].reshape(n * own, -1)


# %% products_travel
# A device's product travels, and no other device multiplies by its own columns.
# Do: Send the rows of x. The next device multiplies them by its own columns.
# Breaks: Returns 1, Returns 5
# Fails: test_the_values_are_those_of_the_product, test_pieces_travel_by_permutations,
# test_no_device_has_all_rows, test_a_device_multiplies_while_a_piece_travels,
# test_rings_of_any_size_have_gradients, test_details
def part(rows, w):
    n, me, own = lax.axis_size("ring"), lax.axis_index("ring"), len(rows)
    ring = [(i, (i + 1) % n) for i in range(n)]
    out, block = jnp.zeros((n * own, w.shape[1]), w.dtype), rows @ w
    for step in range(n):
        out = lax.dynamic_update_slice_in_dim(out, block, (me - step) % n * own, 0)
        block = lax.ppermute(block, "ring", ring)
    return out


# %% wrong_direction
# The pieces are written as if they came from the next device.
# Do: In round s, a device has the piece of device i - s.
# Breaks: Returns 1
# Fails: test_the_values_are_those_of_the_product, test_pieces_travel_by_permutations,
# test_no_device_has_all_rows, test_a_device_multiplies_while_a_piece_travels,
# test_rings_of_any_size_have_gradients, test_details
def part(rows, w):
    n, me, own = lax.axis_size("ring"), lax.axis_index("ring"), len(rows)
    ring = [(i, (i + 1) % n) for i in range(n)]
    out = jnp.zeros((n * own, w.shape[1]), w.dtype)
    for step in range(n):
        out = lax.dynamic_update_slice_in_dim(out, rows @ w, (me + step) % n * own, 0)
        rows = lax.ppermute(rows, "ring", ring)
    return out


# %% in_order_of_arrival
# The products are concatenated in the order in which the pieces arrive.
# Do: Write each product to the rows of its piece in x.
# Breaks: Returns 1
# Fails: test_the_values_are_those_of_the_product, test_pieces_travel_by_permutations,
# test_no_device_has_all_rows, test_a_device_multiplies_while_a_piece_travels,
# test_rings_of_any_size_have_gradients, test_details
def part(rows, w):
    n = lax.axis_size("ring")
    ring, blocks = [(i, (i + 1) % n) for i in range(n)], []
    for _ in range(n):
        blocks.append(rows @ w)
        rows = lax.ppermute(rows, "ring", ring)
    return jnp.concatenate(blocks)


# %% one_round_less
# The last piece is never multiplied.
# Do: There are n products and n - 1 permutations.
# Breaks: Returns 1
# Fails: test_the_values_are_those_of_the_product, test_pieces_travel_by_permutations,
# test_no_device_has_all_rows, test_a_device_multiplies_while_a_piece_travels,
# test_rings_of_any_size_have_gradients, test_details
def part(rows, w):
    n, me, own = lax.axis_size("ring"), lax.axis_index("ring"), len(rows)
    ring = [(i, (i + 1) % n) for i in range(n)]
    out = jnp.zeros((n * own, w.shape[1]), w.dtype)
    for step in range(max(1, n - 1)):
        out = lax.dynamic_update_slice_in_dim(out, rows @ w, (me - step) % n * own, 0)
        rows = lax.ppermute(rows, "ring", ring)
    return out


# %% no_ring
# The last device sends to no device, so zeros arrive instead of pieces.
# Do: Close the ring: the pairs are (i, (i + 1) % n).
# Breaks: Returns 1
# Fails: test_the_values_are_those_of_the_product, test_pieces_travel_by_permutations,
# test_no_device_has_all_rows, test_a_device_multiplies_while_a_piece_travels,
# test_rings_of_any_size_have_gradients, test_details
def part(rows, w):
    n, me, own = lax.axis_size("ring"), lax.axis_index("ring"), len(rows)
    line = [(i, i + 1) for i in range(n - 1)]
    out = jnp.zeros((n * own, w.shape[1]), w.dtype)
    for step in range(n):
        out = lax.dynamic_update_slice_in_dim(out, rows @ w, (me - step) % n * own, 0)
        rows = lax.ppermute(rows, "ring", line)
    return out


# %% eight_devices
# The number of devices is hard-coded.
# Do: Use `jax.lax.axis_size("ring")`.
# Breaks: Returns 1
# Fails: test_rings_of_any_size_have_gradients
def part(rows, w):
    me, own = lax.axis_index("ring"), len(rows)
    ring = [(i, (i + 1) % 8) for i in range(8)]
    out = jnp.zeros((8 * own, w.shape[1]), w.dtype)
    for step in range(8):
        out = lax.dynamic_update_slice_in_dim(out, rows @ w, (me - step) % 8 * own, 0)
        rows = lax.ppermute(rows, "ring", ring)
    return out


# %% no_reverse
# `grad` can't reverse a loop whose number of rounds is a traced number.
# Do: Give `fori_loop` a Python number, or write the rounds out.
# Breaks: Returns 7
# Fails: test_rings_of_any_size_have_gradients
def part(rows, w):
    n, me, own = lax.axis_size("ring"), lax.axis_index("ring"), len(rows)
    ring = [(i, (i + 1) % n) for i in range(n)]

    def step(state):
        s, rows, out = state
        out = lax.dynamic_update_slice_in_dim(out, rows @ w, (me - s) % n * own, 0)
        return s + 1, lax.ppermute(rows, "ring", ring), out

    out = lax.pcast(jnp.zeros((n * own, w.shape[1]), w.dtype), "ring", to="varying")
    return lax.while_loop(lambda state: state[0] < n, step, (0, rows, out))[2]


# %% whole_w
# w isn't sharded, so each device computes all columns, and the result is sharded afterwards.
# Do: Shard w along its columns by `in_specs`.
# Breaks: Returns 4
# Fails: test_pieces_travel_by_permutations, test_no_device_has_all_rows
def collective_matmul(x, w, mesh):
    def own_columns(rows, w):
        own = w.shape[1] // lax.axis_size("ring")
        return lax.dynamic_slice_in_dim(part(rows, w), lax.axis_index("ring") * own, own, 1)

    return jax.shard_map(
        own_columns,
        mesh=mesh,
        in_specs=(P("ring"), P()),
        out_specs=P(None, "ring"),
        check_vma=False,
    )(x, w)


# %% collected_in_float32
# The products are collected in float32, whatever the dtype is.
# Do: Make the array of zeros with the dtype of w.
# Breaks: Returns 1
# Fails: test_details
def collective_matmul(x, w, mesh, solution=collective_matmul):
    return solution(x, w, mesh).astype(jnp.float32)
