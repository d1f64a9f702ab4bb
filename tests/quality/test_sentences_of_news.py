"""Covers: how much of Chinese news the alphabet of SL+ST leaves out. What the methods on sentences find there stands in
test_shared_passages.py. Run: pytest tests/quality.
"""

import numpy as np
import pyarrow as pa
import pytest

from quchong.methods.sentences.sl_st import SlSt
from quchong.seam import Documents


@pytest.mark.shared
def test_an_alphabet_of_eighty_lengths_is_for_chinese_what_thirty_five_are_for_english(shared):
    """The paper leaves out 0.27 and 0.10 percent of the sentences of its two sets."""
    texts = pa.array([r["text"] for r in shared.read("zh_news_reprints/docs.jsonl")], pa.large_string())
    length = SlSt().sentences(Documents.from_texts(texts), None).length
    assert 0.001 < np.mean(length > 80) < 0.003
    assert np.mean(length > 35) > 0.09
