"""Figures of aligned passages for test_quality: the 520 pairs of PAN 2013 text alignment, by kind of obfuscation.

The options of `align` were chosen on the half of the pairs whose hash is even; the other half was only looked at.
"""

import hashlib

import numpy as np
import pyarrow as pa

from quchong.alignment import align
from quchong.lab.plagdet import plagdet
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


FIGURES = {"en_pan13": pan13}
