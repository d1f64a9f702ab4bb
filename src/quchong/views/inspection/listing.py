"""Text view of what a method sees, for a terminal or a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quchong.engines.local.inspection import MethodSights
from quchong.languages import Language
from quchong.report.differing import in_words
from quchong.report.terminal_marks import Mark, bracketed, marked
from quchong.report.text_width import cells, padded, shortened
from quchong.report.visible import Shown, compose, shown_name
from quchong.seam import Gate, Marks, Sight, Signature, TextValues, Values
from quchong.views.inspection.items import Item, Side, agreement, comparable, in_common, sides
from quchong.views.inspection.words import called, message_line, relation_said, rule_said, value_said

LISTED, CHARACTERS, COLUMNS = 20, 600, 100
"""Maximum numbers: features listed of each document, characters of a text, columns of a line."""
Paint = Callable[[str, str], str]
"""Function that colours a text by its role: head, both, left, passed, failed, soft."""


def without_colours(role: str, text: str) -> str:
    """Return the text without colours, as a `Paint` for plain output."""
    return text


def listing(
    seen: MethodSights, language: Language = "en", *, most: int = LISTED, shown: int = CHARACTERS, columns: int = COLUMNS,
    paint: Paint = without_colours, mark: Mark = bracketed,
) -> Shown:  # fmt: skip
    """Format an inspection as lines of text.

    Args:
        most: maximum number of features listed of each document and kind.
        shown: maximum number of characters of each text.
        columns: width of a line.
        paint, mark: functions that colour roles and mark shared stretches.
    """
    head = message_line(language, "one" if len(seen.names) == 1 else "two", seen.method, *seen.names)
    lines = [paint("head", head)]
    lines += [
        "  " + message_line(language, "characters", n, len(t)) for n, t in zip(seen.names, seen.texts, strict=True)
    ]
    if seen.counted is not None:
        lines.append("  " + message_line(language, f"counted.{seen.counted}"))
    page = _Page(seen, language, most, shown, columns, paint, mark)
    for sight in seen.sights:
        lines += ["", paint("head", called(language, "sight", sight.what)), *page.sight(sight)]
    if seen.comparison is not None:
        lines += ["", paint("head", message_line(language, "steps")), *page.gates(seen.gates), *page.decision()]
    return Shown("\n".join(line.rstrip() for line in lines))


class _Page:
    def __init__(
        self, seen: MethodSights, language: Language, most: int, shown: int, columns: int, paint: Paint, mark: Mark
    ) -> None:
        self.seen, self.language, self.most, self.shown, self.columns = seen, language, most, shown, columns
        self.paint, self.mark = paint, mark

    def sight(self, sight: Sight) -> list[str]:
        """Return the lines of one kind of features."""
        match sight:
            case Marks():
                return self._marks(sight)
            case Signature():
                return self._signature(sight)
            case Values():
                return self._values(sight)
            case TextValues():
                return self._word_lines(sight)

    def _name_line(self, i: int) -> str:
        return "  " + message_line(self.language, "name", self.seen.names[i])

    def _marks(self, marks: Marks) -> list[str]:
        lines: list[str] = []
        every = sides(marks, self.seen.texts)
        for i, side in enumerate(every):
            lines.append(self._name_line(i) + self._counts(side, comparable(marks)))
            if not side.items:
                continue
            if marks.listed:
                lines += self._strings(side) + self._list(side)
            else:
                lines += self._stretches(i, side)
        return lines + self._legend(marks, every) if marks.listed else lines

    def _counts(self, side: Side, comparable: bool) -> str:
        language, total = self.language, len(side.items)
        told = (
            message_line(language, "seen", total)
            if side.counted == total
            else message_line(language, "seen.some", side.counted, total)
        )
        return told + (
            message_line(language, "common", side.common) if len(self.seen.names) == 2 and comparable else ""
        )

    def _legend(self, marks: Marks, every: Sequence[Side]) -> list[str]:
        told = []
        if any(side.common for side in every):
            told.append(message_line(self.language, "legend"))
        if any(side.counted < len(side.items) for side in every):
            told.append(message_line(self.language, "legend.left", called(self.language, "why", marks.why)))
        return [self.paint("soft", "  " + message_line(self.language, "between").join(told))] if told else []

    def _strings(self, side: Side) -> list[str]:
        """Return sentence lengths as a string, with blocks in brackets and sentences that are left out in parentheses."""
        if "terms" not in side.items[0].figures:
            return []
        out, block = "", 0
        for item in side.items:
            now = item.figures.get("block", 0)
            out += (
                ("]" if block and now != block else "") + (" " if out else "") + ("[" if now and now != block else "")
            )
            out += str(item.figures["terms"]) if item.counted else f"({item.figures['terms']})"
            block = now
        return [f"    {message_line(self.language, 'string', Shown(out + (']' if block else '')))}"]

    def _list(self, side: Side) -> list[str]:
        lines = []
        digits, between = len(str(min(self.most, len(side.items)))), message_line(self.language, "list")
        for number, item in enumerate(side.items[: self.most], 1):
            sign = "=" if item.common else " " if item.counted else "-"
            told = [f"{called(self.language, 'figure', k)} {v}" for k, v in _said_of(item)]
            indent = "  " * (item.figures.get("depth", 1) - 1)
            head = f"    {number:>{digits}} {sign} {indent}{between.join(told) + '  ' if told else ''}"
            text = shortened(shown_name(item.said, 100_000), self.columns - cells(head))
            role = "both" if item.common else "soft" if not item.counted else ""
            lines.append(head + (self.paint(role, text) if role else text))
        if len(side.items) > self.most:
            lines.append("    " + message_line(self.language, "more", len(side.items) - self.most))
        return lines

    def _stretches(self, i: int, side: Side) -> list[str]:
        """Return lines about the features of document `i`: the first features, then its text with marks."""
        room, told = self.columns - 8, ""
        counting = [item for item in side.items if item.counted]
        for number, item in enumerate(counting[: self.most]):
            piece = (" | " if told else "") + shown_name(item.said, 60)
            if cells(told + piece) > room:
                break
            told += piece
            last = number
        if len(counting) > (last + 1 if told else 0):
            told += " | …"
        lines = ["    " + told]
        spans = side.spans if len(self.seen.names) == 2 else side.counting if side.counted < len(side.items) else []
        if spans:
            text = marked(self.seen.texts[i], spans, self.mark, self.shown)
            lines += ["    " + line for line in text.split("\n")]
        return lines

    def _signature(self, signature: Signature) -> list[str]:
        found, lines, language = agreement(signature), [], self.language
        if signature.bits and signature.values.shape[1] <= 512 and signature.defined.any():
            lines += self._bits(signature)
        for i, row in enumerate(signature.values.tolist()):
            if not signature.defined[i]:
                lines.append(self._name_line(i) + message_line(language, "no signature"))
            elif signature.bits:
                lines += [] if found else [self._name_line(i) + message_line(language, "bits", len(row))]
            else:
                begin = Shown(" ".join(f"{v:08x}" for v in row[:4]))
                lines.append(self._name_line(i) + message_line(language, "values", len(row), begin))
        if found is not None:
            same, total = int(found.equal.sum()), len(found.equal)
            if signature.bits and signature.band == 1:
                told = message_line(language, "agree.bits", same, total)
            else:
                told = message_line(language, "agree.values", same, total, same / max(1, total))
            if signature.band > 1:
                strip = Shown("".join("■" if b else "□" for b in found.bands.tolist()))
                told = Shown(
                    told
                    + message_line(
                        language, "agree.bands", int(found.bands.sum()), len(found.bands), signature.band, strip
                    )
                )
            lines.append("  " + told)
        return lines

    def _bits(self, signature: Signature) -> list[str]:
        """Return rows of 64 bits, aligned below each other, with a caret under bits that differ."""
        found, lines = agreement(signature), []
        for at in range(0, signature.values.shape[1], 64):
            for i, row in enumerate(signature.values[:, at : at + 64].tolist()):
                if signature.defined[i]:
                    lines.append("    " + "".join(map(str, row)))
            if found is not None:
                carets = "".join(" " if same else "^" for same in found.equal[at : at + 64].tolist())
                lines += ["    " + self.paint("failed", carets.rstrip())] if carets.strip() else []
        return lines

    def _values(self, values: Values) -> list[str]:
        counts, common = in_common(values)
        lines = [self._name_line(i) + message_line(self.language, "seen", n) for i, n in enumerate(counts)]
        if common is not None:
            lines[-1] += message_line(self.language, "common", common)
        return lines

    def _word_lines(self, one: TextValues) -> list[str]:
        lines = [
            self._name_line(i)
            + (shortened(shown_name(word, 2000), 4 * self.columns) if word else message_line(self.language, "none"))
            for i, word in enumerate(one.words)
        ]
        if len(one.words) == 2 and all(one.words):
            same = one.words[0] == one.words[1]
            lines.append(
                "  "
                + self.paint(
                    "both" if same else "soft", message_line(self.language, "agree.yes" if same else "agree.no")
                )
            )
        return lines

    def gates(self, gates: Sequence[Gate]) -> list[str]:
        """Return the tests as columns: name, measured value, required value, outcome."""
        language, rows = self.language, []
        for gate in gates:
            needed = Shown("")
            if gate.needed is not None:
                needed = message_line(
                    language, "at_most" if gate.at_most else "at_least", value_said(language, gate.what, gate.needed)
                )
            outcome = "told" if gate.passed is None else "passed" if gate.passed else "failed"
            rows.append(
                (called(language, "gate", gate.what), value_said(language, gate.what, gate.value), needed, outcome)
            )
        wide = [max((cells(str(row[k])) for row in rows), default=0) for k in range(3)]
        return [
            "  "
            + "  ".join(padded(str(cell), w) for cell, w in zip(row[:3], wide, strict=True))
            + "  "
            + self.paint(row[3], message_line(language, row[3]))
            for row in rows
        ]

    def decision(self) -> list[str]:
        """Return the lines about the decision."""
        return ["", *(compose("  {}", line) for line in decided(self.seen, self.language))]


def _said_of(item: Item) -> list[tuple[str, int]]:
    """Return the figures to show of a feature, without its depth and block 0."""
    return [(k, v) for k, v in item.figures.items() if k != "depth" and (k != "block" or v)]


def decided(seen: MethodSights, language: Language) -> list[Shown]:
    """Return the decision about a pair as lines: relation and rule, differences, number of passages; empty for one document."""
    found = seen.comparison
    if found is None:
        return []
    one, two = seen.names
    rule = rule_said(language, found.rule)
    if found.relation_if_found is not None:
        wanted = relation_said(language, found.relation_if_found)
        lines = [message_line(language, "not_found", one, two, rule, wanted)]
    elif found.relation == "none":
        lines = [message_line(language, "undecided", one, two, rule)]
    else:
        lines = [message_line(language, "decision", one, two, relation_said(language, found.relation), rule)]
    if found.differences:
        lines.append(message_line(language, "differs", one, two, in_words(found.differences, language)))
    return [*lines, message_line(language, "passages", len(found.passages))]
