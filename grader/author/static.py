"""What is wrong with the files of a course, as far as that shows without grading anything.

course.catalog        each exercise has files, and no file belongs to none
stub                  has the solution's signatures; no line of a suite or a solution
catalogue             says `numpy = true` for what uses NumPy alone
right, wrong answers  can be read; there are enough
notes                 have hints and a picture above the explanation, and nothing else
known mistakes        come from today's files, if there are any
sentences             each is broken by a wrong answer, and each test is lost by one of these
tests                 no more than three checks share one sentence, if a stub has `Details`
"""

import ast
import dataclasses
import difflib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.author import known_mistakes, sentences
from grader.author.handout import TO_WRITE, is_unfinished, leaks, of_notes
from grader.author.marked_tests import marked_tests
from grader.course.course import Course
from grader.intake import cells
from grader.records import digests
from grader.records.model import Exercise, Problem
from grader.records.safe_text import counted

WRONG, RIGHT = 3, 2
"""How many wrong answers, and how many right ones, an exercise needs at least."""
MOST_CHECKS = 3
"""How many checks of a test may have the same words for a student who fails one."""
_JAX = re.compile(r"(?<![\w./])jax\b")  # also in an example, but not in a link


def of_course(course: Course) -> Iterator[Problem]:
    """What belongs to no exercise, and what a student must not get."""
    stray = course.stray_files()
    names = {path: _id(path) for path in stray}
    meant: set[str] = set()
    for exercise in course.exercises:
        if not _has_files(course, exercise):
            close = difflib.get_close_matches(exercise.id, sorted(set(names.values())), n=1)
            meant.update(close)
            yield _without_files(course, exercise, close)
    todo = "Add the exercise to `exercises/catalog.toml`, or remove the file."
    for path in stray:
        if names[path] not in meant:
            yield Problem(course.relative(path), "matches no exercise in the catalogue", todo)
    for problem in leaks(course, course.stubs):
        yield dataclasses.replace(problem, where=f"{course.stubs.name}/{problem.where}")


def can_be_graded(course: Course, exercise: Exercise) -> bool:
    """Whether stub, solution and suite are there, and are Python."""
    return not any(map(_trouble, _needed(course, exercise)))


def of_exercise(course: Course, exercise: Exercise) -> Iterator[Problem]:
    """What is wrong with the files of one exercise, if it has any."""
    if not _has_files(course, exercise):
        return
    needed = _needed(course, exercise)
    troubles = [_trouble(path) for path in needed]
    for path, trouble in zip(needed, troubles, strict=True):
        if trouble:
            todo = f"The exercise `{exercise.id}` needs it: write or fix it."
            yield Problem(course.relative(path), trouble, todo)
    yield from _answers(course, course.wrong(exercise), "wrong", WRONG)
    yield from _answers(course, course.right(exercise), "right", RIGHT)
    yield from of_notes(course, exercise)
    stub, solution, suite = troubles
    if not (stub or solution):
        yield from _signatures(course, exercise)
        yield from _numpy_alone(course, exercise)
    if known_mistakes.is_stale(course, exercise):
        what = f"its lines about `{exercise.id}` are older than the stub, solution or wrong answers"
        todo = f"Write them again: `grader mistakes {exercise.stem}`."
        yield Problem(course.relative(course.known_mistakes), what, todo)
    if not (stub or suite):
        yield from sentences.problems(course, exercise)
        yield from _crowded(course, exercise)


def unfinished(course: Course, exercises: Iterable[Exercise]) -> Iterator[Problem]:
    """The files that still hold what `grader new` left to their author."""
    for exercise in exercises:
        answers = course.notes(exercise), course.wrong(exercise), course.right(exercise)
        for path in (*_needed(course, exercise), *answers):
            if path.is_file() and is_unfinished(path):
                todo = "Write what it asks for, and remove it. No handout is written before that."
                yield Problem(course.relative(path), f"still says `{TO_WRITE}`", todo)


def _has_files(course: Course, exercise: Exercise) -> bool:
    answers = course.wrong(exercise), course.right(exercise)
    return any(path.exists() for path in (*_needed(course, exercise), *answers))


def _id(path: Path) -> str:
    """The exercise whose file it would be."""
    return f"{path.parent.name}/{path.name.partition('.')[0].removeprefix('test_')}"


def _without_files(course: Course, exercise: Exercise, close: list[str]) -> Problem:
    """One problem for all of them: most likely, the name is wrong."""
    what = f"`{exercise.id}` has no files"
    todo = "Write its files, or remove the entry."
    if close:
        what = f"{what}: did you mean `{close[0]}`?"
        todo = "Fix the `id` of the entry, or rename the files."
    return Problem(course.relative(course.catalog), what, todo)


def _answers(course: Course, path: Path, kind: str, least: int) -> Iterator[Problem]:
    where = course.relative(path)
    answers = cells.read(path, where)
    yield from answers.problems
    for cell in answers.cells:
        if kind == "wrong" and not cell.fails:
            what = f"the cell `{cell.name}` doesn't say which tests it must lose"
            todo = "End the comment at its top with `# Fails: test_a, test_b`."
            yield Problem(f"{where}:{cell.line}", what, todo)
    # A cell that can't be read is a problem of its own.
    if (count := len(answers.common)) < least and not answers.problems:
        todo = f"Write at least {least} cells, each under `# %% NAME`."
        yield Problem(where, f"contains {counted(count, f'{kind} answer')}", todo)


def _crowded(course: Course, exercise: Exercise) -> Iterator[Problem]:
    suite = course.suite(exercise)
    for test in marked_tests(suite):
        if test.checks > MOST_CHECKS:
            where, what = f"{course.relative(suite)}::{test.name}", f"has {test.checks} checks"
            todo = 'Say what each tries, `with case("in half precision", hint="..."):`.'
            yield Problem(where, f"{what} that share one sentence", todo)


def _needed(course: Course, exercise: Exercise) -> tuple[Path, Path, Path]:
    return course.stub(exercise), course.solution(exercise), course.suite(exercise)


def _trouble(path: Path) -> str | None:
    """Why a file can't be graded, or can't grade others."""
    try:
        ast.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return "is missing"
    except SyntaxError as error:
        return f"is not Python: line {error.lineno}: {error.msg}"
    except (OSError, ValueError) as error:
        return f"can't be read: {error}"
    return None


def _signatures(course: Course, exercise: Exercise) -> Iterator[Problem]:
    stub, solution = course.stub(exercise), course.solution(exercise)
    asked, solved = _definitions(stub), _definitions(solution)
    for name in exercise.defines:
        for path, definitions in ((stub, asked), (solution, solved)):
            if name not in definitions:
                todo = "The catalogue requires it: define it there, or fix `defines`."
                yield Problem(course.relative(path), f"does not define `{name}`", todo)
        if name in asked and name in solved and asked[name] != solved[name]:
            what = f"requires `{name}({asked[name]})`, but the solution has `({solved[name]})`"
            yield Problem(course.relative(stub), what, "Give both the same signature.")


def _numpy_alone(course: Course, exercise: Exercise) -> Iterator[Problem]:
    """Judged as JAX code, it would lose points for dtypes that are right in NumPy."""
    text = f"{course.stub_text(exercise)}\n{course.solution_text(exercise)}"
    if not exercise.numpy and "numpy" in digests.imported(text) and not _JAX.search(text):
        what = f"`{exercise.id}` uses only NumPy, but is judged as JAX code"
        todo = "Set `numpy = true` in its entry. If it is about JAX, import JAX in the stub."
        yield Problem(course.relative(course.catalog), what, todo)


def _definitions(path: Path) -> dict[str, str]:
    """Top-level names with their signatures; a class has the one of its `__init__`."""
    signatures = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            signatures[node.name] = ast.unparse(node.args)
        elif isinstance(node, ast.ClassDef):
            functions = (child for child in node.body if isinstance(child, ast.FunctionDef))
            makers = (ast.unparse(f.args) for f in functions if f.name == "__init__")
            signatures[node.name] = next(makers, "")
        elif isinstance(node, ast.Assign):
            signatures.update({t.id: "" for t in node.targets if isinstance(t, ast.Name)})
    return signatures
