"""Wrong answers to serve_any_batch; each cell is a suffix to the solution."""

import jax
import jax.numpy as jnp
from jax import export


def _spec(array):
    return jax.ShapeDtypeStruct(array.shape, array.dtype)


def _rows_as(rows, array):
    return jax.ShapeDtypeStruct((rows, *array.shape[1:]), array.dtype)


def _bytes(f, params, example):
    return bytes(export.export(jax.jit(f))(params, example).serialize())


# %% as_it_was
# The program has the sizes of the example, and refuses all others.
# Do: Put a symbol in place of the number of rows.
# Breaks: Returns 2
# At most half of the points.
# Fails: test_the_bytes_are_all_that_is_needed, test_any_number_of_rows,
# test_rows_may_depend_on_each_other
def serve_any_batch(f, params, example):
    return _bytes(f, *jax.tree.map(_spec, (params, example)))


# %% padded
# The program is for 64 rows, and requests are padded with zeros to this number.
# Do: Put a symbol in place of the number of rows.
# Breaks: Returns 2
# Fails: test_the_bytes_are_all_that_is_needed, test_what_does_not_fit_is_refused,
# test_any_number_of_rows, test_rows_may_depend_on_each_other
def serve_any_batch(f, params, example):
    specs = jax.tree.map(lambda a: _rows_as(64, a), example)
    return _bytes(f, jax.tree.map(_spec, params), specs)


def answer(program, params, request):
    rows = len(jax.tree.leaves(request)[0])

    def padded(array):
        return jnp.zeros((64, *array.shape[1:]), array.dtype).at[: len(array)].set(array)

    found = export.deserialize(bytearray(program)).call(params, jax.tree.map(padded, request))
    return jax.tree.map(lambda array: array[:rows], found)


# %% row_by_row
# The program is for one row, and the server calls it for each row.
# Do: Pass the program all rows together: a result may depend on all of them.
# Breaks: Returns 2
# Fails: test_the_bytes_are_all_that_is_needed, test_what_does_not_fit_is_refused,
# test_rows_may_depend_on_each_other
def serve_any_batch(f, params, example):
    specs = jax.tree.map(lambda a: _rows_as(1, a), example)
    return _bytes(f, jax.tree.map(_spec, params), specs)


def answer(program, params, request):
    call = export.deserialize(bytearray(program)).call
    rows = range(len(jax.tree.leaves(request)[0]))
    found = [call(params, jax.tree.map(lambda a, i=i: a[i : i + 1], request)) for i in rows]
    return jax.tree.map(lambda *arrays: jnp.concatenate(arrays), *found)


# %% parameters_too
# The first size of each parameter is also open, so a product no longer fits.
# Do: Leave the sizes of the parameters as they are.
# Breaks: Returns 2
# Fails: test_requests_like_the_example, test_the_bytes_are_all_that_is_needed, test_new_parameters,
# test_what_does_not_fit_is_refused, test_any_number_of_rows, test_rows_may_depend_on_each_other
def serve_any_batch(f, params, example):
    (rows,) = export.symbolic_shape("rows")
    return _bytes(f, *jax.tree.map(lambda a: _rows_as(rows, a), (params, example)))


# %% scope_for_each_array
# Each array's symbol comes from a separate call, and symbols from two scopes can't be mixed.
# Do: Create the symbol once.
# Breaks: Returns 2
# Fails: test_requests_like_the_example, test_the_bytes_are_all_that_is_needed, test_new_parameters,
# test_what_does_not_fit_is_refused, test_any_number_of_rows, test_rows_may_depend_on_each_other
def serve_any_batch(f, params, example):
    specs = jax.tree.map(lambda a: _rows_as(*export.symbolic_shape("rows"), a), example)
    return _bytes(f, jax.tree.map(_spec, params), specs)


# %% symbol_for_each_array
# Each array has its own number of rows, so two of them can't be added.
# Do: Use the same symbol for all arrays.
# Breaks: Returns 2
# Fails: test_requests_like_the_example, test_the_bytes_are_all_that_is_needed, test_new_parameters,
# test_what_does_not_fit_is_refused, test_any_number_of_rows, test_rows_may_depend_on_each_other
def serve_any_batch(f, params, example):
    leaves, treedef = jax.tree.flatten(example)
    symbols = export.symbolic_shape(", ".join(f"rows{i}" for i in range(len(leaves))))
    specs = treedef.unflatten(map(_rows_as, symbols, leaves))
    return _bytes(f, jax.tree.map(_spec, params), specs)


# %% all_sizes_open
# Each size of the request is open, so its columns may not fit the parameters.
# Do: Leave all sizes but the number of rows as they are.
# Breaks: Returns 2
# Fails: test_requests_like_the_example, test_the_bytes_are_all_that_is_needed, test_new_parameters,
# test_what_does_not_fit_is_refused, test_any_number_of_rows, test_rows_may_depend_on_each_other
def serve_any_batch(f, params, example):
    symbols = export.symbolic_shape("rows, columns, depth")

    def open_spec(array):
        return jax.ShapeDtypeStruct(symbols[: array.ndim], array.dtype)

    return _bytes(f, jax.tree.map(_spec, params), jax.tree.map(open_spec, example))


# %% each_size_of_the_rows
# Each size equal to the number of rows becomes a symbol, even a number of columns.
# Do: Replace only the first size by the symbol.
# Breaks: Returns 2
# Fails: test_requests_like_the_example, test_the_bytes_are_all_that_is_needed
def serve_any_batch(f, params, example):
    (rows,) = export.symbolic_shape("rows")
    size = len(jax.tree.leaves(example)[0])

    def open_spec(array):
        shape = [rows if length == size else length for length in array.shape]
        return jax.ShapeDtypeStruct(shape, array.dtype)

    return _bytes(f, jax.tree.map(_spec, params), jax.tree.map(open_spec, example))


# %% parameters_inside
# The parameters are constants of the program, which always answers with them.
# Do: Let the program take the parameters as an argument.
# Breaks: Returns 2
# Fails: test_new_parameters
def serve_any_batch(f, params, example):
    (rows,) = export.symbolic_shape("rows")
    specs = jax.tree.map(lambda a: _rows_as(rows, a), example)
    return _bytes(lambda _, request: f(params, request), jax.tree.map(_spec, params), specs)


# %% multiples_of_the_example
# The number of rows is open, but it has to be a multiple of four.
# Do: Let the symbol be the number of rows itself.
# Breaks: Returns 2
# Fails: test_the_bytes_are_all_that_is_needed, test_any_number_of_rows,
# test_rows_may_depend_on_each_other
def serve_any_batch(f, params, example):
    (groups,) = export.symbolic_shape("groups")
    specs = jax.tree.map(lambda a: _rows_as(a.shape[0] * groups, a), example)
    return _bytes(f, jax.tree.map(_spec, params), specs)


# %% no_small_requests
# A constraint excludes requests with fewer rows than the example.
# Do: Omit the constraint.
# Breaks: Returns 2
# Fails: test_any_number_of_rows, test_rows_may_depend_on_each_other
def serve_any_batch(f, params, example):
    least = len(jax.tree.leaves(example)[0])
    (rows,) = export.symbolic_shape("rows", constraints=(f"rows >= {least}",))
    specs = jax.tree.map(lambda a: _rows_as(rows, a), example)
    return _bytes(f, jax.tree.map(_spec, params), specs)


# %% all_floats
# All arrays of the request are treated as floats, but an index is an integer.
# Do: Keep the dtype of each array.
# Breaks: Returns 2
# Fails: test_requests_like_the_example, test_the_bytes_are_all_that_is_needed, test_new_parameters,
# test_what_does_not_fit_is_refused, test_any_number_of_rows, test_rows_may_depend_on_each_other
def serve_any_batch(f, params, example):
    (rows,) = export.symbolic_shape("rows")

    def open_spec(array):
        return jax.ShapeDtypeStruct((rows, *array.shape[1:]), jnp.float32)

    return _bytes(f, jax.tree.map(_spec, params), jax.tree.map(open_spec, example))


# %% repaired_requests
# The server makes each request fit, so it also answers requests that it should refuse.
# Do: Pass the request to the program unchanged.
# Breaks: Returns 3
# Fails: test_what_does_not_fit_is_refused
def answer(program, params, request):
    exported = export.deserialize(bytearray(program))
    given, specs = jax.tree.leaves((params, request)), exported.in_avals
    fitting = [jnp.asarray(array, spec.dtype) for array, spec in zip(given, specs, strict=True)]
    return exported.call(*jax.tree.unflatten(jax.tree.structure((params, request)), fitting))


# %% f_is_remembered
# The program has the sizes of the example, and `answer` runs a function that it remembers.
# Do: Answer with the program alone.
# Breaks: Returns 2
# Fails: test_the_bytes_are_all_that_is_needed
KNOWN = {}


def serve_any_batch(f, params, example):
    data = _bytes(f, *jax.tree.map(_spec, (params, example)))
    KNOWN[data] = f, _spec_of_rows(params, 0), _spec_of_rows(example, 1)
    return data


def answer(program, params, request):
    f, of_params, of_request = KNOWN[bytes(program)]
    rows = {len(array) for array in jax.tree.leaves(request)}
    fits = len(rows) == 1 and _spec_of_rows(request, 1) == of_request
    if not fits or _spec_of_rows(params, 0) != of_params:
        raise ValueError("the request doesn't fit")
    return f(params, request)


def _spec_of_rows(tree, first):
    return jax.tree.map(lambda array: (array.shape[first:], array.dtype), tree)


# %% once missed


# %% module_alone
# The bytes are those of the compiled module, without the types that a caller needs.
# Breaks: Returns 1
# Fails: test_requests_like_the_example, test_the_bytes_are_all_that_is_needed, test_new_parameters,
# test_what_does_not_fit_is_refused, test_any_number_of_rows, test_rows_may_depend_on_each_other
def serve_any_batch(f, params, example):
    (rows,) = export.symbolic_shape("rows")
    specs = jax.tree.map(lambda a: _rows_as(rows, a), example)
    return export.export(jax.jit(f))(jax.tree.map(_spec, params), specs).mlir_module_serialized


# %% as_long_as_the_example
# Each first size equal to the example's becomes a symbol, even in the parameters.
# Breaks: Returns 3
# Fails: test_requests_like_the_example, test_the_bytes_are_all_that_is_needed,
# test_what_does_not_fit_is_refused
def serve_any_batch(f, params, example):
    (rows,) = export.symbolic_shape("rows")
    size = len(jax.tree.leaves(example)[0])

    def spec(array):
        fits = array.shape[:1] == (size,)
        return _rows_as(rows, array) if fits else _spec(array)

    specs = jax.tree.map(spec, (params, example))
    return bytes(export.export(jax.jit(f))(*specs).serialize())


# %% flat_dict
# A request is assumed to be a dict of arrays.
# Breaks: Returns 2
# Fails: test_the_bytes_are_all_that_is_needed
def serve_any_batch(f, params, example):
    (rows,) = export.symbolic_shape("rows")
    request = {name: _rows_as(rows, array) for name, array in example.items()}
    return bytes(export.export(jax.jit(f))(jax.tree.map(_spec, params), request).serialize())
