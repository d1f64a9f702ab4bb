"""Covers: texts that compress far are stored and read again, in an index that keeps texts and in one that keeps tokens."""

import pytest

import quchong as qc


@pytest.mark.parametrize("store", ["text", "features"])
@pytest.mark.parametrize("text", ["x " * 2_000_000, "重复" * 700_000, "\n" * 4_000_000], ids=["words", "Han", "lines"])
def test_a_text_that_repeats_itself_is_read_again(tmp_path, text, store):
    with qc.Index.create(tmp_path / "seen", store=store) as index:
        index.add({"id": "long", "text": text})
        assert index.text("long") == (text if store == "text" else None)
        assert index.matches("long").matches == ()
        answer = index.query({"text": text + "y"})
        assert answer.new == (not text.strip())
        assert index.verify() == []
