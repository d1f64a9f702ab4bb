"""Covers: `quchong.distinct` decides a short list as `dedup` does, for all kinds of methods and options.

Run: pytest tests/promises/test_distinct_and_run_agree.py.
"""

import json
import random
from pathlib import Path

import pytest

import quchong as qc

ROOT = Path(__file__).parents[2]
NEWS = [json.loads(line) for line in (ROOT / "examples" / "news.jsonl").read_text("utf-8").splitlines()]
NEWS = [row | {"day": row["time"][:10]} for row in NEWS]
POSTS = [json.loads(line) for line in (ROOT / "examples" / "posts.jsonl").read_text("utf-8").splitlines()]
CALLS = {
    "defaults": {},
    "policy of a run": {"keep": None},
    "earliest": {"keep": "earliest"},
    "last": {"keep": "last"},
    "facts removed": {"facts": "remove"},
    "variants removed": {"relations": "exact,duplicate,contained_in,variant"},
    "exact only": {"relations": "exact"},
    "templates by payload": {"templates": "payload"},
    "no templates": {"templates": "remove", "roundups": "whole"},
    "raw": {"exact": "raw"},
    "within a week": {"within": "7d"},
    "per day": {"per": "day"},
    "lines stripped": {"strip": "dateline,source,editor"},
    "two threads": {"workers": 2},
    "threshold": {"threshold": 0.9},
    "minhash": {"method": "minhash"},
    "exact": {"method": "exact"},
    "short-text": {"method": "short-text"},
    "ccdet": {"method": "ccdet"},
    "simhash": {"method": "simhash"},
    "winnowing": {"method": "winnowing"},
    "spotsigs": {"method": "spotsigs"},
    "two-stage": {"method": "two-stage"},
    "two-stage with a filter": {"method": "two-stage", "stage1": "bloom"},
}


def both(records, options):
    """What `distinct` and `dedup` remove of records: (position, survivor, relation)."""
    found = qc.distinct(records, **options)
    given = {"keep": "first", "recall_sample": 0} | options
    position = {str(record["id"]): at for at, record in enumerate(records)}
    ledger = qc.dedup(records, **given).ledger.to_pylist()
    run = [(position[str(row["id"])], position.get(str(row["survivor_id"])), row["relation"]) for row in ledger]
    assert sorted([*found.kept, *(one.position for one in found.removed)]) == list(range(len(records)))
    return [(one.position, one.survivor, one.relation) for one in found.removed], sorted(run)


@pytest.mark.parametrize("call", CALLS)
def test_it_removes_what_a_run_removes_for_the_same_survivors(call):
    own, run = both(NEWS, CALLS[call])
    assert own == run
    assert own, "nothing is removed, so that nothing was compared"


@pytest.mark.parametrize("seed", range(8))
def test_parts_of_the_news_in_any_order_are_decided_alike(seed):
    some = random.Random(seed).sample(NEWS, 60)
    own, run = both(some, {})
    assert own == run and own


def test_posts_are_decided_alike():
    own, run = both(POSTS, {"method": "short-text"})
    assert own == run and own


def test_texts_without_ids_and_copies_by_survivor():
    texts = [NEWS[1]["text"], NEWS[0]["text"], NEWS[2]["text"], NEWS[1]["text"]]
    found = qc.distinct(texts)
    assert found.kept == (0, 1)
    assert [(one.position, one.relation) for one in found.copies(0)] == [(2, "exact"), (3, "exact")]
    assert found.copies(1) == []


def test_pages_are_read():
    pytest.importorskip("resiliparse", reason="pages need the extra html")
    folder = ROOT / "examples" / "pages"
    pages = [
        {"html": path.read_bytes()}
        for path in (folder / "yunhe.example" / "a1.html", folder / "qinglan.example" / "a1.html")
    ]
    assert [one.relation for one in qc.distinct(pages).removed] == ["duplicate"]


def test_records_without_text_and_equal_ids_are_kept_apart():
    records = [
        {"id": 1, "text": None},
        {"id": 1, "text": NEWS[0]["text"]},
        {"id": 1},
        {"id": 1, "text": NEWS[0]["text"]},
    ]
    found = qc.distinct(records)
    assert found.kept == (0, 1, 2)
    assert [(one.position, one.survivor, one.relation) for one in found.removed] == [(3, 1, "exact")]


def test_nothing_and_no_list():
    assert qc.distinct([]) == qc.DistinctRecords((), ())
    assert qc.distinct(["one text alone"]).kept == (0,)
    for wrong in (Path("news.jsonl"), "news.jsonl", {"text": "a"}, 3):
        with pytest.raises(qc.UsageError, match="list of texts or records"):
            qc.distinct(wrong)
    with pytest.raises(qc.UsageError):
        qc.distinct(["a", 3])
    with pytest.raises(qc.InputError):
        qc.distinct([{"words": "a"}])
