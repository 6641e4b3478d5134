"""What learners get wrong in predict_shapes; each cell is a suffix to the solution."""


def _but(solution, changes):
    return [changes.get(number, shape) for number, shape in enumerate(solution())]


# %% all_like_x
# Every result is assumed to have the shape of `x`, or of some of its axes in order.
# Do: Go through each index and each sum from left to right.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_two_shapes_are_broadcast, test_a_reduction_takes_axes_away,
# test_an_index_of_ints_and_slices, test_an_index_of_arrays, test_a_slice_between_two_arrays
def predict_shapes():
    return [
        (2, 3, 4),
        (4,),
        (2, 1, 4),
        (1, 3, 1),
        (3, 4),
        (3, 4),
        (2, 3, 4),
        (2, 4),
        (2, 5, 4),
        (5, 5, 4),
        (5, 1, 5, 4),
        (5, 3, 5),
    ]


# %% from_the_left
# Shapes are assumed to be compared from the first axis, and vectors to stay vectors.
# Do: Write the two shapes below each other, with their last axes in one column.
# Breaks: Returns 1
# Fails: test_two_shapes_are_broadcast
def predict_shapes(solution=predict_shapes):
    return _but(solution, {0: (4, 3, 4), 1: (4,)})


# %% axis_is_kept
# The axis that a sum names is assumed to be the one that stays.
# Do: The named axes are summed over.
# Breaks: Returns 1
# Fails: test_a_reduction_takes_axes_away
def predict_shapes(solution=predict_shapes):
    return _but(solution, {2: (3,), 3: (2, 1, 4)})


# %% keepdims_is_forgotten
# `keepdims=True` is overlooked.
# Do: Ask what `keepdims` leaves of an axis.
# Breaks: Returns 1
# Fails: test_a_reduction_takes_axes_away
def predict_shapes(solution=predict_shapes):
    return _but(solution, {3: (3,)})


# %% slices_drop
# A slice with one element is assumed to be the same as an int.
# Do: Compare `x[1]` and `x[1:2]`.
# Breaks: Returns 1
# Fails: test_an_index_of_ints_and_slices
def predict_shapes(solution=predict_shapes):
    return _but(solution, {5: (3, 4)})


# %% none_in_front
# `None` is assumed to put its axis in front, wherever it appears.
# Do: Go through the index from left to right.
# Breaks: Returns 1
# Fails: test_an_index_of_ints_and_slices
def predict_shapes(solution=predict_shapes):
    return _but(solution, {6: (1, 2, 3, 4)})


# %% arrays_make_tables
# Two arrays in an index are assumed to make a table of all pairs.
# Do: Broadcast the arrays first: two arrays of the same shape are read in pairs.
# Breaks: Returns 1
# Fails: test_an_index_of_arrays, test_a_slice_between_two_arrays
def predict_shapes(solution=predict_shapes):
    return _but(solution, {9: (5, 5, 4), 11: (5, 3, 5)})


# %% in_front_always
# The axis of an array is assumed to always come first.
# Do: A single array's axis replaces the axis that it indexes.
# Breaks: Returns 1
# Fails: test_an_index_of_arrays
def predict_shapes(solution=predict_shapes):
    return _but(solution, {8: (5, 2, 4)})


# %% in_place_of_the_last
# The common axis of two arrays is assumed to be where the second one is.
# Do: Ask whether there is a single place for two axes that a slice separates.
# Breaks: Returns 1
# Fails: test_a_slice_between_two_arrays
def predict_shapes(solution=predict_shapes):
    return _but(solution, {11: (3, 5)})


# %% lists_for_tuples
# Shapes are written as lists.
# Do: Return each shape as a tuple.
# Breaks: Returns 1
# Fails: test_there_is_a_shape_for_each_case, test_two_shapes_are_broadcast,
# test_a_reduction_takes_axes_away, test_an_index_of_ints_and_slices,
# test_an_index_of_arrays, test_a_slice_between_two_arrays
def predict_shapes(solution=predict_shapes):
    return [list(shape) for shape in solution()]
