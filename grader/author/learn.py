"""Wrong answers of a class that no known mistake explains -> new known mistakes.

    a graded run --unnamed--> wrong answers --groups--> equal ones --write--> cells

Two answers have the same mistake if one of them, on the inputs of the other, loses the same tests
with the same messages. A new cell waits for its author's sentences; until then it names nothing.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from grader.author.handout import TO_WRITE
from grader.course.course import Course
from grader.intake import cells
from grader.intake.source import without_comments
from grader.records import digests, inputs
from grader.records.model import Exercise, ExerciseResult, Run, Source, Submission
from grader.records.safe_text import counted

Answer = tuple[Source, ExerciseResult]


def unnamed(run: Run, exercise: Exercise) -> list[Answer]:
    """The answers to an exercise that lost a test without a name, each text once."""
    found: dict[str, Answer] = {}
    for grade in run.submissions:
        sources = {source.exercise: source for source in grade.sources}
        for result in grade.exercises:
            lost = [test for test in result.tests if test.outcome.is_lost]
            if result.id == exercise.id and lost and not any(test.is_named for test in lost):
                source = sources[result.id]
                found.setdefault(source.text, (source, result))
    return list(found.values())


def groups(
    answers: Iterable[Answer], secret: str, grade: Callable[[Submission, str], ExerciseResult]
) -> Iterator[list[Answer]]:
    """Answers with the same mistake, two or more. `grade` judges with the seed of a source."""
    left = list(answers)
    while left:
        first, *left = left
        seed, same = inputs.seed(secret, first[0]), [first]
        for other in list(left):
            if _losses(other[1]).keys() == _losses(first[1]).keys():
                work = Submission("", "", (replace(other[0], seed=seed),))
                if _losses(grade(work, other[1].id)) == _losses(first[1]):
                    same.append(other)
                    left.remove(other)
        if len(same) > 1:
            yield same


def _losses(result: ExerciseResult) -> dict[str, str]:
    """The message of each lost test, without the code that it quotes."""
    lost = (test for test in result.tests if test.outcome.is_lost)
    return {test.id: re.sub(r" at line \d+ of `.*", "", test.message) for test in lost}


def write(course: Course, exercise: Exercise, group: list[Answer]) -> str:
    """Adds the shortest answer of a group as a cell, without a student's name.

    Returns the name of the cell.
    """
    source, result = min(group, key=lambda answer: len(answer[0].text))
    name = f"learned_{digests.of(source.text)[:8]}"
    cell = (
        f"# %% {name}\n"
        f"# {TO_WRITE} {counted(len(group), 'answer')} of a class gave the same results. Say what\n"
        "# is wrong, and after `Do:` what to do.\n"
        f"# Fails: {', '.join(_losses(result))}\n"
        f"{without_comments(source.text)}"
    )
    cells.insert(course.wrong(exercise), cell)
    return name
