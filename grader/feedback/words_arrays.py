"""Words for what goes wrong with arrays, derivatives, `vmap`, trees and random keys."""

from __future__ import annotations

from grader.feedback.lesson import Lesson

_ERRORS = "errors.html#jax.errors."
_GOTCHAS = "notebooks/Common_Gotchas_in_JAX.html"
_AUTODIFF = "automatic-differentiation.html"
_RANDOM = "random-numbers.html"

ARRAYS: dict[str, Lesson] = {
    # Arrays.
    "item-assignment": Lesson(
        "assigns to an element of a JAX array",
        "JAX arrays never change.",
        "Make a new one: `x = x.at[i].set(v)`, or `.add(v)` for `+=`.",
        "_autosummary/jax.numpy.ndarray.at.html",
    ),
    "at-on-numpy": Lesson(
        "uses `.at` on an array of NumPy, which has none",
        "Only JAX arrays have `.at`.",
        "Make it with `jnp`, or convert it: `jnp.asarray(x)`.",
        "_autosummary/jax.numpy.ndarray.at.html",
    ),
    "read-only": Lesson(
        "writes into a read-only array",
        "`np.asarray` of a JAX array is a view of memory that never changes.",
        "Copy it, `np.array(x)`; or stay in JAX with `x = x.at[i].set(v)`.",
        "faq.html",
    ),
    "list-for-array": Lesson(
        "gives `{word}` a Python list",
        "NumPy would make an array of it; JAX refuses, since that is slow when traced.",
        "Make the array yourself: `jnp.array(...)` of numbers, `jnp.stack(...)` of arrays.",
        _GOTCHAS,
    ),
    "list-index": Lesson(
        "indexes an array with a Python list",
        "NumPy would make an array of it; JAX refuses.",
        "Index with an array: `x[jnp.array([0, 1])]`.",
        _GOTCHAS,
    ),
    "shapes-broadcast": Lesson(
        "combines arrays whose shapes don't broadcast, or something that is no array",
        "From the last axis on, sizes have to be equal, or one of them 1. (JAX raises TypeError "
        "here, where NumPy raises ValueError.)",
        "Look at both `.shape`s; add an axis with `x[:, None]`, or transpose. For a dict or "
        "a tuple: `jax.tree.map`.",
        _GOTCHAS,
    ),
    "shapes-product": Lesson(
        "takes a product of arrays whose shapes don't fit, or of something that is no array",
        "The last axis of the first has to be as long as the second to last of the second (or "
        "its only one).",
        "Transpose one of them, or use `vmap` if one axis is a batch.",
        "automatic-vectorization.html",
    ),
    "shapes-reshape": Lesson(
        "reshapes to another number of elements, or to a shape that isn't known",
        "The product of the new sizes has to be the number of elements.",
        "Use `-1` for the size that follows from the others; under `jit`, take sizes from "
        "`x.shape`.",
        "jit-compilation.html",
    ),
    "shapes-join": Lesson(
        "joins arrays whose shapes don't fit",
        "`stack` needs equal shapes, `concatenate` equal ones but for the axis that it joins.",
        "Look at the `.shape` of each part.",
        "_autosummary/jax.numpy.concatenate.html",
    ),
    "no-axis": Lesson(
        "asks for the length or the elements of an array without axes",
        "A single number has none; under `vmap` each call sees one axis less.",
        "Use `x.size`, or `jnp.atleast_1d(x)`; or let `vmap` do the loop.",
        "automatic-vectorization.html",
    ),
    "donated": Lesson(
        "uses an array that was donated",
        "`donate_argnums` lets JAX write the result over the argument, which is gone after that.",
        "Use the result of the call instead, or don't donate that argument.",
        "buffer_donation.html",
    ),
    "device-call": Lesson(
        "calls `.device`, which is an attribute today",
        "Arrays can live on several devices, so the method has gone.",
        "Write `x.device` without parentheses, or `x.devices()` for all of them.",
        "jax_array_migration.html",
    ),
    "debug-nans": Lesson(
        "computes a NaN, and `jax_debug_nans` is on",
        "This is the first operation whose result is not a number.",
        "Look at its inputs: a log or root of a negative number, or 0 / 0? Under `grad`, choose "
        "safe inputs with `jnp.where` before the operation, too.",
        "debugging.html",
    ),
    "removed-api": Lesson(
        "uses `{old}`, which JAX has no more; today it is {new}",
        "",
        "Replace it by {new}.",
        "{page}",
    ),
    "unknown-name": Lesson(
        "uses `{old}`, which this version of JAX does not have",
        "Perhaps it is spelled otherwise, or belongs to another module.",
        "Look it up in the list of JAX's functions.",
        "jax.html",
    ),
    # Derivatives.
    "grad-of-vector": Lesson(
        "takes `grad` of a function that returns more than one number",
        "A gradient exists only for one number, such as a loss.",
        "Return a `.sum()` or `.mean()`; or use `jax.jacrev`, or `jax.vmap(jax.grad(f))` for one "
        "gradient per example.",
        _AUTODIFF,
    ),
    "grad-of-integer": Lesson(
        "takes a derivative by an integer",
        "Nothing between two integers can be tried, so there is no slope.",
        "Pass a float: `3.0`, or `x.astype(jnp.float32)`; or differentiate by another argument "
        "with `argnums`.",
        _AUTODIFF,
    ),
    "grad-of-integer-output": Lesson(
        "takes `grad` of a function that returns an integer or a truth value",
        "`argmax`, comparisons and roundings have no slope.",
        "Differentiate a smooth quantity instead, such as a softmax or a loss.",
        _AUTODIFF,
    ),
    "missing-has-aux": Lesson(
        "takes `grad` of a function that returns a pair, without `has_aux=True`",
        "`grad` differentiates the first and hands on the rest only if it is told so.",
        "Write `jax.grad(f, has_aux=True)`; it returns the gradient and the rest.",
        "_autosummary/jax.grad.html",
    ),
    "needless-has-aux": Lesson(
        "says `has_aux=True`, but the function returns no pair",
        "With `has_aux` a function has to return the value and something else.",
        "Drop `has_aux=True`, or return `value, aux`.",
        "_autosummary/jax.grad.html",
    ),
    "no-return": Lesson(
        "uses a function that returns nothing: `{word}`",
        "A Python function without `return` gives None, which is no number.",
        "Return the value at its end.",
        "_autosummary/jax.grad.html",
    ),
    "grad-of-while": Lesson(
        "takes a reverse derivative through `{word}`",
        "`grad` runs a loop backwards, and can't where the number of rounds isn't known before.",
        "Use `lax.scan`, or a `fori_loop` whose bounds are Python integers.",
        "control-flow.html",
    ),
    "bwd-tuple": Lesson(
        "has a `bwd` rule that does not return a tuple with one entry for each argument",
        "JAX unpacks what `bwd` returns, even for one argument.",
        "Return `(g,)` for one argument; None stands for one that needs no gradient.",
        "notebooks/Custom_derivative_rules_for_Python_code.html",
    ),
    "cotangent": Lesson(
        "gives a function from `jax.vjp` a cotangent of another shape or dtype than its output",
        "What flows back has to fit what came out.",
        "Start with `jnp.ones_like(y)`, where `y` is the first result of `jax.vjp`.",
        "_autosummary/jax.vjp.html",
    ),
    # vmap, pmap, collectives.
    "vmap-sizes": Lesson(
        "maps over axes of different length",
        "`vmap` walks along one axis of every argument at the same time.",
        "Look at the shapes; `in_axes=None` for an argument that all share.",
        "automatic-vectorization.html",
    ),
    "vmap-scalar": Lesson(
        "maps over an argument that has no axis to map over",
        "`vmap` walks along an axis of every argument, and a single number has none.",
        "Share that argument: `in_axes=(0, None)`.",
        "automatic-vectorization.html",
    ),
    "vmap-in-axes-length": Lesson(
        "gives `vmap` an `in_axes` with another number of entries than there are arguments",
        "There is one entry for each positional argument.",
        "Write as many entries as arguments, None for those that all share.",
        "_autosummary/jax.vmap.html",
    ),
    "vmap-in-axes-tree": Lesson(
        "gives `vmap` an `in_axes` that does not have the structure of the arguments",
        "It may be one number for a whole argument, or mirror its lists and dicts exactly.",
        "Write a tuple with one entry for each argument, each a number, None, or of the same "
        "structure.",
        "pytrees.html",
    ),
    "vmap-out-axes": Lesson(
        "asks `vmap` for `out_axes` that the result does not have",
        "The result has one axis more than what the function returns.",
        "Use `out_axes=0`, or return something with more axes.",
        "_autosummary/jax.vmap.html",
    ),
    "pmap-size": Lesson(
        "gives `pmap` a leading axis that is longer than there are devices",
        "`pmap` puts one slice on each device.",
        "Reshape to `(devices, rest, ...)` and `vmap` inside, or use `jax.shard_map`.",
        "migrate_pmap.html",
    ),
    "unbound-axis": Lesson(
        "uses a named axis, in `{word}`, where no axis of that name is mapped",
        "Collectives work only inside of `vmap`, `pmap` or `shard_map` with that name.",
        "Give that transformation the same `axis_name`.",
        "_autosummary/jax.lax.psum.html",
    ),
    # Trees.
    "tree-structure": Lesson(
        "maps over trees of different structure",
        "All trees need the same keys, lengths and containers; a list is no tuple.",
        "Compare `jax.tree.structure` of each.",
        "pytrees.html",
    ),
    "tree-arithmetic": Lesson(
        "computes with `{word}` as with an array, though it is likely a tree (a dict, a tuple)",
        "Python knows no arithmetic for trees: it belongs to their leaves.",
        "Map over the leaves: `jax.tree.map(lambda p, g: p - rate * g, params, grads)`.",
        "pytrees.html",
    ),
    "tree-none": Lesson(
        "maps over trees, and one holds None where the other has a leaf",
        "None is an empty tree for JAX, not a leaf.",
        "Pass `is_leaf=lambda x: x is None` and handle None, or leave None out of both.",
        "pytrees.html",
    ),
    # Random numbers.
    "key-reuse": Lesson(
        "uses a random key that was used before",
        "Equal keys give equal numbers: two draws from one key are not independent.",
        "Split before each use: `key, sub = jax.random.split(key)`, and draw with `sub`.",
        _ERRORS + "KeyReuseError",
    ),
    "seed-for-key": Lesson(
        "gives `{word}` something that is not a random key",
        "A seed, such as 0, is only what a key is made of.",
        "Make a key once, `key = jax.random.key(0)`, and pass it on.",
        _RANDOM,
    ),
    "split-unpack": Lesson(
        "unpacks `split` into another number of names than it made keys",
        "`jax.random.split(key, n)` gives n keys, two without n.",
        "Write `key, *subs = jax.random.split(key, n + 1)`, or ask for as many as there are names.",
        _RANDOM,
    ),
    "batch-of-keys": Lesson(
        "gives `{word}` an array of keys where one key is needed",
        "`split` gives several keys, and each draw takes one.",
        "Take one, `keys[0]`, or map over all: `jax.vmap(draw)(keys)`.",
        _RANDOM,
    ),
    # Python rather than JAX.
    "unpack": Lesson(
        "unpacks something into another number of names than it has parts",
        "",
        "Look at what stands on the right: how many parts does it return, and along which axis?",
        "https://docs.python.org/3/tutorial/datastructures.html#tuples-and-sequences",
    ),
    "undefined-name": Lesson(
        "uses the name `{word}`, which nothing defines",
        "",
        "Is it spelled as where it is made? If it is a module, import it at the top.",
        "https://docs.python.org/3/tutorial/modules.html",
    ),
}
