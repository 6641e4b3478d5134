"""Imports point one way, and the processes that must not meet don't import each other."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import grader
from grader.course.course import Course

PACKAGE = Path(grader.__file__).parent

# From the top down. A room imports rooms of lower lines, never of its own line or above.
LAYERS = """
    cli
    commands
    lti
    serve
    delivery inspect_scorer
    screens
    reward
    author
    sabotage api
    student teacher
    executors reports
    judge
    race
    suite
    processes
    worker
    bench
    intake feedback sandbox
    cache
    course scoring files inputs
    wire catalog
    student_code
    model
    errors digests
"""
# Imports that the layers allow and the design forbids.
BANS = {
    # runs without a sandbox
    "student": {"executors", "judge", "suite", "race", "processes", "sandbox"},
    "reports": {"executors", "judge", "suite", "processes"},  # only writes records to files
    # hold no secrets
    "worker": {"course", "feedback", "inputs", "intake", "scoring"},
    "bench": {"course", "feedback", "inputs", "intake", "scoring"},
}
# Processes. They are started by name, never imported.
PROCESSES = {"judge", "worker"}
# The one exception: an author's debugger needs judge and worker in one process.
EXCEPTIONS = {("judge/standalone.py", "worker")}


def names(package: Path) -> dict[str, Path]:
    """Every module of a package by its name below the package."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        if parts[0] != "_course":
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path, known: Collection[str]) -> set[str]:
    """The modules that a module imports: in functions and for type checking, too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "grader":
            base = str(node.module).removeprefix("grader").removeprefix(".")
            for alias in node.names:
                whole = f"{base}.{alias.name}".removeprefix(".")
                found.add(whole if whole in known or not base else base)
        elif isinstance(node, ast.Import):
            whole_names = (alias.name for alias in node.names)
            found |= {name[7:] for name in whole_names if name.startswith("grader.")}
    return found - {"__version__", "IN_PACKAGE", ""}


def violations(package: Path) -> list[str]:
    """Every import that points to a room where it may not point."""
    layers = {room: n for n, line in enumerate(LAYERS.split("\n")) for room in line.split()}
    modules, found = names(package), []
    for module, path in modules.items():
        room = module.split(".")[0]
        if not room:
            continue
        for other in sorted({name.split(".")[0] for name in imports(path, modules)} - {room}):
            is_below = layers[other] > layers[room]
            is_banned = other in BANS.get(room, ()) or other in PROCESSES
            relative = path.relative_to(package).as_posix()
            if (not is_below or is_banned) and (relative, other) not in EXCEPTIONS:
                found.append(f"{relative} imports grader.{other}")
    return found


def circles(package: Path) -> list[set[str]]:
    """Modules that import each other, directly or through others."""
    modules = names(package)
    reached = {module: imports(path, modules) & set(modules) for module, path in modules.items()}
    grows = True
    while grows:
        more = {m: r.union(*(reached[other] for other in r)) for m, r in reached.items()}
        grows, reached = more != reached, more
    found = {
        frozenset(o for o in reached[m] if m in reached[o]) for m in reached if m in reached[m]
    }
    return sorted(map(set, found), key=sorted)


def test_imports_point_one_way() -> None:
    assert violations(PACKAGE) == []


def test_no_modules_import_each_other() -> None:
    assert circles(PACKAGE) == []


def test_every_room_has_a_layer() -> None:
    rooms = {name.split(".")[0] for name in names(PACKAGE)} - {""}
    assert rooms == set(LAYERS.split())


def test_an_import_upwards_would_be_seen(tmp_path: Path) -> None:
    (tmp_path / "wire.py").write_text("from grader.engine.judge import judge\n")
    (tmp_path / "worker").mkdir()
    (tmp_path / "worker" / "student.py").write_text("def f():\n    from grader import course\n")
    (tmp_path / "teacher").mkdir()
    (tmp_path / "teacher" / "store.py").write_text("import grader.engine.worker.student\n")
    assert violations(tmp_path) == [
        "teacher/store.py imports grader.engine.worker",
        "wire.py imports grader.engine.judge",
        "worker/student.py imports grader.course.course",
    ]


def test_a_circle_would_be_seen(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("def f():\n    from grader import two\n")
    (tmp_path / "two.py").write_text("if TYPE_CHECKING:\n    from grader.three import x\n")
    (tmp_path / "three.py").write_text("from grader.one import y\n")
    assert circles(tmp_path) == [{"one", "two", "three"}]


def test_every_map_names_what_lies_there() -> None:
    """A room's map is the docstring of its `__init__`; it has a word for each module and room."""
    missing = []
    for init in PACKAGE.rglob("__init__.py"):
        words = set(re.findall(r"\w+", ast.get_docstring(ast.parse(init.read_text())) or ""))
        for path in init.parent.iterdir():
            is_code = path.suffix == ".py" or (path / "__init__.py").is_file()
            if is_code and not path.stem.startswith("__") and path.stem not in words:
                missing.append(path.relative_to(PACKAGE).as_posix())
    assert missing == []


def test_no_two_classes_share_a_name() -> None:
    owners: dict[str, set[str]] = {}
    for module, path in names(PACKAGE).items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                owners.setdefault(node.name, set()).add(module)
    assert {name: found for name, found in owners.items() if len(found) > 1} == {}


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


def test_a_command_that_grades_leaves_jax_to_its_judges(foreign: Course, tmp_path: Path) -> None:
    """Nothing in its own process needs JAX, whose import would come before the judges' own."""
    (tmp_path / "double.py").write_text("def double(x):\n    return 2 * x\n")
    script = (
        "import sys; from grader.cli import main\n"
        f"try: main(['grade', 'double.py', '--course', {str(foreign.root)!r}])\n"
        "except SystemExit as end: print(end.code)\n"
        "print([m for m in ('jax', 'jinja2', 'numpy', 'pytest') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout.splitlines()[-2:] == ["0", "[]"], done.stderr


def test_the_pytest_plugin_costs_other_peoples_runs_no_jax() -> None:
    script = (
        "import sys, grader.engine.judge.pytest_entry\n"
        "print('jax' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]


def test_no_module_is_too_long_to_read_in_one_sitting() -> None:
    long = {
        str(path.relative_to(PACKAGE)): count
        for path in PACKAGE.rglob("*.py")
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 600
    }
    assert long == {}


def test_nothing_new_lies_at_the_top() -> None:
    """The output of a command was once committed there, as 43 files."""
    known = "exercises solutions grader tests docs pyproject.toml README.md LICENSE CHANGELOG.md"
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=PACKAGE.parent, check=True, capture_output=True, text=True
    )
    top = {name.partition("/")[0] for name in listed.stdout.split("\0")}
    assert {name for name in top if not name.startswith(".")} <= {*known.split(), ""}
