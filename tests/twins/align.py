"""Passages two token sequences share, word for word or reworked: seed, extend, filter.

Seeds are tokens, pairs of tokens near each other in any order, and shingles, as far as both texts hold them seldom; and
long shingles. Each
marks points (place in a, place in b). Points in dense neighbourhoods are put together into passages.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from twins.hashing import shingle_hashes
from twins.pairs import suffix_lcs
from twins.runs import Run, maximal_runs
from twins.text import Tables, tokenise

Point: TypeAlias = tuple[int, int]
Span: TypeAlias = tuple[int, int, int, int]
"""Start and end in a, start and end in b, in tokens, half open."""
ROUNDS = 16
"""How often a segment is cut on both sides, and how many segments are taken of one group."""
SEEDS_A_TOKEN = 4
LONG = 3
"""The kind of seeds that are shingles of `repeat` tokens."""


class AlignOptions(NamedTuple):
    """See `quchong.kernels.align.AlignOptions`."""

    cap: int
    skip: int
    shingle: int
    slack: int
    radius: int
    dense: int
    chance: int
    reach: int
    gain: int
    least: int
    run: int
    repeat: int
    join: int


def align_tokens(a: Sequence[int], b: Sequence[int], o: AlignOptions) -> list[tuple[int, int, int, int, bool]]:
    """Spans in order, and whether their tokens are equal from end to end; none lies within another on both sides."""
    if a and list(a) == list(b):
        return [(0, len(a), 0, len(b), True)]
    followed = follow(points(a, b, o), o.slack, o.repeat)
    near = dense_points(followed, o, len(a), len(b))
    found = [s for group in groups(near, o.reach) for s in segments(group, o.gain, o.least)]
    widened = {widen(s, a, b) for s in joined(found + marked_runs(followed, o.run), o.join)}
    kept = sorted(s for s in widened if not any(s != t and within(s, t) for t in widened))
    return [(*s, list(a[s[0] : s[1]]) == list(b[s[2] : s[3]])) for s in kept]


def seeds(tokens: Sequence[int], o: AlignOptions) -> list[list[tuple[Hashable, tuple[int, ...]]]]:
    """Per kind of seed every key with the places it stands for: of a pair first the lesser token's."""
    n = len(tokens)
    pairs = [(i, i + d) for i in range(n) for d in range(1, o.skip + 1) if i + d < n]
    ordered = [(i, j) if tokens[i] <= tokens[j] else (j, i) for i, j in pairs]
    shingles, long = ([tuple(range(i, i + w)) for i in range(n - w + 1)] for w in (o.shingle, o.repeat))
    kinds: list[Iterable[tuple[int, ...]]] = [[(i,) for i in range(n)], ordered, shingles, long]
    return [[(tuple(tokens[i] for i in places), places) for places in kind] for kind in kinds]


def points(a: Sequence[int], b: Sequence[int], o: AlignOptions) -> set[Point]:
    """Places of equal tokens, by seeds that stand x times in a and y times in b with x * y <= cap.

    Where a kind would have more than 4 matches a token, the cap is lowered for it until it has not. A long one beyond the
    cap is matched in order, the first in a with the first in b and so on: texts that repeat themselves still meet.
    """
    out: set[Point] = set()
    for kind, (left, right) in enumerate(zip(seeds(a, o), seeds(b, o), strict=True)):
        in_a: dict[Hashable, list[tuple[int, ...]]] = defaultdict(list)
        in_b: dict[Hashable, list[tuple[int, ...]]] = defaultdict(list)
        for key, at in left:
            in_a[key].append(at)
        for key, at in right:
            in_b[key].append(at)
        matches = [0] * (o.cap + 1)
        for key in in_a.keys() & in_b.keys():
            product = len(in_a[key]) * len(in_b[key])
            if product <= o.cap:
                matches[product] += product
        cap = o.cap
        while sum(matches[: cap + 1]) > SEEDS_A_TOKEN * (len(a) + len(b)):
            cap -= 1
        for key in in_a.keys() & in_b.keys():
            if len(in_a[key]) * len(in_b[key]) <= cap:
                out |= {p for x in in_a[key] for y in in_b[key] for p in zip(x, y, strict=True)}
            elif kind == LONG:
                out |= {p for x, y in zip(in_a[key], in_b[key], strict=False) for p in zip(x, y, strict=True)}
    return out


def follow(marked: set[Point], slack: int, repeat: int) -> list[Point]:
    """The points of runs (of neighbours on a diagonal) no more than `slack` times shorter than others of their places.

    Runs of `repeat` points all stay. Else a token that stands in a long equal run is not held for a copy of itself elsewhere.
    """
    run: dict[Point, int] = {}
    for i, j in sorted(marked):
        run[i, j] = run.get((i - 1, j - 1), 0) + 1
    for i, j in sorted(marked, reverse=True):
        run[i, j] = run.get((i + 1, j + 1), run[i, j])
    in_a: dict[int, int] = defaultdict(int)
    in_b: dict[int, int] = defaultdict(int)
    for (i, j), length in run.items():
        in_a[i] = max(in_a[i], length)
        in_b[j] = max(in_b[j], length)
    return sorted(p for p, n in run.items() if n >= repeat or n * slack >= max(in_a[p[0]], in_b[p[1]]))


def dense_points(marked: list[Point], o: AlignOptions, m: int, n: int) -> list[Point]:
    """Points with points on at least `dense` places of both texts within `radius` tokens (their own included).

    And on `chance` times as many as there would be if all points of a place but one stood anywhere in the other text.
    """

    def by_chance(at: int, points: Counter[int], other: int) -> int:
        """Places of a neighbourhood that would have a point, times the other text's length."""
        here = range(at - o.radius, at + o.radius + 1)
        return sum(min(other, (points[x] - 1) * (2 * o.radius + 1)) for x in here if x in points)

    rows, columns = Counter(i for i, _ in marked), Counter(j for _, j in marked)
    kept = []
    for i, j in marked:
        about = [(x, y) for x, y in marked if abs(x - i) <= o.radius and abs(y - j) <= o.radius]
        left, right = len({x for x, _ in about}), len({y for _, y in about})
        rare = left * n >= o.chance * by_chance(i, rows, n) and right * m >= o.chance * by_chance(j, columns, m)
        if min(left, right) >= o.dense and rare:
            kept.append((i, j))
    return kept


def groups(near: list[Point], reach: int) -> list[list[Point]]:
    """Points linked by steps of at most `reach` tokens in both texts; groups by their first point, points in order."""
    left, out = list(near), []
    while left:
        group, edge = [left[0]], [left.pop(0)]
        while edge:
            i, j = edge.pop()
            met = [(x, y) for x, y in left if abs(x - i) <= reach and abs(y - j) <= reach]
            left = [p for p in left if p not in met]
            group += met
            edge += met
        out.append(sorted(group))
    return out


def best_stretch(places: Sequence[int], gain: int) -> tuple[int, int, int]:
    """Score, first and last place of the best stretch: `gain` for each place, less 1 for each token between two."""
    score, start, before = 0, 0, -1
    best = (0, 0, 0)
    for x in places:
        score -= x - before - 1
        if score <= 0:
            score, start = 0, x
        score, before = score + gain, x
        if score > best[0]:
            best = (score, start, x)
    return best


def segments(group: list[Point], gain: int, least: int) -> list[Span]:
    """The best stretch of a group, cut in a and b in turn until nothing more falls away; then of what lies before and behind.

    A stretch counts when both its sides score `least`. What overlaps it in b is not looked at again.
    """
    out: list[Span] = []
    waiting = [group]
    while waiting and len(out) < ROUNDS:
        whole = waiting.pop()
        inner, scores, same, side = whole, [0, 0], 0, 0
        for _ in range(ROUNDS):
            scores[side], first, last = best_stretch(sorted({p[side] for p in inner}), gain)
            kept = [p for p in inner if first <= p[side] <= last]
            same = same + 1 if len(kept) == len(inner) else 1
            inner, side = kept, 1 - side
            if same == 2:
                break
        if min(scores) < least:
            continue
        span = bounds(inner)
        out.append(span)
        rest = [p for p in whole if not span[2] <= p[1] < span[3]]
        waiting += [
            part for part in ([p for p in rest if p[0] < span[0]], [p for p in rest if p[0] >= span[1]]) if part
        ]
    return out


def bounds(group: list[Point]) -> Span:
    """The least span around points."""
    i, j = [p[0] for p in group], [p[1] for p in group]
    return min(i), max(i) + 1, min(j), max(j) + 1


def marked_runs(marked: list[Point], run: int) -> list[Span]:
    """Runs of `run` points or more one behind another on a diagonal, as long as they go."""
    known, out = set(marked), []
    for i, j in marked:
        if (i - 1, j - 1) in known:
            continue
        n = 1
        while (i + n, j + n) in known:
            n += 1
        if n >= run:
            out.append((i, i + n, j, j + n))
    return out


def joined(found: list[Span], join: int) -> list[Span]:
    """Spans made one, and chains of them, with at most `join` tokens between on both sides, and half of the shorter's length.

    Two are not joined where the step from the end of one to the start of the next differs by more than twice `join` between
    the sides (long passages that changed places), nor where they are apart on one side and share more than half of the
    shorter on the other (one passage that stands twice).
    """
    found = sorted(found)
    parts = list(range(len(found)))
    for y in range(len(found)):
        for x in range(y):
            s, t = found[x], found[y]
            gaps = max(s[0], t[0]) - min(s[1], t[1]), max(s[2], t[2]) - min(s[3], t[3])
            shortest = min(s[1] - s[0], s[3] - s[2], t[1] - t[0], t[3] - t[2])
            drift = abs((t[0] - s[1]) - (t[2] - s[3]))
            twice = max(gaps) >= 0 and -2 * min(gaps) > shortest
            if max(gaps) <= min(join, shortest // 2) and drift <= 2 * join and not twice:
                parts = [parts[x] if p == parts[y] else p for p in parts]
    chains = [[s for s, p in zip(found, parts, strict=True) if p == part] for part in set(parts)]
    return [(min(s[0] for s in c), max(s[1] for s in c), min(s[2] for s in c), max(s[3] for s in c)) for c in chains]


def widen(span: Span, a: Sequence[int], b: Sequence[int]) -> Span:
    """The span with the equal tokens before and behind it."""
    a0, a1, b0, b1 = span
    while a0 > 0 and b0 > 0 and a[a0 - 1] == b[b0 - 1]:
        a0, b0 = a0 - 1, b0 - 1
    while a1 < len(a) and b1 < len(b) and a[a1] == b[b1]:
        a1, b1 = a1 + 1, b1 + 1
    return a0, a1, b0, b1


def within(s: Span, t: Span) -> bool:
    """Does s lie within t in both texts?"""
    return t[0] <= s[0] and s[1] <= t[1] and t[2] <= s[2] and s[3] <= t[3]


def equal_runs(a: Tokens, b: Tokens, ngram: int, shortest: int) -> list[tuple[int, int, int]]:
    """Runs both share: (place in a, place in b, tokens), greedily from left to right of b."""
    if not a or not b:
        return []
    if list(a) == list(b):
        return [(0, 0, len(b))]
    places: dict[int, list[int]] = {}
    for i, h in enumerate(shingle_hashes(a, ngram)):
        places.setdefault(h, []).append(i)
    keys = shingle_hashes(b, ngram)

    def measure(i: int, j: int) -> int:
        k = 0
        while i + k < len(a) and j + k < len(b) and a[i + k] == b[j + k]:
            k += 1
        return k

    out: list[tuple[int, int, int]] = []
    expected, j = len(a) + 1, 0
    while j < len(keys):
        best, length = -1, 0
        if expected < len(a) and measure(expected, j):
            best, length = expected, measure(expected, j)
        for i in places.get(keys[j], [])[:64]:
            if measure(i, j) > length:
                best, length = i, measure(i, j)
        if best >= 0 and length >= shortest:
            out.append((best, j, length))
            j += length
            expected = best + length
        else:
            j += 1
            expected += expected < len(a)
    return out


Tokens = Sequence[int]


def outer_runs(runs: Sequence[Run]) -> list[Run]:
    """The runs without those that lie within another one in the first document; of equal ones the first is left."""
    out: list[Run] = []
    end = 0
    for i, j, k in sorted(runs, key=lambda r: (r[0], -r[2], r[1])):
        if i + k > end:
            out.append((i, j, k))
            end = i + k
    return out


def repeated_passages(docs: Sequence[Tokens], shortest: int) -> list[tuple[int, int, int, int, int, int, float]]:
    """(document, earlier document, start, start there, tokens, documents that hold it, its mean share of them)."""

    def holds(d: Tokens, passage: Tokens) -> bool:
        return any(d[i : i + len(passage)] == passage for i in range(len(d) - len(passage) + 1))

    out = []
    for d, mine in enumerate(docs):
        for e in range(d):
            for i, j, k in outer_runs(maximal_runs(mine, docs[e], shortest, gap=None)):
                holders = [len(x) for x in docs if holds(x, mine[i : i + k])]
                out.append((d, e, i, j, k, len(holders), sum(k / n for n in holders) / len(holders)))
    return out


class EditOptions(NamedTuple):
    """See `quchong.kernels.align.edits`."""

    shingle: int = 4
    most_runs: int = 1024
    cells: int = 1 << 22
    join: bool = True


def edits(a: Tokens, b: Tokens, o: EditOptions) -> tuple[list[Span], int]:
    """Edits in order, no two of them touching, and how many tokens were matched before small runs were taken into edits."""
    apart = between(a, b, (0, len(a), 0, len(b)), o, anchor=True)
    return merged(apart) if o.join else apart, len(a) - sum(a1 - a0 for a0, a1, _, _ in apart)


def between(a: Tokens, b: Tokens, gap: Span, o: EditOptions, *, anchor: bool) -> list[Span]:
    """Equal ends taken away, what is left parted at anchored runs, or walked along a longest common subsequence."""
    a0, a1, b0, b1 = gap
    while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
        a0, b0 = a0 + 1, b0 + 1
    while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
        a1, b1 = a1 - 1, b1 - 1
    if a0 == a1 or b0 == b1:
        return [(a0, a1, b0, b1)] if a0 < a1 or b0 < b1 else []
    if anchor and min(a1 - a0, b1 - b0) >= 2 * o.shingle:
        chain = heaviest(anchored(a, b, (a0, a1, b0, b1), o))
        if chain:
            starts = [(a0, b0)] + [(i + n, j + n) for i, j, n in chain]
            ends = [(i, j) for i, j, _ in chain] + [(a1, b1)]
            gaps = [(i, k, j, m) for (i, j), (k, m) in zip(starts, ends, strict=True)]
            return [edit for g in gaps for edit in between(a, b, g, o, anchor=False)]
    if (a1 - a0) * (b1 - b0) > o.cells:
        return [(a0, a1, b0, b1)]
    return [(a0 + i, a0 + k, b0 + j, b0 + m) for i, k, j, m in walked(a[a0:a1], b[b0:b1])]


def walked(a: Tokens, b: Tokens) -> list[Span]:
    """What stands between the tokens of one longest common subsequence: of two ways on, a token of b is passed first."""
    longest = suffix_lcs(a, b)
    out: list[Span] = []
    i = j = i0 = j0 = 0
    while i < len(a) or j < len(b):
        if i < len(a) and j < len(b) and a[i] == b[j]:
            out.append((i0, i, j0, j))
            i0, j0 = i, j = i + 1, j + 1
        elif j < len(b) and (i == len(a) or longest[i][j + 1] >= longest[i + 1][j]):
            j += 1
        else:
            i += 1
    return [edit for edit in [*out, (i0, i, j0, j)] if edit[0] < edit[1] or edit[2] < edit[3]]


def anchored(a: Tokens, b: Tokens, gap: Span, o: EditOptions) -> list[Run]:
    """Equal runs with a shingle that stands once on either side of the gap, each as long as it goes, by their places.

    Of more than `most_runs` the longest; of equally long ones those that begin first on the longer side (b if both are equal).
    """
    a0, a1, b0, b1 = gap
    mine, theirs = (
        [tuple(side[i : i + o.shingle]) for i in range(first, last - o.shingle + 1)]
        for side, first, last in ((a, a0, a1), (b, b0, b1))
    )
    here, there = Counter(mine), Counter(theirs)
    found: set[Run] = set()
    for shingle in here:
        if here[shingle] == there[shingle] == 1:
            i, j = a0 + mine.index(shingle), b0 + theirs.index(shingle)
            while i > a0 and j > b0 and a[i - 1] == b[j - 1]:
                i, j = i - 1, j - 1
            n = 0
            while i + n < a1 and j + n < b1 and a[i + n] == b[j + n]:
                n += 1
            found.add((i, j, n))
    side = 0 if a1 - a0 > b1 - b0 else 1
    return sorted(sorted(found, key=lambda run: (-run[2], run[side]))[: o.most_runs])


def heaviest(runs: list[Run]) -> list[Run]:
    """The chain of runs with most tokens that keeps its order on both sides.

    The start of a run that overlaps the one before it, on either side, is cut off. Of equal chains the first that was found.
    """
    chains: list[tuple[int, list[Run]]] = []
    for i, j, n in runs:
        best: tuple[int, list[Run]] = n, [(i, j, n)]
        for (k, m, length), (weight, chain) in zip(runs, chains, strict=False):
            cut = max(0, k + length - i, m + length - j)
            if k < i and m < j and cut < n and weight + n - cut > best[0]:
                best = weight + n - cut, [*chain, (i + cut, j + cut, n - cut)]
        chains.append(best)
    return max(chains, key=lambda chain: chain[0], default=(0, []))[1]


def merged(apart: list[Span]) -> list[Span]:
    """Edits with equal runs between them that are no longer than the edits on both of their sides made one."""

    def size(edit: Span) -> int:
        return max(edit[1] - edit[0], edit[3] - edit[2])

    out: list[Span] = []
    for edit in apart:
        now = edit
        while out and now[0] - out[-1][1] <= min(size(out[-1]), size(now)):
            last = out.pop()
            now = (last[0], now[1], last[2], now[3])
        out.append(now)
    return out


LONGEST_END = 64
"""Places looked at from either end of a run: that end and those behind 1 to 63 letters."""
Place = tuple[int, int]
LetterRun = tuple[int, int, int, int, int]
"""Left text, right text, first letter in either, letters."""
Whole = tuple[tuple[int, int, int, int], int, bool]


class Letters:
    """The letters of a text, the token each stands in, and before which of them (or the end) a passage may end or begin."""

    def __init__(self, text: str, tables: Tables, *, full: bool = True) -> None:
        self.letters = tokenise(text, tables, full=full, characters=True)
        self.words = tokenise(text, tables, full=full)
        self.token = [max(k for k, word in enumerate(self.words) if word.start <= c.start) for c in self.letters]
        self.ends = [
            i in (0, len(self.letters)) or (self._place(i) != self._place(i - 1) and self.token[i] != self.token[i - 1])
            for i in range(len(self.letters) + 1)
        ]

    def _place(self, i: int) -> Place:
        return self.letters[i].start, self.letters[i].end

    def span(self, first: int, length: int) -> Place:
        """Where letters stand, in characters."""
        return self.letters[first].start, self.letters[first + length - 1].end

    def tokens(self, first: int, length: int) -> list[int]:
        """The tokens letters stand in."""
        return [word.value for word in self.words[self.token[first] : self.token[first + length - 1] + 1]]


def whole_runs(texts: Sequence[str], runs: Sequence[LetterRun], tables: Tables, *, full: bool = True) -> list[Whole]:
    """Of each run: start and end in the left text, start and end in the right one; letters left; are the tokens the same?"""
    known = [Letters(text, tables, full=full) for text in texts]
    return [_whole(known[a], known[b], start, other_start, length) for a, b, start, other_start, length in runs]


def _whole(left: Letters, right: Letters, start: int, other_start: int, length: int) -> Whole:
    ends = [left.ends[start + i] and right.ends[other_start + i] for i in range(length + 1)]
    fronts = [i for i in range(min(length, LONGEST_END - 1) + 1) if ends[i]]
    backs = [i for i in range(min(length, LONGEST_END - 1) + 1) if ends[length - i]]
    if not fronts or not backs or fronts[0] + backs[0] >= length:
        return (0, 0, 0, 0), 0, True
    kept, a, b = length - fronts[0] - backs[0], start + fronts[0], other_start + fronts[0]
    return (*left.span(a, kept), *right.span(b, kept)), kept, left.tokens(a, kept) == right.tokens(b, kept)
