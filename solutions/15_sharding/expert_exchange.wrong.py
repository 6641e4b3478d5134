"""What learners get wrong in expert_exchange; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


# %% matrices_gathered
# Each device gathers the matrices of all experts, and multiplies its own tokens.
# Do: Send the tokens to the experts by `jax.lax.all_to_all`, and leave the matrices where they are.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_only_all_to_all_is_used, test_meshes_of_any_size
def part(x, w):
    whole = lax.all_gather(w, "expert", tiled=True)
    return jnp.einsum("iecd,edh->iech", x, whole)


# %% tokens_gathered
# Each device gathers all tokens, and then all results.
# Do: Send to each device only the tokens of its experts, by `jax.lax.all_to_all`.
# Breaks: Returns 3
# At most half of the points.
# Fails: test_only_all_to_all_is_used, test_meshes_of_any_size
def part(x, w):
    i, own = lax.axis_index("expert"), len(w)
    tokens = lax.all_gather(x, "expert", tiled=True)
    tokens = lax.dynamic_slice_in_dim(tokens, i * own, own, axis=1)
    results = lax.all_gather(jnp.einsum("iecd,edh->iech", tokens, w), "expert", axis=1, tiled=True)
    return lax.dynamic_slice_in_dim(results, i, 1)


# %% no_exchange
# Each device multiplies by its own matrices, and nothing is sent.
# Do: Send each token to the device of its expert first.
# Breaks: Returns 1
# Fails: test_each_token_meets_its_expert, test_only_all_to_all_is_used,
# test_each_device_multiplies_by_its_own_matrices, test_meshes_of_any_size,
# test_gradients_travel_back, test_details
def part(x, w):
    n = lax.axis_size("expert")
    return jnp.einsum("iecd,edh->iech", x, jnp.concatenate([w] * n))


# %% not_back
# The results stay on the experts' devices.
# Do: Send them back with a second `all_to_all`, with the two axes swapped.
# Breaks: Returns 1
# Fails: test_each_token_meets_its_expert, test_only_all_to_all_is_used,
# test_each_device_multiplies_by_its_own_matrices, test_meshes_of_any_size,
# test_gradients_travel_back, test_details
def part(x, w):
    there = lax.all_to_all(x[0], "expert", 0, 1, tiled=True)
    results = jnp.einsum("ecd,edh->ech", there, w)
    return results.reshape(1, -1, x.shape[2], w.shape[2])


# %% same_axes_back
# The way back splits the same axis as the way there.
# Do: Swap split_axis and concat_axis on the way back.
# Breaks: Returns 1
# Fails: test_each_token_meets_its_expert, test_only_all_to_all_is_used,
# test_each_device_multiplies_by_its_own_matrices, test_meshes_of_any_size,
# test_gradients_travel_back, test_details
def part(x, w):
    there = lax.all_to_all(x[0], "expert", 0, 1, tiled=True)
    results = jnp.einsum("ecd,edh->ech", there, w)
    n, slots = lax.axis_size("expert"), x.shape[2]
    mixed = results.reshape(len(w), slots, n, -1).transpose(0, 2, 1, 3).reshape(results.shape)
    return lax.all_to_all(mixed, "expert", 1, 0, tiled=True)[None]


# %% experts_mixed
# The pieces come in along the axis of the experts, and are read as if each expert's stood together.
# Do: Concatenate along the slot axis, so that the expert axis has only the device's own experts.
# Breaks: Details 1
# Fails: test_only_all_to_all_is_used, test_each_device_multiplies_by_its_own_matrices,
# test_meshes_of_any_size, test_gradients_travel_back, test_details
def part(x, w):
    there = lax.all_to_all(x[0], "expert", 0, 0, tiled=True)
    results = jnp.einsum("ecd,edh->ech", there.reshape(len(w), -1, x.shape[3]), w)
    results = results.reshape(*there.shape[:2], -1)
    return lax.all_to_all(results, "expert", 0, 0, tiled=True)[None]


# %% one_expert_each
# The code is for one expert on each device.
# Do: A device has E / n matrices. Keep this axis, and multiply each by its own slots.
# Breaks: Details 1
# Fails: test_only_all_to_all_is_used, test_each_device_multiplies_by_its_own_matrices,
# test_meshes_of_any_size, test_gradients_travel_back, test_details
def part(x, w):
    there = lax.all_to_all(x[0], "expert", 0, 1, tiled=True)
    return lax.all_to_all(there @ w[0], "expert", 1, 0, tiled=True)[None]


# %% eight_devices
# The number of devices is hard-coded.
# Do: Let `all_to_all` cut the axis, or use `jax.lax.axis_size`.
# Breaks: Returns 1
# Fails: test_meshes_of_any_size, test_details
def part(x, w):
    _, experts, slots, d = x.shape
    there = lax.all_to_all(x.reshape(8, experts // 8, slots, d), "expert", 0, 0)
    return lax.all_to_all(jnp.einsum("iecd,edh->iech", there, w), "expert", 0, 0).reshape(
        1, experts, slots, -1
    )


# %% every_device_multiplies_all
# Nothing is sharded, so each device multiplies by all matrices, and the result is sharded afterwards.
# Do: Shard both arguments along their first axis by `in_specs`.
# Breaks: Returns 2
# Fails: test_only_all_to_all_is_used, test_each_device_multiplies_by_its_own_matrices,
# test_meshes_of_any_size
def expert_exchange(x, w, mesh):
    def part(x, w):
        results = jnp.einsum("iecd,edh->iech", x, w)
        return lax.dynamic_slice_in_dim(results, lax.axis_index("expert"), 1)

    return jax.shard_map(part, mesh=mesh, in_specs=P(), out_specs=P("expert"), check_vma=False)(
        x, w
    )


# %% whole_result
# The results of all devices are gathered at the end.
# Do: Leave the result sharded along its first axis, by `out_specs`.
# Breaks: Returns 1
# Fails: test_only_all_to_all_is_used, test_meshes_of_any_size
def expert_exchange(x, w, mesh):
    def gathered(x, w):
        return lax.all_gather(part(x, w), "expert", tiled=True)

    cut = P("expert")
    return jax.shard_map(gathered, mesh=mesh, in_specs=cut, out_specs=P(), check_vma=False)(x, w)


# %% float32
# The results become float32, whatever the dtype of the tokens is.
# Do: Multiply in the dtype of the tokens.
# Breaks: Details 3
# Fails: test_details
def expert_exchange(x, w, mesh, solution=expert_exchange):
    return solution(x.astype(jnp.float32), w.astype(jnp.float32), mesh)


# %% squeezed
# `squeeze` removes each axis of length 1, not only the first one.
# Do: Take x[0].
# Breaks: Details 2
# Fails: test_details
def part(x, w):
    there = lax.all_to_all(jnp.squeeze(x), "expert", 0, 1, tiled=True)
    results = jnp.einsum("ecd,edh->ech", there, w)
    return lax.all_to_all(results, "expert", 1, 0, tiled=True)[None]


# %% matrices_travel
# No token travels. Two all-to-all each send half of the matrices to all devices.
# Do: Send the tokens to the devices of their experts, and the results back.
# Breaks: Returns 2
# Fails: test_only_all_to_all_is_used
def part(x, w):
    def gathered(w):
        copies = jnp.broadcast_to(w, (lax.axis_size("expert"), *w.shape))
        return lax.all_to_all(copies, "expert", 0, 0, tiled=True).reshape(-1, *w.shape[1:])

    half = w.shape[1] // 2
    parts = (w[:, :half], w[:, half:]) if half else (w,)
    whole = jnp.concatenate([gathered(part) for part in parts], axis=1)
    return jnp.einsum("ecd,edh->ech", x[0], whole)[None]


# %% once missed


# %% way_back_is_a_constant
# The results that come back are constants, so nothing has a gradient.
# Breaks: Returns 4
# Fails: test_gradients_travel_back
def part(x, w):
    there = lax.all_to_all(x[0], "expert", 0, 1, tiled=True)
    results = lax.stop_gradient(jnp.einsum("ecd,edh->ech", there, w))
    return lax.all_to_all(results, "expert", 1, 0, tiled=True)[None]
