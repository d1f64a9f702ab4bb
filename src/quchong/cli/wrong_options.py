"""Hints for an option that a command does not have: the option that was probably meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import click

from quchong.cli.needless_options import needless_in
from quchong.cli.options import option_shown
from quchong.errors import shell_word
from quchong.languages import OR, Message, join_messages
from quchong.languages.habits import compound_entry, entry_with
from quchong.parameters.other_names import measure_advice
from quchong.report.visible import Shown

OPTIONS = {
    "--part": "shard partition part-of 分片",
    "--keep": "保留 keep-by prefer strategy",
    "-o": "导出 export out 输出 结果 保存 输出目录 输出到 out-dir outdir"
    " output-folder out-folder dest destination target target-dir save save-to",
    "--method": "方法 算法 algorithm algo",
    "--threshold": "阈值 相似度",
    "--text-key": "key 正文 文本 内容 正文列",
    "--time-key": "时间 日期 发布时间",
    "--source-key": "来源 媒体",
    "--encoding": "编码 charset",
    "--port": "端口 p",
    "--workers": "j p 线程 进程 cores cpu parallel parallelism concurrency",
    "--memory": "内存 mem ram max-ram",
    "--against": "对比 比对 比较 对照 base compare-to against-file test tests test-set test-sets testset eval-set benchmark benchmarks"
    " ref 测试集 题库",
    "--help": "帮助 ? usage",
    "--json": "as-json stats count c 统计",
    "--compress": "gzip gz zip z compression 压缩",
    "--progress": "v verbose debug 进度",
    "--log-file": "log-level log logging loglevel 日志",
    "--same-site": "site domain 站点",
    "--id-key": "编号 id列 标识 url-key",
    "--quiet": "silent s",
    "--dry-run": "n dryrun preview simulate 试运行",
    "--lang": "语言 l locale",
    "--overwrite": "覆盖 y yes replace",
    "--engine": "executor backend runner",
    "--host": "地址 主机 listen bind addr address interface ip",
    "--social": "去掉 忽略 ignore strip-social",
    "--facts": "事实 fact",
    "--format": "格式 file-type filetype input-format",
    "--min-share": "threshold similarity overlap ratio share coverage min-overlap",
    "--store": "keep-texts store-texts save-texts texts",
    "--capacity": "size expected items n-items 容量",
    "--error-rate": "fpr fp-rate false-positive-rate false-positives 误判率 错误率",
    "--within": "期限 时间窗 窗口 时间范围 时间窗口 时间间隔 days window time-window",
    "--body": "extract extract-text extractor main-content 正文提取 正文抽取",
    "--per": "分组 by group",
    "--preset": "预设 profile",
    "--unit": "单位 级别 level granularity",
    "--xlsx": "excel xls workbook spreadsheet 工作簿 表格",
    "--truth": "labels label gold ground-truth 答案 标签 标注",
    "--all": "全部 所有 everything",
    "--ids": "id 编号",
    "--older-than": "days age max-age ttl before older keep keep-days retain retention 天 天数 期限",
    "--values": "grid range candidates 取值 网格 候选值",
    "--min-chars": "min-length minimum-length min-len 最少 最短 最小长度 最少字数",
    "--least": "最少 至少 min-docs min-size",
    "--show": "top limit n max 条数 显示",
    "--role": "角色 权限 roles permission",
    "--texts": "原文 input inputs source",
    "--access": "token tokens auth users 令牌",
}
"""Options by the words that people try for them, beside those of `quchong.parameters.other_names`."""
_VALUES = {
    "最早": "earliest",
    "最新": "latest",
    "最晚": "latest",
    "最长": "longest",
    "最短": "shortest",
    "中文": "zh",
    "英文": "en",
}
_LOADERS = ("json", "csv", "parquet", "text", "arrow")
"""Names of loaders of Datasets, which people give as the value of --path."""
_FORMATS = ("format", "output-format", "out-format", "type", "to")
_WRITTEN = {"report": ("html", "xlsx"), "chains": ("xlsx", "csv", "jsonl", "parquet")}
"""Endings of the files that commands with one output file write, the most used first."""
_KINDS_SAID = {
    "excel": "xlsx",
    "xls": "xlsx",
    "web": "html",
    "htm": "html",
    "webpage": "html",
    "json": "jsonl",
    "ndjson": "jsonl",
}
_FOLDERS = ("r", "R", "recursive")
_DOCUMENTS = ("id", "ids", "doc", "document")
_OUTPUTS = ("o", "output", "out", "to", "dest")
_COMMON_CHOICES = ("all", "none", "any", "en", "zh", "main", "read", "text")
"""Choices that say too little about the option that has them."""
SPARK_SETTINGS = {
    "conf": "",
    "c": "",
    "executor-memory": "spark.executor.memory",
    "executor-cores": "spark.executor.cores",
    "num-executors": "spark.executor.instances",
    "executors": "spark.executor.instances",
    "total-executor-cores": "spark.cores.max",
    "driver-memory": "spark.driver.memory",
    "driver-cores": "spark.driver.cores",
    "deploy-mode": "spark.submit.deployMode",
    "queue": "spark.yarn.queue",
    "jars": "spark.jars",
    "packages": "spark.jars.packages",
    "py-files": "spark.submit.pyFiles",
    "app-name": "spark.app.name",
    "shuffle-partitions": "spark.sql.shuffle.partitions",
}
"""Settings of Spark by the options of spark-submit; "" for the option that takes a setting as it is."""
_LIKE = 0.7
"""Share of letters that two options have in the same order, from which on one may be the other misspelt."""
_FEW = 5
"""Number of options, up to which those that begin with a given word are named."""
INPUT = frozenset(
    "train corpus input inputs infile input-file input-path in i file files f path data src source-file input-dir "
    "input-folder input-files data-dir data-path data-file data-files in-file filename file-name filepath file-path "
    "输入 文件".split()
)
"""Words of options that name an input, which is an argument here."""


@dataclass(frozen=True)
class _UnknownOption:
    """Option that a command does not have, as it was typed."""

    name: str
    command: click.Command
    argv: Sequence[str]
    path: str

    @property
    def word(self) -> str:
        return self.name.lstrip("-")

    @cached_property
    def own(self) -> set[str]:
        shown = [
            param for param in self.command.params if not getattr(param, "hidden", False)
        ]  # not those of every method
        return {flag for param in shown for flag in (*param.opts, *param.secondary_opts)}

    @property
    def wide_parts(self) -> tuple[str, str]:
        """Option and value on both sides of a colon, or of a full-width colon or equals sign; the value is "" without one."""
        parts = re.split("[:\uff1a\uff1d]", self.name, maxsplit=1)
        return (parts[0], parts[1]) if len(parts) > 1 else (parts[0], "")

    @cached_property
    def arguments(self) -> set[str | None]:
        return {param.name for param in self.command.params if isinstance(param, click.Argument)}

    @cached_property
    def value_behind(self) -> str:
        """Return the value after the option; "" if there is no value."""
        argv, name = self.argv, self.name
        here = next(
            (at for at, one in enumerate(argv) if one.partition("=")[0] == name or one.startswith(name)), len(argv)
        )
        if here == len(argv):
            return ""
        return argv[here].partition("=")[2] or (argv[here + 1] if here + 1 < len(argv) else "")


def option_hint(error: click.NoSuchOption, command: click.Command, argv: Sequence[str]) -> Message | None:
    """Return what to type instead of an option that a command does not have; None if nobody knows.

    Args:
        error: that of click; command: the command called; argv: the words of the command line.
    """
    asked = _UnknownOption(
        error.option_name, command, argv, f"quchong {command.name}" if error.ctx is None else error.ctx.command_path
    )
    name, value = asked.wide_parts
    if value and name in asked.own:
        return Message("write a blank between an option and its value: {}", Shown(f"{name} {shell_word(value)}"))
    return (
        _of_measure(asked)
        or _of_spark(asked)
        or _of_argument(asked)
        or needless_in(asked.path.removeprefix("quchong "), asked.word)
        or needless_in(command.name or "", asked.word)
        or _of_format(asked)
        or _of_choice(asked)
        or _of_other_word(asked)
        or needless_in("", asked.word)
    )


def typed_option(error: click.NoSuchOption, argv: Sequence[str]) -> click.NoSuchOption:
    """Return the error about an option with the word that was typed, if click named only its first letter.

    >>> typed_option(click.NoSuchOption("-n"), ["dedup", "-num-perm", "128"]).option_name
    '-num-perm'
    """
    if error.option_name.startswith("--"):
        return error
    typed = next((one for one in argv if one.startswith(error.option_name) and one[1:2] != "-"), error.option_name)
    return click.NoSuchOption(typed.partition("=")[0], possibilities=error.possibilities, ctx=error.ctx)


def _of_measure(asked: _UnknownOption) -> Message | None:
    """Return how a measure of similarity is chosen, if the value of the option is one, and the command takes a method."""
    return measure_advice(asked.value_behind, option_shown) if "--method" in asked.own else None


def _of_argument(asked: _UnknownOption) -> Message | None:
    """Return how what an option is tried for is given without one."""
    word, path, behind = asked.word, asked.path, asked.value_behind
    if word in INPUT and asked.arguments and not behind.isdigit():
        if behind.lower() in _LOADERS:  # of Datasets: --path json --data_files news.jsonl
            behind = "FILE"
        return Message("inputs are given without an option: {}", Shown(f"{path} {shell_word(behind or 'FILE')}"))
    if asked.command.name == "filter" and word in ("o", "output", "out"):
        return Message(
            "records that pass are written to standard output: {}",
            Shown(f"{path} ... > {shell_word(behind or 'new.jsonl')}"),
        )
    if word in _FOLDERS and not behind.isdigit() and "inputs" in asked.arguments:
        return Message("all files in a folder and its subfolders are read: leave out the option")
    if word in _DOCUMENTS and {"id", "ids"} & asked.arguments:
        return Message("ids are given without an option: {}", Shown(f"{path} ... {shell_word(behind or 'ID')}"))
    if word in _OUTPUTS and "copy" in asked.arguments:
        path, behind = f"{path} seen/", behind or "copy/"
    elif word not in asked.arguments and f"{word}s" not in asked.arguments:
        return None
    elif len(asked.arguments) > 1:
        path += " ..."
    return Message("write the value without an option: {}", Shown(f"{path} {shell_word(behind or word.upper())}"))


def _of_spark(asked: _UnknownOption) -> Message | None:
    """Return advice to write an option of spark-submit as --spark-conf, if the command has that option; None otherwise."""
    if "--spark-conf" not in asked.own or (setting := SPARK_SETTINGS.get(asked.word)) is None:
        return None
    value = asked.value_behind or "..."
    given = value if setting == "" else f"{setting}={value}"
    return Message("settings of Spark are given with {}", Shown(f"--spark-conf {shell_word(given)}"))


def _of_choice(asked: _UnknownOption) -> Message | None:
    """Return the one option of the command that has the word among its choices, with it as its value."""
    owners = [
        param
        for param in asked.command.params
        if isinstance(param, click.Option) and isinstance(param.type, click.Choice) and asked.word in param.type.choices
    ]
    if len(owners) != 1 or asked.word in _COMMON_CHOICES:
        return None
    flag = next((one for one in owners[0].opts if one.startswith("--")), owners[0].opts[0])
    return Message("in quchong this option is called {}", Shown(f"{flag} {asked.word}"))


def _of_format(asked: _UnknownOption) -> Message | None:
    """Return how the format of an output or an input is chosen by its name."""
    if asked.word in _FORMATS and "-o" in asked.own and asked.command.name in _WRITTEN:
        kinds = _WRITTEN[asked.command.name]
        said = asked.value_behind.lower().lstrip(".")
        like = _KINDS_SAID.get(said, said)
        ending = like if like in kinds else kinds[0]
        return Message("the suffix of the output sets the format: {}", Shown(f"-o {asked.command.name}.{ending}"))
    if asked.word in _FORMATS and asked.value_behind.lower() in ("json", "jsonl") and "--json" in asked.own:
        return Message("in quchong this option is called {}", "--json")
    if asked.word == "format" and asked.path == "quchong index export":
        return Message("documents are written as Parquet to a folder: {}", Shown("quchong index export seen/ -o run/"))
    if asked.word == "format" and "--format" not in asked.own:
        return Message(
            "the suffix of the file name sets the format: .jsonl, .csv, .parquet ...; for standard input it "
            "is JSON lines (jsonl)"
        )
    return None


def _of_other_word(asked: _UnknownOption) -> Message | None:
    """Return the option of the command that people call by this word."""
    known = {flag: words for flag, words in OPTIONS.items() if flag in asked.own}
    meant = entry_with(known, asked.word) or (None if asked.word.isascii() else compound_entry(known, asked.word))
    if meant is None:
        return None
    if re.fullmatch(r"\d+/\d+", asked.value_behind) and "--part" in asked.own:
        return Message("in quchong this option is called {}", Shown(f"--part {asked.value_behind}"))
    if meant == "--host" and (found := re.fullmatch(r"(.*):(\d+)", asked.value_behind)) and "--port" in asked.own:
        return Message(
            "in quchong this option is called {}",
            Shown(f"--host {shell_word(found[1] or '0.0.0.0')} --port {found[2]}"),
        )
    if meant == "-o" and (ending := _KINDS_SAID.get(asked.value_behind.lower())) in _WRITTEN.get(
        asked.command.name or "", ()
    ):
        return Message("in quchong this option is called {}", Shown(f"-o {asked.command.name}.{ending}"))
    if meant == "--source-key" and asked.path == "quchong chains":
        return Message("{} names the column of the medium; to see the chains of one medium, write all of them to a table: {}",
                       "--source-key", "-o chains.xlsx")  # fmt: skip
    value = _VALUES.get(asked.value_behind) or next(
        (one for word, one in _VALUES.items() if word in asked.value_behind), None
    )
    if meant == "--values":
        value = _grid(asked)
    if meant == "--older-than" and re.fullmatch(r"\d{4}\W\d{1,2}\W\d{1,2}.*", asked.value_behind):
        value = "30d"  # an age, not a date
    return Message("in quchong this option is called {}", Shown(f"{meant} {value}" if value else meant))


def _grid(asked: _UnknownOption) -> str:
    """Return values from the first to the last of two numbers behind an option, as --values takes them; an example without two."""
    numbers = [one for one in asked.argv if re.fullmatch(r"0?\.\d+|[01]", one)]
    return f"{numbers[0]}:{numbers[-1]}:0.05" if len(numbers) > 1 else "0.5:0.9:0.05"


def hint_before_command(word: str, argv: Sequence[str], commands: Sequence[str]) -> Message | None:
    """Return a hint to write an option after its command; None if no command follows the option."""
    called = next((one for one in argv if one in commands), None)
    if called is None:
        return None
    return Message("options of a command are written after it: {}", Shown(f"quchong {called} ... {word} ..."))


def hint_of_words(error: click.NoSuchOption, command: click.Command) -> Message | None:
    """Return the options of a command with the words of one that it does not have; None if there are none, or many."""
    shown = [param for param in command.params if not getattr(param, "hidden", False)]  # not those of every method
    own = {flag for param in shown for flag in (*param.opts, *param.secondary_opts)}
    akin = _of_same_words(error.option_name, own)
    return Message("in quchong this option is called {}", join_messages(akin, OR)) if 0 < len(akin) <= _FEW else None


def _of_same_words(name: str, own: Iterable[str]) -> list[str]:
    """Return the options of a command that have all words of another one, or all of whose words it has.

    >>> _of_same_words("--ssl-cert", ["--cert", "--key"]), _of_same_words("--min", ["--min-chars", "--limit"])
    (['--cert'], ['--min-chars'])
    """
    words = {word for word in name.lstrip("-").split("-") if len(word) > 1}
    flags = [(flag, set(flag.lstrip("-").split("-"))) for flag in own if flag.startswith("--")]
    return sorted(flag for flag, said in flags if words and (words < said or said < words))


def similar_options(option: str, others: Sequence[str]) -> list[str]:
    """Return those of some options that are spelt like one; click takes others that share a few letters for like it.

    >>> similar_options("--outptu", ["--output", "--text"]), similar_options("--gpu", ["--gap", "--output"])
    (['--output'], [])
    """
    word = option.lstrip("-")
    return [one for one in others if difflib.SequenceMatcher(None, word, one.lstrip("-")).ratio() >= _LIKE]
