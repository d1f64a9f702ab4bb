"""Arguments of the kernels of alignments, of the reasons for edits, and of slips in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from dice import Dice, ragged_of
from twins import align as ref_align
from twins import differences as ref_differences

from kernel_arguments.call import Call, docs_of, each_pair, forms, kernel, parts
from quchong import kernels
from quchong.differences.marks import mark_tables
from quchong.kernels.align import LIMITS, AlignOptions
from quchong.kernels.arrays import Ragged
from quchong.kernels.differences import ReasonLimits, SlotWords


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


@kernel
def letters_apart(d: Dice) -> Call:
    # Words of few letters, so that many are slips of one another; some of any characters.
    n = d.some(6)
    sides = [["".join(d.choice(list("abcdlmnoruvw0158")) for _ in range(d.some(27))) for _ in range(n)] for _ in "ab"]
    for k in range(n):
        if d.random() < 0.6 and sides[0][k]:
            word, at = sides[0][k], d.randrange(len(sides[0][k]))
            sides[1][k] = word[:at] + d.choice(["", "m", "cl", word[at:][:2][::-1]]) + word[at + d.some(2) :]
    left, right = (pa.array(side, pa.large_string()) for side in sides)
    if d.random() < 0.2:
        left = d.texts(valid=True)
        right = left.take(pa.array(d.sample(range(len(left)), len(left)), pa.int64()))

    def right_one(out: Any) -> bool:
        both = zip(left.to_pylist(), right.to_pylist(), strict=True)
        return bool(out.tolist() == [ref_differences.letters_apart(a, b) for a, b in both])

    return Call(kernels.differences.letters_apart, {"left": left, "right": right, "workers": 1}, right_one)


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


@kernel
def text_hints(d: Dice) -> Call:
    texts = d.texts(valid=d.random() < 0.7)
    words = d.choices(["1", "：", "©", "举", "ago", "a", "\n", "😀"], k=d.some(4))
    limits = {"line": d.some(30), "head": d.some(30), "foot": d.some(30)}

    def right_one(out: Any) -> bool:
        try:
            known = texts.to_pylist()
        except UnicodeDecodeError:  # broken on purpose: it must not be read beyond its end, and no more
            return True
        return list(zip(out.hints.tolist(), out.characters.tolist(), strict=True)) == [
            ref_differences.text_hints(t, words, **limits) for t in known
        ]

    return Call(kernels.differences.text_hints, {"texts": texts, "words": words, **limits, "workers": 1}, right_one)
