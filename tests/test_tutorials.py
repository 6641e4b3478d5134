"""What the page "From your tutorial to today's JAX" says is true of JAX and of this course."""

from __future__ import annotations

import pkgutil
import re
import warnings
from importlib.metadata import metadata
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest
from jax.errors import ConcretizationTypeError, KeyReuseError, TracerBoolConversionError

from grader.course.course import find
from grader.feedback.lessons import REMOVED

ROOT = Path(__file__).resolve().parents[1]
COURSE = find(ROOT)
PAGE = (ROOT / "docs" / "your-tutorial.md").read_text(encoding="utf-8")
TUTORIALS = (
    "An overview, in Italian",
    "Tensors and derivatives, in Russian",
    "XOR, in English",
    "NumPy and JAX, in Portuguese",
    "From arrays to pmap, in English",
)
PRACTISED = {
    "random numbers from a key": r"jax\.random\.(split|normal)\(",
    "waiting for a result": r"block_until_ready\(",
    "where an array is: `device_put`": r"device_put\(|\.devices?\b",
    "`jit`, with `selu` as an example": r"@jax\.jit",
    "`grad`, and `grad` of `grad`": r"jax\.grad\(",
    "Jacobians and the Hessian": r"jax\.jac(fwd|rev)\(",
    "`vmap`: one matrix, many vectors": r"jax\.vmap\(jnp\.dot, in_axes=\(None, 0\)\)",
    "arrays that can't be changed": r"\.at\[",
    "scaling a matrix to mean 0 and deviation 1": r"keepdims=True",
    "shapes, which are static and never depend on values": (
        r"math\.prod\(|jnp\.where\(mask|jnp\.nonzero\(.*size="
    ),
    "reading a jaxpr": r"jaxpr",
    "state as an argument and result instead of a global": r"return \w+, (total|state)\b",
    "pytrees: leaves, and a map over one tree or two": r"jax\.tree\.(leaves|map)\(",
    "a network that learns a sine": r"sqrt\(2 / n_in\)",
    "the dtype of an array": r"dtype",
    "results that float32 rounds": r"float32 has steps",
    "keys, and how to split them": r"jax\.random\.split\(",
    "one operation instead of a Python loop": r"Python\s+loop",
    "sums along an axis, and `reshape`": r"keepdims=True|\.reshape\(",
    "broadcasting": r"\[:, None\]",
    "`grad` of a function that returns a scalar": r"jax\.grad\(",
    "steps of gradient descent": r"p - (lr \* )?g\b",
    "a Jacobian, where there are many outputs": r"jax\.jacfwd\(",
    "`stop_gradient`": r"lax\.stop_gradient\(",
    "pure functions": r"\btrac(e|ed|es|ing)\b",
    "conditions: a static argument, or `lax.cond`": r"lax\.cond\b|static_arg(num|name)s",
    "`vmap` over examples": r"jax\.vmap\(",
    "a network as a function of its parameters": r"w1, b1, w2, b2 = params",
    "cross entropy": r"logaddexp\(",
    "the gradient of a loss": r"grad\(",
    "what `jit` does with a global": r"\btrac(e|ed|es|ing)\b",
    "measuring a speedup": r"perf_counter\(\)",
    "training that stops when it is good enough": r"lax\.(scan|while_loop)\(",
    "conditions on values": r"lax\.cond\b",
    "a recurrence": r"lax\.scan\(",
    "static arguments": r"static_arg(num|name)s",
    "`in_axes`, with `None` for shared arguments": r"in_axes=",
    "composing transformations": r"jax\.(vmap|jacfwd)\(jax\.grad\(",
    "derivatives with respect to several arguments": r"argnums=\(0, 1\)",
    "a norm": r"jnp\.sqrt\(",
    "`jit` of a function": r"jax\.jit\b",
    "many devices, which it announces": r"device_put\(|in_shardings=",
    "what `jit` traces, and a `print`": r"print",
    "`in_axes` and `out_axes`": r"in_axes=",
    "many keys from one": r"split\(key, n \+ 1\)",
    "your own class as a pytree": r"jax\.tree_util\.register_",
    "the same step on several devices, with sums over a named axis": r"lax\.p(sum|mean)\(",
    "a step on several devices, as it is written today": r"jax\.shard_map\(|in_shardings=",
    "NaN and float64": r"isnan\(|enable_x64\(",
}
"""What a row teaches, and what the solution or the stub of each exercise beside it holds."""

Row = tuple[str, str, str]


def table(heading: str) -> list[Row]:
    """The rows below a heading, without the names of the columns."""
    _, _, text = PAGE.partition(f"\n### {heading}\n")
    text = re.split(r"(?m)^##", text)[0]
    rows = [line.strip()[1:-1].split(" | ") for line in text.splitlines() if line.startswith("|")]
    assert all(len(row) == 3 for row in rows), rows
    return [(old.strip(), new.strip(), known.strip()) for old, new, known in rows[2:]]


def spans(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def names(cell: str) -> list[str]:
    """What its code names: "jax.numpy.ones", or ".at" for an attribute of an array."""
    found = []
    for span in spans(cell):
        imported = re.fullmatch(r"from ([\w.]+) import (\w+)", span)
        if imported:
            found.append(f"{imported[1]}.{imported[2]}")
            continue
        found += re.findall(r"\b(?:jax|jnp|np|functools)(?:\.\w+)+", span)
        found += re.findall(r"\bx(\.\w+)", span)
    modules = {"jnp": "jax.numpy", "np": "numpy"}
    return [re.sub(r"^(jnp|np)\b", lambda m: modules[m[0]], name) for name in found]


def is_there(name: str) -> bool:
    if name.startswith("."):
        return hasattr(jnp.zeros(1), name[1:])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            pkgutil.resolve_name(name)
        except (ImportError, AttributeError):
            return False
    return True


ERRORS = table("What raises an error")
RUNS = table("What still runs")
TAUGHT = [(tutorial, row) for tutorial in TUTORIALS for row in table(tutorial)]


def test_a_name_is_found_where_it_is() -> None:
    assert is_there("jax.lax.scan")
    assert is_there(".at")
    assert not is_there("jax.lax.no_such_name")
    assert not is_there("jax.no_such_module.name")
    assert not is_there(".no_such_name")
    assert names("`jnp.ones`, `from jax.a import b`") == ["jax.numpy.ones", "jax.a.b"]
    assert names("`x.at[i].set(v)` or `jax.jit(f).lower(...)`") == [".at", "jax.jit"]


@pytest.mark.parametrize("row", ERRORS, ids=lambda row: row[0])
def test_what_raises_an_error_is_gone_and_its_replacement_is_there(row: Row) -> None:
    old, new, known = row
    assert names(old)
    for name in names(old):
        if name == ".device":  # it was a method, and is an attribute
            assert not callable(jnp.zeros(1).device)
        else:
            assert not is_there(name), name
        assert REMOVED.get(name, (new,))[0] == new, name
    assert [name for name in names(f"{new} {known}") if not is_there(name)] == []


def test_nearly_all_that_raises_an_error_is_known_to_the_feedback() -> None:
    unknown = {name for old, _, _ in ERRORS for name in names(old)} - set(REMOVED)
    assert unknown == {"jax.interpreters.pxla.ShardedDeviceArray", ".device"}


@pytest.mark.parametrize("row", RUNS, ids=lambda row: row[0])
def test_what_still_runs_is_there(row: Row) -> None:
    assert names(row[0]) or row[0].startswith("`%timeit ")
    assert [name for name in names(" ".join(row)) if not is_there(name)] == []


def test_old_and_new_keys_draw_the_same_and_only_new_ones_are_watched() -> None:
    old, new = jax.random.PRNGKey(0), jax.random.key(0)
    assert (old.shape, new.shape) == ((2,), ())
    assert jax.random.normal(old) == jax.random.normal(new)
    with jax.debug_key_reuse(True):
        old, new = jax.random.PRNGKey(1), jax.random.key(1)
        jax.random.normal(old), jax.random.normal(old)
        with pytest.raises(KeyReuseError):
            jax.random.normal(new), jax.random.normal(new)


def test_what_looks_different_looks_as_the_page_says() -> None:
    text = " ".join(" ".join(row) for row in table("What looks different"))
    assert f"`{jax.random.normal(jax.random.key(42)):.4f}`" in text
    assert f"`{TracerBoolConversionError.__name__}`" in text
    assert issubclass(TracerBoolConversionError, ConcretizationTypeError)
    with pytest.raises(TracerBoolConversionError):
        jax.jit(lambda x: x if x > 0 else 0)(1.0)
    with pytest.raises(TypeError) as raised:
        jax.jit(lambda x: x.reshape(jnp.array(x.shape).prod()))(jnp.ones((2, 3)))
    assert raised.type is TypeError
    extras = re.findall(r"pip install \"jax\[(\w+)\]\"`", text)
    assert set(extras) <= set(metadata("jax").get_all("Provides-Extra") or ())
    assert len(extras) == 1


def test_every_tutorial_has_its_table() -> None:
    _, _, text = PAGE.partition("## Practise what you read")
    assert tuple(re.findall(r"(?m)^### (.+)$", text)) == TUTORIALS
    assert all(8 <= len(table(tutorial)) <= 14 for tutorial in TUTORIALS)
    assert {teaches for _, (teaches, _, _) in TAUGHT} == set(PRACTISED)


def test_the_page_names_exercises_of_the_catalogue() -> None:
    named = {stem for _, (_, practised, _) in TAUGHT for stem in spans(practised)}
    assert named - {exercise.stem for exercise in COURSE.catalogued} == set()


@pytest.mark.parametrize(
    ("teaches", "practised"),
    [pytest.param(row[0], row[1], id=f"{tutorial}: {row[0]}") for tutorial, row in TAUGHT],
)
def test_an_exercise_practises_what_stands_beside_it(teaches: str, practised: str) -> None:
    assert re.fullmatch(r"`\w+`(, `\w+`)*", practised)
    exercises = {exercise.stem: exercise for exercise in COURSE.catalogued}
    for stem in spans(practised):
        exercise = exercises[stem]
        text = f"{COURSE.solution_text(exercise)}\n{COURSE.stub_text(exercise)}"
        assert re.search(PRACTISED[teaches], text), stem


def test_a_students_map_names_this_page() -> None:
    assert "`docs/your-tutorial.md`" in (COURSE.stubs / "README.md").read_text(encoding="utf-8")
