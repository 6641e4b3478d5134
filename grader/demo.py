"""The class of `grader demo`: the course's own solutions, variants, mutants and attacks.

    ada              the reference solutions, in a folder like the handout
    blaise, carl     other right solutions: a zip, and a folder of notebooks
    dora, emil, fay  a mistake in every third exercise
    gustav           every other exercise
    mallory-*        an attack each

Who makes which mistake depends on the course alone, so that a demo can be repeated.
"""

from __future__ import annotations

import ast
import json
import zipfile
from dataclasses import replace
from pathlib import Path

from grader.course import Course
from grader.model import Exercise

MOST_EXERCISES = 8
MOST_ATTACKS = 4
# What is only stopped by its limits takes as long as they allow.
_SLOW = ("timed_out", "out_of_memory")
_Work = dict[Exercise, str]


def excerpt(course: Course) -> Course:
    """The course with the first exercise of each topic, so that a demo takes a minute."""
    first: dict[str, Exercise] = {}
    for exercise in course.exercises:
        first.setdefault(exercise.topic, exercise)
    return replace(course, exercises=tuple(first.values())[:MOST_EXERCISES])


def make_class(course: Course, folder: Path) -> str:
    """Writes the submissions into `folder`, and says who is who."""
    _write(folder / "ada", {e: _solution(course, e) for e in course.exercises})
    _pack(folder / "blaise.zip", {e: _variant(course, e, 0) for e in course.exercises})
    _write(folder / "carl", {e: _variant(course, e, 1) for e in course.exercises}, notebooks=True)
    for number, name in enumerate(("dora", "emil", "fay")):
        _write(folder / name, _with_mistakes(course, number))
    _write(folder / "gustav", {e: _solution(course, e) for e in course.exercises[::2]})
    attacks = _attacks(course)
    for name, (exercise, text) in attacks.items():
        _write(folder / f"mallory-{name}", {exercise: text})
    cheats = f"; {len(attacks)} called mallory try to cheat" if attacks else ""
    return (
        "ada, blaise and carl hand in right solutions, dora, emil and fay a mistake here and "
        f"there, gustav half of it{cheats}."
    )


def _solution(course: Course, exercise: Exercise) -> str:
    return course.solution(exercise).read_text(encoding="utf-8")


def _variant(course: Course, exercise: Exercise, number: int) -> str:
    return _with(course.variants(exercise), number, _solution(course, exercise))


def _with_mistakes(course: Course, number: int) -> _Work:
    work = {}
    for place, exercise in enumerate(course.exercises):
        work[exercise] = _solution(course, exercise)
        if (place + number) % min(3, len(course.exercises)) == 0:
            work[exercise] = _with(course.mutants(exercise), place + number, work[exercise])
    return work


def _with(suffixes: Path, number: int, solution: str) -> str:
    """The solution and one of the suffixes; the solution alone where there is none."""
    found = sorted(suffixes.glob("*.py"))
    if not found:
        return solution
    return f"{solution}\n\n{found[number % len(found)].read_text(encoding='utf-8')}"


def _attacks(course: Course) -> dict[str, tuple[Exercise, str]]:
    """A few attacks from all over the list, by their names."""
    stems = {exercise.id: exercise for exercise in course.exercises}
    found = {}
    for path in sorted(course.attacks().glob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        says = _docstring(text)
        if (exercise := stems.get(says.get("Exercise", ""))) is None or "Kind" in says:
            continue
        if not any(slow in says.get("Outcome", "") for slow in _SLOW):
            found[path.stem] = exercise, text
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
        path = folder / exercise.topic / f"{exercise.stem}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        if notebooks:
            path.with_suffix(".ipynb").write_text(_notebook(text), encoding="utf-8")
        else:
            path.write_text(text, encoding="utf-8")


def _pack(path: Path, work: _Work) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for exercise, text in work.items():
            packed.writestr(f"{path.stem}/{exercise.id}.py", text)


def _notebook(text: str) -> str:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": text}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
