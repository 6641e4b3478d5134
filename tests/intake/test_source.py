"""A text is judged without its comments, and stays the same program."""

from __future__ import annotations

import ast
import symtable
from pathlib import Path

import pytest

from grader.intake.source import names, without_comments

ROOT = Path(__file__).parents[2]
COURSE = sorted((ROOT / "solutions").rglob("*.py")) + sorted((ROOT / "tests").rglob("*.py"))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("x = 1  # one\n", "x = 1\n"),
        ("# first\nx = 1", "\nx = 1\n"),
        ("def f():\n    # why\n    return 1\n\n\n# end\n\n", "def f():\n\n    return 1\n"),
        ("x = '# no comment'  # a comment\n", "x = '# no comment'\n"),
        ('"""\n# a text\n"""  # a comment\n', '"""\n# a text\n"""\n'),
        ("x = [  # a list\n    1,  # one\n]\n", "x = [\n    1,\n]\n"),
        ("ä = 'ö'  # ü\n", "ä = 'ö'\n"),
        ("#!/usr/bin/env python\n# -*- coding: latin-1 -*-\nx = 1\n", "\n\nx = 1\n"),
        ("x = f'{y!r:#>4}'  # filled\n", "x = f'{y!r:#>4}'\n"),
    ],
)
def test_comments_go_and_all_else_stays_in_its_place(text: str, left: str) -> None:
    assert without_comments(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "x = 1 \\\n# joined\n",
        "x = 1 \\\n\n",
        "x = 1 \\  # a backslash that joins nothing\n+ 1\n",
        "x = '" + "\\'" * 300 + "  # too long a line\n",
        "x = 1\u2028\n",
        "# too long a text\n" * 5000,
        "def f(:  # no Python\n    '''\n",
        "if x:\n\ty = 1  # a tab\n        z = 2\n  w = 3\n",
        "x = (1,  # never closed\n",
        "x = '''# never closed\n",
    ],
)
def test_what_may_not_be_a_comment_stays(text: str) -> None:
    assert without_comments(text) == text


def test_a_comment_that_would_be_printed_stays() -> None:
    # Python 3.11 refuses this string; later ones print what stands before the bracket.
    text = 'x = 1\ny = f"""{\n    x =  # shown\n}"""\n'
    assert without_comments(text) == text
    assert without_comments("y = f'{x}'  # told\n") == "y = f'{x}'\n"


@pytest.mark.slow
def test_the_program_of_every_file_of_the_course_is_the_same() -> None:
    shortened = 0
    for path in COURSE:
        text = path.read_text(encoding="utf-8", errors="replace").removeprefix("\ufeff")
        left = without_comments(text)
        try:
            program = ast.dump(ast.parse(text), include_attributes=True)
        except (SyntaxError, ValueError):
            continue
        assert ast.dump(ast.parse(left), include_attributes=True) == program, path
        assert without_comments(left) == left, path
        shortened += left.count("#") < text.count("#")
    assert shortened > 50


def test_names_are_those_of_the_symbol_table() -> None:
    """The documented way to the table is too slow for hostile text; here it is the reference."""
    for path in COURSE:
        text = path.read_text(encoding="utf-8")
        symbols = symtable.symtable(text, str(path), "exec").get_symbols()
        own = frozenset(symbol.get_name() for symbol in symbols if symbol.is_assigned())
        imported = frozenset(symbol.get_name() for symbol in symbols if symbol.is_imported())
        assert (names(text).own, names(text).imported) == (own, imported - own)
