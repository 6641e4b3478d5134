"""A student's module as a suite sees it: names that call into another process.

    submission.f(x)                         a call, in the worker
    submission.f.vmap(in_axes=1).jit()(x)   transformations, applied from first to last
    submission.f.used_by(g)(x)              g(f, x), for a function g of the suite
    submission.f.program(x)                 f as an exported program, measured in the bench
    submission.f.kept(x)                    f's value, and what its backward pass needs, as programs
    submission.f.stored_program(x)          the bytes that f returned, as a program
    submission.f.grad().reported()(x)       a call in the worker, under transformations
    submission.f.reported_traces([(x,)])    how often f traces, as the worker counts
    submission.f.used_by(g).observed()(c)   a call in the worker, with a `Callback` in the judge
    submission.f.used_by(g).timed()(c)      the same, for a `Callback` that the judge's clock checks

A call under transformations goes two ways, by verbs that the two processes have as methods:

    Function.__call__ -> program --"export"--> RemoteSeat.ask   == pipe ==> Student.export
                                 --"inspect"-> RemoteSeat.bench == pipe ==> Bench.inspect
                      -> Program.structured --"run"--> RemoteSeat.bench ==> Bench.run

No object of a student ever arrives here: results are numbers, strings, containers of them,
records of classes that the suite sent itself, and handles.

A student's code can change jax in its worker, and claim that any function "survives jit". So a
function under transformations is exported for the shapes of its arguments, and the bench runs it
on their values, which the worker never sees. Plain calls run in the worker, and so does a
`ReportedFunction`: what it returns is the worker's word. `grader verify` counts the points that
rest on it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import jax

from grader.engine import wire
from grader.engine.processes import faults
from grader.engine.suite.calls import Asked, value
from grader.engine.suite.codec import Codec, Held, Seat
from grader.engine.suite.program import Kept, Program, kept_between
from grader.engine.suite.sent_code import checks_by_itself
from grader.engine.wire import arrays
from grader.records import digests
from grader.records.errors import BrokenSuiteError
from grader.records.model import Basis

# An author's own pytest shows the suite's line, and none of this file.
__tracebackhide__ = True

_OBSERVED, _TIMED = "observed", "timed"
# The programs that a worker makes for a question.
_MADE = {"export": ("program",), "passes": ("forward", "backward")}


class SubmissionProxy:
    """A student's module. Every public name is a `Function`.

    If the student doesn't define it, its first call raises a `Raised`, which says so.
    """

    def __init__(self, seat: Seat) -> None:
        self._codec = Codec(seat, Function)

    def __repr__(self) -> str:
        return "submission"

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return Function(self._codec, name)


def _transformation(name: str) -> Callable[..., Function]:
    def apply(self: Function, **keywords: Any) -> Function:
        return self._under(name, keywords)

    apply.__name__ = name
    apply.__doc__ = f"`jax.{name}` of it, with JAX's own keywords."
    return apply


class Function(Held):
    """A student's function, under transformations that apply from first to last.

    They take JAX's own keywords, and nothing by position: `submission.f.vmap(in_axes=1).jit()(x)`.
    `jvp` is called with primals and tangents: `submission.f.jvp()((x,), (t,))`.

    Under transformations it is exported for the shapes of its arguments, and runs in the bench.
    Without one it runs in the worker, and so does a `ReportedFunction`.
    """

    _basis = Basis.CALL

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it. Arrays arrive there as jax arrays, and come back as numpy arrays. In an
        exercise in NumPy (`numpy = true`) they also arrive as numpy arrays.

        An argument may be None, a number, a string, bytes, an array, a typed key, a function or a
        class of the suite, a `Callback`, a function that the student's code returned, or a list,
        tuple, dict, namedtuple or dataclass of these. A returned function is a `Function`: call it
        in that test.

        Raises:
            Fault: the student's code gave no result: it raised, ended, or exceeded a limit.
            Refused: under transformations, the bench won't run the program.
            BrokenSuiteError: an argument is none of these; or, under transformations, the exercise
                is in NumPy.
        """
        if self.stack and self._basis is not Basis.REPORT and not self._has_callback:
            return self.program(*args, **kwargs).structured(*args, **kwargs)
        self.codec.seat.evidence.kinds.add(self._basis)
        self._note_call(args, kwargs)
        return self.codec.answer(self._ask("call", args=args, kwargs=kwargs))

    def __repr__(self) -> str:
        return f"submission.{self.name}"

    @property
    def name(self) -> str:
        """Its name as the suite wrote it, with its transformations."""
        name = self.target if isinstance(self.target, str) else "<function>"
        for layer, keywords in self.stack:
            name += f".{layer}({', '.join(f'{k}={value(v)}' for k, v in keywords.items())})"
        return name

    def question(self, args: Iterable[Any]) -> dict[str, Any]:
        """A call as a record that any worker with this module can answer."""
        if not isinstance(self.target, str):
            raise BrokenSuiteError(
                f"{self!r} is a function that one worker returned; another can't race it. Ask for "
                "it by name: `submission.make.used_by(lambda make, x: make()(x))`"
            )
        stack = [self.codec.encode(layer) for layer in self.stack]
        given = self.codec.encode(tuple(args))
        return {"target": self.target, "stack": stack, "args": given, "kwargs": {}}

    jit = _transformation("jit")
    vmap = _transformation("vmap")
    grad = _transformation("grad")
    value_and_grad = _transformation("value_and_grad")
    jacfwd = _transformation("jacfwd")
    jacrev = _transformation("jacrev")
    pmap = _transformation("pmap")
    jvp = _transformation("jvp")

    def used_by(self, function: Callable[..., Any]) -> Function:
        """The suite's `function(f, ...)` with this function as `f`, such as a scan over it.

        Example: `submission.f.used_by(lambda f, x: f(x).sum()).grad()(x)`.

        The suite's function is sent to the worker as it is written, and the student's code can read
        it, so keep secrets out. It is exported with `f` inside, so it must be traceable,
        and return arrays or numbers. With `.reported()`, `.observed()` or `.timed()` after it, it
        is called as it is. An exercise in NumPy (`numpy = true`) needs one of these.

        The worker could skip the function's own checks. So a function that asserts or raises
        needs `.reported()`, or else it raises `BrokenSuiteError`. It may also look only at the
        numbers: what it learns from Python's objects is the worker's word (see `kept`).
        """
        return self._under("used_by", {"function": function})

    def reported(self) -> ReportedFunction:
        """Runs it in the worker on the values themselves: for functions that need not be traceable,
        such as a gradient through a Python `if`. What it returns is the worker's word.

        Example: `submission.f.grad().reported()(np.float32(2))`.
        """
        return self._reported("reported")

    def key_checked(self) -> ReportedFunction:
        """Runs it under `jax.debug_key_reuse`, which raises where a typed key is used twice.

        An exception is the worker's word. `assert_no_key_reuse` calls it, and says so to the
        student.
        """
        return self._reported("key_checked")

    def observed(self) -> Function:
        """Runs it in the worker, where one of the suite's `Callback`s is called.

        The call itself is a fact, but its caller is the worker's word, as for `reported`.
        So a test that passes a callback counts as a report, with `.observed()` or without.
        """
        return self._under(_OBSERVED, {})

    def timed(self) -> Function:
        """The same for a `Callback` that provides what only the judge knows: a time, or data.

        It counts as a call. So the test has to compare the result with the judge's own clock, with
        the order in which the callback was called, or with the data that it provided.
        """
        return self._under(_TIMED, {})

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """Exports it as a program: array leaves are its inputs, everything else is a constant.

        The worker gets the constants, and zeros in place of the arrays. So pass `np.float32(0.5)`,
        not `0.5`, if it must not see the number. The program is checked and measured where no
        student's Python runs. Facts of a program prove nothing about what it computes: also test
        its values (`assert_close(program(x), ...)`).

        A submission exports a function once for the same shapes, constants and transformations: all
        tests of a suite share the program.

        Raises:
            Raised: the function raised, for example because it can't be traced.
            Refused: the bench won't run the program: over 20,000 operations, loops nested over 4
                deep, a tensor over 2^28 elements, over 8 MiB, a shape that depends on values, or a
                call out of the program.
        """
        self.codec.seat.evidence.kinds.add(Basis.PROGRAM)
        return self._program(self._exported("export", args, kwargs)["program"])

    def kept(self, *args: Any, **kwargs: Any) -> tuple[Any, Kept]:
        """Its value, and all that waits for the backward pass: see `Kept`.

        Example: `loss, kept = submission.f.kept(x)`, then `kept.bytes` and `kept.gradients(g)`.

        The forward and backward passes are two programs, exported for zeros as `program` does.
        The judge carries arrays from one to the other, so nothing else can arrive there. They
        include arguments that the backward pass needs.

        Raises what `program` raises.
        """
        self.codec.seat.evidence.kinds.add(Basis.PROGRAM)
        made = self._exported("passes", args, kwargs)
        forward, backward = (self._program(made[name]) for name in ("forward", "backward"))
        return kept_between(forward, backward, args, kwargs)

    def stored_program(self, *args: Any, **kwargs: Any) -> Program:
        """Calls it on zeros, and reads the bytes that it returns as a program of `jax.export`.

        So `submission.save.stored_program(x)` shows what is in these bytes: the student's process
        made them, but the bench reads and runs them. `Program.derivative` is the derivative that is
        stored with it. A program of open size is refused. As for `program`, the worker gets
        zeros in place of the arrays.

        Raises:
            Mismatch: it returned no bytes.
            Refused: the bench can't read them, or won't run what is in them.
            Fault: the student's code gave no result.
        """
        self.codec.seat.evidence.kinds.add(Basis.PROGRAM)
        self._note_call(args, kwargs)
        stored = self.codec.decode(self._ask("call", **_blanks(args, kwargs)))
        if not isinstance(stored, bytes):
            kind = type(stored).__name__
            raise faults.Mismatch(f"Bytes are expected, but this is of type {kind}.", "")
        return Program.stored(self.codec, stored)

    def reported_traces(self, calls: Iterable[tuple[Any, ...]], **keywords: Any) -> int:
        """How often it is traced when jitted with `keywords` and called on each tuple in turn.

        Example: `submission.f.reported_traces([(x, 3), (y, 3)], static_argnums=1) == 1`.

        The worker counts, so a cheat can lie. Use it to find honest mistakes, for few points.
        """
        self.codec.seat.evidence.kinds.add(Basis.REPORT)
        calls = list(calls)
        self._under("jit", keywords)._note_call(calls[-1] if calls else (), {})
        count = self._ask("traces", calls=calls, jit=keywords)
        return count if isinstance(count, int) else sys.maxsize

    @property
    def _has_callback(self) -> bool:
        return any(name in (_OBSERVED, _TIMED) for name, _ in self.stack)

    def _under(self, name: str, keywords: Mapping[str, Any]) -> Function:
        stack = (*self.stack, [name, dict(keywords)])
        return type(self)(self.codec, self.target, stack, self.generation)

    def _exported(self, verb: str, args: Any, kwargs: Any) -> dict[str, Any]:
        """The programs that the worker makes of it: their bytes, facts and structures, by name."""
        self._refuse_numpy()
        question = self._asked(**_blanks(args, kwargs))
        self._note_call(args, kwargs)
        programs = self.codec.seat.programs
        digest = digests.plain(wire.encode(self.generation, verb, question))
        if digest not in programs:
            self._refuse_checks()
            answer = self.codec.seat.ask(verb, question, self.codec.on_callback)
            programs[digest] = {name: self._inspected(answer, name) for name in _MADE[verb]}
        return programs[digest]

    def _program(self, made: tuple[bytes, Any, Any]) -> Program:
        exported, facts, structure = made
        return Program(self.codec, exported, facts, structure, self.codec.seat.evidence.call)

    def _inspected(self, answer: Any, name: str) -> tuple[bytes, Any, Any]:
        if not isinstance(answer, dict) or not isinstance(answer.get(name), bytes):
            raise faults.Crashed(faults.LIES, "an export that is no program")
        facts = self.codec.seat.bench("inspect", {"program": answer[name]})
        return answer[name], facts, answer.get("structure")

    def _refuse_numpy(self) -> None:
        """JAX can't trace code for NumPy arrays, so there is no program of it."""
        if not self.codec.seat.exercise.numpy:
            return
        if self.stack and {name for name, _ in self.stack} == {"used_by"}:
            todo = "Add `.reported()` after `.used_by(...)`"
        else:
            todo = (
                "Call it without JAX's transformations and without `.program` or `.kept`; a race "
                "needs `live=True`"
            )
        raise BrokenSuiteError(
            f"JAX can't make a program from `{self!r}`: its code gets NumPy arrays. {todo}"
        )

    def _refuse_checks(self) -> None:
        """No test may count as one of a program if what it checks is checked in the worker."""
        for name, keywords in self.stack:
            if name == "used_by" and checks_by_itself(keywords["function"]):
                raise BrokenSuiteError(
                    f"the function in `{self.name}` asserts or raises, which the student's process "
                    "could skip. Return what it checks, or add `.reported()` after it"
                )

    def _reported(self, name: str) -> ReportedFunction:
        stack = (*self.stack, [name, {}])
        return ReportedFunction(self.codec, self.target, stack, self.generation)

    def _ask(self, verb: str, **value: Any) -> Any:
        question = self._asked(**value)
        if self._has_callback and not self.codec.sent_callbacks:
            raise BrokenSuiteError(
                f"`{self.name}` has no `Callback`, so nobody observes it. Pass one, or add "
                "`.reported()`"
            )
        return self.codec.seat.ask(verb, question, self.codec.on_callback)

    def _note_call(self, args: Any, kwargs: Any) -> None:
        """For those who read a failure."""
        self.codec.seat.evidence.asks(Asked.of(self.target, self.stack, args, kwargs))

    def _asked(self, **value: Any) -> dict[str, Any]:
        generation = self.codec.seat.generation
        if isinstance(self.target, int) and generation != self.generation:
            raise BrokenSuiteError(
                "the suite called a function that a student's worker returned before it ended; "
                "ask for it again in each test"
            )
        before = self.codec.sent_callbacks
        sent = {name: self.codec.encode(part) for name, part in value.items()}
        is_timed = any(name == _TIMED for name, _ in self.stack)
        if self.codec.sent_callbacks > before and not is_timed:
            self.codec.seat.evidence.kinds.add(Basis.REPORT)
        stack = [self.codec.encode(layer) for layer in self.stack]
        return {"target": self.target, "stack": stack, **sent}


class ReportedFunction(Function):
    """A function that runs in the worker under transformations, on values that it sees.

    What it returns or raises is the worker's word: a student who changed JAX there can make it say
    anything. So let few points rest on it: `grader verify` allows an exercise 2.
    """

    _basis = Basis.REPORT


def _blanks(args: Any, kwargs: Any) -> dict[str, Any]:
    """The arguments of a question whose values the worker must not see."""
    return dict(zip(("args", "kwargs"), jax.tree.map(arrays.blank, (args, kwargs)), strict=True))
