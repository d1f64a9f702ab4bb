"""Covers: templates and headers of a corpus that an index is fitted to: documents have the pairs of a run that finds them itself, records on
a template that come later are variants of those before, and a template that came later is found by `compact(refit=True)`.
Compared against: `quchong.dedup`.
Run: pytest tests/promises/test_index_templates.py.
"""

from __future__ import annotations

import random

import pytest
from header_corpus import disclaimed, licensed, rows
from test_index_and_run_agree import fill, pairs_of_index, pairs_of_run

import quchong as qc
from quchong.errors import UsageError

CITIES = "北京 上海 广州 深圳 成都 杭州 武汉 西安 南京 重庆 天津 苏州 青岛 长沙 郑州 沈阳".split()
GOODS = "保温杯 台灯 背包 雨伞 耳机 键盘 毛毯 电饭锅 吹风机 行李箱 跑步鞋 砂锅 茶壶 书架 羽绒服 剃须刀".split()
TOWNS = "Paris London Tokyo Berlin Madrid Rome Oslo Cairo Lima Quito Seoul Delhi Dublin Athens Vienna Porto".split()


def adverts(draw, count):
    """Adverts on one Chinese template."""
    return [
        f"【限时特惠】本店新到一批{draw.choice(GOODS)}，品质优良，做工精细，支持七天无理由退换货，全国联保，{draw.choice(CITIES)}仓库发货，下单即送"
        "精美礼品一份，数量有限，先到先得，欢迎新老顾客前来选购，客服全天在线为您服务。"
        for _ in range(count)
    ]


def reports(draw, count):
    """Reports on one English template."""
    return [
        f"The scheduled job for the {draw.choice(GOODS)} service has finished on host {draw.choice(TOWNS)}; all checks of the "
        f"{draw.choice(CITIES)} queue passed, no further action is needed, and the next run of the job is planned for the usual "
        "maintenance window. Contact the platform team if you have any questions about this message."
        for _ in range(count)
    ]


def records(seed, count=25):
    """Records on two templates, copies of a few of them, and texts alone."""
    draw = random.Random(seed)
    texts = adverts(draw, count) + reports(draw, count)
    texts += [text + "（来源：本站）" for text in draw.sample(texts, 6)] + [
        text + "!" for text in draw.sample(texts, 3)
    ]
    texts += ["港口因风暴受损关闭两天，渡轮停航，直到修理完毕，居民改乘汽车出行，损失还在统计之中。" * 2]
    draw.shuffle(texts)
    return [{"id": f"r{k:03}", "text": text} for k, text in enumerate(texts)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("method", ["hybrid", "short-text"])
def test_records_on_templates_have_the_pairs_of_a_run(tmp_path, method, seed):
    some = records(seed)
    with qc.Index.create(tmp_path / "seen", method=method, fit=some) as index:
        left = fill([index], some + some[:0], random.Random(seed))
        found = pairs_of_index(index)
        index.compact(refit=True)
        again = pairs_of_index(index)
    run = qc.dedup(left, method=method, differences="all", recall_sample=0)
    assert again == pairs_of_run(run)
    assert {one[0] for one in found.values()} >= {"variant", "duplicate"} and run.counts["templates"]["told_apart"] > 50
    # Deleted documents were among those on which the templates were found: they may tell more, never less.
    assert {pair for pair, one in found.items() if one[1] == "fields differ"} >= {
        pair for pair, one in again.items() if one[1] == "fields differ"
    }


def test_records_with_slips_outside_of_the_slots_have_the_pairs_of_a_run(tmp_path):
    draw = random.Random(5)
    texts = list(dict.fromkeys(reports(draw, 40)))
    slips = {f"s{k}": texts[k] for k in (0, 7, 11)}
    for k, name in enumerate(slips):
        for word in ("scheduled", "finished", "further", "planned", "maintenance", "platform", "questions", "message")[
            k:
        ]:
            slips[name] = slips[name].replace(word, word[:3] + "qxz"[k] + word[4:])
    some = [
        *({"id": f"r{k:03}", "text": text} for k, text in enumerate(texts)),
        *({"id": a, "text": b} for a, b in slips.items()),
    ]
    with qc.Index.create(tmp_path / "seen", fit=some) as index:
        left = fill([index], some, random.Random(1))
        index.compact(refit=True)
        found = pairs_of_index(index)
    run = qc.dedup(left, differences="all", recall_sample=0)
    assert found == pairs_of_run(run)
    assert {one[1] for one in found.values()} >= {"same fields", "fields differ"}


def test_a_record_that_comes_later_is_on_the_template_whatever_else_the_index_has(tmp_path):
    draw = random.Random(4)
    with qc.Index.create(tmp_path / "seen", fit=records(1)) as index:
        index.add({"id": "first", "text": adverts(draw, 1)[0]})
        answer = index.add({"id": "second", "text": adverts(draw, 1)[0]})
        assert [(one.id, one.relation, one.rule) for one in answer.matches] == [("first", "variant", "fields differ")]
        assert not answer.removed
        query = index.query(adverts(draw, 1)[0])
        assert {one.rule for one in query.matches} == {"fields differ"} and len(query.matches) == 2
    with qc.Index(tmp_path / "seen", read_only=True) as again:
        assert (
            again.query(index_text := adverts(draw, 1)[0]).matches
            and again.query(index_text).matches[0].rule == "fields differ"
        )


def test_a_template_that_came_later_is_found_by_counting_anew(tmp_path):
    draw = random.Random(5)
    with qc.Index.create(
        tmp_path / "seen", fit=[{"id": "x", "text": "一篇与别的都不相同的短文，讲的是山里的天气。"}]
    ) as index:
        index.add([{"id": f"a{k:02}", "text": text} for k, text in enumerate(adverts(draw, 20))])
        before, drift = pairs_of_index(index), index.stats().drift
        index.compact(refit=True)
        after = pairs_of_index(index)
        index.add([{"id": f"b{k:02}", "text": text} for k, text in enumerate(adverts(draw, 20))])
        assert drift > 0.9 and index.stats().drift == 0 and index.stats().since > 0
    assert not any(one[1] == "fields differ" for one in before.values())
    assert sum(one[1] == "fields differ" for one in after.values()) > 100


def test_templates_are_left_alone_where_nobody_wants_them(tmp_path):
    with qc.Index.create(tmp_path / "seen", fit=records(1), templates="remove") as index:
        index.add(records(1))
        assert not any(one[1] == "fields differ" for one in pairs_of_index(index).values())
    with pytest.raises(UsageError, match="payload"):
        qc.Index.create(tmp_path / "other", templates="payload")


@pytest.mark.parametrize("corpus", [licensed, disclaimed])
def test_headers_of_the_corpus_are_no_copies(tmp_path, corpus):
    some = rows(corpus(random.Random(6)))
    with qc.Index.create(tmp_path / "seen", fit=some) as index:
        draw = random.Random(7)
        draw.shuffle(some)
        for start in range(0, len(some), 7):
            index.add(some[start : start + 7])
        found = pairs_of_index(index)
        assert len(index._open.statistics.headers) > 5
    run = qc.dedup(some, differences="all", recall_sample=0)
    assert found == pairs_of_run(run)
    with qc.Index.create(tmp_path / "without") as index:
        index.add(some)
        assert pairs_of_index(index) != found
