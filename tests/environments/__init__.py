"""Where the sandbox holds: the same examination and the same attacks in many environments.

    python -m tests.environments                     the table, for what is available here
    python -m tests.environments --write             the same, into docs/environments.md
    python -m tests.environments --only NAME --all   one environment, with every attack

It needs root, and for containers `podman` and `runc`. A column runs in its own container or as its
own user, with an interpreter that every user can read, even if it is in root's home:

    __main__  starts each column by its command, and writes the table
    columns   the environments, each as a command in front of Python
    inside    runs in the environment: `grader doctor --json`, then attacks, each followed by a
              right answer
    refused   which calls the sandbox refuses to right answers, by strace
    older     a module that lets the judge believe in an older version of Landlock
"""
