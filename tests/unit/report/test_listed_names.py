"""Covers: names in a list are joined by the separator of the language, in explanations, summaries and answers of an index."""

import quchong as qc
from quchong.languages import speaking
from quchong.report.visible import listed_names


def test_names_are_joined_by_the_separator_of_the_language():
    with speaking("zh"):
        assert listed_names(["n1", 2]) == "n1、2"
    assert listed_names(["n1", 2]) == "n1, 2" and listed_names([]) == ""


def test_an_explanation_in_chinese_lists_copies_in_chinese():
    text = "市政府宣布新桥将于三月开放通行，第一年过桥费下调百分之十二，司机可以在网上预约。"
    result = qc.dedup([{"id": name, "text": text} for name in ("a", "b", "c")], recall_sample=0)
    with speaking("zh"):
        assert "b、c" in str(result.explain("a"))
