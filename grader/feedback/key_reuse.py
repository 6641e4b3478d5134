"""Which random keys a function uses twice, by following its statements in order.

Every function of `jax.random` uses its key, except those that only make, show or derive one.
After `key, sub = split(key)` the name holds a new key. Each branch is followed separately.
"""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from grader.feedback.syntax import FUNCTIONS, Module

_HARMLESS = set("key PRNGKey key_data wrap_key_data key_impl fold_in clone KeyArray".split())
_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class RandomKey(NamedTuple):
    """A key as the code names it: `key`, or `keys[0]`."""

    name: str
    place: int | None = None

    def __str__(self) -> str:
        return self.name if self.place is None else f"{self.name}[{self.place}]"


Twice = tuple[RandomKey, int, str]
AGAIN, IN_LOOP, RETURNED = "key-twice", "key-in-loop", "key-returned"


def keys_used_twice(module: Module) -> Iterator[Twice]:
    """Each key that is used twice, the line of the second use, and how."""
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef):
            follower = _Follower(module)
            follower.block(node.body, set())
            yield from follower.found


def key_used(module: Module, node: ast.AST) -> RandomKey | None:
    """The key that a call draws with; None if it may be another key each time."""
    name = module.called(node)
    if not name.startswith("jax.random.") or name.rpartition(".")[2] in _HARMLESS:
        return None
    first = node.args[0] if isinstance(node, ast.Call) and node.args else None
    if isinstance(first, ast.Name):
        return RandomKey(first.id)
    if isinstance(first, ast.Subscript) and isinstance(first.value, ast.Name):
        index = first.slice.value if isinstance(first.slice, ast.Constant) else None
        return RandomKey(first.value.id, index) if isinstance(index, int) else None
    return None


class _Follower:
    """Follows the statements of one function; `used` holds the keys that were used so far."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self.found: list[Twice] = []

    def block(self, statements: list[ast.stmt], used: set[RandomKey]) -> bool:
        """Follows a block and adds to `used`; says whether it leaves the function or the loop."""
        return any(self._statement(statement, used) for statement in statements)

    def _statement(self, node: ast.stmt, used: set[RandomKey]) -> bool:
        match node:
            case ast.If():
                return self._branches(node, used)
            case ast.For() | ast.AsyncFor() | ast.While():
                self._loop(node, used)
                return False
            case ast.With() | ast.AsyncWith() | ast.Try():
                return self.block(node.body, used)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return False
        self._expression(node, used)
        if isinstance(node, ast.Return):
            self._returned(node, used)
        _forget(_bound(node), used)
        return isinstance(node, _LEAVES)

    def _branches(self, node: ast.If, used: set[RandomKey]) -> bool:
        self._expression(node.test, used)
        branches = [set(used), set(used)]
        left = [self.block(node.body, branches[0]), self.block(node.orelse, branches[1])]
        # The code below runs only after a branch that doesn't leave.
        after = [branch for branch, is_left in zip(branches, left, strict=True) if not is_left]
        used.clear()
        used.update(*after)
        return all(left)

    def _loop(self, node: ast.For | ast.While | ast.AsyncFor, used: set[RandomKey]) -> None:
        if not isinstance(node, ast.While):
            self._expression(node.iter, used)
        renewed = _bound(node)
        if not any(isinstance(n, ast.Return | ast.Break) for n in node.body):
            uses = self._uses(*node.body)
            self.found += [(key, line, IN_LOOP) for key, line in uses if key.name not in renewed]
        _forget(renewed, used)
        self.block(node.body, used)

    def _returned(self, node: ast.Return, used: set[RandomKey]) -> None:
        """A caller would use the key once more."""
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        for part in parts:
            if isinstance(part, ast.Name) and RandomKey(part.id) in used:
                self.found.append((RandomKey(part.id), node.lineno, RETURNED))

    def _expression(self, node: ast.AST, used: set[RandomKey]) -> None:
        for key, line in self._uses(node):
            if key in used:
                self.found.append((key, line, AGAIN))
            used.add(key)

    def _uses(self, *nodes: ast.AST) -> Iterator[tuple[RandomKey, int]]:
        """The keys that expressions use, without those in functions inside them."""
        left = list(reversed(nodes))
        while left:
            node = left.pop()
            if isinstance(node, ast.IfExp):
                left.append(node.test)
            elif isinstance(node, _Comprehension):
                self._comprehension(node)
            elif not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                if isinstance(node, ast.Call) and (key := key_used(self._module, node)):
                    yield key, node.lineno
                left += reversed(list(ast.iter_child_nodes(node)))

    def _comprehension(self, node: _Comprehension) -> None:
        bound = _bound(node)
        # The iterables are computed once.
        once = {n for generator in node.generators for n in ast.walk(generator.iter)}
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call) and inner not in once:
                key = key_used(self._module, inner)
                if key is not None and key.name not in bound:
                    self.found.append((key, inner.lineno, IN_LOOP))


def _bound(node: ast.AST) -> set[str]:
    names = (inner for inner in ast.walk(node) if isinstance(inner, ast.Name))
    return {name.id for name in names if not isinstance(name.ctx, ast.Load)}


def _forget(names: set[str], used: set[RandomKey]) -> None:
    used -= {key for key in used if key.name in names}
