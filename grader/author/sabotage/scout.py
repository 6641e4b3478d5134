"""Which general faults can make a difference to a solution. `search` starts this process.

    argv[1]  the processor seconds that an exercise may take
    stdin    {"stub", "solution", "defines"}     a line for each exercise
    stdout   {"functions": [name, ...], "applies": [[fault, argument], ...]}; {"why": text} if
             nothing could be called

The examples of the stub are run, and their calls are noted. Then each fault is put around the
solution, and called with the same arguments and with others of the same kinds: random, skewed,
huge, tiny, in half precision, with NaN, longer, empty ... A fault applies if something comes out
differently where the solution has an answer. A loop that is written out gives the same values by
another program: such a fault applies if the solution uses what it replaces.

If a solution never ends for such an argument, the kernel ends this process: while XLA runs, no
handler of Python is called.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import itertools
import json
import os
import resource
import signal
import sys
import time
import types
from collections.abc import Iterator
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from grader.author.sabotage import injected, injected_in_jax
from grader.author.sabotage.example_calls import (
    ExampleCall,
    Examples,
    copied,
    others,
    put,
    with_first,
)
from grader.author.sabotage.injected import OF_ARGUMENTS, OF_CALLS, OF_GRADIENTS, OF_RESULTS
from grader.author.sabotage.injected_in_jax import OF_JAX

SECONDS = 60
"""Processor seconds for all faults of a solution. After that, each fault that changes an argument
counts as one that applies."""
SLOW, FEW = 0.5, 4
"""Processor seconds of a slow call; with how many other arguments it is made."""
_UNSEEN = frozenset(
    "no_jit no_vmap unrolled one_device all_on_each_device arriving_gradient_ignored".split()
)
"""No value shows them, so it is enough that the solution uses what they replace."""
_PATCHED = (jax, lax, jnp, jax.random)

Pair = tuple[str, str]


def main() -> None:
    """Answers until the standard input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin:
        _end_after(float(sys.argv[1]))
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                answer = _answer(**json.loads(line))
            except Exception as error:
                answer = {"why": f"its faults can't be tried: {type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _end_after(seconds: float) -> None:
    """Counted from now on. The signal (SIGXCPU) has no handler, so it ends the process."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1, most))


def _answer(stub: str, solution: str, defines: list[str]) -> dict[str, Any]:
    try:
        right = _module(solution)
    except Exception as error:
        return {"why": f"the solution raises {type(error).__name__}: {error}"}
    examples = Examples(stub, defines)
    functions = examples.functions(vars(right))
    if not functions:
        return {"functions": [], "applies": []}
    calls: list[ExampleCall] = []
    shown = examples.shown(right, calls)
    if not shown:
        return {"why": "no example of its stub calls a function of `defines`"}
    scout = (
        _Scout(solution, examples, functions, calls)
        if calls
        else _Watcher(solution, examples, shown)
    )
    applies = scout.applying()
    # Where equal calls give other results, as with a clock, nothing can be compared.
    if not applies and all(_outcome(functions, call) is None for call in calls):
        return {"why": "no fault changes what its examples show"}
    return {"functions": list(functions), "applies": applies}


# These two end a run. They are no `Exception`, so that no run takes them for an error of a call.
class _UsedError(BaseException):
    """The solution uses this function of JAX, which a fault has replaced."""


class _TimeUpError(BaseException):
    """The time to find out what applies is up."""


def _stop(name: str) -> NoReturn:
    """Ends a run at the first use: of a fault that no value shows, nothing more has to be known."""
    raise _UsedError(name)


class _Scout:
    def __init__(
        self, solution: str, examples: Examples, right: dict[str, Any], calls: list[ExampleCall]
    ) -> None:
        self._solution = solution
        self._examples = examples
        self._right = right
        self._calls = [other for call in calls for other in self._others(call)]
        self._outcome = functools.cache(lambda number: _outcome(right, self._calls[number]))
        self._gradient = functools.cache(self._new_gradient)

    def _others(self, call: ExampleCall) -> list[ExampleCall]:
        """No call if equal calls give other results: then nothing can be compared."""
        outcomes, seconds = [], []
        for _ in range(3):
            started = time.process_time()
            outcomes.append(_outcome(self._right, call))
            seconds.append(time.process_time() - started)
        if not all(_same(outcomes[0], other) for other in outcomes[1:]):
            return []
        return list(others(call))[: FEW if min(seconds) > SLOW else None]

    def applying(self) -> list[Pair]:
        arguments = {name for call in self._calls for each in call for name in each.values}
        of_arguments = [
            (name, argument)
            for name, argument in itertools.product(OF_ARGUMENTS, sorted(arguments))
            if any(_touches(name, argument, call) for call in self._calls)
        ]
        pairs = [(name, "") for name in (*OF_RESULTS, *OF_CALLS)]
        pairs += [*of_arguments, *((name, "") for name in OF_JAX)]
        found: list[Pair] = []
        tried = 0
        with contextlib.suppress(_TimeUpError), _at_most(SECONDS):
            for pair in pairs:
                if self._applies(*pair):
                    found.append(pair)
                tried += 1
        untried = [pair for pair in pairs[tried:] if pair in of_arguments]
        return found + [pair for pair in untried if pair[0] not in OF_GRADIENTS]

    def _applies(self, name: str, argument: str) -> bool:
        numbered = list(enumerate(self._calls))
        if name in OF_GRADIENTS:
            return any(
                self._has_gradient(number, place, name)
                for number, call in numbered
                for place in ([argument] if argument else call.values)
            )
        if name in OF_RESULTS:
            return any(self._changes_a_result(number, name) for number, _ in numbered)
        if name in OF_JAX:
            return self._applies_to_jax(name)
        if name in OF_ARGUMENTS:
            numbered = [(n, call) for n, call in numbered if _touches(name, argument, call)]
        else:
            numbered += numbered[:1]  # some faults show in the second call only
        names = {call.function for call in self._calls}
        wrong = {f: injected.faulty(self._right[f], name, argument) for f in names}
        return any(self._differs(wrong, *pair) for pair in numbered)

    def _changes_a_result(self, number: int, name: str) -> bool:
        outcome = self._outcome(number)
        if outcome is None:
            return False
        results, _ = outcome
        change = functools.partial(injected.changed, OF_RESULTS[name])
        return not _same(results, jax.tree.map(change, results))

    def _applies_to_jax(self, name: str) -> bool:
        with _patched(name):
            try:
                wrong = self._examples.functions(vars(_module(self._solution)))
                for number, call in enumerate(self._calls):
                    if self._differs(wrong, number, call):
                        return bool(injected_in_jax.used)
                    if not injected_in_jax.used:
                        return False
            except _UsedError:
                return True
            except Exception:
                return bool(injected_in_jax.used)
        return False

    def _differs(self, wrong: dict[str, Any], number: int, call: ExampleCall) -> bool:
        expected = self._outcome(number)
        return expected is not None and not _same(expected, _outcome(wrong, call))

    def _has_gradient(self, number: int, argument: str, fault: str) -> bool:
        """Whether it has one that isn't 0 where the fault is."""
        gradient = self._gradient(number, argument)
        if fault == "argument_nan_gradient_at_zero" and _counts(gradient):
            # A `while_loop` may never end at zero. It has no gradient, so it isn't called there.
            gradient = self._gradient(number, argument, at_zero=True)
            if not all(bool(jnp.all(jnp.isfinite(part))) for part in gradient):
                return False
        return _counts(gradient)

    def _new_gradient(self, number: int, argument: str, *, at_zero: bool = False) -> list[Any]:
        """The gradient of the sum of all results in an argument; empty if it can't be taken."""
        call = self._calls[number].changed(copied)
        leaves, structure = jax.tree.flatten(call.values.get(argument))
        if at_zero:
            leaves = [with_first(0, jnp.asarray(x)) if injected.is_float(x) else x for x in leaves]

        def total(floats: list[Any]) -> Any:
            filled = iter(floats)
            parts = [next(filled) if injected.is_float(leaf) else leaf for leaf in leaves]
            values = call.values | {argument: jax.tree.unflatten(structure, parts)}
            args = [values.pop(name) for name in call.names[: len(call.args)]]
            result = self._right[call.function](*args, **values)
            return sum(jnp.sum(x) for x in jax.tree.leaves(result) if injected.is_float(x))

        floats = [leaf for leaf in leaves if injected.is_float(leaf)]
        try:
            return jax.grad(total)(floats) if floats else []
        except Exception:
            return []


class _Watcher:
    """For functions that the examples call inside transformations only.

    A fault applies if an example shows something else.
    """

    def __init__(self, solution: str, examples: Examples, shown: list[str]) -> None:
        self._solution = solution
        self._examples = examples
        self._shown = shown

    def applying(self) -> list[Pair]:
        right = vars(_module(self._solution))
        functions = self._examples.functions(right).values()
        arguments = sorted({p for f in functions for p in inspect.signature(f).parameters})
        pairs = [(name, "") for name in (*OF_RESULTS, *OF_CALLS, *OF_JAX)]
        pairs += itertools.product(OF_ARGUMENTS, arguments)
        found = []
        with contextlib.suppress(_TimeUpError), _at_most(SECONDS):
            found += [pair for pair in pairs if self._applies(*pair)]
        return found

    def _applies(self, name: str, argument: str) -> bool:
        with _patched(name):
            try:
                module = _module(self._solution)
                if name not in OF_JAX:
                    functions = self._examples.functions(vars(module)).items()
                    put(vars(module), {n: injected.faulty(f, name, argument) for n, f in functions})
                differs = self._examples.shown(module, []) != self._shown
                return differs and (name not in OF_JAX or self._names(injected_in_jax.used))
            except _UsedError as error:
                return self._names({str(error)})

    def _names(self, functions: set[str]) -> bool:
        """Whether the solution names one of them. An example may use them, too."""
        return any(name in self._solution for name in functions)


@contextlib.contextmanager
def _patched(name: str) -> Iterator[None]:
    """JAX with a fault of `OF_JAX`; any other name changes nothing."""
    before = [vars(module).copy() for module in _PATCHED]
    injected_in_jax.used.clear()
    injected_in_jax.on_use = _stop if name in _UNSEEN else injected_in_jax.used.add
    try:
        if name in OF_JAX:
            OF_JAX[name].plant()
        yield
    finally:
        for module, values in zip(_PATCHED, before, strict=True):
            vars(module).update(values)


def _touches(name: str, argument: str, call: ExampleCall) -> bool:
    """Whether an argument is another one with a fault."""
    values = [each.values[argument] for each in call if argument in each.values]
    leaves = jax.tree.leaves(values)  # None is no leaf, and no fault changes it
    if name in OF_GRADIENTS:
        return bool(leaves)
    try:
        return not all(_same(leaf, injected.changed(OF_ARGUMENTS[name], leaf)) for leaf in leaves)
    except Exception:
        return True


def _module(source: str) -> types.ModuleType:
    module = types.ModuleType("solution")
    sys.modules["solution"] = module
    exec(compile(source, "<solution>", "exec", dont_inherit=True), vars(module))
    return module


def _counts(gradient: list[Any]) -> bool:
    """Whether it isn't 0 everywhere."""
    return any(bool(jnp.any((part != 0) & jnp.isfinite(part))) for part in gradient)


# What came out.


def _outcome(functions: dict[str, Any], call: ExampleCall) -> Any:
    """The results, and the arguments after the calls; None if there is no answer."""
    call = call.changed(copied)
    try:
        with jax.set_mesh(call.mesh):
            found = functions[call.function](*call.args, **call.kwargs)
            returned = [x for x in jax.tree.leaves(found) if injected.is_function(x)]
            results = [found]
            results += [returned[int(x.function)](*x.args, **x.kwargs) for x in call.later]
        return jax.tree.map(_called, (results, [each.values for each in call]))
    except Exception:
        return None


def _called(leaf: Any) -> Any:
    if isinstance(leaf, jax.Array) and leaf.is_deleted():
        return "donated"
    return "a function" if callable(leaf) else leaf


def _same(first: Any, second: Any) -> bool:
    if second is None:
        return False
    leaves, others = jax.tree.leaves(first), jax.tree.leaves(second)
    if str(jax.tree.structure(first)) != str(jax.tree.structure(second)):
        return False
    return all(map(_same_leaf, leaves, others))


def _same_leaf(first: Any, second: Any) -> bool:
    if type(first) is not type(second):
        return False
    if not (injected.is_array(first) or injected.is_key(first)):
        return bool(first == second or (first != first and second != second))  # NaN is NaN
    if (first.dtype, first.shape) != (second.dtype, second.shape):
        return False
    if injected.is_key(first):
        first, second = jax.random.key_data(first), jax.random.key_data(second)
    if not jnp.issubdtype(first.dtype, jnp.inexact):
        return bool(np.array_equal(first, second))
    wide = complex if jnp.iscomplexobj(first) else float
    first, second = np.asarray(first).astype(wide), np.asarray(second).astype(wide)
    return bool(np.allclose(first, second, rtol=1e-4, atol=0, equal_nan=True))


@contextlib.contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    def end(*_: object) -> None:
        raise _TimeUpError

    signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    main()
