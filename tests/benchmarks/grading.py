"""How long a submission waits: `python -m tests.benchmarks.grading [--pairs N]`.

Each figure is measured in turn with what it is compared to, in one run:

    warm judge against pytest in a fresh process, one submission of eight exercises (`--all`: fifty)
    `grader --help` against `python -c pass`
    fork of a worker to its first answer, with programs that are new or in the compile cache

No races are run on either side: `tests.benchmarks.verdicts` measures them.

It takes about 10 seconds per pair on two cores.
"""

from __future__ import annotations

import argparse
import functools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from grader.course import course as courses
from grader.engine.executors.slots import Slots
from grader.engine.processes.clock import Budget
from grader.engine.processes.host import Host
from grader.engine.sandbox import Plain
from grader.engine.sandbox.locked import Locked
from grader.records.model import Job, Limits, Outcome, Source, Submission, Terms

ROOT = Path(__file__).resolve().parents[2]
EIGHT = (
    "set_row",
    "split_many",
    "init_mlp",
    "masked_mean",
    "fib_like",
    "apply_batch",
    "sgd",
    "pmap_train",
)
SOURCE = "import jax.numpy as jnp\ndef f(n):\n    return jnp.arange(n).sum()\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    pairs = options.pairs
    course = courses.find(ROOT)
    chosen = course.select(() if options.all else EIGHT)
    sources = tuple(Source(e.id, f"{e.stem}.py", course.solution(e).read_text()) for e in chosen)
    submission = Submission("solution", "", sources)
    job = Job(submission, tuple(e.id for e in chosen))
    suites = [str(course.suite(e)) for e in chosen]

    with Slots(course.stubs, chosen, Terms("required", "benchmark", with_races=False)) as judge:

        def warm() -> None:
            for _, results in judge.run([job]):
                assert all(result.outcome is Outcome.PASSED for result in results), results

        warm()
        compare("one submission", "warm judge", warm, "fresh pytest", lambda: fresh(suites), pairs)
    compare(
        "start",
        "grader --help",
        lambda: run([sys.executable, "-m", "grader.cli", "--help"]),
        "python -c pass",
        lambda: run([sys.executable, "-c", "pass"]),
        2 * pairs,
    )
    first_answers(2 * pairs)


def fresh(suites: list[str]) -> None:
    """The usual way: a new process that imports the student's module beside the tests."""
    environment = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": "--xla_force_host_platform_device_count=8",
        "NPROC": "32",
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.benchmarks.naive"]
    command += ["-p", "no:cacheprovider", "--submitted", str(ROOT / "solutions"), *suites]
    run(command, environment)


def run(command: list[str], environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def first_answers(count: int) -> None:
    """A worker's fork, load and first call of two small programs, each time in a new child.

    The child before has ended: the kernel takes 6 ms of a core for this.
    Two fifths of the time XLA compiles. A worker of a judge finds the programs of solutions,
    answers in the compile cache.
    """
    with tempfile.TemporaryDirectory() as folder:
        programs = Path(folder)
        programs.chmod(0o711)
        ours = Host(Plain(), programs)
        first_answer(ours)
        ours.close()
        hosts = {"new": Host(Locked()), "known": Host(Locked(programs), programs)}
        times: dict[str, list[float]] = {name: [] for name in hosts}
        try:
            for host in hosts.values():
                host.start()
            for _ in range(count):
                for name, host in hosts.items():
                    times[name].append(seconds(functools.partial(first_answer, host)))
                    host.settle()
        finally:
            for host in hosts.values():
                host.close()
        for name, taken in times.items():
            print(f"fork to first answer, {name} programs: {spread(taken)}")


def first_answer(host: Host) -> None:
    child = host.fork("student", Limits())
    budget = (Budget(60.0),)
    child.ask("load", {"source": SOURCE, "path": "f.py"}, budget)
    child.ask("call", {"target": "f", "stack": [], "args": (5,), "kwargs": {}}, budget)
    host.reap(child)


def compare(
    what: str, name: str, ours: Callable[[], None], other: str, theirs: Callable[[], None], n: int
) -> None:
    """Runs both, alternating, and prints the ratio of each pair."""
    times: list[tuple[float, float]] = []
    for _ in range(n):
        times.append((seconds(ours), seconds(theirs)))
    print(f"{what}: {name} {spread([a for a, _ in times])}")
    print(f"{what}: {other} {spread([b for _, b in times])}")
    print(f"{what}: {other} / {name} = {spread([b / a for a, b in times], 'x')}", flush=True)


def seconds(call: Callable[[], None]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def spread(values: list[float], unit: str = " s") -> str:
    low, middle, high = min(values), statistics.median(values), max(values)
    return f"{middle:.3f}{unit} ({low:.3f} to {high:.3f}, {len(values)} runs)"


if __name__ == "__main__":
    main()
