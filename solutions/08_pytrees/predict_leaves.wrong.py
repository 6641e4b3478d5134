"""What learners get wrong in predict_leaves; each cell is a suffix to the solution."""


def _but(solution, changes):
    return [changes.get(number, answer) for number, answer in enumerate(solution())]


# %% python_sees_it
# Everything that Python can look into is assumed to be a container.
# Do: Look up which containers JAX knows.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_containers_and_leaves, test_classes, test_what_a_structure_knows
def predict_leaves():
    return [2, 8, 3, 3, 4, 3, False, True, False, False, False, False]


# %% none_is_a_leaf
# None is assumed to be a leaf.
# Do: Print the leaves of `[None]`.
# Breaks: Returns 1
# Fails: test_containers_and_leaves, test_classes, test_what_a_structure_knows
def predict_leaves(solution=predict_leaves):
    return _but(solution, {0: 3, 5: 2, 10: True})


# %% numbers_are_leaves
# Each number of an array is assumed to be a leaf.
# Do: Ask whether `tree.map` calls a function on arrays or on their numbers.
# Breaks: Returns 1
# Fails: test_containers_and_leaves
def predict_leaves(solution=predict_leaves):
    return _but(solution, {1: 8})


# %% classes_are_leaves
# Objects of all classes are assumed to be leaves.
# Do: Ask which classes JAX knows: those that are registered, and one kind of tuple.
# Breaks: Returns 1
# Fails: test_classes
def predict_leaves(solution=predict_leaves):
    return _but(solution, {3: 1})


# %% meta_data_are_leaves
# A metadata field is assumed to be a leaf.
# Do: Ask what `tree.map` would do to a string.
# Breaks: Returns 1
# Fails: test_classes
def predict_leaves(solution=predict_leaves):
    return _but(solution, {5: 2})


# %% sequences_are_alike
# Lists, tuples and namedtuples are assumed to have the same structure.
# Do: Print the structure of a list and of a tuple.
# Breaks: Returns 1
# Fails: test_types_of_containers
def predict_leaves(solution=predict_leaves):
    return _but(solution, {6: True, 8: True})


# %% order_of_a_dict
# The order in which a dict was written is assumed to matter.
# Do: Print the leaves of a dict whose keys aren't sorted.
# Breaks: Returns 1
# Fails: test_types_of_containers
def predict_leaves(solution=predict_leaves):
    return _but(solution, {7: False})


# %% shapes_count
# Shapes are assumed to belong to the structure.
# Do: Print the structure of an array.
# Breaks: Returns 1
# Fails: test_what_a_structure_knows
def predict_leaves(solution=predict_leaves):
    return _but(solution, {9: False})


# %% meta_data_do_not_count
# Two objects of the same class are assumed to always have the same structure.
# Do: Print the structures of the two layers.
# Breaks: Returns 1
# Fails: test_what_a_structure_knows
def predict_leaves(solution=predict_leaves):
    return _but(solution, {11: True})


# %% ones_and_zeros
# The last six answers are 1 and 0 instead of bools.
# Do: Return True and False.
# Breaks: Returns 1
# Fails: test_there_is_an_answer_for_each_case
def predict_leaves(solution=predict_leaves):
    return [int(answer) for answer in solution()]
