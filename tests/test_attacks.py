"""Hostile submissions: each ends as it declares, earns no full marks, and harms no other student.

    tests/attacks/NAME.py    a submission; its docstring names the rows of the catalogue that it
                             tries ("F04"), the exercise that it answers, and its outcome
    Kind: intake             not a submission, but a builder of one: `build(folder)` -> its path
    Slow: why                takes as long as a limit allows
    Demo: why                is one of those that `grader demo` shows

An ordinary run tries one attack of each kind; `-m slow` tries the rest.

All attacks run in one judge. Those that may end with `timed_out` meet limits so small that bombs
end quickly, in a copy of the exercise; nothing else here depends on the speed of the machine. After
each attack, the reference solution is judged, and has to earn all points.
"""

from __future__ import annotations

import importlib.util
import io
import os
import re
import shutil
import signal
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from rich.console import Console

from grader.course import course as courses
from grader.course.course import Course
from grader.engine.executors.client import JudgeClient
from grader.intake import reader
from grader.output.screens import grades
from grader.records import scoring
from grader.records.model import (
    Exercise,
    ExerciseResult,
    Grade,
    Job,
    Outcome,
    Source,
    Submission,
    Terms,
)

ROOT = Path(__file__).resolve().parents[1]
# The course itself, and exercises only for these tests, with races.
COURSES = (ROOT, ROOT / "tests" / "golden" / "races")
GROUPS = "FHNTRXAW"
LIMITS = """
[limits]
seconds = 100
total_seconds = 300
memory_mb = 1000
disk_mb = 8
output_kb = 64
"""
BRIEF = "limits = { seconds = 4, total_seconds = 8 }\n"
SEED = "7"


@dataclass(frozen=True)
class Attack:
    """One file of `tests/attacks`, by what its docstring declares."""

    path: Path
    rows: tuple[str, ...]
    exercise: str
    outcomes: tuple[str, ...]
    kind: str
    slow: bool

    @property
    def place(self) -> str:
        """The exercise at which it is judged: with brief limits if it may need them."""
        return self.exercise + ("_brief" if Outcome.TIMED_OUT in self.outcomes else "")


def declared(path: Path) -> Attack:
    """Reads the docstring of an attack. Raises `ValueError` if it declares too little."""
    doc = path.read_text(encoding="utf-8").split('"""')[1]
    fields = dict(re.findall(r"^(\w+): (.+)$", doc, re.MULTILINE))
    rows = tuple(re.findall(rf"\b([{GROUPS}]\d\d)\b", doc.splitlines()[0]))
    if not rows or not {"Exercise", "Outcome"} <= set(fields):
        raise ValueError(f"`{path}` names no row of the catalogue, no exercise or no outcome")
    outcomes = tuple(outcome.strip() for outcome in fields["Outcome"].split("|"))
    kind = fields.get("Kind", "submission")
    return Attack(path, rows, fields["Exercise"], outcomes, kind, "Slow" in fields)


ATTACKS = [declared(path) for path in sorted((ROOT / "tests" / "attacks").glob("*.py"))]


def everyday() -> set[Path]:
    """The first attack of each kind: each group of the catalogue, outcome and form."""
    first: dict[tuple[str, ...], Path] = {}
    for attack in ATTACKS:
        if not attack.slow:
            kind = (attack.rows[0][0], attack.outcomes[0], attack.kind)
            first.setdefault(kind, attack.path)
    return set(first.values())


EVERY_DAY = everyday()
READER, SURVIVOR = (
    next(attack for attack in ATTACKS if attack.path.stem == stem)
    for stem in ("reads_the_solution", "outlives_its_judge")
)
"""Attacks that have a test of their own, too."""


@dataclass(frozen=True)
class Court:
    """A judge, its course, and the folder in which the judge makes all its files."""

    course: Course
    client: JudgeClient
    folder: Path
    closing: ExitStack

    def grade(self, submission: Submission, exercise: Exercise) -> Grade:
        results = self.client.grade(Job(submission, (exercise.id,)))
        return scoring.grade(submission, results)

    def tried(self, submission: Submission, exercise: Exercise) -> tuple[ExerciseResult, ...]:
        """What a trial gives that calls the exercise's functions."""
        functions = "".join(f"{name}, " for name in exercise.defines)
        calls = f"[f(*[jnp.ones(3)] * f.__code__.co_argcount) for f in ({functions})]"
        return self.client.grade(Job(submission, (exercise.id,), expression=calls))

    def survivors(self) -> list[int]:
        """Processes that still run in a folder of the judge."""
        running = map(int, filter(str.isdigit, os.listdir("/proc")))
        return [pid for pid in running if cwd_of(pid).is_relative_to(self.folder)]


def copied_course(folder: Path, attacks: list[Attack]) -> Course:
    """A course with the exercises of these attacks, and copies with brief limits."""
    entries, copy = "", Course("attacked", folder / "exercises", folder, ())
    places = {place: a.exercise for a in attacks for place in (a.exercise, a.place)}
    for original in map(courses.find, COURSES):
        for place, name in places.items():
            exercise = next((e for e in original.exercises if e.id == name), None)
            if exercise is None:
                continue
            entries += (
                f'\n[[exercise]]\nid = "{place}"\ntitle = "{exercise.title}"\n'
                f"devices = {exercise.devices}\n{BRIEF if place != name else ''}"
            )
            copied = replace(exercise, id=place)
            for file in (Course.stub, Course.solution, Course.suite):
                target = file(copy, copied)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file(original, exercise), target)
            for path in original.suite(exercise).parent.glob("*.py"):
                if not path.name.startswith("test_"):  # what the suites of a topic share
                    shutil.copy(path, copy.suite(copied).parent)
    catalog = folder / "exercises" / "catalog.toml"
    catalog.write_text(f'schema = 1\nname = "attacked"\n{LIMITS}{entries}', encoding="utf-8")
    return courses.load(catalog)


def tried(session: pytest.Session) -> list[Attack]:
    """The attacks of this run. A judge proves each of its suites when it starts."""
    calls = (getattr(item, "callspec", None) for item in session.items)
    given = (call.params.get("attack") for call in calls if call)
    attacks = [attack for attack in given if isinstance(attack, Attack)]
    return [*attacks, READER, SURVIVOR]


@pytest.fixture(scope="module")
def court(request: pytest.FixtureRequest) -> Iterator[Court]:
    with ExitStack() as outer, pytest.MonkeyPatch.context() as patch:
        # The judge makes all its files below this. Paths of sockets have to be short.
        folder = Path(outer.enter_context(tempfile.TemporaryDirectory(prefix="court-")))
        folder.chmod(0o711)  # as root a worker may have a uid of its own
        patch.setenv("TMPDIR", str(folder))
        # A busy judge needs time to end in order.
        patch.setattr("grader.engine.executors.client.END_SECONDS", 120)
        copy = Path(outer.enter_context(tempfile.TemporaryDirectory()))
        course = copied_course(copy, tried(request.session))
        closing = outer.enter_context(ExitStack())
        client = closing.enter_context(
            JudgeClient.ready(course.stubs, course.exercises, Terms("required", SEED))
        )
        yield Court(course, client, folder, closing)


def params(kind: str) -> list[object]:
    return [
        pytest.param(a, id=a.path.stem, marks=[] if a.path in EVERY_DAY else [pytest.mark.slow])
        for a in ATTACKS
        if a.kind == kind
    ]


@pytest.mark.parametrize("attack", params("submission"))
def test_an_attack_earns_nothing_and_hurts_nobody(attack: Attack, court: Court) -> None:
    exercise = court.course[attack.place]
    # A verdict on speed is stored with the text of its submission. A new text is raced again.
    fresh = f"{attack.path.read_text(encoding='utf-8')}\n# {uuid.uuid4()}\n"
    source = Source(exercise.id, f"{exercise.stem}.py", fresh)
    check(attack, court, exercise, Submission(attack.path.stem, "digest", (source,)))


@pytest.mark.parametrize("attack", params("intake"))
def test_a_hostile_file_earns_nothing_and_hurts_nobody(
    attack: Attack, court: Court, tmp_path: Path
) -> None:
    inner = tmp_path / "a" / "b" / "c"
    inner.mkdir(parents=True)
    path = built(attack.path, inner)
    before = sorted(tmp_path.rglob("*"))
    submission = reader.read(path, court.course)
    assert sorted(tmp_path.rglob("*")) == before, "reading it wrote files"
    check(attack, court, court.course[attack.exercise], submission)


@pytest.mark.slow
def test_a_worker_dies_with_its_judge(court: Court) -> None:
    """The judge is killed while it waits for a worker that ignores every signal.

    Another judge then tries the same work, to its limit.
    """
    exercise = court.course[SURVIVOR.place]
    source = Source(exercise.id, "attack.py", SURVIVOR.path.read_text(encoding="utf-8"))
    known, others = children(os.getpid()), set(court.survivors())

    def kill() -> None:
        eventually(lambda: any(map(is_survivor, court.survivors())))
        os.kill(judge, signal.SIGKILL)

    with JudgeClient.ready(court.course.stubs, (exercise,), Terms("required", SEED)) as client:
        (judge,) = children(os.getpid()) - known
        killer = threading.Thread(target=kill)
        killer.start()
        (result,) = client.grade(Job(Submission("a", "d", (source,)), (exercise.id,)))
        killer.join()
        assert result.outcome is Outcome.TIMED_OUT
    assert eventually(lambda: not set(court.survivors()) - others)


def test_nothing_outlives_the_attacks(court: Court) -> None:
    """When the judge has closed, no process is left, and no file."""
    court.closing.close()
    assert eventually(lambda: not court.survivors())
    assert list(court.folder.iterdir()) == []


def test_without_a_sandbox_an_attack_wins(court: Court) -> None:
    """The counterpart of the first test: the same attack succeeds if nothing confines a worker."""
    exercise = court.course[READER.exercise]
    source = Source(exercise.id, "attack.py", READER.path.read_text(encoding="utf-8"))
    with JudgeClient.ready(court.course.stubs, (exercise,), Terms("none", SEED)) as client:
        (result,) = client.grade(Job(Submission("a", "d", (source,)), (exercise.id,)))
    assert result.outcome is Outcome.PASSED, details(result)


def test_every_group_of_the_catalogue_is_tried() -> None:
    assert len(ATTACKS) >= 40
    assert {row[0] for attack in ATTACKS for row in attack.rows} == set(GROUPS)


def check(attack: Attack, court: Court, exercise: Exercise, submission: Submission) -> None:
    grade = court.grade(submission, exercise)
    (result,) = grade.exercises
    story = details(result)
    assert result.outcome is not Outcome.BROKEN, (result.message, story)
    assert result.score is not None and result.score < result.max_score, story
    assert result.outcome in attack.outcomes, story
    assert_holds_no_secret(result, court.course.suite(exercise))
    assert_is_plain_text(grade)
    trial = replace(grade, exercises=court.tried(submission, exercise))
    for tried in trial.exercises:
        assert tried.max_score == 0
        assert_holds_no_secret(tried, court.course.suite(exercise))
    assert_is_plain_text(trial)
    unhurried = court.course[attack.exercise]
    solution = court.course.solution(unhurried).read_text(encoding="utf-8")
    honest = Submission("honest", "digest", (Source(unhurried.id, "honest.py", solution),))
    (neighbour,) = court.grade(honest, unhurried).exercises
    assert neighbour.outcome is Outcome.PASSED, details(neighbour)
    assert neighbour.score == neighbour.max_score


def details(result: ExerciseResult) -> list[tuple[str, ...]]:
    """What happened in each test, to print if an assertion fails."""
    return [(t.id, str(t.outcome), t.message, t.detail[-1000:]) for t in result.tests]


def assert_holds_no_secret(result: ExerciseResult, suite: Path) -> None:
    """No message quotes a check of the suite."""
    source = suite.read_text(encoding="utf-8")
    checks = {line.strip() for line in source.splitlines() if "assert" in line and len(line) > 30}
    for test in result.tests:
        assert not [line for line in checks if line in test.message]


def assert_is_plain_text(grade: Grade) -> None:
    """The report holds no character that moves a cursor or reverses text."""
    screen = io.StringIO()
    grades.submission(grade, Console(file=screen, force_terminal=False, width=200))
    assert all(c.isprintable() or c == "\n" for c in screen.getvalue())


def built(builder: Path, folder: Path) -> Path:
    """Runs a builder of this repository (never a submission)."""
    spec = importlib.util.spec_from_file_location(f"attack_{builder.stem}", builder)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Path(module.build(folder))


def children(pid: int) -> set[int]:
    """Pids whose parent is `pid`."""
    found = set()
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = Path(f"/proc/{entry}/stat").read_text()
        except OSError:
            continue
        if int(stat.rsplit(")", 1)[1].split()[1]) == pid:
            found.add(int(entry))
    return found


def cwd_of(pid: int) -> Path:
    try:
        return Path(os.readlink(f"/proc/{pid}/cwd"))
    except OSError:
        return Path("/")


def is_survivor(pid: int) -> bool:
    """Whether a thread has the name that `SURVIVOR` takes when it is ready."""
    try:
        return any(p.read_text() == "survivor\n" for p in Path(f"/proc/{pid}").glob("task/*/comm"))
    except OSError:
        return False


def eventually(condition: object, seconds: float = 120.0) -> bool:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
