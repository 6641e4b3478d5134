"""Every error that the grader raises on purpose, each with its exit code.

    GraderError                 1
    ├── UsageError              2   the command was called wrongly
    ├── SubmissionError         2   a path that can't be read as a submission
    ├── CourseError             3   the course is incomplete or contradicts itself
    │   └── NoCourseError       3   no course was found
    ├── HostError               4   this machine or its sandbox can't do what was asked
    └── BrokenSuiteError        4   a hidden suite fails on its own reference solution

In a run over a class, a `SubmissionError` becomes a row with a reason, and the run continues.
"""

from collections.abc import Iterable


class GraderError(Exception):
    """Base of all. Its text says what is wrong, where it is, and what to do next."""

    exit_code = 1


class UsageError(GraderError):
    """The command was called wrongly, or asks for something that isn't there."""

    exit_code = 2


class SubmissionError(GraderError):
    """A path that can't be read as a submission."""

    exit_code = 2


class CourseError(GraderError):
    """A course whose files are missing or contradict each other."""

    exit_code = 3


class NoCourseError(CourseError):
    """No course in the current folder, above it, or installed."""


class HostError(GraderError):
    """The machine, the sandbox or a judge failed. No mark may depend on that."""

    exit_code = 4


class BrokenSuiteError(HostError):
    """A hidden suite that fails on its own reference solution, so it can't judge others."""


def capitalized(text: str) -> str:
    """The text as the beginning of a sentence; its other letters stay."""
    return f"{text[:1].upper()}{text[1:]}"


def listed(names: Iterable[str]) -> str:
    """The names as an error says them."""
    return ", ".join(f"`{name}`" for name in names)
