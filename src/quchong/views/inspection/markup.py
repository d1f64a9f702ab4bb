"""HTML view of what a method sees, without scripts. Every value is escaped by `quchong.report.markup`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from quchong.engines.local.inspection import MethodSights
from quchong.languages import Language
from quchong.report.markup import Html, escaped, join_html, markup
from quchong.report.visible import Shown
from quchong.seam import Gate, Marks, Sight, Signature, TextValues, Values
from quchong.views.inspection.items import Side, agreement, comparable, in_common, sides
from quchong.views.inspection.listing import decided
from quchong.views.inspection.words import called, message_line, value_said

LISTED, CHARACTERS, PIECES = 400, 12_000, 60
"""Maximum numbers: features in a table, characters of a text, and features in one line."""

STYLE = """
.seen{overflow-wrap:anywhere}
.seen .two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:.6em 2em;align-items:start}
.seen .side{min-width:0}
.seen h1{font-size:1.3rem;margin:1rem 0 .3rem}
.seen h2{font-size:1.05rem;margin:1.6rem 0 .3rem}
.seen .text,.seen .rows{border:1px solid rgba(128,128,128,.4);border-radius:6px;padding:.5em .7em;max-height:28em;overflow:auto}
.seen .text{white-space:pre-wrap;line-height:1.8;unicode-bidi:isolate}
.seen table{border-collapse:collapse;font-size:.92em;margin:0}
.seen :is(th,td){text-align:start;padding:.12em 1em .12em 0;vertical-align:top;font-weight:400;color:inherit;background:none}
.seen thead th{font-weight:600}
.seen .soft{opacity:.75;font-size:.92em}
.seen mark{color:inherit;border-radius:3px;background:rgba(46,160,90,.26)}
.seen .both{background:rgba(46,160,90,.18)}
.seen .left{opacity:.7;text-decoration:line-through dotted}
.seen .bits{font-family:ui-monospace,Menlo,Consolas,monospace;letter-spacing:.05em;line-height:1.7}
.seen .bits mark{background:rgba(216,70,60,.28)}
.seen .string{font-variant-numeric:tabular-nums}
.seen .passed{color:#1a7f45;font-weight:600}
.seen .failed{color:#c2413a;font-weight:600}
@media (prefers-color-scheme:dark){.seen .passed{color:#5fce8f}.seen .failed{color:#f0837b}}
.seen .d2{padding-inline-start:1.2em}.seen .d3{padding-inline-start:2.4em}.seen .d4{padding-inline-start:3.6em}
""".replace("\n", "")


def drawn(seen: MethodSights, language: Language) -> Html:
    """Return an inspection as one HTML element."""
    head = message_line(language, "one" if len(seen.names) == 1 else "two", seen.method, *seen.names)
    parts = [markup("<h1>{}</h1>", head)]
    for name, text in zip(seen.names, seen.texts, strict=True):
        parts.append(markup('<p class="soft">{}</p>', message_line(language, "characters", name, len(text))))
    if seen.counted is not None:
        parts.append(markup('<p class="soft">{}</p>', message_line(language, f"counted.{seen.counted}")))
    if seen.comparison is not None:
        steps = markup("<h2>{}</h2>{}", message_line(language, "steps"), _gates(seen.gates, language))
        told = join_html(markup("<p>{}</p>", line) for line in decided(seen, language))
        parts.append(markup("<section>{}{}</section>", steps, told))
    for sight in seen.sights:
        parts.append(
            markup(
                "<section><h2>{}</h2>{}</section>", called(language, "sight", sight.what), _sight(sight, seen, language)
            )
        )
    return markup(
        '<div class="seen" lang="{}">{}</div>', Html("zh-Hans" if language == "zh" else "en"), join_html(parts)
    )


def _gates(gates: Sequence[Gate], language: Language) -> Html:
    head = join_html(
        markup('<th scope="col">{}</th>', message_line(language, key)) for key in ("step", "value", "needed", "outcome")
    )
    rows = []
    for gate in gates:
        needed = Html("")
        if gate.needed is not None:
            key = "at_most" if gate.at_most else "at_least"
            needed = escaped(message_line(language, key, value_said(language, gate.what, gate.needed)))
        outcome = "told" if gate.passed is None else "passed" if gate.passed else "failed"
        rows.append(
            markup('<tr><td>{}</td><td>{}</td><td>{}</td><td class="{}">{}</td></tr>', escaped(called(language, "gate", gate.what)),
                   escaped(value_said(language, gate.what, gate.value)), needed, Html(outcome), escaped(message_line(language, outcome)))
        )  # fmt: skip
    return markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", head, join_html(rows))


def _sight(sight: Sight, seen: MethodSights, language: Language) -> Html:
    match sight:
        case Marks():
            return _marks(sight, seen, language)
        case Signature():
            return _signature(sight, seen, language)
        case Values():
            counts, common = in_common(sight)
            told = [
                _line(seen.names[i], escaped(message_line(language, "seen", n)), language) for i, n in enumerate(counts)
            ]
            if common is not None:
                told.append(
                    markup(
                        "<p>{}{}</p>", escaped(message_line(language, "name", message_line(language, "both"))), common
                    )
                )
            return join_html(told)
        case TextValues():
            told = [
                _line(seen.names[i], escaped(word if word is not None else message_line(language, "none")), language)
                for i, word in enumerate(sight.words)
            ]
            if len(sight.words) == 2 and all(sight.words):
                key = "agree.yes" if sight.words[0] == sight.words[1] else "agree.no"
                told.append(markup("<p>{}</p>", message_line(language, key)))
            return join_html(told)


def _line(name: str, told: Html, language: Language) -> Html:
    return markup("<p>{}{}</p>", escaped(message_line(language, "name", name)), told)


def _marks(marks: Marks, seen: MethodSights, language: Language) -> Html:
    every = sides(marks, seen.texts)
    columns = []
    for name, text, side in zip(seen.names, seen.texts, every, strict=True):
        total = len(side.items)
        counts = (
            message_line(language, "seen", total)
            if side.counted == total
            else message_line(language, "seen.some", side.counted, total)
        )
        if len(every) == 2 and comparable(marks):
            counts = Shown(counts + message_line(language, "common", side.common))
        parts = [_line(name, escaped(counts), language)]
        if marks.listed and side.items:
            parts += [_string(side), _table(side, language)]
        elif side.items:
            pieces = [item.said for item in side.items if item.counted][:PIECES]
            parts.append(
                markup(
                    '<p class="soft">{}</p>', escaped(" | ".join(pieces) + (" | …" if side.counted > PIECES else ""))
                )
            )
            spans = side.spans if len(every) == 2 else side.counting if side.counted < total else []
            if spans:
                parts.append(_text(text, spans, language))
        columns.append(markup('<div class="side">{}</div>', join_html(parts)))
    out = markup('<div class="two">{}</div>', join_html(columns))
    if any(side.counted < len(side.items) for side in every):
        out = markup(
            '{}<p class="soft">{}</p>', out, message_line(language, "left", called(language, "why", marks.why))
        )
    return out


def _string(side: Side) -> Html:
    """Return sentence lengths in order as HTML, with blocks marked."""
    if "terms" not in side.items[0].figures:
        return Html("")
    pieces = []
    for block, run in groupby(side.items, key=lambda item: item.figures.get("block", 0)):
        told = markup(
            "{}", " ".join(str(i.figures["terms"]) if i.counted else f"({i.figures['terms']})" for i in run)
        )  # fmt: skip
        pieces.append(markup("<mark>{}</mark>", told) if block else told)
    return markup('<p class="string">{}</p>', join_html(pieces, " "))


def _table(side: Side, language: Language) -> Html:
    names = [k for k in side.items[0].figures if k != "depth"]
    head = [
        message_line(language, "number"),
        *(called(language, "figure", k) for k in names),
        message_line(language, "said"),
    ]
    rows = []
    for number, item in enumerate(side.items[:LISTED], 1):
        kind = Html("both" if item.common else "" if item.counted else "left")
        depth = Html(f"d{min(4, item.figures.get('depth', 1))}")
        figures = join_html(markup("<td>{}</td>", item.figures[k] or Html("")) for k in names)
        sign = message_line(language, "both") if item.common else ""
        rows.append(
            markup('<tr><td>{}</td>{}<td class="{}" title="{}"><span class="{}">{}</span></td></tr>',
                   number, figures, depth, escaped(sign), kind, escaped(item.said[:1000]))
        )  # fmt: skip
    more = message_line(language, "more", len(side.items) - LISTED) if len(side.items) > LISTED else ""
    top = join_html(markup('<th scope="col">{}</th>', escaped(word)) for word in head)
    return markup('<div class="rows" tabindex="0"><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table><p>{}</p></div>', top,
                  join_html(rows), escaped(more))  # fmt: skip


def _text(text: str, spans: Sequence[tuple[int, int]], language: Language) -> Html:
    """Return the text as HTML with marks, beginning shortly before the first mark."""
    first = min(start for start, _ in spans)
    begin = max(0, first - 200) if first > CHARACTERS // 2 else 0
    end = min(len(text), begin + CHARACTERS)
    inside = bytearray(end - begin)
    for start, stop in spans:
        a, b = max(start - begin, 0), min(stop - begin, len(inside))
        if b > a:
            inside[a:b] = b"\x01" * (b - a)
    pieces = []
    for marked, run in groupby(range(len(inside)), key=inside.__getitem__):
        places = list(run)
        piece = escaped(text[begin + places[0] : begin + places[-1] + 1])
        pieces.append(markup("<mark>{}</mark>", piece) if marked else piece)
    rest = len(text) - end
    more = escaped(message_line(language, "more", rest)) if rest else Html("")
    return markup(
        '<div class="text" dir="auto" tabindex="0">{}{}{}</div>', Html("… " if begin else ""), join_html(pieces), more
    )


def _signature(signature: Signature, seen: MethodSights, language: Language) -> Html:
    found, parts = agreement(signature), []
    for i, row in enumerate(signature.values.tolist()):
        if not signature.defined[i]:
            parts.append(_line(seen.names[i], escaped(message_line(language, "no signature")), language))
        elif signature.bits:
            same = found.equal.tolist() if found is not None else [True] * len(row)
            pieces = []
            for equal, run in groupby(range(len(row)), key=same.__getitem__):
                told = Html("".join(str(row[k]) for k in run))
                pieces.append(told if equal else markup("<mark>{}</mark>", told))
            bits = markup('<span class="bits">{}</span>', join_html(pieces))
            parts.append(_line(seen.names[i], bits, language))
        else:
            begin = Shown(" ".join(f"{v:08x}" for v in row[:8]))
            parts.append(_line(seen.names[i], escaped(message_line(language, "values", len(row), begin)), language))
    if found is not None:
        same_count, total = int(found.equal.sum()), len(found.equal)
        summed = message_line(language, "agree.values", same_count, total, same_count / max(1, total))
        if signature.band > 1:
            strip = "".join("■" if b else "□" for b in found.bands.tolist())
            bands = message_line(
                language, "agree.bands", int(found.bands.sum()), len(found.bands), signature.band, Shown(strip)
            )
            summed = Shown(summed + bands)
        parts.append(markup("<p>{}</p>", escaped(summed)))
    return join_html(parts)
