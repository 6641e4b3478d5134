"""A page in a real browser, as a PNG that also holds the words on it."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from drawing.words import words_in
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests.browser import NONE_HERE, find_browser, started

# Less than there is between two cards.
MARGIN = 12
TEXTS = """
const bottom = arguments[0], found = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const range = document.createRange();
  range.selectNode(walk.currentNode);
  const box = range.getBoundingClientRect();
  const isShown = walk.currentNode.parentElement.checkVisibility();
  if (isShown && box.height && box.bottom <= bottom) found.push(walk.currentNode.textContent);
}
return found.join(" ");
"""


@contextmanager
def a_browser(profile: Path) -> Iterator[Any]:
    if (found := find_browser()) is None:
        raise SystemExit(NONE_HERE)
    with started(found, profile, "--hide-scrollbars --force-color-profile=srgb") as browser:
        yield browser


def photograph(
    browser: Any,
    page: str,
    picture: Path,
    *,
    width: int,
    last: str,
    scheme: str = "light",
    scale: float = 1.0,
) -> None:
    """The page of an address, from its top to the end of the element that `last` selects."""

    def send(command: str, **arguments: object) -> Any:
        return browser.execute_cdp_cmd(command, arguments)

    features = [{"name": "prefers-color-scheme", "value": scheme}]
    send("Emulation.setEmulatedMedia", features=features)
    send(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=900,
        deviceScaleFactor=scale,
        mobile=width < 600,
    )
    browser.get(page)
    end = "return Math.ceil(document.querySelector(arguments[0]).getBoundingClientRect().bottom)"
    height = browser.execute_script(end, last) + MARGIN
    taken = send(
        "Page.captureScreenshot",
        captureBeyondViewport=True,
        clip={"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
    )
    image = Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGB")
    about = PngInfo()
    about.add_itxt("Words", " ".join(sorted(words_in(browser.execute_script(TEXTS, height)))))
    # With fewer colours, small signs would lose theirs.
    few = image.quantize(256, kmeans=3, dither=Image.Dither.NONE)
    few.save(picture, optimize=True, pnginfo=about)
