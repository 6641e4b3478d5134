"""A syntax tree -> mistakes that raise nothing. Doubtful cases are left out.

source --Module--> rules, each over the whole tree --> Advice, in the order of lines
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from grader.course.docstring import sections
from grader.feedback import lessons
from grader.feedback.key_reuse import key_used, keys_used_twice
from grader.feedback.raised import parsed
from grader.feedback.syntax import (
    FUNCTIONS,
    Module,
    elements,
    keywords,
    name_parts,
    own_nodes,
    parameters,
    short,
    used_names,
)
from grader.records.model import Advice

# A cause, a line, and the text for its lesson's `{word}`.
Found = tuple[str, int, str]

MOST_FINDINGS = 5
_AT = set("set add subtract multiply mul divide div power min max apply".split())
_CHANGES = set("append extend insert update add pop remove clear setdefault".split())
_PURE = ("jax.numpy.", "jax.lax.", "jax.nn.", "jax.random.")
_METHODS = {"astype", "reshape", "transpose", "squeeze", "ravel"}
_COMPILES = {
    *"jit pmap jax.lax.scan jax.lax.while_loop jax.lax.fori_loop jax.lax.map".split(),
    "jax.experimental.pallas.pallas_call",
}
_CLOCKS = {f"time.{name}" for name in "time perf_counter monotonic process_time sleep".split()}
_WAITS = set("block_until_ready effects_barrier device_get asarray array float tolist item".split())
_WIDE = {f"jax.numpy.{name}" for name in "float64 int64 complex128 uint64".split()}
_X64 = {"enable_x64", "jax_enable_x64"}
_MADE = {"jax.numpy.arange", "jax.numpy.zeros", "jax.numpy.ones"}
_GRADIENTS = {"grad", "grads", "gradient", "gradients"}


def findings(source: str, told: Iterable[Advice | None] = ()) -> tuple[Advice, ...]:
    """The likely mistakes in a student's file that raise no exception, but those already `told`."""
    known = {(advice.cause, advice.line) for advice in told if advice is not None}
    module = parsed(source)
    if module is None:
        return ()
    words: dict[tuple[str, int], str] = {}
    try:
        for rule in RULES:
            for cause, line, word in rule(module):
                words.setdefault((cause, line), word)
    except RecursionError:
        return ()
    first = sorted(words, key=lambda place: place[1])[:MOST_FINDINGS]
    new = (place for place in first if place not in known)
    return tuple(lessons.advice(c, n, module.code(n), word=words[c, n]) for c, n in new)


_REFERENCES = (".new_ref", ".mutable_array")
_EFFECTS = (
    *_REFERENCES,
    *(".io_callback", ".debug.callback", ".debug.print", ".pallas_call"),
    *("checkify.check", "checkify.debug_check"),
)
_CALLS_BACK = frozenset("cond switch scan while_loop fori_loop map".split())


def at_dropped(module: Module) -> Iterator[Found]:
    for call in _dropped(module):
        if isinstance(call.func, ast.Attribute) and call.func.attr in _AT:
            held = call.func.value.value if isinstance(call.func.value, ast.Subscript) else None
            if isinstance(held, ast.Attribute) and held.attr == "at":
                yield "at-dropped", call.func.lineno, call.func.attr


def result_dropped(module: Module) -> Iterator[Found]:
    """A statement that drops its result: functions of JAX don't change their arguments.

    With a reference (`jax.new_ref`, or a kernel's), a callback or a check, a loop or a branch does
    its work by the way.
    """
    has_effects = _gets_references(module) or any(
        module.called(call).endswith(_EFFECTS) for call in module.calls
    )
    for call in _dropped(module):
        name = module.called(call)
        if has_effects and name.rpartition(".")[2] in _CALLS_BACK:
            continue
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name.startswith(_PURE) or (method in _METHODS and not name.startswith("numpy.")):
            yield "result-dropped", call.lineno, short(name) or method


def _dropped(module: Module) -> Iterator[ast.Call]:
    """The calls that are a whole statement."""
    return (call for call in module.calls if isinstance(module.parent(call), ast.Expr))


def twice(module: Module) -> Iterator[Found]:
    for key, line, cause in keys_used_twice(module):
        yield cause, line, str(key)


def shared_key(module: Module) -> Iterator[Found]:
    """A mapped function draws with a key that isn't its own, or that `in_axes` doesn't map over."""
    for call in module.calls:
        chain = module.chain(call.func)
        layer = chain.layers[0] if chain.layers else None
        if layer is None or layer.name != "vmap" or chain.function is None:
            continue
        axes, names = layer.keywords.get("in_axes"), parameters(chain.function)
        pairs = zip(names, axes.elts, strict=False) if isinstance(axes, ast.Tuple) else ()
        shared = {n for n, a in pairs if isinstance(a, ast.Constant) and a.value is None}
        own = module.local[chain.function] - shared
        for node in own_nodes(chain.function):
            key = key_used(module, node)
            if key is not None and key.name not in own:
                yield "shared-key", getattr(node, "lineno", call.lineno), str(key)


def under_jit(module: Module) -> Iterator[Found]:
    """Python's random numbers and clocks, where they run only once."""
    is_stdlib = module.names.get("random") == "random"
    drawing = ("numpy.random.", "random.") if is_stdlib else ("numpy.random.",)
    for call in module.calls:
        name = module.called(call)
        if (name in _CLOCKS or name.startswith(drawing)) and _compiled(module, call):
            cause = "clock-under-jit" if name in _CLOCKS else "random-under-jit"
            yield cause, call.lineno, short(name)


def printed(module: Module) -> Iterator[Found]:
    for call in module.calls:
        first = call.args[0] if call.args else None
        if module.called(call) == "jax.debug.print" and isinstance(first, ast.JoinedStr):
            yield "debug-print-f-string", call.lineno, ""
        function = module.function_of(call) if module.called(call) == "print" else None
        if function is None or not _compiled(module, call):
            continue
        if used_names(*call.args) & module.local[function]:
            yield "print-under-trace", call.lineno, ""


def side_effects(module: Module) -> Iterator[Found]:
    """Changes of objects outside a compiled function."""
    for node in module.nodes:
        if isinstance(node, FUNCTIONS) and _compiled(module, node):
            own = module.local[node] | module.names.keys()
            for name in filter(None, map(_changed, own_nodes(node))):
                if name.id not in own and not is_reference(module, name):
                    yield "side-effect", name.lineno, name.id


def _changed(node: ast.AST) -> ast.Name | None:
    """The name of the object that a node changes in place."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        func = node.value.func
        if isinstance(func, ast.Attribute) and func.attr in _CHANGES:
            return func.value if isinstance(func.value, ast.Name) else None
    targets = node.targets if isinstance(node, ast.Assign) else []
    # `self.traces += 1` counts how often JAX traces, and that works.
    if isinstance(node, ast.AugAssign) and not isinstance(node.value, ast.Constant):
        targets = [node.target]
    for target in targets:
        held = target.value if isinstance(target, ast.Subscript | ast.Attribute) else None
        if isinstance(held, ast.Name):
            return held
    return None


def is_reference(module: Module, name: ast.Name) -> bool:
    """Whether a changed name is a reference of JAX, as far as the code shows: that is meant."""
    if isinstance(module.parent(module.parent(name)), ast.Call):  # `seen.append(x)`
        return False
    around = [f for f in module.functions_around(name) if name.id in parameters(f)]
    if around and (_gets_references(module) or any(_compiled(module, f) for f in around)):
        return True
    return module.called(module.value(name)).endswith(_REFERENCES)


def _gets_references(module: Module) -> bool:
    """Whether the file says that a function gets a reference: `counts: jax.Ref`."""
    return any(module.dotted(n) == "jax.Ref" for n in module.nodes if isinstance(n, ast.Attribute))


def changed_globals(module: Module) -> Iterator[Found]:
    """A global that a jitted function reads and other code changes."""
    made: dict[str, int] = {}
    for statement in module.tree.body:
        for target in statement.targets if isinstance(statement, ast.Assign) else ():
            if isinstance(target, ast.Name):
                made[target.id] = statement.lineno
    globals_ = [node for node in module.nodes if isinstance(node, ast.Global)]
    declared = {name for node in globals_ for name in node.names}
    setters = {module.function_of(node) for node in globals_}
    for node in module.nodes:
        if not isinstance(node, ast.Name) or node.id not in made.keys() - module.functions.keys():
            continue
        homes = module.functions_around(node)
        if not homes or not _compiled(module, node) or node.id in module.local[homes[0]]:
            continue
        # A definition that another one of the same name replaces doesn't count.
        replaced = any(module.functions.get(getattr(f, "name", ""), f) is not f for f in homes)
        later = made[node.id] > homes[0].lineno and not replaced
        if (node.id in declared and homes[0] not in setters) or later:
            yield "global-under-jit", node.lineno, node.id


def static_self(module: Module) -> Iterator[Found]:
    for owner in module.classes.values():
        for node in owner.body if not _is_frozen(module, owner) else ():
            layer = module.chain(node).layer("jit") if isinstance(node, ast.FunctionDef) else None
            if layer is None or parameters(node)[:1] != ["self"]:  # type: ignore[arg-type]
                continue
            given = (layer.keywords.get(name) for name in ("static_argnums", "static_argnames"))
            walked = (n for part in given if part is not None for n in ast.walk(part))
            if any(isinstance(n, ast.Constant) and n.value in (0, "self") for n in walked):
                yield "static-self", node.lineno, ""


def _is_frozen(module: Module, owner: ast.ClassDef) -> bool:
    """Whether a decorator makes the objects immutable: `@dataclass(frozen=True)`, `@frozen`."""
    for decorator in owner.decorator_list:
        value = keywords(decorator).get("frozen") if isinstance(decorator, ast.Call) else None
        is_on = isinstance(value, ast.Constant) and value.value is True
        name = module.called(decorator) or module.dotted(decorator)
        if is_on or name.rpartition(".")[2] == "frozen":
            return True
    return False


def jit_per_call(module: Module) -> Iterator[Found]:
    """`jax.jit` in a loop, or of a lambda that is made and called in one expression.

    To lower in each round is to compile ahead, for another shape each time.
    """
    for call in module.calls:
        home = module.function_of(call)
        if module.called(call) != "jax.jit" or (home is not None and _compiled(module, home)):
            continue
        around = list(module.around(call))
        if isinstance(around[0], ast.Attribute) and around[0].attr in ("lower", "trace"):
            continue
        path = [call, *(around if home is None else around[: around.index(home)])]
        looped = any(_repeats(loop, part) for part, loop in pairwise(path))
        at_once = isinstance(around[0], ast.Call) and around[0].func is call
        fresh = bool(call.args) and isinstance(call.args[0], ast.Lambda)
        if looped or (home is not None and at_once and fresh):
            yield "jit-per-call", call.lineno, ""


def _repeats(loop: ast.AST, part: ast.AST) -> bool:
    """Whether a loop runs this part in every round: every part but the iterable of a `for`."""
    return isinstance(loop, ast.For | ast.While) and part is not getattr(loop, "iter", None)


def clock_not_waited(module: Module) -> Iterator[Found]:
    """Between two looks at a clock, nothing waits for an array."""
    reads: dict[object, list[int]] = {}
    for call in module.calls:
        if module.called(call) in _CLOCKS - {"time.sleep"}:
            reads.setdefault(module.function_of(call), []).append(call.lineno)
    waits = [call for call in module.calls if _waits(call.func)]
    for home, lines in reads.items():
        span = range(min(lines), max(lines) + 1)
        # A function elsewhere that waits may be what is timed.
        waited = any(c.lineno in span or module.function_of(c) is not home for c in waits)
        if home is not None and len(lines) > 1 and not waited:
            yield "clock-not-waited", max(lines), ""


def _waits(function: ast.expr) -> bool:
    """Whether a call waits for a result. To read its numbers is to wait for them."""
    if isinstance(function, ast.Attribute):
        return function.attr in _WAITS
    return isinstance(function, ast.Name) and function.id in _WAITS


def loops_over_an_array(module: Module) -> Iterator[Found]:
    """A `for` of Python's over an argument that the signature calls an array."""
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef):
            arrays = {a.arg for a in node.args.args if _is_array_type(module, a.annotation)}
            for loop in own_nodes(node):
                if isinstance(loop, ast.For) and (name := _looped(loop.iter)) in arrays:
                    yield "loop-unrolled", loop.lineno, name


def _is_array_type(module: Module, annotation: ast.expr | None) -> bool:
    return module.dotted(annotation) == "jax.Array"


def _looped(iterated: ast.expr) -> str:
    """The array whose elements or places are walked: `x`, `enumerate(x)`, `range(1, len(x))`."""
    if isinstance(iterated, ast.Name):
        return iterated.id
    if not isinstance(iterated, ast.Call) or not isinstance(iterated.func, ast.Name):
        return ""
    if iterated.func.id == "enumerate" and iterated.args:
        return _looped(iterated.args[0])
    if iterated.func.id != "range":
        return ""
    for node in (n for arg in iterated.args for n in ast.walk(arg)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
            return node.args[0].id if node.args and isinstance(node.args[0], ast.Name) else ""
        if isinstance(node, ast.Attribute) and node.attr in ("shape", "size"):
            return node.value.id if isinstance(node.value, ast.Name) else ""
    return ""


def unused_arguments(module: Module) -> Iterator[Found]:
    """An argument that the docstring describes, as those of a stub do, and that nothing uses."""
    for node in module.tree.body:
        text = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
        if isinstance(node, ast.FunctionDef) and text:
            described = set(re.findall(r"(?m)^(\w+): ", dict(sections(text)).get("Args", "")))
            used = used_names(*node.body)
            for name in parameters(node):
                if name in described - used and "NotImplementedError" not in used:
                    yield "argument-unused", node.lineno, name


def value_and_grad(module: Module) -> Iterator[Found]:
    for node in module.nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        layers = module.chain(node.value.func).layers
        names = [e.id if isinstance(e, ast.Name) else "" for e in elements(node.targets[0])]
        if layers and layers[0].name == "value_and_grad" and len(names) == 2 and all(names):
            first, second = map(name_parts, names)
            if first & _GRADIENTS and not second & _GRADIENTS and "value" not in first:
                yield "value-and-grad-order", node.lineno, names[0]


def wide_dtypes(module: Module) -> Iterator[Found]:
    if any(_is_x64(module, node) for node in module.nodes):
        return
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and module.dotted(node) in _WIDE:
            yield "wide-dtype", node.lineno, short(module.dotted(node))


def _is_x64(module: Module, node: ast.AST) -> bool:
    """Whether a node refers to the 64-bit mode: a name, or a text such as "jax_enable_x64"."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and node.value.lower() in _X64
    return module.dotted(node).rpartition(".")[2] in _X64


def _compiled(module: Module, node: ast.AST) -> bool:
    """Whether this file itself makes the code run only while JAX traces."""
    return bool(module.traced_by(node) & _COMPILES)


def column_against_row(module: Module) -> Iterator[Found]:
    for node in module.nodes:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub | ast.Add | ast.Mult):
            continue
        if {_shape(module, node.left), _shape(module, node.right)} == {"column", "vector"}:
            yield "column-against-row", node.lineno, ""


def _shape(module: Module, node: ast.expr) -> str:
    """A column or a vector, if the code itself shows which."""
    value = module.value(node)
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return ""
    name, sizes = module.called(value), value.args
    if name in ("jax.numpy.reshape", "jax.numpy.ravel"):
        sizes = sizes[1:]
    elif name.startswith("jax."):
        return _made_shape(name, value)
    if value.func.attr in ("ravel", "flatten"):
        return "vector"
    if value.func.attr != "reshape":
        return ""
    known = [_number(part) for size in sizes for part in elements(size)]
    if len(known) == 2 and known[1] == 1:
        return "column"
    return "vector" if known == [-1] else ""


def _made_shape(name: str, call: ast.Call) -> str:
    if name not in _MADE or not call.args:
        return ""
    size = call.args[0]
    if name == "jax.numpy.arange" or not isinstance(size, ast.Tuple):
        return "vector" if isinstance(size, ast.Constant) else ""
    known = [_number(part) for part in size.elts]
    if len(known) == 2 and known[1] == 1 and known[0] != 1:
        return "column"
    return "vector" if len(known) == 1 and known[0] != 1 else ""


def out_of_bounds(module: Module) -> Iterator[Found]:
    """A constant index into an array whose length is written in the code."""
    for node in module.nodes:
        if not isinstance(node, ast.Subscript):
            continue
        held = node.value
        if isinstance(held, ast.Attribute) and held.attr == "at":
            held = held.value
        index, length = _number(node.slice), _length(module, module.value(held))
        if index is not None and length is not None and not -length <= index < length:
            word = held.id if isinstance(held, ast.Name) else "an array"
            yield "out-of-bounds", node.lineno, word


def _length(module: Module, node: ast.AST | None) -> int | None:
    name = module.called(node)
    if not isinstance(node, ast.Call) or len(node.args) != 1:
        return None
    parts = elements(node.args[0])
    if name in ("jax.numpy.array", "jax.numpy.asarray") and isinstance(node.args[0], ast.List):
        return None if any(isinstance(part, ast.Starred) for part in parts) else len(parts)
    return _number(parts[0]) if name in _MADE and parts else None


def _number(node: ast.AST | None) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return None if inner is None else -inner
    value = node.value if isinstance(node, ast.Constant) else None
    return value if type(value) is int else None


RULES: tuple[Callable[[Module], Iterator[Found]], ...] = (
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
    clock_not_waited,
    loops_over_an_array,
    unused_arguments,
    value_and_grad,
    column_against_row,
    wide_dtypes,
    out_of_bounds,
)
