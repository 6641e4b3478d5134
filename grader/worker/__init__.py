"""HOSTILE process: runs the student's module, and holds nothing worth stealing.

    __main__   finds the package without listing its parent folder, starts the zygote
    zygote     imports jax, never starts a backend; forks a child for each request
    lockdown   what a child gives up before it sees a byte of a student
    student    loads a module; serves call, export and traces
    bench      serves programs, and races them; no student Python ever runs in it
    program    what is in an exported program, and whether it may run   (work: its arithmetic)
    values     what arrives from the judge, as the values that code expects
    examples   runs a stub's examples on the student's own machine, for `grader check`
    probe      tries to break out; how `grader doctor` knows

Nothing here is trusted by anybody. The checks in this package are courtesies to honest
students; what protects a mark is that the judge believes nothing but values.
"""
