"""Covers: roundups and forwards keep their originals on Spark as on one machine, row by row, for every treatment.

In the suite its rows are part of runs of test_treatments_on_spark. Compared against: `quchong.dedup` of the same rows.
Run: pytest -m campaign tests/conformance (needs pyspark and Java; else skipped).
"""

import random

import pytest

import quchong as qc
from quchong.tables import ORIGINAL, ROUNDUP

pytestmark = [pytest.mark.filterwarnings("ignore:.*pandas.*"), pytest.mark.campaign]
WORDS = (
    "航线 开航 图书馆 延长 时间 候鸟 湿地 高峰 地铁 通车 居民 票价 专家 建议 停车场 投资 工程 列车 制造 会议 讨论 教育 改革 "
    "医疗 保障 代表 发言 记者 采访 市民 希望 公园 开放 部门 研究 答复 收购 价格 稳定 进口 出口 增长 企业 气象台 大风 渔船 回港"
).split()


def rows():
    """Articles, copies of them, digests of two to four of them with times before and after, shorter digests, forwards with comments."""
    rng = random.Random(5)

    def said(n):
        return "".join(rng.choice(WORDS) for _ in range(n)) + "。"

    articles = ["".join(said(9) for _ in range(rng.randint(2, 4))) for _ in range(24)]
    out = [(f"a{k:02}", text) for k, text in enumerate(articles)]
    out += [(f"c{k:02}", articles[k].replace("。", "！") + rng.choice(("", said(1)))) for k in range(0, 24, 3)]
    for k in range(10):
        parts = rng.sample(articles, rng.randint(2, 4))
        out.append((f"d{k:02}", said(3) + "".join(parts) + said(4)))
        out.append((f"e{k:02}", "".join(parts[:2])))
        out.append((f"f{k:02}", said(4) + "//@某人:" + articles[k] + "//@别人：" + said(3)))
        out.append((f"g{k:02}", articles[k] + said(12)))
    times = [rng.choice((None, f"2026-03-{rng.randrange(1, 20):02}")) for _ in out]
    return [{"id": name, "text": text, "time": time} for (name, text), time in zip(out, times, strict=True)]


def as_rows(table):
    found = table.to_pylist() if hasattr(table, "to_pylist") else [r.asDict(True) for r in table.collect()]
    return sorted(found, key=lambda r: (r.get("left_id") or r["id"], r.get("right_id") or ""))


def hold_roundups(found, local, roundups):
    """What both say of the rows above, alone or among others: tables, policies, counts, and what is cut out of rows."""
    import quchong.spark

    for name in ("pairs", "ledger", "clusters"):
        assert as_rows(getattr(found, name)) == as_rows(getattr(local, name)), name
    policy = {r["id"]: r["policy"] for r in local.documents.to_pylist() if r["policy"]}
    assert {r["id"]: r["policy"] for r in found.policy.collect()} == policy
    counts = quchong.spark.counts_of(found)
    for name in ("originals", "roundups", "roundups_removed", "kept", "removed", "policy_overruled"):
        assert counts[name] == local.counts[name], name
    assert list(policy.values()).count(ROUNDUP) >= 4 and (roundups == "cut") == (ORIGINAL not in policy.values())
    assert (counts["roundups_removed"] > 0) == (roundups in ("remove", "cut"))
    if roundups == "cut":
        assert as_rows(found.cut) == as_rows(local.cut) and local.cut.num_rows
    else:
        assert found.cut is None and not local.cut.num_rows


@pytest.mark.parametrize("roundups", ["keep", "whole", "remove", "cut"])
def test_roundups_are_the_same(spark, roundups):
    import quchong.spark

    mine = rows()
    frame = spark.createDataFrame([tuple(r.values()) for r in mine], "id string, text string, time string")
    found = quchong.spark.dedup(frame.repartition(3), roundups=roundups)
    local = qc.dedup(mine, recall_sample=0, roundups=roundups)
    hold_roundups(found, local, roundups)


@pytest.mark.parametrize("roundups", ["keep", "cut"])
def test_the_best_of_each_cluster_are_the_same(spark, roundups):
    import quchong.spark

    mine = rows()
    frame = spark.createDataFrame([tuple(r.values()) for r in mine], "id string, text string, time string")
    given = {"roundups": roundups, "keep_per_cluster": 2}
    found = quchong.spark.dedup(frame.repartition(3), **given)
    local = qc.dedup(mine, recall_sample=0, **given)
    for name in ("pairs", "ledger", "clusters"):
        assert as_rows(getattr(found, name)) == as_rows(getattr(local, name)), name
    policy = {r["id"]: r["policy"] for r in local.documents.to_pylist() if r["policy"]}
    assert {r["id"]: r["policy"] for r in found.policy.collect()} == policy
    assert quchong.spark.counts_of(found)["kept_beside"] == local.counts["kept_beside"] > 0


def test_what_training_and_posts_without_times_ask_for_is_the_same(spark):
    """Preset training removes roundups without being told; a note counts posts removed for longer ones where no time tells."""
    import quchong.spark

    mine = [{"id": row["id"], "text": row["text"]} for row in rows()]
    frame = spark.createDataFrame([tuple(row.values()) for row in mine], "id string, text string").repartition(3)
    for given in ({"preset": "training"}, {"social": "all"}):
        found, local = quchong.spark.dedup(frame, **given), qc.dedup(mine, recall_sample=0, **given)
        assert as_rows(found.ledger) == as_rows(local.ledger)
        notes = [
            [one["figures"] for one in alarms if one["kind"] == "originals not known"]
            for alarms in (local.manifest["alarms"], [one.describe() for one in quchong.spark.found_alarms(found)])
        ]
        assert notes[0] == notes[1] and bool(notes[0]) == ("social" in given)
    assert "roundup" in qc.dedup(mine, recall_sample=0, preset="training").ledger.table["rule"].to_pylist()
