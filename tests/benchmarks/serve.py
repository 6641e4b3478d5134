"""`grader serve` over HTTP on loopback, beside the library: `python -m tests.benchmarks.serve`.

    a verdict   one at a time, in turn with `Grader.grade`, both with two warm judges
    at once     forty students, against the same number in the library
    loops       the median of others while two students send endless loops, against without
    memory      of the web process and of all processes, early and late, over `--answers`
    kills       `--kills N`: killed at random moments with forty clients. What was accepted?
    a class     `--class N`: sixty students send four answers each within a minute, among them
                endless loops and memory hogs, against `grader grade` with the same; N times

All answers differ; no exercise has a race. `--quick` takes few, in about three minutes.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx

from grader import Grader
from grader.course import course as courses
from grader.records.model import Person
from grader.serve.database import Database
from grader.serve.people import TOKEN, People
from tests.benchmarks.grading import EIGHT, ROOT
from tests.benchmarks.library import answers
from tests.benchmarks.throughput import descendants, memory_of

STUDENTS = 80
AT_ONCE = 40
CALM = [
    name
    for name in EIGHT
    if "race" not in courses.find(ROOT).suite(courses.find(ROOT)[name]).read_text()
]
LOOP = "import jax\n\nwhile True:\n    pass\n"
HOG = "HELD = []\nwhile True:\n    HELD.append(bytearray(b'x' * (1 << 26)))\n"
CLASS, HOSTILE, MINUTE = 60, 4, 55.0
ADDED, TIMES, OTHERS, BESIDE = 0.030, 1.1, 3.0, 1.3
Item = tuple[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=3000)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--class", type=int, default=0, dest="classes")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    source = (item for item in answers(courses.find(ROOT), str(os.getpid())) if item[1] in CALM_IDS)
    with tempfile.TemporaryDirectory() as folder:
        tokens = class_in(Path(folder))
        if options.kills:
            kills(Path(folder), tokens, source, options.kills)
            return
        if options.classes:
            classes(Path(folder), tokens, source, options.classes)
            return
        with served(Path(folder)) as (process, address), library() as grader:
            clients = Clients(address, tokens)
            warm(grader, clients, source)
            verdicts(grader, clients, source, 16 if options.quick else 60)
            at_once(grader, clients, source, AT_ONCE)
            loops(clients, source, 10 if options.quick else 30)
            memory(process.pid, clients, source, 60 if options.quick else options.answers)


CALM_IDS = {exercise.id for exercise in courses.find(ROOT).select(CALM)}


class Clients:
    """Students of the server, who submit one after another, so that none is refused."""

    def __init__(self, address: str, tokens: Sequence[str]) -> None:
        limits = httpx.Limits(max_connections=300)
        self._http = httpx.Client(base_url=address, timeout=300, trust_env=False, limits=limits)
        self._people, self._tokens = tokens, itertools.cycle(tokens)
        self._lock = threading.Lock()

    def post(self, item: Item, token: str = "", wait: int = 60) -> httpx.Response:
        text, exercise = item
        with self._lock:
            token = token or next(self._tokens)
        stem = exercise.rpartition("/")[2]
        return self._http.post(
            f"/api/v1/assignments/bench/exercises/{stem}/attempts?wait={wait}",
            json={"text": text},
            headers={"Authorization": f"Bearer {token}"},
        )

    def in_class(self, student: int, item: Item, refused: list[int]) -> tuple[float, str]:
        """Sent at some moment of a minute: the seconds until its verdict, and the outcome."""
        time.sleep(random.uniform(0, MINUTE))
        started, token = time.monotonic(), self._people[student]
        while (answer := self.post(item, token)).status_code == 503:
            refused.append(student)
            time.sleep(float(answer.headers["retry-after"]))
        answer = self._until_done(answer, 2.0)
        return time.monotonic() - started, answer.json()["result"]["outcome"]

    def judged(self, item: Item) -> float:
        """The seconds until the verdict is there."""
        started = time.monotonic()
        self._until_done(self.post(item))
        return time.monotonic() - started

    def _until_done(self, accepted: httpx.Response, pause: float = 0.2) -> httpx.Response:
        who = {"Authorization": accepted.request.headers["authorization"]}
        answer = accepted
        while answer.json().get("state") != "done":
            assert answer.status_code in (200, 202), answer.text
            time.sleep(pause)
            answer = self._http.get(accepted.headers["location"], headers=who)
        return answer


def class_in(folder: Path) -> list[str]:
    """People with a token each, and the assignment's file."""
    (folder / "bench.toml").write_text(f"exercises = {CALM!r}\n".replace("'", '"'))
    database = Database(folder)
    people = [Person(f"s{n}") for n in range(STUDENTS)]
    database.add_people(people)
    tokens = [People(database).issue(TOKEN, one.id) for one in people]
    database.close()
    return tokens


def command(folder: Path, port: int) -> list[str]:
    given = ["--course", ROOT, "--assignment", folder / "bench.toml", "--port", port, "--jobs", 2]
    return [sys.executable, "-m", "grader.cli", "serve", str(folder), *map(str, given)]


@contextmanager
def served(folder: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = subprocess.Popen(command(folder, port), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        yield process, address
    finally:
        process.terminate()
        process.wait(30)


def library() -> Grader:
    return Grader(courses.find(ROOT), CALM, seed="benchmark", jobs=2)


def warm(grader: Grader, clients: Clients, source: Iterator[Item]) -> None:
    for exercise in CALM_IDS:
        items = itertools.islice((item for item in source if item[1] == exercise), 4)
        for number, item in enumerate(items):
            _ = clients.judged(item) if number % 2 else grader.grade(*item)


def timed(run: Callable[[], object]) -> float:
    started = time.monotonic()
    run()
    return time.monotonic() - started


def verdicts(grader: Grader, clients: Clients, source: Iterator[Item], count: int) -> None:
    pairs = []
    for text, exercise in itertools.islice(source, count):
        other = f"{text}_AGAIN = 1\n"
        ours = timed(lambda: grader.grade(text, exercise))  # noqa: B023
        pairs.append((ours, clients.judged((other, exercise))))
    added = statistics.median(theirs - ours for ours, theirs in pairs)
    medians = [1e3 * statistics.median(side) for side in zip(*pairs, strict=True)]
    print(
        f"a verdict: library {medians[0]:.0f} ms, HTTP {medians[1]:.0f} ms; the median of the "
        f"differences is {1e3 * added:.0f} ms (asked: {1e3 * ADDED:.0f})",
        flush=True,
    )


def at_once(grader: Grader, clients: Clients, source: Iterator[Item], count: int) -> None:
    ratios = []
    for _ in range(3):
        items = list(itertools.islice(source, count))
        others = [(f"{text}_AGAIN = 1\n", exercise) for text, exercise in items]
        ours = timed(lambda: list(grader.grade_many(items)))  # noqa: B023
        with ThreadPoolExecutor(count) as threads:
            theirs = timed(lambda: list(threads.map(clients.judged, others)))  # noqa: B023
        ratios.append(theirs / ours)
        print(f"{count} at once: library {ours:.1f} s, HTTP {theirs:.1f} s, {ratios[-1]:.2f}x")
    print(f"median {statistics.median(ratios):.2f}x (asked: {TIMES})", flush=True)


def loops(clients: Clients, source: Iterator[Item], count: int) -> None:
    """Two students send a loop each, again and again, while others work one at a time."""
    without = statistics.median(clients.judged(item) for item in itertools.islice(source, count))
    ended = threading.Event()

    def send(token: str) -> None:
        for number in itertools.count():
            clients.post((f"N = {number}\n{LOOP}", sorted(CALM_IDS)[0]), token, wait=0)
            if ended.wait(15):
                return

    with ThreadPoolExecutor(2) as threads:
        for _ in range(2):
            threads.submit(send, next(clients._tokens))
        time.sleep(8)
        with_loops = [clients.judged(item) for item in itertools.islice(source, count)]
        ended.set()
    ratio = statistics.median(with_loops) / without
    print(
        f"beside two loops: median {statistics.median(with_loops):.2f} s, worst "
        f"{max(with_loops):.1f} s, {ratio:.2f}x of {without:.2f} s (asked: {OTHERS})",
        flush=True,
    )


def memory(pid: int, clients: Clients, source: Iterator[Item], count: int) -> None:
    held: list[tuple[int, int]] = []
    with ThreadPoolExecutor(4) as threads:
        for _ in range(20):
            list(threads.map(clients.judged, itertools.islice(source, max(1, count // 20))))
            processes = [pid, *descendants(pid)]
            held.append((memory_of(pid), sum(map(memory_of, processes))))
    for name, side in zip(("web process", "all"), zip(*held, strict=True), strict=True):
        early, late = statistics.median(side[3:8]), statistics.median(side[-5:])
        print(f"memory of {name}: {early / 2**20:.0f} MiB early, {late / early:.2f}x late")


def kills(folder: Path, tokens: Sequence[str], source: Iterator[Item], count: int) -> None:
    """Kills the server at random moments; then everything that was accepted is judged once."""
    accepted: dict[str, str] = {}
    orphans = 0
    port = free_port()
    for number in range(count):
        items = list(itertools.islice(source, AT_ONCE))
        with subprocess.Popen(command(folder, port), stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            process.stdout.readline()
            clients = Clients(f"http://127.0.0.1:{port}", tokens)

            def hand_in(item: Item) -> None:
                try:
                    answer = clients.post(item, wait=0)  # noqa: B023
                except httpx.HTTPError:
                    return
                if answer.status_code in (200, 202):
                    accepted[answer.json()["id"]] = item[0]

            with ThreadPoolExecutor(AT_ONCE) as threads:
                sent = [threads.submit(hand_in, item) for item in items]
                time.sleep(random.uniform(0.1, 6))
                children = descendants(process.pid)
                os.kill(process.pid, signal.SIGKILL)
                for one in sent:
                    one.result()
        time.sleep(5)
        left = [pid for pid in children if is_alive(pid)]
        orphans += len(left)
        print(f"kill {number + 1}: {len(accepted)} accepted, {len(left)} orphans", flush=True)
    with served(folder, port) as (_, address):
        ask = httpx.Client(base_url=address, trust_env=False)
        while ask.get("/healthz").json()["waiting"]:
            time.sleep(1)
        time.sleep(10)
    database = Database(folder)
    found = {one.id: one for n in range(STUDENTS) for one in database.history(f"s{n}", "bench")}
    missing = accepted.keys() - found.keys()
    texts = sum(database.text(found[name]) != text for name, text in accepted.items())
    unjudged = sum(not one.is_done for one in found.values())
    print(
        f"{len(accepted)} accepted: {len(missing)} missing, {texts} changed, {unjudged} unjudged, "
        f"{orphans} orphans after 5 s"
    )


def classes(folder: Path, tokens: Sequence[str], source: Iterator[Item], count: int) -> None:
    """In turn the server and the command, each with the same answers of a class."""
    ratios = []
    with served(folder) as (_, address):
        clients = Clients(address, tokens)
        for exercise in CALM_IDS:
            clients.judged(next(item for item in source if item[1] == exercise))
        for turn in range(count):
            # Each student sends four exercises, since a newer attempt would replace an older one.
            sent = [(n, item) for n in range(CLASS) for item in four(n, turn, source)]
            refused: list[int] = []
            with ThreadPoolExecutor(len(sent)) as threads:
                judged = [threads.submit(clients.in_class, *one, refused) for one in sent]
            seconds = [one.result() for one in judged]
            right = sorted(took for took, outcome in seconds if outcome == "passed")
            late = statistics.quantiles(right, n=20)[-1]
            ours = timed(lambda: command_over(folder, turn, sent))  # noqa: B023
            ratios.append(late / ours)
            outcomes = Counter(outcome for _, outcome in seconds)
            print(f"class {turn + 1}: {dict(outcomes)}, {len(refused)} refused with 503")
            print(
                f"right answers: median {statistics.median(right):.0f} s, p95 {late:.0f} s; "
                f"`grader grade` {ours:.0f} s for all; {ratios[-1]:.2f}x",
                flush=True,
            )
    print(f"median {statistics.median(ratios):.2f}x (asked: {BESIDE})")


def four(student: int, turn: int, source: Iterator[Item]) -> Iterator[Item]:
    chosen: dict[str, str] = {}
    while len(chosen) < 4:
        text, exercise = next(source)
        if student < HOSTILE:
            text = f"N = '{student} {turn} {exercise}'\n{LOOP if student % 2 else HOG}"
        chosen.setdefault(exercise, text)
    return ((text, exercise) for exercise, text in chosen.items())


def command_over(folder: Path, turn: int, sent: Sequence[tuple[int, Item]]) -> None:
    for student, (text, exercise) in sent:
        path = folder / f"class{turn}" / f"s{student}" / f"{exercise.rpartition('/')[2]}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}_AGAIN = 1\n")
    where = ["--class", folder / f"class{turn}", "--out", folder / f"results{turn}"]
    given = [*where, "--course", ROOT, "--assignment", folder / "bench.toml", "--jobs", 2]
    command = [sys.executable, "-m", "grader.cli", "grade", *map(str, given)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    main()
