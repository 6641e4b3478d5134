"""What learners get wrong in predict_faster; each cell is a suffix to the solution."""


def _but(solution, changes):
    return [changes.get(number, answer) for number, answer in enumerate(solution())]


# %% the_compiler_knows
# The compiler is believed to find the best way always.
# Do: Count the operations of both ways of pair 0.
# Breaks: Returns 1
# At most half of the points.
# Fails: test_products_of_matrices, test_derivatives
def predict_faster():
    return ["same"] * 12


# %% the_compiler_does_nothing
# The compiler is believed to compute what is written, and each part of it.
# Do: Let `cost_analysis` count the operations of pair 5.
# Breaks: Returns 1
# Fails: test_what_the_compiler_does
def predict_faster(solution=predict_faster):
    return _but(solution, {4: "B", 5: "B", 6: "B"})


# %% left_to_right
# The order of products is believed not to count.
# Do: Write down the shape of the first product of each way.
# Breaks: Returns 1
# Fails: test_products_of_matrices
def predict_faster(solution=predict_faster):
    return _but(solution, {0: "same"})


# %% parts_are_cheap
# A part of a product is believed to be computed alone.
# Do: Let `cost_analysis` count the operations of pair 2.
# Breaks: Returns 1
# Fails: test_products_of_matrices
def predict_faster(solution=predict_faster):
    return _but(solution, {1: "same", 2: "same"})


# %% batches_are_less_work
# A loop over rows is believed to be more operations than a product.
# Do: Count the sums of products on both sides of pair 7.
# Breaks: Returns 1
# Fails: test_many_at_once
def predict_faster(solution=predict_faster):
    return _but(solution, {7: "B"})


# %% one_side_under_vmap
# `cond` is believed to compute one side, also under `vmap`.
# Do: Print the program of pair 8.
# Breaks: Returns 1
# Fails: test_many_at_once
def predict_faster(solution=predict_faster):
    return _but(solution, {8: "A"})


# %% modes_swapped
# Forward mode is believed to be better where there are many inputs.
# Do: Ask with what each mode begins, and how many there are of it.
# Breaks: Returns 1
# Fails: test_derivatives
def predict_faster(solution=predict_faster):
    return _but(solution, {9: "B"})


# %% hessians_are_cheap
# A Hessian is believed to cost as much as a product with it.
# Do: Write down the shape of the Hessian.
# Breaks: Returns 1
# Fails: test_derivatives
def predict_faster(solution=predict_faster):
    return _but(solution, {10: "same"})


# %% one_by_one
# A gradient is believed to cost one value for each of its numbers.
# Do: Count the operations of a gradient by 100 numbers.
# Breaks: Returns 1
# Fails: test_derivatives
def predict_faster(solution=predict_faster):
    return _but(solution, {11: "A"})


# %% small_letters
# The answers are small letters.
# Do: Write "A" and "B".
# Breaks: Returns 1
# Fails: test_there_is_an_answer_for_each_pair, test_products_of_matrices, test_derivatives
def predict_faster(solution=predict_faster):
    return [answer.lower() for answer in solution()]
