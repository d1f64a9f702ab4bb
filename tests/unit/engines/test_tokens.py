"""Covers: texts are normalised once while their tokens are few (`quchong.engines.local.tokens`), and answers do not depend on it."""

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong import kernels
from quchong.differences.find import find_differences
from quchong.engines.local import tokens as kept
from quchong.engines.local.tokens import TokenKeeper
from quchong.kernels.arrays import Ragged
from quchong.kernels.text import KeptWords
from quchong.seam import Documents, Features
from quchong.text import form

BASE = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"
ROWS = [{"id": f"{i:03}", "text": BASE[: 12 + i % 30] + f"第{i % 7}天天气晴朗" * (1 + i % 3)} for i in range(60)]


NO_WORDS = KeptWords(*(np.zeros(0, kind) for kind in (np.uint32, np.uint32, np.uint64, np.uint64)))


def batch(*lengths: int) -> Features:
    n, total = len(lengths), sum(lengths)
    offsets = np.cumsum([0, *lengths]).astype(np.int64)
    few, none = np.array(lengths, np.uint32), np.zeros(n, np.uint64)
    docs = Ragged(np.arange(total, dtype=np.uint32), offsets)
    return Features(few, few, none, none, np.zeros(1, np.int64), np.zeros(0, np.uint64), docs, NO_WORDS)


def test_batches_become_one_stream():
    keeper = TokenKeeper()
    keeper.add(batch(2, 0, 3))
    keeper.add(batch(1))
    found = keeper.streams(form())
    assert found.docs.tokens.tolist() == [0, 1, 2, 3, 4, 0]
    assert found.docs.offsets.tolist() == [0, 2, 2, 5, 6]
    assert found.singles.tolist() == [2, 0, 3, 1]
    none = TokenKeeper().streams(form())
    assert (none.docs.tokens.tolist(), none.docs.offsets.tolist()) == ([], [0])


def test_more_than_the_bound_is_not_kept_at_all():
    keeper = TokenKeeper(bound=16)
    keeper.add(batch(4))
    assert keeper.keeping
    keeper.add(batch(1))
    assert not keeper.keeping
    keeper.add(batch(1))
    assert keeper.streams(form()) is None


def test_tokens_of_another_form_than_was_kept_are_made_of_the_texts():
    texts = Documents.from_texts(pa.array(["abc", "今天", ""], pa.large_string())).texts
    keeper = TokenKeeper()
    keeper.add(batch(2, 1))
    documents = Documents(texts, {}, keeper.streams(form()), np.array([1, 0, 1]))
    docs, singles = documents.tokenised(form())
    assert (docs.tokens.tolist(), docs.offsets.tolist(), singles.tolist()) == ([2, 0, 1, 2], [0, 1, 3, 4], [1, 2, 1])
    docs, _ = documents.take(np.array([1])).tokenised(form())
    assert docs.tokens.tolist() == [0, 1]
    docs, singles = documents.tokenised(form(tokens="char"))  # of the texts
    assert (docs.lengths.tolist(), singles.tolist()) == ([3, 2, 0], [0, 2, 0])


@pytest.mark.parametrize(
    "method", ["hybrid", "minhash", "short-text", "shingling", "winnowing", "lsh", "ppjoin", "exact"]
)
def test_answers_are_the_same_with_and_without_kept_tokens(method, monkeypatch):
    with_them = qc.dedup(ROWS, method=method, recall_sample=30)
    monkeypatch.setattr(kept.TokenKeeper.__init__, "__defaults__", (-1,))
    without = qc.dedup(ROWS, method=method, recall_sample=30)
    for table in ("pairs", "ledger", "clusters", "documents"):
        assert getattr(with_them, table).equals(getattr(without, table)), table
    assert with_them.manifest["recall"] == without.manifest["recall"]


def test_no_text_is_normalised_again_for_scores_and_recall(monkeypatch):
    normalised = []
    for name in ("tokenise", "fingerprints"):
        kernel = getattr(kernels.text, name)

        def counted(how, texts, *given, of=kernel, **named):
            normalised.append(len(texts))
            return of(how, texts, *given, **named)

        monkeypatch.setattr(kernels.text, name, counted)
    monkeypatch.setattr("quchong.seam.batches.tokenise", kernels.text.tokenise)
    found = qc.dedup(ROWS, recall_sample=0)
    assert len(found.pairs)
    assert normalised == [len(ROWS)]


def test_an_examined_block_is_normalised_once_and_its_places_are_kept(monkeypatch):
    normalised = []
    for name in ("tokenise", "tokenise_placed", "stretches"):
        kernel = getattr(kernels.text, name)

        def counted(how, texts, *given, of=kernel, called=name, **named):
            normalised.append((called, len(texts)))
            return of(how, texts, *given, **named)

        monkeypatch.setattr(f"quchong.seam.batches.{name}", counted)
    texts = pa.array([row["text"] for row in ROWS], pa.large_string())
    documents, left, right = Documents.from_texts(texts), np.array([0]), np.array([30])
    looked = np.ones(1, bool)
    find_differences(form(), documents, left, right, looked, looked)
    assert normalised == [("tokenise_placed", len(ROWS))]
    find_differences(form(), documents, left, right, looked, looked)
    assert normalised == [("tokenise_placed", len(ROWS))]
    # Without places, where tokens were asked for before, only the texts of differences are read again.
    documents = Documents.from_texts(texts)
    documents.tokenised(form())
    find_differences(form(), documents, left, right, looked, looked)
    assert normalised[1:] == [("tokenise", len(ROWS)), ("stretches", len(ROWS))]
