"""`grader race` without a suite: a student's program against the untouched one of the stub.

Both run in this process, like all of a student's own code on their own machine. So the ratios say
where the work stands, and no mark follows from them.
"""

import os
import random
import time
from functools import partial
from typing import Any

from grader.course import raced
from grader.course.course import Course
from grader.feedback.differences import special
from grader.records import student_code
from grader.records.errors import UsageError
from grader.records.model import Exercise
from grader.student import literals, workspace
from grader.student.example_pool import environment

ROUNDING = 1e-3  # of the largest number
# What a call of a function that isn't compiled as a whole costs more in the hidden test, on either
# side: it goes to another process, and its result comes back.
EXCHANGE = 0.001
SECONDS, FEWEST, MOST = 15.0, 6, 30  # of a race, and its pairs


def race(course: Course, exercise: Exercise) -> tuple[float, list[float]]:
    """The factor that is asked for, and for each pair the time of the stub's over the student's.

    Raises `UsageError` where there is nothing to compare with, and for another result.
    """
    place = workspace.place(course, exercise)
    os.environ.update(environment(exercise.devices))
    terms, names = raced.read(place.stub if exercise.kind == "fast" else None)
    if terms is None:
        raise UsageError(
            f"`{exercise.stem}` can't be timed here: no untouched program with a `RACE` is "
            "installed. If its hidden tests measure time, they do so when you submit."
        )
    try:
        work, own = workspace.read(place.file, exercise), dict[str, Any]()
        student_code.run(f"{work.prelude}\n{work.text}", "<yours>", own, exercise.defines)
        return terms.at_least, _ratios(terms, (names[exercise.stem], own[exercise.stem]))
    except Exception as error:  # also of the student's code
        why = str(error).partition("\n")[0] or type(error).__name__
        todo = f"`grader check {exercise.stem}` says more."
        raise UsageError(f"`{exercise.stem}` can't be timed: {why}. {todo}") from error


def _ratios(terms: raced.RaceTerms, functions: tuple[Any, Any]) -> list[float]:
    """Each call gets new inputs, so it is worth nothing to remember one."""
    import jax
    import numpy as np

    rng, ratios = np.random.default_rng(), list[float]()
    calls = [partial(function, *terms.functions) for function in functions]
    sides = [jax.jit(call) if terms.compiled else call for call in calls]
    end = time.monotonic() + SECONDS
    counts = 1, max(1, round(terms.at_least))
    charged = 0.0 if terms.compiled else EXCHANGE
    while len(ratios) < MOST and (len(ratios) < FEWEST or time.monotonic() < end):
        arrays = jax.device_put(terms.drawn(rng))
        wanted, got = (jax.tree.map(np.asarray, side(*arrays)) for side in sides)
        if not literals.same(got, wanted, ROUNDING):
            raise ValueError(f"unlike the original program, {special(got, wanted)}")
        seconds = [0.0, 0.0]
        for n in random.sample((0, 1), 2):
            inputs = [jax.device_put(terms.drawn(rng)) for _ in range(counts[n])]
            start = time.perf_counter()
            for arrays in jax.block_until_ready(inputs):
                jax.block_until_ready(sides[n](*arrays))
            seconds[n] = (time.perf_counter() - start) / counts[n] + charged
        ratios.append(seconds[0] / seconds[1])
    return ratios
