"""restore_part(path, shapes, dtype): the parameters, and nothing else of a checkpoint.

See `checkpoints` for who knows what. Each array has its own files, so some can be damaged.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.suite import assert_close, case

from .checkpoints import at_a_path, handed, saved


def restored(restore, path, blanks, dtype):
    """What comes back. Zeros say which shapes were saved, and a text says the dtype."""
    shapes = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), blanks)
    return restore(path, shapes, jnp.dtype(dtype))


def damaged(files):
    """The same files, where only the parameters are sound. What describes the arrays is, too."""

    def is_sound(name):
        folder, _, file = name.rpartition("/")
        return folder.split(".")[0] in ("", "params", "array_metadatas") or file == ".zarray"

    return {name: data if is_sound(name) else b"damaged" for name, data in files.items()}


def check(submission, state, dtype, change=lambda files: files):
    """The parameters come back, from files that are changed before."""

    def converted(leaf):
        return leaf.astype(dtype) if jnp.issubdtype(leaf.dtype, jnp.floating) else leaf

    files = change(saved(jax.tree.map(jnp.asarray, state)))
    run = submission.restore_part.used_by(at_a_path).timed()
    blanks = jax.tree.map(np.zeros_like, state["params"])
    found = run(handed(files), restored, blanks, str(jnp.dtype(dtype)))
    assert_close(found, jax.tree.map(converted, state["params"]))


def numbers(rng, *shape):
    return np.asarray(rng.normal(size=shape), np.float32)


def model(rng):
    return {"layers": [{"w": numbers(rng, 4, 3)}, {"w": numbers(rng, 3, 5)}], "b": numbers(rng, 5)}


def training(rng):
    """The state of a training with Adam."""
    averages = {"mean": model(rng), "square": model(rng), "count": np.int32(7)}
    return {"params": model(rng), "opt_state": averages, "step": np.int32(7)}


@pytest.mark.words
@pytest.mark.points(3)
@pytest.mark.hint("Which tree was saved, and which one do you ask for? Who says the dtypes?")
def test_the_parameters_have_the_dtype(submission, rng):
    """The parameters come back as they were saved, in each dtype."""
    for dtype in (jnp.bfloat16, np.float16, np.float32):
        with case(f"in {jnp.dtype(dtype)}"):
            check(submission, training(rng), dtype)


@pytest.mark.words
@pytest.mark.points(4)
@pytest.mark.hint("Which arrays does your code read: those of the target, or all?")
def test_the_optimiser_is_not_read(submission, rng):
    """The parameters come back even if the files of all other arrays are damaged."""
    check(submission, training(rng), jnp.bfloat16, damaged)


@pytest.mark.words
@pytest.mark.points(2)
@pytest.mark.hint("Which keys does your code know? Only one is sure to be there.")
def test_any_other_keys_are_left_out(submission, rng):
    """The checkpoint may have any other keys, or none, and they aren't read."""
    rest = {"ema": model(rng), "data": [numbers(rng, 6), {"shard": np.int32(3)}]}
    with case("with other keys"):
        check(submission, {"params": model(rng), **rest}, jnp.bfloat16, damaged)
    with case("without other keys", hint="Which keys does your code need?"):
        check(submission, {"params": model(rng)}, jnp.bfloat16)


@pytest.mark.words
@pytest.mark.hint("Is each array a float?")
def test_only_floats_are_converted(submission, rng):
    """Integers and booleans keep their dtype, and floats of any dtype get the new one."""
    params = {
        "table": rng.integers(-1000, 1000, size=9, dtype=np.int32),
        "used": rng.random(6) < 0.5,
        "half": numbers(rng, 4).astype(jnp.bfloat16),
        "w": [numbers(rng, 3)],
    }
    check(submission, {"params": params, "step": np.int32(7)}, np.float16)
