"""What is left to judge of a class: pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from grader.intake.source import without_comments
from grader.model import ExerciseResult, Job, Outcome, Submission


def damaged(keys: set[str]) -> list[str]:
    what = "a stored result was" if len(keys) == 1 else f"{len(keys)} stored results were"
    return [f"{what} damaged and judged again."] if keys else []


def bare(submission: Submission) -> Submission:
    sources = (replace(s, text=without_comments(s.text)) for s in submission.sources)
    return replace(submission, sources=tuple(sources))


def kept(
    submissions: Iterable[Submission], keyed: Iterable[Mapping[str, str]], stored: set[str]
) -> int:
    """How much of what was handed in is judged already. What is missing takes no time."""
    pairs = zip(submissions, keyed, strict=True)
    return sum(own.get(source.exercise) in stored for s, own in pairs for source in s.sources)


def todo(jobs: Iterable[Job]) -> int:
    """How much of what was handed in is to be judged."""
    return sum(len(job.submission.sources) for job in jobs)


def handed_in(results: Iterable[ExerciseResult]) -> int:
    """How many of them are of work that was handed in."""
    return sum(result.outcome is not Outcome.MISSING for result in results)


def jobs(
    submissions: Iterable[Submission], keyed: Iterable[Mapping[str, str]], stored: set[str]
) -> list[Job]:
    """What is left to judge: only what is not stored, and equal work only once."""
    planned = set(stored)
    found = []
    for number, (submission, own) in enumerate(zip(submissions, keyed, strict=True)):
        names = tuple(name for name, key in own.items() if key not in planned)
        planned.update(own.values())
        if names:
            found.append(Job(submission.only(names), names, number))
    return found
