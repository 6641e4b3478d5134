"""What a judge does once for all submissions: compiling, and searching for plugins."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jax
import jax.export
import numpy as np
import pytest

from grader.course.course import Course
from grader.engine import sandbox
from grader.engine.executors.client import JudgeClient
from grader.engine.judge.judge import FEW
from grader.engine.processes.child import Child
from grader.engine.processes.clock import Budget
from grader.engine.processes.host import FLAGS, OPTIMIZE, Compiling, Host
from grader.engine.sandbox.locked import Locked
from grader.engine.wire import arrays
from grader.records.model import ExerciseResult, Job, Limits, Outcome, Source, Submission, Terms

EXERCISE = "01_first/double"
# Raises if JAX compiles anything that isn't in the cache.
WATCHFUL = """
    import collections

    import jax

    seen = collections.Counter()
    jax.monitoring.register_event_listener(lambda event, **_: seen.update([event]))

    def double(x):
        result = jax.block_until_ready({})
        asked = seen["/jax/compilation_cache/compile_requests_use_cache"]
        assert asked == seen["/jax/compilation_cache/cache_hits"], seen
        return result
"""


@pytest.fixture(scope="module")
def judge(foreign: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[JudgeClient]:
    """A judge with a cache that holds what the reference solution needs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        client = JudgeClient.ready(foreign.stubs, foreign.exercises, Terms("required", "3"))
    with client:
        yield client


def graded(judge: JudgeClient, text: str) -> ExerciseResult:
    submission = Submission("ada", text, (Source(EXERCISE, "double.py", textwrap.dedent(text)),))
    (result,) = judge.grade(Job(submission, (EXERCISE,)))
    return result


def outcome(judge: JudgeClient, expression: str) -> Outcome:
    return graded(judge, WATCHFUL.format(expression)).outcome


def test_programs_of_the_reference_are_compiled_once(judge: JudgeClient) -> None:
    assert outcome(judge, "2 * x") is Outcome.PASSED
    assert outcome(judge, "x + x") is Outcome.RAISED


@pytest.mark.slow
def test_for_more_submissions_more_is_compiled_beforehand(
    foreign: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def outcomes(submissions: int) -> list[Outcome]:
        terms = Terms("required", "3")
        with JudgeClient.ready(
            foreign.stubs, foreign.exercises, terms, submissions=submissions
        ) as judge:
            return [outcome(judge, expression) for expression in ("x + x", "x + 2")]

    assert outcomes(FEW) == [Outcome.RAISED, Outcome.RAISED]
    # One file: the first right answer.
    assert outcomes(FEW + 3) == [Outcome.PASSED, Outcome.RAISED]
    # Two right answers and three wrong ones.
    assert outcomes(FEW + 10) == [Outcome.PASSED, Outcome.FAILED]


IMPORTS = """
    import sys

    def double(x):
        assert ("colorsys" in sys.modules) == {}
        return 2 * x
"""


@pytest.mark.slow
@pytest.mark.parametrize("submissions", [FEW, FEW + 1])
def test_for_more_submissions_more_is_imported_beforehand(
    make_course: Callable[..., Course],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    submissions: int,
) -> None:
    """What the course's own answers import; and nothing else follows from it."""
    wrong = """
        # %% with_colours
        # Fails: test_doubles
        import threading_of_nobody, colorsys as colours
        from jax import numpy as jnp, no_such_thing
        from functools import (
            partial,
        )

        def double(x):
            return 3 * x
    """
    course = make_course(
        tmp_path / "course", {"solutions/01_first/double.wrong.py": textwrap.dedent(wrong)}
    )
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    terms = Terms("required", "3")
    with JudgeClient.ready(course.stubs, course.exercises, terms, submissions=submissions) as judge:
        result = graded(judge, IMPORTS.format(submissions > FEW))
    assert result.outcome is Outcome.PASSED, result


@pytest.mark.slow
def test_a_zygote_that_an_import_keeps_from_forking_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module that starts a thread when it is imported: no child would have the thread."""
    (tmp_path / "starts_a_thread.py").write_text(
        "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n"
    )
    program = f"""
        import runpy, sys
        sys.path.append({str(tmp_path)!r})
        runpy.run_path({str(sandbox.WORKER)!r}, run_name="__main__")
    """
    command = (sys.executable, "-I", "-B", "-c", textwrap.dedent(program))
    monkeypatch.setattr(sandbox, "ZYGOTE", command)
    source = "import sys\n\ndef f():\n    return [m in sys.modules for m in {}]"
    modules = ("colorsys", "starts_a_thread")
    for given, known in ((modules[:1], (True, False)), (modules, (False, False))):
        host = Host(sandbox.Plain())
        host.modules = given
        try:
            assert answer(host.fork("student", Limits()), source.format(modules)) == list(known)
        finally:
            host.close()


def test_an_array_reaches_a_worker_without_a_program(judge: JudgeClient) -> None:
    result = graded(judge, WATCHFUL.format("x").replace("asked ==", "not asked or 0 *"))
    assert result.tests[1].id == "test_arrays"
    assert result.tests[1].outcome is Outcome.FAILED, result.tests[1].detail


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    host = Host(Locked(tmp_path), tmp_path)
    yield host
    host.close()


def answer(child: Child, source: str) -> Any:
    """What the function `f` of a module returns in a child."""
    budget = (Budget(60.0),)
    child.ask("load", {"source": textwrap.dedent(source), "path": "f.py"}, budget)
    call = {"target": "f", "stack": [], "args": (), "kwargs": {}}
    return child.ask("call", call, budget).value


def flags(child: Child) -> str:
    return str(answer(child, "import os\n\ndef f():\n    return os.environ.get('XLA_FLAGS', '')"))


@pytest.mark.slow
def test_code_that_runs_long_or_is_timed_is_optimised(host: Host) -> None:
    assert "optimization_level=0" in flags(host.fork("student", Limits()))
    training = host.fork("student", Limits(), compiling=Compiling.TO_RUN_LONG)
    assert "optimization_level=1" in flags(training)
    assert flags(host.fork("student", Limits(), compiling=Compiling.AS_JAX_DOES)) == ""


def test_a_program_of_many_operations_is_optimised(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an option that XLA doesn't know, only a program that gets the options fails."""
    monkeypatch.setitem(OPTIMIZE, "flops", 300)
    monkeypatch.setitem(OPTIMIZE, "options", {"xla_hurry_up": 1})
    inputs = [arrays.array_to_wire(np.ones(200, np.float32))]

    def works(function: Callable[..., Any], compiling: Compiling) -> bool:
        exported = jax.export.export(jax.jit(function))(np.ones(200, np.float32)).serialize()
        asked = {"program": bytes(exported), "inputs": inputs}
        bench = host.fork("bench", Limits(), compiling=compiling)
        return bench.ask("run", asked, (Budget(60.0),)).kind == "ok"

    assert works(lambda x: x + 1, Compiling.QUICKLY)
    assert not works(lambda x: x * 2 + 1, Compiling.QUICKLY)
    assert works(lambda x: x * 2 + 1, Compiling.AS_JAX_DOES)


@pytest.mark.slow
def test_a_condition_is_the_same_at_both_places_where_a_mapped_loop_tests_it(host: Host) -> None:
    """Each tolerance lies between `y * y - x` with one rounding and with two."""
    source = """
        import jax
        import jax.numpy as jnp
        import numpy as np

        def f():
            rng = np.random.default_rng(0)
            x = rng.uniform(1, 4, 4000).astype(np.float32)
            y = (np.sqrt(x) * (1 + 1e-4 * rng.uniform(-1, 1, 4000))).astype(np.float32)
            two, one = abs(y * y - x), abs(y.astype(np.float64) ** 2 - x)
            tol = np.float32((one + two) / 2)
            x, y, tol = (each[tol > 2e-6 * x] for each in (x, y, tol))

            def root(y, x, tol):
                def rough(y):
                    return abs(y * y - x) > tol

                return jax.lax.while_loop(rough, lambda y: (y + x / y) / 2, y)

            found = jax.jit(jax.vmap(root))(y, x, tol)
            return len(x), bool(np.all(abs(found - np.sqrt(x)) < 1e-3))
    """
    for compiling in (Compiling.QUICKLY, Compiling.TO_RUN_LONG):
        number, near = answer(host.fork("student", Limits(), compiling=compiling), source)
        assert number > 3900
        assert near


def test_a_flag_that_xla_does_not_know_is_left_out(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FLAGS, Compiling.QUICKLY, "--xla_hurry_up=true")
    assert flags(host.fork("student", Limits())) == ""


def test_no_child_looks_for_plugins_where_none_is_installed(host: Host) -> None:
    has_plugins = find_spec("jax_plugins") is not None or bool(entry_points(group="jax_plugins"))
    source = """
        import importlib.metadata

        import jax

        asked = []
        importlib.metadata.entry_points = lambda **what: asked.append(what) or []

        def f():
            return jax.device_count(), len(asked)
    """
    assert answer(host.fork("student", Limits()), source) == (1, int(has_plugins))


@pytest.mark.slow
def test_a_suite_of_races_alone_has_nothing_to_warm_up(
    make_course: Callable[..., Course], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a test to run, pytest would collect every test around it."""
    suite = (
        'def test_fast(submission, race):\n    """It is."""\n    assert submission.double(2) == 4\n'
    )
    course = make_course(tmp_path / "course", {"tests/hidden/01_first/test_double.py": suite})
    (tmp_path / "test_stray.py").write_text("open('collected', 'w').close()\n")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    with JudgeClient.ready(
        course.stubs, course.exercises, Terms("required", "3"), submissions=FEW + 3
    ):
        pass
    assert not (tmp_path / "collected").exists()
