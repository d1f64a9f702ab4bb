"""Advice about a command or an option that does not exist."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from gettext import gettext
from pathlib import Path

import click

from quchong.cli.examples import EXAMPLES
from quchong.cli.meant_options import line_with_method, suggested_line
from quchong.cli.subcommands import WORDS, subcommand_meant
from quchong.errors import shell_word
from quchong.languages import Message, join_names
from quchong.languages.habits import compound_entry, entry_with
from quchong.report.visible import Shown

COMMANDS = {
    "dedup": "dedupe deduplicate deduplication duplicates dups unique uniq clean run find 去重 查重 排重 删重 重复",
    "compare": "diff similarity cmp match 比较 对比 比对",
    "report": "pairs show view open html summary export 报告 查看 导出 报表 打开 看",
    "explain": "why reason 为什么 为何 解释 说明 原因",
    "review": "label annotate check 复核 审核 标注",
    "chains": "chain reprints who source sources 转载 来源 溯源",
    "restore": "undo revert recover 恢复 撤销",
    "methods": "list algorithms 方法 算法",
    "eval": "evaluate score test 评估 评测",
    "tune": "threshold calibrate 调参 阈值",
    "decontaminate": "contamination leak leakage 去污染",
    "resume": "checkpoint continue restart 继续 续跑",
    "verify": "validate recheck 核验 验证",
    "passages": "ngrams substrings repeats 片段 段落",
    "serve": "start listen run-server server http api daemon 服务 启动服务",
    "filter": "stream streaming 过滤",
    "index query": "search query lookup ask seen 检索 查询 搜索",
    "index add": "add insert update 添加 新增",
    "index create": "create init new 新建 创建 建索引 建库",
    "index": "索引 idx indexes indices",
    "index stats": "stats status info 统计",
    "completion bash": "complete autocomplete install-completion show-completion 补全",
    "dedup --plan": "estimate cost plan 估算 预估 估计",
    "doctor": "install setup diagnose env environment info-system 诊断 检查 安装",
    "--help": "help usage man 帮助 用法",
    "--version": "version ver V v 版本",
}
"""Commands by the words that people try for them."""
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u30fc"
"""Dashes of word processors and of Chinese keyboards."""


def command_meant(word: str, rest: Sequence[str]) -> str | None:
    """Return the command line meant by an unknown command `word` and the words `rest` after it; None if nobody knows.

    >>> command_meant("help", ["dedup"]), command_meant("diff", ["a", "b"])
    ('quchong dedup --help', 'quchong compare a b')
    """
    found = entry_with(COMMANDS, word) or (None if word.isascii() else compound_entry(COMMANDS, word))
    if found is None:
        from quchong.methods import PLACES

        method = word.lower().replace("_", "-")
        is_method = method in PLACES
        return line_with_method("dedup", rest or ["FILE"], method) if is_method else None
    if rest and (other := _by_first_word(word.lower(), found, rest)) is not None:
        return other
    if found == "compare" and len(rest) == 2 and all(one.lower().endswith(DATA) for one in rest):  # records, not texts
        return f"quchong dedup {shell_word(rest[1])} --against {shell_word(rest[0])}"
    if (
        found == "eval" and len(rest) == 2 and not any(one.startswith("-") for one in rest)
    ):  # the labels need their option
        rest = [rest[0], "--truth", rest[1]]
    words = [shell_word(one) for one in rest]
    if found == "--help":
        about = [one if one in COMMANDS else entry_with(COMMANDS, one) or one for one in rest[:1]]
        return " ".join(["quchong", *about, "--help"])
    if found in WORDS and rest:  # a group: the word behind it may be another name too
        known = WORDS[found]
        words[0] = rest[0] if rest[0] in known else subcommand_meant(found, rest[0], known) or words[0]
    if found.startswith("-"):
        return f"quchong {found}"
    return " ".join(["quchong", found, *words]) if " " in found or found in WORDS else suggested_line(found, rest)


def _by_first_word(word: str, found: str, rest: Sequence[str]) -> str | None:
    """Return the line that an unknown command means of what its first argument is: a run, an index or a file; None for all others.

    Args:
        word: the unknown command; found: that of ours which it mostly means; rest: the words behind it.
    """
    from quchong.cli.index_opening import is_index
    from quchong.runs.layout import is_run

    first, words = Path(rest[0]), " ".join(map(shell_word, rest))
    if found == "index stats" and is_run(first):
        return f"quchong report {words}"
    if word == "export" and is_index(first):
        return f"quchong index export {words}"
    if word == "annotate" and (os.path.isfile(first) or rest[0].lower().endswith(DATA)):
        output = "" if "-o" in rest else to_new_folder(" -o run/")
        return f"quchong dedup {words} --mode annotate{output}"
    return None


DATA = (".jsonl", ".csv", ".tsv", ".parquet", ".xlsx", ".json", ".arrow", ".gz", ".zst", ".bz2", ".xz", ".warc")
"""Endings of names that are those of data."""


_RETHRESHOLD = "import quchong as qc; qc.load({}).rethreshold({}).save('run2/')"

_INSTEAD = (
    ("rethreshold threshold-run", Message("to decide a finished run at another threshold, use Python: {}",
                            _RETHRESHOLD.format("'run/'", "0.9"))),
    ("upgrade update self-update 升级 更新", Message("to install a new version, run {}", "pip install --upgrade quchong")),
    ("config configure settings 配置 设置", Message(
        "to use the same options again, put them into a file and name the file: {}",
        "quchong dedup news.jsonl --config options.toml -o run2/")),
    ("merge join concat cat 合并", Message("one command can read several inputs: {}", "quchong dedup a.jsonl b.jsonl -o run2/")),
    ("delete remove rm drop 删除", Message(
        "to delete documents of an index, use {}; a run never changes its inputs", "quchong index delete seen/ ID")),
)  # fmt: skip
"""Words that people try for a command, and how what they mean is done without one."""


def instead_of_command(word: str, rest: Sequence[str] = ()) -> Message | None:
    """Return how something is done for which there is no command; None for other words.

    `rest` are the words behind it: the run and the threshold among them are those of the call that is shown.
    """
    found = next((said for tried, said in _INSTEAD if word.lower() in tried.split()), None)
    if found is None or _RETHRESHOLD.format("'run/'", "0.9") not in found.values:
        return found
    number = next(
        (one for one in (part.rpartition("=")[2] for part in rest) if re.fullmatch(r"0?\.\d+|1(?:\.0+)?", one)), "0.9"
    )
    run = next((one for one in rest if not one.startswith("-") and one != number), "run/")
    return found.holding(_RETHRESHOLD.format(repr(run), number))


def command_for(word: str, rest: Sequence[str]) -> str | None:
    """Return the command line that was probably meant by a file or folder in the place of a command; None for other words.

    >>> command_for("news.jsonl", ["-o", "run/"]), command_for("nothing", [])
    ('quchong dedup news.jsonl -o run/', None)
    """
    path = Path(word)
    if os.path.isdir(path) and os.path.isfile(path / "run.json") and not any(os.path.isfile(one) for one in rest):
        return f"quchong report {shell_word(word)}"
    if not os.path.isfile(path) and not word.lower().endswith(
        (*DATA, "/")
    ):  # a folder's bare name may be a command misspelt
        return None
    return suggested_line("dedup", [word, *rest])


def with_plain_dashes(word: str, own: set[str]) -> str | None:
    """Return the option that a word typed with long or full-width dashes means; None if no option fits.

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
    """Return a command example with its output replaced by an unused folder name."""
    from quchong.cli.preview import free_folder

    return example.replace(" -o run/", f" -o {free_folder([])}")


def _no_value(option: str) -> str:
    """Return the sentence of click about a value behind an option that takes none, in the language of the command line."""
    return gettext("Option {name!r} does not take a value.").format(name=option).rstrip(".。")


def wants_value(error: click.ClickException) -> str | None:
    """Return the message about an option at the end of a line that lacks its value, with an example; None for other errors."""
    ctx = getattr(error, "ctx", None)
    if type(error) is not click.BadOptionUsage or ctx is None:
        return None
    option = next((param for param in ctx.command.params if error.option_name in param.opts), None)
    if (
        isinstance(option, click.Option)
        and option.is_flag
        and error.message.startswith(_no_value(str(error.option_name)))
    ):
        return Message(
            "option {} does not take a value: leave out the value, or the whole option", error.option_name
        ).translation()
    if not isinstance(option, click.Option) or option.nargs != 1 or option.is_flag:
        return None
    from quchong.methods import PLACES

    if (method := str(error.option_name).lstrip("-")) in PLACES:  # a method has a parameter of this name
        return Message("to choose a method, use {}", Shown(f"--method {method}")).translation()
    if isinstance(option.type, click.Choice):
        return Message(
            "{} needs a value: one of {}", error.option_name, join_names(map(str, option.type.choices))
        ).translation()
    lines = EXAMPLES.get(ctx.command_path.removeprefix("quchong "), ())
    written = next((line.split(" -o ")[1].split()[0] for line in lines if " -o " in line), None)
    value = option.metavar or "..."
    if error.option_name in ("-o", "--output"):
        value = written or (
            "report.html" if ctx.command.name == "report" else "page.html" if ctx.command.name == "inspect" else value
        )
    return Message("{} needs a value: {}", error.option_name, Shown(f"{error.option_name} {value}")).translation()
