"""Columns under usual names: files that need no option, on the command line and in Python; never a guess between two."""

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc

NAMES = ("编号", "标题", "正文", "媒体", "发布时间", "链接")
SAME = "今天上午，市政府召开新闻发布会，介绍全市防疫工作的最新进展，通报新增病例情况，并回答记者提问。"
ROWS = [
    ("b", "标题甲", SAME, "人民网", "2020-03-02 10:00", "http://b.cn/1"),
    ("a", "标题乙", SAME, "新华社", "2020-03-01 10:00", "http://a.cn/1"),
    (
        "c",
        "标题丙",
        "省教育厅发布通知，要求各地中小学校按时开学，做好返校师生的健康监测工作。",
        "新华社",
        "2020-03-03",
        "x",
    ),
]
READ = {"text": "正文", "id": "编号", "time": "发布时间", "source": "媒体"}


def monitored(folder, suffix):
    path = folder / f"监测{suffix}"
    if suffix == ".csv":
        with path.open("w", encoding="gb18030", newline="") as file:
            csv.writer(file).writerows([NAMES, *ROWS])
    elif suffix == ".jsonl":
        path.write_text("".join(json.dumps(dict(zip(NAMES, row, strict=True))) + "\n" for row in ROWS))
    else:
        pq.write_table(pa.Table.from_pylist([dict(zip(NAMES, row, strict=True)) for row in ROWS]), path)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_a_chinese_file_needs_no_option(command, tmp_path, suffix):
    out = tmp_path / "out"
    ran = command("dedup", monitored(tmp_path, suffix), "-o", out, "--lang", "zh")
    assert ran.code == 0, ran.err
    assert ran.out.count("“正文”列作为正文") == 1 and "“正文”列作为正文" in ran.out.splitlines()[0]
    about = json.loads((out / "run.json").read_text())
    assert about["config"]["text"] == ["正文"] and about["config"]["time_key"] == "发布时间"
    assert [note["figures"]["found"] for note in about["alarms"] if note["kind"] == "columns"] == [READ]
    assert pq.read_table(out / "ledger.parquet")["id"].to_pylist() == ["b"]  # a was published first
    assert command("explain", out, "b").code == 0


def test_python_reads_the_same_columns(tmp_path):
    rows = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
    for data in (rows, iter(rows), pa.Table.from_pylist(rows), monitored(tmp_path, ".csv")):
        result = qc.dedup(data)
        assert result.ledger["id"].to_pylist() == ["b"]
        assert [alarm["level"] for alarm in result.alarms if alarm["kind"] == "columns"] == ["note"]
    assert qc.dedup(rows, text="标题").counts["removed"] == 0  # what is named is read


def test_our_own_names_come_first():
    result = qc.dedup([{"text": "甲乙丙丁戊己庚辛", "content": SAME}, {"text": "子丑寅卯辰巳午未", "content": SAME}])
    assert result.counts["removed"] == 0 and not result.alarms


def test_no_guess_between_two_texts(command, tmp_path):
    path = tmp_path / "two.csv"
    path.write_text("content,body\nabc,def\n")
    ran = command("dedup", path, "--dry-run", "-q")
    assert ran.code == 3
    assert (
        "each of these columns may be the text: 'content', 'body'. Name the right column, such as --text-key content"
        in ran.line
    )
    assert command("dedup", path, "--dry-run", "--text-key", "body").code == 0


def test_no_guess_between_two_times():
    result = qc.dedup([{"text": "甲乙丙丁戊己庚辛", "date": "2020-01-01", "发布时间": "2020-01-02"}])
    [note] = result.alarms
    assert note["figures"] == {"found": {}, "unsure": {"time": ["date", "发布时间"]}}
    assert (
        "each of the columns date, 发布时间 may be the time, so none was used; name the right column" in note["message"]
    )


def test_an_empty_column_of_a_usual_name_is_no_error():
    assert qc.dedup([{"content": SAME, "来源": None}, {"content": SAME, "来源": None}]).counts["removed"] == 1


def test_pages_are_read_where_there_are_pages():
    page = "<html><body><article><p>" + SAME * 3 + "</p></article></body></html>"
    result = qc.dedup([{"html": page, "content": "甲乙丙丁"}, {"html": page, "content": "子丑寅卯"}])
    assert result.counts["removed"] == 1 and not result.alarms


@pytest.mark.parametrize("argv", [("passages", "--corpus"), ("statistics", "-o", "s.parquet")])
def test_other_commands_find_the_text(command, tmp_path, argv):
    words = [str(tmp_path / word) if word.endswith(".parquet") else word for word in argv]
    ran = command(words[0], monitored(tmp_path, ".jsonl"), *words[1:])
    assert ran.code == 0, ran.err
    assert "正文 is read as the text" in ran.out + ran.err


def test_filter_finds_the_text(command, tmp_path):
    ran = command("filter", monitored(tmp_path, ".jsonl"))
    assert ran.code == 0 and len(ran.out.splitlines()) == 2
    assert "正文 is read as the text" in ran.err


def test_the_error_names_the_columns_in_both_languages(command, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("标题,作者\na,b\n")
    english = command("dedup", path, "--dry-run", "-q")
    assert (
        "has no column 'text'; it has these columns: '标题', '作者'. Name the column of the text with --text-key COLUMN"
        in english.line
    )
    chinese = command("dedup", path, "--dry-run", "-q", "--lang", "zh")
    assert chinese.code == 3
    assert (
        "里没有 'text' 列，也没有 'html' 列。现有各列：'标题'、'作者'。请用 --text-key 列名 指明正文在哪一列"
        in chinese.line
    )


def test_without_an_id_and_a_source_the_url_is_both():
    rows = [{"text": SAME, "url": "http://www.a.cn/1"}, {"text": SAME, "url": "http://news.b.cn/2"}]
    result = qc.dedup(rows, keep="source:b.cn>a.cn")
    assert result.ledger["id"].to_pylist() == ["http://www.a.cn/1"]
    [note] = [alarm for alarm in result.alarms if alarm["kind"] == "columns"]
    assert note["figures"]["found"] == {"id": "url", "source": "url"}
    assert qc.dedup([{"text": SAME, "url": None}, {"text": SAME, "url": None}]).counts["removed"] == 1
    named = qc.dedup([{**row, "编号": f"n{i}", "来源": "甲"} for i, row in enumerate(rows)])
    assert named.ledger["id"].to_pylist() == ["n1"]


@pytest.mark.parametrize(
    ("role", "names"),
    [
        ("text", ["text", "content", "body", "正文", "内容", "article"]),
        ("id", ["id", "_id", "url", "编号"]),
        ("time", ["time", "date", "published", "pub_time", "发布时间", "日期"]),
        ("source", ["source", "site", "publisher", "来源", "媒体", "split"]),
    ],
)
def test_every_usual_name_is_read(role, names):
    for name in names:
        row = {"text": SAME, "id": "a"} | {name: "2024-01-02"}
        if role == "text":
            row = {"id": "a", name: SAME}
        elif role == "id":
            row = {"text": SAME, name: "a"}
        result = qc.dedup([row])
        found = {
            key: value
            for note in result.alarms
            if note["kind"] == "columns"
            for key, value in note["figures"]["found"].items()
        }
        assert found.get(role, role) == name, name
