"""Covers: what is taken out of texts before they are compared (`quchong.text.prepare`)."""

import pytest

import quchong as qc

SPRING = "春天来了公园里的樱花盛开吸引大批市民前往观赏拍照留念管理处提醒游客文明赏花注意安全"


@pytest.mark.parametrize("strip", ["source", "editor", "dateline,source,editor"])
def test_lines_indented_the_chinese_way_are_stripped(strip):
    tail = "\u3000\u3000来源：新华社北京分社" if "source" in strip else "\u3000\u3000责任编辑：某某某"
    rows = [{"id": "a", "text": f"{SPRING}\n{tail}"}, {"id": "b", "text": SPRING}]
    assert qc.dedup(rows, strip=strip).pairs["relation"].to_pylist() == ["exact"]
