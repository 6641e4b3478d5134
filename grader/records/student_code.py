"""Runs a student's module cell by cell, and says where it raised; for workers and for `check`.

    "# cell 1", its text, "# cell 2" ... --run--> each cell by itself; one that raises ends alone
    an exception --places--> lines and columns in the student's file

Jupyter runs notebooks so. A demo may need a file, an `input()`, a package that isn't there: what
was defined before it and after it counts. Intake writes the lines `# cell N`
(`grader.intake.notebook`).
"""

import __future__

import ast
import bisect
import ctypes
import re
import threading
import traceback
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

SECONDS = 5.0
"""Of wall time for one cell, in Python code; what doesn't return to Python isn't ended."""

HEAD = re.compile(r"^# cell (\d{1,6})$", re.MULTILINE)

MOST = 20
"""So many cells that raised are named in the result."""

MOST_PLACES = 30

LeftOut = tuple[int, str]
"""The number of a cell, and the class of the exception that it raised."""


def head(number: int) -> str:
    """The line above a cell."""
    return f"# cell {number}"


def run(source: str, path: str, names: dict[str, Any], needed: Collection[str]) -> list[LeftOut]:
    """Runs every cell in `names`; returns those that raised.

    If a name is `needed` and no cell defined it, the first exception is raised after all.
    """
    tree = ast.parse(source, path)
    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                flags |= getattr(__future__, alias.name).compiler_flag
    failures: list[tuple[int, BaseException]] = []
    for number, cell in _cells(source, tree):
        code = compile(cell, path, "exec", flags, dont_inherit=True)
        try:
            with _limited(SECONDS):
                exec(code, names)
        except (Exception, SystemExit) as error:
            failures.append((number, error))
    if failures and not set(needed) <= names.keys():
        raise failures[0][1]
    return [(number, type(error).__name__[:80]) for number, error in failures[:MOST]]


def _cells(source: str, tree: ast.Module) -> Iterator[tuple[int, ast.Module]]:
    """The statements of each cell. Those above the first head are in a cell 0."""
    heads = [(source.count("\n", 0, m.start()) + 1, int(m[1])) for m in HEAD.finditer(source)]
    lines = [line for line, _ in heads]
    groups: dict[int, list[ast.stmt]] = {}
    for node in tree.body:
        groups.setdefault(bisect.bisect_right(lines, node.lineno), []).append(node)
    for group, body in sorted(groups.items()):
        yield heads[group - 1][1] if group else 0, ast.Module(body, [])


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raises `TimeoutError` in this thread after that time."""
    done = threading.Event()
    thread = threading.get_ident()

    def watch() -> None:
        if not done.wait(seconds):
            error = ctypes.py_object(TimeoutError)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), error)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def places(error: BaseException, path: str) -> list[list[int | None]]:
    """Line, last line, column and last column (in bytes) of the file's frames, innermost last."""
    own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    return [[f.lineno, f.end_lineno, f.colno, f.end_colno] for f in own[-MOST_PLACES:]]
