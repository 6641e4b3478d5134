"""Every error that the grader raises on purpose, each with its exit code.

    GraderError                 1
    ├── UsageError              2   the command was called wrongly
    ├── SubmissionError         2   a path that can't be read as a submission
    ├── CourseError             3   the course is incomplete or contradicts itself
    ├── HostError               4   this machine or its sandbox can't do what was asked
    └── BrokenSuiteError        4   a hidden suite fails on its own reference solution

In a class a `SubmissionError` is a row with a reason, never the end of the run.
"""

from __future__ import annotations


class GraderError(Exception):
    """Base of all: `str(error)` says what, where, and what to do next."""

    exit_code = 1


class UsageError(GraderError):
    """The command line asks for something that isn't there."""

    exit_code = 2


class SubmissionError(GraderError):
    """A path that can't be read as a submission."""

    exit_code = 2


class CourseError(GraderError):
    """A course with missing or contradicting files."""

    exit_code = 3


class HostError(GraderError):
    """The machine, the sandbox or a judge failed: nobody's mark may depend on it."""

    exit_code = 4


class BrokenSuiteError(HostError):
    """A suite that can't be trusted: it fails on its own reference solution."""
