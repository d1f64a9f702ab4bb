"""Covers: records on one template, on Spark as on one machine: pairs, ledger, templates and their counts, where variants are removed.

Compared against: `quchong.dedup` of the same rows. Run: pytest tests/conformance (needs pyspark and Java; else skipped).
"""

import random

import pytest

import quchong as qc

pytestmark = pytest.mark.filterwarnings("ignore:.*pandas.*")
GOODS = ("teapot", "rucksack", "desk lamp", "blanket", "umbrella", "bookcase")
TOWNS = ("Ashford", "Seaview", "Northgate", "Rivermill", "Oakfield", "Fairmont")
TEXT = (
    "Our shop has received a new batch of the {0} that customers keep asking for. It is well made of good material, may be sent back "
    "within a week, and leaves our store in {1} on the day of the order. Every buyer also gets a small present with the {0}."
)
ALONE = "The harbour was closed for two days after the storm had damaged both of its {}, and the ferry stayed away until the repairs were done."
NOTICE = (
    "Important: this letter and what is attached to it are meant only for those to whom it is addressed, and may hold confidential matter. "
    "If you are not the intended reader, please tell the sender at once and delete it from all of your systems; you must not copy it, pass it "
    "on, or tell its content to anyone else. The sender accepts no liability for any damage that comes of its transmission."
)


def rows():
    """Adverts on one template, a copy of one, another one with slips in it, and two texts alone in which a word differs."""
    out = [(f"ad{k}", TEXT.format(*two)) for k, two in enumerate(zip(GOODS, TOWNS, strict=True))]
    slips = out[2][1]
    for word in ("received", "customers", "material", "within", "leaves", "buyer", "present"):
        slips = slips.replace(word, word[:2] + "q" + word[3:])
    return [
        *out,
        ("slips", slips),
        ("copy", out[0][1] + " (Source: our web page)"),
        ("b1", ALONE.format("cranes")),
        ("b2", ALONE.format("quays")),
    ]


def hold_templates(found, local):
    """What both say of the rows above, alone or among others: tables, counts, and that records were told apart."""
    import quchong.spark

    for name, key in (("ledger", "id"), ("pairs", "left_id"), ("templates", "template")):
        on_spark = sorted(
            (r.asDict(True) for r in getattr(found, name).collect()), key=lambda r: (r[key], r.get("right_id"))
        )
        assert on_spark == sorted(getattr(local, name).to_pylist(), key=lambda r: (r[key], r.get("right_id"))), name
    counted = quchong.spark.counts_of(found)["templates"]
    assert counted == local.counts["templates"] and counted["templates"] >= 1 and counted["told_apart"] >= 15
    assert counted["without_evidence"] >= 1
    assert {r["rule"] for r in local.ledger.to_pylist() if r["id"] in ("slips", "ad2")} == {"same fields"}


@pytest.mark.campaign  # in the suite these rows are part of a run of test_treatments_on_spark
def test_templates_are_those_of_one_machine(spark):
    import quchong.spark

    frame = spark.createDataFrame(rows(), "id string, text string").repartition(3)
    found = quchong.spark.dedup(frame, facts="remove")
    local = qc.dedup([{"id": name, "text": text} for name, text in rows()], recall_sample=0, facts="remove")
    hold_templates(found, local)
    assert local.counts["templates"]["templates"] == local.counts["templates"]["without_evidence"] == 1


@pytest.mark.campaign  # as `test_templates_are_those_of_one_machine`: in the suite the runs that look for none are those of other methods
def test_none_are_looked_for_where_nobody_wants_them(spark):
    import quchong.spark

    found = quchong.spark.dedup(spark.createDataFrame(rows(), "id string, text string"), templates="remove")
    assert "templates" not in quchong.spark.counts_of(found) and found.templates.isEmpty()
    local = qc.dedup([{"id": name, "text": text} for name, text in rows()], recall_sample=0, templates="remove")
    assert sorted(r["id"] for r in found.ledger.select("id").collect()) == local.ledger["id"].to_pylist()


def test_records_that_say_the_same_on_two_templates_meet_across_components(spark):
    import quchong.spark

    frames = (
        "Our shop has received a new batch of the {0} that customers keep asking for. It is well made of good material and may be sent "
        "back within a week. It leaves our store in {1} on the day of the order, with a small present for every buyer.",
        "Dear member, the {0} that you have been looking at is in again at our branch in {1}. Show this message at the till for a tenth "
        "off, and bring a friend who gets the same. Reply with stop to get no more of these messages from us.",
    )
    goods = ("red teapot", "old rucksack", "brass lamp", "woollen blanket", "blue umbrella", "oak bookcase")
    towns = ("Ashford North", "Seaview Bay", "Northgate Square", "Rivermill Lane", "Oakfield Park", "Fairmont Hill")
    said = list(zip(goods, towns, strict=True))
    both = [
        (f"{kind}{k}", text.format(*two)) for kind, text in zip("ab", frames, strict=True) for k, two in enumerate(said)
    ]
    found = quchong.spark.dedup(spark.createDataFrame(both, "id string, text string"), templates="payload")
    local = qc.dedup([{"id": name, "text": text} for name, text in both], recall_sample=0, templates="payload")
    on_spark = sorted((r.asDict(True) for r in found.ledger.collect()), key=lambda r: r["id"])
    assert on_spark == local.ledger.to_pylist()
    assert [r["rule"] for r in on_spark] == ["same payload"] * len(said)


@pytest.mark.campaign  # more than 1,000 records are needed for a crowd
def test_copies_in_a_large_family_meet_by_what_is_rare_in_it_as_on_one_machine(spark):
    import quchong.spark

    dice = random.Random(5)
    letters = "bcdfghklmnprstvw"
    goods = ["".join(dice.choice(letters) + dice.choice("aeiou") for _ in range(3)) for _ in range(400)]
    said = [(f"m{k:04}", f"{' '.join(dice.choices(goods, k=20))}\n----\n{NOTICE}") for k in range(1060)]
    copies = [(f"n{k:04}", said[k][1] + "\nend of file") for k in range(0, 1000, 50)]
    every = [*said, *copies]
    found = quchong.spark.dedup(spark.createDataFrame(every, "id string, text string").repartition(2))
    local = qc.dedup([{"id": name, "text": text} for name, text in every], recall_sample=0)
    ledger = sorted((r.asDict(True) for r in found.ledger.collect()), key=lambda r: r["id"])
    assert ledger == local.ledger.to_pylist()
    gone = {frozenset((r["id"], r["survivor_id"])) for r in local.ledger.to_pylist()}
    assert sum(frozenset((f"m{k:04}", f"n{k:04}")) in gone for k in range(0, 1000, 50)) >= 19
