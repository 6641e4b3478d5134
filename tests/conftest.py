"""What several test modules share: a small course outside the repository."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import textwrap
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.course.course import Course, load
from grader.records.model import ExerciseResult, Job, Source, Submission, Terms
from tests.browser import NONE_HERE, find_browser, started

# A shell's background processes ignore Ctrl-C, and their children inherit that. Tests have to
# interrupt the processes that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

if TYPE_CHECKING:
    from grader.engine.executors.client import JudgeClient

CourseMaker = Callable[..., Course]
TERMS = Terms("required", "3")
_NUMBERS = itertools.count()
DOCS = Path(__file__).resolve().parents[1] / "docs"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `GRADER_PART=2/5`, only this part of the slow tests is run: the third of five."""
    number, parts = map(int, os.environ.get("GRADER_PART", "0/1").split("/"))
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        place = zlib.crc32(item.name.encode())
        is_kept = not item.get_closest_marker("slow") or place % parts == number
        (kept if is_kept else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
    items[:] = kept


@pytest.hookimpl(optionalhook=True)  # a handful of tests runs where xdist isn't installed
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `-n 2`, each file stays with one process, so that its judge is started once."""
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    return LoadFileScheduling(config, log) if config.getoption("dist") == "load" else None


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Writes files below a folder, which it returns."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def notes(*hints: str, explanation: str = "") -> str:
    """The text of `TOPIC/STEM.md`."""
    blocks = (
        f"<details><summary>Hint {number}</summary>\n\n{hint}\n</details>\n\n"
        for number, hint in enumerate(hints, 1)
    )
    return "".join(blocks) + explanation


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With `GRADER_SKIPS`, a regular expression, a test skipped for another reason fails."""
    report = yield
    expected = os.environ.get("GRADER_SKIPS")
    if report.skipped and expected and not re.search(expected, str(report.longrepr)):
        report.outcome, report.longrepr = "failed", f"unexpected: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def _browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if (found := find_browser()) is None:
        pytest.skip(NONE_HERE)
    with started(found, tmp_path_factory.mktemp("profile"), "--window-size=1280,900") as browser:
        yield browser


@pytest.fixture
def driver(_browser: Any) -> Any:
    """A browser, for `tests.browser.Shown`, without the size and colours of the test before."""
    _browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    _browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    return _browser


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built documents. A warning fails all tests of them."""
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(DOCS), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


CATALOG = """
schema = 1
name = "foreign"

[limits]
seconds = 240
total_seconds = 600
memory_mb = 1200
disk_mb = 4
output_kb = 32
"""
FILES = {
    "exercises/README.md": "# A small course\n",
    "exercises/01_first/double.py": '''
        """Twice an array."""


        def double(x):
            """Return `2 * x`.

            >>> double(3)
            6
            """
            raise NotImplementedError
    ''',
    "solutions/01_first/double.py": '''
        """The reference."""


        def double(x):
            return 2 * x
    ''',
    "tests/hidden/01_first/test_double.py": '''
        import numpy as np
        import pytest

        from grader.suite import assert_close


        @pytest.mark.words
        def test_numbers(submission):
            """A number is doubled."""
            assert submission.double(3) == 6


        @pytest.mark.points(2)
        @pytest.mark.hint("Works for one number, and for many?")
        def test_arrays(submission, rng):
            """An array is doubled."""
            x = rng.normal(size=(3, 4)).astype(np.float32)
            assert_close(submission.double(x), 2 * x)


        @pytest.mark.words
        def test_gradient(submission):
            """The derivative is 2 everywhere."""
            assert_close(submission.double.grad()(1.5), np.float64(2.0))
    ''',
    "solutions/01_first/double.wrong.py": '''
        """Wrong answers."""

        import jax


        # %% adds_two
        # Adds two instead of multiplying.
        # Fails: test_numbers, test_arrays, test_gradient
        def double(x):
            return x + 2


        # %% first_only
        # Doubles the first row.
        # Fails: test_arrays
        def double(x):
            return 2 * x if not hasattr(x, "ndim") or x.ndim == 0 else x.at[0].multiply(2)


        # %% no_gradient
        # Cuts the gradient.
        # Fails: test_gradient
        def double(x):
            return x + jax.lax.stop_gradient(x)
    ''',
    "solutions/01_first/double.right.py": '''
        """Other right answers."""


        # %% adds
        # Adds it to itself.
        def double(x):
            return x + x


        # %% helper
        # With a helper.
        def _times(x, k):
            return x * k


        def double(x):
            return _times(x, 2)
    ''',
}


@pytest.fixture(scope="session")
def make_course() -> CourseMaker:
    """Writes the small course into a folder; keywords add, replace or (None) drop files."""

    def make(
        folder: Path, changes: dict[str, str | None] | None = None, catalog: str = ""
    ) -> Course:
        entry = '\n[[exercise]]\nid = "01_first/double"\ntitle = "Double"\n'
        files = {"exercises/catalog.toml": CATALOG + entry + catalog, **FILES, **(changes or {})}
        for name, text in files.items():
            if text is not None:
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
        return load(folder / "exercises" / "catalog.toml")

    return make


class SharedJudge:
    """A judge for all tests that only read verdicts. Another course needs no new process.

    A judge imports a suite of one name once. So each suite has a name: see `with_suite`.
    """

    def __init__(self) -> None:
        self._client: JudgeClient | None = None
        self._ready: tuple[Path, Terms] | None = None

    def of(self, course: Course, terms: Terms = TERMS) -> JudgeClient:
        """It judges this course, until it is asked for another. Raises what `ready` raises."""
        from grader.engine.executors.client import JudgeClient  # students' tests run without one

        if self._client is None:
            self._client = JudgeClient("required")
        if self._ready != (course.stubs, terms):
            self._ready = None
            self._client.start(course.stubs, course.exercises, terms)
            self._client.prove([exercise.id for exercise in course.exercises])
            self._ready = (course.stubs, terms)
        return self._client

    def close(self) -> None:
        if self._client is not None:
            self._client.close()


@pytest.fixture(scope="session")
def shared_judge() -> Iterator[SharedJudge]:
    """Not for tests that end judges, count processes, or change the environment of a judge."""
    made = SharedJudge()
    yield made
    made.close()


def with_suite(
    make: CourseMaker,
    folder: Path,
    suite: str,
    solution: str = FILES["solutions/01_first/double.py"],
    limits: str = "",
) -> Course:
    """The small course, of which only another exercise is judged. No other test has its name."""
    name = f"02_own/double_{next(_NUMBERS)}"
    files = {
        f"exercises/{name}.py": FILES["exercises/01_first/double.py"],
        f"solutions/{name}.py": solution,
        f"tests/hidden/{name.replace('/', '/test_')}.py": suite,
    }
    entry = f'\n[[exercise]]\nid = "{name}"\ntitle = "Double"\ndefines = ["double"]\n'
    course = make(folder, files, entry + limits)
    return replace(course, exercises=(course[name],))


def judging(
    judge: SharedJudge, make: CourseMaker, folder: Path, suite: str, solution: str
) -> Callable[[str], ExerciseResult]:
    """Another suite in the small course: the text of an answer -> its result."""
    course = with_suite(make, folder, suite, solution)
    (exercise,) = course.exercises

    def grade(text: str) -> ExerciseResult:
        source = Source(exercise.id, "double.py", textwrap.dedent(text).lstrip("\n"))
        job = Job(Submission("a", "d", (source,)), (exercise.id,))
        (result,) = judge.of(course).grade(job)
        return result

    return grade


@pytest.fixture(scope="session")
def foreign(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The small course as it is."""
    return make_course(tmp_path_factory.mktemp("foreign"))


def marks(out: Path) -> Any:
    """`results.json` without the seconds, which differ from run to run."""
    text = (out / "results.json").read_text()
    return json.loads(re.sub(r'"seconds": [0-9.e-]+', '"seconds": 0', text))


def kept(out: Path) -> int:
    # Only Linux has what the store needs, and students' tests run on other systems, too.
    from grader.teacher.store import NAME

    if not (out / NAME).exists():
        return 0
    with contextlib.closing(sqlite3.connect(out / NAME, timeout=10)) as database:
        try:
            return int(database.execute("SELECT count(*) FROM results").fetchone()[0])
        except sqlite3.OperationalError:  # the tables don't exist yet
            return 0
