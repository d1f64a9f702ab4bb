"""Draw the pictures of a report that README shows: docs/images/report.png and report.zh-CN.png.

Each shows two articles of the sample side by side. Needs Chromium with its driver, Pillow and fonts for Chinese:

    python tools/report_pictures.py
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from selenium import webdriver

import quchong as qc

ROOT = Path(__file__).resolve().parents[1]
WIDTH, HEIGHT, COLOURS = 1160, 720, 64
PICTURES = {"en": ("report.png", "n038", "n033"), "zh": ("report.zh-CN.png", "n030", "n032")}
"""The picture of each language, the removed article in it and its survivor."""
OPEN = """
const shown = quchong.model.pairs.findIndex(p => quchong.model.documents.id[p.left] === arguments[0]
  && quchong.model.documents.id[p.right] === arguments[1]);
quchong.openPair(shown);
return shown;
"""


def open_browser() -> webdriver.Chrome:
    """Return a browser without a window, of the pictures' size."""
    options = webdriver.ChromeOptions()
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--window-size={WIDTH},{HEIGHT}",
    ):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    return driver


def main() -> None:
    """Write both pictures."""
    result = qc.dedup(ROOT / "examples" / "news.jsonl")
    driver = open_browser()
    with tempfile.TemporaryDirectory() as folder:
        for language, (name, removed, survivor) in PICTURES.items():
            driver.get(result.report(Path(folder) / f"{language}.html", lang=language).as_uri())
            if driver.execute_script(OPEN, removed, survivor) < 0:
                raise SystemExit(f"the run has no pair of {removed} and {survivor}")
            picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
            picture.quantize(COLOURS).save(ROOT / "docs" / "images" / name, optimize=True)
    driver.quit()


if __name__ == "__main__":
    main()
