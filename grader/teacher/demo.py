"""The class of `grader demo`: the course's own solutions, other answers, and attacks.

    ada              the reference solutions, in a folder like the handout
    blaise, carl     other right solutions: a zip, and a folder of notebooks
    dora, emil, fay  a mistake in every third exercise
    gustav           every other exercise
    mallory-*        an attack each

Nothing is random, so each run of the demo writes the same files.
"""

import ast
import json
from pathlib import Path

from grader.course.course import Course
from grader.intake import cells
from grader.records.files import write, zipped
from grader.records.model import Exercise

MOST_EXERCISES = 6
MOST_ATTACKS = 4
# An attack with one of these outcomes runs until its limit stops it, which takes too long here.
_SLOW = ("timed_out", "out_of_memory")
_Work = dict[Exercise, str]


def excerpt(course: Course) -> Course:
    """One exercise of each of the first topics: few, so that a table has room for their names.

    Those for practice are left out, unless there are no others.
    """
    in_marks = [e for e in course.exercises if e.counts] or course.exercises
    first = {exercise.topic: exercise for exercise in reversed(in_marks)}
    chosen = [e for e in in_marks if first[e.topic] is e]
    return course.part(exercise.id for exercise in chosen[:MOST_EXERCISES])


def make_class(course: Course, folder: Path) -> str:
    """Writes the submissions into `folder`. Returns a sentence that says who is who."""
    _write(folder / "ada", {e: course.solution_text(e) for e in course.exercises})
    packed = {f"blaise/{e.id}.py": _right(course, e, 0).encode() for e in course.exercises}
    write(folder / "blaise.zip", zipped(packed))
    _write(folder / "carl", {e: _right(course, e, 1) for e in course.exercises}, notebooks=True)
    for number, name in enumerate(("dora", "emil", "fay")):
        _write(folder / name, _with_mistakes(course, number))
    _write(folder / "gustav", {e: course.solution_text(e) for e in course.exercises[::2]})
    attacks = _attacks(course)
    for name, (exercise, text) in attacks.items():
        _write(folder / f"mallory-{name}", {exercise: text})
    cheats = f". {len(attacks)} `mallory` submissions try to cheat" if attacks else ""
    return (
        "ada, blaise and carl submit correct solutions. dora, emil and fay make some mistakes. "
        f"gustav submits half of the exercises{cheats}."
    )


def _right(course: Course, exercise: Exercise, number: int) -> str:
    return _with(course.right(exercise), number, course.solution_text(exercise))


def _with_mistakes(course: Course, number: int) -> _Work:
    work = {}
    for place, exercise in enumerate(course.exercises):
        work[exercise] = course.solution_text(exercise)
        if (place + number) % min(3, len(course.exercises)) == 0:
            work[exercise] = _with(course.wrong(exercise), place + number, work[exercise])
    return work


def _with(answers: Path, number: int, solution: str) -> str:
    """One of the answers in a file; the solution where there is none."""
    found = cells.read(answers).common
    return found[number % len(found)].after(solution) if found else solution


def _attacks(course: Course) -> dict[str, tuple[Exercise, str]]:
    """Some attacks by their names: those that say `Demo`, or else spread evenly over all."""
    known = {exercise.id: exercise for exercise in course.exercises}
    found, preferred = {}, {}
    for path in sorted(course.attacks().glob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        says = _docstring(text)
        if (exercise := known.get(says.get("Exercise", ""))) is None or "Kind" in says:
            continue
        if not any(slow in says.get("Outcome", "") for slow in _SLOW):
            found[path.stem] = exercise, text
            if "Demo" in says:
                preferred[path.stem] = exercise, text
    found = preferred or found
    step = max(1, len(found) // MOST_ATTACKS)
    return dict(list(found.items())[::step][:MOST_ATTACKS])


def _docstring(text: str) -> dict[str, str]:
    """The lines `Key: value` of a module's docstring."""
    try:
        lines = (ast.get_docstring(ast.parse(text)) or "").splitlines()
    except (SyntaxError, ValueError):
        return {}
    pairs = (line.partition(":") for line in lines)
    return {key.strip(): value.strip() for key, colon, value in pairs if colon}


def _write(folder: Path, work: _Work, *, notebooks: bool = False) -> None:
    for exercise, text in work.items():
        suffix, content = (".ipynb", _notebook(text)) if notebooks else (".py", text)
        write(folder / exercise.topic / f"{exercise.stem}{suffix}", content)


def _notebook(text: str) -> str:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": text}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
