"""A text is read as Python reads it, judged without its comments, and stays the same program."""

from __future__ import annotations

import ast
import os
import subprocess
import symtable
import sys
from pathlib import Path

import pytest

from grader.course.course import Course
from grader.intake import reader, source
from grader.intake.source import names, without_comments
from tests.conftest import write
from tests.intake.conftest import SET_ROW, needs_posix, notes, taken, text_of

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


# Error texts


def test_a_py_file_that_is_not_text_is_a_problem(here: Path, course: Course) -> None:
    write(here, {"set_row.py": b"\x7fELF\0\0"})
    assert reader.read(here / "set_row.py", course).problem == (
        "`set_row.py` is not Python: it contains NUL bytes. Save it as plain UTF-8 text."
    )


def test_a_py_file_with_undecodable_bytes_is_a_problem(here: Path, course: Course) -> None:
    write(here, {"set_row.py": b"# a\n# b\n# \xff\n"})
    assert reader.read(here / "set_row.py", course).problem == (
        "`set_row.py` is not Python: byte 11 is not text in its encoding. Save it as plain UTF-8 "
        "text."
    )


# Encodings


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"\xef\xbb\xbf" + b"set_row = 'x'\n", "set_row = 'x'\n"),
        (b"# -*- coding: latin-1 -*-\nset_row = '\xe9'\n", "set_row = '\xe9'\n"),
        ("# coding: cp1251\nset_row = '\u0436'\n".encode("cp1251"), "set_row = '\u0436'\n"),
        (b"set_row = 1\r\nx = 2\r", "set_row = 1\nx = 2\n"),
    ],
)
def test_a_file_is_read_as_python_would(
    here: Path, course: Course, data: bytes, found: str
) -> None:
    write(here, {"my.py": data})
    assert text_of(reader.read(here / "my.py", course)).endswith(found)


@pytest.mark.parametrize("codec", ["zlib", "unicode_escape", "utf-7", "idna", "no-such"])
def test_a_codec_that_no_editor_uses_is_refused(here: Path, course: Course, codec: str) -> None:
    write(here, {"set_row.py": f"# coding: {codec}\nset_row = 1\n"})
    submission = reader.read(here / "set_row.py", course)
    assert submission.sources == ()
    assert submission.problem is not None
    assert "encoding" in submission.problem


# Text that crashes or slows a compiler


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "-" * 100_000 + "1",
        "x = " + "(" * 100_000,
        "x = a" + ".b" * 15_000,
        "x = 1" + "+1" * 100_000,
        "if a:\n pass\n" + "elif a:\n pass\n" * 10_000,
        "import " + "a." * 100_000 + "a",
        "x = " + "1" * 100_000,
        "x = '\u202e'; \u202e",
    ],
    ids=["minus", "brackets", "dots", "sum", "elif", "import", "number", "bidi"],
)
def test_text_that_upsets_a_compiler_is_only_invalid(here: Path, course: Course, text: str) -> None:
    write(here / "ada", {"evil.py": text, "set_row.py": SET_ROW})
    submission = reader.read(here / "ada", course)
    assert taken(submission) == {"01_arrays/set_row": "set_row.py"}
    assert "is not valid Python" in notes(submission)["evil.py"]
    assert notes(submission)["evil.py"].isprintable()


def test_a_file_that_is_too_large_is_not_read(here: Path, course: Course) -> None:
    write(here, {"set_row.py": SET_ROW + "#" * source.MAX_BYTES})
    assert reader.read(here / "set_row.py", course).problem == (
        "`set_row.py` is larger than 256 KiB, the largest size that is read. Remove what isn't "
        "code."
    )


# Folders


@needs_posix
def test_text_that_is_no_python_opens_no_file_of_the_current_folder(here: Path) -> None:
    """Python opens the file that an error names. A pipe would be opened for ever."""
    for name in ("submission", "<unknown>", "<string>", "<fstring>", "<stdin>"):
        os.mkfifo(here / name)
    code = (
        "from grader.feedback import syntax\nfrom grader.intake import source\n"
        "for text in ('def (', 'x = ', 'x: int; global x', 'nonlocal x', 'f\"{a b}\"'):\n"
        "    assert source.names(text).error\n"
        "    try: syntax.Module(text)\n"
        "    except SyntaxError: pass\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=here, check=True, timeout=120)


def test_a_comment_that_is_no_text_stays() -> None:
    """Tokenizers of Python 3.12 and later raise an error of their own for it."""
    text = "x = 1  # \ud800\n"
    assert without_comments(text) in (text, "x = 1\n")
