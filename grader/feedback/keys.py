"""Which random keys a function uses twice, by following its statements in order.

A key is used by every function of `jax.random` but those that only make, show or derive one.
After `key, sub = split(key)` the name holds a new key. Branches are followed each on its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from grader.feedback.syntax import FUNCTIONS, Function, Module

_HARMLESS = set("key PRNGKey key_data wrap_key_data key_impl fold_in clone KeyArray".split())
_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

# Keys that were used already, by the text that names them.
Used = set[str]
Twice = tuple[str, int, bool]


def keys_used_twice(module: Module) -> Iterator[Twice]:
    """The name, the line of the second use, and whether a loop repeats it."""
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef):
            yield from _Follower(module, node).found()


class _Follower:
    def __init__(self, module: Module, function: Function) -> None:
        self._module = module
        self._function = function
        self._found: list[Twice] = []

    def found(self) -> list[Twice]:
        body = self._function.body
        self._block(body if isinstance(body, list) else [], set())
        return self._found

    def _block(self, statements: list[ast.stmt], used: Used) -> bool:
        """Follows a block, adding to `used`; whether it leaves the function or the loop."""
        return any(self._statement(statement, used) for statement in statements)

    def _statement(self, node: ast.stmt, used: Used) -> bool:
        if isinstance(node, ast.If):
            self._expression(node.test, used)
            branches = [set(used), set(used)]
            left = [
                self._block(block, branch)
                for block, branch in zip((node.body, node.orelse), branches, strict=True)
            ]
            # What either branch has used counts, unless it does not come back.
            after = [b for b, gone in zip(branches, left, strict=True) if not gone]
            used.clear()
            used.update(*after)
            return all(left)
        if isinstance(node, _LOOPS):
            self._loop(node, used)
            return False
        if isinstance(node, ast.With | ast.AsyncWith):
            return self._block(node.body, used)
        if isinstance(node, ast.Try):
            return self._block(node.body, used)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return False
        self._expression(node, used)
        for name in _stored(node):
            _forget(name, used)
        return isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Continue)

    def _loop(self, node: ast.For | ast.While | ast.AsyncFor, used: Used) -> None:
        if not isinstance(node, ast.While):
            self._expression(node.iter, used)
        renewed = set(_stored(node))
        for name, line in self._uses(node.body):
            leaves = any(isinstance(n, ast.Return | ast.Break) for n in node.body)
            if name.partition("[")[0] not in renewed and not leaves:
                self._found.append((name, line, True))
        for name in renewed:
            _forget(name, used)
        self._block(node.body, used)

    def _expression(self, node: ast.AST, used: Used) -> None:
        for name, line in self._uses([node]):
            if name in used:
                self._found.append((name, line, False))
            used.add(name)

    def _uses(self, nodes: list[ast.stmt] | list[ast.AST]) -> Iterator[tuple[str, int]]:
        """The keys that expressions use, those of functions inside them left out."""
        left: list[ast.AST] = list(reversed(nodes))
        while left:
            node = left.pop()
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                continue
            if isinstance(node, ast.IfExp):
                left += [node.test]
                continue
            if isinstance(node, _COMPREHENSIONS):
                self._comprehension(node)
                continue
            if isinstance(node, ast.Call) and self._draws(node) and node.args:
                name = _key_name(node.args[0])
                if name:
                    yield name, node.lineno
            left += reversed(list(ast.iter_child_nodes(node)))

    def _comprehension(self, node: Any) -> None:
        bound = {
            n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        # What it runs over is computed once.
        once = {id(n) for g in node.generators for n in ast.walk(g.iter)}
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call) and self._draws(inner) and id(inner) not in once:
                name = _key_name(inner.args[0]) if inner.args else ""
                if name and name.partition("[")[0] not in bound:
                    self._found.append((name, inner.lineno, True))

    def _draws(self, node: ast.Call) -> bool:
        name = self._module.called(node)
        return name.startswith("jax.random.") and name.rpartition(".")[2] not in _HARMLESS


def _key_name(node: ast.expr) -> str:
    """`key` or `keys[0]`; "" for what may be another key each time."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        index = node.slice
        if isinstance(index, ast.Constant) and isinstance(index.value, int):
            return f"{node.value.id}[{index.value}]"
    return ""


def _stored(node: ast.AST) -> Iterator[str]:
    """The names that a statement binds."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store | ast.Del):
            yield inner.id


def _forget(name: str, used: Used) -> None:
    for known in [k for k in used if k.partition("[")[0] == name]:
        used.discard(known)
