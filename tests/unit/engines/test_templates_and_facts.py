"""Covers: records on one template where variants are removed: `facts="remove"`, the preset training, `templates="remove"`, and runs decided
again; what is counted of templates; who copied whom.

Compared against: the records by their own ids; a new run with the same options. Run: pytest tests/unit/engines/test_templates_and_facts.py
"""

import pyarrow as pa
import pytest

import quchong as qc
from quchong.errors import UsageError
from quchong.plan.request import make_plan
from quchong.report import summary

GOODS = ("teapot", "rucksack", "desk lamp", "blanket", "umbrella", "bookcase", "kettle", "headset")
TOWNS = ("Ashford", "Seaview", "Northgate", "Rivermill", "Oakfield", "Fairmont", "Holloway", "Stonebridge")
TEXT = (
    "Our shop has received a new batch of the {0} that customers keep asking for. It is well made of good material, may be sent back "
    "within a week, and leaves our store in {1} on the day of the order. Every buyer also gets a small present with the {0}."
)


def adverts(count=8):
    rows = [{"id": f"ad{k}", "text": TEXT.format(GOODS[k], TOWNS[k])} for k in range(count)]
    return [*rows, {"id": "copy", "text": rows[0]["text"] + " (Source: our web page)"}]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"facts": "remove"},
        {"preset": "training"},
        {"method": "short-text", "facts": "remove"},
        {"relations": "exact,duplicate,contained_in,variant,partial"},
    ],
)
def test_a_record_on_a_template_removes_no_other(options):
    result = qc.dedup(adverts(), recall_sample=0, **options)
    assert set(zip(*(result.ledger[c].to_pylist() for c in ("id", "survivor_id")), strict=True)) <= {
        ("ad0", "copy"),
        ("copy", "ad0"),
    }
    assert len(result.ledger) == 1 and result.counts["templates"]["told_apart"] >= 28
    asked = [row for row in result.pairs.to_pylist() if "field" in (row["facts"] or ())]
    relation = "partial" if options and "relations" not in options else "variant"
    assert {(row["relation"], row["rule"]) for row in asked} == {(relation, "fields differ")}


def test_without_templates_they_are_removed_as_near_copies_are():
    result = qc.dedup(adverts(), recall_sample=0, templates="remove", facts="remove")
    assert len(result.ledger) > 4 and not len(result.templates) and "templates" not in result.counts


@pytest.mark.parametrize(
    "options",
    [
        {"facts": "remove"},
        {"threshold": 0.9},
        {"facts": "figure,field"},
        {"relations": "exact,duplicate,variant,partial"},
    ],
)
def test_a_run_decided_again_keeps_them_apart_as_a_new_one_does(options):
    again = qc.dedup(adverts(), recall_sample=0).rethreshold(**options)
    new = qc.dedup(adverts(), recall_sample=0, **options)
    for name in ("ledger", "pairs", "clusters", "templates"):
        assert getattr(again, name) == getattr(new, name), name
    assert again.counts["templates"] == new.counts["templates"]


def test_facts_that_count_no_fields_need_a_new_run():
    with pytest.raises(
        UsageError, match="decides whether records on one template count as different: to change it, run again"
    ):
        qc.dedup(adverts(), recall_sample=0).rethreshold(facts="figure")
    with pytest.raises(
        UsageError, match="decides whether records on one template count as different: to change it, run again"
    ):
        qc.dedup(adverts(), recall_sample=0, facts="figure").rethreshold(facts="keep")
    # Where there is no template nothing depends on it.
    alone = [{"id": "a", "text": TEXT.format("teapot", "Ashford")}]
    assert qc.dedup(alone, recall_sample=0).rethreshold(facts="figure").counts["removed"] == 0


def test_copies_of_two_alone_are_counted_as_without_evidence():
    """Two adverts for different goods are removed as copies, since two show no template; that is told."""
    pair = [
        {"id": "a", "text": TEXT.format("teapot", "Ashford")},
        {"id": "b", "text": TEXT.format("teacup", "Ashford")},
    ]
    pair += [
        {
            "id": "c",
            "text": "The harbour was closed for two days after the storm had damaged both of its cranes and the ferry.",
        }
    ]
    result = qc.dedup(pair, recall_sample=0)
    assert result.counts["templates"] == {
        "templates": 0, "records": 0, "told_apart": 0, "without_evidence": result.counts["removed"],
    }  # fmt: skip
    assert result.counts["removed"] == 1
    rows = [row for _, rows in summary(result.manifest, []) for row in rows]
    assert ("too few records for a template", "1 pair of copies with different words") in [
        (str(a), str(b)) for a, b in rows
    ]


def test_an_explanation_names_what_fills_the_slots_otherwise():
    result = qc.dedup(adverts(), recall_sample=0, facts="remove")
    told = str(result.explain("ad1"))
    assert "two records on one template" in told and "field rucksack → " in told
    assert "two records on one template" in str(result.compare("ad1", "ad2"))
    one = result.explain("ad1").near[0]
    assert "field" in one["facts"] and any(d.kind == "field" for d in one["differences"])


def test_the_plan_says_whether_templates_are_looked_for():
    keep, remove = make_plan(), make_plan(templates="remove")
    assert keep.describe()["templates"] == "keep" and keep.config_hash() != remove.config_hash()
    with pytest.raises(UsageError, match="templates"):
        make_plan(templates="some")
    assert pa.types.is_integer(qc.dedup(adverts(3), recall_sample=0).templates.schema.field("template").type)
