"""HOSTILE process: runs the student's module, and holds no secrets.

    __main__   finds the package without listing its parent folder, and starts the zygote
    zygote     imports jax, starts no backend, and forks a child for each request
    lowered    keeps what JAX lowers, for all later processes of this machine
    lockdown   the layers and the system's limits (files, CPU, address space) that a child adds
    student    loads a module; answers calls, exports programs, counts traces and devices
    probe      tries to break out of the sandbox, for `grader doctor` and before each grading
    raw_calls  the system calls that it tries by their numbers

The judge trusts nothing that this package sends. The checks here only help honest students. Marks
are safe because the judge accepts nothing but values, and compares them itself.
"""
