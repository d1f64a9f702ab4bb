"""Covers: the shadow of an index: compacted, refitted and followed with its index; its log of disagreements has an end. Words of an index that
say what holds: no drift before anything was fitted, texts that are not kept, a format that needs no migration.
Run: pytest tests/cli/test_index_shadow_care.py.
"""

from __future__ import annotations

import pytest
from index_records import EN, ZH, records

import quchong as qc
from quchong.engines.index import shadow


def test_a_shadow_is_compacted_with_its_index(tmp_path):
    with qc.Index.create(tmp_path / "seen", shadow={"method": "exact"}) as index:
        index.add(records(1))
        index.delete(index.ids()[:10])
        index.compact()
        assert index._shadow.index.figures().deleted == 0
        assert len(index._shadow.index.postings.records) == 1
        assert index.verify() == []


def test_a_shadow_is_refitted_with_its_index(tmp_path):
    some = records(2)
    with qc.Index.create(tmp_path / "seen", fit=records(1), shadow={"threshold": 0.7}) as index:
        index.add(some)
        index.compact(refit=True)
        second = index._shadow.index
        assert (second.settings.generation, second.figures().since) == ("g000002", 0)
        assert index.query(some[0]).shadow.matches[0].relation == "exact"
        index.add({"id": "later", "text": some[0]["text"]})
    with qc.Index(tmp_path / "seen") as index:
        assert index._shadow.index.ids() == index.ids()
        assert index.verify() == []


def test_the_log_of_disagreements_has_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(shadow, "MOST_LOGGED", 2_000)
    with qc.Index.create(tmp_path / "seen", shadow={"method": "exact"}) as index:
        index.add({"id": "first", "text": ZH})
        for i in range(60):
            index.add({"id": f"d{i}", "text": ZH + "一二三四五六七八九十"[i % 10] * (i // 10 + 1)})
    logs = sorted(path.name for path in (tmp_path / "seen").glob("shadow*.jsonl"))
    assert logs == [shadow.EARLIER_LOG, shadow.LOG]
    assert all((tmp_path / "seen" / name).stat().st_size < 2_500 for name in logs)


def test_a_process_that_only_asks_follows_the_shadow_too(tmp_path):
    with (
        qc.Index.create(tmp_path / "seen", shadow={"method": "exact"}) as index,
        qc.Index(tmp_path / "seen", read_only=True) as asking,
    ):
        assert asking.query(ZH).shadow.new
        index.add({"id": "a", "text": ZH})
        assert asking.query(ZH).shadow.survivor_id == "a"
        index.compact(refit=True)
        assert asking.query(ZH).shadow.survivor_id == "a"


def test_an_index_that_was_never_fitted_does_not_drift(tmp_path):
    forms = [
        {"id": i, "text": f"兹证明{name}同志于二〇二六年{i + 1}月在我单位实习期满，表现良好，特此证明。经办人签字盖章后生效，复印无效。编号{i * 7919}"}
        for i, name in enumerate("赵钱孙李周吴郑王冯陈褚卫")
    ]  # fmt: skip
    with qc.Index.create(tmp_path / "plain") as index:
        index.add(forms)
        assert index.stats().drift == 0
    with qc.Index.create(tmp_path / "fitted", fit=[{"text": EN}]) as index:
        index.add(forms)
        assert index.stats().drift == 1


def test_without_texts_an_explanation_says_that_the_index_keeps_none(tmp_path, command):
    with qc.Index.create(tmp_path / "seen", store="features") as index:
        index.add([{"id": "a", "text": ZH}, {"id": "b", "text": ZH}])
    assert command("explain", tmp_path / "seen", "b").out.endswith("  (this index stores no texts)\n")


def test_an_index_of_this_format_is_not_said_to_be_migrated(tmp_path, command):
    qc.Index.create(tmp_path / "seen").close()
    said = command("index", "migrate", tmp_path / "seen").out
    assert said == f"{tmp_path / 'seen'} already has format 1, the format of this version: nothing was changed\n"


@pytest.mark.parametrize(
    ("ids", "title"), [(["a"], "Features that hybrid takes from a"), (["a", "b"], "How hybrid compares a and b")]
)
def test_documents_of_an_index_are_inspected_after_its_folder(tmp_path, command, ids, title):
    with qc.Index.create(tmp_path / "seen") as index:
        index.add([{"id": "a", "text": ZH}, {"id": "b", "text": EN}])
    ran = command("inspect", tmp_path / "seen", *ids)
    assert ran.code == 0 and ran.out.startswith(f"{title}\n"), ran.err
