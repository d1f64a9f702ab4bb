"""Covers: the command line in Chinese: help, summaries, explanations, errors with remedies; what is stored stays English."""

import gettext
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import quchong as qc
from quchong.cli.index import command as INDEX
from quchong.cli.main import COMMANDS
from quchong.cli.progress import done_before
from quchong.cli.speech import asked_for, choose
from quchong.cli.wrapping import width, wrapped
from quchong.languages import LANGUAGES, language, speaking
from quchong.plan.catalogue import METHODS

NEWS = Path(__file__).parents[2] / "examples" / "news.jsonl"
TRUTH = NEWS.with_name("truth.jsonl")
NAMES = re.compile(
    r"--?[\w-]+|`[^`]*`|\b[A-Z][\w:./=-]*\b|\[[^\]\u4e00-\u9fff]*\]|[“'\"(][^”'\")\u4e00-\u9fff]*[”'\")]|\S*[./_~=*{}<>|]\S*"
)
"""Options, metavars, choices, file names, names in quotes or capitals."""
RUN = re.compile(r"\b[a-z]{2,}(?: [a-z]{2,}){3,}\b")
"""Four English words one after another."""
HELPS = [
    [],
    *([name] for name in COMMANDS),
    ["lab", "list"],
    ["lab", "run"],
    *(["index", name] for name in INDEX.commands),
]


def english(text):
    """What is left in English of a Chinese output."""
    joined = re.sub(r"\s*\n\s*", " ", re.sub(r"^  quchong .*$", "", text, flags=re.M))  # examples
    return RUN.findall(NAMES.sub(" , ", joined))


@pytest.fixture
def chinese(command, monkeypatch):
    monkeypatch.delenv("QUCHONG_LANG")
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    return command


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return qc.dedup(NEWS, out=tmp_path_factory.mktemp("made") / "run").folder


@pytest.fixture
def run(made, tmp_path):
    return shutil.copytree(made, tmp_path / "run")


@pytest.mark.parametrize("argv", HELPS, ids=" ".join)
def test_every_help_is_chinese_and_fits_the_terminal(chinese, argv):
    ran = chinese(*argv, "--help")
    lines = ran.out.splitlines()
    assert ran.code == 0 and lines[0].startswith("用法：") and english(ran.out) == []
    assert not re.search(r"\b(Usage|Options|Commands|default|Show this)\b", ran.out)
    assert max(map(width, lines)) <= 80
    assert not [line for line in lines if re.match(r"\s*[，。；：！？、）》”]", line)]
    assert sum(bool(re.search(r"[\u4e00-\u9fff]", line)) for line in lines) > len(lines) / 2


def test_options_and_their_helps_stand_in_columns(chinese):
    lines = chinese("restore", "--help").out.splitlines()
    helps = [re.match(r"  (--\w+ ?\S*)\s{2,}(?=\S)", line) for line in lines]
    assert len({width(found[0]) for found in helps if found}) == 1


@pytest.mark.parametrize("name", [None, *METHODS])
def test_methods_are_told_in_chinese(chinese, name):
    ran = chinese("methods", *([name] if name else []))
    assert ran.code == 0 and english(ran.out) == []
    assert "开销：" in ran.out and (name is None or "含义" in ran.out)


def test_a_run_is_told_in_chinese_and_stored_in_english(chinese, tmp_path, monkeypatch):
    ran = chinese("dedup", NEWS, "-o", tmp_path / "zh", "--progress")
    assert ran.code == 0 and english(ran.out + ran.err) == []
    for words in (
        "读入",
        "保留的变体",
        "21 对，栏位 21",
        "近似重复 duplicate",
        "最大的重复簇",
        "候选召回率（实测）",
        "内存峰值",
        "已写入",
    ):
        assert words in ran.out, words
    assert re.search(r"^读取并提取特征：104 篇，用时 [\d.]+ 秒", ran.err, re.M)
    monkeypatch.setenv("QUCHONG_LANG", "en")
    assert "biggest clusters" in chinese("dedup", NEWS, "-o", tmp_path / "en").out
    stored = {}
    for folder in ("zh", "en"):
        manifest = json.loads((tmp_path / folder / "run.json").read_text("utf-8"))
        del manifest["counts"]["peak_memory_bytes"]
        stored[folder] = {name: manifest[name] for name in ("counts", "config", "alarms", "recall", "mode")}
        assert not re.search(
            r"[\u4e00-\u9fff]", json.dumps([manifest["alarms"], list(manifest["seconds"])], ensure_ascii=False)
        )
    assert stored["zh"] == stored["en"]
    for file in ("ledger.parquet", "pairs.parquet", "clusters.parquet", "kept.jsonl"):
        assert (tmp_path / "zh" / file).read_bytes() == (tmp_path / "en" / file).read_bytes()


def test_alarms_are_told_in_chinese(chinese, jsonl, article, tmp_path):
    source = jsonl("in.jsonl", [{"id": "a", "text": article(1)}, {"id": "a", "text": article(2)}, {"id": "b"}, b"[1]"])
    ran = chinese("dedup", source, "--dry-run", "--keep", "latest")
    assert ran.code == 0 and english(ran.out) == [], ran.out
    assert "警报：ID 重复：有 1 篇文档的 ID 与前面的文档相同" in ran.out and "警报：坏记录太多：" in ran.out
    assert "警报：没有时间：--keep latest 找不到时间" in ran.out and "第 4 行：不是对象" in ran.out


def test_explanations_comparisons_and_passages_are_chinese(chinese, run, tmp_path):
    told = chinese("explain", run, "n009", "n005", "n001").out
    for words in ("n009 已删除：它包含于 n005", "判定规则：包含度达标 containment（阈值 0.85）", "n005 已保留", "因这篇文档而删的有 3 篇：",
                  "这篇文档的其他文档对：", "--- n009（已删），公共片段已标出"):  # fmt: skip
        assert words in told, words
    beside = chinese("explain", run, "n006", "--with", "n005").out
    assert beside.startswith("n006 ") and "公共片段" in beside.splitlines()[3] and "判定规则：" in beside
    for name, text in (
        ("a.txt", "云河市水务局3月5日通知，约12000户受影响。" * 4),
        ("b.txt", "云河市水务局3月6日通知，约12000户受影响。" * 4),
    ):
        (tmp_path / name).write_text(text, "utf-8")
    compared = chinese("compare", tmp_path / "a.txt", tmp_path / "b.txt").out
    assert "对 " in compared and "变体 variant" in compared and "）：日期 3月5日 → 3月6日" in compared
    assert "处片段出现在两篇以上文档里" in chinese("passages", NEWS, "-q").out
    assert "首发，" in chinese("chains", run).out
    back = chinese("restore", run, "n009")
    assert (
        back.out.splitlines()[0] == "放回了 1 行"
        and "运行删除了这篇文档，后来用 quchong restore 恢复了" in chinese("explain", run, "n009").out
    )


KEYS = ("--truth", TRUTH, "--truth-keys", "left=left,right=right,label=relation")


def test_runs_are_measured_in_chinese(chinese, run):
    ran = chinese("eval", run, *KEYS, "--complete", "--all")
    assert ran.code == 0 and english(ran.out) == []
    lines = ran.out.splitlines()
    assert re.fullmatch(r"  精确率 +\d\.\d{3}（\d\.\d{3} 至 \d\.\d{3}）  (\d+) / (\d+)", lines[1])
    assert len({width(line.partition("（95%")[0].partition("1.000")[0]) for line in lines[:2]}) == 1  # columns
    for said in ("近似重复 duplicate", "相同 same", "按较短一篇的长度", "误删", "漏删", "调整兰德指数", "已标全"):
        assert said in ran.out
    sample = chinese("eval", run, *KEYS)
    assert "提示：标注按抽样处理" in sample.out and english(sample.out) == []
    both = chinese("eval", run, run, *KEYS, "--all")
    assert english(both.out) == [] and "precision" not in both.out
    assert "\n运行 " in both.out and "\n文档对，按标注；找到且关系相同\n" in both.out


def test_json_of_what_was_measured_stays_english(chinese, run):
    told = json.loads(chinese("eval", run, *KEYS, "--json").out)
    assert told["pairs"]["recall_of"].isascii()
    assert told["notes"] and all(note.isascii() for note in told["notes"])


def test_lines_of_labels_that_are_left_out_are_told_in_chinese(chinese, run, tmp_path):
    path = tmp_path / "labels.jsonl"
    one = {"left_id": "n005", "right_id": "n006", "label": "same"}
    path.write_text(f"{json.dumps(one)}\n[1]\n{json.dumps(one | {'right_id': 'n005'})}\n", "utf-8")
    ran = chinese("eval", run, "--truth", path)
    assert "标注中有 2 行已跳过：第 2 行：不是 JSON 对象；第 3 行：一对的两篇都是 'n005'" in ran.out
    path.write_text("[1]\n", "utf-8")
    assert "里没有标注：第 1 行：不是 JSON 对象" in chinese("eval", run, "--truth", path).err


def test_a_threshold_is_recommended_in_chinese(chinese):
    ran = chinese("tune", NEWS, *KEYS, "--complete", "--method", "minhash", "--values", "0.6,0.7,0.8", "-q")
    assert ran.code == 0 and english(ran.out.partition("使用：")[0]) == []
    for said in ("F1 最高", "试过  3 个取值", "精确率", "推荐 threshold：", "在留出的标注上", "使用：  quchong dedup"):
        assert said in ran.out
    bounded = chinese(
        "tune", NEWS, *KEYS, "--method", "minhash", "--values", "0.3,0.35", "--least-precision", "1", "-q"
    )
    assert "精确率不低于 1 时召回率最高" in bounded.out and english(bounded.out.partition("使用：")[0]) == []
    assert re.search(r"--least-precision P\s+在精确率不低于此值的阈值里选召回率最高的", chinese("tune", "--help").out)


def test_pairs_are_asked_about_in_chinese(chinese, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdin", io.StringIO("s\nq\n"))
    ran = chinese("tune", NEWS, "--truth", tmp_path / "asked.jsonl", "--ask", "2", "--method", "minhash", "-q")
    assert "第 1 对，共 2 对（这一对的度量接近 threshold" in ran.err and "[s] 相同  [c] 包含" in ran.err
    assert "1 个回答已追加到" in ran.err


def test_what_a_method_sees_is_told_in_the_language_of_the_command(chinese, tmp_path):
    text = tmp_path / "a.txt"
    text.write_text("今天天气很好，我们去公园。", "utf-8")
    assert "中提取的特征" in chinese("inspect", text).out
    assert chinese("inspect", text, "--lang", "en").out.startswith("Features that ")
    chinese("inspect", text, "-o", tmp_path / "en.html", "--lang", "en")
    assert '<html lang="en"' in (tmp_path / "en.html").read_text("utf-8")


def test_what_a_stopped_run_had_done_is_told_in_chinese():
    with speaking("zh"):
        assert done_before(["classes", "read-1", "documents"]).translation() == "读取，查找完全重复，读取的一部分"
        assert done_before([]).translation() == "无"


def test_a_filter_tells_its_tally_in_chinese(chinese, jsonl):
    ran = chinese("filter", jsonl("in.jsonl", [{"text": "甲"}, {"text": "甲"}, b"nonsense"]))
    assert ran.code == 0 and re.search(r"^删除 +1$", ran.err, re.M) and "第 3 行：JSON 有误" in ran.err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["dedup", "{no}.jsonl", "--dry-run"], "没有这个文件；请检查拼写"),
        (["dedup", "{news}", "-q"], "没有输出目录：请用 -o 指定，如 -o run/"),
        (["dedup", "{news}", "-o", "{run}"], "已存在：请换一个目录，如 "),
        (["dedup", "{news}", "-o", "{news}"], "输出是一个新目录，如 -o "),
        (["dedup", "{news}", "--dry-run", "--method", "hybird"], "没有方法 'hybird'；是不是想写 hybrid？"),
        (["dedup", "{news}", "--dry-run", "--set", "treshold=0.5"], "没有参数 treshold；"),
        (["dedup", "{news}", "--dry-run", "--threshold", "2"], "--threshold 应为：大于 0、至多 1；现在是 2；"),
        (["dedup", "{news}", "--dry-run", "--text-key", "body"], "请用 --text-key text 指定正确的键"),
        (["dedup", "{news}", "--dry-run", "--workers", "0"], "--workers 应为：1 至"),
        (["dedup", "{news}", "--dry-run", "--per", "nowhere"], "--per nowhere：没有任何记录有这一列"),
        (["dedup", "{news}", "--dry-run", "--within", "7"], "不是一段时间：请写一个数字加 s、m、h、d 或 w，如 7d"),
        (["dedup", "{news}", "--dry-run", "--relations", "copies"], "--relations 应为：contained_in、duplicate、"),
        (["dedup", "{news}", "--dry-run", "--keep", "oldest"], "没有保留条件 'oldest'"),
        (["dedup", "{news}", "--dry-run", "--only-against"], "--only-against 需要一个用来对照的语料：请用 --against"),
        (["dedup", "{news}", "--dry-run", "--facts", "colour"], "不能用 --facts colour：请用 keep、remove、any 或"),
        (["dedup", "{news}", "--dry-run", "--encoding", "klingon"], "读不了这种编码"),
        (["dedup", "{news}", "--dry-run", "--method", "two-stage", "--stage1", "trie", "--capacity", "5"], "不用于 "),
        (["explain", "{no}", "a"], "不是目录：请给出结果目录"),
        (["explain", "{run}", "nope"], "没有 ID 为 'nope' 的文档"),
        (["restore", "{run}", "nope"], "不是任何文档的 ID"),
        (["restore", "{run}", "--rule", "luck"], "--rule luck：可用 "),
        (["report", "{run}", "--xlsx", "-o", "{no}.html"], "请改名，或去掉 --xlsx"),
        (["compare", "{no}.txt", "{no}.txt"], "没有这个文件；请检查拼写"),
        (["compare", "{no}", "{news}"], "没有这个文件"),
        (["passages", "{news}", "{news}"], "请用 quchong passages --corpus"),
        (["methods", "shinglng"], "没有方法 'shinglng'；是不是想写 shingling"),
        (["filter", "{run}/ledger.parquet"], "quchong filter 读取"),
        (["dedup", "{news}", "-o", "{run}/in"], "那是 quchong 的一次运行：请换到它外面"),
        (["statistics", "{news}", "-o", "{no}/x/y"], "没有目录"),
    ],
)  # fmt: skip
def test_errors_and_remedies_are_chinese(chinese, run, tmp_path, argv, said):
    places = {"news": NEWS, "run": run, "no": tmp_path / "nothing"}
    ran = chinese(*(str(part).format(**places) for part in argv))
    assert ran.code in (2, 3, 4, 5), (ran.out, ran.err)
    error = ran.err.strip().splitlines()[-1]
    assert error.startswith("quchong：") and said in error, error
    assert english(re.sub(r"[\w.]+(, [\w.]+)+", "", error)) == [], error


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["dedup"], "quchong：缺少参数 '输入...'"),
        (["dedpu"], "quchong：没有命令 'dedpu'；是不是想写 dedup？"),
        (["dedup", "x", "--outptu", "y"], "quchong：没有选项 --outptu；是不是想写 quchong dedup x --output y？"),
        (["dedup", "x", "--body", "none"], "'--body' 的值无效：'none' 不在可选值 "),
        (["dedup", "x", "-o"], "quchong：-o 后面要写一个值"),
        (["--lang", "fr", "methods"], "'--lang' 的值无效：'fr' 不在可选值 'en'、'zh' 之中"),
        (["compare", "a", "b", "c"], "quchong：多了一个词 'c'：这条命令的写法是 quchong compare"),
    ],
)  # fmt: skip
def test_wrong_calls_are_told_in_chinese(chinese, argv, said):
    ran = chinese(*argv)
    assert ran.code == 2 and said in ran.err and english(ran.err) == []


@pytest.mark.parametrize("argv", [["--lang", "zh", "methods"], ["methods", "--lang", "zh"], ["methods", "--lang=zh"]])
def test_a_language_is_asked_for_before_or_after_the_command(command, argv):
    assert "开销：" in command(*argv).out
    assert "; cost: " in command("methods").out and language() == "en"
    assert "Show this message and exit." in command("methods", "--help").out


def test_the_option_goes_before_the_environment_and_json_knows_no_language(chinese, run, monkeypatch):
    plain = json.loads(chinese("explain", run, "n009", "--json").out)
    assert (
        plain == json.loads(chinese("explain", run, "n009", "--json", "--lang", "en").out)
        and plain["rule"] == "containment"
    )
    assert "n009 was removed" in chinese("--lang", "en", "explain", run, "n009").out
    assert "n009 已删除" in chinese("explain", run, "n009", "--language", "zh").out
    monkeypatch.setenv("QUCHONG_LANG", "en")
    assert "n009 was removed" in chinese("explain", run, "n009").out


def test_which_language_is_chosen():
    assert asked_for(["a", "--lang", "zh"]) == "zh" and asked_for(["--lang=en", "a"]) == "en"
    assert asked_for(["--", "--lang", "zh"]) is None and asked_for(["a", "--lang"]) is None
    assert choose([], {"LANG": "zh_CN.UTF-8"}) == "zh" and choose(["--lang", "en"], {"QUCHONG_LANG": "zh"}) == "en"
    assert choose(["--lang", "fr"], {"QUCHONG_LANG": "zh"}) == "zh" and choose([], {}) == "en"
    assert {choose(["--lang", one], {}) for one in LANGUAGES} == {"en", "zh"}


@pytest.mark.parametrize(
    ("place", "argv", "said"),
    [
        ({"LANG": "zh_CN.UTF-8", "PYTHONIOENCODING": "ascii"}, [], "Commands:"),
        ({"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}, [], "Commands:"),
        ({"LC_ALL": "zh_CN.GBK", "PYTHONIOENCODING": "gbk"}, [], "命令："),
        ({"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}, ["--lang", "zh"], "命令："),
        ({"LC_ALL": "C.UTF-8", "QUCHONG_LANG": "zh"}, [], "命令："),
    ],
)
def test_a_terminal_without_chinese_is_spoken_to_in_english(place, argv, said):
    clear = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "QUCHONG_LANG"))}
    done = subprocess.run(
        [sys.executable, "-m", "quchong", *argv, "--help"], env=clear | place, capture_output=True, check=False
    )
    assert done.returncode == 0 and done.stderr == b""
    assert said in done.stdout.decode("gbk" if "GBK" in place.get("LC_ALL", "") else "utf-8")


def test_lines_are_broken_by_columns_and_marks_stay_with_their_words():
    text = "被包含的文档不论条件一律删除；以 earliest 开头时，首发的一篇（见下）保留。"
    for columns in range(12, 60):
        lines = list(wrapped(text, columns))
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert all(width(line) <= columns for line in lines)
        assert not any(line[0] in "，。；）" or line[-1] in "（" for line in lines)
    assert list(wrapped("x" * 25, 10)) == ["x" * 10, "x" * 10, "x" * 5] and list(wrapped("", 10)) == []
    assert list(wrapped("two words here", 9)) == ["two words", "here"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "quchong: missing argument bash|zsh|fish; choose from: bash, zsh, fish; see "),
        ("zh", "quchong：缺少参数 bash|zsh|fish；可选：bash、zsh、fish；用法见 "),
    ],
)
def test_a_missing_value_of_a_list(command, monkeypatch, language, said):
    """Click has a line with a tab for each, and marks of its own."""
    monkeypatch.setenv("QUCHONG_LANG", language)
    ran = command("completion")
    assert ran.line.startswith(said) and ran.code == 2


def test_no_translation_spells_a_tab_or_a_line_break():
    """A backslash before the letter, where the message has the sign itself."""
    from quchong.languages.spoken import CATALOGUES

    for file in Path(CATALOGUES).rglob("*.mo"):
        with file.open("rb") as stream:
            told = gettext.GNUTranslations(stream)._catalog
        wrong = [key for key, said in told.items() if not set(SPELT.findall(said)) <= set(SPELT.findall(str(key)))]
        assert told and not wrong, (file, wrong)


SPELT = re.compile(r"\\[tn]")
"""A backslash and the letter of a sign."""
