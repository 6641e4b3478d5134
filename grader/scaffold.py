"""`grader new`: a small exercise that works, for an author to turn into another.

    templates/*.txt --NAME, TITLE and ID filled in--> stub, hints, solution, suite, mutants,
    variants --when all of them are written--> an entry at the end of the catalogue

The exercise doubles an array. From the first minute `grader verify` has nothing to say against
it, so that whatever it says later is about what the author has just changed.
"""

from __future__ import annotations

import json
import keyword
import re
import tomllib
from pathlib import Path

from grader.course import ID, Course, load
from grader.errors import CourseError, UsageError
from grader.model import Exercise

FIRST_EXERCISE = "01_first/double"
TEMPLATES = Path(__file__).resolve().parent / "templates"
MUTANTS = ("squares", "float_factor", "numpy_inside")
VARIANTS = ("adds", "primitive")


def new_exercise(course: Course, name: str) -> list[Path]:
    """Writes a working exercise `TOPIC/NAME` and its entry at the end of the catalogue.

    Returns what was written. Raises `UsageError` for a name that can't be used, and before
    anything is overwritten.
    """
    _require_usable(course, name)
    exercise = Exercise(name, name.split("/")[1].replace("_", " ").capitalize(), ())
    stub = course.stub(exercise)
    files = {
        stub: "stub",
        stub.with_suffix(".hints"): "hints",
        course.solution(exercise): "solution",
        course.suite(exercise): "suite",
        **{course.mutants(exercise) / f"{stem}.py": f"mutants/{stem}" for stem in MUTANTS},
        **{course.variants(exercise) / f"{stem}.py": f"variants/{stem}" for stem in VARIANTS},
    }
    if there := [str(path) for path in files if path.exists()]:
        raise UsageError(
            f"`{'`, `'.join(there)}` is there already, and nothing is overwritten. Remove it, or "
            "take another name."
        )
    catalog = course.stubs / "catalog.toml"
    entered = _with_entry(catalog, exercise)
    for path, template in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, _filled(template, exercise))
    beside = catalog.with_name("catalog.toml.part")
    beside.write_bytes(entered)
    beside.replace(catalog)
    return [*files, catalog]


def new_course(folder: Path) -> list[Path]:
    """Starts a course in a new or empty folder, with one exercise that is complete."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            f"`{folder}` is not empty. Name a new folder to start a course in, or name an "
            "exercise, `TOPIC/NAME`, to add one to the course that is there."
        )
    stubs = folder.resolve() / "exercises"
    stubs.mkdir(parents=True)
    (stubs.parent / "solutions").mkdir()
    name = stubs.parent.name
    # A JSON string is a TOML string.
    quoted = json.dumps(name, ensure_ascii=False)
    _write(stubs / "catalog.toml", _template("catalog").replace("NAME", quoted))
    _write(stubs / "README.md", _template("README").replace("NAME", name))
    course = load(stubs / "catalog.toml")
    return [stubs / "README.md", *new_exercise(course, FIRST_EXERCISE)]


def _require_usable(course: Course, name: str) -> None:
    stem = name.rpartition("/")[2]
    if not ID.fullmatch(name) or keyword.iskeyword(stem):
        raise UsageError(
            f"`{name}` can't be an exercise: it takes a topic and the name of a function, in "
            f"lower case, with a slash between them, as in `{FIRST_EXERCISE}`."
        )
    for exercise in course.exercises:
        if exercise.stem == stem:
            raise UsageError(
                f"the course `{course.name}` has `{exercise.id}` already, and files are told "
                "apart by their name alone. Take another name."
            )


def _with_entry(catalog: Path, exercise: Exercise) -> bytes:
    """The catalogue with an entry more at its end, and not a byte changed before it."""
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
            f"`{catalog}` can't take an entry at its end ({error}). Its exercises have to be "
            "tables of the form `[[exercise]]`."
        ) from error
    return new


def _filled(template: str, exercise: Exercise) -> str:
    words = {"NAME": exercise.stem, "TITLE": exercise.title, "ID": exercise.id}
    return re.sub(r"\b(NAME|TITLE|ID)\b", lambda match: words[match[0]], _template(template))


def _template(name: str) -> str:
    return (TEMPLATES / f"{name}.txt").read_text(encoding="utf-8")


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
