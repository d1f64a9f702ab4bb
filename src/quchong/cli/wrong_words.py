"""What was probably meant by a command or an option that quchong does not have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from quchong.errors import shell_word
from quchong.languages import Message, join_names
from quchong.report.visible import Shown

COMMANDS = {
    "dedup": "dedupe deduplicate deduplication duplicates dups unique uniq clean run find 去重 查重 排重 删重 重复",
    "compare": "diff similarity cmp match 比较 对比 比对",
    "report": "show view open html summary 报告 查看",
    "explain": "why reason 解释 说明 原因",
    "review": "label annotate check 复核 审核 标注",
    "chains": "chain reprints who source sources 转载 来源 溯源",
    "restore": "undo revert recover 恢复 撤销",
    "methods": "list algorithms 方法 算法",
    "eval": "evaluate score test 评估 评测",
    "tune": "threshold calibrate 调参 阈值",
    "decontaminate": "contamination leak leakage 去污染",
    "index query": "search query lookup ask seen 查询 搜索",
    "index add": "add insert update 添加 新增",
    "index create": "create init new 新建 建索引 索引",
    "index stats": "stats status info 统计",
    "doctor": "diagnose env environment info-system 诊断 检查",
    "--help": "help usage man 帮助 用法",
    "--version": "version ver 版本",
}
"""Commands by the words that people try for them."""
OPTIONS = {
    "--keep": "保留 keep-by prefer strategy",
    "-o": "out 输出 结果 保存 输出目录",
    "--method": "方法 算法 algorithm algo",
    "--threshold": "阈值 相似度",
    "--text-key": "正文 文本 内容 正文列",
    "--time-key": "时间 日期 发布时间",
    "--source-key": "来源 媒体",
    "--id-key": "编号 id列 标识",
    "--encoding": "编码 charset",
    "--workers": "j p 线程 进程 cores",
    "--memory": "内存 mem",
    "--against": "对照 base compare-to against-file",
    "--help": "帮助 ? usage",
    "--json": "as-json",
    "--quiet": "silent s",
    "--dry-run": "n dryrun preview simulate 试运行",
    "--lang": "语言 l locale",
    "--overwrite": "覆盖 y yes replace",
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
_INPUT = frozenset(
    "input inputs infile input-file input-path in i file files f path data src source-file 输入 文件".split()
)
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u30fc"
"""Dashes of word processors and of Chinese keyboards."""


def _entry_with(table: dict[str, str], word: str) -> str | None:
    return next((name for name, words in table.items() if word.lower() in words.split()), None)


def command_meant(word: str, rest: Sequence[str]) -> str | None:
    """Return the command line that was meant by a word that is no command and what follows it; None if nobody knows.

    >>> command_meant("help", ["dedup"]), command_meant("diff", ["a", "b"])
    ('quchong dedup --help', 'quchong compare a b')
    """
    found = _entry_with(COMMANDS, word)
    if found is None:
        return None
    words = [shell_word(one) for one in rest]
    if found == "--help":
        return " ".join(["quchong", *words[:1], "--help"])
    return " ".join(["quchong", found, *(words if not found.startswith("-") else [])])


_DATA = (".jsonl", ".csv", ".tsv", ".parquet", ".xlsx", ".json", ".arrow", ".gz", ".zst", ".bz2", ".xz", ".warc")
"""Endings of names that are those of data."""


def command_for(word: str, rest: Sequence[str]) -> str | None:
    """Return the command line for a file or folder that is named where a command belongs; None for other words.

    >>> command_for("news.jsonl", ["-o", "run/"]), command_for("nothing", [])
    ('quchong dedup news.jsonl -o run/', None)
    """
    path = Path(word)
    if path.is_dir() and (path / "run.json").is_file():
        return f"quchong report {shell_word(word)}"
    if not path.is_file() and not word.lower().endswith(
        (*_DATA, "/")
    ):  # a folder's bare name may be a command misspelt
        return None
    return " ".join(["quchong dedup", *map(shell_word, [word, *rest])])


def option_hint(error: click.NoSuchOption, command: click.Command, argv: Sequence[str]) -> Message | None:
    """Return what to type instead of an option that a command does not have; None if nobody knows.

    Args:
        error: that of click; command: the command called; argv: the words of the command line.
    """
    name = error.option_name
    word, path = name.lstrip("-"), f"quchong {command.name}"
    here = next((at for at, one in enumerate(argv) if one.partition("=")[0] == name or one.startswith(name)), len(argv))
    behind = (
        argv[here].partition("=")[2] or (argv[here + 1] if here + 1 < len(argv) else "") if here < len(argv) else ""
    )
    own = {flag for param in command.params for flag in (*param.opts, *param.secondary_opts)}
    if word in _INPUT and any(isinstance(param, click.Argument) for param in command.params):
        return Message("inputs are named without an option: {}", Shown(f"{path} {shell_word(behind or 'FILE')}"))
    if command.name == "filter" and word in ("o", "output", "out"):
        return Message(
            "records that pass are written to standard output: {}",
            Shown(f"{path} ... > {shell_word(behind or 'new.jsonl')}"),
        )
    if word == "format" and "-o" in own and not any(param.name == "inputs" for param in command.params):
        return Message("the suffix of the output sets the format: {}", Shown(f"-o {command.name}.{behind or 'csv'}"))
    if word == "format" and "--format" not in own:
        return Message(
            "the suffix of the name sets the format: .jsonl, .csv, .parquet ...; standard input has JSON lines (jsonl)"
        )
    meant = _entry_with(OPTIONS, word)
    if meant is None or meant not in own:
        return None
    value = _VALUES.get(behind)
    return Message("it is called {} here", Shown(f"{meant} {value}" if value else meant))


def hint_before_command(word: str, argv: Sequence[str], commands: Sequence[str]) -> Message | None:
    """Return how to write an option that stands before its command; None if no command follows it."""
    called = next((one for one in argv if one in commands), None)
    if called is None:
        return None
    return Message("options of a command are written after it: {}", Shown(f"quchong {called} ... {word} ..."))


def with_plain_dashes(word: str, own: set[str]) -> str | None:
    """Return the option that a word with other dashes stands for, of a command's own ones; None for other words.

    >>> with_plain_dashes("\u2014keep", {"--keep"})
    '--keep'
    """
    bare = word.lstrip(_DASHES + "-")
    if bare == word or not bare or word[0] not in _DASHES + "-" or not any(sign in _DASHES for sign in word):
        return None
    name, sign, value = bare.partition("=")
    for flag in (f"--{name}", f"-{name}"):
        if flag in own:
            return f"{flag}{sign}{value}"
    return None


def choices_of(error: click.ClickException) -> str | None:
    """Return the message for a missing argument or option with a list of choices, with the choices; None for other errors.

    Click writes a line for each, with tabs.
    """
    param = error.param if isinstance(error, click.MissingParameter) else None
    if param is None or not isinstance(param.type, click.Choice):
        return None
    name = param.get_error_hint(getattr(error, "ctx", None)).strip("'")
    choices = join_names(map(str, param.type.choices))
    if isinstance(param, click.Argument):
        return Message("missing argument {}; choose from: {}", name, choices).translation()
    return Message("missing option {}; choose from: {}", name, choices).translation()


def to_new_folder(example: str) -> str:
    """Return an example with an output that is not there yet."""
    from quchong.cli.preview import free_folder

    return example.replace(" -o run/", f" -o {free_folder([])}")
