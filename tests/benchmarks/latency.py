"""From save to verdict: `python -m tests.benchmarks.latency [--quick] [--rounds N]`.

Ten exercises, one of each topic. `grader watch` runs in a pseudo-terminal. An answer is saved as
editors save (written beside the file, renamed), and the clock runs until the verdict is on the
screen. The rounds are what a student saves one after another: a mistake, another mistake, the right
answer. What was compiled for one helps with the next, as it does for a student. Just after that,
pytest starts afresh on the same file with the same examples, as for a student who has no watch.
Both run in turn, in one run, on one machine.

Prints the median of each exercise and of all, and the ratio, whose median over the exercises should
be 5. Seconds alone depend too much on the machine and its other work. Takes a minute, or half a
minute with `--quick` (four exercises, two rounds). Linux and macOS.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

from grader.course.course import Course, find
from grader.intake import cells
from grader.records.model import Exercise
from grader.student.start import start

AT_LEAST = 5.0
AT_MOST_SECONDS = 0.5
PATIENCE = 120.0
SUITE = """
import ast, doctest
from pathlib import Path

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_examples():
    text = Path({path!r}).read_text(encoding="utf-8")
    names = {{}}
    exec(compile(text, {path!r}, "exec"), names)
    runner, ran = doctest.DocTestRunner(verbose=False, optionflags=FLAGS), 0
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            examples = doctest.DocTestParser().get_examples(ast.get_docstring(node) or "")
            runner.run(doctest.DocTest(examples, dict(names), "x", None, 0, ""))
            ran += len(examples)
    assert ran and not runner.failures
"""


class Watch:
    """`grader watch` in a separate terminal."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "grader.cli", "watch"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            # An empty compile cache: what an earlier run compiled must not help.
            env=os.environ
            | {"TERM": "xterm-256color", "NO_COLOR": "1", "XDG_CACHE_HOME": str(cache)},
            start_new_session=True,
        )
        os.close(theirs)

    def see(self, *wanted: bytes) -> None:
        """Waits until one of them is on the screen. Raises `TimeoutError` if none appears."""
        seen, end = b"", time.monotonic() + PATIENCE
        while not any(text in seen for text in wanted):
            if time.monotonic() > end:
                raise TimeoutError(f"{wanted} never came, but {seen[-2000:]!r}")
            if select.select([self._ours], [], [], 1)[0]:
                seen += os.read(self._ours, 1 << 16)

    def settle(self, seconds: float) -> None:
        """Waits until nothing has been written for so many seconds."""
        while select.select([self._ours], [], [], seconds)[0]:
            os.read(self._ours, 1 << 16)

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._ours)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="four exercises, two rounds")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    arguments = parser.parse_args()
    ours = find(start=Path(__file__).parent)
    chosen = pick(ours)[:: 3 if arguments.quick else 1]
    with tempfile.TemporaryDirectory() as folder:
        measured = measure(ours, chosen, Path(folder), 2 if arguments.quick else arguments.rounds)
    report(measured)


def pick(course: Course) -> list[Exercise]:
    """The first exercise of each topic that needs only one device; ten at most."""
    topics: dict[str, Exercise] = {}
    for exercise in course.exercises:
        if exercise.devices == 1:
            topics.setdefault(exercise.topic, exercise)
    return list(topics.values())[:10]


def measure(
    ours: Course, chosen: list[Exercise], folder: Path, rounds: int
) -> dict[str, tuple[list[float], list[float]]]:
    """Seconds of watch and of pytest for each exercise, in turn."""
    mine = start(folder / "mine").course
    for exercise in chosen:
        suite = SUITE.format(path=str(mine.stub(exercise)))
        (folder / f"test_{exercise.stem}.py").write_text(suite)
    found: dict[str, tuple[list[float], list[float]]] = {e.stem: ([], []) for e in chosen}
    watch = Watch(mine.stubs, folder / "cache")
    try:
        watch.see(b"not started")
        watch.settle(3)  # the child in reserve is ready, as after a while of typing
        for number in range(rounds):
            for exercise in chosen:
                text = solved(ours, exercise, number) + f"\n# round {number}\n"
                found[exercise.stem][0].append(by_watch(watch, mine.stub(exercise), text))
                watch.settle(0.5)
                found[exercise.stem][1].append(by_pytest(folder / f"test_{exercise.stem}.py"))
    finally:
        watch.end()
    return found


def solved(course: Course, exercise: Exercise, number: int) -> str:
    """What a student saves: a mistake, another one, and then the right answer."""
    attempts = [*cells.read(course.wrong(exercise)).cells[:2], None]
    attempt = attempts[number % len(attempts)]
    paths = (course.stub(exercise), course.solution(exercise))
    right = "\n\n".join(path.read_text(encoding="utf-8") for path in paths)
    return attempt.after(right) if attempt else right


def by_watch(watch: Watch, path: Path, text: str) -> float:
    """The seconds from the rename of the saved file to the verdict on the screen."""
    beside = path.with_name(f".{path.name}.tmp")
    beside.write_text(text, encoding="utf-8")
    begun = time.perf_counter()
    os.replace(beside, path)
    # A right answer may print a result in another way than the example does.
    watch.see(f"`{path.stem}` pass".encode(), b"to fix ")
    return time.perf_counter() - begun


def by_pytest(suite: Path) -> float:
    """A new process of pytest, without other plugins that are installed."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", suite.name]
    begun = time.perf_counter()
    subprocess.run(
        [*command, "-c", os.devnull, "--rootdir", str(suite.parent)],
        cwd=suite.parent,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "JAX_PLATFORMS": "cpu"},
        check=False,
        capture_output=True,
    )
    return time.perf_counter() - begun


def report(measured: dict[str, tuple[list[float], list[float]]]) -> None:
    """Prints a table, and whether the claims hold. Noise is no defect, so it never exits with 1."""
    print(f"{'median seconds of':<22} {'watch':>8} {'pytest':>8} {'ratio':>7}")
    medians = []
    for stem, (watched, tested) in measured.items():
        pair = statistics.median(watched), statistics.median(tested)
        medians.append(pair)
        print(f"{stem:<22} {pair[0]:>8.3f} {pair[1]:>8.3f} {pair[1] / pair[0]:>6.1f}x")
    watch = statistics.median(pair[0] for pair in medians)
    pytest = statistics.median(pair[1] for pair in medians)
    ratio = statistics.median(pair[1] / pair[0] for pair in medians)
    print(f"{'all':<22} {watch:>8.3f} {pytest:>8.3f} {ratio:>6.1f}x")
    print(f"needed: {AT_LEAST:g}x: {'holds' if ratio >= AT_LEAST else 'FAILS'}")
    quick = sum(pair[0] < AT_MOST_SECONDS for pair in medians)
    print(f"under {AT_MOST_SECONDS:g} s on this machine as it is: {quick} of {len(medians)}")


if __name__ == "__main__":
    main()
