"""Figures of aligned passages for test_quality: the pairs of PAN 2013 text alignment by kind; Chinese news pairs.

The options of `align` were chosen on the half of the pairs whose hash is even; the other half was only looked at.
"""

import hashlib

import numpy as np
import pyarrow as pa
from plagdet import plagdet

from quchong import kernels
from quchong.differences.passage_alignment import align
from quchong.text import form

FOLDER = "en_pan13_containment"
KINDS = ("verbatim", "random", "translation", "summary", "none")


def tuned_on(pair):
    """Is this one of the pairs the options were chosen on?"""
    digest = hashlib.blake2b(f"{pair['susp']} {pair['src']}".encode(), digest_size=8).hexdigest()
    return int(digest, 16) % 2 == 0


def cases(pair):
    """The true passages of a pair, as places."""
    return [
        (
            p["this_offset"],
            p["this_offset"] + p["this_length"],
            p["source_offset"],
            p["source_offset"] + p["source_length"],
        )
        for p in pair["passages"]
    ]


def read(shared):
    """Texts by id, and the pairs."""
    texts = {row["id"]: row["text"] for row in shared.read(f"{FOLDER}/docs.jsonl")}
    return texts, shared.read(f"{FOLDER}/pairs.jsonl")


def detections(texts, pairs):
    """Places `align` finds with its defaults, a list for each pair."""
    at = {name: k for k, name in enumerate(texts)}
    left, right = (np.array([at[p[side]] for p in pairs]) for side in ("susp", "src"))
    spans = align(form(), pa.array(texts.values(), pa.large_string()), left, right)
    return [list(map(tuple, part.tolist())) for part in np.split(spans.places, spans.offsets[1:-1])]


def scored(pairs, found, keep):
    """The measures over the pairs `keep` holds for."""
    kept = [i for i, pair in enumerate(pairs) if keep(pair)]
    return plagdet([cases(pairs[i]) for i in kept], [found[i] for i in kept])


def pan13(shared, twin):
    texts, pairs = read(shared)
    found = detections(texts, pairs)
    figures = {"pairs": len(pairs), "cases": sum(len(p["passages"]) for p in pairs)}
    for name in (*KINDS[:-1], "all"):
        scores = scored(pairs, found, lambda p, name=name: name in ("all", p["kind"]))
        for measure in ("plagdet", "precision", "recall", "granularity"):
            figures[f"{name}_{measure}"] = getattr(scores, measure)
    figures["none_detections"] = scored(pairs, found, lambda p: p["kind"] == "none").detections
    figures["tuned_half_plagdet"] = scored(pairs, found, tuned_on).plagdet
    figures["other_half_plagdet"] = scored(pairs, found, lambda p: not tuned_on(p)).plagdet
    return figures


def news_passages(shared, twin):
    """Pairs read as sharing passages: is every long equal run in one? And pairs by chance: how often is there any?"""
    rows = shared.read("zh_news_reprints/docs.jsonl")
    texts = pa.array([row["text"] for row in rows], pa.large_string())
    at = {row["id"]: k for k, row in enumerate(rows)}
    read = [p for p in shared.read("zh_news_reprints/pairs_read.jsonl") if p["label"] in ("partial", "contains")]
    left, right = (np.array([at[p[side]] for p in read]) for side in "ab")
    spans, tokens = align(form(), texts, left, right), kernels.text.tokenise(form(), texts, places=True)
    docs, runs, whole = tokens.docs, 0, 0
    for k, (a, b) in enumerate(zip(left, right, strict=True)):
        places = spans.places[spans.offsets[k] : spans.offsets[k + 1]]
        x, y = docs.offsets[a], docs.offsets[b]
        equal = kernels.align.equal_runs(
            docs.tokens[x : docs.offsets[a + 1]], docs.tokens[y : docs.offsets[b + 1]], 5, 30
        )
        for i, j, n in equal.astype(int):
            run = tokens.start[x + i], tokens.end[x + i + n - 1], tokens.start[y + j], tokens.end[y + j + n - 1]
            inside = (places[:, [0, 2]] <= (run[0], run[2])).all(1) & (places[:, [1, 3]] >= (run[1], run[3])).all(1)
            runs, whole = runs + 1, whole + bool(inside.any())
    long = np.flatnonzero([len(row["text"]) > 300 for row in rows])
    one, other = np.random.default_rng(5).choice(long, (2, 3000))
    chance = align(form(), texts, one[one != other], other[one != other])
    return {
        "pairs": len(read),
        "long_runs": runs,
        "long_runs_within_a_passage": whole,
        "chance_pairs_with_passages": int((np.diff(chance.offsets) > 0).sum()),
    }


FIGURES = {"en_pan13": pan13, "zh_news_passages": news_passages}
