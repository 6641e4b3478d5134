"""Which cause an exception of a class has, by the code that raised it: first match wins.

Classes of JAX's own mean one thing each; for Python's (TypeError, ValueError) the code tells.
"""

from __future__ import annotations

from collections.abc import Callable

from grader.feedback import arity, calls, derivatives, expressions, functions, tracing
from grader.feedback.errors import Raised, Told

Rule = Callable[[Raised], Told | None]

RULES: dict[str, list[Rule]] = {
    "TracerBoolConversionError": [tracing.tracer_bool],
    "TracerIntegerConversionError": [tracing.tracer_integer],
    "TracerArrayConversionError": [tracing.tracer_array],
    "NonConcreteBooleanIndexError": [tracing.mask],
    "UnexpectedTracerError": [tracing.leaked],
    "KeyReuseError": [tracing.reused],
    "ConcretizationTypeError": [tracing.concrete],
    "FloatingPointError": [tracing.nans],
    "ImportError": [expressions.removed, expressions.unknown_name],
    "AttributeError": [expressions.removed, expressions.at_on_numpy, expressions.unknown_name],
    "NameError": [calls.collective, expressions.undefined_name],
    "RuntimeError": [expressions.donated],
    "IndexError": [tracing.sliced],
    "TypeError": [
        arity.arity,
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
