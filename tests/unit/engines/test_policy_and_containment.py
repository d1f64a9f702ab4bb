"""Covers: what a policy can do where one document stands in another: who stays, what is counted, what explain says.

Compared against: results written down here. Run: pytest tests/unit/engines.
"""

import pytest

import quchong as qc
from quchong.errors import UsageError
from quchong.report import summary

STORIES = ["省里的消息说今年秋粮收购价格稳中有升农户卖粮顺畅各地库点昼夜不停安排人手", "海关公布前八个月进出口总值同比增长民营企业表现活跃出口机电产品占比过半",
           "气象台预计明后两天沿海有大风渔船应当回港避风景区暂停海上项目请市民留意预警"]  # fmt: skip
DIGEST = (
    "晚间要闻汇总编辑部今天为读者整理如下内容请按需阅读。"
    + "。".join(STORIES)
    + "。以上就是今天的全部要闻感谢收看明天见"
)


def rows(story="2020-03-01", digest="2020-03-02", others=()):
    out = [{"id": "a", "text": STORIES[0], "time": story}, {"id": "z", "text": DIGEST, "time": digest}]
    return out + [{"id": f"b{i}", "text": STORIES[i], "time": story} for i in others]


def run(data, **options):
    return qc.dedup(data, recall_sample=0, **options)


def fate(result):
    return {r["id"]: (r["removed"], r["policy"]) for r in result.documents.to_pylist()}


def shown(result):
    return dict(dict(summary(result.manifest, []))["documents"])


def test_earliest_keeps_the_first_publisher_and_the_digest_for_its_own_text():
    result = run(rows(), keep="earliest")
    assert fate(result) == {"a": (False, "first"), "z": (False, "")}
    assert [p["relation"] for p in result.pairs.to_pylist()] == ["contained_in"]
    assert result.counts["kept_as_first"] == 1 and result.counts["policy_overruled"] == 0
    assert shown(result)["kept as the earlier document"].startswith("1,")
    assert "a later document contains it" in str(result.explain("a"))


@pytest.mark.parametrize(
    ("story", "digest"), [("2020-03-03", "2020-03-02"), ("2020-03-02", "2020-03-02"), (None, "2020-03-02")]
)
def test_earliest_protects_nobody_who_was_not_first(story, digest):
    result = run(rows(story, digest), keep="earliest")
    assert fate(result) == {"a": (True, ""), "z": (False, "")}


def test_a_time_that_is_unknown_is_later_than_any():
    assert fate(run(rows(digest=None), keep="earliest"))["a"] == (False, "first")


def kinds(result):
    return {a["kind"]: a["message"] for a in result.manifest["alarms"]}


def test_a_policy_of_times_without_times_says_so():
    data = [{"id": r["id"], "text": r["text"], "moment": r["time"]} for r in rows()]
    assert "--time-key" in kinds(run(data, keep="earliest"))["no times"]
    assert not kinds(run(data, keep="earliest", time="moment"))
    assert not kinds(run(data))  # the usual policy asks for a time only where length does not tell
    with pytest.raises(UsageError, match="'time'"):
        run(data, keep="earliest:time")


def test_times_that_cannot_be_read_are_counted_with_an_example():
    said = kinds(run(rows(story="昨天"), keep="earliest"))["times unread"]
    assert said.startswith("1 of 2 values") and "昨天" in said and "--time-key" in said


def test_sources_that_nobody_has_are_told():
    data = [{**r, "source": s} for r, s in zip(rows(), "丙丁", strict=True)]
    said = kinds(run(data, keep="source:甲>乙"))["values nobody has"]
    assert "'甲', '乙'" in said and said.endswith(f"such as {min(one['source'] for one in data)!r}")
    assert not kinds(run(data, keep="source:丁>丙"))


def test_copies_of_the_first_go_for_its_sake_not_for_the_digest_s():
    data = [*rows(), {"id": "c", "text": STORIES[0] + "！", "time": "2020-03-04"}]
    ledger = run(data, keep="earliest").ledger.to_pylist()
    assert [(r["id"], r["survivor_id"], r["relation"]) for r in ledger] == [("c", "a", "exact")]


@pytest.mark.parametrize(
    "keep", ["shortest", "latest,earliest", "first", "column:rank", "prefer:rank=1", "source:甲>乙"]
)
def test_another_policy_that_cannot_be_kept_to_says_so(keep):
    data = rows(story="2020-03-05")
    for row, rank, source in zip(data, (1, 2), "甲乙", strict=True):
        row |= {"rank": rank, "source": source}
    result = run(data, keep=keep)
    assert fate(result) == {"a": (True, "overruled"), "z": (False, "")}
    assert result.counts["policy_overruled"] == 1
    assert shown(result)["  although preferred by --keep"].startswith("1:")
    assert "The policy prefers this document" in str(result.explain("a"))


def test_the_usual_policy_is_kept_to_and_says_nothing():
    result = run(rows())
    assert fate(result) == {"a": (True, ""), "z": (False, "")}
    assert not {"  although preferred by --keep", "kept as the earlier document"} & set(shown(result))


def test_ties_of_the_rules_that_ids_decide_are_not_the_policy_s_will():
    assert fate(run(rows(digest="2020-03-01"), keep="latest"))["a"] == (True, "")


def test_what_stands_in_the_corpus_compared_against_goes_whoever_was_first():
    result = run(rows()[:1], keep="earliest", against=rows()[1:])
    assert result.counts["removed"] == 1 and result.counts["policy_overruled"] == 0


def test_decided_again_it_is_the_same():
    result = run(rows(), keep="earliest").rethreshold(0.8)
    assert fate(result) == {"a": (False, "first"), "z": (False, "")} and result.counts["kept_as_first"] == 1


def test_a_document_that_contains_several_is_called_a_roundup():
    result = run(rows(others=(1, 2)), roundups="whole")
    assert result.explain("a").survivor_roundup == 3 and result.explain("z").roundup == 3
    assert "contained in z, a roundup of 3 articles" in str(result.explain("a"))
    assert "This is a roundup of 3 articles" in str(result.explain("z"))


def test_two_copies_of_one_article_make_no_roundup():
    data = [*rows(), {"id": "c", "text": STORIES[0] + "！", "time": "2020-03-04"}]
    result = run(data)
    assert result.explain("z").roundup == result.explain("a").survivor_roundup == 0


def test_a_saved_run_tells_the_same(tmp_path):
    result = run(rows(others=(1,)), keep="shortest", roundups="whole")
    saved = qc.load(result.save(tmp_path / "run"))
    assert str(saved.explain("a")) == str(result.explain("a"))
    assert saved.explain("a").reason == "original" and saved.explain("a").survivor_roundup == 2


def test_a_document_that_is_first_by_its_row_is_not_said_to_be_published_first():
    data = [{name: value for name, value in row.items() if name != "time"} for row in rows()]
    data.sort(key=lambda row: row["id"])
    result = run(data, keep="earliest,first")
    assert fate(result)["a"] == (False, "first")
    assert shown(result)["kept as the earlier document"].endswith(
        "each also contained in a later document (by time, or by the order of the rows)"
    )
    assert "published" not in str(result.explain("a"))
