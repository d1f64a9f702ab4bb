"""Groups of subcommands, such as `quchong index`, and the subcommand that was meant by another word."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from quchong.errors import meant, shell_word
from quchong.languages import Message, join_names
from quchong.languages.habits import entry_with
from quchong.report.visible import Shown

WORDS: Mapping[str, Mapping[str, str]] = {
    "index": {
        "create": "init new build make start 新建 创建 建 建立 建库 初始化",
        "create INDEX --from": "move transfer restore 迁入 搬 还原",
        "add": "import 导入 insert append put ingest update upsert load 添加 新增 加入 加 入库 增加 更新",
        "query": "search ask lookup find contains seen 查询 查 查找 查重 搜索 检索",
        "delete": "remove rm del erase forget 删除 删 删去 移除",
        "expire": "prune ttl purge evict 过期 清理",
        "compact": "vacuum optimize optimise gc shrink 压缩 整理 瘦身",
        "stats": "info status show count size describe 统计 状态 信息 查看",
        "verify": "fsck validate audit check 校验 核对 检查 验证",
        "repair": "fix recover rebuild 修复 修理 恢复",
        "backup": "copy snapshot save 备份 复制",
        "export": "dump save-as 导出 输出",
        "migrate": "upgrade convert 迁移 升级",
    },
    "access": {
        "add": "create new grant 添加 新增 创建 授权",
        "list": "ls show all 列出 查看 列表",
        "remove": "delete rm del revoke drop 删除 撤销 移除",
    },
    "lab": {
        "list": "ls all experiments 列出 列表",
        "run": "start exec execute repeat reproduce 运行 跑 执行 复现",
        "show": "view results result table tables print cat open plot 查看 显示 结果",
        "gather": "compare collect summary summarise summarize merge report export 汇总 合并 比较",
    },
}
"""Subcommands of each group, by the words that people try for them; some with an option, behind which the words that follow belong."""


_INSTEAD = (
    ("index", "drop destroy wipe truncate clear reset 清空 删库", Message("an index is a folder: to delete it, delete the folder")),
    ("index", "merge join union concat combine 合并", Message(
        "to add the documents of another index, export that index: {}; then add the export: {}",
        "quchong index export other/ -o run/", "quchong index add seen/ run/kept.parquet")),
    ("index", "list ls ids documents 列出 列表", Message(
        "to write the documents of an index and their ids to a table, use {}", "quchong index export seen/ -o run/")),
    ("index", "watch follow tail stream listen monitor 监听 监控 实时", Message(
        "to add documents as they arrive, use {}", "tail -f posts.jsonl | quchong index add seen/ -")),
    ("index", "get fetch cat display explain why open 看 取 解释 打开",
     Message("to show a document of an index, use {}", "quchong explain seen/ ID")),
    ("access", "token tokens show-token 令牌", Message(
        "a token is printed only once, when its caller is added: {}", "quchong access add callers.jsonl NAME")),
)  # fmt: skip
"""Rows of a group, words that people try for a subcommand, and how what they mean is done without one."""


def subcommand_meant(group: str, word: str, names: Iterable[str]) -> str | None:
    """Return the subcommand of a group that people call by a word; None if nobody knows, or the group has none of this name.

    >>> subcommand_meant("index", "remove", ["add", "delete"]), subcommand_meant("index", "建", ["create"])
    ('delete', 'create')
    >>> subcommand_meant("index", "transfer", ["create", "add"])
    'create INDEX --from'
    """
    found = entry_with(WORDS.get(group, {}), word)
    return found if found is not None and found.split()[0] in set(names) else None


def _index_first(words: list[str]) -> list[str]:
    """Return the words behind `index add` with the index before the files; one that is to be made is called seen/."""
    from quchong.cli.index_opening import is_index

    plain = [one for one in words if not one.startswith("-")]
    known = [one for one in plain if is_index(Path(one))]
    if known and known[0] != plain[0]:
        return [known[0], *(one for one in words if one != known[0])]
    return ["seen/", *words] if plain and not known and os.path.isfile(plain[0]) else words


class Subcommands(click.Group):
    """Command group that lists its subcommands in the order of their use, and says which was meant by another word."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of commands in the order of their use."""
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the subcommand that has a name.

        Raises:
            UsageError: the name of no command; the message says which was meant, or which there are.
        """
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        raise click.UsageError(
            Message("No such command {!r}{}", cmd_name, self._instead_of(cmd_name)).translation(), ctx
        )

    def _instead_of(self, word: str) -> Message:
        """Return the end of the error about an unknown subcommand: what to type instead, such as `; did you mean stats?`."""
        from quchong.cli.index_opening import is_index
        from quchong.runs.layout import is_run

        group = self.name or ""
        for own, tried, said in _INSTEAD:
            if own == group and word.lower() in tried.split():
                words = sys.argv[1:]
                rest = words[words.index(word) + 1 :] if word in words else []
                if "quchong explain seen/ ID" in said.values and len(rest) > 1 and not rest[1].startswith("-"):
                    said = Message(said.template, Shown(" ".join(["quchong explain", *map(shell_word, rest)])))
                return Message("{}{}", Message("; ", context="differences"), said)
        if group == "lab" and "/" in word:  # the name of an experiment
            return Message("; did you mean {}?", Shown(f"quchong lab run {shell_word(word)}"))
        if (name := subcommand_meant(group, word, self.commands)) is not None:
            words = sys.argv[1:]
            rest = words[words.index(word) + 1 :] if word in words else []
            if (
                group == "index" and name == "stats" and len(rest) > 1 and not rest[1].startswith("-")
            ):  # a document of it
                return Message("; did you mean {}?", Shown(" ".join(["quchong explain", *map(shell_word, rest)])))
            known = {flag for param in self.commands[name.split()[0]].params for flag in param.opts}
            if any(one.startswith("-") and one.partition("=")[0] not in known for one in rest):
                rest = [one for one in rest[:1] if not one.startswith("-")]  # the line would be refused for its options
            if (
                group == "index"
                and name == "add"
                and len(rest) == 1
                and (is_run(Path(rest[0])) or is_index(Path(rest[0])))
            ):
                name = "create INDEX --from"  # there is nothing but a folder to take documents from
            if group == "index" and name == "add":
                rest = _index_first(rest)
            if name.endswith(" --from"):
                line = f"create {shell_word(rest[1] if len(rest) > 1 else 'new/')} --from {shell_word((rest or ['run/'])[0])}"
                return Message("; did you mean {}?", Shown(f"quchong {group} {line}"))
            return Message("; did you mean {}?", Shown(" ".join(["quchong", group, name, *map(shell_word, rest)])))
        return meant(word, self.commands) or Message("; use {}", join_names(self.commands))
