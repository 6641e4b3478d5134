"""The built documents in a browser: on a phone, for a screen reader, without a network; search.

It builds the documents, which takes the extra `docs`; so all of this is `slow`.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Shown

pytestmark = pytest.mark.slow

DOCS = Path(__file__).resolve().parents[1] / "docs"
NAMES = sorted(path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md"))
AXE = """
    const done = arguments[arguments.length - 1];
    axe.run().then(found => done(found.violations.map(
        one => one.id + ": " + one.nodes.map(node => node.html).join("  "))));
"""


@pytest.fixture
def shown(driver: Any, built: Path, request: pytest.FixtureRequest) -> Shown:
    return Shown(driver, built / f"{request.param}.html")


@pytest.mark.parametrize("shown", NAMES, indirect=True)
def test_a_page_is_for_everybody(shown: Shown) -> None:
    """A screen reader finds its way, in light and in dark; a phone needs no scrolling sideways."""
    shown.size(390)
    shown.open()
    assert shown.run("return document.documentElement.scrollWidth") <= 390
    # Nothing is asked from elsewhere, and the browser complains of nothing.
    assert [url for url in shown.requests() if not url.startswith(("file:", "data:"))] == []
    assert shown.complaints() == []
    shown.size(1280, 900)
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        shown.send("Emulation.setEmulatedMedia", features=[feature])
        shown.open()
        shown.run(resources.files("axe_playwright_python").joinpath("axe.min.js").read_text())
        assert shown.driver.execute_async_script(AXE) == []


@pytest.mark.parametrize("shown", ["search"], indirect=True)
def test_search_finds_a_fixture(shown: Shown) -> None:
    shown.size(1280, 900)
    shown.open("?q=used_by")
    shown.until("document.querySelectorAll('#search-results li a').length > 0", True)
    found = shown.run(
        "return [...document.querySelectorAll('#search-results li a')].map(a => a.href)"
    )
    assert any("reference/suites.html" in address for address in found)
