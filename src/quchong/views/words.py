"""The words of the page, in English and Chinese."""

from __future__ import annotations

import json
import os
from functools import cache
from importlib.resources import files
from typing import Literal

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


@cache
def words() -> dict[str, dict[str, str]]:
    """Every word of the page by its key, then by language. `{0}` or `{name}` stands for what is put in."""
    text = files("quchong.views").joinpath("words.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = json.loads(text)
    return found


def default_language() -> Language:
    """Chinese where QUCHONG_LANG or the locale says so, else English."""
    said = next((os.environ[n] for n in ("QUCHONG_LANG", "LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(n)), "")
    return "zh" if said.lower().startswith(("zh", "chinese")) else "en"
