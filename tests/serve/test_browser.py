"""The pages in a real browser: an hour of a student, one of a teacher; by mouse, keyboard, phone.

What is typed survives a server that goes away. Without a script the forms do it all. On every page
and in every state axe finds nothing, in light and dark; a small phone needs no scrolling sideways;
and the browser has nothing to complain of, such as a breach of the content security policy.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from grader.course.course import Course
from grader.records.model import Assignment, Person
from grader.serve import pages, server
from grader.serve.people import LINK, SESSION
from grader.serve.service import Service
from grader.teacher import decisions
from tests.browser import Shown
from tests.conftest import FILES, CourseMaker, notes
from tests.serve.conftest import RIGHT, TEACHER, WRONG, attempt, client, running, serving

pytestmark = pytest.mark.slow

PAGE = "/a/hw1/double"
IN_A_LINE = "def double(x): return 2 * x"
WRONG_IN_A_LINE = "def double(x): return x + 2"
VERDICT = "document.getElementById('verdict').textContent"
TEXT = "document.getElementById('text').value"
SECONDS = 120
_FIND = """
    return [...document.querySelectorAll(`${arguments[1]} :is(a, button, summary)`)].find(
        one => one.checkVisibility() && one.innerText.startsWith(arguments[0]));
"""

# A course whose texts are as long as they get.
LONG = "01_first/gradient_of_a_softmax_cross_entropy_loss"
TASK = '''
    """Twice an array, and why a very long first sentence has to be broken into lines on a phone.

    Page: https://docs.jax.dev/en/latest/a-very-long-address-that-has-no-place-to-break-it.html
    """


    def double(x):
        """Return `2 * x`.

        Args:
            x: an array of any shape, such as `jax.numpy.ones((batch, heads, length, features))`.

        Returns:
            Each element twice.

        Examples:
            >>> double(jax.numpy.arange(12.0).reshape(3, 4)).block_until_ready().astype("float32")
            Array([[ 0.,  2.,  4.,  6.], [ 8., 10., 12., 14.], [16., 18., 20., 22.]], dtype=float32)

        Details:
            Multiply.
        """
        raise NotImplementedError
'''
EXPLAINED = """## Why it works

Twice is a sum: $x + x$.

```python
def double(x): return 2 * x  # a line of code that is longer than a small phone is wide, by far
```
"""
CLASS = (
    Person("ada", "Ada"),
    Person("ben", "Ben " + "Långnamn" * 6),
    Person("eve", "חוה"),
    Person("new", "New"),
    Person("old", "Old"),
)
HOMEWORK = Assignment(
    "hw1", "Homework 1: arrays and their gradients", ("01_first/double", LONG), attempts="best",
    due="2999-01-01T12:00:00+01:00",
)  # fmt: skip


@pytest.fixture(scope="module")
def course(make_course: CourseMaker, tmp_path_factory: pytest.TempPathFactory) -> Course:
    stem = LONG.rpartition("/")[2]
    folder = tmp_path_factory.mktemp("course")
    more: dict[str, str | None] = {
        path.replace("double", stem): text.replace("double", stem)
        for path, text in FILES.items()
        if "double" in path
    }
    about = {
        "exercises/01_first/double.py": TASK,
        "exercises/01_first/double.md": notes(
            "Think of `x`.", f"Think again. {'Long ' * 40}", explanation=EXPLAINED
        ),
    }
    entry = f'\n[[exercise]]\nid = "{LONG}"\ntitle = "The gradient of a softmax cross-entropy"\n'
    return replace(make_course(folder, {**more, **about}, entry), assignments=(HOMEWORK,))


@pytest.fixture(scope="module")
def class_(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A class with a history. Its judges have begun, so that a verdict takes a second."""
    with serving(tmp_path_factory.mktemp("class"), course, jobs=1, isolation="available") as made:
        made.database.add_people(CLASS)
        ada, old, teacher = (
            client(made, made.people.issue(SESSION, name)) for name in ("ada", "old", "noether")
        )
        for text in (WRONG, RIGHT):
            attempt(old, text)
        attempt(ada, "def double(x):\n    return 2 * missing\n")
        teacher.post("/t/hw1/marks")
        teacher.post("/t/hw1/publish", data={"run": "1"})
        said = {"person": "ada", "kind": "bonus", "bonus": "1.5", "why": "Found a mistake"}
        teacher.post("/t/hw1/decide", data=said)
        teacher.post("/t/hw1/marks")
        yield made


class Visit(Shown):
    """A browser that nobody knows yet."""

    def __init__(self, driver: Any, service: Service) -> None:
        self.driver, self.service, self.address = driver, service, service.address
        self.forget()
        self.with_script(True)
        driver.get("about:blank")
        self.complaints()

    def forget(self) -> None:
        self.send("Network.clearBrowserCookies")
        self.send(
            "Storage.clearDataForOrigin", origin=self.address, storageTypes="local_storage,cache"
        )

    def with_script(self, is_on: bool) -> None:
        self.send("Emulation.setScriptExecutionDisabled", value=not is_on)

    def sign_in(self, name: str) -> Visit:
        secret = self.service.people.issue(SESSION, name)
        about = {"url": self.address, "httpOnly": True, "sameSite": "Lax"}
        self.send("Network.setCookie", name=self.service.cookie, value=secret, **about)
        return self

    def go(self, path: str) -> Visit:
        self.driver.get(self.address + path)
        return self

    def arrives(self, path: str) -> None:
        self.until("location.pathname", path)

    def text(self, selector: str = "main") -> str:
        return str(self.find(selector).text)

    def click(self, words: str, inside: str = "body") -> None:
        """A button, a link or a summary, by its first words, as soon as the page has it."""
        from selenium.common.exceptions import StaleElementReferenceException

        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            # The last click's page may replace this one between the two steps.
            with suppress(StaleElementReferenceException):
                if found := self.run(_FIND, words, inside):
                    found.click()
                    return
            time.sleep(0.05)
        raise AssertionError(f"nothing says {words!r}: {self.seen('body')}")

    def find(self, selector: str) -> Any:
        """The first such element, as soon as the page has it."""
        self.until(f"document.querySelector({json.dumps(selector)}) !== null", True)
        return super().find(selector)

    def sees(self, words: str, selector: str = "body") -> None:
        """Waits, as a person does."""
        deadline = time.monotonic() + SECONDS
        while words not in (seen := self.seen(selector)):
            assert time.monotonic() < deadline, f"{words!r} isn't in {seen!r}"
            time.sleep(0.05)

    def seen(self, selector: str) -> str:
        from selenium.common.exceptions import WebDriverException

        try:
            return self.text(selector)
        except WebDriverException:  # the page is on its way, or its part is replaced
            return ""

    def write(self, text: str) -> None:
        """All of it anew, in the editor or in the plain field."""
        from selenium.webdriver import ActionChains, Keys

        self.until("document.querySelector('.editor') !== null", True)
        self.find("label[for=text]").click()
        # Deleted first: what is typed over a selection gets an inline style from Chromium itself.
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys("a").key_up(
            Keys.CONTROL
        ).send_keys(Keys.DELETE, text).perform()
        self.until(TEXT, text)

    def check(self) -> None:
        """By the keys of the editor."""
        from selenium.webdriver import ActionChains, Keys

        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(
            Keys.CONTROL
        ).perform()

    def width(self) -> int:
        return int(self.run("return document.documentElement.scrollWidth"))

    def columns(self, table: str, row: str = "thead tr") -> list[float]:
        """Where the cells of the first such row begin."""
        return list(
            self.run(
                "return [...document.querySelector(arguments[0]).children]"
                ".map(cell => cell.getBoundingClientRect().left)",
                f"{table} {row}",
            )
        )

    def expect(self, *words: str) -> None:
        """What the browser has complained of so far; each has one of these words."""
        expected = (*words, "Cleared data types")
        found = self.complaints()
        assert all(any(word in one for word in expected) for one in found), found


@pytest.fixture
def shown(driver: Any, class_: Service) -> Iterator[Visit]:
    with visit(driver, class_) as made:
        yield made


@contextmanager
def visit(driver: Any, service: Service) -> Iterator[Visit]:
    made = Visit(driver, service)
    try:
        yield made
        made.expect()
    finally:
        made.with_script(True)
        made.forget()
        driver.get("about:blank")


@pytest.fixture
def newcomer(class_: Service, request: pytest.FixtureRequest) -> str:
    """A student with all attempts left."""
    name = re.sub(r"\W", "_", request.node.name)
    class_.database.add_people([Person(name, name)])
    return name


def test_a_students_hour(shown: Visit, class_: Service, newcomer: str) -> None:
    shown.go(f"/enter/{class_.people.issue(LINK, newcomer)}")
    shown.click("Sign in on this device")
    shown.arrives("/")
    shown.sees("0 of 2 exercises passed")
    shown.click("Homework 1")
    shown.click("Double")
    assert shown.run("return document.getElementById('verdict').ariaLive") == "polite"
    address = shown.driver.current_url

    mistakes = (WRONG_IN_A_LINE, "def double(x): return missing", "def double(x) return x")
    for text, said in zip(mistakes, ("A number is doubled", "missing", "line 1"), strict=True):
        shown.write(text)
        shown.check()
        shown.sees(said, "#verdict")
        # The verdict comes in place, and the text stays.
        assert (shown.driver.current_url, shown.run(f"return {TEXT}")) == (address, text)
    is_for_everybody(shown)
    shown.sees("3 attempts", "#attempts")
    shown.click("A hint (2 left)")
    shown.sees("Hint 1 Think of x.")
    assert shown.run(f"return {TEXT}") == mistakes[-1]

    shown.write(IN_A_LINE)
    shown.check()
    shown.sees("All tests passed: 4 of 4.", "#verdict")
    shown.sees("Why it works")
    shown.sees("counts", "#verdict")
    shown.click("4 attempts")
    second = "#attempts li:nth-child(3)"
    assert "raised" in shown.text(second)
    assert "counts" in shown.text("#attempts li:nth-child(1)")
    shown.find(f"{second} a").click()
    shown.sees("attempt 2 of 4")
    shown.sees("-def double(x): return x + 2", ".changes")
    shown.click("Restore this text")
    shown.sees("Your code")
    shown.until(TEXT, mistakes[1])

    shown.click(newcomer)
    shown.click("Create a link")
    link = shown.text("code.long")
    shown.forget()  # another device
    shown.driver.get(link)
    shown.click("Sign in on this device")
    shown.sees("1 of 2 exercises passed")
    shown.go(PAGE)
    shown.until(TEXT, mistakes[1])
    shown.click("Sign out")
    shown.sees("Sign in with the personal link")
    shown.driver.get(link)
    shown.click("Sign in on this device")
    shown.sees("This link was used")
    shown.expect("403")


def test_a_call_is_tried_on_what_is_in_the_editor(shown: Visit, newcomer: str) -> None:
    shown.sign_in(newcomer).go(PAGE)
    shown.write(IN_A_LINE)
    shown.find("#expression").send_keys("double(jnp.ones((2, 3)))", "\n")
    shown.sees("the value: shape (2, 3), dtype float32", "#tried")
    is_for_everybody(shown)
    shown.find("#expression").send_keys(" +")
    shown.click("Try it")
    shown.sees("Write one Python expression", "#tried")
    shown.expect("422")
    assert shown.text("#verdict") == ""
    shown.with_script(False)
    shown.go(PAGE)
    shown.find("#expression").send_keys("1 + 1")
    shown.click("Try it")
    shown.sees(">>> 1 + 1\n2", "#tried")


def test_too_many_attempts_keep_what_the_last_one_said(
    shown: Visit, class_: Service, newcomer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    one = client(class_, class_.people.issue(SESSION, newcomer))
    for n in range(6):
        attempt(one, f"{WRONG}# {n}\n", wait=60 if n == 5 else 0)
    shown.sign_in(newcomer).go(PAGE)
    shown.sees("A number is doubled", "#verdict")
    for _ in range(2):
        shown.click("Check")
        shown.sees("you can try again in", "#verdict")
        assert shown.text("#verdict").count("you can try again") == 1
    assert "A number is doubled" in shown.text("#verdict")
    is_for_everybody(shown)
    shown.expect("429")


def test_what_is_typed_is_kept(driver: Any, course: Course, tmp_path: Path, newcomer: str) -> None:
    """Through a reload, and while the server is gone: then in this browser."""
    listening = server.bound(0, None)
    address, port = server.address_of(listening, ""), listening.getsockname()[1]
    with (
        server.opened(tmp_path / "class", course, address, isolation="available") as service,
        visit(driver, service) as shown,
    ):
        service.database.add_people([Person(newcomer)])
        with running(service, listening):
            shown.sign_in(newcomer).go(PAGE)
            shown.write("draft = 1")
            shown.sees("Draft saved.", "#kept")
            shown.go(PAGE)
            shown.until(TEXT, "draft = 1")
        shown.write("draft = 2")
        shown.sees("The server doesn't answer. Your text is saved in this browser.", "#kept")
        shown.expect("ERR_CONNECTION_REFUSED")
        with running(service, server.bound(port, None)):
            shown.go(PAGE)
            shown.until(TEXT, "draft = 2")
            shown.sees("Draft saved.", "#kept")
            shown.run("localStorage.clear()")
            shown.go(PAGE)
            shown.until(TEXT, "draft = 2")
            # Nobody else sees it on the same machine.
            service.database.add_people([Person("other")])
            shown.sign_in("other").go(PAGE)
            shown.until(f"{TEXT}.includes('draft')", False)
        shown.expect("ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET")


def test_a_teachers_hour(driver: Any, course: Course, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    with (
        serving(folder, course, jobs=1, isolation="available") as service,
        visit(driver, service) as shown,
    ):
        ada = client(service, service.people.issue(SESSION, "ada"))
        shown.sign_in(TEACHER.id).go("/")
        shown.click("The class at work")
        shown.sees("0 students active")
        shown.run("window.same = true")
        attempt(ada, "def double(x):\n    return 2 * missing\n")
        shown.sees("1 student active", "#live")
        shown.sees("missing", "#live")  # the misconception
        assert shown.run("return window.same")
        shown.find(".board td a").click()
        shown.sees("double, attempt 1 of 1")
        shown.sees("what only you see")
        shown.click("Ada", ".bar")
        shown.arrives("/t/hw1/student")
        shown.find("input[value=bonus]").click()
        shown.find("#bonus").send_keys("1.5")
        shown.find("#why").send_keys("Found a mistake")
        shown.click("Decide", "form")
        shown.sees("Right now: 1.5 of 8.")
        is_for_everybody(shown)
        shown.find("input[value=extension]").click()
        shown.run("document.getElementById('extension').value = '2999-01-02T12:00'")
        shown.find("#why").send_keys("Was ill")
        shown.click("Decide", "form")
        shown.sees("Was ill")
        zone = shown.run("return -new Date('2999-01-02T12:00').getTimezoneOffset()")
        (due,) = (one.value for one in decisions.read(folder) if one.kind == "extension")
        assert datetime.fromisoformat(str(due)).utcoffset() == timedelta(minutes=zone)
        shown.click("Undo", "li:last-child")

        shown.click("Homework 1")
        shown.click("Calculate marks")
        shown.sees("Newest: run 1")
        shown.sees("Students see no marks yet")
        shown.click("Publish run 1")
        shown.sees("Students can see these marks.")
        attempt(ada, RIGHT)
        shown.click("Calculate marks")
        shown.sees("1 mark would change for the students")
        assert shown.text("#marks tbody tr").startswith("ada 1.5 5.5 double:")
        is_for_everybody(shown)
        shown.size(320)
        assert shown.columns(".board") == shown.columns(".board", "tbody tr")
        shown.size(1280, 900)
        shown.click("Publish run 2")
        shown.sees("Students can see these marks.")
        shown.sign_in("ada").go("/a/hw1").sees("Your mark: 5.5 of 8.")
        shown.sees("Found a mistake")

        shown.sign_in(TEACHER.id).go("/t/hw1").click("Class page")
        shown.sees("Homework 1")
        assert shown.run("return document.querySelectorAll('article').length") > 0


@pytest.mark.parametrize("width", [1280, 320])
def test_without_a_script(
    shown: Visit, newcomer: str, tmp_path: Path, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The forms do it all."""
    monkeypatch.setattr(pages, "FORM_SECONDS", 250)
    shown.with_script(False)
    shown.size(width)
    shown.sign_in(newcomer).go(PAGE)
    assert "Ctrl-Enter" not in shown.text()
    shown.find("#text").clear()
    shown.find("#text").send_keys(WRONG_IN_A_LINE)
    shown.click("Check")
    shown.sees("A number is doubled", "#verdict")
    assert shown.find("#text").get_property("value") == WRONG_IN_A_LINE
    shown.click("A hint (2 left)")
    shown.sees("Hint 1 Think of x.")

    file = tmp_path / "double.py"
    file.write_text(RIGHT, encoding="utf-8")
    shown.go("/a/hw1")
    shown.find("#file").send_keys(str(file))
    shown.click("Submit", "form")
    shown.sees("Your code")
    while "All tests passed" not in shown.text("#verdict"):
        shown.click("Check again", "#verdict")
    shown.click("2 attempts")
    shown.find("#attempts li:nth-child(2) a").click()
    shown.click("Restore this text")
    shown.sees("Your code")
    assert shown.find("#text").get_property("value") == WRONG_IN_A_LINE
    shown.click("Sign out")
    shown.sees("Sign in with the personal link")


def test_without_the_editor_the_text_area_has_its_keys(shown: Visit, newcomer: str) -> None:
    from selenium.webdriver import ActionChains, Keys

    shown.send("Network.enable")
    shown.send("Network.setBlockedURLs", urls=["*/static/editor.js"])
    try:
        shown.sign_in(newcomer).go(PAGE)
        shown.until("document.getElementById('keys').hidden", False)
        assert shown.run("return document.querySelector('.editor')") is None
        shown.find("label[for=text]").click()
        ActionChains(shown.driver).key_down(Keys.CONTROL).send_keys("a").key_up(
            Keys.CONTROL
        ).send_keys(Keys.DELETE, "def double(x):", Keys.ENTER, "return 2 * x", Keys.ENTER).perform()
        shown.until(TEXT, "def double(x):\n    return 2 * x\n    ")
        shown.check()
        shown.sees("All tests passed", "#verdict")
        # Tab indents; Esc, then Tab, moves on.
        shown.find("label[for=text]").click()
        ActionChains(shown.driver).send_keys(Keys.TAB).perform()
        shown.until(f"{TEXT}.endsWith('        ')", True)
        ActionChains(shown.driver).send_keys(Keys.ESCAPE, Keys.TAB).perform()
        assert shown.run("return document.activeElement.textContent") == "Check"
        shown.expect("editor.js")
    finally:
        shown.send("Network.setBlockedURLs", urls=[])


def test_on_a_phone_the_editor_is_above_the_fold(shown: Visit, newcomer: str) -> None:
    shown.size(390, 844)
    shown.sign_in(newcomer).go(f"/a/hw1/{LONG.rpartition('/')[2]}").find(".editor")
    assert shown.run("return document.querySelector('.editor').getBoundingClientRect().top") < 600
    assert "Return `2 * x`".replace("`", "") not in shown.text(".task")
    shown.click("The task")
    shown.sees("Return 2 * x", ".task")
    shown.size(1280, 900)
    shown.click("Previous", ".bar")
    shown.arrives(PAGE)
    shown.sees("Return 2 * x", ".task")


def test_a_keyboard_is_enough(shown: Visit, newcomer: str) -> None:
    """From the top of the page to a verdict."""
    from selenium.webdriver import Keys

    shown.sign_in(newcomer).go(PAGE)
    shown.until("document.querySelector('.editor') !== null", True)
    shown.press(Keys.TAB)
    assert shown.run("return document.activeElement.className") == "skip"
    assert shown.find(".skip").is_displayed()
    shown.press(Keys.ENTER)
    shown.until("document.activeElement.id", "main")
    for _ in range(20):
        if shown.run("return document.activeElement.className") == "editor":
            break
        shown.press(Keys.TAB)
        is_ringed = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
        assert shown.run(f"return document.activeElement.className === 'editor' || {is_ringed}"), (
            shown.run("return document.activeElement.outerHTML")
        )
    shown.press(Keys.BACKSPACE * 200, Keys.DELETE * 200, IN_A_LINE)
    shown.until(TEXT, IN_A_LINE)
    shown.press(Keys.ESCAPE, Keys.TAB)
    assert shown.run("return document.activeElement.textContent") == "Check"
    shown.press(Keys.ENTER)
    shown.sees("All tests passed", "#verdict")
    # One is where one was, and the next Tab is at what the verdict offers.
    shown.press(Keys.TAB)
    assert shown.run("return document.activeElement.closest('#verdict') !== null")


# Every page in every state


def is_for_everybody(shown: Visit) -> None:
    """A screen reader finds its way, in light and dark; a small phone scrolls down only."""
    for scheme in ("light", "dark"):
        shown.scheme(scheme)
        assert shown.obstacles() == []
    for width in (320, 390):
        shown.size(width)
        assert shown.width() <= width
    shown.scheme("light")
    assert shown.obstacles() == []
    shown.size(1280, 900)


def newest(service: Service, person: str) -> str:
    return service.database.history(person, "hw1")[-1].id


def opens_hints(shown: Visit) -> None:
    shown.sign_in("new").go(PAGE)
    for words, said in (("A hint", "Hint 1"), ("The next hint", "Hint 2")):
        shown.click(words)
        shown.sees(said)
    shown.click("Details")


def waits(shown: Visit) -> str:
    """An attempt that nobody judges."""
    service = shown.service
    who = service.people.named("eve")
    assert who is not None
    if not (there := service.database.history("eve", "hw1")):
        _, exercise = service.exercise(who, "hw1", "double")
        return service.submit(who, "hw1", [(exercise, "", WRONG)])[0].id
    return there[0].id


def opened(shown: Visit, path: str, *summaries: str) -> Visit:
    shown.go(path)
    for words in summaries:
        shown.click(words)
    return shown


def broken(shown: Visit) -> Visit:
    shown.service.broken[LONG] = "the suite fails on its own solution:\nwhich is long"
    return shown


STATES: dict[str, Callable[[Visit], object]] = {
    "welcome": lambda shown: shown.go("/"),
    "link": lambda shown: shown.go("/enter/" + "x" * 32),
    "another's link": lambda shown: shown.sign_in("ada").go("/enter/" + "x" * 32),
    "used link": lambda shown: opened(shown, "/enter/" + "x" * 32, "Sign in on").sees(
        "This link was used"
    ),
    "signed out": lambda shown: shown.go("/a/hw1"),
    "home": lambda shown: shown.sign_in("old").go("/"),
    "teacher's home": lambda shown: shown.sign_in(TEACHER.id).go("/"),
    "assignment": lambda shown: shown.sign_in("ada").go("/a/hw1"),
    "nothing there": lambda shown: shown.sign_in("ada").go("/a/hw2"),
    "exercise": lambda shown: shown.sign_in("ben").go(PAGE),
    "hints": opens_hints,
    "failed": lambda shown: shown.sign_in("ada").go(PAGE),
    "passed": lambda shown: opened(shown.sign_in("old"), PAGE, "Why it works", "2 attempts"),
    "waits": lambda shown: (waits(shown), shown.sign_in("eve").go(PAGE)),
    "can't be judged": lambda shown: (
        broken(shown).sign_in("ben").go(f"/a/hw1/{LONG.rpartition('/')[2]}")
    ),
    "attempt": lambda shown: shown.sign_in("old").go(f"/attempts/{newest(shown.service, 'old')}"),
    "attempt that waits": lambda shown: shown.sign_in("eve").go(f"/attempts/{waits(shown)}"),
    "attempt for a teacher": lambda shown: opened(
        shown.sign_in(TEACHER.id), f"/attempts/{newest(shown.service, 'ada')}", "A number is"
    ),
    "me": lambda shown: shown.sign_in("ben").go("/me"),
    "me, with a link": lambda shown: opened(shown.sign_in("ada"), "/me", "Create a link").find(
        "code.long"
    ),
    "me, with a token": lambda shown: opened(shown.sign_in("ada"), "/me", "Create a token").find(
        "code.long"
    ),
    "board": lambda shown: broken(shown).sign_in(TEACHER.id).go("/t/hw1"),
    "student": lambda shown: shown.sign_in(TEACHER.id).go("/t/hw1/student?id=ada"),
    "student without work": lambda shown: shown.sign_in(TEACHER.id).go("/t/hw1/student?id=ben"),
}  # fmt: skip


@pytest.mark.parametrize("state", STATES)
def test_everybody_can_read_it(shown: Visit, class_: Service, state: str) -> None:
    shown.size(1280, 900)
    STATES[state](shown)
    if shown.find("main").text and shown.driver.find_elements("id", "text"):
        shown.until("document.querySelector('.editor') !== null", True)
    is_for_everybody(shown)
    shown.expect("401", "403", "404")
    class_.broken.clear()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_button_can_be_read_under_the_mouse(shown: Visit, scheme: str) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.by import By

    shown.scheme(scheme)
    shown.sign_in("ada").go("/me")
    for button in shown.driver.find_elements(By.CSS_SELECTOR, "button")[:3]:
        ActionChains(shown.driver).move_to_element(button).perform()
        assert shown.obstacles() == []
