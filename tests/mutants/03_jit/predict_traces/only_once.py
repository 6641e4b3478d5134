"""Once compiled, a function is believed never to be traced again.

Fails: test_shapes_and_dtypes_matter, test_python_numbers_have_types_of_their_own,
test_static_values_matter, test_the_way_of_passing_matters, test_containers_matter,
test_traces_belong_to_the_function
"""


def predict_traces():
    return [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
