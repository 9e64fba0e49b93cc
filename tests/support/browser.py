"""The pages of a class in Chromium and in WebKit, driven by Selenium."""

from __future__ import annotations

import base64
import contextlib
import functools
import json
import os
import re
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from typing import Any, Final

from selenium import webdriver
from selenium.common import WebDriverException
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_MOUSE, POINTER_TOUCH
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.remote.webelement import WebElement

from .paths import TESTS
from .process import HANG, wait_until
from .served import SECRET, Served

PROGRAMS: Final = ("chromium", "chromedriver")
WEBKIT: Final = ("WebKitWebDriver", "Xvfb")
COMPAT: Final = TESTS / "node" / "compat.mjs"
AXE: Final = TESTS / "node_modules" / "axe-core" / "axe.min.js"
LIVE: Final = ".points[aria-disabled=false]"
"""The points of a board that waits for a move."""
FORWARD: Final = ".buttons .main"
"""The button that goes on."""
SHOWN: Final = """
const [css, text] = arguments;
const seen = (element) => element.getClientRects().length && getComputedStyle(element).visibility === "visible";
const shown = [...document.querySelectorAll(css)].filter(
  (element) => seen(element) && element.textContent.includes(text));
"""
PLACE: Final = f"""
{SHOWN}
const wanted = shown[0];
if (!wanted) return null;
wanted.scrollIntoView({{block: "nearest"}});
const {{left, top, width, height}} = wanted.getBoundingClientRect();
const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
if (!wanted.contains(document.elementFromPoint(x, y)) || wanted.closest(".waiting")) return null;
if (window.tapped) window.tapped();
const kinds = ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend", "click"];
const check = (event) => {{
  if (wanted.contains(event.target)) return;
  window.missed = true;
  if (["mousedown", "click"].includes(event.type)) event.preventDefault();
  event.stopImmediatePropagation();
}};
window.missed = false;
window.tapped = () => kinds.forEach((kind) => removeEventListener(kind, check, true));
kinds.forEach((kind) => addEventListener(kind, check, true));
return [x, y];
"""
"""The middle of the first element that is shown and has this text, unless another one covers it, or an action is under
way: then it takes no tap. Until `TAPPED` runs, a tap beside it does nothing: the page may move before the tap comes.
"""
TAPPED: Final = "if (window.tapped) window.tapped(); return Boolean(window.missed);"
"""Ends what `PLACE` began; true if the tap came beside the element."""
WATCH: Final = """
(async (...values) => {{
  const look = function () {{ {} }};
  for (const end = Date.now() + 1000; !look(...values) && Date.now() < end;) {{
    await new Promise((go) => setTimeout(go, 20));
  }}
}})(...{})
"""
"""Waits, for at most a second, until a script returns a value."""
FAULTS: Final = """
const done = arguments[0];
const said = ({id, nodes}) => id + ": " + nodes.map(({target}) => target.join(" ")).join(", ");
axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]})
  .then(({violations}) => done(violations.map(said)));
"""
OUTSIDE: Final = """
const faults = [];
for (const element of document.querySelectorAll("button, .button, input, select, h1:not(.unseen), h2, p, .board")) {
  const {left, right, top, bottom} = element.getBoundingClientRect();
  const name = element.tagName + " " + element.className + " " + element.textContent.slice(0, 30);
  if (left < -1 || right > innerWidth + 1) faults.push("beyond the side: " + name);
  if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth) faults.push("cut off: " + name);
  const fixed = element.closest(".session") && !element.closest(".talk") && document.body.dataset.page === "child";
  if (fixed && (top < -1 || bottom > innerHeight + 1)) faults.push("beyond the end: " + name);
}
return faults;
"""
"""A script that finds elements that are not wholly on the screen. Sentences and the teacher's page may scroll."""


REACH: Final = """
const [least] = arguments;
const faults = [];
if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the screen");
const here = document.querySelector("dialog[open]") || document;
for (const element of here.querySelectorAll("button, .button, input, select, h1, h2, p, td, .board")) {
  const name = element.tagName + " " + element.className + " " + element.textContent.slice(0, 30);
  if (!element.getClientRects().length || element.closest(".unseen, .points")) continue;
  if (element.matches("p") && !element.textContent) continue;
  element.scrollIntoView({block: "center", inline: "center"});
  const {left, right, top, bottom, width} = element.getBoundingClientRect();
  const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  if (!there || !(element.contains(there) || there.contains(element))) faults.push("out of reach: " + name);
  if (!element.closest("table") && (left < -1 || right > innerWidth + 1)) faults.push("beyond the side: " + name);
  if (parseFloat(getComputedStyle(element).fontSize) < 11) faults.push("too small to read: " + name);
  if (element.matches(".session .board") && width < least) faults.push("a board of " + width);
}
return faults;
"""
"""A script that finds what cannot be reached by scrolling or read, and boards of less than a width."""


SLOWEST: Final = 0.25
"""Seconds of the processor for the start of a page: at most a second where it is four times as slow."""


@functools.cache
def old_script() -> str:
    """Return a script that takes away what Safari 13.1 or Chrome 80 does not have."""
    return subprocess.run(["node", COMPAT, "script"], check=True, capture_output=True, text=True).stdout


@contextlib.contextmanager
def webkit() -> Iterator[Browser]:
    """Start WebKit on a display of its own."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x900x24", "-nolisten", "tcp"]
    with (
        subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as display,
        os.fdopen(reading) as number,
    ):
        os.close(writing)
        driver = None
        try:
            environment = {**os.environ, "DISPLAY": f":{number.readline().strip()}"}
            service = webdriver.WebKitGTKService(shutil.which(WEBKIT[0]), env=environment)
            with warnings.catch_warnings():  # this driver of Selenium calls its own base class as it should not
                warnings.simplefilter("ignore", DeprecationWarning)
                driver = webdriver.WebKitGTK(service=service)
            driver.set_script_timeout(HANG)
            yield Browser(driver)
        finally:
            if driver is not None:
                driver.quit()
            display.terminate()


@contextlib.contextmanager
def chromium(*, script: str = "", cookies: bool = True) -> Iterator[Browser]:
    """Start Chromium without a window.

    `script`: runs before the scripts of each page; `cookies`: whether it keeps any.
    """
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if not cookies:
        options.add_experimental_option("prefs", {"profile.default_content_setting_values.cookies": 2})
    browser, driver = (shutil.which(program) for program in PROGRAMS)
    options.binary_location = browser or ""
    started_driver = webdriver.Chrome(options, Service(driver))
    started_driver.set_script_timeout(HANG)
    try:
        yield Browser(started_driver, script)
    finally:
        started_driver.quit()


class Browser:
    """A browser with one current page."""

    def __init__(self, driver: Any, script: str = "") -> None:
        self.driver, self._script = driver, script
        self._prepare()

    def _prepare(self) -> None:
        if self._script:
            self.command("Page.addScriptToEvaluateOnNewDocument", source=self._script)

    def command(self, name: str, **fields: Any) -> Any:
        """Send a command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, fields)

    def run(self, script: str, *values: Any) -> Any:
        """Run a script, and return its result."""
        return self.driver.execute_script(script, *values)

    def size(self, width: int, height: int, *scripts: str) -> list[str]:
        """Set the size of the screen in pixels, let the page follow, and return all that scripts find then."""
        fields = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.command("Emulation.setDeviceMetricsOverride", **fields)
        calls = ", ".join(f"...(() => {{ {script} }})()" for script in scripts)
        look = f"const [done] = arguments, look = () => done([{calls}]);"
        follow = "requestAnimationFrame(() => requestAnimationFrame(look));"
        return list(self.driver.execute_async_script(f"{look} {follow}"))

    def speak(self, language: str) -> None:
        """Set the language of the browser, of which it tells the server."""
        agent = self.run("return navigator.userAgent")
        self.command("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=language)

    def open(self, address: str) -> None:
        """Open a page."""
        self.driver.get(address)

    def teach(self, server: Served) -> None:
        """Open the teacher's page."""
        self.open(f"{server.base}/teacher?key={SECRET}")
        self.see(".orders button")

    def new_tab(self, address: str) -> None:
        """Open a page in a new tab; it becomes the current page."""
        self.driver.switch_to.new_window("tab")
        self._prepare()
        self.size(1366, 768)
        self.open(address)

    def forget(self) -> None:
        """Delete all cookies, of which WebKit has none as it begins."""
        if isinstance(self.driver, webdriver.Chrome):
            self.command("Network.clearBrowserCookies")

    def join(self, server: Served, name: str) -> None:
        """Come in as a new child."""
        self.forget()
        self.open(server.base)
        self.see("[name=word]").send_keys(server.room.word.lower())
        self.see("[name=name]").send_keys(name)
        self.tap("form .main")
        self.see(".session .name", name)

    def all(self, css: str, text: str = "") -> list[WebElement]:
        """Return the elements that are shown now and have this text."""
        shown: list[WebElement] = self.run(f"{SHOWN} return shown;", css, text)
        return shown

    def see(self, css: str, text: str = "") -> Any:
        """Wait for an element that is shown and has this text, and return it."""
        return self._wait(f"{SHOWN} return shown[0];", css, text)

    def miss(self, css: str, text: str = "") -> None:
        """Wait until no such element is shown."""
        self._wait(f"{SHOWN} return !shown.length;", css, text)

    def tap(self, css: str, text: str = "", kind: str = POINTER_MOUSE) -> None:
        """Click on an element, or touch it with a finger, once it is there."""
        is_missed = True
        while is_missed:
            x, y = self._wait(PLACE, css, text)
            pointer = ActionBuilder(self.driver, mouse=PointerInput(kind, kind), duration=0)  # type: ignore[no-untyped-call]
            pointer.pointer_action.move_to_location(x, y).pointer_down().pointer_up()  # type: ignore[no-untyped-call]
            pointer.perform()
            is_missed = self.run(TAPPED)

    def _wait(self, script: str, *values: Any) -> Any:
        """Wait until a script returns a value, and return it."""
        value = None

        def look() -> Any:
            nonlocal value
            value = self.run(script, *values)
            if not value:
                self._watch(script, *values)
            return value

        wait_until(look)
        return value

    def _watch(self, script: str, *values: Any) -> None:
        """Wait in the page, at most a second, until a script returns a value: a command takes as long as 50 looks."""
        if isinstance(self.driver, webdriver.Chrome):
            with contextlib.suppress(WebDriverException):  # another page is loaded
                expression = WATCH.format(script, json.dumps(values))
                self.command("Runtime.evaluate", expression=expression, awaitPromise=True)

    def touch(self, css: str) -> None:
        """Touch an element with a finger."""
        self.tap(css, kind=POINTER_TOUCH)

    def press(self, *keys: str) -> None:
        """Press keys."""
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def focused(self, name: str) -> str:
        """Return an attribute of the element with the focus."""
        return str(self.run("return document.activeElement.getAttribute(arguments[0])", name))

    def go_to(self, vertex: str) -> None:
        """Move the focus to a point by the keyboard alone."""
        for _ in range(60):
            if self.focused("role") == "gridcell":
                break
            self.press(Keys.TAB)
        here = self.focused("data-vertex")
        across, up = ord(vertex[0]) - ord(here[0]), int(vertex[1:]) - int(here[1:])
        self.press(*[Keys.ARROW_RIGHT if across > 0 else Keys.ARROW_LEFT] * abs(across))
        self.press(*[Keys.ARROW_UP if up > 0 else Keys.ARROW_DOWN] * abs(up))
        assert self.focused("data-vertex") == vertex

    def board(self) -> dict[str, str]:
        """Return the text that a screen reader says about each point."""
        script = "return [...document.querySelectorAll('[data-vertex]')].map((e) => [e.dataset.vertex, e.%s])"
        return dict(self.run(script % "getAttribute('aria-label')"))

    def free(self) -> list[str]:
        """Return the empty points."""
        return [vertex for vertex, label in self.board().items() if label.endswith("empty")]

    def faults(self) -> list[str]:
        """Return the faults that axe-core finds on the page."""
        if not self.run("return Boolean(window.axe)"):
            self.run(AXE.read_text())
        faults: list[str] = self.driver.execute_async_script(FAULTS)
        return faults

    def out_of_reach(self, least: int) -> list[str]:
        """Return what cannot be reached by scrolling or read, and boards that are narrower than this."""
        return list(self.run(REACH, least))

    def outside(self) -> list[str]:
        """Return the elements that are not wholly on the screen."""
        return list(self.run(OUTSIDE))

    def cut_off(self, lost: bool) -> None:
        """Take the network away, or bring it back."""
        fields = {"offline": lost, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.command("Network.enable")
        self.command("Network.emulateNetworkConditions", **fields)

    def picture(self) -> bytes:
        """Return a screenshot in the format WebP."""
        return base64.b64decode(self.command("Page.captureScreenshot", format="webp", quality=85)["data"])

    def complaints(self) -> list[str]:
        """Return the browser's error messages since the last call, without lost connections and refusals."""
        messages = [entry["message"] for entry in self.driver.get_log("browser")]
        return [text for text in messages if not re.search("net::ERR|Failed to load resource|ERR_", text)]

    def first_event(self) -> int:
        """Return the size in bytes of the first event of a child's page."""
        script = """const done = arguments[0];
        fetch("/events?as=child", {cache: "no-store"}).then(async ({body}) => {
          const reader = body.getReader();
          let size = 0;
          for (let text = ""; !text.includes("\\n\\n");) {
            const {value} = await reader.read();
            size += value.length;
            text += new TextDecoder().decode(value);
          }
          reader.cancel();
          done(size);
        });"""
        return int(self.driver.execute_async_script(script))

    def start_seconds(self, address: str, css: str) -> float:
        """Open a page that is not in the cache; return the seconds of the processor until an element is shown."""
        self.command("Network.clearBrowserCache")
        self.open("about:blank")
        self.command("Performance.enable", timeDomain="threadTicks")
        before = self._busy()
        self.open(address)
        self.see(css)
        return self._busy() - before

    def _busy(self) -> float:
        """Return the seconds for which the page has used the processor."""
        metrics = {entry["name"]: entry["value"] for entry in self.command("Performance.getMetrics")["metrics"]}
        return float(metrics["TaskDuration"])


def sizes(browser: Browser) -> dict[str, int]:
    """Return the bytes of each file that the page has loaded."""
    script = "return performance.getEntries().map(({name, encodedBodySize}) => [name, encodedBodySize || 0])"
    return {name: size for name, size in browser.run(script) if size}
