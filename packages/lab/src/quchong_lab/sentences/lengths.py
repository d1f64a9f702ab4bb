"""Feng 2015a: share of sentences that are too long for one symbol of the alphabet.

Source: Feng 2015a (SL+ST, 句长序列 + 后缀树). The paper's sets (AP90-S, the Twitter part
of ClueWeb12) are not free; articles are generated (`lab.web.news`), or given (`--texts`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from quchong.features.sentences import SentenceTerms
from quchong.text import form
from quchong.text.words import word_starts
from quchong_lab.cells import cell
from quchong_lab.experiment import Claim, Experiment, Findings, Plot, Scale
from quchong_lab.sentences.texts import chinese, unwrapped, written

ARTICLES: dict[Scale, int] = {"quick": 200, "paper": 3_000, "full": 20_000}
PAPER = 35
"""Number of symbols of the paper's alphabet: 1-9 and a-z."""
ALPHABETS = (9, 20, PAPER, 61, 80, 94, 127, 255)
"""Sizes of alphabets for lengths: digits; the paper's; digits and letters of both cases; ours; printable ASCII; values of a byte."""
KINDS = (
    ("words", "standard"),
    ("words", "none"),
    ("characters", "standard"),
    ("characters", "none"),
)
"""Pairs of terms and stop words. Characters are those of Chinese; words of other scripts stay words."""


def lengths(texts: pa.Array, terms: str, stop_words: str) -> np.ndarray:
    """Return the number of terms of every sentence that has one."""
    cut = word_starts if terms == "words" else None
    found: np.ndarray = SentenceTerms(form("standard"), cut, stop_words).split_sentences(texts).length
    return found


def _sizes(texts: pa.Array, terms: str, stop_words: str) -> list[int]:
    sizes: list[int] = lengths(texts, terms, stop_words).tolist()
    return sizes


def _long(scale: Scale, seed: int, texts: pa.Table | None = None) -> Findings:
    articles = written(ARTICLES[scale], seed) if texts is None else unwrapped(texts["text"])
    han = chinese(articles)
    rows: list[dict[str, Any]] = []
    for language, mask in (("Chinese", han), ("other", ~han)):
        some = articles.filter(pa.array(mask))
        for terms, stop_words in KINDS:
            if len(some) == 0 or (language == "other" and terms == "characters"):
                continue
            sizes = np.array(cell(f"{language} {terms} {stop_words}", _sizes, some, terms, stop_words))
            for symbols in ALPHABETS:
                longer = int((sizes > symbols).sum())
                rows.append(
                    {
                        "language": language, "terms": terms, "stop_words": stop_words, "symbols": symbols,
                        "articles": len(some), "sentences": len(sizes), "median": float(np.median(sizes)) if len(sizes) else None,
                        "longer": longer, "share": longer / len(sizes) if len(sizes) else None,
                    }
                )  # fmt: skip
    remarks = [
        f"{r['language']}, {r['terms']}, stop words {'taken out' if r['stop_words'] != 'none' else 'kept'}: "
        f"{100 * r['share']:.2f}% of {r['sentences']:,} sentences have more than {PAPER} terms (median {r['median']:g})."
        for r in rows
        if r["symbols"] == PAPER and r["share"] is not None
    ]
    return Findings(pa.Table.from_pylist(rows, schema=_SCHEMA), tuple(remarks))


_SCHEMA = pa.schema(
    [("language", pa.string()), ("terms", pa.string()), ("stop_words", pa.string()), ("symbols", pa.int64()),
     ("articles", pa.int64()), ("sentences", pa.int64()), ("median", pa.float64()), ("longer", pa.int64()),
     ("share", pa.float64())]
)  # fmt: skip

LONG = Experiment(
    "sentences/long-sentences",
    "Sentences too long for one symbol",
    "Feng 2015a, the alphabet of sentence lengths",
    (
        Claim("features", "AP90-S, English words without stop words", "0.27% of the sentences have more than 35 terms", ""),
        Claim("features", "Twitter part of ClueWeb12, category B", "0.10%", ""),
    ),
    (
        Plot("symbols", "share", ("language", "terms", "stop_words"),
             paper=((PAPER, 0.0027, "AP90-S"), (PAPER, 0.0010, "Twitter"))),
    ),
    _long,
    texts=True,
)  # fmt: skip
