"""Covers: quchong.frames.likeness. Compared against: a plain loop over sets of shingles.

Run: pytest tests/unit/frames/test_likeness.py
"""

import random

import numpy as np
import pytest

from quchong.frames.finding import COVERED
from quchong.frames.likeness import LEAST, LIKE, WIDTH, look_alike
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import take_tokens


def ragged(docs):
    return Ragged(np.array([t for d in docs for t in d], np.uint32), prefix_sums([len(d) for d in docs]))


def shingles(doc):
    return {tuple(doc[k : k + WIDTH]) for k in range(len(doc) - WIDTH + 1)}


def most_alike(models, doc):
    """The specification: the first model of those of like size that have most shingles of a document."""
    best, most = None, 0
    if not any(len(m) >= COVERED * len(doc) and len(doc) >= COVERED * len(m) for m in models):
        return None
    for k, model in enumerate(models):
        shared = len(shingles(model) & shingles(doc))
        enough = max(LEAST, LIKE * max(len(shingles(model)), len(shingles(doc))))
        if shared >= enough and shared > most:
            best, most = k, shared
    return best


@pytest.mark.parametrize("seed", range(4))
def test_each_document_gets_the_model_that_shares_most(seed):
    draw = random.Random(seed)
    models = [[draw.randrange(9) + 9 * k for _ in range(draw.randrange(8, 40))] for k in range(4)] + [[], [1]]
    models.append(list(models[0]))
    docs = []
    for _ in range(60):
        base = draw.choice(models)
        docs.append(
            [draw.randrange(60) if draw.random() < 0.4 else t for t in base] + draw.sample(range(60), draw.randrange(9))
        )
    texts, known = ragged(docs), ragged(models)
    some = np.array(sorted(draw.sample(range(len(docs)), 45)))
    found, model = look_alike(
        known, 4 * known.lengths, some, 4 * texts.lengths, lambda which: take_tokens(texts, which)
    )
    wanted = {k: best for k in some.tolist() if (best := most_alike(models, docs[k])) is not None}
    assert dict(zip(found.tolist(), model.tolist(), strict=True)) == wanted
    assert wanted and len(wanted) < len(some), "some are like a model, some are like none"


def test_nothing_is_like_no_models():
    texts = ragged([[1, 2, 3, 4, 5]])
    found, model = look_alike(ragged([]), np.zeros(0, np.int64), np.array([0]), 4 * texts.lengths, lambda which: texts)
    assert not len(found) and not len(model)
