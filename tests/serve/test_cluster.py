"""A server whose judges are on a Dask cluster, of which parts end and come back."""

from __future__ import annotations

import math
import os
import re
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.serve.people import SESSION
from tests.engine.executors.test_cluster import running
from tests.serve.conftest import RIGHT, WRONG, Client, attempt, client, serving


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def outcomes(one: Client, names: list[str]) -> list[str]:
    found = [one.get(f"/api/v1/attempts/{name}").json() for name in names]
    return [state["result"]["outcome"] if state["result"] else "" for state in found]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_scheduler_that_comes_back_judges_all_that_was_accepted(
    homework: Course, tmp_path: Path, how: signal.Signals
) -> None:
    """Meanwhile the board says what is missing. Each accepted answer has one verdict."""
    port = free_port()
    where = f"dask://127.0.0.1:{port}"
    terms = {"jobs": 2, "isolation": "available", "executor": where}
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    with (
        running(tmp_path / "first", 2, port=port) as cluster,
        serving(tmp_path / "class", homework, **terms) as service,
    ):
        ada = client(service, service.people.issue(SESSION, "ada"))
        noether = client(service, service.people.issue(SESSION, "noether"))
        assert attempt(ada, RIGHT).json()["result"]["outcome"] == "passed"
        loop = f"import time\nwhile time.time() < {time.time() + 20}:\n    pass\n{RIGHT}"
        sent = [attempt(ada, loop, wait=0).json()["id"]]
        cluster.scheduler.send_signal(how)
        cluster.scheduler.wait(60)
        sent.append(attempt(ada, WRONG, wait=0).json()["id"])
        until(lambda: noether.get("/healthz").status_code == 503)
        until(lambda: "doesn&#39;t answer" in noether.get("/t/hw1").text)
        with running(tmp_path / "second", 2, port=port):
            until(lambda: all(outcomes(ada, sent)))
            assert outcomes(ada, sent) == ["passed", "failed"]
            until(lambda: noether.get("/healthz").status_code == 200)
            rows = service.database.history("ada", "hw1")
            assert [row.state for row in rows] == ["done"] * 3


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_worker_that_ends_costs_no_verdict(homework: Course, tmp_path: Path) -> None:
    from distributed import Client as DaskClient

    with running(tmp_path, 2) as cluster:
        where = cluster.address.replace("tcp://", "dask://")
        terms = {"jobs": 2, "isolation": "available", "executor": where}
        with serving(tmp_path / "class", homework, **terms) as service:
            ada = client(service, service.people.issue(SESSION, "ada"))
            sent = [attempt(ada, f"{RIGHT}N = {n}\n", wait=0).json()["id"] for n in range(4)]
            with DaskClient(cluster.address) as dask:
                os.kill(next(iter(dask.run(os.getpid).values())), signal.SIGKILL)
            until(lambda: all(outcomes(ada, sent)))
            assert set(outcomes(ada, sent)) == {"passed"}


def test_the_table_of_cores_follows_from_the_seconds_of_an_answer() -> None:
    text = (Path(__file__).parents[2] / "docs/operators.md").read_text(encoding="utf-8")
    (seconds,) = re.findall(r"takes ([\d.]+) s of processor time", text)
    (each,) = re.findall(r"counts (\d+) answers by each person", text)
    rows = re.findall(r"^\| ([\d,]+) \| ([\d,]+) \| (\d+) \|$", text, re.MULTILINE)
    assert len(rows) == 4
    for people, answers, cores in rows:
        count = int(people.replace(",", "")) * int(each)
        assert count == int(answers.replace(",", ""))
        assert int(cores) == math.ceil(count * float(seconds) / 3600 / 0.5)
