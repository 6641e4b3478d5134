"""General faults around a solution, such as another dtype, a lost sign or an ignored argument.

`grader sabotage` drives it:

    commands.author.sabotage --> author.strength.measure(FAULTS, ...)
        sabotage.search.sabotages --scout, a process--> for each exercise: ChangedSolution, ...
        author.claims.graded --executors--> killed, or survived
    --> screens.course.strengths

search           the programs with a fault, for all exercises, from processes side by side
scout            such a process: finds out which faults make a difference
example_calls    to what: the calls of the examples, and calls with other arguments
injected         the faults of results, arguments and calls
injected_in_jax  the faults of JAX itself
"""
