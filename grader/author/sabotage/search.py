"""General faults around a reference solution: where one applies, and the program that has it.

stub, solution --scout--> (fault, argument), ... --with_fault--> ChangedSolution, ...
"""

import ast
import inspect
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from grader.author.sabotage import injected, injected_in_jax
from grader.course.course import Course
from grader.engine.executors.slots import default_slots
from grader.records import digests
from grader.records.cache import Cache
from grader.records.model import Exercise
from grader.student.example_pool import environment
from grader.teacher.result_keys import of_machine

DEVICES = 8
_SCOUT = "grader.author.sabotage.scout"
MOST_SECONDS = 300
"""Of the processors, to find out what applies to one exercise."""
ALL = injected.OF_RESULTS | injected.OF_ARGUMENTS | injected.OF_CALLS | injected_in_jax.OF_JAX
"""Every fault by its name."""


@dataclass(frozen=True)
class ChangedSolution:
    """A solution with one change. `note` says where the change is, or what it breaks."""

    change: str
    note: str
    text: str
    kind: str
    """A name that a declaration may use instead of `change`."""


# An exercise with its changes, or why there are none.
Changes = tuple[Exercise, list[ChangedSolution] | str]


def sabotages(
    course: Course, exercises: tuple[Exercise, ...], *, again: bool = True
) -> Iterator[Changes]:
    """The faults that apply to each exercise. Without `again`, what was found before is kept.

    Runs the solutions and the examples of the stubs, outside a sandbox, on all cores.
    """
    own, found, machine = threading.local(), Cache("faults"), of_machine(_SCOUT)

    def asked(exercise: Exercise) -> Changes:
        solution, stub = course.solution_text(exercise), course.stub_text(exercise)
        question = {"stub": stub, "solution": solution, "defines": exercise.defines}
        key = digests.of(machine, question)
        if not again and (kept := found.get(key, dict[str, Any])) is not None:
            return exercise, _changes(solution, kept)
        if not hasattr(own, "scout") or own.scout.poll() is not None:
            own.scout = ending.enter_context(_scout())
        answer = _asked(own.scout, question)
        if "why" not in answer:
            found.put(key, answer)
        return exercise, _changes(solution, answer)

    with (
        ThreadPoolExecutor(min(len(exercises), default_slots()) or 1) as pool,
        ExitStack() as ending,
    ):
        try:
            yield from pool.map(asked, exercises)
        finally:
            pool.shutdown(cancel_futures=True)


def _scout() -> subprocess.Popen[str]:
    flags = f"--xla_force_host_platform_device_count={DEVICES}"
    return subprocess.Popen(
        [sys.executable, "-m", _SCOUT, str(MOST_SECONDS)],
        env=environment(DEVICES) | {"XLA_FLAGS": flags},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _asked(scout: subprocess.Popen[str], question: dict[str, Any]) -> dict[str, Any]:
    """The faults that apply, or why there are none."""
    assert scout.stdin is not None and scout.stdout is not None
    print(json.dumps(question), file=scout.stdin, flush=True)
    line = scout.stdout.readline()
    if line:
        answer: dict[str, Any] = json.loads(line)
        return answer
    if scout.wait() == -signal.SIGXCPU:
        why = "with some argument, it or a fault of it doesn't end: bound the steps of its loops"
        return {"why": why}
    return {"why": f"the process that called it has ended with code {scout.returncode}"}


def _changes(solution: str, answer: dict[str, Any]) -> list[ChangedSolution] | str:
    return answer.get("why") or [
        ChangedSolution(
            f"{name} of `{argument}`" if argument else name,
            ALL[name].promise,
            with_fault(solution, answer["functions"], name, argument),
            name,
        )
        for name, argument in answer["applies"]
    ]


def with_fault(solution: str, functions: list[str], name: str, argument: str) -> str:
    """The text of a solution whose functions and methods have a fault, or whose JAX has it."""
    lines = solution.splitlines()
    future = [
        node.end_lineno or 0
        for node in ast.parse(solution).body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
    ]
    at = max(future, default=0)
    module = injected_in_jax if name in injected_in_jax.OF_JAX else injected
    before = [
        "import types as _types",
        "_faults = _types.ModuleType('_faults')",
        f"exec({inspect.getsource(module)!r}, vars(_faults))",
    ]
    if module is injected_in_jax:
        before.append(f"_faults.OF_JAX[{name!r}].plant()")
        after = []
    else:
        after = [f"{f} = _faults.faulty({f}, {name!r}, {argument!r})" for f in functions]
    return "\n".join([*lines[:at], *before, *lines[at:], *after, ""])
