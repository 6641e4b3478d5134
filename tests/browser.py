"""A real browser: for the tests of pages, and for the pictures in the documents."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

_AXE = """
    const done = arguments[arguments.length - 1];
    axe.run().then(found => done(found.violations.map(
        one => one.id + ": " + one.nodes.map(node => node.html).join("  "))));
"""
NONE_HERE = "no Chromium with its chromedriver here; install `chromium-driver`"


def find_browser() -> tuple[str, str] | None:
    """Chromium and its chromedriver."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    browser = next((path for name in names if (path := shutil.which(name))), None)
    # Where hosted runners keep it.
    kept = Path(os.environ.get("CHROMEWEBDRIVER", "/none"), "chromedriver")
    driver = shutil.which("chromedriver") or (str(kept) if kept.exists() else None)
    return (browser, driver) if browser and driver else None


@contextmanager
def started(found: tuple[str, str], profile: Path, flags: str) -> Iterator[Any]:
    """A browser that asks nobody anything, with more `flags`. It logs for `Shown`."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = found[0]
    for flag in (
        "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
        "--disable-background-networking --disable-component-update --disable-sync "
        f"--disable-dev-shm-usage --user-data-dir={profile} {flags}"
    ).split():
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options, webdriver.ChromeService(found[1]))
    browser.set_script_timeout(120)  # axe reads a long page for half a minute on a busy machine
    try:
        yield browser
    finally:
        browser.quit()


class Shown:
    """A page in the browser. Leaving the test checks that it logged and requested nothing."""

    def __init__(self, driver: Any, path: Path) -> None:
        self.driver, self.address = driver, path.as_uri()
        # Messages of an earlier page don't belong to this one.
        driver.get("about:blank")
        self.complaints()
        self.requests()
        self.open()

    def open(self, anchor: str = "") -> None:
        self.driver.get("about:blank")
        self.driver.get(self.address + anchor)

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def send(self, command: str, **arguments: object) -> Any:
        return self.driver.execute_cdp_cmd(command, arguments)

    def size(self, width: int, height: int = 844) -> None:
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def scheme(self, name: str = "") -> None:
        """`light` or `dark`; what the machine prefers without a name."""
        features = [{"name": "prefers-color-scheme", "value": name}] if name else []
        self.send("Emulation.setEmulatedMedia", features=features)

    def obstacles(self) -> list[str]:
        """What axe-core finds, which keeps people with a disability from reading what is shown."""
        self.run(resources.files("axe_playwright_python").joinpath("axe.min.js").read_text())
        return list(self.driver.execute_async_script(_AXE))

    def until(self, script: str, wanted: object) -> None:
        """Waits until the script returns that: a change of address takes effect a moment later."""
        from selenium.webdriver.support.wait import WebDriverWait

        seen: list[Any] = []

        def is_there(_: Any) -> bool:
            seen.append(self.run(f"return {script}"))
            return bool(seen[-1] == wanted)

        try:
            WebDriverWait(self.driver, 120, poll_frequency=0.02).until(is_there)
        except Exception as error:
            raise AssertionError(f"{script}: {seen[-1]!r}, not {wanted!r}") from error

    def press(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def find(self, selector: str) -> Any:
        from selenium.webdriver.common.by import By

        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def choose(self, selector: str, text: str) -> None:
        from selenium.webdriver.support.select import Select

        Select(self.find(selector)).select_by_visible_text(text)

    def column(self, selector: str) -> list[str]:
        """The texts of the rows that are shown, from the top down."""
        return list(
            self.run(
                "return [...document.querySelectorAll('#students tbody tr')]"
                ".filter(row => row.checkVisibility())"
                ".map(row => row.querySelector(arguments[0]).textContent)",
                selector,
            )
        )

    def visible_pages(self) -> list[str]:
        return list(
            self.run(
                "return [...document.querySelectorAll('article, .class')]"
                ".filter(part => part.checkVisibility()).map(part => part.id)"
            )
        )

    def complaints(self) -> list[str]:
        return [f"{entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")]

    def requests(self) -> set[str]:
        events = [json.loads(e["message"])["message"] for e in self.driver.get_log("performance")]
        return {
            event["params"]["request"]["url"].partition("#")[0]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        }
