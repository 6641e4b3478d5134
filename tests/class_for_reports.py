"""A class for reports: of any size, with every outcome, and with hostile names.

Not a test: the formats' tests and the benchmark of the report build their runs here.
"""

from __future__ import annotations

import dataclasses
import random

from grader.records import scoring
from grader.records.evidence import Tally
from grader.records.model import (
    LAYERS,
    Adjustment,
    Advice,
    Environment,
    ExerciseResult,
    Grade,
    Note,
    Outcome,
    Person,
    Race,
    Run,
    Source,
    Submission,
    TestResult,
)

ENVIRONMENT = Environment("0.10.1", "3.11.9", "Linux x86_64", LAYERS, "7")
TOPICS = "arrays random jit control_flow gradients jacobians vmap pytrees scan shapes".split()
STEMS = "set_row split_many masked_mean fib_like sum_logistic".split()
PAGE = "https://docs.jax.dev/en/latest/errors.html"
HOSTILE = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"><svg onload=document.title='owned'>",
    "</script></style></title><h1>owned",
    "{{ 7 * 7 }}{% raise %}",
    "javascript:document.title='owned'",
    "\u202egnp.exe\u202c \x1b[2Jbell\x07 \x00null \ud800",
    "Z\u0351\u0352\u0357\u035b\u0323\u0354\u0355algo" * 3,
    "\u05d0\u05d1\u05d2 (9 of 9) \u0645\u0631\u062d\u0628\u0627",
    "=HYPERLINK(1)",
    "../../etc/passwd",
    "W" * 300,
    "",
)
RACED = (Outcome.PASSED, Outcome.FAILED, Outcome.UNDECIDED)
ADVICE = (
    Advice(
        "tracer-bool",
        "Python's `if` asks for True or False, and under `jit` the condition has no value yet.",
        "Choose between both results with `jnp.where`, or branch with `jax.lax.cond`.",
        12,
        "if x.sum() > 0:",
        PAGE,
    ),
    Advice("transposed", "What you return is the transpose of what is expected.", "Swap the axes."),
    Advice("key-reuse", "Two draws use the same key, so they are equal.", "Split it.", 7, "k, k"),
    Advice("missing-mean", "Every value is 8 times too large: a sum where a mean is expected."),
    Advice("dropped-update", "`x.at[i].set(v)` returns a new array, and line 4 drops it.", line=4),
)
TITLES = (
    "The result is a pair of one key and n subkeys.",
    "Under `jit` one program serves every index.",
    "NaN and Inf leave with the old row, and come in with the new row alone.",
    "A batch of 200 runs at least 20 times as fast as one vector after another.",
    "Where nothing counts the gradient is 0, not NaN.",
)
HINTS = (
    "Split the key, and use each half once.",
    "Under jit `i` has no value yet: neither a slice nor a static argument can use it.",
    "Don't compute with the old entries: replace them.",
    "",
    "Choosing 0 after a division by zero leaves that division in the gradient.",
)
CODE = (
    "x = jnp.asarray(x)",
    "if x.sum() > 0:",
    "    return jnp.zeros_like(x)",
    "total = jnp.sum(x * mask, axis=-1, keepdims=True)",
    "rows = jax.vmap(lambda row: row / row.max())(x)",
    "state, out = jax.lax.scan(step, x[0], x[1:])",
    "keys = jax.random.split(key, n + 1)",
    "y = x.at[i].set(row)",
    "# I tried it with a loop first, and that took very long",
    "scale = jnp.where(x > 0, x, -x) + 1e-6",
    "return y",
)
DOCSTRING = """The rows of `x`, each divided by what counts in it.

    Args:
        x: [B, T], any floating dtype.
        mask: [B, T], booleans. What is False doesn't count.

    Returns:
        [B, T], the dtype of x. Where nothing counts in a row, the row is 0, and so is its gradient.

    Example:
        >>> float(scaled(jnp.array([[2.0, 4.0]]), jnp.array([[True, True]]))[0, 1])
        0.6666666865348816
    """


def a_class(students: int, exercises: int = 8, *, seed: int = 1, hostile: bool = True) -> Run:
    """A run of that size. The first students are hostile, if asked for; no two draw the same.

    Everybody's code is there, and what was expected. Some handed in late, and have adjustments.
    """
    dice = random.Random(seed)
    ids = [
        f"{1 + n // 5:02d}_{TOPICS[n // 5 % 10]}/{STEMS[n % 5]}{n or ''}" for n in range(exercises)
    ]
    grades = []
    for number in range(students):
        attack = HOSTILE[number] if hostile and number < len(HOSTILE) else ""
        is_hostile = hostile and number < len(HOSTILE)
        name = attack if is_hostile else f"student{number:04d}"
        grade = _grade(name, attack, dice.random(), ids, dice)
        grades.append(_for_teachers(grade, attack, random.Random(f"{seed} {number}"), number))
    return Run("jax-by-exercises", "0.1.0", ENVIRONMENT, tuple(grades))


def _grade(name: str, attack: str, skill: float, ids: list[str], dice: random.Random) -> Grade:
    notes = (Note(f"{attack or 'notes'}.txt", f"is not Python {attack}"),) * (dice.random() < 0.2)
    submission = Submission(name, "d", notes=notes)
    return scoring.grade(submission, [_exercise(id, attack, skill, dice) for id in ids])


def _for_teachers(grade: Grade, attack: str, dice: random.Random, number: int) -> Grade:
    """The same with code and details, and for some students with a date and steps."""
    handed_in = [result for result in grade.exercises if result.outcome is not Outcome.MISSING]
    sources = tuple(Source(r.id, f"{r.id}.py", _code(r.id, attack, dice)) for r in handed_in)
    exercises = tuple(_detailed(result, attack, dice) for result in grade.exercises)
    grade = dataclasses.replace(grade, sources=sources, exercises=exercises)
    if number % 3 and not attack:
        return grade
    steps = (
        Adjustment("late", -1.0, f"One day late. {attack}".strip()),
        Adjustment("bonus", 2.0, "Found a fault in `set_row`.", "Ada L.", "2026-03-02"),
        Adjustment("comment", 0.0, "Well explained."),
    )
    return dataclasses.replace(
        grade,
        score=None if grade.score is None else grade.score + 1,
        student=Person(grade.id, attack, section=str(1 + number % 4)),
        at="2026-03-01T23:10:00+01:00",
        late=True,
        attempt=2,
        attempts=3,
        adjustments=steps,
    )


def _code(name: str, attack: str, dice: random.Random) -> str:
    """About 1,600 letters, as an answer in the course has."""
    stem = name.rpartition("/")[2]
    lines = [line.replace("x", dice.choice("xyzab")) for line in dice.choices(CODE, k=16)]
    lines[dice.randrange(16)] += f"  # {dice.random()} {attack}"
    body = "\n    ".join(lines)
    head = f'"""{stem}."""\n\nimport jax.numpy as jnp\n\n\ndef {stem}(x, mask):'
    return f'{head}\n    """{DOCSTRING}"""\n    {body}\n'


def _detailed(result: ExerciseResult, attack: str, dice: random.Random) -> ExerciseResult:
    tests = tuple(
        test
        if test.outcome in (Outcome.PASSED, Outcome.MISSING)
        else dataclasses.replace(test, detail=_detail(attack, dice))
        for test in result.tests
    )
    return dataclasses.replace(result, tests=tests)


def _detail(attack: str, dice: random.Random) -> str:
    got, expected = ([round(dice.gauss(0, 1), 8) for _ in range(16)] for _ in "ab")
    call = f"test_x.py:21: assert_close(f(x), g(x))\nlast call: scaled(f32[4, 4]) {attack}"
    return f"{call}\nvalue: got:\n{got}\nexpected:\n{expected}"


def _exercise(name: str, attack: str, skill: float, dice: random.Random) -> ExerciseResult:
    if dice.random() < 0.1:
        missing = [_test(n, Outcome.MISSING, "Not handed in.", dice) for n in range(5)]
        return scoring.exercise_result(name, tuple(missing))
    fault = dice.choice(
        [Outcome.FAILED] * 6 + [Outcome.RAISED] * 3 + [Outcome.TIMED_OUT, Outcome.CRASHED]
    )
    is_right = dice.random() < 0.35 + 0.65 * skill
    said = f"Your code raised ConcretizationTypeError at line 12 of `{name}.py`. {attack}".strip()
    tests = []
    for n in range(5):
        outcome = Outcome.PASSED if is_right or dice.random() < 0.4 else fault
        if n == 3 and dice.random() < 0.02:
            outcome = Outcome.UNDECIDED
        wrong = f"{dice.randrange(1, 40)} of 40 values are wrong. {attack}".strip()
        message = said if outcome is Outcome.RAISED else wrong
        # One exercise in five has a race, as in the course.
        tests.append(_test(n, outcome, message, dice, is_raced=name.partition("/")[2][:3] == "fib"))
    found = (ADVICE[4],) if dice.random() < 0.05 else ()
    result = scoring.exercise_result(name, tuple(tests))
    return dataclasses.replace(result, findings=found)


def _test(
    n: int, outcome: Outcome, message: str, dice: random.Random, is_raced: bool = False
) -> TestResult:
    is_right = outcome is Outcome.PASSED
    races = (_race(outcome, dice),) if n == 3 and is_raced and outcome in RACED else ()
    advice = None
    if outcome is Outcome.RAISED:
        advice = ADVICE[0]
    elif outcome is Outcome.FAILED and dice.random() < 0.6:
        advice = dice.choice(ADVICE[1:4])
    points = 2.0 if is_right else 0.0
    said = "" if is_right else message
    return TestResult(
        f"test_{n}", TITLES[n], outcome, points, 2.0, 0.25, said, HINTS[n], "", races, advice
    )


def _race(verdict: Outcome, dice: random.Random) -> Race:
    middle = {Outcome.PASSED: 60.0, Outcome.UNDECIDED: 19.0}.get(verdict, 6.0)
    lengths = {Outcome.PASSED: (11,), Outcome.UNDECIDED: (48, 48, 48)}.get(verdict, (12, 13))
    launches = tuple(
        tuple(middle * dice.lognormvariate(0, 0.3) for _ in range(length)) for length in lengths
    )
    return Race("apply_batch", 20, False, verdict, *Tally(20, launches).interval(), launches)
