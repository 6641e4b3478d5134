"""The server's own capacity: `python -m tests.benchmarks.capacity`.

Judges answer at once, so what is measured is the server: its pages, its database and its queue.
For 100, 1,000 and 10,000 people with a term's history each, it prints per second

    answers    accepted, with their verdicts in the same response
    pages      of an exercise, beside its owner's history
    board      the teacher's page of the whole class
    events     of streams that follow answers, from the first to the verdict

and each as a ratio of the smallest class: a machine's speed is in no ratio. One process sends and
serves, so the numbers are lower bounds. `--people` chooses the classes.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx

from grader.api import Grader
from grader.course import course as courses
from grader.records.model import Assignment, ExerciseResult, Outcome, Person, TestResult
from grader.serve import server, service
from grader.serve.database import StoredAttempt
from grader.serve.people import SESSION, TOKEN
from grader.serve.service import Service
from grader.teacher.pending import Attempt
from tests.benchmarks.grading import ROOT
from tests.serve.conftest import running

CLASSES = (100, 1_000, 10_000)
EXERCISES, TERM = 8, 60
"""Exercises of the assignment, and earlier attempts of each person."""
SECONDS, CLIENTS = 4.0, 8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, nargs="+", default=CLASSES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    options = parser.parse_args()
    first: dict[str, float] = {}
    for people in options.people:
        for name, rate in measured(people, options.seconds).items():
            base = first.setdefault(name, rate)
            print(f"{people:>6} people  {name:<8} {rate:8.1f} a second  {rate / base:5.2f}x")


def measured(people: int, seconds: float) -> dict[str, float]:
    whole = courses.find(ROOT)
    names = tuple(exercise.id for exercise in whole.exercises[:EXERCISES])
    course = replace(whole, assignments=(Assignment("bench", "Bench", names, attempts="best"),))
    with ExitStack() as stack:
        for name, answer in (("submit", judged), ("known", unknown), ("ready", points)):
            stack.enter_context(patch.object(Grader, name, answer))
        stack.enter_context(patch.object(service, "LIMITS", ()))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        listening = server.bound(0, None)
        address = server.address_of(listening, "")
        made = stack.enter_context(server.opened(folder, course, address, jobs=2))
        fill(made, names, people)
        stack.enter_context(running(made, listening))
        http = stack.enter_context(httpx.Client(base_url=address, timeout=300, trust_env=False))
        chosen = random.Random(0).sample(range(people), min(people, 100))
        tokens = [made.people.issue(TOKEN, f"s{n}") for n in chosen]
        cookies = [made.people.issue(SESSION, f"s{n}") for n in chosen]
        teacher = {"Cookie": f"{made.cookie}={made.people.issue(SESSION, 'teacher')}"}
        stems = [name.rpartition("/")[2] for name in names]
        numbers = itertools.count()

        def answered(n: int) -> int:
            place = f"/api/v1/assignments/bench/exercises/{stems[n % EXERCISES]}/attempts"
            headers = {"Authorization": f"Bearer {tokens[n % len(tokens)]}"}
            body = {"text": f"n = {next(numbers)}"}
            assert http.post(f"{place}?wait=60", json=body, headers=headers).status_code == 200
            return 1

        def page(n: int) -> int:
            headers = {"Cookie": f"{made.cookie}={cookies[n % len(cookies)]}"}
            place = f"/a/bench/{stems[n % EXERCISES]}"
            answer = http.get(place, headers=headers)
            assert answer.status_code == 200, answer.text
            return 1

        def board(_: int) -> int:
            assert http.get("/t/bench/live", headers=teacher).status_code == 200
            return 1

        def events(n: int) -> int:
            place = f"/api/v1/assignments/bench/exercises/{stems[n % EXERCISES]}/attempts"
            headers = {"Authorization": f"Bearer {tokens[n % len(tokens)]}"}
            one = http.post(place, json={"text": f"n = {next(numbers)}"}, headers=headers).json()
            with http.stream("GET", f"/api/v1/attempts/{one['id']}/events", headers=headers) as got:
                return sum(line.startswith("data: ") for line in got.iter_lines())

        work: dict[str, Callable[[int], int]] = {
            "answers": answered,
            "pages": page,
            "board": board,
            "events": events,
        }
        return {name: rate(function, seconds) for name, function in work.items()}


def rate(function: Callable[[int], int], seconds: float) -> float:
    """How much of it all clients together get done in a second."""
    end, numbers = time.monotonic() + seconds, itertools.count()

    def works(_: int) -> int:
        count = 0
        while time.monotonic() < end:
            count += function(next(numbers))
        return count

    started = time.monotonic()
    with ThreadPoolExecutor(CLIENTS) as threads:
        return sum(threads.map(works, range(CLIENTS))) / (time.monotonic() - started)


def fill(made: Service, names: Sequence[str], people: int) -> None:
    """A class, and what each has submitted in a term: one real row for each exercise, repeated."""
    made.database.add_people(Person(f"s{n}") for n in range(people))
    made.database.add_people([Person("teacher")], teachers=True)
    text, at = "def f(x):\n    return x\n" * 20, time.time() - 1e6
    for name in names:
        one = StoredAttempt(0, name, "s0", "bench", name, "a.py", at, "waiting")
        made.database.accept(one, text, None)
        made.database.finish(name, verdict(name))
    columns = "path, text, state, outcome, causes, result, score"
    with sqlite3.connect(made.folder / "serve.db") as database:
        database.executemany(
            f"INSERT INTO attempts (id, person, assignment, exercise, at, {columns}) "
            f"SELECT ?, ?, 'bench', exercise, at + ?, {columns} FROM attempts WHERE id = ?",
            (
                (f"{n}-{tries}", f"s{n}", 60.0 * tries, names[tries % EXERCISES])
                for tries in range(TERM)
                for n in range(people)
            ),
        )
    database.close()


def verdict(exercise: str) -> ExerciseResult:
    said = "Shape (3,); a different shape is expected.\nf(x)\nexpected: 1\ngot: 2"
    tests = tuple(
        TestResult(f"t{n}", "It works.", Outcome.FAILED, 0.0, 1.0, 0.1, said) for n in range(6)
    )
    return ExerciseResult(exercise, Outcome.FAILED, 0.0, 6.0, tests)


def judged(_: Grader, work: Any, exercise: str, **__: object) -> Attempt[Any]:
    answer: Future[Any] = Future()
    answer.set_result(verdict(exercise))
    return Attempt(answer)


def unknown(_: Grader, items: Sequence[Any]) -> list[bool]:
    return [False for _ in items]


def points(_: Grader, name: str) -> dict[str, float]:
    return {name: 6.0}


if __name__ == "__main__":
    main()
