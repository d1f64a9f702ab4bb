"""Views of the tables of a run for people: pairs of documents beside each other, clusters and chains, with the beginnings of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from quchong.findings import Difference
from quchong.languages import Language, page_word
from quchong.report.differing import in_words
from quchong.report.markup import Html, coloured, escaped, framed, join_html, markup
from quchong.report.text_width import padded, shortened
from quchong.report.visible import Shown, compose_word, shown_name
from quchong.report.words import WORDS, format_message, relation_told

BEGINNING = 180
"""Most characters shown of a text."""
_LINE = 36
"""Columns of a text in one line of a terminal."""


class Beginning(NamedTuple):
    """Title and beginning of the text of a document, as a view shows them; empty if the text is missing or cannot be read."""

    title: str = ""
    text: str = ""

    @property
    def words(self) -> str:
        """Title of the document, or its text if it has no title."""
        return self.title or self.text


class PairRow(NamedTuple):
    """One row of a ledger or of a table of pairs.

    Attributes:
        left, right: ids; right is None for a removal that a filter did not confirm.
        relation, jaccard, inside: relation of left to right, their Jaccard, and the share of left in right.
        differences: as the table lists them.
    """

    left: Any
    right: Any
    relation: str
    jaccard: float | None
    inside: float | None
    differences: Sequence[Difference] = ()


class Member(NamedTuple):
    """One document in a group: a cluster or a chain. `notes` are shown behind its id."""

    id: Any
    notes: tuple[Html, ...] = ()


class Group(NamedTuple):
    """A cluster or a chain: its heading, the members shown, the number of all members, and True for a series, which is no chain."""

    heading: Html
    members: Sequence[Member]
    size: int
    series: bool = False


Documents = Mapping[str, Beginning]


def pairs_view(
    name: str, rows: Sequence[PairRow], total: int, documents: Documents, language: Language
) -> Html:  # fmt: skip
    """Return rows of a ledger or of pairs as HTML, both texts of a pair beside each other.

    Args:
        name: ledger or pairs.
        rows: the rows shown, the first of `total`.
        documents: beginnings by id as text.
    """
    removed = name == "ledger"
    cards = []
    for row in rows:
        head = markup('<b>{}</b> {} <b>{}</b> <span class="q-dot" style="{}"></span>{}', row.left, _between(name),
                      format_message(language, "nothing") if row.right is None else markup("{}", row.right), coloured(row.relation),
                      relation_told(language, row.relation))  # fmt: skip
        parts = [head]
        if row.jaccard is not None:
            parts.append(format_message(language, "jaccard", row.jaccard))
        if row.inside is not None:
            parts.append(format_message(language, "inside", 100 * row.inside, row.left, row.right))
        lines = [markup("<p>{}</p>", join_html(parts, " · "))]
        if row.differences:
            lines.append(markup('<p class="q-soft">{}</p>', format_message(
                language, "differs", escaped(in_words(row.differences, language)))))  # fmt: skip
        tags = (
            (format_message(language, "removed"), format_message(language, "kept")) if removed else (Html(""), Html(""))
        )
        sides = [
            _document(one, tag, documents, language)
            for one, tag in zip((row.left, row.right), tags, strict=True)
            if one is not None
        ]
        lines.append(markup('<div class="q-two">{}</div>', join_html(sides)))
        cards.append(markup('<div class="q-card">{}</div>', join_html(lines)))
    return framed(_head(name, total, len(rows), language), *cards)


def groups_view(name: str, groups: Sequence[Group], total: int, documents: Documents, language: Language) -> Html:
    """Return clusters or chains as HTML, each with a line for each document: id, title or beginning, notes."""
    cards = []
    for group in groups:
        rows = [
            markup('<tr><td class="q-id">{}</td><td>{}</td><td class="q-soft q-notes">{}</td></tr>', one.id,
                   _words(documents.get(str(one.id), Beginning()), language), join_html(one.notes, " · "))
            for one in group.members
        ]  # fmt: skip
        if group.size > len(rows):
            rows.append(
                markup(
                    '<tr><td></td><td class="q-soft">{}</td></tr>',
                    format_message(language, "more", group.size - len(group.members)),
                )
            )
        table = markup("<table><tbody>{}</tbody></table>", join_html(rows))
        cards.append(markup('<div class="q-card"><p>{}</p>{}</div>', group.heading, table))
    return framed(_head(name, total, sum(not group.series for group in groups), language), *cards)


def lines_of_pairs(
    name: str, rows: Sequence[PairRow], total: int, documents: Documents, language: Language
) -> Shown:  # fmt: skip
    """Return rows of a ledger or of pairs as lines for a terminal, one a pair."""
    lines: list[str] = [_title(name, total, len(rows), language)]
    for row in rows:
        texts = [_short(documents.get(str(one), Beginning()).words) for one in (row.left, row.right) if one is not None]
        right = "–" if row.right is None else shown_name(str(row.right))
        jaccard = "" if row.jaccard is None else f"{row.jaccard:.3f}"
        relation = padded(compose_word(language, _relation_word(row.relation)), 12)
        lines.append(
            f"  {shown_name(str(row.left))} {_between(name)} {right}  {relation} {jaccard}  {' | '.join(texts)}".rstrip()
        )
    return Shown("\n".join(lines))


def lines_of_groups(
    name: str, groups: Sequence[tuple[str, int, bool]], total: int, documents: Documents, language: Language
) -> Shown:  # fmt: skip
    """Return clusters or chains, each an id, its number of documents, and True for a series, as lines for a terminal."""
    lines: list[str] = [_title(name, total, sum(not series for *_, series in groups), language)]
    for first, size, series in groups:
        count = compose_word(language, WORDS["series" if series else "documents"], size)
        lines.append(f"  {shown_name(first)}  {count}  {_short(documents.get(first, Beginning()).words)}".rstrip())
    return Shown("\n".join(lines))


def grouped(rows: Sequence[dict[str, Any]], key: str) -> list[list[dict[str, Any]]]:
    """Return rows in groups of neighbours with the same value of a column."""
    return [list(found) for _, found in groupby(rows, lambda row: row[key])]


def _between(name: str) -> Html:
    """Return the sign between two ids: an arrow from the removed to the kept one, a dash where neither is said."""
    return Html("→" if name == "ledger" else "–")


def _relation_word(relation: str) -> str:
    from quchong.relations import BY_NAME

    known = BY_NAME.get(relation)
    return known.words.listed if known else relation


def _title(name: str, total: int, shown: int, language: Language) -> Shown:
    word = page_word(language, WORDS[f"table.{name}"])
    if shown == total:
        return compose_word(language, WORDS["table.all"], Shown(word), total)
    return compose_word(language, WORDS["table.first"], Shown(word), total, shown)


def _head(name: str, total: int, shown: int, language: Language) -> Html:
    return markup('<p class="q-head">{}</p>', escaped(_title(name, total, shown, language)))


def _document(one: Any, tag: Html, documents: Documents, language: Language) -> Html:
    found = documents.get(str(one), Beginning())
    title = markup("<p><b>{}</b></p>", found.title) if found.title else Html("")
    text = markup('<div class="q-begin" dir="auto">{}</div>', _text(found.text, language))
    return markup('<div class="q-side"><p class="q-soft">{} {}</p>{}{}</div>', one, tag, title, text)


def _text(text: str, language: Language) -> Html:
    if not text:
        return markup("<i>{}</i>", format_message(language, "no text"))
    return escaped(text if len(text) <= BEGINNING else text[:BEGINNING] + "…")


def _words(found: Beginning, language: Language) -> Html:
    if found.title:
        return markup(
            "<b>{}</b> {}", found.title, _text(found.text[: BEGINNING // 3], language) if found.text else Html("")
        )
    return _text(found.text if len(found.text) <= BEGINNING // 2 else found.text[: BEGINNING // 2] + "…", language)


def _short(text: str) -> str:
    return shortened(shown_name(" ".join(text.split())[:200]), _LINE) if text.strip() else ""
