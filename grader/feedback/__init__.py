"""An error or a mismatch -> what it means and what to do. Pure functions, without JAX.

    errors     an exception, by its classes and the code around the student's own line -> Advice
    relations  what was returned and what was expected -> how they are related -> Advice
    silent     a syntax tree -> mistakes that raise nothing -> Advice, ...
    told       the tests of an exercise -> each cause once, with the tests that it breaks

    syntax     what errors and silent ask of a syntax tree
    lessons    the words: what is wrong, what JAX means by it, what to change, and a page

Nothing here reads an exception's message: JAX changes its wording, and it could spell inputs.
"""
