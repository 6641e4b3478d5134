"""A trial: what an expression gives on a student's code. No suite takes part; nothing counts."""

from collections.abc import Callable

from grader.engine.processes.faults import Fault, Raised, TimedOut
from grader.engine.processes.host import Host
from grader.engine.processes.seat import Benches, RemoteSeat
from grader.records import scoring
from grader.records.model import Exercise, ExerciseResult, Judging, Outcome, Source, TestResult

MOST = 8000
"""Letters that a student is shown."""


def tried(
    host: Host,
    exercise: Exercise,
    source: Source,
    expression: str,
    on_test: Callable[[Judging], None],
) -> ExerciseResult:
    """A result of one test without points: its message is the value, or why there is none.

    The code has the sandbox and the limits of a test. A message holds the text of an exception,
    which can't tell anything hidden here.
    """
    seat = RemoteSeat(host, exercise, source, Benches(host))
    seat.on_charge = lambda: on_test(Judging(exercise.id, 0, 1, seat.seconds))
    seat.tell()
    outcome, advice = Outcome.PASSED, None
    try:
        seat.new_test()
        # The worker may answer with anything.
        said = str(seat.ask("show", {"expression": expression}, lambda _: None))
    except Fault as fault:
        outcome, said = fault.outcome, fault.public
        if isinstance(fault, TimedOut):
            said = f"It took longer than {exercise.limits.seconds:g} seconds."
        elif isinstance(fault, Raised):
            advice, said = fault.advice, f"{said}\n{fault.detail.partition(chr(10))[0]}"
    finally:
        seat.close()
        seat.tell()
        host.settle()
    if seat.printed:
        said += f"\nprinted:\n{seat.printed}"
    test = TestResult("trial", expression, outcome, 0.0, 0.0, message=said[:MOST], advice=advice)
    return scoring.exercise_result(exercise.id, (test,))
