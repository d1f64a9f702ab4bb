"""Covers: passages of a corpus: all of them, the same for any order and number of workers, and cuts that lose nothing."""

import random

import numpy as np
import pyarrow as pa
import pytest
from twins.align import outer_runs
from twins.runs import maximal_runs

import quchong as qc
from quchong import kernels
from quchong.kernels.arrays import Ragged
from quchong.text import sentences

LEAST = 30


def letters(text):
    """The letters of an invented text, which need no normalising, and where each stands."""
    return [(c, i) for i, c in enumerate(text) if c.isalnum()]


@pytest.fixture
def rows(corpus):
    kept = [r for r in corpus if not r["id"].startswith("form") and "，" in r["text"]]
    footer = "\n本文由白鹭洲编辑部根据公开消息整理而成如有差错请读者来信告诉我们谢谢各位。"
    return [r | {"text": r["text"] + footer * (i % 3 == 0)} for i, r in enumerate(kept)][:60]


@pytest.mark.parametrize("documents", [36, pytest.param(60, marks=pytest.mark.campaign)])
def test_every_passage_of_two_documents_is_found(rows, documents):
    rows = rows[:documents]
    table = qc.passages(rows, min_chars=LEAST, partners=10_000, keep="first").table
    order = {r["id"]: i for i, r in enumerate(rows)}
    found = {
        (p["right_id"], p["left_id"], p["right_start"], p["right_end"], p["left_start"]) for p in table.to_pylist()
    }
    expected = set()
    for r in rows:
        for other in rows[: order[r["id"]]]:
            a, b = letters(r["text"]), letters(other["text"])
            for i, j, k in outer_runs(maximal_runs([c for c, _ in a], [c for c, _ in b], LEAST)):
                expected.add((r["id"], other["id"], a[i][1], a[i + k - 1][1] + 1, b[j][1]))
    assert found == expected and len(found) > 20


def test_passages_are_equal_in_both_texts_and_counted(rows):
    table = qc.passages(rows, min_chars=LEAST, common=5)
    texts = {r["id"]: r["text"] for r in rows}

    def plain(text):
        return "".join(c for c in text.replace(",", "，") if c.isalnum())

    for p in table.table.to_pylist():
        left = plain(texts[p["left_id"]][p["left_start"] : p["left_end"]])
        right = plain(texts[p["right_id"]][p["right_start"] : p["right_end"]])
        assert left == right and len(left) == p["characters"] >= LEAST
        assert p["documents"] == sum(left in plain(t) for t in texts.values())
        assert p["boilerplate"] == (p["documents"] >= 5 and p["share"] < 0.5)
    (footer,) = [b for b in table.boilerplate.to_pylist() if b["characters"] == 36]
    assert footer["documents"] == sum(t.endswith("谢谢各位。") for t in texts.values())


@pytest.mark.parametrize("keep", ["earliest,longest", "longest"])
def test_neither_order_nor_workers_change_anything(rows, keep):
    first = qc.passages(rows, min_chars=LEAST, keep=keep, workers=1)
    shuffled = random.Random(5).sample(rows, len(rows))
    second = qc.passages(shuffled, min_chars=LEAST, keep=keep, workers=2)
    assert first.table.equals(second.table)
    cut = {r["id"]: r["text"] for r in second.cut().to_pylist()}
    assert {r["id"]: r["text"] for r in first.cut().to_pylist()} == cut


def test_a_cut_loses_no_sentence(rows):
    result = qc.passages(rows, min_chars=LEAST)
    before, after = {r["id"]: r["text"] for r in rows}, {r["id"]: r["text"] for r in result.cut().to_pylist()}
    left = [_plain(text) for text in after.values()]
    gone = 0
    for doc, text in before.items():
        for piece in _pieces(text):
            assert any(_plain(piece) in text for text in left)
        gone += len(text) - len(after[doc])
        assert all(piece in before[doc] for piece in _pieces(after[doc]))  # nothing half
    assert gone > 500


def test_only_boilerplate_can_go(rows):
    result = qc.passages(rows, min_chars=LEAST, common=5)
    after = result.cut("boilerplate").to_pylist()
    with_footer = [r["id"] for r in after if r["text"].endswith("谢谢各位。")]
    assert len(with_footer) == 1
    changed = sum(a["text"] != r["text"] for a, r in zip(after, rows, strict=True))
    assert changed >= sum(r["text"].endswith("谢谢各位。") for r in rows) - 1


def test_texts_that_preparing_changes_keep_their_offsets():
    long = "第一句话说的是春天的河流和山上的树木。第二句话说的是秋天的田野和路边的石头。"
    rows = [
        {"id": "a", "text": "责任编辑：王小明\n" + long},
        {"id": "b", "text": "Cafe\u0301 开头。" + long + "结尾在这里。"},
    ]
    (p,) = qc.passages(rows, min_chars=20, strip="editor").table.to_pylist()
    for side in ("left", "right"):
        text = next(r["text"] for r in rows if r["id"] == p[f"{side}_id"])
        assert text[p[f"{side}_start"] : p[f"{side}_end"]] == long[:-1]
    cut = {r["id"]: r["text"] for r in qc.passages(rows, min_chars=20, strip="editor").cut().to_pylist()}
    assert cut["a"] == "责任编辑：王小明\n" and cut["b"] == rows[1]["text"]


def test_a_large_corpus_is_joined_in_pieces_and_loses_nothing():
    n, size, run = 3_000, 1_200, 100
    made = np.random.default_rng(7).integers(0, 1 << 30, (2 * n, size), dtype=np.uint32)
    place = np.random.default_rng(8).integers(1, size - run - 1, (n, 2))
    for i, (here, there) in enumerate(place.tolist()):
        made[n + i, here : here + run] = made[i, there : there + run]
    docs = Ragged(made.ravel(), np.arange(2 * n + 1, dtype=np.int64) * size)
    found = [kernels.align.repeated_passages(docs, 60, workers=workers) for workers in (1, 2)]
    assert all(np.array_equal(a, b) for a, b in zip(*found, strict=True))
    of = found[0]
    assert np.array_equal(of.doc, np.arange(n, 2 * n)) and np.array_equal(of.other, np.arange(n))
    assert np.array_equal(np.stack([of.start, of.other_start], axis=1), place) and (of.length == run).all()
    assert (of.documents[of.passage] == 2).all()


def test_nothing_and_nearly_nothing():
    for rows in ([], [""], ["短", "短"], ["x" * 100]):
        result = qc.passages(rows if rows else pa.table({"text": pa.array([], pa.string())}))
        assert len(result.table) == 0 and result.most_frequent() == []
        assert len(result.cut()) == len(rows)


def _pieces(text):
    return [text[a:b] for a, b in sentences(text)]


def _plain(text):
    return "".join(c for c in text if c.isalnum())
