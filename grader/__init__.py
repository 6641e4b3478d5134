"""An automated grader for JAX courses. A submission can change its mark only by being right.

For a program of your own, `from grader import Grader`: see `grader.api`.

Rooms by reader:

    cli              every command by name, and what an error becomes
    commands/        one command: parse, call, print, exit code
    api              `Grader`: answers in, records out
    serve/           a server: a class hands in through a browser
    lti/             people come to it from Canvas, Moodle or Open edX; marks go back
    reward           results -> a reward for code that a model has written
    inspect_scorer   a task and a scorer for Inspect
    student/         start, watch, check, hint, explain, list, submit; plain processes
    teacher/         a class: people, attempts, decisions; the store of results; diff
    author/          what proves a course; mutations; new exercises, the handout
    sabotage/        general faults around a solution, and where one makes a difference
    delivery/        reports by format; where grading runs for others: CI, Gradescope

From a file to a mark:

    intake/          a path -> Submission; executes nothing
    executors/       where judges run: this machine, a Dask cluster
    judge/           TRUSTED process: pytest, hidden suites, solutions
    suite/           what a suite can use: the submission, its programs, comparisons
    race/            verdicts on speed
    processes/       sandboxed children of the judge: start, speak, limit, end
    worker/          HOSTILE process: the student's module, and nothing worth stealing
    bench/           programs only: checks, facts, runs
    sandbox/         how a child is confined
    scoring          results -> marks. Pure
    inputs           a program -> the seed of its random inputs. Pure

What people read:

    feedback/        an error or a wrong value -> what it means and what to do. Pure
    reports/         records -> text, JSON, HTML, gradebooks. Pure
    screens/         records -> a terminal

What all of them use:

    model            the records: exercises, people, results, checks; outcomes and their signs;
                     records as bytes, and back
    errors           what can go wrong, each with its exit code
    course           how a course is found, and where each of its files is
    catalog          what a catalogue may say
    files            files that are written whole, and zips
    cache            what this machine need not do twice
    digests          the digest of data, of files and of code
    wire/            values over a pipe
    student_code     a notebook's module, run cell by cell; where a student's file raised

Imports point downwards; `tests/test_architecture.py` holds the layers. Judge and worker are
programs. Nobody imports them, but for an author's debugger (`judge/standalone.py`).
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
