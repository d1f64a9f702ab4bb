"""Notebook views of an explained document and of two documents side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quchong.findings import Difference
from quchong.languages import Language, language_of_place, page_word
from quchong.relations import BY_NAME
from quchong.report.differing import facts_in_words, in_words
from quchong.report.marked_html import GROUPS, Stretch, difference_told, style_of, text_marked
from quchong.report.markup import Html, coloured, escaped, framed, join_html, markup
from quchong.report.terminal_marks import worth_drawing
from quchong.report.words import WORDS, format_message, message_told, relation_told, rule_told

LISTED = 20
"""Maximum number of differences listed."""
OTHERS = 10
"""Maximum number of other pairs, and of documents removed as copies, listed for a document."""


def explained(e: Any, language: Language | None = None) -> Html:
    """Return an `Explanation` as HTML without scripts: reason, figures, differences, and both texts with marks.

    Args:
        e: a `quchong.report.Explanation`, whose module imports this one.
        language: None takes that of QUCHONG_LANG or the locale.
    """
    language = language or language_of_place()
    if e.skipped:
        parts = [
            _head(format_message(language, "unread", e.id)),
            *(_line(_skipped(one, language)) for one in e.skipped),
        ]
    elif e.removed and e.survivor_id is None:
        rule = rule_told(language, e.rule)
        parts = [
            _head(format_message(language, "unconfirmed", e.id, rule)),
            _line(format_message(language, "unconfirmed.why")),
        ]
        parts.append(_unreadable(language) if e.text is None else text_marked(e.text, (), (), language))
    elif e.removed:
        parts = _removed(e, language)
    else:
        parts = _kept_document(e, language)
    return framed(*parts, *_others(e, language))


def pair_as_html(b: Any, language: Language | None = None) -> Html:
    """Return a `quchong.report.PairComparison` as HTML, in the form of `explained`."""
    language = language or language_of_place()
    found = format_message(language, "unlisted") if b.relation is None else _phrase(language, "both", b.relation)
    head = markup("{}{}", format_message(language, "pair", b.id, b.other_id), found)
    parts = [_head(head)]
    if b.relation is not None:
        parts.append(_figures(b.id, b.other_id, (b.jaccard, b.containment, b.other_containment), language))
        parts.append(_line(format_message(language, "rule", rule_told(language, b.rule))))
    tags = (Html(""), Html(""))
    parts += _two(b, (b.id, b.other_id), (b.text, b.other_text), tags, language)
    return framed(*parts)


def _removed(e: Any, language: Language) -> list[Html]:
    reason = markup(
        "{}{}", format_message(language, "went", e.id), _phrase(language, "clause", e.relation, e.survivor_id)
    )
    if e.survivor_roundup:
        reason = markup("{}{}", reason, format_message(language, "of a roundup", e.survivor_roundup))
    parts = [_head(reason)]
    if e.reason == "overruled":
        parts.append(_line(format_message(language, "overruled")))
    if e.reason == "original":
        parts.append(_line(format_message(language, "in roundup")))
    if e.rule == "roundup" and e.evidence is not None:
        parts.append(_line(format_message(language, "in originals", max(e.roundup, 2), 100 * e.evidence)))
    parts.append(_figures(e.id, e.survivor_id, (e.jaccard, e.containment, e.survivor_containment), language))
    rule = rule_told(language, e.rule)
    if e.threshold is None:
        parts.append(_line(format_message(language, "rule", rule)))
    elif e.evidence is None:
        parts.append(_line(format_message(language, "threshold", rule, e.threshold)))
    else:
        parts.append(_line(format_message(language, "evidence", rule, e.evidence, e.threshold)))
    if e.unjudged:
        parts.append(_line(format_message(language, "unjudged", e.unjudged)))
    if e.rule == "small share":
        parts.append(_line(format_message(language, "small share")))
    if e.size_ratio is not None:
        parts.append(_line(format_message(language, "ratio", e.size_ratio)))
    if e.supersedes is not None:
        parts.append(_line(format_message(language, "newer" if e.supersedes else "older")))
    tags, ids = (format_message(language, "removed"), format_message(language, "kept")), (e.id, e.survivor_id)
    return parts + _two(e, ids, (e.text, e.survivor_text), tags, language, "removed → kept")


def _kept_document(e: Any, language: Language) -> list[Html]:
    head = format_message(language, "stays", e.id)
    if e.reason in (
        "protected", "reference", "first", "original", "roundup", "top", "restored", "overturned", "empty", "unscored", "unseen",
    ):  # fmt: skip
        head = markup("{}{}", head, format_message(language, "why", format_message(language, f"why.{e.reason}")))
    parts = [_head(head)]
    if e.roundup:
        parts.append(_line(format_message(language, "roundup", e.roundup)))
    if e.members:
        names = join_html((markup("{}", one) for one in e.members[:OTHERS]), page_word(language, WORDS["ids"]))
        if len(e.members) > OTHERS:
            names = markup("{} {}", names, format_message(language, "more", len(e.members) - OTHERS))
        parts.append(_line(format_message(language, "members", len(e.members), names)))
    parts.append(_unreadable(language) if e.text is None else text_marked(e.text, (), (), language))
    return parts


def _two(
    pair: Any, ids: tuple[Any, Any], texts: tuple[str | None, str | None], tags: tuple[Html, Html], language: Language,
    direction: str = "left → right",
) -> list[Html]:  # fmt: skip
    """Return a pair as HTML: its differences, a legend, and both texts with shared passages and differences marked."""
    parts = _differences(pair.differences, pair.facts, language, direction)
    if texts[0] is None or texts[1] is None:
        return [*parts, _unreadable(language)]
    mine = [Stretch(p.start, p.end, p.kind == "exact") for p in pair.passages]
    other = [Stretch(p.survivor_start, p.survivor_end, p.kind == "exact") for p in pair.passages]
    drawn = worth_drawing(pair.differences, pair.passages)
    sides = [
        markup('<div class="q-side"><p><b>{}</b> <span class="q-soft">{}</span></p>{}</div>', name, tag,
               text_marked(str(text), shared, differences, language))
        for name, tag, text, shared, differences in zip(
            ids, tags, texts, (mine, other), (drawn, [one.turned for one in drawn]), strict=True
        )
    ]  # fmt: skip
    return [*parts, _legend(pair.passages, drawn, language), markup('<div class="q-two">{}</div>', join_html(sides))]


def _differences(
    differences: Sequence[Difference], facts: Sequence[str], language: Language, direction: str
) -> list[Html]:
    """Return the list of differences as HTML: facts in conflict first, then in text order. `direction` is a key of WORDS.

    If no differences are listed, only the kinds of facts in conflict are returned.
    """
    if not differences:
        return [_line(format_message(language, "facts", escaped(facts_in_words(facts, language))))] if facts else []
    ordered = sorted(differences, key=lambda d: not d.conflict)
    items = [markup('<li style="{}">{}</li>', style_of(d), difference_told(d, language)) for d in ordered[:LISTED]]
    if len(ordered) > LISTED:
        items.append(markup("<li>{}</li>", format_message(language, "more", len(ordered) - LISTED)))
    return [
        markup(
            '<p><b>{}</b></p><ul class="q-differences">{}</ul>', format_message(language, direction), join_html(items)
        )
    ]


def _legend(passages: Sequence[Any], differences: Sequence[Difference], language: Language) -> Html:
    """Return the legend of the marks: those of passages, and one for each kind of difference that occurs."""
    items = [format_message(language, "passages", len(passages))]
    if any(p.kind == "exact" for p in passages):
        items.append(markup("<mark>{}</mark>", format_message(language, "shared")))
    if any(p.kind != "exact" for p in passages):
        items.append(markup('<mark class="q-near">{}</mark>', format_message(language, "near")))
    for kind in dict.fromkeys(d.kind for d in differences):
        dot = markup('<span class="q-dot" style="{}"></span>', coloured(GROUPS.get(kind, kind)))
        items.append(markup("{}{}", dot, escaped(facts_in_words([kind], language))))
    return markup('<ul class="q-legend">{}</ul>', join_html(markup("<li>{}</li>", one) for one in items))


def _others(e: Any, language: Language) -> list[Html]:
    """Return the other listed pairs of a document as an HTML table; an empty list if there are none."""
    others = [n for n in e.near if n["other_id"] != e.survivor_id]
    if not others:
        return []
    rows, columns = [], ["relation", "document", "jaccard", "inside", "rule"]
    if any(n.get("facts") for n in others[:OTHERS]):
        columns.append("differs")
    for n in others[:OTHERS]:
        differs = in_words(n.get("differences", ()), language) or facts_in_words(n.get("facts", ()), language)
        cells = (relation_told(language, n["relation"]), n["other_id"], markup("{:.3f}", n["jaccard"]),
                 markup("{:.1f}%", 100 * n["containment"]), rule_told(language, n["rule"]), escaped(differs))  # fmt: skip
        rows.append(markup("<tr>{}</tr>", join_html(markup("<td>{}</td>", cell) for cell in cells[: len(columns)])))
    head = join_html(
        markup('<th scope="col" class="q-title">{}</th>', format_message(language, f"column.{c}")) for c in columns
    )
    title = format_message(language, "other" if e.removed else "listed")
    more = [_line(format_message(language, "more", len(others) - OTHERS))] if len(others) > OTHERS else []
    table = markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", head, join_html(rows))
    return [markup("<p><b>{}</b></p>", title), table, *more]


def _phrase(language: Language, use: str, relation: str, *values: Any) -> Html:
    """Return the phrase for a relation in the use `use` (`quchong.relations.Words`), filled with values; other relations unchanged."""
    if relation in BY_NAME:
        return message_told(language, getattr(BY_NAME[relation].words, use), *values)
    return join_html((markup("{}", value) for value in (relation, *values)), " ")


def _skipped(one: dict[str, Any], language: Language) -> Html:
    if one["line"] is None:
        return format_message(language, "record", one["source"], one["row"] + 1, one["reason"])
    return format_message(language, "line", one["source"], one["line"], one["row"] + 1, one["reason"])


def _figures(
    doc: Any, other: Any, measures: tuple[float | None, float | None, float | None], language: Language
) -> Html:
    jaccard, inside, back = (one or 0.0 for one in measures)
    parts = [format_message(language, "jaccard", jaccard), format_message(language, "inside", 100 * inside, doc, other),
             format_message(language, "inside", 100 * back, other, doc)]  # fmt: skip
    return _line(join_html(parts, page_word(language, WORDS["between"])))


def _head(text: Html) -> Html:
    return markup('<p class="q-head">{}</p>', text)


def _line(text: Html) -> Html:
    return markup("<p>{}</p>", text)


def _unreadable(language: Language) -> Html:
    return markup('<p class="q-soft">{}</p>', format_message(language, "unreadable"))
