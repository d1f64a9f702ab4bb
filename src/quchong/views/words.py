"""Words of the page, in English and Chinese."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from quchong.languages import LANGUAGES, Language, Message, speaking
from quchong.languages import language_of_place as default_language
from quchong.relations import TABLE

__all__ = ["LANGUAGES", "Language", "default_language", "words"]


@cache
def words() -> dict[str, dict[str, str]]:
    """Return every word of the page by its key, then by language; `{0}` or `{name}` is a place for a value."""
    text = files("quchong.views").joinpath("words.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = json.loads(text)
    return found | {f"relation.{one.name}": _both(one.words.listed) for one in TABLE}


def _both(message: Message) -> dict[str, str]:
    """Return a message in every language."""
    told: dict[str, str] = {}
    for chosen in LANGUAGES:
        with speaking(chosen):
            told[chosen] = message.told()
    return told
