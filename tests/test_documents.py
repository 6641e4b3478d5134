"""Every command and every Python block in the documents is run, page by page, as a reader would.

A page is run from top to bottom in a folder of its own. A block with a caption becomes that file, a
block of Python is executed, and in a console block the text after `$ ` is run by a shell; each
line shown below it has to be in what it printed. `...` stands for lines that are left out.

`ELSEWHERE` has the commands that aren't run here, each with the test, or the line of CI, that runs
it. `PREPARED` says what a page leaves to its reader, such as a mistake in a file.
"""

from __future__ import annotations

import ast
import fnmatch
import functools
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click
import pytest

from grader import __version__
from grader.cli import main
from grader.course.course import find
from grader.student.start import start

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", ".github/CONTRIBUTING.md", "exercises/README.md")),
    *sorted(path for path in (ROOT / "docs").rglob("*.md")),
]
NAMES = [path.relative_to(ROOT).as_posix() for path in PAGES]
FENCED = re.compile(
    r"^(?P<fence>`{3,}|:{3,})(?P<info>[^\n]*)\n(?P<body>.*?)^(?P=fence)$", re.DOTALL | re.MULTILINE
)
OPTION = re.compile(r":([\w-]+): *(.*)")
COMMENT = re.compile(r"\s+#.*")
PROGRAM = re.compile(r"(?:\.venv/bin/)?(python3?|pip|pytest|grader) \S")

CI, SESSIONS = ".ci/run", ".ci/noxfile.py"
VENV = 'python3 -m venv .venv && .venv/bin/pip install -e ".[dev]"'
ELSEWHERE = {
    f"{VENV} && .venv/bin/grader demo": SESSIONS,
    f"{VENV} && .venv/bin/pytest -n 2": CI,
    "grader demo": SESSIONS,
    "grader watch": "test_a_student_works_through_an_exercise",
    'python -m pip install -e ".[ci]"': CI,
    "grader grade --class homework/ --out results/ --executor dask://10.0.0.5:8786": (
        "test_a_cluster_gives_the_same_marks_though_a_worker_dies"
    ),
    "grader mutate smooth --course .": (
        "test_a_strong_suite_kills_and_what_is_equivalent_has_a_reason"
    ),
    "grader sabotage smooth --course .": ("test_the_report_names_what_nobody_checks"),
    "grader ci": "test_elsewhere_it_is_plain_text_and_what_is_right_passes",
    "grader ci work/ --course .": ("test_the_courses_own_run_grades_with_the_hidden_suites"),
    "grader new 03_jit/my_exercise": (
        "test_an_author_starts_a_course_adds_an_exercise_and_hands_it_out"
    ),
}


Prepare = Callable[[Path], None]


def nothing(_: Path) -> None:
    """Nothing has to be there."""


@dataclass(frozen=True)
class Page:
    """What a page leaves to its reader."""

    start: Prepare = nothing  # what its folder holds at the start
    before: dict[str, Prepare] = field(default_factory=dict)  # what is done before a command
    exits: dict[str, list[int]] = field(default_factory=dict)  # where they aren't 0, in turn
    suite_of: str = ""  # the exercise that its Python blocks with tests judge


def a_students_course(folder: Path) -> None:
    start(folder)


def a_mistake(folder: Path) -> None:
    """A student's mistake: it counts the elements without the mask."""
    stub = folder / "03_jit" / "masked_mean.py"
    naive = "return x.sum() / mask.sum()"
    stub.write_text(stub.read_text().replace("raise NotImplementedError", naive))


def a_class(folder: Path) -> None:
    """Two students."""
    (folder / "homework").mkdir()
    ours = find(start=ROOT)
    for name, place in (("ada", ours.solution), ("ben", ours.stub)):
        target = folder / "homework" / name / "masked_mean.py"
        target.parent.mkdir()
        shutil.copyfile(place(ours["masked_mean"]), target)


def a_graded_class(folder: Path) -> None:
    """The class of three as the first page for teachers leaves it, before Ben's correction."""
    follow(read("docs/teachers.md").partition("## Grade a correction")[0], folder, Page())


def the_first_exercise(folder: Path) -> None:
    """The course as the first page for authors leaves it, without its proof."""
    proof = re.compile(r"^\$ grader verify .*\n(?:(?!\$ |```).*\n)*", re.MULTILINE)
    follow(proof.sub("", read("docs/authors.md")), folder, Page())


def without_the_first_exercise(folder: Path) -> None:
    """As the page says: its files, and its entry in the catalogue."""
    course = find(folder)
    first = course["double"]
    for path in [*folder.rglob("double.*"), course.suite(first)]:
        path.unlink(missing_ok=True)
    entry = '\n[[exercise]]\nid = "01_first/double"\ntitle = "Double"\n'
    course.catalog.write_text(course.catalog.read_text().replace(entry, ""))


SMOOTH = "tests/hidden/02_tracking/test_smooth.py"
SMOOTH_WRONG = "solutions/02_tracking/smooth.wrong.py"
PREPARED: dict[str, Page] = {
    "README.md": Page(
        before={
            "grader check masked_mean": a_mistake,
            "grader grade --class homework/ --exercise masked_mean --out results/": a_class,
        },
        exits={"grader check masked_mean": [1]},
        suite_of="masked_mean",
    ),
    "exercises/README.md": Page(
        start=a_students_course,
        exits={f"grader check{name}": [1] for name in (" set_row", " 01_arrays", "")},
    ),
    "docs/authors.md": Page(exits={"grader verify smooth --course .": [1, 0]}),
    "docs/authors-improve.md": Page(
        start=the_first_exercise,
        before={"grader handout ../handout/": without_the_first_exercise},
        exits={
            f"pytest {SMOOTH} --submission attempt.py": [1],
            f"pytest {SMOOTH} --submission {SMOOTH_WRONG}::swapped_weights": [1],
        },
    ),
    "docs/authors-port.md": Page(exits={"grader verify basics --course .": [1]}),
    "docs/reference/suites.md": Page(suite_of="masked_mean"),
    "docs/teachers-results.md": Page(start=a_graded_class),
    "docs/teachers-publish.md": Page(start=a_graded_class),
    "docs/teachers-rules.md": Page(start=a_graded_class),
    "docs/first-exercise.md": Page(exits={"grader check slope": [1, 0]}),
    "docs/students.md": Page(exits={"grader check set_row": [1, 0]}),
}


@dataclass(frozen=True)
class Block:
    """A fenced block: `kind` is the language, or the directive in braces."""

    kind: str
    argument: str
    options: dict[str, str]
    lines: tuple[str, ...]

    @property
    def is_python(self) -> bool:
        """Whether it is Python to execute. With a caption it is a file."""
        is_code = self.kind == "{code-block}" and self.argument == "python"
        return (self.kind in ("python", "py") or is_code) and "caption" not in self.options

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


def blocks(text: str) -> Iterator[Block]:
    for found in FENCED.finditer(text):
        kind, _, argument = found["info"].strip().partition(" ")
        lines = found["body"].splitlines()
        options: dict[str, str] = {}
        while kind.startswith("{") and lines and (option := OPTION.fullmatch(lines[0])):
            options[option[1]] = option[2]
            del lines[0]
        if options and lines and not lines[0]:
            del lines[0]
        yield Block(kind, argument, options, tuple(lines))


def commands(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Every command of a console block, or of a plain one, and the lines that are shown below."""
    if not block.kind:
        yield from ((COMMENT.sub("", line), []) for line in block.lines if PROGRAM.match(line))
    if block.kind != "console":
        return
    command, shown = "", list[str]()
    for line in (*block.lines, "$ "):
        if line.startswith("$ "):
            if command:
                yield command, shown
            command, shown = COMMENT.sub("", line[2:]).strip(), []
        else:
            shown.append(line)


def inline(text: str) -> Iterator[str]:
    """The commands of ours in running text; a placeholder in capitals is none."""
    for span in re.findall(r"`([^`\n]+)`", FENCED.sub("", text)):
        if re.match(r"grader [a-z]", span):
            yield span


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def in_blocks(name: str) -> list[str]:
    return [command for block in blocks(read(name)) for command, _ in commands(block)]


def is_run_here(name: str) -> bool:
    page = blocks(read(name))
    return any(
        block.is_python or any(c not in ELSEWHERE for c, _ in commands(block)) for block in page
    )


RUN = list(filter(is_run_here, NAMES))


def test_a_page_is_read_as_its_reader_sees_it() -> None:
    text = (
        "Run `grader list`, `x` or `grader COMMAND`.\n\n"
        "```console\n$ grader a  # why\nout\n$ cd b\n```\n"
        "```\npython3 -m c\na drawing\n```\n"
        "```{code-block} python\n:caption: a/b.py\n\nx = 1\n```\n"
    )
    console, plain, file = blocks(text)
    assert list(commands(console)) == [("grader a", ["out"]), ("cd b", [])]
    assert list(commands(plain)) == [("python3 -m c", [])]
    assert (file.options, file.text) == ({"caption": "a/b.py"}, "x = 1\n")
    assert list(inline(text)) == ["grader list"]


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
def test_a_page_does_as_it_says(name: str, tmp_path: Path) -> None:
    page = PREPARED.get(name, Page())
    page.start(tmp_path)
    follow(read(name), tmp_path, page)


def follow(text: str, folder: Path, page: Page) -> None:
    """Does what a page says, in `folder`."""
    names: dict[str, object] = {"__name__": "page"}
    here = folder
    exits = {command: iter(codes) for command, codes in page.exits.items()}
    for block in blocks(text):
        if caption := block.options.get("caption"):
            (here / caption).parent.mkdir(parents=True, exist_ok=True)
            (here / caption).write_text(block.text, encoding="utf-8")
        elif block.is_python and page.suite_of and "def test_" in block.text:
            judge(block.text, page.suite_of, folder / "suite")
        elif block.is_python:
            exec(compile(block.text, "page", "exec"), names)
        for command, shown in commands(block):
            if command in ELSEWHERE:
                continue
            if command.startswith("cd "):
                here = here / command.removeprefix("cd ")
                assert here.is_dir(), command
                continue
            page.before.get(command, nothing)(here)
            run(command, shown, here, next(exits.get(command, iter(())), 0))


def judge(text: str, exercise: str, course: Path) -> None:
    """Runs tests as the suite of that exercise."""
    ours = find(start=ROOT)
    for path in (ours.catalog, ours.stub(ours[exercise]), ours.solution(ours[exercise])):
        target = course / ours.relative(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    suite = course / ours.relative(ours.suite(ours[exercise]))
    suite.parent.mkdir(parents=True, exist_ok=True)
    imports = "import numpy as np\nimport pytest\nfrom grader.suite import assert_close\n\n"
    suite.write_text(imports + text, encoding="utf-8")
    run(f"pytest -q -p no:cacheprovider {suite}", [], course, 0)


def run(command: str, shown: list[str], folder: Path, exit_code: int) -> None:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": programs, "COLUMNS": "80", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said = f"$ {command}\n{done.stdout}"
    assert done.returncode == exit_code, said
    printed = [line.rstrip() for line in done.stdout.splitlines()]
    missing = [line for line in shown if line.strip() != "..." and line.rstrip() not in printed]
    assert missing == [], said


def test_a_page_that_lies_is_noticed(tmp_path: Path) -> None:
    follow("```console\n$ echo a\na\n```\n", tmp_path, Page())
    with pytest.raises(AssertionError):
        follow("```console\n$ echo a\nb\n```\n", tmp_path, Page())
    with pytest.raises(AssertionError):
        follow("```console\n$ exit 3\n```\n", tmp_path, Page())
    with pytest.raises(ZeroDivisionError):
        follow("```python\n1 / 0\n```\n", tmp_path, Page())


def test_what_runs_elsewhere_is_shown_and_run() -> None:
    shown = {command for name in NAMES for command in in_blocks(name)}
    assert set(ELSEWHERE) <= shown
    gone = [place for place in ELSEWHERE.values() if not is_there(place)]
    assert gone == []
    assert set(PREPARED) <= set(RUN)


def is_there(place: str) -> bool:
    """Whether there is that file, or a test of that name."""
    if not place.startswith("test_"):
        return (ROOT / place).is_file()
    files = (ROOT / "tests").rglob("test_*.py")
    return any(f"\ndef {place}(" in path.read_text(encoding="utf-8") for path in files)


def test_a_test_that_is_gone_is_missed() -> None:
    assert is_there("test_a_test_that_is_gone_is_missed")
    assert not is_there("test_that_never_was")
    assert not is_there("test_never.py")


def test_what_ci_runs_stands_in_its_scripts() -> None:
    assert "'s/^\\(python3 -m venv .*bin\\/pytest -n 2\\)$/" in read(CI)
    assert 'pip install --quiet -e ".[ci]"' in read(CI)
    assert '"grader", "demo"' in read(SESSIONS)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_of_ours_has_its_options(name: str) -> None:
    """Wherever it runs, the command line has to accept these words."""
    text = read(name)
    found = [c for c in in_blocks(name) if c.startswith("grader ")]
    for command in dict.fromkeys([*found, *inline(text)]):
        _, first, *arguments = shlex.split(command.split(" > ")[0].split(" && ")[0])
        known: click.Command = main.commands[first]
        if isinstance(known, click.Group):  # `grader serve DIR` starts the server
            is_named = bool(arguments) and arguments[0] in known.commands
            known = known.commands[arguments.pop(0) if is_named else "start"]
        # A command keeps the help option of the first context that asks for it.
        context = click.Context(known, parent=click.Context(main, **main.context_settings))
        try:
            known.make_parser(context).parse_args(arguments)
        except click.BadOptionUsage:  # `--out` in a sentence, without its value
            assert command not in found


# What running text names


CODE = re.compile(r"`([^`\n]+)`")
# What a page names and this repository doesn't have: files of readers, and what is gone.
OF_READERS = {
    "docs/authors-port.md": "basics.py homework.py",
    "docs/decisions/0018-what-went-before-0-1-0.md": (
        "--anonymous --changed --plot --mutate --sabotage --promises"
    ),
    "docs/reference/files.md": (
        "ada.py course/ xla/ flags/ collected/ proved/ warm/ verdicts/ claims/ examples/ faults/"
    ),
    "docs/explanation/threat-model.md": "submitted/ inbound/",
    "docs/reference/submissions.md": "*.py *ed/ inbound/ homework/ada/ jd42/hw1/",
    "docs/reference/suites.md": "tests/hidden/conftest.py work/fit.py",
    "docs/serve.md": "serve.db hw1.toml decisions.toml",
    "docs/teachers.md": "submitted/ inbound/ hw1-submissions/ assignment_1234_export/ ben.py",
    "docs/teachers-results.md": "results/ stub.py",
}
# Options of pytest, nox, Docker, Dask and XLA, and of scripts that a page runs with `python -m`.
OF_OTHERS = {
    *(
        "--security-opt",
        "--user",
        "--pdb",
        "--import-mode",
        "--cpus",
        "--dashboard-address",
        "--name-only",
        "--relative",
    ),
    *("--upgrade", "--force-reinstall"),
    *("--xla_gpu_enable_triton_gemm", "--quick", "--write", "--all", "--session", "--list"),
}


@functools.cache
def options() -> set[str]:
    """Every option of our commands, and of our plugin of pytest."""
    plugin = read("grader/engine/judge/pytest_entry.py")
    own = {o for command in below(main) for p in command.params for o in p.opts}
    return own | set(re.findall(r'"(--[\w-]+)"', plugin)) | {"--help"}


def below(command: click.Command) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for one in command.commands.values():
            yield from below(one)


def gone(text: str) -> Iterator[str]:
    """The paths, rooms, modules and options in running text that don't exist."""
    known = options() | OF_OTHERS
    for span in CODE.findall(FENCED.sub("", text)):
        is_ours = re.match(r"(grader|docs|tests|exercises|solutions|\.ci|\.github)/", span)
        is_path = re.fullmatch(r"[\w./-]+/|[\w./-]*[\w-]+\.py", span) or is_ours
        places = [ROOT / at / span for at in (".", "grader", "exercises", "tests/hidden")]
        yield from (o for o in re.findall(r"(?<![\w/-])--[a-z][\w-]*", span) if o not in known)
        script = re.match(r"python -m (tests(\.\w+)+)", span)
        name = script[1] if script else span
        if re.fullmatch(r"(grader|tests)(\.\w+)+", name) and not is_importable(name):
            yield name
        # In capitals it stands for a name. `.grader/` is in a student's folder.
        is_plain = re.fullmatch(r"(?!\.grader/)[\w./-]+", span)
        if is_path and is_plain and not re.search(r"\b[A-Z]{3}", span):
            is_module = "/" not in span and span in modules()
            if not is_module and not any(place.exists() for place in places):
                yield span


@functools.cache
def modules() -> set[str]:
    """The name of every file of Python."""
    folders = [ROOT / name for name in ("grader", "tests", "docs", "exercises")]
    return {path.name for folder in folders for path in folder.rglob("*.py")}


def is_importable(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    try:
        return bool(pkgutil.resolve_name(name))
    except (ImportError, AttributeError):
        # With an extra that isn't installed, the module is there all the same.
        return (ROOT / f"{name.rpartition('.')[0].replace('.', '/')}.py").is_file()


@pytest.mark.parametrize("name", NAMES)
def test_what_a_page_names_is_there(name: str) -> None:
    allowed = OF_READERS.get(name, "").split()
    missing = set(gone(read(name)))
    assert missing - {w for w in missing if any(fnmatch.fnmatch(w, a) for a in allowed)} == set()


def test_what_is_gone_is_missed() -> None:
    text = "`worker/live.py`, `grader/engine/judge/host.py`, `oracle/`, `grader.people`, `--plot`"
    text += ", `python -m tests.benchmarks.never`"
    assert set(gone(text)) == {
        *("worker/live.py", "grader/engine/judge/host.py", "oracle/", "grader.people", "--plot"),
        "tests.benchmarks.never",
    }
    assert not list(gone("`engine/judge/`, `seat.py`, `grader.suite.raises`, `tests/TOPIC/x.py`"))


DESIGN = "docs/explanation/design.md"
CALL = re.compile(r"^ ?\d+  ([\w/]+) +([\w.]+) ", re.MULTILINE)


def test_the_map_of_the_design_names_every_package() -> None:
    map_ = read(DESIGN).partition("## The map of the package")[2].partition("\n## ")[0]
    rows = [row.split("|")[1] for row in map_.splitlines() if row.startswith("| ")]
    named = {word.rstrip("/") for row in rows for word in CODE.findall(row)}
    paths = (ROOT / "grader").iterdir()
    there = {p.stem for p in paths if p.suffix == ".py" or (p / "__init__.py").is_file()}
    inside = {"reports", "screens", "serve/lti", "author/sabotage", "Submission", "Grader"}
    assert named - inside == there - {"__init__", "__main__"}


def test_the_calls_of_the_design_are_in_the_code() -> None:
    calls = CALL.findall(read(DESIGN))
    assert len(calls) == 12
    missing = []
    for module, name in calls:
        nodes: list[ast.stmt] = ast.parse(read(f"grader/{module}.py")).body
        for part in name.split("."):
            named = [n for n in nodes if isinstance(n, ast.ClassDef | ast.FunctionDef)]
            nodes = [inner for n in named if n.name == part for inner in n.body]
        missing += [] if nodes else [f"{module} {name}"]
    assert missing == []


def test_every_command_has_its_exit_codes() -> None:
    rows = re.findall(r"^\| (`grader .*?) \|", read("docs/reference/outcomes.md"), re.MULTILINE)
    named = [word.removeprefix("grader ") for row in rows for word in CODE.findall(row)]
    assert sorted(named) == sorted(main.commands)


MESSAGES = [path.relative_to(ROOT).as_posix() for path in (ROOT / "grader").rglob("*.py")]


def test_nobody_installs_what_a_stranger_may_publish() -> None:
    """Nobody owns the package's name yet. So all install a file, a clone or a version."""
    bare = re.compile(r"pip install .*\bjax-grader(?![\w=-]).*")
    assert {n: found for n in (*NAMES, *MESSAGES) if (found := bare.findall(read(n)))} == {}


def test_the_changelog_is_one_screen_about_this_version() -> None:
    text = read("CHANGELOG.md")
    assert len(text.splitlines()) <= 60
    assert re.findall(r"^## (\S+)", text, re.MULTILINE) == [__version__]


@pytest.mark.parametrize("name", ["docs/explanation/threat-model.md", "docs/library.md"])
def test_each_attack_that_a_page_names_is_in_the_tests(name: str) -> None:
    tables = re.findall(r"(?:^\|.*\n)+", read(name) + "\n", re.MULTILINE)
    last = [[row.split("|")[-2].strip() for row in table.splitlines()] for table in tables]
    rows = [cell for column in last if column[0] in ("Attack", "shown by") for cell in column]
    named = {word for row in rows for word in re.findall(r"`([^`]+)`", row)}
    known = [path.stem for path in (ROOT / "tests" / "attacks").glob("*.py")]
    known += ["padded_loop"]  # wrong answers to ten exercises
    assert len(named) > 5
    missing = {
        word
        for word in named
        if not (ROOT / word).exists() and not fnmatch.filter(known, word) and " " not in word
    }
    assert missing == set()


def test_every_extra_has_its_row_on_the_page_about_installing() -> None:
    extras = tomllib.loads(read("pyproject.toml"))["project"]["optional-dependencies"]
    table = read("docs/install.md").partition("| Extra | For |\n")[2]
    first = " ".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE))
    assert {*re.findall(r"`(\w+)`", first)} == {*extras}


INSTALL = re.compile(r"^(?:\$ )?(?:\S*python3? -m |\S*/)?pip install .*|git clone .*OWNER.*", re.M)


def test_only_one_page_says_how_to_install() -> None:
    """Others link to it. The README has the shortest way; a contributor's way runs the tests."""
    allowed = {"README.md", "docs/install.md", ".github/CONTRIBUTING.md"}
    blocks_ = {name: "".join(b.text for b in blocks(read(name))) for name in NAMES}
    found = {name: INSTALL.findall(text) for name, text in blocks_.items() if name not in allowed}
    assert {name: lines for name, lines in found.items() if lines} == {}
    assert INSTALL.findall(blocks_["docs/install.md"])


# What we once called things, beside the word that the reader's other tools use.
HOUSE_WORDS = {
    "fix": r"mend(s|ed|ing)?",
    "submit": r"hand(s|ed|ing)?[ -]in|hand-ins",
    "path, package, entry point": r"roads?|rooms?(?! for)|doors?|houses?(?! (style|prices))",
    "symbol, character": r"signs of a table|capitals and signs|(a|the) sign for each",
    "invalid": r"void",
    "email": r"address of mail|scanner of mails",
    "late penalty": r"being late",
}


def readable() -> Iterator[tuple[str, str]]:
    """What people read, by its file: pages with all help, messages, templates, exercises."""
    yield from ((name, read(name)) for name in (*NAMES, "CHANGELOG.md"))
    for name in MESSAGES:
        tree = ast.parse(read(name))
        strings = (n for n in ast.walk(tree) if isinstance(n, ast.Constant))
        texts = [n.value for n in strings if isinstance(n.value, str)]
        docs = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        told = {ast.get_docstring(n, clean=False) for n in ast.walk(tree) if isinstance(n, docs)}
        # The docstring of a field is a string that stands alone.
        told |= {n.value.value for n in ast.walk(tree) if is_alone(n)}  # type: ignore[attr-defined]
        yield name, "\n".join(text for text in texts if text not in told)
    for top, kinds in {"grader": "txt html", "exercises": "py md", "solutions": "wrong.py"}.items():
        for path in (path for kind in kinds.split() for path in (ROOT / top).rglob(f"*.{kind}")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def is_alone(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_each_thing_has_the_word_that_readers_know() -> None:
    wrong = [
        f"{name}: `{found[0]}`, say {word}"
        for name, text in readable()
        for word, pattern in HOUSE_WORDS.items()
        for found in re.finditer(rf"\b({pattern})\b", text, re.IGNORECASE)
    ]
    assert wrong == []


def test_the_menu_lists_every_page_once() -> None:
    listed: list[str] = []
    for name in filter(lambda name: name.startswith("docs/"), NAMES):
        folder = Path(name).parent
        trees = (b for b in blocks(read(name)) if b.kind == "{toctree}")
        listed += [str(folder / f"{line}.md") for tree in trees for line in tree.lines if line]
    docs = {n for n in NAMES if n.startswith("docs/")} - {"docs/index.md"}
    assert sorted(listed) == sorted(docs)
