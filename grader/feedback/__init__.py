"""An error or a wrong value -> what it means and what to do. Pure functions, without JAX.

    explain    an exception, by its classes and the code around the student's own line -> Advice
    relations  what was returned and what was expected -> how they are related
    differences  the same two values -> what is special about them, for examples that show values
    first_nan  the line that makes the first NaN -> what in it can make one -> Advice
    silent     a syntax tree -> mistakes that raise nothing -> Advice, ...
    key_reuse  one of these mistakes: a random key that is used twice
    causes     the tests of an exercise -> each cause once, with the tests that it breaks

    rules      the cause of an exception: each rule looks for one pattern in the code
    raised     an exception as the rules see it
    syntax     questions about a syntax tree, for rules and silent
    wording    JAX's own words -> what they can mean, for a student's own check
    lessons    the words: what is wrong, what to change, and a page (texts: words/*.txt)

`grader check` explains a mistake in one order: an exception, a known mistake, the first NaN, a
relation. The judge names known mistakes and exceptions. What `silent` finds comes below.

After a hidden test nothing here reads an exception's message, since a student's code could write
hidden inputs into it. Only a student's own check passes the message on, and `wording` reads it. As
JAX changes its wording, rules compare nodes of the syntax tree and whole names.
"""
