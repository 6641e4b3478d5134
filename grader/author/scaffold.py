"""`grader new`: a small exercise that works, and that an author turns into another.

    templates/*.txt --NAME, TITLE and ID filled in--> stub, notes, solution, right and wrong
    answers, suite --when all of them are written--> an entry at the end of the catalogue

An exercise in NumPy takes what is in `templates/numpy`, one of a kind what is in the folder of its
kind, and the rest from `templates`.

The exercise doubles an array, or asks three questions. `grader verify` finds no problem in it, so a
problem that it finds later comes from the author's last change.
"""

import json
import keyword
import re
import tomllib
from pathlib import Path

from grader.course.catalog import ID
from grader.course.course import Course, lay_out, load
from grader.records.errors import CourseError, UsageError
from grader.records.files import write
from grader.records.model import Exercise

FIRST_EXERCISE = "01_first/double"
TEMPLATES = Path(__file__).resolve().parent / "templates"


def new_exercise(
    course: Course, name: str, *, kind: str = "write", numpy: bool = False
) -> list[Path]:
    """Writes a working exercise `TOPIC/NAME` and its entry at the end of the catalogue.

    With `numpy`, its students write NumPy and no JAX, so its `kind` is `write`. Returns the files.
    Raises `UsageError` if the name can't be used, or a file is there already.
    """
    _require_usable(course, name)
    title = name.split("/")[1].replace("_", " ").capitalize()
    exercise = Exercise(name, title, (), numpy=numpy, kind=kind)
    files = {
        course.stub(exercise): "stub",
        course.notes(exercise): "notes",
        course.solution(exercise): "solution",
        course.right(exercise): "right",
        course.wrong(exercise): "wrong",
        course.suite(exercise): "suite",
    }
    if there := [str(path) for path in files if path.exists()]:
        raise UsageError(
            f"`{'`, `'.join(there)}` already exists, and nothing is overwritten. Remove it, or "
            "choose another name."
        )
    entered = _with_entry(course.catalog, exercise)
    written = [write(path, _filled(template, exercise)) for path, template in files.items()]
    return [*written, write(course.catalog, entered)]


def new_course(folder: Path, *, numpy: bool = False) -> list[Path]:
    """Starts a course in a new or empty folder, with one exercise that is complete."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            f"`{folder}` is not empty. Name a new folder to start a course in, or name an "
            "exercise, `TOPIC/NAME`, to add one to the course that is there."
        )
    catalog, readme = lay_out(folder)
    name = folder.resolve().name
    # A JSON string is a TOML string.
    write(catalog, _template("catalog").replace("NAME", json.dumps(name, ensure_ascii=False)))
    write(readme, _template("README").replace("NAME", name))
    return [readme, *new_exercise(load(catalog), FIRST_EXERCISE, numpy=numpy)]


def _require_usable(course: Course, name: str) -> None:
    stem = name.rpartition("/")[2]
    if not ID.fullmatch(name) or keyword.iskeyword(stem):
        raise UsageError(
            f"`{name}` can't be an exercise: it needs a topic and the name of a function, in lower "
            f"case, with a slash between them, as in `{FIRST_EXERCISE}`."
        )
    for exercise in course.exercises:
        if exercise.stem == stem:
            raise UsageError(
                f"the course `{course.name}` has `{exercise.id}` already, and two exercises can't "
                "share a file name. Choose another name."
            )


def _with_entry(catalog: Path, exercise: Exercise) -> bytes:
    """The catalogue with one more entry at its end. No byte before it changes."""
    old = catalog.read_bytes()
    entry = _filled("entry", exercise)
    if old and not old.endswith(b"\n"):
        entry = "\n" + entry
    if b"\r\n" in old:
        entry = entry.replace("\n", "\r\n")
    new = old + entry.encode()
    try:
        tomllib.loads(new.decode())
    except ValueError as error:
        raise CourseError(
            f"`{catalog}` can't take an entry at its end ({error}). Its exercises must be tables "
            "of the form `[[exercise]]`."
        ) from error
    return new


def _filled(template: str, exercise: Exercise) -> str:
    words = {"NAME": exercise.stem, "TITLE": exercise.title, "ID": exercise.id}
    text = _template(template, "numpy" if exercise.numpy else exercise.kind)
    return re.sub(r"\b(NAME|TITLE|ID)\b", lambda match: words[match[0]], text)


def _template(name: str, folder: str = "") -> str:
    path = TEMPLATES / folder / f"{name}.txt"
    if not path.is_file():
        path = TEMPLATES / path.name
    return path.read_text(encoding="utf-8")
