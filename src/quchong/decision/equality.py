"""Equality of documents: which texts of a run are exact copies of each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import AnyTexts, Texts
from quchong.kernels.elements import RAW, element_digests, strings
from quchong.kernels.text import Form
from quchong.seam import Features
from quchong.text.element import strict_digest
from quchong.text.normalise import form, tables


def class_digests(
    equality: str, form: Form | None, texts: AnyTexts, features: Features, workers: int | None
) -> Features:
    """Return the features of a batch with the digests by which exact copies are found under an equality.

    Args:
        equality: see `Plan.exact`; "strict" is what features have already.
        form: how texts become tokens; None for a method that reads something else, whose equality is its own.

    Cost: nothing for "strict", else a reading of the texts.
    """
    if equality == "strict" or form is None:
        return features
    if equality == "raw":
        raw = element_digests(RAW, texts, workers)
        return replace(features, high=raw.high, low=raw.low)
    loose = kernels.text.fingerprints(_loose(form), texts, anchors=False, workers=workers)
    # A text of symbols alone has no letters to be equal in: it keeps its own digest.
    spoken = loose.tokens > 0
    return replace(
        features, high=np.where(spoken, loose.high, features.high), low=np.where(spoken, loose.low, features.low)
    )


def unit_digests(
    equality: str, texts: Texts, workers: int | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """Return both halves of the digest of lines or paragraphs under an equality, uint64, and their words and Chinese characters, int64.

    Cost: a reading of the texts, two if `equality` is "raw".
    """
    standard = form()
    found = kernels.text.fingerprints(
        _loose(standard) if equality == "loose" else standard, texts, anchors=False, workers=workers
    )
    digests = element_digests(RAW, texts, workers) if equality == "raw" else found
    return digests.high, digests.low, found.tokens.astype(np.int64)


def wordless_digest(equality: str, text: str, alone: str) -> tuple[int, int]:
    """Return both halves of the digest of a text without tokens: of its strict form or bytes; of the unique name `alone` if it is blank."""
    if equality != "raw" or not text.strip():
        return strict_digest(text, alone)
    raw = element_digests(RAW, [text])
    return int(raw.high[0]), int(raw.low[0])


def equal_letters(
    equality: str, form: Form, texts: Texts, left: np.ndarray, right: np.ndarray, workers: int | None
) -> np.ndarray:
    """Return a mask of the pairs of texts that are equal under an equality, compared character by character."""
    if equality == "raw":
        known = strings(texts)
        return np.array([known[a] == known[b] for a, b in zip(left.tolist(), right.tolist(), strict=True)], bool)
    compared = _loose(form) if equality == "loose" else form
    out: np.ndarray = kernels.text.equal_forms(compared, texts, left, right, workers) != 0
    return out


def _loose(form: Form) -> Form:
    return form._replace(tables=tables(symbols=False))
