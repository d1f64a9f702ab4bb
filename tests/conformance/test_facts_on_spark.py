"""Covers: what documents differ in, on Spark as on one machine: pairs, the ledger of the very pair, who is newer, counts.

In the suite its rows are part of a run of test_treatments_on_spark. Compared against: `quchong.dedup` of the same rows.
Run: pytest -m campaign tests/conformance (needs pyspark and Java; else skipped).
"""

import random

import pyarrow as pa
import pytest

import quchong as qc

pytestmark = [pytest.mark.filterwarnings("ignore:.*pandas.*"), pytest.mark.campaign]
PARTS = (
    "云河市今天召开会议讨论城市轨道交通建设", "教育改革和医疗保障等议题由几位代表分别介绍", "与会代表积极发言提出许多建议",
    "大家认为要加快推进老旧小区改造工作", "会后记者采访了几位市民", "他们希望公共交通更加方便", "也希望河边的步道能够早日修好开放",
    "有关部门表示将逐条研究并尽快答复", "下一次会议定在月底举行",
)  # fmt: skip


def rows():
    """50 documents: near-copies with other figures, another term, exact copies in other marks, datelines, decomposed characters, no times."""
    rng, out = random.Random(2), []
    for _ in range(12):
        body = "，".join(rng.sample(PARTS, 7))
        figures = [rng.randrange(2, 8) for _ in range(3)]
        for _ in range(4):
            figures = [rng.choice((f, f, f + 1)) for f in figures]
            one = "第{}号文件说，{}共有{}人参加，花费{}元。".format(figures[0], body, *figures[1:])
            one = rng.choice(
                (one, one.replace("，", ","), "本报讯（记者李大海）" + one, one + "Cafe\u0301完。", one[:60])
            )
            out.append({"text": one, "time": rng.choice((None, "gestern", *[f"2020-03-0{rng.randrange(1, 9)}"] * 6))})
    rng.shuffle(out)
    about = (
        "{}患者应当注意休息，保持心情舒畅，饮食宜清淡，忌烟酒辛辣，按时服药，定期到医院复查，如出现不适症状应及时就医。"
    )
    ill = [{"id": f"{100 + k}", "text": about.format(word), "time": None} for k, word in enumerate(("肺炎", "痛风"))]
    return [{"id": f"{i * 7 % 48}", **row} for i, row in enumerate(out)] + ill


def as_rows(table):
    found = table.to_pylist() if hasattr(table, "to_pylist") else [r.asDict(True) for r in table.collect()]
    return sorted(found, key=lambda r: (r.get("left_id") or r["id"], r.get("right_id") or ""))


def hold_facts(found, local, options):
    """What both say of the rows above, alone or among others: tables, counts, and that there was something to tell."""
    import quchong.spark

    for name in ("pairs", "ledger", "clusters"):
        assert as_rows(getattr(found, name)) == as_rows(getattr(local, name)), name
    for name in ("variants", "other_terms"):
        assert quchong.spark.counts_of(found)[name] == local.counts[name]
    if "guards" not in options:
        lost = {"100", "101"} & {r["id"] for r in as_rows(local.ledger)}
        assert len(lost) == (options["facts"] != "any")
    looked = "guards" not in options
    assert any(r["differences"] for r in local.pairs.to_pylist()) == looked
    assert any(r["differences"] for r in local.ledger.to_pylist()) == looked
    if options.get("facts") == "remove":
        assert any(r["supersedes"] is not None for r in local.ledger.to_pylist())
        assert local.counts["variants"]["removed_by_fact"]["figure"] > 0


@pytest.mark.parametrize(
    "options",
    [
        {"facts": "any"},
        {"facts": "remove", "strip": "dateline", "keep": "earliest,longest"},
        {"facts": "figure", "keep": "shortest", "strip": "dateline", "relations": "exact,variant,partial"},
        {"method": "short-text", "facts": "remove", "keep": "longest"},
        {"guards": False},
    ],
    ids=["any", "remove", "partial too", "short-text", "nobody looks"],
)
def test_documents_differ_in_the_same(spark, options):
    import quchong.spark

    mine = rows()
    frame = spark.createDataFrame(
        [(r["id"], r["text"], r["time"]) for r in mine], "id string, text string, time string"
    )
    found = quchong.spark.dedup(frame.repartition(3), **options)
    table = pa.table({name: pa.array([r[name] for r in mine], pa.string()) for name in ("id", "text", "time")})
    local = qc.dedup(table, recall_sample=0, **options)
    hold_facts(found, local, options)
