"""Covers: aligned passages of texts: copies, edits, shuffled words; Chinese, English, mixed; ends, lengths, kinds, errors.

Run: pytest tests/unit/passages
"""

import random

import numpy as np
import pyarrow as pa
import pytest

from quchong.differences.passage_alignment import LEAST_CHARACTERS, LEAST_SINGLES, align
from quchong.kernels.align import AlignOptions
from quchong.kernels.arrays import texts_of
from quchong.text import form

ZH = (
    "入夏以来，青石河上游连续出现强降雨，沿岸三个乡镇的低洼地带先后进水。县防汛办连夜调集冲锋舟二十六艘，"
    "把被困的四百多名村民转移到镇中心小学。村里的老人说，这样大的水只在小时候见过一回。目前供电和通信已经恢复，"
    "受损的桥梁正在抢修，预计本周五可以通车。"
)
ZH_LEFT = "开渔节前一天，港口的码头上停满了刚刷过漆的渔船，船老大们忙着检查缆绳与网具，等着鸣笛出海的那一刻。"
ZH_RIGHT = "博物馆今年新收了一批清代的地契和账本，研究员打算逐页拍照，再请学生志愿者帮忙录入文字并标注地名。"
EN = (
    "The old lighthouse keeper kept a careful record of every vessel that passed the northern reef after dusk. "
    "His notebooks, bound in green canvas, describe storms, wrecks and rescues with the patience of a scholar. "
    "When the harbour authority finally installed electric lamps, he donated all forty volumes to the village "
    "library, where curious visitors still leaf through them on rainy afternoons in early autumn."
)
EN_LEFT = "Baking sourdough at altitude asks for less yeast, a cooler oven and rather more water than recipes suggest. "
EN_RIGHT = " Our choir rehearses each Tuesday beneath the railway arches; newcomers need no experience whatsoever. "


def found(left, right, **how):
    spans = align(form(), pa.array([left, right], pa.large_string()), [0], [1], **how)
    assert spans.offsets.tolist() == [0, len(spans.places)]
    return [(*p, "exact" if e else "near") for p, e in zip(spans.places.tolist(), spans.exact, strict=True)]


def only(left, right, **how):
    (span,) = found(left, right, **how)
    return left[span[0] : span[1]], right[span[2] : span[3]], span[4]


@pytest.mark.parametrize(("before", "copy", "behind"), [(ZH_LEFT, ZH, ZH_RIGHT), (EN_LEFT, EN, EN_RIGHT)])
def test_a_copy_is_found_from_its_first_to_its_last_character(before, copy, behind):
    left, right, kind = only(before + copy, copy + behind)
    assert left == right == copy[:-1]  # the full stop is no token
    assert kind == "exact"


def test_exact_means_equal_in_normal_form():
    left, right, kind = only(
        "甲乙丙丁。" + "我們應該盡快完成這項調查，並且把結果於三百二十八天後公開給全體居民查閱和討論。",
        "我们应该尽快完成这项调查，并且把结果于328天后公开给全体居民查阅和讨论。",
    )
    assert kind == "exact"
    assert left.startswith("我們") and right.endswith("讨论")
    assert only(EN, EN.upper().replace(",", " ;"))[2] == "exact"


def edited(words, rng, share):
    """Words replaced, left out, put in and swapped with a neighbour, each for a share of them."""
    out = []
    for word in words:
        dice = rng.random()
        if dice < share:
            out.append(
                rng.choice(["quartz", "meadow", "violet", "harness"]) if word.isascii() else rng.choice("某另其该")
            )
        elif dice < 2 * share:
            continue
        elif dice < 3 * share and out:
            out.insert(-1, word)
        else:
            out.append(word)
    return out


@pytest.mark.parametrize("seed", range(5))
def test_reworked_passages_are_near(seed):
    rng = random.Random(seed)
    english = " ".join(edited(EN.split(), rng, 0.08))
    chinese = "".join(edited(ZH, rng, 0.05))
    for before, text, reworked, behind in ((EN_LEFT, EN, english, EN_RIGHT), (ZH_LEFT, ZH, chinese, ZH_RIGHT)):
        spans = found(before + text, reworked + behind)
        assert {s[4] for s in spans} == {"near"}
        inside = sum(max(0, s[1] - max(s[0], len(before))) for s in spans)
        outside = sum(max(0, min(s[1], len(before)) - s[0]) for s in spans)
        assert inside >= 0.75 * len(text) and outside <= 5
        assert all(s[3] <= len(reworked) + 5 for s in spans)


def test_shuffled_words_are_near():
    words, chunks = EN.split(), []
    rng = random.Random(3)
    for k in range(0, len(words), 6):
        chunk = words[k : k + 6]
        rng.shuffle(chunk)
        chunks += chunk
    left, right, kind = only(EN_LEFT + EN, " ".join(chunks) + EN_RIGHT)
    assert kind == "near"
    assert len(left) > 0.85 * len(EN) and len(right) > 0.85 * len(EN)


def test_passages_in_another_order_are_found_each():
    spans = found(ZH + EN_LEFT + EN, EN + EN_RIGHT + ZH)
    assert [s[4] for s in spans] == ["exact", "exact"]
    assert spans[0][:2] == (0, len(ZH) - 1) and spans[1][3] == len(EN) - 1


def test_mixed_text():
    mixed = "他把 PyTorch 2.1 换成 JAX 之后，在 8 张 A100 上跑 ResNet-50，吞吐量 throughput 提高了 37%，显存占用却没有明显变化，实验记录见附录。"
    left, right, kind = only(ZH_LEFT + mixed, EN + mixed + ZH_RIGHT, min_chars=30)
    assert (left, kind) == (right, "exact") and left == mixed[:-1]


def test_a_passage_that_stands_twice_is_found_twice():
    spans = found(EN, EN + EN_RIGHT * 3 + EN)
    assert [s[2] for s in spans] == [0, len(EN) + 3 * len(EN_RIGHT)]
    assert {s[:2] for s in spans} == {(0, len(EN) - 1)}


def test_a_part_that_is_quoted_again_is_found_again():
    again = ZH[50:110]
    spans = found(ZH_LEFT + ZH, ZH + ZH_RIGHT + again)
    assert [s[4] for s in spans] == ["exact", "exact"]
    assert spans[1][2:4] == (len(ZH) + len(ZH_RIGHT), len(ZH) + len(ZH_RIGHT) + len(again))


def test_lengths_are_of_characters_on_both_sides():
    text = ZH_LEFT[:-1]  # its full stop is no token
    for least in (1, len(text), len(text) + 1):
        assert len(found(text + ZH, ZH_RIGHT + text, min_chars=least)) == (least <= len(text))
    spaced = "  ".join(text)
    assert len(found(spaced + ZH, ZH_RIGHT + text, min_chars=len(text) + 1)) == 0


def test_the_least_length_is_that_of_the_script():
    zh = ZH[: LEAST_SINGLES + 3]
    assert found(zh + EN_LEFT, EN_RIGHT + zh)
    assert not found(zh[:20] + EN_LEFT, EN_RIGHT + zh[:20])
    en = EN[: LEAST_CHARACTERS + 8]
    assert found(en + ZH, ZH_RIGHT + en)
    assert not found(en[:80] + ZH, ZH_RIGHT + en[:80])
    assert found(en[:80] + ZH, ZH_RIGHT + en[:80], min_chars=60)


def test_nothing_is_found_where_nothing_is_shared():
    for left, right in (("", ""), ("", ZH), (ZH, ""), ("，。！", "？！…"), (ZH, ZH_RIGHT), (EN, EN_RIGHT), (ZH, EN)):
        assert found(left, right) == []
    none = align(form(), pa.array([], pa.large_string()), [], [])
    assert none.offsets.tolist() == [0] and none.places.shape == (0, 4) and none.exact.shape == (0,)


def test_texts_that_repeat_themselves_cost_no_more_and_still_meet():
    """Seeds paired one by one would be 10^10."""
    left, _, kind = only(ZH * 300, "序言。" + ZH * 300)
    assert (len(left), kind) == (300 * len(ZH) - 1, "exact")
    assert len(found("啊" * 200_000 + ZH, ZH + "啊" * 200_000)) >= 1


def many():
    rng = random.Random(8)
    parts = [
        ZH,
        ZH_LEFT,
        ZH_RIGHT,
        EN,
        EN_LEFT,
        EN_RIGHT,
        "".join(edited(ZH, rng, 0.05)),
        " ".join(edited(EN.split(), rng, 0.1)),
    ]
    return ["\n".join(rng.sample(parts, rng.randint(0, 6))) for _ in range(30)]


def test_threads_views_and_other_pairs_change_nothing():
    texts = pa.array(many(), pa.large_string())
    left, right = np.triu_indices(len(texts), 1)
    whole = align(form(), texts, left, right, workers=1)
    assert len(whole.exact) > 100 and set(whole.exact.tolist()) == {True, False}
    again = align(form(), texts_of([texts[:7], texts[7:]]), left, right, workers=3)
    assert all((getattr(whole, k) == getattr(again, k)).all() for k in ("offsets", "places", "exact"))
    for k in range(0, len(left), 37):
        rows = slice(whole.offsets[k], whole.offsets[k + 1])
        alone = align(form(), texts, left[k : k + 1], right[k : k + 1])
        assert (alone.places == whole.places[rows]).all()


def test_places_are_sorted_lie_in_the_texts_and_none_within_another():
    texts = many()
    left, right = np.triu_indices(len(texts), 1)
    spans = align(form(), pa.array(texts, pa.large_string()), left, right)
    for k, (a, b) in enumerate(zip(left, right, strict=True)):
        places = spans.places[spans.offsets[k] : spans.offsets[k + 1]].tolist()
        assert places == sorted(places)
        for p in places:
            assert 0 <= p[0] < p[1] <= len(texts[a]) and 0 <= p[2] < p[3] <= len(texts[b])
            assert not any(q != p and q[0] <= p[0] and p[1] <= q[1] and q[2] <= p[2] and p[3] <= q[3] for q in places)


def test_swapping_the_texts_swaps_the_places():
    texts = pa.array(many(), pa.large_string())
    left, right = np.triu_indices(len(texts), 1)
    there, back = align(form(), texts, left, right), align(form(), texts, right, left)
    same = 0
    for k in range(len(left)):
        mine = {tuple(p) for p in there.places[there.offsets[k] : there.offsets[k + 1]].tolist()}
        theirs = {(*p[2:], *p[:2]) for p in back.places[back.offsets[k] : back.offsets[k + 1]].tolist()}
        same += mine == theirs
    assert same >= 0.95 * len(left)


def test_bad_input_is_refused():
    texts = pa.array([ZH, EN], pa.large_string())
    for left, right, how, says in (
        ([0], [2], {}, "beyond"),
        ([-1], [0], {}, "beyond"),
        ([0, 1], [1], {}, "differ"),
        ([0], [1], {"min_chars": 0}, "min_chars"),
        ([0], [1], {"options": AlignOptions(radius=40)}, "radius"),
    ):
        with pytest.raises(ValueError, match=says):
            align(form(), texts, left, right, **how)
