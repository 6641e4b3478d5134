"""The class of `grader demo`: the course's own solutions, variants, mutants and attacks.

Each submission mixes what the course has: two that are all right, three that are right in
another way, a few that are wrong somewhere, a hostile one, one that hands in half.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from grader.course import Course
from grader.model import Exercise

_NAMES = ("ada", "blaise", "carl", "daniel", "emmy", "felix", "grace", "henri")


def make_class(course: Course, folder: Path) -> str:
    """Writes the submissions as folders, and says in a sentence what was made."""
    for number, name in enumerate(_NAMES):
        student = folder / name
        student.mkdir(parents=True)
        for place, exercise in enumerate(course.exercises):
            if name == "henri" and place % 2:
                continue
            text = _text(course, exercise, number, place)
            target = student / exercise.topic / f"{exercise.stem}.py"
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
    hostile = _attacks(course, folder)
    return (
        f"A class of {len(_NAMES) + hostile}: ada hands in the solutions, blaise and carl other "
        "right ones,\nemmy, felix and grace a mistake here and there, henri half of it"
        + (f"; {hostile} try to cheat." if hostile else ".")
    )


def _text(course: Course, exercise: Exercise, number: int, place: int) -> str:
    solution = course.solution(exercise).read_text(encoding="utf-8")
    variants = sorted(course.variants(exercise).glob("*.py"))
    mutants = sorted(course.mutants(exercise).glob("*.py"))
    suffix = ""
    if number in (1, 2) and variants:
        suffix = variants[(number - 1) % len(variants)].read_text(encoding="utf-8")
    elif number >= 3 and mutants and (number + place) % 3 == 0:
        suffix = mutants[(number + place) % len(mutants)].read_text(encoding="utf-8")
    return f"{solution}\n\n{suffix}".rstrip() + "\n"


def _attacks(course: Course, folder: Path, most: int = 6) -> int:
    """A few attacks as students of their own; returns how many."""
    made = 0
    for path in sorted(course.attacks().glob("*.py"))[:: max(1, 50 // most)]:
        text = path.read_text(encoding="utf-8")
        doc = ast.get_docstring(ast.parse(text)) or ""
        match = re.search(r"^Exercise:\s*(\S+)", doc, re.MULTILINE)
        if match is None or "Kind: intake" in doc or made == most:
            continue
        exercise = course[match[1]]
        target = folder / f"mallory-{path.stem}" / f"{exercise.stem}.py"
        target.parent.mkdir()
        target.write_text(text, encoding="utf-8")
        made += 1
    return made
