"""Covers: real news pages in every form give one result. Run: pytest tests/pages/test_real_pages.py."""

import gzip
import json
import os
import re
from pathlib import Path

import pytest
from page_files import answer, packed

import quchong as qc

DATA = Path(os.environ.get("QUCHONG_SHARED", Path(__file__).resolve().parents[3] / "shared"), "data")
GROUP = {"tests/thepaper/2", "tests/thepaper/4", "visiable_test/thepaper/1"}
"""The only pages of zh_html_gne that show one article."""


@pytest.fixture(scope="module")
def gne():
    path = DATA / "zh_html_gne" / "pages.jsonl.gz"
    if not path.exists():
        pytest.skip(f"the shared data sets are absent: no {path} (set QUCHONG_SHARED to the folder above data/)")
    with gzip.open(path) as lines:
        return [json.loads(line) for line in lines]


def as_gb18030(folder, rows):
    for row in rows:
        file = folder / "pages" / f"{row['id']}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        html = re.sub(r"charset=([\"']?)utf-8", r"charset=\1gbk", row["html"], flags=re.IGNORECASE)
        file.write_bytes(html.encode("gb18030"))
    return folder / "pages"


def as_warc(folder, rows):
    gz = "Content-Encoding: gzip\r\n"
    records = [answer(gzip.compress(row["html"].encode()), row["id"], n, headers=gz) for n, row in enumerate(rows)]
    (folder / "a.warc.gz").write_bytes(packed(records))
    return folder / "a.warc.gz"


FORMS = {"rows": lambda folder, rows: rows, "GB18030 files": as_gb18030, "WARC": as_warc}


@pytest.mark.shared
@pytest.mark.parametrize("form", FORMS)
def test_one_article_on_three_pages_and_no_other(gne, tmp_path, form):
    result = qc.dedup(FORMS[form](tmp_path, gne), recall_sample=0)
    assert {name.removesuffix(".html") for name in result.clusters["id"].to_pylist()} == GROUP
    assert result.counts["read"] == len(gne) and not result.skipped
