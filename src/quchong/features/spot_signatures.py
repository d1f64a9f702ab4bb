"""Spot signatures: chains of content words after frequent words (先行词 antecedent, 距离 distance, 链长 chain).

Source: Theobald 2008 (SpotSigs). Twin: `tests/twins/features.py`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.errors import UsageError
from quchong.features.feature_sets import in_batches
from quchong.features.stopwords import Words, token_mask, tokens_of, words_of
from quchong.kernels.arrays import AnyTexts, FeatureSets, Names, Texts
from quchong.kernels.hashing import COEFFICIENTS, mix64
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.text import Form

LONGEST_CHAIN = 30


@dataclass(frozen=True, slots=True)
class Spots:
    """Rules by which spots of a text become its signatures a(d, c).

    Args:
        antecedents: words after which a spot begins; each is one token: a Chinese character or a word. See `quchong.features.stopwords` for
            names.
        stop_words: words that a chain skips in addition to antecedents; a word may be a run of characters, such as 因为.
        chain: c, words a chain has.
        distance: d: every d-th word that is no stop word is taken.
        with_antecedent: the antecedent is part of the signature, as in the definition; else the chain alone counts.
    """

    antecedents: str = "standard"
    stop_words: str = "standard"
    chain: int = 3
    distance: int = 1
    with_antecedent: bool = True

    def __post_init__(self) -> None:
        if not words_of(self.antecedents, "antecedents"):
            raise UsageError("'antecedents' needs at least one word")
        words_of(self.stop_words, "stop_words")
        if not 1 <= self.chain <= LONGEST_CHAIN or not 1 <= self.distance <= 100:
            raise UsageError(
                "'chain' must be 1 to {} and 'distance' 1 to 100, got {} and {}",
                LONGEST_CHAIN,
                self.chain,
                self.distance,
            )

    def sets(self, form: Form, texts: AnyTexts, workers: int | None = None) -> FeatureSets:
        """Return the multiset of signatures of each text.

        Raises:
            UsageError: an antecedent of several tokens.
        """
        words = self.words(form)

        def made(piece: Texts) -> FeatureSets:
            docs = kernels.text.names(form, piece, workers=workers).docs
            return kernels.sets.feature_sets(*self.signatures(docs, words), weighted=True, workers=workers)

        return in_batches(texts, made)

    @property
    def described(self) -> str:
        """Return a text that names all on which signatures depend (parameters, digest of word lists), stored with statistics."""
        lists = (words_of(self.antecedents, "antecedents"), words_of(self.stop_words, "stop_words"))
        words = hashlib.blake2b(repr([sorted(w) for w in lists]).encode(), digest_size=8).hexdigest()
        what = "with antecedent" if self.with_antecedent else "without antecedent"
        return f"spots of {self.chain} at distance {self.distance} {what}, words {words}"

    def words(self, form: Form) -> Words:
        """Return the word lists as tokens."""
        ahead = tokens_of(form, words_of(self.antecedents, "antecedents"))
        several = [w for w in ahead if len(w) != 1]
        if several:
            raise UsageError(
                "{} antecedents are more than one token: use single Chinese characters or single words", len(several)
            )
        return Words.from_tokens(ahead, tokens_of(form, words_of(self.stop_words, "stop_words")))

    def signatures(self, docs: Names, words: Words) -> tuple[np.ndarray, np.ndarray]:
        """Return hashes of all signatures of every document in order (uint64), and int64 offsets."""
        tokens, lengths = docs.tokens, docs.lengths
        heads, chain = self._chains(docs, words)
        with np.errstate(over="ignore"):
            total = tokens[heads].astype(np.uint64) * COEFFICIENTS[0]
            if not self.with_antecedent:
                total = np.zeros_like(total)
            for k in range(self.chain):
                total = total + tokens[chain[:, k]].astype(np.uint64) * COEFFICIENTS[k + 1]
        document = np.repeat(np.arange(len(lengths)), lengths)
        count = np.bincount(document[heads], minlength=len(lengths))
        return mix64(total), prefix_sums(count)

    def chains(self, docs: Names, words: Words) -> list[np.ndarray]:
        """Return for each signature the positions of its antecedent and its chain among all tokens, in the order of `signatures`."""
        heads, chain = self._chains(docs, words)
        return list(np.concatenate([heads[:, None], chain], axis=1))

    def _chains(self, docs: Names, words: Words) -> tuple[np.ndarray, np.ndarray]:
        """Return the antecedent tokens of complete chains (n), and their chain tokens (n, chain), as positions over all tokens."""
        tokens, lengths = docs.tokens, docs.lengths
        document = np.repeat(np.arange(len(lengths)), lengths)
        stop, inside = words.stop_word_masks(docs)
        content = np.flatnonzero(~stop)
        heads = np.flatnonzero(token_mask(tokens, words.antecedents) & ~inside)
        first = np.searchsorted(content, heads)
        last = first + self.distance * self.chain - 1
        whole = last < len(content)
        heads, first, last = heads[whole], first[whole], last[whole]
        same = document[content[last]] == document[heads] if len(heads) else np.zeros(0, bool)
        heads, first = heads[same], first[same]
        steps = (np.arange(self.chain) + 1) * self.distance - 1
        places = (first[:, None] + steps[None, :]).astype(np.int64)
        return heads, content[places] if len(heads) else np.zeros((0, self.chain), np.int64)
