"""Preparation of texts for comparison, and mapping of offsets back to the original.

Three things: characters followed by combining marks are composed (so that NFKC may then go character by character), stretches that are not
to be compared (datelines, source and editor lines, known boilerplate) are removed, and what forwarding and habit add to posts is folded
(`quchong.text.social`). These are done in Python only for the documents that need them, which one vectorised pass finds.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise, repeat

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.errors import Param, UsageError, meant
from quchong.kernels.composing import nfkc
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.posts import FoldedPosts
from quchong.kernels.text import composes, composing_ranges
from quchong.languages import join_names
from quchong.patterns import lazy_pattern
from quchong.text.comments import STRIPPED_OF_CODE, stripped_of_code
from quchong.text.normalise import tables
from quchong.text.social import fold_marks, social_steps

_SPACE = r"[\s　\xa0]"  # ␣ below: the indents of Chinese pages too, which RE2's \s does not know
_BRACKETED = r"(?:␣*[（(][^）)\n]{2,40}[）)])?"
_WRITTEN: dict[str, tuple[str, ...]] = {
    "dateline": (
        r"^␣*【[^】\n]{2,20}[讯电]】",
        r"^␣*[【\[]?[一-鿿·]{0,16}?␣*\d{1,2}月\d{1,2}日␣*(?:电|讯|消息)" + _BRACKETED + r"[\]】]?[：:，,]?",
        r"^␣*(?:本报|本网|本刊|本台|[一-鿿]{2,8}[网报社])(?:讯|消息)" + _BRACKETED + r"[：:]?",
        r"^␣*央视网消息" + _BRACKETED + r"[：:]?",
        r"^␣*[A-Z][A-Za-z .,'-]{1,40}?(?:, [A-Z][a-z]{2,8}\.? \d{1,2})? \([A-Za-z .]{2,24}\) ?(?:--|-|—|–) ",
        r"^␣*[A-Z][A-Z .'-]{2,40}(?:, [A-Z][a-z]{2,8}\.? \d{1,2})?,? ?(?:--|—|–) ",
    ),
    "source": (
        r"[（(]␣*(?:来源|稿源|资料来源|文章来源|转自)␣*[：:][^）)\n]{1,40}[）)]",
        r"(?m)^␣*(?:来源|稿源|稿件来源|文章来源|原标题|原题|转自)␣*[：:][^\n]{1,60}$",
        r"(?mi)^␣*(?:source|originally published (?:by|in|at))␣*:?␣[^\n]{1,60}$",
    ),
    "editor": (
        r"[（(]␣*(?:责任编辑|责编|编辑|校对|审核)␣*[：:]?[^）)\n]{1,24}[）)]",
        r"(?m)(?:^|(?<=[。！？\s]))(?:责任编辑|责编|编辑|校对|审核|值班编辑)␣*[：:][^\n。]{1,24}$",
        r"(?mi)^␣*(?:editor|edited by|reporting by)␣*:?␣[^\n]{1,80}$",
    ),
}
STRIP_PATTERNS = {name: tuple(p.replace("␣", _SPACE) for p in patterns) for name, patterns in _WRITTEN.items()}
"""Patterns of lines that reprints add or change, by name; each name can be requested separately."""
STRIPPED = (*STRIP_PATTERNS, *STRIPPED_OF_CODE)
"""Names of what can be taken out of texts: lines that reprints add or change, comments and licences of source code."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Map from offsets in an edited text to offsets in the original.

    Attributes:
        starts: offsets of the replacements in the edited text, ascending.
        pieces: for each replacement its length, and the start and end of the replaced range in the original.
    """

    starts: tuple[int, ...]
    pieces: tuple[tuple[int, int, int], ...]

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Return the range in the original of the edited text's [start, end); for an empty range, its insertion point."""
        if start == end:
            return (self._character(start)[0],) * 2
        return self._character(start)[0], self._character(end - 1)[1]

    def _character(self, at: int) -> tuple[int, int]:
        """Return the range in the original text of one character of the edited text; all of a replacement has one range."""
        k = bisect_right(self.starts, at) - 1
        if k < 0:
            return at, at + 1
        length, first, last = self.pieces[k]
        if at < self.starts[k] + length:
            return first, last
        behind = last + at - self.starts[k] - length
        return behind, behind + 1


@dataclass(frozen=True, slots=True)
class Prepared:
    """Texts for comparison, and the edits of those that differ from the original."""

    texts: pa.Array
    edits: dict[int, Edit] = field(default_factory=dict)


@cache
def _composing() -> re.Pattern[str]:
    marks = "".join(f"{re.escape(chr(a))}-{re.escape(chr(b))}" for a, b in composing_ranges())
    return re.compile(f"(?s:.)[{marks}]+|[{marks}]+")


def compose(text: str) -> list[tuple[int, int, str]]:
    """Return the changes that compose characters with combining marks after them by NFKC: (start, end, replacement)."""
    found = ((m.start(), m.end(), nfkc(m.group())) for m in _composing().finditer(text))
    return [(a, b, new) for a, b, new in found if new != text[a:b]]


def rewrite(text: str, changes: Iterable[tuple[int, int, str]]) -> tuple[str, Edit]:
    """Replace stretches of a text; return the new text and the map back. Changes are sorted and do not overlap."""
    pieces: list[str] = []
    starts: list[int] = []
    replaced: list[tuple[int, int, int]] = []
    at = length = 0
    for a, b, new in changes:
        pieces += [text[at:a], new]
        length += a - at
        starts.append(length)
        replaced.append((len(new), a, b))
        length += len(new)
        at = b
    pieces.append(text[at:])
    return "".join(pieces), Edit(tuple(starts), tuple(replaced))


@dataclass(frozen=True, slots=True)
class Preparer:
    """Preparer of texts for comparison, in batches.

    Args:
        strip: names of `STRIPPED`: dateline, source, editor, comments, licences.
        boilerplate: lines known to be no part of any document's own text; at least 4 characters each.
        social: names of `SOCIAL_STEPS`: what is folded in posts.

    Raises:
        UsageError: an unknown name.
    """

    strip: tuple[str, ...] = ()
    boilerplate: tuple[str, ...] = ()
    social: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        unknown = [name for name in self.strip if name not in STRIPPED]
        if unknown:
            raise UsageError(
                "{} cannot remove {}: use {}{}",
                Param("strip"),
                join_names([*unknown]),
                join_names([*STRIPPED]),
                meant(",".join(map(str, self.strip)), STRIPPED),
            )
        social_steps(self.social)

    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """Return the patterns of text to remove, in order of precedence."""
        return _patterns(self.strip, self.boilerplate)

    def prepare(self, texts: pa.Array, workers: int | None = None) -> Prepared:
        """Prepare texts (large_string, no nulls) for the kernels; texts without anything to change cost one scan."""
        flagged = set(composes(tables(), texts, workers).nonzero()[0].tolist())
        patterns = self.patterns()
        touched = set(flagged)
        for pattern in patterns:
            touched |= set(_may_match(texts, pattern).nonzero()[0].tolist())
        of_code = [name for name in self.strip if name in STRIPPED_OF_CODE]
        if of_code:
            touched = set(range(len(texts)))
        if not touched and not self.social:
            return Prepared(texts)
        folded = _Folded(fold_marks(texts, self.social, workers)) if self.social else None
        edits: dict[int, Edit] = {}
        changed: dict[int, str] = {}
        places = sorted(touched)
        for i, text in zip(places, texts.take(pa.array(places, pa.int64())).to_pylist(), strict=True):
            changes = [(a, b, " ") for a, b in _spans(text, patterns, of_code)]
            if folded is not None:
                changes = _merge(changes, folded.changes(i))
            changes = _merge(changes, compose(text) if i in flagged else [])
            if changes:
                changed[i], edits[i] = rewrite(text, changes)
        if folded is not None:
            texts = folded.put_in(texts)
            edits = dict(sorted({**folded.edits(), **edits}.items())) if edits else folded.edits()
        return Prepared(_replace(texts, changed), edits)


class _Folded:
    """Posts without their marks, with the changes that folding made in each."""

    def __init__(self, found: FoldedPosts) -> None:
        self.found = found
        self.place = {i: k for k, i in enumerate(found.which.tolist())}

    def changes(self, i: int) -> list[tuple[int, int, str]]:
        """Return the changes of text i, an empty list if there are none."""
        k = self.place.get(i)
        if k is None:
            return []
        some = slice(*self.found.offsets[k : k + 2].tolist())
        put = map(chr, self.found.put[some].tolist())
        return list(zip(self.found.start[some].tolist(), self.found.end[some].tolist(), put, strict=True))

    def put_in(self, texts: pa.Array) -> pa.Array:
        """Return the texts with folded posts in place of their originals."""
        if not self.place:
            return texts
        mask = np.zeros(len(texts), bool)
        mask[self.found.which] = True
        return pc.replace_with_mask(texts, pa.array(mask), self.found.texts)

    def edits(self) -> dict[int, Edit]:
        """Return the edit of every folded text."""
        start, end = self.found.start.astype(np.int64), self.found.end.astype(np.int64)
        shorter = prefix_sums(end - start - 1)
        first = shorter[self.found.offsets]
        begins = (start - shorter[:-1] + np.repeat(first[:-1], np.diff(self.found.offsets))).tolist()
        pieces = list(zip(repeat(1), start.tolist(), end.tolist(), strict=False))
        ends = self.found.offsets.tolist()
        return {
            i: Edit(tuple(begins[a:b]), tuple(pieces[a:b]))
            for i, (a, b) in zip(self.place, pairwise(ends), strict=True)
        }


@lru_cache(8)
def _patterns(strip: tuple[str, ...], boilerplate: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    out = [re.compile(p) for name in strip for p in STRIP_PATTERNS.get(name, ())]
    lines = sorted({line.strip() for line in boilerplate if len(line.strip()) >= 4}, key=len, reverse=True)
    if lines:
        out.append(re.compile("|".join(map(re.escape, lines))))
    return tuple(out)


_LOOK_BEHIND = lazy_pattern(r"\(\?:\^\|\(\?<=\[[^\]]*\]\)\)")


def _may_match(texts: pa.Array, pattern: re.Pattern[str]) -> np.ndarray:
    """Return a mask of the texts that a pattern may match, by RE2 without look-behind; all if RE2 lacks the syntax."""
    try:
        return np.asarray(pc.match_substring_regex(texts, _LOOK_BEHIND.sub("", pattern.pattern)))
    except pa.ArrowInvalid:
        return np.ones(len(texts), bool)


def _spans(text: str, patterns: Sequence[re.Pattern[str]], of_code: Sequence[str]) -> list[tuple[int, int]]:
    found = [(m.start(), m.end()) for p in patterns for m in p.finditer(text) if m.end() > m.start()]
    found = sorted([*found, *(stripped_of_code(text, of_code) if of_code else ())])
    out: list[tuple[int, int]] = []
    for a, b in found:
        if out and a <= out[-1][1]:
            out[-1] = (out[-1][0], max(b, out[-1][1]))
        else:
            out.append((a, b))
    return out


def _merge(first: list[tuple[int, int, str]], second: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Merge two lists of changes; where they overlap, `first` has precedence."""
    if not first or not second:
        return first or second
    ends = [b for _, b, _ in first]
    free = []
    for change in second:
        k = bisect_right(ends, change[0])  # the first change of the other list that ends after this one begins
        if k == len(first) or first[k][0] >= change[1]:
            free.append(change)
    return sorted([*first, *free])


def _replace(texts: pa.Array, changed: dict[int, str]) -> pa.Array:
    if not changed:
        return texts
    mask = np.zeros(len(texts), bool)
    mask[list(changed)] = True
    return pc.replace_with_mask(texts, pa.array(mask), pa.array(list(changed.values()), pa.large_string()))
