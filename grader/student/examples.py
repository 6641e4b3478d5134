"""The process that runs the examples in a student's docstrings, for `grader check`.

    stdin    {"source", "prelude", "path", "pristine", "defines", "output_kb", "mistakes",
             "picture"}   a line for each exercise; the prelude is a notebook's other cells
    stdout   {"ready"} once, when JAX is imported; {"failed"} if it can't be
             {"at", "example", "examples"} before the file is loaded, and before each example
             {"facts", "known", "examples", "spoiled"} at the end of each exercise; after a
             question with a picture also {"calls", "lines"}, see `grader.student.pictures`

Plain pipes and lines of JSON, since Windows has no fork and no sandbox. The answers are facts;
`grader.student.check` puts them into words. `python -m grader.student.examples N` has N devices.
"""

import ast
import contextlib
import doctest
import functools
import inspect
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
from pathlib import Path
from typing import Any, TextIO

from grader import by_cell
from grader.feedback.differences import described, special
from grader.feedback.relations import between, certain
from grader.places import places
from grader.student import docstrings, mistakes, pictures, shown
from grader.student.error_text import MODULE, class_of, full_name, meant, text_of
from grader.student.output import Output, TooMuch
from grader.student.surroundings import Surroundings

Fact = dict[str, Any]
_Call = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any], Any]

MAX_TEXT = 4000


def main() -> None:
    """Answers until the standard input ends."""
    questions, answers = _take_pipes()

    def send(**value: Any) -> None:
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    try:
        jax = _warm_jax(int(sys.argv[1]))
    except BaseException as error:
        send(failed=f"{type(error).__name__}: {error}"[:MAX_TEXT])
        return
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    send(ready=True)
    # Text that a student's code writes to this descriptor is dropped.
    os.dup2(os.open(os.devnull, os.O_RDWR), 2)
    before = Surroundings.now(jax)
    for line in questions:
        student = ExampleModule(send, jax, **json.loads(line))
        facts = list(student.facts())
        # A changed setting, such as x64, would affect the next check.
        spoiled = before.differs(jax) or any(f["kind"] == "flood" for f in facts)
        known = ""
        if facts:
            found = mistakes.read(Path(student.mistakes))
            known = mistakes.recognised(mistakes.shows(facts), found, student.source)
        drawn = {} if student.picture is None else student.drawn()
        send(facts=facts, known=known, examples=student.count, spoiled=spoiled, **drawn)


@dataclass
class ExampleModule:
    """One file, in a module of its own. `count` is the number of its examples."""

    send: Callable[..., None]
    jax: Any
    source: str
    path: str
    pristine: str | None
    defines: list[str]
    output_kb: int
    mistakes: str = ""
    prelude: str = ""
    picture: str | None = None  # code that sets `picture`; None if nothing is to be drawn
    count: int = field(default=0, init=False)

    def facts(self) -> Iterator[Fact]:
        """Loads the file and runs every example; yields a fact for each mistake."""
        self._output = Output(self.output_kb << 10)
        self._found: list[docstrings.Docstring] = []
        self._module = types.ModuleType(MODULE)
        self._module.__file__ = self.path
        # Dataclasses and pickling look a class's module up by its name.
        sys.modules[MODULE] = self._module
        lines = self.source.splitlines(keepends=True)
        linecache.cache[self.path] = (len(self.source), None, lines, self.path)
        try:
            tree = ast.parse(self.source, self.path)
            code = compile(tree, self.path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            yield self._not_python(error)
            return
        found = list(docstrings.examples(tree))
        if not found:  # they were deleted
            found = list(docstrings.examples(ast.parse(self.pristine or ""), is_own=False))
        self._found = found
        self.count = sum(bool(e.want or e.exc_msg) for examples, _ in found for e in examples)
        self.send(at=None, example="", examples=self.count)
        self._run_prelude()
        names = vars(self._module)
        if self.path.endswith(".ipynb"):
            needed = self.defines
            failure = self._quietly(lambda: by_cell.run(self.source, self.path, names, needed))
        else:
            failure = self._run(code, names)
        if failure is not None:
            yield self._raised(failure) | {"loading": True}
            return
        missing = [name for name in self.defines if name not in vars(self._module)]
        if missing:
            yield {"kind": "undefined", "names": missing}
        elif not found:
            yield {"kind": "no examples"}
        else:
            for examples, texts in found:
                yield from self._docstring(examples, texts)

    def _run_prelude(self) -> None:
        """As in Jupyter, a cell that fails doesn't stop the cells after it."""
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            names = vars(self._module)
            self._quietly(lambda: by_cell.run(self.prelude, "<other cells>", names, ()))

    def _docstring(self, examples: list[doctest.Example], texts: list[str]) -> Iterator[Fact]:
        """The examples of one docstring share their variables, so an error ends them all."""
        names = self._names()
        for number, example in enumerate(examples):
            flags = docstrings.flags(example)
            if flags & doctest.SKIP:
                continue
            about = {"at": example.lineno or None, "example": example.source.rstrip()}
            self.send(**about, examples=self.count)
            about |= {"text_before": texts[number]}
            error = self._example(example, names)
            printed, shown = self._output.getvalue(), self._output.shown
            # A function that prints its answer has not returned it, so prints count only if the
            # example itself prints.
            got = printed if re.search(r"\bprint\b", example.source) else shown
            fact = self._judge(example, flags, got, error)
            if fact is None:
                continue
            if fact["kind"] == "nothing" or "line" not in fact:
                fact |= self._returned(examples[: number + 1], fact)
            if fact.get("relation") and fact["relation"][0] == "nan":
                fact |= self._first_nan(examples[: number + 1])
            # Students print more than the answer when they look for mistakes.
            beside = "" if got == printed else printed
            yield fact | about | {"printed": beside[:MAX_TEXT]}
            if error is not None:
                return

    def _names(self) -> dict[str, Any]:
        """The names for an example: the module's, and the stub's imports even if deleted."""
        names: dict[str, Any] = {"jax": self.jax}
        tree = ast.parse(self.pristine or "")
        tree.body = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        exec(compile(tree, "<stub>", "exec", dont_inherit=True), names)
        return names | vars(self._module)

    def _judge(
        self, example: doctest.Example, flags: int, got: str, error: BaseException | None
    ) -> Fact | None:
        def agree(want: str, got: str) -> bool:
            same = doctest.OutputChecker().check_output(want, got, flags)
            return same or shown.agree(want, got)

        message = example.exc_msg
        expected = {"expected": (example.want if message is None else message).rstrip()}
        if error is None and message is None:
            if agree(example.want, got):
                return None
            fact = expected | {"kind": "wrong" if got else "nothing", "got": got[:MAX_TEXT]}
            return fact | _difference(example.want, got)
        if error is None:
            return expected | {"kind": "quiet", "got": got}
        if message is not None:
            said = f"{full_name(error)}: {text_of(error)}\n"
            brief = flags & doctest.IGNORE_EXCEPTION_DETAIL
            if agree(message, said) or (brief and class_of(message) == class_of(said)):
                return None
        return self._raised(error) | expected

    def _raised(self, error: BaseException) -> Fact:
        """What was raised, and at which line of the student's file; frames of JAX don't count."""
        own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == self.path]
        classes = [cls.__name__ for cls in type(error).__mro__]
        fact: Fact = {
            "error": classes[0],
            "text": (text_of(error) + meant(error))[:MAX_TEXT],
        }
        last = traceback.extract_tb(error.__traceback__)[-1:]
        fact |= {"by_example": [frame.filename for frame in last] == ["<example>"]}
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
        text = str(error.msg) if isinstance(error, SyntaxError) else text_of(error)
        return {"kind": "syntax", "line": line, "code": self._line(line), "text": text[:MAX_TEXT]}

    def _returned(self, examples: Iterable[doctest.Example], fact: Fact) -> Fact:
        """What the functions returned before an example broke. Runs the examples again."""
        found = self._recorded(examples)
        nones = [name for name, *_, result in found if result is None]
        if nones and (fact["kind"] == "nothing" or _speaks_of_none(fact)):
            return {"none": nones[-1]}
        if found and fact["kind"] == "raised":
            name, *_, result = found[-1]
            return {"returned": [name, described(result)]}
        return {}

    def _first_nan(self, examples: Iterable[doctest.Example]) -> Fact:
        """The line of the file that makes the last example NaN. Runs the examples again."""
        *before, last = examples
        names = self._names()
        for example in before:  # their arrays may hold NaN on purpose
            self._example(example, names)
        with self.jax.debug_nans(True):
            error = self._example(last, names)
        if not isinstance(error, FloatingPointError):
            return {}
        # In a backward pass, the cause holds the line that JAX differentiates.
        for found, backwards in ((error, False), (error.__cause__, True)):
            if found is not None and (own := places(found, self.path)):
                number = own[-1][0]
                given = any("nan" in example.source for example in (*before, last))
                nan = {"given": given, "backwards": backwards}
                return {"line": number, "code": self._line(number), "nan": nan}
        return {}

    def _recorded(self, examples: Iterable[doctest.Example]) -> list[_Call]:
        """Runs examples again; returns the calls of the student's functions, in their order."""
        found: list[_Call] = []

        def recorded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(function)
            def recording(*args: Any, **kwargs: Any) -> Any:
                result = function(*args, **kwargs)
                found.append((name, function, args, kwargs, result))
                return result

            return recording

        names = self._names()
        for name in self.defines:
            if callable(names.get(name)) and not isinstance(names[name], type):
                names[name] = recorded(name, names[name])
        for example in examples:
            self._example(example, names)
        return found

    def drawn(self) -> Fact:
        """The shapes that went in and came out, and the lines of the course's picture."""
        names = self._names()
        if self.picture:
            self._run(compile(self.picture, "<picture>", "exec", dont_inherit=True), names)
        with contextlib.suppress(Exception):  # a student's object may claim to be an array
            calls = (call for examples, _ in self._found for call in self._recorded(examples))
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
        return linecache.getline(self.path, number or 0).rstrip()


def _difference(wanted: str, got: str) -> Fact:
    """How a result differs, and how it follows from the right one, if its text shows values."""
    try:
        values = shown.value(got), shown.value(wanted)
    except ValueError:
        return {}
    pair, is_claim = between(*values), shown.holds(values[1], "b")
    # The difference says more of these. And a False is no zero.
    plain = pair.relations <= {"structure", "dtype", "shape"} or is_claim
    relation = None if plain else certain(pair)
    return {"difference": special(*values), "relation": relation, "is_claim": is_claim}


def _bound(function: Callable[..., Any], args: Any, kwargs: Any) -> dict[str, Any]:
    """The arguments of a call by their names; by their places if the names can't be known."""
    try:
        return dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        return {"arguments": args, **kwargs}


def _speaks_of_none(fact: Fact) -> bool:
    text = str(fact.get("text", ""))
    return "NoneType" in text or "None" in text.split("\n")[0]


def _take_pipes() -> tuple[TextIO, TextIO]:
    """Takes our ends of the pipes. A student's code is left with the null device."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
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
