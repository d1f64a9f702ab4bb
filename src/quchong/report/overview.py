"""Overview of a run for a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from quchong.languages import Language, Message, language_of_place, speaking
from quchong.parameters.other_names import in_python
from quchong.report.differing import counted_in_words
from quchong.report.histogram import histogram, scores
from quchong.report.markup import Html, escaped, framed, join_html, markup
from quchong.report.stored_alarms import alarm_message
from quchong.report.visible import message
from quchong.report.words import format_message, relation_told

ALARMS = 5
"""Maximum number of alarms and notes shown; `alarms` has all."""
FIRST = 40
"""Maximum number of characters shown of the title or text of a survivor."""


def overview(
    counts: Mapping[str, Any],
    alarms: Sequence[Mapping[str, Any]],
    biggest: Sequence[tuple[str, int]],
    pairs: pa.Table,
    beginnings: Mapping[str, str] | None = None,
    language: Language | None = None,
) -> Html:
    """Return counts, biggest clusters and a histogram of scores as HTML, which loads nothing and runs no script.

    Args:
        counts, alarms: as in run.json.
        biggest: (survivor id, documents of its cluster), largest first.
        pairs: `quchong.tables.PAIRS`.
        beginnings: titles or first words of these survivors by id; None for none.
        language: None takes that of QUCHONG_LANG or the locale.
    """
    language = language or language_of_place()
    rows = [*_documents(counts, language), *_clusters(biggest, beginnings or {}, language)]
    table = markup("<table><tbody>{}</tbody></table>", join_html(rows))
    return framed(
        markup('<p class="q-head">{}</p>', format_message(language, "lead", counts["read"], counts["kept"], counts["removed"])),
        *_alarms(alarms, language),
        markup('<div class="q-two"><div class="q-side">{}</div><div class="q-side">{}</div></div>', table,
               histogram(scores(pairs), language)),
    )  # fmt: skip


def _row(label: Html, value: Html, inside: bool = False) -> Html:
    return markup(
        '<tr><th scope="row"{}>{}</th><td>{}</td></tr>', Html(' class="q-in"' if inside else ""), label, value
    )


def _documents(counts: Mapping[str, Any], language: Language) -> list[Html]:
    read = counts["read"]

    def row(key: str, n: int, share: bool = False, more: str = "") -> Html:
        value = markup("{:,} ({:.1f}%)", n, 100 * n / read) if share and read else markup("{:,}", n)
        return _row(format_message(language, key), format_message(language, "counted", value, more) if more else value)

    rows = [row("read", read)]
    if counts.get("reference"):
        rows.append(row("reference", counts["reference"]))
    rows += [row("kept", counts["kept"], True), row("removed", counts["removed"], True)]
    for relation, n in counts["removed_by_relation"].items():
        rows.append(_row(relation_told(language, relation), markup("{:,}", n), inside=True))
    variants = counts.get("variants") or {}  # runs of older versions do not count them
    if n := variants.get("kept_pairs"):
        rows.append(row("variants", n, more=counted_in_words(variants.get("kept_by_fact") or {}, language)))
    shown = dict(counts) | {"unscored": counts["unscored"] - counts.get("unseen", 0)}
    shares = ("small_shares", "skipped", "without_text", "unscored", "unseen")
    rows += [row(key, shown[key]) for key in shares if shown.get(key)]
    return rows


def _clusters(biggest: Sequence[tuple[str, int]], beginnings: Mapping[str, str], language: Language) -> list[Html]:
    if not biggest:
        return []
    title = markup('<tr><th colspan="2" class="q-title">{}</th></tr>', format_message(language, "clusters"))

    def label(name: str) -> Html:
        words = " ".join(beginnings.get(name, "").split())
        if not words:
            return markup("{}", name)
        return markup('{} <span class="q-soft">{}</span>', name, words if len(words) <= FIRST else words[:FIRST] + "…")

    return [title, *(_row(label(name), format_message(language, "documents", n)) for name, n in biggest)]


def _alarms(alarms: Sequence[Mapping[str, Any]], language: Language) -> list[Html]:
    ordered = sorted(alarms, key=lambda one: one.get("level", "alarm") != "alarm")
    shown = []
    for one in ordered[:ALARMS]:
        level = "note" if one.get("level") == "note" else "alarm"
        shown.append(
            markup(
                '<p class="q-alarm q-{}"><b>{}</b> {}</p>',
                level,
                format_message(language, level),
                escaped(message(_told_anew(alarm_message(one), language))),
            )
        )
    if len(ordered) > ALARMS:
        shown.append(markup('<p class="q-soft">{}</p>', format_message(language, "more", len(ordered) - ALARMS)))
    return shown


def _told_anew(message: Message, language: Language) -> str:
    """Return the stored message of an alarm in a language, with parameters named as in Python."""
    with speaking(language):
        return in_python(message.translation())
