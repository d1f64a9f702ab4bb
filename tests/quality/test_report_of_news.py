"""Covers: the report of a run over the shared Chinese news: its slider, its size, its time lines.

Compared against: `Result.rethreshold`, the dates of the articles. Run: pytest tests/quality/test_report_of_news.py.
"""

import json
import re

import numpy as np
import pyarrow as pa
import pytest

import quchong as qc
from quchong.chains import times_by_links


@pytest.fixture(scope="module")
def run(shared, tmp_path_factory):
    path = shared.folder / "zh_news_reprints" / "docs.jsonl"
    return qc.dedup(path, time="date", source="site", out=tmp_path_factory.mktemp("news") / "run")


@pytest.fixture(scope="module")
def made(run, tmp_path_factory):
    path = run.report(tmp_path_factory.mktemp("page") / "news.html", lang="zh")
    assert path.stat().st_size < 10_000_000
    return json.loads(re.search(r'id="model">(.*?)</script>', path.read_text("utf-8"))[1])


@pytest.mark.shared
@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.68, 0.9, 1.0])
def test_the_slider_tells_what_rethreshold_gives(run, made, threshold):
    shown = made["thresholds"]
    k = shown["values"].index(threshold)
    again = run.rethreshold(threshold)
    assert shown["removed"][k] == again.counts["removed"]
    assert shown["relations"][k] == again.counts["removed_by_relation"]
    before, after = (set(one.ledger["id"].to_pylist()) for one in (run, again))
    assert (shown["gone"][k][0], shown["back"][k][0]) == (len(after - before), len(before - after))


@pytest.mark.shared
def test_every_removal_has_its_texts_and_every_cluster_its_order(run, made, shared):
    path = shared.folder / "zh_news_reprints" / "docs.jsonl"
    out = made["left_out"]
    assert out["removals"] == out["removals_listed"] == out["removals_shown"] == run.counts["removed"]
    documents = made["documents"]
    # Lines are in the order of the times that chains go by: of a time that contradicts the date in the address, the address's.
    addresses = {row["id"]: row["url"] for row in map(json.loads, path.read_text("utf-8").splitlines())}
    given = np.array([np.nan if time is None else time for time in documents["time"]])
    times, wrong = times_by_links(given, pa.array([addresses[one] for one in documents["id"]], pa.large_string()))
    assert wrong.sum() < len(wrong) / 10
    for cluster in made["clusters"]:
        line = [times[step["document"]] for step in cluster["line"]]
        assert line == sorted(line)
    assert sum(made["by_time"]["removed"]) == sum(made["by_source"]["removed"]) == run.counts["removed"]
