"""Covers: `roundups="remove"` and `"cut"`: which roundups are removed, the ledger's row, what is left of them, copies of roundups, formats.

Compared against: decisions and texts written down here; a run over other orders, workers and examinations; the bound by sets of shingles.
Run: pytest tests/unit/decision.
"""

import csv
import json
import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.decision.documents import DocumentColumns
from quchong.decision.roundup_shares import ListedPairs, shares_held
from quchong.errors import UsageError
from quchong.report import summary
from quchong.seam import Features

SENTENCES = [
    "港航局发布消息说新航线四月一日开航每天往返六班", "投入两艘铝合金双体客船每艘载客一百九十八人", "票价普通舱六十八元户籍居民凭证二十五元",
    "图书馆总馆闭馆时间推迟到晚上十一点周末照此执行", "新招夜间管理员十二名自习区装上可调亮度的台灯", "公交部门把门口两路末班车推迟到二十三时",
    "湿地近日迎来北归候鸟高峰水鸟有四十六种", "护鸟员用望远镜数白鹭时发现嘴巴像饭勺的大鸟", "退渔还湿后鱼塘改造成深浅不一的滩涂",
]  # fmt: skip
PARTS = ["，".join(SENTENCES[k : k + 3]) + "。" for k in (0, 3, 6)]
HEAD, FOOT = "本周要闻如下，编辑为读者整理成一篇。", "以上内容由各报记者采写，感谢阅读。"
SHORT = "\n".join(["要闻。", *PARTS])
LONG = "\n".join([HEAD, *PARTS, FOOT])


def rows(*roundups):
    return [
        *({"id": f"p{k}", "text": text} for k, text in enumerate(PARTS)),
        *({"id": f"r{k}", "text": text} for k, text in enumerate(roundups)),
    ]


def run(data, **options):
    return qc.dedup(data, recall_sample=0, **options)


def removed(result):
    return {r["id"]: r["policy"] for r in result.documents.to_pylist() if r["removed"]}


def shown(result):
    return dict(dict(summary(result.manifest, []))["documents"])


@pytest.mark.parametrize(
    "options", [{}, {"differences": "all"}, {"keep": "shortest"}, {"keep": "earliest"}, {"workers": 2}]
)
def test_remove_takes_the_roundup_that_its_parts_have_and_keeps_one_with_a_text_of_its_own(options):
    result = run(rows(SHORT), roundups="remove", **options)
    assert removed(result) == {"r0": "roundup"} and result.counts["roundups_removed"] == 1
    (row,) = result.ledger.to_pylist()
    assert (row["survivor_id"], row["relation"], row["rule"], row["threshold"]) == ("p1", "contains", "roundup", 0.9)
    assert 0.9 <= row["evidence"] <= 1 and row["evidence"] > row["containment"]
    assert result.counts["policy_overruled"] == 0 and shown(result)["  roundups"].startswith("1,")
    assert "it is a roundup of 3 articles, which together contain" in str(result.explain("r0")) and "remove" in str(
        result.explain("r0")
    )
    assert not removed(run(rows(LONG), roundups="remove", **options))


def test_a_person_who_keeps_a_roundup_keeps_it_for_all_its_parts(tmp_path):
    saved = run(rows(SHORT), roundups="remove", out=tmp_path / "run")
    assert removed(saved) == {"r0": "roundup"}
    acts = tmp_path / "acts.jsonl"
    acts.write_text(
        json.dumps({"act": "overturn", "id": "r0", "survivor_id": "p1", "at": "2026-01-01T00:00:00+00:00"}) + "\n"
    )
    assert not removed(run(rows(SHORT), roundups="remove", decisions=acts))
    assert not removed(run(rows(SHORT), roundups="remove", protect=["r0"]))


def test_parts_that_have_much_in_common_count_once():
    """Of two versions of one article, and of a copy of it, the roundup with half a text of its own is not taken."""
    own = "，".join(f"独家报道第{k}段写的是别处没有的新鲜事情和人物" for k in "甲乙丙丁戊己庚辛")
    data = [
        *rows(PARTS[0] + PARTS[1] + own),
        {"id": "p0b", "text": PARTS[0] + "完。"},
        {"id": "p1b", "text": PARTS[1] + "完。"},
    ]
    result = run(data, roundups="remove")
    assert "r0" not in removed(result) and result.counts["roundups"] == 1


def test_cut_leaves_what_nobody_else_has():
    result = run(rows(LONG), roundups="cut")
    assert removed(result) == {"r0": "roundup"}
    assert result.cut.to_pylist() == [{"id": "r0", "text": f"{HEAD}\n{FOOT}"}]
    assert result.manifest["cut"]["taken"] == {
        "documents": 1,
        "characters": len(LONG) - len(HEAD) - len(FOOT) - 1,
        "emptied": 0,
    }
    assert shown(result)["roundups cut to their new parts"].startswith("1 row ")
    assert not run(rows(LONG), roundups="keep").cut.num_rows


def test_two_roundups_keep_no_sentence_twice_and_one_without_any_has_no_row():
    other = "\n".join([HEAD, PARTS[2], PARTS[0], "只此一家的后记写在这里，别处找不到。"])
    result = run(rows(LONG, other, "\n".join(PARTS)), roundups="cut")
    assert set(removed(result)) == {"r0", "r1", "r2"}
    left = {r["id"]: r["text"] for r in result.cut.to_pylist()}
    assert "r2" not in left and sum(text.count(HEAD) for text in left.values()) == 1
    assert result.manifest["cut"]["taken"]["emptied"] == 1


@pytest.mark.parametrize("treatment", ["remove", "cut"])
def test_any_order_any_workers_and_any_examination_say_the_same(treatment):
    rng, found = random.Random(3), []
    data = rows(LONG, SHORT, "\n".join([PARTS[1], PARTS[2], FOOT]))
    for options in ({}, {"workers": 2}, {"differences": "all"}, {"workers": 1}):
        rng.shuffle(data)
        result = run(data, roundups=treatment, **options)
        found.append((result.ledger.to_pylist(), sorted(result.cut.to_pylist(), key=lambda r: r["id"])))
    assert all(one == found[0] for one in found[1:]) and found[0][0]


def written(folder, kind, data):
    path = folder / f"in.{kind}"
    if kind == "jsonl":
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in data))
    elif kind == "csv":
        with path.open("w", encoding="gb18030", newline="") as out:
            writer = csv.DictWriter(out, ["id", "text"])
            writer.writeheader()
            writer.writerows(data)
    else:
        pq.write_table(pa.Table.from_pylist(data), path)
    return path


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_a_run_folder_has_the_rows_in_the_format_of_the_input(tmp_path, kind):
    saved = run(written(tmp_path, kind, rows(LONG)), roundups="cut", out=tmp_path / "run")
    expected = [{"id": "r0", "text": f"{HEAD}\n{FOOT}"}]
    assert (tmp_path / "run" / f"cut.{kind}").exists() and saved.cut.to_pylist() == expected
    again = qc.load(tmp_path / "run")
    assert again.cut.to_pylist() == expected and again.manifest["cut"]["files"] == {f"in.{kind}": f"cut.{kind}"}
    assert again.rethreshold(again.manifest["config"]["parameters"]["threshold"]).cut.to_pylist() == expected
    assert again.removed.to_pylist()[0]["text"] == LONG
    again.restore(rules=["roundup"])
    assert qc.load(tmp_path / "run").counts["roundups_removed"] == 0
    run(tmp_path / f"in.{kind}", roundups="cut", out=tmp_path / "run", overwrite=True)


def test_a_run_that_writes_ids_alone_writes_no_rows_of_roundups_either(tmp_path):
    saved = run(written(tmp_path, "jsonl", rows(LONG)), roundups="cut", out=tmp_path / "run", ids_only=True)
    assert not list((tmp_path / "run").glob("cut*")) and saved.manifest["cut"]["files"] == {}
    assert qc.load(tmp_path / "run").manifest["cut"] == saved.manifest["cut"]


def test_what_has_no_rows_is_refused_before_anything_is_read(tmp_path):
    (tmp_path / "texts").mkdir()
    for row in rows(LONG):
        (tmp_path / "texts" / f"{row['id']}.txt").write_text(row["text"])
    with pytest.raises(UsageError, match="no rows in which a text could be replaced; use roundups='remove'"):
        run(tmp_path / "texts", roundups="cut")
    with pytest.raises(UsageError, match="cut one column at a time"):
        run(rows(LONG), roundups="cut", text="text,id")
    with pytest.raises(UsageError, match="stores no rows"):
        qc.Index.create(tmp_path / "index", roundups="cut")


def test_an_index_removes_the_roundups_that_a_run_removes(tmp_path):
    data, rng = rows(SHORT, LONG), random.Random(1)
    expected = set(removed(run(data, roundups="remove")))
    for number in range(6):
        rng.shuffle(data)
        with qc.Index.create(tmp_path / f"index{number}", roundups="remove") as index:
            index.add(data)
            kept = set(qc.load(index.export(tmp_path / f"run{number}")).kept["id"].to_pylist())
        assert {row["id"] for row in data} - kept == expected, [row["id"] for row in data]


def test_the_share_is_never_more_than_that_of_the_union():
    """The bound, for sets drawn at random of which all pairs are listed."""
    rng = np.random.default_rng(7)
    for _ in range(50):
        whole = set(range(200))
        parts = [set(rng.choice(200, rng.integers(20, 120), replace=False).tolist()) for _ in range(rng.integers(2, 6))]
        sets = [whole, *parts]
        n = len(sets)
        sizes = np.array([len(one) for one in sets], np.uint32)
        features = Features(sizes, np.ones(n, bool), np.arange(n, dtype=np.uint64), np.zeros(n, np.uint64), np.zeros(1, np.int64), np.zeros(0, np.uint64))  # fmt: skip
        documents = DocumentColumns.unranked(
            pa.array([str(i) for i in range(n)], pa.large_string()), np.arange(n), features, 0, False
        )
        left, right = np.triu_indices(n, 1)
        shared = np.array([len(sets[i] & sets[j]) for i, j in zip(left, right, strict=True)])
        mine = left == 0
        listed = ListedPairs(left, right, shared / sizes[left], shared / sizes[right])
        parts_of = ListedPairs(left[mine], right[mine], listed.share_left[mine], listed.share_right[mine])
        found = shares_held(documents, np.arange(n), n, parts_of, listed)
        union = len(set().union(*parts)) / 200
        assert found[0] <= union + 1e-9 and found[0] >= max(len(one) for one in parts) / 200 - 1e-9
        assert not found[1:].any()
