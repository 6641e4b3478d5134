"""Makes the pictures of the documents from the real thing: `python docs/pictures.py [--out DIR]`.

    a small class --grader grade--> results --grader report, feedback--> pages --Chromium--> *.png
    the same class --grader serve--> exercise, board --Chromium--> *.png
    grader watch, grader race --terminal--> screen --rich--> *.svg

Run it on the newest JAX after a change of what a reader sees, and look at the pictures. A test
marked `slow` compares their words with those of a new run. It takes a minute or two, and needs the
extra `dev` and a Chromium with its chromedriver.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from grader.course.course import Course, load
from grader.intake import cells
from grader.records.model import Assignment, Exercise, Person
from grader.serve import server
from grader.serve.people import SESSION, Who

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from drawing.pages import a_browser, photograph  # noqa: E402  (the path comes first)
from drawing.terminals import COLUMNS, Terminal, draw  # noqa: E402

from tests.browser import NONE_HERE, find_browser  # noqa: E402
from tests.serve.conftest import running  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
MOST_BYTES = 150_000

PICTURES = {
    "class-page.png": (
        "The report of a class in a browser: a histogram of the marks, their median, the "
        "submissions that need attention, the most frequent misconceptions, and a bar of "
        "outcomes for each exercise."
    ),
    "class-page-dark.png": "The same report of a class in dark mode.",
    "student-page.png": (
        "A student's page in a browser: the mark, and for each exercise the tests that lost "
        "points, with the line of the student's file, what is wrong in it and what to change."
    ),
    "student-page-phone.png": "The same student's page on a phone, in one column.",
    "editor.png": (
        "An exercise of grader serve in a browser: the task on the left; on the right the editor, "
        "the verdict with the student's line and what to change, and a field to try a call."
    ),
    "board.png": (
        "A teacher's page of grader serve: what the class gets wrong at the moment, and a table "
        "with a row for each student and a column for each exercise."
    ),
    "watch.svg": (
        "A terminal with grader watch: the progress in the course, an example that fails, the "
        "student's line, the reason, what to change, and a first hint."
    ),
    "race.svg": (
        "A terminal with grader race: a histogram of the measured ratios left of the needed "
        "factor, bars for the evidence of each launch, and the verdict that the answer fails."
    ),
}
"""Every picture, with the text for a reader who can't see it."""

# What students hand in

TOO_SLOW = '''\
"""One program for every n: it always computes as many terms as anybody may ask for."""

import jax
import jax.numpy as jnp
from jax import lax

LONGEST = 200_000


def fib_like(a0: float | jax.Array, n: int) -> jax.Array:
    def next_term(pair, _):
        older, newer = pair
        return (newer, older + newer), older

    first = jnp.asarray(a0, jnp.float32)
    _, terms = lax.scan(next_term, (first, 2 * first), length=LONGEST)
    return terms[:n]
'''
EXERCISES = "set_row split_many masked_mean fib_like sum_logistic apply_batch sgd".split()
CLASS: dict[str, dict[str, str]] = {
    "Amara Okafor": {},
    "Ben Fischer": {"masked_mean": "boolean_index"},
    "Chen Wei": {},
    "Daniela Rossi": {"split_many": "unpacked_array", "sum_logistic": "textbook"},
    "Elif Kaya": {"masked_mean": "float_mask", "sgd": "plain_tuples"},
    "Felix Novak": {"fib_like": "too slow", "apply_batch": "python_loop"},
    "Grace Kim": {"set_row": "numpy_copy", "masked_mean": "numpy_mean"},
    "Hiro Tanaka": {},
    "Ines Moreau": {
        "masked_mean": "boolean_index",
        "fib_like": "too slow",
        "sum_logistic": "missing",
        "sgd": "plain_tuples",
    },
    "Jonas Berg": dict.fromkeys(EXERCISES[3:], "missing") | {"set_row": "numpy_copy"},
    "Kavya Nair": {"sum_logistic": "textbook"},
    "Liam Byrne": {"apply_batch": "python_loop", "sum_logistic": "quotient"},
    "Mina Haddad": {},
    "Noah Jansen": {"masked_mean": "float_mask", "sum_logistic": "numpy_exp"},
    "Olga Petrova": {"split_many": "unpacked_array"},
    "Pablo Ortiz": {"masked_mean": "boolean_index", "sgd": "none_dropped"},
    "Quinn Taylor": {"fib_like": "too slow"},
    "Rania Saleh": {},
    "Samuel Mensah": {"set_row": "numpy_copy", "sgd": "missing"},
    "Tara Lindgren": {
        "masked_mean": "numpy_mean",
        "fib_like": "too slow",
        "sum_logistic": "textbook",
        "sgd": "missing",
    },
    "Viktor Horvat": {"sum_logistic": "quotient", "apply_batch": "missing", "sgd": "missing"},
    "Yuki Sato": {"masked_mean": "boolean_index"},
    "Zoe Martin": {"fib_like": "missing", "sum_logistic": "numpy_exp"},
}
"""What isn't right, by student and exercise: a wrong answer's name, TOO_SLOW, or no file."""
# An upload that was cut short.
CUT_SHORT = "Will Evans.zip"
SHOWN = "Ines Moreau"
# Without a race, so that a verdict on the server doesn't wait for its turn.
SERVED = {"set_row", "split_many", "masked_mean", "sum_logistic", "apply_batch", "sgd"}


def make_class(course: Course, folder: Path) -> None:
    for student, answers in CLASS.items():
        for exercise in course.select(EXERCISES):
            answer = answers.get(exercise.stem, "")
            if answer != "missing":
                save(folder / student / f"{exercise.id}.py", text_of(course, exercise, answer))
    save(folder / CUT_SHORT, "PK\x03\x04")


def text_of(course: Course, exercise: Exercise, answer: str) -> str:
    if answer == "too slow":
        return TOO_SLOW
    solution = course.solution(exercise).read_text(encoding="utf-8")
    return cells.read(course.wrong(exercise))[answer].after(solution) if answer else solution


def save(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def grader(*arguments: str, cwd: Path) -> None:
    command = [sys.executable, "-m", "grader.cli", *arguments]
    # With a cache of its own, no verdict on speed is one that was "measured in an earlier run".
    own = os.environ | {"XDG_CACHE_HOME": str(cwd / "cache")}
    # `check` ends with 1 if something is left to do.
    done = subprocess.run(command, cwd=cwd, env=own, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"`{' '.join(command)}` ended with {done.returncode}:\n{done.stderr}")


# The pictures

WRONG = """\
if not mask.any():
        return 0.0
    return x[mask].mean()"""


def mistaken(stub: str) -> str:
    return stub.replace("raise NotImplementedError", WRONG)


def pages(folder: Path, out: Path) -> None:
    course = load(ROOT / "exercises" / "catalog.toml")
    make_class(course, folder / "homework")
    chosen = [word for stem in EXERCISES for word in ("--exercise", stem)]
    where = ("--course", str(ROOT), "--seed", "1")
    grader("grade", "--class", "homework", "--out", "results", *chosen, *where, cwd=folder)
    grader("report", "results", "html=class.html", cwd=folder)
    grader("feedback", "results", "pages", cwd=folder)
    (student,) = (folder / "pages").glob(f"{SHOWN.split()[0]}*.html")
    with a_browser(folder / "profile") as browser:
        for scheme, name in (("light", "class-page.png"), ("dark", "class-page-dark.png")):
            photograph(
                browser,
                (folder / "class.html").as_uri(),
                out / name,
                width=1200,
                last=".exercises",
                scheme=scheme,
            )
        photograph(browser, student.as_uri(), out / "student-page.png", width=1000, last="article")
        photograph(
            browser,
            student.as_uri(),
            out / "student-page-phone.png",
            width=390,
            last=".exercise:nth-of-type(2)",
            scale=2,
        )


def served(folder: Path, out: Path) -> None:
    course = load(ROOT / "exercises" / "catalog.toml")
    chosen = [exercise for exercise in course.select(EXERCISES) if exercise.stem in SERVED]
    homework = Assignment("homework", "Homework 3", tuple(one.id for one in chosen))
    course = replace(course, assignments=(homework,))
    stuck = course["masked_mean"]
    people = [Person(name.split()[0].lower(), name) for name in CLASS]
    teacher = Person("teacher", "The teacher")
    listening = server.bound(0, None)
    address = server.address_of(listening, "")
    with server.opened(folder / "served", course, address, jobs=2, seed="1") as service:
        service.database.add_people(people)
        service.database.add_people([teacher], teachers=True)
        accepted = [
            attempt.id
            for person in people
            for exercise in chosen
            if (answer := CLASS[person.name].get(exercise.stem, "")) != "missing"
            for attempt in service.submit(
                Who(person, False),
                homework.name,
                [(exercise, "", text_of(course, exercise, answer))],
            )
        ]
        (student,) = (person for person in people if person.name == SHOWN)
        typed = mistaken(service.seen(Who(student, False), homework, stuck).text)
        newest = service.submit(Who(student, False), homework.name, [(stuck, "", typed)])
        service.database.save_draft(student.id, homework.name, stuck.id, typed)
        with running(service, listening), a_browser(folder / "profile") as browser:
            while not all(
                service.database.attempt(name).is_done for name in [*accepted, newest[0].id]
            ):
                time.sleep(0.2)
            exercise_page = f"{address}/a/{homework.name}/{stuck.stem}"
            board = f"{address}/t/{homework.name}"
            for person, page, name, last in (
                (student, exercise_page, "editor.png", "#trial"),
                (teacher, board, "board.png", "#live tbody tr:nth-of-type(9)"),
            ):
                browser.get(f"{address}/enter")
                secret = service.people.issue(SESSION, person.id)
                browser.add_cookie({"name": service.cookie, "value": secret})
                photograph(browser, page, out / name, width=1200, last=last)


def watch(folder: Path, out: Path) -> None:
    grader("start", cwd=folder)
    mine = load(folder / "jax-by-exercises" / "catalog.toml")
    ours = load(ROOT / "exercises" / "catalog.toml")
    stuck = mine["masked_mean"]
    done = mine.exercises[: mine.exercises.index(stuck)]
    for exercise in done:
        shutil.copyfile(ours.solution(exercise), mine.stub(exercise))
    grader("check", *(exercise.stem for exercise in done), cwd=mine.stubs)
    command = [sys.executable, "-m", "grader.cli", "watch"]
    with Terminal(command, mine.stubs, COLUMNS, 26) as terminal:
        terminal.see("not started", "checked at")
        stub = mine.stub(stuck)
        save(stub, mistaken(stub.read_text(encoding="utf-8")))
        terminal.see("to fix", "checked at")
        terminal.type("h")
        terminal.see("hint 1 of 3")
        draw(terminal.screen, out / "watch.svg", "grader watch")
        terminal.type("q")
        terminal.ended()


def race(folder: Path, out: Path) -> None:
    save(folder / "attempt.py", TOO_SLOW)
    typed = "race fib_like --against attempt.py"
    command = [sys.executable, "-m", "grader.cli", *typed.split(), "--course", str(ROOT)]
    with Terminal(command, folder, COLUMNS, 26) as terminal:
        terminal.feed(f"$ grader {typed}\r\n")
        terminal.ended()
        draw(terminal.screen, out / "race.svg", "grader race")


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Makes the pictures of the documents.")
    parser.add_argument("--out", type=Path, default=FOLDER, help="default: docs/pictures")
    out = parser.parse_args(None if arguments is None else list(arguments)).out.resolve()
    if find_browser() is None:
        raise SystemExit(NONE_HERE)
    out.mkdir(parents=True, exist_ok=True)
    for make in (race, watch, served, pages):
        with tempfile.TemporaryDirectory(prefix="grader-pictures-") as folder:
            make(Path(folder), out)
    for name in PICTURES:
        print(f"{(out / name).stat().st_size:7} {out / name}")


if __name__ == "__main__":
    main()
