"""What a race times has the machine for itself, and never waits for ever."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from grader.engine.race.floor import Floor


def test_tests_run_side_by_side(tmp_path: Path) -> None:
    with Floor(tmp_path).taken(), Floor(tmp_path).taken():
        pass


def test_a_race_waits_for_others_and_others_for_it(tmp_path: Path) -> None:
    said, in_its_test = [], threading.Event()

    def race() -> None:
        floor = Floor(tmp_path)
        with floor.taken():
            said.append("race is compiled")
            in_its_test.set()
            with floor.alone():
                said.append("race")
                time.sleep(0.05)
                said.append("race is over")

    def other() -> None:
        with Floor(tmp_path).taken():
            said.append("other")

    with Floor(tmp_path).taken():
        racing = threading.Thread(target=race)
        racing.start()
        assert in_its_test.wait(20)
        time.sleep(0.1)
        said.append("first is over")
    late = threading.Thread(target=other)
    late.start()
    racing.join(20)
    late.join(20)
    assert said == ["race is compiled", "first is over", "race", "race is over", "other"]


def test_the_rest_of_its_test_runs_beside_others(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    with floor.taken():
        with floor.alone():
            pass
        with Floor(tmp_path).taken():
            pass
        # A race of several launches is alone several times.
        with floor.alone():
            pass


def test_races_that_are_compiled_together_run_one_after_the_other(tmp_path: Path) -> None:
    together, alone, most = threading.Barrier(4), 0, 0

    def race() -> None:
        nonlocal alone, most
        floor = Floor(tmp_path)
        with floor.taken():
            together.wait(20)
            for _ in range(3):
                with floor.alone():
                    alone += 1
                    most = max(most, alone)
                    time.sleep(0.005)
                    alone -= 1

    racing = [threading.Thread(target=race, daemon=True) for _ in range(4)]
    for thread in racing:
        thread.start()
    for thread in racing:
        thread.join(30)
    assert not any(thread.is_alive() for thread in racing)
    assert most == 1


def test_it_tells_when_a_test_has_to_wait(tmp_path: Path) -> None:
    said: list[bool] = []
    waiting = threading.Event()

    def tell(waits: bool) -> None:
        said.append(waits)
        waiting.set()

    def race() -> None:
        floor = Floor(tmp_path, tell)
        with floor.taken(), floor.alone():
            pass

    with Floor(tmp_path, tell).taken():
        assert said == []
        racing = threading.Thread(target=race)
        racing.start()
        assert waiting.wait(20)
        assert said == [True]
    racing.join(20)
    assert said == [True, False]


def test_a_race_gets_its_turn_among_many_who_come_and_go(tmp_path: Path) -> None:
    stop, raced = threading.Event(), threading.Event()

    def busy() -> None:
        floor = Floor(tmp_path)
        while not stop.is_set():
            with floor.taken():
                time.sleep(0.002)

    def race() -> None:
        floor = Floor(tmp_path)
        with floor.taken(), floor.alone():
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
