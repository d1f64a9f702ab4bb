"""Templates of pages: ten invented ones with markup habits of Chinese sites, and the rendering of articles in them.

English pages have the same markup; the words in it are exchanged by lab/web/html/english.txt.

Paragraphs are <p>, lines ended by <br>, nested <div>s, table cells, <section>s with <span>s, or upper-case <P>. Around
them are menus, breadcrumbs, share bars, advertisements (between paragraphs too), hot lists, comments, disclaimers, and
links to the parts of a split page. The files lab/web/html/*.html contain them, cut into the parts of `Template`; no markup or text
is taken from a real site.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from html import escape
from importlib.resources import files
from typing import NamedTuple

from quchong_lab.rng import Rng
from quchong_lab.web.bodies import Body
from quchong_lab.web.english_sites import ENGLISH
from quchong_lab.web.sites import CHINESE, Customs, Site, comments
from quchong_lab.web.words import Language


class Template(NamedTuple):
    """Markup with {places}. `ad` is inserted between two paragraphs; `page` is the whole page."""

    name: str
    paragraph: str
    heading: str
    between: str
    ad: str
    item: str
    comment: str
    part: str
    page: str


class Sheet(NamedTuple):
    """Content of a page. `parts` are the addresses of all parts of a split page; `part` counts from 1."""

    title: str
    body: Body
    time: datetime
    channel: str
    editors: tuple[str, str]
    source: str
    hot: Sequence[str]
    part: int = 1
    parts: tuple[str, ...] = ()


def _template(name: str, text: str) -> Template:
    parts = re.split(r"^<!-- (\w+) -->\n", text, flags=re.MULTILINE)[1:]
    return Template(name=name, **{key: value.strip("\n") for key, value in zip(parts[::2], parts[1::2], strict=True)})


def _templates(language: Language) -> tuple[Template, ...]:
    folder = files("quchong_lab.web").joinpath("html")
    found = sorted((f for f in folder.iterdir() if f.name.endswith(".html")), key=lambda f: f.name)
    texts = [f.read_text("utf-8") for f in found]
    if language == "en":
        lines = folder.joinpath("english.txt").read_text("utf-8").splitlines()[1:]
        pairs = sorted((line.rpartition("=")[::2] for line in lines), key=lambda pair: -len(pair[0]))
        for words, english in pairs:
            texts = [text.replace(words, english) for text in texts]
    return tuple(_template(f.name[3:-5], text) for f, text in zip(found, texts, strict=True))


TEMPLATES = _templates("zh")


class Style(NamedTuple):
    """Layout of pages of a language: customs of its sites, and templates with its words."""

    customs: Customs
    templates: tuple[Template, ...]


STYLES: dict[Language, Style] = {"zh": Style(CHINESE, TEMPLATES), "en": Style(ENGLISH, _templates("en"))}


def inner_lines(site: Site, sheet: Sheet, style: Style) -> list[tuple[bool, str]]:
    """Return the lines of the body on this site, as (is a heading, text): dateline, paragraphs, editor's line, notes.

    A perfect reader of pages would extract exactly these lines from the element of the body.
    """
    names = {"name": site.name, "editor": sheet.editors[0], "second": sheet.editors[1], "source": sheet.source}
    out = [(block.heading, style.customs.lexicon.gap.join(s.text for s in block.sentences)) for block in sheet.body]
    if sheet.part == 1 and out and not out[0][0]:
        out[0] = (
            False,
            site.dateline.format(month=style.customs.months[sheet.time.month - 1], day=sheet.time.day, **names)
            + out[0][1],
        )
    if site.inside and sheet.part >= len(sheet.parts):
        out += [(False, line) for line in (site.editor.format(**names), *site.notes[1:]) if line]
    return out


def render(site: Site, sheet: Sheet, rng: Rng, style: Style) -> str:
    """Render a page as HTML text, not yet encoded."""
    t, customs = style.templates[site.template], style.customs
    lines = [
        (t.heading if heading else t.paragraph).replace("{}", escape(line, quote=False))
        for heading, line in inner_lines(site, sheet, style)
    ]
    if t.ad and len(lines) > 2 and rng.chance(0.5):
        lines.insert(rng.between(1, len(lines) - 1), t.ad)
    names = {"name": site.name, "editor": sheet.editors[0], "second": sheet.editors[1], "source": sheet.source}
    title = escape(sheet.title, quote=True)
    heads = {"title": title, "channel": sheet.channel, "name": site.name}
    links = [f'<a href="/c{i}/">{c}</a>' for i, c in enumerate(site.channels)]
    editor = "" if site.inside else site.editor.format(**names)
    time = site.date.format(t=sheet.time, month=customs.months[sheet.time.month - 1])
    parts = [str(n) for n in range(1, len(sheet.parts) + 1)]
    pager = [(n, url) for n, url in zip(parts, sheet.parts, strict=True)]
    if pager:
        before, after = max(sheet.part - 2, 0), min(sheet.part, len(pager) - 1)
        pager = [(customs.turns[0], sheet.parts[before]), *pager, (customs.turns[1], sheet.parts[after])]
    return t.page.format(
        meta=_meta(site.declared), page_title=site.title.format(**heads), **heads,
        menu="".join(f"<li>{link}</li>" for link in links), menu_line=" | ".join(links),
        menu_div="".join(f"<div>{link}</div>" for link in links),
        time=time, source=site.source.format(**names), body=f"{t.between}\n".join(lines),
        pages=" ".join(t.part.format(n, url) for n, url in pager),
        after=f'<div class="editor">{editor}</div>\n' if editor else "",
        hot="".join(t.item.format(rng.below(10**6), escape(h, quote=False)) for h in sheet.hot),
        comments="".join(t.comment.format(*c) for c in comments(rng, 8, customs)) if t.comment else "",
        notes=customs.lexicon.gap.join(site.notes[:1] if site.inside else site.notes),
    )  # fmt: skip


def _meta(declared: str | None) -> str:
    if declared is None:
        return ""
    if declared == "UTF-8":
        return '<meta charset="UTF-8">'
    return f'<meta http-equiv="Content-Type" content="text/html; charset={declared}" />'
