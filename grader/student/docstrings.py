"""The examples in a file's docstrings, and what stands above each of them."""

import ast
import doctest
from collections.abc import Iterator
from typing import Any

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
Docstring = tuple[list[doctest.Example], list[str]]


def examples(tree: ast.Module, *, is_own: bool = True) -> Iterator[Docstring]:
    """The examples by docstring, each with the paragraph before it.

    `lineno` is the line in the student's file, 0 for the stub's.
    """
    owners: list[Any] = [tree]
    for owner in owners:
        if not isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef):
            kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
            owners += [node for node in owner.body if isinstance(node, kinds)]
        text = ast.get_docstring(owner, clean=False)
        if text is None:
            continue
        try:
            parts = doctest.DocTestParser().parse(text)
        except ValueError:  # a prompt without a space, or an indent that was changed
            continue
        found, texts, said = list[doctest.Example](), list[str](), ""
        for part in parts:
            if isinstance(part, str):
                said = part.strip().rpartition("\n\n")[2] or said
            else:
                part.lineno = owner.body[0].value.lineno + part.lineno if is_own else 0
                found.append(part)
                texts.append(" ".join(said.split()))
        if found:
            yield found, texts


def flags(example: doctest.Example) -> int:
    """The options of an example, with those that all of them have."""
    found = FLAGS
    for flag, on in example.options.items():
        found = found | flag if on else found & ~flag
    return found
