"""What a student may have: the files that the catalogue lists, and no secret line in them.

    exercises/ --README.md, catalog.toml, known_mistakes.jsonl, TOPIC/STEM.py, TOPIC/STEM.md--> a
    draft in the target --no line of a suite or a solution in it--> renamed into place

`TOPIC/STEM.md` ends before the explanation, unless the catalogue has another `explanations` than
"after_suite".

The code of a solution, another right answer or a suite is secret. Its imports, signatures, comments
and docstrings are not. A top-level definition isn't secret, either, if the stub holds it word for
word and the catalogue doesn't ask for it.
"""

import ast
import copy
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.course import notes
from grader.course.course import Course, mistakes_of
from grader.intake import source
from grader.records.errors import CourseError, UsageError, listed
from grader.records.model import Exercise, Problem

# Shorter lines are in every program. A solution may be a single short line. A suite has lines like
# `x = jnp.array([1.0, 2.0])`, and so may an example in a docstring.
SOLUTION_LINE = 16
SUITE_LINE = 26

TO_WRITE = "AUTHOR:"
"""What `grader new` writes before all that an author has to replace."""
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def write_handout(course: Course, folder: Path) -> list[Path]:
    """Writes the handout to `folder`, which must be new or empty; returns its files.

    Raises `UsageError` for a folder that isn't empty, and `CourseError` if a stub is missing, a
    file is a link, a secret line would be given away, or an author's work isn't done.
    """
    course.secrets()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            f"`{folder}` is not empty, and a handout overwrites nothing. Name a new folder, or "
            "remove that one first."
        )
    files = course.handout(explained=course.explanations != "after_suite")
    if unfinished := [name for name, data in files.items() if TO_WRITE.encode() in data]:
        raise CourseError(
            f"no handout was written: {listed(unfinished)} still say `{TO_WRITE}`, which students "
            "would read. Write what it asks for, and remove it; or remove the exercise."
        )
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".draft-") as inside:
        draft = Path(inside)
        for name, data in files.items():
            (draft / name).parent.mkdir(exist_ok=True)
            (draft / name).write_bytes(data)
        # Text that is in the wrong place may be a part of an explanation.
        misplaced = (problem for each in course.known for problem in of_notes(course, each))
        problems = [*leaks(course, draft), *misplaced]
        if not problems:
            for child in sorted(draft.iterdir()):
                child.rename(folder / child.name)
    if problems:
        if is_new:
            folder.rmdir()
        leaking = "\n".join(map(str, problems))
        raise CourseError(f"no handout was written, since it would leak:\n{leaking}")
    return [folder / name for name in files]


def is_unfinished(path: Path) -> bool:
    """Whether a file still holds what `grader new` left to its author."""
    return TO_WRITE in _text(path)


def of_notes(course: Course, exercise: Exercise) -> Iterator[Problem]:
    """What is wrong with the form of the notes on an exercise."""
    if rest := notes.read(course.notes(exercise)).rest:
        what = f"contains text that is neither a hint nor a picture: `{rest.splitlines()[0]}`"
        todo = (
            f"Put it below `{notes.EXPLANATION}`, or into `<details>` with a `<summary>`, each "
            "tag at the start of a line."
        )
        yield Problem(course.relative(course.notes(exercise)), what, todo)


def leaks(course: Course, folder: Path) -> list[Problem]:
    """Every line of a solution, a right answer or a suite that a file in `folder` holds.

    Explanations are left out, since they may show how it is done; the hints above them aren't.
    Comments and other spaces don't hide a line. The files of an exercise are searched for its own
    secrets, all other files for the secrets of every exercise: an idiom like
    `key, subkey = jax.random.split(key)` may solve one exercise and stand in another's docstring.
    """
    secrets = {exercise.stem: dict(_secrets(course, exercise)) for exercise in course.exercises}
    everything = {line: origin for own in secrets.values() for line, origin in own.items()}
    problems = []
    for name, stem, text in _searched(course, folder):
        squeezed = _squeezed(text)
        for secret, origin in secrets.get(stem, everything).items():
            if (start := squeezed.find(secret)) >= 0:
                line = squeezed.count("\n", 0, start) + 1
                what = f"contains a line of `{origin}`: `{secret}`"
                todo = "Students would read it. Remove it from one of the two files."
                problems.append(Problem(f"{name}:{line}", what, todo))
    return problems


def _searched(course: Course, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Each file's name in `folder`, the stem of its exercise, and the text that is searched."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        name, data = path.relative_to(folder).as_posix(), path.read_bytes()
        if name == course.known_mistakes.name:
            for exercise in course.exercises:
                own = mistakes_of(data, [exercise.id]).decode(errors="replace")
                yield f"{name} ({exercise.id})", exercise.stem, own
            continue
        text = data.decode(errors="replace")
        yield name, path.stem, notes.without_explanation(text) if path.suffix == ".md" else text


def _secrets(course: Course, exercise: Exercise) -> Iterator[tuple[str, str]]:
    """Each secret line, squeezed, and the file that it comes from."""
    given = _text(course.stub(exercise))
    stub = {_bare(node) for node in _parsed(given).body}
    # A program that is to be changed gives many lines of its solution away.
    known = set(_code_lines(given, ())) if exercise.has_program else set()
    for path in (course.right(exercise), course.solution(exercise)):
        text = _text(path)
        shared = [
            node
            for node in _parsed(text).body
            if getattr(node, "name", None) not in exercise.defines and _bare(node) in stub
        ]
        for line in _code_lines(text, shared):
            if len(line) >= SOLUTION_LINE and line not in known:
                yield line, course.relative(path)
    suite = course.suite(exercise)
    for line in _code_lines(_text(suite), ()):
        if len(line) >= SUITE_LINE and line not in known:
            yield line, course.relative(suite)


def _bare(node: ast.stmt) -> str:
    """The statement without its place and its docstring."""
    if isinstance(node, _Definition) and ast.get_docstring(node) is not None:
        node = copy.copy(node)
        node.body = node.body[1:]
    return ast.dump(node)


def _code_lines(text: str, shared: Iterable[ast.stmt]) -> Iterator[str]:
    """The lines of a program, squeezed, without those that are given or otherwise public."""
    public = {number for node in shared for number in _lines(node)}
    for node in ast.walk(_parsed(text)):
        public.update(_public(node))
    for number, line in enumerate(_squeezed(source.without_comments(text)).split("\n"), 1):
        if number not in public:
            yield line


def _public(node: ast.AST) -> Iterator[int]:
    """The numbers of the lines that are an import, a signature, a field or a docstring."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from _lines(node)
    if isinstance(node, ast.AnnAssign) and node.value is None:
        yield from _lines(node)
    if isinstance(node, _Definition):
        # A definition on one line ends with its first statement, which is secret.
        yield from range(node.lineno, node.body[0].lineno)
    if isinstance(node, _Definition | ast.Module) and ast.get_docstring(node) is not None:
        yield from _lines(node.body[0])


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _text(path: Path) -> str:
    """The text of a file, empty if it can't be read (`verify` reports that elsewhere)."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _parsed(text: str) -> ast.Module:
    """The syntax tree, empty if the text isn't Python (that is reported elsewhere, too)."""
    try:
        return ast.parse(text)
    except (ValueError, SyntaxError):
        return ast.Module([], [])


def _squeezed(text: str) -> str:
    """The text with single spaces, so that an indent or a new layout hides nothing."""
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))
