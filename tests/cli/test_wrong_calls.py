"""Covers: wrong calls: one line in one style, the exit code, the remedy, in English and in Chinese."""

import re

import pytest

CALLS = [
    ("dedup {news} -q", 2, "no output folder: give one with -o", "没有输出目录：请用 -o 指定"),
    ("dedup {nothing}", 3, "no such file; check the spelling", "没有这个文件"),
    ("dedup {news} --keep newest", 2, "did you mean latest?", "是不是想写 latest？"),
    ("dedup {news} --keep oldest", 2, "did you mean earliest?", "是不是想写 earliest？"),
    ("dedup {news} --memory 4", 2, "--memory 4 is 4 bytes: name the unit, such as 4G", "请写明单位，如 4G"),
    (
        "dedup {news} --within 7dayz",
        2,
        "is not a time span: write a number and s, m, h, d or w, such as",
        "请写一个数字加 s、m、h、d 或 w",
    ),
    (
        "dedup {news} --threshold high",
        2,
        "high is not a number; write one such as 0.7",
        "high 不是数字；请写 0.7 这样的数字",
    ),
    ("dedup {news} --recall-sample 1.5", 2, "1.5 is not a whole number", "1.5 不是整数"),
    ("chains {run} --least 1", 2, "1 is less than 2", "1 小于 2"),
    ("eval {run}", 2, "missing option '--truth'", "缺少选项 '--truth'"),
    (
        "dedup",
        2,
        "missing argument 'INPUTS...'; see quchong dedup --help",
        "缺少参数 '输入...'；用法见 quchong dedup --help",
    ),
    ("dedpu x", 2, "did you mean dedup?", "是不是想写 dedup？"),
    ("dedup {news} --outptu x", 2, "quchong dedup {news} --output x?", "quchong dedup {news} --output x？"),
    ("dedup {news} --mode move", 2, "'remove', 'annotate'", "'remove'、'annotate'"),
    ("dedup {news} --num_perms 64", 2, "'num_perms' is called --num-perm in quchong", "--num-perm"),
    ("dedup {news} --ngram 5", 2, "'ngram' is called --ngram-size in quchong", "--ngram-size"),
    ("dedup {news} -b 20", 2, "'b' is called --bands in quchong", "--bands"),
    ("dedup {news} --method minhash -b 20", 2, "'b' is called --bands in quchong; see", "'b' 在 quchong 里叫 --bands"),
    (
        "dedup {news} -o {folder}/out.parquet",
        4,
        "give a folder, such as {folder}/out/",
        "请写一个目录，如 {folder}/out/",
    ),
    ("dedup {news} --config {nothing}", 2, "No such file or directory", "没有这个文件或目录"),
    ("dedup {news} --protect {nothing}", 3, "No such file or directory", "没有这个文件或目录"),
    ("dedup {news} --fail-on alrm", 2, "did you mean alarm?", "是不是想写 alarm？"),
    ("dedup {text}.parquet", 3, "the file does not begin like a Parquet file", "开头不像“Parquet 文件”"),
    ("dedup {text}.xlsx", 3, "the file does not begin like a workbook", "开头不像“工作簿”"),
    ("dedup {text}.xls", 3, "save it in Excel as .xlsx or CSV", "请在 Excel 里另存为 .xlsx 或 CSV"),
    ("filter {news} --removed -", 2, "standard output is used for the records that pass", "标准输出已用于通过的记录"),
    (
        "report {run} -o {folder}/x.pdf",
        2,
        "a report is a web page (.html) or a workbook (.xlsx)",
        "报告是网页（.html）或工作簿（.xlsx）",
    ),
    (
        "compare {news} 今天",
        2,
        "contains records, but this command needs two texts",
        "是记录文件，而这个命令要两篇文本",
    ),
]


@pytest.fixture
def places(tmp_path, jsonl, article, command):
    news = jsonl("news.jsonl", [{"id": "a", "text": article(1)}, {"id": "b", "text": article(1)}])
    for suffix in (".parquet", ".xlsx", ".xls"):
        (tmp_path / f"text{suffix}").write_text("no table")
    assert command("dedup", news, "-o", tmp_path / "run", "-q").code == 0
    return {
        "news": news, "nothing": tmp_path / "nothing.jsonl", "run": tmp_path / "run", "folder": tmp_path,
        "text": tmp_path / "text",
    }  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("call", "code", "english", "chinese"), CALLS, ids=[call[0] for call in CALLS])
def test_a_wrong_call_is_one_line_with_a_remedy(places, command, monkeypatch, language, call, code, english, chinese):
    monkeypatch.setenv("QUCHONG_LANG", language)
    ran = command(*(word.format(**places) for word in call.split()))
    assert ran.code == code, ran.err
    said = (english if language == "en" else chinese).format(**places)
    assert said in ran.line, ran.line
    assert not re.search(r"Errno|Traceback|Usage:|Error:|valid float|magic bytes|zip file", ran.err)


def test_nothing_read_is_no_success(tmp_path, command, jsonl):
    for rows, said in (
        ([], "in.jsonl has no record"),
        ([b"{", b"["], "nothing was read: 2 of 2 records cannot be read"),
    ):
        ran = command("dedup", jsonl("in.jsonl", rows), "-o", tmp_path / f"run{len(rows)}", "-q")
        assert ran.code == 3 and said in ran.line
        assert (tmp_path / f"run{len(rows)}").exists() == bool(rows)
    ran = command("filter", tmp_path / "in.jsonl", "-q")
    assert ran.code == 3 and "all 2 records are bad" in ran.err
    assert command("filter", jsonl("none.jsonl", []), "-q").code == 3


def test_fail_on_tells_alarms_and_bad_records(tmp_path, command, jsonl, article):
    source = jsonl("in.jsonl", [{"id": "a", "text": article(1)}, {"id": "a", "text": article(2)}, b"{"])
    assert command("dedup", source, "--dry-run", "-q").code == 0
    for kinds, code in (("alarm", 6), ("bad", 6), ("alarm,bad", 6)):
        assert command("dedup", source, "--dry-run", "-q", "--fail-on", kinds).code == code
    fine = jsonl("fine.jsonl", [{"id": "a", "text": article(1)}])
    assert command("dedup", fine, "--dry-run", "-q", "--fail-on", "alarm,bad").code == 0


def test_what_is_printed(tmp_path, command, jsonl, article):
    source = jsonl("in.jsonl", [{"id": "a", "text": article(1)}, {"id": "b", "text": article(1)}])
    quiet = command("dedup", source, "-o", tmp_path / "quiet", "-q")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")
    short = command("dedup", source, "--dry-run", "--summary", "short")
    assert short.out == "2 documents: 1 kept, 1 removed\n" and short.err == ""
    assert command("dedup", source, "--dry-run", "--summary", "none").out == ""
    assert "read and fingerprint: 2 documents" in command("dedup", source, "--dry-run", "--progress").err


def test_inputs_that_are_read_in_another_way_are_told(tmp_path, command, jsonl, article):
    source = jsonl("in.jsonl", [{"id": "a", "text": article(1)}, {"id": "b", "text": article(1)}])
    assert command("dedup", source, "-o", tmp_path / "run", "-q").code == 0
    ran = command("dedup", source, source, tmp_path / "run", "--dry-run")
    assert f"{source} is given twice but read only once" in ran.err
    assert f"{tmp_path / 'run'} is a run folder: the rows that it kept are read" in ran.err


def test_spans_are_understood_as_they_are_written():
    from quchong.plan.plan import parse_within

    assert {parse_within(span) for span in ("7d", "7days", "7 days", "7天", "1w", "1 week", "168h")} == {604_800.0}
    assert parse_within("90分钟") == 5400.0


@pytest.mark.parametrize("name", ["log.txt", "log.jsonl"])
def test_a_log_file_has_stages_and_the_end(tmp_path, command, jsonl, article, name):
    import json

    source, log = jsonl("in.jsonl", [{"id": "a", "text": article(1)}]), tmp_path / name
    for _ in range(2):
        assert command("dedup", source, "--dry-run", "-q", "--log-file", log).code == 0
    lines = log.read_text().splitlines()
    assert sum("dedup ended: 1 read, 1 kept" in line for line in lines) == 2  # it is appended to
    assert any("read and fingerprint" in line for line in lines)
    if name.endswith(".jsonl"):
        assert [one["event"] for one in map(json.loads, lines)].count("run ended") == 2


def test_values_are_completed(tmp_path, command, jsonl, article, monkeypatch):
    source = jsonl("in.jsonl", [{"id": "a1", "text": article(1)}, {"id": "a2", "text": article(1)}])
    assert command("dedup", source, "-o", tmp_path / "run", "-q").code == 0
    run = tmp_path / "run"
    for words, found in (
        ("quchong comp", "plain,compare\nplain,completion\n"), ("quchong dedup --method minh", "plain,minhash\n"),
        ("quchong dedup --keep longest,ear", "plain,longest,earliest\n"), (f"quchong explain {run} a", "plain,a2\n"),
        ("quchong dedup --fail", "plain,--fail-on\n"), ("quchong dedup in", "file,in\n"),
    ):  # fmt: skip
        monkeypatch.setenv("_QUCHONG_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
        assert command().out == found
    monkeypatch.delenv("_QUCHONG_COMPLETE")
    for shell in ("bash", "zsh", "fish"):
        assert "_QUCHONG_COMPLETE" in command("completion", shell).out
