"""What the suite of weak_types once missed; each cell is a suffix to the solution."""


# %% small_floats
# A float is believed to become as narrow as the integers that it meets.
# Fails: test_numbers_of_python_give_way
def weak_types():
    return [
        "bfloat16",
        "float32",
        "int8",
        "float16",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
        "bfloat16",
        "int32",
        "float32",
        "float32",
        "bfloat16",
        "bfloat16",
        "float32",
    ]


# %% fifteen_cases
# The last case is left out.
# Fails: test_there_is_a_name_for_each_case, test_where_has_the_same_rules
def weak_types(solution=weak_types):
    return solution()[:15]
