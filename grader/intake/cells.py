"""Files of right and wrong answers to one exercise, each in a cell of the percent format.

    import jax.numpy as jnp          what stands before the first cell belongs to every cell

    # %% divides_by_length           the name, as in `--submission FILE::NAME`
    # Divides by the whole length.   what is wrong, or how it differs
    # Do: Divide by the number kept. what to do, for students whose examples show this (optional)
    # Breaks: Returns 2              the sentences of the stub that it breaks (optional)
    # At most half of the points.    for the mistake that the exercise is about (optional)
    # Its examples depend on the machine.    so `grader mistakes` leaves it out (optional)
    # Fails: test_mean, test_empty   the tests that a wrong answer must fail
    def masked_mean(x, mask): ...

    # %% once missed                 a divider: a suite has passed each of the answers below it
    from jax import lax              what stands here belongs to every cell below it, too

    # %% equivalent                  mutations of the solution that no test can notice, and why
    {"a + b -> b + a": "Addition commutes."}

    # %% harmless                    faults (`grader sabotage`) that no test has to notice, and why
    {"argument_absolute of `x`": "Counts are never negative."}

An answer is a suffix to the solution: it redefines what is different. The cells `equivalent` and
`harmless` hold declarations, and may stand anywhere. Nothing is executed here. Above the divider,
the most common mistake comes first: a demo and the compile cache take their answers from the top.
"""

import ast
import itertools
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec

from grader.records import files
from grader.records.errors import CourseError, UsageError
from grader.records.model import Problem

Filled = Annotated[str, msgspec.Meta(min_length=1)]
EQUIVALENT, HARMLESS = DECLARATIONS = ("equivalent", "harmless")
_MARKER = re.compile(r"^# ?%%(.*)\n?", re.MULTILINE)
AT_MOST_HALF = "At most half of the points."
UNSTEADY = "Its examples depend on the machine."
ONCE_MISSED = "once missed"
_NO_ANSWERS = (ONCE_MISSED, *DECLARATIONS)
_MARK = rf"Fails:|Breaks:|{re.escape(AT_MOST_HALF)}|{re.escape(UNSTEADY)}"
_END_OF_WORDS = re.compile(rf"^(?:Do:|{_MARK})", re.MULTILINE)
_DO = re.compile(rf"^Do:\s*([^\n]+(?:\n(?!{_MARK})[^\n]+)*)", re.MULTILINE)
_BREAKS = re.compile(rf"^Breaks:\s*([^\n]+(?:\n(?!{_MARK})[^\n]+)*)", re.MULTILINE)
_FAILS = re.compile(r"^Fails:\s*(.+)", re.MULTILINE | re.DOTALL)
WIDTH = 100


@dataclass(frozen=True)
class Cell:
    """One answer. `suffix` is what the cell shares with others, followed by the cell."""

    name: str
    line: int
    suffix: str
    fails: frozenset[str]
    at_most_half: bool = False
    breaks: frozenset[str] = frozenset()
    """The sentences of the stub that it breaks, such as `Returns 2`."""
    says: str = ""
    """What is wrong, or how it differs."""
    todo: str = ""
    """What to do about it."""
    is_unsteady: bool = False
    """Whether its examples depend on the machine: one hits a limit, or JAX's version decides."""
    once_missed: bool = False
    """Whether it stands below the divider."""

    def after(self, solution: str) -> str:
        """The program that is judged."""
        return f"{solution}\n\n{self.suffix}"


@dataclass(frozen=True)
class CellFile:
    """The cells that can be used, and what is wrong with the other ones."""

    path: Path
    cells: tuple[Cell, ...] = ()
    declared: Mapping[str, Mapping[str, str]] = field(
        default_factory=lambda: {name: {} for name in DECLARATIONS}
    )
    problems: tuple[Problem, ...] = ()

    @property
    def common(self) -> tuple[Cell, ...]:
        """The cells above the divider."""
        return tuple(cell for cell in self.cells if not cell.once_missed)

    def __getitem__(self, name: str) -> Cell:
        """Raises `UsageError` with the known names, or `CourseError` if the file is faulty."""
        for cell in self.cells:
            if cell.name == name:
                return cell
        if self.problems:
            raise CourseError("\n".join(map(str, self.problems)))
        known = ", ".join(f"`{cell.name}`" for cell in self.cells)
        raise UsageError(f"`{self.path}` has no cell `{name}`; it has: {known or 'none'}")


def write_fails(path: Path, fails: Mapping[str, Iterable[str]]) -> None:
    """Writes the tests that cells lose, by the names of the cells, after their `Fails:`."""
    text = path.read_text(encoding="utf-8")
    for name, tests in fails.items():
        said = f"Fails: {', '.join(tests)}"
        rows = textwrap.wrap(said, WIDTH - 2, break_long_words=False, break_on_hyphens=False)
        new = "".join(f"# {row}\n" for row in rows)
        comment = rf"^(# ?%% *{name} *\n(?:#(?! Fails:).*\n)*)(# Fails:.*\n(?:#.*\n)*)?"
        if match := re.search(comment, text, re.MULTILINE):
            text = f"{text[: match.end(1)]}{new}{text[match.end() :]}"
    files.write(path, text)


def insert(path: Path, cell: str) -> None:
    """Writes a cell below the common ones, above the divider and the declarations."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    ends = (m.start() for m in _MARKER.finditer(text) if m[1].strip() in _NO_ANSWERS)
    place = next(ends, len(text))
    parts = text[:place].rstrip(), cell.strip(), text[place:].strip()
    files.write(path, "\n\n\n".join(filter(None, parts)) + "\n")


def _nothing() -> dict[str, Mapping[str, str]]:
    return {name: {} for name in DECLARATIONS}


def read(path: Path, shown: str = "") -> CellFile:
    """The cells of a file; none if there is no such file. `shown` is its name in problems."""
    shown = shown or str(path)
    try:
        return _parse(path, shown, path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return CellFile(path)
    except (OSError, ValueError) as error:
        todo = "Save it as plain UTF-8 text."
        return CellFile(path, problems=(Problem(shown, f"can't be read: {error}", todo),))


def _parse(path: Path, shown: str, text: str) -> CellFile:
    before, *rest = _MARKER.split(text)
    cells: dict[str, Cell] = {}
    declared = _nothing()
    seen: set[str] = set()
    problems: list[Problem] = []

    def add(line: int, what: str, todo: str) -> None:
        problems.append(Problem(f"{shown}:{line}", what, todo))

    if fault := _fault(before, 0):
        add(*fault, "Fix the code before the first cell: it belongs to all.")
    shared = None if fault else _without_docstring(before)
    once_missed = False
    line = before.count("\n") + 1
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        name = title.strip()
        if name == ONCE_MISSED and name not in seen:
            once_missed = True
            if fault := _fault(body, line):
                add(*fault, "Fix the code below the divider: it belongs to all cells below it.")
            shared = None if fault or shared is None else f"{shared}{body.rstrip()}\n"
        elif not name:
            add(line, "a cell has no name", "Name it: `# %% divides_by_length`.")
        elif not name.isidentifier():
            add(line, f"`{name}` is not a name for a cell", "Use letters, digits and `_`.")
        elif name in seen:
            add(line, f"two cells are called `{name}`", "Rename one of them.")
        elif fault := _fault(body, line):
            add(*fault, f"Fix the cell `{name}`.")
        elif name in DECLARATIONS:
            if (found := _changes(body)) is None:
                todo = (
                    'Write `{"CHANGE": "REASON", ...}`, with changes as `grader mutate` or '
                    "`grader sabotage` prints them."
                )
                add(line, f"the cell `{name}` can't be read", todo)
            declared[name] = found or {}
        elif shared is not None:
            comment = _comment(body)
            cells[name] = Cell(
                name,
                line,
                suffix=f"{shared}{body.rstrip()}\n",
                fails=_listed(_FAILS, r"[\s,]+", comment),
                at_most_half=AT_MOST_HALF in comment,
                breaks=_listed(_BREAKS, r"\s*,\s*", comment),
                says=" ".join(_END_OF_WORDS.split(comment)[0].split()),
                todo=" ".join(match[1].split()) if (match := _DO.search(comment)) else "",
                is_unsteady=UNSTEADY in comment,
                once_missed=once_missed,
            )
        seen.add(name)
        line += body.count("\n") + 1
    return CellFile(path, tuple(cells.values()), declared, tuple(problems))


def _fault(code: str, lines_before: int) -> tuple[int, str] | None:
    """The line of a syntax error, and what is wrong there."""
    try:
        ast.parse("\n" * lines_before + code)
    except SyntaxError as error:
        return error.lineno or lines_before, f"is not Python: {error.msg}"
    except ValueError as error:
        return lines_before + 1, f"is not Python: {error}"
    return None


def _without_docstring(code: str) -> str:
    tree = ast.parse(code)
    start = tree.body[0].end_lineno if ast.get_docstring(tree) is not None else 0
    return "".join(code.splitlines(keepends=True)[start:])


def _comment(body: str) -> str:
    """What stands at the top."""
    lines = itertools.takewhile(lambda line: line.startswith("#"), body.splitlines())
    return "\n".join(line.lstrip("# ") for line in lines)


def _listed(mark: re.Pattern[str], between: str, comment: str) -> frozenset[str]:
    """What a comment lists after a mark such as `Fails:`."""
    match = mark.search(comment)
    return frozenset(re.split(between, match[1].strip())) if match else frozenset()


def _changes(body: str) -> dict[str, str] | None:
    """The dict of a cell of declarations; None if it is anything else."""
    try:
        return msgspec.convert(ast.literal_eval(body.strip()), dict[Filled, Filled])
    except (ValueError, SyntaxError, TypeError):
        return None
