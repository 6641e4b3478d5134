"""Wrong answers to export_roundtrip; each cell is a suffix to the solution."""

import pickle

import jax
import jax.numpy as jnp
import numpy as np
from jax import export


# %% batch_of_one
# Every symbolic size is replaced by 1.
# Fails: test_the_batch_size_may_stay_open
def export_roundtrip(f, spec):
    shape = [size if isinstance(size, int) else 1 for size in spec.shape]
    fixed = jax.ShapeDtypeStruct(shape, spec.dtype)
    data = export.export(jax.jit(f))(fixed).serialize(vjp_order=1)
    return bytes(data), export.deserialize(data).call


# %% bent_until_it_fits
# Every input is reshaped and cast to the spec.
# Fails: test_what_does_not_fit_is_refused
def export_roundtrip(f, spec):
    data = bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=1))
    call = export.deserialize(bytearray(data)).call

    def function(x):
        if all(isinstance(size, int) for size in spec.shape):
            x = jnp.resize(x, spec.shape)
        return call(x.astype(spec.dtype))

    return data, function


# %% example_of_zeros
# The spec becomes an array of zeros, which can't have a symbolic size.
# Fails: test_the_batch_size_may_stay_open
def export_roundtrip(f, spec):
    example = jnp.asarray(np.zeros(spec.shape, spec.dtype))
    data = export.export(jax.jit(f))(example).serialize(vjp_order=1)
    return bytes(data), export.deserialize(data).call


# %% module_text
# The bytes are the text of the program, which can't be read back.
# Fails: test_the_bytes_hold_the_function, test_the_gradient_comes_back,
# test_the_batch_size_may_stay_open
def export_roundtrip(f, spec):
    exported = export.export(jax.jit(f))(spec)
    read = export.deserialize(exported.serialize(vjp_order=1))
    return exported.mlir_module().encode(), read.call


# %% never_read_back
# The function is the exported object's, which has a derivative; the bytes have none.
# Fails: test_the_gradient_comes_back, test_the_batch_size_may_stay_open
def export_roundtrip(f, spec):
    exported = export.export(jax.jit(f))(spec)
    return bytes(exported.serialize()), exported.call


# %% no_derivative
# The derivative isn't stored.
# At most half of the points.
# Fails: test_the_gradient_comes_back, test_the_batch_size_may_stay_open
def export_roundtrip(f, spec):
    data = export.export(jax.jit(f))(spec).serialize()
    return bytes(data), export.deserialize(data).call


# %% not_jitted
# The function is exported without `jit`, which fails unless it is jitted already.
# Fails: test_the_function_comes_back, test_the_bytes_hold_the_function,
# test_the_gradient_comes_back, test_the_batch_size_may_stay_open,
# test_the_source_is_not_needed_any_more, test_what_does_not_fit_is_refused
def export_roundtrip(f, spec):
    data = export.export(f)(spec).serialize(vjp_order=1)
    return bytes(data), export.deserialize(data).call


# %% old_module
# `jax.experimental.export`, where this module was before.
# Fails: test_the_function_comes_back, test_the_bytes_hold_the_function,
# test_the_gradient_comes_back, test_the_batch_size_may_stay_open,
# test_the_source_is_not_needed_any_more, test_what_does_not_fit_is_refused
def export_roundtrip(f, spec):
    from jax.experimental import export

    data = export.export(jax.jit(f))(spec).serialize(vjp_order=1)
    return bytes(data), export.deserialize(data).call


# %% pickled
# Pickle stores only where a function can be found, not its program.
# Fails: test_the_function_comes_back, test_the_bytes_hold_the_function,
# test_the_gradient_comes_back, test_the_batch_size_may_stay_open,
# test_the_source_is_not_needed_any_more, test_what_does_not_fit_is_refused
def export_roundtrip(f, spec):
    data = pickle.dumps(jax.jit(f))
    return data, pickle.loads(data)


# %% the_function_itself
# The bytes are right, but the function is the one that came in.
# Fails: test_the_source_is_not_needed_any_more, test_what_does_not_fit_is_refused
def export_roundtrip(f, spec):
    jitted = jax.jit(f)
    return bytes(export.export(jitted)(spec).serialize(vjp_order=1)), jitted


# %% the_other_way_round
# The two results are in the wrong order.
# Fails: test_the_function_comes_back, test_the_bytes_hold_the_function,
# test_the_gradient_comes_back, test_the_batch_size_may_stay_open,
# test_the_source_is_not_needed_any_more, test_what_does_not_fit_is_refused
def export_roundtrip(f, spec):
    data = export.export(jax.jit(f))(spec).serialize(vjp_order=1)
    return export.deserialize(data).call, bytes(data)


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "data = bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=1)) -> data = bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=2))": "More derivatives than were asked for do no harm.",
}


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "changes_its_input": "No argument is a list or a dict.",
    "right_in_three_calls": "Each of the calls is a round trip of its own, and stores a program.",
    "keeps_the_first_number": "No argument is a number.",
    "other_containers": "A pair is there to be unpacked, as a list of two can be.",
}


# %% unwrapped
# What `jit` has wrapped is taken out. But other decorators leave a `__wrapped__`, too.
# Fails: test_the_function_comes_back
def export_roundtrip(f, spec):
    inner = getattr(f, "__wrapped__", f)
    data = bytes(export.export(jax.jit(inner))(spec).serialize(vjp_order=1))
    return data, export.deserialize(bytearray(data)).call


# %% float32_with_a_symbol
# With a symbol, the spec is made anew from the text of its shape, and its dtype is forgotten.
# Fails: test_the_batch_size_may_stay_open
def export_roundtrip(f, spec, solution=export_roundtrip):
    if not all(isinstance(size, int) for size in spec.shape):
        shape = export.symbolic_shape(", ".join(map(str, spec.shape)))
        spec = jax.ShapeDtypeStruct(shape, jnp.float32)
    return solution(f, spec)


# %% traced_to_compare
# Each call traces `f`, to see whether the array fits.
# Fails: test_the_source_is_not_needed_any_more
def export_roundtrip(f, spec, solution=export_roundtrip):
    data, call = solution(f, spec)

    def function(x):
        jax.eval_shape(f, x)
        return call(x)

    return data, function


# %% kept_by_spec
# The bytes are kept for each shape and dtype, so another function gets those of the first.
# Fails: test_the_function_comes_back
KEPT = {}


def export_roundtrip(f, spec, solution=export_roundtrip):
    if spec not in KEPT:
        KEPT[spec] = solution(f, spec)
    return KEPT[spec]


# %% no_derivative_of_bfloat16
# For NumPy, bfloat16 is no float, so its derivative isn't stored.
# Fails: test_the_gradient_comes_back
def export_roundtrip(f, spec):
    order = int(np.issubdtype(spec.dtype, np.floating))
    data = bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=order))
    return data, export.deserialize(bytearray(data)).call


# %% no_derivative_of_complex_numbers
# A derivative is stored for real floats only.
# Fails: test_the_gradient_comes_back
def export_roundtrip(f, spec):
    order = int(jnp.issubdtype(spec.dtype, jnp.floating))
    data = bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=order))
    return data, export.deserialize(bytearray(data)).call


# %% a_symbol_for_each_axis
# Each open axis gets a symbol of its own, so two equal sizes aren't known to be equal.
# Fails: test_the_batch_size_may_stay_open
def export_roundtrip(f, spec, solution=export_roundtrip):
    sizes = [str(n) if isinstance(n, int) else f"d{axis}" for axis, n in enumerate(spec.shape)]
    shape = export.symbolic_shape(", ".join(sizes))
    return solution(f, jax.ShapeDtypeStruct(shape, spec.dtype))


# %% converted_without_loss
# An array is converted if no digit is lost, so a float16 array is accepted for float32.
# Fails: test_what_does_not_fit_is_refused
def export_roundtrip(f, spec, solution=export_roundtrip):
    data, call = solution(f, spec)

    def function(x):
        fits = np.can_cast(x.dtype, spec.dtype, casting="safe")
        return call(x.astype(spec.dtype) if fits else x)

    return data, function
