"""Covers: what a method sees as text, HTML and JSON (`quchong.views.inspection`), in both languages; hostile texts in it.

Run: pytest tests/unit/views/test_inspection_shown.py.
"""

import base64
import hashlib
import html.parser
import json
import re
from string import Formatter

import numpy as np
import pytest

import quchong as qc
from quchong.errors import OutputError, UsageError
from quchong.languages import page_word
from quchong.methods import PLACES
from quchong.seam import Marks
from quchong.views.inspection.items import sides
from quchong.views.inspection.words import COUNTS, RULES, WORDS, called, rule_said

ONE = "云河地铁4号线今天开通运营。早班车六点发车，末班车十点收车。票价两元起步。市民可以刷卡进站。"
TWO = ONE.replace("六点", "七点") + "记者现场看到乘客很多。"
EVIL = "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)></style></textarea>\x1b]0;t\x07\u202e反\u200b转。${7*7}{{x}}"


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *one) for one in attrs]

    def handle_data(self, data):
        self.text += data


def parsed(text):
    tags = Tags()
    tags.feed(text)
    return tags


def test_every_word_stands_in_both_languages_with_the_same_values():
    for key in WORDS:
        english, chinese = (page_word(language, WORDS[key]) for language in ("en", "zh"))
        fields = [sorted(f[1] or "" for f in Formatter().parse(w) if f[1] is not None) for w in (english, chinese)]
        assert len(fields[0]) == len(fields[1]) or key == "undecided", key
        assert not english or (chinese and re.search(r"[\u4e00-\u9fff，；：]", chinese)) or key == "told", key
    assert all(re.search(r"[\u4e00-\u9fff]", word) for word in (page_word("zh", rule) for rule in RULES))


@pytest.mark.parametrize("name", PLACES)
def test_everything_a_method_of_ours_says_has_a_word_in_both_languages(name):
    for given in ((ONE, TWO), (ONE, "完全不同的一篇短文。"), (ONE,)):
        seen = qc.inspect(*given, method=name).seen
        told = [("sight", s.what) for s in seen.sights] + [("gate", g.what) for g in seen.gates]
        told += [("why", s.why) for s in seen.sights if isinstance(s, Marks) and not s.counted.all()]
        told += [("figure", f) for s in seen.sights if isinstance(s, Marks) for f in s.figures]
        for kind, key in told:
            known = f"{kind}.{key}" in WORDS or (kind == "gate" and key.startswith("layer "))
            assert known, (kind, key)
            assert called("zh", kind, key) != called("en", kind, key)
    assert rule_said("zh", "no rule of ours") == "no rule of ours" and COUNTS


def test_the_text_in_both_languages():
    found = qc.inspect(ONE, TWO, method="hybrid")
    english, chinese = found.text("en"), found.text("zh")
    assert english.startswith("How hybrid compares left and right") and "keys in common" in english
    assert chinese.startswith("hybrid 如何比较 left 与 right") and "结论" in chinese and "Steps to" not in chinese
    assert "⟦" in english and found.text("zh", most=1) != chinese
    with pytest.raises(UsageError, match="lang"):
        found.text("fr")


def test_the_language_is_that_of_the_environment(monkeypatch):
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    found = qc.inspect(ONE, method="ccdet")
    assert "句号特征" in str(found) and "句号特征" in found._repr_html_()
    monkeypatch.setenv("QUCHONG_LANG", "en")
    assert "features of full stops" in str(found) and repr(found) == "<quchong.Inspection: ccdet on left>"


@pytest.mark.parametrize("name", PLACES)
def test_json_holds_all_and_reads_back(name):
    told = json.loads(json.dumps(qc.inspect(ONE, TWO, method=name).to_dict(), ensure_ascii=False, allow_nan=False))
    compared = qc.compare(ONE, TWO, method=name)
    assert told["method"] == name and told["comparison"]["relation"] == compared.relation
    assert told["comparison"]["jaccard"] == compared.jaccard and len(told["sees"]) >= 1
    for sight in told["sees"]:
        if sight["shape"] == "marks":
            for side, text in zip(sight["documents"], (ONE, TWO), strict=True):
                assert side["seen"] == len(side["features"]) and side["counted"] == sum(
                    f["counted"] for f in side["features"]
                )
                assert all(0 <= f["start"] <= f["end"] <= len(text) for f in side["features"])


@pytest.mark.parametrize(
    "name", ["hybrid", "sl-st", "ccdet", "spotsigs", "two-stage", "minhash", "tree-key-sentence", "url", "codet"]
)
def test_hostile_texts_stay_texts(name, tmp_path):
    one = {"id": EVIL, "text": EVIL * 3 + ONE, "title": EVIL, "url": "https://a.example/?q=" + EVIL}
    two = {"id": "b", "text": EVIL * 3 + TWO, "title": EVIL + "b", "url": "https://a.example/?q=" + EVIL}
    found = qc.inspect(one, two, method=name)
    page = found.save(tmp_path / "seen.html", lang="en").read_text("utf-8")
    tags = parsed(page)
    assert not {"script", "img", "iframe", "a", "form", "textarea"} & set(tags.tags)
    assert not [a for a in tags.attributes if a[1].startswith("on") or a[1] in ("style", "src", "href")]
    assert "<script>alert(1)" in tags.text
    for text in (page, found._repr_html_(), found.text("en"), found.text("zh")):
        assert not re.search("[\x00-\x08\x0b-\x1f\u200b\u202e]", text)
    assert not parsed(found._repr_html_()).tags.count("script")


def test_the_page_asks_for_nothing_and_allows_its_own_style_alone(tmp_path):
    page = qc.inspect(ONE, TWO, method="sl-st").save(tmp_path / "seen.html", lang="zh").read_text("utf-8")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.S)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert (
        policy.startswith("default-src 'none'") and f"style-src 'sha256-{digest}'" in policy and "unsafe" not in policy
    )
    assert "url(" not in style and "@import" not in style and "<script" not in page and "http://" not in page
    assert page.startswith("<!doctype html>") and '<html lang="zh-Hans">' in page
    assert "判定过程" in page and "Steps to the decision" in page  # both languages; one of them is shown
    assert re.search(r'id="lang-zh" checked', page) and not re.search(r'id="lang-en" checked', page)


def test_a_page_replaces_nothing_but_pages_of_its_kind(tmp_path):
    found, path = qc.inspect(ONE), tmp_path / "seen.html"
    found.save(path)
    with pytest.raises(OutputError, match="exists"):
        found.save(path)
    found.save(path, overwrite=True)
    other = tmp_path / "mine.html"
    other.write_text("mine", "utf-8")
    with pytest.raises(OutputError, match="not a page of quchong inspect"):
        found.save(other, overwrite=True)
    assert other.read_text("utf-8") == "mine"
    with pytest.raises(OutputError, match="no folder"):
        found.save(tmp_path / "none" / "seen.html")
    with pytest.raises(OutputError, match="is a folder"):
        found.save(tmp_path, overwrite=True)
    text = tmp_path / "a.txt"
    text.write_text(ONE, "utf-8")
    with pytest.raises(OutputError):
        qc.inspect(text).save(text, overwrite=True)
    assert text.read_text("utf-8") == ONE


def test_the_value_0_equals_nothing():
    marks = Marks("x", np.array([0, 1, 2]), np.zeros((2, 2), np.int64), np.zeros(2, np.uint64), np.ones(2, bool))
    assert [side.common for side in sides(marks, ("a", "b"))] == [0, 0]


def test_long_texts_are_cut_and_say_so(tmp_path):
    long = "".join(chr(0x4E00 + (i * 7919) % 5000) for i in range(60_000))
    found = qc.inspect(long, long[:-50] + "末尾不同", method="winnowing")
    assert "characters more" in found.text("en") and len(found.text("en")) < 20_000
    page = found.save(tmp_path / "long.html")
    assert page.stat().st_size < 400_000
