"""What a malicious student tries: to make others wait, to be accepted in part, to read an exam."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from grader.api import Grader
from grader.course.course import Course
from grader.output.reports.redaction import public_result
from grader.records.errors import SubmissionError, UsageError
from grader.records.model import (
    Advice,
    Assignment,
    ExerciseResult,
    Judging,
    Outcome,
    Person,
    Race,
    TestResult,
    to_plain,
)
from grader.records.safe_text import table
from grader.serve import queue as queues
from grader.serve import service as services
from grader.serve.database import LAST, WAITING, Database, StoredAttempt
from grader.serve.marks import Marks, iso, works
from grader.serve.people import SESSION, TOKEN
from grader.serve.service import Service
from grader.teacher.pending import Attempt
from tests.conftest import FILES, CourseMaker
from tests.serve.conftest import Client, client, serving

COUNT = 11
NAMES = tuple(f"01_first/e{n}" for n in range(COUNT))
API = "/api/v1/assignments/{}/exercises/{}/attempts"


class Judges:
    """Judges that answer at once, but for a text with `loop` in it."""

    def __init__(self) -> None:
        self.loops: list[Future[Any]] = []

    def end(self) -> None:
        """Of all loops."""
        for loop in self.loops:
            if not loop.done():
                loop.set_result(ExerciseResult(NAMES[0], Outcome.TIMED_OUT, 0.0, 4.0))

    def submit(self, work: Any, exercise: str, **_: object) -> Attempt[Any]:
        text, answer = work.sources[0].text, Future[Any]()
        outcome = Outcome.PASSED if "right" in text else Outcome.FAILED
        points = 4.0 * (outcome is Outcome.PASSED)
        tests = (TestResult("t", "It works.", outcome, points, 4.0, 0.1, "Values are wrong."),)
        if "loop" in text:
            self.loops.append(answer)
        else:
            answer.set_result(ExerciseResult(exercise, outcome, points, 4.0, tests))
        return Attempt(answer)


@pytest.fixture(scope="module")
def judges() -> Judges:
    return Judges()


@pytest.fixture(scope="module")
def served(
    make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory, judges: Judges
) -> Iterator[Service]:
    """Eleven exercises in two assignments, and judges that need no time."""
    files: dict[str, str | None] = {}
    catalog = ""
    for name in NAMES:
        stem = name.rpartition("/")[2]
        catalog += f'\n[[exercise]]\nid = "{name}"\ntitle = "{stem}"\n'
        for path in ("exercises", "tests", "solutions"):
            kinds = {p: t for p, t in FILES.items() if p.startswith(path) and "double" in p}
            files |= {
                p.replace("double", stem): t.replace("double", stem) for p, t in kinds.items()
            }
    course = make_course(tmp_path_factory.mktemp("attacked"), files, catalog)
    rules = (
        Assignment("hw1", "One", NAMES, attempts="best"),
        Assignment("exam", "Two", NAMES, show="words"),
    )
    course = replace(course, assignments=rules)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Grader, "submit", lambda _, *given, **more: judges.submit(*given, **more))
        patched.setattr(Grader, "known", lambda _, items: [False for _ in items])
        patched.setattr(Grader, "ready", lambda _, names: dict.fromkeys([names], 4.0))
        folder = tmp_path_factory.mktemp("attacked_class")
        with serving(folder, course, jobs=2, isolation="available") as made:
            yield made


Come = Callable[..., Client]


@pytest.fixture
def come(served: Service, request: pytest.FixtureRequest) -> Come:
    """Signs in somebody new, with a session or a token."""

    def comes(name: str = "s", kind: str = SESSION) -> Client:
        who = f"{request.node.name} {name}"
        if served.database.person(who) is None:
            served.database.add_people([Person(who)])
        if kind == SESSION:
            return client(served, served.people.issue(SESSION, who))
        made = client(served)
        made.headers["Authorization"] = f"Bearer {served.people.issue(TOKEN, who)}"
        return made

    return comes


def zipped(answers: dict[str, str]) -> dict[str, Any]:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in answers.items():
            archive.writestr(name, text)
    return {"file": ("work.zip", held.getvalue())}


def answers(names: Sequence[str] = NAMES) -> dict[str, str]:
    stems = [name.rpartition("/")[2] for name in names]
    return {f"{stem}.py": f"def {stem}(x):\n    return 2 * x  # right\n" for stem in stems}


def stored(served: Service, one: Client) -> int:
    who = served.people.known(one.cookies[served.cookie], SESSION)
    assert who is not None
    return len(served.database.history(who.id, "hw1"))


# Files


def test_a_zip_of_more_answers_than_may_wait_is_accepted_whole_and_listed(
    served: Service, come: Come
) -> None:
    one = come()
    page = one.post("/a/hw1/upload", files=zipped({**answers(), "notes.txt": "x", "bad.py": "("}))
    assert page.status_code == 200
    said = page.text.partition('id="accepted"')[2].partition("</section>")[0]
    assert all(f">e{n}</a>" in said for n in range(COUNT))
    assert "bad.py" in said.partition("Not accepted")[2]
    assert stored(served, one) == COUNT


def test_a_file_of_which_one_answer_may_not_be_accepted_is_refused_whole(
    served: Service, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each limit is asked before anything is stored: that of an exercise, and of what waits."""
    one = come()
    for n in range(6):
        one.post(API.format("hw1", "e2"), json={"text": f"right {n}"})
    refused = one.post("/a/hw1/upload", files=zipped(answers(NAMES[:4])))
    assert refused.status_code == 429
    assert "Nothing was accepted" in refused.text
    assert stored(served, one) == 6
    monkeypatch.setattr(services, "MOST_OPEN", 0)
    other = come("other")
    assert other.post("/a/hw1/upload", files=zipped(answers(NAMES[:2]))).status_code == 429
    assert stored(served, other) == 0


def test_a_file_is_stored_whole_if_storing_fails_in_the_middle(
    served: Service, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    accept, count = Database.accept, itertools.count()

    def fails(*given: Any) -> Any:
        if next(count) == 2:
            raise OSError("the disk is full")
        return accept(*given)

    monkeypatch.setattr(Database, "accept", fails)
    one = come()
    assert one.post("/a/hw1/upload", files=zipped(answers(NAMES[:4]))).status_code == 500
    assert stored(served, one) == 0


def test_one_person_does_not_keep_the_reader_from_others(
    served: Service, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file of a person is read or waits; others come next, and nobody is sent away."""
    read, may_end, reading = services._read, threading.Event(), threading.Event()

    def slow(course: Any, name: str, data: bytes) -> Any:
        if name == "bomb.py":
            reading.set()
            assert may_end.wait(60)
        return read(course, name, data)

    monkeypatch.setattr(services, "_read", slow)
    mallory, ben = come("mallory"), come("ben")
    bomb = {"file": ("bomb.py", b"x = 1\n")}
    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(mallory.post, "/a/hw1/upload", files=bomb)
        assert reading.wait(60)
        assert mallory.post("/a/hw1/upload", files=bomb).status_code == 429
        theirs = threads.submit(ben.post, "/a/hw1/upload", files=zipped(answers(NAMES[:1])))
        while len(served.queue._readers) < 2:
            time.sleep(0.01)
        may_end.set()
        assert first.result().status_code == 422
        assert theirs.result().status_code == 303


def test_the_seconds_of_reading_count_as_those_of_judging(
    served: Service, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    def costly(*_: object) -> Any:
        monkeypatch.setattr("grader.intake.apart._reader.used", 2 * queues.MUCH)
        raise SubmissionError("takes too long")

    monkeypatch.setattr("grader.intake.apart._reader.used", 0.0)
    monkeypatch.setattr("grader.intake.reader.read", costly)
    mallory = come("mallory")
    bomb = {"file": ("bomb.py", b"x = 1\n")}
    assert mallory.post("/a/hw1/upload", files=bomb).status_code == 422
    refused = mallory.post("/a/hw1/upload", files=bomb)
    assert refused.status_code == 429
    assert 200 < int(refused.headers["Retry-After"]) <= queues.HALF
    who = served.people.known(mallory.cookies[served.cookie], SESSION)
    assert who is not None
    assert served.queue._used[who.id] > queues.MUCH


# Marks


@pytest.mark.parametrize("name", ["exam", "hw1"])
def test_newer_attempts_do_not_delay_the_marks(
    served: Service, come: Come, judges: Judges, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """However many come, and however long they run. The next marks cover them."""
    made: list[int] = []
    own = Marks._own
    monkeypatch.setattr(Marks, "make", lambda _, rule, until: made.append(until))
    monkeypatch.setattr(Marks, "stale", lambda *a: [one for one in own(*a) if not one.outcome])
    teacher = client(served, served.people.issue(SESSION, "noether"))
    mallory = come(f"mallory {name}")

    def sends(stem: str) -> None:
        text = {"text": f"loop {time.monotonic()}"}
        assert mallory.post(API.format(name, stem), json=text).status_code == 202

    for stem in ("e0", "e1", "e2"):
        sends(stem)
    last = served.database.newest()
    for _ in range(3):
        assert teacher.post(f"/t/{name}/marks").status_code == 409
        sends("e9")
    while teacher.post(f"/t/{name}/marks").status_code == 409:
        for ticket in list(served.queue._tickets.values()):
            begun = ticket.begun
            if ticket.attempt.number <= last and begun is not None and not begun.result.done():
                begun.result.set_result(ExerciseResult(NAMES[0], Outcome.TIMED_OUT, 0.0, 4.0))
        time.sleep(0.05)
    assert made == [last]
    assert served.queue.waiting >= 1
    judges.end()


def test_the_last_one_counts_so_older_ones_that_wait_delay_no_marks(
    served: Service, come: Come
) -> None:
    """With `attempts = "best"`, any may be the best."""
    one = come()
    who = served.people.known(one.cookies[served.cookie], SESSION)
    assert who is not None
    for name in ("exam", "hw1"):
        rule = served.course.assignment(name)
        for n in range(3):
            attempt = StoredAttempt(
                0, f"{who.id} {name} {n}", who.id, name, NAMES[0], "a.py", 0.0, WAITING
            )
            served.database.accept(attempt, "x", None)
        own = [a for a in served.marks._own(rule, LAST) if a.person == who.id]
        assert len(own) == (1 if name == "exam" else 3)
        for attempt in served.database.history(who.id, name):
            served.database.finish(attempt.id, ExerciseResult(NAMES[0], Outcome.FAILED, 0.0, 4.0))


# Pages


def test_what_a_page_reads_does_not_grow_with_the_history(served: Service, come: Come) -> None:
    """Results are unpacked for what is shown or counts, whatever lies behind it."""
    one = come()
    who = served.people.known(one.cookies[served.cookie], SESSION)
    assert who is not None
    one.post(API.format("hw1", "e0"), json={"text": "right"})
    while not (first := served.database.history(who.id, "hw1")[0]).is_done:
        time.sleep(0.05)
    read: dict[str, list[int]] = {}
    places = ("/", "/a/hw1", "/a/hw1/e0", f"/attempts/{first.id}", f"/attempts/{first.id}/verdict")
    teacher = client(served, served.people.issue(SESSION, "noether"))
    pages = [(one, place) for place in places]
    pages += [(teacher, f"/t/hw1/student?id={who.id}"), (teacher, "/t/hw1")]
    for size in (20, 400):
        with served.database.whole():
            while len(served.database.history(who.id, "hw1", with_results=False)) < size:
                served.database.rows(
                    "INSERT INTO attempts (id, person, assignment, exercise, path, text, at, state,"
                    " outcome, causes, result, score) SELECT hex(randomblob(16)), person,"
                    " assignment, exercise, path, text, at - 9999, state, outcome, causes, result,"
                    " score FROM attempts WHERE person = ? LIMIT 100",
                    who.id,
                )
        for asker, place in pages:
            with pytest.MonkeyPatch.context() as patched:
                rows = Database._attempts
                seen: list[Any] = []
                patched.setattr(
                    Database,
                    "_attempts",
                    lambda *a, rows=rows, seen=seen, **k: seen.extend(x := rows(*a, **k)) or x,
                )
                assert asker.get(place).status_code == 200
            read.setdefault(place, []).append(len(seen))
    assert all(few >= many for few, many in list(read.values())[:-2]), read
    assert all(many <= 60 for _, many in read.values()), read
    (place,) = (place for place in read if "student?id" in place)
    page = teacher.get(place).text
    assert page.count('href="/attempts/') == 50
    older = page.partition("&amp;until=")[2].partition('"')[0]
    assert teacher.get(f"{place}&until={older}").text.count('href="/attempts/') == 50


# Exams


HIDDEN = "543"
SPOKEN = {
    "a shape": (Outcome.FAILED, f"Shape ({HIDDEN}, 5); a different shape is expected."),
    "a dtype": (
        Outcome.FAILED,
        f"At `[{HIDDEN}]` of the result: dtype int8; a different dtype is expected.",
    ),
    "a case": (Outcome.FAILED, f"For {HIDDEN}: NaN or Inf."),
    "a container": (Outcome.FAILED, f"`C{HIDDEN}`, where something else is expected."),
    "a count": (Outcome.FAILED, f"{HIDDEN} of 600 values are wrong."),
    "an assert": (Outcome.FAILED, f"Your program computes {HIDDEN} times."),
    "a line": (Outcome.RAISED, f"Your code raised ValueError at line {HIDDEN} of `a.py`: `x`"),
    "a class": (Outcome.RAISED, f"Your code raised E{HIDDEN}."),
    "a file": (Outcome.CRASHED, f"Your code wrote {HIDDEN} bytes."),
    "memory": (Outcome.OUT_OF_MEMORY, f"Your code took {HIDDEN} MB."),
    "a time": (Outcome.TIMED_OUT, f"{HIDDEN} calls were done."),
    "a race": (Outcome.PASSED, f"f: {HIDDEN}x (at least 2x)"),
}


@pytest.mark.parametrize("name", SPOKEN)
def test_an_exam_says_the_kind_of_a_mistake_and_nothing_that_code_chose(name: str) -> None:
    outcome, message = SPOKEN[name]
    advice = Advice(
        f"cause-{HIDDEN}", f"The shapes are {HIDDEN}.", "", int(HIDDEN), f"x = {HIDDEN}"
    )
    race = Race("f", 2.0, True, Outcome.PASSED, 5.43, 5.43, 5.43, ((5.43,),))
    test = TestResult(
        "t", "It works.", outcome, 0.0, 1.0, 5.43, message, "", HIDDEN, (race,), advice
    )
    result = ExerciseResult("a/b", outcome, 0.0, 1.0, (test,), message, (advice,))
    shown = public_result(result, in_words=True)
    text = json.dumps(to_plain(shown))
    assert HIDDEN not in text
    assert "5.43" not in text
    assert bool(shown.tests[0].message) == (outcome is not Outcome.PASSED)
    assert public_result(shown, in_words=True).tests[0].message == shown.tests[0].message
    assert HIDDEN in json.dumps(to_plain(public_result(result)))


def test_two_programs_with_one_kind_of_mistake_read_the_same() -> None:
    """Whatever their code chose: the sentences are few, and known before."""
    said = {}
    for shape in ("(3,)", "(104, 5, 4, 7, 0)"):
        text = f"Shape {shape}; a different shape is expected.\nf(x)\nexpected: 1"
        one = TestResult("t", "It works.", Outcome.FAILED, 0.0, 1.0, 0.1, text)
        result = ExerciseResult("a/b", Outcome.FAILED, 0.0, 1.0, (one,), text)
        said[shape] = to_plain(public_result(result, in_words=True))
    assert said["(3,)"] == said["(104, 5, 4, 7, 0)"]


def test_an_exam_does_not_tell_when_a_test_ends(served: Service, come: Come) -> None:
    """Code could sleep for as many seconds as a hidden input says."""
    one = come()
    made = one.post(API.format("exam", "e0"), json={"text": "loop of an exam"}).json()
    while (ticket := served.queue.ticket(made["id"])) is None or ticket.task is None:
        time.sleep(0.01)
    ticket.judging = Judging(NAMES[0], 3, 4)
    shown = one.get(f"/api/v1/attempts/{made['id']}").json()
    assert (shown["state"], shown.get("done", 0), shown.get("of", 0)) == ("judging", 0, 0)


# Requests


@pytest.mark.parametrize("wait", ["soon", "nan", "999", "-1", "inf"])
def test_a_request_that_is_refused_has_no_effect(served: Service, come: Come, wait: str) -> None:
    one = come()
    place = f"{API.format('hw1', 'e0')}?wait={wait}"
    assert one.post(place, json={"text": "right"}).status_code == 422
    assert stored(served, one) == 0


@pytest.mark.parametrize("key", ["", "k" * 201])
def test_a_key_is_whole_or_refused(served: Service, come: Come, key: str) -> None:
    one = come()
    headers = {"Idempotency-Key": key}
    place = API.format("hw1", "e0")
    assert one.post(place, json={"text": "right"}, headers=headers).status_code == 422
    assert stored(served, one) == 0


@pytest.mark.parametrize(("other", "path"), [("e0", "e0.ipynb"), ("e1", "")])
def test_a_key_identifies_one_request(served: Service, come: Come, other: str, path: str) -> None:
    one = come()
    headers = {"Idempotency-Key": "k" * 200}
    first = one.post(API.format("hw1", "e0"), json={"text": "right"}, headers=headers)
    again = one.post(API.format("hw1", "e0"), json={"text": "right"}, headers=headers)
    assert again.json()["id"] == first.json()["id"]
    body = {"text": "right", "path": path}
    refused = one.post(API.format("hw1", other), json=body, headers=headers)
    assert refused.status_code == 422
    assert stored(served, one) == 1


def bytes_of(service: Service, sent: bytes) -> bytes:
    parts = urlsplit(service.address)
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), 60) as wire:
        wire.sendall(sent)
        return b"".join(iter(lambda: wire.recv(65_536), b""))


INNER = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize(
    "head",
    [
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n",
        b"POST / HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n",
    ],
)
def test_a_request_with_two_ends_is_the_last_on_its_connection(
    served: Service, head: bytes
) -> None:
    answer = bytes_of(served, head + b"\r\n0\r\n\r\n" + INNER)
    assert answer.split()[1] == b"400"
    assert b"HTTP/1.1 2" not in answer


def test_twelve_streams_at_once_are_three(served: Service, come: Come) -> None:
    """Counted as soon as one is allowed, and given back also if nobody reads it."""
    one = come()
    made = one.post(API.format("hw1", "e5"), json={"text": "loop of streams"}).json()
    place = f"/api/v1/attempts/{made['id']}/events"
    cookie = f"{served.cookie}={one.cookies[served.cookie]}"
    ask = f"GET {place} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n".encode()
    parts = urlsplit(served.address)
    where = str(parts.hostname), int(parts.port or 0)
    wires = [socket.create_connection(where, 60) for _ in range(12)]
    for wire in wires:
        wire.sendall(ask)
    codes = sorted(wire.recv(4096).split()[1] for wire in wires)
    assert codes.count(b"200") == 3
    for wire in wires:
        wire.close()
    who = served.people.known(one.cookies[served.cookie], SESSION)
    assert who is not None
    while served.streams[who.id]:
        time.sleep(0.01)


@pytest.mark.parametrize("kind", [SESSION, TOKEN])
def test_a_stream_ends_with_its_session(
    served: Service, come: Come, judges: Judges, kind: str
) -> None:
    one = come(kind=kind)
    made = one.post(API.format("hw1", "e6"), json={"text": f"loop of {kind}"}).json()
    with one.stream("GET", f"/api/v1/attempts/{made['id']}/events") as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith("data: ")
        stored = served.database.attempt(made["id"])
        assert stored is not None
        served.database.drop_keys([*served.database.keys(stored.person)])
        ended = threading.Event()

        def end() -> None:
            while not ended.wait(0.05):
                judges.end()

        with ThreadPoolExecutor(1) as threads:  # the next event is one too many
            threads.submit(end)
            assert "data" not in "".join(lines)
            ended.set()


@pytest.mark.parametrize("opening", ['{"a":', '{"key":"k","signature":', "[", '{"person":{"a":'])
def test_a_receipt_of_any_depth_is_refused_with_a_sentence(served: Service, opening: str) -> None:
    own = f'"key":"{served.signer.key_id}","signature":"x",'
    for depth in (1, 900, 5000, 100_000):
        for text in (opening * depth, opening * depth + "1" + "}" * depth):
            for whole in (text, "{" + own + '"a":' + text + "}"):
                with pytest.raises(UsageError, match="receipt"):
                    served.signer.check(whole)


@pytest.mark.parametrize(
    "text", [';"=2+2;', 'a;"=1+1;b', ';""=1', ";'=1", '|"@x', ';\t"+1', '\n" -1', '"=1+1']
)
def test_no_reader_of_a_table_finds_a_formula(text: str) -> None:
    """Read with a separator that the writer didn't use."""
    for separator in ",;|\t":
        for row in csv.reader(io.StringIO(table([[text]])), delimiter=separator):
            assert not any(re.match(r"[\s\"]*[=+\-@]", cell) for cell in row), row


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT, signal.SIGINT])
def test_no_signal_leaves_the_demos_folder(
    homework: Course, tmp_path: Path, number: signal.Signals
) -> None:
    command = [
        sys.executable,
        "-m",
        "grader.cli",
        "serve",
        "--demo",
        "--course",
        str(homework.root),
    ]
    environment = {**os.environ, "TMPDIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "c")}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while "teacher" not in process.stdout.readline():
            pass
        assert list(tmp_path.glob("grader-serve-*"))
        time.sleep(1)
        process.send_signal(number)
        process.wait(60)
    assert list(tmp_path.glob("grader-serve-*")) == []


@pytest.mark.parametrize("by", ["exercise", "submission"])
@pytest.mark.parametrize("attempts", ["last", "best"])
@pytest.mark.parametrize("late", [0.0, 20.0, 100.0])
def test_what_counts_is_what_counted_when_every_attempt_was_looked_at(
    served: Service, tmp_path: Path, by: str, attempts: str, late: float
) -> None:
    """Only those that may count are read, and the choice stays what it was."""
    draw = random.Random(f"{by} {attempts} {late}")
    names = NAMES[:3]
    for story in range(20):
        due = iso(1_790_000_000.0) if story % 4 else ""
        more: dict[str, Any] = {
            "due": due,
            "late": late,
            "late_days": draw.choice([None, 2]),
            "by": by,
        }
        weights = {names[0]: draw.choice([0.5, 3.0])}
        rule = Assignment("r", "R", names, attempts=attempts, weights=weights, **more)
        database = Database(tmp_path / f"{by}{attempts}{late}{story}")
        marks = Marks(served.grader, database, tmp_path)
        marks.points = dict.fromkeys(NAMES, 4.0)
        database.add_people([Person("ada")])
        at = 1_790_000_000.0 - 9e4
        for n in range(draw.randrange(1, 14)):
            at += draw.choice([0.0, 60.0, 5e4])
            name = draw.choice(names)
            one = StoredAttempt(0, str(n), "ada", "r", name, "a.py", at, WAITING)
            database.accept(one, "x", None)
            points = draw.choice([0.0, 1.0, 1.0, 4.0])
            outcome = Outcome.PASSED if points == 4.0 else Outcome.FAILED
            test = TestResult("t", "T.", outcome, points, 4.0)
            if n % 5 != 4:
                database.finish(str(n), ExerciseResult(name, outcome, points, 4.0, (test,)))
        found = marks.counting("ada", rule)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Marks, "_tried", every)
            whole = marks.counting("ada", rule)
        assert found is not None
        assert whole is not None
        assert found[0].grade.score == whole[0].grade.score
        assert {e: a.id for e, a in found[1].items()} == {e: a.id for e, a in whole[1].items()}
        database.close()


def every(marks: Marks, person: str, rule: Assignment) -> list[list[StoredAttempt]]:
    history = marks._db.history(person, rule.name)
    return works([attempt for attempt in history if attempt.result is not None], rule)


def test_a_folder_of_an_earlier_version_gets_its_scores(tmp_path: Path) -> None:
    database = Database(tmp_path)
    for n in range(2):
        one = StoredAttempt(0, str(n), "ada", "r", NAMES[0], "a.py", 0.0, WAITING)
        database.accept(one, "x", None)
    database.finish("1", ExerciseResult(NAMES[0], Outcome.FAILED, 2.5, 4.0))
    database.rows("DROP INDEX tally")
    database.rows("ALTER TABLE attempts DROP COLUMN score")
    database.close()
    again = Database(tmp_path).tally("r", "ada")
    assert [(own.outcome, own.score) for own in again] == [("", None), ("failed", 2.5)]
