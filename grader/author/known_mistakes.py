"""Wrong answers -> what each shows in the examples of its stub, for `grader check` to recognise.

solutions/TOPIC/STEM.wrong.py --examples--> lines of exercises/known_mistakes.jsonl
solutions/TOPIC/STEM.py       --examples--> of `predict`: digests in exercises/TOPIC/STEM.md

What an example shows tells something only if the solution passes it. Answers below the divider are
left out: learners don't write them.
"""

import json
from collections.abc import Callable, Iterable, Iterator

from grader.author import stub_examples
from grader.course import notes
from grader.course.course import Course, mistakes_of
from grader.intake import cells, source
from grader.records import digests, files
from grader.records.model import Exercise, Problem, to_plain
from grader.student.example_pool import ExamplePool
from grader.student.facts import Flood, Lost
from grader.student.mistakes import Mistake, agree, read, shows

# These depend on the machine, too: on its speed and its memory.
_UNSURE = Lost | Flood


def write(
    course: Course,
    exercises: Iterable[Exercise],
    problems: list[Problem],
    *,
    again: bool = False,
    on_step: Callable[[str], None],
) -> int:
    """Writes the lines of these exercises that aren't up to date, with `again` those of all.

    Returns how many exercises have other lines now. Adds a problem for each example that the
    solution fails, and for each answer whose examples hit a limit; the lines of that exercise stay
    as they were. Runs the answers, as a student's own code is run: without a sandbox.
    """
    written = 0
    with ExamplePool() as pool:
        for exercise in exercises:
            if not again and is_fresh(course, exercise):
                continue
            if exercise.kind == "predict":
                _write_answers(course, exercise, pool)
            # The digest comes first: a file that is edited meanwhile makes the result stale.
            as_read = digest(course, exercise)
            wrong = [*stub_examples.of_solution(course, exercise, pool).values()]
            found = [] if wrong else [*_found(course, exercise, as_read, pool, wrong)]
            problems += wrong
            if not wrong:
                written += _replace(course, exercise, found)
                on_step(f"{exercise.id}: {len(found)} mistakes show in the examples")
    return written


def is_fresh(course: Course, exercise: Exercise) -> bool:
    """Whether it has lines that come from today's files; a `predict` exercise also has digests."""
    lacks = exercise.kind == "predict" and not notes.read(course.notes(exercise)).answers
    return not lacks and _made_from(course, exercise) == {digest(course, exercise)}


def is_stale(course: Course, exercise: Exercise) -> bool:
    """Whether it has lines that come from other files than today's."""
    return bool(_made_from(course, exercise) - {digest(course, exercise)})


def _made_from(course: Course, exercise: Exercise) -> set[str]:
    return {mistake.digest for mistake in read(course.known_mistakes, exercise.id)}


def digest(course: Course, exercise: Exercise) -> str:
    """Of what a mistake is made from: the stub, the solution, and what the wrong answers say."""
    answers = [
        [cell.says, cell.todo, cell.is_unsteady, source.bare(cell.suffix)]
        for cell in cells.read(course.wrong(exercise)).common
    ]
    files = digests.of_files([course.stub(exercise), course.solution(exercise)])
    return digests.of(files, answers)[:16]


def _write_answers(course: Course, exercise: Exercise, pool: ExamplePool) -> None:
    """Writes the digests of the solution's predictions below the explanation, if there is one."""
    path, place = course.notes(exercise), course.solution(exercise)
    text = course.solution_text(exercise)
    answers = stub_examples.run(course, exercise, text, place, pool, is_right=False).answers
    if answers and notes.read(path).explanation:
        text = notes.with_answers(path.read_text(encoding="utf-8"), answers)
        files.write(path, text.encode())


def _found(
    course: Course, exercise: Exercise, made_from: str, pool: ExamplePool, problems: list[Problem]
) -> Iterator[Mistake]:
    solution, place = course.solution_text(exercise), course.wrong(exercise)
    old = read(course.known_mistakes, exercise.id)
    for cell in cells.read(place).common:
        if cell.is_unsteady or not cell.says:
            continue
        text = cell.after(solution)
        facts = stub_examples.run(course, exercise, text, place, pool, is_right=False).facts
        unsure = sorted(type(fact).__name__.lower() for fact in facts if isinstance(fact, _UNSURE))
        if unsure:
            what = f"its examples {unsure[0]}, so what they show depends on the machine"
            todo = (
                f"Add the line `# {cells.UNSTEADY}` above its `Fails:`. If only a busy machine "
                "was the reason, run this again."
            )
            problems.append(Problem(f"{course.relative(place)}::{cell.name}", what, todo))
        elif facts:
            shown = shows(facts)
            # Two machines may round in another way. So what agrees stays as it is.
            before = (each.shows for each in old if each.says == cell.says)
            kept = next((each for each in before if agree(each, shown)), shown)
            yield Mistake(exercise.id, cell.says, cell.todo, kept, made_from)


def _line(mistake: Mistake) -> bytes:
    return json.dumps(to_plain(mistake), ensure_ascii=False).encode()


def _replace(course: Course, exercise: Exercise, found: Iterable[Mistake]) -> bool:
    """Puts these lines of an exercise in the place of those that are there; whether they differ."""
    path = course.known_mistakes
    old = path.read_bytes() if path.exists() else b""
    others = [each.id for each in course.known if each != exercise]
    rows = {*mistakes_of(old, others).splitlines(), *map(_line, found)}
    new = b"".join(row + b"\n" for row in sorted(rows))
    if new == old:
        return False
    files.write(path, new)
    return True
