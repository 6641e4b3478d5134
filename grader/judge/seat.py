"""Where one submission sits while one exercise of it is judged.

    ask    -> the worker, forked and loaded on first use, and anew after it died
    bench  -> the submission's bench; the worker is stopped, as whenever it owes no answer
    new_test gives a test its seconds; all tests share the exercise's

A module that can't be loaded is loaded once: every test then fails with the same fault.
"""

from __future__ import annotations

from typing import Any

from grader import wire
from grader.judge import faults
from grader.judge.child import Budget, Child
from grader.judge.host import Host
from grader.model import Exercise, Limits, Source

SETS_UP_DEVICES = ("jax_num_cpu_devices", "jax_platform", "XLA_FLAGS", "distributed")


class Benches:
    """The benches of one submission: one for each kind of machine that its exercises ask for."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._benches: dict[tuple[int, Limits], Child] = {}

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
        """Forks the bench for an exercise if there is none yet, so that it can warm up."""
        key = (exercise.devices, exercise.limits)
        if key not in self._benches or not self._benches[key].alive:
            self._benches[key] = self._host.fork("bench", exercise.limits, devices=exercise.devices)
        return self._benches[key]

    def close(self) -> None:
        for bench in self._benches.values():
            self._host.reap(bench)
        self._benches.clear()


class RemoteSeat:
    """A submission's source for one exercise, and the processes that run it."""

    def __init__(self, host: Host, exercise: Exercise, source: Source, benches: Benches) -> None:
        self.exercise = exercise
        self.source = source
        self.generation = 0
        self.last_call = ""
        self._host = host
        self._worker: Child | None = None
        self._benches = benches
        self._total = Budget(exercise.limits.total_seconds)
        self._test = Budget(exercise.limits.seconds)
        self._unloadable: faults.Fault | None = None
        self._loaded_pid = 0
        self._printed = b""

    def new_test(self) -> None:
        self._test = Budget(min(self.exercise.limits.seconds, self._total.seconds))
        self._printed = b""
        if self._worker is not None:
            self._worker.printed = b""
        self.last_call = ""

    @property
    def printed(self) -> str:
        """What the student's code printed since `new_test`, shortened."""
        worker = self._worker.printed if self._worker is not None else b""
        return (self._printed + worker).decode(errors="replace")

    def ask(self, kind: str, value: Any) -> Any:
        """The worker's answer. Raises a `Fault` of the student's."""
        worker = self._loaded()
        try:
            return self._answer(worker, kind, value)
        finally:
            if not worker.alive:
                self._end_worker()

    def bench(self, kind: str, value: Any) -> Any:
        """The bench's answer. Raises `Refused` for a program that it won't run."""
        frame = self._benches.ask(self.exercise, kind, value, (self._test, self._total))
        if frame.kind == "ok":
            return frame.value
        report = frame.value if isinstance(frame.value, dict) else {}
        detail = f"{report.get('classes')}: {report.get('text')}"
        if report.get("classes", [""])[0] == "Refused":
            raise faults.Refused(
                f"Your exported program can't be judged: {report['text']}.", detail
            )
        raise faults.Mismatch("Your exported program fails when it runs.", detail)

    def close(self) -> None:
        self._end_worker()

    def _loaded(self) -> Child:
        if self._unloadable is not None:
            raise self._unloadable
        worker = self.prepare()
        if self._loaded_pid != worker.pid:
            self._loaded_pid = worker.pid
            self.generation += 1
            try:
                load = {"source": self.source.text, "path": self.source.path}
                self._answer(worker, "load", load)
            except faults.Fault as fault:
                self._unloadable = fault
                self._end_worker()
                raise
        return worker

    def prepare(self) -> Child:
        """Forks the worker if there is none yet, so that it can warm up while nobody waits."""
        if self._worker is None:
            # A module that sets up devices itself has to find a JAX that hasn't started yet.
            warm = not any(word in self.source.text for word in SETS_UP_DEVICES)
            self._worker = self._host.fork(
                "student",
                self.exercise.limits,
                devices=self.exercise.devices,
                path=self.source.path,
                warm=warm,
            )
        return self._worker

    def _answer(self, worker: Child, kind: str, value: Any) -> Any:
        frame = worker.ask(kind, value, (self._test, self._total))
        if frame.kind == "raised":
            raise faults.from_report(frame.value, self.source.path, self.source.text)
        return frame.value

    def _end_worker(self) -> None:
        if self._worker is not None:
            self._printed += self._worker.printed
            self._host.reap(self._worker)
            self._worker = None
