"""What learners get wrong in predict_axes; each cell is a suffix to the solution."""


def _but(solution, changes):
    return [changes.get(number, shape) for number, shape in enumerate(solution())]


# %% like_broadcasting
# `vmap` is assumed not to change axes: the functions work on whole arrays.
# Do: Print the shape that one call gets.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_one_call_sees_the_rest, test_the_new_axis_has_a_place, test_an_argument_is_shared,
# test_one_vmap_in_another
def predict_axes():
    return [
        (),
        (),
        (4, 3, 2),
        (2, 3, 4),
        (2, 3, 4),
        (2, 3, 4),
        (2, 3),
        (2, 5),
        (2, 5),
        (2, 3),
        (2, 3),
        (),
    ]


# %% sums_over_the_axis
# `in_axes` is assumed to name the axis that the function works on.
# Do: The mapped axis counts the calls. The function never sees it.
# Breaks: Returns 1
# Fails: test_one_call_sees_the_rest, test_one_vmap_in_another
def predict_axes(solution=predict_axes):
    return _but(solution, {0: (3, 4), 1: (2, 4), 11: (2,)})


# %% all_is_transposed
# A transposition is assumed to also reverse the mapped axis.
# Do: Ask which axes one call gets.
# Breaks: Returns 1
# Fails: test_one_call_sees_the_rest
def predict_axes(solution=predict_axes):
    return _but(solution, {2: (4, 3, 2)})


# %% back_to_its_place
# The new axis is assumed to return to where it was taken.
# Do: Try out case 3. Without `out_axes`, the new axis is in front.
# Breaks: Returns 1
# Fails: test_the_new_axis_has_a_place, test_an_argument_is_shared
def predict_axes(solution=predict_axes):
    return _but(solution, {3: (2, 3, 4), 7: (2, 5)})


# %% always_in_front
# The new axis is assumed to be in front, whatever `out_axes` says.
# Do: Look up `out_axes`.
# Breaks: Returns 1
# Fails: test_the_new_axis_has_a_place, test_an_argument_is_shared
def predict_axes(solution=predict_axes):
    return _but(solution, {4: (2, 3, 4), 5: (3, 2, 4), 8: (5, 2)})


# %% in_pairs
# None is overlooked: the arguments are assumed to be read in pairs.
# Do: Ask what one call gets from each argument.
# Breaks: Returns 1
# Fails: test_an_argument_is_shared
def predict_axes(solution=predict_axes):
    return _but(solution, {6: (3,)})


# %% inner_first
# The axis of the inner `vmap` is assumed to come first.
# Do: The inner one inserts its axis, and then the outer one does.
# Breaks: Returns 1
# Fails: test_one_vmap_in_another
def predict_axes(solution=predict_axes):
    return _but(solution, {9: (3, 2), 10: (2, 3)})


# %% order_does_not_count
# Two nested `vmap` are assumed to give the same table in either order.
# Do: Ask which argument the outer `vmap` maps over.
# Breaks: Returns 1
# Fails: test_one_vmap_in_another
def predict_axes(solution=predict_axes):
    return _but(solution, {10: (2, 3)})


# %% axes_of_the_whole
# The axes of the inner `vmap` are assumed to be counted in the whole array.
# Do: Ask what the outer one leaves, and count axes in that.
# Breaks: Returns 1
# Fails: test_one_vmap_in_another
def predict_axes(solution=predict_axes):
    return _but(solution, {11: (3, 2)})


# %% lists_for_tuples
# Shapes are written as lists.
# Do: Return each shape as a tuple.
# Breaks: Returns 1
# Fails: test_there_is_a_shape_for_each_case, test_one_call_sees_the_rest,
# test_the_new_axis_has_a_place, test_an_argument_is_shared, test_one_vmap_in_another
def predict_axes(solution=predict_axes):
    return [list(shape) for shape in solution()]
