"""`grader serve --demo`: a class of three and a teacher, in a folder that goes at the end."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from grader.course.course import Course
from grader.records.model import Assignment, Person
from grader.serve.people import LINK
from grader.serve.service import Service
from grader.teacher.demo import excerpt

STUDENTS = (Person("ada", "Ada"), Person("ben", "Ben"), Person("eve", "Eve"))
TEACHER = Person("teacher", "The teacher")


@contextmanager
def new_folder(folder: Path | None) -> Iterator[Path]:
    """The folder, or a new one that is deleted at the end."""
    if folder is not None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="grader-serve-") as made:
        yield Path(made)


def course(whole: Course) -> Course:
    """A few exercises of a course as its only assignment."""
    part = excerpt(whole)
    names = tuple(exercise.id for exercise in part.exercises)
    return replace(part, assignments=(Assignment("demo", "A first homework", names),))


def links(service: Service) -> str:
    """A line with a link for each of the four."""
    service.database.add_people(STUDENTS)
    service.database.add_people([TEACHER], teachers=True)
    return "\n".join(
        f"{person.name:<12} {service.address}/enter/{service.people.issue(LINK, person.id)}"
        for person in (*STUDENTS, TEACHER)
    )
