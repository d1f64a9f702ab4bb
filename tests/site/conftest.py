"""The browser of tests/browser, for the pages of the site."""

import importlib.util
from pathlib import Path

SHARED = Path(__file__).parents[1] / "browser" / "conftest.py"
spec = importlib.util.spec_from_file_location("browser_of_pages", SHARED)
shared = importlib.util.module_from_spec(spec)
spec.loader.exec_module(shared)
browser = shared.browser
