"""Words for mistakes that raise nothing: found by reading, so they are hints."""

from __future__ import annotations

from grader.feedback.lesson import Lesson

_AT = "_autosummary/jax.numpy.ndarray.at.html"
_RANDOM = "random-numbers.html"
_PURE = "notebooks/Common_Gotchas_in_JAX.html"

SILENT: dict[str, Lesson] = {
    "at-dropped": Lesson(
        "drops the result of `.at[...].{word}(...)`",
        "It changes nothing in place: it returns a new array.",
        "Keep it: `x = x.at[i].{word}(v)`.",
        _AT,
    ),
    "result-dropped": Lesson(
        "drops the result of `{word}`",
        "Functions of JAX change nothing in place: they return something new.",
        "Keep it: `y = ...`, and use `y` from there on.",
        _PURE,
    ),
    "key-twice": Lesson(
        "uses the random key `{word}` a second time",
        "Equal keys give equal numbers: the two draws are not independent.",
        "Split before each use: `key, sub = jax.random.split(key)`, and draw with `sub`.",
        _RANDOM,
    ),
    "key-in-loop": Lesson(
        "uses the same random key `{word}` in every round of a loop",
        "Equal keys give equal numbers in each round.",
        "Split in the loop, `key, sub = jax.random.split(key)`, or `jax.random.fold_in(key, i)`.",
        _RANDOM,
    ),
    "shared-key": Lesson(
        "maps over everything but the random key `{word}`",
        "With `in_axes=None` for the key, every row draws the same numbers.",
        "Split it, one for each row, and map over the keys, too.",
        _RANDOM,
    ),
    "random-under-jit": Lesson(
        "draws with `{word}` under `jit`",
        "Python runs while JAX traces, once; the numbers become constants of the program.",
        "Use `jax.random` with a key that is an argument.",
        _RANDOM,
    ),
    "clock-under-jit": Lesson(
        "reads the clock (`{word}`) under `jit`",
        "Python runs while JAX traces, once; the program has no clock.",
        "Take the time outside, around the call, and wait with `jax.block_until_ready`.",
        _PURE,
    ),
    "print-under-trace": Lesson(
        "prints while JAX traces",
        "`print` runs once, when the function is traced, and shows stand-ins for values.",
        'Use `jax.debug.print("{{x}}", x=x)`.',
        "debugging.html",
    ),
    "side-effect": Lesson(
        "changes `{word}`, which lives outside of a traced function",
        "Python runs once, while JAX traces; later calls change nothing, and what was stored is a "
        "stand-in without a value.",
        "Return what is needed outside; in a loop, carry it along.",
        _PURE,
    ),
    "global-under-jit": Lesson(
        "reads the global `{word}` under `jit`, and it is changed elsewhere",
        "Its value at the first call becomes a constant of the program.",
        "Pass it as an argument.",
        _PURE,
    ),
    "static-self": Lesson(
        "makes `self` static",
        "The program is kept for this object; what its attributes become later is ignored.",
        "Pass what changes as an argument, or register the class as a pytree.",
        "faq.html",
    ),
    "jit-per-call": Lesson(
        "makes a new jitted function each time that it runs",
        "What is compiled belongs to one function object, and a new one starts from nothing.",
        "Call `jax.jit` once, outside of the loop or of the function that is called often.",
        "jit-compilation.html",
    ),
    "value-and-grad-order": Lesson(
        "calls the value of `value_and_grad` `{word}`",
        "It returns the value first and the gradient second.",
        "Write `value, gradient = jax.value_and_grad(f)(x)`.",
        "_autosummary/jax.value_and_grad.html",
    ),
    "column-against-row": Lesson(
        "combines a column, shape `(n, 1)`, with a vector, shape `(n,)`",
        "Broadcasting makes `(n, n)` of these two, and a mean over it is wrong without an error.",
        "Give both the same shape, with `.squeeze(-1)` or `[:, 0]`.",
        "rank_promotion_warning.html",
    ),
    "wide-dtype": Lesson(
        "asks for `{word}`, which JAX cuts to 32 bits",
        "64 bits are off by default; there is a warning at most.",
        'Switch them on at the start, `jax.config.update("jax_enable_x64", True)`, or use 32 bits.',
        "default_dtypes.html",
    ),
    "out-of-bounds": Lesson(
        "uses an index beyond the end of `{word}`",
        "JAX raises nothing: it reads the last element instead, and drops what is written.",
        'Check the bounds; `x.at[i].get(mode="fill")` shows where it happens.',
        "notebooks/Common_Gotchas_in_JAX.html#out-of-bounds-indexing",
    ),
}
