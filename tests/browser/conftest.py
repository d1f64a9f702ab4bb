"""A headless Chromium for tests of pages, and the folder where they leave their screenshots."""

import json
import shutil
from pathlib import Path

import pytest

import quchong as qc

ROOT = Path(__file__).parents[2]
SCREENSHOTS = ROOT / "build" / "screenshots"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--force-prefers-reduced-motion", "--lang=en-GB",
)  # fmt: skip


class Browser:
    """A browser that knows what its pages asked for and complained of."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, page, width=1280, height=900, dark=False):
        """Opens a file, as a screen of this size shows it."""
        self.said()
        self.asked()
        self.screen(width, height, dark)
        self.driver.get(Path(page).resolve().as_uri())
        # A page remembers the language and colours that an earlier test chose: what was remembered is forgotten, and the page drawn anew.
        if self.js("try { const n = localStorage.length; localStorage.clear(); return n } catch { return 0 }"):
            self.driver.get(Path(page).resolve().as_uri())
        self.until("document.documentElement.dataset.drawn === 'true'")
        return self

    def screen(self, width=1280, height=900, dark=False):
        """A screen of this size and colour."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})

    def until(self, script, *arguments, seconds=20):
        """Waits until JavaScript gives something true, and returns it."""
        from selenium.webdriver.support.wait import WebDriverWait

        return WebDriverWait(self.driver, seconds, 0.02).until(
            lambda _: self.js(f"return {script}", *arguments), script
        )

    def js(self, script, *arguments):
        """Runs JavaScript in the page, past its policy, as a developer's console does."""
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0]).innerText", selector)

    def choose(self, selector, value):
        """Chooses an entry of a select, as a person would."""
        self.js(
            "const s = document.querySelector(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))",
            selector,
            value,
        )

    def slide(self, step):
        """Moves the slider."""
        self.js(
            "const s = document.getElementById('slider'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))",
            step,
        )

    def said(self):
        """What the console has said since it was asked last."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def asked(self):
        """Addresses asked for since last time, but those of files, of data, and of the browser's own first page."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        return [url for url in sent if not url.startswith(("file:", "data:", "about:", "chrome:"))]

    def shoot(self, name):
        """Leaves a screenshot."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(SCREENSHOTS / f"{name}.png"))


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """One browser for all tests of a worker; skipped where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed (test group)")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("no Chromium with its driver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield Browser(opened)
    finally:
        opened.quit()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The run over the sample of news, in a folder."""
    return qc.dedup(ROOT / "examples" / "news.jsonl", out=tmp_path_factory.mktemp("runs") / "news")


@pytest.fixture(scope="module")
def page(run, tmp_path_factory):
    """The report of that run."""
    return run.report(tmp_path_factory.mktemp("pages") / "news.html", lang="en")


@pytest.fixture
def quiet(request):
    """No page may complain in the console or ask anybody for anything."""
    yield
    if "browser" in request.fixturenames:
        browser = request.getfixturevalue("browser")
        assert browser.said() == []
        assert browser.asked() == []
