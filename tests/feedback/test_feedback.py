"""What feedback says: the cause comes first, for every error and relation that it knows."""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.feedback import wording
from grader.feedback.causes import causes
from grader.feedback.explain import RULES, explain
from grader.feedback.lessons import LESSONS, RELATIONS, REMOVED
from grader.feedback.raised import Called
from grader.feedback.silent import findings
from grader.feedback.syntax import Module, Spot
from grader.intake import cells
from grader.records.model import Advice, ExerciseResult, Outcome, TestResult

ROOT = Path(__file__).parents[1].parent
GOLDEN = Path(__file__).parents[1] / "golden" / "feedback"
RAISE = tomllib.loads((GOLDEN / "exceptions.toml").read_text(encoding="utf-8"))["row"]
SAID = tomllib.loads((GOLDEN / "words.toml").read_text(encoding="utf-8"))["row"]
SILENT = tomllib.loads((GOLDEN / "silent.toml").read_text(encoding="utf-8"))["row"]
ROWS = 69
# Neither a syntax tree nor an exception shows these mistakes.
OUT_OF_REACH = {
    57: "a 64-bit NumPy array that is cut to 32: its dtype is the data's, not the code's",
}
# Runs each snippet as a student's file, and reports what a worker would.
RUN = """
import json, sys, warnings
warnings.simplefilter("ignore")
from grader.records.student_code import places
for code in json.load(sys.stdin):
    try:
        exec(compile(code, "file.py", "exec", dont_inherit=True), {"__name__": "submission"})
        found = None
    except BaseException as error:
        classes = [cls.__name__ for cls in type(error).__mro__]
        found = [classes, places(error, "file.py"), str(error)]
    print("#", json.dumps(found))
"""


def first_sentence(advice: Advice) -> str:
    return re.split(r"\.(?: |$)", advice.sentence)[0]


@pytest.fixture(scope="module")
def raised() -> dict[str, Any]:
    """Classes and places of what each snippet raises under the JAX that is installed."""
    codes = [row["code"] for row in RAISE + SAID]
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps(codes),
        capture_output=True,
        text=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu", "JAX_NUM_CPU_DEVICES": "2"},
        check=True,
    )
    said = [json.loads(line[2:]) for line in done.stdout.splitlines() if line.startswith("# ")]
    return dict(zip(codes, said, strict=True))


def explained(code: str, report: Any, *, with_words: bool = False) -> Advice | None:
    classes, places, text = report
    text = text if with_words else ""
    return explain(classes, [Spot(*place) for place in places], code, text=text)


@pytest.mark.parametrize("row", RAISE, ids=lambda row: f"{row['number']}-{row['cause']}")
def test_the_first_sentence_names_what_was_raised(row: Any, raised: dict[str, Any]) -> None:
    assert raised[row["code"]] is not None, "the snippet raises nothing"
    advice = explained(row["code"], raised[row["code"]])
    assert advice is not None
    assert advice.cause == row["cause"]
    assert row["says"] in first_sentence(advice)
    assert advice.line is not None
    assert advice.code == row["code"].splitlines()[advice.line - 1].strip()
    assert first_sentence(advice).startswith(f"Line {advice.line} ")
    assert advice.todo
    assert advice.page.startswith("https://")


@pytest.mark.parametrize("row", RAISE, ids=lambda row: f"{row['number']}-{row['cause']}")
def test_the_words_of_jax_agree_with_what_the_code_shows(row: Any, raised: dict[str, Any]) -> None:
    report = raised[row["code"]]
    by_code = explained(row["code"], report)
    by_words = explained(row["code"], report, with_words=True)
    assert by_code is not None and by_words is not None
    assert by_words.sentence.startswith(by_code.sentence)
    assert replace(by_words, sentence=by_code.sentence) == by_code
    # Where shapes don't fit, JAX says which.
    assert by_words == by_code or row["cause"] in ("shapes-broadcast", "shapes-product")


@pytest.mark.parametrize("row", SAID, ids=lambda row: row["cause"])
def test_the_words_of_jax_decide_where_the_code_does_not(row: Any, raised: dict[str, Any]) -> None:
    """If this fails on a new JAX, its wording has changed: see `grader.feedback.wording`."""
    code = row["code"]
    advice = explained(code, raised[code], with_words=True)
    assert advice is not None
    assert advice.cause == row["cause"]
    assert advice.code == code.splitlines()[(advice.line or 0) - 1].strip()


@pytest.mark.parametrize("row", SILENT, ids=lambda row: f"{row['number']}-{row['cause']}")
def test_the_first_sentence_names_what_was_silent(row: Any) -> None:
    found = {advice.cause: advice for advice in findings(row["code"])}
    assert row["cause"] in found
    assert row["says"] in first_sentence(found[row["cause"]])


def test_nearly_every_row_of_the_catalogue_is_reached() -> None:
    reached = {row["number"] for row in RAISE + SILENT}
    missing = set(range(1, ROWS + 1)) - reached
    assert missing == OUT_OF_REACH.keys()
    assert len(missing) <= 0.05 * ROWS


@pytest.mark.parametrize(
    ("code", "called", "cause"),
    [
        ("def f(x):\n    return x ** 2\n", Called("f", ("grad",)), "grad-of-vector"),
        ("def f(x):\n    return x.sum(), x\n", Called("f", ("grad",)), "missing-has-aux"),
        ("def f(x):\n    y = x.sum()\n", Called("f", ("value_and_grad",)), "no-return"),
        ("import jax\n@jax.jit\ndef f(x, n):\n    return x\n", Called("f"), "not-an-array"),
    ],
)
def test_what_rises_outside_of_the_file_is_explained_by_what_was_asked(
    code: str, called: Called, cause: str
) -> None:
    advice = explain(["TypeError"], [], code, called)
    assert advice is not None
    assert advice.cause == cause


@pytest.mark.parametrize(
    ("classes", "code", "called"),
    [
        (["NotData", "TypeError"], "import jax\n@jax.jit\ndef f(x):\n    return x\n", Called("f")),
        (["TypeError"], "f = 3\n", Called("f", ("grad",))),
        (["TypeError"], "import jax\n@jax.jit\ndef f(x):\n    pass\n", Called("f", ("used_by",))),
        (["TypeError"], "def f(x):\n    return x ** 2\n", Called("g", ("grad",))),
    ],
)
def test_what_is_not_known_is_not_explained(classes: list[str], code: str, called: Called) -> None:
    assert explain(classes, [], code, called) is None


def test_a_function_that_somebody_passed_in_is_not_blamed() -> None:
    code = "import jax\ndef f(loss, x):\n    return jax.grad(loss)(x)\n"
    assert explain(["TypeError"], [Spot(3, 3, 11, 28)], code) is None


def test_what_the_student_raises_is_not_explained() -> None:
    code = "def f(x):\n    raise TypeError('x[0] = 1')\n"
    assert explain(["TypeError"], [Spot(2, 2, 4, 31)], code) is None


@pytest.mark.parametrize(
    "code", ["def f(", "x = " + "-" * 40_000 + "1", "x" + ".a" * 20_000, "#" * 60_000, "\0"]
)
def test_a_hostile_file_is_not_explained_and_breaks_nothing(code: str) -> None:
    assert explain(["TypeError", "Exception"], [Spot(1, 1, 0, 5)], code) is None
    assert findings(code) == ()


@pytest.mark.slow
def test_no_place_and_no_class_breaks_an_explanation() -> None:
    """Otherwise the judge goes on, but the student gets no advice."""
    rows = {row["code"] for row in RAISE + SILENT}
    codes = [*rows, *(text for name, text in right_answers() if "/" not in name)]
    for code in codes:
        nodes = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.expr | ast.stmt)]
        for place, node in enumerate(nodes):
            if place % 9 == len(code) % 9:
                spot = Spot(node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)
                for name in RULES:
                    explain([name], [spot], code, Called("f", ("grad",)))
                    explain([name], [Spot(node.lineno)], code)


def test_a_place_outside_of_the_file_is_dropped() -> None:
    advice = explain(["UnexpectedTracerError"], [Spot(10**9)], "x = 1\n")
    assert advice is not None
    assert advice.line is None


def _exists(name: str) -> bool:
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:count]))
        except ImportError:
            continue
        for part in parts[count:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_is_said_to_be_removed_is_gone_and_what_replaces_it_is_there() -> None:
    assert [name for name in REMOVED if name[0] != "." and _exists(name)] == []
    for new, _ in REMOVED.values():
        for name in re.findall(r"`(j(?:ax|np)\.[\w.]+)", new):
            assert _exists(name.replace("jnp.", "jax.numpy.")), name


def test_every_lesson_is_a_sentence_without_its_subject() -> None:
    for cause, lesson in {**LESSONS, **RELATIONS}.items():
        assert lesson.todo, cause
        assert lesson.sentence.endswith((".", ".)")), cause
        assert lesson.sentence[0].islower(), cause


def test_every_diagnosis_has_a_lesson_and_every_lesson_a_diagnosis() -> None:
    """If only a rule knew a name, the student would get no advice."""
    folder = ROOT / "grader" / "feedback"
    code = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    found = {n.value for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Constant)}
    assert LESSONS.keys() - found == set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Diagnosis":
            names = {n.value for n in ast.walk(node.args[0]) if isinstance(n, ast.Constant)}
            assert {name for name in names if "-" in str(name)} <= LESSONS.keys()


def right_answers() -> list[tuple[str, str]]:
    found = []
    for right in sorted((ROOT / "solutions").rglob("*.right.py")):
        stem = right.name.removesuffix(".right.py")
        text = right.with_name(f"{stem}.py").read_text(encoding="utf-8")
        found.append((stem, text))
        found += [(f"{stem}/{cell.name}", cell.after(text)) for cell in cells.read(right).cells]
    return found


def test_a_branch_with_an_effect_may_be_dropped() -> None:
    code = """
import jax
from jax.experimental import checkify
def divide(a, b):
    jax.lax.cond(b > 0, lambda: checkify.check(False, "zero"), lambda: None)
    return a / b
"""
    assert findings(code) == ()
    assert [one.cause for one in findings(code.replace("checkify.check", "print"))] != []


@pytest.mark.parametrize("parts", [17, 900])
def test_a_name_of_many_parts_is_no_name_and_none_of_its_parts_is_read_again(parts: int) -> None:
    module = Module("x" + ".a" * parts)
    names = [node for node in module.nodes if isinstance(node, ast.Attribute)]
    assert module.dotted(names[0]) == ""
    assert module.dotted(names[-16]) == "x" + ".a" * 16


def test_right_code_has_no_findings() -> None:
    known = {
        # They do make a jitted function in each call. It is slow there, and right.
        ("place_batch/jitted", "jit-per-call"),
        ("split_backward/compiled", "jit-per-call"),
        ("conjugate_gradients/true_residual", "jit-per-call"),
        ("clip_then_adam/one_vector", "jit-per-call"),
        ("jaxpr_interpreter/a_transformation_of_itself", "jit-per-call"),
        ("weak_types/tried_out", "jit-per-call"),
        # It asks what comes out if a key is used twice.
        ("predict_keys/tried_out", "key-in-loop"),
        ("predict_keys/tried_out", "key-twice"),
    }
    codes = right_answers()
    assert len(codes) > 200
    found = {(name, advice.cause) for name, text in codes for advice in findings(text)}
    assert found == known


WRITES_REFERENCES = """
import jax
from jax import lax
from jax.experimental import pallas as pl

def kernel(x_ref, out_ref):
    @pl.when(pl.program_id(0) == 0)
    def start():
        out_ref[...] = 0.0

    def add(i, _):
        out_ref[...] += x_ref[i]

    lax.fori_loop(0, 8, add, None)

def total(x):
    return pl.pallas_call(kernel, out_shape=x[0], interpret=True)(x)

@jax.jit
def counted(xs):
    seen = jax.new_ref(0 * xs[0])

    def step(_, x):
        seen[...] += x
        return None, seen[...]

    return lax.scan(step, None, xs)[1]

def given(counts: jax.Ref, labels):
    def step(i, _):
        counts[labels[i]] += labels[i]

    lax.fori_loop(0, len(labels), step, None)
"""


def test_a_write_to_a_reference_is_meant() -> None:
    assert findings(WRITES_REFERENCES) == ()
    a_list = WRITES_REFERENCES.replace("jax.new_ref(0 * xs[0])", "[0]")
    assert [advice.cause for advice in findings(a_list)] == ["side-effect"]


def test_mistakes_that_wrong_answers_make_on_purpose_are_found() -> None:
    expected = {
        "01_arrays/set_row/unused_result": "at-dropped",
        "02_random/random_walks/same_step": "key-in-loop",
        "02_random/random_walks/split_after_use": "key-twice",
        "02_random/dropout/same_key_per_row": "shared-key",
        "04_control_flow/rnn/list_in_scan": "side-effect",
        "09_training/train_scan/jit_in_the_loop": "jit-per-call",
        "09_training/xor_train/swapped_pair": "value-and-grad-order",
    }
    for name, cause in expected.items():
        path, _, cell = name.rpartition("/")
        solution = (ROOT / "solutions" / f"{path}.py").read_text(encoding="utf-8")
        whole = cells.read(ROOT / "solutions" / f"{path}.wrong.py")[cell].after(solution)
        assert cause in {advice.cause for advice in findings(whole)}, name


KEYS_KEPT_APART = """
import jax

def branches(key, x):
    if x:
        return jax.random.normal(key)
    return jax.random.uniform(key)

def one_of_two(key, x):
    if x:
        y = jax.random.normal(key)
    else:
        y = jax.random.uniform(key)
    return y

def either(key, x):
    return jax.random.normal(key) if x else jax.random.uniform(key)

def folded(key):
    return [jax.random.normal(jax.random.fold_in(key, i)) for i in range(3)]

def in_turn(key):
    for _ in range(3):
        key, sub = jax.random.split(key)
        x = jax.random.normal(sub)
    return [jax.random.normal(k) for k in jax.random.split(key, 3)]

def pieces(key):
    keys = jax.random.split(key, 2)
    return jax.random.normal(keys[0]), jax.random.normal(keys[1])
"""


def test_keys_that_are_kept_apart_are_no_finding() -> None:
    assert findings(KEYS_KEPT_APART) == ()


def a_test(name: str, outcome: Outcome = Outcome.RAISED, **more: Any) -> TestResult:
    return TestResult(name, name, outcome, 0, 1, **{"message": "Raised.", **more})


def grouped(*tests: TestResult) -> list[list[str]]:
    result = ExerciseResult("x/y", Outcome.RAISED, 0, 5, tests)
    return [[test.id for test in cause.tests] for cause in causes(result)]


def test_equal_advice_at_the_same_line_is_one_cause() -> None:
    one = Advice("tracer-bool", "Line 2 decides.", line=2)
    other = Advice("tracer-bool", "Line 9 decides.", line=9)
    tests = (
        a_test("a", advice=one),
        a_test("b"),
        a_test("c", Outcome.FAILED, message="Wrong.", advice=one),
        a_test("d", advice=other),
        a_test("e", Outcome.PASSED),
    )
    assert grouped(*tests) == [["a", "c"], ["b"], ["d"]]
    found = causes(ExerciseResult("x/y", Outcome.RAISED, 0, 5, tests))
    assert [(cause.advice, cause.cost) for cause in found] == [(one, 2), (None, 1), (other, 1)]
    assert [cause.example.id for cause in found] == ["a", "b", "d"]
    assert [[test.id for test in cause.others] for cause in found] == [["c"], [], []]


def test_without_advice_one_error_is_one_cause_but_wrong_values_are_not() -> None:
    raised = [a_test("a"), a_test("b", message="Raised.\nThe input was 3.")]
    lost = ExerciseResult("x/y", Outcome.RAISED, 0, 2, tuple(raised))
    (cause,) = causes(lost)
    assert cause.example.message == "Raised.\nThe input was 3."
    assert cause.extent(lost) == "All 2 tests raise this error."
    assert grouped(a_test("a"), a_test("b", Outcome.TIMED_OUT)) == [["a"], ["b"]]
    assert grouped(a_test("a", message=""), a_test("b", message="")) == [["a"], ["b"]]
    assert grouped(*(a_test(name, Outcome.FAILED) for name in "ab")) == [["a"], ["b"]]


def test_what_cost_no_point_is_no_loss() -> None:
    advice = Advice("tracer-bool", "Line 2 decides.", line=2)
    outcomes = (Outcome.RAISED, Outcome.UNDECIDED, Outcome.BROKEN, Outcome.MISSING)
    tests = tuple(a_test(outcome, outcome, advice=advice) for outcome in outcomes)
    found = causes(ExerciseResult("x/y", Outcome.BROKEN, None, 4, tests))
    assert [(cause.is_lost, len(cause.tests)) for cause in found] == [(True, 1), (False, 3)]


def at(code: str, text: str) -> Spot:
    """The index of the last row that contains a text."""
    rows = code.splitlines()
    row = max(n for n, line in enumerate(rows, 1) if text in line)
    column = rows[row - 1].index(text)
    return Spot(row, row, column, column + len(text))


IMPORTS = """
import functools, jax, numpyro
import jax.numpy as jnp
from flax.struct import dataclass as tree
"""
BY_NAME = {
    "a name that holds int is no dtype": (
        "def f(x, points):\n    return jax.grad(lambda y: y * 2)(jnp.array(points, jnp.float32))",
        "jax.grad(lambda y: y * 2)(jnp.array(points, jnp.float32))",
        "grad-of-vector",
    ),
    "a dtype that is not written is not known": (
        "x = jax.grad(lambda y: y * 2)(jnp.arange(3, dtype=y.dtype))",
        "jax.grad(lambda y: y * 2)(jnp.arange(3, dtype=y.dtype))",
        "grad-of-vector",
    ),
    "a result that is cast to float is none of integers": (
        "x = jax.grad(lambda points: points.astype(jnp.float32))(3.0)",
        "jax.grad(lambda points: points.astype(jnp.float32))(3.0)",
        "grad-of-vector",
    ),
    "a result that is cast to int is one": (
        "x = jax.grad(lambda x: (x * 2).astype(dtype='uint8'))(3.0)",
        "jax.grad(lambda x: (x * 2).astype(dtype='uint8'))(3.0)",
        "grad-of-integer-output",
    ),
    "a key that is made from a seed is a key": (
        "def f(seed, n):\n    key = jax.random.key(seed)\n    return jax.random.normal(key, (n,))",
        "jax.random.normal(key, (n,))",
        "traced-shape",
    ),
    "a seed is no key, whatever its name": (
        "def f(seed, n):\n    key = seed\n    return jax.random.normal(key, (n,))",
        "jax.random.normal(key, (n,))",
        "seed-for-key",
    ),
    "a name that holds shape is no shape": (
        "@jax.jit\ndef f(x, new_shape):\n    return x.reshape(new_shape * 2)",
        "x.reshape(new_shape * 2)",
        "traced-shape",
    ),
    "a name that holds partial fills in nothing": (
        "x = jax.lax.scan(lambda partial_sum: partial_sum, 0.0, xs)",
        "jax.lax.scan(lambda partial_sum: partial_sum, 0.0, xs)",
        "body-arguments",
    ),
    "a partial with another name fills in arguments": (
        "first = functools.partial(lambda scale, carry, x: (carry, x), 2.0)\n"
        "step = first\nx = jax.lax.scan(step, 0.0, xs)",
        "jax.lax.scan(step, 0.0, xs)",
        "scan-carry",
    ),
    "a decorator's argument registers no class": (
        "@wraps('unregistered')\nclass Params:\n    pass\nx = jax.jit(lambda p: p)(Params())",
        "jax.jit(lambda p: p)(Params())",
        "unregistered-class",
    ),
    "a decorator with another name registers a class": (
        "@tree\nclass Params:\n    pass\nx = jax.jit(lambda p: p)(Params())",
        "jax.jit(lambda p: p)(Params())",
        "not-an-array",
    ),
}


@pytest.mark.parametrize("name", BY_NAME)
def test_nodes_and_whole_names_decide_and_no_text_in_them(name: str) -> None:
    code, text, cause = BY_NAME[name]
    code = IMPORTS + code + "\n"
    advice = explain(["TypeError"], [at(code, text)], code)
    assert advice is not None
    assert advice.cause == cause


def test_a_traced_value_in_a_result_is_not_blamed_on_numpy() -> None:
    """The worker converts the result, when the student's code has returned."""
    code = f"{IMPORTS}def f(x):\n    return np.pi, x\n"
    advice = explain(["TracerArrayConversionError"], [], code, Called("f"))
    assert advice is not None and advice.cause == "traced-result"


def test_numpyro_is_not_numpy() -> None:
    code = f"{IMPORTS}y = numpyro.sample(x)\n"
    advice = explain(["TracerArrayConversionError"], [at(code, "numpyro.sample(x)")], code)
    assert advice is not None and advice.cause == "concrete-needed"


@pytest.mark.parametrize(
    ("code", "causes"),
    [
        ("x = jnp.float64(1)  # x64 is off", ["wide-dtype"]),
        ("max64 = x64_bits = 1\nx = jnp.float64(1)", ["wide-dtype"]),
        ("jax.config.update('jax_enable_x64', True)\nx = jnp.float64(1)", []),
        ("with jax.experimental.enable_x64():\n    x = jnp.float64(1)", []),
        ("upgraded, loss = jax.value_and_grad(f)(x)", []),
        ("dx_grad, loss = jax.value_and_grad(f)(x)", ["value-and-grad-order"]),
        (
            "@dataclass(frozen=False)\nclass A:\n"
            "    @functools.partial(jax.jit, static_argnums=0)\n    def f(self):\n        pass",
            ["static-self"],
        ),
        (
            "@dataclass(frozen=True)\nclass A:\n"
            "    @functools.partial(jax.jit, static_argnums=0)\n    def f(self):\n        pass",
            [],
        ),
        ("for x in jax.jit(f)(xs):\n    pass", []),
        ("while jax.jit(f)(xs):\n    pass", ["jit-per-call"]),
        ("for x in xs:\n    jax.jit(f).lower(x).compile()", []),
        ("for x in xs:\n    jax.jit(f).clear_cache()", ["jit-per-call"]),
    ],
)
def test_findings_rest_on_nodes_and_whole_names(code: str, causes: list[str]) -> None:
    assert [advice.cause for advice in findings(f"{IMPORTS}{code}\n")] == causes


def test_booleans_that_are_subtracted_have_no_wrong_shapes() -> None:
    source = "import jax.numpy as jnp\ndef f(a, b):\n    return (a > 0) - (b > 0)\n"
    spots = [Spot(3, 11, 30)]
    text = "sub does not accept dtype bool at position 0."
    found = explain(["TypeError"], spots, source, text=text)
    assert found is not None and found.cause == "no-such-dtype"
    found = explain(["TypeError"], spots, source, text="sub got incompatible shapes for broadcast")
    assert found is not None and found.cause == "shapes-broadcast"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mul got incompatible shapes for broadcasting: (2,), (3, 1).", "`(2,)` and `(3, 1)`."),
        ("contracting dimensions to have the same shape, got (3,) and (4,).", "lengths 3 and 4."),
        ("got incompatible shapes", ""),
        ("shapes (2,), (3,), (4,)", ""),
    ],
)
def test_shapes_are_those_that_jax_names(text: str, said: str) -> None:
    assert wording.shapes(text).endswith(said)
    assert bool(wording.shapes(text)) == bool(said)
