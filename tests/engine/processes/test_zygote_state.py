"""A zygote that changed is replaced, and no mark comes from it. One that didn't change stays."""

from __future__ import annotations

import os
import re
import resource
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.engine.executors.client import JudgeClient
from grader.engine.processes import faults, zygote_state
from grader.engine.processes import host as host_module
from grader.engine.processes.child import Child
from grader.engine.processes.clock import Budget
from grader.engine.processes.host import Host
from grader.engine.race.races import Verdicts
from grader.engine.sandbox import Plain
from grader.records.errors import HostError
from grader.records.model import (
    ExerciseResult,
    Job,
    Limits,
    Outcome,
    Race,
    Source,
    Submission,
    Terms,
)

EXERCISE = "01_first/double"
RIGHT = "def double(x):\n    return 2 * x\n"
MODULE = {"source": "def f(x):\n    return x\n", "path": "f.py"}
QUESTION = {"target": "f", "stack": [], "args": (5,), "kwargs": {}}


# What is compared


def own_facts(folder: Path, *expected: str, **variables: str) -> zygote_state.Facts:
    return zygote_state.facts(os.getpid(), folder, expected, variables)


def test_what_stays_the_same_is_no_change(tmp_path: Path) -> None:
    (tmp_path / "tmp1").mkdir()

    def difference() -> str:
        before = own_facts(tmp_path, HOME="here")
        (tmp_path / "tmp2").mkdir()
        after = own_facts(tmp_path, "tmp2", HOME="here")
        (tmp_path / "tmp2").rmdir()
        return zygote_state.difference(before, after)

    # A thread of an earlier test in this process may end just between the two.
    assert "" in (difference() for _ in range(5))


def a_limit() -> Callable[[], object]:
    before = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (7, before[1]))
    return lambda: resource.setrlimit(resource.RLIMIT_CORE, before)


def a_descriptor() -> Callable[[], object]:
    number = os.open(os.devnull, os.O_RDONLY)
    return lambda: os.close(number)


def the_umask() -> Callable[[], object]:
    before = os.umask(0o123)
    return lambda: os.umask(before)


def the_folder() -> Callable[[], object]:
    before = Path.cwd()
    os.chdir("/")
    return lambda: os.chdir(before)


def an_ignored_signal() -> Callable[[], object]:
    before = signal.signal(signal.SIGUSR2, signal.SIG_IGN)
    return lambda: signal.signal(signal.SIGUSR2, before)


def a_blocked_signal() -> Callable[[], object]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
    return lambda: signal.pthread_sigmask(signal.SIG_SETMASK, before)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (a_limit, "Max core file size: "),
        (a_descriptor, "descriptor "),
        (the_umask, "Umask: "),
        (the_folder, "folder: "),
        (an_ignored_signal, "SigIgn: "),
        (a_blocked_signal, "SigBlk: "),
    ],
)
def test_what_children_inherit_is_compared(
    change: Callable[[], Callable[[], object]], says: str, tmp_path: Path
) -> None:
    if os.getcwd() == "/":
        os.chdir(tmp_path)
    before = own_facts(tmp_path)
    back = change()
    try:
        assert says in zygote_state.difference(before, own_facts(tmp_path))
    finally:
        back()
    assert zygote_state.difference(before, own_facts(tmp_path)) == ""


def test_variables_and_files_are_compared(tmp_path: Path) -> None:
    before = own_facts(tmp_path, HOME="here")
    (tmp_path / "new\nline").touch()
    said = zygote_state.difference(before, own_facts(tmp_path, HOME="there", MORE="1"))
    assert "variable HOME: here, now there" in said
    assert "variable MORE: none, now 1" in said
    assert r"scratch file new\nline: none, now there" in said


def test_many_changes_are_not_all_told() -> None:
    said = zygote_state.difference({}, {str(n): "1" for n in range(99)})
    assert said.endswith("4: none, now 1; ...")


# A host


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    made = Host(Plain())
    yield made
    made.close()


def started(host: Host) -> tuple[Child, int]:
    """A child that answers, and its zygote."""
    child = host.fork("student", Limits())
    child.ask("load", MODULE, (Budget(600.0),))
    stat = Path(f"/proc/{child.pid}/stat").read_text()
    return child, int(stat.rsplit(")", 1)[1].split()[1])


def lower_a_limit(zygote: int) -> None:
    resource.prlimit(zygote, resource.RLIMIT_MSGQUEUE, (77, 77))


def leave_files(zygote: int) -> None:
    folder = Path(os.readlink(f"/proc/{zygote}/cwd"))
    (folder / "stray").write_text("x")
    (folder / "link").symlink_to("/usr")


def open_the_folder(zygote: int) -> None:
    os.chmod(os.readlink(f"/proc/{zygote}/cwd"), 0o777)


def make_it_nice(zygote: int) -> None:
    os.setpriority(os.PRIO_PROCESS, zygote, os.getpriority(os.PRIO_PROCESS, zygote) + 1)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lower_a_limit, "Max msgqueue size: "),
        (leave_files, "scratch file link: none, now there; scratch file stray: none, now there"),
        (open_the_folder, "scratch folder: "),
        (make_it_nice, "nice: "),
    ],
)
def test_a_changed_zygote_is_replaced(change: Callable[[int], None], says: str, host: Host) -> None:
    child, zygote = started(host)
    change(zygote)
    assert says in host.changed()
    following, another = started(host)
    assert another != zygote
    assert not os.path.exists(f"/proc/{zygote}")
    with pytest.raises(faults.Crashed):
        child.ask("call", QUESTION, (Budget(600.0),))
    assert following.ask("call", QUESTION, (Budget(600.0),)).value == 5
    for ended in (child, following):
        host.reap(ended)
    host.settle()
    assert host.is_unchanged() and host.changed() == ""
    assert os.path.isdir("/usr/bin")


def test_a_zygote_that_stays_the_same_is_not_replaced(host: Host) -> None:
    zygotes = set()
    for _ in range(8):
        child, zygote = started(host)
        child.ask("call", QUESTION, (Budget(600.0),))
        zygotes.add(zygote)
        host.reap(child)
        host.settle()
        assert host.changed() == ""
    assert len(zygotes) == 1


def test_a_zygote_that_ended_did_not_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine may have ended it, so no submission is blamed."""
    host = Host(Plain())
    signalled: list[int] = []
    try:
        child, zygote = started(host)
        os.kill(zygote, signal.SIGKILL)
        assert host._process is not None
        host._process.wait()
        assert host.changed() == ""
        with pytest.raises(HostError):
            host.fork("student", Limits())
        monkeypatch.setattr(host_module, "_signal", lambda pid, number: signalled.append(pid))
        host.reap(child)
        host.settle()
        assert signalled == []
    finally:
        host.close()


def test_a_verdict_of_a_changed_zygote_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    race = Race("f", 2.0, False, Outcome.PASSED, 3.0, 3.0, 3.0, ((3.0,),))
    Verdicts(["x"], lambda: False).keep("f", race)
    assert Verdicts(["x"]).recall("f") is None
    Verdicts(["x"], lambda: True).keep("f", race)
    assert Verdicts(["x"]).recall("f") is not None


# A judge. Only without a sandbox can a submission change its zygote.

CHANGES = (
    "import os, resource\nresource.prlimit(os.getppid(), resource.RLIMIT_MSGQUEUE, ({0}, {0}))\n"
)
LEAVES_A_FILE = "import os\nopen(os.path.dirname(os.getcwd()) + '/stray', 'w').close()\n"
ONCE = "import os\nif not os.path.exists({0!r}):\n    open({0!r}, 'w').close()\n"


class Judged:
    """A judge whose sandbox is none, and what it warned of."""

    def __init__(self, course: Course, isolation: str) -> None:
        self.warnings: list[str] = []
        terms = Terms(isolation, "3")
        self.client = JudgeClient.ready(course.stubs, course.exercises, terms, self.warnings.append)

    def grade(self, name: str, text: str) -> ExerciseResult:
        submission = Submission(name, "digest", (Source(EXERCISE, "double.py", text),))
        (result,) = self.client.grade(Job(submission, (EXERCISE,)))
        return result


@pytest.fixture(scope="module")
def unconfined(foreign: Course) -> Iterator[Judged]:
    judged = Judged(foreign, "none")
    with judged.client:
        yield judged


@pytest.mark.slow
@pytest.mark.parametrize(
    ("attack", "says"),
    [(CHANGES.format(77), "Max msgqueue size"), (LEAVES_A_FILE, "scratch file stray")],
    ids=["limit", "file"],
)
def test_a_submission_that_changes_the_zygote_twice_is_broken_and_others_keep_their_marks(
    attack: str, says: str, unconfined: Judged
) -> None:
    """Who changed it isn't known, so nobody loses a point, and a teacher reads why."""
    unconfined.warnings.clear()
    result = unconfined.grade("eve`", attack + RIGHT)
    assert (result.outcome, result.score) == (Outcome.BROKEN, None)
    assert {test.outcome for test in result.tests} == {Outcome.BROKEN}
    assert all(says in test.detail for test in result.tests)
    assert [unconfined.grade(name, RIGHT).score for name in ("ada", "bob")] == [4, 4]
    first, second = unconfined.warnings
    assert all(text.startswith("warning   `eve\\u0060`: ") for text in (first, second))
    assert says in first and "judged again" in first
    assert "changed again, so no result of this submission counts" in second and says in second


@pytest.mark.slow
def test_a_change_between_two_submissions_costs_neither_a_point(unconfined: Judged) -> None:
    """The comparison after the next submission sees it, and that is judged once more."""
    unconfined.warnings.clear()
    shown = unconfined.grade("eve", SHOWS + "def double(x):\n    return 3 * x\n")
    (zygote,) = set(re.findall(r"zygote (\d+)", " ".join(test.detail for test in shown.tests)))
    resource.prlimit(int(zygote), resource.RLIMIT_MSGQUEUE, (79, 79))
    assert unconfined.grade("ada", RIGHT).score == 4
    assert len(unconfined.warnings) == 1


@pytest.mark.slow
def test_who_changes_the_zygote_once_gets_the_mark_of_the_second_run(
    unconfined: Judged, tmp_path: Path
) -> None:
    unconfined.warnings.clear()
    wrong = "def double(x):\n    return 3 * x\n"
    once = ONCE.format(str(tmp_path / "done")) + "".join(
        f"    {line}\n" for line in (CHANGES.format(78) + RIGHT).splitlines()
    )
    result = unconfined.grade("eve", once + "else:\n    " + wrong.replace("\n", "\n    ") + "\n")
    assert {test.outcome for test in result.tests} == {Outcome.FAILED}
    assert len(unconfined.warnings) == 1


CLASS = [
    RIGHT,
    "def double(x):\n    return 3 * x\n",
    "def double(x):\n    raise ValueError\n",
    "import os\ndef double(x):\n    os._exit(1)\n",
    "import threading, time\nfor _ in range(20):\n    threading.Thread(target=time.sleep, "
    "args=(9,), daemon=True).start()\ndef double(x):\n    return 3 * x\n",
    "import os\nfor n in range(99):\n    os.makedirs(f'{n}/a/b')\n    os.chmod(f'{n}/a', 0)\n"
    "def double(x):\n    return 3 * x\n",
    "import os, signal\nos.umask(0)\nos.environ['A'] = 'b'\nos.closerange(9, 99)\n"
    "signal.signal(signal.SIGUSR1, signal.SIG_IGN)\ndef double(x):\n    return 3 * x\n",
    RIGHT,
]
SHOWS = "import os\nprint('zygote', os.getppid())\n"


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ["required", "none"])
def test_a_class_needs_one_zygote(isolation: str, foreign: Course, unconfined: Judged) -> None:
    judged = unconfined if isolation == "none" else Judged(foreign, isolation)
    judged.warnings.clear()
    with judged.client if isolation != "none" else pytest.MonkeyPatch.context():
        results = [judged.grade(f"s{n}", SHOWS + text) for n, text in enumerate(CLASS)]
    shown = [re.findall(r"zygote (\d+)", test.detail) for r in results for test in r.tests]
    zygotes = {number for numbers in shown for number in numbers}
    assert len(zygotes) == 1
    assert judged.warnings == []
    assert [result.score for result in results] == [4, 0, 0, 0, 0, 0, 0, 4]
