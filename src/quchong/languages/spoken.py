"""Language that is spoken, and translation of messages by its catalogue.

In Python English is spoken unless `speaking` sets another language; the command line speaks the language asked for,
or that of the locale.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from gettext import NullTranslations

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")
CATALOGUES = Path(__file__).parent
"""Folder of the catalogues, as gettext searches it: zh/LC_MESSAGES/quchong.mo."""
VARIABLES = ("QUCHONG_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables that name a language; the first one that is set counts."""
_spoken: ContextVar[Language] = ContextVar("language", default="en")


def language() -> Language:
    """Return the language that is spoken here; English by default."""
    return _spoken.get()


@contextmanager
def speaking(chosen: Language | None) -> Iterator[None]:
    """Set the language that is spoken within the block; None leaves it unchanged."""
    before = _spoken.set(chosen or _spoken.get())
    try:
        yield
    finally:
        _spoken.reset(before)


def known_language(word: str) -> Language | None:
    """Return the language of a word or locale name such as zh, zh_CN.UTF-8 or en; None for others."""
    word = word.lower()
    if word.startswith(("zh", "chinese")):
        return "zh"
    return "en" if word.startswith(("en", "c", "posix")) else None


def language_of_place(environment: Mapping[str, str] | None = None) -> Language:
    """Return Chinese if QUCHONG_LANG, or else the locale, names it; English otherwise.

    >>> language_of_place({"LANG": "zh_CN.UTF-8"})
    'zh'
    >>> language_of_place({"LANG": "zh_CN.UTF-8", "QUCHONG_LANG": "en"})
    'en'
    """
    place = os.environ if environment is None else environment
    said = next((place[name] for name in VARIABLES if place.get(name)), "")
    return known_language(said) or "en"


_further: dict[str, Path] = {}
"""Catalogues of other packages: domain and folder."""


def add_catalogue(domain: str, folder: Path) -> None:
    """Add the catalogue of another package: messages that quchong's catalogue does not have are looked up there.

    Args:
        domain: name of its file, folder/zh/LC_MESSAGES/domain.mo.
        folder: folder of its languages.
    """
    _further[domain] = folder
    catalogue.cache_clear()


@cache
def catalogue(chosen: Language) -> NullTranslations:
    """Return the catalogue of a language, followed by those of other packages; an empty one for English, or if the file is missing."""
    from gettext import translation  # here: English needs none

    found = translation("quchong", CATALOGUES, [chosen], fallback=True)
    for domain, folder in _further.items():
        found.add_fallback(translation(domain, folder, [chosen], fallback=True))
    return found


def translated(template: str, context: str = "") -> str:
    """Return a message in the language that is spoken; unchanged if the catalogue does not have it.

    Args:
        context: distinguishes messages that are equal in English, such as a stage called "read" and a column of that name.

    >>> with speaking("zh"):
    ...     translated("removed"), translated("nobody says this")
    ('删除', 'nobody says this')
    """
    chosen = _spoken.get()
    if chosen == "en" or not template:
        return template
    known = catalogue(chosen)
    return known.pgettext(context, template) if context else known.gettext(template)


def translated_number(one: str, many: str, n: int) -> str:
    """Return a message that differs by number in the language that is spoken; in English `one` is for 1 only."""
    chosen = _spoken.get()
    return (one if n == 1 else many) if chosen == "en" else catalogue(chosen).ngettext(one, many, n)
