"""What the suite of apply_batch need not notice."""

# %% harmless
# Faults (`grader sabotage`) that no test has to notice, with the reason.
{
    "argument_never_empty of `mat`": "A matrix without rows or columns has no products.",
}
