"""What learners get wrong in predict_sizes; each cell is a suffix to the solution."""


def _but(solution, changes):
    return [changes.get(number, shape) for number, shape in enumerate(solution())]


# %% like_gradients
# Each derivative is assumed to have the shape of the input, as a gradient does.
# Do: A gradient belongs to a scalar. Count the outputs of each function.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_outputs_come_before_inputs, test_all_axes_are_kept, test_second_derivatives,
# test_products_are_small, test_a_batch_inside_or_outside
def predict_sizes():
    return [
        (3,),
        (3,),
        (3,),
        (3,),
        (2, 3),
        (3, 3),
        (2, 3),
        (3,),
        (3,),
        (3,),
        (5, 3),
        (5, 3),
    ]


# %% inputs_first
# The axes of the input are assumed to come first.
# Do: Try out case 0.
# Breaks: Returns 1
# Fails: test_outputs_come_before_inputs, test_all_axes_are_kept, test_second_derivatives,
# test_a_batch_inside_or_outside
def predict_sizes(solution=predict_sizes):
    changes = {0: (3, 2), 1: (3, 2), 4: (2, 3, 2), 5: (3, 3, 2), 10: (5, 3, 2), 11: (5, 3, 5, 2)}
    return _but(solution, changes)


# %% scalars_have_an_axis
# A scalar is assumed to have an axis of length 1.
# Do: Print the shape of a sum.
# Breaks: Returns 1
# Fails: test_all_axes_are_kept
def predict_sizes(solution=predict_sizes):
    return _but(solution, {2: (1, 3)})


# %% the_diagonal_only
# For a function that works element by element, only the diagonal is expected.
# Do: Ask whether JAX knows that the other entries are 0.
# Breaks: Returns 1
# Fails: test_all_axes_are_kept
def predict_sizes(solution=predict_sizes):
    return _but(solution, {3: (3,)})


# %% flattened
# A matrix is assumed to count as one axis.
# Do: Ask which axes the input has. All of them remain.
# Breaks: Returns 1
# Fails: test_all_axes_are_kept, test_second_derivatives
def predict_sizes(solution=predict_sizes):
    return _but(solution, {4: (2, 6), 6: (6, 6)})


# %% one_hessian
# A Hessian is assumed to be square, even that of a vector.
# Do: Each output has its own second derivatives.
# Breaks: Returns 1
# Fails: test_second_derivatives
def predict_sizes(solution=predict_sizes):
    return _but(solution, {5: (3, 3)})


# %% directions_swapped
# `jvp` is assumed to return something like the input, and `vjp` like the output.
# Do: Ask in which direction each of them goes.
# Breaks: Returns 1
# Fails: test_products_are_small
def predict_sizes(solution=predict_sizes):
    return _but(solution, {7: (3,), 8: (2,)})


# %% a_whole_hessian
# The derivative of a gradient is assumed to be a table, even in one direction.
# Do: `jvp` gives the change of a gradient. What is its shape?
# Breaks: Returns 1
# Fails: test_products_are_small
def predict_sizes(solution=predict_sizes):
    return _but(solution, {9: (3, 3)})


# %% examples_are_separate
# The Jacobian of a batch is assumed to be a batch of Jacobians.
# Do: Ask whether JAX knows that the examples are independent of each other.
# Breaks: Returns 1
# Fails: test_a_batch_inside_or_outside
def predict_sizes(solution=predict_sizes):
    return _but(solution, {11: (5, 2, 3)})


# %% lists_for_tuples
# Shapes are written as lists.
# Do: Return each shape as a tuple.
# Breaks: Returns 1
# Fails: test_there_is_a_shape_for_each_case, test_outputs_come_before_inputs,
# test_all_axes_are_kept, test_second_derivatives, test_products_are_small,
# test_a_batch_inside_or_outside
def predict_sizes(solution=predict_sizes):
    return [list(shape) for shape in solution()]
