"""Ya 2013, chapters 3 and 4: structure trees with long sentences, key sentences, feature strings, and their stored features.

Source: Ya 2013. The paper's pages and figures are lost; labelled pages are generated (`pages`), or wrapped
around given articles (`--texts`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from quchong.methods.bases.terms import outlines
from quchong.methods.trees.layers import TreeKeySentence, TreeLongSentence
from quchong.seam import with_statistics
from quchong_lab.cells import cell
from quchong_lab.experiment import Claim, Experiment, Findings, Plot, Scale
from quchong_lab.web.bodies import language_of
from quchong_lab.web.labelled import SWEEP, Labelled, best, labelled, seconds, sweep, usual
from quchong_lab.web.pages import WebRecipe
from quchong_lab.web.truths import READING, bests

PAGES: dict[Scale, int] = {"quick": 300, "paper": 3_000, "full": 3_000}
SMALL = (150, 350)
"""Least and most characters of small documents."""
METHODS = (
    ("long sentences", "tree-long-sentence"),
    ("key sentences", "tree-key-sentence"),
    ("feature strings", "tree-feature-string"),
    ("URL", "url"),
    ("feature code", "feature-code"),
    ("single-pass clusters", "cluster"),
)


def _pages(scale: Scale, seed: int, small: bool, texts: pa.Table | None) -> Labelled:
    count = PAGES[scale]
    if texts is not None:
        texts = _short(texts) if small else texts
        count = min(count, int(1.6 * len(texts)))
    shortest, longest = SMALL if small else (600, 1500)
    recipe = WebRecipe(pages=count, seed=seed, shortest=shortest, longest=longest, language=language_of(texts))
    return labelled(recipe, "main", texts)


def _short(texts: pa.Table) -> pa.Table:
    """Cut articles to small ones at paragraph ends; articles that become too short are left out."""
    rows = []
    for row in texts.to_pylist():
        lines: list[str] = []
        for line in (row["text"] or "").splitlines():
            if sum(map(len, lines)) + len(line) > SMALL[1]:
                break
            lines.append(line)
        if sum(map(len, lines)) >= SMALL[0]:
            rows.append({"title": row["title"], "text": "\n".join(lines)})
    return pa.Table.from_pylist(rows, schema=pa.schema([("title", pa.string()), ("text", pa.string())]))


def _family(scale: Scale, seed: int, texts: pa.Table | None = None) -> Findings:
    rows: list[dict[str, Any]] = []
    for documents, small in (("all", False), ("small", True)):
        data = _pages(scale, seed, small, texts)
        for name, method in METHODS:
            swept = cell(f"{documents} {name}", sweep, data, method, SWEEP)
            taken = cell(f"seconds {documents} {name}", seconds, data, method, 1 if method == "cluster" else 3)
            rows += [{"documents": documents, "system": name, **row, "seconds": taken} for row in swept]
    remarks = [READING]
    for documents in ("all", "small"):
        for name, _ in METHODS:
            here = [r for r in rows if r["documents"] == documents and r["system"] == name]
            top, at = best(here), usual(here)
            remarks.append(
                f"{documents} documents, {name}: best F1 {top['f1'] or 0:.3f} at {top['threshold'] or 1:g}; at 0.6 precision "
                f"{at['precision'] or 0:.3f}, recall {at['recall'] or 0:.3f}; {at['seconds']:.3f} s"
            )
    more = {"truths": pa.Table.from_pylist(bests(rows, "documents", "system"))}
    return Findings(pa.Table.from_pylist(rows), tuple(remarks), more)


def _stored(scale: Scale, seed: int, texts: pa.Table | None = None) -> Findings:
    data = _pages(scale, seed, False, texts)
    key: Any = with_statistics(TreeKeySentence(), data.documents, 1)
    length, long_count, key_count = [], [], []
    for _, outline in outlines(data.documents, "standard", 1):
        which = np.arange(len(outline.depth))
        _, by_long = TreeLongSentence(sentences=1, more_from=200).nodes(outline, key.keywords_of(outline), which)
        _, by_key = key.nodes(outline, key.keywords_of(outline), which)
        nodes, sentences, _ = outline.sentence_tokens()
        length.append(np.diff(sentences[nodes]))
        long_count.append(np.diff(by_long))
        key_count.append(np.diff(by_key))
    size, longs, keys = (np.concatenate(x) for x in (length, long_count, key_count))
    rows = []
    for low in range(0, 400, 40):
        here = (size >= low) & (size < low + 40)
        if here.any():
            for system, count in (("long sentences", longs), ("key sentences", keys)):
                rows.append(
                    {"characters": low + 20, "system": system, "paragraphs": int(here.sum()),
                     "features": float(count[here].mean())}
                )  # fmt: skip
    by_key = [r["features"] for r in rows if r["system"] == "key sentences"]
    return Findings(
        pa.Table.from_pylist(rows),
        (
            f"Key sentences of a paragraph: {by_key[0]:.2f} in the shortest, {by_key[-1]:.2f} in the longest paragraphs.",
        ),
    )


TREES = Experiment(
    "web/tree-family",
    "Structure trees: long sentences, key sentences, feature strings, and the traditional classes",
    "Ya 2013, chapters 3 and 4",
    (
        Claim("ch. 3", "key sentences against long sentences", "precision and recall both better", "figures lost"),
        Claim("ch. 4", "feature strings with a Bloom filter", "recall much higher, most on small documents; time much lower",
              "figures lost"),
        Claim("ch. 1", "URL; feature string; clustering", "complete copies only; precise, slow; high recall, imprecise on one subject",
              ""),
    ),
    (Plot("recall", "precision", ("documents", "system")), Plot("threshold", "f1", ("documents", "system"))),
    _family,
    texts=True,
)  # fmt: skip
STORED = Experiment(
    "web/tree-features",
    "Structure trees: feature sentences of a paragraph, by its length",
    "Ya 2013, chapter 3",
    (Claim("ch. 3", "number of key sentences", "grows with the paragraph's length", "here one for 20 characters"),),
    (Plot("characters", "features", ("system",)),),
    _stored,
    texts=True,
)
