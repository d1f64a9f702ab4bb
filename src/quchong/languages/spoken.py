"""Language that is spoken, and translation of messages by its catalogue.

In Python the language of `set_default_language` is spoken, else that of QUCHONG_LANG, else English; the command line speaks the
language asked for, or that of the locale. Views of notebooks and pages follow the locale too (`language_of_place`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
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
_spoken: ContextVar[Language | None] = ContextVar("language", default=None)
_default: list[Language] = []
"""Language of this process, if one was chosen: one item or none."""
_renaming: ContextVar[Callable[[str], str] | None] = ContextVar("renaming", default=None)


def language() -> Language:
    """Return the language in use: that of `speaking`, of `set_default_language`, of QUCHONG_LANG, else English."""
    if (spoken := _spoken.get()) is not None:
        return spoken
    return _default[0] if _default else known_language(os.environ.get(VARIABLES[0], "")) or "en"


def set_default_language(chosen: Language | None) -> None:
    """Set the language of this process outside of `speaking` blocks; None returns to that of the environment."""
    _default[:] = [] if chosen is None else [chosen]


@contextmanager
def speaking(chosen: Language | None) -> Iterator[None]:
    """Set the language that is spoken within the block; None leaves it unchanged."""
    before = _spoken.set(chosen or _spoken.get())
    try:
        yield
    finally:
        _spoken.reset(before)


@contextmanager
def renaming(change: Callable[[str], str]) -> Iterator[None]:
    """Apply `change` to the template of every message translated in the block, for example to rename options; values are unchanged."""
    before = _renaming.set(change)
    try:
        yield
    finally:
        _renaming.reset(before)


def known_language(word: str) -> Language | None:
    """Return the language of a word or locale name such as zh, zh_CN.UTF-8 or en; None for others."""
    word = word.lower()
    if word.startswith(("zh", "chinese")):
        return "zh"
    return "en" if word.startswith(("en", "c", "posix")) else None


def language_of_place(environment: Mapping[str, str] | None = None) -> Language:
    """Return the language set for this process, else Chinese if QUCHONG_LANG or the locale names it, else English.

    Args:
        environment: looked at alone; None for that of the process and `set_default_language`.

    >>> language_of_place({"LANG": "zh_CN.UTF-8"})
    'zh'
    >>> language_of_place({"LANG": "zh_CN.UTF-8", "QUCHONG_LANG": "en"})
    'en'
    """
    if environment is None and _default:
        return _default[0]
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
    """Return a message in the language in use; unchanged if the catalogue lacks it.

    Args:
        context: distinguishes messages that are equal in English, such as a stage called "read" and a column of that name.

    >>> with speaking("zh"):
    ...     translated("removed"), translated("nobody says this")
    ('删除', 'nobody says this')
    """
    chosen, change = language(), _renaming.get()
    found = template
    if chosen != "en" and template:
        known = catalogue(chosen)
        found = known.pgettext(context, template) if context else known.gettext(template)
    return found if change is None else change(found)


_OF_VALUES = ("page", "relation listed", "relation", "")
"""Contexts of messages that are values of options too."""


def word_of_chinese(word: str, values: Iterable[str]) -> str | None:
    """Return the value whose Chinese word, by the catalogue, is `word` or begins with it; None if there is none.

    >>> word_of_chinese("数字", ["date", "figure"]), word_of_chinese("严格", ["strict"]), word_of_chinese("无", ["strict"])
    ('figure', 'strict', None)
    """
    known = catalogue("zh")
    told = [
        (known.pgettext(context, one) if context else known.gettext(one), one)
        for one in values
        for context in _OF_VALUES
    ]
    same = next((one for said, one in told if said.partition(" ")[0] == word), None)
    return same or next((one for said, one in told if len(word) > 1 and said.startswith(word)), None)


def translated_number(one: str, many: str, n: int) -> str:
    """Return a message that differs by number in the language that is spoken; in English `one` is for 1 only."""
    chosen = language()
    return (one if n == 1 else many) if chosen == "en" else catalogue(chosen).ngettext(one, many, n)
