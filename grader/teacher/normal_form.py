"""The normal form of a program: what is left without comments, annotations, imports and layout.

    text --ast--> statements --those that an exercise needs--> tokens --> NormalForm

A name that the program chooses is a number, by first use; attributes, imported names and constants
stay. The pieces are runs of tokens, chosen by winnowing (Schleimer, Wilkerson, Aiken: "Winnowing:
local algorithms for document fingerprinting", SIGMOD 2003). What isn't Python is compared as text.
Nothing is executed.
"""

import ast
import functools
import re
import warnings
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader import digests
from grader.intake import source

# Tokens of a piece, and how many neighbours one is chosen from. So equal runs of 8 are always seen.
_PIECE, _WINDOW = 6, 3
_MOST_PARSED = source.MAX_BYTES
# Of a program whose names and pieces are compared. A larger one is compared as text.
_MOST_TOKENS = 20_000

_WORD = re.compile(r"\w+|[^\w\s]")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (*_DEFINITIONS, ast.Lambda, *_COMPREHENSIONS)
_IMPORTS = (ast.Import, ast.ImportFrom)
_STORES = (ast.Store, ast.Del)
# Fields that say nothing of what a program does.
_DROPPED = {"ctx", "annotation", "returns", "type_comment", "type_ignores", "kind", "type_params"}
# Nodes that are no token, since the nodes in them are.
_OPERATIONS = (ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare)
_SILENT = (ast.arguments, ast.arg, ast.Expr, ast.withitem, *_OPERATIONS)


@dataclass(frozen=True, slots=True)
class NormalForm:
    """A program as it is compared."""

    text: bytes  #: the digest of its text
    form: bytes  #: the digest of its tokens: equal up to names, comments and layout
    tokens: int
    lines: int  #: with code
    pieces: frozenset[int]  #: a choice of its pieces, for "nearly equal"


class Statement:
    """A statement at the top level: what it defines, what it needs, its tokens."""

    def __init__(
        self, node: ast.stmt, parts: Sequence[ast.AST], imports: Mapping[str, tuple[str, ...]]
    ) -> None:
        self.node, self._imports = node, imports
        chosen, read, declared = set[str](), set[str](), set[str]()
        for part in parts:
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                read.add(part.id)
            elif isinstance(part, ast.Global):
                declared.update(part.names)
            else:
                chosen.update(_chosen(part))
        self.binds = {node.name} if isinstance(node, _DEFINITIONS) else set(_bound(node))
        self.own = chosen - declared - self.binds
        self.needs = (read | declared) - self.own
        # Nothing of an earlier definition is left after it.
        self.replaces = isinstance(node, _DEFINITIONS) or (
            _only_sets_names(node) and not self.needs & self.binds
        )

    @property
    def span(self) -> range:
        """Its lines, from 0 on, with its decorators."""
        decorators = getattr(self.node, "decorator_list", [])
        first = min([self.node.lineno, *(one.lineno for one in decorators)])
        return range(first - 1, self.node.end_lineno or first)

    @property
    def code_lines(self) -> set[int]:
        """The lines on which a part of it starts that isn't a docstring."""
        parts = [p for p in ast.walk(self.node) if isinstance(p, ast.expr | ast.stmt)]
        return {p.lineno for p in parts} - {p.lineno for p in parts if _says_nothing(p)}

    @functools.cached_property
    def tokens(self) -> list[tuple[str, str]]:
        """Each token for "equal" and for "nearly equal": a name is the same as any other there."""
        return list(self._walk())

    def _walk(self) -> Iterator[tuple[str, str]]:
        """The tree from the top down, without recursion: a student's may be deep.

        A node's token says how many children follow, so that no two trees have the same tokens.
        """
        numbers: dict[str, str] = {}
        stack: list[object] = [self.node]
        while stack:
            node = stack.pop()
            if isinstance(node, ast.AnnAssign) and node.value:
                node = ast.Assign([node.target], node.value)
            if isinstance(node, ast.Name):
                yield from self._name(node.id, numbers)
            elif isinstance(node, ast.AST):
                shape, words, inside = _opened(node)
                name = type(node).__name__
                yield f"{name} {shape} {words}", "" if isinstance(node, _SILENT) else name + words
                stack.extend(reversed(inside))
            else:  # a name in another place than an expression, or the lack of a node
                yield from self._name(node, numbers) if isinstance(node, str) else [("None", "")]

    def _name(self, name: str, numbers: dict[str, str]) -> Iterator[tuple[str, str]]:
        """A name of its own as a number; an imported one like the attribute of its module."""
        if name in self.own:
            yield numbers.setdefault(name, f"own {len(numbers)}"), "name"
        elif path := self._imports.get(name):
            for part in reversed(path[1:]):
                yield _attribute(part)
            yield f"imported {path[0]}", path[0]
        else:
            yield f"@{name}", name


class ParsedFile:
    """The text of a module, taken apart."""

    def __init__(self, text: str) -> None:
        tree = _parsed(text)
        self.text, self.lines = text, text.split("\n")
        self.is_python = tree is not None
        body = [] if tree is None else tree.body
        parts = [list(ast.walk(node)) for node in body]
        imports = _imported(part for inside in parts for part in inside)
        self.statements = [
            Statement(node, inside, imports)
            for node, inside in zip(body, parts, strict=True)
            if not _says_nothing(node)
        ]
        self.imports = [n for n in body if isinstance(n, _IMPORTS)]
        self._binders: dict[str, list[int]] = defaultdict(list)
        for number, statement in enumerate(self.statements):
            for name in statement.binds:
                self._binders[name].append(number)

    def part(self, names: Iterable[str]) -> list[Statement]:
        """The statements that define the names, and those that these need. If none, all."""
        todo, done, kept = list(names), set[str](), set[int]()
        while todo:
            if (name := todo.pop()) in done:
                continue
            done.add(name)
            for number in reversed(self._binders.get(name, ())):
                if number not in kept:
                    kept.add(number)
                    todo.extend(self.statements[number].needs)
                if self.statements[number].replaces:
                    break
        return [self.statements[number] for number in sorted(kept)] or self.statements

    def excerpt(self, names: Iterable[str]) -> str:
        """The text of that part and of all imports; the whole text if it can't be taken apart."""
        if not self.is_python:
            return self.text
        spans = [statement.span for statement in self.part(names)]
        spans += [range(n.lineno - 1, n.end_lineno or n.lineno) for n in self.imports]
        return _text_at(self.lines, spans)


class Stub:
    """What students are given for an exercise. It is no work of theirs."""

    def __init__(self, text: str) -> None:
        statements = ParsedFile(text).statements
        self._statements = {tuple(one.tokens) for one in statements}
        self.pieces = frozenset(_pieces([c for one in statements for _, c in one.tokens if c]))

    def normal(self, module: ParsedFile, names: Iterable[str]) -> NormalForm | None:
        """The student's part of what answers the exercise; None if there isn't any."""
        part = module.part(names)
        if not module.is_python or sum(len(one.tokens) for one in part) > _MOST_TOKENS:
            return self._as_text(module)
        part = [one for one in part if tuple(one.tokens) not in self._statements]
        if not part:
            return None
        exact, rough = zip(*(pair for one in part for pair in one.tokens), strict=True)
        bound = {f"@{name}" for one in part for name in one.binds}
        # The names of the module are numbered through all statements.
        numbers: dict[str, str] = {}
        numbered = [numbers.setdefault(t, f"{len(numbers)}") if t in bound else t for t in exact]
        words = ["name" if t in bound else r for t, r in zip(exact, rough, strict=True) if r]
        return NormalForm(
            _digest(_text_at(module.lines, [one.span for one in part])),
            _digest(*numbered),
            len(words),
            len(set[int]().union(*(one.code_lines for one in part))),
            frozenset(_winnowed(words)) - self.pieces,
        )

    def _as_text(self, module: ParsedFile) -> NormalForm:
        words = _WORD.findall(module.text)
        is_huge = len(words) > _MOST_TOKENS
        return NormalForm(
            _digest(module.text),
            _digest(module.text) if is_huge else _digest(*words),
            len(words),
            sum(bool(line.strip()) for line in module.lines),
            frozenset() if is_huge else frozenset(_winnowed(words)) - self.pieces,
        )


def _parsed(text: str) -> ast.Module | None:
    """The tree, or None. The reader's look at the names has compiled the same text before."""
    if len(text) > _MOST_PARSED or text.count(".") > source.MAX_DOTS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            return tree if len(tree.body) <= _MOST_TOKENS else None
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def _says_nothing(node: object) -> bool:
    """An import (names are known by where they come from), a docstring, a bare annotation."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    is_bare = isinstance(node, ast.AnnAssign) and node.value is None
    return is_text or is_bare or isinstance(node, (*_IMPORTS, ast.Pass))


# No module lies deeper. The rest of a longer path stays in one part.
MOST_PARTS = 8


def _imported(nodes: Iterable[ast.AST]) -> dict[str, tuple[str, ...]]:
    """Where each imported name comes from: ("jax", "numpy") for `jnp`."""
    found: dict[str, tuple[str, ...]] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            for one in node.names:
                found[one.asname or one.name] = (*start.split(".", MOST_PARTS), one.name)
        elif isinstance(node, ast.Import):
            for one in node.names:
                path = tuple(one.name.split(".", MOST_PARTS))
                found[one.asname or path[0]] = path if one.asname else path[:1]
    return found


def _chosen(node: ast.AST) -> Iterator[str]:
    """The names that a node itself defines."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, _STORES):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, (*_DEFINITIONS, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        yield from [node.name] if node.name else []
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement sets or changes in its module, and not within a function."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        yield from [] if isinstance(node, ast.Lambda) else _chosen(node)
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, _STORES):
            root: ast.AST = node
            while isinstance(root, ast.Attribute | ast.Subscript):
                root = root.value
            yield from [root.id] if isinstance(root, ast.Name) else []
        if not isinstance(node, _SCOPES):
            stack.extend(ast.iter_child_nodes(node))


def _only_sets_names(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return all(isinstance(target, ast.Name) for target in targets)


def _opened(node: ast.AST) -> tuple[str, str, list[object]]:
    """How many children each field has, what it says in itself, and the children."""
    if isinstance(node, ast.Constant):
        return "", _literal(node.value), []
    shape, words, inside = "", "", list[object]()
    for name in node._fields:
        value = getattr(node, name, None)
        if name in _DROPPED:
            continue
        kept = [v for v in value if not _says_nothing(v)] if isinstance(value, list) else [value]
        is_word = isinstance(value, int) or name == "attr" or isinstance(node, ast.keyword)
        if is_word and not isinstance(value, ast.AST):
            words += f" {value}"
        else:
            shape += f"{len(kept)}," if value is not None else "-"
            inside += kept if value is not None else []
    return shape, words, inside


def _literal(value: object) -> str:
    # Python refuses to write huge integers as decimals.
    shown = f"{value:x}" if type(value) is int else repr(value)
    return f" {type(value).__name__} {shown}"


def _attribute(name: str) -> tuple[str, str]:
    """The tokens of `.name`, as of an `ast.Attribute`."""
    return f"Attribute 1,  {name}", f"Attribute {name}"


def _pieces(words: Sequence[str]) -> list[int]:
    """A number for each run of tokens. Unlike that of a text, the hash of numbers never varies."""
    numbers = [zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in words]
    return [hash(run) for run in zip(*(numbers[n:] for n in range(_PIECE)), strict=False)]


def _winnowed(words: Sequence[str]) -> set[int]:
    """The least of any few neighbouring pieces: equal texts choose equally, wherever they stand."""
    pieces = _pieces(words)
    windows = zip(*(pieces[n:] for n in range(_WINDOW)), strict=False)
    return set(map(min, windows)) or set(pieces)


def _digest(*words: str) -> bytes:
    return bytes.fromhex(digests.of(words)[:32])


def _text_at(lines: Sequence[str], spans: Iterable[range]) -> str:
    """The lines, each once: many statements may share one."""
    wanted = sorted({number for span in spans for number in span})
    return "\n".join(lines[n].rstrip() for n in wanted if n < len(lines))
