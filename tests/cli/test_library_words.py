"""Covers: error texts of libraries (JSON, TOML, Parquet, Arrow, decompressors) inside messages, which are said in Chinese too."""

import json
import re

import pytest

from quchong.io.records.json_values import parsed
from quchong.io.records.reader import Refused
from quchong.languages import speaking

BROKEN = [
    "{", '{"a":', '{"a" 1}', "{a: 1}", '{"a":1,}', "[1,]", "[1 2]", '{"a":1 "b":2}', "nonsense", "tru", "fals", "1 2", "01", "-", "1.", "1e",
    "1e999", '"\\x"', '"\\u12"', '"a\tb"', '"abc', "?", "[" * 5_000,
]  # fmt: skip
FILES = [
    ("in.jsonl.gz", b"zzz", "压缩数据已损坏"),
    ("in.jsonl.zst", b"zzz", "压缩数据已损坏"),
    ("in.jsonl.bz2", b"zzz", "压缩数据已损坏"),
    ("in.arrow", b"bad", "不是 Arrow 文件"),
    ("in.parquet", b"PAR1 bad", "不是 Parquet 文件"),
]


def foreign(message: str) -> list[str]:
    """Return the English words of a Chinese message, without names of formats and values."""
    return re.findall(r"[A-Za-z]{2,}", re.sub(r"JSON|TOML|UTF-8|Parquet|Arrow|NUL|true|false|null|\\u\w+", "", message))


@pytest.mark.parametrize("line", BROKEN, ids=lambda line: line[:12])
def test_a_broken_line_is_explained_in_chinese(line):
    with pytest.raises(Refused) as refused:
        parsed(line.encode())
    reason = refused.value.args[0]
    with speaking("zh"):
        assert foreign(reason.translation()) == []
    assert str(reason).startswith("broken JSON: ")


@pytest.mark.parametrize(
    "value", ['{"id" "b"}', '{"id":"b" "c"}', "{id:1}", '{"id":}', '{"id":"a\tb"}', '{"id":"\\x"}']
)
def test_a_broken_value_of_an_array_is_explained_in_chinese(command, tmp_path, monkeypatch, value):
    path = tmp_path / "in.json"
    path.write_text(f'[{{"id":"a","text":"好"}},\n{value},{{"id":"c","text":"x"}}]', "utf-8")
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    said = command("dedup", path, "--dry-run", "--fail-on", "bad")
    (reason,) = re.findall("JSON 有误：(.*)", said.out + said.err)[:1]
    assert "个字符处" in reason and foreign(reason) == []


@pytest.mark.parametrize(("name", "content", "chinese"), FILES, ids=[name for name, *_ in FILES])
def test_a_damaged_file_is_explained_in_chinese(command, tmp_path, monkeypatch, name, content, chinese):
    path = tmp_path / name
    path.write_bytes(content)
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    ran = command("dedup", path, "--dry-run", "-q")
    assert ran.code == 3 and chinese in ran.err
    assert foreign(ran.err.replace(str(path), "").replace("--format", "")) == ["quchong"]


@pytest.mark.parametrize(
    ("name", "content", "english", "chinese"),
    [
        ("o.toml", "a=[", "Invalid value at the end of the file", "文件末尾：值有误"),
        ("o.toml", "threshold 3", "at line 1, column 11", "第 1 行第 11 列：键的后面缺少 ="),
        ("o.json", "{a:1}", "at line 1, column 2", "第 1 行第 2 列：键名应写在英文双引号里"),
        ("o.json", '{"a":1', "Expecting ',' delimiter at line 1, column 7", "第 1 行第 7 列：缺少逗号"),
    ],
)
def test_a_broken_file_of_options_is_explained(command, tmp_path, monkeypatch, name, content, english, chinese):
    (tmp_path / name).write_text(content)
    for language, said in (("en", english), ("zh", chinese)):
        monkeypatch.setenv("QUCHONG_LANG", language)
        ran = command("dedup", tmp_path / "in.jsonl", "--config", tmp_path / name, "-o", tmp_path / "run")
        assert ran.code == 2 and said in ran.err, ran.err


@pytest.mark.parametrize(
    ("act", "chinese"),
    [
        ("nonsense}", "不是 JSON"),
        ({"said": 1}, "这不是一项复核决定"),
        ({"act": "burn"}, "没有操作 'burn'；可用的操作："),
        ({"act": "label", "label": "maybe"}, "没有标注 'maybe'"),
        ({"act": "label", "label": "same", "left_id": "a", "right_id": "a"}, "标注的两篇都是 'a'"),
        ({"act": "label", "label": "same", "left_id": 1.5, "right_id": "a"}, "left_id 既不是文本也不是整数"),
    ],
)
def test_a_line_that_is_no_decision_is_explained_in_chinese(
    command, jsonl, article, tmp_path, monkeypatch, act, chinese
):
    decisions = tmp_path / "acts.jsonl"
    decisions.write_text(f"{act if isinstance(act, str) else json.dumps(act)}\n")
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    ran = command(
        "dedup", jsonl("in.jsonl", [{"id": "a", "text": article(1)}]), "--decisions", decisions, "--dry-run", "-q"
    )
    assert ran.code == 3 and chinese in ran.err, ran.err
