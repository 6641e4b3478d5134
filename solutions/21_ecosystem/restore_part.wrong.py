"""What learners get wrong in restore_part; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
import orbax.checkpoint as ocp


def wanted(leaf, dtype):
    """The leaf of a target."""
    is_float = jnp.issubdtype(leaf.dtype, jnp.floating)
    return jax.ShapeDtypeStruct(leaf.shape, dtype if is_float else leaf.dtype)


# %% all_is_read
# The whole checkpoint is read, and then the parameters are taken from it.
# Do: Make a target for the parameters alone, and say `partial_restore=True`.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_optimiser_is_not_read, test_any_other_keys_are_left_out
def restore_part(path, shapes, dtype):
    with ocp.StandardCheckpointer() as checkpointer:
        params = checkpointer.restore(path)["params"]
    return jax.tree.map(
        lambda leaf, shape: jnp.asarray(leaf, wanted(shape, dtype).dtype), params, shapes
    )


# %% no_partial_restore
# The target is a part of the tree, and Orbax isn't told so.
# Do: Say `partial_restore=True`.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_the_parameters_have_the_dtype, test_the_optimiser_is_not_read,
# test_any_other_keys_are_left_out, test_only_floats_are_converted
def restore_part(path, shapes, dtype):
    target = {"params": jax.tree.map(lambda leaf: wanted(leaf, dtype), shapes)}
    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore(path, target)["params"]


# %% no_restore_args
# Without restore arguments, Orbax looks only at the structure of the target, and keeps all dtypes.
# Do: Make them with `ocp.checkpoint_utils.construct_restore_args`.
# Breaks: Returns 2
# Fails: test_the_parameters_have_the_dtype, test_the_optimiser_is_not_read,
# test_any_other_keys_are_left_out, test_only_floats_are_converted
def restore_part(path, shapes, dtype):
    target = {"params": jax.tree.map(lambda leaf: wanted(leaf, dtype), shapes)}
    with ocp.PyTreeCheckpointer() as checkpointer:
        args = ocp.args.PyTreeRestore(target, partial_restore=True)
        return checkpointer.restore(path, args=args)["params"]


# %% saved_dtypes
# The target has the dtypes that were saved.
# Do: Give each float of the target the new dtype.
# Breaks: Returns 2
# Fails: test_the_parameters_have_the_dtype, test_the_optimiser_is_not_read,
# test_any_other_keys_are_left_out, test_only_floats_are_converted
def restore_part(path, shapes, dtype):
    target = {"params": shapes}
    how = ocp.checkpoint_utils.construct_restore_args(target)
    with ocp.PyTreeCheckpointer() as checkpointer:
        args = ocp.args.PyTreeRestore(target, how, partial_restore=True)
        return checkpointer.restore(path, args=args)["params"]


# %% all_are_floats
# Integers and booleans become floats.
# Do: Change the dtype of floats only.
# Breaks: Returns 3
# Fails: test_only_floats_are_converted
def restore_part(path, shapes, dtype, solution=restore_part):
    params = solution(path, shapes, dtype)
    return jax.tree.map(lambda leaf: jnp.asarray(leaf, dtype), params)


# %% float32_only
# Only float32 is converted.
# Do: Use `jnp.issubdtype(leaf.dtype, jnp.floating)`, which is true for each dtype of floats.
# Breaks: Returns 2
# Fails: test_only_floats_are_converted
def restore_part(path, shapes, dtype, solution=restore_part):
    params = solution(path, shapes, dtype)
    return jax.tree.map(
        lambda leaf, shape: jnp.asarray(leaf, dtype if shape.dtype == jnp.float32 else shape.dtype),
        params,
        shapes,
    )


# %% booleans_are_floats
# All that isn't an integer is taken for a float, so booleans are converted.
# Do: Ask whether a dtype is a float: `jnp.issubdtype(leaf.dtype, jnp.floating)`.
# Breaks: Returns 3
# Fails: test_only_floats_are_converted
def restore_part(path, shapes, dtype, solution=restore_part):
    params = solution(path, shapes, dtype)
    return jax.tree.map(
        lambda leaf: leaf if jnp.issubdtype(leaf.dtype, jnp.integer) else jnp.asarray(leaf, dtype),
        params,
    )


# %% always_bfloat16
# The floats are bfloat16, whatever was asked for.
# Do: Use `dtype`.
# Breaks: Returns 2
# Fails: test_the_parameters_have_the_dtype, test_only_floats_are_converted
def restore_part(path, shapes, dtype, solution=restore_part):
    return solution(path, shapes, jnp.bfloat16)


# %% rounded_twice
# The numbers go through bfloat16 on their way to another dtype.
# Do: Convert from the saved dtype.
# Breaks: Returns 1
# Fails: test_the_parameters_have_the_dtype
def restore_part(path, shapes, dtype, solution=restore_part):
    params = solution(path, shapes, jnp.bfloat16)
    return jax.tree.map(
        lambda leaf, shape: jnp.asarray(leaf, wanted(shape, dtype).dtype), params, shapes
    )


# %% the_dict_around
# The dict around the parameters is returned.
# Do: Take its entry "params".
# Breaks: Returns 1
# Fails: test_the_parameters_have_the_dtype, test_the_optimiser_is_not_read,
# test_any_other_keys_are_left_out, test_only_floats_are_converted
def restore_part(path, shapes, dtype, solution=restore_part):
    return {"params": solution(path, shapes, dtype)}


# %% wrong_place
# The target has the parameters at its top, but they were saved below "params".
# Do: Make a dict with the key "params".
# Breaks: Returns 1
# Fails: test_the_parameters_have_the_dtype, test_the_optimiser_is_not_read,
# test_any_other_keys_are_left_out, test_only_floats_are_converted
def restore_part(path, shapes, dtype):
    target = jax.tree.map(lambda leaf: wanted(leaf, dtype), shapes)
    how = ocp.checkpoint_utils.construct_restore_args(target)
    with ocp.PyTreeCheckpointer() as checkpointer:
        args = ocp.args.PyTreeRestore(target, how, partial_restore=True)
        return checkpointer.restore(path, args=args)


# %% known_keys
# The target has a placeholder for "opt_state" and for "step", but the other keys may have any names.
# Do: Leave all other keys out of the target.
# Breaks: Returns 1
# Fails: test_any_other_keys_are_left_out, test_only_floats_are_converted
def restore_part(path, shapes, dtype):
    saved = ocp.PyTreeCheckpointer().metadata(path).item_metadata.tree
    target = {
        "params": jax.tree.map(lambda leaf: wanted(leaf, dtype), shapes),
        "opt_state": jax.tree.map(lambda _: ocp.PLACEHOLDER, saved.get("opt_state", {})),
        "step": ocp.PLACEHOLDER,
    }
    how = ocp.checkpoint_utils.construct_restore_args(target)
    with ocp.PyTreeCheckpointer() as checkpointer:
        return checkpointer.restore(path, args=ocp.args.PyTreeRestore(target, how))["params"]
