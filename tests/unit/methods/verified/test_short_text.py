"""Covers: the method short-text and what the default method takes from it, on written examples. Run: pytest tests/unit."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import quchong
from quchong.cli.main import cli
from quchong.decision import expansion as expanding
from quchong.errors import UsageError
from quchong.methods.verified.short_text import ShortText

LONG = "市轨道集团昨天宣布新线路将在下个月开始空载试运行沿途各站的设备已经全部装好"  # 37 tokens


def relation(a, b, **options):
    return quchong.compare(a, b, method="short-text", **options).relation


@pytest.mark.parametrize(
    ("a", "b", "want"),
    [
        ("清河家园九月开盘价格待定", "清河家园九月开盘价格待定(组图)", "exact"),  # a tag
        ("清河家园九月开盘价格待定！！", "转发微博 //@小明:清河家园九月开盘价格待定", "exact"),  # marks and forwarding
        ("临江大学2010年录取结果查询", "望山大学2010年录取结果查询", "variant"),  # other words
        ("临江大学2010年录取结果查询", "临江大学2011年录取结果查询", "variant"),  # other figures
        (
            "利率区间维持不变的消息",
            "基准利率区间维持不变的消息",
            "variant",
        ),  # words added: the default method merges it
        (LONG, f"{LONG}了吗", "duplicate"),
        (f"{LONG}临江大学", f"{LONG}望山大学", "variant"),  # a word for a word
        (f"临江在望山之后{LONG}", f"望山在临江之后{LONG}", "variant"),  # words swapped
        (f"{LONG}，请拨打13800001111联系", f"{LONG}，请拨打13900002222联系", "variant"),  # another telephone number
        (f"{LONG}，共有12个车站", f"{LONG}，共有15个车站", "variant"),  # one figure, high Jaccard
        (f"{LONG}，换了G123次列车", f"{LONG}，换了G124次列车", "variant"),  # a train is a fact
        ("今天天气很好", "昨天股市大跌", "none"),
    ],
)
def test_what_removes_a_short_text_and_what_does_not(a, b, want):
    assert relation(a, b) == want


def test_short_pairs_are_found_listed_and_kept():
    titles = [f"{name}大学2010年高考录取结果查询系统开通" for name in ("临江", "望山", "常河", "天岭理工")]
    result = quchong.dedup([*titles, f"{titles[0]}(图)"], method="short-text")
    assert result.counts["removed"] == 1
    assert result.ledger["relation"].to_pylist() == ["exact"]
    assert set(result.pairs["relation"].to_pylist()) == {"exact", "variant"}
    assert len(result.pairs) == 10  # every pair of the five
    # Four records on one template are told apart by what fills it, unless both are asked for.
    assert quchong.dedup(titles, method="short-text", facts="remove").counts["removed"] == 0
    assert quchong.dedup(titles, method="short-text", facts="remove", templates="remove").counts["removed"] == 3


def test_the_default_method_meets_what_only_short_keys_join():
    pair = ["他说明天早上八点出发", "他说后天早上八点出发"]  # no run of eight tokens in common
    result = quchong.dedup(pair)
    assert result.counts["candidates"] == 1


def test_a_text_that_only_repeats_itself_is_contained_in_nothing():
    laughter, post = "哈" * 40, "这个新闻看得我们全家都笑了一个晚上停不下来哈哈哈哈邻居都来敲门问出了什么事情"
    for method in ("hybrid", "short-text"):
        asked = quchong.compare(laughter, post, method=method)
        assert (asked.relation, asked.relation_if_found) in (("partial", None), ("none", "partial"))
        assert not len(quchong.dedup([laughter, post], method=method).ledger)
    inside = quchong.compare(post, f"转来的一段话说得很有意思大家看看{post}你们那里也是这样的吗还是只有我们这里会发生")
    assert inside.relation == "contained_in"


def test_below_25_tokens_the_default_method_holds_figures_to_be_facts():
    assert quchong.compare("山庄推特价房86至120平二居94折", "山庄推特价房86平起二居94折").relation != "duplicate"
    assert quchong.compare("利率区间维持不变的消息", "基准利率区间维持不变的消息").relation == "duplicate"


def test_thresholds_can_be_changed_without_a_second_run():
    posts = [LONG, f"{LONG[:12]}据说{LONG[12:]}"]
    result = quchong.dedup(posts, method="short-text")
    assert len(result.rethreshold(0.6).ledger) == 1
    assert not len(result.rethreshold(0.99).ledger)
    with pytest.raises(UsageError, match="for a lower threshold, run again"):
        result.rethreshold(0.2)


@pytest.mark.parametrize("wrong", [{"ngram_size": 0}, {"cap": 0}, {"threshold": 1.5}, {"normalise": "no"}])
def test_parameters_are_checked(wrong):
    with pytest.raises(UsageError):
        ShortText(**wrong)


def test_the_command_line_takes_the_method_and_the_steps(tmp_path):
    path = tmp_path / "posts.jsonl"
    posts = [{"id": "a", "text": f"{LONG}！"}, {"id": "b", "text": f"回复@小明:{LONG}[哈哈]"}]
    path.write_text("".join(json.dumps(p, ensure_ascii=False) + "\n" for p in posts), "utf-8")
    run = tmp_path / "run"
    done = CliRunner().invoke(cli, ["dedup", str(path), "-o", str(run), "--method", "short-text", "-q"])
    assert done.exit_code == 0, done.output
    removed = (run / "removed.jsonl").read_text("utf-8").splitlines()
    assert len(removed) == 1
    assert json.loads(removed[0]) in posts  # the original, not what was compared
    done = CliRunner().invoke(cli, ["dedup", str(path), "--dry-run", "--json", "--social", "nothing"])
    assert done.exit_code != 0
    assert "forwards" in str(done.output) + str(done.exception)


def test_a_hot_family_has_bounded_pairs_and_loses_no_removal(monkeypatch):
    rng = np.random.default_rng(5)
    posts = [LONG] * 150
    for _ in range(300):
        at = int(rng.integers(len(LONG)))
        posts.append(LONG[:at] + chr(0x9000 + int(rng.integers(900))) + LONG[at:])
    bounded = quchong.dedup(posts, method="short-text", recall_sample=0)
    monkeypatch.setattr(expanding, "NEAR_LIMIT", 10**9)
    whole = quchong.dedup(posts, method="short-text", recall_sample=0)
    assert len(bounded.pairs) < len(whole.pairs)
    assert sorted(bounded.ledger["id"].to_pylist()) == sorted(whole.ledger["id"].to_pylist())
    assert bounded.counts["removed"] > 400
