"""Covers: two documents beside each other: records, files and texts; titles, headings, addresses, sites; statistics.

Compared against: a run over the same two documents.
"""

import pytest

import quchong as qc
from quchong.api import fit_statistics

PARAGRAPHS = [
    "第一段讲的是去重问题的由来，互联网上有大量重复网页，约占总量的三成到四成五。这些网页浪费了存储空间，也降低了检索质量。",
    "标题是根，自然段是结点，层次由标签的权值决定。构造时自上而下扫描正文，遇到小标题就新建一层。",
    "先比较标题，再比较关键词，最后逐层比较结点。某层差别太大时立即停止，不再向下比较。",
    "数据来自多个新闻网站，编辑人工标注了重复的页面。标注者互相核对，分歧由第三人裁定。",
    "特征串的方法在小文档上召回率更高，时间也更短。长句的方法在改写之后容易失效。",
    "总的说来，结构树利用了转载网页格式不变的特点。后续工作将考虑表格与图片。",
]
HEADINGS = {1: "基于正文结构的方法", 3: "实验结果与分析"}
TREES = ("tree-long-sentence", "tree-key-sentence", "tree-feature-string")


def page(paragraphs, headings, site="甲站"):
    body = "".join(
        (f"<h2>{headings[i]}</h2>" if i in headings else "") + f"<p>{text}</p>" for i, text in enumerate(paragraphs)
    )
    return (
        f'<html><head><meta charset="utf-8"><title>网页去重算法综述研究_{site}</title></head><body><div class="nav">'
        f'<a href="/">首页</a></div><div id="content"><h1>网页去重算法综述研究</h1>{body}</div>'
        f'<div class="foot">版权所有 {site}</div></body></html>'
    )


PAGES = {
    "headed": page(PARAGRAPHS, HEADINGS),
    "again": page([p.replace("大量", "许多") for p in PARAGRAPHS], HEADINGS, "乙站"),
    "flat": page(PARAGRAPHS, {}, "丁站"),
}


def relation_of_a_run(left, right, **options):
    found = qc.dedup([dict(left, id="a"), dict(right, id="b")], recall_sample=0, **options).pairs.to_pylist()
    return found[0]["relation"] if found else "none"


@pytest.mark.parametrize("method", TREES)
@pytest.mark.parametrize("other", ["again", "flat"])
def test_headings_of_pages_count_as_in_a_run(method, other):
    left, right = {"html": PAGES["headed"]}, {"html": PAGES[other]}
    assert qc.compare(left, right, method=method).relation == relation_of_a_run(left, right, method=method)


def test_headings_tell_pages_apart_and_together():
    """The flat page has the same words: only who sees its headings can tell the two apart."""
    told = {o: qc.compare({"html": PAGES["headed"]}, {"html": PAGES[o]}, method=TREES[0]) for o in ("again", "flat")}
    assert told["again"].relation == "duplicate" and told["flat"].relation == "none"
    alone = qc.compare(told["flat"].texts[0], told["flat"].texts[1], method=TREES[0])
    assert alone.measures["evidence"] != told["flat"].measures["evidence"]


def test_files_are_read_as_pages(tmp_path):
    for name, html in PAGES.items():
        (tmp_path / f"{name}.html").write_text(html, encoding="utf-8")
    for other in ("again", "flat"):
        records = qc.compare({"html": PAGES["headed"]}, {"html": PAGES[other]}, method=TREES[0])
        files = qc.compare(tmp_path / "headed.html", tmp_path / f"{other}.html", method=TREES[0])
        assert files == records and "版权所有" not in files.texts[0]
    (tmp_path / "plain.txt").write_text(PARAGRAPHS[0], encoding="utf-8-sig")
    found = qc.compare(tmp_path / "plain.txt", PARAGRAPHS[0])
    assert found.relation == "exact" and found.texts == (PARAGRAPHS[0], PARAGRAPHS[0])
    assert [(p.start, p.end) for p in found.passages] == [(0, len(PARAGRAPHS[0]) - 1)]  # without the last mark


def test_addresses_and_sites():
    left = {"text": PARAGRAPHS[0], "url": "HTTP://WWW.a.example.com/x#top"}
    right = {"text": PARAGRAPHS[1], "url": "http://www.a.example.com/x"}
    assert qc.compare(left, right, method="url").relation == relation_of_a_run(left, right, method="url") == "duplicate"
    assert qc.compare(left, dict(right, url=None), method="url").relation == "none"


@pytest.mark.parametrize("method", ["ccdet", "imatch", "imatch-p", "spotsigs", "partial", "cluster", "two-stage"])
def test_what_is_counted_on_a_corpus_is_counted_on_the_two(method):
    options = {"weights": "idf"} if method == "two-stage" else {}
    text = "".join(PARAGRAPHS)
    for other in (text.replace("大量", "许多"), text[: len(text) // 2], "".join(PARAGRAPHS[::-1])):
        left, right = {"text": text}, {"text": other}
        wanted = relation_of_a_run(left, right, method=method, **options)
        assert qc.compare(left, right, method=method, **options).relation == wanted


def test_statistics_given_are_those_used():
    corpus = ["".join(PARAGRAPHS), *PARAGRAPHS, *(p * 2 for p in PARAGRAPHS)]
    known = fit_statistics(corpus, method="imatch")
    left, right = {"text": corpus[0]}, {"text": corpus[0].replace("大量", "许多")}
    told = [qc.compare(left, right, method="imatch", statistics=s) for s in (None, known)]
    assert told[0].measures["features_left"] != told[1].measures["features_left"]
    assert told[1].relation == relation_of_a_run(left, right, method="imatch", statistics=known)


def test_several_text_columns_and_what_is_taken_out():
    left, right = (
        {"head": "今天停水", "body": PARAGRAPHS[0]},
        {"head": "今天停水", "body": "（记者王小明）" + PARAGRAPHS[0]},
    )
    asked = {"text": "head,body", "strip": "source"}
    assert qc.compare(left, right, **asked).relation == relation_of_a_run(left, right, **asked)
    assert qc.compare(left, right, **asked).texts[0] == f"今天停水\n\u1160\n{PARAGRAPHS[0]}"


@pytest.mark.parametrize("method", ["hybrid", "ccdet", "two-stage"])
def test_texts_too_short_to_compare(method):
    assert qc.compare("哈哈", "哈哈", method=method).relation == "exact"
    assert qc.compare("哈哈", "呵呵", method=method).relation == "none"
    assert qc.compare("", "", method=method).relation == "none"


def test_what_cannot_be_compared(tmp_path):
    with pytest.raises(qc.UsageError, match="left must be a text"):
        qc.compare(None, "a")
    with pytest.raises(qc.InputError, match="no column 'text'"):
        qc.compare("a", {"id": 1})
    assert qc.compare("a", {"text": None}).relation == "none"  # a row without a text is kept
    (tmp_path / "b.txt").write_bytes(b"a\0b")
    with pytest.raises(qc.InputError, match=r"b\.txt: the file looks like binary data"):
        qc.compare("a", tmp_path / "b.txt")
    for path in (tmp_path / "none.txt", tmp_path):
        with pytest.raises(qc.InputError):
            qc.compare("a", path)


def test_a_column_of_nothing_but_nulls_does_not_matter():
    rows = [{"id": i, "text": PARAGRAPHS[0], "url": None} for i in "ab"]
    result = qc.dedup(rows, method="url")
    assert PARAGRAPHS[0][:8] in str(result.explain(result.ledger["id"][0].as_py()))
    assert qc.compare(rows[0], rows[1], method="url").relation == "exact"
