"""Covers: removals by a small share, documents in which a method sees nothing, the border of joined columns, languages: on Spark as here.

Compared against: `quchong.dedup` of the same rows. Run: pytest tests/conformance (needs pyspark and Java; else skipped).
"""

import random

import pytest

import quchong as qc

pytestmark = pytest.mark.filterwarnings("ignore:.*pandas.*")
SIGNS = "山水风云花月春秋江河天地人心明清白日夜星辰海松竹梅兰鹤鹿雪雨雷电火石金木土"
CLOSING = ["愿你平安归来见故乡明月。", "从此山高水长各自珍重。"]
GERMAN = "Der Rat hat das Gesetz am Montag angenommen und es wird im kommenden Jahr in Kraft treten, sagte der Minister in Berlin."


def rows():
    """Two poems with the same end, English texts without a Chinese full stop, one of them twice, and a negation in German."""
    rng = random.Random(1)
    poems = ["\n".join([*("".join(rng.choices(SIGNS, k=7)) for _ in range(40)), *CLOSING]) for _ in "ab"]
    words = ["apple", "pear", "river", "stone", "house", "garden", "street", "music"]
    english = [f"Text {i} has " + " ".join(rng.choices(words, k=30)) for i in range(4)]
    texts = [*poems, *english, english[0] + "!", GERMAN, GERMAN.replace("angenommen", "nicht angenommen")]
    return [{"id": f"d{i}", "title": text[:9], "text": text} for i, text in enumerate(texts)]


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"method": "feature-code"}, id="feature-code"),
        pytest.param({"text": "title,text"}, id="two columns", marks=pytest.mark.campaign),
    ],
)
def test_what_a_method_sees_little_of(spark, options):
    from quchong.engines.spark.dedup import dedup
    from quchong.engines.spark.report import counts_of, found_alarms

    mine = rows()
    here = qc.dedup(mine, recall_sample=0, **options)
    there = dedup(spark.createDataFrame(mine, "id string, title string, text string"), **options)
    told = ["id", "survivor_id", "relation", "rule", "threshold", "facts"]
    assert sorted(map(tuple, there.ledger.select(*told).toPandas().astype(str).to_numpy().tolist())) == sorted(
        map(tuple, here.ledger.select(told).to_pandas().astype(str).to_numpy().tolist())
    )
    counts = counts_of(there)
    assert {name: counts[name] for name in ("unscored", "unseen", "small_shares")} == {
        name: here.counts[name] for name in ("unscored", "unseen", "small_shares")
    }
    kinds = {"small shares", "many without features"}
    assert {alarm.kind: alarm.figures for alarm in found_alarms(there) if alarm.kind in kinds} == {
        alarm["kind"]: alarm["figures"] for alarm in here.alarms if alarm["kind"] in kinds
    }
    assert (counts["unseen"] > 0) == ("method" in options)
