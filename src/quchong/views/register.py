"""Register of the documents that a page names, each by a small number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.chains import times_by_links
from quchong.io.usual_columns import title_columns, usual_columns
from quchong.views.cut import Excerpt, first_words, short, visible_id
from quchong.views.subject import Subject

FIELDS, FIELD = 12, 300
"""Maximum numbers of columns shown of a row, and of characters of each."""


class Register:
    """Register that numbers documents in the order they are named, and stores the excerpts of some."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._number: dict[int, int] = {}
        self.excerpts: dict[int, Excerpt] = {}

    def __call__(self, place: int) -> int:
        """Return the number of a document in the page, a new one at its first use."""
        return self._number.setdefault(int(place), len(self._number))

    def documents(self) -> dict[str, Any]:
        """Return the columns of all documents named, with texts and fields of those that have an excerpt."""
        subject, places = self._subject, list(self._number)
        fields = subject.fields_of(places)
        bare = [i for i in places if i not in self.excerpts and not title_of(fields[i])]
        begins = {i: excerpt.text for i, excerpt in self.excerpts.items()} | {
            i: text or "" for i, text in subject.text_of(bare).items()
        }
        removed, reference = subject.flags("removed"), subject.flags("reference")
        names = [subject.sources[i] for i in places]
        known = {name: k for k, name in enumerate(dict.fromkeys(names))}
        dated = np.isfinite(subject.seconds)
        return {
            "id": [short(visible_id(subject.ids[i])) for i in places],
            "title": [first_words(title_of(fields[i]) or begins.get(i, "")) for i in places],
            "source": [known[name] for name in names],
            "sources": [short(name, 80) for name in known],
            "time": [int(subject.seconds[i]) if dated[i] else None for i in places],
            "address": self._dated_by_address(places, fields),
            "when": {str(self(i)): short(str(subject.when[i]), 60) for i in places if not dated[i] and subject.when[i]},
            "removed": [int(removed[i]) for i in places],
            "reference": [self(i) for i in places if reference[i]],
            "text": {str(self(i)): [e.text, e.begin, e.rest] for i, e in self.excerpts.items()},
            "fields": {str(self(i)): _cut(fields[i]) for i in places if i in self.excerpts},
        }

    def _dated_by_address(self, places: list[int], fields: Mapping[int, Mapping[str, str]]) -> dict[str, int]:
        """Return the date in the address, in seconds, of the documents whose time contradicts it, by the number in the page."""
        links = pa.array([link_of(fields[i]) or None for i in places], pa.large_string())
        seconds, wrong = times_by_links(self._subject.seconds[places], links)
        return {str(self(places[k])): int(seconds[k]) for k in np.flatnonzero(wrong).tolist()}


def title_of(fields: Mapping[str, str]) -> str:
    """Return the title of a row, from a column with a usual name; an empty text if no column has one."""
    return next((fields[name] for name in title_columns(fields) if fields[name]), "")


def link_of(fields: Mapping[str, str]) -> str:
    """Return the address of a row, from a column with a usual name; an empty text if no column has one."""
    return next((fields[name] for name in usual_columns("url", fields) if fields[name]), "")


def _cut(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the first columns of a row, with long values cut, and the number of columns left out."""
    shown = {short(k, 60): v if len(v) <= FIELD else v[:FIELD] + "…" for k, v in list(fields.items())[:FIELDS]}
    return {"shown": shown, "more": max(0, len(fields) - FIELDS)}
