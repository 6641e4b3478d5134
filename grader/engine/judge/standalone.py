"""Suites under plain pytest: for an author who writes or debugs one, and without a course.

pytest tests/hidden/01_arrays/test_set_row.py [--submission PATH[::CELL]] [--debug-in-process]
pytest test_fit.py --grader-submission work/        judges `work/fit.py`
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.course import course as courses
from grader.engine import wire
from grader.engine.bench.bench import Bench
from grader.engine.bench.refused import RefusedProgram
from grader.engine.judge.plugin import Suites
from grader.engine.processes import faults, isolation
from grader.engine.processes.evidence import Evidence
from grader.engine.processes.host import Host
from grader.engine.processes.seat import Benches, RemoteSeat
from grader.engine.wire.connection import describe
from grader.engine.worker.student import Student
from grader.intake import cells, reader
from grader.records import inputs
from grader.records.errors import GraderError, NoCourseError
from grader.records.model import Exercise, Source

# An author's own pytest shows the suite's line, and none of this file.
__tracebackhide__ = True


class AuthorSuites(Suites):
    """Judges the reference solution, or the file of `--submission`, in the strongest sandbox."""

    def __init__(self, config: pytest.Config) -> None:
        self._seed = config.getoption("--seed") or inputs.secret()
        self._path: str | None = config.getoption("--submission")
        self._direct = bool(config.getoption("--debug-in-process"))
        self._host: Host | None = None
        self._seats: dict[Path, Any] = {}

    def seed(self, item: pytest.Item) -> str:
        return self._seed

    def seat(self, suite: Path) -> Any:
        if suite not in self._seats:
            for seat in self._seats.values():
                seat.close()
            self._seats = {suite: self._new_seat(suite)}
        return self._seats[suite]

    def close(self) -> None:
        for seat in self._seats.values():
            seat.close()
        if self._host is not None:
            self._host.close()

    def _new_seat(self, suite: Path) -> Any:
        course, exercise = self._exercise_of(suite)
        if course is None:
            source = self._work(suite, exercise)
            # Nothing else says for which arrays the code was written.
            exercise = replace(exercise, numpy="jax" not in source.text)
        else:
            source = self._source(course, exercise)
        if self._direct:
            return DirectSeat(exercise, source)
        if self._host is None:
            # Use every layer that works here, since authors also try files of students.
            hidden = (suite,) if course is None else course.secrets()
            self._host = isolation.launched("available", None)
            isolation.holding(self._host, "available", hidden)
            self._benches = Benches(self._host)
        return RemoteSeat(self._host, exercise, source, self._benches)

    def _work(self, suite: Path, exercise: Exercise) -> Source:
        """The file that a suite without a course judges: for `test_fit.py` it is `fit.py`."""
        if self._path is None:
            raise pytest.UsageError(
                f"`{suite.name}` doesn't belong to a course. Name what it judges: `pytest "
                "--grader-submission PATH`, with a file or a folder."
            )
        path = Path(self._path)
        path = path / f"{exercise.stem}.py" if path.is_dir() else path
        try:
            return Source(exercise.id, path.name, path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise pytest.UsageError(f"`{path}` can't be judged: {error}") from error

    def _exercise_of(self, suite: Path) -> tuple[courses.Course | None, Exercise]:
        """The exercise of a suite; one of its own if no course is around it."""
        try:
            course = courses.find(start=suite.parent, or_installed=False)
        except NoCourseError:
            return None, Exercise(f"suites/{suite.stem.removeprefix('test_')}", suite.name, ())
        for exercise in course.exercises:
            if course.suite(exercise).resolve() == suite.resolve():
                return course, exercise
        raise pytest.UsageError(
            f"`{suite}` doesn't belong to an exercise in the catalogue of `{course.name}`"
        )

    def _source(self, course: courses.Course, exercise: Exercise) -> Source:
        solution = course.solution_text(exercise)
        if self._path is None:
            return Source(exercise.id, f"{exercise.stem}.py", solution)
        file, colons, cell = self._path.rpartition("::")
        if colons:
            return Source(exercise.id, f"{exercise.stem}.py", _answer(Path(file), cell, solution))
        path = Path(self._path)
        for source in reader.read(path, course).sources:
            if source.exercise == exercise.id:
                return source
        # An author may try any file on any suite. Its name doesn't matter.
        if path.suffix == ".py":
            return Source(exercise.id, path.name, path.read_text(encoding="utf-8"))
        raise pytest.UsageError(f"`{path}` contains nothing for the exercise `{exercise.id}`")


def _answer(path: Path, cell: str, solution: str) -> str:
    """One of the answers in a file of right or wrong ones."""
    if not path.is_file():
        raise pytest.UsageError(f"there is no file `{path}`")
    try:
        return cells.read(path)[cell].after(solution)
    except GraderError as error:
        raise pytest.UsageError(str(error)) from error


_MAX_BYTES = 1 << 30


class DirectSeat:
    """A seat without processes, limits or protection, so that a debugger works.

    Only for an author with a trusted file: `pytest --debug-in-process`. Values still go
    through the wire's encoding, so that a test gets the same values as in the judge.
    """

    generation = 1
    printed = ""
    can_race = False

    def __init__(self, exercise: Exercise, source: Source) -> None:
        self.exercise = exercise
        self.source = source
        self.programs: dict[bytes, dict[str, Any]] = {}
        self._student = Student(lambda value: _across(self._on_callback(_across(value))))
        self._on_callback: Callable[[Any], Any]
        self.evidence = Evidence()
        self._bench = Bench()
        self._loaded = False

    def new_test(self) -> None:
        self.evidence.begin()

    def ask(self, kind: str, value: Any, on_callback: Callable[[Any], Any]) -> Any:
        self._on_callback = on_callback
        try:
            if not self._loaded:
                self._student.load(self.source.text, self.source.file, self.exercise.numpy)
                self._loaded = True
            return _across(self._student.verbs()[kind](**_across(value)))
        except Exception as error:
            report = describe(error, self.source.file)
            raise faults.from_report(report, self.source.path, self.source.text) from error

    def bench(self, kind: str, value: Any) -> Any:
        try:
            return _across(self._bench.verbs()[kind](**_across(value)))
        except RefusedProgram as error:
            raise faults.Refused(f"Your exported program can't be judged: {error}.", "") from error

    def close(self) -> None:
        pass


def _across(value: Any) -> Any:
    (frame,) = wire.Decoder(_MAX_BYTES).feed(wire.encode(0, "ok", value))
    return frame.value
