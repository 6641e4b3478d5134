"""A task and a scorer for Inspect (extra `inspect`): a model's JAX code, judged by hidden suites.

    sample --model--> completion --code--> Grader --> reward --> Score, or unscored

`inspect eval grader/inspect_scorer.py --model MODEL` asks for every exercise of a course. The score
is the share of the points. Where there is no verdict (the machine failed, or it was too noisy to
measure speed), the sample is unscored, and doesn't count for the metrics.
"""

from __future__ import annotations

import atexit
from functools import cache
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

from grader import reward
from grader.api import Grader

PROMPT = """\
Fill in the stub below. Answer with the whole file, in one block of Python.

```python
{stub}```
"""


@task
def course_task(
    course: str | None = None,
    exercises: str = "",
    seed: str | int = "inspect",
    jobs: int | None = None,
) -> Task:
    """Every exercise of a course as a sample.

    Args:
        course: the folder of a course, by default the installed one.
        exercises: names separated by commas, by default all.
        seed: decides the hidden inputs.
        jobs: how many judges work at once, by default one for each core.
    """
    names = tuple(name for name in exercises.split(",") if name)
    judging = _grader(course, names, seed, jobs)
    samples = [
        Sample(
            id=exercise.id,
            input=PROMPT.format(stub=judging.course.stub(exercise).read_text(encoding="utf-8")),
            target=exercise.id,
        )
        for exercise in judging.exercises
    ]
    return Task(
        dataset=MemoryDataset(samples, name=judging.course.name),
        solver=generate(),
        scorer=hidden_suite(course, names, seed, jobs),
    )


@scorer(metrics=[mean(), stderr()])
def hidden_suite(
    course: str | None = None,
    exercises: tuple[str, ...] = (),
    seed: str | int = "inspect",
    jobs: int | None = None,
) -> Scorer:
    """Judges the completion with the suite of the exercise that the target names."""

    async def score(state: TaskState, target: Target) -> Score:
        text = reward.code(state.output.completion)
        judging = _grader(course, tuple(exercises), seed, jobs)
        earned = reward.of(await judging.grade_async(text, target.text))
        lost = [test.title for test in earned.result.tests if not test.outcome.keeps_points]
        about: dict[str, Any] = {
            "answer": text,
            "explanation": earned.result.message or "; ".join(lost) or "Everything holds.",
            "metadata": {name: getattr(earned, name) for name in ("compiled", "right", "fast")},
        }
        if earned.total is None:
            return Score.unscored(reason="scoring_failed", **about)
        return Score(value=earned.total, **about)

    return score


@cache
def _grader(
    course: str | None, exercises: tuple[str, ...], seed: str | int, jobs: int | None
) -> Grader:
    """One for equal settings. Its judges end with this process."""
    made = Grader(None if course is None else Path(course), exercises, seed=seed, jobs=jobs)
    atexit.register(made.close)
    return made
