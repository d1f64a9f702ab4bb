"""Keys for short documents, which have too few anchors: sets of rare bigrams."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from quchong import kernels
from quchong.features.anchors import Anchors
from quchong.kernels.arrays import AnyTexts
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import Form
from quchong.seam import Features, Keys

COMMON = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学"
    "如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将"
    "两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及"
    "比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统"
    "区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共"
    "确传师观清今切院让识候带导争运"
)
"""The commonest characters of written Chinese (general frequency lists agree on them except for order). The choice changes the cost of
keys, never which pairs are guaranteed to be candidates.
"""


@cache
def _common() -> np.ndarray:
    return np.array(sorted({ord(c) for c in COMMON}), np.uint32)


@dataclass(frozen=True, slots=True)
class ShortKeys:
    """Anchors for all documents, and sets of rare bigrams for those of at most `longest` tokens.

    Two short documents are always candidates if they share at least two bigrams, half of each one's and all but `lacking` of each one's
    (`kernels.features.short_keys`), and if no more documents than the join's cap have the key. Candidates among longer ones are found by
    `anchors`.

    Args:
        longest: tokens up to which a document is short. 0 for none.
        lacking: bigrams a document may lack in the other; a changed character costs two, an inserted one costs the
            other side one.
        anchors: winnowing of all documents.
    """

    longest: int = 40
    lacking: int = 4
    anchors: Anchors = field(default_factory=Anchors)

    def features(self, form: Form, texts: AnyTexts, workers: int | None = None, keep: bool = False) -> Features:
        """Return digest, lengths and keys of a batch of texts; with `keep` the tokens too.

        Without `keep` short texts are tokenised a second time.
        """
        found = self.anchors.features(form, texts, workers, keep)
        short = ((found.tokens > 0) & (found.tokens <= self.longest)).nonzero()[0]
        if not len(short):
            return found
        hashed = found.hashed()
        if hashed is None:
            view = texts if isinstance(texts, kernels.arrays.Texts) else kernels.arrays.texts_of([texts])
            docs, _ = kernels.text.hashes(form, view.take(short), workers)
        else:
            docs = kernels.text.take_tokens(hashed, short, workers)
        keys, offsets = kernels.features.short_keys(
            docs, _common(), longest=self.longest, lacking=self.lacking, workers=workers
        )
        counts = np.zeros(len(found.tokens), np.int64)
        counts[short] = np.diff(offsets)
        return _append_values(found, keys, counts)

    def keys(self, features: Features) -> Keys:
        """Return the keys of documents; the size of a short one is at most 1, so that the count filter asks for one shared key."""
        keys = self.anchors.keys(features)
        short = features.tokens <= self.longest
        size = np.where(short, np.minimum(keys.size, 1), keys.size) if np.count_nonzero(short) else keys.size
        return Keys(keys.values, keys.offsets, size, keys.window)


def _append_values(found: Features, more: np.ndarray, counts: np.ndarray) -> Features:
    """Append `counts` more values to those of each document."""
    before = np.diff(found.offsets)
    offsets = prefix_sums(before + counts)
    values = np.empty(len(found.values) + len(more), np.uint64)
    starts, ends = offsets[:-1] + before, offsets[1:]
    some = counts > 0
    edge = np.zeros(len(values) + 1, np.int8)
    edge[starts[some]] += 1
    edge[ends[some]] -= 1
    is_more = np.cumsum(edge[:-1], dtype=np.int8) > 0
    values[is_more], values[~is_more] = more, found.values
    return replace(found, offsets=offsets, values=values)
