"""Covers: documents contained in a roundup or a forward are kept beside it; what is no roundup; `roundups="whole"`; order of the input.

Compared against: decisions written down here. Run: pytest tests/unit/decision.
"""

import random

import numpy as np
import pytest

import quchong as qc
from quchong.decision import survivors
from quchong.decision.roundups import find_roundups
from quchong.report import summary
from quchong.text import has_forward_mark

SENTENCES = [
    "港航局发布消息说新航线四月一日开航每天往返六班", "投入两艘铝合金双体客船每艘载客一百九十八人", "票价普通舱六十八元户籍居民凭证二十五元",
    "图书馆总馆闭馆时间推迟到晚上十一点周末照此执行", "新招夜间管理员十二名自习区装上可调亮度的台灯", "公交部门把门口两路末班车推迟到二十三时",
    "湿地近日迎来北归候鸟高峰水鸟有四十六种", "护鸟员用望远镜数白鹭时发现嘴巴像饭勺的大鸟", "退渔还湿后鱼塘改造成深浅不一的滩涂",
]  # fmt: skip
PARTS = ["，".join(SENTENCES[k : k + 3]) + "。" for k in (0, 3, 6)]
ROUNDUP = "本周要闻如下，编辑为读者整理成一篇。" + "".join(PARTS) + "以上内容由各报记者采写，感谢阅读。"


def rows(times=(None, None, None), of_roundup=None):
    parts = [
        {"id": f"p{k}", "text": text, "time": time} for k, (text, time) in enumerate(zip(PARTS, times, strict=True))
    ]
    return [*parts, {"id": "r", "text": ROUNDUP, "time": of_roundup}]


def run(data, **options):
    return qc.dedup(data, recall_sample=0, **options)


def fate(result):
    return {r["id"]: (r["removed"], r["policy"]) for r in result.documents.to_pylist()}


def shown(result):
    return dict(dict(summary(result.manifest, []))["documents"])


KEPT = {"p0": (False, "original"), "p1": (False, "original"), "p2": (False, "original"), "r": (False, "roundup")}


@pytest.mark.parametrize(
    "options", [{}, {"differences": "all"}, {"keep": "shortest"}, {"method": "short-text"}, {"preset": "lenient"}]
)
def test_a_roundup_and_its_parts_are_kept(options):
    result = run(rows(), **options)
    assert fate(result) == KEPT
    assert result.counts["originals"] == 3 and result.counts["roundups"] == 1
    assert (
        shown(result)["originals kept"]
        == "3, each kept together with the roundup or forward that contains it (roundups: 1)"
    )
    assert "a roundup or a forward contains it" in str(result.explain("p0"))
    assert "the document is a roundup" in str(result.explain("r"))


def test_whole_keeps_the_roundup_alone_and_says_so():
    result = run(rows(), roundups="whole")
    assert fate(result) == {f"p{k}": (True, "original") for k in range(3)} | {"r": (False, "roundup")}
    assert {r["survivor_id"] for r in result.ledger.to_pylist()} == {"r"}
    assert shown(result)["  in a roundup"].startswith("3,")
    (note,) = [a for a in result.manifest["alarms"] if a["kind"] == "removed for roundups"]
    assert note["figures"] == {"documents": 3, "roundups": 1} and note["level"] == "note"
    assert "roundups='whole'" in str(result.explain("p0"))


def test_earlier_versions_had_the_hash_of_whole():
    assert run(rows(), roundups="whole").manifest["config_hash"] != run(rows()).manifest["config_hash"]


def test_copies_of_parts_and_of_the_roundup_are_removed():
    data = [*rows(), {"id": "p0copy", "text": PARTS[0].replace("，", ",")}, {"id": "rcopy", "text": ROUNDUP + "完。"}]
    result = run(data)
    survivor = {r["id"]: (r["survivor_id"], r["relation"]) for r in result.ledger.to_pylist()}
    assert survivor == {"p0copy": ("p0", "exact"), "r": ("rcopy", "duplicate")}
    assert fate(result)["rcopy"] == (False, "roundup") and fate(result)["p0"] == (False, "original")


def test_a_smaller_roundup_is_removed_for_a_larger_one():
    data = [*rows(), {"id": "small", "text": "".join(PARTS[:2])}]
    result = run(data)
    assert [(r["id"], r["survivor_id"]) for r in result.ledger.to_pylist()] == [("small", "r")]
    assert fate(result)["p2"] == (False, "original")


def test_one_part_and_its_versions_make_no_roundup():
    flash, update = SENTENCES[0] + "，" + SENTENCES[1] + "。", PARTS[0]
    data = [
        {"id": "a", "text": flash},
        {"id": "b", "text": update},
        {"id": "c", "text": update + SENTENCES[6] + SENTENCES[7]},
    ]
    result = run(data)
    assert fate(result) == {"a": (True, ""), "b": (True, ""), "c": (False, "")} and not result.counts["roundups"]


def test_a_hundred_and_twenty_copies_of_one_part_make_no_roundup():
    data = [{"id": f"p{k:03}", "text": PARTS[0]} for k in range(120)] + [{"id": "r", "text": PARTS[0] + SENTENCES[7]}]
    result = run(data)
    assert not result.counts["roundups"] and result.counts["kept"] == 1


def test_parts_published_later_are_excerpts():
    result = run(rows(("2026-03-01", "2026-03-02", "2026-03-09"), "2026-03-05"))
    assert fate(result) == KEPT | {"p2": (True, "")}
    assert fate(run(rows(("2026-03-08",) * 3, "2026-03-05"))) == {f"p{k}": (True, "") for k in range(3)} | {
        "r": (False, "")
    }


def test_what_a_reference_contains_is_removed():
    assert run(rows()[:3], against=rows()[3:]).counts["removed"] == 3
    result = run(rows()[2:], against=rows()[:2])
    assert fate(result)["p2"] == (False, "original") and result.counts["roundups"] == 1


def test_the_order_of_rows_and_workers_change_nothing():
    data = [*rows(("2026-03-01", None, "2026-03-09"), "2026-03-05"), {"id": "small", "text": "".join(PARTS[:2])},
            {"id": "p0b", "text": PARTS[0] + "（完）"}]  # fmt: skip
    one = run(data)
    for seed in range(6):
        again = run(random.Random(seed).sample(data, len(data)), workers=1 + seed % 2)
        assert fate(again) == fate(one) and again.ledger.equals(one.ledger) and again.clusters.equals(one.clusters)


def test_a_saved_run_and_new_thresholds_decide_alike(tmp_path):
    data = [*rows(), {"id": "small", "text": "".join(PARTS[:2])}]
    first = run(data)
    saved = qc.load(first.save(tmp_path / "run"))
    assert fate(saved) == fate(first) and str(saved.explain("p0")) == str(first.explain("p0"))
    for result in (first, saved):
        again, new = result.rethreshold(containment=0.95), run(data, containment=0.95)
        assert fate(again) == fate(new)
        assert [again.counts[k] for k in ("originals", "roundups", "kept")] == [
            new.counts[k] for k in ("originals", "roundups", "kept")
        ]


ORIGINAL = "我虽不主张暴力，但坚持认为民众有抗暴的权利。如果我是陪审员，我会认定这位少年是正当防卫，无罪。"
FORWARD = (
    "年轻一辈或许会让人头痛？@用户:"
    + ORIGINAL
    + "//@另一人:关键是不看事实，头晚就有刀架到脖子上的威胁，任何国家都不会这样定义。"
)


@pytest.mark.parametrize("times", [(None, None), ("2011-01-23 09:27", "2011-01-23 10:33")])
def test_a_forward_with_a_comment_removes_no_original(times):
    data = [{"id": "o", "text": ORIGINAL, "time": times[0]}, {"id": "f", "text": FORWARD, "time": times[1]}]
    assert fate(run(data)) == {"o": (False, "original"), "f": (False, "")}
    assert fate(run(data, roundups="whole")) == {"o": (True, "original"), "f": (False, "")}


def test_what_quotes_later_or_quotes_itself_is_removed():
    later = [{"id": "o", "text": ORIGINAL, "time": "2011-01-24"}, {"id": "f", "text": FORWARD, "time": "2011-01-23"}]
    assert fate(run(later))["o"] == (True, "")
    quoting = [{"id": "o", "text": "@某人:" + ORIGINAL}, {"id": "f", "text": FORWARD}]
    assert fate(run(quoting))["o"] == (True, "")


def test_posts_keep_the_earliest():
    data = [
        {"id": "o", "text": ORIGINAL, "time": "2011-01-23"},
        {"id": "f", "text": "顶//@某人:" + ORIGINAL + "好", "time": "2011-01-24"},
    ]
    for options in ({"social": "all"}, {"method": "short-text"}):
        result = run(data, **options)
        assert result.manifest["config"]["keep"] == "earliest,longest" and not fate(result)["o"][0], options
    assert run(data, method="short-text", keep="longest").manifest["config"]["keep"] == "longest"
    assert run(data, method="short-text", social="none").manifest["config"]["keep"] == "longest,earliest"


FIRST_POST = "今天下午三点市图书馆门口有免费送春联活动，带上身份证就能领，先到先得，数量有限"
LONGER = "转给需要的人！" + FIRST_POST + "。我妈已经去排队了，大家快去呀"


def notes(result):
    return {a["kind"]: a["figures"] for a in result.manifest["alarms"]}


@pytest.mark.parametrize("options", [{"social": "all"}, {"method": "short-text"}])
def test_posts_without_times_are_kept_in_the_order_of_rows_if_users_say_so(options):
    data = [{"id": "z", "text": FIRST_POST}, {"id": "a", "text": LONGER}]
    usual = run(data, **options)
    assert fate(usual) == {"z": (True, ""), "a": (False, "")}
    assert notes(usual)["originals not known"] == {"documents": 1}
    told = run(data, keep="earliest,first", **options)
    assert fate(told) == {"z": (False, "first"), "a": (False, "")} and not notes(told)
    assert fate(run(data[::-1], keep="earliest,first", **options)) == {"z": (True, ""), "a": (False, "")}
    assert fate(told.rethreshold(0.9)) == fate(told)


@pytest.mark.parametrize(
    ("times", "kept"),
    [(("2020-01-02", "2020-01-01"), False), (("2020-01-01", "2020-01-01"), True), ((None, "2020-01-01"), False),
     (("2020-01-01", None), True), ((None, None), True)],
)  # fmt: skip
def test_a_time_goes_before_the_order_of_rows(times, kept):
    data = [{"id": k, "text": t, "time": s} for k, t, s in zip("za", (FIRST_POST, LONGER), times, strict=True)]
    result = run(data, social="all", keep="earliest,first")
    assert fate(result)["z"] == ((False, "first") if kept else (True, ""))


def test_the_note_on_originals_needs_posts_without_times():
    data = [{"id": "z", "text": FIRST_POST, "time": "2020-01-01"}, {"id": "a", "text": LONGER}]
    assert "originals not known" not in notes(run(data, social="all"))
    assert "originals not known" not in notes(
        run([{"id": "z", "text": FIRST_POST}, {"id": "a", "text": "别的"}], social="all")
    )
    assert "originals not known" not in notes(run([{"id": "z", "text": FIRST_POST}, {"id": "a", "text": LONGER}]))


TRAINED = {"p0": (False, "original"), "p1": (False, "original"), "p2": (False, "original"), "r": (True, "roundup")}


def test_training_keeps_the_articles_and_removes_their_digest_unless_told_otherwise():
    digest = [*rows()[:3], {"id": "r", "text": "".join(PARTS)}]
    result = run(digest, preset="training")
    assert {i: removed for i, (removed, _) in fate(result).items()} == {
        i: removed for i, (removed, _) in TRAINED.items()
    }
    assert result.manifest["config"]["roundups"] == "remove" and result.ledger.to_pylist()[0]["rule"] == "roundup"
    assert fate(result.rethreshold(containment=0.9)) == fate(result)
    assert fate(run(digest, preset="training", roundups="keep")) == KEPT
    assert fate(run(digest, method=qc.methods.Hybrid(preset="training"))) == fate(result)
    for preset in ("strict", "balanced", "lenient"):
        assert run(digest, preset=preset).manifest["config"]["roundups"] == "keep"
    assert qc.distinct(digest, preset="training").kept == (0, 1, 2)


def test_training_keeps_a_roundup_that_says_more():
    own = "编者按指出几件事其实说明城市的夜生活与交通还有许多可以改进的地方读者来信也提到了这一点"
    assert not fate(run([*rows()[:3], {"id": "r", "text": own + "".join(PARTS)}], preset="training"))["r"][0]


def test_a_manual_beside_its_chapters_is_a_whole_of_parts():
    chapters = [f"第{k}章\n{text}" for k, text in zip("一二三", PARTS, strict=True)]
    data = [{"id": f"p{k}", "text": text} for k, text in enumerate(chapters)]
    data.append({"id": "r", "text": "手册\n" + "\n".join(chapters)})
    result = run(data)
    assert fate(result) == KEPT and "or a manual with chapters" in str(result.explain("r"))
    assert [i for i, (removed, _) in fate(run(data, roundups="whole")).items() if not removed] == ["r"]
    assert [i for i, (removed, _) in fate(run(data, preset="training")).items() if not removed] == ["p0", "p1", "p2"]


def test_marks_of_forwarding():
    import pyarrow as pa

    texts = [
        "好//@某人:原文",
        "哈哈@用户：原文",
        "/@a_b-1: c",
        "a@b.com: no",
        "@某人 你好",
        "root@host: ~",
        "x",
        None,
        "回复 @某 人:",
    ]
    assert has_forward_mark(pa.array(texts, pa.large_string())).tolist() == [True, True, True] + 6 * [False]
    assert has_forward_mark(pa.array(texts, pa.large_string())[1:4]).tolist() == [True, True, False]
    assert has_forward_mark(pa.array([], pa.large_string())).dtype == np.bool_


def test_a_record_on_a_template_is_no_part_of_its_sibling(monkeypatch):
    """A record with a line added has most of its siblings. In a large family no pair of these is listed, so that they look like two parts."""
    text = "本店收藏的商品已经补货，点开链接即可下单，先到先得，每位顾客限购两件，售完为止，敬请留意到货通知：{}。"
    goods = [a + b for a in "红白青紫" for b in ("茶壶", "雨伞", "枕头")]
    data = [{"id": f"m{k:02}", "text": text.format(one)} for k, one in enumerate(goods)]
    data.append({"id": "n", "text": data[7]["text"] + "\n（责任编辑：文文）"})
    asked = []

    def recorded(*values):
        asked.append(values)
        return find_roundups(*values)

    monkeypatch.setattr(survivors, "find_roundups", recorded)
    assert [r["id"] for r in run(data).ledger.to_pylist()] == ["m07"]
    documents, rule, treatment, *pairs, apart = asked[-1]
    of_copy = (pairs[0] == len(goods)) | (pairs[1] == len(goods))
    assert of_copy.sum() == len(goods) and apart[of_copy].sum() == len(goods) - 1
    listed = [one[of_copy] for one in pairs]
    assert find_roundups(documents, rule, treatment, *listed).roundup.tolist() == [False] * len(goods) + [True]
    found = find_roundups(documents, rule, treatment, *listed, apart[of_copy])
    assert not found.roundup.any() and not found.spared.any()
