"""Arguments of the kernels of passages, sentences and pages."""

from __future__ import annotations

from typing import Any

import numpy as np
from dice import Dice
from twins import features as ref_features
from twins import page as ref_page
from twins import text as ref_text

from kernel_arguments.call import Call, forms, kernel, parts
from quchong import kernels
from quchong.kernels import elements
from quchong.kernels.page import slim as slim_page
from quchong.kernels.text import Form
from quchong.text import element


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
