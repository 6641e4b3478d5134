"""JAX's own words -> what they can mean.

The rules look at the code, and Python's few classes of exceptions have many meanings. The words
decide which one it is. If JAX changes its wording, the code alone is left; the tests say so on each
JAX.
"""

import re

# What stands in a message, and the causes that it can have: the first one if no rule names another.
_CAUSES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "only defined for scalar-output functions",
        ("grad-of-vector", "missing-has-aux", "no-return"),
    ),
    ("aux output to return a two-element tuple", ("needless-has-aux",)),
    ("requires real- or complex-valued inputs", ("grad-of-integer",)),
    ("requires real-valued outputs", ("grad-of-integer-output",)),
    ("Reverse-mode differentiation does not work for", ("grad-of-while",)),
    ("Expected a callable value", ("value-for-function",)),
    ("requires ndarray or scalar arguments", ("container-for-array", "list-for-array")),
    ("fun arguments should be callable", ("cond-functions",)),
    ("branches must have equal output types", ("cond-branches",)),
    ("branch outputs must have the same pytree structure", ("cond-branches",)),
    ("Pred must be a scalar", ("cond-predicate",)),
    ("dot_general requires contracting dimensions", ("shapes-product",)),
    ("does not match previous terms", ("shapes-product",)),
    ("Cannot determine the shape of ", ("container-for-array",)),
    ("Einstein sum subscript", ("einsum-letters",)),
    ("inhomogeneous", ("unlike-parts",)),
    ("with no leading axis to scan over", ("scan-over-number",)),
    ("scan body output must be a pair", ("scan-pair", "no-return")),
    ("Custom VJP bwd rule must produce", ("bwd-tuple",)),
    ("Duplicate custom PyTreeDef type registration", ("registered-twice",)),
    ("has no attribute 'tree_flatten'", ("pytree-methods",)),
    ("has no attribute 'tree_unflatten'", ("pytree-methods",)),
    ("Shapes must be 1D sequences of concrete values", ("traced-shape", "traced-reshape")),
    ("Sharding passed to jit does not match the sharding", ("pmap-rows",)),
    ("must have at least one non-None value in in_axes", ("vmap-of-nothing",)),
    ("checkify.check which was not functionalized", ("check-outside",)),
    ("cannot select an axis to squeeze out which has size", ("pmap-size",)),
    ("is incompatible with its sharding annotation", ("pmap-of-number",)),
    ("'float' object has no attribute", ("number-for-array",)),
    ("'int' object has no attribute", ("number-for-array",)),
    ("eed at least one array", ("join-of-nothing",)),
    ("does not accept dtype", ("no-such-dtype",)),
    ("broadcast", ("shapes-broadcast", "shapes-product", "list-for-array")),
)
# With other words it is something else. Other causes have more words than these.
_ONLY_SO = frozenset(
    "grad-of-vector missing-has-aux needless-has-aux grad-of-integer grad-of-integer-output "
    "grad-of-while cond-branches cond-predicate bwd-tuple shapes-broadcast".split()
)
_NO_OPERATOR = (
    *("unsupported operand type", "can't multiply sequence", "can only concatenate"),
    *("'<' not supported", "'>' not supported", "'<=' not supported", "'>=' not supported"),
)


def causes(text: str) -> tuple[str, ...]:
    """What the words of an exception can mean; none if they aren't known."""
    return next((found for words, found in _CAUSES if words in text), ())


def fits(cause: str, text: str) -> bool:
    """Whether the words allow this cause. No words allow any."""
    known = causes(text)
    return cause in known if known else not text or cause not in _ONLY_SO


def shapes(text: str) -> str:
    """The two shapes of which an exception speaks, in a sentence; empty if it names no two."""
    found = re.findall(r"\((?:\d+(?:, ?\d+)*,?)?\)", text)
    if len(found) != 2:
        return ""
    if "contracting dimensions" in text:
        one, other = (shape.strip("(),") for shape in found)
        return f"Here these axes have the lengths {one} and {other}."
    return f"Here the shapes are `{found[0]}` and `{found[1]}`."


def is_about_an_array(text: str) -> bool:
    """Whether the traced value has several numbers: then it can't be a static argument."""
    return re.search(r"with shape \w+\[\d", text) is not None


def names_a_container(text: str) -> bool:
    """Whether Python's words name a type that holds other values."""
    return re.search("'(dict|list|tuple)'", text) is not None


def is_of_python(text: str) -> bool:
    """Whether Python itself has no operator for two types, so that neither is an array."""
    return text.startswith(_NO_OPERATOR)
