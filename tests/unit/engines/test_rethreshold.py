"""Covers: a run decided again: names nobody had looked at, pairs below the new line; which removals are nearest to the line.

Compared against: a new run; distances worked out row by row.
"""

import pyarrow as pa
import pytest

import quchong as qc
from quchong.decision.ledger import nearest
from quchong.tables import LEDGER

SPRING = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"

SHARED = (
    "气象台今天上午发布大风预警，预计今天夜间到明天白天大部分地区将有明显降温，请市民注意防寒保暖，尽量减少外出活动。有关部门已经启动应急响应，"
    "要求各单位做好值守工作，及时排查户外广告牌和脚手架的安全隐患，保障居民生活用水用电不受影响，并通过广播电视和手机短信持续发布最新消息，提醒大家"
    "合理安排出行时间。"
)
NORTH = f"北京市{SHARED}郊区山路结冰的路段已经封闭，环卫工人连夜撒盐除雪，供暖部门提前升温，公园景区暂停开放，果农给大棚加盖了草帘，养殖户储备了足够的饲料。"
SOUTH = f"上海市{SHARED}渔船需要回港避风，学校停止户外课程，地铁高架段限速运行，码头暂停装卸作业，轮渡航线临时停航，建筑工地的塔吊全部落钩停止施工。"
SIBLINGS = [{"id": "a", "text": NORTH}, {"id": "b", "text": SOUTH}]


def test_names_nobody_looked_at_are_null():
    (pair,) = qc.dedup(SIBLINGS, recall_sample=0).pairs.to_pylist()
    assert pair["relation"] == "partial" and pair["name_swap"] is None
    (pair,) = qc.dedup(SIBLINGS, threshold=0.5, recall_sample=0).pairs.to_pylist()
    assert pair["relation"] == "variant" and pair["name_swap"] is True
    assert qc.compare(NORTH, SOUTH).measures["name_swap"] is None
    assert qc.compare(NORTH, SOUTH, threshold=0.5).measures["name_swap"] is True


@pytest.mark.parametrize("threshold", [0.35, 0.5, 0.55])
def test_names_are_looked_at_where_they_decide(threshold):
    again = qc.dedup(SIBLINGS, recall_sample=0).rethreshold(threshold)
    fresh = qc.dedup(SIBLINGS, recall_sample=0, threshold=threshold)
    assert again.pairs.select(["relation", "rule"]).equals(fresh.pairs.select(["relation", "rule"]))
    assert not len(again.removed) and not len(fresh.removed)
    further = again.rethreshold(0.5)
    assert further.pairs["relation"].to_pylist() == ["variant"] and not len(further.removed)


def test_what_enters_more_than_the_decision_is_refused():
    rows = [{"id": str(i), "text": NORTH[i:]} for i in range(3)]
    with pytest.raises(
        qc.UsageError, match="threshold of method cluster also changes which pairs are found, so a new run is needed"
    ):
        qc.dedup(rows, method="cluster", threshold=0.1).rethreshold(0.6)
    with pytest.raises(qc.UsageError, match="has no parameter nonsense that can be changed after the run"):
        qc.dedup(rows).rethreshold(nonsense=3)


def row(i, rule, threshold, jaccard, containment=0.0, survivor=0.0, evidence=None, relation="duplicate"):
    return {
        "id": i, "survivor_id": "s", "relation": relation, "jaccard": jaccard, "containment": containment,
        "survivor_containment": survivor, "passages": [], "rule": rule, "threshold": threshold, "evidence": evidence,
        "method": "m", "config_hash": "h",
    }  # fmt: skip


def test_the_least_similar_are_nearest_to_the_line_that_decided_them():
    rows = [
        row("exact", "equal normal form", 1.0, 1.0, 1.0, 1.0, relation="exact"),
        row("jaccard", "jaccard", 0.45, 0.46, 0.6, 0.6),  # .01
        row("inside", "containment", 0.85, 0.30, 0.855, 0.3, relation="contained_in"),  # .005
        row("both", "both containments", 0.85, 0.60, 0.99, 0.88),  # .03
        row("paper", "ccs", 0.6, 0.02, 0.1, 0.1, evidence=0.62),  # .02
        row("far", "jaccard", 0.45, 0.95, 0.99, 0.99),  # .5
        row("tie b", "equal address", 1.0, 0.3, 0.4, 0.2, evidence=1.0),  # 0
        row("tie a", "equal address", 1.0, 0.7, 0.8, 0.7, evidence=1.0),  # 0
        {**row("lost", "bloom filter, unconfirmed", None, None), "containment": None, "survivor_containment": None},
    ]
    table = pa.Table.from_pylist(rows, schema=LEDGER)
    order = ["tie b", "tie a", "inside", "jaccard", "paper", "both", "far", "exact"]
    assert nearest(table, 10)["id"].to_pylist() == order
    assert nearest(table, 3)["id"].to_pylist() == order[:3]
    assert not len(nearest(table.slice(0, 0), 3))


def test_least_similar_of_a_run():
    text = NORTH + SOUTH
    rows = [
        {"id": "a", "text": text},
        {"id": "b", "text": text},
        {"id": "c", "text": text[:-4]},
        {"id": "d", "text": text[60:]},
    ]
    result = qc.dedup(rows, recall_sample=0)
    found = result.least_similar(5).to_pylist()
    assert found[-1]["relation"] == "exact" and len(found) == len(result.ledger) == 3
    assert result.least_similar(1).to_pylist() == found[:1]


def test_deciding_again_below_what_was_looked_for_is_refused():
    rows = [{"id": "a", "text": SPRING}, {"id": "b", "text": SPRING + "今天"}]
    for options in ({"method": "minhash", "threshold": 0.95}, {"duplicates_only": True}):
        result = qc.dedup(rows, **options)
        with pytest.raises(qc.UsageError, match=r"for a threshold of 0\.5, run again"):
            result.rethreshold(0.5)
    assert qc.dedup(rows).rethreshold(0.5, relations="exact").counts["removed"] == 0
