"""Covers: texts as an index stores them, packed and read together. Compared against: each text by itself, and Arrow's Zstandard."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.engines.index import stored_texts
from quchong.engines.index.document_store import COMPRESSED, DamagedRow, Row
from quchong.engines.index.stored_texts import compressor, original_text, original_texts, packed_texts

LONG = "今天天气很好，我们去公园看花。" * 20


def rows(texts):
    """Rows of texts as they are stored, None for a text that is not kept."""
    packed = iter(packed_texts(pa.array([text for text in texts if text is not None], pa.large_string())))
    out = []
    for number, text in enumerate(texts):
        stored, size, mark = (None, 0, 0) if text is None else next(packed)
        out.append(row(number, stored, size, mark))
    return out


def row(number, stored, size, mark):
    return Row(
        number, "a", 0, 0, 0, number, number, 1, 1, mark, None, 0.0, 0, None, None, None, "{}", size, stored
    ).summed()


@given(st.lists(st.one_of(st.none(), st.text(), st.text(min_size=3).map(lambda text: text * 100)), max_size=12))
def test_texts_read_together_are_those_read_one_by_one(texts):
    stored = rows(texts)
    assert [original_text(one) for one in stored] == texts
    assert original_texts(stored).to_pylist() == [text or "" for text in texts]


def test_long_texts_are_compressed_and_short_ones_are_not():
    short, long = packed_texts(pa.array(["短", LONG], pa.large_string()))
    assert short == ("短".encode(), 3, 0)
    assert long[1:] == (len(LONG.encode()), COMPRESSED)
    assert pa.Codec("zstd").decompress(long[0], long[1], asbytes=True) == LONG.encode()


@pytest.mark.parametrize("modules", [(), ("backports.zstd", "compression.zstd")], ids=["Arrow", "a context that lasts"])
def test_every_compressor_makes_frames_that_arrow_reads(monkeypatch, modules):
    if modules:
        pytest.importorskip("backports.zstd")
    monkeypatch.setattr(stored_texts, "_LASTING", modules)
    compressor.cache_clear()
    try:
        made = rows([LONG, LONG + "改", LONG[:-9], LONG * 3])
    finally:
        compressor.cache_clear()
    assert original_texts(made).to_pylist() == [LONG, LONG + "改", LONG[:-9], LONG * 3]


def test_a_module_without_a_compressor_is_passed_over(monkeypatch):
    monkeypatch.setattr(stored_texts, "_LASTING", ("quchong_lacks_this",))
    compressor.cache_clear()
    frame = compressor()(b"a" * 500)
    compressor.cache_clear()
    assert import_module("pyarrow").Codec("zstd").decompress(frame, 500, asbytes=True) == b"a" * 500


@pytest.mark.parametrize("kind", ["bytes", "size", "larger size", "huge size", "letters", "sum", "no bytes"])
@pytest.mark.parametrize("at", [0, 3])
def test_a_text_that_is_not_as_it_was_stored_is_named(kind, at):
    made = rows([LONG + str(k) for k in range(5)])
    stored, size = made[at].text, made[at].size
    forged = {
        "bytes": row(at, stored[:-4], size, COMPRESSED),
        "size": row(at, stored, size - 1, COMPRESSED),
        "larger size": row(at, stored, size + 1, COMPRESSED),
        "huge size": row(at, stored, 1 << 60, COMPRESSED),
        "letters": row(at, b"\xff\xfe" * 300, 600, 0),
        "sum": made[at]._replace(own_sum=made[at].own_sum ^ 1),
        "no bytes": row(at, b"", size, COMPRESSED),
    }[kind]
    made[at] = forged
    with pytest.raises(DamagedRow, match=f"document {at} does not match its stored checksum"):
        original_texts(made)


def test_threads_share_one_compressor():
    texts = [f"{k}{LONG * (1 + k % 7)}" for k in range(400)]
    with ThreadPoolExecutor(8) as threads:
        parts = list(threads.map(rows, [texts[k::8] for k in range(8)]))
    assert [original_texts(part).to_pylist() for part in parts] == [texts[k::8] for k in range(8)]
