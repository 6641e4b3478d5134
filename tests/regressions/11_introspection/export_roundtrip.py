"""What the suite of export_roundtrip once missed; each cell is a suffix to the solution.

Not noticed any more: no_derivative_of_complex_numbers, a_symbol_for_each_axis and
float32_with_a_symbol, since the text speaks neither of complex numbers nor of two symbols.
"""

import jax
import numpy as np
from jax import export

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


# %% traced_to_compare
# Each call traces `f`, to see whether the array fits.
# Fails: test_the_source_is_not_needed_any_more
def export_roundtrip(f, spec, solution=export_roundtrip):  # noqa: F821
    data, call = solution(f, spec)

    def function(x):
        jax.eval_shape(f, x)
        return call(x)

    return data, function


# %% no_derivative_of_bfloat16
# For NumPy, bfloat16 is no float, so its derivative isn't stored.
# Fails: test_details
def export_roundtrip(f, spec):
    order = int(np.issubdtype(spec.dtype, np.floating))
    data = bytes(export.export(jax.jit(f))(spec).serialize(vjp_order=order))
    return data, export.deserialize(bytearray(data)).call


# %% converted_without_loss
# An array is converted if no digit is lost, so a float16 array is accepted for float32.
# Fails: test_what_does_not_fit_is_refused
def export_roundtrip(f, spec, solution=export_roundtrip):
    data, call = solution(f, spec)

    def function(x):
        fits = np.can_cast(x.dtype, spec.dtype, casting="safe")
        return call(x.astype(spec.dtype) if fits else x)

    return data, function
