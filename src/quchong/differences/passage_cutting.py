"""Removal of passages from a text, by whole sentences or by characters."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate

from quchong.patterns import lazy_pattern
from quchong.text.cut_text import CutText

Span = tuple[int, int]
BLANKS = " \t　"
_BLANK = lazy_pattern(f"[{BLANKS}]*")


WRAPPED = 30
"""Least characters of a line that counts as full and therefore wrapped."""
_FULL = lazy_pattern(r"[!-~](?<![.!?…:;])[ \t]*\n[\"'(\[]?[0-9A-Za-z$]")
"""Line end inside a sentence of words. (In Chinese, headings and last lines of paragraphs also end without a full stop.)."""


def unwrapped(text: str, pieces: Sequence[Span]) -> list[Span]:
    """Merge pieces of a text (offsets start, end) that are wrapped lines of one English sentence; other pieces are unchanged.

    A full line that does not end like a sentence continues in the next one, unless that is indented. A long heading is merged with the text
    after it, too; both are then removed or kept together.
    """
    out: list[Span] = []
    for start, end in pieces:
        if out:
            first, last = out[-1]
            line = last - text.rfind("\n", 0, last) - 1
            goes_on = _FULL.match(text, last - 1)
            if line >= WRAPPED and goes_on and goes_on.end() > start:
                out[-1] = (first, end)
                continue
        out.append((start, end))
    return out


def whole_pieces(text: str, spans: Sequence[Span], pieces: Sequence[Span]) -> list[Span]:
    """Return the pieces of a text whose letters and digits are all within one of the spans; pieces without letters are left out.

    One span is required, not several together, because halves that occur in two other texts make no copy of the whole.
    """
    found = []
    # Of the spans that begin before a piece the one that ends last decides.
    ordered = sorted(spans)
    starts, ends = [start for start, _ in ordered], list(accumulate((end for _, end in ordered), max))
    for start, end in pieces:
        a = _letter_in(text, range(start, end))
        if a < 0 or not (before := bisect_right(starts, a)) or ends[before - 1] <= a:
            continue  # most pieces of a text are in no span
        if _letter_in(text, range(end - 1, start - 1, -1)) < ends[before - 1]:
            found.append((start, end))
    return found


def covered(text: str, spans: Iterable[Span], cut: Sequence[Span]) -> Counter[str]:
    """Count the spans of a text by what the cuts remove: "whole" (every letter and digit), "part", or nothing ("left")."""
    merged = _merged(cut)
    starts, ends = [start for start, _ in merged], [end for _, end in merged]
    out: Counter[str] = Counter()
    for at, end in spans:
        inside = merged[bisect_right(ends, at) : bisect_left(starts, end)]
        rest = [at, *(edge for piece in inside for edge in piece), end]
        holes = zip(rest[::2], rest[1::2], strict=True)
        whole = all(_letter_in(text, range(a, b)) < 0 for a, b in holes)
        out["left" if not inside else "whole" if whole else "part"] += 1
    return out


def _letter_in(text: str, places: range) -> int:
    """Return the first of the given offsets at which a letter or digit is, or a sign that normalises to one (㎏); else -1."""
    for i in places:
        c = text[i]
        if c.isalnum() or (c > "\x7f" and any(x.isalnum() for x in unicodedata.normalize("NFKC", c))):
            return i
    return -1


def without(text: str, spans: Sequence[Span]) -> CutText:
    """Return the text without these spans, and without the lines and gaps that only they filled, and what of the text that is.

    Blanks after a span are removed with it. If nothing else is on the line, its indent and its end are removed too. A gap between
    paragraphs is kept once. Spans may overlap.
    """
    out: list[str] = []
    starts: list[int] = []  # of the pieces of `out`, which lose letters at their end alone
    at = 0
    for start, end in _merged(spans):
        out.append(text[at:start])
        starts.append(at)
        blank = _BLANK.match(text, end)
        at = blank.end() if blank else end
        if text[at : at + 1] in ("", "\n"):
            _drop_indent(out)
            del starts[len(out) :]
            tail = _tail(out)
            if tail[-1:] in ("", "\n"):
                at += text[at : at + 1] == "\n"
                while tail in ("", "\n\n") and text[at : at + 1] == "\n":
                    at += 1
    out.append(text[at:])
    starts.append(at)
    return CutText(
        "".join(out), [(start, start + len(piece)) for start, piece in zip(starts, out, strict=True) if piece]
    )


def _drop_indent(out: list[str]) -> None:
    """Remove the last item of `out` if it is a blank line."""
    for k in range(len(out) - 1, -1, -1):
        line = out[k].rfind("\n") + 1
        if out[k][line:].strip(BLANKS):
            return
        if line:
            out[k:] = [out[k][:line]]
            return
    out.clear()


def _tail(out: list[str]) -> str:
    """Return the last two characters of the joined parts `out`."""
    tail = ""
    for piece in reversed(out):
        tail = piece[-2:] + tail
        if len(tail) >= 2:
            break
    return tail[-2:]


def _merged(spans: Sequence[Span]) -> list[Span]:
    out: list[Span] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        elif end > start:
            out.append((start, end))
    return out
