"""Bands of MinHash signatures as features (Broder 1997a; Indyk 1998)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quchong.candidates import Bands
from quchong.features import digests
from quchong.features.minhash import MinHash
from quchong.kernels.arrays import AnyTexts
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import Form
from quchong.seam import Features


def band_features(
    bands: Bands, sketch: MinHash, form: Form, texts: AnyTexts, workers: int | None = None, keep: bool = False
) -> Features:
    """Return digest, lengths and band keys of a batch of texts, no keys for an empty text; with `keep` the tokens too.

    Cost: texts are normalised once; memory 4 bytes a token of the batch.
    """
    found = digests(form, texts, workers, keep=True)
    docs = found.hashed()
    assert docs is not None
    keys = bands.keys(sketch.sign(docs, workers), workers)
    some = found.tokens > 0
    offsets = prefix_sums(np.where(some, bands.bands, 0))
    out = replace(found, offsets=offsets, values=keys[some].reshape(-1))
    return out if keep else replace(out, docs=None, words=None)
