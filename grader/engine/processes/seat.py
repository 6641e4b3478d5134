"""A seat: the processes of one submission while one exercise of it is judged.

    ask       -> the worker: forked and loaded on first use, and again after it died
    bench     -> the submission's bench; the worker is stopped, as always between questions
    racing    -> new processes for one launch of a race
    new_test  gives a test its seconds; all tests share those of the exercise

A module that can't be loaded is tried only once: then every test fails with the same fault.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from grader.engine import wire
from grader.engine.bench.refused import Why
from grader.engine.processes import faults
from grader.engine.processes.child import Child, Timed
from grader.engine.processes.clock import Budget
from grader.engine.processes.evidence import Evidence
from grader.engine.processes.host import Compiling, Host
from grader.feedback.raised import Called
from grader.records import student_code
from grader.records.errors import BrokenSuiteError
from grader.records.model import CELL_LEFT_OUT, Advice, Exercise, Limits, Source

# An author's own pytest shows the suite's line, and none of this file.
__tracebackhide__ = True

BASELINE_SECONDS = 120.0
TELL_SECONDS = 1.0
SETS_UP_DEVICES = ("jax_num_cpu_devices", "jax_platform", "XLA_FLAGS", "distributed")


class Racer:
    """One process in one launch of a race: a "student" or a "bench", for one of its two sides.

    In each launch a student has the time limit of a test; a baseline has its own limit.
    """

    def __init__(
        self,
        child: Child,
        role: str,
        exercise: Exercise,
        source: Source,
        tell: Callable[[float], None],
        *,
        ours: bool,
    ) -> None:
        """`ours`: it runs the suite's baseline. `tell` hears what the student is charged."""
        self.child = child
        self._role = role
        self._is_ours = ours
        self._source = source
        self._theirs, self._ours = Budget(exercise.limits.seconds, tell), Budget(BASELINE_SECONDS)

    def ask(self, kind: str, value: Any) -> Any:
        """One answer."""
        return self.converse(kind, [value]).frames[0].value

    def converse(
        self, kind: str, values: Sequence[Any], *, until: float = math.inf, ours: bool = False
    ) -> Timed:
        """Answers, and how long they took. Raises a fault of the student's, or of the suite's."""
        ours = ours or self._is_ours
        budget = self._ours if ours else self._theirs
        try:
            timed = self.child.converse(kind, values, (budget,), until=until)
            for frame in timed.frames:
                if self._role == "bench":
                    _of_a_bench(frame)
                else:
                    _of_a_worker(frame, self._source)
        except (faults.Fault, faults.Mismatch) as fault:
            if ours:
                raise BrokenSuiteError(f"the baseline of a race fails: {fault}") from fault
            raise
        return timed


class Benches:
    """The benches of one submission: one for each number of devices and set of limits."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._benches: dict[tuple[int, Limits, bool], Child] = {}

    def ask(
        self, exercise: Exercise, kind: str, value: Any, budgets: tuple[Budget, ...]
    ) -> wire.Frame:
        bench = self.prepare(exercise)
        try:
            return bench.ask(kind, value, budgets)
        finally:
            if not bench.alive:
                self._host.reap(bench)

    def prepare(self, exercise: Exercise) -> Child:
        """Forks the bench for an exercise if there is none yet, so that it starts its backend."""
        key = (exercise.devices, exercise.limits, exercise.runs_long)
        if key not in self._benches or not self._benches[key].alive:
            self._benches[key] = self._host.fork(
                "bench", exercise.limits, devices=exercise.devices, compiling=_compiling(exercise)
            )
        return self._benches[key]

    def close(self) -> None:
        for bench in self._benches.values():
            self._host.reap(bench)
        self._benches.clear()


class RemoteSeat:
    """A submission's source for one exercise, and the processes that run it."""

    can_race = True

    def __init__(self, host: Host, exercise: Exercise, source: Source, benches: Benches) -> None:
        self.exercise = exercise
        self.source = source
        self.generation = 0
        self.left_out: tuple[Advice, ...] = ()  # cells of a notebook
        self.programs: dict[bytes, dict[str, Any]] = {}
        self.evidence = Evidence()
        self._host = host
        self._worker: Child | None = None
        self._benches = benches
        self._total = Budget(exercise.limits.total_seconds, self._tell)
        self.on_charge: Callable[[], None] = lambda: None
        """Is called about once a second while the student's code works."""
        self.seconds = 0.0
        """What all of that was charged, up to then."""
        self._test = Budget(exercise.limits.seconds)
        self._unloadable: faults.Fault | None = None
        self._loaded_pid = 0
        self._printed = b""
        self._asking = False

    def _tell(self, charged: float) -> None:
        """A race has seconds of its own, which come on top."""
        now = self.exercise.limits.total_seconds - self._total.seconds + charged
        if now - self.seconds >= TELL_SECONDS:
            self.tell(now)

    def tell(self, now: float = 0.0) -> None:
        """Lets the listener know, also at the end."""
        used = self.exercise.limits.total_seconds - self._total.seconds
        self.seconds = max(self.seconds, now, used)
        self.on_charge()

    def new_test(self) -> None:
        self._test = Budget(min(self.exercise.limits.seconds, self._total.seconds))
        self._printed = b""
        if self._worker is not None:
            self._worker.printed = b""
        self.evidence.begin()

    @property
    def printed(self) -> str:
        """What the student's code printed since `new_test`, shortened."""
        worker = self._worker.printed if self._worker is not None else b""
        return (self._printed + worker).decode(errors="replace")

    def ask(self, kind: str, value: Any, on_callback: Callable[[Any], Any]) -> Any:
        """The worker's answer. Raises a `Fault` of the student's.

        `on_callback` answers when the student's code calls a function of the suite's.
        """
        if self._asking:
            raise BrokenSuiteError(
                "a callback of the suite asked the submission, which waits for its answer"
            )
        worker = self._loaded()
        self._asking = True
        try:
            return self._answer(worker, kind, value, on_callback)
        finally:
            self._asking = False
            if not worker.alive:
                self.close()

    def bench(self, kind: str, value: Any) -> Any:
        """The bench's answer. Raises `Refused` for a program that it won't run."""
        frame = self._benches.ask(self.exercise, kind, value, (self._test, self._total))
        return _of_a_bench(frame)

    @contextmanager
    def racing(self, role: str) -> Iterator[tuple[Racer, Racer]]:
        """New processes for one launch, two of one role: the student's side and the baseline's.

        A "student" has loaded the submission on its side. All other processes of the submission are
        stopped.
        """
        if self._worker is not None:
            self._worker.rest()
        with ExitStack() as ending:
            yield self._racer(role, ending), self._racer(role, ending, ours=True)

    def _racer(self, role: str, ending: ExitStack, *, ours: bool = False) -> Racer:
        loads = role == "student" and not ours
        child = self._host.fork(
            role,
            self.exercise.limits,
            devices=self.exercise.devices,
            path=self.source.file if loads else "",
            warm=not loads or not self._sets_up_devices(),
            compiling=Compiling.AS_JAX_DOES,
        )
        ending.callback(self._host.reap, child)
        racer = Racer(child, role, self.exercise, self.source, self._tell, ours=ours)
        if loads:
            racer.ask("load", _module(self.source, self.exercise))
        return racer

    def close(self) -> None:
        """Ends the worker. The next question starts another one."""
        if self._worker is not None:
            self._printed += self._worker.printed
            self._host.reap(self._worker)
            self._worker = None

    def _loaded(self) -> Child:
        if self._unloadable is not None:
            raise self._unloadable.again()
        worker = self.prepare()
        if self._loaded_pid != worker.pid:
            self._loaded_pid = worker.pid
            self.generation += 1
            try:
                loaded = self._answer(worker, "load", _module(self.source, self.exercise))
                self.left_out = _left_out(loaded)
            except BaseException as error:
                if isinstance(error, faults.Fault):
                    self._unloadable = error.again()
                self.close()
                raise
        return worker

    def prepare(self) -> Child:
        """Forks the worker if there is none yet, so that it starts before it is needed."""
        if self._worker is None:
            self._worker = self._host.fork(
                "student",
                self.exercise.limits,
                devices=self.exercise.devices,
                path=self.source.file,
                warm=not self._sets_up_devices(),
                compiling=_compiling(self.exercise),
            )
        return self._worker

    def _sets_up_devices(self) -> bool:
        """Whether the module may set up devices itself: then JAX must not have started."""
        return any(word in self.source.text for word in SETS_UP_DEVICES)

    def _answer(
        self, worker: Child, kind: str, value: Any, on_callback: Callable[[Any], Any] | None = None
    ) -> Any:
        frame = worker.ask(kind, value, (self._test, self._total), on_callback)
        return _of_a_worker(frame, self.source, _asked(value))


def _module(source: Source, exercise: Exercise) -> dict[str, Any]:
    """What a worker needs to load a submission."""
    names = list(exercise.defines)
    return {"source": source.text, "path": source.file, "numpy": exercise.numpy, "defines": names}


def _left_out(answer: Any) -> tuple[Advice, ...]:
    """What a worker says of a notebook's cells that raised. It could lie, and had no input yet."""
    cells = answer[: student_code.MOST] if isinstance(answer, list) else []
    pairs = [cell for cell in cells if isinstance(cell, list | tuple) and len(cell) == 2]
    return tuple(
        Advice(
            CELL_LEFT_OUT,
            f"Code cell {n} raises {name}, and is ignored from that line on. All other cells "
            "count.",
            "Fix it, or delete it.",
        )
        for n, name in pairs
        if type(n) is int and isinstance(name, str) and name.isidentifier() and len(name) <= 80
    )


def _compiling(exercise: Exercise) -> Compiling:
    """How to compile programs that aren't timed."""
    return Compiling.TO_RUN_LONG if exercise.runs_long else Compiling.QUICKLY


def _of_a_worker(frame: wire.Frame, source: Source, called: Called | None = None) -> Any:
    """A worker's answer, or the fault that it reports."""
    if frame.kind == "raised":
        raise faults.from_report(frame.value, source.path, source.text, called)
    return frame.value


def _asked(value: Any) -> Called | None:
    """The student's function that a question calls, by its name in the file."""
    target = value.get("target") if isinstance(value, dict) else None
    if not isinstance(target, str):
        return None
    return Called(target, tuple(str(layer[0]) for layer in value.get("stack", ())))


def _of_a_bench(frame: wire.Frame) -> Any:
    """A bench's answer. If it refuses a program or fails, that is the program's fault."""
    if frame.kind == "ok":
        return frame.value
    report = frame.value if isinstance(frame.value, dict) else {}
    detail = f"{report.get('classes')}: {report.get('text')}"
    if report.get("classes", [""])[0] == "RefusedProgram":
        why = next((why for why in Why if why == report["text"]), Why.UNREADABLE)
        raise faults.Refused(f"Your exported program can't be judged: {why}.", detail)
    raise faults.Mismatch("Your exported program fails when it runs.", detail)
