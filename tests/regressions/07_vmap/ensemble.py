"""What the suite of ensemble need not notice."""

# %% equivalent
# Mutations of the solution that no test can notice, with the reason.
{
    "return model['w'] @ x + model['b'] -> return x @ model['w'] + model['b']": "The product of two vectors commutes.",
}


# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "result_int_as_float": "The text asks for floats.",
    "argument_no_integers": "The text asks for floats.",
}
