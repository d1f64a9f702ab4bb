"""One maker of valid arguments for every kernel, with its Python twin where the twin is quick.

`KERNELS` names them all; a test holds it to what the compiled module has.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from dice import Dice, ragged_of

from quchong import kernels
from quchong.differences.marks import mark_tables
from quchong.kernels import elements, filters, records
from quchong.kernels.align import LIMITS, AlignOptions
from quchong.kernels.arrays import FeatureSets, Names, Ragged
from quchong.kernels.differences import ReasonLimits, SlotWords
from quchong.kernels.join import OrderedSets
from quchong.kernels.page import slim as slim_page
from quchong.kernels.postings import DocumentSizes, PostingLists
from quchong.kernels.runs import Matches, Sequences
from quchong.kernels.segments import SortedPostings
from quchong.kernels.sets import Vectors
from quchong.kernels.text import Form
from quchong.kernels.tree import Layer
from quchong.text import element, form
from quchong.text.normalise import NUMBER_WORDS
from quchong.text.opencc import folds, phrases
from quchong.text.social import BESIDE_CONTENT, BESIDE_MARKS, EMOJI_CODES, MARK_WORDS

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
from twins import align as ref_align
from twins import differences as ref_differences
from twins import features as ref_features
from twins import filters as ref_filters
from twins import graph as ref_graph
from twins import hashing as ref_hashing
from twins import join as ref_join
from twins import page as ref_page
from twins import pairs as ref_pairs
from twins import postings as ref_postings
from twins import posts as ref_posts
from twins import records as ref_records
from twins import runs as ref_runs
from twins import segments as ref_segments
from twins import sets as ref_sets
from twins import sketch as ref_sketch
from twins import text as ref_text
from twins import tree as ref_tree

FEW = 2000
"""Elements of arguments beyond which no twin is asked."""


class Call(NamedTuple):
    """A kernel, valid arguments for it, and what says whether its answer is right: (answer) -> whether."""

    function: Callable[..., Any]
    arguments: dict[str, Any]
    right: Callable[[Any], bool] | None = None
    largest: int = 2**70
    variants: int = 14
    """Whole numbers between this and 2**60 are not asked for: memory would run out before anything else is learnt. `variants`
    are inputs made of these arguments: as they are, and broken in different ways."""


KERNELS: dict[str, Callable[[Dice], Call]] = {}


def kernel(make: Callable[[Dice], Call]) -> Callable[[Dice], Call]:
    """Enters a maker under the name of its function."""
    KERNELS[make.__name__] = make
    return make


@cache
def forms() -> list[Form]:
    """All forms there are."""
    return [form(n, t) for n in ("standard", "plain") for t in ("auto", "char")]


@cache
def idf() -> Any:
    """Some weights."""
    return kernels.sketch.feature_weights(np.arange(50, dtype=np.uint64), np.arange(50, dtype=np.uint32), 7)


def parts(flat: Any, offsets: Any) -> list[list[Any]]:
    """A ragged array as lists."""
    values = flat.tolist()
    return [values[a:b] for a, b in pairwise(offsets.tolist())]


def docs_of(docs: Ragged | Names) -> list[list[int]]:
    """Documents as lists."""
    return parts(docs.tokens, docs.offsets)


def each_pair(left: Any, right: Any) -> list[tuple[int, int]]:
    """Pairs as tuples."""
    return list(zip(left.tolist(), right.tolist(), strict=True))


def bags_of(sets: FeatureSets) -> list[dict[int, int]]:
    """Sets as mappings."""
    return [
        dict(zip(v, w, strict=True))
        for v, w in zip(parts(sets.values, sets.offsets), parts(sets.weights, sets.offsets), strict=True)
    ]


def feature_bags(d: Dice) -> FeatureSets:
    """Sets, weighted or not."""
    return kernels.sets.feature_sets(*ragged_of(d.bags(), np.uint64), weighted=d.random() < 0.5, workers=1)


def codes(d: Dice, n: int) -> np.ndarray | None:
    """Scopes, or none."""
    return None if d.random() < 0.5 else np.array(d.choices((0, 1), k=n), np.uint64)


def scope_list(scope: Any, n: int) -> list[int]:
    """Scopes as numbers."""
    return [0] * n if scope is None else scope.tolist()


def marks(d: Dice, n: int) -> np.ndarray | None:
    """A mask, or none."""
    return None if d.random() < 0.5 else np.array(d.choices((0, 1), k=n), np.uint8)


def with_pairs(function: Callable[..., Any], d: Dice, twin: Callable[..., Any], **more: Any) -> Call:
    """A kernel on documents and pairs whose twin takes two documents."""
    docs = d.ragged()
    left, right = d.pairs(len(docs.offsets) - 1)
    lists = docs_of(docs)

    def right_one(out: Any) -> bool:
        wanted = [twin(lists[a], lists[b], *more.values()) for a, b in each_pair(left, right)]
        got = [tuple(x) if isinstance(x, list) else x for x in out.tolist()]
        return got == [w if isinstance(w, tuple) else int(w) for w in wanted]

    return Call(function, {"docs": docs, "left": left, "right": right, **more}, right_one)


# Texts


@kernel
def text_tables(d: Dice) -> Call:
    folds = np.array([d.randrange(0x110000) for _ in range(2 * d.some(4))], np.uint32)

    def step() -> np.ndarray:
        out: list[int] = []
        for _ in range(d.some(3)):
            a, b = d.randint(1, 3), d.randint(0, 3)
            out += [a, b, *(19968 + d.randrange(9) for _ in range(a + b))]
        return np.array(out, np.uint32)

    def used(folds: Any, step1: Any, step2: Any, number_words: Any, hash_bits: Any, texts: Any) -> Any:
        tables = kernels.text.text_tables(folds, step1, step2, number_words, hash_bits)
        return kernels.text.tokenise(Form(tables), texts, workers=1).docs.tokens

    lengths = [d.randint(1, 4) for _ in range(d.some(3))]
    words = np.array([c for n in lengths for c in (n, *(97 + d.randrange(3) for _ in range(n)))], np.uint32)
    steps = {"step1": step(), "step2": step()}
    arguments = {"folds": folds, **steps, "number_words": words, "hash_bits": d.randint(1, 30), "texts": d.texts()}
    return Call(used, arguments, variants=2)  # the tables are large


@kernel
def word_hash(d: Dice) -> Call:
    return Call(kernels.text.word_hash, {"tables": forms()[0].tables, "word": d.choice(["may", "网", "", "a" * 40])})


@kernel
def word_name(d: Dice) -> Call:
    return Call(kernels.text.word_name, {"word": d.choice(["may", "网", "", "a" * 40])})


@kernel
def composing_ranges(d: Dice) -> Call:
    return Call(kernels.text.composing_ranges, {}, variants=1)


@kernel
def loops(d: Dice) -> Call:
    return Call(kernels.machine.loops, {}, variants=1)


@kernel
def composes(d: Dice) -> Call:
    return Call(kernels.text.composes, {"tables": forms()[0].tables, "texts": d.texts(), "workers": 1})


@cache
def marks_of_posts() -> Any:
    """The tables of the marks of posts."""
    return kernels.posts.post_tables({**MARK_WORDS, "codes": EMOJI_CODES})


@kernel
def post_tables(d: Dice) -> Call:
    lists = {name: [d.choice(EMOJI_CODES) for _ in range(d.randint(0, 4))] for name in kernels.posts.LISTS}
    return Call(kernels.posts.post_tables, {"lists": lists})


@kernel
def fold_posts(d: Dice) -> Call:
    texts, steps = d.texts(valid=True), d.sample(kernels.posts.STEPS, d.randint(1, 7))
    pattern = ref_posts.folding(tuple(steps))

    def right(out: Any) -> bool:
        found = list(zip(out.start.tolist(), out.end.tolist(), map(chr, out.put.tolist()), strict=True))
        wanted = {i: some for i, t in enumerate(texts.to_pylist()) if (some := ref_posts.fold_posts(t, pattern))}
        return out.which.tolist() == [*wanted] and found == [change for some in wanted.values() for change in some]

    return Call(kernels.posts.fold_posts, {
        "tables": marks_of_posts(), "texts": texts, "steps": steps, "beside_content": BESIDE_CONTENT, "beside_marks": BESIDE_MARKS,
        "workers": 1,
    }, right)  # fmt: skip


@kernel
def fingerprints(d: Dice) -> Call:
    return Call(kernels.text.fingerprints, {
        "form": d.choice(forms()), "texts": d.texts(), "ngram": d.randint(1, 8), "short_window": d.randint(1, 5),
        "long_window": d.randint(1, 20), "long_tokens": d.randint(0, 30), "anchors": d.random() < 0.8,
        "keep": d.random() < 0.5, "workers": 1,
    })  # fmt: skip


@kernel
def take_tokens(d: Dice) -> Call:
    docs = d.ragged()
    n = len(docs.offsets) - 1
    index = np.array([d.randrange(n) for _ in range(d.some(5))] if n else [], np.int64)
    return Call(kernels.text.take_tokens, {"docs": docs, "index": index, "workers": 1})


@kernel
def tokenise(d: Dice) -> Call:
    return Call(
        kernels.text.tokenise, {"form": d.choice(forms()), "texts": d.texts(), "places": d.random() < 0.5, "workers": 1}
    )


@kernel
def tokenise_placed(d: Dice) -> Call:
    valid = d.random() < 0.7
    how, texts = d.choice(forms()), d.texts(valid=valid)

    def right(out: Any) -> bool:
        tokens = [ref_text.tokenise(t, tables(), full=how.full, characters=how.characters) for t in texts.to_pylist()]
        steps, lengths, far = ref_text.narrow_places(tokens)
        places = out[1]
        return (places.steps.tolist(), places.lengths.tolist(), places.far.tolist()) == (steps, lengths, far)

    return Call(kernels.text.tokenise_placed, {"form": how, "texts": texts, "workers": 1}, right if valid else None)


@kernel
def names(d: Dice) -> Call:
    how, valid = d.choice(forms()), d.random() < 0.7
    texts = d.texts(valid=valid)

    def right(out: Any) -> bool:
        twins = [ref_text.tokenise(t, tables(), full=how.full, characters=how.characters) for t in texts.to_pylist()]
        return docs_of(out.docs) == [[ref_text.name(t) for t in twin] for twin in twins]

    arguments = {"form": how, "texts": texts, "places": d.random() < 0.5, "workers": 1}
    return Call(kernels.text.names, arguments, right if valid else None)


@kernel
def hashes(d: Dice) -> Call:
    return Call(kernels.text.hashes, {"form": d.choice(forms()), "texts": d.texts(), "workers": 1})


@cache
def tables() -> ref_text.Tables:
    """Those of the forms."""
    return ref_text.Tables(folds(), *phrases(), NUMBER_WORDS)


def _stretches(d: Dice, how: Form, texts: Any) -> tuple[dict[str, Any], Callable[[Any], bool]]:
    """Draw stretches of texts: the arguments, and whether an answer is the twin's."""
    n = d.some(12)
    asked = [
        (d.randrange(len(texts)), d.some(30), d.some(30), d.choice([0, 1, 3, 10, 255]))
        for _ in range(n if len(texts) else 0)
    ]
    if d.random() < 0.7:
        asked.sort()
    columns = [np.array([one[k] for one in asked], dtype) for k, dtype in enumerate((np.uint32,) * 3 + (np.uint8,))]

    def right(out: Any) -> bool:
        found = [
            (tuple(places), window) for places, window in zip(out.places.tolist(), out.windows.to_pylist(), strict=True)
        ]
        return found == ref_text.stretches(texts.to_pylist(), asked, tables(), full=how.full, characters=how.characters)

    return dict(zip(("text", "first", "last", "margin"), columns, strict=True)), right


@kernel
def stretches(d: Dice) -> Call:
    valid = d.random() < 0.7
    texts, how = d.texts(valid=valid), d.choice(forms())
    asked, right = _stretches(d, how, texts)
    return Call(kernels.text.stretches, {"form": how, "texts": texts, **asked, "workers": 1}, right if valid else None)


@kernel
def placed_stretches(d: Dice) -> Call:
    texts, how = d.texts(valid=True), d.choice(forms())
    asked, right = _stretches(d, how, texts)
    places = kernels.text.tokenise_placed(how, texts)[1]
    return Call(kernels.text.placed_stretches, {"places": places, "texts": texts, **asked, "workers": 1}, right)


@kernel
def equal_forms(d: Dice) -> Call:
    texts = d.texts()
    left, right = d.pairs(len(texts))
    return Call(
        kernels.text.equal_forms, {"form": d.choice(forms()), "texts": texts, "left": left, "right": right, "workers": 1},
        lambda out: all(same or a != b for a, b, same in zip(left, right, out, strict=True)),
    )  # fmt: skip


@kernel
def passages(d: Dice) -> Call:
    texts = d.texts()
    left, right = d.pairs(len(texts))
    widths = np.array([d.randint(1, 6) for _ in left], np.uint8)
    shortest = np.array([d.randint(0, 6) for _ in left], np.uint32)
    return Call(kernels.align.passages, {
        "form": d.choice(forms()), "texts": texts, "left": left, "right": right, "ngram": widths, "shortest": shortest,
        "workers": 1,
    })  # fmt: skip


@kernel
def sample_overlaps(d: Dice) -> Call:
    sample = d.ragged()
    return Call(kernels.pairs.sample_overlaps, {
        "form": d.choice(forms()), "texts": d.texts(), "sample": sample,
        "sample_long": np.array(d.choices((0, 1), k=len(sample.offsets) - 1), np.uint8), "w_short": d.randint(1, 4),
        "w_long": d.randint(1, 6), "long_tokens": d.randint(0, 20), "least": d.random(), "workers": 1,
        "stop": d.choice([None, kernels.machine.Stop()]),
    })  # fmt: skip


@kernel
def kept_overlaps(d: Dice) -> Call:
    docs, sample = d.ragged(), d.ragged()
    n = len(docs.offsets) - 1
    return Call(kernels.pairs.kept_overlaps, {
        "docs": docs, "singles": np.array([d.randint(0, 9) for _ in range(n)], np.uint32),
        "index": np.array([d.randrange(n) for _ in range(d.some(5))] if n else [], np.int64), "sample": sample,
        "sample_long": np.array(d.choices((0, 1), k=len(sample.offsets) - 1), np.uint8), "w_short": d.randint(1, 4),
        "w_long": d.randint(1, 6), "long_tokens": d.randint(0, 20), "least": d.random(), "workers": 1,
        "stop": d.choice([None, kernels.machine.Stop()]),
    })  # fmt: skip


@kernel
def whole_runs(d: Dice) -> Call:
    texts = d.texts()
    how = d.choice([f for f in forms() if not f.characters])
    letters = kernels.text.tokenise(Form(how.tables, how.full, True), texts, workers=1).docs.lengths.tolist()
    runs = []
    for _ in range(d.some(5) if len(texts) else 0):
        a, b = d.randrange(len(texts)), d.randrange(len(texts))
        i, j = d.randint(0, letters[a]), d.randint(0, letters[b])
        runs.append((a, b, i, j, d.randint(0, min(letters[a] - i, letters[b] - j))))
    columns = [np.array([r[k] for r in runs], np.uint32) for k in range(5)]
    names = ("left", "right", "start", "other_start", "length")
    return Call(
        kernels.align.whole_runs, {"form": how, "texts": texts, **dict(zip(names, columns, strict=True)), "workers": 1}
    )


@kernel
def sentence_breaks(d: Dice) -> Call:
    texts = d.texts(valid=True)
    return Call(
        kernels.text.sentence_breaks, {"texts": texts, "workers": 1},
        lambda out: parts(*out) == [ref_text.sentence_breaks(t) for t in texts.to_pylist()],
    )  # fmt: skip


@kernel
def sentence_places(d: Dice) -> Call:
    texts = d.texts(valid=True)

    def right(out: Any) -> bool:
        found = [
            list(zip(a, b, strict=True)) for a, b in zip(parts(out[0], out[2]), parts(out[1], out[2]), strict=True)
        ]
        return found == [ref_text.sentence_places(t) for t in texts.to_pylist()]

    return Call(kernels.text.sentence_places, {"texts": texts, "workers": 1}, right)


@kernel
def period_features(d: Dice) -> Call:
    texts, before, after = d.texts(valid=True), d.randint(1, 12), d.randint(0, 6)
    return Call(
        kernels.features.period_features, {"texts": texts, "before": before, "after": after, "workers": 1},
        lambda out: parts(*out) == [ref_features.period_features(t, before, after) for t in texts.to_pylist()],
    )  # fmt: skip


@kernel
def slim(d: Dice) -> Call:
    page, depth, tags = d.page(), d.choice([1, 2, 5, 128]), d.choice([0, 1, 3, 1000])
    return Call(
        slim_page,
        {"html": page, "max_depth": depth, "max_tags": tags},
        lambda out: tuple(out) == tuple(ref_page.slim(page, depth, tags)),
    )  # fmt: skip


def _element(d: Dice) -> elements.Element:
    return element(d.choice(["raw", "strict", "loose"]))


@kernel
def element_digests(d: Dice) -> Call:
    return Call(elements.element_digests, {"element": _element(d), "texts": d.texts(), "workers": 1})


@kernel
def element_hashes(d: Dice) -> Call:
    return Call(
        elements.element_hashes,
        {"element": _element(d), "texts": d.texts(), "unit": d.choice(["utf8", "utf16"]), "workers": 1},
    )


# Tokens and shingles


@kernel
def shingle_hashes(d: Dice) -> Call:
    tokens, ngram = d.tokens(), d.choice([1, 2, 3, 5, 63])
    return Call(
        kernels.text.shingle_hashes, {"tokens": np.array(tokens, np.uint32), "ngram": ngram},
        lambda out: out.tolist() == ref_hashing.shingle_hashes(tokens, ngram),
    )  # fmt: skip


@kernel
def winnow(d: Dice) -> Call:
    hashes, window = d.values(d.some(30)), d.randint(1, 9)
    return Call(
        kernels.text.winnow, {"hashes": hashes, "window": window},
        lambda out: out.tolist() == ref_hashing.winnow(hashes.tolist(), window),
    )  # fmt: skip


@kernel
def distinct_shingles(d: Dice) -> Call:
    docs = d.ragged()
    widths = np.array([d.choice([0, 1, 2, 5, 63]) for _ in range(len(docs.offsets) - 1)], np.uint8)

    def wanted() -> Any:
        return [
            ref_pairs.distinct_shingles(x, w) if w else 0 for x, w in zip(docs_of(docs), widths.tolist(), strict=True)
        ]

    return Call(
        kernels.pairs.distinct_shingles,
        {"docs": docs, "ngram": widths, "workers": 1},
        lambda out: out.tolist() == wanted(),
    )


@kernel
def shared_shingles(d: Dice) -> Call:
    docs = d.ragged()
    left, right = d.pairs(len(docs.offsets) - 1)
    left.sort()
    widths = np.array([d.choice([1, 2, 5, 63]) for _ in left], np.uint8)
    lists = docs_of(docs)
    return Call(
        kernels.pairs.shared_shingles, {"docs": docs, "left": left, "right": right, "ngram": widths, "workers": 1},
        lambda out: out.tolist() == [
            ref_pairs.shared_shingles(lists[a], lists[b], w) for (a, b), w in zip(each_pair(left, right), widths.tolist(), strict=True)
        ],
    )  # fmt: skip


@kernel
def compare_numbers(d: Dice) -> Call:
    return with_pairs(kernels.pairs.compare_numbers, d, ref_pairs.compare_numbers)


@kernel
def repeated_swaps(d: Dice) -> Call:
    return with_pairs(kernels.pairs.repeated_swaps, d, ref_pairs.repeated_swaps, max_cells=d.choice([0, 20, 10_000]))


@kernel
def added_only(d: Dice) -> Call:
    return with_pairs(kernels.pairs.added_only, d, ref_pairs.added_only)


@kernel
def replaced_words(d: Dice) -> Call:
    return with_pairs(kernels.pairs.replaced_words, d, ref_pairs.replaced_words, max_cells=d.choice([0, 20, 10_000]))


@kernel
def disjoint_places(d: Dice) -> Call:
    docs = d.ragged()
    names = [x for x in d.lists(3) if x]
    left, right = d.pairs(len(docs.offsets) - 1)
    lists = docs_of(docs)
    return Call(
        kernels.pairs.disjoint_places, {"docs": docs, "left": left, "right": right, "names": Ragged(*ragged_of(names)), "workers": 1},
        lambda out: out.tolist() == [ref_pairs.disjoint_places(lists[a], lists[b], names) for a, b in each_pair(left, right)],
    )  # fmt: skip


@kernel
def equal_runs(d: Dice) -> Call:
    a, b, ngram, shortest = d.tokens(30), d.tokens(30), d.randint(1, 4), d.randint(0, 4)
    return Call(
        kernels.align.equal_runs, {"left": np.array(a, np.uint32), "right": np.array(b, np.uint32), "ngram": ngram, "shortest": shortest},
        lambda out: list(map(tuple, out.tolist())) == ref_align.equal_runs(a, b, ngram, shortest),
    )  # fmt: skip


@kernel
def short_keys(d: Dice) -> Call:
    docs, common = d.ragged(), d.values(d.some(4), np.uint32)
    longest, lacking = d.choice([0, 5, 40]), d.choice([0, 1, 4, 60])
    known = set(common.tolist())
    return Call(
        kernels.features.short_keys, {"docs": docs, "common": common, "longest": longest, "lacking": lacking, "workers": 1},
        lambda out: [set(x) for x in parts(*out)] == [ref_features.short_keys(x, known, longest, lacking) for x in docs_of(docs)],
    )  # fmt: skip


@kernel
def edits(d: Dice) -> Call:
    docs, left, right = _copies(d)
    how = ref_align.EditOptions(
        d.choice([1, 2, 3, 5]), d.choice([1, 2, 3, 1024]), d.choice([0, 1, 12, 1 << 22]), d.choice([True, False])
    )
    lists = docs_of(docs)

    def right_one(out: Any) -> bool:
        found = [[tuple(place) for place in places] for places in parts(out.places, out.offsets)]
        wanted = [ref_align.edits(lists[a], lists[b], how) for a, b in each_pair(left, right)]
        return list(zip(found, out.matched.tolist(), strict=True)) == wanted

    return Call(
        kernels.align.edits, {"docs": docs, "left": left, "right": right, **how._asdict(), "workers": 1}, right_one
    )


@kernel
def reasons(d: Dice) -> Call:
    docs, left, right = _copies(d)
    marks = mark_tables(forms()[0].tables)
    hashed = docs if d.random() < 0.5 else Ragged(docs.tokens ^ d.choice(docs.tokens.tolist() or [0]), docs.offsets)
    limits = ReasonLimits(*(d.some(most) for most in (20, 6, 4, 9, 6, 7)))
    lists, pair, places = _edits(d, docs, left, right)
    around, slip = (np.array([d.some(most) for _ in pair], np.uint32) for most in (9, 1))

    def right_one(out: Any) -> bool:
        wanted = ref_differences.reasons(
            lists, docs_of(hashed), left, right, pair, places.tolist(), around, slip, marks, limits
        )
        return bool(out.tolist() == wanted)

    columns = {"pair": pair, "places": places, "around": around, "slip": slip.astype(np.uint8)}
    return Call(
        kernels.differences.reasons,
        {
            "docs": docs,
            "hashed": hashed,
            "left": left,
            "right": right,
            **columns,
            "tables": marks,
            "limits": limits,
            "workers": 1,
        },
        right_one,
    )


def _edits(d: Dice, docs: Ragged, left: Any, right: Any) -> tuple[list[list[int]], Any, Any]:
    """The documents as lists, and some edits of these pairs: the pair of each, and its places."""
    lists = docs_of(docs)
    edits: list[tuple[int, list[int]]] = []
    for p, (a, b) in enumerate(each_pair(left, right)):
        for _ in range(d.some(5)):
            ends = (sorted(d.randint(0, len(lists[side])) for _ in "ab") for side in (a, b))
            edits.append((p, [place for end in ends for place in end]))
    return lists, np.array([e[0] for e in edits], np.uint32), np.array([e[1] for e in edits], np.uint32).reshape(-1, 4)


@kernel
def slots(d: Dice) -> Call:
    docs, left, right = _copies(d)
    # Few tokens, so that figures stand in one slot; some are figures in digits.
    few = docs.tokens % d.choice([3, 5, 9])
    docs = Ragged(np.where(few == 1, few + 0xC0000000, few + 1).astype(np.uint32), docs.offsets)
    # Words that share their hash have another number in one document and the next, and the hash itself nowhere.
    renumbered = d.random() < 0.5
    hashed = Ragged(docs.tokens % 4, docs.offsets) if renumbered else docs
    lists, pair, places = _edits(d, docs, left, right)
    before, after = (np.array([d.some(4) for _ in pair], np.uint32) for _ in "ab")
    words = SlotWords(*(np.array(sorted({d.some(9) for _ in range(d.some(3))}), np.uint32) for _ in "ab"))
    frame, longest = d.some(4), d.some(30)

    def right_one(out: Any) -> bool:
        wanted = ref_differences.slots(
            lists, docs_of(hashed), left, right, pair, places.tolist(), before, after, words, frame, longest
        )
        return bool(out.tolist() == wanted)

    return Call(
        kernels.differences.slots,
        {
            "docs": docs,
            "hashed": hashed,
            "left": left,
            "right": right,
            "pair": pair,
            "places": places,
            "before": before,
            "after": after,
            "words": words,
            "frame": frame,
            "longest": longest,
            "workers": 1,
        },
        right_one,
    )


def _copies(d: Dice) -> tuple[Ragged, Any, Any]:
    """Pairs of documents; mostly of copies with edits and moved parts."""
    if d.random() < 0.3:
        docs = d.ragged()
        return docs, *d.pairs(len(docs.offsets) - 1)
    lists = [d.tokens(d.choice([14, 40, 80]))]
    for _ in range(d.some(3)):
        copy = list(d.choice(lists))
        for _ in range(d.some(5)):
            i, j = sorted((d.randint(0, len(copy)), d.randint(0, len(copy))))
            copy = d.choice(
                [
                    copy[:i] + d.tokens(4) + copy[min(j, i + 3) :],
                    copy[i:] + copy[:i],
                    copy[:j] + copy[i:],
                    copy[:i] + copy[j:],
                ]
            )
        lists.append(copy[:150])
    return Ragged(*ragged_of(lists)), *d.pairs(len(lists), 4)


@kernel
def align_tokens(d: Dice) -> Call:
    docs = Ragged(*ragged_of([d.tokens(40) for _ in range(d.some(3))]))
    left, right = d.pairs(len(docs.offsets) - 1, 3)
    options = AlignOptions(**{
        name: d.choice([low, min(high, low + 1), min(high, low + 7), getattr(AlignOptions(), name)]) for name, (low, high) in LIMITS.items()
    })  # fmt: skip
    lists, twin = docs_of(docs), ref_align.AlignOptions(*options)

    def right_one(out: Any) -> bool:
        found = [
            [(*span, bool(exact)) for span, exact in zip(s, e, strict=True)]
            for s, e in zip(parts(out.spans, out.offsets), parts(out.exact, out.offsets), strict=True)
        ]
        return found == [ref_align.align_tokens(lists[a], lists[b], twin) for a, b in each_pair(left, right)]

    return Call(
        kernels.align.align_tokens,
        {"docs": docs, "left": left, "right": right, "options": options, "workers": 1},
        right_one,
    )


# Passages and runs


@kernel
def matching_statistics(d: Dice) -> Call:
    a, b = d.tokens(20), d.tokens(20)
    mine, theirs = marks(d, len(a)), marks(d, len(b))
    masks = [() if m is None else m.tolist() for m in (mine, theirs)]
    return Call(
        kernels.runs.matching_statistics,
        {"text": np.array(a, np.uint32), "other": np.array(b, np.uint32), "text_starts": mine, "other_starts": theirs,
         "structure": d.choice(list(kernels.runs.STRUCTURES))},
        lambda out: list(zip(out.lengths.tolist(), out.places.tolist(), strict=True)) == ref_runs.matching_statistics(a, b, *masks),
    )  # fmt: skip


@kernel
def shared_runs(d: Dice) -> Call:
    docs, least = d.ragged(), d.randint(1, 4)
    left, right = d.pairs(len(docs.offsets) - 1)
    starts = marks(d, len(docs.tokens))
    lists = docs_of(docs)
    allowed = [()] * len(lists) if starts is None else parts(starts, docs.offsets)

    def right_one(out: Any) -> bool:
        runs = [list(map(tuple, r)) for r in parts(out.runs, out.offsets)]
        found = list(zip(runs, out.covered_left.tolist(), out.covered_right.tolist(), strict=True))
        return found == [
            ref_runs.shared_runs(lists[a], lists[b], least, allowed[a], allowed[b]) for a, b in each_pair(left, right)
        ]

    return Call(
        kernels.runs.shared_runs,
        {"docs": docs, "left": left, "right": right, "least": least, "starts": starts,
         "structure": d.choice(list(kernels.runs.STRUCTURES)), "workers": 1},
        right_one,
    )  # fmt: skip


@kernel
def tiles(d: Dice) -> Call:
    docs = d.ragged()
    left, right = d.pairs(len(docs.offsets) - 1)
    shortest = np.array([d.randint(1, 4) for _ in left], np.uint32)
    lists = docs_of(docs)

    def right_one(out: Any) -> bool:
        found = [list(map(tuple, t)) for t in parts(out[1], out[0])]
        asked = zip(each_pair(left, right), shortest.tolist(), strict=True)
        return found == [ref_runs.tiles(lists[a], lists[b], s) for (a, b), s in asked]

    return Call(
        kernels.runs.tiles, {"docs": docs, "left": left, "right": right, "shortest": shortest, "start": d.choice([1, 3, 20]), "workers": 1},
        right_one,
    )  # fmt: skip


@kernel
def window_minima(d: Dice) -> Call:
    docs, ngram, window = d.choice([d.ragged, d.names])(), d.randint(1, 5), d.randint(1, 6)

    def right(out: Any) -> bool:
        found = [
            list(zip(v, p, strict=True)) for v, p in zip(parts(out[0], out[2]), parts(out[1], out[2]), strict=True)
        ]
        return found == [ref_features.window_minima(x, ngram, window) for x in docs_of(docs)]

    return Call(kernels.features.window_minima, {"docs": docs, "ngram": ngram, "window": window, "workers": 1}, right)


@kernel
def least_by_key(d: Dice) -> Call:
    values, offsets = ragged_of(d.bags(), np.uint64)
    keys, count = (values * np.uint64(7) + np.uint64(d.randrange(9))) % np.uint64(5), d.randint(1, 5)
    return Call(
        kernels.features.least_by_key, {"values": values, "keys": keys, "offsets": offsets, "count": count, "workers": 1},
        lambda out: parts(out.values, out.offsets) == [
            ref_features.least_by_key(v, k, count) for v, k in zip(parts(values, offsets), parts(keys, offsets), strict=True)
        ],
    )  # fmt: skip


@kernel
def repeated_passages(d: Dice) -> Call:
    docs, shortest = d.ragged(), d.randint(2, 4)
    lists = docs_of(docs)

    def right(out: Any) -> bool:
        held = zip(out.documents[out.passage].tolist(), out.share[out.passage].tolist(), strict=True)
        columns = (out.doc, out.other, out.start, out.other_start, out.length)
        found = [
            (*row, n, round(s, 9))
            for row, (n, s) in zip(zip(*(c.tolist() for c in columns), strict=True), held, strict=True)
        ]
        return found == [(*row[:6], round(row[6], 9)) for row in ref_align.repeated_passages(lists, shortest)]

    return Call(
        kernels.align.repeated_passages,
        {"docs": docs, "shortest": shortest, "partners": 64, "tries": 4096, "compared": 1_000_000, "workers": 1},
        right,
    )  # fmt: skip


def _symbols(d: Dice) -> list[int]:
    return [x % 5 for x in d.tokens(20)]


@kernel
def maximal_runs(d: Dice) -> Call:
    a, b, shortest = _symbols(d), _symbols(d), d.randint(1, 4)
    return Call(
        kernels.runs.maximal_runs,
        {"left": np.array(a, np.uint64), "right": np.array(b, np.uint64), "shortest": shortest, "limit": 1 << 20,
         "road": d.choice(["size", "suffixes", "places"])},
        lambda out: list(map(tuple, out[0].tolist())) == ref_runs.maximal_runs(a, b, shortest) and not out[1],
    )  # fmt: skip


@kernel
def matched_blocks(d: Dice) -> Call:
    lists = [_symbols(d) for _ in range(d.some(4))]
    symbols, offsets = ragged_of(lists, np.uint64)
    checks = d.choice([None, np.array(d.choices((0, 1, 1, 1), k=len(symbols)), np.uint64)])
    left, right = d.pairs(len(lists))
    shortest = d.randint(1, 3)
    tests = [[0] * len(x) for x in lists] if checks is None else parts(checks, offsets)

    def right_one(out: Any) -> bool:
        found = [list(map(tuple, b)) for b in parts(out.blocks, out.offsets)]
        return found == [
            ref_runs.matched_blocks(lists[a], lists[b], (tests[a], tests[b]), shortest)
            for a, b in each_pair(left, right)
        ]

    return Call(
        kernels.runs.matched_blocks,
        {"documents": Sequences(symbols, offsets), "left": left, "right": right, "checks": checks, "shortest": shortest,
         "limit": 1 << 20, "workers": 1},
        right_one if checks is not None or shortest == 1 else None,
    )  # fmt: skip


@kernel
def value_matches(d: Dice) -> Call:
    values, offsets = ragged_of(d.bags(), np.uint64)
    places = d.values(len(values), np.uint32)
    left, right = d.pairs(len(offsets) - 1)
    repeats = d.randint(1, 3)
    lists = [list(zip(v, p, strict=True)) for v, p in zip(parts(values, offsets), parts(places, offsets), strict=True)]

    def right_one(out: Any) -> bool:
        found = [
            list(zip(x, y, strict=True))
            for x, y in zip(parts(out.left, out.offsets), parts(out.right, out.offsets), strict=True)
        ]
        return found == [ref_runs.value_matches(lists[a], lists[b], repeats) for a, b in each_pair(left, right)]

    return Call(
        kernels.runs.value_matches,
        {"values": values, "places": places, "offsets": offsets, "left": left, "right": right, "repeats": repeats, "workers": 1},
        right_one,
    )  # fmt: skip


@kernel
def diagonal_runs(d: Dice) -> Call:
    lists = [sorted({(d.randrange(12), d.randrange(12)) for _ in range(d.some(12))}) for _ in range(d.some(4))]
    offsets = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    left, right = (np.array([m[k] for one in lists for m in one], np.uint32) for k in (0, 1))
    gap, drift = d.randint(0, 3), d.randint(0, 3)
    return Call(
        kernels.runs.diagonal_runs, {"matches": Matches(left, right, offsets), "gap": gap, "drift": drift, "workers": 1},
        lambda out: parts(out, offsets) == [ref_runs.diagonal_runs(one, gap, drift) for one in lists],
    )  # fmt: skip


# Sets, joins, sketches


@kernel
def join_keys(d: Dice) -> Call:
    lists = d.bags()
    n = len(lists)
    keys, offsets = ragged_of(lists, np.uint64)
    references, cap, least = d.randint(0, n) if d.random() < 0.4 else 0, d.randint(1, 5), d.randint(1, 3)
    how: dict[str, Any] = {"cap": cap, "min_shared": least, "references": references}
    if d.random() < 0.4:
        sizes, windows = ([d.randint(low, high) for _ in lists] for low, high in ((0, 20), (1, 5)))
        how |= {"size": np.array(sizes, np.uint32), "window": np.array(windows, np.uint32), "share": d.random()}
    if d.random() < 0.3 and not references:
        how |= {"time": np.sort([float(d.randint(0, 9)) for _ in lists]), "within": float(d.randint(0, 5))}
    twin_how = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in how.items()}

    def right(out: Any) -> bool:
        found = list(zip(out.left.tolist(), out.right.tolist(), out.shared.tolist(), strict=True))
        return found == ref_join.join_keys(lists, **twin_how)

    empty = any(not one for one in lists) and "share" in how
    order = d.choice([None, np.arange(n)])
    more = {
        "most": d.choice([0, 0, 1, 3]),
        "few": d.choice([0, 2]),
        "crowd": d.choice([0, 0, 2]),
        "wave": d.choice([1, 7, 1 << 25]),
    }
    whole = not empty and not more["most"]
    return Call(
        kernels.join.join_keys,
        {"keys": keys, "offsets": offsets, "order": order, **how, **more, "workers": 1},
        right if whole else None,
    )


@kernel
def select_candidates(d: Dice) -> Call:
    n = d.some(6)
    sizes = [
        ref_postings.Sizes(float(d.randint(0, 9)), d.randint(1, 4), float(i // 2), d.randint(0, 1)) for i in range(n)
    ]
    lists = [
        (d.randint(1, 3), [(i, d.randint(1, 3)) for i in range(n) if d.random() < 0.6]) for _ in range(d.randint(0, 8))
    ]
    asking = [d.randint(0, n) for _ in range(d.randint(1, 3))]
    mine = [ref_postings.Sizes(float(d.randint(0, 9)), d.randint(1, 4), float(n), d.randint(0, 1)) for _ in asking]
    cuts = sorted(d.randint(0, len(lists)) for _ in asking[1:])
    own = [0, *cuts, len(lists)]
    how: dict[str, Any] = {
        "rule": d.choice(["keys", "smaller", "jaccard"]), "cap": d.choice([None, 1, 3]), "min_shared": d.randint(1, 2),
        "share": d.choice([0.0, 0.3, 1.0]), "most": d.choice([0, 1, 3]), "few": d.choice([0, 1]), "crowd": d.choice([0, 2]),
        "references": d.randint(0, n), "exact": d.random() < 0.5,
    }  # fmt: skip
    if how["rule"] == "keys" and not how["references"]:
        how["within"] = d.choice([None, 1.0, 3.0])
    long = np.array([len(postings) for _, postings in lists], np.int64)
    lengths = (
        d.choice([None, long]) if all(before == n for before in asking) else None
    )  # whole lists are fronts as well

    def columns(of: list[ref_postings.Sizes]) -> DocumentSizes:
        types = (np.float64, np.uint32, np.float64, np.uint64)
        return DocumentSizes(*(np.array([one[k] for one in of], kind) for k, kind in enumerate(types)))

    def right(out: Any) -> bool:
        found: list[list[tuple[int, int]]] = [[] for _ in asking]
        for document, i, shared in zip(out.document.tolist(), out.asking.tolist(), out.shared.tolist(), strict=True):
            found[i].append((document, shared))
        wanted = [
            ref_postings.select_candidates(lists[own[i] : own[i + 1]], before, mine[i], sizes, **how)
            for i, before in enumerate(asking)
        ]
        return list(zip(found, out.bounded.tolist(), out.crowded.tolist(), strict=True)) == wanted

    flat = [posting for _, postings in lists for posting in postings]
    ends = np.cumsum([0, *(len(postings) for _, postings in lists)]).astype(np.int64)
    made = PostingLists(np.array([x for x, _ in flat], np.uint32), np.array([w for _, w in flat], np.uint32), ends)
    return Call(
        kernels.postings.select_candidates,
        {"lists": made, "own": np.array(own, np.int64), "weight": np.array([w for w, _ in lists], np.uint32),
         "before": np.array(asking, np.int64), "asking": columns(mine), "documents": columns(sizes), **how, "lengths": lengths,
         "workers": 1},
        right,
    )  # fmt: skip


# Segments


def postings_of(d: Dice, first: int, count: int) -> list[tuple[int, int, int]]:
    """Distinct (key, document, weight), in any order."""
    heavy = d.random() < 0.5
    pairs = {
        (d.choice([d.randrange(9), d.getrandbits(64)]), first + d.randrange(count)) for _ in range(d.some(200)) if count
    }
    some = [(key, document, d.choice([1, 2, 3, 2**32 - 1]) if heavy else 1) for key, document in sorted(pairs)]
    d.shuffle(some)
    return some


def posting_columns(some: list[tuple[int, int, int]]) -> SortedPostings:
    """Postings as columns."""
    kinds = (np.uint64, np.uint32, np.uint32)
    return SortedPostings(*(np.array([one[i] for one in some], kind) for i, kind in enumerate(kinds)))


def bits_of(documents: set[int], end: int) -> np.ndarray:
    """A bit for each document below `end`."""
    return np.packbits(np.isin(np.arange(end), list(documents)), bitorder="little")


@kernel
def pack_segment(d: Dice) -> Call:
    first, count = d.choice([0, 5, 2**32 - 40]), d.some(30)
    columns = posting_columns(postings_of(d, first, count))
    how = {"first": first, "count": count, "bits": d.choice([32, 40, 56])}
    return Call(
        kernels.segments.pack_segment, {**columns._asdict(), **how, "workers": 1},
        lambda out: out.tobytes() == ref_segments.pack_segment(*(c.tolist() for c in columns), **how),
    )  # fmt: skip


def packed_postings(d: Dice, first: int, count: int, bits: int) -> np.ndarray:
    """A segment."""
    return kernels.segments.pack_segment(
        *posting_columns(postings_of(d, first, count)), first=first, count=count, bits=bits, workers=1
    )


@kernel
def segment_info(d: Dice) -> Call:
    segment = packed_postings(d, d.randrange(9), d.some(9), 40)
    return Call(
        kernels.segments.segment_info, {"segment": segment},
        lambda out: tuple(out) == tuple(ref_segments.segment_info(segment.tobytes())),
    )  # fmt: skip


@kernel
def lookup_segments(d: Dice) -> Call:
    a, b, c = (d.some(9) for _ in range(3))
    segments = [packed_postings(d, 0, a, 40), packed_postings(d, a, b, 40)]
    run = sorted(postings_of(d, a + b, c))
    keys = [d.choice([d.randrange(9), d.getrandbits(64), *(p[0] for p in run[:1])]) for _ in range(d.some(6))]
    gone = {d.randrange(a + b + c) for _ in range(d.some(4)) if a + b + c}
    before = d.choice([None, [d.randint(0, a + b + c) for _ in keys]])
    how = {"most": d.choice([0, 1, 4]), "counted": d.choice([0, 2, 9])}

    def used(first: Any, second: Any, run: Any, keys: Any, gone: Any, before: Any, **more: Any) -> Any:
        return kernels.segments.lookup_segments([first, second], [run], keys, gone=gone, before=before, **more)

    def right(out: Any) -> bool:
        lists, lengths = out
        found = zip(
            parts(lists.documents, lists.offsets), parts(lists.weights, lists.offsets), lengths.tolist(), strict=True
        )
        raw = [segment.tobytes() for segment in segments]
        wanted = ref_segments.lookup_segments(raw, [run], keys, gone=gone, before=before, **how)  # type: ignore[arg-type]
        return [(list(zip(x, w, strict=True)), n) for x, w, n in found] == wanted

    return Call(
        used,
        {"first": segments[0], "second": segments[1], "run": posting_columns(run), "keys": np.array(keys, np.uint64),
         "gone": bits_of(gone, a + b + c), "before": None if before is None else np.array(before, np.int64), **how, "workers": 1},
        right,
    )  # fmt: skip


@kernel
def merge_segments(d: Dice) -> Call:
    a, b, bits = d.some(9), d.some(9), d.choice([32, 40])
    segments = [packed_postings(d, 3, a, bits), packed_postings(d, 3 + a, b, bits)]
    gone = {d.randrange(3 + a + b) for _ in range(d.some(4))}

    def used(first: Any, second: Any, **more: Any) -> Any:
        return np.concatenate(list(kernels.segments.merge_segments([first, second], **more)))

    return Call(
        used,
        {"first": segments[0], "second": segments[1], "gone": bits_of(gone, 3 + a + b), "piece": d.choice([1, 500, 2**20]),
         "workers": 1},
        lambda out: out.tobytes() == ref_segments.merge_segments([s.tobytes() for s in segments], gone=gone),
    )  # fmt: skip


@kernel
def k_mins(d: Dice) -> Call:
    docs, ngram, many, seed = d.ragged(), d.randint(1, 5), d.choice([1, 8, 17, 64]), d.getrandbits(64)
    return Call(
        kernels.sketch.k_mins, {"docs": docs, "ngram": ngram, "num_perm": many, "seed": seed, "workers": 1},
        lambda out: out.tolist() == [ref_sketch.k_mins(x, ngram, many, seed) for x in docs_of(docs)],
    )  # fmt: skip


@kernel
def one_permutation(d: Dice) -> Call:
    docs, ngram, many, seed = d.ragged(), d.randint(1, 5), d.choice([1, 8, 17, 64]), d.getrandbits(64)
    return Call(
        kernels.sketch.one_permutation, {"docs": docs, "ngram": ngram, "num_perm": many, "seed": seed, "workers": 1},
        lambda out: out.tolist() == [ref_sketch.one_permutation(x, ngram, many, seed) for x in docs_of(docs)],
    )  # fmt: skip


@kernel
def band_keys(d: Dice) -> Call:
    n, bands, rows = d.some(4), d.randint(1, 4), d.randint(1, 4)
    signatures = (
        d.values(n * (bands * rows + 1), np.uint32).reshape(n, -1) if n else np.zeros((0, bands * rows), np.uint32)
    )
    return Call(
        kernels.sketch.band_keys, {"signatures": signatures, "bands": bands, "rows": rows, "workers": 1},
        lambda out: out.tolist() == [ref_sketch.band_keys(s, bands, rows) for s in signatures.tolist()],
    )  # fmt: skip


@kernel
def survivors(d: Dice) -> Call:
    n = d.randint(1, 8)
    loser, winner = (x.astype(np.uint32) for x in d.pairs(n, 12))
    priority = np.array([d.randint(-3, 3) for _ in range(n)], np.int64)
    forced = np.array(d.choices((0, 0, 1), k=n), np.uint8)
    component = kernels.graph.strong_components(n, loser, winner)
    unsure = np.array([d.choice((0, 1)) for _ in loser], np.uint8) * (component[loser] != component[winner])
    known = None if d.choice((0, 1)) else unsure.astype(np.uint8)
    every = ref_graph.survivors(loser, winner, priority, forced)
    return Call(
        kernels.graph.survivors, {"loser": loser, "winner": winner, "priority": priority, "forced": forced, "open": known},
        lambda out: bool((out == every)[out != kernels.graph.UNDECIDED].all()) and (known is not None or len(out) == 0 or out.max() < 2),
    )  # fmt: skip


@kernel
def strong_components(d: Dice) -> Call:
    n = d.randint(1, 8)
    loser, winner = (x.astype(np.uint32) for x in d.pairs(n, 12))
    twin = np.array(ref_graph.strong_components(n, loser.tolist(), winner.tolist()))
    return Call(
        kernels.graph.strong_components, {"n": n, "loser": loser, "winner": winner},
        lambda out: bool(((out[:, None] == out) == (twin[:, None] == twin)).all()),
    )  # fmt: skip


@kernel
def components(d: Dice) -> Call:
    n = d.randint(0, 9)
    left, right = d.pairs(n, 9)
    return Call(
        kernels.graph.components, {"n": n, "left": left, "right": right},
        lambda out: out.tolist() == ref_graph.components(n, each_pair(left, right)), 2**20,
    )  # fmt: skip


@kernel
def feature_sets(d: Dice) -> Call:
    bags = d.bags()
    values, offsets = ragged_of(bags, np.uint64)
    return Call(
        kernels.sets.feature_sets, {"values": values, "offsets": offsets, "weighted": True, "workers": 1},
        lambda out: bags_of(out) == ref_sets.feature_sets(bags),
    )  # fmt: skip


@kernel
def shared_sets(d: Dice) -> Call:
    sets = feature_bags(d)
    left, right = d.pairs(len(sets))
    bags = bags_of(sets)
    return Call(
        kernels.sets.shared_sets, {"sets": sets, "left": left, "right": right, "workers": 1},
        lambda out: each_pair(*out) == [ref_sets.shared_sets(bags[a], bags[b]) for a, b in each_pair(left, right)],
    )  # fmt: skip


@kernel
def meet_sets(d: Dice) -> Call:
    sets = feature_bags(d)
    n, threshold, jaccard, least = len(sets), d.choice([0.05, 0.3, 0.5, 0.8, 1.0]), d.random() < 0.5, d.randint(1, 3)
    scope, references, cap = codes(d, n), d.randint(0, n), d.choice([None, None, 1, 3])
    most = d.choice([0, 0, 1, 3])

    def wanted() -> Any:
        return ref_sets.meet_sets(bags_of(sets), threshold, jaccard, least, scope_list(scope, n), references)

    return Call(
        kernels.sets.meet_sets,
        {"sets": sets, "threshold": threshold, "jaccard": jaccard, "min_shared": least, "cap": cap, "scope": scope,
         "references": references, "most": most, "workers": 1},
        None if cap or most else lambda out: each_pair(out.left, out.right) == wanted(),
    )  # fmt: skip


@kernel
def meet_contained(d: Dice) -> Call:
    sets = feature_bags(d)
    n, threshold = len(sets), d.choice([0.05, 0.3, 0.5, 0.8, 1.0])
    scope, references, cap = codes(d, n), d.randint(0, n), d.choice([None, None, 1, 3])

    def wanted() -> Any:
        return ref_sets.meet_contained(bags_of(sets), threshold, scope_list(scope, n), references)

    return Call(
        kernels.sets.meet_contained,
        {"sets": sets, "threshold": threshold, "cap": cap, "scope": scope, "references": references, "workers": 1},
        None if cap else lambda out: each_pair(out.left, out.right) == wanted(),
    )  # fmt: skip


@kernel
def meet_spots(d: Dice) -> Call:
    sets = feature_bags(d)
    n, threshold = len(sets), d.choice([0.3, 0.44, 0.5, 0.85, 1.0])
    scope, references, cap = codes(d, n), d.randint(0, n), d.choice([None, None, 1, 3])

    def wanted() -> Any:
        return ref_sets.meet_spots(bags_of(sets), threshold, scope_list(scope, n), references)

    paper = d.random() < 0.3
    return Call(
        kernels.sets.meet_spots,
        {"sets": sets, "threshold": threshold, "ends": [], "paper": paper, "cap": cap, "scope": scope, "references": references,
         "workers": 1},
        None if cap or paper else lambda out: each_pair(out.left, out.right) == wanted(),
    )  # fmt: skip


def _records(d: Dice) -> tuple[OrderedSets, list[list[int]]]:
    records = kernels.join.order_sets(feature_bags(d), workers=1)
    return records, parts(records.tokens, records.offsets)


@kernel
def count_tokens(d: Dice) -> Call:
    sets, least = feature_bags(d), d.randint(1, 3)
    return Call(
        kernels.join.count_tokens, {"sets": sets, "least": least, "workers": 1},
        lambda out: each_pair(*out) == ref_join.count_tokens([set(b) for b in bags_of(sets)], least),
    )  # fmt: skip


@kernel
def order_sets(d: Dice) -> Call:
    sets = feature_bags(d)
    known = None
    if d.random() < 0.3:
        values = np.array(sorted({d.randrange(9) for _ in range(4)}), np.uint64)
        known = (values, np.array([d.randint(0, 5) for _ in values], np.uint32))
    twin = None if known is None else dict(zip(*(k.tolist() for k in known), strict=True))
    return Call(
        kernels.join.order_sets, {"sets": sets, "known": known, "workers": 1, "wave": d.choice([1, 5, 1 << 20])},
        lambda out: parts(out.tokens, out.offsets) == ref_join.order_sets([set(b) for b in bags_of(sets)], twin),
    )  # fmt: skip


@kernel
def join_sets(d: Dice) -> Call:
    records, lists = _records(d)
    n, threshold, depth, least = len(lists), d.choice([0.05, 0.3, 0.5, 0.8, 1.0]), d.randint(0, 3), d.randint(1, 3)
    scope, references = codes(d, n), d.randint(0, n)

    def wanted() -> Any:
        return ref_join.brute_force(lists, threshold, least, None if scope is None else scope.tolist(), references)

    return Call(
        kernels.join.join_sets,
        {"records": records, "threshold": threshold, "suffix_depth": depth, "min_size": least, "scope": scope,
         "references": references, "workers": 1},
        lambda out: each_pair(out.left, out.right) == wanted(),
    )  # fmt: skip


@kernel
def screen_pairs(d: Dice) -> Call:
    records, lists = _records(d)
    left, right = d.pairs(len(lists))
    threshold, depth = d.choice([0.05, 0.3, 0.5, 0.8, 1.0]), d.randint(0, 3)

    def right_one(out: Any) -> bool:
        first = [
            None if f == kernels.join.NO_TOKEN else lists[a][f]
            for a, f in zip(left.tolist(), out.first.tolist(), strict=True)
        ]
        found = list(zip([kernels.join.STAGES[s] for s in out.stage.tolist()], first, strict=True))
        return found == ref_join.screen_pairs(lists, each_pair(left, right), threshold, depth)

    apart = not (left == right).any() and not any(not lists[i] for i in {*left.tolist(), *right.tolist()})
    return Call(
        kernels.join.screen_pairs,
        {"records": records, "left": left, "right": right, "threshold": threshold, "suffix_depth": depth, "min_size": 1, "workers": 1},
        right_one if apart and (left < right).all() else None,
    )  # fmt: skip


@kernel
def path_sets(d: Dice) -> Call:
    docs = d.names()
    sentence = np.array(d.choices((0, 0, 1), k=len(docs.tokens)), np.uint32)
    weight, depth = np.array([d.randint(0, 9) for _ in sentence], np.uint32), d.randint(1, 6)
    columns = [parts(c, docs.offsets) for c in (docs.tokens, sentence, weight)]
    return Call(
        kernels.features.path_sets, {"docs": docs, "sentence": sentence, "weight": weight, "depth": depth, "workers": 1},
        lambda out: bags_of(out) == [ref_features.path_sets(*one, depth) for one in zip(*columns, strict=True)],
    )  # fmt: skip


@kernel
def ragged_shingles(d: Dice) -> Call:
    docs, ngram = d.choice([d.ragged, d.names])(), d.choice([1, 2, 5, 63])
    return Call(
        kernels.features.ragged_shingles, {"docs": docs, "ngram": ngram, "workers": 1},
        lambda out: parts(*out) == ref_features.ragged_shingles(docs_of(docs), ngram),
    )  # fmt: skip


@kernel
def set_mins(d: Dice) -> Call:
    sets, many, seed = feature_bags(d), d.choice([1, 8, 17, 64]), d.getrandbits(64)
    return Call(
        kernels.sketch.set_mins, {"sets": sets, "num_perm": many, "seed": seed, "workers": 1},
        lambda out: out.tolist() == [ref_sketch.set_mins(v, many, seed) for v in parts(sets.values, sets.offsets)],
    )  # fmt: skip


# SimHash and vectors


@kernel
def feature_weights(d: Dice) -> Call:
    n = d.some(20)

    def used(features: Any, weights: Any, unknown: Any) -> Any:
        return kernels.sketch.simhash(
            Ragged(np.arange(9, dtype=np.uint32), np.array([0, 9])),
            2,
            64,
            kernels.sketch.feature_weights(features, weights, unknown),
            1,
        )

    return Call(used, {"features": d.values(n), "weights": d.values(n, np.uint32), "unknown": d.randint(0, 9)})


@kernel
def simhash(d: Dice) -> Call:
    docs, ngram, bits = d.choice([d.ragged, d.names])(), d.randint(1, 4), d.choice([64, 128])
    return Call(
        kernels.sketch.simhash, {"docs": docs, "ngram": ngram, "bits": bits, "weights": d.choice([None, idf()]), "workers": 1}, None
    ) if d.random() < 0.5 else Call(
        kernels.sketch.simhash, {"docs": docs, "ngram": ngram, "bits": bits, "workers": 1},
        lambda out: out.tolist() == [ref_sketch.simhash(x, ngram, bits) for x in docs_of(docs)],
    )  # fmt: skip


@kernel
def simhash_texts(d: Dice) -> Call:
    return Call(kernels.sketch.simhash_texts, {
        "form": d.choice(forms()), "texts": d.texts(), "ngram": d.randint(1, 4), "bits": d.choice([64, 128]),
        "weights": d.choice([None, idf()]), "workers": 1,
    })  # fmt: skip


@kernel
def count_features(d: Dice) -> Call:
    docs, ngram = d.choice([d.ragged, d.names])(), d.randint(1, 4)
    return Call(
        kernels.sketch.count_features, {"docs": docs, "ngram": ngram, "workers": 1},
        lambda out: each_pair(*out) == ref_sketch.count_features(docs_of(docs), ngram),
    )  # fmt: skip


def _signatures(d: Dice, most: int = 8) -> np.ndarray:
    n, width = d.some(most), d.randint(1, 2)
    base = d.getrandbits(64)
    words = [
        base ^ (1 << d.randrange(64)) ^ (1 << d.randrange(64)) if d.random() < 0.8 else d.getrandbits(64)
        for _ in range(n * width)
    ]
    return np.array(words, np.uint64).reshape(n, width)


@kernel
def hamming_distances(d: Dice) -> Call:
    words = _signatures(d)
    left, right = d.pairs(len(words))
    rows = words.tolist()
    return Call(
        kernels.sketch.hamming_distances, {"words": words, "left": left, "right": right, "workers": 1},
        lambda out: out.tolist() == [ref_sketch.hamming_distances(rows[a], rows[b]) for a, b in each_pair(left, right)],
    )  # fmt: skip


@kernel
def hamming_pairs(d: Dice) -> Call:
    words = _signatures(d)
    n, distance = len(words), d.randint(0, 4)
    blocks, cap, references = d.choice([0, distance + 1, distance + 3]), d.choice([0, 0, 1, 3]), d.randint(0, n)
    defined, scope = marks(d, n), codes(d, n)

    def wanted() -> Any:
        return ref_sketch.hamming_pairs(
            words.tolist(), distance, defined=None if defined is None else [bool(x) for x in defined],
            scope=None if scope is None else scope.tolist(), references=references,
        )  # fmt: skip

    return Call(
        kernels.sketch.hamming_pairs,
        {"words": words, "distance": distance, "blocks": blocks, "defined": defined, "scope": scope, "cap": cap,
         "references": references, "split": d.choice([2, 256]), "leaders": d.choice([1, 1024]), "workers": 1},
        None if cap else lambda out: list(zip(out.left.tolist(), out.right.tolist(), out.distance.tolist(), strict=True)) == wanted(),
    )  # fmt: skip


def _vectors(d: Dice) -> tuple[Vectors, list[dict[int, float]]]:
    bags = [
        {t: float(d.randint(1, 9)) for t in sorted({d.randrange(9) for _ in range(d.some(6))})}
        for _ in range(d.some(6))
    ]
    values, offsets = ragged_of([list(b) for b in bags], np.uint64)
    weights = np.array([w for b in bags for w in b.values()], np.float64)
    return kernels.sets.unit_vectors(values, weights, offsets), bags


@kernel
def unit_vectors(d: Dice) -> Call:
    _, bags = _vectors(d)
    values, offsets = ragged_of([list(b) for b in bags], np.uint64)
    weights = np.array([w for b in bags for w in b.values()], np.float64)
    return Call(kernels.sets.unit_vectors, {"values": values, "weights": weights, "offsets": offsets})


@kernel
def dots(d: Dice) -> Call:
    vectors, bags = _vectors(d)
    left, right = d.pairs(len(bags))
    units = [ref_sets.unit_vector(b) for b in bags]
    return Call(
        kernels.sets.dots, {"vectors": vectors, "left": left, "right": right, "workers": 1},
        lambda out: np.allclose(out, [ref_sets.dot(units[a], units[b]) for a, b in each_pair(left, right)]),
    )  # fmt: skip


@kernel
def single_pass(d: Dice) -> Call:
    vectors, bags = _vectors(d)
    return Call(
        kernels.sets.single_pass,
        {"vectors": vectors, "threshold": d.choice([0.2, 0.5, 0.9, 1.0]), "scope": codes(d, len(bags))},
    )


# Structure trees


def _outline(d: Dice) -> tuple[Any, dict[str, Any]]:
    texts = d.texts()
    n = len(texts)
    blocks = d.choice(
        [None, pa.array(["".join(d.choices("123b p", k=d.some(4))) for _ in range(n)], pa.large_string())]
    )
    titles = d.choice([None, pa.array([d.choice(["网页去重", None, "may"]) for _ in range(n)], pa.large_string())])
    how = {
        "form": d.choice([f for f in forms() if not f.characters]), "texts": texts, "blocks": blocks, "titles": titles,
        "cuts": d.randint(0, 127), "heading_characters": d.choice([0, 5, 40]), "workers": 1,
    }  # fmt: skip
    return kernels.tree.outline, how


@kernel
def outline(d: Dice) -> Call:
    function, how = _outline(d)

    def used(**arguments: Any) -> Any:
        made = function(**arguments)
        return made.depth, made.parent, made.documents, made.mark_counts, *made.sentence_tokens()

    return Call(used, how)


def _of_outline(name: str, d: Dice, **more: Any) -> Call:
    function, how = _outline(d)
    made = function(**how)
    if "which" in more:
        nodes = len(made.depth)
        more["which"] = np.array([d.randrange(nodes) for _ in range(d.some(5))] if nodes else [], np.int64)
    if "keywords" in more:
        more["keywords"] = made.keywords(idf(), d.randint(1, 4))
    if "wanted" in more:
        more["wanted"] = marks(d, len(made))
    return Call(getattr(made, name), more)


@kernel
def outline_long_sentences(d: Dice) -> Call:
    return _of_outline(
        "long_sentences", d, which=None, count=d.randint(1, 3), more_from=d.randint(0, 9), least=d.randint(0, 4)
    )


@kernel
def outline_keywords(d: Dice) -> Call:
    return _of_outline("keywords", d, idf=idf(), count=d.randint(1, 5), wanted=None)


@kernel
def outline_key_sentences(d: Dice) -> Call:
    return _of_outline("key_sentences", d, which=None, keywords=None, rate=d.randint(1, 9))


@kernel
def outline_head_tails(d: Dice) -> Call:
    return _of_outline("head_tails", d, which=None, marks=d.randint(0, 127))


@kernel
def outline_terms(d: Dice) -> Call:
    return _of_outline("terms", d, title=d.random() < 0.5)


@kernel
def outline_title_pairs(d: Dice) -> Call:
    return _of_outline("title_pairs", d)


def _layer(d: Dice) -> tuple[Layer, list[list[list[int]]]]:
    documents = [
        [sorted({d.choice([1, 2, 5, 2**40, 2**40 + 7, 2**63]) for _ in range(d.some(5))}) for _ in range(d.some(4))]
        for _ in range(d.some(3))
    ]
    values, nodes = ragged_of([node for one in documents for node in one], np.uint64)
    return Layer(values, nodes, np.cumsum([0, *map(len, documents)]).astype(np.int64)), documents


@kernel
def match_layers(d: Dice) -> Call:
    (a, mine), (b, theirs) = _layer(d), _layer(d)
    left, right = d.pairs(min(len(mine), len(theirs)))
    how, least, bits = d.choice(["share", "filters", "whole"]), d.choice([0.0, 0.3, 0.5, 1.0]), d.choice([64, 1024])

    def right_one(out: Any) -> bool:
        wanted = [ref_tree.match_layers(mine[x], theirs[y], how, least, bits) for x, y in each_pair(left, right)]
        return np.allclose(np.array([c.tolist() for c in out]).T.reshape(-1, 4), np.array(wanted).reshape(-1, 4))

    return Call(
        kernels.tree.match_layers,
        {"left_layer": a, "right_layer": b, "left": left, "right": right, "how": how, "least": least, "bits": bits, "workers": 1},
        right_one, 2**20,
    )  # fmt: skip


# Filters: several calls of one object


@kernel
def printed_bloom(d: Dice) -> Call:
    n, bits, any_bit = d.some(30), d.randint(1, 90), d.random() < 0.5
    first, second = d.values(n, np.uint32), d.values(n, np.uint32)

    def used(bits: Any, first: Any, second: Any, empty: Any, any_bit: Any, count: Any) -> Any:
        it = filters.PrintedBloom(bits)
        out = it.seen(first, second, empty, any_bit)
        words = it.words()
        other = filters.PrintedBloom(bits)
        other.restore(words, count, it.bits_set)
        return out, other.words(), it.count, other.bits_set

    twin = ref_filters.PrintedBloom(bits, "any" if any_bit else "all")
    return Call(
        used, {"bits": bits, "first": first, "second": second, "empty": None, "any_bit": any_bit, "count": d.randint(0, 9)},
        lambda out: out[0].tolist() == [twin.seen(a, b) for a, b in each_pair(first, second)], 2**20,
    )  # fmt: skip


@kernel
def blocked_bloom(d: Dice) -> Call:
    n = d.some(30)

    def used(blocks: Any, hashes: Any, capacity: Any, high: Any, low: Any, empty: Any, slice_: Any, words: Any) -> Any:
        it, other = filters.BlockedBloom(), filters.BlockedBloom()
        for one in (it, other):
            one.add_slice(blocks, hashes, capacity)
        done, out = it.seen(high, low, empty)
        other.merge(it)
        other.restore(slice_, it.words(slice_) if words is None else words, done)
        return out, it.counts, other.counts, other.seen(high, low, empty)[1]

    return Call(
        used,
        {"blocks": d.randint(1, 3), "hashes": d.randint(1, 30), "capacity": d.randint(1, 40), "high": d.values(n), "low": d.values(n),
         "empty": marks(d, n), "slice_": 0, "words": None},
        None, 2**20,
    )  # fmt: skip


@kernel
def digest_table(d: Dice) -> Call:
    n = d.some(60)
    high, low, again = d.values(n), d.values(n), d.random() < 0.5

    def used(high: Any, low: Any, empty: Any) -> Any:
        it = filters.DigestTable()
        out = it.seen(high, low, empty)
        if again:
            it.seen(low, high, empty)
        return out, it.dump(), it.count, it.memory

    twin = ref_filters.DigestTable()
    return Call(
        used,
        {"high": high, "low": low, "empty": None},
        lambda out: out[0].tolist() == [twin.seen(*p) for p in each_pair(high, low)],
    )


@kernel
def digit_trie(d: Dice) -> Call:
    end_mark = d.random() < 0.5
    roots = [
        d.choice([4, 12, 38, 120, 400, 4000, 40000, d.getrandbits(32), -d.getrandbits(31)]) for _ in range(d.some(40))
    ]

    def used(end_mark: Any, roots: Any, empty: Any) -> Any:
        it = filters.DigitTrie(end_mark)
        out = it.seen(roots, empty)
        return out, it.dump(), it.count, it.nodes, it.printed_nodes, it.memory

    twin = ref_filters.DigitTrie(end_mark)
    return Call(
        used, {"end_mark": end_mark, "roots": np.array(roots, np.int64), "empty": None},
        lambda out: out[0].tolist() == [twin.seen(r) for r in roots],
    )  # fmt: skip


@kernel
def give_back_from(d: Dice) -> Call:
    return Call(kernels.machine.give_back_from, {"size": d.randint(1 << 20, 2 << 20)})


def _octets(d: Dice) -> bytes:
    return b"".join(d.choice([b"a", b'"', b'""', b",", b"\n", b"\r\n", b" "]) for _ in range(d.randint(0, 40)))


def _rows(found: records.FoundRecords) -> list[tuple[int, int, int]]:
    return list(zip(found.starts.tolist(), found.ends.tolist(), found.lines.tolist(), strict=True))


@kernel
def line_records(d: Dice) -> Call:
    block, blanks = _octets(d), d.choice([b"", b" ", b" \r"])
    given = {"block": block, "start": d.randint(0, len(block)), "blanks": blanks, "most": 100}
    return Call(
        records.line_records, given, lambda out: _rows(out) == ref_records.line_records(block, given["start"], blanks)
    )


@kernel
def csv_records(d: Dice) -> Call:
    block, final, longest = _octets(d) + b"\n", bool(d.randint(0, 1)), d.randint(0, 30)
    given = {"block": block, "start": d.randint(0, len(block)), "delimiter": b",", "final": final, "longest": longest}

    def holds(out: records.FoundRecords) -> bool:
        return (_rows(out), out.done, out.unclosed.tolist()) == ref_records.csv_records(
            block, given["start"], b",", final, longest
        )

    return Call(records.csv_records, given | {"open_quote": records.OpenQuote(), "most": 100}, holds)


@kernel
def module_file(d: Dice) -> Call:
    return Call(kernels.machine.module_file, {}, lambda out: Path(out).is_file())


@kernel
def trim(d: Dice) -> Call:
    return Call(kernels.machine.trim, {}, lambda out: isinstance(out, bool))


@kernel
def spilled(d: Dice) -> Call:
    return Call(kernels.machine.spilled, {}, lambda out: out.mapped >= 0 and out.error == 0)


@kernel
def spilling(d: Dice) -> Call:
    def used(bound: Any, least: Any) -> Any:
        with kernels.machine.spilling(Path(tempfile.gettempdir()), bound, least):
            return np.sort(np.arange(40_000)[::-1])

    values = {"bound": d.choice([0, 1 << 20, 1 << 40]), "least": d.choice([1 << 16, 1 << 20])}
    return Call(used, values, lambda out: bool((out == np.arange(40_000)).all()))
