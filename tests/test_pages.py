"""The built documents in a browser: on a phone, for a screen reader, without a network; search.

It builds the documents, which takes the extra `docs`; so all of this is `slow`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser import Shown

pytestmark = pytest.mark.slow

DOCS = Path(__file__).resolve().parents[1] / "docs"
NAMES = sorted(path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md"))


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
        shown.scheme(scheme)
        shown.open()
        assert shown.obstacles() == []


@pytest.mark.parametrize("shown", ["search"], indirect=True)
def test_search_finds_a_fixture(shown: Shown) -> None:
    shown.size(1280, 900)
    shown.open("?q=used_by")
    shown.until("document.querySelectorAll('#search-results li a').length > 0", True)
    found = shown.run(
        "return [...document.querySelectorAll('#search-results li a')].map(a => a.href)"
    )
    assert any("reference/suites.html" in address for address in found)
