"""What a student may have: an allow-list from the catalogue, and proof that it tells nothing.

    exercises/ --README.md, catalog.toml, TOPIC/STEM.py, TOPIC/STEM.hints--> a draft in the
    target --no line of a suite or a solution in it--> renamed into place

Secret is what a solution, a variant or a suite does. What it imports, its signatures, comments
and docstrings are not, nor what the stub gives away on purpose: a top-level definition that the
stub holds word for word and the catalogue doesn't ask for.
"""

from __future__ import annotations

import ast
import copy
import io
import shutil
import tempfile
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.course import Course
from grader.errors import CourseError, UsageError
from grader.model import Exercise, Problem

# Shorter lines are in every program. A solution may be a single short line; a suite says things
# like `x = jnp.array([1.0, 2.0])`, as an example in a docstring does too.
SOLUTION_LINE = 16
SUITE_LINE = 26

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def write_handout(course: Course, folder: Path) -> list[Path]:
    """Writes the handout to `folder`, which must be new or empty; returns its files.

    Raises `UsageError` for a folder with something in it, and `CourseError` if the course lacks
    a stub, has a link where a file should be, or would give away a line that is secret.
    """
    course.secrets()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            f"`{folder}` is not empty, and a handout overwrites nothing. Name a new folder, or "
            "remove that one first."
        )
    files = {path.relative_to(course.stubs): path for path in allowed(course)}
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".draft-") as inside:
        draft = Path(inside)
        for name, path in files.items():
            (draft / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(path, draft / name)
        problems = leaks(course, draft)
        if not problems:
            for child in sorted(draft.iterdir()):
                child.rename(folder / child.name)
    if problems:
        if is_new:
            folder.rmdir()
        listed = "\n".join(str(problem) for problem in problems)
        raise CourseError(f"no handout was written, since it would leak:\n{listed}")
    return [folder / name for name in files]


def leaks(course: Course, folder: Path) -> list[Problem]:
    """Every line of a solution, a variant or a suite that a file in `folder` holds.

    A comment, or other spaces, hide nothing. The files of an exercise are searched for its own
    secrets, all others for everybody's: an idiom like `key, subkey = jax.random.split(key)` may
    solve one exercise and stand in the docstring of another.
    """
    secrets = {exercise.stem: dict(_secrets(course, exercise)) for exercise in course.exercises}
    everything = {line: origin for own in secrets.values() for line, origin in own.items()}
    found = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        text = _squeezed(path.read_text(encoding="utf-8", errors="replace"))
        for secret, origin in secrets.get(path.stem, everything).items():
            if (start := text.find(secret)) >= 0:
                line = text.count("\n", 0, start) + 1
                found.append(
                    Problem(
                        f"{path.relative_to(folder).as_posix()}:{line}",
                        f"holds a line of `{origin}`: `{secret}`",
                        "Students would read it. Take it out of one of the two files.",
                    )
                )
    return found


def allowed(course: Course) -> list[Path]:
    """The files of a handout. Raises `CourseError` naming each that is missing or a link."""
    needed = [course.stubs / "catalog.toml", *map(course.stub, course.exercises)]
    optional = [course.stubs / "README.md"]
    optional += [course.stub(exercise).with_suffix(".hints") for exercise in course.exercises]
    files = needed + [path for path in optional if path.exists() or path.is_symlink()]
    wrong = [f"`{path}` is missing" for path in needed if not path.exists()]
    for path in files:
        # A link would be followed, perhaps to a solution. Folders on the way count too.
        real = course.stubs.resolve() / path.relative_to(course.stubs)
        if path.is_symlink() or (path.exists() and path.resolve() != real):
            wrong.append(f"`{path}` is, or lies behind, a link")
        elif path.exists() and not path.is_file():
            wrong.append(f"`{path}` is not a file")
    if wrong:
        raise CourseError(
            f"the course `{course.name}` can't be handed out: {'; '.join(wrong)}. "
            "Put real files in these places, or take the entries out of `catalog.toml`."
        )
    return sorted(files)


def _secrets(course: Course, exercise: Exercise) -> Iterator[tuple[str, str]]:
    """Each secret line, squeezed, and the file that it comes from."""
    stub = {_bare(node) for node in _parsed(course.stub(exercise)).body}
    for path in (*sorted(course.variants(exercise).glob("*.py")), course.solution(exercise)):
        given = [
            node
            for node in _parsed(path).body
            if getattr(node, "name", None) not in exercise.defines and _bare(node) in stub
        ]
        for line in _code_lines(path, given):
            if len(line) >= SOLUTION_LINE:
                yield line, _origin(path)
    suite = course.suite(exercise)
    for line in _code_lines(suite, ()):
        if len(line) >= SUITE_LINE:
            yield line, _origin(suite)


def _bare(node: ast.stmt) -> str:
    """The statement without its place and its docstring."""
    if isinstance(node, _Definition) and ast.get_docstring(node) is not None:
        node = copy.copy(node)
        node.body = node.body[1:]
    return ast.dump(node)


def _code_lines(path: Path, given: Iterable[ast.stmt]) -> Iterator[str]:
    """Lines of `path`, squeezed, without what is public in them."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return
    public = {number for node in given for number in _lines(node)}
    for node in ast.walk(_parsed(path)):
        public.update(_public(node))
    for number, line in enumerate(_squeezed(_without_comments(text)).split("\n"), 1):
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


def _parsed(path: Path) -> ast.Module:
    """The syntax tree; an empty one for what can't be read, which is not told here."""
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError):
        return ast.Module([], [])


def _without_comments(text: str) -> str:
    lines = text.split("\n")
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column]
    except (tokenize.TokenError, SyntaxError):
        pass
    return "\n".join(lines)


def _squeezed(text: str) -> str:
    """The text with single spaces, so that an indent or a new layout hides nothing."""
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def _origin(path: Path) -> str:
    return "/".join(path.parts[-4:])
