"""A class of 300 and three assignments over HTTP, from the links to `canvas.csv`.

Every mark is the one that the command line gives to the same files.
"""

from __future__ import annotations

import csv
import io
import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.course.course import Course, find
from grader.intake import cells
from grader.records.model import Assignment, Person
from grader.serve.people import SESSION
from grader.serve.service import Service
from tests.conftest import write
from tests.serve.conftest import client, serving

ROOT = Path(__file__).parents[2]
STUDENTS = 300
WORK = {"hw1": "set_row", "hw2": "split_many", "hw3": "masked_mean"}
KINDS = 6
"""Different answers to each exercise: who writes the same is judged once."""


def answers(course: Course, stem: str) -> list[str]:
    exercise = course[stem]
    found = [course.solution_text(exercise)]
    for path in (course.right(exercise), course.wrong(exercise)):
        found += [cell.after(found[0]) for cell in cells.read(path).cells[: KINDS // 2]]
    return found[:KINDS]


def canvas(text: str) -> dict[str, str]:
    """The mark of each student's row."""
    head, *rows = csv.reader(io.StringIO(text))
    return {row[head.index("ID")]: row[-1] for row in rows if row[0].startswith("Student")}


def submit(service: Service, person: str, link: str, texts: dict[str, str]) -> None:
    browser = client(service)
    assert browser.post(link).status_code == 303
    for name, text in texts.items():
        place = f"/api/v1/assignments/{name}/exercises/{WORK[name]}/attempts"
        while (answer := browser.post(place, json={"text": text})).status_code == 503:
            time.sleep(1)  # the server is full; a client comes again
        assert answer.status_code == 202, person


@pytest.mark.slow
def test_a_class_of_three_hundred_gets_the_marks_of_the_command_line(tmp_path: Path) -> None:
    whole = find(ROOT)
    rules = tuple(
        Assignment(name, f"Homework {name[-1]}", (whole[stem].id,)) for name, stem in WORK.items()
    )
    course = replace(whole, assignments=rules)
    people = [Person(f"s{n}", f"Student {n}", canvas=str(n)) for n in range(1, STUDENTS + 1)]
    chance, pool = random.Random(1), {name: answers(whole, stem) for name, stem in WORK.items()}
    # One in ten submits nothing for an assignment.
    work = {
        one.id: {name: chance.choice(pool[name]) for name in WORK if chance.random() > 0.1}
        for one in people
    }
    with serving(tmp_path / "served", course, jobs=2) as service:
        service.database.add_people(people)
        rows = csv.DictReader(io.StringIO(service.people.links("", [one.id for one in people])))
        links = {row["id"]: row["link"] for row in rows}
        with ThreadPoolExecutor(16) as threads:
            list(threads.map(lambda p: submit(service, p, links[p], work[p]), work))
        teacher = client(service, service.people.issue(SESSION, "noether"))
        served = {}
        for name in WORK:
            while (made := teacher.post(f"/t/{name}/marks", timeout=600)).status_code == 409:
                time.sleep(1)  # attempts still wait for their verdicts
            assert made.status_code == 303
            served[name] = canvas(teacher.get(f"/t/{name}/files/canvas").text)
        seed = service.grader.seed
    for name, stem in WORK.items():
        place = tmp_path / name
        texts = {p: own[name] for p, own in work.items() if name in own}
        write(place, {f"{p}/{stem}.py": text for p, text in texts.items()})
        roster = "\n".join(["id,name,canvas", *(f"{p.id},{p.name},{p.canvas}" for p in people)])
        (tmp_path / "people.csv").write_text(roster)
        given = ["--roster", tmp_path / "people.csv", "--exercise", stem, "--seed", seed]
        out = tmp_path / f"{name}.csv"
        asked = ["grade", "--class", place, *given, "--course", ROOT, "--report", f"canvas={out}"]
        done = CliRunner().invoke(main, [str(word) for word in asked])
        assert done.exit_code == 0, done.output
        there = canvas(out.read_text())
        assert served[name] == there
        assert len(there) == STUDENTS
