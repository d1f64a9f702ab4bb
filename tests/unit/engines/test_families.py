"""Families of near-equal documents: pairs grow with their number, not with its square, and an alarm says so."""

import json
import random

import numpy as np
import pytest
from matrices import each_once

import quchong as qc
from quchong.decision.following import FOLLOWED, ROUNDS
from quchong.engines.local import candidates, crowds
from quchong.engines.local.examine import Examiner
from quchong.errors import UsageError

HAN = "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经"


def family(n, changes=1):
    rng = random.Random(1)
    base = rng.choices(HAN, k=60)
    rows = []
    for i in range(n):
        text = list(base)
        for _ in range(changes):
            text[rng.randrange(60)] = rng.choice(HAN)
        rows.append({"id": f"p{i:04d}", "text": "".join(text)})
    return rows


def prefixes(n):
    rng = random.Random(2)
    whole = "".join(rng.choices(HAN, k=15 * (n + 10)))
    return [{"id": f"p{i:04d}", "text": whole[: 15 * (i + 10)]} for i in range(n)]


def articles(n):
    """One article of ten sentences, each time with another first one and another sentence replaced."""
    rng = random.Random(3)
    base = ["".join(rng.choices(HAN, k=24)) + "。" for _ in range(10)]
    rows = []
    for i in range(n):
        text = list(base)
        for place in {0, rng.randrange(10)}:
            text[place] = "".join(rng.choices(HAN, k=24)) + "。"
        rows.append(
            {"id": f"p{i:04d}", "text": "\n".join(text), "title": "同一个标题很长", "url": f"http://site{i}.cn/"}
        )
    return rows


def bounded(result):
    return [a for a in result.manifest["alarms"] if a["kind"] == "candidates bounded"]


@pytest.mark.parametrize(("method", "shape"), each_once(["hybrid", "minhash", "short-text"], [family, prefixes]))
def test_pairs_grow_with_the_number_of_documents(method, shape):
    small, large = (qc.dedup(shape(n), method=method, most=16, recall_sample=0) for n in (150, 300))
    each = 16 + ROUNDS * FOLLOWED
    assert small.manifest["counts"]["candidates"] <= each * 150
    assert large.manifest["counts"]["candidates"] <= each * 300
    assert bounded(large)


@pytest.fixture
def small_crowds(monkeypatch):
    monkeypatch.setattr(candidates, "CROWD", 100)


def test_a_crowd_is_compared_with_few_and_as_much_of_it_goes(small_crowds):
    rows = family(600, 3)
    free, usual = (qc.dedup(rows, recall_sample=0, **how) for how in ({"most": 0}, {}))
    assert len(free.pairs) > 50 * 600
    assert len(usual.pairs) <= (16 + FOLLOWED) * 600
    assert [a["message"].split()[2] for a in bounded(usual)] == ["belong"]
    assert len(usual.ledger) >= 0.95 * len(free.ledger) > 400
    pairs = {tuple(sorted((p["left_id"], p["right_id"]))): p["relation"] for p in usual.pairs.to_pylist()}
    gone = set(usual.ledger["id"].to_pylist())
    for row in usual.ledger.to_pylist():
        assert pairs[tuple(sorted((row["id"], row["survivor_id"])))] in ("exact", "duplicate")
        assert row["survivor_id"] not in gone


def test_following_does_not_depend_on_order_workers_or_where_arrays_lie(tmp_path, small_crowds):
    rows = family(400, 3)
    turned = random.Random(8).sample(rows, len(rows))
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in turned), "utf-8")
    first = qc.dedup(rows, workers=1, recall_sample=0)
    second = qc.dedup(turned, workers=3, recall_sample=0)
    third = qc.dedup(str(path), out=tmp_path / "out", memory="64M", recall_sample=0)
    assert bounded(first)
    for name in ("pairs", "ledger"):
        tables = [sorted(map(repr, getattr(result, name).to_pylist())) for result in (first, second, third)]
        assert tables[0] == tables[1] == tables[2]


def reprints(n, versions=1):
    """One article under n source lines, of which the last are the longest; each version has another figure."""
    rng = random.Random(5)
    head, tail = ("。".join("".join(rng.choices(HAN, k=24)) for _ in range(5)) + "。" for _ in range(2))
    return [
        {
            "id": f"p{i:04d}",
            "text": f"来源：{''.join(rng.choices(HAN, k=4 + 4 * i // n))}\n{head}全市共有{30 + i % versions}人参加。{tail}",
        }
        for i in range(n)
    ]


READ = [{}, {"keep": "first"}, {"differences": "all"}, {"templates": "remove"}]
"""Options of runs that read facts, which tell versions apart."""


@pytest.mark.parametrize(
    ("versions", "options"), [*((n, how) for n in (1, 2) for how in READ), (1, {"method": "minhash"})]
)
def test_reprints_go_for_one_though_each_is_compared_with_the_first_alone(versions, options):
    """The lists of all keys are cut at 64, and the first 64 go for a longer one that the others were not compared with."""
    result = qc.dedup(reprints(200, versions), recall_sample=0, **options)
    assert not bounded(result)
    kept = sorted(set(range(200)) - {int(id_[1:]) for id_ in result.ledger["id"].to_pylist()})
    assert len(kept) == versions and {i % versions for i in kept} == set(range(versions))
    gone = {row["id"]: row["survivor_id"] for row in result.ledger.to_pylist()}
    assert not set(gone.values()) & set(gone)
    assert all(int(one[1:]) % versions == int(other[1:]) % versions for one, other in gone.items())


def test_following_examines_no_more_than_decides():
    """Pairs that following asked about are open again for the decision: a run that examines all has the same ledger."""
    some, all_ = (qc.dedup(reprints(150, 2), recall_sample=0, differences=how) for how in ("deciding", "all"))
    assert some.ledger.select(["id", "survivor_id", "relation"]) == all_.ledger.select(
        ["id", "survivor_id", "relation"]
    )
    open_ = [p for p in some.pairs.to_pylist() if p["rule"] == "differences not examined"]
    assert len(open_) > len(some.pairs) // 2
    assert not [p for p in all_.pairs.to_pylist() if p["rule"] == "differences not examined"]


@pytest.mark.parametrize("ask", [qc.distinct, lambda rows: qc.dedup(rows, recall_sample=0)], ids=["distinct", "dedup"])
def test_no_pair_is_examined_for_following_and_again_for_the_decision(ask, monkeypatch):
    compare, seen = Examiner._compared, []

    def noted(examiner, found, pairs):
        seen.extend(zip(found.left[pairs].tolist(), found.right[pairs].tolist(), strict=True))
        return compare(examiner, found, pairs)

    monkeypatch.setattr(Examiner, "_compared", noted)
    ask(reprints(90, 2))
    assert 90 < len(seen) == len(set(seen))


def test_a_run_that_ends_after_survivors_were_followed_is_resumed(tmp_path, monkeypatch):
    """What was examined for following is remembered by the process alone: the one that resumes examines other pairs, under other names."""
    path, work = tmp_path / "rows.jsonl", tmp_path / "work"
    rng = random.Random(9)
    others = ["".join(rng.choices(HAN, k=90)) for _ in range(12)]
    pairs = [
        {"id": f"q{i:02d}{k}", "text": text + end} for i, text in enumerate(others) for k, end in enumerate("。！")
    ]
    rows = [*reprints(150, 2), *pairs, *({"id": row["id"] + "x", "text": row["text"] + "好的"} for row in pairs)]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    whole = qc.dedup(path, recall_sample=0)
    decide = Examiner.with_deciding

    def interrupted(*given):
        decide(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Examiner, "with_deciding", interrupted)
        with pytest.raises(KeyboardInterrupt):
            qc.dedup(path, out=tmp_path / "run", work=work, recall_sample=0)
    assert list(work.rglob("differences-examined-0-*"))
    resumed = qc.dedup(path, out=tmp_path / "run", work=work, recall_sample=0)
    for name in ("pairs", "ledger"):
        assert getattr(resumed, name).to_pylist() == getattr(whole, name).to_pylist()


def test_protected_documents_of_a_crowd_stay(small_crowds):
    rows = family(200, 2)
    ids = [row["id"] for row in rows[150:160]]
    result = qc.dedup(rows, protect=ids, recall_sample=0)
    assert not set(ids) & set(result.ledger["id"].to_pylist())
    assert len(result.ledger) > 100


def test_a_family_of_1000_goes_almost_as_far_as_without_a_bound():
    rows = family(1000, 2)
    free, usual = (qc.dedup(rows, method="minhash", most=most, recall_sample=0) for most in (0, 128))
    assert len(usual.pairs) < 0.8 * len(free.pairs)
    assert len(usual.ledger) >= 0.9 * len(free.ledger) > 100


def test_small_families_are_not_bounded():
    result = qc.dedup(family(129, 3), recall_sample=0)
    assert not bounded(result)


def test_a_reference_corpus_has_a_bound_of_its_own():
    rows = family(60, 2)
    result = qc.dedup(rows[:20], against=rows[20:], method="minhash", most=4, recall_sample=0)
    free = qc.dedup(rows[:20], against=rows[20:], method="minhash", most=0, recall_sample=0)
    assert len(result.ledger) >= 0.8 * len(free.ledger)
    with_reference = [p for p in result.pairs.to_pylist() if "against/" in p["left_id"] + p["right_id"]]
    assert 0 < len(with_reference) <= 4 * 20


SETS = [
    "lsh", "lsh-s", "lsh-p", "tree-long-sentence", "tree-key-sentence", "tree-feature-string", "ccdet", "shingling", "codet",
    "sl-st", "sl", "cops", "partial", "mdr", "yap3", "winnowing", "sif", "koala", "feature-code", "lcs", "scam", "hamming-lsh",
    "graph",
]  # fmt: skip


@pytest.mark.parametrize("method", SETS)
def test_sets_bound_what_a_document_is_compared_with(method):
    rows = articles(120)
    few, all_ = (qc.dedup(rows, method=method, most=most, recall_sample=0) for most in (4, 0))
    candidates = [result.manifest["counts"]["candidates"] for result in (few, all_)]
    assert candidates[0] <= 2 * 4 * len(rows) < candidates[1]  # tree-feature-string and koala ask twice
    assert bounded(few)
    assert not bounded(all_)
    assert {(p["left_id"], p["right_id"]) for p in few.pairs.to_pylist()} <= {
        (p["left_id"], p["right_id"]) for p in all_.pairs.to_pylist()
    }


@pytest.mark.parametrize("method", ["lsh", "winnowing", "codet", "yap3"])
def test_the_bound_does_not_depend_on_order_or_workers(method):
    rows = [row | {"quality": i * 37 % 101} for i, row in enumerate(articles(80))]
    turned = random.Random(4).sample(rows, len(rows))
    how = {"method": method, "most": 4, "keep": "column:quality desc", "recall_sample": 0}
    first, second = qc.dedup(rows, workers=1, **how), qc.dedup(turned, workers=3, **how)
    assert bounded(first)
    for name in ("pairs", "ledger"):
        tables = [sorted(map(repr, getattr(result, name).to_pylist())) for result in (first, second)]
        assert tables[0] == tables[1]


def test_the_bound_keeps_those_the_policy_would_keep():
    rows = [row | {"quality": i * 37 % 101} for i, row in enumerate(articles(60))]
    result = qc.dedup(rows, method="winnowing", most=1, keep="column:quality desc", recall_sample=0)
    best = max(rows, key=lambda row: row["quality"])["id"]
    pairs = [(p["left_id"], p["right_id"]) for p in result.pairs.to_pylist()]
    assert len(pairs) == 59
    assert all(best in pair for pair in pairs)


@pytest.mark.parametrize(("method", "how"), [("cluster", {"threshold": 0.2}), ("spotsigs", {"idf_low": 0.0})])
def test_where_the_cap_bounds_a_document_the_lesser_of_both_counts(method, how):
    rng = random.Random(5)
    words = ["".join(rng.choices("abcdefghij", k=7)) for _ in range(240)]
    base = [w for k in range(60) for w in ("the", *words[4 * k : 4 * k + 4])]
    rows = [{"id": f"p{i:02d}", "text": " ".join([*base[:90], words[i], *base[90:]])} for i in range(40)]
    few, capped, all_ = (
        qc.dedup(rows, method=method, recall_sample=0, **how, **b) for b in ({"most": 4}, {"cap": 4}, {"most": 0})
    )
    assert few.manifest["counts"]["candidates"] <= 4 * 40 < all_.manifest["counts"]["candidates"]
    assert few.pairs.equals(capped.pairs)
    assert bounded(few)


def test_the_exact_joins_take_no_bound():
    with pytest.raises(UsageError, match="does not take most"):
        qc.dedup(articles(3), method="ppjoin", most=5)


def test_later_rounds_look_only_where_a_pair_was_new(monkeypatch):
    """Survivors are followed in components with a new pair alone; looking everywhere finds the same pairs."""
    rows = []
    for k, shape in enumerate([family(11), family(200, changes=3), prefixes(100)]):
        other = str.maketrans(dict(zip(HAN, HAN[k:] + HAN[:k], strict=True)))
        rows += [{"id": f"{k}{row['id']}", "text": row["text"].translate(other)} for row in shape]
    looked, follow = [], crowds.to_follow

    def watched(documents, plan, parts, found, crowded, examine):
        left, right = follow(documents, plan, parts, found, crowded, examine)
        looked.append((int(crowded.sum()), len(left)))
        return left, right

    monkeypatch.setattr(crowds, "to_follow", watched)
    narrow = qc.dedup(rows, most=8, recall_sample=0, workers=1)
    assert looked[1][0] < looked[0][0] and looked[0][1] and looked[1][1]
    looked.clear()
    monkeypatch.setattr(crowds, "in_components", lambda classes, found, some: np.ones(classes, bool))
    everywhere = qc.dedup(rows, most=8, recall_sample=0, workers=1)
    assert len({crowded for crowded, _ in looked}) == 1
    assert narrow.pairs.equals(everywhere.pairs) and narrow.ledger.equals(everywhere.ledger)
