"""A race has the machine for itself, and never waits for ever."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from grader.judge.recorder import Floor


def test_tests_run_side_by_side(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    with floor.taken(alone=False), floor.taken(alone=False):
        pass


def test_a_race_waits_for_others_and_others_for_it(tmp_path: Path) -> None:
    floor, said = Floor(tmp_path), []

    def race() -> None:
        with floor.taken(alone=True):
            said.append("race")
            time.sleep(0.05)
            said.append("race is over")

    def other() -> None:
        with floor.taken(alone=False):
            said.append("other")

    with floor.taken(alone=False):
        racing = threading.Thread(target=race)
        racing.start()
        time.sleep(0.1)
        said.append("first is over")
    late = threading.Thread(target=other)
    late.start()
    racing.join(20)
    late.join(20)
    assert said == ["first is over", "race", "race is over", "other"]


def test_it_tells_when_a_test_has_to_wait(tmp_path: Path) -> None:
    said: list[bool] = []
    waiting = threading.Event()

    def tell(waits: bool) -> None:
        said.append(waits)
        waiting.set()

    def race() -> None:
        with Floor(tmp_path, tell).taken(alone=True):
            pass

    with Floor(tmp_path, tell).taken(alone=False):
        assert said == []
        racing = threading.Thread(target=race)
        racing.start()
        assert waiting.wait(20)
        assert said == [True]
    racing.join(20)
    assert said == [True, False]


def test_a_race_gets_its_turn_among_many_who_come_and_go(tmp_path: Path) -> None:
    floor, stop, raced = Floor(tmp_path), threading.Event(), threading.Event()

    def busy() -> None:
        while not stop.is_set():
            with floor.taken(alone=False):
                time.sleep(0.002)

    def race() -> None:
        with floor.taken(alone=True):
            raced.set()

    others = [threading.Thread(target=busy) for _ in range(8)]
    for thread in others:
        thread.start()
    racing = threading.Thread(target=race)
    racing.start()
    try:
        assert raced.wait(30)
    finally:
        stop.set()
        for thread in [*others, racing]:
            thread.join(20)
