"""Collection pooled by queries, as the papers' web collections were: the texts that rank first for any of some queries.

Ranks are by BM25 as in Lucene, k1 = 1.2, b = 0.75. The pool is made as by TREC, but from one system. A word is a run of letters and
digits in lower case, or one Han character.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log
from pathlib import Path

import pyarrow as pa

from quchong.errors import InputError, UsageError

K1, B = 1.2, 0.75
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")


def words(text: str) -> list[str]:
    """Split a text or query into words in lower case."""
    return _WORD.findall(text.lower())


def read_queries(path: Path) -> list[str]:
    """Read queries from a text file in UTF-8, one on each line; lines without a word are ignored.

    Raises:
        InputError: the file cannot be read, or has no query.
    """
    try:
        found = [line.strip() for line in path.read_text("utf-8").splitlines() if words(line)]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("{} cannot be read as UTF-8 text: {}", path, error) from error
    if not found:
        raise InputError("{} has no query: write one per line", path)
    return found


def pooled(texts: pa.Table, queries: Sequence[str], depth: int) -> pa.Table:
    """Return the rows that rank among the first `depth` for any query, in their order; a row without a word of a query has no rank.

    Of equal scores the earlier row ranks first. O(words of the texts).

    Raises:
        UsageError: depth below 1.
    """
    if depth < 1:
        raise UsageError("a query finds 1 text or more, not {}", depth)
    asked = {word for query in queries for word in words(query)}
    holders: dict[str, dict[int, int]] = defaultdict(dict)
    lengths = []
    for i, (title, text) in enumerate(zip(texts["title"].to_pylist(), texts["text"].to_pylist(), strict=True)):
        found = words(f"{title or ''} {text or ''}")
        lengths.append(len(found))
        for word, count in Counter(w for w in found if w in asked).items():
            holders[word][i] = count
    mean = sum(lengths) / max(len(lengths), 1)
    chosen: set[int] = set()
    for query in queries:
        score: dict[int, float] = defaultdict(float)
        for word in sorted(set(words(query))):
            rarity = log(1 + (len(lengths) - len(holders[word]) + 0.5) / (len(holders[word]) + 0.5))
            for i, count in holders[word].items():
                score[i] += rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * lengths[i] / mean))
        chosen.update(sorted(score, key=lambda i: (-score[i], i))[:depth])
    return texts.take(pa.array(sorted(chosen), pa.int64()))
