"""Generated short texts for the experiments of Gao 2014: any number, any share of distinct ones, edited copies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

FIRST_HAN, COMMON = 0x4E00, 3500
"""First code point and size of the block from which characters are drawn. The size is that of daily Chinese; which characters
they are does not matter."""

EDITS = ("replace", "insert", "delete", "mention", "forward")


@dataclass(frozen=True, slots=True)
class ShortTexts:
    """Texts and their families: `origin[i]` is the index of the first text of the family (int64), for an original its own."""

    texts: pa.Array
    origin: np.ndarray

    @property
    def distinct(self) -> int:
        """Number of families of texts."""
        return int((self.origin == np.arange(len(self.origin))).sum())


def _characters(rng: np.random.Generator, count: int) -> np.ndarray:
    """Draw code points by a Zipf-like law, uint32: the commonest character is about one in twenty-five, as in Chinese."""
    weight = 1 / (np.arange(COMMON) + 5.0) ** 0.9
    table = np.repeat(np.arange(COMMON), np.maximum(1, np.round(weight / weight.sum() * 65536)).astype(int))
    drawn: np.ndarray = table[rng.integers(0, len(table), count)].astype(np.uint32)
    return drawn + np.uint32(FIRST_HAN)


def _as_texts(codes: np.ndarray, lengths: np.ndarray) -> pa.Array:
    """Split a sequence of code points, all of three bytes in UTF-8, into texts of these lengths."""
    data = np.empty((len(codes), 3), np.uint8)
    data[:, 0] = 0xE0 | codes >> 12
    data[:, 1] = 0x80 | codes >> 6 & 63
    data[:, 2] = 0x80 | codes & 63
    offsets = np.concatenate([[0], np.cumsum(3 * lengths)]).astype(np.int64)
    return pa.LargeStringArray.from_buffers(len(lengths), pa.py_buffer(offsets), pa.py_buffer(data.reshape(-1)))


def originals(count: int, seed: int, shortest: int = 10, longest: int = 70) -> pa.Array:
    """Generate distinct texts of `shortest` to `longest` characters (large_string).

    Equal ones are practically impossible: two texts of ten characters agree once in 10^25 pairs.
    """
    rng = np.random.default_rng(seed)
    lengths = rng.integers(shortest, longest + 1, count)
    return _as_texts(_characters(rng, int(lengths.sum())), lengths)


def repeated(count: int, distinct: float, seed: int, zipf: bool = False) -> ShortTexts:
    """Generate texts of which a share is distinct; the others repeat those, all shuffled.

    Args:
        count: texts.
        distinct: share of distinct texts, 0 to 1; at least one text is.
        seed: seed of the generator.
        zipf: if True, repeats favour few texts (a Zipf law); else all texts are repeated alike.
    """
    rng = np.random.default_rng(seed)
    kinds = max(1, min(count, round(count * distinct)))
    more = rng.zipf(1.5, count - kinds) % kinds if zipf else rng.integers(0, kinds, count - kinds)
    which = rng.permutation(np.concatenate([np.arange(kinds), more]))
    first = np.full(kinds, count, np.int64)
    np.minimum.at(first, which, np.arange(count))
    return ShortTexts(originals(kinds, seed + 1).take(pa.array(which)), first[which])


def edited(count: int, share: float, seed: int, shortest: int = 10, longest: int = 140) -> ShortTexts:
    """Generate originals, and copies of them that are changed in one or two characters or have a mention or forwarding mark added.

    Args:
        count: texts.
        share: share of copies, 0 to below 1.
        seed: seed of the generator.
        shortest, longest: characters of the originals.
    """
    rng = np.random.default_rng(seed)
    copies = min(count - 1, round(count * share)) if count else 0
    base = originals(count - copies, seed + 1, shortest, longest)
    parents = rng.integers(0, max(len(base), 1), copies)
    spare = _as_texts(_characters(rng, 2 * copies), np.full(2 * copies, 1)).to_pylist()
    made = [
        edit(text, EDITS[int(rng.integers(len(EDITS)))], spare[2 * i : 2 * i + 2], rng)
        for i, text in enumerate(base.take(pa.array(parents)).to_pylist())
    ]
    family = np.concatenate([np.arange(len(base)), parents])
    order = rng.permutation(count)
    texts = pa.concat_arrays([base, pa.array(made, pa.large_string())]).take(pa.array(order))
    family = family[order]
    first = np.full(max(len(base), 1), count, np.int64)
    np.minimum.at(first, family, np.arange(count))
    return ShortTexts(texts, first[family])


def edit(text: str, kind: str, fresh: list[str], rng: np.random.Generator) -> str:
    """Change a text in one or two characters at random (new ones from `fresh`), or add a mention or forwarding mark made of `fresh`."""
    if kind == "mention":
        return f"{text} @{''.join(fresh)}"
    if kind == "forward":
        return f"转发//@{''.join(fresh)}:{text}"
    for character in fresh[: 1 + int(rng.integers(2))]:
        at = int(rng.integers(len(text)))
        text = text[:at] + ("" if kind == "delete" else character) + text[at + (kind != "insert") :]
    return text
