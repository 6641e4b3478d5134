"""One failure of one student again, with the same inputs, on the teacher's own machine.

run.db --source, seed--> STEM.py and reproduce.py, which calls pytest
"""

from collections.abc import Iterator
from pathlib import Path

from grader.course.course import Course
from grader.records import files, inputs
from grader.records.errors import UsageError
from grader.records.model import Exercise, Grade, Run, Source, TestResult

NAME = "reproduce.py"
_SCRIPT = '''\
"""{student}, {exercise}: what went wrong, again, with the same inputs.

It runs the code of {student} on this machine without a sandbox, so that a debugger works. So read
`{file}` first. The judge's verdict counts: it judged in a sandbox, and on another machine.
"""

import sys

import pytest

HERE = __file__.rpartition("/")[0] or "."
OPTIONS = [f"--submission={{HERE}}/{file}", "--debug-in-process", "--showlocals"]
# Add "--pdb" to stop where a test fails. Write `x = ...` in a test, and it gets other inputs.
TESTS = [  # each run with its seed
{tests}
]
ended = [pytest.main([*run, *OPTIONS, "-p", "no:cacheprovider"]) for run in TESTS]
sys.exit(max(ended))
'''


def write(run: Run, course: Course, student: str, exercise: Exercise, folder: Path) -> Path:
    """Writes the student's file and a script into `folder`; returns the script.

    Raises `UsageError` if nothing was handed in, or nothing went wrong, or a file is in the way.
    """
    grade = next(grade for grade in run.submissions if grade.id == student)
    source = _source(grade, exercise)
    result = next((one for one in grade.exercises if one.id == exercise.id), None)
    lost = [] if result is None else [t for t in result.tests if not t.outcome.keeps_points]
    if result is None or not lost:
        raise UsageError(f"`{exercise.id}` of `{student}` lost no point: nothing to repeat.")
    suite = course.suite(exercise).resolve()
    script = _SCRIPT.format(
        student=_plain(student),
        exercise=exercise.id,
        file=f"{exercise.stem}.py",
        tests="\n".join(_runs(str(suite), lost, inputs.seed(run.environment.seed, source))),
    )
    for name in (f"{exercise.stem}.py", NAME):
        if (folder / name).exists():
            raise UsageError(
                f"`{folder / name}` is there already, and nothing is overwritten. Name another "
                "folder with `--to`."
            )
    folder.mkdir(parents=True, exist_ok=True)
    files.write(folder / f"{exercise.stem}.py", source.text)
    return files.write(folder / NAME, script)


def _runs(suite: str, lost: list[TestResult], first: str) -> Iterator[str]:
    """Lists for pytest: the tests of the first draw, and those of the second."""
    for seed in (first, inputs.second(first)):
        again = seed != first
        own = [f"{suite}::{t.id}" for t in lost if t.detail.startswith(inputs.AGAIN) is again]
        if own:
            rows = "".join(f"        {name!r},\n" for name in own)
            yield f'    [\n{rows}        "--seed={seed}",\n    ],'


def _source(grade: Grade, exercise: Exercise) -> Source:
    for source in grade.sources:
        if source.exercise == exercise.id:
            return source
    raise UsageError(
        f"there is no answer of `{grade.id}` to `{exercise.id}` in this run: nothing was handed "
        "in, or it couldn't be read, or this is a results.json without its `run.db`."
    )


def _plain(name: str) -> str:
    """For a docstring: a name may hold quotes."""
    return "".join(c if c.isprintable() and c not in '"\\{}' else "?" for c in name)
