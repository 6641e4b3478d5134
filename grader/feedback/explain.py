"""An exception -> what it means in JAX, by its classes and the code around the student's line.

    classes, spots, source --RaisedException--> rules of the first class with any --> Advice | None

A class of JAX often has one meaning. A class of Python (TypeError, ValueError) has many: there the
code decides, and the first rule that matches wins.
"""

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from grader.feedback import lessons, wording
from grader.feedback.raised import Called, Diagnosis, RaisedException, parsed, unparsed
from grader.feedback.rules import calls, derivatives, expressions, functions, tracing
from grader.feedback.syntax import Spot, short
from grader.records.model import NOT_PYTHON, Advice
from grader.records.student_code import HEAD

# A worker raises these itself: a name is missing, a value isn't plain data, an input was changed.
OF_THE_WORKER = frozenset(("NotDefined", "NotData", "ChangedInput", "KeptElsewhere"))

_NOT_STATIC = (
    "That value is an array of several numbers, so it can't be a static argument. Choose with "
    "`jnp.where` or `lax.cond`, loop with `lax`, or take the size from `x.shape`."
)

_OF_SHAPES = ("shapes-broadcast", "shapes-product", "shapes-join")

Rule = Callable[[RaisedException], Diagnosis | None]
# Classes with one meaning, whatever the code.
MEANINGS: dict[str, str] = {
    "FloatingPointError": "debug-nans",
    "KeyReuseError": "key-reuse",
    "NonConcreteBooleanIndexError": "traced-mask",
    "UnexpectedTracerError": "leaked-tracer",
}
RULES: dict[str, list[Rule]] = {
    "TracerBoolConversionError": [tracing.tracer_bool],
    "TracerIntegerConversionError": [tracing.tracer_integer],
    "TracerArrayConversionError": [tracing.tracer_array],
    "ConcretizationTypeError": [tracing.concrete],
    "ImportError": [expressions.removed, expressions.unknown_name],
    "AttributeError": [expressions.removed, expressions.at_on_numpy, expressions.unknown_name],
    "NameError": [calls.collective, expressions.undefined_name],
    "RuntimeError": [expressions.donated],
    "IndexError": [tracing.sliced, functions.pmap_of_number],
    "IndivisibleError": [functions.pmap_size],
    "TypeError": [
        calls.at_called,
        calls.transformed,
        calls.arity,
        expressions.no_axis,
        expressions.item_assignment,
        expressions.list_index,
        tracing.formatted,
        expressions.device,
        calls.in_a_tree,
        expressions.operands,
        calls.random_call,
        calls.loops,
        calls.conditional,
        functions.custom_rule,
        functions.plain_object,
        derivatives.derivative,
        functions.jitted,
        calls.shapes,
    ],
    "ValueError": [
        expressions.truth,
        expressions.unpacked,
        expressions.read_only,
        calls.batch_of_keys,
        functions.static_name,
        calls.tree_structure,
        functions.cotangent,
        derivatives.reverse_loop,
        functions.static_value,
        functions.mapped,
        expressions.operands,
        calls.shapes,
    ],
    "Exception": [tracing.leak_found],
}


def explain(
    classes: Sequence[str],
    spots: Sequence[Spot],
    source: str,
    called: Called | None = None,
    *,
    text: str = "",
) -> Advice | None:
    """What an exception means; None where there is nothing to say beyond its name.

    `classes` is its MRO by name, most derived first; `spots` are the student's own frames,
    innermost last; `called` is the call from outside, if no frame is the student's;
    `text` is its message.
    """
    module = parsed(source)
    if module is None or OF_THE_WORKER & set(classes):
        return None
    try:
        raised = RaisedException(module, spots, called, text)
        diagnosis = None if isinstance(raised.statement, ast.Raise) else _diagnosis(classes, raised)
        return None if diagnosis is None else _advice(raised, diagnosis)
    except RecursionError:
        return None


def not_python(classes: Sequence[str], source: str) -> Advice | None:
    """Which line the whole file, or a notebook's cell, waits for; None if it is Python."""
    error = unparsed(source) if "SyntaxError" in classes else None
    if error is None or error.lineno is None:
        return None
    around = "cell" if HEAD.search(source) else "file"
    lines = source.splitlines()
    code = lines[error.lineno - 1].strip()[:200] if error.lineno <= len(lines) else ""
    return Advice(
        NOT_PYTHON,
        f"Line {error.lineno} isn't valid Python.",
        f"Fix it: nothing in this {around} works until then. Python says: {error.msg[:120]}.",
        error.lineno,
        code,
    )


def _diagnosis(classes: Sequence[str], raised: RaisedException) -> Diagnosis | None:
    for name in classes:
        if name in MEANINGS:
            return Diagnosis(MEANINGS[name])
        for rule in RULES.get(name, ()):
            found = rule(raised)
            if found is not None and wording.fits(found.cause, raised.text):
                return found
    possible = wording.causes(raised.text)
    word = short(raised.callee) or raised.last
    return Diagnosis(possible[0], {"word": word}) if possible else None


def _advice(raised: RaisedException, found: Diagnosis) -> Advice:
    line = found.line or (raised.spots[-1].line if raised.spots else None)
    if line is None and raised.chain.function is not None:
        line = raised.chain.function.lineno
    advice = lessons.advice(found.cause, line, raised.module.code(line), **found.words)
    if "static_argnames" in advice.todo and wording.is_about_an_array(raised.text):
        return replace(advice, todo=_NOT_STATIC)
    if found.cause in _OF_SHAPES and (known := wording.shapes(raised.text)):
        return replace(advice, sentence=f"{advice.sentence} {known}")
    return advice
