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

# From the top down. A package imports packages of lower lines, never of its own line or above.
LAYERS = """
    cli
    commands
    serve inspect_scorer
    delivery
    reward
    output
    author api
    teacher student
    suite
    engine
    intake feedback
    course
    records
"""
# The same inside the packages whose parts must not know each other.
INSIDE = """
    engine.executors
    engine.judge
    engine.race
    engine.suite
    engine.processes
    engine.worker
    engine.bench
    engine.sandbox
    engine.wire

    output.screens
    output.reports

    records.cache
    records.safe_text records.evidence
    records.scoring records.inputs
    records.student_code records.files
    records.model
    records.errors records.digests
"""
# From outside, the engine is entered here alone.
ENTRY = "engine.executors"
# Imports that the layers allow and the design forbids.
BANS = {
    "student": {"engine"},  # runs without a sandbox
    "output.reports": {"engine"},  # only writes records to files
    # hold no secrets
    "engine.worker": {"course", "feedback", "records.inputs", "intake", "records.scoring"},
    "engine.bench": {"course", "feedback", "records.inputs", "intake", "records.scoring"},
}
# Processes. They are started by name, never imported.
PROCESSES = {"engine.judge", "engine.worker"}
# An author's debugger needs judge and worker in one process; suites import what they may use.
EXCEPTIONS = {("engine/judge/standalone.py", "engine.worker"), ("suite.py", "engine.suite")}
MOST_AT_THE_TOP = 22
MOST_ARROWS = 80


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
    """Every import that points to a package where it may not point."""
    outer, inner = ordered(LAYERS), ordered(INSIDE)
    modules, wrong = names(package), []
    for module, path in modules.items():
        if not module:
            continue
        mine, relative = parts_of(module), path.relative_to(package).as_posix()
        for top, part in sorted({parts_of(name) for name in imports(path, modules)}):
            if mine[0] != top:
                is_below = outer[top] > outer[mine[0]]
            else:
                is_below = part not in inner or mine[1] not in inner or inner[part] > inner[mine[1]]
                is_below = is_below or part == mine[1]
            is_banned = bool({top, part} & (BANS.get(mine[0], set()) | BANS.get(mine[1], set())))
            is_banned |= part in PROCESSES and part != mine[1]
            is_banned |= top == "engine" != mine[0] and part != ENTRY
            if (not is_below or is_banned) and (relative, part) not in EXCEPTIONS:
                wrong.append(f"{relative} imports grader.{part}")
    return wrong


def ordered(layers: str) -> dict[str, int]:
    return {name: n for n, line in enumerate(layers.split("\n")) for name in line.split()}


def parts_of(module: str) -> tuple[str, str]:
    """The package of a module, and the part of it: `engine` and `engine.judge`."""
    parts = module.split(".")
    return parts[0], ".".join(parts[:2])


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


def test_every_package_has_a_layer() -> None:
    modules = [name for name in names(PACKAGE) if name]
    assert {name.split(".")[0] for name in modules} == set(LAYERS.split())
    layered = {name.split(".")[0] for name in INSIDE.split()}
    inside = {parts_of(name)[1] for name in modules if name.split(".")[0] in layered}
    assert inside - layered == set(INSIDE.split())


def test_the_top_of_the_package_stays_small() -> None:
    modules = names(PACKAGE)
    tops = {name.split(".")[0] for name in modules if name}
    arrows = {
        (name.split(".")[0], other.split(".")[0])
        for name, path in modules.items()
        if name
        for other in imports(path, modules)
    }
    assert len(tops) <= MOST_AT_THE_TOP
    assert sum(mine != other for mine, other in arrows) <= MOST_ARROWS


def test_an_import_upwards_would_be_seen(tmp_path: Path) -> None:
    files = {
        "records/errors.py": "from grader.records import model\n",
        "records/model.py": "from grader.engine.judge import judge\n",
        "engine/wire/values.py": "from grader.engine.bench import bench\n",
        "engine/bench/bench.py": "from grader.engine.wire import values\n",
        "engine/worker/student.py": "def f():\n    from grader.course import course\n",
        "engine/worker/zygote.py": "from grader.records import inputs, model\n",
        "engine/judge/judge.py": "from grader.engine.executors.client import JudgeClient\n",
        "engine/executors/client.py": "from grader.engine.judge import judge\n",
        "teacher/store.py": "import grader.engine.suite.codec\n",
        "teacher/pending.py": "from grader.engine.executors import client\n",
        "student/check.py": "from grader.engine.executors import client\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in ("course/course", "records/inputs", "engine/suite/codec"):
        (tmp_path / f"{name}.py").parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{name}.py").write_text("")
    assert sorted(violations(tmp_path)) == [
        "engine/executors/client.py imports grader.engine.judge",
        "engine/judge/judge.py imports grader.engine.executors",
        "engine/wire/values.py imports grader.engine.bench",
        "engine/worker/student.py imports grader.course.course",
        "engine/worker/zygote.py imports grader.records.inputs",
        "records/errors.py imports grader.records.model",
        "records/model.py imports grader.engine.judge",
        "student/check.py imports grader.engine.executors",
        "teacher/store.py imports grader.engine.suite",
    ]


def test_a_circle_would_be_seen(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("def f():\n    from grader import two\n")
    (tmp_path / "two.py").write_text("if TYPE_CHECKING:\n    from grader.three import x\n")
    (tmp_path / "three.py").write_text("from grader.one import y\n")
    assert circles(tmp_path) == [{"one", "two", "three"}]


def test_every_map_names_what_lies_there() -> None:
    """A package's map is the docstring of its `__init__`: a word for each module and package."""
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
