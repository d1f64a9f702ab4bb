"""Structure trees, what their nodes are known by, and layers beside each other."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from twins.features import BLANKS
from twins.hashing import COEFFICIENTS, M32, M64, mix64, sequence_hash, shingle_hashes
from twins.text import NUMBER_TOKEN, WORD_TOKEN, Tables, Token, name, tokenise

SENTENCE_SEED = 0x53454E54
MARKS = ("。｡", "，,", "、､", "；;", "：:", "？?", "！!")
TITLE_LEAST = 4
_NUMERALS, _FIGURES = "[一二三四五六七八九十百零〇]+", "[0-9０-９]+"
_BLANK = "[" + "".join(re.escape(chr(c)) for c in sorted(BLANKS)) + "]"
_END = re.compile(rf"[。｡！？!?…]+[”’」』）)\]】》\"']*|\.[”’\"')\]]*(?={_BLANK}|\Z)[”’」』）)\]】》\"']*")
_NUMBERED = (
    (9, re.compile(rf"第(?:{_NUMERALS[:-2]}0-9０-９]+)[章节篇部编回]")),
    (9, re.compile(rf"{_NUMERALS}、")),
    (8, re.compile(rf"[（(]{_NUMERALS}[）)]")),
    (7, re.compile(rf"{_FIGURES}(?:、|[.．](?![0-9０-９]))")),
    (6, re.compile(rf"[（(]{_FIGURES}[）)]")),
)


@dataclass(frozen=True)
class Sentence:
    """Names of the tokens of one sentence, whether each stands right behind the one before it, and the classes of marks in it."""

    tokens: list[int]
    joined: list[bool]
    marks: frozenset[int]

    @property
    def spoken(self) -> list[int]:
        """Names of tokens that are no numbers."""
        return [t for t in self.tokens if t & M32 < NUMBER_TOKEN]


@dataclass
class Tree:
    """Nodes of one document without the root: depth, parent (-1 the root), sentences; the title; marks of the text."""

    title: list[int]
    title_joined: list[bool]
    depth: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    nodes: list[list[Sentence]] = field(default_factory=list)
    counts: list[int] = field(default_factory=lambda: [0] * len(MARKS))


def heading_weight(line: str, block: str, heading_characters: int) -> int:
    """Weight of a line in tenths: h1 to h6 60 to 10; bold, 一、, 第一章 9; （一） 8; 1. 7; (1) 6; a paragraph 0."""
    if block in "123456":
        return 10 * (7 - int(block))
    plain = "".join(c for c in line if ord(c) not in BLANKS)
    if len(plain) > heading_characters:
        return 0
    if block == "b":
        return 9
    line = line.lstrip("".join(map(chr, BLANKS)))
    return next((w for w, pattern in _NUMBERED if pattern.match(line)), 0)


def stacked(weights: Sequence[int]) -> tuple[list[int], list[int]]:
    """Depth and parent of every node: pop while top.weight <= new.weight; the parent is the top, or the root."""
    depth, parent = [], []
    stack: list[tuple[int, int]] = []
    for i, weight in enumerate(weights):
        while stack and stack[-1][0] <= weight:
            stack.pop()
        depth.append(len(stack) + 1)
        parent.append(stack[-1][1] if stack else -1)
        stack.append((weight, i))
    return depth, parent


def line_marks(line: str) -> list[int | None]:
    """The class of the mark at each place of a line; None for none, and for commas and colons within numbers."""
    out: list[int | None] = []
    for i, c in enumerate(line):
        found = next((k for k, marks in enumerate(MARKS) if c in marks), None)
        if (
            c in ",:"
            and 0 < i < len(line) - 1
            and all(x in "0123456789０１２３４５６７８９" for x in (line[i - 1], line[i + 1]))
        ):
            found = None
        out.append(found)
    return out


def line_sentences(line: str, cuts: int) -> list[tuple[int, frozenset[int], bool]]:
    """Where each sentence of a line ends, the marks in it, and whether a Latin full stop, one of class 0, ends it."""
    marks = line_marks(line)
    cutting = "".join(c for k, group in enumerate(MARKS) if cuts >> k & 1 for c in group)
    ends: list[tuple[int, bool]] = []
    i = 0
    while i < len(line):
        m = _END.match(line, i)
        if not m and marks[i] is not None and line[i] in cutting:
            m = re.compile(r".[”’」』）)\]】》\"']*").match(line, i)
        if m:
            ends.append((m.end(), line[i] == "."))
        i = m.end() if m else i + 1
    ends.append((len(line), False))
    out, start = [], 0
    for end, stop in ends:
        inside = {k for k in marks[start:end] if k is not None} | ({0} if stop else set())
        out.append((end, frozenset(inside), stop))
        start = end
    return out


def tree(
    text: str, blocks: str | None, title: str | None, tables: Tables, *, full: bool = True, cuts: int = 0,
    heading_characters: int = 40,
) -> Tree:  # fmt: skip
    """The structure tree of one text."""
    head = tokenise(title or "", tables, full=full)
    out = Tree([name(t) for t in head], _joined(head))
    tokens = tokenise(text, tables, full=full)
    lines, starts = text.split("\n"), [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    known = blocks if blocks is not None and len(blocks) == len(lines) else "p" * len(lines)
    inside = [[t for t in tokens if a <= t.start < b] for a, b in pairwise(starts)]
    root = _root(inside, known, out.title)
    if root is not None:
        out.title, out.title_joined = [name(t) for t in inside[root]], _joined(inside[root])
    weights = []
    for i, (line, mine) in enumerate(zip(lines, inside, strict=True)):
        sentences, cut = [], line_sentences(line, cuts)
        for k in line_marks(line):
            if k is not None:
                out.counts[k] += 1
        out.counts[0] += sum(stop for _, _, stop in cut)
        begin = 0
        for n, (end, marks, _) in enumerate(cut):
            piece = [
                t for t in mine if begin <= t.start - starts[i] and (t.start - starts[i] < end or n == len(cut) - 1)
            ]
            if piece:
                sentences.append(Sentence([name(t) for t in piece], _joined(piece), marks))
            begin = end
        if sentences and i != root:
            weights.append(heading_weight(line, known[i], heading_characters))
            out.nodes.append(sentences)
    out.depth, out.parent = stacked(weights)
    return out


def _joined(tokens: Sequence[Token]) -> list[bool]:
    return [i > 0 and t.start <= tokens[i - 1].end for i, t in enumerate(tokens)]


def _root(lines: Sequence[Sequence[Token]], blocks: str, title: list[int]) -> int | None:
    seen = False
    for i, line in enumerate(lines):
        values, tagged = [name(t) for t in line], blocks[i] in "123456"
        if not values:
            continue
        n = len(values)
        within = n >= TITLE_LEAST and any(title[k : k + n] == values for k in range(len(title) - n + 1))
        if (not title and tagged) or (title and ((values == title and (tagged or not seen)) or (tagged and within))):
            return i
        seen = True
    return None


def sentence_hash(sentence: Sentence) -> int:
    """Hash of the tokens of a sentence that are no numbers."""
    halves = [half for t in sentence.spoken for half in ((t,) if t < WORD_TOKEN else (t & M32, t >> 32))]
    return sequence_hash(halves, SENTENCE_SEED)


def long_sentences(node: Sequence[Sentence], count: int = 1, more_from: int = 0, least: int = 1) -> list[Sentence]:
    """The longest sentences of a node, one more where it is longer than `more_from`."""
    whole = sum(len(s.spoken) for s in node)
    order = sorted((s for s in node if len(s.spoken) >= max(1, least)), key=lambda s: -len(s.spoken))
    return order[: count + (0 < more_from < whole)]


def terms(tokens: Sequence[int], joined: Sequence[bool]) -> Iterator[int]:
    """Hashes of the terms: words, and pairs of neighbouring characters of scripts without spaces."""
    for i, t in enumerate(tokens):
        if t & M32 >= NUMBER_TOKEN:
            continue
        if t >= WORD_TOKEN:
            yield mix64(t * COEFFICIENTS[0] & M64)
        elif i + 1 < len(tokens) and joined[i + 1] and tokens[i + 1] < WORD_TOKEN:
            yield mix64((t * COEFFICIENTS[0] + tokens[i + 1] * COEFFICIENTS[1]) & M64)


def document_terms(tree: Tree) -> list[int]:
    """Terms of all sentences, in order. A term does not reach over the end of a sentence."""
    return [t for node in tree.nodes for s in node for t in terms(s.tokens, s.joined)]


def title_pairs(tree: Tree) -> list[int]:
    """Hashes of pairs of neighbouring tokens of the title."""
    return shingle_hashes(tree.title, 2)


def keywords(tree: Tree, idf: Mapping[int, int], unknown: int, count: int = 10) -> tuple[list[tuple[int, int]], int]:
    """Keywords with their weights, ranked, those of the title behind; and how many are among the best."""
    title = list(terms(tree.title, tree.title_joined))
    tf = Counter(title + document_terms(tree))
    ranked = sorted(((n * idf.get(t, unknown), t) for t, n in tf.items()), key=lambda x: (-x[0], x[1]))
    best = min(count, len(ranked))
    return [(t, w) for i, (w, t) in enumerate(ranked) if i < best or t in title], best


def key_sentences(node: Sequence[Sentence], weights: Mapping[int, int], rate: int = 20) -> list[Sentence]:
    """The sentences of a node that hold keywords, by the sum of their weights."""
    said = [s for s in node if s.spoken]
    score = [sum(weights.get(t, 0) for t in terms(s.tokens, s.joined)) for s in said]
    order = sorted(range(len(said)), key=lambda i: (-score[i], -len(said[i].spoken), i))
    wanted = min(sum(x > 0 for x in score), math.ceil(sum(len(s.spoken) for s in said) / rate))
    return [said[i] for i in order[: max(1, wanted)]]


def head_tails(node: Sequence[Sentence], marks: int) -> list[str]:
    """First and last character of each sentence with one of the marks."""
    out = []
    for s in node:
        characters = [chr(t) for t in s.tokens if t < WORD_TOKEN]
        if len(characters) >= 2 and any(marks >> k & 1 for k in s.marks):
            out.append(characters[0] + characters[-1])
    return out


def bkdr(data: bytes) -> int:
    """BKDR hash of bytes (Gao 2014, section 4.1)."""
    h = 0
    for c in data:
        h = (h * 131 + c) & M32
    return h & 0x7FFFFFFF


def ap(data: bytes) -> int:
    """AP hash of bytes (Gao 2014, section 4.1)."""
    h = 0
    for i, c in enumerate(data):
        step = (h << 7 ^ c ^ h >> 3) if i % 2 == 0 else ~(h << 11 ^ c ^ h >> 5)
        h = (h ^ step) & M32
    return h & 0x7FFFFFFF


def two_hashes(feature: str) -> int:
    """A feature string as a value: BKDR << 32 | AP."""
    data = feature.encode()
    return bkdr(data) << 32 | ap(data)


def bloom(values: Sequence[int], bits: int) -> int:
    """A Bloom filter of two bits a value, as an integer."""
    out = 0
    for v in values:
        out |= 1 << (v >> 32) % bits | 1 << (v & M32) % bits
    return out


def held(filter_: int, bits: int) -> float:
    """How many values a filter holds, by expectation: -(m/k) ln(1 - X/m), k = 2."""
    return -(bits / 2) * math.log(1 - filter_.bit_count() / bits)


def filtered(a: Sequence[int], b: Sequence[int], bits: int) -> tuple[float, float, float]:
    """What two sets hold, and share, by their filters; of as many bits as leave both less than half full."""
    if not a or not b:
        return 0.0, 0.0, 0.0
    x, y = bloom(a, bits), bloom(b, bits)
    if 2 * max(x.bit_count(), y.bit_count()) >= bits:
        return filtered(a, b, 2 * bits)
    left, right = held(x, bits), held(y, bits)
    return left, right, min(max(left + right - held(x | y, bits), 0.0), left, right)


def match_layers(
    a: Sequence[Sequence[int]], b: Sequence[Sequence[int]], how: str, least: float, bits: int
) -> tuple[float, float, float, float]:
    """Nodes with a partner and nodes with values on either side; with "whole" what both share and hold by their filters."""
    if how == "whole":
        x, y = (sorted({v for node in side for v in node}) for side in (a, b))
        left, right, common = filtered(x, y, bits)
        return common, common, left if y else float(len(x)), right if x else float(len(y))

    def partners(p: Sequence[int], q: Sequence[int]) -> bool:
        shared = len(set(p) & set(q))
        if not shared:
            return False
        if how == "filters":
            left, right, common = filtered(p, q, bits)
            return common / min(left, right) >= least
        return shared / min(len(p), len(q)) >= least

    return (
        float(sum(any(partners(p, q) for q in b) for p in a)),
        float(sum(any(partners(p, q) for p in a) for q in b)),
        float(sum(bool(p) for p in a)),
        float(sum(bool(q) for q in b)),
    )


def layer_score(
    layers: Sequence[tuple[float, float, float, float]], *, dice: bool = False, least: float = 0.3
) -> float:
    """The score of two trees from `match_layers` of each layer, top down: 0 as soon as a layer both have is below `least`.

    Layers neither has anything in count nowhere, one that only one of them has counts 0. Weights fall from the number of
    layers to 1.
    """
    total = whole = 0.0
    for i, (left, right, of_left, of_right) in enumerate(layers):
        if not of_left and not of_right:
            continue
        weight = len(layers) - i
        whole += weight
        if of_left and of_right:
            matched = min(left, right)
            score = 2 * matched / (of_left + of_right) if dice else matched / min(of_left, of_right)
            if score < least:
                return 0.0
            total += weight * score
    return total / whole if whole else 0.0
