"""HOSTILE process: runs the student's module, and holds no secrets.

    __main__      finds the package without listing its parent folder, and starts the zygote
    zygote        imports jax, starts no backend, and forks a child for each request
    lowered       keeps what JAX lowers, for all later processes of this machine
    connection    answers the judge's questions, and calls functions that stay with it
    lockdown      the layers and the system's limits (files, CPU, address space) that a child adds
    student       loads a module; answers calls, exports programs, counts traces and devices
    bench         examines programs and runs them; no student Python ever runs in it
    lane          one side of a race: calls a program, or a function of the suite, for the clock
    devices       a program, compiled for as many devices as it was exported for
    program       what is in an exported program, and whether it may run
    operations    the exact lists of operations that a program may hold
    custom_calls  the exact calls of LAPACK that a program may hold
    sorts         which comparisons a sort may make
    live          which operations the results of a program need
    bodies        the inner programs of operations
    constants     numbers that are known before a program runs
    cost          how much arithmetic a program does, and how many bytes it moves
    depth         how many of its operations wait for one another
    values        values from the judge -> the arrays, classes and functions that code expects
    probe         tries to break out of the sandbox, for `grader doctor` and before each grading
    raw_calls     the system calls that it tries by their numbers

The judge trusts nothing that this package sends. The checks here only help honest students. Marks
are safe because the judge accepts nothing but values, and compares them itself.
"""
