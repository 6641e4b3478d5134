"""The words on a picture, which say whether it shows what a new one would."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image


def words(picture: Path) -> set[str]:
    """The words on a picture."""
    if picture.suffix == ".svg":
        texts = ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")
        return words_in(" ".join(text.text or "" for text in texts))
    with Image.open(picture) as image:
        return words_in(str(image.info.get("Words", "")))


def words_in(text: str) -> set[str]:
    """The words of a text that are the same in each run: no numbers, single letters, AM or PM."""
    return set(re.findall(r"[^\W\d_]{2,}", text)) - {"AM", "PM"}
