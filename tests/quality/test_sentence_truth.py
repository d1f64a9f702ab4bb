"""Covers: the truth `sentences/methods` counts over given texts, on natural reprints; hard-wrapped newswire read as sentences.

Compared against: pairs counted without an index, by other shingles (zh_news_reprints, en_reuters). Run: pytest tests/quality.
"""

import pyarrow as pa
import pytest

from quchong_lab.sentences.lengths import lengths
from quchong_lab.sentences.methods import CONTAINMENT, JACCARD, counted
from quchong_lab.sentences.texts import unwrapped


@pytest.mark.parametrize(
    ("name", "n", "precise", "complete"),
    # Measured: 412 of our 428 pairs among the 417 of 5-character shingles; 490 of 491 among the 561 of 9 characters, where
    # ours are of 3 words.
    [("zh_news_reprints", 5, 0.95, 0.98), ("en_reuters", 9, 0.99, 0.86)],
)
def test_counted_pairs_are_those_of_the_exact_count(shared, name, n, precise, complete):
    rows = shared.read(f"{name}/docs.jsonl")
    data = counted(unwrapped(pa.array([r["text"] for r in rows], pa.large_string())))
    ours = {frozenset(rows[int(i)]["id"] for i in pair) for pair in data.relation}
    measured = {
        frozenset((p["a"], p["b"]))
        for p in shared.read(f"{name}/pairs_measured.jsonl")
        if p[f"jaccard{n}"] >= JACCARD or p[f"containment{n}"] >= CONTAINMENT
    }
    assert len(ours & measured) >= precise * len(ours)
    assert len(ours & measured) >= complete * len(measured)


def test_wrapped_newswire_has_sentences_of_more_than_a_line(shared):
    given = pa.array([r["text"] for r in shared.read("en_reuters/docs.jsonl")[:1000]], pa.large_string())
    before, after = (lengths(t, "words", "none") for t in (given, unwrapped(given)))
    assert before.max() < 40  # a line has so many words at most
    # What a symbol beside the end of a line is may depend on the line: a hundredth of the words at most.
    assert abs(sum(before.tolist()) - sum(after.tolist())) < 0.01 * sum(before.tolist())
    assert len(after) < 0.6 * len(before)
