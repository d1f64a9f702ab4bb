"""Words of the invented news (`quchong.lab.web.news`): every place, name and site in it is put together from these.

They were written for this project and stand in lab/web/words.txt.
"""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple


class Field(NamedTuple):
    """A field of news: channel of a site, what it is about, what is done there."""

    channel: str
    things: tuple[str, ...]
    acts: tuple[str, ...]


def _sections() -> dict[str, str]:
    text = files("quchong.lab.web").joinpath("words.txt").read_text("utf-8")
    parts = (part.partition("]") for part in text.split("\n[")[1:])
    return {name: body.strip() for name, _, body in parts}


_READ = _sections()


def _list(name: str) -> tuple[str, ...]:
    return tuple(_READ[name].split())


def _characters(name: str) -> str:
    return "".join(_READ[name].split())


def _fields() -> tuple[Field, ...]:
    halves = ((name, *body.split("/")) for name, body in _READ.items() if name.startswith("field "))
    return tuple(
        Field(name.removeprefix("field "), tuple(things.split()), tuple(acts.split())) for name, things, acts in halves
    )


SURNAMES, GIVEN = _characters("surnames"), _characters("given")
PLACE_FIRST, PLACE_SECOND = _characters("place_first"), _characters("place_second")
PLACE_KINDS = ("市", "市", "县", "县", "区", "镇", "新区", "乡")
MODIFIERS, HEADS, VERBS, ADVERBS = _list("modifiers"), _list("heads"), _list("verbs"), _list("adverbs")
OPENINGS, LINKS, SAID, ROLES = _list("openings"), _list("links"), _list("said"), _list("roles")
EARNEST, REASONS, TRENDS, AGENCIES = _list("earnest"), _list("reasons"), _list("trends"), _list("agencies")
UNITS, MONEYS = _list("units"), ("万元", "万元", "亿元", "元")
FIELDS = _fields()
SYNONYMS: dict[str, str] = dict((pair[: pair.index("=")], pair[pair.index("=") + 1 :]) for pair in _list("synonyms"))
"""Words and what an editor may put in their place."""
COMMON = _characters("common")
"""Common characters, for edits letter by letter."""
