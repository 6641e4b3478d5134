"""A syntax tree -> mistakes that raise nothing. Only what is visible: a doubt is no finding.

source --Module--> rules, each over the whole tree --> Advice, in the order of lines
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from grader.feedback import lessons
from grader.feedback.errors import parsed
from grader.feedback.keys import keys_used_twice
from grader.feedback.syntax import FUNCTIONS, Function, Module, own_nodes, parameters
from grader.model import Advice

Found = tuple[str, int, dict[str, str]]
Rule = Callable[[Module], Iterator[Found]]

MOST_FINDINGS = 5
_AT = set("set add subtract multiply mul divide div power min max apply".split())
_CHANGES = set("append extend insert update add pop remove clear setdefault".split())
_PURE = ("jax.numpy.", "jax.lax.", "jax.nn.", "jax.random.")
_METHODS = {"astype", "reshape", "transpose", "squeeze", "ravel"}
_LOOPED = {"jax.lax.scan", "jax.lax.while_loop", "jax.lax.fori_loop", "jax.lax.map"}
_CLOCKS = {"time.time", "time.perf_counter", "time.monotonic", "time.process_time", "time.sleep"}
_WIDE = {"jax.numpy.float64", "jax.numpy.int64", "jax.numpy.complex128", "jax.numpy.uint64"}
_MADE = {"jax.numpy.arange", "jax.numpy.zeros", "jax.numpy.ones"}


def findings(source: str) -> tuple[Advice, ...]:
    """What is likely a mistake in a student's file, though nothing raises."""
    module = parsed(source)
    if module is None:
        return ()
    found: dict[tuple[str, int], dict[str, str]] = {}
    try:
        for rule in RULES:
            for cause, line, words in rule(module):
                found.setdefault((cause, line), words)
    except RecursionError:
        return ()
    first = sorted(found, key=lambda place: place[1])[:MOST_FINDINGS]
    return tuple(lessons.advice(c, n, module.code(n), **found[c, n]) for c, n in first)


def at_dropped(module: Module) -> Iterator[Found]:
    for node in module.nodes:
        call = node.value if isinstance(node, ast.Expr) else None
        func = call.func if isinstance(call, ast.Call) else None
        if isinstance(func, ast.Attribute) and func.attr in _AT and _is_at(func.value):
            yield "at-dropped", func.lineno, {"word": func.attr}


def result_dropped(module: Module) -> Iterator[Found]:
    """A statement that computes and keeps nothing: functions of JAX change nothing."""
    for node in module.nodes:
        call = node.value if isinstance(node, ast.Expr) else None
        if not isinstance(call, ast.Call):
            continue
        name = module.called(call)
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name.startswith(_PURE) or (method in _METHODS and not name.startswith("numpy")):
            word = name.replace("jax.numpy.", "jnp.").replace("jax.lax.", "lax.")
            yield "result-dropped", call.lineno, {"word": word if "." in word else method}


def _is_at(node: ast.AST) -> bool:
    held = node.value if isinstance(node, ast.Subscript) else None
    return isinstance(held, ast.Attribute) and held.attr == "at"


def twice(module: Module) -> Iterator[Found]:
    for name, line, in_loop in keys_used_twice(module):
        yield "key-in-loop" if in_loop else "key-twice", line, {"word": name}


def shared_key(module: Module) -> Iterator[Found]:
    """`jax.vmap(f, in_axes=(0, None))(xs, key)`, where f draws with the key itself."""
    for node in module.nodes:
        if not isinstance(node, ast.Call):
            continue
        chain = module.chain(node.func)
        layer = chain.layers[0] if chain.layers else None
        axes = layer.keywords.get("in_axes") if layer and layer.name == "vmap" else None
        if not isinstance(axes, ast.Tuple) or chain.function is None:
            continue
        for axis, name in zip(axes.elts, parameters(chain.function), strict=False):
            shared = isinstance(axis, ast.Constant) and axis.value is None
            if shared and _draws_with(module, chain.function, name):
                yield "shared-key", node.lineno, {"word": name}


def _draws_with(module: Module, function: Function, name: str) -> bool:
    for node in own_nodes(function):
        called = module.called(node)
        if isinstance(node, ast.Call) and called.startswith("jax.random.") and node.args:
            first = node.args[0]
            if isinstance(first, ast.Name) and first.id == name and "fold_in" not in called:
                return True
    return False


def under_jit(module: Module) -> Iterator[Found]:
    """Random numbers and clocks of Python's, where they run only once."""
    for node in module.nodes:
        name = module.called(node)
        if not name.startswith(("numpy.random.", "random.")) and name not in _CLOCKS:
            continue
        if name.startswith("random.") and module.names.get("random") != "random":
            continue
        if _compiled(module, node) and isinstance(node, ast.Call):
            cause = "clock-under-jit" if name in _CLOCKS else "random-under-jit"
            yield cause, node.lineno, {"word": name.replace("numpy.", "np.")}


def printed(module: Module) -> Iterator[Found]:
    for node in module.nodes:
        if isinstance(node, ast.Call) and module.called(node) == "print":
            function = module.function_of(node)
            shown = {n.id for a in node.args for n in ast.walk(a) if isinstance(n, ast.Name)}
            if function is not None and _compiled(module, node) and shown & module.local(function):
                yield "print-under-trace", node.lineno, {}


def side_effects(module: Module) -> Iterator[Found]:
    """Changes of what lives outside of a compiled function."""
    for node in module.nodes:
        if isinstance(node, FUNCTIONS) and _compiled(module, node):
            own = module.local(node)
            for inner in own_nodes(node):
                name = _changed(inner)
                if name and name not in own | module.names.keys():
                    yield "side-effect", inner.lineno, {"word": name}  # type: ignore[attr-defined]


def _changed(node: ast.AST) -> str:
    """The name of what a node changes in place."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        func = node.value.func
        if isinstance(func, ast.Attribute) and func.attr in _CHANGES:
            return func.value.id if isinstance(func.value, ast.Name) else ""
    targets = node.targets if isinstance(node, ast.Assign) else []
    # `self.traces += 1` counts how often JAX traces, which is what it is good for.
    if isinstance(node, ast.AugAssign) and not isinstance(node.value, ast.Constant):
        targets = [node.target]
    for target in targets:
        held = target.value if isinstance(target, ast.Subscript | ast.Attribute) else None
        if isinstance(held, ast.Name):
            return held.id
    return ""


def changed_globals(module: Module) -> Iterator[Found]:
    """A global that a jitted function reads and something else changes."""
    made: dict[str, int] = {}
    for statement in module.tree.body:
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            if isinstance(target, ast.Name):
                made[target.id] = statement.lineno
    globals_ = [node for node in module.nodes if isinstance(node, ast.Global)]
    declared = {name for node in globals_ for name in node.names}
    setters = {id(module.function_of(node)) for node in globals_}
    for node in module.nodes:
        if not isinstance(node, ast.Name) or node.id not in made.keys() - module.functions.keys():
            continue
        function = module.function_of(node)
        if function is None or not _compiled(module, node) or node.id in module.local(function):
            continue
        homes = [n for n in module.around(node) if isinstance(n, FUNCTIONS)]
        # A definition that another one of the same name replaces doesn't count.
        replaced = any(module.functions.get(getattr(f, "name", ""), f) is not f for f in homes)
        sets = id(function) in setters
        later = made[node.id] > function.lineno and not replaced
        if (node.id in declared and not sets) or later:
            yield "global-under-jit", node.lineno, {"word": node.id}


def static_self(module: Module) -> Iterator[Found]:
    for owner in module.classes.values():
        frozen = any("frozen" in ast.dump(decorator) for decorator in owner.decorator_list)
        for node in owner.body if not frozen else ():
            layer = module.chain(node).layer("jit") if isinstance(node, ast.FunctionDef) else None
            if layer is None or parameters(node)[:1] != ["self"]:  # type: ignore[arg-type]
                continue
            numbers, names = (layer.keywords.get(f"static_arg{x}") for x in ("nums", "names"))
            values = [
                n.value
                for k in (numbers, names)
                if k is not None
                for n in ast.walk(k)
                if isinstance(n, ast.Constant)
            ]
            if 0 in values or "self" in values:
                yield "static-self", node.lineno, {}


def jit_per_call(module: Module) -> Iterator[Found]:
    """`jax.jit` in a loop, or of a lambda that is made and called in one breath."""
    for node in module.nodes:
        if module.called(node) != "jax.jit" or not isinstance(node, ast.Call):
            continue
        around = list(module.around(node))
        homes = [n for n in around if isinstance(n, FUNCTIONS)]
        if homes and _compiled(module, homes[0]):
            continue
        inside = around[: around.index(homes[0])] if homes else around
        looped = any(isinstance(n, ast.For | ast.While) and node is not _head(n) for n in inside)
        parent = around[0] if around else None
        at_once = isinstance(parent, ast.Call) and parent.func is node
        fresh = bool(node.args) and isinstance(node.args[0], ast.Lambda)
        if looped or (homes and at_once and fresh):
            yield "jit-per-call", node.lineno, {}


def _head(loop: ast.AST) -> ast.AST:
    return loop.iter if isinstance(loop, ast.For) else getattr(loop, "test", loop)


def value_and_grad(module: Module) -> Iterator[Found]:
    for node in module.nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        chain = module.chain(node.value.func)
        target = node.targets[0]
        if not chain.layers or chain.layers[0].name != "value_and_grad":
            continue
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            continue
        first, second = (e.id.lower() if isinstance(e, ast.Name) else "" for e in target.elts)
        if "grad" in first and second and "grad" not in second and "value" not in first:
            yield "value-and-grad-order", node.lineno, {"word": first}


def column_against_row(module: Module) -> Iterator[Found]:
    for node in module.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Add | ast.Mult):
            kinds = {_shape(module, node.left), _shape(module, node.right)}
            if kinds == {"column", "vector"}:
                yield "column-against-row", node.lineno, {}


def _shape(module: Module, node: ast.expr) -> str:
    """A column or a vector, where the code says so itself."""
    value = module.value(node)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        sizes = value.args
        name = module.called(value)
        if name in ("jax.numpy.reshape", "jax.numpy.ravel", "jax.numpy.squeeze"):
            sizes = sizes[1:]
        elif name.startswith("jax."):
            return _made_shape(name, value)
        if value.func.attr in ("ravel", "flatten"):
            return "vector"
        if value.func.attr == "reshape":
            parts = [p for size in sizes for p in _elements(size)]
            sizes_known = [_number(part) for part in parts]
            if len(parts) == 2 and sizes_known[1] == 1:
                return "column"
            return "vector" if sizes_known == [-1] else ""
    return ""


def _made_shape(name: str, call: ast.Call) -> str:
    if name in _MADE and call.args:
        parts = _elements(call.args[0])
        if name == "jax.numpy.arange" or not isinstance(call.args[0], ast.Tuple):
            return "vector" if isinstance(call.args[0], ast.Constant) else ""
        if len(parts) == 2 and _number(parts[1]) == 1 and _number(parts[0]) != 1:
            return "column"
        return "vector" if len(parts) == 1 and _number(parts[0]) != 1 else ""
    return ""


def wide_dtypes(module: Module) -> Iterator[Found]:
    if any("x64" in line for line in module.lines):
        return
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and module.dotted(node) in _WIDE:
            word = module.dotted(node).replace("jax.numpy.", "jnp.")
            yield "wide-dtype", node.lineno, {"word": word}


def out_of_bounds(module: Module) -> Iterator[Found]:
    """A constant index into an array whose length stands in the code."""
    for node in module.nodes:
        if not isinstance(node, ast.Subscript):
            continue
        index = _number(node.slice)
        held = node.value
        if isinstance(held, ast.Attribute) and held.attr == "at":
            held = held.value
        made = module.value(held)
        length = _length(module, made)
        if index is not None and length is not None and not -length <= index < length:
            word = held.id if isinstance(held, ast.Name) else "an array"
            yield "out-of-bounds", node.lineno, {"word": word}


def _length(module: Module, node: ast.AST | None) -> int | None:
    name = module.called(node)
    if not isinstance(node, ast.Call) or len(node.args) != 1:
        return None
    if name in ("jax.numpy.array", "jax.numpy.asarray") and isinstance(node.args[0], ast.List):
        starred = any(isinstance(e, ast.Starred) for e in node.args[0].elts)
        return None if starred else len(node.args[0].elts)
    return (
        _number(_elements(node.args[0])[0]) if name in _MADE and _elements(node.args[0]) else None
    )


def _compiled(module: Module, node: ast.AST) -> bool:
    """Whether this file itself has the code run only while JAX traces."""
    return bool(module.traced_by(node) & {"jit", "pmap", *_LOOPED})


def _elements(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.Tuple | ast.List) else [node]


def _number(node: ast.AST | None) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return None if inner is None else -inner
    value = node.value if isinstance(node, ast.Constant) else None
    return value if type(value) is int else None


RULES: tuple[Rule, ...] = (
    at_dropped,
    result_dropped,
    twice,
    shared_key,
    under_jit,
    printed,
    side_effects,
    changed_globals,
    static_self,
    jit_per_call,
    value_and_grad,
    column_against_row,
    wide_dtypes,
    out_of_bounds,
)
