"""Covers: the sets under which documents meet (`quchong.seam.SetJoin`) do not depend on the batch they are made in.

An engine that makes them batch by batch joins values of different batches. Compared against: the sets of all documents made
at once. Run: pytest tests/unit/methods/test_sets_in_batches.py
"""

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.api import fit_statistics
from quchong.errors import UsageError
from quchong.plan.catalogue import METHODS, build
from quchong.seam import Documents, SetJoin, with_statistics
from quchong_lab.web.pages import WebRecipe, web_corpus

BY_SETS = sorted(name for name in METHODS if isinstance(build(name).candidates, SetJoin))


@pytest.fixture(scope="module")
def pages():
    table = web_corpus(WebRecipe(pages=60, seed=3, html=False, batch=60)).pages
    again = table.slice(0, 5).set_column(
        2, "text", pa.array([t * 2 for t in table["text"].to_pylist()[:5]], pa.large_string())
    )
    table = pa.concat_tables([table, again])
    columns = {name: table[name].combine_chunks().cast(pa.large_string()) for name in ("url", "site", "title")}
    return Documents.from_texts(table["text"].combine_chunks(), **columns)


@pytest.mark.parametrize("name", BY_SETS)
def test_sets_are_the_same_in_any_batch(pages, name):
    method = build(name)
    statistics = method.candidates.statistics
    if statistics is not None and statistics.needed:
        method = with_statistics(method, pages)
        statistics = method.candidates.statistics
        assert not statistics.needed and statistics.count is None and statistics.frozen is not None
    whole = method.candidates.sets(pages, 1)
    assert whole.lengths.max() > 0
    for start, stop in ((0, 1), (7, 9), (9, 40), (58, len(pages))):
        piece = method.candidates.sets(pages.take(np.arange(start, stop)), 1)
        here = slice(whole.offsets[start], whole.offsets[stop])
        assert np.array_equal(piece.values, whole.values[here]) and np.array_equal(piece.weights, whole.weights[here])
        assert np.array_equal(piece.lengths, whole.lengths[start:stop])


def test_there_are_such_methods():
    assert len(BY_SETS) >= 15


@pytest.mark.parametrize("name", ["imatch", "imatch-s", "tree-key-sentence", "ppjoin"])
def test_frequencies_can_be_counted_first_and_given(pages, name, tmp_path):
    texts = [text for owner in pages.texts.owners for text in owner.to_pylist()]
    table = pa.table({"id": [f"p{i}" for i in range(len(pages))], "text": texts})
    path = fit_statistics(table, method=name).save(tmp_path / "df.parquet")
    alone, given = (qc.dedup(table, method=name, recall_sample=0, **o) for o in ({}, {"statistics": str(path)}))
    assert given.pairs.equals(alone.pairs) and given.manifest["config_hash"] == alone.manifest["config_hash"]
    assert len(given.pairs) > 3
    with pytest.raises(UsageError, match="needs no statistics with these parameters: run without them"):
        fit_statistics(table, method="mdr")
