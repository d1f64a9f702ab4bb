"""Covers: records on one template, by whole runs.

Compared against: families made here with known payloads; the same run with its input in another order, with one worker, with all
differences examined; and saved runs decided and examined again.

Run: pytest tests/properties/test_templates.py
"""

import random
import re

import pyarrow as pa
import pytest

import quchong as qc

GOODS = "保温杯 台灯 背包 雨伞 耳机 键盘 毛毯 电饭锅 吹风机 行李箱 跑步鞋 砂锅 茶壶 书架 羽绒服 剃须刀".split()
ROLES = "plumber welder tailor florist chef carpenter painter barber baker typist porter gardener".split()
FIRMS = "Ashford Seaview Northgate Rivermill Oakfield Stonebridge Fairmont Holloway".split()


def advert(dice):
    good, other = dice.choice(GOODS), dice.choice(GOODS)
    return f"【限时特惠】本店新到一批{good}，做工讲究，用料扎实，支持七天内退换，凡购买者均附赠小礼物一份，另有{other}同步上架，存货不多，欲购从速。"


def job(dice):
    return (
        f"{dice.choice(FIRMS)} is looking for a {dice.choice(ROLES)} to join a friendly and growing team. You enjoy working with "
        f"others, keep a cool head on busy days and take pride in doing things properly. Full training as a {dice.choice(ROLES)} will be "
        "given to the right person, and the position is open from now on."
    )


def corpus(seed, count=60):
    """Records of two families, and copies of some: rows of id, text and the id of the record."""
    dice, rows, seen = random.Random(seed), [], set()
    for make in (advert, job):
        while len([r for r in rows if r[0].startswith(make.__name__)]) < count:
            text = make(dice)
            if text not in seen:
                seen.add(text)
                rows.append((f"{make.__name__}{len(rows)}", text))
    out = [(name, text, name) for name, text in rows]
    for name, text in rows[::9]:
        out.append((f"{name}-mark", text[:-1] + "!", name))
        out.append(
            (f"{name}-source", text + ("（来源：本站）" if text.startswith("【") else " (Source: the web)"), name)
        )
    dice.shuffle(out)
    return out


def table(rows):
    return pa.table({"id": [r[0] for r in rows], "text": [r[1] for r in rows]})


def fates(result):
    return sorted(zip(*(result.ledger[c].to_pylist() for c in ("id", "survivor_id", "relation", "rule")), strict=True))


@pytest.mark.parametrize("seed", [1, 2])
def test_records_on_one_template_stay_and_their_copies_go(seed):
    rows = corpus(seed)
    result = qc.dedup(table(rows), recall_sample=0)
    record = {name: of for name, _, of in rows}
    assert all(record[gone] == record[kept] for gone, kept, _, _ in fates(result))
    kept = set(result.kept["id"].to_pylist())
    assert all(sum(other in kept for other, of in record.items() if of == one) == 1 for one in set(record.values()))
    assert [t["records"] for t in result.templates.to_pylist()] == [74, 74]


def test_templates_are_told_with_their_slots_and_fillers():
    rows = corpus(3)
    result = qc.dedup(table(rows), recall_sample=0)
    told = {t["model_id"][:3]: t for t in result.templates.to_pylist()}
    goods = told["adv"]
    assert [goods["text"][s["start"] : s["end"]] in GOODS for s in goods["slots"]] == [True, True]
    assert {f["text"] for s in goods["slots"] for f in s["fillers"]} <= set(GOODS)
    counts = [f["records"] for f in goods["slots"][0]["fillers"]]
    assert counts == sorted(counts, reverse=True) and goods["slots"][0]["different"] <= len(GOODS)
    assert {f["text"] for f in told["job"]["slots"][0]["fillers"]} <= set(FIRMS)


def test_the_answer_does_not_depend_on_order_workers_or_what_is_examined():
    rows = corpus(4)
    first = qc.dedup(table(rows), recall_sample=0)
    for other, options in ((rows[::-1], {}), (sorted(rows), {"workers": 1}), (rows, {"differences": "all"})):
        again = qc.dedup(table(other), recall_sample=0, **options)
        assert fates(again) == fates(first)
        assert again.templates.to_pylist() == first.templates.to_pylist()
    every = qc.dedup(table(rows), recall_sample=0, differences="all")
    assert every.examined_pairs.equals(first.examined_pairs)


def test_pairs_that_fill_a_slot_otherwise_say_so_when_they_are_examined():
    result = qc.dedup(table(corpus(5)), recall_sample=0)
    stored = {(p["left_id"], p["right_id"]): p for p in result.pairs.to_pylist()}
    seen = 0
    for pair in result.examined_pairs.to_pylist():
        if stored[pair["left_id"], pair["right_id"]]["facts"] == ["field"]:
            seen += 1
            assert "field" in pair["facts"] and pair["relation"] in ("variant", "partial")
            for one in pair["differences"] or ():
                assert one["conflict"] or one["kind"] != "field"
    assert seen > 100


def test_a_saved_run_decides_again_as_a_new_one_does(tmp_path):
    rows = table(corpus(6))
    qc.dedup(rows, recall_sample=0).save(tmp_path / "run")
    for threshold in (0.5, 0.9):
        again = qc.load(tmp_path / "run").rethreshold(threshold=threshold)
        new = qc.dedup(rows, recall_sample=0, threshold=threshold)
        assert fates(again) == fates(new)
    assert qc.load(tmp_path / "run").templates.equals(qc.dedup(rows, recall_sample=0).templates)


def test_families_far_apart_in_one_input_do_not_change_each_other():
    rows = corpus(7)
    alone = [
        fates(qc.dedup(table([r for r in rows if r[2].startswith(kind)]), recall_sample=0))
        for kind in ("advert", "job")
    ]
    assert fates(qc.dedup(table(rows), recall_sample=0)) == sorted(alone[0] + alone[1])


def forwarded(rows):
    """The same records in another frame: what fills the slots, with other words around it."""
    out = []
    for k, (_, text, of) in enumerate(r for r in rows if r[0].startswith("advert") and "-" not in r[0]):
        good, other = (re.findall(said, text)[0] for said in ("新到一批(.+?)，", "另有(.+?)同步"))
        said = f"尊敬的会员，您关注的{good}现已到货，门店地址见短信末尾，凭会员码可享九折，{other}亦在促销之列，详情请咨询当班店员，回复退订即可取消提醒。"
        out.append((f"note{k}", said, of))
    return out


def test_records_that_say_the_same_on_two_templates_are_copies_where_that_is_asked_for():
    adverts = [r for r in corpus(8) if r[0].startswith("advert")]
    rows = [*adverts, *forwarded(adverts)]
    record = {name: of for name, _, of in rows}
    apart = qc.dedup(table(rows), recall_sample=0)
    assert not any(gone.startswith("note") or kept.startswith("note") for gone, kept, _, _ in fates(apart))
    met = qc.dedup(table(rows), recall_sample=0, templates="payload")
    assert all(record[gone] == record[kept] for gone, kept, _, _ in fates(met))
    kept = set(met.kept["id"].to_pylist())
    assert all(sum(other in kept for other, of in record.items() if of == one) == 1 for one in set(record.values()))
    assert {rule for gone, one, _, rule in fates(met) if (gone + one).count("note") == 1} == {"same payload"}
    # Decided again from the saved pairs, and for any order and workers, the answer is the same.
    assert fates(qc.dedup(table(rows[::-1]), recall_sample=0, templates="payload", workers=1)) == fates(met)
    assert fates(met.rethreshold(threshold=0.9))
    every = qc.dedup(table(rows), recall_sample=0, templates="payload", differences="all")
    assert fates(every) == fates(met)


ORDER = (
    "Good news from {0}: we have packed the {1} that you ordered and handed the parcel to the carrier this morning. You may follow its way on our pages, "
    "and return it within a month if you do not like it."
)
SLIPPED = "packed ordered carrier morning return month parcel follow pages within".split()


PARCELS = "teapot rucksack lamp blanket umbrella bookcase kettle ladder easel tripod globe saddle".split()


def with_slips(text, letter, count=10):
    """The text with a letter changed in that many words."""
    for word in SLIPPED[:count]:
        text = text.replace(word, word[:2] + letter + word[3:])
    return text


def orders(count, slips=10):
    """Orders on one template, and two of them with slips in every fourth word."""
    made = [(f"o{k:03}", ORDER.format(FIRMS[(k + k // 12) % 8], PARCELS[k % 12])) for k in range(count)]
    return made, [("slips", with_slips(made[0][1], "q", slips)), ("other", with_slips(made[3][1], "x", slips))]


@pytest.mark.parametrize(("count", "slips"), [(12, 6), (90, 10)])
def test_a_record_with_slips_outside_of_the_slots_is_a_copy_of_that_record_alone(count, slips):
    made, edited = orders(count, slips)
    rows = [{"id": name, "text": text} for name, text in made + edited]
    found = qc.dedup(rows, recall_sample=0)
    assert [(gone, kept, rule) for gone, kept, _, rule in fates(found)] == [
        ("other", "o003", "same fields"),
        ("slips", "o000", "same fields"),
    ]
    pair = next(p for p in found.pairs.to_pylist() if {p["left_id"], p["right_id"]} == {"slips", "o000"})
    assert pair["jaccard"] < 0.55 and pair["differences"], (
        "too little is shared for a copy otherwise; what differs is told"
    )
    for others in ({"differences": "all"}, {"workers": 1}):
        assert fates(qc.dedup(rows[::-1], recall_sample=0, **others)) == fates(found)
    assert "same fields" not in {rule for *_, rule in fates(qc.dedup([rows[0], rows[-2]], recall_sample=0))}, (
        "two show no template"
    )


def test_facts_decide_records_with_slips_too():
    made, _ = orders(90)
    texts = {
        "slips": with_slips(made[0][1], "q"),
        "never": with_slips(made[3][1], "x").replace("do not like", "do now like"),
    }
    found = qc.dedup(
        [*({"id": a, "text": b} for a, b in made), *({"id": a, "text": b} for a, b in texts.items())], recall_sample=0
    )
    assert [gone for gone, *_ in fates(found)] == ["slips"]


def test_a_saved_run_decides_records_with_slips_again(tmp_path):
    made, edited = orders(90)
    qc.dedup([{"id": a, "text": b} for a, b in made + edited], recall_sample=0).save(tmp_path / "run")
    again = qc.load(tmp_path / "run").rethreshold(threshold=0.9)
    assert {rule for *_, rule in fates(again)} == {"same fields"} and len(fates(again)) == 2
