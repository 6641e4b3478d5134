"""The examples of a stub on an author's answers, run by the same code as for `grader check`.

    examples of the stub, on the solution or on another answer --example_pool--> Facts, Problems

A right answer that fails an example is a problem, since `check` would call it wrong.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from grader.course import notes
from grader.course.course import Course
from grader.intake import cells
from grader.records import digests
from grader.records.cache import Cache
from grader.records.model import Exercise, Problem, to_plain
from grader.student import doctests, facts
from grader.student.check import questioned
from grader.student.example_pool import ExamplePool
from grader.student.workspace import Work
from grader.teacher.result_keys import of_machine


def problems(
    course: Course,
    exercises: Iterable[Exercise],
    on_step: Callable[[str], None],
    *,
    again: bool = True,
) -> Iterator[Problem]:
    """The examples that the solution fails; and those that only another right answer fails.

    Without `again`, exercises are left out whose examples have passed before on this machine.
    """
    passed, machine = Cache("examples"), of_machine("grader.student.examples")
    with ExamplePool() as pool:
        for exercise in exercises:
            places = course.stub, course.solution, course.right, course.notes
            files = [path for place in places if (path := place(exercise)).exists()]
            key = digests.of(machine, to_plain(exercise), digests.of_files(files))
            has_examples = any(doctests.examples(ast.parse(course.stub_text(exercise))))
            if has_examples and (again or not passed.has(key)):
                on_step(f"examples {course.relative(course.stub(exercise))}")
                failed = of_solution(course, exercise, pool)
                found = [*failed.values(), *_of_right(course, exercise, pool, failed)]
                yield from found
                if not found:
                    passed.touch(key)


def of_solution(course: Course, exercise: Exercise, pool: ExamplePool) -> dict[str, Problem]:
    """A problem for each example that the solution fails, by the text of the example."""
    answer, stub = course.solution(exercise), course.relative(course.stub(exercise))
    text = course.solution_text(exercise)
    todo = "Fix the example, or the solution: `grader check` would call a right answer wrong."
    return {
        fact.example.source: Problem(
            f"{stub}:{fact.example.line or 1}",
            f"the solution fails the example {_example(fact)}\n{_seen(fact)}",
            todo,
        )
        for fact in run(course, exercise, text, answer, pool, is_right=True).facts
        if fact.example.source
    }


def _of_right(
    course: Course, exercise: Exercise, pool: ExamplePool, failed: dict[str, Problem]
) -> Iterator[Problem]:
    solution, place = course.solution_text(exercise), course.right(exercise)
    stub = course.relative(course.stub(exercise))
    todo = "Let the example show what every right answer gives, or fix this answer."
    for cell in cells.read(place).cells:
        for fact in run(course, exercise, cell.after(solution), place, pool, is_right=True).facts:
            if fact.example.source and fact.example.source not in failed:
                at = f"at line {fact.example.line} of `{stub}`"
                what = f"fails the example {_example(fact)} {at}\n{_seen(fact)}"
                yield Problem(f"{course.relative(place)}::{cell.name}", what, todo)


def run(
    course: Course, exercise: Exercise, text: str, place: Path, pool: ExamplePool, *, is_right: bool
) -> facts.FileFacts:
    """What the examples of the stub show on an answer from `place`.

    The predictions of one that `is_right` are compared with their digests, too.
    """
    question = questioned(exercise, Work(text), place, course.stub_text(exercise))
    answers = notes.read(course.notes(exercise)).answers if is_right else ()
    asked = answers if exercise.kind == "predict" else None
    of_stub = replace(question, only_stub=True, answers=asked)
    return pool.ask(exercise, of_stub, lambda _: None, lambda: True)


def _example(fact: facts.Fact) -> str:
    first, *more = fact.example.source.splitlines()
    return f"`{first}{' ...' * bool(more)}`"


def _seen(fact: facts.Fact) -> str:
    wanted = f"expected: {fact.example.expected}\n" * bool(fact.example.expected)
    return f"{wanted}came: {_came(fact)}"


def _came(fact: facts.Fact) -> str:
    match fact:
        case facts.Wrong() | facts.Quiet():
            return fact.got.rstrip() or "nothing"
        case facts.Uncaught():
            return f"{fact.classes[0]}: {fact.text}".rstrip(": \n")
        case facts.ToDo() | facts.Flood():
            return fact.classes[0]
        case facts.Mispredicted():
            return f"entries {fact.entries} unlike the digests, which `grader mistakes` writes"
        case facts.Hung():
            return "no answer in time"
        case facts.Died():
            return "the process ended"
    return "None"
