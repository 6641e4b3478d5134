"""`%%check` in a real JupyterLab, in a real browser."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from grader.student.start import start

pytestmark = pytest.mark.slow  # JupyterLab is for CI only
RIGHT = "import jax\n\ndef set_row(x, i, row):\n    return x.at[i].set(row)\n"
CELLS = (
    "%load_ext grader",
    f"%%check set_row\n{RIGHT.replace('.set(', '.add(')}",
    f"%%check set_row\n{RIGHT}",
)
SECONDS = 120


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """The address of a JupyterLab on a notebook in the folder of a course."""
    start(tmp_path / "course", as_notebooks=True)
    import nbformat

    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    book.metadata["kernelspec"] = {"display_name": "Python 3", "name": "python3"}
    nbformat.write(book, tmp_path / "course" / "mine.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    options = (
        f"--ServerApp.port={port} --ServerApp.open_browser=False --ServerApp.allow_root=True "
        "--ServerApp.ip=127.0.0.1 --IdentityProvider.token= --ServerApp.password= "
        "--LabApp.news_url=None --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"
    )
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options.split()],
        cwd=tmp_path / "course",
        env=os.environ | own,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _await_answer(f"http://127.0.0.1:{port}/api", server)
        yield f"http://127.0.0.1:{port}/lab/tree/mine.ipynb"
    finally:
        # Its kernels are in the same session.
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _await_answer(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(10 * SECONDS):
        assert server.poll() is None, "JupyterLab has ended"
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                assert "version" in json.load(answer)
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("JupyterLab doesn't answer")


def kernels(lab: str) -> list[dict[str, Any]]:
    with urllib.request.urlopen(urljoin(lab, "/api/kernels"), timeout=SECONDS) as answer:
        found: list[dict[str, Any]] = json.load(answer)
    return found


def kernel_is_ready(kernel: dict[str, Any]) -> bool:
    return bool(kernel["connections"] and kernel["execution_state"] == "idle")


def test_a_cell_is_checked_with_pictures_and_the_explanation(lab: str, driver: Any) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.wait import WebDriverWait

    def outputs() -> list[str]:
        found = driver.find_elements(By.CSS_SELECTOR, ".jp-OutputArea-output")
        return [one.text for one in found]

    driver.get(lab)
    wait = WebDriverWait(driver, SECONDS)
    # The kernel has to be there, or the cells are never run. Its API says so, and not the page,
    # whose looks change from one JupyterLab to the next.
    wait.until(lambda _: any(kernel_is_ready(one) for one in kernels(lab)))
    wait.until(lambda d: d.find_elements(By.CSS_SELECTOR, ".jp-CodeCell")[len(CELLS) - 1 :])
    (menu,) = (
        one
        for one in driver.find_elements(By.CSS_SELECTOR, ".lm-MenuBar-itemLabel")
        if one.text == "Run"
    )
    menu.click()
    item = "li[data-command='runmenu:run-all']"
    wait.until(lambda d: d.find_elements(By.CSS_SELECTOR, item))
    driver.find_element(By.CSS_SELECTOR, item).click()
    wait.until(lambda d: any("passed " in text for text in outputs()))
    wait.until(lambda d: d.find_elements(By.CSS_SELECTOR, ".jp-OutputArea-output details"))
    texts = outputs()
    assert any("Your function gives the same results as this mistake" in text for text in texts)
    assert any("gives result [2, 3] int32" in text for text in texts)
    folded = driver.find_element(By.CSS_SELECTOR, ".jp-OutputArea-output details")
    assert "One `scatter`" not in folded.text
    folded.find_element(By.TAG_NAME, "summary").click()
    assert "What JAX made of it" in folded.text
