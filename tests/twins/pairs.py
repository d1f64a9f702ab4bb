"""What pairs of token sequences have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise

from twins.hashing import COEFFICIENTS, M64, mix64
from twins.text import NUMBER_TOKEN, WORD_TOKEN

Tokens = Sequence[int]


def shingles(tokens: Tokens, ngram: int) -> set[tuple[int, ...]]:
    """The distinct shingles of a document themselves; a shorter one is one shingle, an empty one has none."""
    return {tuple(tokens[i : i + ngram]) for i in range(max(1, len(tokens) - ngram + 1))} if len(tokens) else set()


def distinct_shingles(tokens: Tokens, ngram: int) -> int:
    """Number of distinct shingles; 0 for width 0."""
    return len(shingles(tokens, ngram)) if ngram else 0


def shared_shingles(a: Tokens, b: Tokens, ngram: int) -> int:
    """Number of distinct shingles in both."""
    return len(shingles(a, ngram) & shingles(b, ngram))


def jaccard_and_containments(a: Tokens, b: Tokens, ngram: int) -> tuple[float, float, float]:
    """Jaccard, share of a found in b, share of b found in a; 0 where a side is empty."""
    x, y = shingles(a, ngram), shingles(b, ngram)
    if not x or not y:
        return 0.0, 0.0, 0.0
    n = len(x & y)
    return n / len(x | y), n / len(x), n / len(y)


def number_slots(tokens: Tokens) -> list[tuple[tuple[int, ...], int]]:
    """(context, number) of every number: two tokens to the left and one to the right, numbers masked."""

    def masked(i: int) -> int:
        if not 0 <= i < len(tokens):
            return 0
        return NUMBER_TOKEN if tokens[i] >= NUMBER_TOKEN else tokens[i]

    return [(tuple(masked(i + d) for d in (-2, -1, 1)), t) for i, t in enumerate(tokens) if t >= NUMBER_TOKEN]


def compare_numbers(a: Tokens, b: Tokens) -> tuple[int, int, int, int, int]:
    """Slots in both, of these with another number, numbers in common, numbers of a, numbers of b."""
    x, y = Counter(number_slots(a)), Counter(number_slots(b))
    contexts_x = Counter({c: 0 for c, _ in x})
    contexts_y = Counter({c: 0 for c, _ in y})
    for (c, _), n in x.items():
        contexts_x[c] += n
    for (c, _), n in y.items():
        contexts_y[c] += n
    shared = sum((contexts_x & contexts_y).values())
    same = sum((x & y).values())
    p, q = Counter(t for t in a if t >= NUMBER_TOKEN), Counter(t for t in b if t >= NUMBER_TOKEN)
    return shared, shared - same, sum((p & q).values()), sum(p.values()), sum(q.values())


def suffix_lcs(a: Tokens, b: Tokens) -> list[list[int]]:
    """Length of the longest common subsequence of a[i:] and b[j:]."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            table[i][j] = table[i + 1][j + 1] + 1 if a[i] == b[j] else max(table[i + 1][j], table[i][j + 1])
    return table


def replacements(a: Tokens, b: Tokens) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """What stands between matched tokens, left and right, walking one longest common subsequence."""
    table = suffix_lcs(a, b)
    out: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    gone: list[int] = []
    come: list[int] = []
    i = j = 0
    while i < len(a) or j < len(b):
        if i < len(a) and j < len(b) and a[i] == b[j]:
            out.append((tuple(gone), tuple(come)))
            gone, come = [], []
            i, j = i + 1, j + 1
        elif j < len(b) and (i == len(a) or table[i][j + 1] >= table[i + 1][j]):
            come.append(b[j])
            j += 1
        else:
            gone.append(a[i])
            i += 1
    return [*out, (tuple(gone), tuple(come))]


def repeated_swaps(a: Tokens, b: Tokens, max_cells: int) -> bool:
    """Does a replacement with two or more one-character tokens on a side occur twice?"""
    if len(a) * len(b) > max_cells:
        return False
    counts = Counter(
        (x, y)
        for x, y in replacements(a, b)
        if x and y and max(sum(t < WORD_TOKEN for t in x), sum(t < WORD_TOKEN for t in y)) >= 2
    )
    return any(n >= 2 for n in counts.values())


def places(tokens: Tokens, names: Sequence[Tokens]) -> set[tuple[int, ...]]:
    """Names of the list in a document; at every token the longest, and the search goes on behind it."""
    found: set[tuple[int, ...]] = set()
    i = 0
    while i < len(tokens):
        here = [tuple(n) for n in names if n and tuple(tokens[i : i + len(n)]) == tuple(n)]
        if here:
            found.add(max(here, key=len))
        i += max(map(len, here), default=1)
    return found


def disjoint_places(a: Tokens, b: Tokens, names: Sequence[Tokens]) -> bool:
    """Do both name places, and none in common?"""
    x, y = places(a, names), places(b, names)
    return bool(x) and bool(y) and not x & y


def levenshtein(a: Tokens, b: Tokens) -> int:
    """The textbook edit distance."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (x != y)))
    return row[-1]


def added_only(a: Tokens, b: Tokens) -> bool:
    """Is the edit distance at most max(2, longer // 6), and reached without any substitution?"""
    indel = len(a) + len(b) - 2 * suffix_lcs(a, b)[0][0]
    return indel <= max(2, max(len(a), len(b)) // 6) and levenshtein(a, b) == indel


def replaced_words(a: Sequence[int], b: Sequence[int], max_cells: int) -> int:
    """The most one-character tokens on both sides of one replacement, or moved from one place to another."""
    if not a or not b or len(a) * len(b) > max_cells:
        return 0
    apart = [([t for t in x if t < WORD_TOKEN], [t for t in y if t < WORD_TOKEN]) for x, y in replacements(a, b)]
    gone, come = (Counter(t for place in apart for t in place[side]) for side in (0, 1))
    return max(sum((gone & come).values()), *(min(len(x), len(y)) for x, y in apart))


def covered_tokens(tokens: Tokens, known: set[int], width: int, run: int) -> list[int]:
    """1 for the tokens in stretches of `run` or more that shingles cover whose hash is known."""
    covered = [False] * len(tokens)
    for i in range(len(tokens) - width + 1):
        shingle = tokens[i : i + width]
        total = sum((t + 1) * COEFFICIENTS[k] for k, t in enumerate(shingle))
        if mix64(total & M64) in known:
            covered[i : i + width] = [True] * width
    out: list[int] = []
    for there, stretch in groupby(covered):
        size = len(list(stretch))
        out += [int(there and size >= run)] * size
    return out


def says_other(rest: Tokens, other: Tokens, gap: int, shift: int, pieces: int) -> bool:
    """The other text lacks two neighbouring tokens of a block of the rest, or has a block in pieces.

    Looked at are each two neighbouring tokens of a block, near the place that most of the block have in the other text.
    """
    for is_gap, stretch in groupby(rest, lambda t: t == gap):
        block = list(stretch)
        if is_gap or len(block) < 2:
            continue
        twos = list(pairwise(block))
        places = [[p for p, two in enumerate(pairwise(other)) if two == one and gap not in two] for one in twos]
        distances = Counter(p - i for i, found in enumerate(places) for p in found)
        usual = min(distances, key=lambda d: (-distances[d], d), default=0)
        there = [any(abs(p - i - usual) <= shift for p in found) for i, found in enumerate(places)]
        missing, i = 0, 0
        for found, run in groupby(there):
            size = len(list(run))
            if not found:
                missing += 1
                if size + (i == 0) + (i + size == len(twos)) > 2 or missing >= pieces:
                    return True
            i += size
    return False
