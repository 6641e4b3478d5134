"""Words for how a wrong result is related to the right one, the most telling relation first."""

from __future__ import annotations

from grader.feedback.lesson import Lesson

_AUTODIFF = "automatic-differentiation.html"
_RANDOM = "random-numbers.html"
_BROADCASTING = "https://numpy.org/doc/stable/user/basics.broadcasting.html"
_DTYPES = "default_dtypes.html"

RELATIONS: dict[str, Lesson] = {
    "structure": Lesson(
        "Your result is packed otherwise than it should be.",
        "For JAX a list is no tuple, and every key and every length counts.",
        "Compare the containers that you return with those of the docstring.",
        "pytrees.html",
    ),
    "dtype": Lesson(
        "Your result has another dtype than it should.",
        "JAX promotes dtypes by rules of its own, and keeps to 32 bits by default.",
        "Give the dtype where the array is made, or `.astype` at the end.",
        _DTYPES,
    ),
    "swapped": Lesson(
        "Your results are right, but stand in each other's place.",
        "",
        "Return them in the order of the docstring. (`value_and_grad` gives the value first.)",
        "_autosummary/jax.value_and_grad.html",
    ),
    "nan": Lesson(
        "Your result is NaN or infinite where it should be a number.",
        "Something divided by 0, took the log or root of what has none, or overflowed in `exp`; "
        "under `grad` also in a branch that `jnp.where` did not choose.",
        "Make the input of that operation safe with `jnp.where` before it, not after.",
        "faq.html",
    ),
    "column-row": Lesson(
        "Your result holds every pair of elements, where one of each is expected: shape `(n, 1)` "
        "met shape `(n,)`.",
        "Broadcasting makes `(n, n)` of these two.",
        "Give both the same shape before you combine them: `.squeeze(-1)`, or `[:, 0]`.",
        _BROADCASTING,
    ),
    "input": Lesson(
        "Your result is the input, unchanged.",
        "JAX arrays never change in place.",
        "Return what was computed: `x = x.at[i].set(v)`, and is its result used?",
        "_autosummary/jax.numpy.ndarray.at.html",
    ),
    "zero": Lesson(
        "Your result is zero everywhere.",
        "Either nothing was ever written to it, or the gradient was cut off.",
        "Is the result of `.at[].set` kept? Does an integer, a comparison or `stop_gradient` stand "
        "in between?",
        "_autosummary/jax.numpy.ndarray.at.html",
    ),
    "same-rows": Lesson(
        "Your result is the same in every row, where rows should differ.",
        "With one random key for all, all draw the same numbers; or only one row is ever used.",
        "Split the key, one for each row: `jax.vmap(f)(xs, jax.random.split(key, n))`.",
        _RANDOM,
    ),
    "transposed": Lesson(
        "Your result is the right one with its axes in another order (transposed).",
        "",
        "Look at `in_axes`, `out_axes`, `.T`, or at the order of the two factors of a product.",
        "automatic-vectorization.html",
    ),
    "axis-of-one": Lesson(
        "Your result has the right numbers, but an axis of length 1 too many or too few.",
        "",
        "Drop it with `.squeeze(axis)`, or keep it with `keepdims=True` or `[:, None]`.",
        _BROADCASTING,
    ),
    "reshaped": Lesson(
        "Your result has the right numbers in another shape.",
        "",
        "Reshape it to what the docstring asks for.",
        "_autosummary/jax.numpy.reshape.html",
    ),
    "broadcast": Lesson(
        "Your result is the right one, repeated along an axis that should not be there.",
        "",
        "Two shapes were broadcast against each other, or `vmap` maps over too much.",
        _BROADCASTING,
    ),
    "reduced": Lesson(
        "Your result has one axis reduced too many: it is a sum, mean or maximum of the right one.",
        "",
        "Give the reduction its `axis`, or leave it out.",
        "_autosummary/jax.numpy.sum.html",
    ),
    "not-reduced": Lesson(
        "Your result is not yet reduced: the right one is its sum, mean, maximum or minimum over "
        "an axis.",
        "",
        "Reduce it over that axis: `.mean(axis=...)` or `.sum(axis=...)`.",
        "_autosummary/jax.numpy.mean.html",
    ),
    "one-missing": Lesson(
        "Your result lacks one element at an end; the others are right.",
        "",
        "Does the loop start or end one too early? Is the first value stacked, too?",
        "_autosummary/jax.lax.scan.html",
    ),
    "one-more": Lesson(
        "Your result has one element too many at an end; the others are right.",
        "",
        "Does the loop start too early or end too late?",
        "_autosummary/jax.lax.scan.html",
    ),
    "sign": Lesson(
        "Your result has the wrong sign; apart from that it is right.",
        "",
        "Look for a missing minus, or for a difference the wrong way round.",
        _AUTODIFF,
    ),
    "reversed": Lesson(
        "Your result is the right one in reversed order along an axis.",
        "",
        "Look for `reverse=True`, `[::-1]`, or a loop that runs backwards.",
        "_autosummary/jax.lax.scan.html",
    ),
    "shifted": Lesson(
        "Your result is the right one, shifted by one place.",
        "",
        "In a scan, return the carry from after the step, or from before it, as asked.",
        "_autosummary/jax.lax.scan.html",
    ),
    "first-only": Lesson(
        "Your result is right for the first element only.",
        "",
        "Is the first one used for all, or a loop left too early?",
        "automatic-vectorization.html",
    ),
    "last-only": Lesson(
        "Your result is right for the last element only.",
        "",
        "Does each round of a loop write over what the others left? Stack the results.",
        "_autosummary/jax.lax.scan.html",
    ),
    "times-devices": Lesson(
        "Your result is too large by the number of devices.",
        "`psum` adds what every device has; the mean over devices is `pmean`.",
        "Use `lax.pmean`, or divide by the number of devices.",
        "_autosummary/jax.lax.pmean.html",
    ),
    "over-devices": Lesson(
        "Your result is too small by the number of devices.",
        "",
        "Divide once only: `lax.pmean` has done so already; a sum is `lax.psum`.",
        "_autosummary/jax.lax.psum.html",
    ),
    "times-size": Lesson(
        "Your result is n times too large, n being the size of an axis: a sum stands where a mean "
        "is expected.",
        "",
        "Use `.mean()` instead of `.sum()`, or divide by the number of elements.",
        "_autosummary/jax.numpy.mean.html",
    ),
    "over-size": Lesson(
        "Your result is n times too small, n being the size of an axis: a mean stands where a sum "
        "is expected.",
        "",
        "Use `.sum()` instead of `.mean()`, or don't divide twice.",
        "_autosummary/jax.numpy.sum.html",
    ),
    "factor": Lesson(
        "Your result is off by a constant factor: it is {times} the right one.",
        "",
        "Look for a missing or needless constant, such as the 2 of a square's derivative.",
        _AUTODIFF,
    ),
    "offset": Lesson(
        "Your result is off by the same amount everywhere.",
        "",
        "Look for a constant that is added, or left out.",
        "",
    ),
    "precision": Lesson(
        "Your result is right up to precision, but not exact enough.",
        "Rounding, or too few steps, or a formula that subtracts nearly equal numbers.",
        "Compute in float32 throughout; choose stable forms such as `jax.nn.logsumexp` or "
        "`jnp.log1p`.",
        _DTYPES,
    ),
    "shape": Lesson(
        "Your result has another shape than it should.",
        "",
        "Print `.shape` along the way: which step gives the wrong one first?",
        _BROADCASTING,
    ),
}
