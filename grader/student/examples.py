"""The process that runs the examples in a student's docstrings, for `grader check`.

    stdin    a Question for each file
    stdout   Ready once, or Ended if JAX can't be imported
             RunningExample before the file is loaded, and before each example; then FileFacts

Plain pipes and lines of JSON, since Windows has no fork and no sandbox. `grader.student.facts` has
the records. `python -m grader.student.examples N` has N devices.
"""

import ast
import builtins
import contextlib
import doctest
import functools
import inspect
import linecache
import math
import os
import re
import sys
import threading
import time
import traceback
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, BinaryIO, Self

from msgspec.structs import replace

from grader.feedback.differences import described, different_line, special
from grader.feedback.relations import between, certain
from grader.feedback.syntax import Spot
from grader.records import digests, student_code
from grader.records.model import pack, unpack
from grader.student import doctests, facts, literals, mistakes, pictures

_Call = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any], Any]

MAX_TEXT = 4000


def main() -> None:
    """Answers until the standard input ends."""
    questions, answers = _take_pipes()

    def send(message: facts.Message) -> None:
        answers.write(pack(message) + b"\n")
        answers.flush()

    try:
        jax = _warm_jax(int(sys.argv[1]))
    except BaseException as error:
        send(facts.Ended(f"{type(error).__name__}: {error}"[:MAX_TEXT]))
        return
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    send(facts.Ready())
    # Text that a student's code writes to this descriptor is dropped.
    os.dup2(os.open(os.devnull, os.O_RDWR), 2)
    before = SharedState.now(jax)
    for line in questions:
        send(_answer(ExampleModule(send, jax, unpack(line, facts.Question)), before))


def _answer(module: "ExampleModule", before: "SharedState") -> facts.FileFacts:
    asked, results = module.question, tuple(module.run())
    # A changed setting, such as x64, would affect the next check.
    spoiled = before.differs(module.jax) or any(isinstance(r, facts.Flood) for r in results)
    known, answers = ("", ""), tuple[str, ...]()
    if not results and asked.answers is not None:
        results, answers = module.predicted(asked.answers)
    elif results:
        of_course = mistakes.read(Path(asked.mistakes), asked.exercise)
        known = mistakes.recognised(mistakes.shows(results), of_course, asked.source)
    drawn = {} if asked.picture is None else module.drawn(asked.picture)
    return facts.FileFacts(results, module.count, spoiled, known, answers, drawn)


@dataclass
class ExampleModule:
    """One file, in a module of its own. `count` is the number of its examples."""

    send: Callable[[facts.Message], None]
    jax: Any
    question: facts.Question
    count: int = field(default=0, init=False)

    def run(self) -> Iterator[facts.Fact]:
        """Loads the file and runs every example; yields a fact for each mistake."""
        asked = self.question
        self._output = doctests.Output(asked.output_kb << 10)
        self._examples: list[doctests.Docstring] = []
        self._module = self._new_module()
        try:
            tree = ast.parse(asked.source, asked.path)
            code = compile(tree, asked.path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            yield self._not_python(error)
            return
        self._find_examples(tree)
        self.send(facts.RunningExample(examples=self.count))
        error_at_load = self._load(code)
        missing = tuple(name for name in asked.defines if name not in vars(self._module))
        if error_at_load is not None:
            yield self._broken(error_at_load, facts.ExampleText())
        elif missing:
            yield facts.Undefined(names=missing)
        elif not self._examples:
            yield facts.NoExamples()
        else:
            for examples, texts in self._examples:
                yield from self._docstring(examples, texts)

    def _new_module(self) -> types.ModuleType:
        asked, module = self.question, types.ModuleType(doctests.MODULE)
        module.__file__ = asked.path
        # Dataclasses and pickling look a class's module up by its name.
        sys.modules[doctests.MODULE] = module
        lines = asked.source.splitlines(keepends=True)
        linecache.cache[asked.path] = (len(asked.source), None, lines, asked.path)
        return module

    def _find_examples(self, tree: ast.Module) -> None:
        """Those of the file, or those of the stub if they were deleted."""
        only_stub = self.question.only_stub
        self._examples = [] if only_stub else list(doctests.examples(tree))
        if not self._examples:
            stub = ast.parse(self.question.pristine or "")
            self._examples = list(doctests.examples(stub, is_own=only_stub))
        every = (example for examples, _ in self._examples for example in examples)
        self.count = sum(bool(example.want or example.exc_msg) for example in every)

    def _load(self, code: types.CodeType) -> BaseException | None:
        """Runs a notebook's other cells, then the file; returns what the file raised."""
        asked, names = self.question, vars(self._module)
        # As in Jupyter, a cell that fails doesn't stop the cells after it.
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            self._quietly(lambda: student_code.run(asked.prelude, "<other cells>", names, ()))
        if asked.path.endswith(".ipynb"):
            return self._quietly(
                lambda: student_code.run(asked.source, asked.path, names, asked.defines)
            )
        return self._run(code, names)

    def _docstring(self, examples: list[doctest.Example], texts: list[str]) -> Iterator[facts.Fact]:
        """The examples of one docstring share their variables, so an error ends them all."""
        names = self._names()
        for number, (example, above) in enumerate(zip(examples, texts, strict=True), start=1):
            if doctests.flags(example) & doctest.SKIP:
                continue
            about = facts.ExampleText(example.lineno or None, example.source.rstrip(), above)
            self.send(facts.RunningExample(about, self.count))
            error = self._example(example, names)
            fact = self._judge(examples[:number], about, error)
            if fact is None:
                continue
            yield fact
            if error is not None:
                return

    def _names(self) -> dict[str, Any]:
        """The names for an example: the module's, and the stub's imports even if deleted."""
        names: dict[str, Any] = {"jax": self.jax}
        tree = ast.parse(self.question.pristine or "")
        tree.body = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        exec(compile(tree, "<stub>", "exec", dont_inherit=True), names)
        return names | vars(self._module)

    def _judge(
        self, examples: list[doctest.Example], about: facts.ExampleText, error: BaseException | None
    ) -> facts.Fact | None:
        """What is wrong with the last of the examples, which has just run."""
        example, printed, shown = examples[-1], self._output.getvalue(), self._output.shown
        # A function that prints its answer has not returned it, so prints count only if the
        # example itself prints.
        got = printed if re.search(r"\bprint\b", example.source) else shown
        message, flags = example.exc_msg, doctests.flags(example)
        # Students print more than the answer when they look for mistakes.
        beside = "" if got == printed else printed[:MAX_TEXT]
        expected = (example.want if message is None else message).rstrip()
        about = replace(about, expected=expected, printed=beside)
        if error is not None:
            if message is not None and doctests.is_same_error(message, error, flags):
                return None
            broken = self._broken(error, about)
            if isinstance(broken, facts.Uncaught) and broken.line is None:
                return self._returned(broken, examples)
            return broken
        if message is not None:
            return facts.Quiet(example=about, got=got)
        if doctests.agree(example.want, got, flags):
            return None
        if not got:
            return facts.Nothing(example=about, none=_last_none(self._recorded(examples)))
        wrong = _wrong(about, example.want, got)
        is_nan = wrong.relation is not None and wrong.relation[0] == "nan"
        return self._first_nan(wrong, examples) if is_nan else wrong

    def _broken(self, error: BaseException, about: facts.ExampleText) -> facts.Broken:
        """What was raised, and at which line of the student's file; frames of JAX don't count."""
        frames = traceback.extract_tb(error.__traceback__)
        path = self.question.path
        own = [frame for frame in frames if frame.filename == path]
        line = own[-1].lineno if own else None
        code = self._line(line)
        classes = tuple(cls.__name__ for cls in type(error).__mro__)
        if isinstance(error, doctests.TooMuch):
            return facts.Flood(example=about, line=line, code=code, classes=classes)
        untouched = code.strip().startswith("raise NotImplementedError")
        if isinstance(error, NotImplementedError) and untouched:
            return facts.ToDo(example=about, line=line, code=code, classes=classes)
        text = (doctests.text_of(error) + doctests.meant(error))[:MAX_TEXT]
        return facts.Uncaught(
            example=about,
            line=line,
            code=code,
            classes=classes,
            text=text,
            spots=tuple(
                Spot(n, *rest) for n, *rest in student_code.places(error, path) if n is not None
            ),
            by_example=[frame.filename for frame in frames[-1:]] == ["<example>"],
            module=str(error.name or "") if isinstance(error, ModuleNotFoundError) else "",
        )

    def _not_python(self, error: BaseException) -> facts.NotPython:
        line = error.lineno if isinstance(error, SyntaxError) else None
        text = str(error.msg) if isinstance(error, SyntaxError) else doctests.text_of(error)
        return facts.NotPython(line=line, code=self._line(line), text=text[:MAX_TEXT])

    def _returned(
        self, fact: facts.Uncaught, examples: Iterable[doctest.Example]
    ) -> facts.Uncaught:
        """What the functions returned before an example broke. Runs the examples again."""
        calls = self._recorded(examples)
        if _speaks_of_none(fact.text) and (none := _last_none(calls)):
            return replace(fact, none=none)
        if calls:
            name, *_, result = calls[-1]
            return replace(fact, returned=(name, described(result)))
        return fact

    def _first_nan(self, fact: facts.Wrong, examples: Iterable[doctest.Example]) -> facts.Wrong:
        """The line of the file that makes the last example NaN. Runs the examples again."""
        *before, last = examples
        names = self._names()
        for example in before:  # their arrays may hold NaN on purpose
            self._example(example, names)
        with self.jax.debug_nans(True):
            error = self._example(last, names)
        if not isinstance(error, FloatingPointError):
            return fact
        # In a backward pass, the cause holds the line that JAX differentiates.
        for source, backwards in ((error, False), (error.__cause__, True)):
            if source is not None and (own := student_code.places(source, self.question.path)):
                line = own[-1][0]
                given = any("nan" in example.source for example in (*before, last))
                nan = facts.FirstNan(given, backwards)
                return replace(fact, line=line, code=self._line(line), nan=nan)
        return fact

    def _recorded(self, examples: Iterable[doctest.Example]) -> list[_Call]:
        """Runs examples again; returns the calls of the student's functions, in their order."""
        calls: list[_Call] = []

        def recorded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(function)
            def recording(*args: Any, **kwargs: Any) -> Any:
                result = function(*args, **kwargs)
                calls.append((name, function, args, kwargs, result))
                return result

            return recording

        names = self._names()
        for name in self.question.defines:
            if callable(names.get(name)) and not isinstance(names[name], type):
                names[name] = recorded(name, names[name])
        for example in examples:
            self._example(example, names)
        return calls

    def predicted(self, right: Sequence[str]) -> tuple[tuple[facts.Fact, ...], tuple[str, ...]]:
        """Which predictions are wrong, and the digest of each. An int may stand for a float."""
        asked, names, own = self.question, self._names(), list[list[str]]()

        def predict() -> None:
            returned = names[asked.defines[0]]()
            for n, entry in enumerate(returned if type(returned) is list else ()):
                same = (entry, float(entry)) if type(entry) is int else (entry,)
                own.append([digests.of(asked.exercise, n, repr(value))[:8] for value in same])

        self._quietly(predict)
        pairs = enumerate(zip_longest(right, own, fillvalue=()))
        wrong = tuple(n for n, (answer, mine) in pairs if answer not in mine)
        about = facts.ExampleText(source=f"{asked.defines[0]}()")
        fact = facts.Mispredicted(example=about, entries=wrong)
        return (fact,) if right and wrong else (), tuple(mine[0] for mine in own)

    def drawn(self, picture: str) -> dict[str, Any]:
        """The shapes that went in and came out, and the lines of the course's picture."""
        names = self._names()
        if picture:
            self._run(compile(picture, "<picture>", "exec", dont_inherit=True), names)
        with contextlib.suppress(Exception):  # a student's object may claim to be an array
            calls = (call for examples, _ in self._examples for call in self._recorded(examples))
            recorded = ((name, _bound(f, args, kw), result) for name, f, args, kw, result in calls)
            lines = pictures.lines(names.get("picture"))
            return {"calls": pictures.calls(recorded), "lines": lines}
        return {}

    def _example(self, example: doctest.Example, names: dict[str, Any]) -> BaseException | None:
        try:
            code = compile(example.source, "<example>", "single", dont_inherit=True)
        except SyntaxError as error:
            return error
        return self._run(code, names)

    def _run(self, code: types.CodeType, names: dict[str, Any]) -> BaseException | None:
        """Runs the code, and waits for the output of `jax.debug.print`."""
        return self._quietly(lambda: exec(code, names))

    def _quietly(self, run: Callable[[], object]) -> BaseException | None:
        """Runs something while its output is kept apart; returns what it raised."""
        self._output.renew()
        kept = sys.stdout, sys.displayhook
        sys.stdout, sys.displayhook = self._output, self._output.show
        try:
            run()
            self.jax.effects_barrier()
        except BaseException as error:
            return error
        finally:
            sys.stdout, sys.displayhook = kept
        return None

    def _line(self, number: int | None) -> str:
        return linecache.getline(self.question.path, number or 0).rstrip()


def _wrong(about: facts.ExampleText, wanted: str, got: str) -> facts.Wrong:
    """How a result differs, and how it follows from the right one, if its text shows values."""
    fact = facts.Wrong(example=about, got=got[:MAX_TEXT])
    try:
        values = literals.value(got), literals.value(wanted)
    except ValueError:
        return replace(fact, difference=different_line(got, wanted))
    pair, is_claim = between(*values), literals.holds(values[1], "b")
    relation = None if is_claim else certain(pair)  # a False is no zero
    return replace(fact, difference=special(*values), relation=relation, is_claim=is_claim)


def _last_none(calls: list[_Call]) -> str:
    """The last function that returned None; empty if none did."""
    return next((name for name, *_, result in reversed(calls) if result is None), "")


@dataclass(frozen=True)
class SharedState:
    """What all files of a process share, at one moment: if one changes it, the next may differ."""

    settings: dict[str, Any]
    process: tuple[object, ...]
    modules: dict[str, dict[str, Any]]

    @classmethod
    def now(cls, jax: Any) -> Self:
        process = (list(sys.path), os.getcwd(), dict(os.environ), threading.active_count())
        shared = [jax, jax.numpy, jax.lax, jax.nn, jax.random, jax.tree_util, builtins, math]
        modules = {m.__name__: dict(vars(m)) for m in (*shared, sys.modules["numpy"])}
        return cls(dict(jax.config.values), process, modules)

    def differs(self, jax: Any) -> bool:
        """Whether anything was changed. New names in a module don't count: JAX loads some late."""
        now = self.now(jax)
        return (self.settings, self.process) != (now.settings, now.process) or any(
            now.modules[module].get(name, self) is not value
            for module, names in self.modules.items()
            for name, value in names.items()
        )


def _bound(function: Callable[..., Any], args: Any, kwargs: Any) -> dict[str, Any]:
    """The arguments of a call by their names; by their places if the names can't be known."""
    try:
        return dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        return {"arguments": args, **kwargs}


def _speaks_of_none(text: str) -> bool:
    return "NoneType" in text or "None" in text.split("\n")[0]


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Takes our ends of the pipes. A student's code is left with the null device."""
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return questions, answers


def _end_with(parent: int) -> None:
    """Ends this process soon after its parent, even if a student's loop never ends.

    On Windows, `os.getppid()` stays the same when the parent ends, so this does nothing there.
    """
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def _warm_jax(devices: int) -> Any:
    """JAX after a first computation, which takes a tenth of a second while nobody waits."""
    import jax

    if devices > 1:
        jax.config.update("jax_num_cpu_devices", devices)

    def loss(x: Any) -> Any:
        return (x * jax.random.normal(jax.random.key(0), x.shape)).sum()

    repr(jax.jit(jax.value_and_grad(loss))(jax.numpy.ones(2)))
    return jax


if __name__ == "__main__":
    main()
