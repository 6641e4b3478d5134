"""Runs the examples in a student's docstrings, on the student's own machine: `grader check`.

    stdin    {"source", "prelude", "path", "pristine", "defines", "output_kb"}   a line for each
             exercise; the prelude is a notebook's other cells
    stdout   {"ready"}, once, when JAX is there
             {"at", "example", "examples"} before the file is loaded, and before each example
             {"facts", "examples", "spoiled"} at the end of each exercise

Plain pipes and lines of JSON: this has to run where there is no fork and no sandbox. What is
said here are facts; `grader.check` puts them into words. `python -m grader.worker.examples N`
has N devices.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import functools
import io
import json
import linecache
import os
import re
import sys
import threading
import time
import traceback
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TextIO

from grader.worker.places import places
from grader.worker.surroundings import Surroundings

Fact = dict[str, Any]

# Not the exercise's own name, which may be that of a module that JAX needs.
MODULE = "submission"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MAX_TEXT = 4000


def main() -> None:
    """Answers until the standard input ends."""
    questions, answers = _take_pipes()

    def tell(**value: Any) -> None:
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    try:
        jax = _import_jax(int(sys.argv[1]))
        _warm_up(jax)
    except BaseException as error:
        tell(failed=f"{type(error).__name__}: {error}"[:MAX_TEXT])
        return
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    tell(ready=True)
    # From here on a student's code may print to a descriptor, as much as it likes.
    os.dup2(os.open(os.devnull, os.O_RDWR), 2)
    before = Surroundings.now(jax)
    for line in questions:
        student = Student(tell, jax, **json.loads(line))
        facts = list(student.facts())
        # A setting such as x64 would reach into the next check.
        spoiled = before.differs(jax) or any(f["kind"] == "flood" for f in facts)
        tell(facts=facts, examples=student.count, spoiled=spoiled)


class TooMuch(BaseException):
    """The code printed more than it may. No `except Exception` of a student stops this."""


class Output(io.StringIO):
    """Stands in for `sys.stdout`: all that an example prints, and apart from it what it shows."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit, self._room = limit, limit
        self.shown = ""

    def write(self, text: str) -> int:
        self._room -= len(text)
        if self._room < 0:
            raise TooMuch
        return super().write(text)

    def show(self, value: Any) -> None:
        """The interpreter's answer to an expression: its repr, unless it is None."""
        if value is not None:
            self.shown += repr(value) + "\n"

    def renew(self) -> None:
        self.seek(0)
        self.truncate()
        self.shown, self._room = "", self._limit


@dataclass(frozen=True)
class Located:
    """An example and the line where it stands in the student's file, if it does."""

    example: doctest.Example
    line: int | None


@dataclass
class Student:
    """One file, loaded into a fresh module. `count` is how many examples there are."""

    tell: Callable[..., None]
    jax: Any
    source: str
    path: str
    pristine: str | None
    defines: list[str]
    output_kb: int
    prelude: str = ""
    count: int = field(default=0, init=False)

    def facts(self) -> Iterator[Fact]:
        """Loads the file and runs every example; a fact for each thing that is wrong."""
        self._output = Output(self.output_kb << 10)
        self._module = types.ModuleType(MODULE)
        self._module.__file__ = self.path
        # Dataclasses and pickling look a class's module up by its name.
        sys.modules[MODULE] = self._module
        linecache.cache[self.path] = (len(self.source), None, self._lines(), self.path)
        try:
            tree = ast.parse(self.source, self.path)
            code = compile(tree, self.path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            yield self._not_python(error)
            return
        docstrings = list(_examples(tree)) or list(_pristine(self.pristine))
        self.count = sum(map(len, docstrings))
        self.tell(at=None, example="", examples=self.count)
        self._run_prelude()
        failure = self._run(code, vars(self._module))
        if failure is not None:
            yield self._raised(failure) | {"loading": True}
            return
        missing = [name for name in self.defines if name not in vars(self._module)]
        if missing:
            yield {"kind": "undefined", "names": missing}
        elif not docstrings:
            yield {"kind": "no examples"}
        else:
            for examples in docstrings:
                yield from self._docstring(examples)

    def _run_prelude(self) -> None:
        """In Jupyter a cell that fails doesn't stop the cells after it."""
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            code = compile(self.prelude, "<other cells>", "exec", dont_inherit=True)
            self._run(code, vars(self._module))

    def _docstring(self, examples: list[Located]) -> Iterator[Fact]:
        """The examples of one docstring share their variables, so an error ends them."""
        names = self._names()
        for number, located in enumerate(examples):
            example = located.example
            flags = _flags(example)
            if flags & doctest.SKIP:
                continue
            about = {"at": located.line, "example": example.source.rstrip()}
            self.tell(**about, examples=self.count)
            error = self._example(example, names)
            printed, shown = self._output.getvalue(), self._output.shown
            # A function that prints its answer has not returned it.
            got = printed if re.search(r"\bprint\b", example.source) else shown
            fact = self._judge(example, flags, got, error)
            if fact is None:
                continue
            if fact["kind"] == "nothing" or _speaks_of_none(fact):
                fact |= {"none": self._returned_none(examples[: number + 1])}
            # What was printed beside the answer is a student's own way to look for the mistake.
            said = "" if got == printed else printed
            yield fact | about | {"printed": said[:MAX_TEXT]}
            if error is not None:
                return

    def _names(self) -> dict[str, Any]:
        """What an example sees: the module, and what the stub imported, should that be gone."""
        names: dict[str, Any] = {"jax": self.jax}
        tree = ast.parse(self.pristine or "")
        tree.body = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        exec(compile(tree, "<stub>", "exec", dont_inherit=True), names)
        return names | vars(self._module)

    def _judge(
        self, example: doctest.Example, flags: int, got: str, error: BaseException | None
    ) -> Fact | None:
        agree = functools.partial(doctest.OutputChecker().check_output, optionflags=flags)
        if error is None and example.exc_msg is None:
            if agree(example.want, got):
                return None
            fact: Fact = {"kind": "wrong" if got else "nothing", "got": got[:MAX_TEXT]}
            return fact | {"expected": example.want.rstrip()}
        if error is None:
            return {"kind": "quiet", "expected": str(example.exc_msg).rstrip(), "got": got}
        if example.exc_msg is not None:
            said = f"{_full_name(error)}: {_text(error)}\n"
            brief = flags & doctest.IGNORE_EXCEPTION_DETAIL
            if agree(example.exc_msg, said) or (brief and _class(example.exc_msg) == _class(said)):
                return None
        expected = example.want if example.exc_msg is None else example.exc_msg
        return self._raised(error) | {"expected": expected.rstrip()}

    def _raised(self, error: BaseException) -> Fact:
        """What was raised, at which line of the student's own; frames of JAX don't count."""
        own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == self.path]
        classes = [cls.__name__ for cls in type(error).__mro__]
        fact: Fact = {"error": classes[0], "text": _text(error)[:MAX_TEXT]}
        fact |= {"classes": classes, "places": places(error, self.path)}
        if own and own[-1].lineno is not None:
            fact |= {"line": own[-1].lineno, "code": self._line(own[-1].lineno)}
        if isinstance(error, TooMuch):
            return fact | {"kind": "flood"}
        untouched = str(fact.get("code", "")).strip().startswith("raise NotImplementedError")
        if isinstance(error, NotImplementedError) and untouched:
            return fact | {"kind": "to do"}
        if isinstance(error, ModuleNotFoundError):
            fact |= {"module": error.name}
        return fact | {"kind": "raised"}

    def _not_python(self, error: BaseException) -> Fact:
        line = error.lineno if isinstance(error, SyntaxError) else None
        text = str(error.msg) if isinstance(error, SyntaxError) else _text(error)
        return {"kind": "syntax", "line": line, "code": self._line(line), "text": text[:MAX_TEXT]}

    def _returned_none(self, examples: Iterable[Located]) -> str | None:
        """Which of the functions returns None; found by running the examples once more."""
        found: list[str] = []

        def recorded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(function)
            def recording(*args: Any, **kwargs: Any) -> Any:
                result = function(*args, **kwargs)
                if result is None:
                    found.append(name)
                return result

            return recording

        names = self._names()
        for name in self.defines:
            if callable(names[name]) and not isinstance(names[name], type):
                names[name] = recorded(name, names[name])
        for located in examples:
            self._example(located.example, names)
        return found[-1] if found else None

    def _example(self, example: doctest.Example, names: dict[str, Any]) -> BaseException | None:
        try:
            code = compile(example.source, "<example>", "single", dont_inherit=True)
        except SyntaxError as error:
            return error
        return self._run(code, names)

    def _run(self, code: types.CodeType, names: dict[str, Any]) -> BaseException | None:
        """Runs it, and waits for what `jax.debug.print` has still to say."""
        self._output.renew()
        kept = sys.stdout, sys.displayhook
        sys.stdout, sys.displayhook = self._output, self._output.show
        try:
            exec(code, names)
            self.jax.effects_barrier()
        except BaseException as error:
            return error
        finally:
            sys.stdout, sys.displayhook = kept
        return None

    def _lines(self) -> list[str]:
        return self.source.splitlines(keepends=True)

    def _line(self, number: int | None) -> str:
        lines = self._lines()
        return lines[number - 1].rstrip() if number and number <= len(lines) else ""


def _examples(tree: ast.Module) -> Iterator[list[Located]]:
    """The examples of the module, its functions, its classes and their methods, by docstring."""
    owners: list[Any] = [tree]
    for owner in owners:
        if not isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef):
            kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
            owners += [node for node in owner.body if isinstance(node, kinds)]
        text = ast.get_docstring(owner, clean=False)
        if text is None:
            continue
        try:
            found = doctest.DocTestParser().get_examples(text)
        except ValueError:  # a prompt without a space, or an indent that was changed
            continue
        start = owner.body[0].value.lineno
        if found:
            yield [Located(example, start + example.lineno) for example in found]


def _pristine(source: str | None) -> Iterator[list[Located]]:
    """The examples of the stub as the course has it, for a file that has lost its own."""
    for examples in _examples(ast.parse(source or "")):
        yield [Located(located.example, None) for located in examples]


def _flags(example: doctest.Example) -> int:
    flags = FLAGS
    for flag, on in example.options.items():
        flags = flags | flag if on else flags & ~flag
    return flags


def _speaks_of_none(fact: Fact) -> bool:
    text = str(fact.get("text", ""))
    return "line" not in fact and ("NoneType" in text or "None" in text.split("\n")[0])


def _full_name(error: BaseException) -> str:
    """As Python prints it; builtin classes go without their module."""
    module, name = type(error).__module__, type(error).__qualname__
    return name if module in ("builtins", MODULE) else f"{module}.{name}"


def _class(message: str) -> str:
    return message.partition(":")[0].strip().rpartition(".")[2]


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:
        return ""


def _take_pipes() -> tuple[TextIO, TextIO]:
    """Our ends of the pipes; a student who reads or prints gets nothing and hits nothing."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return questions, answers


def _end_with(parent: int) -> None:
    """Ends this process soon after the one that asks, should a student's loop never end.

    On Windows a parent can't be missed in this way.
    """
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def _import_jax(devices: int) -> Any:
    import jax

    if devices > 1:
        jax.config.update("jax_num_cpu_devices", devices)
    return jax


def _warm_up(jax: Any) -> None:
    """What JAX loads with the first thing that it computes: a tenth of a second and more."""

    def loss(x: Any) -> Any:
        return (x * jax.random.normal(jax.random.key(0), x.shape)).sum()

    repr(jax.jit(jax.value_and_grad(loss))(jax.numpy.ones(2)))


if __name__ == "__main__":
    main()
