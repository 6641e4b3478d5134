"""The pictures of the documents: small, made by a script, and like what they show."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.browser import NONE_HERE, find_browser

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "docs" / "pictures.py"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMED = re.compile(r"pictures/([\w-]+\.(?:png|svg))")
SVG = "{http://www.w3.org/2000/svg}"


def the_script() -> Any:
    """The script as a module. As a script it finds `drawing` beside itself."""
    sys.path.append(str(SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("pictures", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


pictures = the_script()
words = importlib.import_module("drawing.words").words
COMMITTED = sorted(path.name for path in pictures.FOLDER.iterdir())


def test_every_picture_is_one_that_the_script_makes() -> None:
    assert sorted(pictures.PICTURES) == COMMITTED


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_picture_on_a_page_is_there_with_its_text(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    said = " ".join(text.split())
    for name in NAMED.findall(text):
        assert name in COMMITTED
        # A dark picture takes the place of a light one, and has no text of its own.
        spoken = {pictures.PICTURES[name], pictures.PICTURES[name.replace("-dark", "")]}
        assert any(alternative in said for alternative in spoken), name


@pytest.mark.parametrize("name", COMMITTED)
def test_a_picture_is_small(name: str) -> None:
    assert 0 < (pictures.FOLDER / name).stat().st_size < pictures.MOST_BYTES


@pytest.mark.parametrize("name", [name for name in COMMITTED if name.endswith(".svg")])
def test_a_drawing_needs_no_network_and_runs_nothing(name: str) -> None:
    root = ElementTree.parse(pictures.FOLDER / name).getroot()
    kinds = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert kinds <= {"svg", "style", "defs", "clipPath", "rect", "circle", "g", "text"}
    style = "".join(element.text or "" for element in root.iter(f"{SVG}style"))
    assert "@" not in style
    values = [value for element in root.iter() for value in element.attrib.values()]
    for text in (style, *values):
        assert "//" not in text
        assert "url(" not in text.replace("url(#", "")


@pytest.mark.slow
def test_the_script_makes_pictures_with_the_same_words(tmp_path: Path) -> None:
    if find_browser() is None:
        pytest.skip(NONE_HERE)
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--out", str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == COMMITTED
    for name in COMMITTED:
        made, kept = words(tmp_path / name), words(pictures.FOLDER / name)
        assert made == kept, f"{name}: run `python docs/pictures.py`, and look at it"
