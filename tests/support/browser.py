"""The pages of a class in Chromium, driven by Selenium."""

from __future__ import annotations

import base64
import contextlib
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any, Final

from selenium import webdriver
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
AXE: Final = TESTS / "node_modules" / "axe-core" / "axe.min.js"
LIVE: Final = ".points[aria-disabled=false]"
"""The points of a board that waits for a move."""
FORWARD: Final = ".buttons .main"
"""The button that goes on."""
SHOWN: Final = """
const [css, text] = arguments;
const shown = [...document.querySelectorAll(css)].filter(
  (element) => element.checkVisibility() && element.textContent.includes(text));
"""
PLACES: Final = f"""
{SHOWN}
return shown.slice(0, 1).map((element) => {{
  element.scrollIntoView({{block: "nearest"}});
  const {{left, top, width, height}} = element.getBoundingClientRect();
  return [Math.round(left + width / 2), Math.round(top + height / 2)];
}}).filter(([x, y]) => shown[0].contains(document.elementFromPoint(x, y)));
"""
"""The middle of the first element that is shown and has this text, unless another one covers it."""
FAULTS: Final = """
const done = arguments[0];
const said = ({id, nodes}) => id + ": " + nodes.map(({target}) => target.join(" ")).join(", ");
axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]})
  .then(({violations}) => done(violations.map(said)));
"""
OUTSIDE: Final = """
const found = [];
for (const element of document.querySelectorAll("button, .button, input, select, h1:not(.unseen), h2, p, .board")) {
  const {left, right, top, bottom} = element.getBoundingClientRect();
  const name = element.tagName + " " + element.className + " " + element.textContent.slice(0, 30);
  if (left < -1 || right > innerWidth + 1) found.push("beyond the side: " + name);
  if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth) found.push("cut off: " + name);
  const fixed = element.closest(".session") && !element.closest(".talk") && document.body.dataset.page === "child";
  if (fixed && (top < -1 || bottom > innerHeight + 1)) found.push("beyond the end: " + name);
}
return found;
"""
"""A script that finds elements that are not wholly on the screen. Sentences and the teacher's page may scroll."""


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium without a window."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser, driver = (shutil.which(program) for program in PROGRAMS)
    options.binary_location = browser or ""
    started_driver = webdriver.Chrome(options, Service(driver))
    started_driver.set_script_timeout(HANG)
    try:
        yield Browser(started_driver)
    finally:
        started_driver.quit()


class Browser:
    """A browser with one current page."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def command(self, name: str, **fields: Any) -> Any:
        """Send a command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, fields)

    def run(self, script: str, *values: Any) -> Any:
        """Run a script, and return its result."""
        return self.driver.execute_script(script, *values)

    def size(self, width: int, height: int) -> None:
        """Set the size of the screen in pixels, and let the page follow."""
        fields = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.command("Emulation.setDeviceMetricsOverride", **fields)
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

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
        self.size(1366, 768)
        self.open(address)

    def join(self, server: Served, name: str) -> None:
        """Come in as a new child."""
        self.driver.delete_all_cookies()
        self.open(server.base)
        self.driver.delete_all_cookies()
        self.open(server.base)
        self.see("[name=word]").send_keys(server.room.word.lower())
        self.see("[name=name]").send_keys(name)
        self.tap("form .main")
        self.see(".session .name", name)

    def all(self, css: str, text: str = "") -> list[WebElement]:
        """Return the elements that are shown now and have this text."""
        found: list[WebElement] = self.run(f"{SHOWN} return shown;", css, text)
        return found

    def see(self, css: str, text: str = "") -> Any:
        """Wait for an element that is shown and has this text, and return it."""
        return self._first(lambda: self.all(css, text))

    def miss(self, css: str, text: str = "") -> None:
        """Wait until no such element is shown."""
        wait_until(lambda: not self.all(css, text))

    def tap(self, css: str, text: str = "", kind: str = POINTER_MOUSE) -> None:
        """Click on an element, or touch it with a finger, once it is there."""
        x, y = self._first(lambda: self.run(PLACES, css, text))
        pointer = ActionBuilder(self.driver, mouse=PointerInput(kind, kind), duration=0)  # type: ignore[no-untyped-call]
        pointer.pointer_action.move_to_location(x, y).pointer_down().pointer_up()  # type: ignore[no-untyped-call]
        pointer.perform()

    @staticmethod
    def _first(find: Callable[[], list[Any]]) -> Any:
        """Wait until something is found, and return the first element."""
        found: list[Any] = []

        def look() -> bool:
            found[:] = find()
            return bool(found)

        wait_until(look)
        return found[0]

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
        script = "return [...document.querySelectorAll('[data-vertex]')].map((e) => [e.dataset.vertex, e.ariaLabel])"
        return dict(self.run(script))

    def free(self) -> list[str]:
        """Return the empty points."""
        return [vertex for vertex, label in self.board().items() if label.endswith("empty")]

    def faults(self) -> list[str]:
        """Return the faults that axe-core finds on the page."""
        self.run(AXE.read_text())
        found: list[str] = self.driver.execute_async_script(FAULTS)
        return found

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
        found = [entry["message"] for entry in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]
        return [text for text in found if not re.search("net::ERR|Failed to load resource|ERR_", text)]

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

    def measure(self, name: str) -> float:
        """Return a measurement of the DevTools protocol."""
        metrics = {entry["name"]: entry["value"] for entry in self.command("Performance.getMetrics")["metrics"]}
        return float(metrics[name])


def sizes(browser: Browser) -> dict[str, int]:
    """Return the bytes of each file that the page has loaded."""
    script = "return performance.getEntries().map(({name, encodedBodySize}) => [name, encodedBodySize || 0])"
    return {name: size for name, size in browser.run(script) if size}
