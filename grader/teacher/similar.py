"""Programs of a class that are equal up to names, comments, annotations, imports and layout.

    Submission --apart--> a process with a budget for each submission:
        text --ast--> statements --those that an exercise needs--> tokens --> NormalForm
    NormalForm --equal--> EqualPrograms, in an Alike
               --excerpt--> files for Dolos and compare50

A name that the program chooses is a number, by first use; attributes, imported names and constants
stay. What isn't Python is compared as text. Nothing is executed or judged: equal programs are no
proof of anything.
"""

import ast
import functools
import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from grader.course.course import Course
from grader.intake import apart, cells, source
from grader.records import digests
from grader.records.files import file_names
from grader.records.model import Exercise, Person, Source, Submission
from grader.records.safe_text import table

INFO, INFO_COLUMNS = "info.csv", ("filename", "full_name", "label", "created_at")
"""Dolos reads the programs that this file names. Its columns are documented as "metadata"."""
STUB = "stub.py"
"""Dolos and compare50 leave out what stands in it, if they are told to."""

Given: TypeAlias = set[tuple[str, ...]]
Asked: TypeAlias = tuple[tuple[str, ...], Given]
"""What an exercise asks for: names, and the statements that its stub has."""

# Of a program whose names are compared. A larger one is compared as text.
_MOST_TOKENS = 20_000
# No module lies deeper. The rest of a longer path stays in one part.
_MOST_PARTS = 8

_WORD = re.compile(r"\w+|[^\w\s]")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (*_DEFINITIONS, ast.Lambda, *_COMPREHENSIONS)
_IMPORTS = (ast.Import, ast.ImportFrom)
_STORES = (ast.Store, ast.Del)
# Fields that say nothing of what a program does.
_DROPPED = {"ctx", "annotation", "returns", "type_comment", "type_ignores", "kind", "type_params"}
# Nodes that don't count as a token, since the nodes in them do.
_OPERATIONS = (ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare)
_SILENT = (ast.arguments, ast.arg, ast.Expr, ast.withitem, *_OPERATIONS)


@dataclass(frozen=True, slots=True)
class NormalForm:
    """A program as it is compared."""

    text: str  #: the digest of its text
    form: str  #: the digest of its tokens: equal up to names, comments and layout
    tokens: int
    lines: int  #: with code


@dataclass(frozen=True, slots=True)
class EqualPrograms:
    """Programs with one normal form, with their authors by text."""

    form: NormalForm
    texts: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    @property
    def students(self) -> list[str]:
        return sorted(set[str]().union(*self.texts.values()))


@dataclass(frozen=True, slots=True)
class Alike:
    """What is alike in one exercise."""

    exercise: Exercise
    students: int  #: who handed something in for it
    groups: tuple[EqualPrograms, ...]  #: of two students or more, the largest programs first
    short: int  #: groups of equal programs that are too short to be listed
    untouched: int  #: students with the unedited stub
    as_course: tuple[str, ...]  #: students whose program is an answer of the course, if not short


class SimilarWork:
    """Takes the work of a class, one submission after the other, and finds what is alike in it.

    Programs with less than `least_tokens` are counted, not listed: short answers are alike.
    """

    def __init__(
        self,
        course: Course,
        exercises: Iterable[Exercise],
        least_tokens: int,
        *,
        keep_answers: bool = False,
    ) -> None:
        self._course, self._least = course, least_tokens
        self._exercises = {exercise.id: exercise for exercise in exercises}
        self._stubs = {name: _stub(course, e) for name, e in self._exercises.items()}
        self._given = {n: ParsedFile(text).given for n, text in self._stubs.items()}
        self._programs: dict[str, dict[str, EqualPrograms]] = defaultdict(dict)
        self._students: dict[str, set[str]] = defaultdict(set)
        self._untouched: dict[str, set[str]] = defaultdict(set)
        self._keeps_answers = keep_answers
        # The id, the other columns for Dolos, and the text.
        self._answers: dict[str, list[tuple[str, tuple[str, str, str], str]]] = defaultdict(list)

    def add(self, submission: Submission) -> None:
        """Submissions with the same id are attempts of one person: alike, they are no sign.

        Raises `OverBudgetError` for one that takes longer than a submission may: it isn't added.
        """
        works = [work for work in submission.sources if work.exercise in self._exercises]
        works.sort(key=lambda work: (work.path, work.text))
        asked = {w.exercise: self._asked(w.exercise) for w in works}
        shared = [w.path for w in submission.sources] if self._keeps_answers else None
        forms = apart.call(_taken_apart, works, asked, shared)
        for work, (form, excerpt) in zip(works, forms, strict=True):
            if self._compare(submission.id, work.exercise, form) and self._keeps_answers:
                self._keep(submission, work.exercise, excerpt)

    def _compare(self, who: str, exercise: str, form: NormalForm | None) -> bool:
        """Puts a program to its equals; False if it is the stub."""
        self._students[exercise].add(who)
        if form is None:
            self._untouched[exercise].add(who)
            return False
        group = self._programs[exercise].setdefault(form.form, EqualPrograms(form))
        group.texts[form.text].add(who)
        return True

    def _asked(self, exercise: str) -> Asked:
        return self._exercises[exercise].defines, self._given[exercise]

    def _keep(self, submission: Submission, exercise: str, text: str) -> None:
        student = submission.student or Person(submission.id)
        columns = student.name or submission.id, student.section, submission.at
        self._answers[exercise].append((submission.id, columns, text))

    def exported(self) -> Iterator[tuple[str, str]]:
        """Paths and texts of files that Dolos and compare50 read."""
        for name, answers in self._answers.items():
            folders = file_names([who for who, _, _ in answers])
            places = [f"work/{folder}/{self._exercises[name].stem}.py" for folder in folders]
            rows = [(place, *answer[1]) for place, answer in zip(places, answers, strict=True)]
            yield f"{name}/{INFO}", table([INFO_COLUMNS, *rows])
            yield f"{name}/{STUB}", self._stubs[name]
            for place, (_, _, text) in zip(places, answers, strict=True):
                yield f"{name}/{place}", text

    def alike(self) -> Iterator[Alike]:
        """What is alike, by exercise, in the order of the course."""
        for name, exercise in self._exercises.items():
            answers, every = self._forms_of_course(exercise), self._programs[name].values()
            large = [group for group in every if group.form.tokens >= self._least]
            shared = [group for group in every if len(group.students) > 1]
            theirs = [g for g in large if g.form.form not in answers and len(g.students) > 1]
            as_course = {s for g in large if g.form.form in answers for s in g.students}
            yield Alike(
                exercise,
                len(self._students[name]),
                tuple(sorted(theirs, key=lambda group: (-group.form.tokens, group.students))),
                sum(group.form.tokens < self._least for group in shared),
                len(self._untouched[name]),
                tuple(sorted(as_course)),
            )

    def _forms_of_course(self, exercise: Exercise) -> set[str]:
        """The forms of the course's solution and variants. A handout has none."""
        place = self._course.solution(exercise)
        if self._course.root is None or not place.is_file():
            return set()
        solution = place.read_text(encoding="utf-8", errors="replace")
        others = cells.read(self._course.variants(exercise)).cells
        texts = [solution, *(cell.after(solution) for cell in others)]
        forms = (_module(text).normal(*self._asked(exercise.id)) for text in texts)
        return {form.form for form in forms if form}


def _taken_apart(
    works: Sequence[Source], asked: Mapping[str, Asked], paths: Sequence[str] | None
) -> list[tuple[NormalForm | None, str]]:
    """Each with its text to be kept, if `paths` of the submission's sources are given.

    That is the whole file, if it answers nothing else.
    """
    found = []
    for work in works:
        module, wanted = _module(work.text), asked[work.exercise]
        is_shared = paths is not None and paths.count(work.path) > 1
        text = module.excerpt(wanted[0]) if is_shared else work.text
        found.append((module.normal(*wanted), "" if paths is None else text))
    return found


def _stub(course: Course, exercise: Exercise) -> str:
    """What students are given; nothing if there is no such file."""
    try:
        return course.stub(exercise).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


class ParsedFile:
    """The text of a module, taken apart."""

    def __init__(self, text: str) -> None:
        tree = _parsed(text)
        self.text, self.lines = text, text.split("\n")
        self.is_python = tree is not None
        body = [] if tree is None else tree.body
        imports = _imported(tree) if tree else {}
        self.statements = [Statement(node, imports) for node in body if not _says_nothing(node)]
        self.imports = [node for node in body if isinstance(node, _IMPORTS)]
        self._binders: dict[str, list[int]] = defaultdict(list)
        for number, statement in enumerate(self.statements):
            for name in statement.binds:
                self._binders[name].append(number)

    @property
    def given(self) -> Given:
        """If it is a stub: the statements that are no work of a student."""
        return {statement.tokens for statement in self.statements}

    def normal(self, names: Iterable[str], given: Given) -> NormalForm | None:
        """Of the student's part of what defines the names; None if there is no such part."""
        part = self.part(names)
        if not self.is_python or sum(len(statement.tokens) for statement in part) > _MOST_TOKENS:
            return self._as_text()
        # Short answers are alike, and a stub may be long.
        part = [statement for statement in part if statement.tokens not in given]
        if not part:
            return None
        tokens = [token for statement in part for token in statement.tokens]
        bound = {f"@{name}" for statement in part for name in statement.binds}
        # The names of the module are numbered through all statements.
        numbers: dict[str, str] = {}
        numbered = [numbers.setdefault(t, f"{len(numbers)}") if t in bound else t for t in tokens]
        text = _text_at(self.lines, [statement.span for statement in part])
        lines = set[int]().union(*(statement.code_lines for statement in part))
        count = sum(not token.startswith(" ") for token in tokens)
        return NormalForm(digests.of(text), digests.of(list(numbered)), count, len(lines))

    def _as_text(self) -> NormalForm:
        words = _WORD.findall(self.text)
        text = digests.of(self.text)
        form = text if len(words) > _MOST_TOKENS else digests.of(list(words))
        return NormalForm(text, form, len(words), sum(bool(line.strip()) for line in self.lines))

    def part(self, names: Iterable[str]) -> "list[Statement]":
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


# A file with many exercises is taken apart once, and only one file is in the memory at a time.
_module = functools.lru_cache(maxsize=1)(ParsedFile)


class Statement:
    """A statement at the top level: what it defines, what it needs, its tokens."""

    def __init__(self, node: ast.stmt, imports: Mapping[str, tuple[str, ...]]) -> None:
        self._node, self._imports = node, imports
        parts = list(ast.walk(node))
        read = {p.id for p in parts if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Load)}
        declared = {name for p in parts if isinstance(p, ast.Global) for name in p.names}
        self.binds = {node.name} if isinstance(node, _DEFINITIONS) else set(_bound(node))
        chosen = {name for part in parts for name in _chosen(part)}
        self._own = chosen - declared - self.binds
        self.needs = (read | declared) - self._own
        # Nothing of an earlier definition is left after it.
        self.replaces = isinstance(node, _DEFINITIONS) or (
            _only_sets_names(node) and not self.needs & self.binds
        )

    @property
    def span(self) -> range:
        """Its lines, from 0 on, with its decorators."""
        decorators = getattr(self._node, "decorator_list", [])
        first = min([self._node.lineno, *(decorator.lineno for decorator in decorators)])
        return range(first - 1, self._node.end_lineno or first)

    @property
    def code_lines(self) -> set[int]:
        """The lines on which a part of it starts that isn't a docstring."""
        parts = [p for p in ast.walk(self._node) if isinstance(p, ast.expr | ast.stmt)]
        return {p.lineno for p in parts} - {p.lineno for p in parts if _says_nothing(p)}

    @functools.cached_property
    def tokens(self) -> tuple[str, ...]:
        """The tree from the top down. One that starts with a space doesn't count as a token.

        Each list says how long it is, so that no two trees have the same tokens.
        """
        tokens, numbers = list[str](), dict[str, str]()
        stack: list[object] = [self._node]
        while stack:  # no recursion: a student's tree may be deep
            match stack.pop():
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    stack.append(ast.Assign([target], value))
                case ast.Name(id=name) | str(name):
                    tokens += self._name(name, numbers)
                case ast.Constant(value=value):
                    tokens.append(_literal(value))
                case ast.Attribute(attr=name, value=inside):
                    tokens.append(f"Attribute {name}")
                    stack.append(inside)
                case ast.keyword(arg=name, value=inside):
                    tokens.append(f"keyword {name}")
                    stack.append(inside)
                case ast.AST() as node:
                    tokens.append(" " * isinstance(node, _SILENT) + type(node).__name__)
                    fields = [getattr(node, name) for name in node._fields if name not in _DROPPED]
                    stack += reversed(fields)
                case list() as nodes:
                    kept = [node for node in nodes if not _says_nothing(node)]
                    tokens.append(f" {len(kept)}")
                    stack += reversed(kept)
                case value:  # None, or a number of the node itself
                    tokens.append(f" {value}")
        return tuple(tokens)

    def _name(self, name: str, numbers: dict[str, str]) -> list[str]:
        """A name of its own as a number; an imported one like the attribute of its module."""
        if name in self._own:
            return [numbers.setdefault(name, f"own {len(numbers)}")]
        if path := self._imports.get(name):
            return [*(f"Attribute {part}" for part in reversed(path[1:])), f"imported {path[0]}"]
        return [f"@{name}"]


def _parsed(text: str) -> ast.Module | None:
    """The tree, or None. The reader's look at the names has compiled the same text before."""
    if len(text) > source.MAX_BYTES:
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


def _imported(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    """Where each imported name comes from: ("jax", "numpy") for `jnp`."""
    paths: dict[str, tuple[str, ...]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            for name in node.names:
                paths[name.asname or name.name] = (*start.split(".", _MOST_PARTS), name.name)
        elif isinstance(node, ast.Import):
            for name in node.names:
                path = tuple(name.name.split(".", _MOST_PARTS))
                paths[name.asname or path[0]] = path if name.asname else path[:1]
    return paths


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


def _literal(value: object) -> str:
    # Python refuses to write huge integers as decimals.
    shown = f"{value:x}" if type(value) is int else repr(value)
    return f"{type(value).__name__} {shown}"


def _text_at(lines: Sequence[str], spans: Iterable[range]) -> str:
    """The lines, each once: many statements may share one."""
    wanted = sorted({number for span in spans for number in span})
    return "\n".join(lines[n].rstrip() for n in wanted if n < len(lines))
