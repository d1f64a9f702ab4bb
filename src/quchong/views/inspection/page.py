"""HTML file of what a method sees, in both languages: no script, nothing loaded, under a strict content security policy."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from quchong.engines.local.inspection import MethodSights
from quchong.errors import InputError, OutputError
from quchong.languages import Message, page_word
from quchong.outputs import Place, check_apart, check_regular, local, staged
from quchong.outputs.replacing import check_replaceable_file
from quchong.report.markup import Html, join_html, markup
from quchong.views.inspection.markup import STYLE, drawn
from quchong.views.inspection.words import WORDS
from quchong.views.page import allowed, styles
from quchong.views.words import LANGUAGES, Language, default_language

GENERATOR = "quchong inspect"
_CHOICE = """
.choose{border:0;display:flex;gap:1em;max-width:76rem;margin:.6rem auto;padding:0 1.25rem}
main>[lang]{display:none}
:root:has(#lang-zh:checked) main>[lang="zh-Hans"],:root:has(#lang-en:checked) main>[lang="en"]{display:block}
@media print{.choose{display:none}}
""".replace("\n", "")
_POLICY = "default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'"
_NAMES = {"zh": "中文", "en": "English"}


def page(seen: MethodSights, language: Language) -> Html:
    """Return the page as HTML, with `language` shown first."""
    style = Html(styles() + STYLE + _CHOICE)
    title = markup(page_word(language, WORDS["title.page"]), seen.method)
    choices = join_html(
        markup('<label><input type="radio" name="lang" id="lang-{}"{}> {}</label>', Html(one),
               Html(" checked" if one == language else ""), _NAMES[one])
        for one in sorted(LANGUAGES, reverse=True)
    )  # fmt: skip
    return markup(
        '<!doctype html>\n<html lang="{}">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="{}">\n<meta name="generator" content="{}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n'
        '<meta name="color-scheme" content="light dark">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n'
        '<fieldset class="choose" aria-label="{}">{}</fieldset>\n<main>{}</main>\n</body>\n</html>\n',
        Html("zh-Hans" if language == "zh" else "en"), Html(_POLICY.format(allowed(style))), Html(GENERATOR), title, style,
        Html(" / ".join(page_word(one, WORDS["language"]) for one in LANGUAGES)), choices, join_html(drawn(seen, one) for one in LANGUAGES),
    )  # fmt: skip


def write_page(
    seen: MethodSights,
    path: Path,
    language: Language | None = None,
    *,
    overwrite: bool = False,
    read: Iterable[Place] = (),
) -> Path:
    """Write the page atomically and return its path.

    Args:
        language: the language shown first; None takes that of the environment.
        overwrite: True to replace an earlier page of this kind; no other file is replaced.
        read: inputs, which must not be overwritten.

    Raises:
        OutputError: the file exists, is inside a run folder or an input, or cannot be written.
    """
    if path.suffix.lower() not in ("", ".html", ".htm"):
        raise OutputError(
            "the page is a web page, but {} ends in {}: choose another name, such as {}",
            path,
            path.suffix,
            path.with_suffix(".html"),
        )
    check_apart(read, local([path]))
    place = Path(os.path.realpath(path))

    def check() -> None:
        if not place.parent.is_dir():
            raise OutputError(
                "cannot write {}: there is no folder {}; make it, or choose another place", path, place.parent
            )
        if os.path.lexists(place):
            _check_replaceable(path, place, overwrite)

    made = page(seen, language or default_language()).encode("utf-8", "replace")
    with staged(place, check, "make room or choose another place") as new:
        new.write_bytes(made)
    return path


def _check_replaceable(path: Path, place: Path, overwrite: bool) -> None:
    if place.is_dir():
        raise OutputError("cannot write {}: it is a folder; name a file, such as seen.html", path)
    check_replaceable_file(place, Message("a page of quchong inspect"), _is_own_page, overwrite=overwrite, shown=path)


def _is_own_page(place: Path) -> bool:
    try:
        check_regular(place)
        with place.open("rb") as file:
            return f'name="generator" content="{GENERATOR}"'.encode() in file.read(4000)
    except (OSError, InputError):
        return False
