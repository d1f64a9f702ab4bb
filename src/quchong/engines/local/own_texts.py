"""Texts of removed roundups without what kept documents have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from quchong.decision.pairs import DocumentPairs
from quchong.decision.survivors import Fate, cut_pairs
from quchong.differences.own_text import OwnText, own_text
from quchong.engines.local.corpus import Corpus
from quchong.engines.local.ledger import passages_of
from quchong.plan.plan import Plan
from quchong.progress import Progress


def own_texts(
    corpus: Corpus, plan: Plan, pairs: DocumentPairs, fate: Fate, progress: Progress
) -> dict[int, OwnText]:  # fmt: skip
    """Return the own text of each removed roundup by document; empty unless the plan cuts roundups.

    A sentence is cut if all its letters and digits are in one passage that the roundup shares, letter by letter, with a kept document of a
    listed pair, or with a roundup that the policy prefers, so that no two roundups keep the same sentence.

    Cost: one alignment for each such pair.
    """
    left, right = cut_pairs(corpus.documents, plan, pairs, fate)
    offsets, places, exact = passages_of(corpus, plan, left, right, progress)
    spans: dict[int, list[tuple[int, int]]] = {doc: [] for doc in left.tolist()}
    pair = np.repeat(left, np.diff(offsets))
    for doc, (start, end) in zip(pair[exact].tolist(), places[exact, :2].tolist(), strict=True):
        spans[doc].append((start, end))
    return {
        doc: own_text(text, spans[doc]) for doc, text in original_texts(corpus, plan, sorted(spans))
    }  # fmt: skip


def original_texts(corpus: Corpus, plan: Plan, docs: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield documents (indices in the corpus) with their original texts; texts that preparing changed are read again."""
    again: dict[int, list[int]] = defaultdict(list)
    for doc in docs:
        if doc in corpus.edits:
            again[int(corpus.source[doc])].append(doc)
        else:
            yield doc, corpus.texts.text(doc)
    for source, some in again.items():
        rows = corpus.row[some].tolist()
        found = corpus.sources[source].fetch(rows, plan.wanted_columns)
        texts = dict(zip(found["row"].to_pylist(), found["text"].to_pylist(), strict=True))
        yield from ((doc, texts[row]) for doc, row in zip(some, rows, strict=True) if row in texts)
