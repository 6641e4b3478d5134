"""Every call is taken for a trace.

Fails: test_values_do_not_matter, test_shapes_and_dtypes_matter,
test_python_numbers_have_types_of_their_own, test_static_values_matter, test_containers_matter,
test_traces_belong_to_the_function
"""


def predict_traces():
    return [3, 4, 4, 3, 3, 4, 3, 3, 3, 4, 3, 3]
