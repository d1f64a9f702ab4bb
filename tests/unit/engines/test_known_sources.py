"""Covers: the terms under which what reading found may be taken over, and parts of what was read."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from quchong.engines.local.segments import ReadBatch, some_of
from quchong.engines.local.stored_source import extra_of, key_of, terms_of
from quchong.errors import UsageError
from quchong.kernels.arrays import texts_of
from quchong.plan.catalogue import METHODS, build
from quchong.plan.request import make_plan
from quchong.seam import settings_of
from quchong.text import Edit

NEWS = Path(__file__).parents[3] / "examples" / "news.jsonl"
SOME = [json.loads(line)["text"] for line in NEWS.read_text("utf-8").splitlines()]
TEXTS = texts_of([pa.array(SOME, pa.large_string())])
VALUES = (0.35, 0.62, 0.91, 1, 2, 7, 20, "exact", "paper", "remove", "figure", True, False)


def features_of(method):
    found = method.represent(TEXTS, 1)
    return [getattr(found, name).tobytes() for name in ("tokens", "singles", "high", "low", "offsets", "values")]


@pytest.mark.parametrize("name", sorted(METHODS))
def test_features_depend_on_no_parameter_that_the_terms_leave_out(name):
    method = build(name)
    mine, terms, tried = features_of(method), terms_of(make_plan(method=method)), 0
    for parameter in set(settings_of(method)) - set(terms["parameters"]):
        for value in VALUES:
            try:
                other = build(name, {parameter: value})
            except UsageError:
                continue
            tried += 1
            assert features_of(other) == mine, (parameter, value)
            assert terms_of(make_plan(method=other)) == terms
    assert tried or not set(settings_of(method)) - set(terms["parameters"])


def test_a_method_of_another_package_is_held_to_all_of_its_parameters():
    class Foreign(type(build("hybrid"))):
        pass

    assert "threshold" not in terms_of(make_plan(method="hybrid"))["parameters"]
    assert "threshold" in terms_of(make_plan(method=Foreign()))["parameters"]


def test_terms_are_those_of_reading():
    base = terms_of(make_plan())
    for same in ({"keep": "shortest"}, {"relations": "exact"}, {"workers": 1}, {"recall_sample": 0}, {"per": "site"}):
        assert terms_of(make_plan(**same)) == base
    others = ({"text": "body"}, {"html": "page"}, {"body": "all"}, {"id": "id"}, {"strip": "editor"}, {"social": "all"},
              {"method": "minhash"}, {"tokens": "char"}, {"time": "when"})  # fmt: skip
    keys = [key_of(terms_of(make_plan(**other))) for other in others]
    assert len({key_of(base), *keys}) == len(others) + 1
    assert extra_of(make_plan(per="site").wanted_columns) == ("time", "source", "site", "url")


def test_a_part_of_a_batch_is_the_batch_of_a_part():
    method, texts = build("hybrid"), pa.array(SOME[:40], pa.large_string())
    columns = pa.table({"row": np.arange(40), "id": [str(i) for i in range(40)]})
    stays = np.arange(40) % 3 > 0
    whole = ReadBatch(
        texts, method.represent(texts_of([texts]), 1), columns, {3: Edit((), ()), 4: Edit((1,), ((1, 1, 2),))}
    )
    part = some_of(whole, stays, np.arange(100, 100 + stays.sum()))
    direct = method.represent(texts_of([texts.filter(pa.array(stays))]), 1)
    for name in ("tokens", "singles", "high", "low", "offsets", "values"):
        assert np.array_equal(getattr(part.features, name), getattr(direct, name)), name
    assert part.texts.equals(texts.filter(pa.array(stays))) and part.edits == {2: Edit((1,), ((1, 1, 2),))}
    assert part.columns["row"].to_pylist() == list(range(100, 126)) and part.columns["id"][0].as_py() == "1"
    none = some_of(whole, np.zeros(40, bool), np.zeros(0, np.int64))
    assert len(none.texts) == 0 and none.features.offsets.tolist() == [0] and none.columns.schema == part.columns.schema
