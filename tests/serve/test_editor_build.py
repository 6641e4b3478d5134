"""The code editor: what it is built from, and that it works on a page that allows nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from grader.serve import server
from tests.browser import Shown

ROOT = Path(__file__).resolve().parents[2]
SOURCES, STATIC = ROOT / "grader" / "serve" / "editor", ROOT / "grader" / "serve" / "static"
BUILT = ("editor.js", "editor.LICENSES.txt")

START = 'def double(x):\n    """Twice."""\n    return 1  # TODO\n'
PAGE = f"""<!doctype html>
<html lang="en"><head><title>A task</title><link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script></head>
<body><main><h1>A task</h1>
<form action="/" method="get"><label for="code">Your answer</label>
<textarea id="code" name="code">{START}</textarea><button id="next">Submit</button></form>
</main></body></html>"""
# The colours of the reports.
STYLE = """
:root { --card: #fff; --ink: #1d2126; --line: #e2e3e0; --accent: #2f5d8a; --soft: #5b636e }
@media (prefers-color-scheme: dark) { :root {
  --card: #1c2024; --ink: #e7e9ea; --line: #31363b; --accent: #8ab8e6; --soft: #a2abb4 } }
body { background: var(--card); color: var(--ink) } button { font-size: 1rem }
"""
SCRIPT = """
import { mount } from "/editor.js";
window.violations = []; window.inputs = 0; window.submitted = 0;
addEventListener("securitypolicyviolation", event => violations.push(event.violatedDirective));
const area = document.querySelector("textarea");
area.addEventListener("input", () => inputs++);
area.form.addEventListener("submit", event => { event.preventDefault(); submitted++; });
window.editor = mount(area);
window.root = area.nextElementSibling.shadowRoot;
"""
VALUE = "document.querySelector('textarea').value"


class Served(Shown):
    """A page of a server, and not of a file."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver, self.address = driver, address
        driver.get("about:blank")
        self.complaints()
        self.open()
        self.until("!!window.editor", True)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind, content = {
            "/": ("text/html", PAGE.encode()),
            "/page.css": ("text/css", STYLE.encode()),
            "/page.js": ("text/javascript", SCRIPT.encode()),
            "/editor.js": ("text/javascript", (STATIC / "editor.js").read_bytes()),
        }.get(self.path, ("image/x-icon", b""))
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Security-Policy", "default-src 'self'")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def shown(address: str, driver: Any) -> Served:
    return Served(driver, address)


def test_each_package_has_one_version_and_a_digest() -> None:
    package = json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))
    wanted = package["dependencies"] | package["devDependencies"]
    assert package["private"]
    for name, version in wanted.items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
        assert lock["packages"][f"node_modules/{name}"]["version"] == version
    for place, one in lock["packages"].items():
        assert not place or one["integrity"].startswith("sha512-"), place
        assert "resolved" not in one, place


def test_what_is_built_is_committed() -> None:
    """A clone, or a wheel that pip makes, has no npm. `.ci/run` compares it with its sources."""
    listed = subprocess.run(
        ["git", "ls-files", "--", STATIC], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert {*BUILT} <= {Path(line).name for line in listed.stdout.splitlines()}


def test_a_server_without_the_editor_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert server.without_editor() == ""
    monkeypatch.setattr(server, "EDITOR", STATIC / "nothing.js")
    assert "nothing.js` is missing, so students get a plain text area" in server.without_editor()


def test_the_licence_of_each_package_is_beside_the_editor() -> None:
    texts = (STATIC / "editor.LICENSES.txt").read_text(encoding="utf-8")
    for name in ("@codemirror/view", "@lezer/python", "style-mod"):
        assert re.search(rf"^{name} \d+\.\d+\.\d+$", texts, re.M), name
    assert texts.count("Permission is hereby granted") == texts.count("-" * 72) + 1


@pytest.mark.slow
def test_what_is_typed_is_handed_in(shown: Served) -> None:
    from selenium.webdriver import ActionChains, Keys

    assert shown.run(f"return {VALUE}") == START
    assert shown.run("return document.querySelector('textarea').hidden")
    shown.run("editor.setText(''); editor.focus()")
    assert shown.run("return inputs") == 1
    shown.press("def f(x):", Keys.ENTER, "if x:", Keys.ENTER, "y", Keys.ENTER, "else:")
    # Python's own indentation, also of `else`.
    shown.until(VALUE, "def f(x):\n    if x:\n        y\n    else:")
    shown.press(Keys.ENTER, "z", Keys.TAB)
    shown.until(VALUE, "def f(x):\n    if x:\n        y\n    else:\n            z")
    shown.run("editor.setText('a')")
    ActionChains(shown.driver).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    shown.until(f"{VALUE}.includes('else')", True)
    before = shown.run(f"return {VALUE}")
    ActionChains(shown.driver).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(
        Keys.CONTROL
    ).perform()
    shown.until("submitted", 1)
    assert shown.run(f"return {VALUE}") == before
    assert shown.run("return violations") == shown.complaints() == []


@pytest.mark.slow
def test_a_keyboard_gets_in_and_out(shown: Served) -> None:
    from selenium.webdriver import ActionChains, Keys

    inside = "root.activeElement?.classList.contains('cm-content') ?? false"
    shown.run("editor.setText('x'); editor.focus()")
    shown.until(inside, True)
    assert shown.run("return getComputedStyle(root.querySelector('.cm-editor')).outlineStyle") == (
        "solid"
    )
    shown.press(Keys.TAB)
    shown.until(VALUE, "    x")
    shown.press(Keys.ESCAPE, Keys.TAB)
    shown.until("document.activeElement.id", "next")
    ActionChains(shown.driver).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
    shown.until(inside, True)
    # Tab indents again.
    shown.press(Keys.TAB)
    shown.until(VALUE, "        x")
    shown.find("label").click()
    shown.until(inside, True)


@pytest.mark.slow
def test_a_line_is_marked(shown: Served) -> None:
    shown.size(600, 400)
    shown.run("editor.setText(Array.from({length: 300}, (_, n) => `x${n} = 1`).join('\\n'))")
    marked = "[...root.querySelectorAll('.cm-marked')].map(line => line.textContent)"
    shown.run("editor.markLine(200)")
    shown.until(marked, ["x199 = 1"])
    shown.until(
        "(box => box.top > 0 && box.bottom < innerHeight)"
        "(root.querySelector('.cm-marked').getBoundingClientRect())",
        True,
    )
    shown.run("editor.markLine(9999)")
    shown.until(marked, ["x299 = 1"])
    shown.run("editor.markLine(null)")
    shown.until(marked, [])
    assert shown.run("return violations") == shown.complaints() == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(shown: Served, scheme: str) -> None:
    lines = ["@jit", "class A: pass", "def f(x, *, y=None):", "    # no", "    return -1.5 + x[0]"]
    lines += ["    assert x is not y, f'{x!r}\\n'", "for i in range(3): print(True)", "x" * 300]
    shown.scheme(scheme)
    for line in (None, *range(1, 8)):
        shown.run("editor.setText(arguments[0])", "\n".join(lines))
        shown.run("editor.markLine(arguments[0])", line)
        if line is None:
            assert shown.run(
                "const one = root.querySelector('.cm-scroller');"
                "return one.scrollWidth > one.clientWidth"
            )
        assert shown.obstacles() == []
    label = "root.querySelector('.cm-content').getAttribute('aria-label')"
    assert shown.run(f"return {label}") == "Your answer"
    assert shown.run("return violations") == []
