"""One side of a race calls a function on each input once, and can repeat an answer."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import cloudpickle
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.engine import wire
from grader.engine.bench.lane import KEPT, Lane
from grader.engine.processes import faults
from grader.engine.race.track import Inputs, Sides, _BenchLaunch
from grader.engine.suite.submission import SubmissionProxy
from grader.engine.wire import arrays
from grader.records.model import Exercise


def encoded(value: Any) -> Any:
    return arrays.to_wire(value, lambda code: wire.Code(cloudpickle.dumps(code)))


def lane_of(function: Callable[..., Any]) -> Lane:
    lane = Lane()
    lane.start(None, encoded(function))
    return lane


def dealt(lane: Lane, count: int, more: bool = False) -> Lane:
    lane.deal([encoded((np.float32(n), 3)) for n in range(count)], more)
    return lane


def test_no_input_is_used_twice() -> None:
    seen: list[float] = []

    def note(x: Any, _: int) -> list[Any]:
        jax.debug.callback(lambda value: seen.append(float(value)), x, ordered=True)
        return [x]

    lane = Lane()
    lane._function = note
    dealt(dealt(lane, 4), 3, more=True)
    assert [lane.sample(5, math.inf), lane.sample(5, math.inf)] == [5, 2]
    jax.effects_barrier()
    assert seen == [0, 1, 2, 3, 0, 1, 2]
    dealt(lane, 2)  # the rest of a pair isn't kept for the next one
    assert lane.sample(5, math.inf) == 2


def test_a_half_ends_with_its_time() -> None:
    assert dealt(lane_of(lambda x, n: [x]), 5).sample(5, 0.0) == 1


def test_few_answers_are_kept_and_the_last_is_among_them() -> None:
    lane = dealt(lane_of(lambda x, n: [x * n]), 100)
    lane.sample(100, math.inf)
    assert KEPT <= len(lane._kept) <= KEPT + 2
    assert 99 in lane._kept
    said = lane.witness()
    (timed,) = said["timed"]
    assert arrays.wire_to_array(timed) == 3 * said["number"]
    assert said["timed"] == said["again"]


def test_a_program_takes_the_arrays_alone() -> None:
    program = jax.export.export(jax.jit(lambda x: [x + 1]))(jax.ShapeDtypeStruct((), jnp.float32))
    lane = Lane()
    lane.start(bytes(program.serialize()), None)
    dealt(lane, 2).sample(2, math.inf)
    assert arrays.wire_to_array(lane.witness()["timed"][0]) in (1, 2)


class Process:
    """A process of the bench, without a process."""

    def __init__(self, lane: Lane) -> None:
        self.verbs = lane.verbs()

    def ask(self, kind: str, value: Any) -> Any:
        return self.verbs[kind](**value)


def witness_of(function: Callable[..., Any], answered: int = 3) -> Any:
    seat: Any = SimpleNamespace(exercise=Exercise("topic/f", "", ("f",)))
    codec = SubmissionProxy(seat)._codec
    lane = Lane()
    lane._function = function
    dealt(lane, 3).sample(3, math.inf)
    process: Any = Process(lane)
    program: Any = type("Structured", (), {"restored": lambda _, outputs: outputs})()
    inputs = Inputs(lambda rng: (np.float32(0), 3), np.random.default_rng())
    launch = _BenchLaunch(Sides(process, process, []), codec, program, inputs)
    launch._dealt, launch._answered = [(n,) for n in range(3)], answered
    return launch.witness()


def test_the_witness_is_one_of_the_timed_calls() -> None:
    (number,), (value,) = witness_of(lambda x, n: [x * n])
    assert value == 3 * number


def test_nan_is_the_same_answer_the_second_time() -> None:
    _, (value,) = witness_of(lambda x, n: [x * jnp.nan])
    assert np.isnan(value)


def test_a_program_that_answers_differently_the_second_time_is_refused() -> None:
    counter = itertools.count()
    with pytest.raises(faults.Refused, match="the second time"):
        witness_of(lambda x, n: [x + next(counter)])


def test_a_call_that_was_not_made_is_no_witness() -> None:
    with pytest.raises(faults.Crashed):
        witness_of(lambda x, n: [x], answered=0)
