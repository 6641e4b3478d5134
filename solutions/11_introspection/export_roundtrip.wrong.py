"""What learners get wrong in export_roundtrip; each cell is a suffix to the solution."""

import pickle

import jax
import jax.numpy as jnp
import numpy as np
from jax import export


# %% no_derivative
# The derivative isn't stored.
# Do: Ask `serialize` for the first derivative.
# Breaks: Returns 4
# At most half of the points.
# Fails: test_the_gradient_comes_back, test_the_batch_size_may_stay_open, test_details
def export_roundtrip(f, spec):
    data = export.export(jax.jit(f))(spec).serialize()
    return bytes(data), export.deserialize(data).call


# %% never_read_back
# The function is the exported object's, which has a derivative; the bytes have none.
# Do: Ask `serialize` for the first derivative, and return the function from the bytes.
# Breaks: Details 2
# Fails: test_the_gradient_comes_back, test_the_batch_size_may_stay_open
def export_roundtrip(f, spec):
    exported = export.export(jax.jit(f))(spec)
    return bytes(exported.serialize()), exported.call


# %% the_function_itself
# The bytes are right, but the function is the original one.
# Do: Return the function that you read from the bytes.
# Breaks: Returns 3
# Fails: test_the_source_is_not_needed_any_more, test_what_does_not_fit_is_refused
def export_roundtrip(f, spec):
    jitted = jax.jit(f)
    return bytes(export.export(jitted)(spec).serialize(vjp_order=1)), jitted


# %% the_other_way_round
# The two results are in the wrong order.
# Do: Return the bytes first, then the function.
# Breaks: Returns 1
# Fails: test_the_function_comes_back, test_the_bytes_hold_the_function,
# test_the_gradient_comes_back, test_the_batch_size_may_stay_open,
# test_the_source_is_not_needed_any_more, test_what_does_not_fit_is_refused, test_details
def export_roundtrip(f, spec):
    data = export.export(jax.jit(f))(spec).serialize(vjp_order=1)
    return export.deserialize(data).call, bytes(data)


# %% batch_of_one
# Every symbolic size is replaced by 1.
# Do: Pass `spec` on unchanged: a symbol stays a symbol.
# Breaks: Returns 4
# Fails: test_the_batch_size_may_stay_open
def export_roundtrip(f, spec):
    shape = [size if isinstance(size, int) else 1 for size in spec.shape]
    fixed = jax.ShapeDtypeStruct(shape, spec.dtype)
    data = export.export(jax.jit(f))(fixed).serialize(vjp_order=1)
    return bytes(data), export.deserialize(data).call


# %% example_of_zeros
# The spec becomes an array of zeros, which can't have a symbolic size.
# Do: Pass `spec` on unchanged: a shape and a dtype are enough.
# Breaks: Returns 4
# Fails: test_the_batch_size_may_stay_open
def export_roundtrip(f, spec):
    example = jnp.asarray(np.zeros(spec.shape, spec.dtype))
    data = export.export(jax.jit(f))(example).serialize(vjp_order=1)
    return bytes(data), export.deserialize(data).call


# %% module_text
# The bytes are the text of the program, which can't be read back.
# Do: Use the bytes that `serialize` returns.
# Breaks: Returns 2
# Fails: test_the_bytes_hold_the_function, test_the_gradient_comes_back,
# test_the_batch_size_may_stay_open
def export_roundtrip(f, spec):
    exported = export.export(jax.jit(f))(spec)
    read = export.deserialize(exported.serialize(vjp_order=1))
    return exported.mlir_module().encode(), read.call


# %% not_jitted
# The function is exported without `jit`, which fails unless it is already jitted.
# Do: Pass `jax.export.export` a jitted function.
# Breaks: Returns 1
# Fails: test_the_function_comes_back, test_the_bytes_hold_the_function,
# test_the_gradient_comes_back, test_the_batch_size_may_stay_open,
# test_the_source_is_not_needed_any_more, test_what_does_not_fit_is_refused, test_details
def export_roundtrip(f, spec):
    data = export.export(f)(spec).serialize(vjp_order=1)
    return bytes(data), export.deserialize(data).call


# %% pickled
# Pickle stores only where a function can be found, not its program.
# Do: Use `jax.export`, which stores the program itself.
# Breaks: Returns 2
# Fails: test_the_function_comes_back, test_the_bytes_hold_the_function,
# test_the_gradient_comes_back, test_the_batch_size_may_stay_open,
# test_the_source_is_not_needed_any_more, test_what_does_not_fit_is_refused, test_details
def export_roundtrip(f, spec):
    data = pickle.dumps(jax.jit(f))
    return data, pickle.loads(data)


# %% bent_until_it_fits
# Every input is reshaped and cast to the spec.
# Do: Leave the argument unchanged. The program refuses other shapes and dtypes.
# Breaks: Returns 5
# Fails: test_what_does_not_fit_is_refused
def export_roundtrip(f, spec):
    data = bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=1))
    call = export.deserialize(bytearray(data)).call

    def function(x):
        if all(isinstance(size, int) for size in spec.shape):
            x = jnp.resize(x, spec.shape)
        return call(x.astype(spec.dtype))

    return data, function


# %% old_module
# `jax.experimental.export` is the module's old location.
# Do: Import `export` from `jax`.
# Breaks: Returns 1
# Fails: test_the_function_comes_back, test_the_bytes_hold_the_function,
# test_the_gradient_comes_back, test_the_batch_size_may_stay_open,
# test_the_source_is_not_needed_any_more, test_what_does_not_fit_is_refused, test_details
def export_roundtrip(f, spec):
    from jax.experimental import export

    data = export.export(jax.jit(f))(spec).serialize(vjp_order=1)
    return bytes(data), export.deserialize(data).call


# %% traced_in_memory
# The function is a trace of `f` in memory, and the bytes are never read.
# Do: Return the function that you read from the bytes.
# Breaks: Returns 3
# Fails: test_the_source_is_not_needed_any_more
def export_roundtrip(f, spec):
    data = bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=1))
    if not all(isinstance(n, int) for n in spec.shape):
        return data, jax.jit(f)
    traced = jax.make_jaxpr(f)(spec)

    def function(x):
        if (x.shape, x.dtype) != (spec.shape, spec.dtype):
            raise ValueError(f"{x.shape} of {x.dtype} doesn't fit")
        return jax.core.eval_jaxpr(traced.jaxpr, traced.consts, x)[0]

    return data, function


# %% once missed


# %% traced_to_compare
# Each call traces `f`, to see whether the array fits.
# Breaks: Returns 3
# Fails: test_the_source_is_not_needed_any_more
def export_roundtrip(f, spec, solution=export_roundtrip):
    data, call = solution(f, spec)

    def function(x):
        jax.eval_shape(f, x)
        return call(x)

    return data, function


# %% no_derivative_of_bfloat16
# For NumPy, bfloat16 isn't a float, so its derivative isn't stored.
# Do: Store the derivative for each dtype, or use `jnp.issubdtype`.
# Breaks: Details 1
# Fails: test_details
def export_roundtrip(f, spec):
    order = int(np.issubdtype(spec.dtype, np.floating))
    data = bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=order))
    return data, export.deserialize(bytearray(data)).call


# %% converted_without_loss
# An array is converted if no digit is lost, so a float16 array is accepted for float32.
# Breaks: Returns 5
# Fails: test_what_does_not_fit_is_refused
def export_roundtrip(f, spec, solution=export_roundtrip):
    data, call = solution(f, spec)

    def function(x):
        fits = np.can_cast(x.dtype, spec.dtype, casting="safe")
        return call(x.astype(spec.dtype) if fits else x)

    return data, function


# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "data = bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=1)) -> data = bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=2))": "More derivatives than were asked for do no harm.",
}


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "changes_its_input": "No argument is a list or a dict.",
    "keeps_the_first_number": "No argument is a number.",
    "other_containers": "A pair is there to be unpacked, as a list of two can be.",
}
