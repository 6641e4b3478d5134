"""An automated grader for JAX courses. A submission can change its mark only by being right.

For a program of your own, `from grader import Grader`: see `grader.api`.

Entry points, by reader:

    cli              every command by name, and what an error becomes
    commands/        one command: parse, call, print, exit code
    api              `Grader`: answers in, records out
    reward           results -> a reward for code that a model has written
    inspect_scorer   a task and a scorer for Inspect
    suite            what a hidden suite can import
    serve/           a server: a class submits through a browser, or from its learning platform
    delivery/        where grading runs for others: CI, Gradescope

What they do:

    student/         start, watch, check, hint, explain, list, submit; plain processes
    teacher/         a class: people, attempts, decisions; the store of results; diff
    author/          what proves a course; mutations; new exercises, the handout
    output/          records -> reports, and a terminal. Pure
    feedback/        an error or a wrong value -> what it means and what to do. Pure

From a file to a result:

    intake/          a path -> Submission; executes nothing
    engine/          a job -> results: judges, and the sandboxed processes that they start
    course/          where a course's files are, and what its catalogue may say
    records/         what all of them use: the records, errors, files, marks

Imports point downwards; `tests/test_architecture.py` holds the layers. The engine has one entry
point, `engine/executors`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.api import Grader as Grader

__version__ = "0.1.0"

IN_PACKAGE = "_course"
"""The folder of the course in an installed package."""


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext grader` in a notebook: see `grader.commands.magic`."""
    from grader.commands.magic import load

    load(shell)


def __getattr__(name: str) -> Any:
    """Imports `Grader` when it is asked for, since most that import the package need less."""
    if name == "Grader":
        from grader.api import Grader

        return Grader
    raise AttributeError(f"module `grader` has no attribute `{name}`")
