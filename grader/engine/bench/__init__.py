"""Programs only: what examines them and runs them. None of the student's Python is in it.

    bench         answers the judge: examines programs and runs them
    lane          one side of a race: calls a program, or a function of the suite, for the clock
    devices       a program, compiled for as many devices as it was exported for
    facts         what is in an exported program, and whether it may run
    operations    the exact lists of operations that a program may hold
    custom_calls  the exact calls of LAPACK that a program may hold
    sorts         which comparisons a sort may make
    liveness      which operations the results of a program need
    bodies        the inner programs of operations
    constants     numbers that are known before a program runs
    cost          how much arithmetic a program does, and how many bytes it moves
    depth         how many of its operations wait for one another
    compiled      how the compiler shared a program out among devices
    refused       why a program is not run, in the words that students read

Its process is forked from the zygote of `grader.engine.worker`, in the same sandbox.
"""
