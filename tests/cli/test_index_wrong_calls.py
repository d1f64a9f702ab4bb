"""Covers: wrong calls of the commands of an index: one line in one style, the exit code, the remedy, in English and in Chinese.

Run: pytest tests/cli/test_index_wrong_calls.py.
"""

import re
import shutil

import pytest

import quchong as qc

CALLS = [
    (
        "index add {nothing} {news}",
        5,
        "is not an index: to make one, use quchong index create",
        "不是索引：请用 quchong index create {nothing} 新建",
    ),
    (
        "index stats {run}",
        5,
        "{run} is a run folder, not an index: to make an index from it, quchong index create seen/ --from {run}",
        "{run} 是结果目录，不是索引：要据它建索引，请用 quchong index create seen/ --from {run}",
    ),
    (
        "chains {seen}",
        5,
        "to write its documents as a run, use quchong index export {seen} -o run/",
        "{seen} 是索引，不是结果目录",
    ),
    ("restore {seen} a", 5, "{seen} is an index, not a run folder", "可用 quchong index export {seen} -o run/ 把"),
    (
        "index create {seen}",
        4,
        "{seen} is already an index: add documents with quchong index add {seen} FILE",
        "{seen} 已经是索引：添加文档用 quchong index add {seen} FILE",
    ),
    ("index create {new} --set nonsense=1", 2, "has no parameter nonsense; it takes", "没有参数 nonsense"),
    ("index create {new} --method hybird", 2, "did you mean hybrid?", "是不是想写 hybrid？"),
    (
        "index create {new} --method cluster",
        2,
        "md lists the methods for an index",
        "可用的方法见 docs/guide/index.md",
    ),
    ("index create {new} --method ccdet", 2, "give a corpus with --fit", "请用 --fit 给出语料"),
    (
        "index create {new} --sync sometimes",
        2,
        "must be each, none, or a time such as 250ms or 2s",
        "应为 each、none，或 250ms、2s 这样的时间",
    ),
    ("index create {new} --store nowhere", 2, "'text', 'features', 'none'", "'text'、'features'、'none'"),
    ("index create {new} --shadow 0.7", 2, "give each parameter once", "每个参数写一次"),
    (
        "index create {new} --from {run} --keep latest --threshold 0.9",
        2,
        "--from takes the settings of the run: leave out --keep, --threshold",
        "--from 沿用那次运行的设置：请去掉 --keep、--threshold",
    ),
    ("index create {new} --within soon", 2, "--within soon is not a time span", "请写一个数字加 s、m、h、d 或 w"),
    ("index create", 2, "missing argument 'INDEX'; see quchong index create --help", "缺少参数 '索引'"),
    (
        "index import {seen}",
        2,
        "did you mean quchong index create new/ --from",
        "是不是想写 quchong index create new/ --from",
    ),
    ("index ad {seen} {news}", 2, "did you mean add? See quchong index --help", "是不是想写 add？"),
    ("index add {seen}", 2, "missing argument 'INPUTS...'", "缺少参数 '输入...'"),
    ("index add {seen} {nothing}", 3, "no such file; check the spelling", "没有这个文件"),
    ("index query {seen} {news} --fail-on fund", 2, "use found, bad; did you mean found?", "是不是想写 found？"),
    ("index delete {seen}", 2, "no id is given: name documents, or a file of ids with --ids FILE", "没有给出 ID"),
    (
        "index delete {seen} nowhere",
        2,
        "{seen} has no document 'nowhere': nothing was deleted",
        "{seen} 里没有文档 'nowhere'",
    ),
    (
        "index delete {seen} --ids {nothing}",
        3,
        "No such file or directory; give UTF-8 text, one id per line",
        "每行一个 ID",
    ),
    ("index expire {seen} --older-than soon", 2, "--older-than soon is not a time span", "--older-than soon 不是"),
    ("index expire {seen}", 2, "missing option '--older-than'", "缺少选项 '--older-than'"),
    ("explain {seen} nowhere", 2, "the index has no document 'nowhere'", "索引里没有文档 'nowhere'"),
    (
        "explain {seen} a --texts {folder}",
        2,
        "--texts looks for the texts of a run folder",
        "--texts 用来寻找结果目录的正文",
    ),
    (
        "inspect --index {seen} nowhere",
        3,
        "{seen} has no document 'nowhere', and there is no file",
        "也没有这个名字的文件",
    ),
    ("index add {seen} {news} --passages", 2, "--passages applies only with --json", "--passages 只用于 --json"),
    (
        "index query {seen} {news} --only-known",
        2,
        "--only-known applies only with --json",
        "--only-known 只用于 --json",
    ),
    ("index export {seen} -o {seen}/run", 4, "name another place", "在索引"),
    ("index backup {seen} {seen}/copy", 4, "name another place", "在索引"),
    ("index migrate {folder}", 5, "is not an index: to make one, use quchong index create", "不是索引"),
    ("index compact {run}", 5, "is a run folder, not an index", "是结果目录，不是索引"),
    ("index create {new} --text", 2, "--text", "--text"),
    ("index create {new} --workers 0", 2, "--workers", "--workers"),
    (
        "inspect --index {seen} --run {run} a",
        2,
        "--run and --index: give only one of them",
        "--run 和 --index 只能给一个",
    ),
    (
        "inspect --index {seen} a --body all",
        2,
        "documents of an index are read with the settings of the index",
        "按索引的设置读取",
    ),
]


MADE = []
"""The folder of the input, the run and the index, once it is made."""


@pytest.fixture
def places(tmp_path, tmp_path_factory, jsonl, article, command):
    """The input, a run and an index, copied from where they were made once."""
    if not MADE:
        made = tmp_path_factory.mktemp("places")
        news = jsonl(made / "news.jsonl", [{"id": "a", "text": article(1)}, {"id": "b", "text": article(1)}])
        assert command("dedup", news, "-o", made / "run", "-q").code == 0
        assert command("index", "create", made / "seen", "-q").code == 0
        assert command("index", "add", made / "seen", news, "-q").code == 0
        MADE.append(made)
    shutil.copytree(MADE[0], tmp_path, dirs_exist_ok=True)
    return {
        "news": tmp_path / "news.jsonl", "run": tmp_path / "run", "seen": tmp_path / "seen", "new": tmp_path / "new", "folder": tmp_path,
        "nothing": tmp_path / "nothing.jsonl",
    }  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("call", "code", "english", "chinese"), CALLS, ids=[call[0] for call in CALLS])
def test_a_wrong_call_of_an_index_is_one_line_with_a_remedy(
    places, command, monkeypatch, language, call, code, english, chinese
):
    monkeypatch.setenv("QUCHONG_LANG", language)
    ran = command(*(word.format(**places) for word in call.split()))
    assert ran.code == code, ran.err
    said = (english if language == "en" else chinese).format(**places)
    assert said in ran.line, ran.line
    assert not re.search(r"Errno|Traceback|Usage:|Error:", ran.err)
    assert not places["new"].exists()


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "is already open for writing in this process"), ("zh", "已在本进程中打开供写入")],
)
def test_a_second_writer_is_refused_and_readers_are_not(places, command, monkeypatch, language, said):
    monkeypatch.setenv("QUCHONG_LANG", language)
    with qc.Index(places["seen"]):
        refused = command("index", "add", places["seen"], places["news"])
        assert refused.code == 4 and said in refused.line
        assert command("index", "query", places["seen"], places["news"], "-q").code == 0
        assert command("index", "stats", places["seen"]).code == 0
