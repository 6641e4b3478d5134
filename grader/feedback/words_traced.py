"""Words for what goes wrong while JAX traces: unknown values, `jit`, control flow."""

from __future__ import annotations

from grader.feedback.lesson import Lesson

_ERRORS = "errors.html#jax.errors."
_GOTCHAS = "notebooks/Common_Gotchas_in_JAX.html"

TRACED: dict[str, Lesson] = {
    # Values that are not there yet, while JAX traces.
    "tracer-bool": Lesson(
        "asks a traced value whether it is true: {word}",
        "Under `jit`, `vmap` or `grad` JAX runs your function once with stand-ins for arrays, "
        "and a stand-in has no value that Python could decide by.",
        "{fix}",
        _ERRORS + "TracerBoolConversionError",
    ),
    "array-truth": Lesson(
        "asks for the truth of an array with more than one element",
        "Each element is true or false by itself, so the whole is neither.",
        "Say which you mean: `.any()` or `.all()`; or choose per element with `jnp.where`.",
        _GOTCHAS,
    ),
    "tracer-range": Lesson(
        "gives `range` a traced value",
        "`range` needs a Python integer while JAX traces, and a traced count isn't known then.",
        "Loop with `lax.fori_loop` or `lax.scan`; or declare the count in `static_argnames`, if "
        "few different ones are used.",
        _ERRORS + "TracerIntegerConversionError",
    ),
    "tracer-index": Lesson(
        "indexes a Python list or tuple with a traced value",
        "Python needs a real integer to look into a list, and a traced one has no value yet.",
        "Make the list an array, `jnp.stack(items)[i]`, or choose a function with `lax.switch`.",
        _ERRORS + "TracerIntegerConversionError",
    ),
    "tracer-integer": Lesson(
        "uses a traced value where Python needs an integer",
        "A traced value stands for an array whose elements aren't known yet.",
        "Declare that argument in `static_argnames`, or take the number from a shape.",
        _ERRORS + "TracerIntegerConversionError",
    ),
    "tracer-to-number": Lesson(
        "turns a traced value into a Python number: {word}",
        "While JAX traces there is no value yet that Python could hold.",
        "Leave it an array: use `jnp` functions, and convert outside of `jit`, `vmap` and `grad`.",
        _ERRORS + "ConcretizationTypeError",
    ),
    "traced-arange": Lesson(
        "gives `{word}` a traced size",
        "The length of an array has to be known when JAX traces.",
        "Declare that argument in `static_argnames`; or make an array of the largest length and "
        "mask it.",
        _ERRORS + "ConcretizationTypeError",
    ),
    "traced-axis": Lesson(
        "gives a traced value as the axis",
        "Which axis is meant decides the shape of the result, so it has to be known when JAX "
        "traces.",
        "Declare that argument of the jitted function in `static_argnames`.",
        _ERRORS + "ConcretizationTypeError",
    ),
    "data-dependent-size": Lesson(
        "calls `{word}`, and how many elements that gives depends on the data",
        "Under `jit` every shape has to be known before there is any data.",
        "Give it `size=` and `fill_value=`; or keep the shape, with `jnp.where(mask, x, 0)`.",
        _ERRORS + "ConcretizationTypeError",
    ),
    "concrete-needed": Lesson(
        "needs the value of something that JAX is still tracing",
        "While JAX traces, arrays have a shape and a dtype, but no values.",
        "Declare in `static_argnames` what decides about shapes or loops; compute all else with "
        "`jnp` and `lax`.",
        _ERRORS + "ConcretizationTypeError",
    ),
    "numpy-on-tracer": Lesson(
        "calls NumPy (`{word}`) on a traced value",
        "NumPy needs the numbers, and while JAX traces (`jit`, `grad`, `vmap`) there are none.",
        "Use the function of the same name in `jnp`.",
        _ERRORS + "TracerArrayConversionError",
    ),
    "traced-shape": Lesson(
        "makes a shape of a traced value",
        "Shapes have to be known when JAX traces, before there is any data.",
        "Declare the argument that decides the shape in `static_argnames`, or take it from "
        "`x.shape`.",
        "jit-compilation.html",
    ),
    "traced-reshape": Lesson(
        "computes a shape with `jnp.prod` or another function of `jnp`",
        "What `jnp` computes under `jit` is traced, even from numbers that are known.",
        "Use Python for sizes, as in `math.prod(x.shape)`, or `-1` in `reshape`.",
        "jit-compilation.html",
    ),
    "traced-slice": Lesson(
        "takes a slice whose bounds are traced",
        "The length of a slice has to be known when JAX traces.",
        "Use `lax.dynamic_slice` for a fixed length at a traced place; or mask with `jnp.where`.",
        _GOTCHAS,
    ),
    "traced-mask": Lesson(
        "selects with a boolean mask under `jit`",
        "How many elements are left depends on the data, and a shape may not.",
        "Keep the shape: `jnp.where(mask, x, 0)`; or ask for a size: `jnp.nonzero(mask, size=n)`.",
        _ERRORS + "NonConcreteBooleanIndexError",
    ),
    "leaked-tracer": Lesson(
        "uses a traced value after its trace has ended",
        "A function under a transformation stored it outside (in a global, a list or an "
        "attribute), and a stand-in means nothing there.",
        "Return the value instead of storing it.",
        _ERRORS + "UnexpectedTracerError",
    ),
    "leak-found": Lesson(
        "runs a function that keeps a traced value beyond its trace",
        "`jax.checking_leaks` found a reference to it, in a global, a list or a closure.",
        "Return all values that are needed outside.",
        "debugging.html",
    ),
    "format-tracer": Lesson(
        "formats a traced value as text",
        "While JAX traces there is no number that could be written out.",
        'Use `jax.debug.print("{{x:.3f}}", x=x)`, which prints when the program runs.',
        "debugging.html",
    ),
    # jit.
    "not-an-array": Lesson(
        "gives a jitted function something that is not an array",
        "Arguments become stand-ins for arrays; a text, a function or an object of your own "
        "class (`self`, too) can't.",
        "Name that argument in `static_argnames`, close over it, or register the class as a "
        "pytree.",
        "jit-compilation.html",
    ),
    "unregistered-class": Lesson(
        "gives JAX an object of the class `{word}`, which is not registered as a pytree",
        "JAX doesn't know which of its fields hold arrays.",
        "Put `@jax.tree_util.register_dataclass` above `@dataclass`.",
        "custom_pytrees.html",
    ),
    "unhashable-static": Lesson(
        "gives a static argument that can't be hashed, such as a list or an array",
        "JAX keeps one program for each value of a static argument, so it looks them up.",
        "Pass a tuple instead of a list; an array must not be static.",
        "jit-compilation.html",
    ),
    "static-argname": Lesson(
        "names an argument in `{word}` that the function does not take",
        "",
        "Compare the name with the function's parameters.",
        "_autosummary/jax.jit.html",
    ),
    # Control flow.
    "cond-branches": Lesson(
        "calls `{word}` with branches that return different structures, shapes or dtypes",
        "Both branches become one program with one kind of result.",
        "Return the same from each: `jnp.zeros_like(x)` instead of `0`.",
        "_autosummary/jax.lax.cond.html",
    ),
    "cond-predicate": Lesson(
        "gives `lax.cond` a predicate that is not one truth value",
        "`cond` chooses one branch for everything.",
        "Choose per element with `jnp.where`; or reduce it with `.any()` or `.all()`.",
        "_autosummary/jax.lax.cond.html",
    ),
    "body-arguments": Lesson(
        "gives `{word}` a function that takes another number of arguments",
        "`scan` calls its body with the carry and one slice, `fori_loop` with the index and the "
        "carry, `while_loop` with the carry alone, `cond` with what follows the branches.",
        "Give the function exactly these parameters.",
        "control-flow.html",
    ),
    "argument-count": Lesson(
        "calls `{word}` with another number of arguments than it takes",
        "",
        "Compare the call with the function's parameters.",
        "https://docs.python.org/3/tutorial/controlflow.html#defining-functions",
    ),
    "scan-pair": Lesson(
        "gives `lax.scan` a body that does not return a pair",
        "A body returns the new carry, and what is to be stacked.",
        "Return `carry, y`, or `carry, None` if nothing is stacked.",
        "_autosummary/jax.lax.scan.html",
    ),
    "scan-carry": Lesson(
        "calls `lax.scan` with a carry that changes its structure, shape or dtype",
        "The carry that the body returns has to look like the one that it was given.",
        "Start with the right dtype (`0.0` rather than `0`), and keep shapes.",
        "_autosummary/jax.lax.scan.html",
    ),
    "while-carry": Lesson(
        "runs a loop (`{word}`) whose carry changes its structure, shape or dtype",
        "One program runs every round, so the carry has to look the same in each.",
        "Make room for all results before the loop, and fill it with `.at[i].set(v)`; start "
        "with the right dtype.",
        "control-flow.html",
    ),
}
