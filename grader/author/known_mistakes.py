"""Wrong answers -> what each shows in the examples of its stub, for `grader check` to recognise.

tests/mutants/TOPIC/STEM.py --examples--> exercises/TOPIC/STEM.mistakes

What an example shows tells something only if the solution passes it.
"""

import json
from collections.abc import Callable, Iterable, Iterator

from grader.author import stub_examples
from grader.course.course import Course
from grader.intake import cells
from grader.records import digests, files
from grader.records.model import Exercise, Problem, to_plain
from grader.student.example_pool import ExamplePool
from grader.student.facts import Flood, Lost
from grader.student.mistakes import Mistake, Mistakes, read, shows

# These depend on the machine, too: on its speed and its memory.
_UNSURE = Lost | Flood


def write(
    course: Course,
    exercises: Iterable[Exercise],
    problems: list[Problem],
    *,
    on_step: Callable[[str], None],
) -> int:
    """Writes the files of these exercises where they aren't up to date; returns how many.

    Adds a problem for each example that the solution fails, and writes no file then. Runs the
    answers, as a student's own code is run: without a sandbox.
    """
    written = 0
    with ExamplePool() as pool:
        for exercise in exercises:
            if not is_stale(course, exercise):
                continue
            # The digest comes first: a file that is edited meanwhile makes the result stale.
            as_read = digest(course, exercise)
            if failed := stub_examples.of_solution(course, exercise, pool):
                problems += failed.values()
                continue
            found = Mistakes(as_read, tuple(_found(course, exercise, pool, on_step)))
            text = json.dumps(to_plain(found), indent=1, ensure_ascii=False)
            files.write(course.mistakes(exercise), f"{text}\n".encode())
            on_step(f"{exercise.id}: {len(found.mistakes)} mistakes show in the examples")
            written += 1
    return written


def is_stale(course: Course, exercise: Exercise) -> bool:
    return read(course.mistakes(exercise)).digest != digest(course, exercise)


def digest(course: Course, exercise: Exercise) -> str:
    """Of the files that a mistake is made from."""
    paths = (course.stub(exercise), course.solution(exercise), course.mutants(exercise))
    return digests.of_files(paths)[:16]


def _found(
    course: Course, exercise: Exercise, pool: ExamplePool, on_step: Callable[[str], None]
) -> Iterator[Mistake]:
    solution = course.solution_text(exercise)
    place = course.mutants(exercise)
    for cell in cells.read(place).cells:
        facts = stub_examples.found(course, exercise, cell.after(solution), place, pool)
        unsure = sorted(type(fact).__name__.lower() for fact in facts if isinstance(fact, _UNSURE))
        if unsure:
            on_step(
                f"{exercise.id}: `{cell.name}` is left out, since its examples {unsure[0]}. If "
                "only a busy machine was the reason, delete the file and run this again."
            )
        elif cell.says and facts:
            yield Mistake(cell.says, shows(facts), cell.todo)
