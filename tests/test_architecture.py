"""Imports point one way, and the processes that must not meet don't import each other."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grader

PACKAGE = Path(grader.__file__).parent

# From the top down: a module may import what stands in its own layer's `may`, nothing else.
_DATA = {"model", "errors", "records"}
_BASE = _DATA | {"wire"}
_STUDENT = {"handin", "hints", "progress", "session", "start"}
_READERS = {"intake", "course", "scoring", "reports", "archive", "notebook", "source"}
ALLOWED = {
    "cli": None,  # calls whatever a command needs
    "commands": None,
    "bundle": {"autograder", *_READERS, *_BASE},
    "autograder": {"pipeline", "store", *_READERS, *_BASE},
    "ci": {"changes", "check", "work", *_READERS, *_BASE},
    "changes": _DATA,
    "pipeline": {"executors", "keys", "store", *_READERS, *_BASE},
    "diff": {"store", *_DATA},
    "store": _DATA,
    "keys": {"course", *_DATA},
    "verify": {"claims", "handout", *_READERS, *_BASE},
    "strength": {"claims", "mutations", *_READERS, *_BASE},
    "claims": {"executors", *_READERS, *_BASE},
    "mutations": set(),
    "handout": _READERS | _BASE,
    "scaffold": _READERS | _BASE,
    "check": {"children", "feedback", "work", *_READERS, *_BASE},
    "children": _BASE,
    "watch": {"session", "terminal", "saves", "work", "check", "children", *_READERS, *_BASE},
    "session": {"hints", "progress", "work", "check", *_READERS, *_BASE},
    "start": {"handout", "notebooks", "progress", "work", *_READERS, *_BASE},
    "handin": {"progress", "work", *_READERS, *_BASE},
    "hints": {"progress", "work", "course", *_DATA},
    "progress": {"check", "work", "course", *_DATA},
    "notebooks": {"course", "notebook", *_DATA},
    "conditions": {"course"},
    "terminal": set(),
    "saves": set(),
    "work": {"course", "notebook", "notebooks", "source", *_DATA},
    "demo": _READERS | _BASE,
    "doctor": {"executors", *_READERS, *_BASE},
    "executors": {"course", *_BASE},
    "intake": {"course", "archive", "notebook", "source", *_DATA},
    "archive": {"notebook", "source", *_DATA},
    "notebook": {"source", *_DATA},
    "source": _DATA,
    "feedback": {"model"},
    "course": _DATA,
    "scoring": _DATA,
    "reports": {"check", "diff", "evidence", "feedback", *_STUDENT, *_DATA},
    "evidence": _DATA,
    "arrays": {"wire", *_DATA},
    "wire": _DATA,
    "model": set(),
    "records": {"model"},
    "errors": set(),
    # Two processes. `intake` serves an author's `--submission`; scoring and course are data.
    "judge": {"sandbox", "arrays", "course", "scoring", "evidence", "feedback", "intake", *_BASE},
    "worker": {"arrays", *_BASE},
    "sandbox": set(),
}
# The one place where the seam is dropped on purpose: an author's debugger.
EXCEPTIONS = {("judge/debug.py", "worker")}


def imports(path: Path) -> Iterator[str]:
    """The parts of the package that a module imports, in functions too, TYPE_CHECKING aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "grader":
            yield from (alias.name for alias in node.names if alias.name != "__version__")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("grader."):
            yield str(node.module).split(".")[1]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.startswith("grader.")]
            yield from (name.split(".")[1] for name in names)


def violations(package: Path) -> list[str]:
    found = []
    for path in sorted(package.rglob("*.py")):
        relative = path.relative_to(package)
        part = relative.parts[0].removesuffix(".py")
        if part in ("__init__", "_course"):
            continue
        allowed = ALLOWED[part]
        for name in set(imports(path)) - {part}:
            known = allowed is None or name in allowed
            if not known and (relative.as_posix(), name) not in EXCEPTIONS:
                found.append(f"{relative} imports grader.{name}")
    return found


def test_imports_point_one_way() -> None:
    assert violations(PACKAGE) == []


def test_an_import_upwards_would_be_seen(tmp_path: Path) -> None:
    (tmp_path / "wire.py").write_text("from grader.judge import service\n")
    (tmp_path / "worker").mkdir()
    (tmp_path / "worker" / "student.py").write_text("def f():\n    from grader import course\n")
    assert violations(tmp_path) == [
        "wire.py imports grader.judge",
        "worker/student.py imports grader.course",
    ]


def test_the_command_line_imports_neither_jax_nor_numpy() -> None:
    script = (
        "import sys; from grader.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = ('jax', 'jinja2', 'numpy', 'rich', 'pytest', 'msgpack')\n"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_pytest_plugin_costs_other_peoples_runs_no_jax() -> None:
    script = "import sys, grader.judge.plugin; print('jax' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]


def test_no_module_is_too_long_to_read_in_one_sitting() -> None:
    long = {
        str(path.relative_to(PACKAGE)): count
        for path in PACKAGE.rglob("*.py")
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}
